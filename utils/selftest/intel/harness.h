/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An Intel GPU under test, counted as users count it: by drmperf.h. Each stream
 * is announced before it is opened, and the results are reported as checks.
 */
#ifndef DRMPERF_SELFTEST_INTEL_HARNESS_H
#define DRMPERF_SELFTEST_INTEL_HARNESS_H

#include <drmperf.h>

#include "selftest/checks/check.h"
#include "selftest/checks/clock.h"

#define OA_NAME_SIZE 96

struct oa_harness {
	const struct selftest_gpu *gpu;
	struct selftest_memory *memory;
	const struct selftest_host *host;
	struct drmperf_error *error; /* why the stage ends */
	struct drmperf *drmperf;
	struct drmperf_device *device;
	char sysfs[64]; /* folder of the PCI device */
	unsigned announced;
};

/* A check before it is decided. */
struct oa_check {
	const char *name, *expected;
};

void
oa_decide(const struct oa_harness *harness, const struct oa_check *check,
	  enum selftest_verdict verdict, const char *seen, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * All that follows returns 0; 1 if the check has been decided, since what it
 * asks for cannot be had; or -errno, which ends the stage.
 */
int
oa_announce(struct oa_harness *harness, const struct oa_check *check,
	    const char *what);

/*
 * Count events, named without driver and device, "oa.GpuTime", from the return
 * on.
 */
int
oa_count(struct oa_harness *harness, const struct oa_check *check,
	 const char *const *names, size_t count, struct drmperf_session **out);

/* Return whether there is an event of that name. */
bool
oa_has(const struct oa_harness *harness, const char *name);

/* Start a session without announcing it: 0, or the cause of the failure. */
int
oa_try(const struct oa_harness *harness, const char *const *names, size_t count,
       struct drmperf_session **out, struct drmperf_error *error);

/* A session's first value is time; what has been read of it, and when. */
#define OA_LOOK_VALUES 2
struct oa_look {
	union drmperf_value values[OA_LOOK_VALUES];
	struct clock_moments moments;
	uint64_t sample_ns;
};

/* Read fenced all values of a session that has no more than that. */
int
oa_look(struct oa_harness *harness, const struct oa_check *check,
	struct drmperf_session *session, struct oa_look *out);
int
oa_read(struct oa_harness *harness, const struct oa_check *check,
	struct drmperf_session *session, union drmperf_value *values);

/* Read until the clocks since the first reading can be compared. */
int
oa_watch(struct oa_harness *harness, const struct oa_check *check,
	 struct drmperf_session *session, const struct oa_look *first,
	 struct oa_look *last);
void
oa_decide_time(const struct oa_harness *harness, const struct oa_check *check,
	       const struct oa_look *first, const struct oa_look *last);

/*
 * Read a sensor of the main GT, "act-freq", as of now. Returns false if there
 * is none, or it has no value.
 */
bool
oa_sensor(const struct oa_harness *harness, const char *name, uint64_t *out);

void
oa_wait(uint64_t ns);

/*
 * Decide the check by a session's error ret. Returns 1, or ret if it is
 * -ECANCELED, -ETIME or -ENODEV.
 */
int
oa_refuse(const struct oa_harness *harness, const struct oa_check *check,
	  int ret, const struct drmperf_error *error);

#endif /* DRMPERF_SELFTEST_INTEL_HARNESS_H */
