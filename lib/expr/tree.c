/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/tree.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

#define MAX_TEXT 65536

/*
 * How many nodes an expression may have with the metrics in it: what it needs
 * itself, and some for those, so that a short text makes no long program. Of
 * ours, none needs 40.
 */
#define FIRST_NODES 256
#define NODES_PER_CHARACTER 4
#define MAX_NODES 16384

/* Each is compared with all others. Of ours, none has more than 8. */
#define MAX_METRICS 512

static node_index
no_memory(struct tree *tree)
{
	if (!tree->err)
		tree->err = error_set(tree->error, -ENOMEM,
				      "no memory for an expression");
	return NODE_NONE;
}

void
tree_finish(struct tree *tree)
{
	free(tree->nodes);
	free(tree->operands);
	free(tree->metrics);
}

node_index
tree_fail(struct tree *tree, const struct expr_source *source, size_t position,
	  int code, const char *cause, ...)
{
	char text[256];
	va_list args;

	if (tree->err)
		return NODE_NONE;
	va_start(args, cause);
	vsnprintf(text, sizeof(text), cause, args);
	va_end(args);
	tree->err = error_set(tree->error, code,
			      "%s:%d: at character %zu of the expression: %s",
			      source->file, source->line, position + 1, text);
	return NODE_NONE;
}

node_index
tree_fail_resolver(struct tree *tree, const struct expr_source *source,
		   size_t position, size_t length, int code)
{
	if (code == -ENOENT)
		return tree_fail(tree, source, position, -EBADMSG,
				 "no event, metric or constant is called "
				 "\"%.*s\"",
				 length < 100 ? (int)length : 100,
				 source->text + position);
	if (tree->err)
		return NODE_NONE;
	tree->err = code;
	if (tree->error)
		error_set(tree->error, code,
			  "%s:%d: at character %zu of the expression: %s",
			  source->file, source->line, position + 1,
			  tree->error->cause);
	return NODE_NONE;
}

static node_index
add_node(struct tree *tree, const struct node *node)
{
	struct node *nodes;

	if (tree->err)
		return NODE_NONE;
	if (tree->node_count == tree->max_nodes) {
		tree->err = error_set(tree->error, -E2BIG,
				      "an expression has more than %zu parts, "
				      "with the metrics in it",
				      tree->max_nodes);
		return NODE_NONE;
	}
	nodes = array_grow(tree->nodes, tree->node_count, sizeof(*nodes));
	if (!nodes)
		return no_memory(tree);
	tree->nodes = nodes;
	nodes[tree->node_count] = *node;
	return (node_index)tree->node_count++;
}

static node_index
tree_add_constant(struct tree *tree, enum drmperf_type type,
		  union drmperf_value value)
{
	const struct node node = {
		.kind = NODE_CONSTANT,
		.type = type,
		.value = value,
		.child = { NODE_NONE, NODE_NONE, NODE_NONE },
	};

	return add_node(tree, &node);
}

node_index
tree_uint(struct tree *tree, uint64_t value)
{
	return tree_add_constant(tree, DRMPERF_TYPE_UINT64,
				 (union drmperf_value){ .u64 = value });
}

node_index
tree_double(struct tree *tree, double value)
{
	return tree_add_constant(tree, DRMPERF_TYPE_DOUBLE,
				 (union drmperf_value){ .f64 = value });
}

/* Return the position of this operand, appended unless it is there. */
static size_t
keep_operand(struct tree *tree, const struct expr_operand *operand)
{
	struct expr_operand *operands;
	size_t i;

	for (i = 0; i < tree->operand_count; i++) {
		const struct expr_operand *o = &tree->operands[i];

		if (o->input == operand->input &&
		    o->aggregate == operand->aggregate &&
		    o->fold == operand->fold && o->at == operand->at)
			return i;
	}
	if (tree->operand_count == EXPR_MAX_SLOTS) {
		tree->err = error_set(tree->error, -E2BIG,
				      "an expression has more than %d counters",
				      EXPR_MAX_SLOTS);
		return 0;
	}
	operands = array_grow(tree->operands, tree->operand_count,
			      sizeof(*operands));
	if (!operands) {
		no_memory(tree);
		return 0;
	}
	tree->operands = operands;
	operands[tree->operand_count++] = *operand;
	return i;
}

static node_index
operand_node(struct tree *tree, const struct expr_operand *operand)
{
	struct node node = {
		.kind = NODE_OPERAND,
		.type = operand->aggregate == AGGREGATE_AVR
				? DRMPERF_TYPE_DOUBLE
				: DRMPERF_TYPE_UINT64,
		.child = { NODE_NONE, NODE_NONE, NODE_NONE },
	};

	node.operand = (uint32_t)keep_operand(tree, operand);
	return add_node(tree, &node);
}

