/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Filling struct drmperf_error, and the log sink.
 */
#ifndef DRMPERF_LIB_BASE_ERROR_H
#define DRMPERF_LIB_BASE_ERROR_H

#include "drmperf.h"

struct log_sink {
	drmperf_log_fn log; /* or NULL */
	void *data;
};

/* Set code and cause. Returns code, so that callers can return the call. */
int error_set(struct drmperf_error *error, int code, const char *cause, ...)
	__attribute__((cold, format(printf, 3, 4)));

/* Set the remedy, and keep the cause. */
void error_remedy(struct drmperf_error *error, const char *remedy, ...)
	__attribute__((cold, format(printf, 2, 3)));

/*
 * Return true of an error that says nothing about what was asked for, only that
 * it could not be asked: memory or descriptors were short, a signal came
 * between, the kernel was busy. Nothing may be concluded from it; the same call
 * can succeed a moment later.
 */
bool error_is_transient(int code);

/* Write one line to the sink; keeps errno. */
void log_write(const struct log_sink *sink, enum drmperf_log_level level,
	       const char *message, ...) __attribute__((format(printf, 3, 4)));

#endif /* DRMPERF_LIB_BASE_ERROR_H */
