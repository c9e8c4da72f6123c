/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What moves memory below the simulated /dev/kfd: queues of the copy engines,
 * and the kernels that ROCm's runtime copies and fills with.
 */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/drmsim/kfd_client.h"
#include "tests/drmsim/kfd_queue.h"
#include "tests/support/suite.h"
#include "tests/support/scene.h"

#include "drmsim/control.h"

/* Cases of Vega 10. */
static const struct kfd_sizes sizes = { 0x1545000, 0x5000, 0x1555000 };

static struct kfd_user user;
static struct kfd_buffer from, to;
static _Atomic uint64_t *doorbell;
static unsigned written; /* dwords of the ring */

static void
set_up(void)
{
	drmsim_command("clear", NULL, 0);
	kfd_user_begin(&user, &sizes);
	kfd_user_alloc(&user, &from, 0x100000);
	kfd_user_alloc(&user, &to, 0x100000);
	for (unsigned i = 0; i < from.size; i++)
		((uint8_t *)from.at)[i] = (uint8_t)(i * 7 + i / 251);
	written = 0;
}

static void
tear_down(void)
{
	kfd_user_end(&user);
}

TEST_CASE(copies, set_up, tear_down, "drmsim_kfd_copies");

/* ---- queues of copy engines */

enum {
	SDMA = 1,
	SDMA_OF_LINKS = 3,
	SDMA_OF_ENGINE = 4
};

static void
describe_sdma_queue(struct kfd_words *words, uint32_t type, uint32_t engine)
{
	kfd_queue_describe(&user, words);
	words->at[10] = type;
	kfd_put64(words, 72, 0);
	words->at[20] = words->at[21] = 0;
	words->at[22] = engine;
}

static void
make_sdma_queue(uint32_t type)
{
	const unsigned code =
		type == SDMA_OF_ENGINE ? CREATE_QUEUE_ON_ENGINE : CREATE_QUEUE;
	struct kfd_words words;
	uint64_t offset;
	char *page;

	describe_sdma_queue(&words, type, 1);
	ck_assert_int_eq(kfd_ask(user.kfd, code, &words), 0);
	offset = kfd_get64(&words, 24);
	page = mmap(NULL, KFD_DOORBELLS, PROT_READ | PROT_WRITE, MAP_SHARED,
		    user.kfd, (off_t)(offset & ~(KFD_DOORBELLS - 1ull)));
	ck_assert_ptr_ne(page, MAP_FAILED);
	doorbell = (void *)(page + offset % KFD_DOORBELLS);
}

static void
emit_dword(uint32_t dword)
{
	((uint32_t *)user.ring.at)[written++ % 1024] = dword;
}

static void
emit64(uint64_t value)
{
	emit_dword((uint32_t)value);
	emit_dword((uint32_t)(value >> 32));
}

static void
ring_doorbell(void)
{
	atomic_store_explicit(doorbell, 4ull * written, memory_order_release);
}

static void
emit_copy(uint64_t target, uint64_t source, uint32_t size)
{
	emit_dword(1);
	emit_dword(size - 1);
	emit_dword(0);
	emit64(source);
	emit64(target);
}

/* Signal 0 counts down by one. */
static void
emit_end(void)
{
	emit_dword(10 | 0x2fu << 25);
	emit64(kfd_signal_address(&user, 0) + 8);
	emit64(UINT64_MAX);
	emit64(0);
	emit_dword(0);
}

/* A Vega 10 has two copy engines. */
TEST(copies, a_vega10_has_two_copy_engines)
{
	struct kfd_words words;

	describe_sdma_queue(&words, SDMA_OF_ENGINE, 2);
	ck_assert_int_eq(kfd_ask(user.kfd, CREATE_QUEUE_ON_ENGINE, &words),
			 -EINVAL);
	describe_sdma_queue(&words, SDMA, 2);
	ck_assert_int_eq(kfd_ask(user.kfd, CREATE_QUEUE_ON_ENGINE, &words), 0);
}

static const uint32_t types[] = { SDMA, SDMA_OF_LINKS, SDMA_OF_ENGINE };

