/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions while they are being compiled: nodes with types, made bottom up
 * by the reader of either language.
 *
 * Every node is made after its children, so the order of making is an order
 * of evaluation, and no later step needs recursion. A metric is read once
 * however often it is used: its node is shared.
 *
 * Making nodes cannot fail visibly: the first failure is kept in tree.err,
 * and NODE_NONE comes back, which every function takes as an argument.
 */
#ifndef DRMPERF_LIB_EXPR_TREE_H
#define DRMPERF_LIB_EXPR_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expr/program.h"
#include "expr/source.h"

typedef uint32_t node_index;

#define NODE_NONE UINT32_MAX

/* Nesting of parentheses, operators and metrics: bounds the reader's stack. */
#define TREE_MAX_DEPTH 64

enum node_kind {
	NODE_CONSTANT,
	NODE_OPERAND,
	NODE_OPERATION,
};

struct node {
	enum node_kind kind;
	enum drmperf_type type;
	union drmperf_value value; /* constant */
	uint32_t operand;	   /* index in tree.operands */
	enum expr_op op;	   /* operation */
	node_index child[3];	   /* unused ones are NODE_NONE */
	bool wide;		   /* an integer product of 128 bits */
	bool sealed;		   /* a metric's value, which has 64 bits */
};

/* A metric that the program contains. */
struct tree_metric {
	size_t scope;
	node_index node; /* NODE_NONE while it is being read */
};

struct tree {
	/* of the language that a source is in; used for metrics, too */
	node_index (*read)(struct tree *tree, const struct expr_source *source);
	const struct expr_resolver *resolver;
	struct drmperf_error *error;
	int err;
	unsigned depth;
	size_t max_nodes;
	struct node *nodes;
	size_t node_count;
	struct expr_operand *operands;
	size_t operand_count;
	struct tree_metric *metrics;
	size_t metric_count;
};

/* Operators on two values, of whatever types. */
enum tree_binary {
	BINARY_ADD,
	BINARY_SUB,
	BINARY_MUL,
	BINARY_DIVIDE,	    /* of doubles */
	BINARY_DIVIDE_UINT, /* of integers */
	BINARY_REMAINDER,
	BINARY_AND,
	BINARY_OR,
	BINARY_XOR,
	BINARY_SHIFT_LEFT,
	BINARY_SHIFT_RIGHT,
	BINARY_LOGICAL_AND,
	BINARY_LOGICAL_OR,
	BINARY_EQ,
	BINARY_NE,
	BINARY_LT,
	BINARY_LE,
	BINARY_GT,
	BINARY_GE,
	BINARY_MIN,
	BINARY_MAX,
};

void tree_finish(struct tree *tree);

node_index tree_uint(struct tree *tree, uint64_t value);
node_index tree_double(struct tree *tree, double value);
node_index tree_operand(struct tree *tree, const struct expr_symbol *counter,
			enum expr_aggregate aggregate, bool fold);
/* Return one of a counter's instances_per_engine, of all engines together. */
node_index tree_instance(struct tree *tree, const struct expr_symbol *counter,
			 unsigned instance);
node_index tree_binary(struct tree *tree, enum tree_binary binary,
		       node_index a, node_index b);
node_index tree_negate(struct tree *tree, node_index a);
node_index tree_complement(struct tree *tree, node_index a);
node_index tree_not(struct tree *tree, node_index a);
node_index tree_select(struct tree *tree, node_index condition, node_index a,
		       node_index b);
node_index tree_convert(struct tree *tree, node_index a,
			enum drmperf_type type);

/*
 * Return the value of a symbol: a constant, the sum of a counter's instances,
 * or a metric, which is read from its source if it has not been.
 */
node_index tree_symbol(struct tree *tree, const struct expr_symbol *symbol);

/* Read a source into a node of the source's type. */
node_index tree_source(struct tree *tree, const struct expr_source *source);

/* Keep the first failure: "FILE:LINE: at character N of the expression: ..." */
node_index tree_fail(struct tree *tree, const struct expr_source *source,
		     size_t position, int code, const char *cause, ...)
	__attribute__((format(printf, 5, 6)));

/*
 * Fail with code, which a resolver returned for the text at position: complain
 * about an unknown word, unless the resolver has written a complaint.
 */
node_index tree_fail_resolver(struct tree *tree,
			      const struct expr_source *source,
			      size_t position, size_t length, int code);

#endif /* DRMPERF_LIB_EXPR_TREE_H */
