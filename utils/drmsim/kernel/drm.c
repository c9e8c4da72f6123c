/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.1, drivers/gpu/drm/drm_ioctl.c, drm_auth.c, drm_prime.c. */
#include "kernel/drm.h"

#include <drm.h>
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/array.h"
#include "kernel/bo.h"
#include "kernel/call.h"
#include "kernel/file.h"
#include "kernel/ioctl.h"
#include "kernel/node.h"
#include "kernel/syncobj.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/log.h"
#include "machine/power.h"

#define ARGUMENT_MAX 1024

static int
put_field(struct sim_call *call, char *to, __kernel_size_t *size,
	  const char *text)
{
	size_t room = *size, length = strlen(text);

	*size = length;
	if (!to || room == 0)
		return 0;
	return sim_call_put(call, (uintptr_t)to, text,
			    length < room ? length : room);
}

static int
drm_version(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct sim_driver *driver = file->gpu->driver;
	struct drm_version *version = arg;
	int error;

	version->version_major = file->gpu->version[0];
	version->version_minor = file->gpu->version[1];
	version->version_patchlevel = file->gpu->version[2];
	error = put_field(call, version->name, &version->name_len,
			  driver->name);
	if (!error)
		error = put_field(call, version->date, &version->date_len,
				  driver->date);
	if (!error)
		error = put_field(call, version->desc, &version->desc_len,
				  driver->description);
	return error;
}

static int
get_unique(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_unique *unique = arg;

	return put_field(call, unique->unique, &unique->unique_len,
			 file->gpu->address);
}

static int
get_magic(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_auth *auth = arg;

	(void)call;
	if (!file->magic)
		file->magic = (uint32_t)file->id;
	auth->magic = file->magic;
	return 0;
}

static int
auth_magic(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct drm_auth *auth = arg;
	struct sim_file *client = sim_node_by_magic(file->gpu, auth->magic);

	(void)call;
	if (!client)
		return -EINVAL;
	client->authenticated = true;
	client->magic = 0;
	return 0;
}

static int
get_client(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_client *client = arg;

	if (client->idx != 0)
		return -EINVAL;
	memset(client, 0, sizeof(*client));
	client->auth = file->authenticated;
	client->pid = (unsigned long)file->pid;
	client->uid = call->caller.uid;
	return 0;
}

static int
set_version(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_set_version *version = arg;

	(void)call;
	version->drm_di_major = 1;
	version->drm_di_minor = 4;
	version->drm_dd_major = file->gpu->version[0];
	version->drm_dd_minor = file->gpu->version[1];
	return 0;
}

static int
get_cap(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_get_cap *cap = arg;

	(void)call;
	(void)file;
	cap->value = 0;
	switch (cap->capability) {
	case DRM_CAP_TIMESTAMP_MONOTONIC:
	case DRM_CAP_SYNCOBJ:
	case DRM_CAP_SYNCOBJ_TIMELINE:
		cap->value = 1;
		return 0;
	case DRM_CAP_PRIME:
		cap->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
		return 0;
	}
	/* no display is attached to a simulated GPU */
	return cap->capability > DRM_CAP_SYNCOBJ_TIMELINE ? -EINVAL :
							    -EOPNOTSUPP;
}

static int
set_client_cap(struct sim_call *call, struct sim_file *file, void *arg)
{
	(void)call;
	(void)file;
	(void)arg;
	return -EOPNOTSUPP;
}

static int
set_master(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct sim_file *master = sim_node_master(file->gpu);

	(void)call;
	(void)arg;
	if (master == file)
		return 0;
	if (master)
		return -EBUSY;
	file->master = file->authenticated = true;
	return 0;
}

static int
drop_master(struct sim_call *call, struct sim_file *file, void *arg)
{
	(void)call;
	(void)arg;
	if (!file->master)
		return -EINVAL;
	file->master = false;
	return 0;
}

