/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The DRM clients of the calling process on one device: open files of its
 * nodes, those that are copies of one another taken once. What they have used
 * is read from /proc/self/fdinfo.
 *
 * A client that was there at the first look counts from what it had used then,
 * by its user's base line; one that appears later counts from its beginning,
 * which is when its file was opened; one that has gone keeps what it had used
 * at the last look. What a client uses between its last look and its end is
 * therefore not seen: sums are what was used at least.
 */
#ifndef DRMPERF_LIB_DRIVER_FDINFO_CLIENTS_H
#define DRMPERF_LIB_DRIVER_FDINFO_CLIENTS_H

#include <sys/types.h>

#include "base/error.h"
#include "driver/fdinfo/text.h"

struct fdinfo_device {
	dev_t nodes[2];	     /* primary and render node; 0: there is none */
	struct fdinfo_keys keys;
	int runtime_status; /* of runtime_status_open() */
	bool is_kept; /* clients are looked at between samples, too */
};

struct fdinfo_clients;

/* Looks at nothing yet. -ENOMEM; -EMFILE, -ENOENT ... if /proc has nothing. */
int fdinfo_clients_create(const struct fdinfo_device *device,
			  struct fdinfo_clients **out,
			  struct drmperf_error *error);

/* Destroy the clients. NULL is allowed. */
void fdinfo_clients_destroy(struct fdinfo_clients *clients);

/* Free the clients in a forked child. */
void
fdinfo_clients_abandon(struct fdinfo_clients *clients);

/*
 * Scan all clients every period_ms from now on, unless the GPU sleeps, so that
 * kernels which count when a file is read miss nothing. The next
 * fdinfo_clients_scan() reports what these scans find. Returns the errors of
 * periodic_thread_create().
 */
int
fdinfo_clients_refresh(struct fdinfo_clients *clients, unsigned period_ms,
		       struct drmperf_error *error);

/*
 * Read all clients: one value per key of the device. Never allocates.
 *
 * -EOVERFLOW if there are more clients than there is room for; -EBADMSG if a
 * text makes no sense; -EAGAIN if another scan would have to be waited for, and
 * may_wait is false; what else reading /proc returns.
 */
int
fdinfo_clients_scan(struct fdinfo_clients *clients, bool may_wait,
		    uint64_t *values, struct drmperf_error *error);

/* Read the whole text of an open file of fdinfo; -EFBIG if it does not fit. */
int fdinfo_read_text(int fd, char *text, size_t size);

#endif /* DRMPERF_LIB_DRIVER_FDINFO_CLIENTS_H */
