/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vendor packets of queues that several dies execute: which die does what, what
 * is in memory when a packet's signal tells that it is done, and what a process
 * leaves behind.
 */
#include <amdgpu_drm.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/drmsim/hand.h"
#include "tests/drmsim/kfd_client.h"
#include "tests/drmsim/kfd_commands.h"
#include "tests/drmsim/kfd_queue.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#include "drmsim/control.h"

#define NODES_MAX 8
#define GRBM_GFX_INDEX 0x30800u
#define GRBM_OF_ALL 0xe0000000u
#define CP_PERFMON_CNTL 0x36020u
#define TO_MEMORY (COPY_FROM_VALUE | COPY_TO_MEMORY)

static struct kfd_user user;
static struct kfd_sizes sizes;
static unsigned nodes, dies, engines;

/* Count the nodes of the machine; those of a test are all alike. */
static unsigned
count_nodes(void)
{
	unsigned count = 0;
	char path[80];

	do {
		snprintf(path, sizeof(path),
			 "/sys/class/kfd/kfd/topology/nodes/%u", count + 1);
	} while (access(path, F_OK) == 0 && ++count < NODES_MAX);
	return count;
}

static void
setup_machine(void)
{
	drmsim_command("clear", NULL, 0);
	scene_set("default", "zero");
	scene_set("doubts", "best");
	nodes = count_nodes();
	dies = (unsigned)kfd_node_value(1, "num_xcc");
	engines = (unsigned)(kfd_node_value(1, "array_count") / dies /
			     kfd_node_value(1, "simd_arrays_per_engine"));
	kfd_sizes_of_node(1, &sizes);
}

static void
set_up(void)
{
	setup_machine();
	kfd_user_begin(&user, &sizes);
}

static void
tear_down(void)
{
	kfd_user_end(&user);
}

TEST_CASE(dies, set_up, tear_down, "drmsim_kfd_dies");
/* A process has one address space on a GPU for its life. */
TEST_CASE(processes, setup_machine, tear_down, "drmsim_kfd_dies");

/* Expect violations of exactly this kind, or none. */
static void
assert_violation(const char *kind, const char *name)
{
	const unsigned all = hand_notes("violation", NULL);
	const unsigned of_kind = kind ? hand_notes("violation", kind) : 0;

	ck_assert_msg(all == of_kind && (of_kind > 0) == (kind != NULL),
		      "%s: %u, of the kind %u", name, all, of_kind);
	drmsim_command("clear", NULL, 0);
}

/*
 * Wait until signal 0 has that value; a queue that has stopped fails the test.
 */
static void
await_signal(int64_t value)
{
	while (kfd_signal(&user, 0)->value != value) {
		ck_assert_uint_eq(hand_notes("violation", "queue"), 0);
		ck_assert_uint_eq(hand_notes("violation", "hang"), 0);
	}
}

/* Run a vendor packet with what was emitted, until it is done. */
static void
run_commands(void)
{
	kfd_signal(&user, 0)->value = 1;
	kfd_put_commands(&user, BARRIER, 0, user.dwords, 0);
	await_signal(0);
}

/* ---- the topology */

/* Linux after 6.12, kfd_queue.c: a CU of gfx950 has 160 KiB of LDS. */
static const struct area {
	uint64_t target, size; /* of what a die saves of its waves */
} areas[] = {
	{ 90010, 0x3c91000 },
	{ 90402, 0x1621000 },
	{ 90500, 0x15a3000 },
};

TEST(dies, the_save_area_has_the_size_of_its_gpu)
{
	const uint64_t target = kfd_node_value(1, "gfx_target_version");
	uint64_t expected = 0;

	for (size_t i = 0; i < ARRAY_SIZE(areas); i++)
		if (areas[i].target == target)
			expected = areas[i].size;
	ck_assert_uint_eq(kfd_node_value(1, "cwsr_size"), expected);
}

