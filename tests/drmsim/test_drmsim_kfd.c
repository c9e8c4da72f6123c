/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulated /dev/kfd, as Linux 6.12 has it: who may use which open file,
 * and the topology in sysfs.
 */
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/drmsim/kfd_client.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"


#define NODES 3 /* of GPUs */

/* ---- files and processes */

TEST_CASE(files, NULL, NULL, "drmsim_kfd");

TEST(files, the_kernel_reports_its_interfaces_version)
{
	struct kfd_words words = { .at = { 0 } };
	struct stat status;
	int kfd = kfd_open();

	ck_assert_int_eq(kfd_ask(kfd, GET_VERSION, &words), 0);
	ck_assert_uint_eq(words.at[0], 1);
	ck_assert_uint_eq(words.at[1], 17);
	ck_assert_int_eq(fstat(kfd, &status), 0);
	ck_assert(S_ISCHR(status.st_mode));
	ck_assert_uint_ne(major(status.st_rdev), 226);
	close(kfd);
}

/* The number alone tells the call; the argument is cut or filled up. */
TEST(files, the_number_alone_selects_the_call)
{
	static const struct {
		unsigned code;
		int result;
		uint32_t major, minor;
	} cases[] = {
		{ GET_VERSION, 0, 1, 17 },
		{ 0x80044b01, 0, 1, 0x55 },
		{ 0x00004b01, 0, 0x55, 0x55 },
		{ 0x80104b01, 0, 1, 17 },
		{ 0x80084b00, -ENOTTY, 0x55, 0x55 },
		{ 0x40084b0d, -EPERM, 0x55, 0x55 },
		{ 0xc0284b82, -ENOTTY, 0x55, 0x55 },
		{ 0xc0044bff, -ENOTTY, 0x55, 0x55 },
	};
	int kfd = kfd_open();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct kfd_words words = { .at = { 0x55, 0x55 } };

		ck_assert_msg(kfd_ask(kfd, cases[i].code, &words) ==
				      cases[i].result,
			      "result of 0x%x", cases[i].code);
		ck_assert_msg(words.at[0] == cases[i].major &&
				      words.at[1] == cases[i].minor,
			      "0x%x: %u.%u", cases[i].code, words.at[0],
			      words.at[1]);
	}
	ck_assert_int_eq(kfd_ask(kfd, GET_VERSION, NULL), -EFAULT);
	close(kfd);
}

/* A child has the descriptor, but is another process; it opens its own. */
TEST(files, a_child_opens_its_own_descriptor)
{
	struct kfd_words words = { .at = { 0 } };
	int kfd = kfd_open(), status;
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		int own, failed;

		failed = kfd_ask(kfd, GET_VERSION, &words) != -EBADF;
		own = open("/dev/kfd", O_RDWR | O_CLOEXEC);
		failed |= own < 0 || kfd_ask(own, GET_VERSION, &words) != 0;
		failed |= kfd_ask(kfd, GET_VERSION, &words) != -EBADF;
		_exit(failed);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	ck_assert_int_eq(kfd_ask(kfd, GET_VERSION, &words), 0);
	close(kfd);
}

TEST(files, apertures_are_those_of_all_nodes)
{
	struct kfd_words words = { .at = { 0 } };
	uint64_t apertures[NODES][7];
	int kfd = kfd_open();

	ck_assert_int_eq(kfd_ask(kfd, GET_APERTURES_NEW, &words), 0);
	ck_assert_uint_eq(words.at[2], NODES);
	for (unsigned room = 1; room <= NODES + 1; room++) {
		const unsigned count = room < NODES ? room : NODES;

		memset(apertures, 0, sizeof(apertures));
		kfd_put64(&words, 0, (uintptr_t)apertures);
		words.at[2] = room;
		ck_assert_int_eq(kfd_ask(kfd, GET_APERTURES_NEW, &words), 0);
		ck_assert_uint_eq(words.at[2], count);
		for (unsigned i = 0; i < NODES; i++) {
			const bool is_told = i < count;

			ck_assert_uint_eq((uint32_t)apertures[i][6],
					  is_told ? kfd_gpu_id(1 + i) : 0);
			ck_assert_uint_eq(apertures[i][5],
					  is_told ? (1ull << 47) - 1 : 0);
		}
	}
	ck_assert_uint_eq(apertures[0][0], 1ull << 48);
	ck_assert_uint_eq(apertures[0][2], 2ull << 48);
	kfd_put64(&words, 0, 0);
	words.at[2] = 2;
	ck_assert_int_eq(kfd_ask(kfd, GET_APERTURES_NEW, &words), -EFAULT);
	close(kfd);
}

