/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queues that a program writes itself: what the kernel wants of their buffers,
 * and what the simulated GPU does with packets of HSA.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/drmsim/kfd_client.h"
#include "tests/drmsim/kfd_commands.h"
#include "tests/drmsim/sqtt_tokens.h"
#include "tests/drmsim/kfd_queue.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#include "drmsim/control.h"

/* Values of Vega 10, and of MI300 with its eight dies. */
static const struct kfd_sizes vega10_sizes = { 0x1545000, 0x5000, 0x1555000 };
static const struct kfd_sizes mi300_sizes = { 0x1621000, 0x3000, 0xb167000 };

static struct kfd_user user;
static unsigned dies;

static void
set_up(void)
{
	const bool is_mi300 = kfd_node_has(1, "properties", "num_xcc 8");

	drmsim_command("clear", NULL, 0);
	scene_set("default", "zero");
	scene_set("doubts", "best");
	dies = is_mi300 ? 8 : 1;
	kfd_user_begin(&user, is_mi300 ? &mi300_sizes : &vega10_sizes);
}

static void
tear_down(void)
{
	kfd_user_end(&user);
}

TEST_CASE(queues, set_up, tear_down, "drmsim_kfd_queues");

/* ---- creating */

static const struct change {
	unsigned offset; /* of a dword of the argument */
	uint32_t value;
	int result;
} changes[] = {
	{ 44, 101, -EINVAL }, /* percent */
	{ 44, 1 << 8 | 50, 0 }, /* and a die */
	{ 48, 16, -EINVAL }, /* priority */
	{ 32, 4097, -EINVAL }, /* size of the ring */
	{ 32, 2048, -EINVAL }, /* that is not its buffer's */
	{ 36, 1, -EINVAL }, /* GPU */
	{ 40, 9, -524 }, /* type */
	{ 4, 0x00010000, -EFAULT }, /* address of the ring */
	{ 0, 0x40, 0 }, /* within its first page */
	{ 0, 0x1000, -EINVAL }, /* not at its begin */
	{ 8, 0x70000030, -EINVAL }, /* no such pointer */
	{ 56, 0x1000, -EINVAL }, /* EOP: no such buffer */
	{ 72, 0x40, -EINVAL }, /* saved state */
	{ 80, 0x1000, -EINVAL }, /* and its size */
	{ 84, 0x1000, -EINVAL }, /* and its stack's */
};

TEST_LOOP(queues, arguments_decide_whether_a_queue_is_made, ARRAY_SIZE(changes))
{
	struct kfd_words words;
	const struct change *change = &changes[_i];

	kfd_queue_describe(&user, &words);
	if (change->offset == 0)
		words.at[0] += change->value;
	else
		words.at[change->offset / 4] = change->value;
	ck_assert_int_eq(kfd_ask(user.kfd, CREATE_QUEUE, &words),
			 change->result);
}

/* Ids and doorbells are the lowest free; the offset has nothing else in it. */
TEST(queues, queues_get_the_lowest_free_numbers)
{
	const uint64_t base = 3ull << 62 | (uint64_t)user.id << 46;
	struct kfd_words words;
	uint32_t id = 1;

	for (unsigned i = 0; i < 3; i++) {
		kfd_queue_describe(&user, &words);
		ck_assert_int_eq(kfd_ask(user.kfd, CREATE_QUEUE, &words), 0);
		ck_assert_uint_eq(words.at[13], i);
		ck_assert_uint_eq(kfd_get64(&words, 24), base + 8 * i);
	}
	ck_assert_int_eq(kfd_of_event(user.kfd, DESTROY_QUEUE, id), 0);
	ck_assert_int_eq(kfd_of_event(user.kfd, DESTROY_QUEUE, id), -EINVAL);
	ck_assert_uint_eq(kfd_queue_make(&user), id);
	/* a queue keeps its buffers */
	ck_assert_int_eq(kfd_unmap(user.kfd, user.ring.handle, &user.id, 1),
			 -EBUSY);
	ck_assert_int_eq(kfd_unmap(user.kfd, user.save.handle, &user.id, 1),
			 -EBUSY);
	ck_assert_int_eq(kfd_unmap(user.kfd, user.data.handle, &user.id, 1), 0);
}

