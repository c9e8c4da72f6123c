/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading the language of events/README.md, section "Expressions".
 *
 *   expression  binary [ "?" expression ":" expression ]
 *   binary      unary { operator unary }         by precedence
 *   unary       { "-" | "+" | "~" | "!" } primary
 *   primary     literal | name [ "[" integer "]" ] | function "(" ... ")" |
 *               "(" expression ")"
 */
#include "expr/infix.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "expr/literal.h"

enum token_kind {
	TOKEN_END,
	TOKEN_LITERAL,
	TOKEN_NAME,
	TOKEN_SIGN, /* anything else, one or two characters */
};

struct token {
	enum token_kind kind;
	const char *text;
	size_t length;
	struct expr_symbol literal;
};

struct reader {
	struct tree *tree;
	const struct expr_source *source;
	const char *at; /* behind the token */
	struct token token;
};

/* Operators on two values; a higher rank binds tighter. */
static const struct {
	const char *sign;
	unsigned rank;
	enum tree_binary binary;
} operators[] = {
	{ "||", 1, BINARY_LOGICAL_OR },	 { "&&", 2, BINARY_LOGICAL_AND },
	{ "|", 3, BINARY_OR },		 { "^", 4, BINARY_XOR },
	{ "&", 5, BINARY_AND },		 { "==", 6, BINARY_EQ },
	{ "!=", 6, BINARY_NE },		 { "<", 7, BINARY_LT },
	{ "<=", 7, BINARY_LE },		 { ">", 7, BINARY_GT },
	{ ">=", 7, BINARY_GE },		 { "<<", 8, BINARY_SHIFT_LEFT },
	{ ">>", 8, BINARY_SHIFT_RIGHT }, { "+", 9, BINARY_ADD },
	{ "-", 9, BINARY_SUB },		 { "*", 10, BINARY_MUL },
	{ "/", 10, BINARY_DIVIDE },	 { "%", 10, BINARY_REMAINDER },
};

static node_index
read_expression(struct reader *reader);

static bool
starts_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
continues_name(char c)
{
	return starts_name(c) || (c >= '0' && c <= '9') || c == '.';
}

static size_t
position(const struct reader *reader)
{
	return (size_t)(reader->token.text - reader->source->text);
}

static node_index
fail(const struct reader *reader, const char *expected)
{
	const struct token *token = &reader->token;

	if (token->kind == TOKEN_END)
		return tree_fail(reader->tree, reader->source, position(reader),
				 -EBADMSG, "%s expected, but it ends there",
				 expected);
	return tree_fail(reader->tree, reader->source, position(reader),
			 -EBADMSG, "%s expected, not \"%.*s\"", expected,
			 token->length < 40 ? (int)token->length : 40,
			 token->text);
}

/* A name in quotes may have a minus in it: 'pmu.rcs0-busy'. */
static void
take_quoted(struct reader *reader)
{
	struct token *token = &reader->token;
	const char *end = strchr(token->text + 1, '\'');

	if (!end) {
		tree_fail(reader->tree, reader->source, position(reader),
			  -EBADMSG, "a quote that is not closed");
		token->kind = TOKEN_END;
		return;
	}
	token->kind = TOKEN_NAME;
	token->length = (size_t)(end - ++token->text);
	reader->at = end + 1;
}

static size_t
sign_length(const char *text)
{
	static const char two[][3] = { "||", "&&", "==", "!=",
				       "<=", ">=", "<<", ">>" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(two); i++)
		if (text[0] == two[i][0] && text[1] == two[i][1])
			return 2;
	return 1;
}

/* Take the next token. */
static void
advance(struct reader *reader)
{
	struct token *token = &reader->token;
	const char *text = reader->at + strspn(reader->at, " \t\r\n");
	size_t length = 0;

	token->text = text;
	if (!*text) {
		token->kind = TOKEN_END;
	} else if (starts_name(*text)) {
		token->kind = TOKEN_NAME;
		while (continues_name(text[length]))
			length++;
	} else if (*text == '\'') {
		take_quoted(reader);
		return;
	} else {
		length = expr_literal(text, &token->literal);
		token->kind = length ? TOKEN_LITERAL : TOKEN_SIGN;
		if (length && continues_name(text[length]))
			token->kind = TOKEN_SIGN;
		if (!length)
			length = sign_length(text);
	}
	token->length = length;
	reader->at = text + length;
}

