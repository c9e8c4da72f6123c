/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel around a simulated Vega 10, and its command processor: commands
 * that it waits for or does not bear, submissions that are refused, files of
 * processes that fork or are killed.
 */
#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xf86drm.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/drmsim/vega10.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* ---- command buffers */

struct bad_case {
	const char *name;
	unsigned ip;
	uint32_t dwords[6];
	unsigned count;
};

static const struct bad_case bad_cases[] = {
	{ "unknown packet", 1, { 0xc000ee00, 0 }, 2 },
	{ "type 0", 0, { 0x00000100, 0 }, 2 },
	{ "type 1", 0, { 0x40000000, 0 }, 2 },
	{ "cut off", 1, { 0xc0807900, 0x200, HAND_BROADCAST }, 3 },
	{ "outside of UCONFIG", 1, { 0xc0017900, 0x3fff + 1, 0 }, 3 },
	{ "CAM reset on compute", 1, { 0xc0017904, 0x200, HAND_BROADCAST }, 3 },
	{ "PFP_SYNC_ME on compute", 1, { 0xc0004200, 0 }, 2 },
	{ "REG_RMW on compute", 1, { 0xc0022100, 0xc200, 0, 0 }, 4 },
	{ "no memory there",
	  1,
	  { 0xc0044000, 0x00100505, 0, 0, 0x1000, 0x7fff },
	  6 },
	{ "no memory there",
	  0,
	  { 0xc0044000, 0x00100505, 0, 0, 0x1000, 0x7fff },
	  6 },
};

TEST_CASE(kernel, vega10_forget, hand_finish, "drmsim_amdgpu_kernel");

TEST_LOOP(kernel, bad_packet_hangs, ARRAY_SIZE(bad_cases))
{
	const struct bad_case *c = &bad_cases[_i];
	uint64_t sequence, flags = 0;
	uint32_t expired = 0;
	int error;

	hand_open(&hand, 0, c->ip);
	for (unsigned i = 0; i < c->count; i++)
		hand_emit(&hand, c->dwords[i]);
	/* what is cut off has to be at the end */
	ck_assert_int_eq(hand_submit(&hand, &sequence), 0);
	error = hand_wait(&hand, sequence, 1000, &expired);
	ck_assert_int_eq(error, 0);
	ck_assert_msg(!expired, "%s: passed", c->name);
	error = hand_wait(&hand, sequence, AMDGPU_TIMEOUT_INFINITE, &expired);
	ck_assert_msg(error == -ECANCELED, "%s: %d", c->name, error);
	ck_assert_int_eq(amdgpu_cs_query_reset_state2(hand.context, &flags), 0);
	ck_assert_uint_ne(flags & AMDGPU_CTX_QUERY2_FLAGS_RESET, 0);
	ck_assert_uint_ne(flags & AMDGPU_CTX_QUERY2_FLAGS_GUILTY, 0);
	/* the context is of no use any more, a new one is */
	ck_assert_int_eq(hand_submit(&hand, &sequence), -ECANCELED);
	amdgpu_cs_ctx_free(hand.context);
	ck_assert_int_eq(amdgpu_cs_ctx_create2(hand.device, 0, &hand.context),
			 0);
	vega10_leave(&hand);
}

/* Submit nothing but a user fence, the second number of the page. */
static uint64_t
submit_fence(struct hand_gpu *gpu, amdgpu_bo_handle page)
{
	struct amdgpu_cs_ib_info ib = { .ib_mc_address = gpu->ib_address,
					.size = 8 };
	struct amdgpu_cs_request request = {
		.ip_type = gpu->ip,
		.number_of_ibs = 1,
		.ibs = &ib,
		.fence_info = { .handle = page, .offset = 1 },
	};
	amdgpu_bo_handle bos[] = { gpu->ib_bo };

	for (unsigned i = 0; i < 8; i++)
		gpu->ib[i] = 0xffff1000;
	ck_assert_int_eq(amdgpu_bo_list_create(gpu->device, 1, bos, NULL,
					       &request.resources),
			 0);
	ck_assert_int_eq(amdgpu_cs_submit(gpu->context, 0, &request, 1), 0);
	amdgpu_bo_list_destroy(request.resources);
	return request.seq_no;
}

static const struct {
	const char *delay;
	bool is_there; /* at the end of the submission */
} fence_cases[] = { { "0", true }, { "1ms", false } };

