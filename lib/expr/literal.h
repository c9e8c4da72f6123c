/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers in expressions, which both languages write alike.
 */
#ifndef DRMPERF_LIB_EXPR_LITERAL_H
#define DRMPERF_LIB_EXPR_LITERAL_H

#include <stddef.h>

#include "expr/source.h"

/*
 * A literal at text: decimal or 0x integer, or, with a point or an exponent, a
 * double. Returns its length, 0 if there is none of that form.
 */
size_t expr_literal(const char *text, struct expr_symbol *out);

#endif /* DRMPERF_LIB_EXPR_LITERAL_H */
