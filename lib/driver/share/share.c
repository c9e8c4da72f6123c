/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/share/share.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fork_close.h"
#include "base/monotonic.h"
#include "base/cold.h"
#include "driver/share/byte_lock.h"
#include "driver/share/mpi_rank.h"
#include "driver/share/peers.h"
#include "driver/share/robust_mutex.h"

#define MAGIC UINT64_C(0x33667265706d7264)
#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW)

/* Joining and leaving take other processes microseconds, unless stopped. */
#define JOIN_NS UINT64_C(10000000000)

/* After this many searches in a row that found no sharing process, give up. */
#define REFUSALS 20

/* Commands that a dead member had sent to the device have ended by then. */
#define DEAD_COMMANDS_NS 2000000

enum byte {
	BYTE_NEWCOMER,
	BYTE_LEASES,
	BYTE_MEMBERS = BYTE_LEASES + SHARE_LEASES,
};

struct header {
	uint64_t magic; /* written last */
	char layout[32];
	uint64_t node_device, node_inode;
	uint64_t common_size, record_size;
	_Atomic uint32_t mutex; /* see robust_mutex.h */
	uint32_t members; /* no index is as great */
};

struct member {
	int32_t pid;
	struct mpi_rank job;
};

struct share {
	struct share_setup setup;
	struct stat node;
	struct fork_close lock;	  /* the node */
	struct fork_close memory; /* fd -1: there is only this process */
	struct header *header;
	size_t size;
	uint32_t self;
	struct robust_mutex mutex;
};

static void
sleep_ns(long ns)
{
	const struct timespec time = { .tv_nsec = ns };

	nanosleep(&time, NULL);
}

static size_t
memory_size(const struct share_setup *setup)
{
	return sizeof(struct header) + setup->common_size +
	       SHARE_MEMBERS *
		       (sizeof(struct member) + setup->record_size);
}

void *
share_common(struct share *share)
{
	return share->header + 1;
}

static struct member *
member_of(struct share *share, uint32_t index)
{
	char *first = (char *)share_common(share) + share->setup.common_size;

	return (struct member *)(first +
				       index * (sizeof(struct member) +
						share->setup.record_size));
}

void *
share_record(struct share *share, uint32_t member)
{
	return member_of(share, member) + 1;
}

uint32_t
share_self(const struct share *share)
{
	return share->self;
}

void
share_descriptors(const struct share *share, int out[SHARE_DESCRIPTORS])
{
	out[0] = share->lock.fd;
	out[1] = share->memory.fd;
}

bool
share_is_alone(const struct share *share)
{
	return share->memory.fd < 0;
}

static bool
share_member_lives(const struct share *share, uint32_t member)
{
	return byte_lock_is_held(share->memory.fd, BYTE_MEMBERS + member);
}

static uint32_t
member_limit(const struct share *share)
{
	uint32_t limit = share->header->members;

	return limit < SHARE_MEMBERS ? limit : SHARE_MEMBERS;
}

uint32_t
share_next(struct share *share, uint32_t after)
{
	if (share_is_alone(share))
		return SHARE_NOBODY;
	for (uint32_t i = after + 1; i < member_limit(share); i++) {
		if (i != share->self && member_of(share, i)->pid &&
		    share_member_lives(share, i))
			return i;
	}
	return SHARE_NOBODY;
}

/* ------------------------------------------------------------------ */
/* The lock                                                             */

static int
explain_stopped(struct share *share, struct drmperf_error *error)
{
	uint32_t owner = robust_mutex_owner(&share->mutex);
	char name[SHARE_NAME_SIZE] = "a process";

	if (owner < SHARE_MEMBERS)
		share_name(share, owner, name);
	error_set(error, -EBUSY,
		  "%s, which counts on %s as well, keeps the lock of its "
		  "counters",
		  name, share->setup.node);
	error_remedy(error, "it may be stopped: let it go on (kill -CONT), or "
			    "end it");
	return -EBUSY;
}

/* Handle any result of locking but 0: a dead owner, a timeout or an error. */
COLD static int
finish_lock(struct share *share, int ret, struct drmperf_error *error)
{
	if (ret == -EBUSY)
		return explain_stopped(share, error);
	if (ret != -EOWNERDEAD)
		return error_set(error, ret, "cannot lock: %s", strerror(-ret));
	sleep_ns(DEAD_COMMANDS_NS);
	return 0;
}

