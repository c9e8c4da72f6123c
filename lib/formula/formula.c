/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The formula of an event, for programs that compute it themselves: its
 * program, turned back into steps that name what can be counted by itself.
 *
 * Integers become doubles and are not truncated. Steps whose operands are known
 * are done at once, and those that nothing needs are dropped at the end: ROCm's
 * LEVEL*0+SUM/CYCLES counts no LEVEL.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/cancellation.h"
#include "base/fork_guard.h"
#include "catalog/find.h"
#include "catalog/raw_events.h"
#include "catalog/resolve.h"
#include "device/device.h"
#include "expr/program.h"

/* Chosen over any number that a table has. */
#define NO_STEP UINT32_MAX
#define NO_MEMORY "has no memory for its formula"
/* An integer below this has, as a double, a value that no table means. */
#define LEAST_DOUBLE_BITS (UINT64_C(1) << 52)

struct drmperf_formula {
	struct drmperf_selection *parts;
	struct drmperf_step *steps;
	size_t part_count, step_count;
};

struct formula_builder {
	const struct drmperf_selection *selection;
	const struct catalog_value *value;
	struct catalog *catalog; /* of the event that is computed */
	struct drmperf_formula *formula;
	uint32_t slots[EXPR_MAX_SLOTS]; /* the step that a slot is of */
	struct drmperf_error *error;
	int err; /* the first failure */
};

/* ------------------------------------------------------------------ */
/* Steps                                                                */

static uint32_t
builder_fail(struct formula_builder *builder, int code, const char *what)
{
	const struct drmperf_selection *selection = builder->selection;

	if (!builder->err)
		builder->err = error_set(builder->error, code, "%s %s",
					 selection->event->name, what);
	return NO_STEP;
}

static uint32_t
builder_append(struct formula_builder *builder, struct drmperf_step step)
{
	struct drmperf_formula *formula = builder->formula;
	struct drmperf_step *steps;

	if (builder->err)
		return NO_STEP;
	steps = array_grow(formula->steps, formula->step_count, sizeof(step));
	if (!steps)
		return builder_fail(builder, -ENOMEM, NO_MEMORY);
	formula->steps = steps;
	steps[formula->step_count] = step;
	return (uint32_t)formula->step_count++;
}

static uint32_t
builder_constant(struct formula_builder *builder, double value)
{
	return builder_append(
		builder,
		(struct drmperf_step){ .operation = DRMPERF_OPERATION_CONSTANT,
				       .constant = value });
}

static bool
is_constant(const struct formula_builder *builder, uint32_t step, double *value)
{
	const struct drmperf_step *at = &builder->formula->steps[step];

	if (builder->err || at->operation != DRMPERF_OPERATION_CONSTANT)
		return false;
	*value = at->constant;
	return true;
}

static double
compute_operation(enum drmperf_operation operation, double a, double b)
{
	switch (operation) {
	case DRMPERF_OPERATION_ADD:
		return a + b;
	case DRMPERF_OPERATION_SUBTRACT:
		return a - b;
	case DRMPERF_OPERATION_MULTIPLY:
		return a * b;
	case DRMPERF_OPERATION_DIVIDE:
		return b != 0.0 ? a / b : 0.0;
	case DRMPERF_OPERATION_MINIMUM:
		return fmin(a, b);
	case DRMPERF_OPERATION_MAXIMUM:
		return fmax(a, b);
	case DRMPERF_OPERATION_EQUAL:
		return a == b;
	case DRMPERF_OPERATION_UNEQUAL:
		return a != b;
	case DRMPERF_OPERATION_LESS:
		return a < b;
	default:
		return a <= b;
	}
}

/*
 * Return whether it is 0 or 1, so that "and" is a product, and "or" a maximum.
 */
static bool
is_truth(const struct formula_builder *builder, uint32_t step)
{
	enum drmperf_operation operation;

	if (builder->err)
		return false;
	operation = builder->formula->steps[step].operation;
	return operation >= DRMPERF_OPERATION_EQUAL &&
	       operation <= DRMPERF_OPERATION_LESS_OR_EQUAL;
}

/*
 * Return the operand or constant that replaces the operation, or NO_STEP: of
 * constants, x + 0, 0 + x, x - 0, x * 1, 1 * x, x / 1, x * 0, and truth != 0.
 */
static uint32_t
builder_simplify(struct formula_builder *builder,
		 enum drmperf_operation operation, uint32_t a, uint32_t b)
{
	double x = NAN, y = NAN;
	bool known_a = is_constant(builder, a, &x);