/* The processors reach all memory of each node, so there are links to them. */
TEST(dies, each_node_is_linked_to_the_processors)
{
	ck_assert_uint_eq(kfd_node_value(0, "io_links_count"), nodes);
	ck_assert(kfd_node_has(0, "io_links/0/properties", "node_to 1"));
}

/* ---- counting */

static const struct grid {
	uint16_t group[3];
	uint32_t grid[3];
	unsigned groups, waves; /* waves: of a group */
} grids[] = {
	{ { 64, 1, 1 }, { 64, 1, 1 }, 1, 1 },
	{ { 64, 1, 1 }, { 64 * 7, 1, 1 }, 7, 1 },
	{ { 64, 1, 1 }, { 64 * 8, 1, 1 }, 8, 1 },
	{ { 64, 1, 1 }, { 64 * 12, 1, 1 }, 12, 1 },
	{ { 256, 1, 1 }, { 256 * 391, 1, 1 }, 391, 4 },
	{ { 16, 16, 2 }, { 48, 80, 6 }, 45, 8 },
};

static void
check_shares(const struct grid *grid)
{
	const uint32_t *values = user.data.at;
	unsigned total = 0;

	for (unsigned die = 0; die < dies; die++) {
		unsigned waves = 0;

		for (unsigned se = 0; se < engines; se++)
			waves += values[engines * die + se];
		ck_assert_uint_eq(waves % grid->waves, 0);
		ck_assert_uint_ge(waves / grid->waves, grid->groups / dies);
		ck_assert_uint_le(waves / grid->waves,
				  (grid->groups + dies - 1) / dies);
		total += waves;
	}
	ck_assert_uint_eq(total, grid->groups * grid->waves);
}

/* On each node, dies have equal shares but for one group; the sum is exact. */
TEST_LOOP(processes, dies_have_equal_shares_of_the_groups, ARRAY_SIZE(grids))
{
	const struct grid *grid = &grids[_i];

	for (unsigned node = 1; node <= nodes; node++) {
		unsigned begin;

		kfd_user_begin_on(&user, node, &sizes);
		kfd_queue_make(&user);
		kfd_emit_start(&user);
		kfd_emit_sh_register(&user, PERFCOUNT_ENABLE, 1);
		kfd_put_commands(&user, 0, 0, user.dwords, NO_SIGNAL);
		kfd_put_dispatch(&user, BARRIER, grid->group, grid->grid,
				 NO_SIGNAL);
		begin = user.dwords;
		kfd_emit_read(&user, dies, engines);
		/* one decrement, however many dies there are */
		kfd_signal(&user, 0)->value = 2;
		kfd_put_commands(&user, BARRIER, begin, user.dwords, 0);
		await_signal(1);
		check_shares(grid);
		if (node < nodes)
			kfd_user_end(&user);
	}
	ck_assert_int_eq(kfd_signal(&user, 0)->value, 1);
	assert_violation(NULL, "shares");
}

/* Each die has its own registers; what is not under PRED_EXEC is for all. */
TEST(dies, each_die_has_its_own_registers)
{
	const uint32_t *values = user.data.at;

	kfd_queue_make(&user);
	for (unsigned die = 0; die < dies; die++) {
		kfd_emit_for_die(&user, die, REGISTER_DWORDS);
		kfd_emit_register(&user, GRBM_GFX_INDEX, 0x60000000 | die);
	}
	kfd_emit_register(&user, 0x372fc, 1);
	for (unsigned die = 0; die < dies; die++) {
		const uint64_t to = user.data.address + 8 * die;

		kfd_emit_for_die(&user, die, 2 * COPY_DWORDS);
		kfd_emit_copy(&user, COPY_TO_MEMORY, GRBM_GFX_INDEX, to);
		kfd_emit_copy(&user, COPY_TO_MEMORY | COPY_CONFIRM, 0x372fc,
			      to + 4);
	}
	kfd_emit_register(&user, GRBM_GFX_INDEX, GRBM_OF_ALL);
	kfd_emit_register(&user, 0x372fc, 0);
	run_commands();
	for (unsigned die = 0; die < dies; die++) {
		ck_assert_uint_eq(values[2 * die], 0x60000000 | die);
		ck_assert_uint_eq(values[2 * die + 1], 1);
	}
	assert_violation(NULL, "registers");
}

