/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of a kernel's instructions, by iga64, Intel's disassembler, where
 * that is on PATH.
 */
#ifndef DRMPERF_TOOL_REPORT_DISASSEMBLY_H
#define DRMPERF_TOOL_REPORT_DISASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DISASSEMBLY_TEXT_SIZE 200

/* Begins with zeros: no instruction has a text. */
struct disassembly {
	char *listing; /* of iga64; or NULL */
};

/*
 * Disassemble the code of a GPU, whose name is that of a recording. Without
 * iga64, or if it does not know the GPU or the code, there are no texts.
 */
void
disassembly_make(const char *chip, const void *code, size_t size,
		 struct disassembly *out);
/*
 * Find the text of the instruction at an offset of the code; NULL if unknown.
 */
const char *
disassembly_find(const struct disassembly *disassembly, uint64_t offset,
		 char text[DISASSEMBLY_TEXT_SIZE]);
void
disassembly_finish(struct disassembly *disassembly);

#endif /* DRMPERF_TOOL_REPORT_DISASSEMBLY_H */
