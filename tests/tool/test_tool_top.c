/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What top takes from texts of fdinfo, and what its keys do.
 */
#include <stdio.h>
#include <string.h>

#include "drmperf/top/fdinfo.h"
#include "drmperf/top/roles.h"
#include "drmperf/top/view.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

TEST_CASE(all, NULL, NULL, "tool_top");

TEST(all, text_of_amdgpu)
{
	struct top_fdinfo info;

	ck_assert(top_fdinfo_read("pos:\t0\nflags:\t02\ndrm-driver:\tamdgpu\n"
				  "drm-client-id:\t7\ndrm-pdev:\t0000:03:00.0\n"
				  "drm-memory-vram:\t3 KiB\n"
				  "drm-memory-gtt: \t2 MiB\n"
				  "drm-engine-gfx:\t1234 ns\n"
				  "drm-engine-compute:\t5 ns\n",
				  &info));
	ck_assert_str_eq(info.address, "0000:03:00.0");
	ck_assert_uint_eq(info.id, 7);
	ck_assert_uint_eq(info.memory_bytes, 3072 + 2097152);
	ck_assert_uint_eq(info.resident_bytes, 0);
	ck_assert_uint_eq(info.use_count, 2);
	ck_assert_str_eq(info.uses[0].name, "gfx");
	ck_assert_uint_eq(info.uses[0].used_ns, 1234);
	ck_assert_uint_eq(info.uses[1].used_ns, 5);
}

TEST(all, text_of_xe)
{
	struct top_fdinfo info;

	ck_assert(top_fdinfo_read("drm-client-id:\t0\ndrm-pdev:\t0000:00:02.0\n"
				  "drm-total-vram0:\t9\n"
				  "drm-resident-vram0:\t4096\n"
				  "drm-resident-gtt:\t1\n"
				  "drm-cycles-vcs:\t25\n"
				  "drm-total-cycles-vcs:\t100\n"
				  "drm-engine-capacity-vcs:\t2",
				  &info));
	ck_assert_uint_eq(info.resident_bytes, 4097);
	ck_assert_uint_eq(info.use_count, 1);
	ck_assert_str_eq(info.uses[0].name, "vcs");
	ck_assert_uint_eq(info.uses[0].cycles, 25);
	ck_assert_uint_eq(info.uses[0].total_cycles, 100);
	ck_assert_uint_eq(info.uses[0].capacity, 2);
	ck_assert_uint_eq(info.uses[0].used_ns, 0);
}

/* What is no client's, and what no driver writes. */
static const char *const strange[] = {
	"",
	"\n\n",
	"pos:\t0\nflags:\t02\n",
	"drm-client-id:\t1\n",
	"drm-pdev:\t0000:03:00.0\n",
	"drm-client-id:\tx\ndrm-pdev:\t0000:03:00.0\n",
	"drm-client-id 1\ndrm-pdev 0000:03:00.0\n",
};

TEST_LOOP(all, text_of_no_client, ARRAY_SIZE(strange))
{
	struct top_fdinfo info;

	ck_assert(!top_fdinfo_read(strange[_i], &info));
}

TEST(all, more_engines_than_there_is_room_for)
{
	char text[4096] = "drm-client-id:1\ndrm-pdev:a\n", line[128];
	struct top_fdinfo info;

	for (int i = 0; i < 2 * TOP_ENGINES; i++) {
		snprintf(line, sizeof(line), "drm-engine-e%d:\t1 ns\n", i);
		strcat(text, line);
	}
	strcat(text, "drm-engine-of-a-name-that-is-far-too-long:\t1 ns\n");
	ck_assert(top_fdinfo_read(text, &info));
	ck_assert_uint_eq(info.use_count, TOP_ENGINES);
}

/* ------------------------------------------------------------------ */

#define LINES 30
#define HEIGHT 10

