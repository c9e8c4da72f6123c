/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/oa_config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "driver/i915/uapi.h"
#include "driver/privilege.h"

/*
 * Bits that the kernel takes out of what it loads (i915_perf.c): the sampler's
 * power optimisation and the exit wait of RC6 stay the kernel's business.
 */
static const struct {
	uint32_t address, mask;
} kept_by_kernel[] = {
	{ 0xe180, 0x20002000 },
	{ 0x20cc, 0x00010001 },
};

/* ------------------------------------------------------------------ */
/* Configurations that the kernel has                                   */

static uint32_t
visible_value(uint32_t address, uint32_t value)
{
	for (size_t i = 0; i < ARRAY_SIZE(kept_by_kernel); i++) {
		if (address == kept_by_kernel[i].address)
			value &= ~kept_by_kernel[i].mask;
	}
	return value;
}

static bool
same_list(const struct oa_registers *a, const struct oa_registers *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < 2 * a->count; i += 2) {
		if (a->pairs[i] != b->pairs[i] ||
		    visible_value(a->pairs[i], a->pairs[i + 1]) !=
			    visible_value(b->pairs[i], b->pairs[i + 1]))
			return false;
	}
	return true;
}

/*
 * Return whether what is loaded is what we would load. A GUID does not prove
 * what is behind it: tables have changed registers and kept the GUID. Kernels
 * that cannot tell are trusted.
 */
static bool
is_ours(int fd, const char *guid, const struct oa_config *config)
{
	struct oa_config loaded;
	bool same;

	if (i915_config_read(fd, guid, &loaded) < 0)
		return true;
	same = same_list(&loaded.mux, &config->mux) &&
	       same_list(&loaded.boolean, &config->boolean) &&
	       same_list(&loaded.flex, &config->flex);
	oa_config_free(&loaded);
	return same;
}

/* ------------------------------------------------------------------ */
/* Loading                                                              */

static int
explain_refusal(int ret, const struct element *set, const char *guid,
		struct drmperf_error *error)
{
	const char *name = element_attribute(set, "name");
	char what[128];

	switch (ret) {
	case -EACCES:
		snprintf(what, sizeof(what), "to load metric set %s (%s)", name,
			 guid);
		return privilege_explain(error, what, "i915",
					 "perf_stream_paranoid");
	case -EINVAL:
		error_set(error, -ENOTSUP,
			  "the kernel does not accept the registers of metric "
			  "set %s",
			  name);
		error_remedy(error, "the event table is newer than the "
				    "kernel: update the kernel, or use "
				    "another metric set");
		return -ENOTSUP;
	case -UAPI_ENOTSUPP:
	case -ENODEV:
		return error_set(error, -ENOTSUP,
				 "the kernel has no OA support for this GPU");
	default:
		return error_set(error, ret, "cannot load metric set %s: %s",
				 name, strerror(-ret));
	}
}

static int
oa_config_load_into(const struct oa_config_place *place, const char *guid,
		    const struct oa_config *config, const struct element *set,
		    uint64_t *id, struct drmperf_error *error)
{
	int ret = i915_config_add(place->fd, guid, config);

	if (ret > 0) {
		*id = (uint64_t)ret;
		return 0;
	}
	/* Another process has loaded it in between. */
	if (ret == -EADDRINUSE)
		ret = oa_config_id(place->metrics, guid, id);
	else if (!ret)
		ret = -EPROTO;
	return ret ? explain_refusal(ret, set, guid, error) : 0;
}

static int
find_or_load(const struct oa_config_place *place, const char *guid,
	     const struct oa_config *config, const struct element *set,
	     uint64_t *id, struct drmperf_error *error)
{
	char own[OA_GUID_SIZE];

	if (oa_config_id(place->metrics, guid, id))
		return oa_config_load_into(place, guid, config, set, id, error);
	if (is_ours(place->fd, guid, config))
		return 0;
	oa_config_guid(config, own);
	if (!oa_config_id(place->metrics, own, id))
		return 0;
	return oa_config_load_into(place, own, config, set, id, error);
}

int
oa_config_find(const struct oa_config_place *place, const struct table *table,
	       const struct element *set, uint64_t *id,
	       struct drmperf_error *error)
{
	struct oa_config config;
	const char *guid;
	int ret;

	ret = element_text(table, set, "guid", &guid, error);
	if (ret)
		return ret;
	if (strlen(guid) != OA_GUID_SIZE - 1)
		return element_error(table, set, error,
				     "has a guid that is none: %s", guid);
	ret = oa_config_registers(place->constants, table, set, &config, error);
	if (ret)
		return ret;
	ret = find_or_load(place, guid, &config, set, id, error);
	oa_config_free(&config);
	return ret;
}