node_index
tree_operand(struct tree *tree, const struct expr_symbol *counter,
	     enum expr_aggregate aggregate, bool fold)
{
	const struct expr_operand operand = {
		.input = counter->input,
		.aggregate = aggregate,
		/* the sum of sums is the sum */
		.fold = fold && aggregate != AGGREGATE_SUM
				? counter->instances_per_engine
				: 0,
	};

	return operand_node(tree, &operand);
}

node_index
tree_instance(struct tree *tree, const struct expr_symbol *counter,
	      unsigned instance)
{
	const struct expr_operand operand = {
		.input = counter->input,
		.aggregate = AGGREGATE_AT,
		.fold = counter->instances_per_engine,
		.at = instance,
	};

	return operand_node(tree, &operand);
}

static node_index
tree_add_operation(struct tree *tree, enum expr_op op, enum drmperf_type type,
		   node_index a, node_index b, node_index c)
{
	const struct node node = {
		.kind = NODE_OPERATION,
		.type = type,
		.op = op,
		.child = { a, b, c },
	};

	return add_node(tree, &node);
}

static node_index
uint_operation(struct tree *tree, enum expr_op op, node_index a, node_index b)
{
	return tree_add_operation(tree, op, DRMPERF_TYPE_UINT64, a, b,
				  NODE_NONE);
}

static node_index
double_operation(struct tree *tree, enum expr_op op, node_index a, node_index b)
{
	return tree_add_operation(tree, op, DRMPERF_TYPE_DOUBLE, a, b,
				  NODE_NONE);
}

static bool
is_operation(const struct tree *tree, node_index a, enum expr_op op)
{
	return tree->nodes[a].kind == NODE_OPERATION && tree->nodes[a].op == op;
}

/*
 * Return whether it is a product of two integers of 64 bits each that shows all
 * its bits: what converts it can compute it as well.
 */
static bool
is_narrow_product(const struct tree *tree, node_index a)
{
	const struct node *node = &tree->nodes[a];

	return is_operation(tree, a, OP_MUL_U) && !node->sealed &&
	       !tree->nodes[node->child[0]].wide &&
	       !tree->nodes[node->child[1]].wide;
}

/*
 * Keep all bits of a product, for an operation that can use them. The value of
 * a metric is its 64 bits: expressions that use it must not see more.
 */
static void
tree_widen(struct tree *tree, node_index a)
{
	struct node *node = &tree->nodes[a];

	if (is_operation(tree, a, OP_MUL_U) && !node->sealed)
		node->wide = true;
}

static bool
is_double(const struct tree *tree, node_index a)
{
	return tree->nodes[a].type == DRMPERF_TYPE_DOUBLE;
}

node_index
tree_convert(struct tree *tree, node_index a, enum drmperf_type type)
{
	const struct node *node;

	if (tree->err)
		return NODE_NONE;
	node = &tree->nodes[a];
	if (node->type == type)
		return a;
	if (type == DRMPERF_TYPE_UINT64) {
		if (node->kind == NODE_CONSTANT)
			return tree_uint(tree, expr_truncate(node->value.f64));
		return uint_operation(tree, OP_F_TO_U, a, NODE_NONE);
	}
	if (node->kind == NODE_CONSTANT)
		return tree_double(tree, (double)node->value.u64);
	if (is_narrow_product(tree, a))
		return double_operation(tree, OP_MUL_TO_F, node->child[0],
					node->child[1]);
	tree_widen(tree, a);
	return double_operation(tree, OP_U_TO_F, a, NODE_NONE);
}

static node_index
to_uint(struct tree *tree, node_index a)
{
	return tree_convert(tree, a, DRMPERF_TYPE_UINT64);
}

static node_index
to_double(struct tree *tree, node_index a)
{
	return tree_convert(tree, a, DRMPERF_TYPE_DOUBLE);
}

/* Make 0 or 1 of a value. */
static node_index
to_truth(struct tree *tree, node_index a)
{
	if (tree->err)
		return NODE_NONE;
	if (is_double(tree, a))
		return uint_operation(tree, OP_NE_F, a, tree_double(tree, 0.0));
	return uint_operation(tree, OP_NE_U, a, tree_uint(tree, 0));
}

/* How an operator converts its operands first, before its operation. */
enum operands {
	OPERANDS_UINTS,
	OPERANDS_DOUBLES,
	OPERANDS_TRUTHS,
	OPERANDS_ALIKE, /* integers if both are, else doubles */
	OPERANDS_COMPARED, /* like ALIKE, but the result is an integer */
};

