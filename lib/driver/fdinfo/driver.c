/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Engine time and memory of the calling process, as DRM tells them of every
 * client in fdinfo: the same for all kernel drivers.
 *
 * The engines and kinds of memory of a device have to be known before there is
 * any client: a node is opened for a moment, and the keys of that client are
 * those of all. The work of drmperf itself, where it submits any, is the
 * process's work as well.
 */
#include "driver/driver.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xf86drm.h>

#include "base/array.h"
#include "base/error.h"
#include "base/monotonic.h"
#include "driver/device_node.h"
#include "driver/fdinfo/clients.h"
#include "driver/runtime_status.h"

/*
 * How often clients of xe are looked at: it adds up what a queue has used, in
 * 32 bits, when somebody asks or the queue ends. A wrap takes 112 s at 38.4
 * MHz, and a part of that where a queue is of several engines. i915 asks by
 * itself. [Linux 6.12 xe_exec_queue.c, intel_guc_submission.c]
 */
#define KEEP_MS 10000

struct fdinfo_run {
	const struct fdinfo_device *device;
	struct fdinfo_clients *clients;
	size_t count;
	uint32_t selectors[]; /* indices of the device's keys */
};

/* ------------------------------------------------------------------ */
/* The domain                                                           */

static void
run_disarm(void *data)
{
	struct fdinfo_run *run = data;

	fdinfo_clients_destroy(run->clients);
	free(run);
}

static void
run_abandon(void *data)
{
	struct fdinfo_run *run = data;

	fdinfo_clients_abandon(run->clients);
	free(run);
}

static bool
run_wants_growing(const struct fdinfo_run *run)
{
	const struct fdinfo_key *keys = run->device->keys.list;

	for (size_t i = 0; i < run->count; i++) {
		if (keys[run->selectors[i]].kind->rule == FDINFO_GROWS)
			return true;
	}
	return false;
}

static int
run_start(void *data, struct drmperf_error *error)
{
	struct fdinfo_run *run = data;

	return run->device->is_kept && run_wants_growing(run)
		       ? fdinfo_clients_refresh(run->clients, KEEP_MS, error)
		       : 0;
}

static int
run_arm(void *device, const struct run_options *options,
	const struct counter_request *requests, size_t count, void **out,
	struct drmperf_error *error)
{
	struct fdinfo_run *run;
	int ret;

	(void)options;
	run = calloc(1, sizeof(*run) + count * sizeof(run->selectors[0]));
	if (!run)
		return error_set(error, -ENOMEM, "no memory");
	ret = fdinfo_clients_create(device, &run->clients, error);
	if (ret) {
		free(run);
		return ret;
	}
	run->device = device;
	run->count = count;
	for (size_t i = 0; i < count; i++)
		run->selectors[i] = requests[i].selector;
	*out = run;
	return 0;
}

/*
 * Read the files: there is nothing but to read them all, so that all modes of
 * reading are the same.
 */
static int
run_sample(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	   uint64_t *time_ns, struct drmperf_error *error)
{
	struct fdinfo_run *run = data;
	const bool may_wait = mode != DRIVER_READ_AT_ONCE;
	uint64_t values[FDINFO_MOST_KEYS], begin = monotonic_ns();
	int ret = fdinfo_clients_scan(run->clients, may_wait, values, error);

	if (ret)
		return ret;
	for (size_t i = 0; i < run->count; i++)
		raw[i] = values[run->selectors[i]];
	*time_ns = begin + (monotonic_ns() - begin) / 2;
	return 0;
}

/* Nothing to share: each session looks by itself. */
static const struct domain_ops fdinfo_ops = {
	.arm = run_arm,
	.start = run_start,
	.sample = run_sample,
	.disarm = run_disarm,
	.abandon = run_abandon,
};

/* ------------------------------------------------------------------ */
/* Engines that a driver does not report before they have been used     */

/*
 * amdgpu writes a line for engines on which the client has spent time only, by
 * these names. [Linux 6.12 amdgpu_fdinfo.c]
 */
static const struct {
	unsigned type;
	const char *key;
} amdgpu_engines[] = {
	{ AMDGPU_HW_IP_GFX, "engine-gfx" },
	{ AMDGPU_HW_IP_COMPUTE, "engine-compute" },
	{ AMDGPU_HW_IP_DMA, "engine-dma" },
	{ AMDGPU_HW_IP_UVD, "engine-dec" },
	{ AMDGPU_HW_IP_VCE, "engine-enc" },
	{ AMDGPU_HW_IP_UVD_ENC, "engine-enc_1" },
	{ AMDGPU_HW_IP_VCN_DEC, "engine-dec" },
	{ AMDGPU_HW_IP_VCN_ENC, "engine-enc" },
	{ AMDGPU_HW_IP_VCN_JPEG, "engine-jpeg" },
};

/* Return 1 or 0; -errno if the kernel cannot tell now. */
static int
amdgpu_has(int fd, unsigned type)
{
	uint32_t count = 0;
	struct drm_amdgpu_info request = {
		.return_pointer = (uintptr_t)&count,
		.return_size = sizeof(count),
		.query = AMDGPU_INFO_HW_IP_COUNT,
		.query_hw_ip.type = type,
	};

	int ret =
		drmCommandWrite(fd, DRM_AMDGPU_INFO, &request, sizeof(request));

	if (ret)
		return error_is_transient(ret) ? ret : 0;
	return count > 0;
}

