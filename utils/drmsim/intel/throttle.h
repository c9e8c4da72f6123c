/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why a GT is slower than what is asked for. [Linux 7.0 intel_gt_sysfs_pm.c,
 * xe_gt_throttle.c]
 */
#ifndef DRMSIM_INTEL_THROTTLE_H
#define DRMSIM_INTEL_THROTTLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Graphics versions that have the register, times 100. */
#define SIM_THROTTLE_VERSION 1100

/* Which reasons there are. */
enum sim_throttle_set {
	SIM_THROTTLE_USUAL,
	SIM_THROTTLE_CRESCENT_ISLAND,
};

/*
 * Parse "pl1 thermal", "none": what the bits of the register are. 0 or -EINVAL.
 */
int sim_throttle_parse(const char *value, uint32_t *out);

/* Call put for each file: "status" or a reason, and whether it is so. */
void sim_throttle_files(uint32_t bits, enum sim_throttle_set set,
			void (*put)(void *data, const char *name, bool is_so),
			void *data);

/* Write the reasons with a blank between, or "none", to text. */
void sim_throttle_text(uint32_t bits, enum sim_throttle_set set, char *text,
		       size_t size);

#endif /* DRMSIM_INTEL_THROTTLE_H */
