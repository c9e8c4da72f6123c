/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The readers of the two languages of expressions, and what they share.
 */
#ifndef DRMPERF_LIB_EXPR_READERS_H
#define DRMPERF_LIB_EXPR_READERS_H

#include <stddef.h>

#include "expr/source.h"
#include "expr/tree.h"

/*
 * Implement tree.read for infix expressions, ours and ROCm's: return the value
 * of the source, of whatever type.
 */
node_index
infix_read(struct tree *tree, const struct expr_source *source);

/*
 * Implement tree.read for Intel's reverse Polish notation: return the value of
 * the source, of whatever type.
 */
node_index
rpn_read(struct tree *tree, const struct expr_source *source);

/*
 * Read a literal at text, which both languages write alike: decimal or 0x
 * integer, or, with a point or an exponent, a double. Returns its length, 0 if
 * there is none of that form.
 */
size_t
expr_literal(const char *text, struct expr_symbol *out);

#endif /* DRMPERF_LIB_EXPR_READERS_H */
