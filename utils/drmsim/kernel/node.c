/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernel/node.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/protocol.h"
#include "kernel/bo.h"
#include "kernel/call.h"
#include "kernel/chardev.h"
#include "kernel/file.h"
#include "kernel/process.h"
#include "kernel/syncobj.h"
#include "machine/clock.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/log.h"
#include "machine/machine.h"
#include "machine/power.h"
#include "machine/root.h"
#include "machine/poll_source.h"

/*
 * The lock is released a little later than the close is noticed: it is polled
 * for this long, then only at other requests.
 */
#define CLOSING_NS 50000000u

/* The file of a node in the simulated /dev. */
struct node {
	struct sim_gpu *gpu; /* NULL: of a device that is no GPU's */
	const struct sim_chardev *device; /* that one */
	unsigned partition;
	unsigned major, minor;
	unsigned mode;
	uint64_t filesystem, inode;
	int fd; /* ours, to ask for locks */
};

struct open_file {
	struct sim_file file;
	struct open_file *next;
	struct node *node;
	enum sim_fate fate; /* of its process */
};

struct sim_nodes {
	struct sim *sim;
	struct node at[PROTOCOL_NODES_MAX];
	unsigned count;
	struct open_file *files;
	int inotify;
	struct sim_poll_source source;
	uint64_t closing_until; /* host's clock */
};

static void
on_news(void *owner, uint32_t events)
{
	const struct sim_nodes *nodes = owner;

	(void)events;
	sim_nodes_notice(nodes->sim);
}

int
sim_nodes_create(struct sim *sim)
{
	struct sim_nodes *nodes = calloc(1, sizeof(*nodes));

	if (!nodes)
		return -ENOMEM;
	sim->nodes = nodes;
	nodes->sim = sim;
	nodes->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (nodes->inotify < 0)
		return -errno;
	nodes->source = (struct sim_poll_source){
		.ready = on_news,
		.owner = nodes,
		.tells_end = true,
	};
	return sim_poll_source_add(sim, nodes->inotify, EPOLLIN,
				   &nodes->source);
}

static int
add_node(struct sim_nodes *nodes, const char *path, const struct node *like)
{
	struct node *node = &nodes->at[nodes->count];
	struct stat status;

	if (nodes->count == ARRAY_SIZE(nodes->at))
		return -ENOSPC;
	*node = *like;
	node->fd = open(path, O_RDWR | O_CLOEXEC);
	if (node->fd < 0 || fstat(node->fd, &status))
		return -errno;
	node->filesystem = status.st_dev;
	node->inode = status.st_ino;
	nodes->count++;
	if (inotify_add_watch(nodes->inotify, path,
			      IN_CLOSE_WRITE | IN_CLOSE_NOWRITE) < 0)
		return -errno;
	return 0;
}

int
sim_node_add(struct sim_gpu *gpu, unsigned partition, const char *path,
	     unsigned minor, unsigned mode)
{
	const struct node node = { .gpu = gpu,
				   .partition = partition,
				   .major = SIM_DRM_MAJOR,
				   .minor = minor,
				   .mode = mode };

	return add_node(gpu->sim->nodes, path, &node);
}

int
sim_node_add_chardev(struct sim *sim, const struct sim_chardev *device,
		     unsigned mode)
{
	const struct node node = { .device = device,
				   .major = device->major,
				   .minor = device->minor,
				   .mode = mode };
	const char *name = device->path + sizeof("/dev/") - 1;
	char path[PATH_MAX], number[32];
	int error = sim_root_write(sim, device->path, "", 0);

	/* umockdev learns the device number from here */
	snprintf(path, sizeof(path), "/dev/.node/%s", name);
	snprintf(number, sizeof(number), "%u:%u", device->major, device->minor);
	if (!error)
		error = sim_root_link(sim, path, number);
	if (!error)
		error = sim_root_path(sim, device->path, path, sizeof(path));
	if (!error)
		error = add_node(sim->nodes, path, &node);
	if (error)
		return error;
	return chmod(path, mode) ? -errno : 0;
}

