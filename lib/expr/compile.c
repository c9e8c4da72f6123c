/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a text to a program. The readers make a tree whose nodes stand in an
 * order of evaluation already; here those that are needed get slots, which
 * are used again after the last use of what was in them.
 */
#include "expr/compile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "expr/readers.h"
#include "expr/tree.h"

struct emitter {
	const struct tree *tree;
	uint32_t *uses; /* per node: by nodes and as the result */
	uint16_t *slots; /* per node */
	bool taken[EXPR_MAX_SLOTS];
	union drmperf_value *constants;
	size_t constant_count;
	struct expr_instruction *instructions;
	size_t instruction_count;
};

/*
 * Count the uses of nodes. Children stand before their parents: one walk
 * backwards finds the living.
 */
static void
count_uses(struct emitter *emitter, node_index result)
{
	const struct node *nodes = emitter->tree->nodes;
	size_t i, c;

	emitter->uses[result] = 1;
	for (i = (size_t)result + 1; i-- > 0;) {
		if (!emitter->uses[i])
			continue;
		for (c = 0; c < 3; c++)
			if (nodes[i].child[c] != NODE_NONE)
				emitter->uses[nodes[i].child[c]]++;
	}
}

/*
 * Take the first of count free slots in a row; EXPR_MAX_SLOTS: there are none.
 */
static size_t
take_slots(struct emitter *emitter, size_t count)
{
	size_t slot, i;

	for (slot = 0; slot + count <= EXPR_MAX_SLOTS; slot++) {
		for (i = 0; i < count && !emitter->taken[slot + i]; i++)
			;
		if (i == count) {
			memset(&emitter->taken[slot], true, count);
			return slot;
		}
	}
	return EXPR_MAX_SLOTS;
}

/* Note one use less of a node; its slots are free after the last. */
static void
emitter_use_node(struct emitter *emitter, node_index index)
{
	const struct node *node;

	if (index == NODE_NONE || --emitter->uses[index])
		return;
	node = &emitter->tree->nodes[index];
	if (node->kind == NODE_OPERATION)
		memset(&emitter->taken[emitter->slots[index]], false,
		       node->wide ? 2 : 1);
}

/*
 * Place a constant. Constants come first in the frame: each one that is needed
 * gets a slot.
 */
static int
place_constant(struct emitter *emitter, node_index index)
{
	union drmperf_value value = emitter->tree->nodes[index].value;
	size_t i;

	for (i = 0; i < emitter->constant_count; i++)
		if (emitter->constants[i].u64 == value.u64)
			break;
	if (i == EXPR_MAX_SLOTS)
		return -E2BIG;
	if (i == emitter->constant_count)
		emitter->constants[emitter->constant_count++] = value;
	emitter->slots[index] = (uint16_t)i;
	return 0;
}

static bool
is_wide(const struct tree *tree, node_index node)
{
	return node != NODE_NONE && tree->nodes[node].wide;
}

/* Return the operation for operands and a result of 64 or 128 bits. */
static enum expr_op
choose_width(const struct tree *tree, const struct node *node)
{
	bool a = is_wide(tree, node->child[0]);
	bool b = is_wide(tree, node->child[1]);

	switch (node->op) {
	case OP_MUL_U:
		if (!node->wide)
			return OP_MUL_U;
		if (a)
			return b ? OP_MUL_WW : OP_MUL_LW;
		return b ? OP_MUL_RW : OP_MUL_W;
	case OP_DIV_U:
		return a ? OP_DIV_W : OP_DIV_U;
	case OP_U_TO_F:
		return a ? OP_W_TO_F : OP_U_TO_F;
	default:
		return node->op;
	}
}

static uint16_t
slot_of(const struct emitter *emitter, node_index node)
{
	return node == NODE_NONE ? 0 : emitter->slots[node];
}

static int
emit_operation(struct emitter *emitter, node_index index)
{
	const struct node *node = &emitter->tree->nodes[index];
	struct expr_instruction *i;
	size_t slot, c;

	slot = take_slots(emitter, node->wide ? 2 : 1);
	if (slot == EXPR_MAX_SLOTS)
		return -E2BIG;
	emitter->slots[index] = (uint16_t)slot;
	i = &emitter->instructions[emitter->instruction_count++];
	*i = (struct expr_instruction){
		.op = (uint16_t)choose_width(emitter->tree, node),
		.to = (uint16_t)slot,
		.a = slot_of(emitter, node->child[0]),
		.b = slot_of(emitter, node->child[1]),
		.c = slot_of(emitter, node->child[2]),
	};
	for (c = 0; c < 3; c++)
		emitter_use_node(emitter, node->child[c]);
	return 0;
}

/* Place constants and operands, which keep their slots. */
static int
place_inputs(struct emitter *emitter, node_index result)
{
	const struct node *nodes = emitter->tree->nodes;
	size_t count;
	node_index i;

	for (i = 0; i <= result; i++)
		if (emitter->uses[i] && nodes[i].kind == NODE_CONSTANT &&
		    place_constant(emitter, i))
			return -E2BIG;
	count = emitter->constant_count + emitter->tree->operand_count;
	if (count > EXPR_MAX_SLOTS)
		return -E2BIG;
	memset(emitter->taken, true, count);
	for (i = 0; i <= result; i++)
		if (nodes[i].kind == NODE_OPERAND)
			emitter->slots[i] = (uint16_t)(emitter->constant_count +
						       nodes[i].operand);
	return 0;
}

