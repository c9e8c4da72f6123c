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
#include "tests/papi/harness.h"

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

	must_hold(!drmsim_set("rate", "SQ.4 1000"));
	must_be(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
	first = make_named_set(drm, COUNT);
	second = make_named_set(rocm, COUNT);
	must(PAPI_start(first));
	must(PAPI_start(second));
	must_hold(!drmsim_advance(10 * MS));
	must(PAPI_read(first, ours));
	must(PAPI_read(second, theirs));
	bad = compare_values("read", ours, theirs, 10 * rate);
	must(PAPI_reset(first));
	must(PAPI_reset(second));
	must_hold(!drmsim_advance(5 * MS));
	must(PAPI_stop(second, theirs));
	must(PAPI_stop(first, ours));
	bad |= compare_values("reset and stop", ours, theirs, 5 * rate);
	PAPI_shutdown();
	return bad;
}
