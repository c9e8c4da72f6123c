/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of a Navi 21: their ring, their end, and what is in their way. */
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <xf86drm.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define NODE "/dev/dri/renderD128"

/* What the ring of 16 MiB has room for, of samples of two lines. */
#define RING_SAMPLES (((16u << 20) - 32) / 64)

/* Intervals are as short as can be: the ring is full in milliseconds. */
#define SHORTEST 32

static struct {
	uint64_t samples, sum, saturated, losses, backwards;
} got;

static void
create_library(void)
{
	memset(&got, 0, sizeof(got));
	scene_set("default", "zero");
	scene_set("rate", "CPF.24 1000000000");
	counting_begin();
}

TEST_CASE(amdgpu_streaming, create_library, counting_end_clean,
	  "amdgpu_streaming");

static int
try_to_stream(const char *name, uint64_t period, struct drmperf_stream **out)
{
	const struct drmperf_stream_options options = {
		.size = sizeof(options),
		.period_cycles = period,
	};
	const struct drmperf_selection selection = counting_find(name);

	return drmperf_stream_create(counting.drmperf, &selection, 1, &options,
				     out, &counting.error);
}

static struct drmperf_stream *
begin_stream(const char *name, uint64_t period)
{
	struct drmperf_stream *stream = NULL;

	ck_assert_msg(!try_to_stream(name, period, &stream), "%s",
		      counting.error.cause);
	return stream;
}

static void
add_batch(void *data, const struct drmperf_stream_batch *batch)
{
	(void)data;
	for (size_t i = 0; i < batch->count; i++)
		got.sum += batch->values[i].u64;
	got.samples += batch->count;
	got.saturated += batch->saturated;
	got.losses += batch->losses;
}

static void
read_stream(struct drmperf_stream *stream)
{
	counting_succeeded(
		drmperf_stream_read(stream, add_batch, NULL, &counting.error));
}

/* Counts for so long in steps, and behind them nothing for a moment. */
static void
count_ms(struct drmperf_stream *stream, unsigned steps, unsigned step_ms)
{
	for (unsigned i = 0; i < steps; i++) {
		scene_pass(step_ms * MS);
		if (stream)
			read_stream(stream);
	}
	scene_set("rate", "CPF.24 0");
	scene_pass(MS / 100);
}

/* ------------------------------------------------------------------ */
/* The ring                                                             */

TEST(amdgpu_streaming, a_ring_that_begins_again_loses_nothing)
{
	struct drmperf_stream *stream =
		begin_stream("amdgpu::CPF.CPF_STAT_BUSY", SHORTEST);

	ck_assert_uint_eq(drmperf_stream_info(stream)->sample_size, 64);
	count_ms(stream, 12, 1);
	read_stream(stream);
	ck_assert_uint_gt(got.samples, 2 * RING_SAMPLES);
	ck_assert_uint_eq(got.losses, 0);
	ck_assert_uint_eq(got.sum, 12000000);
	drmperf_stream_destroy(stream);
}

/* With a read before, and as the first one. */
TEST_LOOP(amdgpu_streaming, what_is_overwritten_is_reported, 2)
{
	struct drmperf_stream *stream =
		begin_stream("amdgpu::CPF.CPF_STAT_BUSY", SHORTEST);

	if (_i) {
		scene_pass(MS);
		read_stream(stream);
		ck_assert_uint_eq(got.losses, 0);
	}
	count_ms(NULL, 1, 12);
	read_stream(stream);
	ck_assert_uint_eq(got.losses, 1);
	ck_assert_uint_lt(got.sum, 12000000);
	drmperf_stream_destroy(stream);
}

/* Note where time goes back; with the first batch, let the GPU write on. */
static void
let_write_on(void *data, const struct drmperf_stream_batch *batch)
{
	uint64_t *last = data;

	if (!*last)
		scene_pass(13000);
	for (size_t i = 0; i < batch->count; i++) {
		got.backwards += batch->timestamps[i] < *last;
		*last = batch->timestamps[i];
	}
	add_batch(NULL, batch);
}

/*
 * The ring has room for 1000 samples. The GPU has written some 850 when the
 * read begins, and writes 740 more while it goes on.
 */