static bool
is_sign(const struct reader *reader, const char *sign)
{
	const struct token *token = &reader->token;

	return token->kind == TOKEN_SIGN && token->length == strlen(sign) &&
	       !strncmp(token->text, sign, token->length);
}

/* Go past a sign, which has to be there. */
static void
expect(struct reader *reader, const char *sign)
{
	char expected[8] = "\"";

	if (is_sign(reader, sign)) {
		advance(reader);
		return;
	}
	strcat(strcat(expected, sign), "\"");
	fail(reader, expected);
}

static bool
enter(struct reader *reader)
{
	if (reader->tree->err)
		return false;
	if (++reader->tree->depth <= TREE_MAX_DEPTH)
		return true;
	tree_fail(reader->tree, reader->source, position(reader), -E2BIG,
		  "it is nested too deeply");
	return false;
}

static void
leave(struct reader *reader)
{
	reader->tree->depth--;
}

/* What the name that is the token means; its kind is all there is to check. */
static bool
look_up(struct reader *reader, struct expr_symbol *out)
{
	const struct expr_resolver *resolver = reader->tree->resolver;
	const struct token *token = &reader->token;
	int err;

	if (reader->tree->err)
		return false;
	if (token->kind != TOKEN_NAME) {
		fail(reader, "a name");
		return false;
	}
	err = resolver->name(resolver->data, reader->source->scope, token->text,
			     token->length, out, reader->tree->error);
	if (!err)
		return true;
	tree_fail_resolver(reader->tree, reader->source, position(reader),
			   token->length, err);
	return false;
}

/* True at "X)" or, with *fold, at "X,16)". */
static bool
at_aggregate(const struct reader *reader, bool *fold)
{
	struct reader ahead = *reader;

	*fold = false;
	if (ahead.token.kind != TOKEN_NAME)
		return false;
	advance(&ahead);
	if (is_sign(&ahead, ",")) {
		advance(&ahead);
		if (ahead.token.kind != TOKEN_LITERAL)
			return false;
		advance(&ahead);
		*fold = true;
	}
	return is_sign(&ahead, ")");
}

static node_index
take_aggregate(struct reader *reader, const struct expr_symbol *counter,
	       enum expr_aggregate aggregate, bool fold)
{
	advance(reader);
	if (fold) {
		expect(reader, ",");
		advance(reader);
	}
	expect(reader, ")");
	return tree_operand(reader->tree, counter, aggregate, fold);
}

/* sum(X) and avr(X) */
static node_index
read_aggregate(struct reader *reader, enum expr_aggregate aggregate)
{
	struct expr_symbol symbol;
	bool fold;

	if (!at_aggregate(reader, &fold))
		return fail(reader, "one counter");
	if (!look_up(reader, &symbol))
		return NODE_NONE;
	if (symbol.kind != EXPR_COUNTER)
		return fail(reader, "a counter");
	return take_aggregate(reader, &symbol, aggregate, fold);
}

/* The rest of "f(a, b)". */
static node_index
read_two(struct reader *reader, enum tree_binary binary)
{
	node_index a, b;

	a = read_expression(reader);
	expect(reader, ",");
	b = read_expression(reader);
	expect(reader, ")");
	return tree_binary(reader->tree, binary, a, b);
}

/* min(X), min(X,16), and min(a,b) of any two values */
static node_index
read_extreme(struct reader *reader, enum expr_aggregate aggregate,
	     enum tree_binary binary)
{
	struct expr_symbol symbol;
	bool fold;

	if (!at_aggregate(reader, &fold))
		return read_two(reader, binary);
	if (!look_up(reader, &symbol))
		return NODE_NONE;
	if (symbol.kind == EXPR_COUNTER)
		return take_aggregate(reader, &symbol, aggregate, fold);
	if (!fold)
		return fail(reader, "a counter, or two values");
	return read_two(reader, binary);
}

static node_index
read_conversion(struct reader *reader, enum drmperf_type type)
{
	node_index a = read_expression(reader);

	expect(reader, ")");
	return tree_convert(reader->tree, a, type);
}

