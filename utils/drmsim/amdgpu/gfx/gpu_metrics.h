/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file gpu_metrics of sysfs: the table of the GPU's firmware, as the
 * kernel's header declares it. [Linux 7.0 kgd_pp_interface.h; for lists
 * smu_v13_0_6_ppt.h, smu_v15_0_8_ppt.h]
 */
#ifndef DRMSIM_AMDGPU_GFX_GPU_METRICS_H
#define DRMSIM_AMDGPU_GFX_GPU_METRICS_H

#include <stdbool.h>
#include <stdint.h>

struct sim_words;

/*
 * Fields in the order of their declaration: "BYTES:NAME*ITEMS"; what stands in
 * braces is there for each partition. Of lists "@ATTRIBUTE/UNIT" follows.
 */
struct gpu_metrics_layout {
	const char *name;
	uint8_t format, content;
	const char *fields;
};

/* Contents of the file, from a description or a scenario. */
struct gpu_metrics_settings {
	int version; /* index of a layout, less 1; so 0: there is no file */
	struct gpu_metrics_value {
		char name[40]; /* of the field, in lower case */
		unsigned partition, item;
		bool is_none; /* all bits are set */
		uint64_t value;
	} values[96];
	unsigned count;
};

/*
 * Set "VERSION", "none" for no file, or "FIELD[.ITEM] VALUE", a VALUE of "none"
 * being what the driver does not have; of partitions "FIELD.PARTITION.ITEM".
 * -EINVAL.
 */
int gpu_metrics_set(struct gpu_metrics_settings *settings,
		    const struct sim_words *words);

/* Return the layout; NULL: there is no file. */
const struct gpu_metrics_layout *
gpu_metrics_layout(const struct gpu_metrics_settings *settings);

#endif /* DRMSIM_AMDGPU_GFX_GPU_METRICS_H */