static const struct sim_ioctl core_ioctls[] = {
	{ DRM_IOCTL_VERSION, "version", SIM_RENDER, drm_version },
	{ DRM_IOCTL_GET_UNIQUE, "get_unique", 0, get_unique },
	{ DRM_IOCTL_GET_MAGIC, "get_magic", 0, get_magic },
	{ DRM_IOCTL_AUTH_MAGIC, "auth_magic", SIM_MASTER, auth_magic },
	{ DRM_IOCTL_GET_CLIENT, "get_client", 0, get_client },
	{ DRM_IOCTL_SET_VERSION, "set_version", SIM_MASTER, set_version },
	{ DRM_IOCTL_GET_CAP, "get_cap", SIM_RENDER, get_cap },
	{ DRM_IOCTL_SET_CLIENT_CAP, "set_client_cap", 0, set_client_cap },
	{ DRM_IOCTL_SET_MASTER, "set_master", 0, set_master },
	{ DRM_IOCTL_DROP_MASTER, "drop_master", 0, drop_master },
	{ DRM_IOCTL_GEM_CLOSE, "gem_close", SIM_RENDER, sim_gem_close },
	{ DRM_IOCTL_PRIME_HANDLE_TO_FD, "prime_handle_to_fd", SIM_RENDER,
	  sim_prime_to_fd },
	{ DRM_IOCTL_PRIME_FD_TO_HANDLE, "prime_fd_to_handle", SIM_RENDER,
	  sim_prime_to_handle },
};

static const struct sim_ioctl *
find_ioctl_in(const struct sim_ioctl *table, size_t count, unsigned number)
{
	for (size_t i = 0; i < count; i++)
		if (_IOC_NR(table[i].request) == number)
			return &table[i];
	return NULL;
}

static const struct sim_ioctl *
find_ioctl(const struct sim_driver *driver, unsigned number)
{
	const struct sim_ioctl *entry;

	if (number >= DRM_COMMAND_BASE && number < DRM_COMMAND_END)
		return find_ioctl_in(driver->ioctls, driver->ioctl_count,
				     number);
	entry = find_ioctl_in(core_ioctls, ARRAY_SIZE(core_ioctls), number);
	if (!entry)
		entry = find_ioctl_in(sim_syncobj_ioctls,
				      sim_syncobj_ioctl_count, number);
	return entry;
}

static int
check_permission(const struct sim_file *file, unsigned flags)
{
	if ((flags & SIM_AUTH) && file->primary && !file->authenticated)
		return -EACCES;
	if ((flags & SIM_MASTER) && !file->master)
		return -EACCES;
	if (!(flags & SIM_RENDER) && !file->primary)
		return -EACCES;
	return 0;
}

/*
 * Make an ioctl. The argument has the size of the kernel's structure; of a
 * caller's shorter or longer one the common part is copied, in the directions
 * that both the caller's and the kernel's request code name.
 */
int
sim_drm_ioctl(struct sim_call *call, struct sim_file *file,
	      unsigned long request, uint64_t argument)
{
	const struct sim_ioctl *entry =
		find_ioctl(file->gpu->driver, _IOC_NR(request));
	uint64_t arg[ARGUMENT_MAX / sizeof(uint64_t)] = { 0 };
	size_t in = _IOC_SIZE(request), out = in;
	int error, result;

	if (!entry)
		return -EINVAL;
	if (!(request & entry->request & ((unsigned long)IOC_IN)))
		in = 0;
	if (!(request & entry->request & ((unsigned long)IOC_OUT)))
		out = 0;
	if (in > sizeof(arg) || out > sizeof(arg))
		return -EINVAL;
	error = sim_call_count(call, file->gpu, entry->name);
	if (error)
		return error;
	if (sim_call_get(call, arg, argument, in))
		return -EFAULT;
	error = check_permission(file, entry->flags);
	if (error)
		return error;
	if (file->gpu->driver->ioctls_wake)
		sim_gpu_resume(file->gpu);
	result = entry->handle(call, file, arg);
	if (result == SIM_SLEEP)
		return result;
	if (result < 0)
		sim_log(call->sim, "gpu%u: process %d: %s: %s",
			file->gpu->index, (int)call->caller.pid, entry->name,
			strerror(-result));
	error = sim_call_put(call, argument, arg, out);
	return error ? error : result;
}

int
sim_drm_call_ioctl(struct sim_call *call)
{
	struct sim_file *file = sim_node_file(call->sim, call->request.id);

	if (!file || sim_gpu_is_gone(file->gpu, file->removals))
		return -ENODEV;
	return sim_drm_ioctl(call, file, (unsigned long)call->request.a,
			     call->request.b);
}

int
sim_drm_call_mmap(struct sim_call *call)
{
	struct sim_file *file = sim_node_file(call->sim, call->request.id);
	const struct sim_driver *driver;
	struct sim_mapping map;
	int error;

	if (!file || sim_gpu_is_gone(file->gpu, file->removals))
		return -ENODEV;
	error = sim_call_count(call, file->gpu, "mmap");
	if (error)
		return error;
	driver = file->gpu->driver;
	if (!driver->mmap)
		return -EINVAL;
	error = driver->mmap(file, call->request.a, call->request.b, &map);
	return error ? error : sim_call_give_map(call, &map);
}
