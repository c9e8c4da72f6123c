/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Open files of DRM nodes, and how their end is noticed.
 *
 * What a process holds is a description of the node's one file in the
 * simulated /dev: flock() on it works between processes, and /proc/locks
 * names the holder. Its file offset is its identity (protocol.h). inotify
 * tells that some description of a node was closed for good, before the
 * closing system call returns or the dead process can be waited for; which one
 * it was shows in the lock that it held.
 */
#include "machine/core.h"

#include "base/array.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* The lock goes a little later than the news of the closing. */
#define CLOSING_NS 50000000u

/* How a process does, as far as it has been seen. */
enum fate {
	LIVES,
	ENDED,
	KILLED,
};

struct open_file {
	struct sim_file file;
	struct open_file *next;
	struct sim_node *node;
	enum fate fate; /* of its process */
};

int
sim_node_add(struct sim_gpu *gpu, const char *path, unsigned minor,
	     unsigned mode)
{
	struct sim *sim = gpu->sim;
	struct sim_node *node = &sim->nodes[sim->node_count];
	struct stat status;

	if (sim->node_count == ARRAY_SIZE(sim->nodes))
		return -ENOSPC;
	node->fd = open(path, O_RDWR | O_CLOEXEC);
	if (node->fd < 0 || fstat(node->fd, &status))
		return -errno;
	node->gpu = gpu;
	node->minor = minor;
	node->mode = mode;
	node->device = status.st_dev;
	node->inode = status.st_ino;
	sim->node_count++;
	if (inotify_add_watch(sim->inotify, path,
			      IN_CLOSE_WRITE | IN_CLOSE_NOWRITE) < 0)
		return -errno;
	return 0;
}

int
sim_nodes_publish(struct sim *sim)
{
	struct protocol_node nodes[ARRAY_SIZE(sim->nodes)];
	char path[128];
	FILE *file;
	size_t written;

	for (unsigned i = 0; i < sim->node_count; i++)
		nodes[i] = (struct protocol_node){
			.device = sim->nodes[i].device,
			.inode = sim->nodes[i].inode,
			.major = 226,
			.minor = sim->nodes[i].minor,
		};
	snprintf(path, sizeof(path), "%s/%s", sim->directory, PROTOCOL_NODES);
	file = fopen(path, "we");
	if (!file)
		return -errno;
	written = fwrite(nodes, sizeof(nodes[0]), sim->node_count, file);
	return fclose(file) || written != sim->node_count ? -EIO : 0;
}

/* ---- opening */

static struct sim_node *
find_node(struct sim *sim, const char *path)
{
	char full[512];
	struct stat status;
	unsigned minor;

	if (!path)
		return NULL;
	if (sscanf(path, "/dev/char/226:%u", &minor) == 1) {
		for (unsigned i = 0; i < sim->node_count; i++)
			if (sim->nodes[i].minor == minor)
				return &sim->nodes[i];
		return NULL;
	}
	snprintf(full, sizeof(full), "%s%s", sim->directory, path);
	if (stat(full, &status))
		return NULL;
	for (unsigned i = 0; i < sim->node_count; i++)
		if (sim->nodes[i].inode == status.st_ino &&
		    sim->nodes[i].device == status.st_dev)
			return &sim->nodes[i];
	return NULL;
}

/* wanted: access(2) bits. */
static int
check_mode(const struct sim_node *node, unsigned wanted)
{
	return wanted & ~node->mode & 7 ? -EACCES : 0;
}

int
sim_node_access(struct sim_call *call)
{
	struct sim_node *node = find_node(call->sim, call->text);

	if (!node)
		return -ENOENT;
	return check_mode(node, (unsigned)call->request.a);
}

static unsigned
wanted_by(int flags)
{
	switch (flags & O_ACCMODE) {
	case O_RDONLY:
		return R_OK;
	case O_WRONLY:
		return W_OK;
	}
	return R_OK | W_OK;
}

/* A new description of the node's file, marked as alive; or -errno. */
static int
open_description(struct sim *sim, struct sim_node *node, int flags,
		 uint64_t id)
{
	char path[128];
	struct flock life = {
		.l_type = (flags & O_ACCMODE) == O_WRONLY ? F_WRLCK : F_RDLCK,
		.l_whence = SEEK_SET,
		.l_start = PROTOCOL_LIFE + (off_t)id,
		.l_len = 1,
	};
	int fd;

	snprintf(path, sizeof(path), "%s/dev/dri/%s%u", sim->directory,
		 node->minor < 128 ? "card" : "renderD", node->minor);
	fd = open(path, (flags & (O_ACCMODE | O_NONBLOCK)) | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fcntl(fd, F_OFD_SETLK, &life) ||
	    lseek(fd, (off_t)id, SEEK_SET) < 0) {
		close(fd);
		return -errno;
	}
	return fd;
}

static struct open_file *
file_create(struct sim *sim, struct sim_node *node, pid_t pid)
{
	struct open_file *open = calloc(1, sizeof(*open));

	if (!open)
		return NULL;
	open->node = node;
	open->file.gpu = node->gpu;
	open->file.id = sim->next_id++;
	open->file.client = (unsigned)open->file.id;
	open->file.opened = sim_now(sim);
	open->file.primary = node->minor < 128;
	open->file.pid = pid;
	open->file.objects = calloc(1, sizeof(*open->file.objects));
	if (!open->file.objects) {
		free(open);
		return NULL;
	}
	if (open->file.primary && !sim_node_master(node->gpu))
		open->file.master = open->file.authenticated = true;
	return open;
}

