/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions over a driver that counts in memory: base lines, runs shared by
 * sessions, errors on the way, and forks.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/device.h"
#include "device/state.h"
#include "drmperf.h"
#include "tests/suite.h"

/* ------------------------------------------------------------------ */
/* The hardware and its driver                                          */

#define CORES 3
#define SELECTORS 16

enum {
	SELECT_TEMPERATURE = 10, /* momentary */
	SELECT_PLAIN = 11, /* of the domain that is not shared */
};

/* What the driver was asked to do; shared with forked children. */
struct hardware {
	uint64_t counts[SELECTORS][CORES];
	unsigned arms, changes, starts, samples, stops, disarms, abandons;
	int arm_error, change_error, start_error, sample_error, stop_error;
	bool stop_amidst; /* of a sample */
	drmperf_raw_fn raw;
	void *raw_data;
};

static struct hardware *hw;
static struct drmperf *drmperf;

struct fake_run {
	struct counter_request requests[64];
	size_t count;
};

static void
set_requests(struct fake_run *run, const struct counter_request *requests,
	     size_t count)
{
	ck_assert_uint_le(count, 64);
	memcpy(run->requests, requests, count * sizeof(*requests));
	run->count = count;
}

static int
fake_arm(void *device, const struct run_options *options,
	 const struct counter_request *requests, size_t count, void **out,
	 struct drmperf_error *error)
{
	struct fake_run *run;

	ck_assert_ptr_eq(device, hw);
	hw->arms++;
	if (hw->arm_error)
		return error_set(error, hw->arm_error, "arm fails");
	run = calloc(1, sizeof(*run));
	set_requests(run, requests, count);
	*out = run;
	hw->raw = options->raw;
	hw->raw_data = options->raw_data;
	return 0;
}

static int
fake_change(void *data, const struct counter_request *requests, size_t count,
	    struct drmperf_error *error)
{
	struct fake_run *run = data;

	hw->changes++;
	if (hw->change_error)
		return error_set(error, hw->change_error, "change fails");
	set_requests(run, requests, count);
	return 0;
}

static int
fake_start(void *run, struct drmperf_error *error)
{
	(void)run;
	hw->starts++;
	return hw->start_error
		       ? error_set(error, hw->start_error, "start fails")
		       : 0;
}

static int
fake_sample(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	    uint64_t *time_ns, struct drmperf_error *error)
{
	struct fake_run *run = data;

	ck_assert_int_ne(mode, DRMPERF_READ_AUTO);
	hw->samples++;
	/* as a signal's handler would that ends the process */
	if (hw->stop_amidst)
		ck_assert_int_eq(drmperf_stop(drmperf, error), -EBUSY);
	if (hw->sample_error)
		return error_set(error, hw->sample_error, "sample fails");
	for (size_t i = 0; i < run->count; i++) {
		const struct counter_request *request = &run->requests[i];
		const uint64_t *counts = hw->counts[request->selector];

		if (request->instance != DRMPERF_ALL_INSTANCES)
			*raw++ = counts[request->instance];
		else if (request->selector == SELECT_TEMPERATURE ||
			 request->selector == SELECT_PLAIN)
			*raw++ = counts[0];
		else
			for (unsigned k = 0; k < CORES; k++)
				*raw++ = counts[k];
	}
	*time_ns = 1000 + hw->samples;
	return 0;
}

static int
fake_stop(void *run, struct drmperf_error *error)
{
	(void)run;
	hw->stops++;
	return hw->stop_error ? error_set(error, hw->stop_error, "stop fails")
			      : 0;
}

static void
fake_disarm(void *data)
{
	struct fake_run *run = data;

	hw->disarms++;
	free(run);
}

static void
fake_abandon_run(void *data)
{
	struct fake_run *run = data;

	hw->abandons++;
	free(run);
}

static const struct domain_ops shared_ops = {
	.arm = fake_arm,
	.change = fake_change,
	.start = fake_start,
	.sample = fake_sample,
	.stop = fake_stop,
	.disarm = fake_disarm,
	.abandon = fake_abandon_run,
};

