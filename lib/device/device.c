/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/fill.h"
#include "device/scan.h"
#include "driver/device_node.h"
#include "table/path.h"

/* ------------------------------------------------------------------ */
/* The library's state                                                  */

unsigned
drmperf_version(void)
{
	return DRMPERF_VERSION_MAJOR << 16 | DRMPERF_VERSION_MINOR;
}

/*
 * Options of a caller that was compiled with another version of the header: a
 * shorter struct is filled up with zeros; a longer one is taken if what this
 * library does not know is zero.
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
		pthread_mutex_init(&devices[i].open_lock, NULL);
	}
	drmperf->devices = devices;
	drmperf->device_count = count;
	return 0;
}

static int
set_up(struct drmperf *drmperf, const struct drmperf_options *options,
       const char *root, struct drmperf_error *error)
{
	struct driver_target *targets = NULL;
	const char *user = options->events_path, *rocm = NULL;
	struct table_path files;
	unsigned count = 0;
	int err;

	drmperf->log.log = options->log;
	drmperf->log.data = options->log_data;
	if (!user) {
		user = secure_getenv("DRMPERF_EVENTS");
		rocm = secure_getenv("ROCP_METRICS");
	}
	err = fork_guard_init(&drmperf->guard);
	if (!err)
		err = table_path_init(&drmperf->tables, &files, user,
				      drmperf->arena);
	if (err)
		return error_set(error, err, "no memory");
	if (rocm && *rocm) {
		drmperf->rocm_path =
			arena_strndup(drmperf->arena, rocm, strlen(rocm));
		if (!drmperf->rocm_path)
			return error_set(error, -ENOMEM, "no memory");
	}
	drmperf->extra_paths = files.directories;
	drmperf->extra_path_count = files.count;
	err = scan_devices(root, drmperf->drivers, drmperf->arena, &targets,
			   &count, error);
	if (err)
		return err;
	err = create_devices(drmperf, targets, count);
	if (!err)
		err = named_events_create(drmperf, &drmperf->named);
	return err ? error_set(error, err, "no memory") : 0;
}

int
device_create_all(const struct drmperf_options *options,
		  const struct driver *const *drivers, const char *root,
		  struct drmperf **out, struct drmperf_error *error)
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
	drmperf->root = root;
	drmperf->drivers = drivers;
	pthread_mutex_init(&drmperf->extra_lock, NULL);
	err = set_up(drmperf, &copy, root, error);
	if (err) {
		drmperf_destroy(drmperf);
		return err;
	}
	*out = drmperf;
	return 0;
}

static void
release_parts(struct drmperf_device *device, bool is_child)
{
	size_t i;

	for (i = device->part_count; i-- > 0;) {
		const struct device_part *part = &device->parts[i];

		if (is_child)
			part->driver->abandon(part->device);
		else
			part->driver->release(part->device);
	}
	free(device->parts);
	device->parts = NULL;
	device->part_count = 0;
}

static void
finish_domains(struct drmperf_device *device, size_t count, bool is_child)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (is_child)
			domain_abandon(&device->domains[i]);
		else
			domain_finish(&device->domains[i]);
	}
	free(device->domains);
	device->domains = NULL;
}

void
device_close(struct drmperf_device *device)
{
	struct catalog *catalog = atomic_load(&device->catalog);
	bool is_child = fork_guard_is_child(&device->drmperf->guard);

	if (!catalog)
		return;
	finish_domains(device, catalog->description.domain_count, is_child);
	release_parts(device, is_child);
	catalog_destroy(catalog);
}

/*
 * Mutexes are not destroyed, see catalog_destroy(): a child may have inherited
 * them locked.
 */
