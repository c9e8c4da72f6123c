/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/claims/drawn.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define QUADS 7u
#define PIXELS (UINT64_C(1) * QUADS * SELFTEST_QUAD_SIDE * SELFTEST_QUAD_SIDE)

void
drawn_expect(const char *event, char out[DRAWN_TEXT_SIZE])
{
	snprintf(out, DRAWN_TEXT_SIZE, "%s at %" PRIu64 ", %u x 2^20", event,
		 PIXELS, QUADS);
}

const char *
drawn_step(const struct selftest_host *host, enum selftest_draw step)
{
	switch (host->draw(host->data, step, QUADS)) {
	case 0:
		return NULL;
	case -EILSEQ:
		return "the picture is not there: the driver has drawn nothing";
	case -ENOSYS:
		return "this drmperf was built without the headers of EGL";
	case -ENOENT:
		return "libEGL.so.1 or libGLESv2.so.2 is not installed";
	case -ENODEV:
		return "EGL does not offer this GPU";
	case -ENOTSUP:
		return "OpenGL ES does not draw without a window here";
	default:
		return "the process that draws has failed";
	}
}

enum selftest_verdict
drawn_judge(const struct selftest_host *host, uint64_t quiet, uint64_t counted,
	    char seen[DRAWN_TEXT_SIZE])
{
	const char *why = drawn_step(host, SELFTEST_DRAW_CHECK);

	if (quiet)
		why = "somebody else draws on the GPU";
	if (why) {
		snprintf(seen, DRAWN_TEXT_SIZE, "%s", why);
		return SELFTEST_UNKNOWN;
	}
	snprintf(seen, DRAWN_TEXT_SIZE, "%" PRIu64, counted);
	return counted == PIXELS ? SELFTEST_PASS : SELFTEST_FAIL;
}
