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
#include "expr/readers.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"

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

struct infix {
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
read_expression(struct infix *infix);

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
infix_position(const struct infix *infix)
{
	return (size_t)(infix->token.text - infix->source->text);
}

static node_index
infix_fail(const struct infix *infix, const char *expected)
{
	const struct token *token = &infix->token;

	if (token->kind == TOKEN_END)
		return tree_fail(infix->tree, infix->source,
				 infix_position(infix), -EBADMSG,
				 "%s expected, but it ends there", expected);
	return tree_fail(infix->tree, infix->source, infix_position(infix),
			 -EBADMSG, "%s expected, not \"%.*s\"", expected,
			 token->length < 40 ? (int)token->length : 40,
			 token->text);
}

/* Take a name in quotes, which may have a minus in it: 'pmu.rcs0-busy'. */
static void
take_quoted(struct infix *infix)
{
	struct token *token = &infix->token;
	const char *end = strchr(token->text + 1, '\'');

	if (!end) {
		tree_fail(infix->tree, infix->source, infix_position(infix),
			  -EBADMSG, "a quote that is not closed");
		token->kind = TOKEN_END;
		return;
	}
	token->kind = TOKEN_NAME;
	token->length = (size_t)(end - ++token->text);
	infix->at = end + 1;
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
infix_advance(struct infix *infix)
{
	struct token *token = &infix->token;
	const char *text = infix->at + strspn(infix->at, " \t\r\n");
	size_t length = 0;

	token->text = text;
	if (!*text) {
		token->kind = TOKEN_END;
	} else if (starts_name(*text)) {
		token->kind = TOKEN_NAME;
		while (continues_name(text[length]))
			length++;
	} else if (*text == '\'') {
		take_quoted(infix);
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
	infix->at = text + length;
}

static bool
is_sign(const struct infix *infix, const char *sign)
{
	const struct token *token = &infix->token;

	return token->kind == TOKEN_SIGN && token->length == strlen(sign) &&
	       !strncmp(token->text, sign, token->length);
}

/* Go past a sign, which has to be there. */
static void
infix_expect(struct infix *infix, const char *sign)
{
	char expected[8] = "\"";

	if (is_sign(infix, sign)) {
		infix_advance(infix);
		return;
	}
	strcat(strcat(expected, sign), "\"");
	infix_fail(infix, expected);
}

static bool
infix_enter(struct infix *infix)
{
	if (infix->tree->err)
		return false;
	if (++infix->tree->depth <= TREE_MAX_DEPTH)
		return true;
	tree_fail(infix->tree, infix->source, infix_position(infix), -E2BIG,
		  "it is nested too deeply");
	return false;
}

static void
infix_leave(struct infix *infix)
{
	infix->tree->depth--;
}

/* Resolve the token, which has to be a name. */
static bool
resolve_name(struct infix *infix, struct expr_symbol *out)
{
	const struct expr_resolver *resolver = infix->tree->resolver;
	const struct token *token = &infix->token;
	int err;

	if (infix->tree->err)
		return false;
	if (token->kind != TOKEN_NAME) {
		infix_fail(infix, "a name");
		return false;
	}
	err = resolver->name(resolver->data, infix->source->scope, token->text,
			     token->length, out, infix->tree->error);
	if (!err)
		return true;
	tree_fail_resolver(infix->tree, infix->source, infix_position(infix),
			   token->length, err);
	return false;
}

/* Return true at "X)" or, with *fold, at "X,16)". */
static bool
at_aggregate(const struct infix *infix, bool *fold)
{
	struct infix ahead = *infix;

	*fold = false;
	if (ahead.token.kind != TOKEN_NAME)
		return false;
	infix_advance(&ahead);
	if (is_sign(&ahead, ",")) {
		infix_advance(&ahead);
		if (ahead.token.kind != TOKEN_LITERAL)
			return false;
		infix_advance(&ahead);
		*fold = true;
	}
	return is_sign(&ahead, ")");
}

static node_index
take_aggregate(struct infix *infix, const struct expr_symbol *counter,
	       enum expr_aggregate aggregate, bool fold)
{
	infix_advance(infix);
	if (fold) {
		infix_expect(infix, ",");
		infix_advance(infix);
	}
	infix_expect(infix, ")");
	return tree_operand(infix->tree, counter, aggregate, fold);
}

struct function {
	const char *name;
	/* Reads from behind the opening parenthesis to behind the closing. */
	node_index (*read)(struct infix *infix,
			   const struct function *function);
	enum expr_aggregate aggregate;
	enum tree_binary binary;
	enum drmperf_type type;
};

/* Read sum(X) and avr(X). */
static node_index
read_aggregate(struct infix *infix, const struct function *function)
{
	struct expr_symbol symbol;
	bool fold;

	if (!at_aggregate(infix, &fold))
		return infix_fail(infix, "one counter");
	if (!resolve_name(infix, &symbol))
		return NODE_NONE;
	if (symbol.kind != EXPR_COUNTER)
		return infix_fail(infix, "a counter");
	return take_aggregate(infix, &symbol, function->aggregate, fold);
}

/* Read the rest of "f(a, b)". */
static node_index
read_second_argument(struct infix *infix, const struct function *function)
{
	node_index a, b;

	a = read_expression(infix);
	infix_expect(infix, ",");
	b = read_expression(infix);
	infix_expect(infix, ")");
	return tree_binary(infix->tree, function->binary, a, b);
}

/* Read min(X), min(X,16), and min(a,b) of any two values. */
static node_index
read_extreme(struct infix *infix, const struct function *function)
{
	struct expr_symbol symbol;
	bool fold;

	if (!at_aggregate(infix, &fold))
		return read_second_argument(infix, function);
	if (!resolve_name(infix, &symbol))
		return NODE_NONE;
	if (symbol.kind == EXPR_COUNTER)
		return take_aggregate(infix, &symbol, function->aggregate,
				      fold);
	if (!fold)
		return infix_fail(infix, "a counter, or two values");
	return read_second_argument(infix, function);
}

static node_index
read_conversion(struct infix *infix, const struct function *function)
{
	node_index a = read_expression(infix);

	infix_expect(infix, ")");
	return tree_convert(infix->tree, a, function->type);
}

/* Read accumulate(X) and accumulate(X, WHICH). */
static node_index
read_accumulate(struct infix *infix, const struct function *function)
{
	const struct expr_resolver *resolver = infix->tree->resolver;
	const struct infix start = *infix;
	struct expr_symbol level, sum;
	const char *which = "";
	size_t length = 0;
	int err;

	(void)function;
	if (!resolve_name(infix, &level))
		return NODE_NONE;
	if (level.kind != EXPR_COUNTER)
		return infix_fail(infix, "a counter");
	infix_advance(infix);
	if (is_sign(infix, ",")) {
		infix_advance(infix);
		if (infix->token.kind != TOKEN_NAME)
			return infix_fail(infix, "a name");
		which = infix->token.text;
		length = infix->token.length;
		infix_advance(infix);
	}
	infix_expect(infix, ")");
	if (infix->tree->err)
		return NODE_NONE;
	err = -ENOENT;
	if (resolver->accumulate)
		err = resolver->accumulate(resolver->data, infix->source->scope,
					   level.input, which, length, &sum,
					   infix->tree->error);
	if (err == -ENOENT)
		return infix_fail(&start,
				  "a counter with one beside it that sums it");
	if (err)
		return tree_fail_resolver(infix->tree, infix->source,
					  infix_position(&start), 0, err);
	return tree_symbol(infix->tree, &sum);
}

static node_index
read_name(struct infix *infix);

/* Read ROCm's reduce(X, sum), which is sum(X). */
static node_index
read_reduce(struct infix *infix, const struct function *function)
{
	static const struct {
		const char *name;
		enum expr_aggregate aggregate;
	} kinds[] = {
		{ "sum", AGGREGATE_SUM },     { "avr", AGGREGATE_AVR },
		{ "average", AGGREGATE_AVR }, { "min", AGGREGATE_MIN },
		{ "max", AGGREGATE_MAX },
	};
	const struct infix start = *infix;
	struct expr_symbol symbol = { .kind = EXPR_CONSTANT };
	node_index operand = NODE_NONE;
	struct infix ahead = *infix;
	size_t i;

	(void)function;
	infix_advance(&ahead);
	if (is_sign(&ahead, "(")) {
		/* reduce(accumulate(X),sum), which is a sum already */
		if (!infix_enter(infix))
			return NODE_NONE;
		operand = read_name(infix);
		infix_leave(infix);
	} else {
		if (!resolve_name(infix, &symbol))
			return NODE_NONE;
		if (symbol.kind != EXPR_COUNTER)
			return infix_fail(infix, "a counter");
		infix_advance(infix);
	}
	infix_expect(infix, ",");
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (infix->token.length == strlen(kinds[i].name) &&
		    !strncmp(infix->token.text, kinds[i].name,
			     infix->token.length))
			break;
	if (i == ARRAY_SIZE(kinds))
		return infix_fail(infix, "sum, avr, min or max");
	if (symbol.kind != EXPR_COUNTER) {
		if (kinds[i].aggregate != AGGREGATE_SUM)
			return infix_fail(&start, "a counter");
		infix_advance(infix);
		infix_expect(infix, ")");
		return operand;
	}
	operand = tree_operand(infix->tree, &symbol, kinds[i].aggregate, false);
	infix_advance(infix);
	infix_expect(infix, ")");
	return operand;
}

static const struct function functions[] = {
	{ .name = "sum", .read = read_aggregate, .aggregate = AGGREGATE_SUM },
	{ .name = "avr", .read = read_aggregate, .aggregate = AGGREGATE_AVR },
	{ .name = "min",
	  .read = read_extreme,
	  .aggregate = AGGREGATE_MIN,
	  .binary = BINARY_MIN },
	{ .name = "max",
	  .read = read_extreme,
	  .aggregate = AGGREGATE_MAX,
	  .binary = BINARY_MAX },
	{ .name = "div",
	  .read = read_second_argument,
	  .binary = BINARY_DIVIDE_UINT },
	{ .name = "uint",
	  .read = read_conversion,
	  .type = DRMPERF_TYPE_UINT64 },
	{ .name = "float",
	  .read = read_conversion,
	  .type = DRMPERF_TYPE_DOUBLE },
	{ .name = "accumulate", .read = read_accumulate },
	{ .name = "reduce", .read = read_reduce },
};

static node_index
read_function(struct infix *infix, const struct token *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		if (*functions[i].name == *name->text &&
		    name->length == strlen(functions[i].name) &&
		    !strncmp(name->text, functions[i].name, name->length)) {
			infix_advance(infix); /* past "(" */
			return functions[i].read(infix, &functions[i]);
		}
	}
	infix->token = *name;
	return infix_fail(infix, "a function");
}

/* Read ROCm's X[3], at the bracket. */
static node_index
read_instance(struct infix *infix, const struct expr_symbol *counter)
{
	const struct token *token = &infix->token;
	node_index operand;

	if (counter->kind != EXPR_COUNTER)
		return infix_fail(infix, "an operator");
	infix_advance(infix);
	if (token->kind != TOKEN_LITERAL ||
	    token->literal.type != DRMPERF_TYPE_UINT64)
		return infix_fail(infix, "the number of an instance");
	if (token->literal.value.u64 >= counter->instances_per_engine)
		return tree_fail(infix->tree, infix->source,
				 infix_position(infix), -EBADMSG,
				 "there are only %u instances",
				 counter->instances_per_engine);
	operand = tree_instance(infix->tree, counter,
				(unsigned)token->literal.value.u64);
	infix_advance(infix);
	infix_expect(infix, "]");
	return operand;
}

static node_index
read_name(struct infix *infix)
{
	const struct token name = infix->token;
	struct infix ahead = *infix;
	struct expr_symbol symbol;

	infix_advance(&ahead);
	if (is_sign(&ahead, "(")) {
		*infix = ahead;
		return read_function(infix, &name);
	}
	if (!resolve_name(infix, &symbol))
		return NODE_NONE;
	*infix = ahead;
	if (is_sign(infix, "["))
		return read_instance(infix, &symbol);
	return tree_symbol(infix->tree, &symbol);
}

static node_index
read_primary(struct infix *infix)
{
	struct expr_symbol literal;
	node_index node;

	switch (infix->token.kind) {
	case TOKEN_LITERAL:
		literal = infix->token.literal;
		infix_advance(infix);
		return tree_symbol(infix->tree, &literal);
	case TOKEN_NAME:
		return read_name(infix);
	case TOKEN_SIGN:
		if (!is_sign(infix, "("))
			break;
		infix_advance(infix);
		node = read_expression(infix);
		infix_expect(infix, ")");
		return node;
	case TOKEN_END:
		break;
	}
	return infix_fail(infix, "a value");
}

/*
 * Make a value signed: ROCm's tools compute with doubles, so values below zero
 * must not wrap.
 */
static node_index
with_sign(const struct infix *infix, node_index node)
{
	if (infix->source->language != EXPRESSION_ROCM)
		return node;
	return tree_convert(infix->tree, node, DRMPERF_TYPE_DOUBLE);
}

static node_index
read_unary(struct infix *infix)
{
	struct tree *tree = infix->tree;
	node_index node;
	char sign = *infix->token.text;

	if (infix->token.kind != TOKEN_SIGN || infix->token.length != 1 ||
	    !strchr("-+~!", sign))
		return read_primary(infix);
	if (!infix_enter(infix))
		return NODE_NONE;
	infix_advance(infix);
	node = read_unary(infix);
	infix_leave(infix);
	switch (sign) {
	case '-':
		return tree_negate(tree, with_sign(infix, node));
	case '~':
		return tree_complement(tree, node);
	case '!':
		return tree_not(tree, node);
	}
	return node;
}

/*
 * Return the position in operators[] of the sign that is the token; -1: none.
 */
static int
find_operator(const struct infix *infix)
{
	const struct token *token = &infix->token;
	size_t i;

	if (token->kind != TOKEN_SIGN)
		return -1;
	for (i = 0; i < ARRAY_SIZE(operators); i++)
		if (*operators[i].sign == *token->text &&
		    is_sign(infix, operators[i].sign))
			return (int)i;
	return -1;
}

/* Read operators of at least this rank. */
static node_index
read_binary(struct infix *infix, unsigned rank)
{
	node_index left = read_unary(infix), right;
	int i;

	while (!infix->tree->err && (i = find_operator(infix)) >= 0 &&
	       operators[i].rank >= rank) {
		infix_advance(infix);
		right = read_binary(infix, operators[i].rank + 1);
		if (operators[i].binary == BINARY_SUB)
			left = with_sign(infix, left);
		left = tree_binary(infix->tree, operators[i].binary, left,
				   right);
	}
	return left;
}

static node_index
read_expression(struct infix *infix)
{
	node_index node, a, b;

	if (!infix_enter(infix))
		return NODE_NONE;
	node = read_binary(infix, 0);
	if (is_sign(infix, "?")) {
		infix_advance(infix);
		a = read_expression(infix);
		infix_expect(infix, ":");
		b = read_expression(infix);
		node = tree_select(infix->tree, node, a, b);
	}
	infix_leave(infix);
	return node;
}

node_index
infix_read(struct tree *tree, const struct expr_source *source)
{
	struct infix infix = {
		.tree = tree,
		.source = source,
		.at = source->text,
	};
	node_index node;

	infix_advance(&infix);
	node = read_expression(&infix);
	if (!tree->err && infix.token.kind != TOKEN_END)
		return infix_fail(&infix, "an operator");
	return node;
}
