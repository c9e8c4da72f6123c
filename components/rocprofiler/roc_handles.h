/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles that programs have: they are addresses, and one that was closed is to
 * be an error, not a crash.
 */
#ifndef ROC_HANDLES_H
#define ROC_HANDLES_H

#include "frontend/frontend.h"

enum roc_handle_kind {
	ROC_CONTEXT,
	ROC_POOL,
	ROC_HANDLE_KINDS
};

/*
 * Note a handle as a program's from now on, until removed. Returns 0, or
 * -ENOMEM.
 */
int roc_handle_add(enum roc_handle_kind kind, const void *handle);

/* Remove a handle. Return false if no program had it. */
bool roc_handle_remove(enum roc_handle_kind kind, const void *handle);

/* Check a handle. Returns 0, or -EINVAL if it is NULL, or none of the kind. */
int roc_handle_check(enum roc_handle_kind kind, const void *handle,
		     struct drmperf_error *error);

/* Lock the handles around a fork(): no thread changes what the child gets. */
void roc_handles_hold(void);
void roc_handles_let_go(void);

#endif /* ROC_HANDLES_H */
