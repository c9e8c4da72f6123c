/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_index.h"
#include "expr/execute.h"
#include "expr/program.h"

typedef const union drmperf_value *address;

/* A counter with several instances, made one value. */
struct gather {
	union drmperf_value *to;
	struct expr_operand operand;
	struct expr_input input;
};

struct operation {
	union drmperf_value *to;
	address a, b, c;
	enum expr_op op;
};

struct expr_batch {
	struct gather *gathers;
	size_t gather_count;
	struct operation *operations;
	size_t operation_count;
	address *results; /* per entry */
	size_t result_count;
	union drmperf_value *memory; /* constants, then intermediate values */
	size_t constant_count;
	size_t memory_used;
};

/* While a batch is made: what it computes already, by hash. */
struct binder {
	struct expr_batch *batch;
	struct name_index operations;
	/* of the program being added: where the value of each slot is */
	address slots[EXPR_MAX_SLOTS];
};

/* ------------------------------------------------------------------ */
/* Making one                                                           */

static union drmperf_value *
take_memory(struct expr_batch *batch, size_t count)
{
	union drmperf_value *memory = &batch->memory[batch->memory_used];

	batch->memory_used += count;
	return memory;
}

/* Return where the operand's value will be. */
static address
add_operand(struct expr_batch *batch, const struct expr_operand *operand,
	    const struct expr_input *input)
{
	struct gather *gather = batch->gathers;
	size_t i;

	/* a union and its member have the same address */
	if (operand_is_single(operand, input))
		return (address)(const void *)input->values;
	for (i = 0; i < batch->gather_count; i++, gather++)
		if (gather->input.values == input->values &&
		    gather->input.count == input->count &&
		    gather->operand.aggregate == operand->aggregate &&
		    gather->operand.fold == operand->fold &&
		    gather->operand.at == operand->at)
			return gather->to;
	batch->gather_count++;
	gather->to = take_memory(batch, 1);
	gather->operand = *operand;
	gather->input = *input;
	return gather->to;
}

/* Add a constant. Those of all entries are added before anything else. */
static address
add_constant(struct expr_batch *batch, union drmperf_value value)
{
	size_t i;

	for (i = 0; i < batch->constant_count; i++)
		if (batch->memory[i].u64 == value.u64)
			return &batch->memory[i];
	batch->constant_count++;
	*take_memory(batch, 1) = value;
	return &batch->memory[i];
}

static uint32_t
hash_operation(const struct operation *operation)
{
	const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t hash = (uint64_t)operation->op + 1;

	hash = (hash ^ (uintptr_t)operation->a) * factor;
	hash = (hash ^ hash >> 29 ^ (uintptr_t)operation->b) * factor;
	hash = (hash ^ hash >> 29 ^ (uintptr_t)operation->c) * factor;
	return (uint32_t)(hash >> 32);
}

static bool
same_operation(const struct operation *a, const struct operation *b)
{
	return a->op == b->op && a->a == b->a && a->b == b->b && a->c == b->c;
}

/* Return where the result will be; what is done already is not done again. */
static address
add_operation(struct binder *binder, struct operation operation)
{
	struct expr_batch *batch = binder->batch;
	uint32_t hash = hash_operation(&operation), i;
	size_t cursor = 0;

	while ((i = name_index_next(&binder->operations, hash, &cursor)) !=
	       NAME_INDEX_END)
		if (same_operation(&batch->operations[i], &operation))
			return batch->operations[i].to;
	operation.to =
		take_memory(batch, expr_op_is_wide(operation.op) ? 2 : 1);
	name_index_insert(&binder->operations, hash,
			  (uint32_t)batch->operation_count);
	batch->operations[batch->operation_count++] = operation;
	return operation.to;
}

static address
add_program(struct binder *binder, const struct expr_program *program,
	    const struct expr_input *inputs)
{
	address *slots = binder->slots;
	size_t count = 0, i;

	for (i = 0; i < program->constant_count; i++)
		slots[count++] =
			add_constant(binder->batch, program->constants[i]);
	for (i = 0; i < program->operand_count; i++)
		slots[count++] =
			add_operand(binder->batch, &program->operands[i],
				    &inputs[program->operands[i].input]);
	for (i = 0; i < program->instruction_count; i++) {
		const struct expr_instruction *from = &program->instructions[i];
		enum expr_op op = (enum expr_op)from->op;
		unsigned arity = expr_op_arity(op);
		const struct operation operation = {
			.op = op,
			.a = slots[from->a],
			.b = arity > 1 ? slots[from->b] : NULL,
			.c = arity > 2 ? slots[from->c] : NULL,
		};

		slots[from->to] = add_operation(binder, operation);
	}
	return slots[program->result];
}

