/* SPDX-License-Identifier: BSD-3-Clause */
/* The file gpu_metrics of sysfs. */
#ifndef DRMSIM_AMDGPU_METRICS_FILE_H
#define DRMSIM_AMDGPU_METRICS_FILE_H

struct amdgpu;

/* Write the file, or remove it where the chip has none. */
void metrics_file_show(const struct amdgpu *amdgpu);

#endif /* DRMSIM_AMDGPU_METRICS_FILE_H */
