/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The value of one program; those of many at once: expr/batch.h.
 */
#ifndef DRMPERF_LIB_EXPR_EVAL_H
#define DRMPERF_LIB_EXPR_EVAL_H

#include "expr/program.h"

/*
 * Return the value, of the type of the source. inputs is indexed by the
 * resolver's numbers; it may be NULL for a program without counters. Never
 * allocates, never fails.
 */
union drmperf_value expr_eval(const struct expr_program *program,
			      const struct expr_input *inputs);

#endif /* DRMPERF_LIB_EXPR_EVAL_H */
