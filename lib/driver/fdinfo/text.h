/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of /proc/PID/fdinfo/FD of a DRM file, and what of it can be counted.
 * [Linux 6.12 Documentation/gpu/drm-usage-stats.rst]
 */
#ifndef DRMPERF_LIB_DRIVER_FDINFO_TEXT_H
#define DRMPERF_LIB_DRIVER_FDINFO_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "drmperf.h"

/* How the values of several clients become one. */
enum fdinfo_rule {
	FDINFO_GROWS, /* what each has used is added up, and never taken back */
	FDINFO_SUM,   /* added up as it is now */
	FDINFO_MOST,  /* the same of all, or the greatest */
};

/* Keys of one kind: "drm-engine-" and what follows it. */
struct fdinfo_kind {
	const char *prefix;
	enum fdinfo_rule rule;
	enum drmperf_unit unit;
	enum drmperf_kind kind;
	const char *before, *after; /* what is described, about what follows */
};

struct fdinfo_key {
	char name[40]; /* without "drm-": "engine-render" */
	size_t length;
	const struct fdinfo_kind *kind;
};

/* Far more than any driver writes; one counter slot each. */
#define FDINFO_MOST_KEYS 64

struct fdinfo_keys {
	struct fdinfo_key list[FDINFO_MOST_KEYS];
	size_t count;
};

/*
 * Return the kind of a key without "drm-", or NULL if it is not to be counted.
 */
const struct fdinfo_kind *fdinfo_kind_find(const char *name);

/* Make the description of the key's event; NULL without memory. */
const char *fdinfo_key_describe(const struct fdinfo_key *key,
				struct arena *arena);

/*
 * Add a key, "engine-gfx", unless it is there, cannot be counted, or cannot be
 * an event's name. -ENOSPC if there are too many.
 */
int fdinfo_keys_add(struct fdinfo_keys *keys, const char *name);

/* Add all keys of a text. */
int fdinfo_keys_add_all(struct fdinfo_keys *keys, const char *text);

struct fdinfo_client {
	bool is_client; /* it is a DRM file that tells its client */
	uint64_t id;
	uint64_t values[FDINFO_MOST_KEYS]; /* like keys; 0 where not told */
};

/*
 * Read a text. Values are in their kind's unit. Never allocates. -EBADMSG if a
 * value is no number, or has a unit that is not known.
 */
int fdinfo_read(const char *text, const struct fdinfo_keys *keys,
		struct fdinfo_client *out);

#endif /* DRMPERF_LIB_DRIVER_FDINFO_TEXT_H */
