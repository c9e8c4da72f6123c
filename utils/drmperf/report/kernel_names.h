/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which kernel of a GPU program lies where: by ELF files of Intel's compute
 * runtime whose sections have addresses (.text.KERNEL), and by maps as perf
 * reads them from /tmp/perf-PID.map, files *.map with lines "START SIZE NAME"
 * in hexadecimal.
 */
#ifndef DRMPERF_TOOL_REPORT_KERNEL_NAMES_H
#define DRMPERF_TOOL_REPORT_KERNEL_NAMES_H

#include "util/tool.h"

struct kernel_name {
	uint64_t start, size;
	char *name;
	void *code; /* size bytes; NULL: a map, which has none */
};

struct kernel_names {
	struct kernel_name *list;
	size_t count;
	size_t without_address; /* kernels of ELF files */
};

/*
 * Read the files of a folder. 0, or TOOL_FAILED after a complaint;
 * kernel_names_finish() either way.
 */
int
kernel_names_read(const struct tool *tool, const char *folder,
		  struct kernel_names *names);
/*
 * Return the kernel that an address is in, and in *offset how far it is behind
 * the kernel's start; NULL if there is none. address_bits bits of the address
 * can be compared.
 */
const struct kernel_name *
kernel_names_find(const struct kernel_names *names, uint64_t address,
		  unsigned address_bits, uint64_t *offset);
void
kernel_names_finish(struct kernel_names *names);

#endif /* DRMPERF_TOOL_REPORT_KERNEL_NAMES_H */