/* A user fence has the submission's number once that has ended, or later. */
TEST_LOOP(kernel, a_user_fence_gets_its_submissions_number,
	  ARRAY_SIZE(fence_cases))
{
	struct amdgpu_bo_alloc_request request = {
		.alloc_size = 4096,
		.preferred_heap = AMDGPU_GEM_DOMAIN_GTT,
	};
	amdgpu_bo_handle page;
	uint64_t sequence, *at;
	void *memory;
	uint32_t expired = 0;

	hand_open(&hand, 0, COMPUTE);
	scene_set("late-fences", fence_cases[_i].delay);
	ck_assert_int_eq(amdgpu_bo_alloc(hand.device, &request, &page), 0);
	ck_assert_int_eq(amdgpu_bo_cpu_map(page, &memory), 0);
	memset(memory, 0, 4096);
	at = memory;
	sequence = submit_fence(&hand, page);
	ck_assert_int_eq(hand_wait(&hand, sequence, HAND_MS, &expired), 0);
	ck_assert_int_eq(expired, 1);
	ck_assert_uint_eq(at[1], fence_cases[_i].is_there ? sequence : 0);
	scene_pass(HAND_MS);
	ck_assert_uint_eq(at[1], sequence);
	scene_set("late-fences", "0");
	amdgpu_bo_cpu_unmap(page);
	amdgpu_bo_free(page);
}

/* A wait for what never comes ends, too. */
TEST(kernel, a_wait_for_what_never_comes_ends)
{
	hand_open(&hand, 0, COMPUTE);
	hand_wait_result(&hand, 0, 1, 0xffffffff);
	ck_assert_int_eq(hand_try(&hand, AMDGPU_TIMEOUT_INFINITE), -ECANCELED);
}

/* The processor sees what a process writes while it waits. */
TEST(kernel, wait_for_memory)
{
	uint64_t sequence;
	uint32_t expired = 0;

	hand_open(&hand, 0, COMPUTE);
	hand_wait_result(&hand, 0, 5, 0xff);
	ck_assert_int_eq(hand_submit(&hand, &sequence), 0);
	ck_assert_int_eq(hand_wait(&hand, sequence, 0, &expired), 0);
	ck_assert_int_eq(expired, 0);
	hand.results[0] = 0x105;
	ck_assert_int_eq(
		hand_wait(&hand, sequence, AMDGPU_TIMEOUT_INFINITE, &expired),
		0);
	ck_assert_int_eq(expired, 1);
}

static const struct cond_write {
	uint32_t found, reference, mask;
	unsigned function;
	bool writes;
} cond_writes[] = {
	{ 0x105, 5, 0xff, 3, true },   { 0x106, 5, 0xff, 3, false },
	{ 0x106, 5, 0xff, 4, true },   { 7, 7, 0xffffffff, 6, false },
	{ 8, 7, 0xffffffff, 6, true }, { 6, 7, 0xffffffff, 1, true },
	{ 0, 9, 0xffffffff, 0, true },
};

/* COND_WRITE looks once; it writes to memory or to a register. */
TEST_LOOP(kernel, a_conditional_write_looks_once, ARRAY_SIZE(cond_writes))
{
	const struct cond_write *c = &cond_writes[_i];

	hand_open(&hand, 0, (unsigned)_i % 2);
	hand_set_sh(&hand, COMPUTE_NUM_THREAD_X, 1);
	hand.results[0] = c->found;
	hand.results[1] = 0;
	for (uint32_t to_memory = 0; to_memory < 2; to_memory++) {
		hand_packet(&hand, 0x45, 8);
		hand_emit(&hand, c->function | 1 << 4 | to_memory << 8);
		hand_emit_address(&hand, 0);
		hand_emit(&hand, c->reference);
		hand_emit(&hand, c->mask);
		if (to_memory) {
			hand_emit_address(&hand, 1);
		} else {
			hand_emit(&hand, COMPUTE_NUM_THREAD_X / 4);
			hand_emit(&hand, 0);
		}
		hand_emit(&hand, 0x47);
	}
	hand_copy_to_result(&hand, COMPUTE_NUM_THREAD_X, 2);
	hand_run(&hand);
	ck_assert_uint_eq(hand.results[1], c->writes ? 0x47 : 0);
	ck_assert_uint_eq(hand.results[2], c->writes ? 0x47 : 1);
}