/* One address space for each GPU, which one process has. */
TEST(files, one_process_has_an_address_space)
{
	const uint32_t first = kfd_gpu_id(1), second = kfd_gpu_id(2);
	int kfd = kfd_open(), again = kfd_open();
	int render = kfd_open_render(128), other = kfd_open_render(128);
	int copy = dup(render), far = kfd_open_render(129), status;
	pid_t child;

	ck_assert_uint_ne(first, second);
	ck_assert_int_eq(kfd_acquire(kfd, 99, first), -EINVAL);
	ck_assert_int_eq(kfd_acquire(kfd, kfd, first), -EINVAL);
	ck_assert_int_eq(kfd_acquire(kfd, render, 1), -EINVAL);
	ck_assert_int_eq(kfd_acquire(kfd, far, first), -EINVAL);
	ck_assert_int_eq(kfd_acquire(kfd, render, first), 0);
	ck_assert_int_eq(kfd_acquire(kfd, render, first), 0);
	ck_assert_int_eq(kfd_acquire(kfd, copy, first), 0);
	ck_assert_int_eq(kfd_acquire(kfd, other, first), -EBUSY);
	/* the process has it, whichever of its files asks, */
	ck_assert_int_eq(kfd_acquire(again, other, first), -EBUSY);
	close(again);
	close(kfd);
	/* and keeps it when all of them are closed */
	kfd = kfd_open();
	ck_assert_int_eq(kfd_acquire(kfd, other, first), -EBUSY);
	ck_assert_int_eq(kfd_acquire(kfd, far, second), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		int own = open("/dev/kfd", O_RDWR | O_CLOEXEC);

		/* another one's address space is no child's */
		if (kfd_acquire(own, render, first) != -EINVAL)
			_exit(1);
		_exit(kfd_acquire(own, other, first) != 0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	close(kfd);
	close(render);
	close(other);
	close(copy);
	close(far);
}

TEST(files, clocks_go_on_with_simulated_time)
{
	struct kfd_words words = { .at = { [8] = kfd_gpu_id(1) } };
	int kfd = kfd_open();
	uint64_t before;

	ck_assert_int_eq(kfd_ask(kfd, GET_CLOCK_COUNTERS, &words), 0);
	before = kfd_get64(&words, 0);
	ck_assert_uint_eq(kfd_get64(&words, 24), 1000000000);
	scene_pass(1000 * MS);
	ck_assert_int_eq(kfd_ask(kfd, GET_CLOCK_COUNTERS, &words), 0);
	/* the reference clock has 27 MHz */
	ck_assert_uint_eq(kfd_get64(&words, 0) - before, 27000000);
	words.at[8] = 1;
	ck_assert_int_eq(kfd_ask(kfd, GET_CLOCK_COUNTERS, &words), 0);
	ck_assert_uint_eq(kfd_get64(&words, 0), 0);
	close(kfd);
}

/* What a runtime sets at its start. */
TEST(files, settings_are_accepted_or_refused)
{
	const uint32_t id = kfd_gpu_id(1);
	const struct {
		unsigned code;
		uint32_t at[8];
		int result;
	} cases[] = {
		{ SET_MEMORY_POLICY, { [4] = id, 0, 1 }, 0 },
		{ SET_MEMORY_POLICY, { [4] = id, 2, 1 }, -EINVAL },
		{ SET_MEMORY_POLICY, { [4] = 1 }, -EINVAL },
		{ SET_SCRATCH_BACKING, { 0, 0, id }, 0 },
		{ SET_SCRATCH_BACKING, { 0, 0, 1 }, -EINVAL },
		{ GET_TILE_CONFIG, { [6] = id }, 0 },
		{ GET_TILE_CONFIG, { [6] = 1 }, -EINVAL },
		{ SET_TRAP_HANDLER, { [4] = id }, -ESRCH },
		{ SET_TRAP_HANDLER, { [4] = 1 }, -EINVAL },
		{ SET_XNACK_MODE, { UINT32_MAX }, 0 },
		{ SET_XNACK_MODE, { 0 }, 0 },
		{ SET_XNACK_MODE, { 1 }, -EPERM },
	};
	int kfd = kfd_open();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct kfd_words words = { .at = { 0 } };

		memcpy(words.at, cases[i].at, sizeof(cases[i].at));
		ck_assert_msg(kfd_ask(kfd, cases[i].code, &words) ==
				      cases[i].result,
			      "case %zu", i);
	}
	close(kfd);
}

/* ---- memory */

/* A process that has the address spaces of both GPUs. */
static struct user {
	int kfd, render[2];
	uint32_t id[2];
} user;

static void
begin_use(void)
{
	user.kfd = kfd_open();
	for (unsigned i = 0; i < 2; i++) {
		user.id[i] = kfd_gpu_id(1 + i);
		user.render[i] = kfd_open_render(128 + i);
		ck_assert_int_eq(
			kfd_acquire(user.kfd, user.render[i], user.id[i]), 0);
	}
}

static void
end_use(void)
{
	close(user.kfd);
	close(user.render[0]);
	close(user.render[1]);
}

#define ADDRESS 0x10000000ull

static const struct allocation {
	uint64_t address, size, offset;
	uint32_t flags;
	bool is_of_no_gpu;
	int result;
} allocations[] = {
	{ ADDRESS, 0x2000, 0, KFD_VRAM, false, 0 },
	{ ADDRESS, 100, 0, KFD_GTT, false, 0 },
	{ ADDRESS, 0, 0, KFD_GTT, false, -EINVAL },
	{ ADDRESS, 0x1000, 0, KFD_GTT, true, -EINVAL },
	{ ADDRESS, 0x1000, 0, 0xd0000000, false, -EINVAL },
	/* the CPU does not reach all of this GPU's memory */
	{ ADDRESS, 0x1000, 0, KFD_VRAM | 1u << 29, false, -EINVAL },
	{ ADDRESS, 0x300000000, 0, KFD_VRAM, false, -ENOMEM },
	{ ADDRESS, KFD_DOORBELLS, 0, KFD_DOORBELL, false, 0 },
	{ ADDRESS, 4096, 0, KFD_DOORBELL, false, -EINVAL },
	{ ADDRESS, 4096, 0, KFD_MMIO, false, 0 },
	{ ADDRESS, 8192, 0, KFD_MMIO, false, -EINVAL },
	{ ADDRESS, 4096, 0, KFD_USERPTR, false, -EINVAL },
	{ ADDRESS, 4096, 0x7f0000000000, KFD_USERPTR, false, 0 },
};

TEST_CASE(memory, NULL, NULL, "drmsim_kfd");

TEST_LOOP(memory, flags_decide_whether_memory_is_given, ARRAY_SIZE(allocations))
{
	const struct allocation *c = &allocations[_i];
	struct kfd_area area = {
		.address = c->address,
		.size = c->size,
		.offset = c->offset,
		.flags = c->flags,
	};

	begin_use();
	area.gpu_id = c->is_of_no_gpu ? 1 : user.id[0];
	ck_assert_int_eq(kfd_alloc(user.kfd, &area), c->result);
	if (!c->result) {
		ck_assert_uint_eq(area.handle >> 32, user.id[0]);
		ck_assert_int_eq(kfd_free(user.kfd, area.handle), 0);
		ck_assert_int_eq(kfd_free(user.kfd, area.handle), -EINVAL);
	}
	end_use();
}

TEST(memory, without_an_address_space_there_is_no_memory)
{
	struct kfd_area area = { .address = ADDRESS,
				 .size = 4096,
				 .flags = KFD_GTT,
				 .gpu_id = kfd_gpu_id(1) };
	int kfd = kfd_open();

	ck_assert_int_eq(kfd_alloc(kfd, &area), -ENODEV);
	close(kfd);
}

/* Mapping, to which GPUs, and what may be done when. */
TEST(memory, memory_is_mapped_to_the_gpus_named)
{
	struct kfd_area area = { .address = ADDRESS,
				 .size = 8192,
				 .flags = KFD_GTT };
	struct kfd_area other, odd;
	uint32_t ids[3], wrong[2];

	begin_use();
	area.gpu_id = user.id[0];
	other = odd = area;
	other.address += 4096;
	odd.address = 0x20000100;
	memcpy(ids, user.id, sizeof(user.id));
	wrong[0] = ids[0];
	wrong[1] = 1;
	ck_assert_int_eq(kfd_alloc(user.kfd, &area), 0);
	ck_assert_int_eq(kfd_alloc(user.kfd, &other), 0);
	ck_assert_int_eq(kfd_alloc(user.kfd, &odd), 0);
	ck_assert_int_eq(kfd_unmap(user.kfd, area.handle, ids, 1), -EINVAL);
	ck_assert_int_eq(kfd_map(user.kfd, area.handle, ids, 0), -EINVAL);
	ck_assert_int_eq(kfd_map(user.kfd, area.handle, NULL, 1), -EFAULT);
	ck_assert_int_eq(kfd_map(user.kfd, area.handle + 77, ids, 1), -ENOMEM);
	ck_assert_int_eq(kfd_map(user.kfd, area.handle, wrong, 2), -EINVAL);
	/* the first of them was mapped */
	ck_assert_int_eq(kfd_free(user.kfd, area.handle), -EBUSY);
	ck_assert_int_eq(kfd_map(user.kfd, area.handle, ids, 2), 0);
	ck_assert_int_eq(kfd_map(user.kfd, other.handle, ids, 1), -EINVAL);
	ck_assert_int_eq(kfd_map(user.kfd, odd.handle, ids, 1), -EINVAL);
	ck_assert_int_eq(kfd_unmap(user.kfd, area.handle, ids, 1), 0);
	ck_assert_int_eq(kfd_free(user.kfd, area.handle), -EBUSY);
	ck_assert_int_eq(kfd_map(user.kfd, other.handle, ids, 1), 0);
	ck_assert_int_eq(kfd_unmap(user.kfd, area.handle, ids, 2), 0);
	ck_assert_int_eq(kfd_free(user.kfd, area.handle), 0);
	end_use();
}

/* Memory is mapped through the render node that gave its address space. */
TEST(memory, memory_is_seen_through_its_render_node)
{
	struct kfd_area area = { .address = ADDRESS,
				 .size = 8192,
				 .flags = KFD_VRAM };
	int stranger = kfd_open_render(128);
	const int both = PROT_READ | PROT_WRITE;
	char *first, *second;

	begin_use();
	area.gpu_id = user.id[0];
	ck_assert_int_eq(kfd_alloc(user.kfd, &area), 0);
	first = mmap(NULL, 8192, both, MAP_SHARED, user.render[0],
		     (off_t)area.offset);
	ck_assert_ptr_ne(first, MAP_FAILED);
	ck_assert_int_eq(first[8191], 0);
	first[8191] = 5;
	second = mmap(NULL, 4096, both, MAP_SHARED, user.render[0],
		      (off_t)area.offset + 4096);
	ck_assert_ptr_ne(second, MAP_FAILED);
	ck_assert_int_eq(second[4095], 5);
	ck_assert_ptr_eq(mmap(NULL, 8192, both, MAP_SHARED, stranger,
			      (off_t)area.offset),
			 MAP_FAILED);
	ck_assert_int_eq(errno, EACCES);
	munmap(first, 8192);
	munmap(second, 4096);
	close(stranger);
	end_use();
}

static const struct page {
	unsigned type;
	size_t length;
	bool is_of_no_gpu;
	int error;
} pages[] = {
	{ 3, KFD_DOORBELLS, false, 0 },	    { 3, 4096, false, EINVAL },
	{ 3, KFD_DOORBELLS, true, ENODEV }, { 0, 4096, false, 0 },
	{ 0, 8192, false, EINVAL },	    { 2, 4096, false, EINVAL },
};

/* Pages of the device, which a forked child has not. */
TEST_LOOP(memory, a_forked_child_has_no_device_pages, ARRAY_SIZE(pages))
{
	const struct page *c = &pages[_i];
	uint64_t offset = (uint64_t)c->type << 62;
	unsigned char resident[2];
	int status;
	pid_t child;
	void *page;

	begin_use();
	offset |= (uint64_t)(c->is_of_no_gpu ? 1 : user.id[0]) << 46;
	page = mmap(NULL, c->length, PROT_READ | PROT_WRITE, MAP_SHARED,
		    user.kfd, (off_t)offset);
	if (c->error) {
		ck_assert_ptr_eq(page, MAP_FAILED);
		ck_assert_int_eq(errno, c->error);
		end_use();
		return;
	}
	ck_assert_ptr_ne(page, MAP_FAILED);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0)
		_exit(!(mincore(page, c->length, resident) && errno == ENOMEM));
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	munmap(page, c->length);
	end_use();
}

