/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/amdgpu/gpu.h"

#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/support/check.h"
#include "tests/driver/described.h"
#include "tests/support/scene.h"

struct gpu gpu;
uint64_t gpu_before[GPU_VALUES], gpu_now[GPU_VALUES];

static const char *const directories[] = { "events" };

const struct driver_target gpu_target = {
	.driver = "amdgpu",
	.address = "0000:03:00.0",
	.sysfs = "/sys/bus/pci/devices/0000:03:00.0",
	.render = GPU_NODE,
	.primary = "/dev/dri/card0",
	.tables = { .directories = directories, .count = 1 },
};

int
gpu_try_open(const struct driver_target *target, struct drmperf_error *error)
{
	struct description *description = &gpu.description;
	int ret;

	memset(&gpu, 0, sizeof(gpu));
	ck_assert_int_eq(description_init(description), 0);
	ret = amdgpu_driver.describe(target, description, &gpu.device, error);
	if (ret)
		return ret;
	ck_assert_msg(!described_all(description, error), "%s", error->cause);
	ck_assert_uint_eq(description->domain_count, 1);
	gpu.ops = description->domains[0].ops;
	return 0;
}

void
gpu_open(void)
{
	struct drmperf_error error = { 0 };

	ck_assert_int_eq(drmsim_command("clear", NULL, 0), 0);
	scene_set("default", "formula");
	ck_assert_msg(!gpu_try_open(&gpu_target, &error), "%s", error.cause);
}

void
gpu_close(void)
{
	amdgpu_driver.release(gpu.device);
	description_finish(&gpu.description);
}

void
gpu_close_clean(void)
{
	char *rest, *line;

	gpu_close();
	rest = scene_report();
	while ((line = strsep(&rest, "\n")))
		ck_assert_msg(strncmp(line, "violation", 9) ||
				      strstr(line, "by order of --fault"),
			      "%s", line);
}

void
gpu_set_rates(const char *const *rates)
{
	scene_set("default", "zero");
	while (*rates)
		scene_set("rate", *rates++);
}

group_index
gpu_group(const char *name)
{
	for (group_index i = 0; i < gpu.description.group_count; i++) {
		if (!strcmp(gpu.description.groups[i].name, name))
			return i;
	}
	ck_abort_msg("no group %s", name);
	return 0;
}

const struct description_event *
gpu_event(const char *group, const char *name)
{
	group_index index = gpu_group(group);

	for (size_t i = 0; i < gpu.description.event_count; i++) {
		const struct description_event *event =
			&gpu.description.events[i];

		if (event->group == index && !strcmp(event->name, name))
			return event;
	}
	return NULL;
}

struct counter_request
gpu_request(const char *group, uint32_t id, int32_t instance)
{
	return (struct counter_request){
		.group = gpu_group(group),
		.selector = id,
		.slots = SLOTS_ANY,
		.instance = instance,
	};
}

struct counter_request
gpu_follower(const char *group, uint32_t id)
{
	struct counter_request made = gpu_request(group, id, ALL);

	made.follows = true;
	return made;
}

struct counter_request
gpu_limited(const char *group, uint32_t id, uint64_t slots)
{
	struct counter_request made = gpu_request(group, id, 0);

	made.slots = slots;
	return made;
}

int
gpu_try_arm(const struct counter_request *requests, size_t count, void **run,
	    struct drmperf_error *error)
{
	static const struct run_options options = { .clock = 0 };

	return gpu.ops->arm(gpu.device, &options, requests, count, run, error);
}

void *
gpu_arm(const struct counter_request *requests, size_t count)
{
	struct drmperf_error error = { 0 };
	void *run;

	ck_assert_msg(!gpu_try_arm(requests, count, &run, &error), "%s",
		      error.cause);
	return run;
}

int
gpu_try_sample(void *run, struct drmperf_error *error)
{
	uint64_t time_ns;

	memset(error, 0, sizeof(*error));
	return gpu.ops->sample(run, DRMPERF_READ_FENCED, gpu_now, &time_ns,
			       error);
}

void
gpu_sample(void *run)
{
	struct drmperf_error error;

	ck_assert_msg(!gpu_try_sample(run, &error), "%s", error.cause);
}

void
gpu_failed(int ret, int expected, const struct drmperf_error *error,
	   const char *cause, const char *remedy)
{
	ck_assert_msg(ret == expected, "%d instead of %d: %s", ret, expected,
		      ret ? error->cause : "no error");
	ck_assert_msg(strstr(error->cause, cause), "cause: %s", error->cause);
	ck_assert_msg(strstr(error->remedy, remedy), "remedy: %s",
		      error->remedy);
}

void
gpu_sample_fails(void *run, int expected, const char *cause, const char *remedy)
{
	struct drmperf_error error;
	int ret = gpu_try_sample(run, &error);

	gpu_failed(ret, expected, &error, cause, remedy);
}

void
gpu_mark(void *run)
{
	gpu_sample(run);
	memcpy(gpu_before, gpu_now, sizeof(gpu_before));
}

void
gpu_start(void *run)
{
	struct drmperf_error error = { 0 };

	ck_assert_msg(!gpu.ops->start(run, &error), "%s", error.cause);
	gpu_mark(run);
}

void *
gpu_begin(const struct counter_request *requests, size_t count)
{
	void *run = gpu_arm(requests, count);

	gpu_start(run);
	return run;
}

void
gpu_change(void *run, const struct counter_request *requests, size_t count)
{
	struct drmperf_error error = { 0 };

	ck_assert_msg(!gpu.ops->change(run, requests, count, &error), "%s",
		      error.cause);
}

void
gpu_stop(void *run)
{
	struct drmperf_error error = { 0 };

	ck_assert_msg(!gpu.ops->stop(run, &error), "%s", error.cause);
}

void
gpu_end(void *run)
{
	gpu_stop(run);
	gpu.ops->disarm(run);
}

uint64_t
gpu_gained(size_t value)
{
	return gpu_now[value] - gpu_before[value];
}

void
gpu_expect_values(void *run, const uint64_t *gained, size_t count)
{
	gpu_sample(run);
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(gpu_gained(i) == gained[i],
			      "value %zu gained %" PRIu64 ", not %" PRIu64, i,
			      gpu_gained(i), gained[i]);
}

uint64_t
gpu_calls(void)
{
	static const char *const kinds[] = {
		"bo_list", "cs",       "ctx",	     "gem_close", "gem_create",
		"gem_va",  "gem_mmap", "info",	     "mmap",	  "open",
		"version", "wait_cs",  "wait_fences"
	};
	uint64_t count = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		count += scene_calls(kinds[i]);
	return count;
}

uint32_t
gpu_power_state(void)
{
	uint32_t major, minor, state = 99;
	amdgpu_context_handle context;
	amdgpu_device_handle other;
	int fd = open(GPU_NODE, O_RDWR | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(amdgpu_device_initialize(fd, &major, &minor, &other),
			 0);
	close(fd);
	ck_assert_int_eq(amdgpu_cs_ctx_create(other, &context), 0);
	ck_assert_int_eq(
		amdgpu_cs_ctx_stable_pstate(
			context, AMDGPU_CTX_OP_GET_STABLE_PSTATE, 0, &state),
		0);
	amdgpu_cs_ctx_free(context);
	amdgpu_device_deinitialize(other);
	return state;
}