static int
emit_nodes(struct emitter *emitter, node_index result)
{
	const struct node *nodes = emitter->tree->nodes;
	node_index i;
	int err;

	count_uses(emitter, result);
	err = place_inputs(emitter, result);
	for (i = 0; !err && i <= result; i++)
		if (emitter->uses[i] && nodes[i].kind == NODE_OPERATION)
			err = emit_operation(emitter, i);
	return err;
}

static void *
arena_copy(struct arena *arena, const void *array, size_t size)
{
	void *copy = arena_alloc(arena, size ? size : 1);

	if (copy && size)
		memcpy(copy, array, size);
	return copy;
}

static int
emitter_finish(const struct emitter *emitter, node_index result,
	       struct arena *arena, const struct expr_program **out)
{
	const struct tree *tree = emitter->tree;
	struct expr_program *program = arena_alloc(arena, sizeof(*program));

	if (!program)
		return -ENOMEM;
	program->operands =
		arena_copy(arena, tree->operands,
			   tree->operand_count * sizeof(*tree->operands));
	program->constants = arena_copy(arena, emitter->constants,
					emitter->constant_count *
						sizeof(*emitter->constants));
	program->instructions = arena_copy(
		arena, emitter->instructions,
		emitter->instruction_count * sizeof(*emitter->instructions));
	if (!program->operands || !program->constants || !program->instructions)
		return -ENOMEM;
	program->constant_count = emitter->constant_count;
	program->operand_count = tree->operand_count;
	program->instruction_count = emitter->instruction_count;
	program->result = emitter->slots[result];
	*out = program;
	return 0;
}

static int
tree_emit_program(const struct tree *tree, node_index result,
		  struct arena *arena, const struct expr_program **out)
{
	size_t count = (size_t)result + 1;
	struct emitter emitter = {
		.tree = tree,
		.uses = calloc(count, sizeof(*emitter.uses)),
		.slots = calloc(count, sizeof(*emitter.slots)),
		.constants = calloc(count, sizeof(*emitter.constants)),
		.instructions = calloc(count, sizeof(*emitter.instructions)),
	};
	int err = -ENOMEM;

	if (emitter.uses && emitter.slots && emitter.constants &&
	    emitter.instructions)
		err = emit_nodes(&emitter, result);
	if (!err)
		err = emitter_finish(&emitter, result, arena, out);
	free(emitter.uses);
	free(emitter.slots);
	free(emitter.constants);
	free(emitter.instructions);
	return err;
}

/*
 * Mark the quotients of an event. An event that is a quotient is n/a where it
 * divides by 0: so are the divisions that its value is made of by nothing but
 * multiplying, dividing, negating and choosing. Whatever a quotient is added
 * to, or compared with, takes it as 0, as all that read such equations do.
 * Children stand before their parents.
 */
static int
mark_quotients(struct tree *tree, node_index result)
{
	bool *marked = calloc((size_t)result + 1, sizeof(*marked));
	node_index i = result + 1;

	if (!marked)
		return -ENOMEM;
	marked[result] = tree->nodes[result].type == DRMPERF_TYPE_DOUBLE;
	while (i-- > 0) {
		struct node *node = &tree->nodes[i];

		if (!marked[i] || node->kind != NODE_OPERATION)
			continue;
		switch (node->op) {
		case OP_RATIO:
			node->op = OP_QUOTIENT_RATIO;
			break;
		case OP_DIV_F:
			node->op = OP_QUOTIENT_F;
			marked[node->child[0]] = true;
			break;
		case OP_MUL_F:
			marked[node->child[0]] = true;
			marked[node->child[1]] = true;
			break;
		case OP_NEG_F:
			marked[node->child[0]] = true;
			break;
		case OP_SELECT:
			marked[node->child[1]] = true;
			marked[node->child[2]] = true;
			break;
		default:
			break;
		}
	}
	free(marked);
	return 0;
}

static node_index
read_text(struct tree *tree, const struct expr_source *source)
{
	return source->language == EXPRESSION_OA_RPN ? rpn_read(tree, source)
						     : infix_read(tree, source);
}

int
expr_compile(const struct expr_source *source,
	     const struct expr_resolver *resolver, struct arena *arena,
	     const struct expr_program **out, struct drmperf_error *error)
{
	struct tree tree = {
		.read = read_text,
		.resolver = resolver,
		.error = error,
	};
	node_index result = tree_source(&tree, source);
	int err = tree.err;

	if (!err) {
		err = mark_quotients(&tree, result);
		if (!err)
			err = tree_emit_program(&tree, result, arena, out);
		if (err == -E2BIG)
			error_set(error, err,
				  "%s:%d: the expression has too many "
				  "intermediate values",
				  source->file, source->line);
		else if (err)
			error_set(error, err, "no memory for an expression");
	}
	tree_finish(&tree);
	return err;
}
