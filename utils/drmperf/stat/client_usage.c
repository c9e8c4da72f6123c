/* SPDX-License-Identifier: BSD-3-Clause */
#include "stat/client_usage.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/process_tree.h"
#include "util/drm_files.h"

/* Use of one event by a client. */
struct amount {
	uint64_t begin, now; /* now: the greatest seen of what adds up */
};

struct usage_client {
	struct usage_client *next;
	char address[16]; /* "0000:03:00.0" */
	uint64_t id; /* among those of the GPU; the kernel gives each once */
	bool is_own; /* of the caller */
	bool was_there, is_there; /* at the look before and at this one */
	struct amount amounts[]; /* of each event */
};

struct client_usage {
	const struct drmperf_selection *selections;
	size_t count;
	struct process_tree *tree;
	struct usage_client *clients;
	uint64_t *lasting; /* moments when there were clients */
	bool begun, looks_at_self;
	struct client_usage_gaps *gaps;
};

bool
client_usage_counts(const struct drmperf_event *event)
{
	const char *domain = drmperf_group_domain(drmperf_event_group(event));

	return !strcmp(domain, "fdinfo");
}

static bool
event_adds_up(const struct drmperf_event *event)
{
	return drmperf_event_kind(event) == DRMPERF_KIND_CUMULATIVE;
}

/* ------------------------------------------------------------------ */
/* Clients                                                              */

/* Read the client that the text is of; false if it has none. */
static bool
read_client(const char *text, struct usage_client *out)
{
	struct drm_line line;
	bool has_id = false;

	out->address[0] = '\0';
	while (drm_line_next(&text, &line)) {
		if (!strcmp(line.key, "client-id")) {
			has_id = isdigit((unsigned char)line.value[0]);
			out->id = drm_amount(line.value);
		} else if (!strcmp(line.key, "pdev") &&
			   strlen(line.value) < sizeof(out->address)) {
			strcpy(out->address, line.value);
		}
	}
	return has_id && out->address[0];
}

/* Return the client as it is known, or a new one; NULL without memory. */
static struct usage_client *
client_of(struct client_usage *use, const struct usage_client *seen)
{
	struct usage_client *client = use->clients;

	while (client && (client->id != seen->id ||
			  strcmp(client->address, seen->address) != 0))
		client = client->next;
	if (client)
		return client;
	client = calloc(1, sizeof(*client) +
				   use->count * sizeof(client->amounts[0]));
	if (!client)
		return NULL;
	*client = *seen;
	client->is_own = use->looks_at_self;
	client->next = use->clients;
	use->clients = client;
	return client;
}

/* Match "engine-gfx" of "amdgpu::fdinfo.engine-gfx" on the client's GPU. */
static bool
is_of(const struct drmperf_event *event, const struct usage_client *client,
      const char *key)
{
	const char *name = strstr(drmperf_event_name(event), "::fdinfo.");

	return name && !strcmp(name + strlen("::fdinfo."), key) &&
	       !strcmp(drmperf_device_address(drmperf_event_device(event)),
		       client->address);
}

static void
take_amount(const struct client_usage *use, struct usage_client *client,
	    const struct drm_line *line)
{
	for (size_t i = 0; i < use->count; i++) {
		const struct drmperf_event *event = use->selections[i].event;
		struct amount *amount = &client->amounts[i];
		uint64_t now = drm_amount(line->value);

		if (!is_of(event, client, line->key))
			continue;
		/* a value may go back for a while */
		if (!event_adds_up(event) || now > amount->now)
			amount->now = now;
		if (!use->begun)
			amount->begin = now;
	}
}

