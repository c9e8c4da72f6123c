/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linux 7.1: enforce_isolation (amdgpu_gfx.c), user_queue and lockup_timeout
 * (amdgpu_drv.c). PTL comes by patches of 2026 that are not in it yet, as
 * "ptl/ptl_enable" in the folder of the device.
 */
#include "selftest/amdgpu/kernel.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parameter of the driver's module that the device is bound to. */
#define PARAMETER(name) "driver/module/parameters/" name

/* The greatest of those that kernels have: 60 s until 6.17, then 2 s. */
#define DEFAULT_TIMEOUT_MS 60000u

/* Read the first line of a file. Returns false if there is none. */
static bool
read_setting(const char *folder, const char *name, char *text, int size)
{
	char path[PATH_MAX];
	bool found = false;
	FILE *file;

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >=
	    (int)sizeof(path))
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	if (fgets(text, size, file)) {
		text[strcspn(text, "\n")] = '\0';
		found = true;
	}
	fclose(file);
	return found;
}

/* Return whether it is a number for each partition, all of them 0. */
static bool
is_off(const char *text)
{
	return !strncmp(text, "disabled", 8) || !strcmp(text, "N") ||
	       strspn(text, "0 ") == strlen(text);
}

/* Check that a setting is off, which does harm otherwise. */
static void
check_setting(const struct harness *harness, const char *file,
	      const char *check, const char *expected, const char *harm)
{
	char text[64];

	if (!read_setting(harness->sysfs, file, text, sizeof(text)))
		harness_check(harness, SELFTEST_PASS, check, expected,
			      "the kernel has none");
	else
		harness_check(harness, harness_answer(is_off(text)), check,
			      expected, "%s%s", text, is_off(text) ? "" : harm);
}

static void
check_queues(const struct harness *harness)
{
	const struct amd_device_info *info = amd_device_info(harness->gpu->dev);
	bool all = info->has_ring[PM4_ENGINE_COMPUTE];
	char text[64];

	if (!read_setting(harness->sysfs, PARAMETER("user_queue"), text,
			  sizeof(text)))
		snprintf(text, sizeof(text), "not there");
	harness_check(harness, harness_answer(all), "kernel-queues",
		      "a ring of compute beside queues of processes",
		      "user_queue is %s%s", text,
		      all ? ""
			  : ", and there is none: boot with "
			    "amdgpu.user_queue=1 or 0");
}

void
kernel_check_settings(const struct harness *harness)
{
	check_setting(harness, "enforce_isolation", "isolation",
		      "enforce_isolation at 0",
		      ": each sample waits for the work of others, and they "
		      "for it");
	check_setting(harness, "ptl/ptl_enable", "ptl", "no PTL, or disabled",
		      ": it may take counters; AMD's profilers disable it");
	check_queues(harness);
}

/*
 * Return the one number for all rings, or those of gfx, compute, SDMA and
 * video.
 */
unsigned
kernel_job_timeout_ms(const struct harness *harness)
{
	char text[64], *end;
	const char *compute = text;
	long ms;

	if (!read_setting(harness->sysfs, PARAMETER("lockup_timeout"), text,
			  sizeof(text)))
		return DEFAULT_TIMEOUT_MS;
	if (strchr(text, ','))
		compute = strchr(text, ',') + 1;
	ms = strtol(compute, &end, 10);
	if (end == compute || ms <= 0)
		return DEFAULT_TIMEOUT_MS;
	return (unsigned)ms;
}