static uint64_t
available_memory(int kfd, uint32_t id)
{
	struct kfd_words words = { .at = { [2] = id } };

	ck_assert_int_eq(kfd_ask(kfd, AVAILABLE_MEMORY, &words), 0);
	return kfd_get64(&words, 0);
}

/* What a process had is free again before its parent can wait for it. */
TEST(memory, a_killed_process_frees_what_it_had)
{
	const uint32_t id = kfd_gpu_id(1);
	struct kfd_area area = { .address = ADDRESS,
				 .size = 64 << 20,
				 .flags = KFD_VRAM,
				 .gpu_id = id };
	int kfd = kfd_open();
	uint64_t before = available_memory(kfd, id);
	struct child child;
	pid_t pid;

	if (child_fork(&child)) {
		begin_use();
		if (kfd_alloc(user.kfd, &area) ||
		    kfd_map(user.kfd, area.handle, &id, 1))
			_exit(1);
		/* without files it has its memory still */
		end_use();
		child_hold(&child);
	}
	pid = child_await_hold(&child);
	ck_assert_uint_eq(available_memory(kfd, id), before - area.size);
	child_kill(pid);
	ck_assert_uint_eq(available_memory(kfd, id), before);
	close(kfd);
}

/* ---- the topology */

static const struct {
	unsigned node;
	const char *file, *line;
} lines[] = {
	{ 0, "gpu_id", "0" },
	{ 0, "properties", "simd_count 0" },
	/* the BARs of the first and the second one are small */
	{ 0, "properties", "io_links_count 1" },
	{ 0, "io_links/0/properties", "node_to 3" },
	{ 1, "name", "vega10" },
	{ 1, "properties", "device_id 26751" },
	{ 1, "properties", "gfx_target_version 90000" },
	{ 1, "properties", "simd_count 256" },
	{ 1, "properties", "simd_per_cu 4" },
	{ 1, "properties", "max_waves_per_simd 10" },
	{ 1, "properties", "array_count 4" },
	{ 1, "properties", "num_sdma_engines 2" },
	{ 1, "properties", "num_sdma_queues_per_engine 2" },
	{ 1, "properties", "cwsr_size 22302720" }, /* 0x1545000 */
	{ 1, "properties", "ctl_stack_size 20480" },
	{ 1, "properties", "location_id 768" },
	{ 1, "properties", "drm_render_minor 128" },
	{ 1, "mem_banks/0/properties", "size_in_bytes 8589934592" },
	{ 1, "mem_banks/0/properties", "heap_type 2" },
	{ 1, "io_links/0/properties", "node_from 1" },
	{ 2, "name", "sienna_cichlid" },
	{ 2, "properties", "gfx_target_version 100300" },
	{ 2, "properties", "simd_count 160" },
	{ 2, "properties", "simd_per_cu 2" },
	{ 2, "properties", "cwsr_size 27881472" }, /* 0x1a97000 */
	{ 2, "properties", "ctl_stack_size 28672" },
	{ 2, "properties", "drm_render_minor 129" },
	{ 3, "properties", "gfx_target_version 110003" },
	{ 3, "properties", "cwsr_size 4186112" }, /* 0x3fe000 */
};

