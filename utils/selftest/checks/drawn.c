/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/checks/drawn.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define QUADS 7u
#define PIXELS (UINT64_C(1) * QUADS * SELFTEST_QUAD_SIDE * SELFTEST_QUAD_SIDE)
#define GROUPS 10007u

struct drawn {
	const char *check;
	struct selftest_drawing drawing;
	uint64_t counted;
	const char *which;
	/* why nothing can be told: -EILSEQ, -ENOTSUP, and others do it, too */
	const char *nothing, *no_way, *others;
};

const struct drawn drawn_quads = {
	.check = "quads.pixels",
	.drawing = { SELFTEST_QUADS, QUADS },
	.counted = PIXELS,
	.which = "7 x 2^20",
	.nothing = "the picture is not there: the driver has drawn nothing",
	.no_way = "OpenGL ES does not draw without a window here",
	.others = "another process draws on the GPU",
};

const struct drawn drawn_groups = {
	.check = "groups.started",
	.drawing = { SELFTEST_GROUPS, GROUPS },
	.counted = GROUPS,
	.which = "groups of 8 invocations",
	.nothing = "the results are not there: the driver has computed nothing",
	.no_way = "OpenGL ES 3.1 does not compute without a window here",
	.others = "another process computes on the GPU",
};

const char *
drawn_check(const struct drawn *drawn)
{
	return drawn->check;
}

void
drawn_expect(const struct drawn *drawn, const char *event,
	     char out[DRAWN_TEXT_SIZE])
{
	snprintf(out, DRAWN_TEXT_SIZE, "%s at %" PRIu64 ", %s", event,
		 drawn->counted, drawn->which);
}

const char *
drawn_why_not(const struct drawn *drawn, int ret)
{
	switch (ret) {
	case 0:
		return NULL;
	case -EILSEQ:
		return drawn->nothing;
	case -ENOSYS:
		return "this drmperf was built without the headers of EGL";
	case -ENOENT:
		return "libEGL.so.1 or libGLESv2.so.2 is not installed";
	case -ENODEV:
		return "EGL does not offer this GPU";
	case -ENOTSUP:
		return drawn->no_way;
	default:
		return "the process that draws has failed";
	}
}

const char *
drawn_step(const struct drawn *drawn, const struct selftest_host *host,
	   enum selftest_draw step)
{
	return drawn_why_not(drawn,
			     host->draw(host->data, &drawn->drawing, step));
}

enum selftest_verdict
drawn_judge(const struct drawn *drawn, const struct selftest_host *host,
	    uint64_t quiet, uint64_t counted, char seen[DRAWN_TEXT_SIZE])
{
	const char *why = drawn_step(drawn, host, SELFTEST_DRAW_CHECK);

	if (quiet)
		why = drawn->others;
	if (why) {
		snprintf(seen, DRAWN_TEXT_SIZE, "%s", why);
		return SELFTEST_UNKNOWN;
	}
	snprintf(seen, DRAWN_TEXT_SIZE, "%" PRIu64, counted);
	return counted == drawn->counted ? SELFTEST_PASS : SELFTEST_FAIL;
}
