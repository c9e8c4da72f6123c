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

/* Return whether the dialect has words for what is computed. */
bool
formula_can_be_said(const struct drmperf_formula *formula,
		    enum dialect dialect);

/* Write the formula to out as an expression, without end of line. */
void
formula_print(const struct tool *tool, FILE *out,
	      const struct drmperf_formula *formula, enum dialect dialect);

/*
 * Write steps to out as an expression in DIALECT_SHORT. The function is called
 * for each part of it, to write its name.
 */
void
formula_print_steps(FILE *out, const struct drmperf_step *steps, size_t count,
		    void (*print_part)(FILE *out, const void *data,
				       unsigned part),
		    const void *data);

#endif /* DRMPERF_TOOL_SELECT_FORMULA_H */
