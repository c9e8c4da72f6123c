/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/intel/oa.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/scan.h"
#include "driver/intel/oa/results.h"
#include "selftest/intel/oa_stages.h"

static const struct {
	const char *title;
	int (*run)(struct oa_harness *harness);
} stages[SELFTEST_OA_STAGES] = {
	{ "what the GPU is; no stream is opened", oa_stage_identity },
	{ "the clock of reports, and that of the cores", oa_stage_clocks },
	{ "every metric set, opened once", oa_stage_sets },
	{ "reads that are fenced", oa_stage_fences },
	{ "counted through idleness and sleep", oa_stage_power },
	{ "another tool that wants the same", oa_stage_taken },
	{ "composed sets beside published ones", oa_stage_composed },
	{ "work whose result is known", oa_stage_drawn },
};

const char *
selftest_oa_title(unsigned stage)
{
	return stages[stage].title;
}

static struct drmperf_device *
find_device(struct drmperf *drmperf, const char *address)
{
	struct drmperf_device *device;

	for (unsigned i = 0; (device = drmperf_device_at(drmperf, i)); i++)
		if (!strcmp(drmperf_device_address(device), address))
			return device;
	return NULL;
}

static int
harness_run_stage(struct oa_harness *harness, unsigned stage)
{
	struct selftest_memory *memory = harness->memory;
	const char *driver;
	uint32_t device_id;

	harness->device = find_device(harness->drmperf, harness->gpu->address);
	if (!harness->device) {
		snprintf(harness->error->cause, sizeof(harness->error->cause),
			 "the GPU has gone");
		return -ENODEV;
	}
	driver = drmperf_device_driver(harness->device);
	snprintf(harness->sysfs, sizeof(harness->sysfs),
		 "/sys/bus/pci/devices/%s", harness->gpu->address);
	if (scan_read_number(harness->sysfs, "device", &device_id) ||
	    oa_results_path(driver, harness->sysfs, device_id, memory->results,
			    sizeof(memory->results)))
		memory->results[0] = '\0';
	return stages[stage].run(harness);
}

int
selftest_oa_run(const struct selftest_gpu *gpu, unsigned stage,
		struct selftest_memory *memory,
		const struct selftest_host *host, struct drmperf_error *error)
{
	struct oa_harness harness = {
		.gpu = gpu, .memory = memory, .host = host, .error = error
	};
	int ret;

	/* Results of earlier runs shall not change what is looked at. */
	setenv("DRMPERF_COMPOSE",
	       stages[stage].run == oa_stage_composed ? "1" : "0", 1);
	ret = drmperf_create(NULL, &harness.drmperf, error);
	if (ret)
		return ret;
	ret = harness_run_stage(&harness, stage);
	drmperf_destroy(harness.drmperf);
	return ret < 0 ? ret : 0;
}
