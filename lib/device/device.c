/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancellation.h"
#include "catalog/lazy_load.h"
#include "driver/device_node.h"

#define OPTIONS_SIZE_MAX 4096

/* ------------------------------------------------------------------ */
/* Devices                                                              */

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

int
drmperf_device_partition(const struct drmperf_device *device)
{
	const struct driver_target *target = &device->target;

	return target->partitions > 1 ? (int)target->partition : -1;
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

int
drmperf_device_hardware(const struct drmperf_device *device,
			struct drmperf_hardware *out)
{
	const struct catalog *catalog = atomic_load(&device->catalog);

	if (!catalog || out->size < sizeof(*out))
		return -EINVAL;
	if (!catalog->description.engines)
		return -ENOTSUP;
	out->revision = catalog->description.revision;
	out->shader_engines = catalog->description.engines;
	return 0;
}

const char *
drmperf_device_blocked_group(const struct drmperf_device *device, size_t index,
			     const char **reason)
{
	const struct catalog *catalog = atomic_load(&device->catalog);
	const struct description_hidden *hidden =
		catalog ? catalog->description.hidden : NULL;

	for (; hidden && index; index--)
		hidden = hidden->next;
	if (!hidden)
		return NULL;
	*reason = hidden->reason;
	return hidden->name;
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
/* Opening and closing                                                  */

static void
release_attached(struct drmperf_device *device, bool is_child)
{
	size_t i;

	for (i = device->attached_count; i-- > 0;) {
		const struct attached_driver *attached = &device->attached[i];

		if (is_child)
			attached->driver->abandon(attached->device);
		else
			attached->driver->release(attached->device);
	}
	free(device->attached);
	device->attached = NULL;
	device->attached_count = 0;
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
	release_attached(device, is_child);
	catalog_destroy(catalog);
}

/* Complete the error of a driver that failed without a cause. */
static void
device_explain_failure(const struct drmperf_device *device, int code,
		       struct drmperf_error *cause)
{
	bool refused = code == -EACCES || code == -EPERM;

	if (!cause->code && refused)
		device_node_error(drmperf_device_node(device), code, cause);
	else if (!cause->code)
		error_set(cause, code, "device %u cannot be used: %s",
			  device->target.index, strerrordesc_np(-code));
}

/* Keep the status of a driver that failed, if none is kept yet. */
static void
keep_status(struct drmperf_device *device, const struct drmperf_error *cause)
{
	/* Several drivers may be refused the same node: log that once. */
	if (!device->status.code || strcmp(device->status.cause, cause->cause))
		log_write(&device->target.log, DRMPERF_LOG_WARNING, "%s",
			  cause->cause);
	if (!device->status.code)
		device->status = *cause;
}

/*
 * Pass a transient error on to the caller: opening is tried again as a whole.
 */
static int
pass_transient_error(const struct drmperf_error *cause,
		     struct drmperf_error *error)
{
	error_set(error, cause->code, "%s", cause->cause);
	if (*cause->remedy)
		error_remedy(error, "%s", cause->remedy);
	else if (cause->code == -EMFILE)
		error_remedy(error, "close files, or raise the limit (ulimit "
				    "-n), and try again");
	else
		error_remedy(error, "try again");
	return cause->code;
}

/*
 * Have one driver describe the device; if it fails, the description is
 * unchanged.
 */
static int
device_describe(struct drmperf_device *device, const struct driver *driver,
		struct description *description, struct drmperf_error *error)
{
	struct drmperf_error cause = { .code = 0 };
	struct description_mark mark = description_mark(description);
	struct attached_driver *attached;
	void *opened;
	int err;

	attached = reallocarray(device->attached, device->attached_count + 1,
				sizeof(*attached));
	if (!attached)
		return error_set(error, -ENOMEM, "no memory");
	device->attached = attached;
	err = driver->describe(&device->target, description, &opened, &cause);
	if (err) {
		description_rollback(description, &mark);
		device_explain_failure(device, err, &cause);
		if (error_is_transient(err))
			return pass_transient_error(&cause, error);
		keep_status(device, &cause);
		return 0;
	}
	attached[device->attached_count].driver = driver;
	attached[device->attached_count].device = opened;
	device->attached_count++;
	return 0;
}

/*
 * Return whether there are events. Groups that describe them later count as
 * such.
 */
static bool
has_events(const struct description *description)
{
	bool any = description->event_count;

	for (size_t i = 0; i < description->group_count && !any; i++)
		any = description->groups[i].describe;
	return any;
}

/*
 * Have all drivers describe the device, its own first, whose facts take
 * precedence. If a driver fails, the rest is used without it. A transient
 * failure fails the whole, because an open device is never described again.
 */
static int
describe_with_drivers(struct drmperf_device *device,
		      struct description *description,
		      struct drmperf_error *error)
{
	const struct driver *const *drivers = device->drmperf->drivers;
	int err = 0;
	size_t i;

	for (i = 0; !err && drivers[i]; i++)
		if (drivers[i]->name &&
		    !strcmp(drivers[i]->name, device->target.driver))
			err = device_describe(device, drivers[i], description,
					      error);
	for (i = 0; !err && drivers[i] && !device->is_unlisted; i++)
		if (!drivers[i]->name)
			err = device_describe(device, drivers[i], description,
					      error);
	if (err)
		return err;
	if (has_events(description) ||
	    (device->is_unlisted && !device->status.code))
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
	struct drmperf *drmperf = device->drmperf;
	struct catalog *catalog;
	int err;

	err = describe_with_drivers(device, description, error);
	if (err)
		return err;
	err = user_tables_apply(&drmperf->user_files.tables,
				device->target.driver, description,
				&device->target.log, error);
	if (!err)
		err = catalog_create(description, device->target.driver, device,
				     &device->target.log, &catalog, error);
	if (err)
		return user_files_add_remedy(&drmperf->user_files, err, error);
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
	struct user_files *files = &device->drmperf->user_files;
	struct description description;
	int err;

	err = user_files_read(files, error);
	if (err)
		return err;
	device->target.user_tables = files->tables.tables;
	device->target.user_table_count = files->tables.count;
	device->status.code = 0;
	if (description_init(&description))
		return error_set(error, -ENOMEM, "no memory");
	err = make_catalog(device, &description, error);
	if (err) {
		release_attached(device, false);
		description_finish(&description);
	}
	return err;
}

int
drmperf_device_open(struct drmperf_device *device, struct drmperf_error *error)
{
	NO_CANCELLATION;
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

int
options_take(const void *options, void *out, size_t size, const char *what,
	     struct drmperf_error *error)
{
	const size_t *given = options;

	memset(out, 0, size);
	if (!options)
		return 0;
	if (*given < sizeof(*given) || *given > OPTIONS_SIZE_MAX)
		return error_set(error, -EINVAL,
				 "size of struct drmperf_%s_options is not set",
				 what);
	memcpy(out, options, *given < size ? *given : size);
	return 0;
}
