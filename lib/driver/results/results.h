/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What `drmperf selftest` has found out about GPUs of one kind, kept in a file
 * of the user's. What follows of it for counting is the drivers' matter.
 *
 * The file is named after the GPUs that it holds for, its key. It has a line
 * "GPU KEY", without which none of it is believed, and a line for each claim:
 * PASS, FAIL, NO, UNKNOWN or HANG, a blank, the claim's name. If a claim is
 * there twice the later line counts. Other lines mean nothing.
 */
#ifndef DRMPERF_LIB_DRIVER_RESULTS_RESULTS_H
#define DRMPERF_LIB_DRIVER_RESULTS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define TESTED_NAME_SIZE 64
#define TESTED_KEY_SIZE 96

/* Larger files are not read. */
#define TESTED_MAX_SIZE ((size_t)64 << 10)

enum tested_verdict {
	TESTED_NEVER,
	TESTED_PASS,
	TESTED_FAIL,
	TESTED_NO, /* the answer to a question, and no fault */
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
	size_t count, room;
};

/*
 * The key of GPUs whose driver and numbers are told by format. The GPU at the
 * sysfs folder of a PCI device tells whether drmsim simulates its kernel
 * driver: results of a simulated GPU hold for simulated ones alone.
 */
void
tested_key(char out[TESTED_KEY_SIZE], const char *sysfs, const char *format,
	   ...) __attribute__((format(printf, 3, 4)));

/*
 * The folder for results: DRMPERF_STATE, or drmperf in XDG_STATE_HOME, or in
 * .local/state of HOME. -ENOENT if none of these is set; -ENAMETOOLONG.
 */
int
tested_folder(char *path, size_t size);

/* The file for the results of a key; the same errors. */
int
tested_path(char *path, size_t size, const char *key);

/*
 * Read the file as if an enemy had written it: never waits, and takes time
 * proportional to its size. No file is no results.
 *
 * Returns 0; -EINVAL if it is not a regular file; -EPERM if it belongs to
 * another user than the effective one and root, or others may write to it;
 * -EFBIG; -ESTALE if it is about other GPUs; -ENOMEM; what reading returns. The
 * cause names the file.
 */
int
tested_read(struct tested *tested, const char *path,
	    struct drmperf_error *error);
void
tested_finish(struct tested *tested);

enum tested_verdict
tested_verdict(const struct tested *tested, const char *name);

/* True for FAIL, NO and HANG: what the claim asks for cannot be had. */
bool
tested_has_failed(enum tested_verdict verdict);

/* Replaces what is known of the claim. -ENOMEM. */
int
tested_set(struct tested *tested, const char *name,
	   enum tested_verdict verdict);

/*
 * Put the file in place at once, for its owner alone; its folder is made where
 * needed. The errors of tested_open_folder(), or -errno.
 */
int
tested_write(const struct tested *tested, const char *path,
	     struct drmperf_error *error);

/*
 * Open the folder of a file that is to be written, and make it and those above
 * where there are none. A descriptor; -EPERM if it does not belong to the
 * effective user or others may write to it, -ELOOP or -ENOTDIR if it is a link;
 * -ENAMETOOLONG; -errno.
 */
int
tested_open_folder(const char *path, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_RESULTS_RESULTS_H */
