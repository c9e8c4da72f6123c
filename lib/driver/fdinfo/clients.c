/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/fdinfo/clients.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/periodic_thread.h"
#include "driver/runtime_status.h"

/* With more files of one GPU open at a time, reads return -EOVERFLOW. */
#define MOST_CLIENTS 256

/* Room for the clients of the last read and of this one. */
#define ROOM (2 * MOST_CLIENTS)

/* Several times the longest that any driver writes. */
#define TEXT_SIZE 16384

struct read_client {
	uint64_t id;
	bool is_there;
	uint64_t used[FDINFO_MOST_KEYS]; /* the greatest seen */
};

struct fdinfo_clients {
	const struct fdinfo_device *device;
	struct periodic_thread *thread; /* looks as well; or NULL */
	pthread_mutex_t lock; /* of a look */
	int files; /* /proc/self/fd */
	int infos; /* /proc/self/fdinfo */
	struct read_client *clients; /* ROOM */
	size_t count;
	size_t present; /* at this look */
	bool missed; /* there was no room for one that is present */
	uint64_t gone[FDINFO_MOST_KEYS]; /* used by clients that have gone */
	uint64_t values[FDINFO_MOST_KEYS];
	struct fdinfo_client seen; /* the one being looked at */
	char text[TEXT_SIZE];
	_Alignas(struct dirent64) char entries[4096];
};

/* ------------------------------------------------------------------ */
/* Values                                                               */

static void
add_values(uint64_t *sums, const uint64_t *values,
	   const struct fdinfo_keys *keys, enum fdinfo_rule rule)
{
	for (size_t i = 0; i < keys->count; i++) {
		if (keys->list[i].kind->rule == rule)
			sums[i] += values[i];
	}
}

static void
keep_greatest(uint64_t *greatest, const uint64_t *values,
	      const struct fdinfo_keys *keys, enum fdinfo_rule rule)
{
	for (size_t i = 0; i < keys->count; i++) {
		if (keys->list[i].kind->rule == rule && greatest[i] < values[i])
			greatest[i] = values[i];
	}
}

static struct read_client *
find_client(struct fdinfo_clients *clients, uint64_t id)
{
	for (size_t i = 0; i < clients->count; i++) {
		if (clients->clients[i].id == id)
			return &clients->clients[i];
	}
	return NULL;
}

static void
take_client(struct fdinfo_clients *clients, const struct fdinfo_client *seen)
{
	const struct fdinfo_keys *keys = &clients->device->keys;
	struct read_client *client = find_client(clients, seen->id);

	if (client && client->is_there)
		return; /* another descriptor of the same file */
	clients->present++;
	if (!client) {
		/* told when all have been looked at, so that none seems gone */
		clients->missed |= clients->present > MOST_CLIENTS ||
				   clients->count == ROOM;
		if (clients->missed)
			return;
		client = &clients->clients[clients->count++];
		memset(client, 0, sizeof(*client));
		client->id = seen->id;
	}
	client->is_there = true;
	/* A value may go back for a while; the greatest then counts. */
	keep_greatest(client->used, seen->values, keys, FDINFO_GROWS);
	add_values(clients->values, seen->values, keys, FDINFO_SUM);
	keep_greatest(clients->values, seen->values, keys, FDINFO_MOST);
}

static void
sum_clients(struct fdinfo_clients *clients)
{
	const struct fdinfo_keys *keys = &clients->device->keys;
	size_t i = 0;

	while (i < clients->count) {
		struct read_client *client = &clients->clients[i];

		if (client->is_there) {
			add_values(clients->values, client->used, keys,
				   FDINFO_GROWS);
			i++;
		} else {
			add_values(clients->gone, client->used, keys,
				   FDINFO_GROWS);
			*client = clients->clients[--clients->count];
		}
	}
	add_values(clients->values, clients->gone, keys, FDINFO_GROWS);
}

/* ------------------------------------------------------------------ */
/* Descriptors                                                          */

int
fdinfo_read_text(int fd, char *text, size_t size)
{
	size_t length = 0;
	ssize_t n = 0;

	while (length < size &&
	       (n = read(fd, text + length, size - length)) > 0)
		length += (size_t)n;
	if (n < 0)
		return -errno;
	if (length == size)
		return -EFBIG;
	text[length] = '\0';
	return 0;
}

/* Return 1 or 0; -EBADF if there is no such descriptor any more; -errno. */
static int
is_of_device(const struct fdinfo_device *device, int fd)
{
	struct stat info;

	if (fstat(fd, &info))
		return -errno;
	return S_ISCHR(info.st_mode) && (info.st_rdev == device->nodes[0] ||
					 info.st_rdev == device->nodes[1]);
}

/*
 * Read a descriptor, by its name in both folders; it may have been closed
 * since.
 */
