/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A system call of a process, being handled.
 *
 * The preload library forwards calls on simulated files; each becomes a struct
 * sim_call, is handled to its end or put to sleep, and is answered. A handler
 * returns 0 or a positive result, a negative errno, or SIM_SLEEP. The server
 * has one thread: it needs no lock and must not block.
 */
#ifndef DRMSIM_KERNEL_CALL_H
#define DRMSIM_KERNEL_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "base/protocol.h"

struct sim;
struct sim_gpu;
struct stat;

struct sim_call {
	struct sim *sim;
	struct ucred caller;
	struct protocol_request request;
	char *text; /* of PROTOCOL_OPEN and the like, terminated */
	int (*handle)(struct sim_call *call);
	/*
	 * Send the result to the process with the reply below, which ends the
	 * call.
	 */
	void (*answer)(struct sim_call *call, int64_t result);
	struct sim_call *next; /* sleepers */
	bool sleeping;
	bool timed_out; /* its deadline has passed */
	bool deaf; /* no signal ends it: the kernel sleeps uninterruptibly */
	uint64_t deadline, until;
	uint64_t memory; /* the handler's between rounds; 0 in the first */
	uint64_t first_deadline; /* kept by sim_call_timeout() */
	bool has_first_deadline, counted;
	/* the reply in the making */
	uint8_t *pieces;
	size_t pieces_size, pieces_room;
	uint32_t piece_count;
	int fd; /* to be passed, ours; or -1 */
	uint32_t reply_flags;
	uint64_t store, stream_id, offset;
};

/* A piece of memory for mmap(): fd stays the driver's. */
struct sim_mapping {
	int fd;
	uint64_t offset;
};

/* Handle and, unless it sleeps, answer. */
void sim_call_begin(struct sim_call *call);
/*
 * End the call with -EINTR if it sleeps and a signal ends it; the process was
 * interrupted.
 */
void sim_call_cancel(struct sim_call *call);
/* Reset a call, ready for the next one on the same connection. */
void sim_call_reset(struct sim_call *call);
void sim_call_free(struct sim_call *call);
/* Call the handlers of all sleeping calls again. */
void sim_calls_retry(struct sim *sim);

/*
 * Count one more call of this kind, lower case, whatever rounds it takes.
 * Returns what --fault has for it, 0 or -errno. gpu may be NULL.
 */
int sim_call_count(struct sim_call *call, struct sim_gpu *gpu,
		   const char *kind);

/* Handler result: ask again when anything has changed; see sim_call_sleep. */
#define SIM_SLEEP 1000000

/*
 * Sleep. The handler is called again, from its start and with a fresh copy
 * of its argument, whenever simulated time or any object has changed, until
 * it returns something else. deadline is simulated time, or SIM_NEVER; once
 * it has passed, call->timed_out is true in the next round and the handler
 * must come to an end. A signal in the calling process ends the call
 * with -EINTR.
 *
 * until: the moment the handler knows it will be satisfied, or SIM_NEVER if
 * it does not know. In virtual time a sleeping call moves the clock: to the
 * earlier of until and deadline, when the GPUs have nothing earlier to do.
 *
 * Returns SIM_SLEEP.
 */
int sim_call_sleep(struct sim_call *call, uint64_t deadline, uint64_t until);
/* Convert an absolute CLOCK_MONOTONIC time to simulated time. */
uint64_t sim_call_deadline(struct sim_call *call, int64_t monotonic_ns);
/*
 * Convert a duration, from the call's first round on, to the simulated time of
 * its end.
 */
uint64_t sim_call_timeout(struct sim_call *call, uint64_t ns);

bool sim_call_is_privileged(const struct sim_call *call);

/*
 * Get memory of the calling process. get reads at once; put is carried out when
 * the call is answered. -EFAULT as in the kernel.
 */
int sim_call_get(struct sim_call *call, void *to, uint64_t from, size_t size);
int sim_call_put(struct sim_call *call, uint64_t to, const void *from,
		 size_t size);
/* Return how many of these bytes, from the first on, the process may write. */
size_t sim_call_writable(const struct sim_call *call, uint64_t to, size_t size);
/* Put text of `drmsim ctl`, which goes to no address. */
int sim_call_put_text(struct sim_call *call, const void *text, size_t size);

/*
 * Give the caller a new descriptor for fd (a copy; fd stays the simulator's).
 * Its number becomes the result of the call, or is stored as an int at the
 * caller's address `store` if that is not 0.
 */
int sim_call_give_fd(struct sim_call *call, int fd, bool cloexec,
		     uint64_t store);
int sim_call_give_map(struct sim_call *call, const struct sim_mapping *map);
/*
 * Return the address of an int member of the running ioctl's argument, for
 * `store`.
 */
uint64_t sim_call_arg_address(const struct sim_call *call, size_t offset);
/* Stat a descriptor of the caller: 0 or -EBADF. */
int sim_call_stat(const struct sim_call *call, int fd, struct stat *status);

#endif /* DRMSIM_KERNEL_CALL_H */
