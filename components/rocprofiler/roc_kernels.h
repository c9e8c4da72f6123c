/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of the kernels that programs load. */
#ifndef ROC_KERNELS_H
#define ROC_KERNELS_H

#include <hsa/amd_hsa_kernel_code.h>
#include <hsa/hsa.h>

/*
 * Watch the code objects that are loaded from now on; roc_table_take() has been
 * called.
 */
void roc_kernels_begin(void);

/*
 * Return the name of a kernel, in C++'s words, by the kernel object that
 * dispatches have; "" if it is not known. It stays until roc_kernels_end().
 */
const char *roc_kernel_name(uint64_t object);

/* Return the kernel's code, where the CPU can read it. */
const amd_kernel_code_t *roc_kernel_code(uint64_t object);

void roc_kernels_end(void);

#endif /* ROC_KERNELS_H */