static int
read_descriptor(struct fdinfo_clients *clients, const char *name)
{
	const struct fdinfo_device *device = clients->device;
	int fd, ret;

	ret = is_of_device(device, atoi(name));
	if (ret <= 0)
		return ret == -EBADF ? 0 : ret;
	fd = openat(clients->infos, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	ret = fdinfo_read_text(fd, clients->text, sizeof(clients->text));
	close(fd);
	if (!ret)
		ret = fdinfo_read(clients->text, &device->keys, &clients->seen);
	if (ret == -ENOENT)
		return 0;
	if (!ret && clients->seen.is_client)
		take_client(clients, &clients->seen);
	return ret;
}

static int
read_descriptors(struct fdinfo_clients *clients)
{
	ssize_t size, at;
	int ret;

	if (lseek(clients->files, 0, SEEK_SET) < 0)
		return -errno;
	while ((size = getdents64(clients->files, clients->entries,
				  sizeof(clients->entries))) > 0) {
		const struct dirent64 *entry;

		for (at = 0; at < size; at += entry->d_reclen) {
			entry = (const void *)&clients->entries[at];
			if (*entry->d_name == '.')
				continue;
			ret = read_descriptor(clients, entry->d_name);
			if (ret)
				return ret;
		}
	}
	return size < 0 ? -errno : 0;
}

static int
error_set_reading(int code, struct drmperf_error *error)
{
	switch (code) {
	case -EOVERFLOW:
		error_set(error, code,
			  "this process has more than %d files of one GPU "
			  "open",
			  MOST_CLIENTS);
		error_remedy(error, "close some, or leave out the events of "
				    "fdinfo");
		break;
	case -EBADMSG:
		error_set(error, code,
			  "/proc/self/fdinfo has a line of DRM "
			  "that is not of the form agreed upon");
		error_remedy(error, "use a newer drmperf");
		break;
	default:
		error_set(error, code, "cannot read /proc/self/fdinfo: %s",
			  strerrordesc_np(-code));
		error_remedy(error, "see that /proc is mounted and that the "
				    "process may open more files");
	}
	return code;
}

/* Caller holds clients->lock. */
static int
scan_locked(struct fdinfo_clients *clients)
{
	int ret;

	for (size_t i = 0; i < clients->count; i++)
		clients->clients[i].is_there = false;
	memset(clients->values, 0, sizeof(clients->values));
	clients->present = 0;
	clients->missed = false;
	ret = read_descriptors(clients);
	if (ret)
		return ret;
	sum_clients(clients);
	return clients->missed ? -EOVERFLOW : 0;
}

int
fdinfo_clients_scan(struct fdinfo_clients *clients, bool may_wait,
		    uint64_t *values, struct drmperf_error *error)
{
	int ret;

	if (may_wait)
		pthread_mutex_lock(&clients->lock);
	else if (pthread_mutex_trylock(&clients->lock))
		return -EAGAIN;
	ret = scan_locked(clients);
	if (!ret)
		memcpy(values, clients->values,
		       clients->device->keys.count * sizeof(*values));
	pthread_mutex_unlock(&clients->lock);
	return ret ? error_set_reading(ret, error) : 0;
}

/* Look without a caller: what fails now fails when there is one, or passes. */
static void
refresh_clients(void *data)
{
	struct fdinfo_clients *clients = data;

	if (runtime_status_is_asleep(clients->device->runtime_status))
		return;
	pthread_mutex_lock(&clients->lock);
	scan_locked(clients);
	pthread_mutex_unlock(&clients->lock);
}

int
fdinfo_clients_refresh(struct fdinfo_clients *clients, unsigned period_ms,
		       struct drmperf_error *error)
{
	int ret = periodic_thread_create(period_ms, refresh_clients, clients,
					 &clients->thread);

	return ret ? error_set(error, ret,
			       "cannot start the thread that reads fdinfo: %s",
			       strerrordesc_np(-ret))
		   : 0;
}

/* ------------------------------------------------------------------ */

void
fdinfo_clients_abandon(struct fdinfo_clients *clients)
{
	periodic_thread_abandon(clients->thread);
	if (clients->files >= 0)
		close(clients->files);
	if (clients->infos >= 0)
		close(clients->infos);
	free(clients->clients);
	free(clients);
}

void
fdinfo_clients_destroy(struct fdinfo_clients *clients)
{
	if (!clients)
		return;
	periodic_thread_destroy(clients->thread);
	clients->thread = NULL;
	pthread_mutex_destroy(&clients->lock);
	fdinfo_clients_abandon(clients);
}

int
fdinfo_clients_create(const struct fdinfo_device *device,
		      struct fdinfo_clients **out, struct drmperf_error *error)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
	struct fdinfo_clients *clients = calloc(1, sizeof(*clients));
	int ret = -ENOMEM;

	if (!clients)
		return error_set(error, ret, "no memory");
	clients->device = device;
	pthread_mutex_init(&clients->lock, NULL);
	clients->files = -1;
	clients->infos = -1;
	clients->clients = calloc(ROOM, sizeof(*clients->clients));
	if (!clients->clients) {
		error_set(error, ret, "no memory");
		goto destroy;
	}
	clients->files = open("/proc/self/fd", flags);
	clients->infos = open("/proc/self/fdinfo", flags);
	if (clients->files < 0 || clients->infos < 0) {
		ret = error_set_reading(-errno, error);
		goto destroy;
	}
	*out = clients;
	return 0;

destroy:
	fdinfo_clients_destroy(clients);
	return ret;
}