TEST_LOOP(copies, copies_and_fills_reach_the_memory, ARRAY_SIZE(types))
{
	const uint8_t *source = from.at, *target = to.at;

	make_sdma_queue(types[_i]);
	kfd_signal(&user, 0)->value = 1;
	emit_dword(8);
	emit64(0x80000000);
	emit64(0);
	emit_dword(0);
	emit_copy(to.address + 5, from.address + 3, 70001);
	emit_copy(to.address + 0x80000, from.address, 1);
	emit_dword(11 | 2u << 30);
	emit64(to.address + 0x90000);
	emit_dword(0xdeadbeef);
	emit_dword(4096 - 1);
	emit_end();
	ring_doorbell();
	kfd_signal_await(&user, 0, 0);
	ck_assert_mem_eq(target + 5, source + 3, 70001);
	ck_assert_uint_eq(target[4], 0);
	ck_assert_uint_eq(target[5 + 70001], 0);
	ck_assert_uint_eq(target[0x80000], source[0]);
	ck_assert_uint_eq(target[0x80001], 0);
	for (unsigned i = 0; i < 1024; i++)
		ck_assert_uint_eq(((uint32_t *)to.at)[0x90000 / 4 + i],
				  0xdeadbeef);
	ck_assert_uint_eq(((uint32_t *)to.at)[0x91000 / 4], 0);
	ck_assert_uint_eq(((uint64_t *)user.pointers.at)[16], 4ull * written);
	ck_assert_uint_eq(scene_violations(), 0);
}

/* Memory of the process that was mapped to the GPU as it is, both ways. */
TEST(copies, copies_reach_memory_of_the_process)
{
	static uint8_t own[8192] __attribute__((aligned(4096)));
	struct kfd_area area = { .address = 0x7000000000,
				 .size = sizeof(own),
				 .offset = (uintptr_t)own,
				 .flags = KFD_USERPTR,
				 .gpu_id = user.id };

	ck_assert_int_eq(kfd_alloc(user.kfd, &area), 0);
	ck_assert_int_eq(kfd_map(user.kfd, area.handle, &user.id, 1), 0);
	memset(own, 0, sizeof(own));
	make_sdma_queue(SDMA);
	kfd_signal(&user, 0)->value = 1;
	emit_copy(area.address, from.address, 6000);
	emit_copy(to.address, area.address + 100, 4000);
	emit_end();
	ring_doorbell();
	kfd_signal_await(&user, 0, 0);
	ck_assert_mem_eq(own, from.at, 6000);
	ck_assert_mem_eq(to.at, (uint8_t *)from.at + 100, 4000);
	ck_assert_uint_eq(scene_violations(), 0);
}

/* The mailbox and the interrupt of a runtime that does without atomics. */
TEST(copies, a_trap_sets_the_event_of_its_mailbox)
{
	struct kfd_event_args event = { .page = user.page.handle,
					.auto_reset = 1 };
	struct kfd_told told = { .id = 0 };
	uint64_t now;

	ck_assert_int_eq(kfd_create_event(user.kfd, &event), 0);
	told.id = event.id;
	make_sdma_queue(SDMA);
	/* first a value that the program writes */
	emit_dword(8 | 3u << 28 | 1u << 31);
	emit64(user.data.address);
	emit_dword(5);
	emit_dword(0xff);
	emit_dword(0);
	emit_dword(5);
	emit64(user.page.address + 8 * event.slot);
	emit_dword(event.id);
	emit_dword(13 | 2 << 8);
	emit64(user.data.address + 64);
	emit_dword(0 | 3u << 16);
	for (unsigned i = 0; i < 3; i++)
		emit_dword(0xffffffff);
	emit_dword(6);
	emit_dword(event.id);
	ring_doorbell();
	ck_assert_int_eq(kfd_wait(user.kfd, &told, 1, true, 0, NULL), 1);
	*(volatile uint32_t *)user.data.at = 0x305;
	ck_assert_int_eq(drmsim_now(&now), 0);
	ck_assert_int_eq(kfd_wait(user.kfd, &told, 1, true, KFD_FOR_EVER, NULL),
			 0);
	ck_assert_uint_eq(((uint64_t *)user.pointers.at)[16], 4ull * written);
	ck_assert_uint_eq(scene_violations(), 0);
}

static const struct refused {
	uint32_t dwords[8];
	unsigned count;
	const char *what;
} refused[] = {
	{ { 0x77 }, 8, "an unknown packet" },
	{ { 1 | 4 << 8 }, 8, "a rectangle" },
	{ { 1 }, 6, "a copy that is cut off" },
	{ { 10 | 7u << 25 }, 8, "another atomic operation" },
	{ { 1, 63, 0, 0x1000, 0, 0x2000, 0 }, 7, "memory that is not there" },
};

