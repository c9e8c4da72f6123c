/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/submit/kfd_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define KFD_NODE "/dev/kfd"

struct kfd_vm {
	uint32_t drm_fd, gpu_id;
};

#define KFD_ACQUIRE_VM _IOW('K', 0x15, struct kfd_vm)

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

int
kfd_file_open(int *out, struct drmperf_error *error)
{
	*out = open(KFD_NODE, O_RDWR | O_CLOEXEC);
	return *out < 0 ? explain_unopened(-errno, error) : 0;
}

int
kfd_file_call(int kfd, unsigned long request, void *argument)
{
	int ret;

	do {
		ret = ioctl(kfd, request, argument);
	} while (ret < 0 && (errno == EINTR || errno == EAGAIN));
	return ret < 0 ? -errno : 0;
}

int
kfd_file_acquire_vm(int kfd, uint32_t gpu_id, const char *node, int *render)
{
	struct kfd_vm vm = { .gpu_id = gpu_id };
	int ret;

	*render = open(node, O_RDWR | O_CLOEXEC);
	if (*render < 0)
		return -errno;
	vm.drm_fd = (uint32_t)*render;
	ret = kfd_file_call(kfd, KFD_ACQUIRE_VM, &vm);
	if (ret) {
		close(*render);
		*render = -1;
	}
	return ret;
}