/* All 64 bits are compared. */
TEST(kernel, wait_for_64_bits)
{
	uint64_t sequence;
	uint32_t expired = 0;

	hand_open(&hand, 0, COMPUTE);
	hand.results[0] = 5;
	hand.results[1] = 1;
	hand_packet(&hand, 0x93, 8);
	hand_emit(&hand, 3 | 1 << 4);
	hand_emit_address(&hand, 0);
	hand_emit(&hand, 5);
	hand_emit(&hand, 2);
	hand_emit(&hand, 0xffffffff);
	hand_emit(&hand, 0xffffffff);
	hand_emit(&hand, 4);
	ck_assert_int_eq(hand_submit(&hand, &sequence), 0);
	ck_assert_int_eq(hand_wait(&hand, sequence, 0, &expired), 0);
	ck_assert_int_eq(expired, 0);
	hand.results[1] = 2;
	ck_assert_int_eq(
		hand_wait(&hand, sequence, AMDGPU_TIMEOUT_INFINITE, &expired),
		0);
	ck_assert_int_eq(expired, 1);
}

/* Two ranges, from memory with a place for each register of the window. */
TEST_LOOP(kernel, registers_are_loaded_from_their_places, 2)
{
	unsigned first = (COMPUTE_NUM_THREAD_X - 0xb000) / 4;
	unsigned second = (COMPUTE_PERFCOUNT_ENABLE - 0xb000) / 4;

	hand_open(&hand, 0, (unsigned)_i);
	hand.results[first] = 17;
	hand.results[first + 1] = 18;
	hand.results[second] = 1;
	hand_packet(&hand, 0x5f, 6);
	hand_emit_address(&hand, 0);
	hand_emit(&hand, first);
	hand_emit(&hand, 2);
	hand_emit(&hand, second);
	hand_emit(&hand, 1);
	hand_copy_to_result(&hand, COMPUTE_NUM_THREAD_X, 0);
	hand_copy_to_result(&hand, COMPUTE_NUM_THREAD_X + 4, 1);
	hand_copy_to_result(&hand, COMPUTE_PERFCOUNT_ENABLE, 2);
	hand_run(&hand);
	ck_assert_uint_eq(hand.results[0], 17);
	ck_assert_uint_eq(hand.results[1], 18);
	ck_assert_uint_eq(hand.results[2], 1);
}

/* What the end of its own work writes is waited for in simulated time. */
TEST(kernel, wait_for_own_end)
{
	uint64_t before, after;

	hand_open(&hand, 0, COMPUTE);
	hand_dispatch(&hand, 1, 64, 1);
	hand_packet(&hand, 0x49, 7);
	hand_emit(&hand, 40 | 5 << 8);
	hand_emit(&hand, 1u << 29);
	hand_emit_address(&hand, 0);
	hand_emit(&hand, 4711);
	hand_emit(&hand, 0);
	hand_emit(&hand, 0);
	hand_wait_result(&hand, 0, 4711, 0xffffffff);
	ck_assert_int_eq(drmsim_now(&before), 0);
	hand_run(&hand);
	ck_assert_int_eq(drmsim_now(&after), 0);
	ck_assert_uint_eq(hand.results[0], 4711);
	ck_assert_uint_eq(after - before, 10000);
}

TEST(kernel, buffer_not_listed)
{
	hand_open(&hand, 0, COMPUTE);
	hand.forget_result = true;
	hand_copy_to_result(&hand, 0x8010, 0);
	ck_assert_int_eq(hand_try(&hand, AMDGPU_TIMEOUT_INFINITE), -ECANCELED);
}

/* ---- the kernel's rules */

TEST(kernel, bad_submissions_are_refused)
{
	uint64_t sequence;

	hand_open(&hand, 0, COMPUTE);
	hand.ip = AMDGPU_HW_IP_UVD;
	ck_assert_int_eq(hand_submit(&hand, &sequence), -EINVAL);
	hand.ip = 77;
	ck_assert_int_eq(hand_submit(&hand, &sequence), -EINVAL);
	hand.ip = COMPUTE;
	ck_assert_int_eq(drmsim_fault("cs:1:ENOMEM"), 0);
	ck_assert_int_eq(hand_submit(&hand, &sequence), -ENOMEM);
	hand_run(&hand);
}

TEST(kernel, registers_by_ioctl)
{
	uint32_t value;
	unsigned busy = 0;

	hand_open(&hand, 0, COMPUTE);
	scene_set("busy", "gui 37.5");
	for (unsigned i = 0; i < 80; i++) {
		ck_assert_int_eq(amdgpu_read_mm_registers(hand.device, 0x2004,
							  1, 0xffffffff, 0,
							  &value),
				 0);
		busy += value >> 31;
	}
	ck_assert_uint_eq(busy, 30);
	/* counters are not given away, nor engines that are not there */
	ck_assert_int_eq(amdgpu_read_mm_registers(hand.device, 0x34700 / 4, 1,
						  0xffffffff, 0, &value),
			 -EFAULT);
	ck_assert_int_eq(amdgpu_read_mm_registers(hand.device, 0x2004, 1,
						  0xff09, 0, &value),
			 -EINVAL);
}