	if (is_constant(builder, b, &y) && known_a)
		return builder_constant(builder,
					compute_operation(operation, x, y));
	switch (operation) {
	case DRMPERF_OPERATION_ADD:
		return x == 0.0 ? b : y == 0.0 ? a : NO_STEP;
	case DRMPERF_OPERATION_SUBTRACT:
		return y == 0.0 ? a : NO_STEP;
	case DRMPERF_OPERATION_MULTIPLY:
		if (x == 0.0 || y == 0.0)
			return builder_constant(builder, 0.0);
		return x == 1.0 ? b : y == 1.0 ? a : NO_STEP;
	case DRMPERF_OPERATION_DIVIDE:
		return y == 1.0 ? a : NO_STEP;
	case DRMPERF_OPERATION_UNEQUAL:
		return y == 0.0 && is_truth(builder, a) ? a : NO_STEP;
	default:
		return NO_STEP;
	}
}

static uint32_t
builder_binary(struct formula_builder *builder,
	       enum drmperf_operation operation, uint32_t a, uint32_t b)
{
	uint32_t step;

	if (builder->err)
		return NO_STEP;
	step = builder_simplify(builder, operation, a, b);
	return step != NO_STEP
		       ? step
		       : builder_append(builder, (struct drmperf_step){
							 .operation = operation,
							 .a = a,
							 .b = b });
}

static uint32_t
builder_choose(struct formula_builder *builder, uint32_t a, uint32_t b,
	       uint32_t c)
{
	double known;

	if (builder->err)
		return NO_STEP;
	if (is_constant(builder, a, &known))
		return known != 0.0 ? b : c;
	return builder_append(
		builder,
		(struct drmperf_step){ .operation = DRMPERF_OPERATION_SELECT,
				       .a = a,
				       .b = b,
				       .c = c });
}

/* ------------------------------------------------------------------ */
/* Parts                                                                */

static uint32_t
part_step(struct formula_builder *builder, const struct drmperf_event *event,
	  int instance)
{
	struct drmperf_formula *formula = builder->formula;
	struct drmperf_selection *parts;

	for (size_t i = 0; i < formula->step_count; i++) {
		const struct drmperf_step *step = &formula->steps[i];

		if (step->operation == DRMPERF_OPERATION_PART &&
		    formula->parts[step->part].event == event &&
		    formula->parts[step->part].instance == instance)
			return (uint32_t)i;
	}
	parts = array_grow(formula->parts, formula->part_count, sizeof(*parts));
	if (!parts)
		return builder_fail(builder, -ENOMEM, NO_MEMORY);
	formula->parts = parts;
	parts[formula->part_count] =
		(struct drmperf_selection){ event, instance };
	return builder_append(
		builder, (struct drmperf_step){
				 .operation = DRMPERF_OPERATION_PART,
				 .part = (unsigned)formula->part_count++ });
}

/* Find the event that sums a level, which is a metric of the table. */
static const struct drmperf_event *
sum_of(struct formula_builder *builder, const struct catalog_counter *counter)
{
	const struct catalog_counter *level =
		&builder->value->counters[counter->after];
	struct catalog *catalog = builder->catalog;
	const struct catalog_value *value;
	const struct drmperf_event *sum;

	if (!catalog_find_sum(catalog, level->event, &sum) &&
	    !catalog_resolve(sum, &value, NULL)) {
		for (size_t i = 0; i < value->counter_count; i++) {
			if (value->counters[i].event == counter->event)
				return sum;
		}
	}
	builder_fail(builder, -ENOTSUP,
		     "sums a level that has no event of its own");
	return NULL;
}

/* Return the event that a user would name to count the counter. */
static const struct drmperf_event *
name_counter(struct formula_builder *builder,
	     const struct catalog_counter *counter)
{
	struct catalog *catalog = builder->catalog;
	struct drmperf_group *group = &catalog->groups[counter->group];
	const struct drmperf_event *event = counter->event;

	if (counter->after != CATALOG_ANYWHERE)
		return sum_of(builder, counter);
	if (event->group != group) {
		builder->err = catalog_add_set_raw(group, event, &event,
						   builder->error);
		if (builder->err)
			return NULL;
	}
	if (!catalog_lists(catalog_event_record(event))) {
		builder_fail(builder, -ENOTSUP,
			     "is made of what cannot be counted by itself");
		return NULL;
	}
	return event;
}

