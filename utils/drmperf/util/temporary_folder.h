/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A folder for a file by which drmperf and a command reach each other. The one
 * of a drmperf that was killed is removed when the next one is created: one in
 * use is locked. Other files in it stay, and it with them.
 */
#ifndef DRMPERF_TOOL_UTIL_TEMPORARY_FOLDER_H
#define DRMPERF_TOOL_UTIL_TEMPORARY_FOLDER_H

#include <limits.h>

struct temporary_folder {
	char path[PATH_MAX];
	char file[PATH_MAX]; /* in it, which may not be there */
	int lock; /* descriptor */
};

/*
 * Create a folder "PARENT/NAME.XXXXXX", with other letters, without the file.
 * Returns 0 or -errno.
 */
int
temporary_folder_create(struct temporary_folder *folder, const char *parent,
			const char *name, const char *file);
/* Remove the file and the folder. */
void
temporary_folder_remove(const struct temporary_folder *folder);

#endif /* DRMPERF_TOOL_UTIL_TEMPORARY_FOLDER_H */
