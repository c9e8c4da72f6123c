/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes of simulated Intel GPUs, under i915 and xe alike. */
#ifndef DRMPERF_TESTS_DRMSIM_INTEL_NODE_H
#define DRMPERF_TESTS_DRMSIM_INTEL_NODE_H

#include <stdbool.h>
#include <stdint.h>

/* Open the node of a GPU: what must not fail fails the test. */
int
node_open(unsigned gpu);

/*
 * Keep a file, or a set that a file added, until nodes_close() or
 * node_close(). Negative ones, which are errors, are left alone.
 */
void
node_keep(int fd);
void
node_keep_set(int fd, int id, int (*remove)(int fd, int id));
/* Close a file that is kept, and forget the sets that it added. */
void
node_close(int fd);
/* Close and remove all that is kept: what tears a test down. */
void
nodes_close(void);

/* Return a stream that has to be open. */
int
node_opened(int stream);

/* Return 0 or a positive result, or -errno. */
int
node_call(int fd, unsigned long request, void *arg);

/* Return the number of a metric set, or -errno. */
int
node_read_id(unsigned gpu, const char *uuid);

/* Return whether a stream has something to read at once. */
bool
node_is_readable(int stream);

/* Return a dword of a report or an answer. */
uint32_t
node_word(const uint8_t *at);

#endif /* DRMPERF_TESTS_DRMSIM_INTEL_NODE_H */
