/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formulas of metrics: as text, and as values computed from those of the parts.
 */
#ifndef ROC_FORMULA_H
#define ROC_FORMULA_H

#include <drmperf.h>

/* Room for the name of an event, or of one of its instances. */
#define ROC_NAME_SIZE 256

/* Write "TCC_HIT", "TCC_HIT[3]": the instance is ours. */
void roc_selection_name(const struct drmperf_selection *selection, char *text,
			size_t size);

/*
 * Write the formula of an event as AMD's files have it. *out, for free(), is
 * NULL if there is none, or none that does not name the event itself. Returns
 * 0, or -ENOMEM.
 */
int
roc_formula_text(struct drmperf *drmperf, const struct drmperf_event *event,
		 char **out);

/* Compute a formula; NaN: a quotient that divides by 0. -ENOMEM. */
int roc_formula_value(const struct drmperf_formula *formula,
		      const double *parts, double *out);

#endif /* ROC_FORMULA_H */
