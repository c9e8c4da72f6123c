/* SPDX-License-Identifier: BSD-3-Clause */
#include "top/clients.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process/spawn.h"
#include "util/drm_files.h"

/* A DRM client as it was at a look. */
struct client_snapshot {
	struct top_fdinfo info;
	uint64_t time_ns;
};

struct marks {
	struct client_snapshot *list;
	size_t count, capacity;
};

/*
 * Most processes have no GPU open. To look at all their files each time would
 * take most of the time there is: a process that had none is looked at again
 * some looks later, and not all of them at once.
 */
#define QUIET_LOOKS 8

struct quiet {
	pid_t pid;
	bool hidden; /* it may not be looked at */
};

struct quiets {
	struct quiet *list; /* as in /proc, by number */
	size_t count, capacity;
	size_t next; /* when it is gone through again */
};

struct top_clients {
	struct marks before, now;
	struct quiets quiet_before, quiet;
	unsigned looks;
	struct top_client *list;
	size_t count, capacity;
	size_t hidden;
};

/* Make room for one more at the end of a list. False: there is no memory. */
static bool
make_room(void **list, size_t count, size_t *capacity, size_t size)
{
	size_t more = *capacity * 2 + 16;
	void *grown;

	if (count < *capacity)
		return true;
	grown = reallocarray(*list, more, size);
	if (!grown)
		return false;
	*list = grown;
	*capacity = more;
	return true;
}

/* ------------------------------------------------------------------ */
/* Shares                                                               */

static const struct client_snapshot *
find_mark(const struct marks *marks, const struct top_fdinfo *info)
{
	for (size_t i = 0; i < marks->count; i++) {
		const struct client_snapshot *mark = &marks->list[i];

		if (mark->info.id == info->id &&
		    !strcmp(mark->info.address, info->address))
			return mark;
	}
	return NULL;
}

