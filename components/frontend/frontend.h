/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that API frontends share: errors; messages on standard error, if
 * DRMPERF_VERBOSE is set, for conditions that an interface has no codes for;
 * GPUs by the names that users give them; what events do not see.
 */
#ifndef DRMPERF_COMPONENTS_FRONTEND_FRONTEND_H
#define DRMPERF_COMPONENTS_FRONTEND_FRONTEND_H

#include <drmperf.h>

/*
 * Fill in an error, "CAUSE", "REMEDY" or "", unless error is NULL. Returns
 * code, a negative errno value.
 */
int
fe_fail(struct drmperf_error *error, int code, const char *remedy,
	const char *cause, ...) __attribute__((format(printf, 4, 5)));

/* Set the error that memory is short, unless error is NULL. Returns -ENOMEM. */
int
fe_fail_memory(struct drmperf_error *error);

/*
 * Return whether an error is transient and not a GPU's: the same call may
 * succeed the next time.
 */
bool
fe_is_passing(int code);

/* Return whether messages are to be printed at all. */
bool
fe_is_verbose(void);

/* Write "WHERE: CAUSE; REMEDY", with the code's words if there is no cause. */
void
fe_reason(const char *where, int code, const struct drmperf_error *error,
	  char *text, size_t size);

/*
 * Print an error with the library's name and its place, "GPU 0", if messages
 * are wanted.
 */
void
fe_report(const char *library, const char *where, int code,
	  const struct drmperf_error *error);

/*
 * Create a handle of libdrmperf, whose warnings are printed, if messages are
 * wanted, with the name of the library. Returns what drmperf_create() does.
 */
int
fe_drmperf_create(const char *library, struct drmperf **out,
		  struct drmperf_error *error);

/*
 * Write what an event does not see of its GPU, "one die of up to 8, sees this
 * process only", or "" if it sees all. Returns text.
 */
#define FE_LIMITS_SIZE 96

const char *
fe_limits(const struct drmperf_event *event, char text[FE_LIMITS_SIZE]);

/*
 * Return the chip of an opened device, or "unknown chip" of one that could not
 * be opened.
 */
const char *
fe_chip(const struct drmperf_device *device);

/*
 * Return whether the device has that address, with or without the domain
 * "0000:".
 */
bool
fe_gpu_has(const struct drmperf_device *device, const char *address);

/* Find the GPU with a PCI address; NULL if there is none. */
struct drmperf_device *
fe_gpu_at(struct drmperf *drmperf, const char *address);

/*
 * Find a GPU by the value of DRMPERF_GPU, an index or an address. Returns 0, or
 * -EINVAL, with cause and remedy, if it is none.
 */
int
fe_gpu_named(struct drmperf *drmperf, const char *name,
	     struct drmperf_device **out, struct drmperf_error *error);

#endif /* DRMPERF_COMPONENTS_FRONTEND_FRONTEND_H */
