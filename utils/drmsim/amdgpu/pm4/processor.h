/* SPDX-License-Identifier: BSD-3-Clause */
/* The command processor. */
#ifndef DRMSIM_AMDGPU_PM4_PROCESSOR_H
#define DRMSIM_AMDGPU_PM4_PROCESSOR_H

struct ring;

enum pm4_result {
	PM4_DONE,    /* the job's commands are through */
	PM4_BLOCKED, /* see blocked_until and blocked_since of the ring */
	PM4_HUNG,
};

/* Execute what the first job of the ring has left. */
enum pm4_result pm4_run(struct ring *ring);

#endif /* DRMSIM_AMDGPU_PM4_PROCESSOR_H */
