/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts: Linux 6.12, kfd_ioctl.h, kfd_chardev.c, kfd_queue.c; headers of HSA;
 * aqlprofile, which has commands run on all dies by the same packet.
 */
#include "driver/amdgpu/device/aql.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "driver/amdgpu/device/kfd_file.h"
#include "driver/amdgpu/device/kfd_uapi.h"

#define PAGE 4096u

/* System memory, coherent and uncached, writable and with commands in it. */
#define MEMORY_FLAGS                                                           \
	(1u << 1 | 1u << 25 | 1u << 26 | 1u << 28 | 1u << 30 | 1u << 31)

#define QUEUE_AQL 2
#define WHOLE_PERCENT 100
/* Before the work of other queues, which samples are not to wait for. */
#define MOST_PRIORITY 15

/* ------------------------------------------------------------------ */
/* Memory that the GPU reads */

struct packet {
	_Atomic uint16_t header;
	uint16_t format;
	uint32_t jump, low, high, size, rest;
	uint32_t reserved[8];
	uint64_t signal;
};

#define INVALID 1
/* Vendor's packet, a barrier, with acquire and release for the system */
#define HEADER (1u << 8 | 2u << 9 | 2u << 11)
#define FORMAT_COMMANDS 1
#define JUMP 0xc0023f00u
#define JUMP_VALID (1u << 23)
#define JUMP_REST 10

#define PACKETS (PAGE / sizeof(struct packet))

struct aql_signal {
	int64_t kind;
	_Atomic int64_t value; /* 0 when the commands have run */
	uint64_t unused[6];
};

#define KIND_USER 1

/* The head of a queue as HSA has it, so far as the GPU may look at it. */
struct head {
	uint32_t type, features;
	uint64_t base, doorbell;
	uint32_t size, reserved;
	uint64_t id, reserved1[2];
	_Atomic uint64_t write_index;
	uint64_t reserved2[8];
	_Atomic uint64_t read_index;
	uint32_t read_index_offset; /* back to the head */
};

_Static_assert(sizeof(struct packet) == 64, "packets have 64 bytes");
_Static_assert(sizeof(struct aql_signal) == AQL_SIGNAL_SIZE, "signals as well");
_Static_assert(offsetof(struct head, write_index) == 56 &&
		       offsetof(struct head, read_index) == 128,
	       "where HSA has the indices");

struct aql {
	struct driver_kfd gpu;
	struct kfd_file kfd;
	struct aql_memory ring, head, save;
	_Atomic size_t lent; /* memories, but those */
	uint64_t doorbell; /* by KFD's offset */
	uint32_t id;
	bool exists; /* the kernel's queue */
};

/* ------------------------------------------------------------------ */
/* Memory                                                               */

static int
map_gpu(struct aql *aql, uint64_t handle, unsigned long request)
{
	struct kfd_map_memory map = { .handle = handle,
				      .gpu_ids = (uintptr_t)&aql->gpu.id,
				      .count = 1 };

	return kfd_file_call(&aql->kfd, request, &map);
}

static void
free_handle(struct aql *aql, uint64_t handle)
{
	struct kfd_free_memory memory = { .handle = handle };

	kfd_file_call(&aql->kfd, KFD_FREE_MEMORY, &memory);
}

/* Fill the part of the address space with memory that the GPU has there. */
static int
fill_range(struct aql *aql, void *at, size_t size, uint64_t *handle)
{
	struct kfd_alloc_memory memory = { .address = (uintptr_t)at,
					   .size = size,
					   .gpu_id = aql->gpu.id,
					   .flags = MEMORY_FLAGS };
	int ret = kfd_file_call(&aql->kfd, KFD_ALLOC_MEMORY, &memory);

	if (ret)
		return ret;
	ret = map_gpu(aql, memory.handle, KFD_MAP_MEMORY);
	if (!ret &&
	    mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		 aql->kfd.render, (off_t)memory.offset) == MAP_FAILED) {
		ret = -errno;
		map_gpu(aql, memory.handle, KFD_UNMAP_MEMORY);
	}
	if (ret)
		free_handle(aql, memory.handle);
	else
		*handle = memory.handle;
	return ret;
}

