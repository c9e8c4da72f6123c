/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of one line, as sysfs has them.
 */
#ifndef DRMPERF_LIB_BASE_TEXT_FILE_H
#define DRMPERF_LIB_BASE_TEXT_FILE_H

#include <stddef.h>

/* The first line of FOLDER/NAME, as much of it as there is room for. -errno. */
int
text_file_read(const char *folder, const char *name, char *text, size_t size);

#endif /* DRMPERF_LIB_BASE_TEXT_FILE_H */
