/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What `drmperf selftest` has found out about GPUs of one kind, kept in a file
 * of the user's. What follows of it for counting is the drivers' matter.
 *
 * The file has a line for each claim: PASS, FAIL, UNKNOWN or HANG, a blank, the
 * claim's name. Other lines mean nothing.
 */
#ifndef DRMPERF_LIB_DRIVER_TESTED_TESTED_H
#define DRMPERF_LIB_DRIVER_TESTED_TESTED_H

#include <stddef.h>

#define TESTED_NAME_SIZE 64

enum tested_verdict {
	TESTED_NEVER,
	TESTED_PASS,
	TESTED_FAIL,
	TESTED_UNKNOWN,
	TESTED_HANG, /* it failed, and took the GPU with it */
	TESTED_VERDICTS
};

struct tested_claim {
	char name[TESTED_NAME_SIZE];
	enum tested_verdict verdict;
};

struct tested {
	struct tested_claim *claims;
	size_t count;
};

/*
 * The folder for results: DRMPERF_STATE, or drmperf in XDG_STATE_HOME, or in
 * .local/state of HOME. -ENOENT if none of these is set; -ENAMETOOLONG.
 */
int
tested_folder(char *path, size_t size);

/* The file for the results of a kind of GPU; the same errors. */
int
tested_path(char *path, size_t size, const char *kind, ...)
	__attribute__((format(printf, 3, 4)));

/* No file is no results. -ENOMEM, or what reading returns. */
int
tested_read(struct tested *tested, const char *path);
void
tested_finish(struct tested *tested);

enum tested_verdict
tested_verdict(const struct tested *tested, const char *name);

/* Replaces what is known of the claim. -ENOMEM. */
int
tested_set(struct tested *tested, const char *name,
	   enum tested_verdict verdict);

/* Put the file in place at once, and its folder where needed. -errno. */
int
tested_write(const struct tested *tested, const char *path);

#endif /* DRMPERF_LIB_DRIVER_TESTED_TESTED_H */