static const struct domain_ops own_ops = {
	.arm = fake_arm,
	.start = fake_start,
	.sample = fake_sample,
	.stop = fake_stop,
	.disarm = fake_disarm,
	.abandon = fake_abandon_run,
};

static void
add_domain(struct description *description, const char *name,
	   const struct domain_ops *ops, domain_index *out)
{
	ck_assert_int_eq(description_add_domain(
				 description,
				 &(struct description_domain){ .name = name,
							       .ops = ops,
							       .device = hw },
				 out),
			 0);
}

static group_index
add_group(struct description *description, const char *name,
	  domain_index domain, unsigned max_active, unsigned instances)
{
	group_index index;

	ck_assert_int_eq(
		description_add_group(
			description,
			&(struct description_group){
				.name = name,
				.description = "group of the test",
				.domain = domain,
				.max_active = max_active,
				.instances = instances,
				.instances_per_engine = instances,
				.slot_pool =
					(group_index)description->group_count,
			},
			&index),
		0);
	return index;
}

static void
add_event(struct description *description, group_index group, const char *name,
	  uint32_t selector, enum drmperf_kind kind, enum drmperf_type type,
	  const char *expression)
{
	ck_assert_int_eq(
		description_add_event(description,
				      &(struct description_event){
					      .name = name,
					      .description = "of the test",
					      .expression = expression,
					      .file = "test",
					      .group = group,
					      .type = type,
					      .kind = kind,
					      .slots = SLOTS_ANY,
					      .selector = selector,
				      }),
		0);
}

static int
fake_describe(const struct driver_target *target,
	      struct description *description, void **out,
	      struct drmperf_error *error)
{
	static const char *const names[] = { "A", "B", "C", "D", "E" };
	domain_index shared, own;
	group_index core, board, plain;

	(void)target;
	(void)error;
	add_domain(description, "core", &shared_ops, &shared);
	add_domain(description, "plain", &own_ops, &own);
	core = add_group(description, "CORE", shared, 4, CORES);
	board = add_group(description, "BOARD", shared, 8, 1);
	plain = add_group(description, "PLAIN", own, 8, 1);
	for (uint32_t i = 0; i < 5; i++)
		add_event(description, core, names[i], i,
			  DRMPERF_KIND_CUMULATIVE, DRMPERF_TYPE_UINT64, NULL);
	add_event(description, core, "HALF", 0, DRMPERF_KIND_AVERAGE,
		  DRMPERF_TYPE_DOUBLE, "A / B + max(A)");
	add_event(description, board, "TEMPERATURE", SELECT_TEMPERATURE,
		  DRMPERF_KIND_MOMENTARY, DRMPERF_TYPE_UINT64, NULL);
	add_event(description, board, "KELVIN", 0, DRMPERF_KIND_MOMENTARY,
		  DRMPERF_TYPE_DOUBLE, "TEMPERATURE + 273.15");
	add_event(description, plain, "X", SELECT_PLAIN,
		  DRMPERF_KIND_CUMULATIVE, DRMPERF_TYPE_UINT64, NULL);
	*out = hw;
	return 0;
}

static void
fake_release(void *device)
{
	ck_assert_ptr_eq(device, hw);
}

static const struct driver fake_driver = {
	.name = "fake",
	.describe = fake_describe,
	.release = fake_release,
	.abandon = fake_release,
};

static const struct driver *const fake_drivers[] = { &fake_driver, NULL };

/* ------------------------------------------------------------------ */
/* A machine with one such GPU                                          */

static char root[64];

