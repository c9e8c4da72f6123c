/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The counters of processors, memory, files and processes, under the names that
 * KD_KHR_perfcounter recommends.
 */
#ifndef KD_FIGURES_H
#define KD_FIGURES_H

#include "kd_list.h"
#include "kd_quotient.h"

/*
 * Add those counters that this kernel has figures for to the end of the list,
 * and report parts that it has not. Returns 0, or -ENOMEM.
 */
int kd_figures_list(struct kd_system *system, struct kd_list *list);

/*
 * Return the parts to read for it, as kd_system_read() takes them; 0 if it is a
 * GPU's.
 */
unsigned kd_figures_parts(const struct kd_counter *counter);

/* Begin counting from a sample. */
void kd_figures_begin(const struct kd_counter *counter,
		      const struct kd_system_sample *sample,
		      struct kd_quotient *quotient);

KDint64 kd_figures_value(const struct kd_counter *counter,
			 const struct kd_system_sample *sample,
			 struct kd_quotient *quotient);

#endif /* KD_FIGURES_H */
