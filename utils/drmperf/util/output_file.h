/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file of the user's that is replaced as a whole: it is written as a draft
 * beside it, which has no name where the filesystem can do that. So a reader
 * finds the old file or the new one, and a command that fails or is killed
 * leaves what was there. Devices and pipes are written directly, and files
 * whose owner would change, or in folders where no file can be made.
 */
#ifndef DRMPERF_TOOL_UTIL_OUTPUT_FILE_H
#define DRMPERF_TOOL_UTIL_OUTPUT_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct output_file {
	FILE *out;
	char path[PATH_MAX]; /* where links lead to */
	char draft[PATH_MAX]; /* "" once the file is in its place */
	int unnamed; /* descriptor of a draft without a name yet, or -1 */
};

/*
 * Create a file; mode is that of open(), or 0 for the one that the file has or
 * would usually get. Returns a descriptor for file->out, or a negative errno.
 */
int
output_file_create(struct output_file *file, const char *path, mode_t mode);
/* Create a file of the usual mode with a stream. Returns 0 or -errno. */
int
output_file_open(struct output_file *file, const char *path);
/*
 * Put the file into its place before it is complete, for those who follow what
 * is written. Returns 0 or -errno.
 */
int
output_file_publish(struct output_file *file);
/*
 * Close a file, put it into its place if it is to be kept and all of it could
 * be written, and remove it otherwise, unless it was published. Returns 0 or
 * -errno.
 */
int
output_file_close(struct output_file *file, bool keep);
/* Remove a file, which may be gone already. Returns 0 or -errno. */
int
output_file_remove(const char *path);

#endif /* DRMPERF_TOOL_UTIL_OUTPUT_FILE_H */