/* ---- packets */

static const uint16_t group_64[3] = { 64, 1, 1 };
static const uint32_t grid_640[3] = { 640, 1, 1 };

/* A packet ends after its work, and tells so in its signal. */
TEST(queues, a_packet_signals_its_end)
{
	struct kfd_signal *signal = kfd_signal(&user, 0);
	uint64_t before, after;

	kfd_queue_make(&user);
	scene_set("wave-time", "1ms");
	signal->value = 1;
	ck_assert_int_eq(drmsim_now(&before), 0);
	kfd_put_dispatch(&user, 0, group_64, grid_640, 0);
	/* no call tells that it is waited for */
	kfd_signal_await(&user, 0, 0);
	ck_assert_int_eq(drmsim_now(&after), 0);
	ck_assert_uint_eq(after - before, MS);
	/* Vega 10 counts 27 MHz, MI300 100 */
	ck_assert_uint_eq(signal->end - signal->start,
			  dies > 1 ? 100000 : 27000);
	ck_assert_uint_eq(((uint64_t *)user.pointers.at)[16], 1);
	ck_assert_uint_eq(*(uint16_t *)user.ring.at, 1);
	scene_set("wave-time", "10us");
	ck_assert_uint_eq(scene_violations(), 0);
}

/* The mailbox is written and the event set when the value is there. */
TEST(queues, a_signal_sets_its_event)
{
	struct kfd_signal *signal = kfd_signal(&user, 0);
	struct kfd_event_args event = { .page = user.page.handle,
					.auto_reset = 1 };
	struct kfd_told told = { .id = 0 };

	ck_assert_int_eq(kfd_create_event(user.kfd, &event), 0);
	told.id = event.id;
	signal->value = 2;
	signal->mailbox = user.page.address + 8 * event.slot;
	signal->event = event.id;
	kfd_queue_make(&user);
	for (unsigned i = 0; i < 2; i++) {
		kfd_put_dispatch(&user, 0, group_64, grid_640, 0);
		ck_assert_int_eq(
			kfd_wait(user.kfd, &told, 1, true, KFD_FOR_EVER, NULL),
			0);
		ck_assert_int_eq(signal->value, 1 - (int)i);
		ck_assert_uint_eq(((uint64_t *)user.page.at)[event.slot],
				  UINT64_MAX);
	}
	ck_assert_int_eq(kfd_wait(user.kfd, &told, 1, true, 0, NULL), 1);
	ck_assert_uint_eq(scene_violations(), 0);
}

static void
let_it_look(void)
{
	uint64_t now;

	/* queues are looked at before a call is answered */
	for (unsigned i = 0; i < 3; i++)
		ck_assert_int_eq(drmsim_now(&now), 0);
}

TEST_LOOP(queues, a_barrier_packet_waits_for_its_signals, 2)
{
	const bool any = _i;

	for (unsigned i = 0; i < 4; i++)
		kfd_signal(&user, i)->value = 1;
	kfd_queue_make(&user);
	kfd_put_barrier(&user, 0, any, 0, 1, 2);
	kfd_put_dispatch(&user, 0, group_64, grid_640, 3);
	let_it_look();
	ck_assert_int_eq(kfd_signal(&user, 2)->value, 1);
	kfd_signal(&user, 1)->value = 0;
	if (!any) {
		let_it_look();
		ck_assert_int_eq(kfd_signal(&user, 2)->value, 1);
		ck_assert_int_eq(kfd_signal(&user, 3)->value, 1);
		kfd_signal(&user, 0)->value = 0;
	}
	kfd_signal_await(&user, 2, 0);
	kfd_signal_await(&user, 3, 0);
	ck_assert_uint_eq(scene_violations(), 0);
}