int
sim_nodes_publish(struct sim *sim)
{
	const struct sim_nodes *nodes = sim->nodes;
	struct protocol_node out[ARRAY_SIZE(nodes->at)];
	char path[128];
	FILE *file;
	size_t written;

	for (unsigned i = 0; i < nodes->count; i++)
		out[i] = (struct protocol_node){
			.device = nodes->at[i].filesystem,
			.inode = nodes->at[i].inode,
			.major = nodes->at[i].major,
			.minor = nodes->at[i].minor,
		};
	snprintf(path, sizeof(path), "%s/%s", sim->directory, PROTOCOL_NODES);
	file = fopen(path, "we");
	if (!file)
		return -errno;
	written = fwrite(out, sizeof(out[0]), nodes->count, file);
	return fclose(file) || written != nodes->count ? -EIO : 0;
}

/* ---- opening */

static struct node *
node_of_inode(struct sim_nodes *nodes, const struct stat *status)
{
	for (unsigned i = 0; i < nodes->count; i++)
		if (nodes->at[i].inode == status->st_ino &&
		    nodes->at[i].filesystem == status->st_dev)
			return &nodes->at[i];
	return NULL;
}

static struct node *
find_node(struct sim *sim, const char *path)
{
	struct sim_nodes *nodes = sim->nodes;
	char full[512];
	struct stat status;
	unsigned major, minor;

	if (!path)
		return NULL;
	if (sscanf(path, "/dev/char/%u:%u", &major, &minor) == 2) {
		for (unsigned i = 0; i < nodes->count; i++)
			if (nodes->at[i].major == major &&
			    nodes->at[i].minor == minor)
				return &nodes->at[i];
		return NULL;
	}
	snprintf(full, sizeof(full), "%s%s", sim->directory, path);
	return stat(full, &status) ? NULL : node_of_inode(nodes, &status);
}

static bool
is_absent(const struct sim *sim, const struct node *node)
{
	return node->device && !node->device->is_there(sim);
}

/* Check the mode of a node; wanted holds access(2) bits. */
static int
check_mode(const struct node *node, unsigned wanted)
{
	return wanted & ~node->mode & 7 ? -EACCES : 0;
}

