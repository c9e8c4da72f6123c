/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report is a file in memory, which commands open by its place among the
 * files of this process: they may close what they inherit.
 */
#include "process/hsa_tool.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "process/preload.h"

#define LIBRARY "libdrmperf-hsa.so"
#define TOOLS "HSA_TOOLS_LIB"
#define REPORT "DRMPERF_HSA_REPORT"

/* With a tool of rocprofiler-sdk HSA loads others only if it is asked to. */
#define SDK_TOOLS "ROCP_TOOL_LIBRARIES"
#define SDK_LOADS_OTHERS "HSA_TOOLS_ROCPROFILER_V1_TOOLS"

/* Return whether HSA is to load the library; names are between blanks. */
static bool
add_library(void)
{
	char path[PATH_MAX];

	if (!preload_find(LIBRARY, path) || strpbrk(path, " \t\""))
		return false;
	if (preload_append(TOOLS, " ", path))
		return false;
	if (secure_getenv(SDK_TOOLS))
		setenv(SDK_LOADS_OTHERS, "1", 0);
	return true;
}

/*
 * Create the report. Its file stays open: its number among those of the process
 * is its name.
 */
static struct hsa_tool_report *
create_report(void)
{
	int fd = memfd_create("drmperf-hsa", MFD_CLOEXEC);
	void *memory = MAP_FAILED;
	char path[64];

	if (fd < 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", getpid(), fd);
	if (!ftruncate(fd, sizeof(struct hsa_tool_report)) &&
	    !setenv(REPORT, path, 1))
		memory = mmap(NULL, sizeof(struct hsa_tool_report),
			      PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory != MAP_FAILED)
		return memory;
	close(fd);
	return NULL;
}

void
hsa_tool_begin(struct hsa_tool *hsa)
{
	if (!hsa->report && add_library())
		hsa->report = create_report();
}

uint32_t
hsa_tool_enabled(const struct hsa_tool *hsa)
{
	return hsa->report ? hsa->report->enabled : 0;
}

uint32_t
hsa_tool_refused(const struct hsa_tool *hsa)
{
	return hsa->report ? hsa->report->refused : 0;
}

void
hsa_tool_finish(struct hsa_tool *hsa)
{
	if (hsa->report)
		munmap(hsa->report, sizeof(*hsa->report));
	hsa->report = NULL;
}
