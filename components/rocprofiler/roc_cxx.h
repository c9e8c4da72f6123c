/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C++'s runtime, where there is one: kernels have its names, and tools release
 * with `delete` what they are given.
 */
#ifndef ROC_CXX_H
#define ROC_CXX_H

#include <stddef.h>

/* HSA starts: without this, and without C++, there are malloc() and free(). */
void roc_cxx_begin(void);
void roc_cxx_end(void);

/*
 * Return the name as people write it, or NULL; the caller frees it with free().
 */
char *roc_cxx_demangle(const char *name);

/* Allocate memory as `new` does, or return NULL; `delete` frees it. */
void *roc_cxx_new(size_t size);
void roc_cxx_delete(void *memory);

#endif /* ROC_CXX_H */