TEST_CASE(topology, NULL, NULL, "drmsim_kfd");

TEST(topology, topology_files_have_their_lines)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		ck_assert_msg(kfd_node_has(lines[i].node, lines[i].file,
					   lines[i].line),
			      "node %u: %s: %s", lines[i].node, lines[i].file,
			      lines[i].line);
}

static unsigned
topology_generation(void)
{
	FILE *in = fopen("/sys/class/kfd/kfd/topology/generation_id", "re");
	unsigned number = 0;

	if (!in)
		return 0;
	ck_assert_int_eq(fscanf(in, "%u", &number), 1);
	fclose(in);
	return number;
}

/* What is switched off or has gone is no node any more. */
TEST(topology, a_gpu_that_has_gone_is_no_node)
{
	unsigned before = topology_generation();

	ck_assert_uint_gt(before, 0);
	ck_assert_uint_eq(topology_generation(), before);
	scene_set("gpu0.kfd", "off");
	ck_assert(kfd_node_has(1, "name", "sienna_cichlid"));
	ck_assert_uint_gt(topology_generation(), before);
	ck_assert_int_eq(access("/dev/kfd", F_OK), 0);
	scene_set("gpu1.kfd", "off");
	scene_set("gpu2.kfd", "off");
	ck_assert_uint_eq(topology_generation(), 0);
	ck_assert_int_eq(access("/dev/kfd", F_OK), -1);
	ck_assert_int_eq(open("/dev/kfd", O_RDWR | O_CLOEXEC), -1);
	ck_assert_int_eq(errno, ENOENT);
	scene_set("kfd", "on");
	ck_assert(kfd_node_has(2, "name", "sienna_cichlid"));
}