/* Add a file of a process; a copy of one that was seen already adds nothing. */
static int
read_file(void *data, const char *text)
{
	struct client_usage *use = data;
	struct usage_client seen = { 0 }, *client;
	struct drm_line line;

	if (!read_client(text, &seen))
		return 0;
	client = client_of(use, &seen);
	if (!client)
		return -ENOMEM;
	if (client->is_own || client->is_there)
		return 0;
	client->is_there = true;
	while (drm_line_next(&text, &line))
		take_amount(use, client, &line);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

/*
 * Return a momentary value. Frequencies are those of engines that the clients
 * share.
 */
static uint64_t
moment_of(const struct client_usage *use, size_t event)
{
	enum drmperf_unit unit =
		drmperf_event_unit(use->selections[event].event);
	uint64_t sum = 0, most = 0;

	for (const struct usage_client *client = use->clients; client;
	     client = client->next) {
		uint64_t now = client->amounts[event].now;

		if (!client->is_there)
			continue;
		sum += now;
		most = now > most ? now : most;
	}
	return unit == DRMPERF_UNIT_HERTZ ? most : sum;
}

static uint64_t
sum_of(const struct client_usage *use, size_t event)
{
	uint64_t sum = 0;

	for (const struct usage_client *client = use->clients; client;
	     client = client->next)
		sum += client->amounts[event].now -
		       client->amounts[event].begin;
	return sum;
}

void
client_usage_values(const struct client_usage *use, bool is_end,
		    union drmperf_value *values)
{
	for (size_t i = 0; i < use->count; i++) {
		const struct drmperf_event *event = use->selections[i].event;

		if (!client_usage_counts(event))
			continue;
		values[i].u64 = event_adds_up(event) ? sum_of(use, i)
				: is_end	     ? use->lasting[i]
						     : moment_of(use, i);
	}
}

/* ------------------------------------------------------------------ */
/* Looks                                                                */

static int
read_files(struct client_usage *use)
{
	size_t at = 0, hidden = 0;
	pid_t pid;
	int ret;

	/* first: the command may have copies until it is released */
	use->looks_at_self = true;
	ret = drm_files_visit(getpid(), read_file, use);
	use->looks_at_self = false;
	while (ret != -ENOMEM && (pid = process_tree_next(use->tree, &at))) {
		ret = drm_files_visit(pid, read_file, use);
		hidden += ret == -EACCES;
	}
	if (hidden > use->gaps->hidden)
		use->gaps->hidden = hidden;
	return ret == -ENOMEM ? ret : 0;
}

static void
begin_scan(struct client_usage *use)
{
	for (struct usage_client *client = use->clients; client;
	     client = client->next) {
		client->was_there = client->is_there;
		client->is_there = false;
	}
}

static void
end_scan(struct client_usage *use)
{
	bool any = false;

	for (const struct usage_client *client = use->clients; client;
	     client = client->next) {
		any |= client->is_there;
		use->gaps->vanished |= client->was_there && !client->is_there;
	}
	for (size_t i = 0; any && i < use->count; i++)
		use->lasting[i] = moment_of(use, i);
	use->gaps->seen |= any;
	use->begun = true;
}

int
client_usage_scan(struct client_usage *use)
{
	int ret = process_tree_scan(use->tree);

	if (ret)
		return ret;
	begin_scan(use);
	ret = read_files(use);
	end_scan(use);
	return ret;
}

bool
client_usage_has(const struct client_usage *use,
		 const struct drmperf_device *device)
{
	const char *address = drmperf_device_address(device);

	for (const struct usage_client *client = use->clients; client;
	     client = client->next) {
		if (!client->is_own && !strcmp(client->address, address))
			return true;
	}
	return false;
}

/* ------------------------------------------------------------------ */

void
client_usage_destroy(struct client_usage *use)
{
	struct usage_client *client;

	if (!use)
		return;
	while ((client = use->clients)) {
		use->clients = client->next;
		free(client);
	}
	process_tree_destroy(use->tree);
	free(use->lasting);
	free(use);
}

struct client_usage *
client_usage_create(const struct drmperf_selection *selections, size_t count,
		    pid_t pid, bool adopts, struct client_usage_gaps *gaps)
{
	struct client_usage *use = calloc(1, sizeof(*use));

	if (!use)
		return NULL;
	use->selections = selections;
	use->count = count;
	use->gaps = gaps;
	use->tree = process_tree_create(pid, adopts);
	use->lasting = calloc(count, sizeof(*use->lasting));
	if (use->tree && use->lasting)
		return use;
	client_usage_destroy(use);
	return NULL;
}