TEST_LOOP(copies, malformed_sdma_packets_are_violations, ARRAY_SIZE(refused))
{
	const struct refused *c = &refused[_i];
	uint64_t now;

	make_sdma_queue(SDMA);
	for (unsigned i = 0; i < c->count; i++)
		emit_dword(c->dwords[i]);
	ring_doorbell();
	ck_assert_int_eq(drmsim_now(&now), 0);
	ck_assert_msg(scene_violations() == 1, "%s", c->what);
	ck_assert_uint_eq(((uint64_t *)user.pointers.at)[16], 0);
	drmsim_command("clear", NULL, 0);
}

/* ---- kernels of the runtime */

#define ITEMS 16384u

static const struct blit {
	unsigned phases; /* 0: a fill */
	unsigned items; /* that the arguments tell */
	bool is_of_gpu; /* the code lies in the GPU's memory */
	bool is_done;
} blits[] = {
	{ 4, ITEMS, false, true }, { 2, ITEMS, false, true },
	{ 0, ITEMS, false, true }, { 4, ITEMS + 1, false, false },
	{ 4, ITEMS, true, false }, { 2, ITEMS, true, false },
	{ 0, ITEMS, true, false },
};

/* Put the arguments: phases of unequal length that make up the whole. */
static void
put_arguments(const struct blit *blit, uint64_t *words)
{
	const uint64_t cuts[] = { 0, 64, 4096, 4096, 9000 };
	const unsigned parts = blit->phases ? blit->phases : 2;
	uint32_t *dwords = (uint32_t *)words;

	for (unsigned i = 0; i <= parts; i++) {
		const uint64_t at = i == parts ? 9000 : cuts[i];

		if (!blit->phases) {
			words[i] = to.address + 8 + at;
			continue;
		}
		words[2 * i] = from.address + 4 + at;
		words[2 * i + 1] = to.address + 8 + at;
	}
	if (!blit->phases)
		dwords[6] = 0x12345678;
	dwords[blit->phases == 4   ? 20
	       : blit->phases == 2 ? 12
				   : 7] = blit->items;
}

TEST_LOOP(copies, kernels_of_the_runtime_copy_and_fill, ARRAY_SIZE(blits))
{
	const struct blit *blit = &blits[_i];
	struct kfd_area code = { .address = 0x6000000000,
				 .size = 4096,
				 .flags = blit->is_of_gpu ? KFD_VRAM : KFD_GTT,
				 .gpu_id = user.id };
	uint32_t words[16] = { 2 | 1 << 16, 64 | 1 << 16, 1, ITEMS, 1, 1 };
	const uint64_t kernel = code.address + 256;
	const uint64_t arguments = user.data.address;
	uint8_t nothing[16] = { 0 };

	ck_assert_int_eq(kfd_alloc(user.kfd, &code), 0);
	ck_assert_int_eq(kfd_map(user.kfd, code.handle, &user.id, 1), 0);
	put_arguments(blit, user.data.at);
	memcpy(words + 8, &kernel, sizeof(kernel));
	memcpy(words + 10, &arguments, sizeof(arguments));
	words[14] = (uint32_t)kfd_signal_address(&user, 0);
	words[15] = (uint32_t)(kfd_signal_address(&user, 0) >> 32);
	kfd_signal(&user, 0)->value = 1;
	kfd_queue_make(&user);
	kfd_put_packet(&user, words);
	kfd_signal_await(&user, 0, 0);
	ck_assert_mem_eq(to.at, nothing, 8);
	ck_assert_mem_eq((uint8_t *)to.at + 8 + 9000, nothing, 16);
	if (!blit->is_done)
		ck_assert_mem_eq((uint8_t *)to.at + 8, nothing, 16);
	else if (blit->phases)
		ck_assert_mem_eq((uint8_t *)to.at + 8, (uint8_t *)from.at + 4,
				 9000);
	for (unsigned i = 0; !blit->phases && blit->is_done && i < 9000 / 4;
	     i++)
		ck_assert_uint_eq(((uint32_t *)to.at)[2 + i], 0x12345678);
	ck_assert_uint_eq(scene_violations(), 0);
}

/* ------------------------------------------------------------------ */

TEST_GPUS("drmsim_kfd_copies", "vega10");

TEST_OPTION(in_processes, true);