static uint32_t
sum_every(struct formula_builder *builder, const struct drmperf_event *event,
	  unsigned first, unsigned step, unsigned count)
{
	uint32_t sum = part_step(builder, event, (int)first);

	for (unsigned i = first + step; i < count; i += step)
		sum = builder_binary(builder, DRMPERF_OPERATION_ADD, sum,
				     part_step(builder, event, (int)i));
	return sum;
}

/* Aggregate instances by steps, as expr_aggregate() does with numbers. */
static uint32_t
builder_aggregate(struct formula_builder *builder,
		  const struct expr_operand *operand)
{
	const struct catalog_counter *counter =
		&builder->value->counters[operand->input];
	struct catalog *catalog = builder->catalog;
	unsigned count = catalog->description.groups[counter->group].instances;
	const struct drmperf_event *event = name_counter(builder, counter);
	unsigned parts = operand->fold && operand->fold < count ? operand->fold
								 : count;
	uint32_t best;

	if (!event)
		return NO_STEP;
	if (count > 1 && builder->selection->instance >= 0)
		return part_step(builder, event, builder->selection->instance);
	if (operand->aggregate == AGGREGATE_AVR)
		return builder_binary(
			builder, DRMPERF_OPERATION_DIVIDE,
			part_step(builder, event, DRMPERF_ALL_INSTANCES),
			builder_constant(builder, parts));
	if (operand->aggregate == AGGREGATE_SUM || parts <= 1)
		return part_step(builder, event, DRMPERF_ALL_INSTANCES);
	if (operand->aggregate == AGGREGATE_AT)
		return sum_every(builder, event, operand->at, parts, count);
	best = sum_every(builder, event, 0, parts, count);
	for (unsigned i = 1; i < parts; i++)
		best = builder_binary(
			builder,
			operand->aggregate == AGGREGATE_MAX
				? DRMPERF_OPERATION_MAXIMUM
				: DRMPERF_OPERATION_MINIMUM,
			best, sum_every(builder, event, i, parts, count));
	return best;
}

/* ------------------------------------------------------------------ */
/* The program                                                          */

static bool
works_on_doubles(enum expr_op op)
{
	return (op >= OP_ADD_F && op <= OP_MAX_F) || op == OP_QUOTIENT_F ||
	       op == OP_F_TO_U;
}

/* Find a slot's step; a constant is read as what the operation takes it for. */
static uint32_t
slot_step(struct formula_builder *builder, uint16_t slot, enum expr_op op)
{
	const struct expr_program *program = builder->value->program;
	const union drmperf_value *value;

	if (slot >= program->constant_count)
		return builder->slots[slot];
	value = &program->constants[slot];
	if (works_on_doubles(op) ||
	    (op == OP_SELECT && value->u64 >= LEAST_DOUBLE_BITS))
		return builder_constant(builder, value->f64);
	return builder_constant(builder, (double)value->u64);
}

static const enum drmperf_operation operations[] = {
	[OP_ADD_U] = DRMPERF_OPERATION_ADD,
	[OP_ADD_F] = DRMPERF_OPERATION_ADD,
	[OP_SUB_U] = DRMPERF_OPERATION_SUBTRACT,
	[OP_SUB_F] = DRMPERF_OPERATION_SUBTRACT,
	[OP_MUL_U] = DRMPERF_OPERATION_MULTIPLY,
	[OP_MUL_W] = DRMPERF_OPERATION_MULTIPLY,
	[OP_MUL_LW] = DRMPERF_OPERATION_MULTIPLY,
	[OP_MUL_RW] = DRMPERF_OPERATION_MULTIPLY,
	[OP_MUL_WW] = DRMPERF_OPERATION_MULTIPLY,
	[OP_MUL_F] = DRMPERF_OPERATION_MULTIPLY,
	[OP_MUL_TO_F] = DRMPERF_OPERATION_MULTIPLY,
	[OP_DIV_U] = DRMPERF_OPERATION_DIVIDE,
	[OP_DIV_W] = DRMPERF_OPERATION_DIVIDE,
	[OP_DIV_F] = DRMPERF_OPERATION_DIVIDE,
	[OP_QUOTIENT_F] = DRMPERF_OPERATION_DIVIDE,
	[OP_MIN_U] = DRMPERF_OPERATION_MINIMUM,
	[OP_MIN_F] = DRMPERF_OPERATION_MINIMUM,
	[OP_MAX_U] = DRMPERF_OPERATION_MAXIMUM,
	[OP_MAX_F] = DRMPERF_OPERATION_MAXIMUM,
	[OP_EQ_U] = DRMPERF_OPERATION_EQUAL,
	[OP_EQ_F] = DRMPERF_OPERATION_EQUAL,
	[OP_NE_U] = DRMPERF_OPERATION_UNEQUAL,
	[OP_NE_F] = DRMPERF_OPERATION_UNEQUAL,
	[OP_LT_U] = DRMPERF_OPERATION_LESS,
	[OP_LT_F] = DRMPERF_OPERATION_LESS,
	[OP_LE_U] = DRMPERF_OPERATION_LESS_OR_EQUAL,
	[OP_LE_F] = DRMPERF_OPERATION_LESS_OR_EQUAL,
};