COLD static int
lock_contended(struct share *share, struct drmperf_error *error)
{
	int ret = robust_mutex_lock(&share->mutex, share->self);

	return ret ? finish_lock(share, ret, error) : 0;
}

int
share_lock(struct share *share, struct drmperf_error *error)
{
	return robust_mutex_try_lock(&share->mutex, share->self)
		       ? 0
		       : lock_contended(share, error);
}

void
share_unlock(struct share *share)
{
	robust_mutex_unlock(&share->mutex);
}

bool
share_try_lease(struct share *share, uint32_t lease)
{
	return share_is_alone(share) ||
	       !byte_lock_try(share->memory.fd, BYTE_LEASES + lease);
}

void
share_drop_lease(struct share *share, uint32_t lease)
{
	if (!share_is_alone(share))
		byte_lock_release(share->memory.fd, BYTE_LEASES + lease);
}

/* ------------------------------------------------------------------ */
/* Words                                                                */

void
share_name(struct share *share, uint32_t index, char *out)
{
	const struct member member = *member_of(share, index);
	struct mpi_rank own;

	mpi_rank_read(&own);
	if (member.pid == getpid())
		snprintf(out, SHARE_NAME_SIZE, "another part of this process");
	else if (mpi_rank_is_same(&own, &member.job))
		snprintf(out, SHARE_NAME_SIZE, "rank %d of your job (pid %d)",
			 member.job.rank, member.pid);
	else if (peers_has_node(member.pid, &share->node))
		peers_describe(member.pid, out);
	else
		snprintf(out, SHARE_NAME_SIZE, "pid %d", member.pid);
}

void
share_remedy(struct drmperf_error *error)
{
	struct mpi_rank own;

	mpi_rank_read(&own);
	if (own.rank >= 0)
		error_remedy(error,
			     "give each rank a GPU of its own by :device=, or "
			     "ask for the same events in all of them");
	else
		error_remedy(error, "end it, or wait until it has finished");
}

static int
explain_busy(const struct share *share, struct drmperf_error *error)
{
	char name[PEERS_DESCRIPTION_SIZE];
	const char *node = share->setup.node;
	pid_t holder = peers_holder(&share->node);

	if (holder == getpid()) {
		error_set(error, -EBUSY,
			  "the counters of %s are in use by this process (pid "
			  "%d), through another handle of drmperf",
			  node, holder);
		error_remedy(error, "stop counting there first");
	} else if (holder) {
		peers_describe(holder, name);
		error_set(error, -EBUSY,
			  "the counters of %s are in use by %s", node, name);
		share_remedy(error);
	} else {
		error_set(error, -EBUSY,
			  "the counters of %s are in use by another process, "
			  "which this one cannot see",
			  node);
		error_remedy(error, "wait until it has finished; it may run "
				    "in another container, or be a child of "
				    "a program that has ended");
	}
	return -EBUSY;
}

/* ------------------------------------------------------------------ */
/* Memory                                                               */

static int
map_memory(struct share *share, int fd)
{
	int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
	void *memory = mmap(NULL, share->size, PROT_READ | PROT_WRITE, flags,
			    fd, 0);

	if (memory == MAP_FAILED)
		return -errno;
	share->header = memory;
	share->mutex = (struct robust_mutex){
		.word = &share->header->mutex,
		.fd = fd,
		.newcomer_byte = BYTE_NEWCOMER,
		.first_byte = BYTE_MEMBERS,
	};
	return 0;
}

/* Check that the file is the memory that the members of this device share. */
static int
check_file(void *data, int fd)
{
	struct share *share = data;
	const struct share_setup *setup = &share->setup;
	struct stat file;
	struct header header;
	int seals;

	if (fstat(fd, &file) || !S_ISREG(file.st_mode) ||
	    file.st_uid != geteuid())
		return -ENOENT;
	if (pread(fd, &header, sizeof(header), 0) != sizeof(header))
		return -EAGAIN;
	if (!header.magic)
		return -EAGAIN;
	/* It must not shrink while a process reads it. */
	seals = fcntl(fd, F_GET_SEALS);
	if (seals < 0 || (seals & SEALS) != SEALS ||
	    (uint64_t)file.st_size != share->size || header.magic != MAGIC ||
	    header.common_size != setup->common_size ||
	    header.record_size != setup->record_size ||
	    header.node_device != share->node.st_dev ||
	    header.node_inode != share->node.st_ino ||
	    strncmp(header.layout, setup->layout, sizeof(header.layout)))
		return -ENOENT;
	return 0;
}

