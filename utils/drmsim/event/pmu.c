/* SPDX-License-Identifier: BSD-3-Clause */
#include "event/pmu.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/protocol.h"
#include "event/event.h"
#include "kernel/call.h"
#include "kernel/stream.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"
#include "machine/machine.h"
#include "machine/root.h"

struct registered_pmu {
	struct registered_pmu *next;
	struct sim_pmu pmu;
	uint32_t type;
};

#define FOLDERS "/sys/bus/event_source/devices"

int
sim_pmu_register(struct sim_gpu *gpu, const struct sim_pmu_ops *ops, void *data,
		 const char *name)
{
	struct registered_pmu *entry = calloc(1, sizeof(*entry));
	struct sim *sim = gpu->sim;
	char path[256], text[32], target[128];
	int error;

	if (!entry)
		return -ENOMEM;
	entry->pmu = (struct sim_pmu){ .gpu = gpu, .ops = ops, .data = data };
	entry->type = PROTOCOL_PMU_TYPE + sim->pmu_count++;
	entry->next = sim->pmus;
	sim->pmus = entry;
	snprintf(path, sizeof(path), "/sys/devices/%s/type", name);
	snprintf(text, sizeof(text), "%u\n", entry->type);
	error = sim_root_write(sim, path, text, strlen(text));
	snprintf(path, sizeof(path), FOLDERS "/%s", name);
	snprintf(target, sizeof(target), "../../../devices/%s", name);
	if (!error)
		error = sim_root_link(sim, path, target);
	if (!error)
		error = sim_gpu_add_folder(gpu, "/sys/devices", name);
	if (!error)
		error = sim_gpu_add_folder(gpu, FOLDERS, name);
	return error;
}

void
sim_pmus_free(struct sim *sim)
{
	while (sim->pmus) {
		struct registered_pmu *entry = sim->pmus;
		sim->pmus = entry->next;
		free(entry);
	}
}

/*
 * Read attributes as the kernel does: the size is the caller's, and bytes
 * beyond the known ones have to be zero.
 */
static int
read_attributes(struct sim_call *call, struct perf_event_attr *attr)
{
	const uint64_t from = call->request.a;
	uint32_t size;
	uint8_t tail[4096];

	memset(attr, 0, sizeof(*attr));
	if (sim_call_get(call, &size,
			 from + offsetof(struct perf_event_attr, size),
			 sizeof(size)))
		return -EFAULT;
	if (size == 0)
		size = PERF_ATTR_SIZE_VER0;
	if (size < PERF_ATTR_SIZE_VER0 || size > sizeof(tail))
		return -E2BIG;
	if (sim_call_get(call, tail, from, size))
		return -EFAULT;
	for (size_t i = sizeof(*attr); i < size; i++)
		if (tail[i])
			return -E2BIG;
	memcpy(attr, tail, size < sizeof(*attr) ? size : sizeof(*attr));
	return 0;
}

int
sim_pmu_open(struct sim_call *call)
{
	const struct protocol_request *request = &call->request;
	const struct registered_pmu *entry = call->sim->pmus;
	struct perf_event_attr attr;
	struct sim_event_request event = {
		.attr = &attr,
		.pid = (pid_t)request->b,
		.cpu = (int)request->c,
		.flags = (unsigned long)request->e,
	};
	int error = read_attributes(call, &attr);

	if (!error)
		error = sim_call_count(call, NULL, "perf_event_open");
	if (error)
		return error;
	while (entry && entry->type != attr.type)
		entry = entry->next;
	if (!entry)
		return -ENOENT;
	if ((int)request->d >= 0) {
		event.leader = sim_stream_find(call->sim, request->id);
		/* groups do not mix simulated and real events */
		if (!event.leader)
			return -EINVAL;
	}
	return sim_event_open(call, &entry->pmu, &event);
}