/* With the barrier bit a packet begins when all before it have ended. */
TEST_LOOP(queues, the_barrier_bit_waits_for_earlier_packets, 2)
{
	const struct kfd_signal *first = kfd_signal(&user, 0);
	const struct kfd_signal *second = kfd_signal(&user, 1);

	kfd_signal(&user, 0)->value = kfd_signal(&user, 1)->value = 1;
	kfd_put_dispatch(&user, 0, group_64, grid_640, 0);
	kfd_put_dispatch(&user, _i ? BARRIER : 0, group_64, grid_640, 1);
	kfd_queue_make(&user);
	kfd_signal_await(&user, 1, 0);
	if (_i)
		ck_assert_uint_ge(second->start, first->end);
	else
		ck_assert_uint_lt(second->start, first->end);
}

/* The ring goes round; a slot without a packet stops the queue. */
TEST(queues, the_ring_wraps_and_stops_at_an_empty_slot)
{
	const uint32_t invalid[16] = { 1 };
	uint32_t *slot = user.ring.at;

	kfd_queue_make(&user);
	for (unsigned i = 1; i <= 2 * QUEUE_SLOTS; i++) {
		kfd_signal(&user, 0)->value = 1;
		kfd_put_barrier(&user, 0, false, NO_SIGNAL, NO_SIGNAL, 0);
		kfd_signal_await(&user, 0, 0);
		ck_assert_uint_eq(((uint64_t *)user.pointers.at)[16], i);
	}
	kfd_signal(&user, 0)->value = 2;
	kfd_put_packet(&user, invalid);
	kfd_put_barrier(&user, 0, false, NO_SIGNAL, NO_SIGNAL, 0);
	let_it_look();
	ck_assert_int_eq(kfd_signal(&user, 0)->value, 2);
	/* its header comes late */
	slot[0] = 3;
	kfd_signal_await(&user, 0, 1);
}

/* At 0 percent the GPU does not look at the queue. */
TEST(queues, a_queue_of_zero_percent_is_not_looked_at)
{
	struct kfd_words words = { .at = { 0 } };

	words.at[2] = kfd_queue_make(&user);
	kfd_put64(&words, 0, user.ring.address);
	words.at[3] = QUEUE_SLOTS * 64;
	words.at[5] = 7;
	ck_assert_int_eq(kfd_ask(user.kfd, UPDATE_QUEUE, &words), 0);
	kfd_signal(&user, 0)->value = 1;
	kfd_put_barrier(&user, 0, false, NO_SIGNAL, NO_SIGNAL, 0);
	let_it_look();
	ck_assert_int_eq(kfd_signal(&user, 0)->value, 1);
	words.at[4] = 100;
	ck_assert_int_eq(kfd_ask(user.kfd, UPDATE_QUEUE, &words), 0);
	kfd_signal_await(&user, 0, 0);
	words.at[2] = 9;
	ck_assert_int_eq(kfd_ask(user.kfd, UPDATE_QUEUE, &words), -EFAULT);
}

/* ---- counting */

static const struct grid {
	uint16_t group[3];
	uint32_t grid[3];
	unsigned groups, waves;
} grids[] = {
	{ { 64, 1, 1 }, { 64, 1, 1 }, 1, 1 },
	{ { 256, 1, 1 }, { 100096, 1, 1 }, 391, 1564 },
	{ { 65, 1, 1 }, { 650, 1, 1 }, 10, 20 },
	/* the last group is smaller */
	{ { 256, 1, 1 }, { 1000, 1, 1 }, 4, 16 },
	{ { 256, 1, 1 }, { 1025, 1, 1 }, 5, 17 },
	{ { 8, 8, 4 }, { 20, 20, 4 }, 9, 4 * 4 + 2 * 2 + 2 * 2 + 1 },
};

