/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/intel/rival.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/scan.h"
#include "driver/intel/oa/stream/kernel_ops.h"
#include "table/table.h"

/* ------------------------------------------------------------------ */
/* In its process                                                       */

static const struct driver *const drivers[] = { &i915_driver, &xe_driver,
						NULL };

static const struct driver *
find_driver(const char *name)
{
	for (size_t i = 0; drivers[i]; i++)
		if (!strcmp(drivers[i]->name, name))
			return drivers[i];
	return NULL;
}

static int
find_target(const char *address, struct arena *arena, struct driver_target *out)
{
	struct driver_target *targets;
	struct table_path files;
	struct drmperf_error error;
	unsigned count;
	int ret = scan_devices("", drivers, arena, &targets, &count, &error);

	for (unsigned i = 0; !ret && i < count; i++) {
		if (strcmp(targets[i].address, address))
			continue;
		*out = targets[i];
		return table_path_init(&out->tables, &files,
				       secure_getenv("DRMPERF_EVENTS"), arena);
	}
	return ret ? ret : -ENODEV;
}

/* Open the first set of the render engine that the kernel takes. */
static int
open_stream(struct oa_gpu *gpu)
{
	struct drmperf_error error;
	int ret = -ENOENT, stream;

	for (size_t i = 0; i < gpu->sets.count; i++) {
		struct oa_wanted wanted = { .set = &gpu->sets.sets[i] };
		unsigned exponent;

		if (wanted.set->unit != OA_UNIT_RENDER || wanted.set->composed)
			continue;
		ret = gpu->source->find_config(gpu, wanted.set, &wanted.config,
					       &error);
		if (!ret)
			ret = gpu->source->open(gpu, &wanted, &stream,
						&exponent, &error);
		if (!ret)
			return gpu->source->enable(stream);
		if (ret == -EBUSY)
			return ret;
	}
	return ret;
}

static int
rival_take(const char *driver, const char *address)
{
	struct arena *arena = arena_create();
	struct driver_target target;
	struct description description;
	struct drmperf_error error;
	void *gpu;
	int ret;

	if (!arena || description_init(&description))
		return -ENOMEM;
	ret = find_target(address, arena, &target);
	if (!ret)
		ret = find_driver(driver)->describe(&target, &description, &gpu,
						    &error);
	return ret ? ret : open_stream(gpu);
}

static void
rival_live(const char *driver, const char *address, int answer, int hold)
{
	int ret = rival_take(driver, address);
	char nothing;

	if (write(answer, &ret, sizeof(ret)) == (ssize_t)sizeof(ret) && !ret)
		while (read(hold, &nothing, 1) < 0 && errno == EINTR)
			;
	/* the kernel closes what is open */
	_exit(0);
}

/* ------------------------------------------------------------------ */

static int
wait_for_answer(pid_t pid, int answer)
{
	int ret;
	ssize_t length;

	do
		length = read(answer, &ret, sizeof(ret));
	while (length < 0 && errno == EINTR);
	close(answer);
	if (length != (ssize_t)sizeof(ret))
		ret = -EIO;
	if (ret)
		waitpid(pid, NULL, 0);
	return ret;
}

int
rival_start(struct rival *rival, const char *driver, const char *address)
{
	int answer[2], hold[2], ret;

	if (pipe2(answer, O_CLOEXEC))
		return -errno;
	if (pipe2(hold, O_CLOEXEC)) {
		ret = -errno;
		close(answer[0]);
		close(answer[1]);
		return ret;
	}
	rival->pid = fork();
	ret = rival->pid < 0 ? -errno : 0;
	if (!rival->pid) {
		close(hold[1]);
		rival_live(driver, address, answer[1], hold[0]);
	}
	close(answer[1]);
	close(hold[0]);
	rival->hold = hold[1];
	if (ret)
		close(answer[0]);
	else
		ret = wait_for_answer(rival->pid, answer[0]);
	if (ret)
		close(rival->hold);
	return ret;
}

void
rival_stop(struct rival *rival)
{
	close(rival->hold);
	waitpid(rival->pid, NULL, 0);
}
