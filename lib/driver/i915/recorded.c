/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/recorded.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "driver/i915/records.h"
#include "driver/i915/uapi.h"

#define HEADER sizeof(struct drm_i915_perf_record_header)
/* Records are so aligned, the kernel's, too. */
#define ALIGNMENT 8

/* What does not fit is only counted. */
struct out {
	uint8_t *data;
	size_t size, used;
};

static void
add(struct out *out, const void *data, size_t size)
{
	if (out->used <= out->size && size <= out->size - out->used)
		memcpy(out->data + out->used, data, size);
	out->used += size;
}

static void
add_record(struct out *out, enum recorded_type type, const void *data,
	   size_t size)
{
	static const uint8_t padding[ALIGNMENT] = { 0 };
	size_t rest = -size % ALIGNMENT;
	const struct drm_i915_perf_record_header header = {
		.type = type,
		.size = (uint16_t)(HEADER + size + rest),
	};

	add(out, &header, sizeof(header));
	add(out, data, size);
	add(out, padding, rest);
}

size_t
recorded_facts_write(const struct recorded_facts *facts, void *buffer,
		     size_t size)
{
	struct out out = { .data = buffer, .size = size };

	add_record(&out, RECORDED_DEVICE, &facts->device,
		   sizeof(facts->device));
	add_record(&out, RECORDED_TOPOLOGY, facts->units, facts->units_size);
	return out.used;
}

size_t
recorded_time(uint64_t ns, uint64_t report_time,
	      uint8_t record[OA_TIME_RECORD_SIZE])
{
	const struct recorded_time time = { .monotonic_ns = ns,
					    .ticks = report_time };
	struct out out = { .data = record, .size = OA_TIME_RECORD_SIZE };

	_Static_assert(HEADER + sizeof(time) == OA_TIME_RECORD_SIZE,
		       "there is room for it");
	add_record(&out, RECORDED_TIME, &time, sizeof(time));
	return out.used;
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

static bool
is_text(const char *text, size_t size)
{
	return *text && memchr(text, '\0', size);
}

static void
take(void *data, const void *record, size_t size)
{
	struct recorded_facts *facts = data;
	const uint8_t *body = (const uint8_t *)record + HEADER;
	uint32_t type;

	memcpy(&type, record, sizeof(type));
	size -= HEADER;
	if (type == RECORDED_DEVICE && size >= sizeof(facts->device)) {
		memcpy(&facts->device, body, sizeof(facts->device));
	} else if (type == RECORDED_TOPOLOGY) {
		facts->units = body;
		facts->units_size = size;
	}
}

/* No head is longer: what follows are reports. */
#define HEAD_MAX ((size_t)1 << 20)

int
recorded_facts_read(const uint8_t *head, size_t size,
		    struct recorded_facts *out)
{
	const struct recorded_device *device = &out->device;

	*out = (struct recorded_facts){ .units = NULL };
	i915_records_visit(head, size < HEAD_MAX ? size : HEAD_MAX, take, out);
	return out->units && device->timestamp_hz &&
			       device->timestamp_hz <= UINT32_MAX &&
			       is_text(device->set, sizeof(device->set))
		       ? 0
		       : -EBADMSG;
}
