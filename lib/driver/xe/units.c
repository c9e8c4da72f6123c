/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/xe/answers.h"

#include <errno.h>
#include <string.h>

/* More than any GPU has. */
#define UNITS_MAX 64
#define ENGINES_MAX 256

/* Return which of our kinds a unit is; OA_UNIT_COUNT: none. */
static enum oa_unit
kind_of(const struct xe_uapi_oa_unit *unit, enum oa_generation generation,
	const struct xe_oa_unit *known)
{
	bool is_media =
		unit->capabilities & XE_UAPI_OA_CAP_OAM || generation < OA_XE2;

	switch (unit->type) {
	case XE_UAPI_OA_OAG:
		return OA_UNIT_RENDER;
	case XE_UAPI_OA_OAM:
		if (!is_media)
			return OA_UNIT_COUNT;
		return known[OA_UNIT_MEDIA].present ? OA_UNIT_MEDIA_SECOND
						    : OA_UNIT_MEDIA;
	case XE_UAPI_OA_OAM_SAG:
		return is_media ? OA_UNIT_MEDIA_GT : OA_UNIT_COUNT;
	case XE_UAPI_OA_MERT:
		return OA_UNIT_MERT;
	default:
		return OA_UNIT_COUNT;
	}
}

/*
 * Take a unit, unless there is one of its kind: the first of a kind: a second
 * tile has units of its own.
 */
static void
take_unit(const struct xe_uapi_oa_unit *unit, enum oa_generation generation,
	  const uint8_t *engines, struct xe_oa_unit *units)
{
	enum oa_unit kind = kind_of(unit, generation, units);
	struct xe_oa_unit *out = &units[kind];

	if (kind == OA_UNIT_COUNT || out->present || !unit->timestamp_hz)
		return;
	out->present = true;
	out->id = unit->id;
	out->timestamp_hz = unit->timestamp_hz;
	out->has_buffer_size = unit->capabilities & XE_UAPI_OA_CAP_BUFFER_SIZE;
	out->has_engine = unit->engine_count;
	if (out->has_engine)
		memcpy(&out->engine, engines, sizeof(out->engine));
}

int
xe_units_decode(const void *data, size_t length, enum oa_generation generation,
		struct xe_oa_unit out[OA_UNIT_COUNT])
{
	struct xe_oa_unit units[OA_UNIT_COUNT] = { 0 };
	const uint8_t *bytes = data, *end = bytes + length;
	struct xe_uapi_oa_units head;

	if (length < sizeof(head))
		return -EPROTO;
	memcpy(&head, bytes, sizeof(head));
	bytes += sizeof(head);
	if (head.count > UNITS_MAX)
		return -EPROTO;
	for (uint32_t i = 0; i < head.count; i++) {
		struct xe_uapi_oa_unit unit;
		size_t engines;

		if ((size_t)(end - bytes) < sizeof(unit))
			return -EPROTO;
		memcpy(&unit, bytes, sizeof(unit));
		bytes += sizeof(unit);
		engines = unit.engine_count * sizeof(struct xe_uapi_engine_id);
		if (unit.engine_count > ENGINES_MAX ||
		    (size_t)(end - bytes) < engines)
			return -EPROTO;
		take_unit(&unit, generation, bytes, units);
		bytes += engines;
	}
	memcpy(out, units, sizeof(units));
	return 0;
}
