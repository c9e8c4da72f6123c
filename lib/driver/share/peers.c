/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/share/peers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

#define MEMORY_NAME "drmperf-share"

/* The link in /proc of a descriptor of the memory. */
#define MEMORY_LINK "/memfd:" MEMORY_NAME " (deleted)"

int
peers_create_memory(void)
{
	int fd = memfd_create(MEMORY_NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	return fd < 0 ? -errno : fd;
}

/* ------------------------------------------------------------------ */
/* The process that has the lock                                        */

/*
 * Parse a line of /proc/locks, "1: FLOCK  ADVISORY  WRITE 4711 00:05:1234 0
 * EOF"; those that wait for a lock have "->" in front of the kind.
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

static pid_t
next_holder(FILE *locks, const struct stat *node)
{
	char line[256];
	pid_t pid;

	while (fgets(line, sizeof(line), locks)) {
		if (parse_line(line, node, &pid) && pid > 0)
			return pid;
	}
	return 0;
}

pid_t
peers_holder(const struct stat *node)
{
	FILE *locks = fopen("/proc/locks", "re");
	pid_t pid;

	if (!locks)
		return 0;
	pid = next_holder(locks, node);
	fclose(locks);
	return pid;
}

/* ------------------------------------------------------------------ */
/* The memory that it shares                                            */

static int
open_if_memory(int directory, const char *name)
{
	char link[sizeof(MEMORY_LINK) + 1];
	ssize_t length = readlinkat(directory, name, link, sizeof(link));
	int fd;

	/*
	 * A link that was listed can be read, unless the process has ended
	 * since.
	 */
	if (length < 0)
		return -EAGAIN;
	if (length != sizeof(MEMORY_LINK) - 1 ||
	    memcmp(link, MEMORY_LINK, sizeof(MEMORY_LINK) - 1))
		return -ENOENT;
	/*
	 * Opened, not duplicated: locks must belong to a description of our
	 * own.
	 */
	fd = openat(directory, name, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return error_is_transient(-errno) ? -errno : -EAGAIN;
	return fd;
}

/*
 * Search the descriptors of a process. A process that ends has no descriptors
 * any more, but may still be seen.
 */
static int
search_directory(DIR *directory, int (*is_wanted)(void *data, int fd),
		 void *data)
{
	int ret = -EAGAIN, fd, verdict;
	struct dirent *entry;

	while ((entry = readdir(directory))) {
		if (*entry->d_name == '.')
			continue;
		fd = open_if_memory(dirfd(directory), entry->d_name);
		verdict = fd < 0 ? fd : is_wanted(data, fd);
		if (!verdict)
			return fd;
		if (fd >= 0)
			close(fd);
		if (verdict != -ENOENT)
			return verdict;
		ret = verdict;
	}
	return ret;
}

static bool
is_there(pid_t pid)
{
	return !kill(pid, 0) || errno == EPERM;
}

/* The rights of a process: all that the kernel checks besides the user. */
struct rights {
	uint64_t capabilities; /* that are permitted */
	struct stat user_namespace;
};

static bool
read_rights(int process, struct rights *out)
{
	int fd = openat(process, "status", O_RDONLY | O_CLOEXEC);
	FILE *status = fd < 0 ? NULL : fdopen(fd, "r");
	bool found = false;
	char line[256];

	if (!status && fd >= 0)
		close(fd);
	if (!status)
		return false;
	while (!found && fgets(line, sizeof(line), status))
		found = sscanf(line, "CapPrm: %" SCNx64, &out->capabilities) ==
			1;
	fclose(status);
	return found && !fstatat(process, "ns/user", &out->user_namespace, 0);
}

/*
 * Return whether a process has all of our rights. The reverse follows from the
 * kernel letting us look at its descriptors. So all members have equal rights,
 * and none gets from another what the kernel refuses it.
 */
static bool
has_our_rights(int process)
{
	struct rights own, others;
	int self = open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool known = self >= 0 && read_rights(self, &own) &&
		     read_rights(process, &others);

	if (self >= 0)
		close(self);
	return known &&
	       own.user_namespace.st_ino == others.user_namespace.st_ino &&
	       own.user_namespace.st_dev == others.user_namespace.st_dev &&
	       !(own.capabilities & ~others.capabilities);
}

/*
 * Search a process, given by its /proc directory, which does not change to
 * another process if the pid is reused.
 */
static int
search_process(int process, int (*is_wanted)(void *data, int fd), void *data)
{
	int fd = openat(process, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);

	if (!directory) {
		ret = -errno;
		if (fd >= 0)
			close(fd);
		return ret;
	}
	ret = search_directory(directory, is_wanted, data);
	if (ret >= 0 && !has_our_rights(process)) {
		close(ret);
		ret = -ENOENT;
	}
	closedir(directory);
	return ret;
}

static int
open_memory_of(pid_t pid, int (*is_wanted)(void *data, int fd), void *data)
{
	int process, ret;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	process = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (process < 0)
		ret = -errno;
	else
		ret = search_process(process, is_wanted, data);
	if (process >= 0)
		close(process);
	if (ret >= 0 || ret == -EAGAIN || error_is_transient(ret))
		return ret;
	/* A process that has just ended is refused like one of another user. */
	return is_there(pid) ? -ENOENT : -EAGAIN;
}

int
peers_open_memory(const struct stat *node, int (*is_wanted)(void *data, int fd),
		  void *data)
{
	FILE *locks = fopen("/proc/locks", "re");
	bool may_come = false;
	int ret = -ENOENT;
	pid_t pid;

	if (!locks)
		return error_is_transient(-errno) ? -errno : -ENOENT;
	pid = next_holder(locks, node);
	while (pid && (ret == -ENOENT || ret == -EAGAIN)) {
		ret = open_memory_of(pid, is_wanted, data);
		may_come |= ret == -EAGAIN;
		pid = next_holder(locks, node);
	}
	fclose(locks);
	return ret == -ENOENT && may_come ? -EAGAIN : ret;
}

/* ------------------------------------------------------------------ */
/* Whether a process has the node open                                  */

static bool
has_entry_of(DIR *directory, const struct stat *node)
{
	struct dirent *entry;
	struct stat status;

	while ((entry = readdir(directory))) {
		if (!fstatat(dirfd(directory), entry->d_name, &status, 0) &&
		    status.st_dev == node->st_dev &&
		    status.st_ino == node->st_ino)
			return true;
	}
	return false;
}

bool
peers_has_node(pid_t pid, const struct stat *node)
{
	DIR *directory;
	char path[32];
	bool has;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	directory = opendir(path);
	if (!directory)
		return false;
	has = has_entry_of(directory, node);
	closedir(directory);
	return has;
}

/* ------------------------------------------------------------------ */
/* How messages name a process                                          */

/*
 * Replace unprintable characters: other users choose these names, which end up
 * in a terminal.
 */
static void
replace_unprintable(char *text)
{
	for (; *text; text++) {
		if (*text < ' ' || *text > '~')
			*text = '?';
	}
}

/* Read the start of a file of a process, which is "" if it has none. */
static void
read_start(pid_t pid, const char *file, char *out, size_t size)
{
	char folder[32];

	snprintf(folder, sizeof(folder), "/proc/%d", (int)pid);
	if (text_file_read(folder, file, out, size))
		*out = '\0';
}

/* Find the first argument of a program, or "". */
static const char *
find_argument(const char *command, size_t size)
{
	size_t first = strnlen(command, size - 1);

	return first + 1 < size ? &command[first + 1] : "";
}

void
peers_describe(pid_t pid, char out[PEERS_DESCRIPTION_SIZE])
{
	char name[17], command[256] = "";
	const char *argument = "";

	snprintf(out, PEERS_DESCRIPTION_SIZE, "pid %d", (int)pid);
	read_start(pid, "comm", name, sizeof(name));
	if (!*name)
		return;
	/* The user has to know which of drmperf's commands is counting. */
	if (!strcmp(name, "drmperf")) {
		read_start(pid, "cmdline", command, sizeof(command));
		argument = find_argument(command, sizeof(command));
	}
	snprintf(out, PEERS_DESCRIPTION_SIZE, "pid %d (%s%s%.8s)", (int)pid,
		 name, *argument ? " " : "", argument);
	replace_unprintable(out);
}
