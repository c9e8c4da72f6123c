/* SPDX-License-Identifier: BSD-3-Clause */
/* For analyzers, which see one file at a time: error_set() returns its code. */
#define error_set(error, code, ...) \
	((void)error_set(error, code, __VA_ARGS__), (code))
