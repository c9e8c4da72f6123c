/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables that a user names, as rubbish of any dialect: ours, ROC profiler's,
 * Intel's. Whatever comes, it is refused or read, and what was read can be
 * listed and resolved. tests/data/foreign is a corpus to begin with.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/catalog.h"
#include "catalog/lazy_load.h"
#include "catalog/resolve.h"
#include "tests/table/gpus.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
resolve_all(struct catalog *catalog)
{
	const struct catalog_list *list = catalog ? catalog_list(catalog)
						  : NULL;
	const struct catalog_value *value;
	struct drmperf_error error;

	for (size_t i = 0; list && i < list->count; i++)
		catalog_resolve(list->events[i], &value, &error);
	if (catalog)
		catalog_destroy(catalog);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct log_sink nowhere = { .log = NULL };
	struct user_tables extra = { 0 };
	struct drmperf_error error;
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	if (!user_tables_parse(&extra, "fuzz.xml", text, size, &nowhere,
			       &error)) {
		resolve_all(table_gpu_amdgpu(&extra));
		resolve_all(table_gpu_i915(&extra));
	}
	user_tables_finish(&extra);
	free(text);
	return 0;
}