int
sim_node_access(struct sim_call *call)
{
	struct node *node = find_node(call->sim, call->text);

	if (!node || is_absent(call->sim, node))
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

/* Create a new description of the node's file, marked as alive; or -errno. */
static int
open_description(struct sim *sim, struct node *node, int flags, uint64_t id)
{
	char path[160];
	struct flock life = {
		.l_type = (flags & O_ACCMODE) == O_WRONLY ? F_WRLCK : F_RDLCK,
		.l_whence = SEEK_SET,
		.l_start = PROTOCOL_LIFE + (off_t)id,
		.l_len = 1,
	};
	int fd;

	if (node->device)
		snprintf(path, sizeof(path), "%s%s", sim->directory,
			 node->device->path);
	else
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
file_create(struct sim *sim, struct node *node, pid_t pid)
{
	struct open_file *open = calloc(1, sizeof(*open));

	if (!open)
		return NULL;
	open->node = node;
	open->file.gpu = node->gpu;
	open->file.device = node->device;
	open->file.id = sim->next_id++;
	open->file.client = (unsigned)open->file.id;
	open->file.opened = sim_now(sim);
	open->file.pid = pid;
	if (!node->gpu)
		return open;
	open->file.partition = node->partition;
	open->file.removals = node->gpu->removals;
	open->file.primary = node->minor < 128;
	if (open->file.primary && !sim_node_master(node->gpu))
		open->file.master = open->file.authenticated = true;
	return open;
}

static int
open_by_driver(struct sim_call *call, struct open_file *open)
{
	const struct sim_driver *driver;

	if (open->file.device)
		return open->file.device->open(call, &open->file);
	sim_gpu_resume(open->file.gpu);
	driver = open->file.gpu->driver;
	return driver->open ? driver->open(&open->file) : 0;
}

int
sim_node_open(struct sim_call *call)
{
	struct sim *sim = call->sim;
	struct node *node = find_node(sim, call->text);
	int flags = (int)call->request.a, error, fd;
	struct open_file *open;

	if (!node || is_absent(sim, node))
		return -ENOENT;
	if ((flags & O_CREAT) && (flags & O_EXCL))
		return -EEXIST;
	if (flags & O_DIRECTORY)
		return -ENOTDIR;
	error = check_mode(node, wanted_by(flags));
	if (!error && node->gpu && node->gpu->gone)
		error = -ENODEV;
	if (!error)
		error = sim_call_count(call, node->gpu,
				       node->gpu ? "open" : "device_open");
	if (error)
		return error;
	sim_process_note_life(sim, call->caller.pid);
	open = file_create(sim, node, call->caller.pid);
	if (!open)
		return -ENOMEM;
	fd = open_description(sim, node, flags, open->file.id);
	if (fd < 0) {
		free(open);
		return fd;
	}
	error = open_by_driver(call, open);
	if (!error) {
		open->next = sim->nodes->files;
		sim->nodes->files = open;
		error = sim_call_give_fd(call, fd, flags & O_CLOEXEC, 0);
	} else {
		free(open);
	}
	close(fd);
	return error;
}

/* ---- looking up */

struct sim_file *
sim_node_file(const struct sim *sim, uint64_t id)
{
	for (struct open_file *open = sim->nodes->files; open;
	     open = open->next)
		if (open->file.id == id)
			return &open->file;
	return NULL;
}

struct sim_file *
sim_node_file_of_fd(const struct sim_call *call, int fd)
{
	char path[64], line[128];
	unsigned long long id = 0;
	FILE *info;

	if (!sim_node_is_open(call->sim, call->caller.pid, fd))
		return NULL;
	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d",
		 (int)call->caller.pid, fd);
	info = fopen(path, "re");
	if (!info)
		return NULL;
	/* the offset of the file is its identity */
	while (fgets(line, sizeof(line), info) &&
	       sscanf(line, "pos: %llu", &id) != 1)
		;
	fclose(info);
	return sim_node_file(call->sim, id);
}

bool
sim_node_is_open(const struct sim *sim, pid_t pid, int fd)
{
	char path[64];
	struct stat status;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
	return stat(path, &status) == 0 && node_of_inode(sim->nodes, &status);
}

struct sim_file *
sim_node_master(const struct sim_gpu *gpu)
{
	for (struct open_file *o = gpu->sim->nodes->files; o; o = o->next)
		if (o->file.gpu == gpu && o->file.master)
			return &o->file;
	return NULL;
}

struct sim_file *
sim_node_by_magic(const struct sim_gpu *gpu, uint32_t magic)
{
	for (struct open_file *o = gpu->sim->nodes->files; o; o = o->next)
		if (o->file.gpu == gpu && magic && o->file.magic == magic)
			return &o->file;
	return NULL;
}

/* ---- closing */

/* Update the fate of the process; an end once seen stays. */
static void
look_at_process(struct sim *sim, struct open_file *open)
{
	open->fate = sim_process_fate(sim, open->file.pid, open->fate);
}

static void
file_close(struct sim *sim, struct open_file *open)
{
	struct sim_file *file = &open->file;

	file->killed = open->fate == SIM_FATE_KILLED;
	if (file->device) {
		sim_log(sim, "process %d: close of %s", (int)file->pid,
			file->device->path);
		file->device->close(sim, file);
	} else {
		sim_log(sim, "gpu%u: process %d: close%s", file->gpu->index,
			(int)file->pid, file->killed ? " (killed)" : "");
		if (file->gpu->driver->close)
			file->gpu->driver->close(file);
		sim_handles_close(file);
		sim_syncobjs_close(file);
	}
	free(open);
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
	struct sim_nodes *nodes = sim->nodes;
	char events[4096];
	bool any = false;

	while (read(nodes->inotify, events, sizeof(events)) > 0)
		any = true;
	if (!any)
		return;
	nodes->closing_until = sim_host_now() + CLOSING_NS;
	/* while its process can still be asked */
	for (struct open_file *open = nodes->files; open; open = open->next)
		look_at_process(sim, open);
}

/* Close files, so that later requests find closed what was closed before. */
void
sim_nodes_check(struct sim *sim)
{
	struct sim_nodes *nodes = sim->nodes;
	struct open_file **p = &nodes->files;

	if (sim_host_now() > nodes->closing_until)
		nodes->closing_until = 0;
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
		p = &nodes->files;
	}
}

bool
sim_nodes_are_closing(const struct sim *sim)
{
	return sim->nodes->closing_until != 0;
}

void
sim_nodes_destroy(struct sim *sim)
{
	struct sim_nodes *nodes = sim->nodes;

	if (!nodes)
		return;
	while (nodes->files) {
		struct open_file *open = nodes->files;
		nodes->files = open->next;
		file_close(sim, open);
	}
	for (unsigned i = 0; i < nodes->count; i++)
		close(nodes->at[i].fd);
	if (nodes->inotify >= 0)
		close(nodes->inotify);
	free(nodes);
	sim->nodes = NULL;
}
