/* SPDX-License-Identifier: BSD-3-Clause */
#include "rgp/rgp_machine.h"

#include <amdgpu_drm.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define MIB (1024 * 1024)
#define NS_KHZ 1000000 /* of a clock that counts nanoseconds */
#define NS_PER_S 1000000000

/* ------------------------------------------------------------------ */
/* CPUs                                                                 */

/* What lines of /proc/cpuinfo add up to. */
struct cpu_lines {
	double mhz;
	unsigned long threads, cores, packages; /* cores: of a package */
};

/* Return the value of a line of /proc/cpuinfo if it has this key, else NULL. */
static const char *
find_value(const char *line, const char *key)
{
	const size_t length = strlen(key);

	if (strncmp(line, key, length) != 0)
		return NULL;
	line += length;
	line += strspn(line, "\t ");
	return *line == ':' ? line + 1 + strspn(line + 1, " ") : NULL;
}

static void
take_cpu_line(struct rgp_own_machine *machine, struct cpu_lines *lines,
	      const char *line)
{
	const char *value;
	unsigned long number;

	if (find_value(line, "processor"))
		lines->threads++;
	else if ((value = find_value(line, "vendor_id")))
		snprintf(machine->cpu_vendor, sizeof(machine->cpu_vendor),
			 "%.15s", value);
	else if ((value = find_value(line, "model name")))
		snprintf(machine->cpu_model, sizeof(machine->cpu_model),
			 "%.63s", value);
	else if ((value = find_value(line, "cpu MHz")))
		lines->mhz += strtod(value, NULL);
	else if ((value = find_value(line, "cpu cores")))
		lines->cores = strtoul(value, NULL, 10);
	else if ((value = find_value(line, "physical id"))) {
		number = strtoul(value, NULL, 10);
		if (number >= lines->packages)
			lines->packages = number + 1;
	}
}

static void
read_cpus(struct rgp_own_machine *machine)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	struct cpu_lines lines = { .packages = 1 };
	char line[1024];

	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		take_cpu_line(machine, &lines, line);
	}
	fclose(file);
	machine->facts.threads = lines.threads;
	machine->facts.cores = lines.cores * lines.packages;
	if (lines.threads)
		machine->facts.cpu_mhz =
			(uint64_t)(lines.mhz / (double)lines.threads);
}

static void
read_memory(struct rgp_own_machine *machine)
{
	const long pages = sysconf(_SC_PHYS_PAGES);
	const long size = sysconf(_SC_PAGESIZE);

	if (pages > 0 && size > 0)
		machine->facts.memory_mib =
			(uint64_t)pages * (uint64_t)size / MIB;
}

/* ------------------------------------------------------------------ */
/* The GPU                                                              */

static bool
query_kernel(int node, uint32_t query, void *answer, size_t size)
{
	struct drm_amdgpu_info request = {
		.return_pointer = (uintptr_t)answer,
		.return_size = (uint32_t)size,
		.query = query,
	};

	return ioctl(node, DRM_IOCTL_AMDGPU_INFO, &request) == 0;
}

static void
read_answers(int node, struct rgp_own_machine *machine)
{
	struct drm_amdgpu_memory_info memory = { 0 };
	size_t size = sizeof(machine->answer);

	if (!query_kernel(node, AMDGPU_INFO_DEV_INFO, machine->answer, size))
		memset(machine->answer, 0, size);
	while (size && !machine->answer[size - 1])
		size--;
	machine->facts.answer_size = size;
	if (query_kernel(node, AMDGPU_INFO_MEMORY, &memory, sizeof(memory)))
		machine->facts.vram_bytes = memory.vram.total_heap_size;
}

static void
read_times(int node, struct rgp_machine *facts)
{
	struct timespec now;

	if (!query_kernel(node, AMDGPU_INFO_TIMESTAMP, &facts->gpu_ticks,
			  sizeof(facts->gpu_ticks)))
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	facts->cpu_ns = (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void
read_gpu(const struct drmperf_device *device, struct rgp_own_machine *machine)
{
	int node;

	machine->facts.generation = drmperf_device_generation(device);
	if (strcmp(drmperf_device_driver(device), "amdgpu") != 0)
		return;
	node = open(drmperf_device_node(device), O_RDWR | O_CLOEXEC);
	if (node < 0)
		return;
	read_answers(node, machine);
	read_times(node, &machine->facts);
	close(node);
}

void
rgp_machine_read(const struct drmperf_device *device,
		 struct rgp_own_machine *machine)
{
	*machine = (struct rgp_own_machine){ 0 };
	machine->facts.cpu_vendor = machine->cpu_vendor;
	machine->facts.cpu_model = machine->cpu_model;
	machine->facts.answer = machine->answer;
	read_cpus(machine);
	read_memory(machine);
	read_gpu(device, machine);
}

/* ------------------------------------------------------------------ */
/* Members                                                              */

uint32_t
rgp_machine_u32(const struct rgp_machine *machine, unsigned member)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < sizeof(value); i++) {
		if (member + i < machine->answer_size)
			value |= (uint32_t)machine->answer[member + i] << 8 * i;
	}
	return value;
}

uint64_t
rgp_machine_u64(const struct rgp_machine *machine, unsigned member)
{
	return rgp_machine_u32(machine, member) |
	       (uint64_t)rgp_machine_u32(machine, member + 4) << 32;
}

uint64_t
rgp_machine_timestamp_khz(const struct rgp_machine *machine)
{
	const uint32_t khz = rgp_machine_u32(machine, MACHINE_TIMESTAMP_KHZ);

	return khz ? khz : NS_KHZ;
}

uint64_t
rgp_machine_ticks(const struct rgp_machine *machine, uint64_t ns)
{
	const uint64_t khz = rgp_machine_timestamp_khz(machine);

	/* ns * khz has more than 64 bits */
	return ns / NS_KHZ * khz + ns % NS_KHZ * khz / NS_KHZ;
}