static const struct {
	enum operands operands;
	enum expr_op op;
	enum expr_op double_op; /* the last two kinds */
} binaries[] = {
	[BINARY_ADD] = { OPERANDS_ALIKE, OP_ADD_U, OP_ADD_F },
	[BINARY_SUB] = { OPERANDS_ALIKE, OP_SUB_U, OP_SUB_F },
	[BINARY_MUL] = { OPERANDS_ALIKE, OP_MUL_U, OP_MUL_F },
	[BINARY_MIN] = { OPERANDS_ALIKE, OP_MIN_U, OP_MIN_F },
	[BINARY_MAX] = { OPERANDS_ALIKE, OP_MAX_U, OP_MAX_F },
	[BINARY_EQ] = { OPERANDS_COMPARED, OP_EQ_U, OP_EQ_F },
	[BINARY_NE] = { OPERANDS_COMPARED, OP_NE_U, OP_NE_F },
	[BINARY_LT] = { OPERANDS_COMPARED, OP_LT_U, OP_LT_F },
	[BINARY_LE] = { OPERANDS_COMPARED, OP_LE_U, OP_LE_F },
	[BINARY_DIVIDE] = { .operands = OPERANDS_DOUBLES, .op = OP_DIV_F },
	[BINARY_DIVIDE_UINT] = { .operands = OPERANDS_UINTS, .op = OP_DIV_U },
	[BINARY_REMAINDER] = { .operands = OPERANDS_UINTS, .op = OP_MOD_U },
	[BINARY_AND] = { .operands = OPERANDS_UINTS, .op = OP_AND },
	[BINARY_OR] = { .operands = OPERANDS_UINTS, .op = OP_OR },
	[BINARY_XOR] = { .operands = OPERANDS_UINTS, .op = OP_XOR },
	[BINARY_SHIFT_LEFT] = { .operands = OPERANDS_UINTS, .op = OP_SHL },
	[BINARY_SHIFT_RIGHT] = { .operands = OPERANDS_UINTS, .op = OP_SHR },
	[BINARY_LOGICAL_AND] = { .operands = OPERANDS_TRUTHS, .op = OP_AND },
	[BINARY_LOGICAL_OR] = { .operands = OPERANDS_TRUTHS, .op = OP_OR },
};

/*
 * Divide doubles. Most metrics are a counter by a constant by another counter,
 * which is one operation.
 */
static node_index
tree_divide(struct tree *tree, node_index a, node_index b)
{
	const struct node *product, *divisor;

	if (tree->err)
		return NODE_NONE;
	product = &tree->nodes[a];
	divisor = &tree->nodes[b];
	if (!is_operation(tree, a, OP_MUL_TO_F) ||
	    !is_operation(tree, b, OP_U_TO_F) ||
	    tree->nodes[divisor->child[0]].wide)
		return double_operation(tree, OP_DIV_F, a, b);
	return tree_add_operation(tree, OP_RATIO, DRMPERF_TYPE_DOUBLE,
				  product->child[0], product->child[1],
				  divisor->child[0]);
}

/* Make an operation of ALIKE and COMPARED. */
static node_index
binary_alike(struct tree *tree, enum tree_binary binary, node_index a,
	     node_index b)
{
	bool doubles = is_double(tree, a) || is_double(tree, b);
	enum drmperf_type type = DRMPERF_TYPE_UINT64;
	enum expr_op op = binaries[binary].op;

	if (doubles) {
		op = binaries[binary].double_op;
		a = to_double(tree, a);
		b = to_double(tree, b);
		if (binaries[binary].operands == OPERANDS_ALIKE)
			type = DRMPERF_TYPE_DOUBLE;
	} else if (op == OP_MUL_U) {
		tree_widen(tree, a);
		tree_widen(tree, b);
	}
	return tree_add_operation(tree, op, type, a, b, NODE_NONE);
}

node_index
tree_binary(struct tree *tree, enum tree_binary binary, node_index a,
	    node_index b)
{
	enum expr_op op;

	if (tree->err)
		return NODE_NONE;
	if (binary == BINARY_GT)
		return tree_binary(tree, BINARY_LT, b, a);
	if (binary == BINARY_GE)
		return tree_binary(tree, BINARY_LE, b, a);

	op = binaries[binary].op;
	switch (binaries[binary].operands) {
	case OPERANDS_UINTS:
		a = to_uint(tree, a);
		b = to_uint(tree, b);
		if (!tree->err && op == OP_DIV_U)
			tree_widen(tree, a);
		return uint_operation(tree, op, a, b);
	case OPERANDS_DOUBLES:
		return tree_divide(tree, to_double(tree, a),
				   to_double(tree, b));
	case OPERANDS_TRUTHS:
		return uint_operation(tree, op, to_truth(tree, a),
				      to_truth(tree, b));
	case OPERANDS_ALIKE:
	case OPERANDS_COMPARED:
		break;
	}
	return binary_alike(tree, binary, a, b);
}

