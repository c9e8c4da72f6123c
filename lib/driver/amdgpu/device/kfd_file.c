/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/device/kfd_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver/amdgpu/device/kfd_helper.h"
#include "driver/amdgpu/device/kfd_uapi.h"

#define KFD_NODE "/dev/kfd"
#define DOORBELL_BYTES 8192u

/* ------------------------------------------------------------------ */
/* Opening                                                              */

static int
explain_unopened(int code, struct drmperf_error *error)
{
	if (code == -ENOENT || code == -ENODEV || code == -ENXIO)
		return error_set(error, -ENOTSUP, "there is no " KFD_NODE);
	error_set(error, code, "cannot open " KFD_NODE ": %s", strerror(-code));
	if (code == -EACCES || code == -EPERM)
		error_remedy(error, "add the user to the group that owns it, "
				    "mostly render");
	return code == -EPERM ? -EACCES : code;
}

static int
open_render(struct kfd_file *file, const char *node)
{
	file->render = open(node, O_RDWR | O_CLOEXEC);
	return file->render < 0 ? -errno : 0;
}

/*
 * Open the file in another process. The other process answers the first call
 * with why it cannot open the file.
 */
static int
open_elsewhere(struct kfd_file *file, const struct kfd_target *target,
	       struct drmperf_error *error)
{
	int ret = open_render(file, target->node);

	if (ret)
		return error_set(error, ret, "cannot open %s: %s", target->node,
				 strerror(-ret));
	ret = kfd_helper_start(target->helper, target->gpu_id, file->render,
			       &file->helper, error);
	if (ret)
		return ret;
	ret = kfd_helper_call(file->helper, KFD_HELPER_KEEP, NULL, 0);
	return ret ? explain_unopened(ret, error) : 0;
}

int
kfd_file_open(struct kfd_file *file, const struct kfd_target *target,
	      struct drmperf_error *error)
{
	int ret;

	*file = (struct kfd_file){ .gpu_id = target->gpu_id,
				   .fd = -1,
				   .render = -1 };
	if (target->helper) {
		ret = open_elsewhere(file, target, error);
		if (ret)
			kfd_file_close(file, false);
		return ret;
	}
	file->fd = open(KFD_NODE, O_RDWR | O_CLOEXEC);
	return file->fd < 0 ? explain_unopened(-errno, error) : 0;
}

void
kfd_file_close(struct kfd_file *file, bool is_child)
{
	if (file->doorbells && !is_child)
		munmap(file->doorbells, DOORBELL_BYTES);
	kfd_helper_end(file->helper);
	if (file->render >= 0)
		close(file->render);
	if (file->fd >= 0)
		close(file->fd);
	*file = (struct kfd_file){ .fd = -1, .render = -1 };
}

/* ------------------------------------------------------------------ */
/* Calls                                                                */

int
kfd_file_call(const struct kfd_file *file, unsigned long request,
	      void *argument)
{
	int ret;

	if (file->helper)
		return kfd_helper_call(file->helper, request, argument,
				       _IOC_SIZE(request));
	do {
		ret = ioctl(file->fd, request, argument);
	} while (ret < 0 && (errno == EINTR || errno == EAGAIN));
	return ret < 0 ? -errno : 0;
}

int
kfd_file_acquire_vm(struct kfd_file *file, const char *node)
{
	struct kfd_vm vm = { .gpu_id = file->gpu_id };
	int ret = file->render < 0 ? open_render(file, node) : 0;

	if (ret)
		return ret;
	vm.drm_fd = (uint32_t)file->render;
	return kfd_file_call(file, KFD_ACQUIRE_VM, &vm);
}

/* ------------------------------------------------------------------ */
/* Doorbells                                                            */

/*
 * Map the doorbells. All doorbells of the process are in one page, which a
 * child does not get.
 */
int
kfd_file_map_doorbells(struct kfd_file *file, uint64_t offset)
{
	void *at;

	if (file->helper)
		return kfd_helper_call(file->helper, KFD_HELPER_MAP_DOORBELLS,
				       &offset, sizeof(offset));
	if (file->doorbells)
		return 0;
	at = mmap(NULL, DOORBELL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
		  file->fd, (off_t)(offset & ~(uint64_t)(DOORBELL_BYTES - 1)));
	if (at == MAP_FAILED)
		return -errno;
	madvise(at, DOORBELL_BYTES, MADV_DONTFORK);
	file->doorbells = at;
	return 0;
}

int
kfd_file_ring(const struct kfd_file *file, uint64_t offset, uint64_t index)
{
	_Atomic uint64_t *doorbell;

	if (file->helper)
		return kfd_helper_ring(file->helper, offset, index);
	doorbell = (_Atomic uint64_t *)(void *)(file->doorbells +
						offset % DOORBELL_BYTES);
	atomic_store(doorbell, index);
	return 0;
}

bool
kfd_file_keep_alive(const struct kfd_file *file)
{
	return !file->helper ||
	       !kfd_helper_call(file->helper, KFD_HELPER_KEEP, NULL, 0);
}
