/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/identity.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/protocol.h"
#include "preload/raw.h"

static struct protocol_node nodes[PROTOCOL_NODES_MAX];
static unsigned node_count;

/*
 * Streams are pipes, known by their inode. The hint of a descriptor number is
 * an index into the table, plus one; it may be out of date, for not every
 * close() is seen, and is checked against the inode each time.
 */
#define STREAMS_MAX 4096
#define HINTS_MAX 65536

static struct stream {
	_Atomic uint64_t inode;
	uint64_t id;
} streams[STREAMS_MAX];

static atomic_uint stream_next;
static _Atomic uint16_t hints[HINTS_MAX];

void
identity_init(const char *directory)
{
	long fd = raw_open_in(directory, PROTOCOL_NODES, O_RDONLY);
	long got;

	if (fd < 0)
		return;
	got = raw_syscall(SYS_read, fd, (long)nodes, sizeof(nodes), 0, 0, 0);
	if (got > 0)
		node_count = (unsigned)((size_t)got / sizeof(nodes[0]));
	raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
}

/* Get the status as the kernel answers fstat(). Returns 0 or -errno. */
static long
status_of(int fd, struct stat *status)
{
#ifdef SYS_fstat
	return raw_syscall(SYS_fstat, fd, (long)status, 0, 0, 0, 0);
#else
	return raw_syscall(SYS_newfstatat, fd, (long)"", (long)status,
			   AT_EMPTY_PATH, 0, 0);
#endif
}

const struct protocol_node *
identity_of_inode(uint64_t device, uint64_t inode)
{
	for (unsigned i = 0; i < node_count; i++)
		if (nodes[i].inode == inode && nodes[i].device == device)
			return &nodes[i];
	return NULL;
}

uint64_t
identity_of_node(int fd, const struct protocol_node **node)
{
	const struct protocol_node *found;
	struct stat status;
	long id;

	if (fd < 0 || node_count == 0 || status_of(fd, &status))
		return 0;
	found = identity_of_inode(status.st_dev, status.st_ino);
	if (!found)
		return 0;
	if (node)
		*node = found;
	id = raw_syscall(SYS_lseek, fd, 0, SEEK_CUR, 0, 0, 0);
	return id > 0 ? (uint64_t)id : 0;
}

uint64_t
identity_of_stream(int fd)
{
	struct stat status;
	unsigned hint;

	if (fd < 0 || fd >= HINTS_MAX || hints[fd] == 0)
		return 0;
	hint = hints[fd] - 1u;
	if (status_of(fd, &status) || !S_ISFIFO(status.st_mode) ||
	    streams[hint].inode != status.st_ino)
		return 0;
	return streams[hint].id;
}

bool
identity_may_be_stream(int fd)
{
	struct stat status;

	return fd >= 0 && fd < HINTS_MAX && !status_of(fd, &status) &&
	       S_ISFIFO(status.st_mode);
}

void
identity_add_stream(int fd, uint64_t id)
{
	struct stat status;
	unsigned index;

	if (fd < 0 || fd >= HINTS_MAX || status_of(fd, &status))
		return;
	/* A stream handed out again keeps its place. */
	for (index = 0; index < STREAMS_MAX; index++)
		if (streams[index].inode == status.st_ino)
			break;
	if (index == STREAMS_MAX) {
		index = atomic_fetch_add(&stream_next, 1) % STREAMS_MAX;
		streams[index].id = id;
		streams[index].inode = status.st_ino;
	}
	hints[fd] = (uint16_t)(index + 1);
}

void
identity_duplicate(int from, int to)
{
	if (from >= 0 && from < HINTS_MAX && to >= 0 && to < HINTS_MAX)
		hints[to] = hints[from];
}