static void
file_free(struct open_file *open)
{
	free(open->file.objects);
	free(open);
}

int
sim_node_open(struct sim_call *call)
{
	struct sim *sim = call->sim;
	struct sim_node *node = find_node(sim, call->text);
	int flags = (int)call->request.a, error, fd;
	struct open_file *open;

	if (!node)
		return -ENOENT;
	if ((flags & O_CREAT) && (flags & O_EXCL))
		return -EEXIST;
	if (flags & O_DIRECTORY)
		return -ENOTDIR;
	error = check_mode(node, wanted_by(flags));
	if (!error && node->gpu->gone)
		error = -ENODEV;
	if (!error)
		error = sim_fault_call(sim, node->gpu, "open");
	if (error)
		return error;
	open = file_create(sim, node, sim_call_pid(call));
	if (!open)
		return -ENOMEM;
	fd = open_description(sim, node, flags, open->file.id);
	if (fd < 0) {
		file_free(open);
		return fd;
	}
	sim_gpu_resume(node->gpu);
	error = node->gpu->driver->open(&open->file);
	if (!error) {
		open->next = sim->files;
		sim->files = open;
		error = sim_call_give_fd(call, fd, flags & O_CLOEXEC, 0);
	} else {
		file_free(open);
	}
	close(fd);
	return error;
}

/* ---- looking up */

struct sim_file *
sim_node_file(struct sim *sim, uint64_t id)
{
	for (struct open_file *open = sim->files; open; open = open->next)
		if (open->file.id == id)
			return &open->file;
	return NULL;
}

struct sim_file *
sim_node_master(struct sim_gpu *gpu)
{
	for (struct open_file *o = gpu->sim->files; o; o = o->next)
		if (o->file.gpu == gpu && o->file.master)
			return &o->file;
	return NULL;
}

struct sim_file *
sim_node_by_magic(struct sim_gpu *gpu, uint32_t magic)
{
	for (struct open_file *o = gpu->sim->files; o; o = o->next)
		if (o->file.gpu == gpu && magic && o->file.magic == magic)
			return &o->file;
	return NULL;
}

bool
sim_file_was_killed(const struct sim_file *file)
{
	const struct open_file *open = (const struct open_file *)file;

	return open->fate == KILLED;
}

/* ---- closing */

/*
 * One that is gone altogether without having announced its end counts as
 * killed.
 */
static enum fate
fate_of(const struct sim *sim, pid_t pid)
{
	enum { PF_EXITING = 4 };
	char path[64], text[1024];
	unsigned long flags = 0;
	FILE *info;
	char *p;

	if (sim_process_ended(sim, pid))
		return ENDED;
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	info = fopen(path, "re");
	if (!info)
		return KILLED;
	size_t size = fread(text, 1, sizeof(text) - 1, info);
	fclose(info);
	text[size] = '\0';
	/* the name in parentheses may hold anything */
	p = strrchr(text, ')');
	if (!p || sscanf(p + 1, " %*c %*d %*d %*d %*d %*d %lu", &flags) != 1)
		return KILLED; /* it went while being asked */
	if (!(flags & PF_EXITING))
		return LIVES;
	/* the last field: its exit code as waitpid() gives it */
	p = strrchr(text, ' ');
	return p && (atoi(p + 1) & 0x7f) ? KILLED : ENDED;
}

/* What has once been seen of its end stays true. */
static void
look_at_process(struct sim *sim, struct open_file *open)
{
	if (open->fate == LIVES)
		open->fate = fate_of(sim, open->file.pid);
}

static void
file_close(struct sim *sim, struct open_file *open)
{
	struct sim_file *file = &open->file;

	sim_log(sim, "gpu%u: process %d: close%s", file->gpu->index,
		(int)file->pid, open->fate == KILLED ? " (killed)" : "");
	file->gpu->driver->close(file);
	sim_objects_close(file);
	file_free(open);
	sim_wake(sim);
}

static bool
is_alive(const struct open_file *open)
{
	struct flock probe = {
		.l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = PROTOCOL_LIFE + (off_t)open->file.id,
		.l_len = 1,
	};

	return fcntl(open->node->fd, F_OFD_GETLK, &probe) == 0 &&
	       probe.l_type != F_UNLCK;
}

void
sim_nodes_notice(struct sim *sim)
{
	char events[4096];
	bool any = false;

	while (read(sim->inotify, events, sizeof(events)) > 0)
		any = true;
	if (!any)
		return;
	sim->closing_until = sim_host_now() + CLOSING_NS;
	/* while its process can still be asked */
	for (struct open_file *open = sim->files; open; open = open->next)
		look_at_process(sim, open);
}

void
sim_nodes_check(struct sim *sim)
{
	struct open_file **p = &sim->files;

	if (!sim->closing_until)
		return;
	if (sim_host_now() > sim->closing_until)
		sim->closing_until = 0;
	while (*p) {
		struct open_file *open = *p;
		if (is_alive(open)) {
			p = &open->next;
			continue;
		}
		*p = open->next;
		/* it may have ended since the last news */
		look_at_process(sim, open);
		file_close(sim, open);
		/* the list may have changed */
		p = &sim->files;
	}
}

void
sim_nodes_close_all(struct sim *sim)
{
	while (sim->files) {
		struct open_file *open = sim->files;
		sim->files = open->next;
		file_close(sim, open);
	}
	for (unsigned i = 0; i < sim->node_count; i++)
		close(sim->nodes[i].fd);
	sim->node_count = 0;
}
