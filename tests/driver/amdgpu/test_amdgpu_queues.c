/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compute queues of other processes: what counters see of them without the lock
 * of profilers and with it, who else may have the lock, and what it costs those
 * who do not ask for it.
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/drmsim/kfd_queue.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* Cases of Vega 10. */
static const struct kfd_sizes sizes = { 0x1545000, 0x5000, 0x1555000 };

#define WAVES 10 /* of a dispatch */

static struct drmperf_queue_hold *hold;

static void
set_up(void)
{
	drmsim_command("clear", NULL, 0);
	scene_set("default", "zero");
	scene_set("kfd-profiler", "upstream");
	counting_begin();
	hold = NULL;
}

static void
tear_down(void)
{
	counting_end();
	scene_set("kfd-profiler", "off");
	scene_set("unprivileged", "off");
	scene_assert_clean();
}

TEST_CASE(queues, set_up, tear_down, "amdgpu_queues");
TEST_CASE(no_kfd, set_up, tear_down, "amdgpu_no_kfd");

static int
take_lock(void)
{
	return drmperf_device_hold_queues(
		drmperf_device_at(counting.drmperf, 0), &hold, &counting.error);
}

/* ------------------------------------------------------------------ */
/* Another process                                                      */

static void
other_go(const struct child *other)
{
	child_tell(other);
	child_await(other);
}

/*
 * Begin another process, a user of KFD that has a queue, and that acts at each
 * byte.
 */
static struct child
other_begin(void (*act)(struct kfd_user *user))
{
	struct kfd_user user;
	struct child child;

	if (child_fork(&child)) {
		kfd_user_begin(&user, &sizes);
		kfd_queue_make(&user);
		child_tell(&child);
		while (child_hears(&child)) {
			act(&user);
			child_tell(&child);
		}
		child_end(0);
	}
	child_await(&child);
	return child;
}

/* Dispatch ten groups of a wave. */
static void
user_dispatch(struct kfd_user *user)
{
	static const uint16_t group[3] = { 64, 1, 1 };
	static const uint32_t grid[3] = { 64 * WAVES, 1, 1 };

	kfd_signal(user, 0)->value = 1;
	kfd_put_dispatch(user, BARRIER, group, grid, 0);
	kfd_signal_await(user, 0, 0);
}

static void
lock_other(struct kfd_user *user)
{
	struct kfd_words words = { .at = { 0, user->id, 1, 1 } };

	if (kfd_ask(user->kfd, PROFILER, &words))
		child_end(2);
}

/* ------------------------------------------------------------------ */
/* What is counted                                                      */

static uint64_t
count_waves(struct drmperf_session *session, const struct child *other)
{
	union drmperf_value before, after;

	counting_read(session, &before);
	other_go(other);
	counting_read(session, &after);
	return after.u64 - before.u64;
}

/* Queues that exist, and those that come while the lock is held. */
TEST(queues, held_queues_count_their_waves)
{
	struct drmperf_session *session =
		counting_start(NAMES("amdgpu::SQ.WAVES"));
	struct child earlier = other_begin(user_dispatch), later;

	ck_assert_uint_eq(count_waves(session, &earlier), 0);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_msg(!take_lock(), "%s", counting.error.cause);
		later = other_begin(user_dispatch);
		ck_assert_uint_eq(count_waves(session, &earlier), WAVES);
		ck_assert_uint_eq(count_waves(session, &later), WAVES);
		drmperf_queue_hold_release(hold);
		ck_assert_uint_eq(count_waves(session, &earlier), 0);
		ck_assert_uint_eq(count_waves(session, &later), 0);
		child_finish(&later);
	}
	child_finish(&earlier);
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* What kernels answer                                                  */

static const struct {
	const char *kernel, *unprivileged;
	int result;
	const char *cause, *remedy;
} kernels[] = {
	{ "upstream", "off", 0, "", "" },
	{ "dkms", "off", 0, "", "" },
	{ "both", "off", 0, "", "" },
	{ "off", "off", -ENOTSUP, "no lock of profilers", "ROCm 7" },
	{ "off", "on", -ENOTSUP, "no lock of profilers", "ROCm 7" },
	{ "upstream", "on", -EACCES, "CAP_PERFMON", "cap_perfmon" },
	{ "dkms", "on", -EACCES, "CAP_PERFMON", "cap_perfmon" },
};

