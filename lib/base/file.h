/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files: those of one line, as sysfs has them, those that are to be written,
 * and those that are installed with this library.
 */
#ifndef DRMPERF_LIB_BASE_FILE_H
#define DRMPERF_LIB_BASE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Read up to the end, or as much as fits. Returns the length, or -errno. */
ssize_t
file_read(int fd, void *data, size_t size);

/*
 * Read the first line of FOLDER/NAME, as much of it as there is room for.
 * -errno.
 */
int
text_file_read(const char *folder, const char *name, char *text, size_t size);

/*
 * Read the number that FOLDER/NAME begins with, in the notation of C. Returns
 * 0, -ENODATA if there is none, or -errno.
 */
int
number_file_read(const char *folder, const char *name, uint64_t *out);

/*
 * Make every folder on the way to the file that does not exist, for the
 * effective user alone. Opening the file tells what has failed.
 */
void
folder_make(const char *path);

/*
 * Return the path of a file below the folder that has the library's folder in
 * it, to be freed by the caller. For a program that has the library inside, the
 * kernel says where it lies, since its name is only what its caller gave. NULL
 * if that cannot be found, or if such a program has more rights than its
 * caller, which may have linked to it; NULL without memory.
 */
char *
beside_library(const char *file);

#endif /* DRMPERF_LIB_BASE_FILE_H */