/* accumulate(X) and accumulate(X, WHICH) */
static node_index
read_accumulate(struct reader *reader)
{
	const struct expr_resolver *resolver = reader->tree->resolver;
	const struct reader start = *reader;
	struct expr_symbol level, sum;
	const char *which = "";
	size_t length = 0;
	int err;

	if (!look_up(reader, &level))
		return NODE_NONE;
	if (level.kind != EXPR_COUNTER)
		return fail(reader, "a counter");
	advance(reader);
	if (is_sign(reader, ",")) {
		advance(reader);
		if (reader->token.kind != TOKEN_NAME)
			return fail(reader, "a name");
		which = reader->token.text;
		length = reader->token.length;
		advance(reader);
	}
	expect(reader, ")");
	if (reader->tree->err)
		return NODE_NONE;
	err = -ENOENT;
	if (resolver->accumulate)
		err = resolver->accumulate(
			resolver->data, reader->source->scope, level.input,
			which, length, &sum, reader->tree->error);
	if (err == -ENOENT)
		return fail(&start,
			    "a counter with one beside it that sums it");
	if (err)
		return tree_fail_resolver(reader->tree, reader->source,
					  position(&start), 0, err);
	return tree_symbol(reader->tree, &sum);
}

static node_index
read_sum(struct reader *reader)
{
	return read_aggregate(reader, AGGREGATE_SUM);
}

static node_index
read_avr(struct reader *reader)
{
	return read_aggregate(reader, AGGREGATE_AVR);
}

static node_index
read_min(struct reader *reader)
{
	return read_extreme(reader, AGGREGATE_MIN, BINARY_MIN);
}

static node_index
read_max(struct reader *reader)
{
	return read_extreme(reader, AGGREGATE_MAX, BINARY_MAX);
}

static node_index
read_div(struct reader *reader)
{
	return read_two(reader, BINARY_DIVIDE_UINT);
}

static node_index
read_uint(struct reader *reader)
{
	return read_conversion(reader, DRMPERF_TYPE_UINT64);
}

static node_index
read_float(struct reader *reader)
{
	return read_conversion(reader, DRMPERF_TYPE_DOUBLE);
}

/* ROCm's reduce(X, sum), which is sum(X) */
static node_index
read_reduce(struct reader *reader)
{
	static const struct {
		const char *name;
		enum expr_aggregate aggregate;
	} kinds[] = {
		{ "sum", AGGREGATE_SUM },     { "avr", AGGREGATE_AVR },
		{ "average", AGGREGATE_AVR }, { "min", AGGREGATE_MIN },
		{ "max", AGGREGATE_MAX },
	};
	struct expr_symbol symbol;
	node_index operand;
	size_t i;

	if (!look_up(reader, &symbol))
		return NODE_NONE;
	if (symbol.kind != EXPR_COUNTER)
		return fail(reader, "a counter");
	advance(reader);
	expect(reader, ",");
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (reader->token.length == strlen(kinds[i].name) &&
		    !strncmp(reader->token.text, kinds[i].name,
			     reader->token.length))
			break;
	if (i == ARRAY_SIZE(kinds))
		return fail(reader, "sum, avr, min or max");
	operand =
		tree_operand(reader->tree, &symbol, kinds[i].aggregate, false);
	advance(reader);
	expect(reader, ")");
	return operand;
}

/* Each reads from behind the opening parenthesis to behind the closing one. */
static const struct {
	const char *name;
	node_index (*read)(struct reader *reader);
} functions[] = {
	{ "sum", read_sum },	   { "avr", read_avr },
	{ "min", read_min },	   { "max", read_max },
	{ "div", read_div },	   { "uint", read_uint },
	{ "float", read_float },   { "accumulate", read_accumulate },
	{ "reduce", read_reduce },
};

static node_index
read_function(struct reader *reader, const struct token *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		if (*functions[i].name == *name->text &&
		    name->length == strlen(functions[i].name) &&
		    !strncmp(name->text, functions[i].name, name->length)) {
			advance(reader); /* past "(" */
			return functions[i].read(reader);
		}
	}
	reader->token = *name;
	return fail(reader, "a function");
}