static int
set_pstate(struct hand_gpu *gpu, uint32_t level)
{
	return amdgpu_cs_ctx_stable_pstate(
		gpu->context, AMDGPU_CTX_OP_SET_STABLE_PSTATE, level, NULL);
}

static uint32_t
read_pstate(struct hand_gpu *gpu)
{
	uint32_t level = 77;

	ck_assert_int_eq(amdgpu_cs_ctx_stable_pstate(
				 gpu->context, AMDGPU_CTX_OP_GET_STABLE_PSTATE,
				 0, &level),
			 0);
	return level;
}

TEST(kernel, one_process_at_a_time_has_the_pstate)
{
	struct hand_gpu first, second;

	hand_open(&first, 0, COMPUTE);
	hand_open(&second, 0, COMPUTE);
	ck_assert_int_eq(set_pstate(&first, AMDGPU_CTX_STABLE_PSTATE_PEAK), 0);
	ck_assert_int_eq(set_pstate(&second, AMDGPU_CTX_STABLE_PSTATE_STANDARD),
			 -EBUSY);
	ck_assert_uint_eq(read_pstate(&second), AMDGPU_CTX_STABLE_PSTATE_PEAK);
	ck_assert_uint_eq(hand_notes("violation", "pstate"), 0);
	amdgpu_cs_ctx_free(first.context);
	ck_assert_uint_eq(hand_notes("violation", "pstate"), 1);
	ck_assert_uint_eq(read_pstate(&second), AMDGPU_CTX_STABLE_PSTATE_NONE);
	ck_assert_int_eq(amdgpu_cs_ctx_create2(first.device, 0, &first.context),
			 0);
	hand_close(&first);
	hand_close(&second);
}

/* ---- open files */

/* Begin a process that has lock and power state until it is killed. */
static pid_t
begin_holder(void)
{
	struct hand_gpu gpu;
	struct child child;

	if (child_fork(&child)) {
		hand_open(&gpu, 0, COMPUTE);
		ck_assert_int_eq(flock(gpu.fd, LOCK_EX | LOCK_NB), 0);
		set_pstate(&gpu, AMDGPU_CTX_STABLE_PSTATE_PEAK);
		child_hold(&child);
	}
	return child_await_hold(&child);
}

/* Lock and power state go with a process that is killed. */
TEST(kernel, a_killed_process_loses_lock_and_pstate)
{
	pid_t pid = begin_holder();

	hand_open(&hand, 0, COMPUTE);
	ck_assert_int_eq(flock(hand.fd, LOCK_EX | LOCK_NB), -1);
	ck_assert_int_eq(errno, EWOULDBLOCK);
	ck_assert_uint_eq(read_pstate(&hand), AMDGPU_CTX_STABLE_PSTATE_PEAK);
	child_kill(pid);
	ck_assert_uint_eq(hand_notes("cleanup", "pstate"), 1);
	ck_assert_uint_eq(hand_notes("violation", "pstate"), 0);
	ck_assert_int_eq(flock(hand.fd, LOCK_EX | LOCK_NB), 0);
	ck_assert_uint_eq(read_pstate(&hand), AMDGPU_CTX_STABLE_PSTATE_NONE);
	hand_close(&hand);
}

/* EA: with a switch of its own, which CP_PERFMON_CNTL does not touch. */
#define EA_CONFIG 0xabe8
#define EA_CONTROL 0xabec

static void
run_ea_counter(struct hand_gpu *gpu)
{
	vega10_prepare(gpu);
	hand_copy_to_register(gpu, EA_CONFIG, 55 | 1u << 28 | 1u << 29);
	hand_copy_to_register(gpu, EA_CONTROL, 1u << 24);
	hand_run(gpu);
}

