/* SPDX-License-Identifier: BSD-3-Clause */
/* The folder that a test makes for itself, and files. */
#ifndef DRMPERF_TESTS_FOLDER_H
#define DRMPERF_TESTS_FOLDER_H

/* Its path, from the first of these calls to the second. */
extern char test_folder[];

void
test_folder_make(void);

/* Remove it with all that is in it, whatever rights that has. */
void
test_folder_remove(void);

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