/* ---- what is in memory when a packet is done */

enum flush {
	NO_FLUSH,
	FLUSH_ALL,
	FLUSH_PAGE,
	FLUSH_OTHER,
	INVALIDATE,
	RELEASE
};

static const struct write {
	const char *name;
	uint32_t control;
	bool is_shared; /* all dies write the same dword */
	enum flush flush; /* at the end, on all dies */
	const char *kind;
} writes[] = {
	{ "confirmed", TO_MEMORY | COPY_CONFIRM, false, NO_FLUSH, NULL },
	{ "posted", TO_MEMORY, false, NO_FLUSH, "late-write" },
	{ "posted, flushed", TO_MEMORY, false, FLUSH_ALL, NULL },
	{ "in the cache", COPY_FROM_VALUE | COPY_TO_L2 | COPY_CONFIRM, false,
	  NO_FLUSH, "late-write" },
	{ "cache flushed", COPY_FROM_VALUE | COPY_TO_L2, false, FLUSH_ALL,
	  NULL },
	{ "range flushed", COPY_FROM_VALUE | COPY_TO_L2, false, FLUSH_PAGE,
	  NULL },
	{ "another range flushed", COPY_FROM_VALUE | COPY_TO_L2, false,
	  FLUSH_OTHER, "late-write" },
	{ "cache invalidated", COPY_FROM_VALUE | COPY_TO_L2, false, INVALIDATE,
	  "late-write" },
	{ "released", COPY_FROM_VALUE | COPY_TO_L2, false, RELEASE, NULL },
	{ "shared", TO_MEMORY | COPY_CONFIRM, true, NO_FLUSH, "shared-write" },
	{ "shared counter", COPY_FROM_COUNTER | COPY_TO_MEMORY | COPY_CONFIRM,
	  true, NO_FLUSH, "shared-write" },
};

static void
emit_acquire(uint32_t control, uint64_t address, uint64_t size)
{
	kfd_emit(&user, 0xc0055800);
	kfd_emit(&user, control);
	kfd_emit64(&user, size >> 8);
	kfd_emit64(&user, address >> 8);
	kfd_emit(&user, 10);
}

/* Emit RELEASE_MEM: what to do with caches, what to write, and where. */
static void
emit_release(uint32_t caches, uint32_t data, uint64_t address, uint32_t value)
{
	kfd_emit(&user, 0xc0064900);
	kfd_emit(&user, 40 | 5 << 8 | caches);
	kfd_emit(&user, data);
	kfd_emit64(&user, address);
	kfd_emit(&user, value);
	kfd_emit64(&user, 0);
}

static void
emit_flush(enum flush flush)
{
	const uint64_t page = user.data.address;

	switch (flush) {
	case NO_FLUSH:
		return;
	case FLUSH_ALL:
		emit_acquire(0x28840000, 0, UINT64_MAX);
		return;
	case FLUSH_PAGE:
		emit_acquire(0x28840000, page, 4096);
		return;
	case FLUSH_OTHER:
		emit_acquire(0x28840000, page + 4096, 4096);
		return;
	case INVALIDATE:
		emit_acquire(0x28800000, 0, UINT64_MAX);
		return;
	case RELEASE:
		emit_release(1 << 15, 0, 0, 0);
		return;
	}
}

TEST_LOOP(dies, late_and_shared_writes_are_violations, ARRAY_SIZE(writes))
{
	const struct write *write = &writes[_i];

	kfd_queue_make(&user);
	kfd_emit_register(&user, CP_PERFMON_CNTL, 1 << 10);
	for (unsigned die = 0; die < (write->is_shared ? 1 : dies); die++) {
		if (!write->is_shared)
			kfd_emit_for_die(&user, die, COPY_DWORDS);
		/* GRBM has one counter a die */
		kfd_emit_copy(&user, write->control, 0x34100,
			      user.data.address + 8 * die);
	}
	emit_flush(write->flush);
	run_commands();
	assert_violation(write->is_shared && dies == 1 ? NULL : write->kind,
			 write->name);
}

