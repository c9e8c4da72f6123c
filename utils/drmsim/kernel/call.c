/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/core.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

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

static int
ioctl_node(struct sim_call *call)
{
	struct sim_file *file = sim_node_file(call->sim, call->request.id);

	if (!file || file->gpu->gone)
		return -ENODEV;
	return sim_drm_ioctl(call, file, (unsigned long)call->request.a,
			     call->request.b);
}

static int
map_node(struct sim_call *call)
{
	struct sim_file *file = sim_node_file(call->sim, call->request.id);
	struct sim_mapping map;
	int error;

	if (!file || file->gpu->gone)
		return -ENODEV;
	error = sim_fault_call(call->sim, file->gpu, "mmap");
	if (!error)
		error = file->gpu->driver->mmap(call, file, call->request.a,
						call->request.b, &map);
	return error ? error : sim_call_give_map(call, &map);
}

static int
dispatch(struct sim_call *call)
{
	switch (call->request.kind) {
	case PROTOCOL_OPEN:
		return sim_node_open(call);
	case PROTOCOL_ACCESS:
		return sim_node_access(call);
	case PROTOCOL_IOCTL:
		return ioctl_node(call);
	case PROTOCOL_MMAP:
		return map_node(call);
	case PROTOCOL_STREAM_READ:
	case PROTOCOL_STREAM_IOCTL:
	case PROTOCOL_STREAM_MMAP:
		return sim_stream_call(call);
	case PROTOCOL_PERF_OPEN:
		return sim_pmu_open(call);
	case PROTOCOL_EXIT:
		sim_connection_set_ended(call->connection);
		return 0;
	case PROTOCOL_CONTROL:
		return sim_command(call);
	case PROTOCOL_FDINFO:
		return sim_fdinfo(call);
	}
	return -EINVAL;
}

void
sim_call_begin(struct sim_call *call)
{
	call->memory = 0;
	call->has_first_deadline = false;
	call->timed_out = false;
	call->cancelled = false;
	call->counted = false;
	sim_call_run(call);
}

void
sim_call_run(struct sim_call *call)
{
	int result = dispatch(call);

	if (result != SIM_SLEEP) {
		sim_connection_answer(call->connection, result);
		return;
	}
	/* what an earlier round prepared is prepared anew by the next */
	call->pieces_size = 0;
	call->piece_count = 0;
	if (!call->sleeping) {
		call->sleeping = true;
		call->next = call->sim->sleepers;
		call->sim->sleepers = call;
	}
}

void
sim_call_cancel(struct sim_call *call)
{
	if (!call->sleeping)
		return;
	call->piece_count = 0;
	sim_connection_answer(call->connection, -EINTR);
}

/*
 * A round may answer calls, which takes them out of the list; but only the
 * one that is asked, so its successor can be remembered.
 */
void
sim_calls_retry(struct sim *sim)
{
	struct sim_call *call = sim->sleepers, *next;

	for (; call; call = next) {
		next = call->next;
		call->timed_out = call->deadline <= sim_now(sim);
		sim_call_run(call);
	}
}

/* ---- sleeping */

int
sim_call_sleep(struct sim_call *call, uint64_t deadline, uint64_t until)
{
	call->deadline = deadline;
	call->until = until;
	return SIM_SLEEP;
}

bool
sim_call_timed_out(const struct sim_call *call)
{
	return call->timed_out;
}

uint64_t *
sim_call_memory(struct sim_call *call)
{
	return &call->memory;
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
	uint64_t host = sim_host_now();

	if (monotonic_ns < 0 || (uint64_t)monotonic_ns <= host)
		return sim_call_timeout(call, 0);
	return sim_call_timeout(call, (uint64_t)monotonic_ns - host);
}

/* ---- the caller */

pid_t
sim_call_pid(const struct sim_call *call)
{
	return call->caller.pid;
}

uid_t
sim_call_uid(const struct sim_call *call)
{
	return call->caller.uid;
}

struct standing {
	unsigned user;
	uint64_t capabilities; /* of those that drivers ask for */
};

static struct standing
standing_of(pid_t pid)
{
	const uint64_t asked = 1ull << CAP_SYS_ADMIN | 1ull << CAP_PERFMON;
	struct standing standing = { .user = UINT_MAX };
	char path[64], line[256];
	unsigned long long effective;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return standing;
	while (fgets(line, sizeof(line), file)) {
		sscanf(line, "Uid: %*u %u", &standing.user);
		if (sscanf(line, "CapEff: %llx", &effective) == 1)
			standing.capabilities = effective & asked;
	}
	fclose(file);
	return standing;
}

/*
 * Who runs the simulator is root of the simulated machine. A process that has
 * given up what it had from there, a user id or capabilities, is not.
 */
bool
sim_call_is_privileged(const struct sim_call *call)
{
	const struct standing root = standing_of(getpid());
	const struct standing caller = standing_of(sim_call_pid(call));

	return !call->sim->unprivileged && caller.user == root.user &&
	       (caller.capabilities & root.capabilities) == root.capabilities;
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
	got = process_vm_readv(sim_call_pid(call), &local, 1, &remote, 1, 0);
	if (got < 0 && errno == EPERM)
		sim_log(call->sim, "may not read the memory of process %d",
			(int)sim_call_pid(call));
	return got == (ssize_t)size ? 0 : -EFAULT;
}

/*
 * Nothing but a write tells whether a page can be written, so a byte of each
 * is put back where it was: it is the call's buffer, about to be filled.
 */
size_t
sim_call_writable(const struct sim_call *call, uint64_t to, size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const pid_t pid = sim_call_pid(call);
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
sim_call_answer(struct sim_call *call, const void *text, size_t size)
{
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
sim_call_give_stream(struct sim_call *call, struct sim_stream *stream,
		     bool cloexec, uint64_t store)
{
	int error =
		sim_call_give_fd(call, sim_stream_fd(stream), cloexec, store);

	if (error)
		return error;
	call->reply_flags |= PROTOCOL_STREAM;
	call->stream_id = sim_stream_id(stream);
	sim_stream_given(stream);
	return 0;
}

int
sim_call_give_map(struct sim_call *call, const struct sim_mapping *map)
{
	call->offset = map->offset;
	return sim_call_give_fd(call, map->fd, true, 0);
}

static int
status_of_fd(const struct sim_call *call, int fd, struct stat *status)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)sim_call_pid(call),
		 fd);
	return stat(path, status) ? -EBADF : 0;
}

/* The file offset, which is the identity, is not in stat(). */
struct sim_file *
sim_call_file_of(struct sim_call *call, int fd)
{
	char path[64], line[128];
	unsigned long long id = 0;
	FILE *info;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d",
		 (int)sim_call_pid(call), fd);
	info = fopen(path, "re");
	if (!info)
		return NULL;
	while (fgets(line, sizeof(line), info))
		if (sscanf(line, "pos: %llu", &id) == 1)
			break;
	fclose(info);
	return id ? sim_node_file(call->sim, id) : NULL;
}

struct sim_stream *
sim_call_stream_of(struct sim_call *call, int fd)
{
	struct sim_stream *stream = NULL;
	struct stat status;

	if (status_of_fd(call, fd, &status))
		return NULL;
	sim_stream_of_inode(call->sim, status.st_dev, status.st_ino, &stream);
	return stream;
}

struct sim_bo *
sim_call_bo_of(struct sim_call *call, int fd)
{
	struct stat status;

	if (status_of_fd(call, fd, &status))
		return NULL;
	return sim_bo_of_inode(call->sim, status.st_dev, status.st_ino);
}
