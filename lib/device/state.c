/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cancellation.h"
#include "device/scan.h"
#include "device/named_events.h"

unsigned
drmperf_version(void)
{
	return DRMPERF_VERSION_MAJOR << 16 | DRMPERF_VERSION_MINOR;
}

/*
 * Copy the options of a caller that was compiled with another version of the
 * header: a shorter struct is filled up with zeros; a longer one is taken if
 * what this library does not know is zero.
 */
static int
copy_options(const struct drmperf_options *options, struct drmperf_options *out)
{
	const unsigned char *bytes = (const unsigned char *)options;
	size_t size, i;

	memset(out, 0, sizeof(*out));
	if (!options)
		return 0;
	size = options->size;
	if (size < sizeof(options->size) || size > 4096)
		return -EINVAL;
	for (i = sizeof(*out); i < size; i++)
		if (bytes[i])
			return -EINVAL;
	memcpy(out, options, size < sizeof(*out) ? size : sizeof(*out));
	return 0;
}

static int
create_devices(struct drmperf *drmperf, const struct driver_target *targets,
	       unsigned count)
{
	struct drmperf_device *devices;
	unsigned i;

	devices = arena_alloc(drmperf->arena, (count + 1) * sizeof(*devices));
	if (!devices)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		devices[i].drmperf = drmperf;
		devices[i].target = targets[i];
		devices[i].target.tables = drmperf->tables;
		devices[i].target.log = drmperf->log;
		devices[i].target.uses_kfd = drmperf->uses_kfd;
		pthread_mutex_init(&devices[i].open_lock, NULL);
	}
	drmperf->devices = devices;
	drmperf->device_count = count;
	return 0;
}

/* The source of a state's devices: sysfs or a recording. */
struct origin {
	const struct driver *const *drivers;
	const char *root;
	const struct driver_target *recorded; /* or NULL: of sysfs */
};

static int
find_devices(struct drmperf *drmperf, const struct origin *origin,
	     struct drmperf_error *error)
{
	struct driver_target *targets = NULL;
	unsigned count = 0;
	int err = 0;

	if (!origin->recorded)
		err = scan_devices(origin->root, origin->drivers,
				   drmperf->arena, &targets, &count, error);
	if (err)
		return err;
	err = create_devices(drmperf,
			     origin->recorded ? origin->recorded : targets,
			     origin->recorded ? 1 : count);
	return err ? error_set(error, err, "no memory") : 0;
}

static int
init_state(struct drmperf *drmperf, const struct drmperf_options *options,
	   const struct origin *origin, struct drmperf_error *error)
{
	int err;

	drmperf->log.log = options->log;
	drmperf->log.data = options->log_data;
	drmperf->uses_kfd = options->uses_kfd;
	table_store_init(&drmperf->table_store);
	drmperf->tables.store = &drmperf->table_store;
	err = fork_guard_init(&drmperf->guard);
	if (!err)
		err = user_files_init(&drmperf->user_files,
				      options->events_path, &drmperf->log,
				      drmperf->arena, &drmperf->tables);
	if (err)
		return error_set(error, err, "no memory");
	err = find_devices(drmperf, origin, error);
	if (err)
		return err;
	err = named_events_create(drmperf, &drmperf->unlisted);
	return err ? error_set(error, err, "no memory") : 0;
}

static int
state_create_from(const struct drmperf_options *options,
		  const struct origin *origin, struct drmperf **out,
		  struct drmperf_error *error)
{
	struct drmperf_options copy;
	struct drmperf *drmperf;
	int err;

	if (copy_options(options, &copy))
		return error_set(error, -EINVAL,
				 "the options are not those of this version of "
				 "libdrmperf");
	drmperf = calloc(1, sizeof(*drmperf));
	if (drmperf)
		drmperf->arena = arena_create();
	if (!drmperf || !drmperf->arena) {
		free(drmperf);
		return error_set(error, -ENOMEM, "no memory");
	}
	drmperf->root = origin->root;
	drmperf->drivers = origin->drivers;
	err = init_state(drmperf, &copy, origin, error);
	if (err) {
		state_destroy(drmperf);
		return err;
	}
	*out = drmperf;
	return 0;
}

int
state_create(const struct drmperf_options *options,
	     const struct driver *const *drivers, const char *root,
	     struct drmperf **out, struct drmperf_error *error)
{
	const struct origin origin = { .drivers = drivers, .root = root };

	return state_create_from(options, &origin, out, error);
}

/*
 * Find the driver of a recording by its header. If none recognizes it, the
 * error is that of the first driver.
 */
static const char *
recorded_name(const struct driver *const *drivers, const void *header,
	      size_t size)
{
	for (size_t i = 0; drivers[i]; i++) {
		if (drivers[i]->recognizes(header, size))
			return drivers[i]->name;
	}
	return drivers[0]->name;
}

int
state_create_recorded(const struct drmperf_options *options,
		      const struct driver *const *drivers, const void *header,
		      size_t size, struct drmperf **out,
		      struct drmperf_error *error)
{
	const struct driver_target target = {
		.root = "",
		.driver = recorded_name(drivers, header, size),
		.address = "",
		.sysfs = "",
		.render = "",
		.primary = "",
		.recorded = header,
		.recorded_size = size,
	};
	const struct origin origin = { .drivers = drivers,
				       .root = "",
				       .recorded = &target };

	return state_create_from(options, &origin, out, error);
}

/*
 * Release the state. Mutexes are not destroyed, see catalog_destroy(): a child
 * may have inherited them locked.
 */
void
state_destroy(struct drmperf *drmperf)
{
	struct state_memo *memo;
	unsigned i;

	memo = atomic_load(&drmperf->memo);
	if (memo)
		memo->destroy(memo);
	for (i = 0; i < drmperf->device_count; i++)
		device_close(&drmperf->devices[i]);
	named_events_destroy(drmperf->unlisted);
	user_files_finish(&drmperf->user_files);
	table_store_finish(&drmperf->table_store);
	fork_guard_finish(&drmperf->guard);
	arena_destroy(drmperf->arena);
	free(drmperf);
}

void
drmperf_destroy(struct drmperf *drmperf)
{
	NO_CANCELLATION;

	/* a call interrupted by this signal handler may hold a lock */
	if (drmperf && !reentrancy_is_nested())
		state_destroy(drmperf);
}

static int
stop_device(struct drmperf_device *device, struct drmperf_error *error)
{
	struct catalog *catalog = atomic_load(&device->catalog);
	size_t i;
	int err = 0;

	if (!catalog)
		return 0;
	for (i = 0; i < catalog->description.domain_count; i++) {
		if (domain_end_shared(&device->domains[i]))
			err = error_set(error, -EBUSY,
					"a call on device %u does not return",
					device->target.index);
	}
	return err;
}

int
drmperf_stop_all(struct drmperf *drmperf, struct drmperf_error *error)
{
	NO_CANCELLATION;
	unsigned i;
	int err, ret;

	ret = fork_guard_check(&drmperf->guard, error);
	if (ret)
		return ret;
	for (i = 0; i < drmperf->device_count; i++) {
		err = stop_device(&drmperf->devices[i], error);
		if (!ret)
			ret = err;
	}
	return ret;
}

unsigned
drmperf_device_count(const struct drmperf *drmperf)
{
	return drmperf->device_count;
}

struct drmperf_device *
drmperf_device_at(struct drmperf *drmperf, unsigned index)
{
	if (index >= drmperf->device_count)
		return NULL;
	return &drmperf->devices[index];
}