/* Each die may add to one dword; no die's turn is lost. */
TEST(dies, atomics_of_dies_lose_no_turn)
{
	const uint32_t *values = user.data.at;

	kfd_queue_make(&user);
	kfd_emit(&user, 0xc0071e00);
	kfd_emit(&user, 0x0f);
	kfd_emit64(&user, user.data.address);
	kfd_emit(&user, 1);
	for (unsigned i = 0; i < 4; i++)
		kfd_emit(&user, 0);
	run_commands();
	ck_assert_uint_eq(values[0], dies);
	assert_violation(NULL, "atomics");
}

/* A packet whose dies wait is not done, nor is what stands behind it. */
TEST(dies, a_packet_waits_for_all_its_dies)
{
	_Atomic uint32_t *value = user.data.at;
	uint64_t now;

	kfd_queue_make(&user);
	kfd_emit_wait(&user, WAIT_MEMORY, user.data.address, 4711, UINT32_MAX);
	kfd_signal(&user, 0)->value = kfd_signal(&user, 1)->value = 1;
	kfd_put_commands(&user, 0, 0, user.dwords, 0);
	kfd_put_barrier(&user, 0, false, NO_SIGNAL, NO_SIGNAL, 1);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_int_eq(drmsim_now(&now), 0);
	ck_assert_int_eq(kfd_signal(&user, 0)->value, 1);
	ck_assert_int_eq(kfd_signal(&user, 1)->value, 1);
	*value = 4711;
	await_signal(0);
	kfd_signal_await(&user, 1, 0);
	assert_violation(NULL, "waiting");
}

/* ---- which memory packets reach */

enum kind {
	HOST_MEMORY,
	VRAM,
	PROCESS_MEMORY,
	GEM_BUFFER
};

#define PLACE 0x300000000ull
#define PLACE_BYTES 4096u
#define FROM_MEMORY (COPY_FROM_MEMORY | COPY_TO_MEMORY | COPY_CONFIRM)

/* Map a buffer of the render node, in whose address space the queue works. */
static void *
map_gem_buffer(void)
{
	union drm_amdgpu_gem_create create = {
		.in = { .bo_size = PLACE_BYTES,
			.alignment = PLACE_BYTES,
			.domains = AMDGPU_GEM_DOMAIN_GTT,
			.domain_flags = AMDGPU_GEM_CREATE_VM_ALWAYS_VALID },
	};
	union drm_amdgpu_gem_mmap map = { .in = { .handle = 0 } };
	struct drm_amdgpu_gem_va va = {
		.operation = AMDGPU_VA_OP_MAP,
		.flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE |
			 AMDGPU_VM_PAGE_EXECUTABLE,
		.va_address = PLACE,
		.map_size = PLACE_BYTES,
	};

	ck_assert_int_eq(
		ioctl(user.render, DRM_IOCTL_AMDGPU_GEM_CREATE, &create), 0);
	va.handle = map.in.handle = create.out.handle;
	ck_assert_int_eq(ioctl(user.render, DRM_IOCTL_AMDGPU_GEM_VA, &va), 0);
	ck_assert_int_eq(ioctl(user.render, DRM_IOCTL_AMDGPU_GEM_MMAP, &map),
			 0);
	return mmap(NULL, PLACE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
		    user.render, (off_t)map.out.addr_ptr);
}