/* A process that was killed left this; who counts after it is not blamed. */
TEST(kernel, left_by_another)
{
	struct hand_gpu gpu;
	struct child child;

	if (child_fork(&child)) {
		hand_open(&gpu, 0, COMPUTE);
		run_ea_counter(&gpu);
		child_hold(&child);
	}
	child_kill(child_await_hold(&child));
	ck_assert_uint_eq(hand_notes("cleanup", "counters"), 1);
	ck_assert_uint_eq(hand_notes("cleanup", "clock-bit"), 1);

	hand_open(&hand, 0, COMPUTE);
	vega10_prepare(&hand);
	hand_set_uconfig(&hand, 0x36104, 20);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	hand_run(&hand);
	vega10_leave(&hand);
	hand_close(&hand);
	ck_assert_uint_eq(hand_notes("violation", "counters-running"), 0);
	ck_assert_uint_eq(hand_notes("violation", "clock-bit"), 0);

	/* but who runs it again must stop it */
	hand_open(&hand, 0, COMPUTE);
	run_ea_counter(&hand);
	vega10_leave(&hand);
	hand_close(&hand);
	ck_assert_uint_eq(hand_notes("violation", "counters-running"), 1);
	hand_open(&hand, 0, COMPUTE);
	hand_copy_to_register(&hand, EA_CONTROL, 0);
	hand_run(&hand);
	vega10_leave(&hand);
	hand_close(&hand);
}

/* Open and close until this process is killed, or its GPU goes. */
static _Noreturn void
open_and_close(void)
{
	int fd;

	while ((fd = open(HAND_NODE, O_RDWR)) >= 0)
		close(fd);
	_exit(1);
}

/* The news of others' closings come in between. */
TEST(kernel, killed_among_others)
{
	pid_t other = fork();

	if (other == 0)
		open_and_close();
	for (unsigned i = 1; i <= 30; i++) {
		child_kill(begin_holder());
		ck_assert_uint_eq(hand_notes("violation", "pstate"), 0);
	}
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
}

static bool
is_answered(int fd)
{
	drmVersionPtr version = drmGetVersion(fd);
	bool good = version && strcmp(version->name, "amdgpu") == 0;

	drmFreeVersion(version);
	return good;
}

/* A duplicate is the same open file; so is what a child inherits. */
TEST(kernel, a_duplicate_is_the_same_open_file)
{
	int fd = open(HAND_NODE, O_RDWR), copy = dup(fd), status;
	struct drm_version version = { 0 };
	struct stat node;
	pid_t pid;

	ck_assert_int_eq(fstat(fd, &node), 0);
	ck_assert(S_ISCHR(node.st_mode));
	ck_assert_uint_eq(major(node.st_rdev), 226);
	ck_assert_uint_eq(minor(node.st_rdev), 128);
	close(fd);
	pid = fork();
	if (pid == 0)
		_exit(is_answered(copy) ? 0 : 1);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert(is_answered(copy));
	close(copy);
	ck_assert_int_eq(ioctl(copy, DRM_IOCTL_VERSION, &version), -1);
	ck_assert_int_eq(errno, EBADF);
}

static volatile sig_atomic_t alarms;

static void
count_alarm(int number)
{
	(void)number;
	alarms++;
}

/*
 * A sleeping call ends with a signal, as its handler asks for. Signals come
 * until one does: the first may be there before the call.
 */
TEST(kernel, a_signal_ends_a_sleeping_call)
{
	const struct itimerval repeated = { { 0, 50000 }, { 0, 50000 } };
	const struct itimerval never = { 0 };
	struct sigaction action = { .sa_handler = count_alarm };
	struct drm_syncobj_create create = { 0 };
	struct drm_syncobj_wait wait = {
		.count_handles = 1,
		.timeout_nsec = INT64_MAX,
		.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
	};
	int fd = open(HAND_NODE, O_RDWR);

	ck_assert_int_eq(ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &create), 0);
	wait.handles = (uintptr_t)&create.handle;
	ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &repeated, NULL), 0);
	ck_assert_int_eq(ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait), -1);
	ck_assert_int_eq(errno, EINTR);
	setitimer(ITIMER_REAL, &never, NULL);
	ck_assert_int_ge(alarms, 1);
	/* and the connection is as good as before */
	ck_assert(is_answered(fd));
	close(fd);
}

TEST(kernel, a_bad_pointer_is_refused)
{
	int fd = open(HAND_NODE, O_RDWR);

	ck_assert_int_eq(ioctl(fd, DRM_IOCTL_VERSION, (void *)16), -1);
	ck_assert_int_eq(errno, EFAULT);
	ck_assert_int_eq(ioctl(fd, DRM_IOWR(0x3f, int), NULL), -1);
	ck_assert_int_eq(errno, EINVAL);
	close(fd);
}

TEST_GPUS("drmsim_amdgpu_kernel", "vega10");
