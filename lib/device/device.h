/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library's state and its devices, as the session sees them.
 */
#ifndef DRMPERF_LIB_DEVICE_DEVICE_H
#define DRMPERF_LIB_DEVICE_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/error.h"
#include "base/fork_guard.h"
#include "catalog/catalog.h"
#include "device/domain.h"
#include "device/user_files.h"
#include "driver/driver.h"
#include "drmperf.h"

/* A driver that describes a part of a device, and its handle of it. */
struct attached_driver {
	const struct driver *driver;
	void *device;
};

struct drmperf_device {
	struct drmperf *drmperf;
	bool is_unlisted; /* the one of device/named_events.h */
	struct driver_target target;
	struct attached_driver *attached;
	size_t attached_count;
	/* NULL until the device is open; then it stays. */
	_Atomic(struct catalog *) catalog;
	/*
	 * The error of a part of an open device that does not work: that of the
	 * device's own driver, else of the first other driver that failed. code
	 * 0: all works.
	 */
	struct drmperf_error status;
	pthread_mutex_t open_lock;
	/*
	 * One per domain of the description, made by domain_init() when the
	 * device is opened, before catalog is set; ended by domain_finish()
	 * (in a forked child domain_abandon()) before the drivers' release.
	 */
	struct domain *domains;
};

struct named_events;

/* Data that a layer above keeps with the state. */
struct state_memo {
	void (*destroy)(struct state_memo *memo);
};

struct drmperf {
	struct arena *arena; /* strings and arrays */
	struct log_sink log;
	bool uses_kfd; /* of drmperf_options */
	struct fork_guard guard;
	const char *root; /* prefix of /sys and /dev, for tests */
	const struct driver *const *drivers; /* ends with NULL */
	struct table_path tables;
	struct table_store table_store; /* of tables */
	struct user_files user_files;
	struct drmperf_device *devices;
	unsigned device_count;
	struct named_events *unlisted; /* or NULL */
	_Atomic(struct state_memo *) memo; /* see plan/fit.h */
};

/* Release what opening has taken. In a forked child only memory is freed. */
void device_close(struct drmperf_device *device);

/*
 * Return the device's catalog with all events loaded. NULL if the device is not
 * open, if memory is short, or in a forked child if the parent had not loaded
 * them: another thread of the parent may have held the catalog's lock.
 */
const struct catalog_list *device_list(const struct drmperf_device *device);

/*
 * Return the description of an open device. Plans and sessions only get
 * selections, whose events exist only if the device is open.
 */
const struct description *
device_description(const struct drmperf_device *device);

/*
 * Copy the options of a call, or zeros for NULL. They begin with their size: a
 * caller built with an older version has fewer members. what is the word in
 * the name of their struct. -EINVAL: the size is not set.
 */
int
options_take(const void *options, void *out, size_t size, const char *what,
	     struct drmperf_error *error);

#endif /* DRMPERF_LIB_DEVICE_DEVICE_H */