static const struct {
	const int keys[8];
	struct top_view view;
} presses[] = {
	{ { 'q' }, { .device = -1, .quit = true } },
	{ { 'h' }, { .device = -1, .help = true } },
	{ { 'h', '?' }, { .device = -1 } },
	{ { 'p' }, { .device = -1, .paused = true } },
	{ { ' ', 'p' }, { .device = -1 } },
	{ { 's', 's' }, { .device = -1, .sort = TOP_SORT_PID } },
	{ { 's', 's', 's', 's' }, { .device = -1, .sort = TOP_SORT_GPU } },
	{ { 's', 's', 's', 's', 's' },
	  { .device = -1, .sort = TOP_SORT_BUSY } },
	{ { 'M' }, { .device = -1, .sort = TOP_SORT_MEMORY } },
	{ { 'P' }, { .device = -1, .sort = TOP_SORT_PID } },
	{ { 'C' }, { .device = -1, .sort = TOP_SORT_COMMAND } },
	{ { 'G' }, { .device = -1, .sort = TOP_SORT_GPU } },
	{ { 'G', 'B' }, { .device = -1, .sort = TOP_SORT_BUSY } },
	{ { 'M', 'r' },
	  { .device = -1, .sort = TOP_SORT_MEMORY, .reversed = true } },
	{ { 'r', 'r' }, { .device = -1 } },
	/* another column begins in its usual order */
	{ { 'r', 'M' }, { .device = -1, .sort = TOP_SORT_MEMORY } },
	{ { 'r', 's' }, { .device = -1, .sort = TOP_SORT_MEMORY } },
	{ { 'i' }, { .device = -1, .idle = true } },
	{ { 'c' }, { .device = -1, .detail = TOP_DETAIL_LINE } },
	{ { TOP_KEY_END, 'c', 'c' },
	  { .device = -1, .detail = TOP_DETAIL_ALL } },
	{ { 'c', 'c', 'c' }, { .device = -1 } },
	{ { '1' }, { .device = 1 } },
	{ { '1', 'a' }, { .device = -1 } },
	/* there is no such GPU */
	{ { '3' }, { .device = -1 } },
	{ { TOP_KEY_RIGHT, TOP_KEY_RIGHT }, { .device = 1 } },
	{ { TOP_KEY_LEFT }, { .device = 2 } },
	{ { TOP_KEY_LEFT, TOP_KEY_RIGHT }, { .device = -1 } },
	{ { TOP_KEY_DOWN, 'j', TOP_KEY_UP }, { .device = -1, .scroll = 1 } },
	{ { TOP_KEY_UP, 'k' }, { .device = -1 } },
	{ { TOP_KEY_PAGE_DOWN }, { .device = -1, .scroll = HEIGHT } },
	{ { TOP_KEY_END, 'j' }, { .device = -1, .scroll = LINES - HEIGHT } },
	{ { TOP_KEY_END, TOP_KEY_HOME }, { .device = -1 } },
	/* another GPU is looked at from its first line on */
	{ { TOP_KEY_END, '0' }, { .device = 0 } },
};

TEST_LOOP(all, keys_change_what_is_shown, ARRAY_SIZE(presses))
{
	struct top_view view = { .device = TOP_ALL_DEVICES, .device_count = 3 };
	const struct top_view *expected = &presses[_i].view;

	for (const int *key = presses[_i].keys; *key; key++)
		top_view_key(&view, *key, LINES, HEIGHT);
	ck_assert_int_eq(view.device, expected->device);
	ck_assert_int_eq(view.sort, expected->sort);
	ck_assert_int_eq(view.reversed, expected->reversed);
	ck_assert_int_eq(view.detail, expected->detail);
	ck_assert_int_eq(view.idle, expected->idle);
	ck_assert_int_eq(view.paused, expected->paused);
	ck_assert_int_eq(view.help, expected->help);
	ck_assert_int_eq(view.quit, expected->quit);
	ck_assert_uint_eq(view.scroll, expected->scroll);
}

TEST(all, keys_that_mean_nothing)
{
	struct top_view view = { .device = TOP_ALL_DEVICES, .device_count = 1 };

	ck_assert(!top_view_key(&view, 'x', LINES, HEIGHT));
	ck_assert(!top_view_key(&view, 0, LINES, HEIGHT));
	ck_assert(!top_view_key(&view, -1, LINES, HEIGHT));
}

static const struct {
	struct top_use before, now;
	double passed_ns, share;
} uses[] = {
	{ { .used_ns = 100 }, { .used_ns = 350 }, 1000, 0.25 },
	{ { .used_ns = 100 }, { .used_ns = 600, .capacity = 2 }, 1000, 0.25 },
	{ { .cycles = 5 }, { .cycles = 55, .total_cycles = 100 }, 1, 0.5 },
	/* a counter that went back */
	{ { .used_ns = 350 }, { .used_ns = 100 }, 1000, 0 },
	/* used up to a moment behind the look */
	{ { .used_ns = 0 }, { .used_ns = 1070 }, 1000, 1 },
	{ { .used_ns = 0 }, { .used_ns = 2100, .capacity = 2 }, 1000, 1 },
	{ { .cycles = 0 }, { .cycles = 102, .total_cycles = 100 }, 1, 1 },
	{ { .used_ns = 0 }, { .used_ns = 5 }, 0, 0 },
};

TEST_LOOP(all, shares_of_engines, ARRAY_SIZE(uses))
{
	ck_assert_double_eq_tol(top_use_share(&uses[_i].now, &uses[_i].before,
					      uses[_i].passed_ns),
				uses[_i].share, 1e-9);
}

static const struct {
	const char *kernel, *shown;
} engines[] = {
	/* as PMU events have them */
	{ "rcs0", "Render 0" },
	{ "bcs0", "Copy 0" },
	{ "ccs3", "Compute 3" },
	{ "vcs12", "Video 12" },
	{ "vecs1", "Enhance 1" },
	{ "rcs0-gt1", "rcs0-gt1" },
	/* as fdinfo has them */
	{ "rcs", "Render" },
	{ "render", "Render" },
	{ "video-enhance", "Enhance" },
	{ "compute", "Compute" },
	{ "gfx", "Graphics" },
	{ "dma", "Copy" },
	{ "enc", "Encode" },
	{ "enc_1", "Encode 1" },
	/* as nothing known has them */
	{ "gpu", "gpu" },
	{ "", "" },
	{ "7", "7" },
};

TEST_LOOP(all, names_of_engines, ARRAY_SIZE(engines))
{
	char text[TOP_ENGINE_NAME_SIZE];

	engine_name_print(engines[_i].kernel, text, sizeof(text));
	ck_assert_str_eq(text, engines[_i].shown);
}