/*
 * Count the waves of some dispatches, whether the queue says so or something
 * else does; a dword for each engine of each die.
 */
static const uint32_t *
count_waves(const uint16_t group[3], const uint32_t grid[3], unsigned times,
	    bool is_enabled)
{
	unsigned begin;

	kfd_commands_clear(&user);
	kfd_emit_start(&user);
	if (is_enabled)
		kfd_emit_sh_register(&user, PERFCOUNT_ENABLE, 1);
	kfd_signal(&user, 0)->value = 1;
	kfd_put_commands(&user, 0, 0, user.dwords, NO_SIGNAL);
	for (unsigned i = 0; i < times; i++)
		kfd_put_dispatch(&user, BARRIER, group, grid, NO_SIGNAL);
	begin = user.dwords;
	kfd_emit_read(&user, dies, 4);
	if (is_enabled)
		kfd_emit_sh_register(&user, PERFCOUNT_ENABLE, 0);
	kfd_put_commands(&user, BARRIER, begin, user.dwords, 0);
	kfd_signal_await(&user, 0, 0);
	return user.data.at;
}

/* Waves count where the queue allows it, on all dies together exactly. */
TEST_LOOP(queues, waves_count_where_the_queue_allows_it, 2 * ARRAY_SIZE(grids))
{
	const struct grid *grid = &grids[_i / 2];
	const bool is_enabled = _i % 2;
	const uint32_t *values;
	unsigned total = 0, least = UINT32_MAX, most = 0;

	kfd_queue_make(&user);
	values = count_waves(grid->group, grid->grid, 3, is_enabled);
	for (unsigned die = 0; die < dies; die++) {
		unsigned of_die = 0;

		for (unsigned se = 0; se < 4; se++)
			of_die += values[4 * die + se];
		total += of_die;
		least = of_die < least ? of_die : least;
		most = of_die > most ? of_die : most;
	}
	ck_assert_uint_eq(total, is_enabled ? 3 * grid->waves : 0);
	/* of each dispatch, dies differ by one group at most */
	ck_assert_uint_le(most - least, 3 * ((grid->waves + grid->groups - 1) /
					     grid->groups));
	ck_assert_uint_eq(scene_violations(), 0);
}

/* ---- thread traces, as aqlprofile arms them: gfx9's of each engine */

#define TRACE_SIZE 0x10000u
#define TRACE_BASE 0x30cc0u
#define TRACE_MODE 0x30cd8u
#define TRACE_BUSY (1u << 30)
/* Dwords for an engine, and for what names all of them behind. */
#define ARM_DWORDS (9 * REGISTER_DWORDS)
#define STOP_DWORDS (2 * REGISTER_DWORDS + 7 + COPY_DWORDS)

static void
emit_arm(uint64_t at, unsigned se)
{
	kfd_emit_register(&user, 0x30800, 0x40000000 | se << 16);
	kfd_emit_register(&user, TRACE_BASE + 0x1c, (uint32_t)(at >> 44));
	kfd_emit_register(&user, TRACE_BASE, (uint32_t)(at >> 12));
	kfd_emit_register(&user, TRACE_BASE + 4, TRACE_SIZE >> 12);
	kfd_emit_register(&user, TRACE_BASE + 0x14, 1u << 31);
	kfd_emit_register(&user, TRACE_BASE + 8, 0xcf80);
	kfd_emit_register(&user, TRACE_BASE + 0xc, 0xffbfff);
	kfd_emit_register(&user, TRACE_BASE + 0x28, 0);
	kfd_emit_register(&user, TRACE_MODE, 0x6249249);
}