/* Add a plain counter. */
static address
add_sum(struct binder *binder, const struct expr_batch_entry *entry)
{
	const struct expr_operand sum = { .aggregate = AGGREGATE_SUM };
	struct operation convert = { .op = OP_U_TO_F };

	convert.a = add_operand(binder->batch, &sum, entry->inputs);
	if (entry->type == DRMPERF_TYPE_UINT64)
		return convert.a;
	return add_operation(binder, convert);
}

static void
add_constants(struct expr_batch *batch, const struct expr_program *program)
{
	size_t i;

	for (i = 0; program && i < program->constant_count; i++)
		add_constant(batch, program->constants[i]);
}

static void
binder_bind(struct binder *binder, const struct expr_batch_entry *entries,
	    size_t count)
{
	struct expr_batch *batch = binder->batch;
	size_t i;

	for (i = 0; i < count; i++)
		add_constants(batch, entries[i].program);
	for (i = 0; i < count; i++) {
		const struct expr_batch_entry *entry = &entries[i];

		if (entry->program)
			batch->results[i] = add_program(binder, entry->program,
							entry->inputs);
		else
			batch->results[i] = add_sum(binder, entry);
	}
}

/* Make room for all that entries can need. */
static int
binder_allocate(struct binder *binder, const struct expr_batch_entry *entries,
		size_t count)
{
	size_t constants = 0, operands = 0, operations = 0, i;
	struct expr_batch *batch = binder->batch;

	for (i = 0; i < count; i++) {
		const struct expr_program *program = entries[i].program;

		constants += program ? program->constant_count : 0;
		operands += program ? program->operand_count : 1;
		operations += program ? program->instruction_count : 1;
	}
	batch->gathers = calloc(operands + 1, sizeof(*batch->gathers));
	batch->operations = calloc(operations + 1, sizeof(*batch->operations));
	batch->results = calloc(count + 1, sizeof(*batch->results));
	batch->memory = calloc(constants + operands + 2 * operations + 1,
			       sizeof(*batch->memory));
	batch->result_count = count;
	if (!batch->gathers || !batch->operations || !batch->results ||
	    !batch->memory)
		return -ENOMEM;
	return name_index_init(&binder->operations, operations);
}

int
expr_batch_create(const struct expr_batch_entry *entries, size_t count,
		  struct expr_batch **out)
{
	struct binder binder = { .batch = calloc(1, sizeof(*binder.batch)) };
	int err;

	if (!binder.batch)
		return -ENOMEM;
	err = binder_allocate(&binder, entries, count);
	if (err) {
		expr_batch_destroy(binder.batch);
		return err;
	}
	binder_bind(&binder, entries, count);
	name_index_finish(&binder.operations);
	*out = binder.batch;
	return 0;
}

void
expr_batch_destroy(struct expr_batch *batch)
{
	if (!batch)
		return;
	free(batch->gathers);
	free(batch->operations);
	free(batch->results);
	free(batch->memory);
	free(batch);
}

/* ------------------------------------------------------------------ */

static void
gather_values(const struct expr_batch *batch)
{
	const struct gather *gather = batch->gathers;
	const struct gather *end = gather + batch->gather_count;

	for (; gather < end; gather++) {
		if (gather->operand.aggregate == AGGREGATE_SUM)
			gather->to->u64 = expr_total(&gather->input);
		else
			*gather->to = expr_aggregate(&gather->operand,
						     &gather->input);
	}
}

static void
execute_operations(const struct expr_batch *batch)
{
	const struct operation *operation = batch->operations;
	const struct operation *end = operation + batch->operation_count;

	for (; operation < end; operation++)
		execute_operation(operation->op, operation->to, operation->a,
				  operation->b, operation->c);
}

static inline void
give_results(const struct expr_batch *batch, union drmperf_value *values)
{
	for (size_t i = 0; i < batch->result_count; i++)
		values[i] = *batch->results[i];
}

static __attribute__((noinline)) void
compute_and_give(const struct expr_batch *batch, union drmperf_value *values)
{
	gather_values(batch);
	execute_operations(batch);
	give_results(batch, values);
}

void
expr_batch_eval(struct expr_batch *batch, union drmperf_value *values)
{
	if (batch->gather_count || batch->operation_count)
		compute_and_give(batch, values);
	else
		give_results(batch, values);
}
