/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulated descriptors of the process. */
#ifndef DRMSIM_PRELOAD_IDENTITY_H
#define DRMSIM_PRELOAD_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

struct protocol_node;

/* Read the list of nodes in the machine's directory. */
void identity_init(const char *directory);
/* Return the identity of the open file behind a node's descriptor, or 0. */
uint64_t identity_of_node(int fd, const struct protocol_node **node);
/*
 * Return the identity of a stream, or 0; cheap for descriptors that never were
 * one.
 */
uint64_t identity_of_stream(int fd);
/*
 * Return whether the kernel shows the descriptor as it shows those of streams.
 */
bool identity_may_be_stream(int fd);
void identity_add_stream(int fd, uint64_t id);
void identity_duplicate(int from, int to);
/* Return the node whose bare file this is, or NULL. */
const struct protocol_node *identity_of_inode(uint64_t device, uint64_t inode);

#endif /* DRMSIM_PRELOAD_IDENTITY_H */