TEST(amdgpu_streaming,
     time_goes_on_where_the_ring_is_overwritten_while_it_is_read)
{
	const struct drmperf_stream_options options = {
		.size = sizeof(options),
		.period_cycles = SHORTEST,
		.buffer_size = 32 + 1000 * 64,
	};
	const struct drmperf_selection event =
		counting_find("amdgpu::CPF.CPF_STAT_BUSY");
	struct drmperf_stream *stream;
	uint64_t last = 0;

	counting_succeeded(drmperf_stream_create(counting.drmperf, &event, 1,
						 &options, &stream,
						 &counting.error));
	scene_pass(15000);
	for (int i = 0; i < 2; i++)
		counting_succeeded(drmperf_stream_read(stream, let_write_on,
						       &last, &counting.error));
	ck_assert_uint_eq(got.backwards, 0);
	ck_assert_uint_gt(got.samples, 256);
	ck_assert_uint_lt(got.samples, 900);
	ck_assert_uint_gt(got.losses, 0);
	drmperf_stream_destroy(stream);
}

/* A sample of CPF takes 64 bytes, behind 32 of the ring's header. */
TEST(amdgpu_streaming, a_ring_has_the_size_that_is_asked_for)
{
	const struct drmperf_stream_options options = {
		.size = sizeof(options),
		.period_cycles = SHORTEST,
		.buffer_size = 32 + 101 * 64,
		.clock = DRMPERF_CLOCK_PEAK,
	};
	const struct drmperf_selection event =
		counting_find("amdgpu::CPF.CPF_STAT_BUSY");
	struct drmperf_clocks clocks = { .size = sizeof(clocks) };
	struct drmperf_stream *stream;
	uint64_t size;

	counting_succeeded(drmperf_stream_create(counting.drmperf, &event, 1,
						 &options, &stream,
						 &counting.error));
	counting_succeeded(
		drmperf_device_clocks(drmperf_device_at(counting.drmperf, 0),
				      &clocks, &counting.error));
	ck_assert_int_eq(clocks.mode, DRMPERF_CLOCK_PEAK);
	scene_pass(MS);
	read_stream(stream);
	ck_assert_uint_le(got.samples, 101);
	scene_pass(MS);
	read_stream(stream);
	ck_assert_uint_eq(got.losses, 2);
	ck_assert_ptr_nonnull(drmperf_stream_ring(stream, &size));
	ck_assert_uint_eq(size, options.buffer_size);
	drmperf_stream_destroy(stream);
}

/* Three events of CPF have 16 bits: 65535 of them is what an interval holds. */
TEST(amdgpu_streaming, full_counters_are_reported)
{
	struct drmperf_selection selections[3];
	const struct drmperf_stream_options options = {
		.size = sizeof(options),
		.period_cycles = UINT16_MAX,
	};
	const char *const names[] = { "amdgpu::CPF.CPF_STAT_BUSY",
				      "amdgpu::CPF.ALWAYS_COUNT",
				      "amdgpu::CPF.CPF_STAT_IDLE" };
	struct drmperf_stream *stream;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		selections[i] = counting_find(names[i]);
	scene_set("rate", "CPF.24 3000000000");
	counting_succeeded(drmperf_stream_create(counting.drmperf, selections,
						 3, &options, &stream,
						 &counting.error));
	scene_pass(MS);
	read_stream(stream);
	ck_assert_uint_gt(got.samples, 10);
	ck_assert_uint_ge(got.saturated, got.samples);
	drmperf_stream_destroy(stream);
}

/* ------------------------------------------------------------------ */
/* The end                                                              */

TEST(amdgpu_streaming, streams_end_with_all_counting)
{
	struct drmperf_stream *stream =
		begin_stream("amdgpu::CPF.CPF_STAT_BUSY", 0), *second;

	scene_pass(MS);
	read_stream(stream);
	counting_succeeded(drmperf_stop_all(counting.drmperf, &counting.error));
	counting_failed(
		drmperf_stream_read(stream, add_batch, NULL, &counting.error),
		-ECANCELED, "drmperf_stop_all()", "");
	ck_assert_int_ge(drmperf_stream_fd(stream), 0);
	second = begin_stream("amdgpu::GL2C.REQ", 0);
	drmperf_stream_destroy(stream);
	counting_succeeded(drmperf_stop_all(counting.drmperf, &counting.error));
	ck_assert_int_eq(
		drmperf_stream_read(second, add_batch, NULL, &counting.error),
		-ECANCELED);
	drmperf_stream_destroy(second);
}

