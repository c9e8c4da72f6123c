/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reader of infix expressions: ours, and ROCm's.
 */
#ifndef DRMPERF_LIB_EXPR_INFIX_H
#define DRMPERF_LIB_EXPR_INFIX_H

#include "expr/tree.h"

/* Implement tree.read: return the value of the source, of whatever type. */
node_index infix_read(struct tree *tree, const struct expr_source *source);

#endif /* DRMPERF_LIB_EXPR_INFIX_H */
