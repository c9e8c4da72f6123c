/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Users of GPUs: the DRM clients of all processes that may be looked at, from
 * fdinfo of each open file of a node.
 *
 * Nothing here opens a node or wakes a GPU.
 */
#ifndef DRMPERF_TOOL_TOP_CLIENTS_H
#define DRMPERF_TOOL_TOP_CLIENTS_H

#include <sys/types.h>

#include "top/fdinfo.h"

struct top_engine {
	char name[TOP_ENGINE_NAME_SIZE]; /* "gfx", "render" */
	double share; /* of the time since the last look, over all of them */
};

/* Use of one GPU by one process. */
struct top_client {
	pid_t pid;
	char command[32];
	char address[TOP_ADDRESS_SIZE]; /* of the GPU, "0000:03:00.0" */
	struct top_engine engines[TOP_ENGINES];
	size_t engine_count;
	double busy; /* of its engines together */
	double memory; /* bytes of it that are there */
	bool known; /* it was there at the last look, so that shares are */
};

struct top_clients;

/* Create the clients. Returns NULL without memory. */
struct top_clients *
top_clients_create(void);
void
top_clients_destroy(struct top_clients *clients);

/*
 * Read the clients of all processes. A process that begins to use a GPU is
 * noticed a few scans later. Returns 0, or a negative errno value.
 */
int
top_clients_scan(struct top_clients *clients);

/*
 * Read the files of all known clients, and change nothing: xe adds up what
 * clients use when their files are read, in 32 bits, which wrap after 112 s.
 */
void
top_clients_keep(const struct top_clients *clients);

/* The period in which top_clients_keep() is called. */
#define TOP_KEEP_MS 10000

/* Return the clients of the last look, by process and GPU. */
const struct top_client *
top_clients_list(const struct top_clients *clients, size_t *count);

/* Return how many processes could not be looked at. */
size_t
top_clients_hidden(const struct top_clients *clients);

#endif /* DRMPERF_TOOL_TOP_CLIENTS_H */
