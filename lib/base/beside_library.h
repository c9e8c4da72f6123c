/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that are installed with this library.
 */
#ifndef DRMPERF_LIB_BASE_BESIDE_LIBRARY_H
#define DRMPERF_LIB_BASE_BESIDE_LIBRARY_H

/*
 * Return the path of a file below the folder that has the library's folder in
 * it, to be freed by the caller. For a program that has the library inside, the
 * kernel says where it lies, since its name is only what its caller gave. NULL
 * if that cannot be found, or if such a program has more rights than its
 * caller, which may have linked to it; NULL without memory.
 */
char *
beside_library(const char *file);

#endif /* DRMPERF_LIB_BASE_BESIDE_LIBRARY_H */
