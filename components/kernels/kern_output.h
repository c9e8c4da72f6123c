/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file that `drmperf stat --kernels` reads: README.md has its lines.
 */
#ifndef KERN_OUTPUT_H
#define KERN_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Open the file for appending. False: it cannot be opened. */
bool
kern_output_open(const char *path);

void
kern_output_close(void);

/*
 * Begin a line, which kern_output_end() writes by a single call, so that lines
 * of several threads and processes do not mix. Returns NULL without memory.
 */
struct kern_line {
	FILE *stream;
	char *text;
	size_t size;
};

FILE *
kern_output_begin(struct kern_line *line, const char *word);
void
kern_output_end(struct kern_line *line);

/* Write a tab and so much text, with '?' in place of control characters. */
void
kern_output_text(FILE *stream, const char *text, size_t length);

#endif /* KERN_OUTPUT_H */
