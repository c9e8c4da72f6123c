/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces of waves: what is written, and what is in their way. */
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
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define NODE "/dev/dri/renderD128"

static struct drmperf *drmperf;
static struct drmperf_error error;

static void
create_library(void)
{
	scene_set("default", "zero");
	ck_assert_msg(!drmperf_create(NULL, &drmperf, &error), "%s",
		      error.cause);
}

static void
destroy_library(void)
{
	uint64_t violations = 0;

	drmperf_destroy(drmperf);
	ck_assert_int_eq(drmsim_violations(&violations), 0);
	ck_assert_uint_eq(violations, 0);
}

static int
try_to_trace(const struct drmperf_trace_options *options,
	     struct drmperf_trace **out)
{
	return drmperf_trace_create(drmperf_device_at(drmperf, 0), options, out,
				    &error);
}

/* ------------------------------------------------------------------ */
/* Refusals                                                             */

static void
expect_refusal(const struct drmperf_trace_options *options, int code,
	       const char *cause, const char *remedy)
{
	struct drmperf_trace *trace = NULL;

	ck_assert_int_eq(try_to_trace(options, &trace), code);
	ck_assert_ptr_null(trace);
	ck_assert_msg(strstr(error.cause, cause), "%s", error.cause);
	ck_assert_msg(strstr(error.remedy, remedy), "%s", error.remedy);
}

START_TEST(the_vmid_of_another_program)
{
	union drm_amdgpu_vm request = { .in.op = AMDGPU_VM_OP_RESERVE_VMID };
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(drmIoctl(fd, DRM_IOCTL_AMDGPU_VM, &request), 0);
	expect_refusal(NULL, -EBUSY, "another program has the VMID",
		       "MESA_VK_TRACE=rgp");
	close(fd);
}
END_TEST

static const struct {
	const char *fault;
	int code;
	const char *cause, *remedy;
} faults[] = {
	{ "vm:1:EACCES", -EACCES, "cannot reserve a VMID", "dmesg" },
	{ "ctx:5:EINVAL", -EINVAL, "clock mode profiling", "waves are traced" },
	{ "ctx:5:EBUSY", -EBUSY, "another program holds the clocks",
	  "waves are traced" },
	{ "gem_create:1:ENOMEM", -ENOMEM, "no memory", "free memory" },
};

START_TEST(what_the_kernel_refuses)
{
	const struct drmperf_trace_options options = {
		.size = sizeof(options),
		.buffer_size = 65536,
	};

	scene_fault(faults[_i].fault);
	expect_refusal(&options, faults[_i].code, faults[_i].cause,
		       faults[_i].remedy);
	ck_assert_int_eq(drmsim_command("mend", NULL, 0), 0);
}
END_TEST

START_TEST(a_virtual_function)
{
	drmperf_destroy(drmperf);
	scene_set("virtual", "on");
	ck_assert_int_eq(drmperf_create(NULL, &drmperf, &error), 0);
	expect_refusal(NULL, -ENOTSUP, "whose waves cannot be traced",
		       "on the host");
	scene_set("virtual", "off");
}
END_TEST

static const struct {
	struct drmperf_trace_options options;
	int code;
	const char *cause, *remedy;
} wrong_options[] = {
	{ { .size = 1 }, -EINVAL, "struct drmperf_trace_options", "" },
	{ { .size = sizeof(struct drmperf_trace_options),
	    .buffer_size = (UINT64_C(2) << 30) + 1 },
	  -EINVAL,
	  "has 2 GiB at most, not 2147483649 bytes",
	  "without tokens of instructions" },
	{ { .size = sizeof(struct drmperf_trace_options), .all_programs = 1 },
	  -ENOTSUP,
	  "nobody has tried",
	  "DRMPERF_UNTESTED=TRACE.ALL" },
};

START_TEST(options_out_of_range)
{
	expect_refusal(&wrong_options[_i].options, wrong_options[_i].code,
		       wrong_options[_i].cause, wrong_options[_i].remedy);
}
END_TEST

/* A stream is in the way of a trace, as another trace is. */
START_TEST(a_stream)
{
	struct drmperf_selection selection;
	struct drmperf_stream *stream;

	ck_assert_int_eq(drmperf_event_find(drmperf, "amdgpu::GL2C.REQ",
					    &selection, &error),
			 0);
	ck_assert_msg(!drmperf_stream_create(drmperf, &selection, 1, NULL,
					     &stream, &error),
		      "%s", error.cause);
	expect_refusal(NULL, -EBUSY, "streams and traces are alone", "");
	drmperf_stream_destroy(stream);
}
END_TEST

static Suite *
tracing_suite(void)
{
	Suite *suite = suite_create("amdgpu_tracing");
	TCase *tcase = tcase_create("amdgpu_tracing");

	tcase_add_checked_fixture(tcase, create_library, destroy_library);
	tcase_add_test(tcase, the_vmid_of_another_program);
	tcase_add_loop_test(tcase, what_the_kernel_refuses, 0,
			    (int)ARRAY_SIZE(faults));
	tcase_add_test(tcase, a_virtual_function);
	tcase_add_loop_test(tcase, options_out_of_range, 0,
			    (int)ARRAY_SIZE(wrong_options));
	tcase_add_test(tcase, a_stream);
	suite_add_tcase(suite, tcase);
	return suite;
}

static const char *const navi21[] = { "--gpu", "navi21", "--time", "virtual",
				      NULL };

static const struct machine machines[] = {
	{ navi21, "amdgpu_tracing" },
};

int
main(void)
{
	if (!drmsim_is_present())
		return below_drmsim(machines, ARRAY_SIZE(machines));
	return suite_run(tracing_suite());
}
