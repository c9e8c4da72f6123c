/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counter_defs.yaml and config.yaml of AMD's rocprofiler-sdk, read into what
 * loose_xml_parse() makes of the XML files that came before them: a section for
 * each GPU, with its metrics.
 */
#ifndef DRMPERF_LIB_TABLE_FOREIGN_ROCM_YAML_H
#define DRMPERF_LIB_TABLE_FOREIGN_ROCM_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "table/table.h"

/* Return whether a text begins as ROCm's YAML does: "rocprofiler-sdk:" */
bool rocm_yaml_is(const char *text);

/*
 * Read a text into a table; its root is an element of the name "#file".
 *
 * -EBADMSG with file and line if it makes no sense; -E2BIG if it names too many
 * GPUs; -ENOTSUP if drmperf was built without libyaml; -ENOMEM.
 */
int rocm_yaml_parse(const char *path, const char *text, size_t length,
		    const struct log_sink *log, struct table **out,
		    struct drmperf_error *error);

#endif /* DRMPERF_LIB_TABLE_FOREIGN_ROCM_YAML_H */
