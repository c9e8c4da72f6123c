/* SPDX-License-Identifier: BSD-3-Clause */
/* Connections to the server, one call at a time on each. */
#ifndef DRMSIM_PRELOAD_CHANNEL_H
#define DRMSIM_PRELOAD_CHANNEL_H

#include <stdbool.h>

struct protocol_reply;
struct protocol_request;

/* Set up once, with the machine's directory. */
void channel_init(const char *directory);
bool channel_is_active(void);
/* Return the machine's directory, without those above; "": there is none. */
const char *
channel_machine(void);
/*
 * Carry out a request. memory pieces are written; a descriptor is installed
 * and, if the reply says so, stored. Returns the result or -errno. reply, if
 * not NULL, is filled; *fd, if not NULL, becomes the descriptor or -1.
 */
long channel_call(const struct protocol_request *request, const char *text,
		  struct protocol_reply *reply, int *fd);
/* Announce to the server that the process ends in good order. */
void channel_exit(void);
void channel_forget(void); /* in a forked child */
/* Be connected, for calls to come that could not connect any more. */
void channel_connect(void);

#endif /* DRMSIM_PRELOAD_CHANNEL_H */