static void
write_header(struct share *share)
{
	struct header *header = share->header;

	strncpy(header->layout, share->setup.layout,
		sizeof(header->layout) - 1);
	header->node_device = share->node.st_dev;
	header->node_inode = share->node.st_ino;
	header->common_size = share->setup.common_size;
	header->record_size = share->setup.record_size;
	__atomic_store_n(&header->magic, MAGIC, __ATOMIC_RELEASE);
}

/*
 * Release the memory, after the node's lock: a process that has that lock and
 * no memory would look as if it did not share.
 */
static void
release_memory(struct share *share)
{
	flock(share->lock.fd, LOCK_UN);
	if (share->header)
		munmap(share->header, share->size);
	share->header = NULL;
	fork_close_finish(&share->memory);
	share->self = SHARE_NOBODY;
}

/* ------------------------------------------------------------------ */
/* Joining                                                              */

static int
share_enter(struct share *share)
{
	const size_t size =
		sizeof(struct member) + share->setup.record_size;
	struct member *member;
	uint32_t i = 0;

	while (i < SHARE_MEMBERS &&
	       byte_lock_try(share->memory.fd, BYTE_MEMBERS + i))
		i++;
	if (i == SHARE_MEMBERS)
		return -EBUSY;
	share->self = i;
	member = member_of(share, i);
	/* new memory is 0 */
	if (share->header->members <= i)
		share->header->members = i + 1;
	else
		memset(member, 0, size);
	mpi_rank_read(&member->job);
	member->pid = getpid();
	return 0;
}

/*
 * Begin to share as the first process: the lock on the node is ours alone until
 * the memory is there.
 */
static int
share_begin(struct share *share)
{
	int ret = map_memory(share, share->memory.fd);

	if (!ret)
		ret = share_enter(share);
	if (ret)
		return ret;
	write_header(share);
	if (flock(share->lock.fd, LOCK_SH | LOCK_NB))
		return errno == EWOULDBLOCK ? -EAGAIN : -errno;
	return 0;
}

/* Adopt the descriptor of the memory, unless fd is an error. */
static int
take_memory(struct share *share, int fd)
{
	int ret;

	if (fd < 0)
		return fd;
	ret = fork_close_init(&share->memory, fd);
	if (ret) {
		close(fd);
		share->memory.fd = -1;
	}
	return ret;
}

/*
 * Join as the first member. The memory is created before the lock is taken, so
 * that a process with the lock is always seen to share. *taken: others have it.
 */
static int
join_as_first(struct share *share, bool *taken)
{
	int ret = take_memory(share, peers_create_memory());

	*taken = false;
	if (ret)
		return ret;
	if (flock(share->lock.fd, LOCK_EX | LOCK_NB)) {
		ret = -errno;
		*taken = ret == -EWOULDBLOCK;
	} else if (ftruncate(share->memory.fd, (off_t)share->size) ||
		   fcntl(share->memory.fd, F_ADD_SEALS, SEALS)) {
		ret = -errno;
	} else {
		ret = share_begin(share);
	}
	if (ret)
		release_memory(share);
	return ret;
}

/* Join the memory if it has a living member, which then has the node, too. */
static int
join_living(struct share *share, struct drmperf_error *error)
{
	int ret = robust_mutex_lock_newcomer(&share->mutex);

	if (ret)
		ret = finish_lock(share, ret, error);
	if (ret)
		return ret;
	if (share_next(share, SHARE_NOBODY) == SHARE_NOBODY)
		ret = -EAGAIN;
	else if (flock(share->lock.fd, LOCK_SH | LOCK_NB))
		ret = errno == EWOULDBLOCK ? -EAGAIN : -errno;
	else
		ret = share_enter(share);
	robust_mutex_unlock_newcomer(&share->mutex);
	if (ret == -EBUSY)
		error_set(error, ret, "%u processes count on %s",
			  SHARE_MEMBERS, share->setup.node);
	return ret;
}

