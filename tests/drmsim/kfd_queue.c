/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/drmsim/kfd_queue.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/check.h"

/* Where both pointers lie in their page. */
#define WRITE_POINTER 0x38
#define READ_POINTER 0x80

void
kfd_user_alloc(struct kfd_user *user, struct kfd_buffer *buffer, uint64_t size)
{
	struct kfd_area area = { .address = user->next_address,
				 .size = size,
				 .gpu_id = user->id,
				 .flags = KFD_GTT };

	ck_assert_int_eq(kfd_alloc(user->kfd, &area), 0);
	ck_assert_int_eq(kfd_map(user->kfd, area.handle, &user->id, 1), 0);
	buffer->address = area.address;
	buffer->handle = area.handle;
	buffer->size = size;
	buffer->at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
			  user->render, (off_t)area.offset);
	ck_assert_ptr_ne(buffer->at, MAP_FAILED);
	user->next_address += size + 0x100000;
}

/*
 * Find the sizes of a node: apart from registers, each wave has 32 bytes for
 * debuggers, on every die.
 */
void
kfd_sizes_of_node(unsigned node, struct kfd_sizes *sizes)
{
	const uint64_t dies = kfd_node_value(node, "num_xcc");
	const uint64_t engines = kfd_node_value(node, "array_count") /
				 kfd_node_value(node, "simd_arrays_per_engine");
	const uint64_t cus = kfd_node_value(node, "simd_count") /
			     kfd_node_value(node, "simd_per_cu");
	uint64_t waves = cus / dies * 40;

	if (waves > engines / dies * 512)
		waves = engines / dies * 512;
	sizes->save_of_die = (uint32_t)kfd_node_value(node, "cwsr_size");
	sizes->ctl_stack = (uint32_t)kfd_node_value(node, "ctl_stack_size");
	sizes->save = (sizes->save_of_die + (waves * 32 + 63) / 64 * 64) * dies;
	sizes->save = (sizes->save + 4095) / 4096 * 4096;
}

void
kfd_user_begin(struct kfd_user *user, const struct kfd_sizes *sizes)
{
	kfd_user_begin_on(user, 1, sizes);
}

void
kfd_user_begin_on(struct kfd_user *user, unsigned node,
		  const struct kfd_sizes *sizes)
{
	memset(user, 0, sizeof(*user));
	user->kfd = kfd_open();
	user->render = kfd_open_render(
		(unsigned)kfd_node_value(node, "drm_render_minor"));
	user->id = kfd_gpu_id(node);
	user->next_address = 0x100000000;
	user->ctl_stack = sizes->ctl_stack;
	user->save_of_die = sizes->save_of_die;
	ck_assert_int_eq(kfd_acquire(user->kfd, user->render, user->id), 0);
	kfd_user_alloc(user, &user->ring, QUEUE_SLOTS * 64);
	kfd_user_alloc(user, &user->pointers, 4096);
	kfd_user_alloc(user, &user->save, sizes->save);
	kfd_user_alloc(user, &user->commands, 65536);
	kfd_user_alloc(user, &user->data, 4096);
	kfd_user_alloc(user, &user->signals, 4096);
	kfd_user_alloc(user, &user->page, 32768);
	/* as HSA leaves it: no packets */
	for (unsigned i = 0; i < QUEUE_SLOTS; i++)
		((uint32_t *)user->ring.at)[i * 16] = 1;
}

void
kfd_user_end(struct kfd_user *user)
{
	close(user->kfd);
	close(user->render);
}

void
kfd_queue_describe(const struct kfd_user *user, struct kfd_words *words)
{
	memset(words, 0, sizeof(*words));
	kfd_put64(words, 0, user->ring.address);
	kfd_put64(words, 8, user->pointers.address + WRITE_POINTER);
	kfd_put64(words, 16, user->pointers.address + READ_POINTER);
	words->at[8] = QUEUE_SLOTS * 64;
	words->at[9] = user->id;
	words->at[10] = 2;
	words->at[11] = 100;
	words->at[12] = 7;
	kfd_put64(words, 72, user->save.address);
	words->at[20] = user->save_of_die;
	words->at[21] = user->ctl_stack;
}

uint32_t
kfd_queue_make(const struct kfd_user *user)
{
	struct kfd_words words;

	kfd_queue_describe(user, &words);
	ck_assert_int_eq(kfd_ask(user->kfd, CREATE_QUEUE, &words), 0);
	return words.at[13];
}

/* ---- signals */

struct kfd_signal *
kfd_signal(const struct kfd_user *user, unsigned n)
{
	return (struct kfd_signal *)user->signals.at + n;
}

uint64_t
kfd_signal_address(const struct kfd_user *user, unsigned n)
{
	return n == NO_SIGNAL ? 0 : user->signals.address + 64 * n;
}

void
kfd_signal_await(const struct kfd_user *user, unsigned n, int64_t value)
{
	while (kfd_signal(user, n)->value != value)
		sched_yield();
}

/* ---- packets */

void
kfd_put_packet(struct kfd_user *user, const uint32_t words[16])
{
	char *pointers = user->pointers.at;
	_Atomic uint64_t *write = (void *)(pointers + WRITE_POINTER);
	uint32_t *slot = (uint32_t *)user->ring.at + *write % QUEUE_SLOTS * 16;

	memcpy(slot + 1, words + 1, 15 * sizeof(words[0]));
	atomic_store_explicit((_Atomic uint32_t *)(void *)slot, words[0],
			      memory_order_release);
	(*write)++;
}

static void
put64(uint32_t *words, unsigned dword, uint64_t value)
{
	memcpy(words + dword, &value, sizeof(value));
}

void
kfd_put_dispatch(struct kfd_user *user, unsigned flags, const uint16_t group[3],
		 const uint32_t grid[3], unsigned signal)
{
	uint32_t words[16] = { 2 | flags | 3u << 16 };

	words[1] = group[0] | (uint32_t)group[1] << 16;
	words[2] = group[2];
	memcpy(words + 3, grid, 3 * sizeof(grid[0]));
	/* a descriptor of zeros */
	put64(words, 8, user->data.address + 2048);
	put64(words, 14, kfd_signal_address(user, signal));
	kfd_put_packet(user, words);
}

void
kfd_put_barrier(struct kfd_user *user, unsigned flags, bool any, unsigned first,
		unsigned second, unsigned signal)
{
	uint32_t words[16] = { (any ? 5u : 3u) | flags };

	put64(words, 4, kfd_signal_address(user, first));
	put64(words, 8, kfd_signal_address(user, second));
	put64(words, 14, kfd_signal_address(user, signal));
	kfd_put_packet(user, words);
}

void
kfd_put_commands(struct kfd_user *user, unsigned flags, unsigned from,
		 unsigned to, unsigned signal)
{
	const uint64_t address = user->commands.address + 4 * from;
	uint32_t words[16] = { flags | 1u << 16, 0xc0023f00 };

	put64(words, 2, address);
	words[4] = (to - from) | 1u << 23;
	words[5] = 10;
	put64(words, 14, kfd_signal_address(user, signal));
	kfd_put_packet(user, words);
}
