/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernel/call.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "kernel/process.h"
#include "machine/clock.h"
#include "machine/log.h"
#include "machine/machine.h"
#include "scene/fault.h"

/* A duration of more than thirty years. */
#define FOR_EVER ((uint64_t)1 << 60)
/* An answer of more bytes than any call has. */
#define PIECES_MAX (256u << 20)

/* ---- life */

static void
remove_sleeper(struct sim_call *call)
{
	struct sim_call **p = &call->sim->sleepers;

	while (*p && *p != call)
		p = &(*p)->next;
	if (*p)
		*p = call->next;
	call->sleeping = false;
}

void
sim_call_reset(struct sim_call *call)
{
	if (call->sleeping)
		remove_sleeper(call);
	if (call->fd >= 0)
		close(call->fd);
	free(call->text);
	call->text = NULL;
	call->fd = -1;
	call->pieces_size = 0;
	call->piece_count = 0;
	call->reply_flags = 0;
	call->store = call->stream_id = call->offset = 0;
}

void
sim_call_free(struct sim_call *call)
{
	sim_call_reset(call);
	free(call->pieces);
	call->pieces = NULL;
}

static void
call_run(struct sim_call *call)
{
	int result = call->handle(call);

	if (result != SIM_SLEEP) {
		call->answer(call, result);
		return;
	}
	/* what an earlier round prepared is prepared again by the next */
	call->pieces_size = 0;
	call->piece_count = 0;
	if (!call->sleeping) {
		call->sleeping = true;
		call->next = call->sim->sleepers;
		call->sim->sleepers = call;
	}
}

void
sim_call_begin(struct sim_call *call)
{
	call->memory = 0;
	call->has_first_deadline = false;
	call->timed_out = false;
	call->deaf = false;
	call->counted = false;
	call_run(call);
}

void
sim_call_cancel(struct sim_call *call)
{
	if (!call->sleeping || call->deaf)
		return;
	call->piece_count = 0;
	call->answer(call, -EINTR);
}

/*
 * Try all calls again. A round may answer calls, which takes them out of the
 * list; but only the one that is asked, so its successor can be remembered.
 */
void
sim_calls_retry(struct sim *sim)
{
	struct sim_call *call = sim->sleepers, *next;

	for (; call; call = next) {
		next = call->next;
		call->timed_out = call->deadline <= sim_now(sim);
		call_run(call);
	}
}

int
sim_call_count(struct sim_call *call, struct sim_gpu *gpu, const char *kind)
{
	int error;

	if (call->counted)
		return 0;
	call->counted = true;
	error = sim_fault_call(call->sim, gpu, kind);
	if (error != -SIM_FAULT_KILL)
		return error;
	kill(call->caller.pid, SIGKILL);
	return -EINTR;
}

/* ---- sleeping */

int
sim_call_sleep(struct sim_call *call, uint64_t deadline, uint64_t until)
{
	call->deadline = deadline;
	call->until = until;
	return SIM_SLEEP;
}

uint64_t
sim_call_timeout(struct sim_call *call, uint64_t ns)
{
	uint64_t now = sim_now(call->sim);

	if (!call->has_first_deadline) {
		call->has_first_deadline = true;
		/* INT64_MAX and the like mean for ever */
		call->first_deadline = ns > FOR_EVER ? SIM_NEVER : now + ns;
	}
	return call->first_deadline;
}

uint64_t
sim_call_deadline(struct sim_call *call, int64_t monotonic_ns)
{
	uint64_t now = sim_process_now(call->sim);

	if (monotonic_ns < 0 || (uint64_t)monotonic_ns <= now)
		return sim_call_timeout(call, 0);
	return sim_call_timeout(call, (uint64_t)monotonic_ns - now);
}

/* ---- the caller */

bool
sim_call_is_privileged(const struct sim_call *call)
{
	return sim_process_is_privileged(call->sim, call->caller.pid);
}

/* ---- memory */

int
sim_call_get(struct sim_call *call, void *to, uint64_t from, size_t size)
{
	struct iovec local = { to, size };
	struct iovec remote = { (void *)(uintptr_t)from, size };
	ssize_t got;

	if (size == 0)
		return 0;
	got = process_vm_readv(call->caller.pid, &local, 1, &remote, 1, 0);
	if (got < 0 && errno == EPERM)
		sim_log(call->sim, "may not read the memory of process %d",
			(int)call->caller.pid);
	return got == (ssize_t)size ? 0 : -EFAULT;
}

/*
 * Return how many bytes can be written. Nothing but a write tells whether a
 * page can be, so a byte of each is put back where it was: it is the call's
 * buffer, about to be filled.
 */
size_t
sim_call_writable(const struct sim_call *call, uint64_t to, size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const pid_t pid = call->caller.pid;
	size_t done = 0;

	while (done < size) {
		struct iovec remote = { (void *)(uintptr_t)(to + done), 1 };
		uint8_t byte;
		struct iovec local = { &byte, 1 };

		if (process_vm_readv(pid, &local, 1, &remote, 1, 0) != 1 ||
		    process_vm_writev(pid, &local, 1, &remote, 1, 0) != 1)
			return done;
		done += page - (to + done) % page;
	}
	return size;
}

static int
add_piece(struct sim_call *call, uint64_t to, const void *from, size_t size)
{
	struct protocol_piece piece = { .address = to, .size = size };
	size_t need = call->pieces_size + sizeof(piece) + size;

	if (need > PIECES_MAX)
		return -ENOMEM;
	if (need > call->pieces_room) {
		size_t room = need + 4096;
		uint8_t *more = realloc(call->pieces, room);
		if (!more)
			return -ENOMEM;
		call->pieces = more;
		call->pieces_room = room;
	}
	memcpy(call->pieces + call->pieces_size, &piece, sizeof(piece));
	memcpy(call->pieces + call->pieces_size + sizeof(piece), from, size);
	call->pieces_size = need;
	call->piece_count++;
	return 0;
}

int
sim_call_put(struct sim_call *call, uint64_t to, const void *from, size_t size)
{
	if (size == 0)
		return 0;
	if (sim_call_writable(call, to, size) < size)
		return -EFAULT;
	return add_piece(call, to, from, size);
}

int
sim_call_put_text(struct sim_call *call, const void *text, size_t size)
{
	call->reply_flags |= PROTOCOL_TEXT;
	return add_piece(call, 0, text, size);
}

uint64_t
sim_call_arg_address(const struct sim_call *call, size_t offset)
{
	return call->request.b + offset;
}

/* ---- descriptors */

int
sim_call_give_fd(struct sim_call *call, int fd, bool cloexec, uint64_t store)
{
	if (call->fd >= 0)
		close(call->fd);
	call->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (call->fd < 0)
		return -errno;
	call->reply_flags |= PROTOCOL_HAS_FD;
	if (cloexec)
		call->reply_flags |= PROTOCOL_CLOEXEC;
	if (store)
		call->reply_flags |= PROTOCOL_STORE_FD;
	call->store = store;
	return 0;
}

int
sim_call_give_map(struct sim_call *call, const struct sim_mapping *map)
{
	call->offset = map->offset;
	return sim_call_give_fd(call, map->fd, true, 0);
}

int
sim_call_stat(const struct sim_call *call, int fd, struct stat *status)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)call->caller.pid,
		 fd);
	return stat(path, status) ? -EBADF : 0;
}
