/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/selftest/quads.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "driver/amdgpu/selftest/counted.h"

#define CLAIM "quads.pixels"
#define QUADS 7u
#define PIXELS (UINT64_C(1) * QUADS * SELFTEST_QUAD_SIDE * SELFTEST_QUAD_SIDE)
#define QUIET_NS UINT64_C(20000000)

struct quads {
	struct bench *bench;
	struct counted counted;
	char expected[64];
};

static int
claim_unknown(const struct quads *quads, const char *why)
{
	bench_claim(quads->bench, SELFTEST_UNKNOWN, CLAIM, quads->expected,
		    "%s", why);
	return 0;
}

static const char *
tell_trouble(int ret)
{
	switch (ret) {
	case -ENOSYS:
		return "this drmperf was built without the headers of EGL";
	case -ENOENT:
		return "libEGL.so.1 or libGLESv2.so.2 is not installed";
	case -ENODEV:
		return "EGL does not offer this GPU";
	case -ENOTSUP:
		return "OpenGL ES does not draw without a window here";
	}
	return "the process that draws has failed";
}

static int
draw(const struct quads *quads, enum selftest_draw step)
{
	const struct selftest_host *host = quads->bench->host;

	return host->draw(host->data, step, QUADS);
}

static int
fail(struct quads *quads)
{
	bool reset = counted_was_reset(&quads->counted);
	const char *cause =
		reset ? "the GPU was reset" : quads->counted.error.cause;

	claim_unknown(quads, cause);
	return reset ? error_set(quads->bench->error, -ECANCELED, "%s", cause)
		     : 0;
}

/* The picture tells whether anything was drawn that there is to be counted. */
static int
judge(const struct quads *quads, uint64_t quiet, uint64_t counted)
{
	int ret = draw(quads, SELFTEST_DRAW_CHECK);

	if (quiet)
		return claim_unknown(quads, "somebody else draws on the GPU");
	if (ret)
		return claim_unknown(
			quads, ret == -EILSEQ ? "the picture is not there: the "
						"driver has drawn nothing"
					      : tell_trouble(ret));
	bench_claim(quads->bench,
		    counted == PIXELS ? SELFTEST_PASS : SELFTEST_FAIL, CLAIM,
		    quads->expected, "%" PRIu64, counted);
	return 0;
}

static int
count(struct quads *quads)
{
	struct counted *counted = &quads->counted;
	uint64_t first, before;
	int ret;

	if (counted_start(counted) || counted_sample(counted))
		return fail(quads);
	first = counted_sum(counted, 0);
	bench_wait(QUIET_NS);
	if (counted_sample(counted))
		return fail(quads);
	before = counted_sum(counted, 0);
	ret = draw(quads, SELFTEST_DRAW_QUADS);
	if (counted_sample(counted))
		return fail(quads);
	if (ret)
		return claim_unknown(quads, tell_trouble(ret));
	return judge(quads, before - first, counted_sum(counted, 0) - before);
}

int
quads_try(struct bench *bench)
{
	struct quads quads = { .bench = bench };
	int ret;

	if (!channel_info(bench->channel)->has_ring[PM4_ENGINE_GFX])
		return 0;
	snprintf(quads.expected, sizeof(quads.expected),
		 "CB.DRAWN_PIXEL at %" PRIu64 ", %u x 2^20", PIXELS, QUADS);
	counted_init(&quads.counted, bench);
	if (counted_add(&quads.counted, "CB", "DRAWN_PIXEL"))
		return claim_unknown(&quads, "the table has no such event");
	ret = bench_announce(bench, CLAIM, quads.expected,
			     "quads drawn by another process");
	if (ret)
		return ret;
	ret = draw(&quads, SELFTEST_DRAW_BEGIN);
	ret = ret ? claim_unknown(&quads, tell_trouble(ret)) : count(&quads);
	counted_finish(&quads.counted);
	return ret;
}