node_index
tree_negate(struct tree *tree, node_index a)
{
	if (tree->err)
		return NODE_NONE;
	if (is_double(tree, a))
		return double_operation(tree, OP_NEG_F, a, NODE_NONE);
	return uint_operation(tree, OP_SUB_U, tree_uint(tree, 0), a);
}

node_index
tree_complement(struct tree *tree, node_index a)
{
	return uint_operation(tree, OP_NOT, to_uint(tree, a), NODE_NONE);
}

node_index
tree_not(struct tree *tree, node_index a)
{
	return tree_binary(tree, BINARY_EQ, a, tree_uint(tree, 0));
}

node_index
tree_select(struct tree *tree, node_index condition, node_index a, node_index b)
{
	enum drmperf_type type = DRMPERF_TYPE_UINT64;

	if (tree->err)
		return NODE_NONE;
	if (is_double(tree, a) || is_double(tree, b)) {
		type = DRMPERF_TYPE_DOUBLE;
		a = to_double(tree, a);
		b = to_double(tree, b);
	}
	return tree_add_operation(tree, OP_SELECT, type,
				  to_truth(tree, condition), a, b);
}

/*
 * Return the metric's place in the list of those met so far; NULL: it is new.
 */
static struct tree_metric *
find_metric(struct tree *tree, size_t scope)
{
	size_t i;

	for (i = 0; i < tree->metric_count; i++)
		if (tree->metrics[i].scope == scope)
			return &tree->metrics[i];
	return NULL;
}

static int
add_metric(struct tree *tree, size_t scope)
{
	struct tree_metric *metrics;

	if (tree->metric_count == MAX_METRICS) {
		tree->err = error_set(tree->error, -E2BIG,
				      "an expression has more than %d metrics",
				      MAX_METRICS);
		return -E2BIG;
	}
	metrics =
		array_grow(tree->metrics, tree->metric_count, sizeof(*metrics));
	if (!metrics) {
		no_memory(tree);
		return -ENOMEM;
	}
	tree->metrics = metrics;
	metrics[tree->metric_count++] =
		(struct tree_metric){ scope, NODE_NONE };
	return 0;
}

static void
limit_nodes(struct tree *tree, size_t length)
{
	tree->max_nodes = FIRST_NODES + NODES_PER_CHARACTER * length;
	if (tree->max_nodes > MAX_NODES)
		tree->max_nodes = MAX_NODES;
}

static node_index
read_source(struct tree *tree, const struct expr_source *source)
{
	size_t length = strnlen(source->text, MAX_TEXT + 1);
	node_index node;

	if (length > MAX_TEXT)
		return tree_fail(tree, source, MAX_TEXT, -E2BIG,
				 "it is too long");
	if (!tree->max_nodes)
		limit_nodes(tree, length);
	if (++tree->depth > TREE_MAX_DEPTH)
		return tree_fail(tree, source, 0, -E2BIG,
				 "metrics use each other too deeply");
	node = tree->read(tree, source);
	tree->depth--;
	return tree_convert(tree, node, source->type);
}

node_index
tree_source(struct tree *tree, const struct expr_source *source)
{
	struct tree_metric *metric = find_metric(tree, source->scope);
	node_index node;

	if (tree->err)
		return NODE_NONE;
	if (metric && metric->node == NODE_NONE)
		return tree_fail(tree, source, 0, -ELOOP,
				 "it uses its own value");
	if (metric)
		return metric->node;
	if (add_metric(tree, source->scope))
		return NODE_NONE;
	node = read_source(tree, source);
	if (tree->err)
		return NODE_NONE;
	tree->nodes[node].sealed = true;
	/* found again: the list may have moved */
	find_metric(tree, source->scope)->node = node;
	return node;
}

node_index
tree_symbol(struct tree *tree, const struct expr_symbol *symbol)
{
	switch (symbol->kind) {
	case EXPR_CONSTANT:
		return tree_add_constant(tree, symbol->type, symbol->value);
	case EXPR_COUNTER:
		return tree_operand(tree, symbol, AGGREGATE_SUM, false);
	case EXPR_METRIC:
		break;
	}
	return tree_source(tree, &symbol->metric);
}
