/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files as large as other people's are, in their dialects, made of our own
 * tables: what it costs to read them does not depend on what they say.
 */
#ifndef DRMPERF_TESTS_TABLE_FOREIGN_FILES_H
#define DRMPERF_TESTS_TABLE_FOREIGN_FILES_H

/*
 * Write a file of ROC profiler with every tenth event of Vega 10: about as many
 * as ROCm has. Ends the program if that fails.
 */
void foreign_write_rocm(const char *path);

/* Write a file of Intel's with the sets of Skylake GT2, and their registers. */
void foreign_write_oa(const char *path);

#endif /* DRMPERF_TESTS_TABLE_FOREIGN_FILES_H */
