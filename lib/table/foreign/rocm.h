/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The metric files of AMD's ROC profiler: texts that become tables, and their
 * metrics in words of our own tables. In readers.h is what reads whole files.
 *
 * Not quite XML: files of ROCm 2 to 6 have several roots or none, attributes
 * without quotation marks, comments from # to the end of the line, and lines
 * that include another file. YAML: counter_defs.yaml and config.yaml of
 * rocprofiler-sdk.
 */
#ifndef DRMPERF_LIB_TABLE_FOREIGN_ROCM_H
#define DRMPERF_LIB_TABLE_FOREIGN_ROCM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "table/table.h"

/*
 * The attribute by which an element stands for a line #include "FILE"; no
 * element of a file has it.
 */
#define ROCM_INCLUDE "file"

/*
 * Read a terminated text into a table; below its root is everything else. What
 * can be left out is, with a warning: a word in a tag that is no attribute, the
 * end of an element that has not begun. Of the attributes those are kept that
 * sections and metrics have.
 *
 * -EBADMSG with file and line if it makes no sense; -ENOMEM.
 */
int
rocm_xml_parse(const char *path, const char *text, size_t length,
	       const struct log_sink *log, struct table **out,
	       struct drmperf_error *error);

/* Return whether a text begins as ROCm's YAML does: "rocprofiler-sdk:" */
bool
rocm_yaml_is(const char *text);

/*
 * Read YAML into what rocm_xml_parse() makes of the XML files that came before
 * it: a section for each GPU, with its metrics.
 *
 * -EBADMSG with file and line if it makes no sense; -E2BIG if it names too many
 * GPUs; -ENOTSUP if drmperf was built without libyaml; -ENOMEM.
 */
int
rocm_yaml_parse(const char *path, const char *text, size_t length,
		const struct log_sink *log, struct table **out,
		struct drmperf_error *error);

/*
 * Rewrite a <metric> of a file into an element in the arena of table:
 *
 *   <counter name block id>  a counter of a block
 *   <metric name expression unit type kind>
 *   <special name>	      what only the profiler knows how to get
 *
 * with the description as text. *out is NULL if it cannot be understood, which
 * a warning says. -ENOMEM.
 */
int
rocm_metric_rewrite(struct table *table, const struct table *source,
		    const struct element *metric, const struct log_sink *log,
		    const struct element **out);

#endif /* DRMPERF_LIB_TABLE_FOREIGN_ROCM_H */