static void *
map_kfd_memory(enum kind kind)
{
	struct kfd_area area = { .address = PLACE,
				 .size = PLACE_BYTES,
				 .gpu_id = user.id };
	void *own = mmap(NULL, PLACE_BYTES, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	area.flags = kind == VRAM	   ? KFD_VRAM | 1u << 29
		     : kind == HOST_MEMORY ? KFD_GTT
					   : KFD_USERPTR;
	if (kind == PROCESS_MEMORY)
		area.offset = (uint64_t)(uintptr_t)own;
	ck_assert_int_eq(kfd_alloc(user.kfd, &area), 0);
	ck_assert_int_eq(kfd_map(user.kfd, area.handle, &user.id, 1), 0);
	if (kind == PROCESS_MEMORY)
		return own;
	munmap(own, PLACE_BYTES);
	return mmap(NULL, PLACE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
		    user.render, (off_t)area.offset);
}

/* Written, read back by the next command, and with commands in it. */
TEST_LOOP(dies, commands_reach_memory_of_every_kind, GEM_BUFFER + 1)
{
	const uint32_t *values = user.data.at;
	const uint64_t signal = kfd_signal_address(&user, 0);
	const uint64_t commands = PLACE + 256;
	uint32_t words[16] = { 1u << 16, 0xc0023f00 };
	volatile uint32_t *place =
		_i == GEM_BUFFER ? map_gem_buffer()
				 : map_kfd_memory((enum kind)_i);

	ck_assert_ptr_ne((void *)(uintptr_t)place, MAP_FAILED);
	kfd_queue_make(&user);
	place[16] = 42;
	kfd_emit_for_die(&user, 0, 3 * COPY_DWORDS + 8);
	kfd_emit_copy(&user, TO_MEMORY | COPY_CONFIRM, 4711, PLACE + 4);
	/* from there, and from what the process wrote */
	kfd_emit_copy(&user, FROM_MEMORY, PLACE + 4, user.data.address);
	kfd_emit_copy(&user, FROM_MEMORY, PLACE + 64, user.data.address + 4);
	emit_release(0, 1u << 29, PLACE + 8, 17);
	run_commands();
	ck_assert_uint_eq(place[1], 4711);
	ck_assert_uint_eq(place[2], 17);
	ck_assert_uint_eq(values[0], 4711);
	ck_assert_uint_eq(values[1], 42);
	for (unsigned i = 0; i < user.dwords; i++)
		place[64 + i] = ((uint32_t *)user.commands.at)[i];
	place[16] = 43;
	memcpy(words + 2, &commands, sizeof(commands));
	words[4] = user.dwords | 1u << 23;
	words[5] = 10;
	memcpy(words + 14, &signal, sizeof(signal));
	kfd_signal(&user, 0)->value = 1;
	kfd_put_packet(&user, words);
	await_signal(0);
	ck_assert_uint_eq(values[1], 43);
	assert_violation(NULL, "reach");
}

/* ---- blocks of an AID: its first die has them */

static const struct aid {
	const char *name;
	unsigned die; /* of the node; dies of a GPU: ALL_DIES */
	bool is_read;
} aids[] = {
#define ALL_DIES 8
	{ "read by the first die", 0, true },
	{ "read by the second die", 1, true },
	{ "read by the third die", 2, true },
	{ "written by the first die", 0, false },
	{ "written by the second die", 1, false },
	{ "read by all dies", ALL_DIES, true },
};

TEST_LOOP(dies, the_first_die_of_an_aid_reaches_its_registers, ARRAY_SIZE(aids))
{
	const struct aid *aid = &aids[_i];
	const bool is_wrong = aid->die == ALL_DIES || aid->die % 2;

	if (dies == 1 || (aid->die >= dies && aid->die != ALL_DIES))
		return;
	kfd_queue_make(&user);
	for (unsigned die = 0; die < dies; die++) {
		if (aid->die != die && aid->die != ALL_DIES)
			continue;
		kfd_emit_for_die(&user, die, COPY_DWORDS);
		/* control and result of ATC */
		if (aid->is_read)
			kfd_emit_copy(&user, COPY_TO_MEMORY | COPY_CONFIRM,
				      0x310c, user.data.address + 4 * die);
		else
			kfd_emit_copy(&user, COPY_FROM_VALUE | COPY_TO_REGISTER,
				      0, 0x3108 / 4);
	}
	run_commands();
	assert_violation(is_wrong ? "absent-block" : NULL, aid->name);
}

/* ---- the end of a process */

enum end {
	STOPPED,
	COUNTING,
	STEERED
};

static const struct death {
	const char *name;
	enum end end;
	unsigned counters, clock, index; /* lines of what was cleaned up */
} deaths[] = {
	{ "stopped", STOPPED, 0, 0, 0 },
	{ "counting", COUNTING, 1, 1, 0 },
	{ "steered", STEERED, 1, 1, 1 },
};

/* Leave the GPU like that in a process of its own, and be killed. */
static void
die_so(enum end end)
{
	struct kfd_user *other = &user;

	kfd_user_begin(other, &sizes);
	kfd_queue_make(other);
	kfd_emit_start(other);
	kfd_emit_sh_register(other, PERFCOUNT_ENABLE, 1);
	if (end == STOPPED)
		kfd_emit_read(other, dies, engines);
	run_commands();
	kfd_commands_clear(other);
	if (end == STEERED) {
		kfd_emit_register(other, GRBM_GFX_INDEX, 0x60010000);
		kfd_emit_for_die(other, 0, COPY_DWORDS);
		kfd_emit_copy(other, TO_MEMORY | COPY_CONFIRM, 1,
			      other->data.address + 8);
		/* all dies wait for what never comes */
		kfd_emit_wait(other, WAIT_MEMORY, other->data.address, 1,
			      UINT32_MAX);
		((uint32_t *)other->data.at)[0] = 0;
		((uint32_t *)other->data.at)[2] = 0;
		kfd_put_commands(other, BARRIER, 0, other->dwords, NO_SIGNAL);
		while (((volatile uint32_t *)other->data.at)[2] != 1)
			usleep(100);
	}
	raise(SIGKILL);
}

static void
read_index(uint32_t *out)
{
	kfd_commands_clear(&user);
	for (unsigned die = 0; die < dies; die++) {
		kfd_emit_for_die(&user, die, COPY_DWORDS);
		kfd_emit_copy(&user, COPY_TO_MEMORY | COPY_CONFIRM,
			      GRBM_GFX_INDEX, user.data.address + 4 * die);
	}
	run_commands();
	memcpy(out, user.data.at, dies * sizeof(out[0]));
}

/* Registers stay as they were, on all dies, until the next user sets them. */
TEST_LOOP(processes, registers_stay_when_a_process_is_killed,
	  ARRAY_SIZE(deaths))
{
	const struct death *death = &deaths[_i];
	uint32_t index[8];
	int status;
	pid_t child;

	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0)
		die_so(death->end);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "%s",
		      death->name);
	kfd_user_begin(&user, &sizes);
	kfd_queue_make(&user);
	read_index(index);
	for (unsigned die = 0; die < dies; die++)
		ck_assert_uint_eq(index[die], death->end == STEERED
						      ? 0x60010000
						      : GRBM_OF_ALL);
	ck_assert_uint_eq(hand_notes("cleanup", "counters"), death->counters);
	ck_assert_uint_eq(hand_notes("cleanup", "clock-bit"), death->clock);
	ck_assert_uint_eq(hand_notes("cleanup", "grbm-index"), death->index);
	assert_violation(NULL, death->name);
	kfd_commands_clear(&user);
	kfd_emit_start(&user);
	kfd_emit_read(&user, dies, engines);
	run_commands();
	read_index(index);
	for (unsigned die = 0; die < dies; die++)
		ck_assert_uint_eq(index[die], GRBM_OF_ALL);
	assert_violation(NULL, death->name);
}

/* ------------------------------------------------------------------ */

TEST_GPUS("drmsim_kfd_dies", "mi200", "mi300", "mi300,dies=6",
	  "mi300,dies=6,partition=TPX", "mi300,partition=DPX",
	  "mi300,partition=CPX", "mi350", "mi350,partition=QPX");

TEST_OPTION(in_processes, true);
/* one die and several: enough for valgrind */
TEST_MACHINE_OPTION(in_valgrind, 2);