static void
put(const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/sys/bus/pci/devices/0000:03:00.0/%s",
		 root, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void
setup(void)
{
	char command[512];
	struct drmperf_error error;

	snprintf(root, sizeof(root), "/tmp/drmperf-session-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	snprintf(command, sizeof(command),
		 "cd %s && mkdir -p sys/bus/pci/devices/0000:03:00.0/drm/card0 "
		 "sys/bus/pci/drivers/fake && ln -s ../../drivers/fake "
		 "sys/bus/pci/devices/0000:03:00.0/driver",
		 root);
	ck_assert_int_eq(system(command), 0);
	put("class", "0x030000\n");
	put("vendor", "0x1002\n");
	put("device", "0x1234\n");
	hw = mmap(NULL, sizeof(*hw), PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(hw, MAP_FAILED);
	ck_assert_int_eq(
		state_create(NULL, fake_drivers, root, &drmperf, &error), 0);
}

static void
teardown(void)
{
	char command[128];

	drmperf_destroy(drmperf);
	/* Whatever was armed has been released, started or not. */
	ck_assert_uint_le(hw->disarms, hw->arms);
	munmap(hw, sizeof(*hw));
	snprintf(command, sizeof(command), "rm -rf %s", root);
	ck_assert_int_eq(system(command), 0);
}

static struct drmperf_selection
find(const char *name)
{
	struct drmperf_selection selection;
	struct drmperf_error error;

	if (drmperf_event_find(drmperf, name, &selection, &error))
		ck_abort_msg("%s: %s", name, error.cause);
	return selection;
}

static struct drmperf_session *
create(const char *const *names)
{
	struct drmperf_selection selections[16];
	struct drmperf_session *session;
	struct drmperf_error error;
	size_t count = 0;

	while (names[count]) {
		selections[count] = find(names[count]);
		count++;
	}
	if (drmperf_session_create(drmperf, selections, count, NULL, &session,
				   &error))
		ck_abort_msg("%s", error.cause);
	ck_assert_uint_eq(drmperf_session_size(session), count);
	return session;
}

#define CREATE(...) create((const char *const[]){ __VA_ARGS__, NULL })

/* Every core counts: event s on core c goes on by n * (s + 1) * (c + 1). */
static void
work(uint64_t n)
{
	for (unsigned s = 0; s < SELECTORS; s++) {
		for (unsigned c = 0; c < CORES; c++) {
			if (s != SELECT_TEMPERATURE)
				hw->counts[s][c] += n * (s + 1) * (c + 1);
		}
	}
}

#define ALL_CORES (1 + 2 + 3)

static void
start(struct drmperf_session *session)
{
	struct drmperf_error error;

	if (drmperf_session_start(session, &error))
		ck_abort_msg("%s", error.cause);
}

static uint64_t
read_one(struct drmperf_session *session, size_t index)
{
	union drmperf_value values[16];
	struct drmperf_error error;

	if (drmperf_session_read(session, values, NULL, &error))
		ck_abort_msg("%s", error.cause);
	return values[index].u64;
}

/* ------------------------------------------------------------------ */

START_TEST(values_count_from_start)
{
	struct drmperf_session *session =
		CREATE("fake::CORE.A", "fake::CORE.B:instance=2",
		       "fake::CORE.HALF", "fake::CORE.A");
	union drmperf_value values[4];
	uint64_t time_ns = 0;

	work(1000);
	start(session);
	ck_assert_int_eq(drmperf_session_read(session, values, NULL, NULL), 0);
	ck_assert_uint_eq(values[0].u64, 0);
	work(5);
	ck_assert_int_eq(drmperf_session_read(session, values, &time_ns, NULL),
			 0);
	ck_assert_uint_eq(values[0].u64, 5 * 1 * ALL_CORES);
	ck_assert_uint_eq(values[1].u64, 5 * 2 * 3);
	ck_assert_double_eq(values[2].f64, 0.5 + 5 * 3);
	ck_assert_uint_eq(values[3].u64, values[0].u64);
	ck_assert_uint_gt(time_ns, 1000);
	drmperf_session_destroy(session);
	ck_assert_uint_eq(hw->stops, 1);
	ck_assert_uint_eq(hw->disarms, 1);
}
END_TEST

START_TEST(counters_may_wrap)
{
	struct drmperf_session *session = CREATE("fake::CORE.A:instance=0");

	hw->counts[0][0] = UINT64_MAX - 2;
	start(session);
	work(10);
	ck_assert_uint_eq(read_one(session, 0), 10);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(reset_stop_and_start_again)
{
	struct drmperf_session *session = CREATE("fake::CORE.C");

	start(session);
	work(7);
	ck_assert_int_eq(drmperf_session_reset(session, NULL), 0);
	work(2);
	ck_assert_uint_eq(read_one(session, 0), 2 * 3 * ALL_CORES);
	work(1);
	ck_assert_int_eq(drmperf_session_stop(session, NULL), 0);
	work(100);
	/* What was counted up to stop stays, and is not counted on. */
	ck_assert_uint_eq(read_one(session, 0), 3 * 3 * ALL_CORES);
	ck_assert_uint_eq(read_one(session, 0), 3 * 3 * ALL_CORES);
	ck_assert_int_eq(drmperf_session_reset(session, NULL), 0);
	ck_assert_uint_eq(read_one(session, 0), 0);
	start(session);
	work(4);
	ck_assert_uint_eq(read_one(session, 0), 4 * 3 * ALL_CORES);
	drmperf_session_destroy(session);
	ck_assert_uint_eq(hw->arms, 2);
	ck_assert_uint_eq(hw->disarms, 2);
}
END_TEST

START_TEST(momentary_values_have_no_base)
{
	struct drmperf_session *session =
		CREATE("fake::BOARD.TEMPERATURE", "fake::BOARD.KELVIN");
	union drmperf_value values[2];

	hw->counts[SELECT_TEMPERATURE][0] = 40;
	start(session);
	ck_assert_int_eq(drmperf_session_read(session, values, NULL, NULL), 0);
	ck_assert_uint_eq(values[0].u64, 40);
	ck_assert_double_eq(values[1].f64, 313.15);
	ck_assert_int_eq(drmperf_session_reset(session, NULL), 0);
	hw->counts[SELECT_TEMPERATURE][0] = 39;
	ck_assert_uint_eq(read_one(session, 0), 39);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(wrong_order_is_refused)
{
	struct drmperf_session *session = CREATE("fake::CORE.A");
	struct drmperf_error error;
	union drmperf_value value;

	ck_assert_int_eq(drmperf_session_read(session, &value, NULL, &error),
			 -EINVAL);
	ck_assert_int_eq(error.code, -EINVAL);
	ck_assert_int_ne(error.cause[0], 0);
	ck_assert_int_eq(drmperf_session_stop(session, NULL), -EINVAL);
	ck_assert_int_eq(drmperf_session_reset(session, NULL), -EINVAL);
	start(session);
	ck_assert_int_eq(drmperf_session_start(session, NULL), -EALREADY);
	ck_assert_int_eq(drmperf_session_stop(session, NULL), 0);
	ck_assert_int_eq(drmperf_session_stop(session, NULL), -EINVAL);
	drmperf_session_destroy(session);
	drmperf_session_destroy(NULL);
}
END_TEST

START_TEST(bad_arguments_are_refused)
{
	struct drmperf_selection selection = find("fake::CORE.A");
	struct drmperf_session_options options = { .size = sizeof(options) };
	struct drmperf_session *session = (void *)&options;

	ck_assert_int_eq(drmperf_session_create(drmperf, &selection, 0, NULL,
						&session, NULL),
			 -EINVAL);
	selection.instance = CORES;
	ck_assert_int_eq(drmperf_session_create(drmperf, &selection, 1, NULL,
						&session, NULL),
			 -EINVAL);
	selection.instance = 0;
	options.clock = (enum drmperf_clock_mode)77;
	ck_assert_int_eq(drmperf_session_create(drmperf, &selection, 1,
						&options, &session, NULL),
			 -EINVAL);
	options.clock = DRMPERF_CLOCK_AUTO;
	options.size = 1;
	ck_assert_int_eq(drmperf_session_create(drmperf, &selection, 1,
						&options, &session, NULL),
			 -EINVAL);
	/* On failure the out parameter is left alone. */
	ck_assert_ptr_eq(session, (void *)&options);
}
END_TEST

START_TEST(read_mode_comes_from_the_environment)
{
	struct drmperf_selection selection = find("fake::CORE.A");
	struct drmperf_session *session;
	struct drmperf_error error;

	setenv("DRMPERF_READ", "sometimes", 1);
	ck_assert_int_eq(drmperf_session_create(drmperf, &selection, 1, NULL,
						&session, &error),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.cause, "sometimes"));
	ck_assert_ptr_nonnull(strstr(error.remedy, "latest"));
	setenv("DRMPERF_READ", "latest", 1);
	session = CREATE("fake::CORE.A");
	start(session);
	drmperf_session_destroy(session);
	unsetenv("DRMPERF_READ");
}
END_TEST

START_TEST(what_does_not_fit_is_refused)
{
	static const char *const names[] = { "A", "B", "C", "D", "E" };
	struct drmperf_selection selections[5];
	struct drmperf_session *session;
	struct drmperf_error error;
	char name[32];

	for (size_t i = 0; i < 5; i++) {
		snprintf(name, sizeof(name), "fake::CORE.%s", names[i]);
		selections[i] = find(name);
	}
	ck_assert_int_eq(drmperf_session_create(drmperf, selections, 5, NULL,
						&session, &error),
			 -ENOSPC);
	ck_assert_ptr_nonnull(strstr(error.cause, "CORE"));
	ck_assert_int_ne(error.remedy[0], 0);
	ck_assert_uint_eq(hw->arms, 0);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Sharing                                                              */

START_TEST(sessions_share_a_run)
{
	struct drmperf_session *one = CREATE("fake::CORE.A", "fake::CORE.B");
	struct drmperf_session *two = CREATE("fake::CORE.B");
	struct drmperf_session *three = CREATE("fake::CORE.D", "fake::CORE.A");

	start(one);
	work(1);
	start(two);
	ck_assert_uint_eq(hw->changes, 0);
	work(10);
	start(three);
	ck_assert_uint_eq(hw->arms, 1);
	ck_assert_uint_eq(hw->changes, 1);
	work(100);
	ck_assert_uint_eq(read_one(one, 0), 111 * 1 * ALL_CORES);
	ck_assert_uint_eq(read_one(one, 1), 111 * 2 * ALL_CORES);
	ck_assert_uint_eq(read_one(two, 0), 110 * 2 * ALL_CORES);
	ck_assert_uint_eq(read_one(three, 0), 100 * 4 * ALL_CORES);
	ck_assert_uint_eq(read_one(three, 1), 100 * 1 * ALL_CORES);
	/* A reset of one does not move the others' base lines. */
	ck_assert_int_eq(drmperf_session_reset(one, NULL), 0);
	ck_assert_uint_eq(read_one(two, 0), 110 * 2 * ALL_CORES);
	ck_assert_int_eq(drmperf_session_stop(one, NULL), 0);
	ck_assert_uint_eq(hw->stops, 0);
	work(1000);
	ck_assert_uint_eq(read_one(two, 0), 1110 * 2 * ALL_CORES);
	ck_assert_uint_eq(read_one(one, 0), 0);
	drmperf_session_destroy(two);
	drmperf_session_destroy(three);
	ck_assert_uint_eq(hw->stops, 1);
	ck_assert_uint_eq(hw->disarms, 1);
	drmperf_session_destroy(one);
}
END_TEST

START_TEST(no_room_beside_a_running_session)
{
	struct drmperf_session *one = CREATE("fake::CORE.A");
	struct drmperf_session *two = CREATE("fake::CORE.B");
	struct drmperf_error error;

	start(one);
	hw->change_error = -ENOSPC;
	ck_assert_int_eq(drmperf_session_start(two, &error), -EBUSY);
	ck_assert_ptr_nonnull(strstr(error.cause, "this process"));
	hw->change_error = 0;
	work(3);
	ck_assert_uint_eq(read_one(one, 0), 3 * ALL_CORES);
	drmperf_session_destroy(two);
	drmperf_session_destroy(one);
	ck_assert_uint_eq(hw->disarms, 1);
}
END_TEST

START_TEST(clock_modes_must_agree)
{
	struct drmperf_selection selection = find("fake::CORE.A");
	struct drmperf_session_options options = { .size = sizeof(options),
						   .clock =
							   DRMPERF_CLOCK_PEAK };
	struct drmperf_session *one = CREATE("fake::CORE.A"), *two;

	ck_assert_int_eq(drmperf_session_create(drmperf, &selection, 1,
						&options, &two, NULL),
			 0);
	start(one);
	ck_assert_int_eq(drmperf_session_start(two, NULL), -EBUSY);
	ck_assert_int_eq(drmperf_session_stop(one, NULL), 0);
	start(two);
	/* A session that does not care joins whatever mode is held. */
	start(one);
	drmperf_session_destroy(one);
	drmperf_session_destroy(two);
}
END_TEST

START_TEST(runs_that_cannot_change_are_not_shared)
{
	struct drmperf_session *one = CREATE("fake::PLAIN.X");
	struct drmperf_session *two = CREATE("fake::PLAIN.X");

	start(one);
	work(1);
	start(two);
	work(1);
	ck_assert_uint_eq(hw->arms, 2);
	ck_assert_uint_eq(read_one(one, 0), 2 * (SELECT_PLAIN + 1));
	ck_assert_uint_eq(read_one(two, 0), 1 * (SELECT_PLAIN + 1));
	drmperf_session_destroy(one);
	drmperf_session_destroy(two);
	ck_assert_uint_eq(hw->disarms, 2);
}
END_TEST

START_TEST(a_session_spans_domains)
{
	struct drmperf_session *session =
		CREATE("fake::PLAIN.X", "fake::CORE.A");

	start(session);
	ck_assert_uint_eq(hw->arms, 2);
	work(2);
	ck_assert_uint_eq(read_one(session, 0), 2 * (SELECT_PLAIN + 1));
	ck_assert_uint_eq(read_one(session, 1), 2 * ALL_CORES);
	drmperf_session_destroy(session);
	ck_assert_uint_eq(hw->disarms, 2);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Errors                                                               */

/* Whatever fails, everything that was taken is given back. */
static const struct failure {
	const char *what;
	size_t offset; /* of the error in struct hardware */
	int code;
	unsigned disarms;
} failures[] = {
	{ "arm", offsetof(struct hardware, arm_error), -EBUSY, 0 },
	{ "start", offsetof(struct hardware, start_error), -EACCES, 1 },
	{ "first sample", offsetof(struct hardware, sample_error), -EIO, 1 },
	{ "dead at once", offsetof(struct hardware, sample_error), -ENODEV, 1 },
};

START_TEST(failed_start_gives_everything_back)
{
	const struct failure *failure = &failures[_i];
	struct drmperf_session *session = CREATE("fake::CORE.A");
	int *code = (int *)((char *)hw + failure->offset);
	struct drmperf_error error;

	*code = failure->code;
	ck_assert_int_eq(drmperf_session_start(session, &error), failure->code);
	ck_assert_int_ne(error.cause[0], 0);
	ck_assert_uint_eq(hw->disarms, failure->disarms);
	*code = 0;
	start(session);
	work(1);
	ck_assert_uint_eq(read_one(session, 0), ALL_CORES);
	drmperf_session_destroy(session);
	ck_assert_uint_eq(hw->disarms, failure->disarms + 1);
}
END_TEST

START_TEST(a_dead_run_is_dead_for_all_its_sessions)
{
	struct drmperf_session *one = CREATE("fake::CORE.A");
	struct drmperf_session *two = CREATE("fake::CORE.B");
	struct drmperf_session *three = CREATE("fake::CORE.A");
	struct drmperf_error error;
	union drmperf_value value;

	start(one);
	start(two);
	hw->sample_error = -ECANCELED;
	ck_assert_int_eq(drmperf_session_read(one, &value, NULL, &error),
			 -ECANCELED);
	hw->sample_error = 0;
	/* Others can count at once, while the losers have not even noticed. */
	start(three);
	ck_assert_uint_eq(hw->arms, 2);
	work(5);
	ck_assert_uint_eq(read_one(three, 0), 5 * ALL_CORES);
	ck_assert_int_eq(drmperf_session_read(two, &value, NULL, &error),
			 -ECANCELED);
	ck_assert_int_ne(error.remedy[0], 0);
	ck_assert_int_eq(drmperf_session_stop(two, NULL), -ECANCELED);
	start(two);
	work(1);
	ck_assert_uint_eq(read_one(two, 0), 2 * ALL_CORES);
	drmperf_session_destroy(one);
	drmperf_session_destroy(two);
	drmperf_session_destroy(three);
	ck_assert_uint_eq(hw->disarms, 2);
}
END_TEST

START_TEST(all_counting_can_be_ended)
{
	struct drmperf_session *one = CREATE("fake::CORE.A");
	struct drmperf_session *two = CREATE("fake::CORE.B");
	struct drmperf_session *stopped = CREATE("fake::CORE.A");
	union drmperf_value value;

	ck_assert_int_eq(drmperf_stop(drmperf, NULL), 0);
	start(stopped);
	work(3);
	ck_assert_int_eq(drmperf_session_stop(stopped, NULL), 0);
	start(one);
	start(two);
	ck_assert_int_eq(drmperf_stop(drmperf, NULL), 0);
	ck_assert_uint_eq(hw->arms, 2);
	ck_assert_uint_eq(hw->disarms, 2);
	ck_assert_int_eq(drmperf_session_read(one, &value, NULL, NULL),
			 -ECANCELED);
	ck_assert_int_eq(drmperf_session_stop(two, NULL), -ECANCELED);
	ck_assert_uint_eq(read_one(stopped, 0), 3 * ALL_CORES);
	start(two);
	work(1);
	ck_assert_uint_eq(read_one(two, 0), 2 * ALL_CORES);
	drmperf_session_destroy(one);
	drmperf_session_destroy(two);
	drmperf_session_destroy(stopped);
	ck_assert_uint_eq(hw->disarms, 3);
}
END_TEST

START_TEST(a_call_in_the_way_does_not_hang_the_end)
{
	struct drmperf_session *session = CREATE("fake::CORE.A");

	start(session);
	hw->stop_amidst = true;
	work(1);
	ck_assert_uint_eq(read_one(session, 0), ALL_CORES);
	hw->stop_amidst = false;
	ck_assert_uint_eq(hw->disarms, 0);
	ck_assert_int_eq(drmperf_stop(drmperf, NULL), 0);
	ck_assert_uint_eq(hw->disarms, 1);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(a_passing_error_ends_nothing)
{
	struct drmperf_session *session = CREATE("fake::CORE.A");
	union drmperf_value value;

	start(session);
	hw->sample_error = -EIO;
	work(1);
	ck_assert_int_eq(drmperf_session_read(session, &value, NULL, NULL),
			 -EIO);
	hw->sample_error = 0;
	work(1);
	ck_assert_uint_eq(read_one(session, 0), 2 * ALL_CORES);
	hw->stop_error = -EIO;
	ck_assert_int_eq(drmperf_session_stop(session, NULL), -EIO);
	ck_assert_uint_eq(hw->disarms, 1);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(a_failed_stop_leaves_no_values)
{
	struct drmperf_session *session = CREATE("fake::CORE.A");
	union drmperf_value value = { .u64 = 0 };
	struct drmperf_error error;

	start(session);
	work(1);
	ck_assert_uint_eq(read_one(session, 0), ALL_CORES);
	work(1);
	hw->sample_error = -EIO;
	ck_assert_int_eq(drmperf_session_stop(session, NULL), -EIO);
	hw->sample_error = 0;
	/* What was read before is not what it had counted when it stopped. */
	memset(&error, 0, sizeof(error));
	ck_assert_int_eq(drmperf_session_read(session, &value, NULL, &error),
			 -EIO);
	ck_assert_int_eq(error.code, -EIO);
	ck_assert_int_eq(drmperf_session_reset(session, NULL), -EIO);
	start(session);
	work(3);
	ck_assert_int_eq(drmperf_session_stop(session, NULL), 0);
	ck_assert_uint_eq(read_one(session, 0), 3 * ALL_CORES);
	drmperf_session_destroy(session);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Forks and listeners                                                  */

START_TEST(a_child_disturbs_nothing)
{
	struct drmperf_session *session =
		CREATE("fake::CORE.A", "fake::PLAIN.X");
	union drmperf_value values[2];
	struct drmperf_error error;
	unsigned samples;
	int status;
	pid_t pid;

	start(session);
	samples = hw->samples;
	pid = fork();
	if (!pid) {
		int ok = drmperf_session_read(session, values, NULL, &error) ==
				 -ECHILD &&
			 error.cause[0] &&
			 drmperf_session_stop(session, NULL) == -ECHILD &&
			 drmperf_session_reset(session, NULL) == -ECHILD &&
			 drmperf_session_start(session, NULL) == -ECHILD &&
			 drmperf_stop(drmperf, NULL) == -ECHILD;

		drmperf_session_destroy(session);
		drmperf_destroy(drmperf);
		_exit(ok ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
	ck_assert_uint_eq(hw->samples, samples);
	ck_assert_uint_eq(hw->stops, 0);
	ck_assert_uint_eq(hw->disarms, 0);
	ck_assert_uint_eq(hw->abandons, 2);
	work(1);
	ck_assert_uint_eq(read_one(session, 0), ALL_CORES);
	drmperf_session_destroy(session);
}
END_TEST

static void
remember_record(void *data, struct drmperf_device *device, const void *record,
		size_t size)
{
	unsigned *seen = data;

	ck_assert_ptr_eq(device, drmperf_device_at(drmperf, 0));
	ck_assert_uint_eq(size, 4);
	ck_assert_int_eq(memcmp(record, "data", 4), 0);
	++*seen;
}

START_TEST(raw_records_reach_those_who_listen)
{
	struct drmperf_selection selection = find("fake::CORE.A");
	unsigned seen[2] = { 0 };
	struct drmperf_session *sessions[2];

	for (size_t i = 0; i < 2; i++) {
		struct drmperf_session_options options = {
			.size = sizeof(options),
			.raw = remember_record,
			.raw_data = &seen[i],
		};

		ck_assert_int_eq(drmperf_session_create(drmperf, &selection, 1,
							&options, &sessions[i],
							NULL),
				 0);
	}
	start(sessions[0]);
	hw->raw(hw->raw_data, drmperf_device_at(drmperf, 0), "data", 4);
	start(sessions[1]);
	hw->raw(hw->raw_data, drmperf_device_at(drmperf, 0), "data", 4);
	ck_assert_int_eq(drmperf_session_stop(sessions[0], NULL), 0);
	hw->raw(hw->raw_data, drmperf_device_at(drmperf, 0), "data", 4);
	ck_assert_uint_eq(seen[0], 2);
	ck_assert_uint_eq(seen[1], 2);
	drmperf_session_destroy(sessions[0]);
	drmperf_session_destroy(sessions[1]);
}
END_TEST

static Suite *
session_suite(void)
{
	Suite *suite = suite_create("session");
	TCase *values = tcase_create("values");
	TCase *sharing = tcase_create("sharing");
	TCase *errors = tcase_create("errors");
	TCase *others = tcase_create("forks and listeners");
	TCase *const all[] = { values, sharing, errors, others };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		tcase_add_checked_fixture(all[i], setup, teardown);
		suite_add_tcase(suite, all[i]);
	}
	tcase_add_test(values, values_count_from_start);
	tcase_add_test(values, counters_may_wrap);
	tcase_add_test(values, reset_stop_and_start_again);
	tcase_add_test(values, momentary_values_have_no_base);
	tcase_add_test(values, wrong_order_is_refused);
	tcase_add_test(values, bad_arguments_are_refused);
	tcase_add_test(values, read_mode_comes_from_the_environment);
	tcase_add_test(values, what_does_not_fit_is_refused);
	tcase_add_test(sharing, sessions_share_a_run);
	tcase_add_test(sharing, no_room_beside_a_running_session);
	tcase_add_test(sharing, clock_modes_must_agree);
	tcase_add_test(sharing, runs_that_cannot_change_are_not_shared);
	tcase_add_test(sharing, a_session_spans_domains);
	tcase_add_loop_test(errors, failed_start_gives_everything_back, 0,
			    sizeof(failures) / sizeof(failures[0]));
	tcase_add_test(errors, a_dead_run_is_dead_for_all_its_sessions);
	tcase_add_test(errors, all_counting_can_be_ended);
	tcase_add_test(errors, a_call_in_the_way_does_not_hang_the_end);
	tcase_add_test(errors, a_passing_error_ends_nothing);
	tcase_add_test(errors, a_failed_stop_leaves_no_values);
	tcase_add_test(others, a_child_disturbs_nothing);
	tcase_add_test(others, raw_records_reach_those_who_listen);
	return suite;
}

int
main(void)
{
	return suite_run(session_suite());
}