static void
emit_stop(unsigned number, unsigned se)
{
	kfd_emit_register(&user, 0x30800, 0x40000000 | se << 16);
	kfd_emit_register(&user, TRACE_MODE, 0x6049249);
	kfd_emit_wait(&user, WAIT_REGISTER, (TRACE_BASE + 0x28) / 4, 0,
		      TRACE_BUSY);
	kfd_emit_copy(&user, COPY_FROM_COUNTER | COPY_TO_MEMORY | COPY_CONFIRM,
		      TRACE_BASE + 0x24, user.data.address + 4 * number);
}

/* Emit traces for each engine of each die. */
static void
emit_traces(const struct kfd_buffer *buffer, bool arms)
{
	const unsigned dwords =
		4 * (arms ? ARM_DWORDS : STOP_DWORDS) + REGISTER_DWORDS;

	for (unsigned die = 0; die < dies; die++) {
		if (dies > 1)
			kfd_emit_for_die(&user, die, dwords);
		for (unsigned se = 0; se < 4; se++) {
			const unsigned number = 4 * die + se;

			if (arms)
				emit_arm(buffer->address + number * TRACE_SIZE,
					 se);
			else
				emit_stop(number, se);
		}
		kfd_emit_register(&user, 0x30800, 0xe0000000);
	}
}

/* A process's own queues are traced, on all dies: waves are those of grids. */
TEST(queues, queues_of_a_process_are_traced)
{
	const uint32_t *units = user.data.at;
	struct kfd_buffer buffer;
	struct sqtt_stream stream;
	unsigned begin, starts = 0, ends = 0;

	scene_set("performance-level", "profile_standard");
	kfd_user_alloc(&user, &buffer, 4ull * dies * TRACE_SIZE);
	kfd_commands_clear(&user);
	emit_traces(&buffer, true);
	kfd_emit_sh_register(&user, THREAD_TRACE_ENABLE, 1);
	kfd_queue_make(&user);
	kfd_signal(&user, 0)->value = 1;
	kfd_put_commands(&user, 0, 0, user.dwords, NO_SIGNAL);
	for (unsigned i = 0; i < 3; i++)
		kfd_put_dispatch(&user, BARRIER, group_64, grid_640, NO_SIGNAL);
	begin = user.dwords;
	kfd_emit_sh_register(&user, THREAD_TRACE_ENABLE, 0);
	/* EVENT_WRITE: the traces finish */
	kfd_emit(&user, 0xc0004600);
	kfd_emit(&user, 0x37);
	emit_traces(&buffer, false);
	kfd_put_commands(&user, BARRIER, begin, user.dwords, 0);
	kfd_signal_await(&user, 0, 0);
	for (unsigned i = 0; i < 4 * dies; i++) {
		ck_assert_uint_gt(units[i], 0);
		ck_assert(sqtt_decode(SQTT_WORDS,
				      (uint8_t *)buffer.at + i * TRACE_SIZE,
				      units[i] * 32ull, &stream));
		starts += (unsigned)stream.starts;
		ends += (unsigned)stream.ends;
	}
	ck_assert_uint_eq(starts, 3 * 10);
	ck_assert_uint_eq(ends, starts);
	scene_set("performance-level", "auto");
	ck_assert_uint_eq(scene_violations(), 0);
}

/* A process that is killed while its queues are traced leaves that armed. */
TEST(queues, killing_a_tracing_process_is_a_violation)
{
	struct kfd_buffer buffer;
	int status;
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		kfd_user_begin(&user, dies > 1 ? &mi300_sizes : &vega10_sizes);
		kfd_user_alloc(&user, &buffer, 4ull * dies * TRACE_SIZE);
		kfd_commands_clear(&user);
		emit_traces(&buffer, true);
		kfd_queue_make(&user);
		kfd_signal(&user, 0)->value = 1;
		kfd_put_commands(&user, 0, 0, user.dwords, 0);
		kfd_signal_await(&user, 0, 0);
		drmsim_command("clear", NULL, 0);
		raise(SIGKILL);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	ck_assert_uint_eq(scene_violations(), 1);
}

/* ---- the lock of profilers */

