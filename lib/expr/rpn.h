/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reader of Intel's reverse Polish notation.
 */
#ifndef DRMPERF_LIB_EXPR_RPN_H
#define DRMPERF_LIB_EXPR_RPN_H

#include "expr/tree.h"

/* Implement tree.read: return the value of the source, of whatever type. */
node_index rpn_read(struct tree *tree, const struct expr_source *source);

#endif /* DRMPERF_LIB_EXPR_RPN_H */