TEST_LOOP(queues, the_kernels_answer_to_a_lock_is_reported, ARRAY_SIZE(kernels))
{
	int ret;

	scene_set("kfd-profiler", kernels[_i].kernel);
	scene_set("unprivileged", kernels[_i].unprivileged);
	ret = take_lock();
	if (kernels[_i].result)
		counting_failed(ret, kernels[_i].result, kernels[_i].cause,
				kernels[_i].remedy);
	else
		ck_assert_msg(!ret, "%s", counting.error.cause);
	drmperf_queue_hold_release(hold);
}

/* One profiler at a time, and a process that is killed is none any more. */
TEST(queues, one_process_at_a_time_has_the_lock)
{
	struct child other = other_begin(lock_other);

	other_go(&other);
	counting_failed(take_lock(), -EBUSY,
			"another profiler (rocprofiler) counts on this GPU",
			"end it");
	child_kill(other.pid);
	close(other.line);
	ck_assert_msg(!take_lock(), "%s", counting.error.cause);
	drmperf_queue_hold_release(hold);
}

/* Expect that the kernel refuses the lock to the other process, which ends. */
static void
other_refused(const struct child *other)
{
	int status;

	child_tell(other);
	ck_assert_int_eq(waitpid(other->pid, &status, 0), other->pid);
	ck_assert_int_eq(WEXITSTATUS(status), 2);
	close(other->line);
}

/* The lock is given back with the last hold. */
TEST(queues, the_last_hold_gives_the_lock_back)
{
	struct child other = other_begin(lock_other);
	struct drmperf_queue_hold *first;

	ck_assert_int_eq(take_lock(), 0);
	first = hold;
	ck_assert_int_eq(take_lock(), 0);
	drmperf_queue_hold_release(first);
	other_refused(&other);
	drmperf_queue_hold_release(hold);
	drmperf_queue_hold_release(NULL);
}

/* A child that releases what its parent holds leaves the lock alone. */
TEST(queues, a_child_leaves_its_parents_lock_alone)
{
	struct child other = other_begin(lock_other);
	pid_t child;

	ck_assert_int_eq(take_lock(), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		child_begin();
		drmperf_queue_hold_release(hold);
		child_end(0);
	}
	child_join(child);
	other_refused(&other);
	drmperf_queue_hold_release(hold);
}

/* Listing and counting alone never ask /dev/kfd anything. */
TEST(queues, the_lock_is_taken_only_when_asked_for)
{
	const uint64_t versions = scene_calls("kfd_get_version");
	const uint64_t locks = scene_calls("kfd_profiler");
	struct drmperf_device *device = drmperf_device_at(counting.drmperf, 0);
	struct drmperf_session *session;
	union drmperf_value value;

	ck_assert_int_eq(drmperf_device_open(device, NULL), 0);
	ck_assert_uint_gt(drmperf_event_count(device), 0);
	session = counting_start(NAMES("amdgpu::SQ.WAVES"));
	counting_read(session, &value);
	drmperf_session_destroy(session);
	ck_assert_uint_eq(scene_calls("kfd_get_version"), versions);
	ck_assert_uint_eq(scene_calls("kfd_profiler"), locks);
	ck_assert_int_eq(take_lock(), 0);
	drmperf_queue_hold_release(hold);
	ck_assert_uint_eq(scene_calls("kfd_get_version"), versions + 1);
}

/* ------------------------------------------------------------------ */

TEST(no_kfd, without_kfd_the_lock_is_not_supported)
{
	counting_failed(take_lock(), -ENOTSUP, "KFD", "");
}

TEST_GPUS("amdgpu_queues", "vega10");
TEST_GPUS("amdgpu_no_kfd", "vega10,kfd=off");

TEST_OPTION(in_processes, true);
