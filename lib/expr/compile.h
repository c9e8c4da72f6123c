/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions are compiled once and evaluated often.
 */
#ifndef DRMPERF_LIB_EXPR_COMPILE_H
#define DRMPERF_LIB_EXPR_COMPILE_H

#include "base/arena.h"
#include "expr/program.h"
#include "expr/source.h"

/*
 * Compile. The program lives in the arena and holds nothing of source.
 *
 * Returns 0; -EBADMSG with file, line and position in the text if it is not
 * an expression; -ELOOP if a metric uses itself; -E2BIG if it is too long or
 * nested too deeply; -ENOMEM; the errors of the resolver.
 */
int expr_compile(const struct expr_source *source,
		 const struct expr_resolver *resolver, struct arena *arena,
		 const struct expr_program **out, struct drmperf_error *error);

#endif /* DRMPERF_LIB_EXPR_COMPILE_H */