static const struct top_use *
find_use(const struct top_fdinfo *info, const char *name)
{
	for (size_t i = 0; i < info->use_count; i++) {
		if (!strcmp(info->uses[i].name, name))
			return &info->uses[i];
	}
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Processes                                                            */

static void
read_command(pid_t pid, char *out, size_t size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	file = fopen(path, "re");
	if (!file || !fgets(out, (int)size, file))
		strcpy(out, "?");
	if (file)
		fclose(file);
	out[strcspn(out, "\n")] = '\0';
	for (char *at = out; *at; at++) {
		if (*at < ' ' || *at > '~')
			*at = '?';
	}
}

/*
 * Return the entry of a process and GPU, a new one if need be; NULL: no memory.
 */
static struct top_client *
client_of(struct top_clients *clients, pid_t pid, const char *address)
{
	struct top_client *client;

	for (size_t i = clients->count; i-- > 0;) {
		client = &clients->list[i];
		if (client->pid == pid && !strcmp(client->address, address))
			return client;
	}
	if (!make_room((void **)&clients->list, clients->count,
		       &clients->capacity, sizeof(*client)))
		return NULL;
	client = &clients->list[clients->count++];
	*client = (struct top_client){ .pid = pid };
	strcpy(client->address, address);
	read_command(pid, client->command, sizeof(client->command));
	return client;
}

static void
add_share(struct top_client *client, const char *name, double share)
{
	struct top_engine *engine = client->engines;

	client->busy += share;
	for (size_t i = 0; i < client->engine_count; i++, engine++) {
		if (!strcmp(engine->name, name)) {
			engine->share += share;
			return;
		}
	}
	if (client->engine_count == TOP_ENGINES)
		return;
	client->engine_count++;
	strcpy(engine->name, name);
	engine->share = share;
}

static void
add_uses(struct top_client *client, const struct client_snapshot *now,
	 const struct client_snapshot *before)
{
	double passed = (double)(now->time_ns - before->time_ns);

	client->known = true;
	for (size_t i = 0; i < now->info.use_count; i++) {
		const struct top_use *use = &now->info.uses[i];
		const struct top_use *old = find_use(&before->info, use->name);

		if (old)
			add_share(client, use->name,
				  top_use_share(use, old, passed));
	}
}

/* Add a file of a process; a copy of one that was seen already adds nothing. */
static int
add_file(struct top_clients *clients, pid_t pid,
	 const struct client_snapshot *mark)
{
	const struct top_fdinfo *info = &mark->info;
	const struct client_snapshot *before =
		find_mark(&clients->before, info);
	struct top_client *client;

	if (find_mark(&clients->now, info))
		return 0;
	client = client_of(clients, pid, info->address);
	if (!client ||
	    !make_room((void **)&clients->now.list, clients->now.count,
		       &clients->now.capacity, sizeof(*mark)))
		return -ENOMEM;
	clients->now.list[clients->now.count++] = *mark;
	client->memory += (double)(info->resident_bytes ? info->resident_bytes
							: info->memory_bytes);
	if (before)
		add_uses(client, mark, before);
	return 0;
}

/* ------------------------------------------------------------------ */
/* /proc                                                                */

struct visit {
	struct top_clients *clients;
	pid_t pid;
};

static int
read_file(void *data, const char *text)
{
	const struct visit *visit = data;
	struct client_snapshot mark = { .time_ns = spawn_now_ns() };

	return top_fdinfo_read(text, &mark.info)
		       ? add_file(visit->clients, visit->pid, &mark)
		       : 0;
}

/* Return the entry of a process that was quiet at the last look, or NULL. */
static const struct quiet *
find_quiet(struct quiets *quiets, pid_t pid)
{
	const struct quiet *list = quiets->list;

	while (quiets->next < quiets->count && list[quiets->next].pid < pid)
		quiets->next++;
	return quiets->next < quiets->count && list[quiets->next].pid == pid
		       ? &list[quiets->next]
		       : NULL;
}

static int
add_quiet(struct top_clients *clients, pid_t pid, bool hidden)
{
	struct quiets *quiets = &clients->quiet;

	if (!make_room((void **)&quiets->list, quiets->count, &quiets->capacity,
		       sizeof(*quiets->list)))
		return -ENOMEM;
	quiets->list[quiets->count++] =
		(struct quiet){ .pid = pid, .hidden = hidden };
	clients->hidden += hidden;
	return 0;
}

static int
read_process(struct top_clients *clients, pid_t pid)
{
	const struct quiet *quiet = find_quiet(&clients->quiet_before, pid);
	struct visit visit = { clients, pid };
	int ret;

	if (quiet && (clients->looks + (unsigned)pid) % QUIET_LOOKS)
		return add_quiet(clients, pid, quiet->hidden);
	ret = drm_files_visit(pid, read_file, &visit);
	if (ret == -ENOMEM)
		return ret;
	return ret > 0 ? 0 : add_quiet(clients, pid, ret == -EACCES);
}

/* Begin a look: the results of the last one become those before. */
static void
begin_scan(struct top_clients *clients)
{
	const struct marks before = clients->before;
	const struct quiets quiet = clients->quiet_before;

	clients->before = clients->now;
	clients->now = before;
	clients->now.count = 0;
	clients->quiet_before = clients->quiet;
	clients->quiet_before.next = 0;
	clients->quiet = quiet;
	clients->quiet.count = 0;
	clients->count = 0;
	clients->hidden = 0;
	clients->looks++;
}

int
top_clients_scan(struct top_clients *clients)
{
	const struct dirent *entry;
	DIR *folder = opendir("/proc");
	int ret = 0;

	if (!folder)
		return -errno;
	begin_scan(clients);
	while (!ret && (entry = readdir(folder))) {
		if (isdigit((unsigned char)entry->d_name[0]))
			ret = read_process(clients, (pid_t)atol(entry->d_name));
	}
	closedir(folder);
	return ret;
}

static int
ignore_file(void *data, const char *text)
{
	(void)data;
	(void)text;
	return 0;
}

void
top_clients_keep(const struct top_clients *clients)
{
	for (size_t i = 0; i < clients->count; i++)
		drm_files_visit(clients->list[i].pid, ignore_file, NULL);
}

/* ------------------------------------------------------------------ */

struct top_clients *
top_clients_create(void)
{
	return calloc(1, sizeof(struct top_clients));
}

void
top_clients_destroy(struct top_clients *clients)
{
	if (!clients)
		return;
	free(clients->before.list);
	free(clients->now.list);
	free(clients->quiet_before.list);
	free(clients->quiet.list);
	free(clients->list);
	free(clients);
}

const struct top_client *
top_clients_list(const struct top_clients *clients, size_t *count)
{
	*count = clients->count;
	return clients->list;
}

size_t
top_clients_hidden(const struct top_clients *clients)
{
	return clients->hidden;
}