/* Compute "and" and "or" of what is true or not. */
static uint32_t
builder_logic(struct formula_builder *builder, enum expr_op op, uint32_t a,
	      uint32_t b)
{
	if ((op != OP_AND && op != OP_OR) || !is_truth(builder, a) ||
	    !is_truth(builder, b))
		return builder_fail(builder, -ENOTSUP,
				    "is computed bit by bit");
	return builder_binary(builder,
			      op == OP_AND ? DRMPERF_OPERATION_MULTIPLY
					   : DRMPERF_OPERATION_MAXIMUM,
			      a, b);
}

static uint32_t
builder_operate(struct formula_builder *builder,
		const struct expr_instruction *instruction)
{
	enum expr_op op = instruction->op;
	unsigned arity = expr_op_arity(op);
	uint32_t a = slot_step(builder, instruction->a, op), b, c;

	if (op == OP_NEG_F)
		return builder_binary(builder, DRMPERF_OPERATION_SUBTRACT,
				      builder_constant(builder, 0.0), a);
	if (op == OP_U_TO_F || op == OP_W_TO_F || op == OP_F_TO_U)
		return a;
	b = arity > 1 ? slot_step(builder, instruction->b, op) : 0;
	c = arity > 2 ? slot_step(builder, instruction->c, op) : 0;
	if (op == OP_SELECT)
		return builder_choose(builder, a, b, c);
	if (op == OP_RATIO || op == OP_QUOTIENT_RATIO)
		return builder_binary(builder, DRMPERF_OPERATION_DIVIDE,
				      builder_binary(builder,
						     DRMPERF_OPERATION_MULTIPLY,
						     a, b),
				      c);
	if (op < ARRAY_SIZE(operations) && operations[op])
		return builder_binary(builder, operations[op], a, b);
	return builder_logic(builder, op, a, b);
}

static uint32_t
run_program(struct formula_builder *builder, enum drmperf_type type)
{
	const struct expr_program *program = builder->value->program;
	size_t count = program->constant_count;

	for (size_t i = 0; !builder->err && i < program->operand_count; i++)
		builder->slots[count + i] =
			builder_aggregate(builder, &program->operands[i]);
	for (size_t i = 0; !builder->err && i < program->instruction_count;
	     i++) {
		const struct expr_instruction *instruction =
			&program->instructions[i];

		builder->slots[instruction->to] =
			builder_operate(builder, instruction);
	}
	if (builder->err)
		return NO_STEP;
	return slot_step(builder, program->result,
			 type == DRMPERF_TYPE_DOUBLE ? OP_ADD_F : OP_ADD_U);
}

/* ------------------------------------------------------------------ */
/* The formula                                                          */

/* Mark the steps that the result needs by a number other than 0. */
static void
mark_needed(const struct drmperf_step *steps, uint32_t result,
	    uint32_t *numbers)
{
	numbers[result] = 1;
	for (uint32_t i = result + 1; i-- > 0;) {
		const struct drmperf_step *step = &steps[i];

		if (!numbers[i] || step->operation <= DRMPERF_OPERATION_PART)
			continue;
		numbers[step->a] = numbers[step->b] = 1;
		if (step->operation == DRMPERF_OPERATION_SELECT)
			numbers[step->c] = 1;
	}
}

/*
 * Leave only what the result needs, which becomes the last step. Steps and
 * parts keep their order, so that nothing needed is overwritten.
 */