static int
change_lock(int kfd, unsigned code, uint32_t id, uint32_t lock)
{
	struct kfd_words words = { .at = { 0, id, lock, lock } };

	return kfd_ask(kfd, code, &words);
}

/* Count the ten waves of a dispatch, though the queue does not say so. */
static unsigned
count_ten_waves(void)
{
	const uint32_t *values = count_waves(group_64, grid_640, 1, false);
	unsigned total = 0;

	for (unsigned i = 0; i < 4 * dies; i++)
		total += values[i];
	return total;
}

static const struct kernel {
	const char *kernel;
	uint32_t minor;
	int upstream, dkms;
} kernels[] = {
	{ "off", 17, -ENOTTY, -ENOTTY },
	{ "upstream", 23, 0, -ENOTTY },
	{ "dkms", 17, -ENOTTY, 0 },
	{ "both", 23, 0, 0 },
};

TEST_LOOP(queues, the_profiler_call_has_the_kernels_number, ARRAY_SIZE(kernels))
{
	const struct kernel *c = &kernels[_i];
	struct kfd_words words = { .at = { 2 } };

	scene_set("kfd-profiler", c->kernel);
	ck_assert_int_eq(kfd_ask(user.kfd, PROFILER, &words), c->upstream);
	ck_assert_uint_eq(words.at[1], !c->upstream);
	words = (struct kfd_words){ .at = { 2 } };
	ck_assert_int_eq(kfd_ask(user.kfd, PROFILER_DKMS, &words), c->dkms);
	ck_assert_uint_eq(words.at[1], !c->dkms);
	ck_assert_int_eq(kfd_ask(user.kfd, GET_VERSION, &words), 0);
	ck_assert_uint_eq(words.at[1], c->minor);
	scene_set("kfd-profiler", "off");
}

/* While it is held all queues count, those of before and those of later. */
TEST_LOOP(queues, a_held_profiler_lets_all_queues_count, 4)
{
	const unsigned code = _i % 2 ? PROFILER_DKMS : PROFILER;
	const bool is_late = _i / 2;

	scene_set("kfd-profiler", "both");
	if (!is_late)
		kfd_queue_make(&user);
	ck_assert_int_eq(change_lock(user.kfd, code, user.id, 1), 0);
	if (is_late)
		kfd_queue_make(&user);
	ck_assert_uint_eq(count_ten_waves(), 10);
	ck_assert_int_eq(change_lock(user.kfd, code, user.id, 0), 0);
	ck_assert_uint_eq(count_ten_waves(), 0);
	scene_set("kfd-profiler", "off");
}

TEST(queues, one_process_at_a_time_holds_the_profiler)
{
	struct kfd_user other;
	struct child child;
	int kfd = kfd_open();
	pid_t pid;

	scene_set("kfd-profiler", "upstream");
	ck_assert_int_eq(change_lock(user.kfd, PROFILER, 1, 1), -EINVAL);
	ck_assert_int_eq(change_lock(user.kfd, PROFILER, user.id, 0), -EINVAL);
	scene_set("unprivileged", "on");
	ck_assert_int_eq(change_lock(user.kfd, PROFILER, user.id, 1), -EPERM);
	scene_set("unprivileged", "off");
	ck_assert_int_eq(change_lock(user.kfd, PROFILER, user.id, 1), 0);
	ck_assert_int_eq(change_lock(user.kfd, PROFILER, user.id, 1),
			 -EALREADY);
	/* it is the process's, whichever file asks */
	ck_assert_int_eq(change_lock(kfd, PROFILER, user.id, 0), 0);
	if (child_fork(&child)) {
		kfd_user_begin(&other, dies > 1 ? &mi300_sizes : &vega10_sizes);
		if (change_lock(other.kfd, PROFILER, other.id, 1))
			_exit(1);
		/* the lock outlives the files */
		kfd_user_end(&other);
		child_hold(&child);
	}
	pid = child_await_hold(&child);
	ck_assert_int_eq(change_lock(user.kfd, PROFILER, user.id, 1), -EBUSY);
	ck_assert_int_eq(change_lock(user.kfd, PROFILER, user.id, 0), -EINVAL);
	child_kill(pid);
	ck_assert_int_eq(change_lock(user.kfd, PROFILER, user.id, 1), 0);
	close(kfd);
	scene_set("kfd-profiler", "off");
}