/*
 * Add the keys of engines that the device of an open node has but does not tell
 * of yet. -ENOSPC; transient errors.
 */
static int
add_engines(struct fdinfo_keys *keys, const char *driver, int fd)
{
	int ret = 0;

	if (strcmp(driver, "amdgpu"))
		return 0;
	for (size_t i = 0; !ret && i < ARRAY_SIZE(amdgpu_engines); i++) {
		ret = amdgpu_has(fd, amdgpu_engines[i].type);
		if (ret > 0)
			ret = fdinfo_keys_add(keys, amdgpu_engines[i].key);
	}
	return ret;
}

/* ------------------------------------------------------------------ */
/* Finding the keys                                                     */

static int
read_keys(struct fdinfo_device *device, const struct driver_target *target,
	  int node, struct drmperf_error *error)
{
	char path[64], text[16384];
	struct fdinfo_client client;
	int fd, ret;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", node);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ret = fd < 0 ? -errno : fdinfo_read_text(fd, text, sizeof(text));
	if (fd >= 0)
		close(fd);
	if (!ret)
		ret = fdinfo_read(text, &device->keys, &client);
	/* Older kernels do not tell; then there is nothing to list. */
	if (!ret && client.is_client) {
		ret = add_engines(&device->keys, target->driver, node);
		if (!ret)
			ret = fdinfo_keys_add_all(&device->keys, text);
	}
	if (ret)
		error_set(error, ret, "cannot make sense of %s: %s", path,
			  strerror(-ret));
	return ret;
}

static int
open_keys(struct fdinfo_device *device, const struct driver_target *target,
	  struct drmperf_error *error)
{
	const char *path = *target->render ? target->render : target->primary;
	int node, ret;

	node = open(path, O_RDWR | O_CLOEXEC);
	if (node < 0)
		return device_node_error(path, -errno, error);
	ret = read_keys(device, target, node, error);
	close(node);
	return ret;
}

/*
 * Find the number by which the descriptors of a node are known; 0 of one that
 * is not there, as the primary one may be in a container.
 */
static int
find_number(const char *path, dev_t *number, struct drmperf_error *error)
{
	struct stat info;
	int ret;

	*number = 0;
	if (!*path)
		return 0;
	ret = stat(path, &info) ? -errno : 0;
	if (!ret && S_ISCHR(info.st_mode))
		*number = info.st_rdev;
	if (!ret || ret == -ENOENT)
		return 0;
	return error_set(error, ret, "cannot look at %s: %s", path,
			 strerrordesc_np(-ret));
}

static int
add_event(const struct fdinfo_device *device, size_t index, group_index group,
	  struct description *description)
{
	const struct fdinfo_key *key = &device->keys.list[index];
	struct description_event event = {
		.name = key->name,
		.group = group,
		.unit = key->kind->unit,
		.type = DRMPERF_TYPE_UINT64,
		.kind = key->kind->kind,
		.slots = SLOTS_ANY,
		.selector = (uint32_t)index,
	};

	event.description = fdinfo_key_describe(key, description->arena);
	return event.description ? description_add_event(description, &event)
				 : -ENOMEM;
}

static int
add_events(struct fdinfo_device *device, struct description *description)
{
	const struct description_domain domain = {
		.name = "fdinfo",
		.ops = &fdinfo_ops,
		.device = device,
	};
	struct description_group group = {
		.name = "fdinfo",
		.description = "The calling process's own use of the GPU: time "
			       "on its engines and memory, as the kernel "
			       "accounts for it.",
		.max_active = (unsigned)device->keys.count,
		.instances = 1,
		.instances_per_engine = 1,
		.scope = DRMPERF_SCOPE_PROCESS,
	};
	group_index index;
	int ret;

	if (!device->keys.count)
		return 0;
	ret = description_add_domain(description, &domain, &group.domain);
	if (!ret)
		ret = description_add_group(description, &group, &index);
	for (size_t i = 0; !ret && i < device->keys.count; i++)
		ret = add_event(device, i, index, description);
	return ret;
}

static void
fdinfo_release(void *data)
{
	struct fdinfo_device *device = data;

	if (device->runtime_status >= 0)
		close(device->runtime_status);
	free(device);
}

static int
fdinfo_describe(const struct driver_target *target,
		struct description *description, void **out,
		struct drmperf_error *error)
{
	struct fdinfo_device *device = calloc(1, sizeof(*device));
	int ret;

	if (!device)
		return error_set(error, -ENOMEM, "no memory");
	device->runtime_status = runtime_status_open(target->sysfs);
	device->is_kept = !strcmp(target->driver, "xe");
	ret = find_number(target->primary, &device->nodes[0], error);
	if (!ret)
		ret = find_number(target->render, &device->nodes[1], error);
	if (!ret)
		ret = open_keys(device, target, error);
	if (!ret && add_events(device, description))
		ret = error_set(error, -ENOMEM, "no memory");
	if (ret)
		fdinfo_release(device);
	else
		*out = device;
	return ret;
}

const struct driver fdinfo_driver = {
	.describe = fdinfo_describe,
	.release = fdinfo_release,
	.abandon = fdinfo_release,
};
