/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders of files that are to be written. */
#ifndef DRMPERF_LIB_BASE_FOLDER_H
#define DRMPERF_LIB_BASE_FOLDER_H

/*
 * Make every folder on the way to the file that does not exist, for the
 * effective user alone. Opening the file tells what has failed.
 */
void
folder_make(const char *path);

#endif /* DRMPERF_LIB_BASE_FOLDER_H */