/* Programs ask first whether the kernel module is there. */
TEST(topology, the_kernel_module_is_seen_as_loaded)
{
	char text[80] = "";
	FILE *in = fopen("/sys/module/amdgpu/initstate", "re");

	ck_assert_ptr_nonnull(in);
	ck_assert_ptr_nonnull(fgets(text, sizeof(text), in));
	ck_assert_str_eq(text, "live\n");
	fclose(in);
	in = fopen("/proc/modules", "re");
	ck_assert_ptr_nonnull(in);
	ck_assert_ptr_nonnull(fgets(text, sizeof(text), in));
	ck_assert_int_eq(strncmp(text, "amdgpu ", 7), 0);
	fclose(in);
}

/* The counters of ROCm's runtime are not those of the host's. */
TEST(topology, shared_memory_is_the_simulations_own)
{
	const int flags = O_RDWR | O_CREAT;
	int first = shm_open("/hsakmt_test", flags, 0600), second, status;
	struct stat one, other;
	sem_t *semaphore;
	pid_t child;

	ck_assert_int_ge(first, 0);
	second = shm_open("hsakmt_test", O_RDWR, 0600);
	ck_assert_int_ge(second, 0);
	ck_assert_int_eq(fstat(first, &one), 0);
	ck_assert_int_eq(fstat(second, &other), 0);
	ck_assert_uint_eq(one.st_ino, other.st_ino);
	ck_assert_int_eq(access("/dev/shm/hsakmt_test", F_OK), -1);
	semaphore = sem_open("hsakmt_test", O_CREAT, 0600, 1);
	ck_assert_ptr_ne(semaphore, SEM_FAILED);
	ck_assert_int_eq(access("/dev/shm/sem.hsakmt_test", F_OK), -1);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0)
		_exit(sem_open("hsakmt_test", 0) == SEM_FAILED);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	ck_assert_int_eq(sem_trywait(semaphore), 0);
	ck_assert_int_eq(sem_trywait(semaphore), -1);
	sem_close(semaphore);
	close(first);
	close(second);
	ck_assert_int_eq(shm_unlink("/hsakmt_test"), 0);
	ck_assert_int_eq(shm_unlink("/hsakmt_test"), -1);
	ck_assert_int_eq(sem_unlink("hsakmt_test"), 0);
}

/* ------------------------------------------------------------------ */

TEST_MACHINE("drmsim_kfd", "--gpu", "vega10", "--gpu", "navi21", "--gpu",
	     "phoenix", "--time", "virtual");

TEST_OPTION(in_processes, true);
