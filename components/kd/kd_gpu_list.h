/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The counters of GPUs: under the names that KD_KHR_perfcounter recommends
 * where an event of libdrmperf counts the same, and every event by its own
 * name.
 */
#ifndef KD_GPU_LIST_H
#define KD_GPU_LIST_H

#include "kd_gpus.h"

/*
 * Open the GPUs, and put their counters at the end of the list; a GPU that
 * cannot be used is reported. Returns 0, or -ENOMEM and the like, which do not
 * concern a GPU.
 */
int kd_gpu_list(struct kd_gpus *gpus, struct kd_list *list,
		struct drmperf_error *error);

#endif /* KD_GPU_LIST_H */