void
drmperf_destroy(struct drmperf *drmperf)
{
	unsigned i;

	if (!drmperf)
		return;
	for (i = 0; i < drmperf->device_count; i++)
		device_close(&drmperf->devices[i]);
	named_events_destroy(drmperf->named);
	extra_tables_finish(&drmperf->extra);
	fork_guard_finish(&drmperf->guard);
	arena_destroy(drmperf->arena);
	free(drmperf);
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
drmperf_stop(struct drmperf *drmperf, struct drmperf_error *error)
{
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

/* ------------------------------------------------------------------ */
/* Devices                                                              */

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

unsigned
drmperf_device_index(const struct drmperf_device *device)
{
	return device->target.index;
}

const char *
drmperf_device_driver(const struct drmperf_device *device)
{
	return device->target.driver;
}

const char *
drmperf_device_address(const struct drmperf_device *device)
{
	return device->target.address;
}

const char *
drmperf_device_node(const struct drmperf_device *device)
{
	const struct driver_target *target = &device->target;

	return *target->render ? target->render : target->primary;
}

const char *
drmperf_device_chip(const struct drmperf_device *device)
{
	const struct catalog *catalog = atomic_load(&device->catalog);

	return catalog ? catalog->description.chip : "";
}

const char *
drmperf_device_generation(const struct drmperf_device *device)
{
	const struct catalog *catalog = atomic_load(&device->catalog);

	return catalog ? catalog->description.generation : "";
}

const struct catalog_list *
device_list(const struct drmperf_device *device)
{
	struct catalog *catalog = atomic_load(&device->catalog);

	if (!catalog || (!atomic_load(&catalog->list) &&
			 fork_guard_is_child(&device->drmperf->guard)))
		return NULL;
	return catalog_list(catalog);
}

const struct description *
device_description(const struct drmperf_device *device)
{
	return &atomic_load(&device->catalog)->description;
}

int
drmperf_device_status(const struct drmperf_device *device,
		      struct drmperf_error *error)
{
	if (!atomic_load(&device->catalog) || !device->status.code)
		return 0;
	if (error)
		*error = device->status;
	return device->status.code;
}

/* ------------------------------------------------------------------ */
/* Opening                                                              */

/*
 * The variable is there for the profiler of ROCm, which may not have meant us:
 * what is wrong with its file keeps nobody from counting.
 */
static int
read_rocm(struct drmperf *drmperf, struct drmperf_error *error)
{
	struct drmperf_error cause = { 0 };
	int err = 0;

	if (drmperf->rocm_path)
		err = extra_tables_add(&drmperf->extra, drmperf->rocm_path,
				       &drmperf->log, &cause);
	if (err == -ENOMEM)
		return error_set(error, err, "%s", cause.cause);
	if (err)
		log_write(&drmperf->log, DRMPERF_LOG_WARNING,
			  "ROCP_METRICS is not used: %s", cause.cause);
	return 0;
}

/* The cure for a table that the user asked for; returns err. */
static int
blame_user(int err, struct drmperf_error *error)
{
	if (err && err != -ENOMEM)
		error_remedy(error, "mend it, or take it out of the list of "
				    "event tables (DRMPERF_EVENTS)");
	return err;
}

/* Read the user's files, once for all devices; tried again if that failed. */
static int
read_extra(struct drmperf *drmperf, struct drmperf_error *error)
{
	size_t i;
	int err = 0;

	pthread_mutex_lock(&drmperf->extra_lock);
	if (!drmperf->extra_is_read) {
		err = read_rocm(drmperf, error);
		for (i = 0; !err && i < drmperf->extra_path_count; i++)
			err = extra_tables_add(&drmperf->extra,
					       drmperf->extra_paths[i],
					       &drmperf->log, error);
		if (err)
			extra_tables_finish(&drmperf->extra);
		drmperf->extra_is_read = !err;
	}
	pthread_mutex_unlock(&drmperf->extra_lock);
	return blame_user(err, error);
}

/* A driver failed: what there is to say about it, kept if nothing is yet. */
static void
keep_status(struct drmperf_device *device, int code,
	    struct drmperf_error *cause)
{
	bool refused = code == -EACCES || code == -EPERM;

	if (!cause->code && refused)
		node_error(drmperf_device_node(device), code, cause);
	else if (!cause->code)
		error_set(cause, code, "device %u cannot be used: %s",
			  device->target.index, strerrordesc_np(-code));
	/* Several drivers may be refused the same node: said once. */
	if (!device->status.code || strcmp(device->status.cause, cause->cause))
		log_write(&device->target.log, DRMPERF_LOG_WARNING, "%s",
			  cause->cause);
	if (!device->status.code)
		device->status = *cause;
}

/* Ask one driver what the device can count; what fails leaves no trace. */
static int
describe(struct drmperf_device *device, const struct driver *driver,
	 struct description *description)
{
	struct drmperf_error cause = { .code = 0 };
	struct description_mark mark = description_mark(description);
	struct device_part *parts;
	void *part;
	int err;

	parts = reallocarray(device->parts, device->part_count + 1,
			     sizeof(*parts));
	if (!parts)
		return -ENOMEM;
	device->parts = parts;
	err = driver->describe(&device->target, description, &part, &cause);
	if (err) {
		description_rollback(description, &mark);
		keep_status(device, err, &cause);
		return 0;
	}
	parts[device->part_count].driver = driver;
	parts[device->part_count].device = part;
	device->part_count++;
	return 0;
}

/* Groups that describe their events later have some. */
static bool
has_events(const struct description *description)
{
	bool any = description->event_count;

	for (size_t i = 0; i < description->group_count && !any; i++)
		any = description->groups[i].describe;
	return any;
}

/*
 * The device's own driver first: what it says goes before what others say. A
 * driver that fails does not keep the rest from being used.
 */
static int
describe_all(struct drmperf_device *device, struct description *description,
	     struct drmperf_error *error)
{
	const struct driver *const *drivers = device->drmperf->drivers;
	int err = 0;
	size_t i;

	for (i = 0; !err && drivers[i]; i++)
		if (drivers[i]->name &&
		    !strcmp(drivers[i]->name, device->target.driver))
			err = describe(device, drivers[i], description);
	for (i = 0; !err && drivers[i] && !device->by_name; i++)
		if (!drivers[i]->name)
			err = describe(device, drivers[i], description);
	if (err)
		return error_set(error, err, "no memory");
	if (has_events(description) ||
	    (device->by_name && !device->status.code))
		return 0;
	if (!device->status.code)
		error_set(&device->status, -ENOTSUP, "device %u has no events",
			  device->target.index);
	if (error)
		*error = device->status;
	return device->status.code;
}

static int
init_domains(struct drmperf_device *device,
	     const struct description *description, struct drmperf_error *error)
{
	size_t count = description->domain_count, i;
	int err = 0;

	device->domains = calloc(count + 1, sizeof(*device->domains));
	if (!device->domains)
		return error_set(error, -ENOMEM, "no memory");
	for (i = 0; !err && i < count; i++)
		err = domain_init(&device->domains[i], description,
				  (domain_index)i);
	if (err) {
		finish_domains(device, i - 1, false);
		return error_set(error, err, "no memory");
	}
	return 0;
}

static int
make_catalog(struct drmperf_device *device, struct description *description,
	     struct drmperf_error *error)
{
	const struct extra_tables *extra = &device->drmperf->extra;
	struct catalog *catalog;
	int err;

	err = describe_all(device, description, error);
	if (err)
		return err;
	err = extra_tables_apply(extra, device->target.driver, description,
				 &device->target.log, error);
	if (!err)
		err = catalog_create(description, device->target.driver, device,
				     &device->target.log, &catalog, error);
	if (err)
		return extra->count ? blame_user(err, error) : err;
	err = init_domains(device, &catalog->description, error);
	if (err) {
		catalog_destroy(catalog);
		return err;
	}
	atomic_store(&device->catalog, catalog);
	return 0;
}

static int
open_device(struct drmperf_device *device, struct drmperf_error *error)
{
	struct description description;
	int err;

	err = read_extra(device->drmperf, error);
	if (err)
		return err;
	device->target.extra = device->drmperf->extra.tables;
	device->target.extra_count = device->drmperf->extra.count;
	device->status.code = 0;
	if (description_init(&description))
		return error_set(error, -ENOMEM, "no memory");
	err = make_catalog(device, &description, error);
	if (err) {
		release_parts(device, false);
		description_finish(&description);
	}
	return err;
}

int
drmperf_device_open(struct drmperf_device *device, struct drmperf_error *error)
{
	int err;

	err = fork_guard_check(&device->drmperf->guard, error);
	if (err || atomic_load(&device->catalog))
		return err;
	pthread_mutex_lock(&device->open_lock);
	if (!atomic_load(&device->catalog))
		err = open_device(device, error);
	pthread_mutex_unlock(&device->open_lock);
	return err;
}
