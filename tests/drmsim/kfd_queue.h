/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A queue of a simulated GPU that takes packets of HSA, written by hand. What
 * goes wrong fails the test.
 */
#ifndef DRMPERF_TESTS_DRMSIM_KFD_QUEUE_H
#define DRMPERF_TESTS_DRMSIM_KFD_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/drmsim/kfd_client.h"

#define QUEUE_SLOTS 64

/* Memory of the host that the GPU sees as well, at another address. */
struct kfd_buffer {
	uint64_t address, handle;
	uint64_t size;
	void *at;
};

/* A process with one GPU, and buffers that a queue needs. */
struct kfd_user {
	int kfd, render;
	uint32_t id;
	uint64_t next_address;
	struct kfd_buffer ring, pointers, save, commands, data, signals, page;
	uint32_t ctl_stack, save_of_die;
	unsigned dwords; /* written to the buffer of commands */
};

/* How many bytes the state of waves takes: of a die, its stack, of all dies. */
struct kfd_sizes {
	uint32_t save_of_die, ctl_stack;
	uint64_t save;
};

/* Find the sizes of a node's queues, from its properties. */
void
kfd_sizes_of_node(unsigned node, struct kfd_sizes *sizes);
/* Begin on the first GPU. */
void
kfd_user_begin(struct kfd_user *user, const struct kfd_sizes *sizes);
/* Begin on a node of the topology, 1 and up for GPUs. */
void
kfd_user_begin_on(struct kfd_user *user, unsigned node,
		  const struct kfd_sizes *sizes);
void
kfd_user_end(struct kfd_user *user);
void
kfd_user_alloc(struct kfd_user *user, struct kfd_buffer *buffer, uint64_t size);

/*
 * Describe a queue: offset 0 ring, 8 write pointer and so on. Returns 0 or
 * -errno.
 */
void
kfd_queue_describe(const struct kfd_user *user, struct kfd_words *words);
/* Make a queue. Returns its id. */
uint32_t
kfd_queue_make(const struct kfd_user *user);

/* ---- signals: number n of the buffer */
struct kfd_signal {
	int64_t kind;
	_Atomic int64_t value;
	uint64_t mailbox;
	uint32_t event, pad;
	uint64_t start, end, queue, pad1;
};

struct kfd_signal *
kfd_signal(const struct kfd_user *user, unsigned n);
uint64_t
kfd_signal_address(const struct kfd_user *user, unsigned n);
/* Wait, without a call, until the value is that. */
void
kfd_signal_await(const struct kfd_user *user, unsigned n, int64_t value);

/* ---- packets, which are there at once; signal: a number, or NO_SIGNAL */
#define NO_SIGNAL (~0u)
#define BARRIER 0x100u

void
kfd_put_dispatch(struct kfd_user *user, unsigned flags, const uint16_t group[3],
		 const uint32_t grid[3], unsigned signal);
/*
 * Put a barrier that waits for one of two signals if any is set, else for both.
 */
void
kfd_put_barrier(struct kfd_user *user, unsigned flags, bool any, unsigned first,
		unsigned second, unsigned signal);
/* Put what was written to the buffer of commands, from a dword to another. */
void
kfd_put_commands(struct kfd_user *user, unsigned flags, unsigned from,
		 unsigned to, unsigned signal);
/* Put a packet as it is; its header is written last. */
void
kfd_put_packet(struct kfd_user *user, const uint32_t words[16]);

#endif /* DRMPERF_TESTS_DRMSIM_KFD_QUEUE_H */