/* ROCm's X[3], at the bracket */
static node_index
read_instance(struct reader *reader, const struct expr_symbol *counter)
{
	const struct token *token = &reader->token;
	node_index operand;

	if (counter->kind != EXPR_COUNTER)
		return fail(reader, "an operator");
	advance(reader);
	if (token->kind != TOKEN_LITERAL ||
	    token->literal.type != DRMPERF_TYPE_UINT64)
		return fail(reader, "the number of an instance");
	if (token->literal.value.u64 >= counter->instances_per_engine)
		return tree_fail(reader->tree, reader->source, position(reader),
				 -EBADMSG, "there are only %u instances",
				 counter->instances_per_engine);
	operand = tree_instance(reader->tree, counter,
				(unsigned)token->literal.value.u64);
	advance(reader);
	expect(reader, "]");
	return operand;
}

static node_index
read_name(struct reader *reader)
{
	const struct token name = reader->token;
	struct reader ahead = *reader;
	struct expr_symbol symbol;

	advance(&ahead);
	if (is_sign(&ahead, "(")) {
		*reader = ahead;
		return read_function(reader, &name);
	}
	if (!look_up(reader, &symbol))
		return NODE_NONE;
	*reader = ahead;
	if (is_sign(reader, "["))
		return read_instance(reader, &symbol);
	return tree_symbol(reader->tree, &symbol);
}

static node_index
read_primary(struct reader *reader)
{
	struct expr_symbol literal;
	node_index node;

	switch (reader->token.kind) {
	case TOKEN_LITERAL:
		literal = reader->token.literal;
		advance(reader);
		return tree_symbol(reader->tree, &literal);
	case TOKEN_NAME:
		return read_name(reader);
	case TOKEN_SIGN:
		if (!is_sign(reader, "("))
			break;
		advance(reader);
		node = read_expression(reader);
		expect(reader, ")");
		return node;
	case TOKEN_END:
		break;
	}
	return fail(reader, "a value");
}

/* ROCm's tools compute with doubles: what is below zero does not wrap. */
static node_index
with_sign(const struct reader *reader, node_index node)
{
	if (reader->source->language != EXPRESSION_ROCM)
		return node;
	return tree_convert(reader->tree, node, DRMPERF_TYPE_DOUBLE);
}

static node_index
read_unary(struct reader *reader)
{
	struct tree *tree = reader->tree;
	node_index node;
	char sign = *reader->token.text;

	if (reader->token.kind != TOKEN_SIGN || reader->token.length != 1 ||
	    !strchr("-+~!", sign))
		return read_primary(reader);
	if (!enter(reader))
		return NODE_NONE;
	advance(reader);
	node = read_unary(reader);
	leave(reader);
	switch (sign) {
	case '-':
		return tree_negate(tree, with_sign(reader, node));
	case '~':
		return tree_complement(tree, node);
	case '!':
		return tree_not(tree, node);
	}
	return node;
}

/* The position in operators[] of the sign that is the token; -1: none. */
static int
find_operator(const struct reader *reader)
{
	const struct token *token = &reader->token;
	size_t i;

	if (token->kind != TOKEN_SIGN)
		return -1;
	for (i = 0; i < ARRAY_SIZE(operators); i++)
		if (*operators[i].sign == *token->text &&
		    is_sign(reader, operators[i].sign))
			return (int)i;
	return -1;
}

/* Operators of at least this rank. */
static node_index
read_binary(struct reader *reader, unsigned rank)
{
	node_index left = read_unary(reader), right;
	int i;

	while (!reader->tree->err && (i = find_operator(reader)) >= 0 &&
	       operators[i].rank >= rank) {
		advance(reader);
		right = read_binary(reader, operators[i].rank + 1);
		if (operators[i].binary == BINARY_SUB)
			left = with_sign(reader, left);
		left = tree_binary(reader->tree, operators[i].binary, left,
				   right);
	}
	return left;
}

static node_index
read_expression(struct reader *reader)
{
	node_index node, a, b;

	if (!enter(reader))
		return NODE_NONE;
	node = read_binary(reader, 0);
	if (is_sign(reader, "?")) {
		advance(reader);
		a = read_expression(reader);
		expect(reader, ":");
		b = read_expression(reader);
		node = tree_select(reader->tree, node, a, b);
	}
	leave(reader);
	return node;
}

node_index
infix_read(struct tree *tree, const struct expr_source *source)
{
	struct reader reader = {
		.tree = tree,
		.source = source,
		.at = source->text,
	};
	node_index node;

	advance(&reader);
	node = read_expression(&reader);
	if (!tree->err && reader.token.kind != TOKEN_END)
		return fail(&reader, "an operator");
	return node;
}