TEST(amdgpu_streaming, a_child_leaves_the_stream_alone)
{
	struct drmperf_stream *stream =
		begin_stream("amdgpu::CPF.CPF_STAT_BUSY", 0);
	pid_t pid = fork();

	if (!pid) {
		bool is_refused = drmperf_stream_read(stream, add_batch, NULL,
						      NULL) == -ECHILD;

		drmperf_stream_destroy(stream);
		_exit(!is_refused);
	}
	child_join(pid);
	count_ms(stream, 1, 1);
	read_stream(stream);
	ck_assert_uint_eq(got.sum, 1000000);
	drmperf_stream_destroy(stream);
}

/* ------------------------------------------------------------------ */
/* Refusals                                                             */

static void
expect_refusal(int code, const char *cause, const char *remedy)
{
	struct drmperf_stream *stream = NULL;

	counting_failed(try_to_stream("amdgpu::GL2C.REQ", 0, &stream), code,
			cause, remedy);
	ck_assert_ptr_null(stream);
}

static const struct {
	struct drmperf_stream_options options;
	int code;
	const char *cause;
} checked[] = {
	{ { .buffer_size = 32 + 2 * 64 }, 0, "" },
	{ { .buffer_size = 32 + 2 * 64 - 1 }, -EINVAL, "160 bytes to 1 GiB" },
	{ { .buffer_size = UINT64_C(1) << 31 }, -EINVAL, "not 2147483648" },
	{ { .period_cycles = 31 }, -EINVAL, "every 32 to 65535 clocks" },
	{ { .clock = (enum drmperf_clock_mode)99 }, -EINVAL, "clock mode 99" },
};

/* A stream says it as well; without an error it lacks its trace here. */
TEST_LOOP(amdgpu_streaming, what_is_checked_beforehand, ARRAY_SIZE(checked))
{
	const struct drmperf_selection event =
		counting_find("amdgpu::CPF.CPF_STAT_BUSY");
	struct drmperf_stream_options options = checked[_i].options;
	struct drmperf_stream *stream = NULL;

	options.size = sizeof(options);
	ck_assert_int_eq(drmperf_stream_check(counting.drmperf, &event, 1,
					      &options, &counting.error),
			 checked[_i].code);
	if (checked[_i].code)
		ck_assert_msg(strstr(counting.error.cause, checked[_i].cause),
			      "%s", counting.error.cause);
	options.beside_trace = !checked[_i].code;
	ck_assert_int_eq(drmperf_stream_create(counting.drmperf, &event, 1,
					       &options, &stream,
					       &counting.error),
			 -EINVAL);
}

/* Expect success, since a failed start gives back what it took. */
static void
expect_success(void)
{
	drmperf_stream_destroy(begin_stream("amdgpu::GL2C.REQ", 0));
}

TEST(amdgpu_streaming, the_vmid_of_another_program)
{
	union drm_amdgpu_vm request = { .in.op = AMDGPU_VM_OP_RESERVE_VMID };
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(drmIoctl(fd, DRM_IOCTL_AMDGPU_VM, &request), 0);
	expect_refusal(-EBUSY, "another program has the VMID",
		       "MESA_VK_TRACE=rgp");
	close(fd);
	expect_success();
}

static const struct {
	const char *fault;
	int code;
	const char *cause, *remedy;
} faults[] = {
	{ "vm:1:EACCES", -EACCES, "cannot reserve a VMID", "dmesg" },
	{ "ctx:5:EINVAL", -EINVAL, "clock mode profiling", "Linux 5.17" },
	{ "ctx:5:EBUSY", -EBUSY, "another program holds the clocks",
	  "end that program" },
	{ "gem_create:1:ENOMEM", -ENOMEM, "no memory", "free memory" },
	{ "cs:1:ENOMEM", -ENOMEM, "no memory", "free memory" },
};

TEST_LOOP(amdgpu_streaming, what_the_kernel_refuses, ARRAY_SIZE(faults))
{
	scene_fault(faults[_i].fault);
	expect_refusal(faults[_i].code, faults[_i].cause, faults[_i].remedy);
	ck_assert_int_eq(drmsim_command("mend", NULL, 0), 0);
	expect_success();
}

TEST(amdgpu_streaming, a_virtual_function)
{
	counting_end();
	scene_set("virtual", "on");
	counting_begin();
	expect_refusal(-ENOTSUP, "is a virtual function", "on the host");
	scene_set("virtual", "off");
}

TEST_GPUS("amdgpu_streaming", "navi21");
