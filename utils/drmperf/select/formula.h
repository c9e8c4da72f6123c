/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formulas of events as other programs read them.
 */
#ifndef DRMPERF_TOOL_SELECT_FORMULA_H
#define DRMPERF_TOOL_SELECT_FORMULA_H

#include "util/tool.h"

enum dialect {
	DIALECT_PLAIN,	  /* as in C, with the names of drmperf */
	DIALECT_PAPI,	  /* the same, with those of PAPI */
	DIALECT_PARAPROF, /* + - * / and "METRIC" */
	DIALECT_CUBE,	  /* CubePL: metric::NAME() */
	/*
	 * For people who know the GPU: names without driver and device, and no
	 * more than three operands of a minimum or maximum over instances.
	 */
	DIALECT_SHORT,
};

/*
 * Return a formula as text, for free(). NULL: the dialect has no words for what
 * is computed, or there is no memory.
 */
char *
formula_text(const struct tool *tool, const struct drmperf_formula *formula,
	     enum dialect dialect);

/* Write a name without "DRIVER::" and ":device=N", as snprintf() does. */
int
formula_write_short_name(const char *name, char *text, size_t size);

/* Return steps as text, for free(), or NULL. */
char *
formula_steps_text(const struct drmperf_step *steps, size_t count,
		   const struct drmperf_formula_style *style);

#endif /* DRMPERF_TOOL_SELECT_FORMULA_H */
