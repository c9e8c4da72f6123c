/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts: amd-gfx, "Add kfd_ioctl_profiler", 2026-02, and the fix of its number,
 * 2026-04; rocprofiler-sdk, counters/ioctl.cpp, which chooses the number by the
 * version of the interface.
 */
#include "driver/amdgpu/device/profiler_lock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/amdgpu/device/kfd_file.h"
#include "driver/amdgpu/device/kfd_uapi.h"

/* The interface that has the upstream number; before it, it was AMD's. */
#define MINOR_UPSTREAM 23

/* Where the arguments of an operation may begin, in words. */
#define FIRST_PLACE 1
#define LAST_PLACE 2

struct profiler_lock {
	struct kfd_file kfd;
	unsigned long request;
	unsigned place; /* of arguments */
};

static int
explain_absent(struct drmperf_error *error)
{
	error_set(error, -ENOTSUP,
		  "the kernel has no lock of profilers on /dev/kfd");
	error_remedy(error, "use a kernel that has it: Linux with KFD 1.23, or "
			    "the module amdgpu of ROCm 7");
	return -ENOTSUP;
}

/*
 * Find the operation's number and layout: the word that the question for its
 * version changes is where arguments begin, which differs between headers.
 */
static int
find_interface(struct profiler_lock *lock, struct drmperf_error *error)
{
	struct kfd_version version = { 0 };
	uint32_t words[KFD_PROFILER_WORDS_DKMS];

	if (kfd_file_call(&lock->kfd, KFD_GET_VERSION, &version))
		return explain_absent(error);
	lock->request = version.minor >= MINOR_UPSTREAM ? KFD_PROFILER
							: KFD_PROFILER_DKMS;
	memset(words, 0xff, sizeof(words));
	words[0] = KFD_PROFILER_VERSION;
	if (version.major != 1 ||
	    kfd_file_call(&lock->kfd, lock->request, words))
		return explain_absent(error);
	for (unsigned i = FIRST_PLACE; i <= LAST_PLACE; i++) {
		if (words[i] == UINT32_MAX)
			continue;
		lock->place = i;
		return 0;
	}
	return explain_absent(error);
}

static int
change_lock(const struct profiler_lock *lock, bool take)
{
	uint32_t words[KFD_PROFILER_WORDS_DKMS] = { KFD_PROFILER_PMC };

	words[lock->place] = lock->kfd.gpu_id;
	words[lock->place + 1] = take;
	words[lock->place + 2] = take; /* all queues count */
	return kfd_file_call(&lock->kfd, lock->request, words);
}

static int
explain_refused(int code, struct drmperf_error *error)
{
	switch (code) {
	case -EPERM:
		code = -EACCES;
		error_set(error, code,
			  "the lock of profilers needs CAP_PERFMON");
		error_remedy(error, "run as root, or grant it to the tool: "
				    "setcap cap_perfmon+ep");
		break;
	case -EBUSY:
		error_set(error, code,
			  "another profiler (rocprofiler) counts on this GPU");
		error_remedy(error, "end it, or wait for its end");
		break;
	case -EALREADY:
		error_set(error, code,
			  "this process holds the lock of profilers already");
		break;
	default:
		error_set(error, code,
			  "the kernel refuses the lock of profilers: %s",
			  strerror(-code));
	}
	return code;
}

static int
profiler_lock_take_device(struct profiler_lock *lock,
			  const struct kfd_target *target,
			  struct drmperf_error *error)
{
	int ret = kfd_file_open(&lock->kfd, target, error);

	if (ret)
		return ret;
	ret = find_interface(lock, error);
	if (ret)
		return ret;
	ret = change_lock(lock, true);
	if (ret == -ENODEV) {
		ret = kfd_file_acquire_vm(&lock->kfd, target->node);
		if (!ret || ret == -EBUSY)
			ret = change_lock(lock, true);
	}
	return ret ? explain_refused(ret, error) : 0;
}

int
profiler_lock_take(const struct kfd_target *target, struct profiler_lock **out,
		   struct drmperf_error *error)
{
	struct profiler_lock *lock;
	int ret;

	if (!target->gpu_id)
		return error_set(error, -ENOTSUP,
				 "the kernel has no compute driver (KFD) for "
				 "this GPU");
	lock = calloc(1, sizeof(*lock));
	if (!lock)
		return error_set(error, -ENOMEM, "no memory");
	ret = profiler_lock_take_device(lock, target, error);
	if (ret) {
		kfd_file_close(&lock->kfd, false);
		free(lock);
	} else {
		*out = lock;
	}
	return ret;
}

void
profiler_lock_release(struct profiler_lock *lock, bool is_child)
{
	if (!is_child)
		change_lock(lock, false);
	kfd_file_close(&lock->kfd, is_child);
	free(lock);
}
