/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading the equations of Intel's OA tables: words between blanks, operands
 * first. What the operators do with integers and doubles was found by
 * comparing with the counters that IGT's and Mesa's generated code computes:
 * a U operator gives an integer and an F operator a double, but the operation
 * itself is done on what the operands are.
 */
#include "expr/readers.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"

/* The tables' deepest equation has 9. */
#define MAX_OPERANDS 64

struct word {
	const char *text;
	size_t length;
};

struct rpn {
	struct tree *tree;
	const struct expr_source *source;
	const char *at; /* behind the word */
	struct word word;
	node_index stack[MAX_OPERANDS];
	size_t depth;
};

enum result {
	RESULT_AS_IS,
	RESULT_UINT,
	RESULT_DOUBLE,
};

static const struct {
	const char *word;
	enum tree_binary binary;
	enum result result;
	bool doubles; /* what the operation is done on */
} operators[] = {
	{ "UADD", BINARY_ADD, RESULT_UINT, false },
	{ "USUB", BINARY_SUB, RESULT_UINT, false },
	{ "UMUL", BINARY_MUL, RESULT_UINT, false },
	{ "UMIN", BINARY_MIN, RESULT_UINT, false },
	{ "UDIV", BINARY_DIVIDE_UINT, RESULT_AS_IS, false },
	{ "FADD", BINARY_ADD, RESULT_DOUBLE, false },
	{ "FSUB", BINARY_SUB, RESULT_DOUBLE, false },
	{ "FMUL", BINARY_MUL, RESULT_DOUBLE, false },
	{ "FMAX", BINARY_MAX, RESULT_AS_IS, true },
	{ "FDIV", BINARY_DIVIDE, RESULT_AS_IS, false },
	{ "<<", BINARY_SHIFT_LEFT, RESULT_AS_IS, false },
	{ ">>", BINARY_SHIFT_RIGHT, RESULT_AS_IS, false },
	{ "AND", BINARY_AND, RESULT_AS_IS, false },
	{ "OR", BINARY_OR, RESULT_AS_IS, false },
	{ "UGT", BINARY_GT, RESULT_AS_IS, false },
	{ "UGTE", BINARY_GE, RESULT_AS_IS, false },
	{ "ULT", BINARY_LT, RESULT_AS_IS, false },
	{ "ULTE", BINARY_LE, RESULT_AS_IS, false },
	{ "==", BINARY_EQ, RESULT_AS_IS, false },
	{ "&&", BINARY_LOGICAL_AND, RESULT_AS_IS, false },
};

/* Go to the next word; false at the end. */
static bool
rpn_advance(struct rpn *rpn)
{
	static const char blanks[] = " \t\r\n";
	const char *text = rpn->at + strspn(rpn->at, blanks);

	rpn->word.text = text;
	rpn->word.length = strcspn(text, blanks);
	rpn->at = text + rpn->word.length;
	return rpn->word.length > 0;
}

static bool
is_word(const struct rpn *rpn, const char *text)
{
	return rpn->word.length == strlen(text) &&
	       !strncmp(rpn->word.text, text, rpn->word.length);
}

static size_t
rpn_position(const struct rpn *rpn)
{
	return (size_t)(rpn->word.text - rpn->source->text);
}

static void
rpn_fail(struct rpn *rpn, const char *what)
{
	tree_fail(rpn->tree, rpn->source, rpn_position(rpn), -EBADMSG,
		  "%s: \"%.*s\"", what,
		  rpn->word.length < 40 ? (int)rpn->word.length : 40,
		  rpn->word.text);
}

static void
rpn_push(struct rpn *rpn, node_index node)
{
	if (rpn->depth == MAX_OPERANDS) {
		tree_fail(rpn->tree, rpn->source, rpn_position(rpn), -E2BIG,
			  "more than %d operands wait for their operators",
			  MAX_OPERANDS);
		return;
	}
	rpn->stack[rpn->depth++] = node;
}

/* Take the word as a number; false if it is none. */
static bool
take_literal(const struct rpn *rpn, struct expr_symbol *out)
{
	size_t length = expr_literal(rpn->word.text, out);

	return length && length == rpn->word.length;
}

