/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/tables/chip.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "table/rows.h"

/* Parse "0x14-0x27": both ends belong to the range. */
static int
parse_range(const struct table *table, const struct element *element,
	    const char *text, uint32_t *first, uint32_t *last,
	    struct drmperf_error *error)
{
	char *end;

	*first = (uint32_t)strtoul(text, &end, 0);
	if (end == text || *end != '-')
		goto malformed;
	text = end + 1;
	*last = (uint32_t)strtoul(text, &end, 0);
	if (end == text || *end || *last < *first)
		goto malformed;
	return 0;

malformed:
	return element_error(table, element, error,
			     "revisions is not of the form FIRST-LAST");
}

bool
chip_lists(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; at && *at; at += strspn(at, " ")) {
		if (strcspn(at, " ") == length && !strncmp(at, word, length))
			return true;
		at += strcspn(at, " ");
	}
	return false;
}

static bool
lists_version(const char *list, uint32_t core)
{
	char version[16];

	snprintf(version, sizeof(version), "%u.%u.%u", core >> 16 & 0xff,
		 core >> 8 & 0xff, core & 0xff);
	return chip_lists(list, version);
}

/* Sets *match to whether the <chip> is the one. */
static int
chip_compare_identity(const struct table *table, const struct element *element,
		      const struct amd_device_identity *identity, bool *match,
		      struct drmperf_error *error)
{
	const char *revisions, *versions = element_attribute(element, "ip");
	uint32_t first = 0, last = 0;
	uint64_t family;
	int ret;

	*match = false;
	ret = element_uint(table, element, "family", UINT32_MAX, &family,
			   error);
	if (!ret)
		ret = element_text(table, element, "revisions", &revisions,
				   error);
	if (!ret)
		ret = parse_range(table, element, revisions, &first, &last,
				  error);
	if (ret)
		return ret;
	if (family != identity->family || identity->revision < first ||
	    identity->revision > last)
		return 0;
	*match = !versions || !identity->core ||
		 lists_version(versions, identity->core);
	return 0;
}

static int
read_number(const struct table *table, const struct element *element,
	    const char *name, unsigned *out, struct drmperf_error *error)
{
	uint64_t value;
	int ret;

	ret = element_uint_or(table, element, name, 255, 0, &value, error);
	if (!ret)
		*out = (unsigned)value;
	return ret;
}

static int
read_chip(const struct table *table, const struct element *element,
	  struct chip *out, struct drmperf_error *error)
{
	const struct {
		const char *name;
		unsigned *value;
	} numbers[] = {
		{ "cu-per-sa", &out->cus_per_array },
		{ "rb-per-se", &out->rbs_per_engine },
		{ "channels", &out->channels },
		{ "l2-arbiters", &out->arbiters },
		{ "memory-interfaces", &out->interfaces },
		{ "wgp-above-spi", &out->wgps_above_spi },
		{ "xcc", &out->xccs },
	};
	const char *gfxoff = element_attribute(element, "gfxoff");
	int ret;

	ret = element_text(table, element, "name", &out->name, error);
	if (!ret)
		ret = element_text(table, element, "generation",
				   &out->generation, error);
	for (size_t i = 0; !ret && i < ARRAY_SIZE(numbers); i++)
		ret = read_number(table, element, numbers[i].name,
				  numbers[i].value, error);
	out->target = element_attribute(element, "target");
	if (!out->target)
		out->target = out->generation;
	out->without = element_attribute(element, "without");
	out->gfxoff = gfxoff && !strcmp(gfxoff, "1");
	return ret;
}

static int
explain_unknown(const struct amd_device_identity *identity,
		struct drmperf_error *error)
{
	if (identity->core)
		error_set(error, -ENOTSUP,
			  "unknown AMD GPU: family %u, revision 0x%x, graphics "
			  "core %u.%u.%u",
			  identity->family, identity->revision,
			  identity->core >> 16 & 0xff,
			  identity->core >> 8 & 0xff, identity->core & 0xff);
	else
		error_set(error, -ENOTSUP,
			  "unknown AMD GPU: family %u, revision 0x%x",
			  identity->family, identity->revision);
	error_remedy(error, "add it to amdgpu/chips.xml in a folder named by "
			    "DRMPERF_EVENTS, or use a newer drmperf");
	return -ENOTSUP;
}

int
chip_find(const struct table *table, const struct amd_device_identity *identity,
	  struct chip *out, struct drmperf_error *error)
{
	const struct element *element;
	struct chip chip = { 0 };
	bool match = false;
	struct rows rows;
	int ret;

	rows_begin(&rows, table, table->root->child, "chip", table->arena);
	while ((ret = rows_next(&rows, &element, error)) > 0) {
		ret = chip_compare_identity(table, element, identity, &match,
					    error);
		if (ret || match)
			break;
	}
	if (ret < 0)
		return ret;
	if (!match)
		return explain_unknown(identity, error);
	ret = read_chip(table, element, &chip, error);
	if (!ret)
		*out = chip;
	return ret;
}
