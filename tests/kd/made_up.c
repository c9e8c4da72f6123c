/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kd/made_up.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>

#include "kd_system.h"
#include "kd_common.h"

static _Atomic uint64_t now_ns = 1000000000;
static _Atomic int failure;
static _Atomic bool silence;

void
made_up_pass(uint64_t ns)
{
	now_ns += ns;
}

void
made_up_failure(int code)
{
	failure = code;
}

void
made_up_silence(bool is_silent)
{
	silence = is_silent;
}

uint64_t
__wrap_kd_now_ns(void);
uint64_t
__wrap_kd_now_ns(void)
{
	return now_ns;
}

int
__real_drmperf_session_read(struct drmperf_session *session,
			    union drmperf_value *values, int *statuses,
			    uint64_t *time_ns, struct drmperf_error *error);
int
__wrap_drmperf_session_read(struct drmperf_session *session,
			    union drmperf_value *values, int *statuses,
			    uint64_t *time_ns, struct drmperf_error *error);
int
__wrap_drmperf_session_read(struct drmperf_session *session,
			    union drmperf_value *values, int *statuses,
			    uint64_t *time_ns, struct drmperf_error *error)
{
	int rc = __real_drmperf_session_read(session, values, statuses, time_ns,
					     error);

	if (rc >= 0 && time_ns)
		*time_ns = now_ns;
	return rc;
}

static int
fail_with(struct drmperf_error *error, int code)
{
	snprintf(error->cause, sizeof(error->cause), "made up to fail");
	error->remedy[0] = '\0';
	return error->code = code;
}

int
__real_kd_system_read(struct kd_system *system, unsigned parts,
		      struct kd_system_sample *sample,
		      struct drmperf_error *error);
int
__wrap_kd_system_read(struct kd_system *system, unsigned parts,
		      struct kd_system_sample *sample,
		      struct drmperf_error *error);
int
__wrap_kd_system_read(struct kd_system *system, unsigned parts,
		      struct kd_system_sample *sample,
		      struct drmperf_error *error)
{
	const int code = silence ? -ENOENT : failure;

	return code ? fail_with(error, code)
		    : __real_kd_system_read(system, parts, sample, error);
}

int
__real_kd_system_create(struct kd_system **out);
int
__wrap_kd_system_create(struct kd_system **out);
int
__wrap_kd_system_create(struct kd_system **out)
{
	return failure ? failure : __real_kd_system_create(out);
}