static void
push_resolved(struct rpn *rpn, const struct word *word, int err,
	      const struct expr_symbol *symbol)
{
	if (!err)
		rpn_push(rpn, tree_symbol(rpn->tree, symbol));
	else
		tree_fail_resolver(rpn->tree, rpn->source,
				   (size_t)(word->text - rpn->source->text),
				   word->length, err);
}

/* Read $Symbol. */
static void
read_symbol(struct rpn *rpn)
{
	const struct expr_resolver *resolver = rpn->tree->resolver;
	struct word word = rpn->word;
	struct expr_symbol symbol;
	int err;

	word.text++;
	word.length--;
	err = resolver->name(resolver->data, rpn->source->scope, word.text,
			     word.length, &symbol, rpn->tree->error);
	push_resolved(rpn, &word, err, &symbol);
}

/* Read BANK NUMBER READ. */
static void
read_counter(struct rpn *rpn)
{
	const struct expr_resolver *resolver = rpn->tree->resolver;
	const struct rpn start = *rpn;
	struct expr_symbol index, symbol;
	struct word all = rpn->word;
	int err = -ENOENT;

	if (!rpn_advance(rpn) || !take_literal(rpn, &index) ||
	    index.type != DRMPERF_TYPE_UINT64 || !rpn_advance(rpn) ||
	    !is_word(rpn, "READ")) {
		*rpn = start;
		rpn_fail(rpn, "not an operand or operator");
		return;
	}
	all.length = (size_t)(rpn->at - all.text);
	if (resolver->read)
		err = resolver->read(resolver->data, rpn->source->scope,
				     start.word.text, start.word.length,
				     index.value.u64, &symbol,
				     rpn->tree->error);
	push_resolved(rpn, &all, err, &symbol);
}

static node_index
rpn_operate(struct rpn *rpn, size_t i, node_index a, node_index b)
{
	struct tree *tree = rpn->tree;
	node_index node;

	if (operators[i].doubles) {
		a = tree_convert(tree, a, DRMPERF_TYPE_DOUBLE);
		b = tree_convert(tree, b, DRMPERF_TYPE_DOUBLE);
	}
	node = tree_binary(tree, operators[i].binary, a, b);
	switch (operators[i].result) {
	case RESULT_AS_IS:
		break;
	case RESULT_UINT:
		return tree_convert(tree, node, DRMPERF_TYPE_UINT64);
	case RESULT_DOUBLE:
		return tree_convert(tree, node, DRMPERF_TYPE_DOUBLE);
	}
	return node;
}

/* Take the word as an operator; false if it is none. */
static bool
read_operator(struct rpn *rpn)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(operators); i++)
		if (is_word(rpn, operators[i].word))
			break;
	if (i == ARRAY_SIZE(operators))
		return false;
	if (rpn->depth < 2) {
		rpn_fail(rpn, "an operator without two operands");
		return true;
	}
	rpn->depth -= 2;
	rpn_push(rpn, rpn_operate(rpn, i, rpn->stack[rpn->depth],
				  rpn->stack[rpn->depth + 1]));
	return true;
}

static void
read_word(struct rpn *rpn)
{
	struct expr_symbol literal;

	if (take_literal(rpn, &literal))
		rpn_push(rpn, tree_symbol(rpn->tree, &literal));
	else if (*rpn->word.text == '$')
		read_symbol(rpn);
	else if (is_word(rpn, "true"))
		rpn_push(rpn, tree_uint(rpn->tree, 1));
	else if (!read_operator(rpn))
		read_counter(rpn);
}

node_index
rpn_read(struct tree *tree, const struct expr_source *source)
{
	struct rpn rpn = { .tree = tree, .source = source, .at = source->text };

	while (!tree->err && rpn_advance(&rpn))
		read_word(&rpn);
	if (tree->err)
		return NODE_NONE;
	if (rpn.depth != 1)
		return tree_fail(tree, source, rpn_position(&rpn), -EBADMSG,
				 "it ends with %zu values instead of one",
				 rpn.depth);
	return rpn.stack[0];
}