static int
formula_prune(struct drmperf_formula *formula, uint32_t result)
{
	uint32_t *numbers = calloc((size_t)result + 1, sizeof(*numbers));
	uint32_t steps = 0, parts = 0;

	if (!numbers)
		return -ENOMEM;
	mark_needed(formula->steps, result, numbers);
	for (uint32_t i = 0; i <= result; i++) {
		struct drmperf_step step = formula->steps[i];

		if (!numbers[i])
			continue;
		if (step.operation > DRMPERF_OPERATION_PART) {
			step.a = numbers[step.a];
			step.b = numbers[step.b];
			step.c = numbers[step.c];
		} else if (step.operation == DRMPERF_OPERATION_PART) {
			formula->parts[parts] = formula->parts[step.part];
			step.part = parts++;
		}
		numbers[i] = steps;
		formula->steps[steps++] = step;
	}
	formula->step_count = steps;
	formula->part_count = parts;
	free(numbers);
	return 0;
}

static int
builder_build(struct formula_builder *builder,
	      const struct drmperf_event *event)
{
	uint32_t result;

	builder->catalog = event->group->catalog;
	if (builder->value->program)
		result = run_program(builder, drmperf_event_type(event));
	else
		result = part_step(builder, event,
				   builder->selection->instance);
	if (!builder->err && formula_prune(builder->formula, result))
		builder_fail(builder, -ENOMEM, NO_MEMORY);
	return builder->err;
}

int
drmperf_formula_create(struct drmperf *drmperf,
		       const struct drmperf_selection *selection,
		       struct drmperf_formula **out,
		       struct drmperf_error *error)
{
	NO_CANCELLATION;
	struct formula_builder builder = { .selection = selection,
					   .error = error };
	const struct drmperf_event *event = selection->event;
	int ret = fork_guard_check(&drmperf->guard, error);

	if (!ret)
		ret = catalog_resolve(event, &builder.value, error);
	if (!ret && builder.value->alternative_count) {
		event = builder.value->alternatives[0];
		ret = catalog_resolve(event, &builder.value, error);
	}
	if (ret)
		return ret;
	builder.formula = calloc(1, sizeof(*builder.formula));
	if (!builder.formula)
		return error_set(error, -ENOMEM, "no memory for a formula");
	ret = builder_build(&builder, event);
	if (ret)
		drmperf_formula_destroy(builder.formula);
	else
		*out = builder.formula;
	return ret;
}

void
drmperf_formula_destroy(struct drmperf_formula *formula)
{
	if (!formula)
		return;
	free(formula->parts);
	free(formula->steps);
	free(formula);
}

const struct drmperf_selection *
drmperf_formula_parts(const struct drmperf_formula *formula, size_t *count)
{
	*count = formula->part_count;
	return formula->parts;
}

const struct drmperf_step *
drmperf_formula_steps(const struct drmperf_formula *formula, size_t *count)
{
	*count = formula->step_count;
	return formula->steps;
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

/* Return 0 for no value, which a division by 0 gives. */
static double
or_zero(double value)
{
	return isnan(value) ? 0 : value;
}

/* Return whether a step is 0 - x, which says that x has the other sign. */
static bool
is_sign(const struct drmperf_step *steps, const struct drmperf_step *step)
{
	return step->operation == DRMPERF_OPERATION_SUBTRACT &&
	       steps[step->a].operation == DRMPERF_OPERATION_CONSTANT &&
	       steps[step->a].constant == 0;
}

static double
compute_step(const struct drmperf_step *steps, const struct drmperf_step *step,
	     const double *results)
{
	const double a = results[step->a], b = results[step->b];

	if (is_sign(steps, step))
		return -b;
	switch (step->operation) {
	case DRMPERF_OPERATION_MULTIPLY:
		return a * b;
	case DRMPERF_OPERATION_DIVIDE:
		return b != 0 ? a / b : NAN;
	case DRMPERF_OPERATION_SELECT:
		return or_zero(a) != 0 ? b : results[step->c];
	default:
		return compute_operation(step->operation, or_zero(a),
					 or_zero(b));
	}
}

double
drmperf_formula_value(const struct drmperf_step *steps, size_t count,
		      double (*part)(const void *data, unsigned part),
		      const void *data, double *results)
{
	for (size_t i = 0; i < count; i++) {
		const struct drmperf_step *step = &steps[i];

		if (step->operation == DRMPERF_OPERATION_CONSTANT)
			results[i] = step->constant;
		else if (step->operation == DRMPERF_OPERATION_PART)
			results[i] = part(data, step->part);
		else
			results[i] = compute_step(steps, step, results);
	}
	return count ? results[count - 1] : NAN;
}
