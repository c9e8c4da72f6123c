/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an error indicator cannot say, on standard error if the environment has
 * DRMPERF_VERBOSE; and the clock that samples without one of their own go by.
 */
#ifndef KD_TELL_H
#define KD_TELL_H

#include <drmperf.h>

/* An error, "CAUSE", "REMEDY" or "". Returns code, a negative errno value. */
int kd_fail(struct drmperf_error *error, int code, const char *remedy,
	    const char *cause, ...) __attribute__((format(printf, 4, 5)));

/* Tell what went wrong where: "GPU 0". */
void kd_tell(const char *where, int code, const struct drmperf_error *error);

/* The library's log. */
void kd_log(void *data, enum drmperf_log_level level, const char *message);

/* CLOCK_MONOTONIC, as the samples of sessions have it. */
uint64_t kd_now_ns(void);

#endif /* KD_TELL_H */
