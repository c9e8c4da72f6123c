/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instances as ROCm counts them: those of one shader engine. Of blocks that
 * each engine has, an instance is the one in each engine, added up.
 */
#ifndef ROC_INSTANCES_H
#define ROC_INSTANCES_H

#include <drmperf.h>

struct roc_instances {
	unsigned count;
	unsigned ours; /* of the group */
	unsigned *belongs; /* which of count each of these is of */
};

/*
 * Make the list of instances; *out is released with roc_instances_free(). 0;
 * -ENOMEM.
 */
int roc_instances_make(const struct drmperf_group *group,
		       struct roc_instances *out);

void roc_instances_free(struct roc_instances *instances);

#endif /* ROC_INSTANCES_H */