static int
join_others(struct share *share, struct drmperf_error *error)
{
	int fd = peers_open_memory(&share->node, check_file, share);
	int ret = take_memory(share, fd);

	if (ret)
		return ret;
	ret = map_memory(share, fd);
	if (!ret)
		ret = join_living(share, error);
	if (ret)
		release_memory(share);
	return ret;
}

static int
join_shared(struct share *share, struct drmperf_error *error)
{
	const uint64_t until = monotonic_ns() + JOIN_NS;
	unsigned refusals = 0;
	bool taken;
	int ret;

	for (;;) {
		ret = join_as_first(share, &taken);
		if (taken)
			ret = join_others(share, error);
		if (ret != -EAGAIN && ret != -ENOENT)
			return ret;
		refusals = ret == -ENOENT ? refusals + 1 : 0;
		if (refusals == REFUSALS || monotonic_ns() > until)
			return explain_busy(share, error);
		sleep_ns(1000000);
	}
}

static int
join_unshared(struct share *share, struct drmperf_error *error)
{
	int ret;

	if (flock(share->lock.fd, LOCK_EX | LOCK_NB))
		return errno == EWOULDBLOCK ? explain_busy(share, error)
					    : -errno;
	ret = map_memory(share, -1);
	if (!ret)
		share->self = 0;
	return ret;
}

int
share_is_wanted(bool *out, struct drmperf_error *error)
{
	const char *text = secure_getenv("DRMPERF_SHARE");

	*out = !getauxval(AT_SECURE);
	if (!text || !*text || !strcmp(text, "1"))
		return 0;
	*out = false;
	if (!strcmp(text, "0"))
		return 0;
	error_set(error, -EINVAL, "DRMPERF_SHARE is \"%s\"", text);
	error_remedy(error, "set it to 0 to keep other processes from counting "
			    "on the same GPU, or unset it");
	return -EINVAL;
}

static int
open_node(struct share *share, struct drmperf_error *error)
{
	const char *node = share->setup.node;
	int fd = open(node, O_RDWR | O_CLOEXEC), ret;

	if (fd < 0)
		return error_set(error, -errno, "cannot open %s: %s", node,
				 strerror(errno));
	ret = fstat(fd, &share->node) ? -errno : 0;
	if (!ret)
		ret = fork_close_init(&share->lock, fd);
	if (ret)
		close(fd);
	return ret ? error_set(error, ret, "cannot use %s: %s", node,
			       strerror(-ret))
		   : 0;
}

static int
share_join_page(struct share *share, struct drmperf_error *error)
{
	bool shared;
	int ret = share_is_wanted(&shared, error);

	if (!ret)
		ret = open_node(share, error);
	if (ret)
		return ret;
	/* to tell -EBUSY of the kernel, which sets no cause, from ours */
	if (error)
		error->code = 0;
	ret = shared ? join_shared(share, error) : join_unshared(share, error);
	if (!ret)
		return 0;
	if (error && error->code != ret)
		error_set(error, ret, "cannot lock %s: %s", share->setup.node,
			  strerror(-ret));
	fork_close_finish(&share->lock);
	return ret;
}

int
share_join(const struct share_setup *setup, struct share **out,
	   struct drmperf_error *error)
{
	struct share *share = calloc(1, sizeof(*share));
	int ret;

	if (!share)
		return error_set(error, -ENOMEM, "no memory");
	share->setup = *setup;
	share->size = memory_size(setup);
	share->memory.fd = -1;
	share->self = SHARE_NOBODY;
	ret = share_join_page(share, error);
	if (ret)
		free(share);
	else
		*out = share;
	return ret;
}

void
share_leave(struct share *share)
{
	if (!share_is_alone(share) && !share_lock(share, NULL)) {
		member_of(share, share->self)->pid = 0;
		share_unlock(share);
	}
	release_memory(share);
	fork_close_finish(&share->lock);
	free(share);
}

void
share_abandon(struct share *share)
{
	munmap(share->header, share->size);
	fork_close_finish(&share->memory);
	fork_close_finish(&share->lock);
	free(share);
}
