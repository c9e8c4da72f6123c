/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces of waves that are off until they have been tested. */
#ifndef DRMPERF_SELFTEST_AMDGPU_TRACED_H
#define DRMPERF_SELFTEST_AMDGPU_TRACED_H

#include <stdbool.h>
#include <stdint.h>

#include "selftest/amdgpu/harness.h"

struct traced_waves {
	bool is_of_all; /* programs */
	uint64_t starts, ends;
	bool is_full; /* the buffer of an engine */
	bool is_cut; /* an engine has not written all that it had */
};

/* Return what a trace with them says, and a remark for behind their numbers. */
enum selftest_verdict
traced_verdict(const struct traced_waves *waves, const char **remark);

/* Return whether those of the GPU's generation are. */
bool
traced_is_hidden(const struct core *core);

/* Return whether there is a bit for the waves of all programs, always off. */
bool
traced_has_all(const struct core *core);

/*
 * Launch waves on the ring of graphics, in this process or for a trace of all
 * programs in another one, and compare what begins and ends in the trace with
 * them. Returns 0, or -errno to end the stage.
 */
int
traced_try(struct harness *harness, const char *check, bool is_of_all);

#endif /* DRMPERF_SELFTEST_AMDGPU_TRACED_H */
