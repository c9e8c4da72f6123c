/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PAPI's component rocm over librocprofiler64, and drm over libdrmperf, count
 * the same in one run: an EventSet of each, in drmsim's virtual time.
 *
 * usage: papi_rocm WAVES    how many SQ counts in a millisecond
 */
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmsim/control.h"

#define MS UINT64_C(1000000)
#define COUNT 4

static const char *const drm[COUNT] = {
	"drm:::amdgpu::SQ.WAVES:device=0",
	"drm:::amdgpu::GRBM.COUNT:device=0",
	"drm:::amdgpu::metric.TCC_HIT_sum:device=0",
	"drm:::amdgpu::metric.TA_FLAT_READ_WAVEFRONTS_sum:device=0",
};
static const char *const rocm[COUNT] = {
	"rocm:::SQ_WAVES:device=0",
	"rocm:::GRBM_COUNT:device=0",
	"rocm:::TCC_HIT_sum:device=0",
	"rocm:::TA_FLAT_READ_WAVEFRONTS_sum:device=0",
};

static void
must_succeed(int rc, const char *what)
{
	if (rc == PAPI_OK)
		return;
	printf("not ok %s: %s\n", what, PAPI_strerror(rc));
	exit(1);
}

static int
make_set(const char *const *names)
{
	int set = PAPI_NULL;

	must_succeed(PAPI_create_eventset(&set), "PAPI_create_eventset");
	for (int i = 0; i < COUNT; i++)
		must_succeed(PAPI_add_named_event(set, names[i]), names[i]);
	return set;
}

static void
pass_ms(unsigned ms)
{
	if (drmsim_advance(ms * MS)) {
		printf("not ok time passes\n");
		exit(1);
	}
}

static int
compare_values(const char *when, const long long *ours, const long long *theirs,
	       long long waves)
{
	int bad = ours[0] != waves;

	for (int i = 0; i < COUNT; i++) {
		if (ours[i] == theirs[i] && ours[i] > 0)
			continue;
		bad = 1;
		printf("    | %s: %lld, %s: %lld\n", drm[i], ours[i], rocm[i],
		       theirs[i]);
	}
	printf("%s values of rocm are those of drm: %s\n",
	       bad ? "not ok" : "ok", when);
	return bad;
}

int
main(int argc, char **argv)
{
	const long long rate = argc > 1 ? atoll(argv[1]) : 0;
	long long ours[COUNT], theirs[COUNT];
	int first, second, bad;

	if (drmsim_set("rate", "SQ.4 1000") ||
	    PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) {
		printf("not ok PAPI begins\n");
		return 1;
	}
	first = make_set(drm);
	second = make_set(rocm);
	must_succeed(PAPI_start(first), "PAPI_start of drm");
	must_succeed(PAPI_start(second), "PAPI_start of rocm");
	pass_ms(10);
	must_succeed(PAPI_read(first, ours), "PAPI_read of drm");
	must_succeed(PAPI_read(second, theirs), "PAPI_read of rocm");
	bad = compare_values("read", ours, theirs, 10 * rate);
	must_succeed(PAPI_reset(first), "PAPI_reset of drm");
	must_succeed(PAPI_reset(second), "PAPI_reset of rocm");
	pass_ms(5);
	must_succeed(PAPI_stop(second, theirs), "PAPI_stop of rocm");
	must_succeed(PAPI_stop(first, ours), "PAPI_stop of drm");
	bad |= compare_values("reset and stop", ours, theirs, 5 * rate);
	PAPI_shutdown();
	return bad;
}