static int
alloc_range(struct aql *aql, size_t size, struct aql_memory *out)
{
	void *at;
	int ret;

	size = (size + PAGE - 1) / PAGE * PAGE;
	at = mmap(NULL, size, PROT_NONE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return -errno;
	ret = fill_range(aql, at, size, &out->handle);
	if (ret) {
		munmap(at, size);
		return ret;
	}
	out->at = at;
	out->size = size;
	return 0;
}

static void
free_range(struct aql *aql, struct aql_memory *memory, bool is_child)
{
	if (!memory->at)
		return;
	munmap(memory->at, memory->size);
	memory->at = NULL;
	if (is_child)
		return;
	map_gpu(aql, memory->handle, KFD_UNMAP_MEMORY);
	free_handle(aql, memory->handle);
}

int
aql_alloc(struct aql *aql, size_t size, struct aql_memory *out)
{
	int ret = alloc_range(aql, size, out);

	if (!ret)
		aql->lent++;
	return ret;
}

void
aql_free(struct aql *aql, struct aql_memory *memory, bool is_child)
{
	if (!memory->at)
		return;
	free_range(aql, memory, is_child);
	aql->lent--;
}

/* ------------------------------------------------------------------ */
/* The queue                                                            */

/* Make the ring one without packets. */
static void
clear_ring(struct aql *aql)
{
	struct packet *packets = aql->ring.at;
	struct head *head = aql->head.at;

	memset(aql->ring.at, 0, aql->ring.size);
	for (size_t i = 0; i < PACKETS; i++)
		atomic_init(&packets[i].header, INVALID);
	memset(aql->head.at, 0, aql->head.size);
	head->base = (uintptr_t)aql->ring.at;
	head->size = PACKETS;
	head->read_index_offset = offsetof(struct head, read_index);
}

static void
destroy_queue(struct aql *aql)
{
	struct kfd_destroy_queue queue = { .id = aql->id };

	if (aql->exists)
		kfd_file_call(&aql->kfd, KFD_DESTROY_QUEUE, &queue);
	aql->exists = false;
}

static int
create_queue(struct aql *aql)
{
	const struct head *head = aql->head.at;
	struct kfd_create_queue queue = {
		.ring = (uintptr_t)aql->ring.at,
		.write_index = (uintptr_t)&head->write_index,
		.read_index = (uintptr_t)&head->read_index,
		.ring_size = (uint32_t)aql->ring.size,
		.gpu_id = aql->gpu.id,
		.type = QUEUE_AQL,
		.percentage = WHOLE_PERCENT,
		.priority = MOST_PRIORITY,
		.save = (uintptr_t)aql->save.at,
		.save_size = aql->gpu.save_size,
		.control_size = aql->gpu.control_size,
	};
	int ret;

	clear_ring(aql);
	ret = kfd_file_call(&aql->kfd, KFD_CREATE_QUEUE, &queue);
	if (ret)
		return ret;
	aql->id = queue.id;
	aql->exists = true;
	aql->doorbell = queue.doorbell;
	ret = kfd_file_map_doorbells(&aql->kfd, queue.doorbell);
	if (ret)
		destroy_queue(aql);
	return ret;
}

int
aql_renew(struct aql *aql)
{
	destroy_queue(aql);
	return create_queue(aql);
}

static int
explain_vm(int code, const char *node, struct drmperf_error *error)
{
	if (code == -EBUSY) {
		error_set(error, code,
			  "%s: this process uses the compute driver (KFD) "
			  "already",
			  node);
		error_remedy(error, "count in a process of its own: "
				    "drmperf stat -- PROGRAM");
		return code;
	}
	return error_set(error, code,
			 "%s: the compute driver (KFD) does not take the GPU: "
			 "%s",
			 node, strerror(-code));
}

static int
aql_make_queue(struct aql *aql, const char *node, struct drmperf_error *error)
{
	int ret = kfd_file_acquire_vm(&aql->kfd, node);

	if (ret)
		return explain_vm(ret, node, error);
	ret = alloc_range(aql, PAGE, &aql->ring);
	if (!ret)
		ret = alloc_range(aql, PAGE, &aql->head);
	if (!ret)
		ret = alloc_range(aql, aql->gpu.save_total, &aql->save);
	if (!ret)
		ret = create_queue(aql);
	if (ret)
		error_set(error, ret,
			  "%s: the compute driver (KFD) makes no queue: %s",
			  node, strerror(-ret));
	return ret;
}

static int
open_queue(struct aql *aql, const char *node, const char *helper,
	   struct drmperf_error *error)
{
	const struct kfd_target target = { .gpu_id = aql->gpu.id,
					   .node = node,
					   .helper = helper };
	int ret = kfd_file_open(&aql->kfd, &target, error);

	return ret ? ret : aql_make_queue(aql, node, error);
}

int
aql_open(const struct driver_kfd *gpu, const char *node, const char *helper,
	 struct aql **out, struct drmperf_error *error)
{
	struct aql *aql;
	int ret;

	if (!gpu->id || !gpu->save_total)
		return error_set(error, -ENOTSUP,
				 "%s: the kernel has no compute driver (KFD) "
				 "for this GPU",
				 node);
	aql = calloc(1, sizeof(*aql));
	if (!aql)
		return error_set(error, -ENOMEM, "no memory");
	aql->gpu = *gpu;
	ret = open_queue(aql, node, helper, error);
	if (ret)
		aql_close(aql, false);
	else
		*out = aql;
	return ret;
}

bool
aql_keep_alive(const struct aql *aql)
{
	return aql->lent || kfd_file_keep_alive(&aql->kfd);
}

void
aql_close(struct aql *aql, bool is_child)
{
	if (!aql)
		return;
	if (!is_child)
		destroy_queue(aql);
	free_range(aql, &aql->save, is_child);
	free_range(aql, &aql->head, is_child);
	free_range(aql, &aql->ring, is_child);
	kfd_file_close(&aql->kfd, is_child);
	free(aql);
}

/* ------------------------------------------------------------------ */
/* Submitting                                                           */

/* Short waits spin: sleeping would take longer. */
#define SPIN_NS 20000
#define LEAST_SLEEP_NS 10000
#define MOST_SLEEP_NS 1000000
#define FULL_NS UINT64_C(5000000000)

static void
sleep_ns(uint64_t ns)
{
	const struct timespec time = { .tv_nsec = (long)ns };

	nanosleep(&time, NULL);
}

/* Sleep longer each time, up to a limit. */
static void
sleep_longer(uint64_t *ns)
{
	sleep_ns(*ns);
	if (*ns < MOST_SLEEP_NS)
		*ns *= 2;
}

/*
 * Wait for a place, which is free when the GPU has taken what was there before.
 */
static int
wait_for_place(const struct head *head, uint64_t index)
{
	const uint64_t until = monotonic_ns() + FULL_NS;
	uint64_t ns = LEAST_SLEEP_NS;

	while (index - atomic_load(&head->read_index) >= PACKETS) {
		if (monotonic_ns() >= until)
			return -ETIME;
		sleep_longer(&ns);
	}
	return 0;
}

int
aql_submit(struct aql *aql, const void *commands, size_t dwords,
	   struct aql_signal *signal)
{
	const uint64_t address = (uintptr_t)commands;
	struct head *head = aql->head.at;
	struct packet *packet;
	uint64_t index;
	int ret;

	if (!aql->exists)
		return -ETIME;
	index = atomic_fetch_add(&head->write_index, 1);
	ret = wait_for_place(head, index);
	if (ret)
		return ret;
	signal->kind = KIND_USER;
	atomic_store(&signal->value, 1);
	packet = (struct packet *)aql->ring.at + index % PACKETS;
	packet->format = FORMAT_COMMANDS;
	packet->jump = JUMP;
	packet->low = (uint32_t)address;
	packet->high = (uint32_t)(address >> 32);
	packet->size = (uint32_t)dwords | JUMP_VALID;
	packet->rest = JUMP_REST;
	packet->signal = (uintptr_t)signal;
	atomic_store_explicit(&packet->header, HEADER, memory_order_release);
	return kfd_file_ring(&aql->kfd, aql->doorbell, index);
}

bool
aql_wait(const struct aql_signal *signal, uint64_t until_ns)
{
	const uint64_t spin_until = monotonic_ns() + SPIN_NS;
	uint64_t ns = LEAST_SLEEP_NS, now;

	while (atomic_load(&signal->value) > 0) {
		now = monotonic_ns();
		if (now >= until_ns)
			return false;
		if (now < spin_until)
			sched_yield();
		else
			sleep_longer(&ns);
	}
	return true;
}
