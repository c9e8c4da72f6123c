/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/recording_format.h"

#include <string.h>

#define WORDS(array)                                                           \
	{                                                                      \
		.list = array, .count = sizeof(array) / sizeof((array)[0])     \
	}

static const char *const types[] = {
	[DRMPERF_TYPE_UINT64] = "integer",
	[DRMPERF_TYPE_DOUBLE] = "real",
};

static const char *const kinds[] = {
	[DRMPERF_KIND_CUMULATIVE] = "cumulative",
	[DRMPERF_KIND_AVERAGE] = "average",
	[DRMPERF_KIND_MOMENTARY] = "momentary",
};

static const char *const scopes[] = {
	[DRMPERF_SCOPE_DEVICE] = "device",
	[DRMPERF_SCOPE_QUEUE] = "queue",
	[DRMPERF_SCOPE_PROCESS] = "process",
};

static const char *const operations[] = {
	[DRMPERF_OPERATION_CONSTANT] = "constant",
	[DRMPERF_OPERATION_PART] = "part",
	[DRMPERF_OPERATION_ADD] = "+",
	[DRMPERF_OPERATION_SUBTRACT] = "-",
	[DRMPERF_OPERATION_MULTIPLY] = "*",
	[DRMPERF_OPERATION_DIVIDE] = "/",
	[DRMPERF_OPERATION_MINIMUM] = "min",
	[DRMPERF_OPERATION_MAXIMUM] = "max",
	[DRMPERF_OPERATION_EQUAL] = "==",
	[DRMPERF_OPERATION_UNEQUAL] = "!=",
	[DRMPERF_OPERATION_LESS] = "<",
	[DRMPERF_OPERATION_LESS_OR_EQUAL] = "<=",
	[DRMPERF_OPERATION_SELECT] = "?",
};

const struct recording_words recording_types = WORDS(types);
const struct recording_words recording_kinds = WORDS(kinds);
const struct recording_words recording_scopes = WORDS(scopes);
const struct recording_words recording_operations = WORDS(operations);

int
recording_word_find(const struct recording_words *words, const char *word)
{
	for (unsigned i = 0; i < words->count; i++) {
		if (!strcmp(words->list[i], word))
			return (int)i;
	}
	return -1;
}

int
recording_unit_find(const char *name)
{
	for (int i = 0; i < DRMPERF_UNIT_COUNT; i++) {
		if (!strcmp(drmperf_unit_name((enum drmperf_unit)i), name))
			return i;
	}
	return -1;
}