/* ---- what goes wrong */

/* A packet that reaches for nothing stops its queue, and the process hears. */
TEST(queues, a_faulting_packet_stops_its_queue)
{
	struct kfd_event_args event = { .type = 8 };
	struct kfd_told told;
	uint32_t words[16] = { 2 | 1 << 16, 64 | 1 << 16, 1, 64, 1, 1 };

	ck_assert_int_eq(kfd_create_event(user.kfd, &event), 0);
	told = (struct kfd_told){ .id = event.id };
	words[8] = 0x12345678;
	kfd_queue_make(&user);
	kfd_put_packet(&user, words);
	ck_assert_int_eq(kfd_wait(user.kfd, &told, 1, true, KFD_FOR_EVER, NULL),
			 0);
	ck_assert_uint_eq(told.words[0], 1);
	ck_assert_uint_eq(told.words[4], 0x12345000);
	ck_assert_uint_eq(told.words[6], user.id);
	kfd_signal(&user, 0)->value = 1;
	kfd_put_barrier(&user, 0, false, NO_SIGNAL, NO_SIGNAL, 0);
	let_it_look();
	ck_assert_int_eq(kfd_signal(&user, 0)->value, 1);
	ck_assert_uint_eq(scene_violations(), 1);
	drmsim_command("clear", NULL, 0);
}

static const struct refused {
	uint32_t words[6];
	const char *what;
} refused[] = {
	{ { 4 }, "of an agent" },
	{ { 9 }, "of an unknown type" },
	{ { 2 | 1 << 16, 1 << 16, 1, 64, 1, 1 }, "a group of no size" },
	{ { 2, 64 | 1 << 16, 1, 64, 1, 1 }, "no dimensions" },
	{ { 7 << 16 }, "vendor, of an unknown format" },
	{ { 1 << 16, 0xc0001000 }, "vendor, without a jump" },
};

TEST_LOOP(queues, malformed_packets_are_violations, ARRAY_SIZE(refused))
{
	const struct refused *c = &refused[_i];
	uint32_t words[16] = { 0 };

	memcpy(words, c->words, sizeof(c->words));
	kfd_queue_make(&user);
	kfd_put_packet(&user, words);
	let_it_look();
	ck_assert_msg(scene_violations() == 1, "%s", c->what);
	ck_assert_uint_eq(((uint64_t *)user.pointers.at)[16], 0);
	drmsim_command("clear", NULL, 0);
}

/* A process that is killed leaves nothing, and the next one works. */
TEST(queues, a_killed_process_leaves_no_queue)
{
	struct kfd_user other;
	int status;
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		kfd_user_begin(&other, dies > 1 ? &mi300_sizes : &vega10_sizes);
		kfd_queue_make(&other);
		kfd_signal(&other, 0)->value = 1;
		kfd_put_dispatch(&other, 0, group_64, grid_640, 0);
		kfd_put_barrier(&other, 0, false, 1, NO_SIGNAL, 0);
		raise(SIGKILL);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	kfd_queue_make(&user);
	kfd_signal(&user, 0)->value = 1;
	kfd_put_dispatch(&user, 0, group_64, grid_640, 0);
	kfd_signal_await(&user, 0, 0);
	ck_assert_uint_eq(scene_violations(), 0);
}

/* ------------------------------------------------------------------ */

TEST_GPUS("drmsim_kfd_queues", "vega10", "mi300");

TEST_OPTION(in_processes, true);
