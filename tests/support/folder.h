/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders that a test makes for itself. */
#ifndef DRMPERF_TESTS_FOLDER_H
#define DRMPERF_TESTS_FOLDER_H

/* Make a folder; the last six characters of path become part of its name. */
void
test_folder_make(char *path);

/* Remove a folder with all that is in it, whatever rights it has. */
void
test_folder_remove(const char *path);

/*
 * Write a text to a file, whose path is as printf() makes it, in folders that
 * are made where they are missing.
 */
void
test_file_write(const char *text, const char *path, ...)
	__attribute__((format(printf, 2, 3)));

/* Make a link, in the same way. */
void
test_link_make(const char *target, const char *path, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* DRMPERF_TESTS_FOLDER_H */
