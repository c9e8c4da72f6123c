/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For analyzers, which see one file at a time: what these functions return,
 * wherever they are called, is the error that they are told, or theirs. Their
 * headers have to be read before this one, and where they are defined it is not
 * read at all.
 */
#include <errno.h>

#define error_set(error, code, ...) \
	((void)error_set(error, code, __VA_ARGS__), (code))
#define element_error(...) ((void)element_error(__VA_ARGS__), -EBADMSG)
#define catalog_no_memory(...) ((void)catalog_no_memory(__VA_ARGS__), -ENOMEM)
#define fe_fail(error, code, ...) \
	((void)fe_fail(error, code, __VA_ARGS__), (code))
#define fe_fail_memory(...) ((void)fe_fail_memory(__VA_ARGS__), -ENOMEM)
#define roc_fail_hsa(...) ((void)roc_fail_hsa(__VA_ARGS__), -EIO)
#define tool_fail(...) ((void)tool_fail(__VA_ARGS__), TOOL_FAILED)
#define tool_complain(...) ((void)tool_complain(__VA_ARGS__), TOOL_FAILED)
#define tool_fail_no_gpu(tool) ((void)tool_fail_no_gpu(tool), TOOL_FAILED)
