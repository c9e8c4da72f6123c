/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results of `drmperf selftest` on GPUs of one kind, kept in a file of the
 * user's. The drivers decide what they mean for counting.
 *
 * The file is named after the GPUs that it holds for, its key. It has a line
 * "GPU KEY", without which none of it is believed, and a line for each check:
 * PASS, FAIL, NO, UNKNOWN or HANG, a blank, the check's name. If a check is
 * there twice the later line counts. Other lines mean nothing.
 */
#ifndef DRMPERF_LIB_DRIVER_RESULTS_RESULTS_H
#define DRMPERF_LIB_DRIVER_RESULTS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define RESULT_NAME_SIZE 64
#define RESULT_KEY_SIZE 96

/* Larger files are not read. */
#define RESULT_MAX_SIZE ((size_t)64 << 10)

enum result {
	RESULT_NEVER,
	RESULT_PASS,
	RESULT_FAIL,
	RESULT_NO, /* the answer to a question, and no fault */
	RESULT_UNKNOWN,
	RESULT_HANG, /* it failed, and took the GPU with it */
	RESULT_VERDICTS
};

struct selftest_result {
	char name[RESULT_NAME_SIZE];
	enum result verdict;
};

struct selftest_results {
	struct selftest_result *checks;
	size_t count;
};

/*
 * Make the key of GPUs from their driver and numbers, by format. sysfs is the
 * folder of a PCI device, by which the key says whether drmsim simulates its
 * kernel driver: results of a simulated GPU hold for simulated ones alone.
 */
void
results_key(char out[RESULT_KEY_SIZE], const char *sysfs, const char *format,
	    ...) __attribute__((format(printf, 3, 4)));

/*
 * Find the folder for results: DRMPERF_STATE, or drmperf in XDG_STATE_HOME, or
 * in .local/state of HOME. -ENOENT if none of these is set; -ENAMETOOLONG.
 */
int
results_folder(char *path, size_t size);

/* Find the file for the results of a key; the same errors. */
int
results_path(char *path, size_t size, const char *key);

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
results_read(struct selftest_results *results, const char *path,
	     struct drmperf_error *error);
void
results_finish(struct selftest_results *results);

enum result
results_find(const struct selftest_results *results, const char *name);

/* Return true for FAIL, NO and HANG: what the check asks for cannot be had. */
bool
results_has_failed(enum result verdict);

/* Replaces what is known of the check. -ENOMEM. */
int
results_set(struct selftest_results *results, const char *name,
	    enum result verdict);

/*
 * Put the file in place at once, for its owner alone; its folder is made where
 * needed. The errors of results_open_folder(), or -errno.
 */
int
results_write(const struct selftest_results *results, const char *path,
	      struct drmperf_error *error);

/*
 * Open the folder of a file that is to be written, and make it and those above
 * where there are none. A descriptor; -EPERM if it does not belong to the
 * effective user or others may write to it, -ELOOP or -ENOTDIR if it is a link;
 * -ENAMETOOLONG; -errno.
 */
int
results_open_folder(const char *path, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_RESULTS_RESULTS_H */
