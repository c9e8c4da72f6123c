/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/*
 * A line of /proc/locks, "1: FLOCK  ADVISORY  WRITE 4711 00:05:1234 0 EOF";
 * those that wait for a lock have "->" in front of the kind.
 */
static bool
parse_line(const char *line, const struct stat *node, pid_t *pid)
{
	unsigned major, minor;
	uint64_t inode;

	if (sscanf(line, "%*d: FLOCK %*s %*s %d %x:%x:%" SCNu64, pid, &major,
		   &minor, &inode) != 4)
		return false;
	return inode == node->st_ino && makedev(major, minor) == node->st_dev;
}

/* Who has the lock; 0 if the kernel does not show that to us. */
static pid_t
find_holder(int fd)
{
	char line[256];
	struct stat node;
	pid_t pid, found = 0;
	FILE *locks;

	if (fstat(fd, &node))
		return 0;
	locks = fopen("/proc/locks", "re");
	if (!locks)
		return 0;
	while (!found && fgets(line, sizeof(line), locks)) {
		if (parse_line(line, &node, &pid))
			found = pid;
	}
	fclose(locks);
	return found > 0 ? found : 0;
}

static int
say_busy(const char *node, pid_t holder, struct drmperf_error *error)
{
	if (holder == getpid()) {
		error_set(error, -EBUSY,
			  "the counters of %s are in use by this process (pid "
			  "%d), through another handle of drmperf",
			  node, holder);
		error_remedy(error, "stop counting there first");
	} else if (holder) {
		error_set(error, -EBUSY,
			  "the counters of %s are in use by "
			  "pid %d",
			  node, holder);
		error_remedy(error, "end it, or wait until it has finished");
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

int
lock_take(struct lock *lock, const char *node, struct drmperf_error *error)
{
	int fd = open(node, O_RDWR | O_CLOEXEC), ret;

	if (fd < 0)
		return error_set(error, -errno, "cannot open %s: %s", node,
				 strerror(errno));
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		ret = -errno;
		if (ret == -EWOULDBLOCK)
			ret = say_busy(node, find_holder(fd), error);
		else
			error_set(error, ret, "cannot lock %s: %s", node,
				  strerror(-ret));
		close(fd);
		return ret;
	}
	lock->fd = fd;
	return 0;
}

void
lock_release(struct lock *lock)
{
	flock(lock->fd, LOCK_UN);
	close(lock->fd);
}

void
lock_abandon(struct lock *lock)
{
	close(lock->fd);
}
