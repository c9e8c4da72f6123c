/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/recorded.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "driver/intel/oa/records.h"

#define HEADER sizeof(struct oa_record_header)
/* Records are so aligned, the kernel's, too. */
#define ALIGNMENT 8

/* A buffer for a header; bytes that do not fit are only counted. */
struct out {
	uint8_t *data;
	size_t size, used;
};

static void
out_add(struct out *out, const void *data, size_t size)
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
	const struct oa_record_header header = {
		.type = type,
		.size = (uint16_t)(HEADER + size + rest),
	};

	out_add(out, &header, sizeof(header));
	out_add(out, data, size);
	out_add(out, padding, rest);
}

/* ------------------------------------------------------------------ */
/* Writing                                                              */

int
recorded_device_fill(struct recorded_device *out, struct oa_gpu *gpu,
		     const struct metric_set *set, uint64_t timestamp_hz,
		     struct drmperf_error *error)
{
	const struct element *element;
	const struct table *table;
	const char *guid;
	int ret = oa_gpu_registers(gpu, set, &table, &element, error);

	if (ret)
		return ret;
	guid = element_attribute(element, "guid");
	*out = (struct recorded_device){
		.timestamp_hz = timestamp_hz,
		.device_id = gpu->device_id,
		.min_hz = (uint32_t)gpu->min_hz,
		.max_hz = (uint32_t)gpu->max_hz,
		.format = set->format->number,
	};
	snprintf(out->set, sizeof(out->set), "%s", set->name);
	snprintf(out->guid, sizeof(out->guid), "%s", guid ? guid : "");
	return 0;
}

size_t
recorded_facts_write(const struct recorded_facts *facts, void *buffer,
		     size_t size)
{
	struct out out = { .data = buffer, .size = size };

	add_record(&out, RECORDED_DEVICE, &facts->device,
		   sizeof(facts->device));
	add_record(&out, facts->kind, facts->units, facts->units_size);
	return out.used;
}

size_t
recorded_time(uint64_t ns, uint64_t report_time,
	      uint8_t record[RECORDED_TIME_SIZE])
{
	const struct recorded_time time = { .monotonic_ns = ns,
					    .ticks = report_time };
	struct out out = { .data = record, .size = RECORDED_TIME_SIZE };

	_Static_assert(HEADER + sizeof(time) == RECORDED_TIME_SIZE,
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
recorded_take_record(void *data, const void *record, size_t size)
{
	struct recorded_facts *facts = data;
	const uint8_t *body = (const uint8_t *)record + HEADER;
	uint32_t type;

	memcpy(&type, record, sizeof(type));
	size -= HEADER;
	if (type == RECORDED_DEVICE && size >= sizeof(facts->device)) {
		memcpy(&facts->device, body, sizeof(facts->device));
	} else if (type == RECORDED_TOPOLOGY || type == RECORDED_XE) {
		facts->kind = type;
		facts->units = body;
		facts->units_size = size;
	}
}

/* No header is longer: what follows are reports. */
#define HEADER_MAX ((size_t)1 << 20)

int
recorded_facts_read(const uint8_t *header, size_t size,
		    struct recorded_facts *out)
{
	const struct recorded_device *device = &out->device;

	*out = (struct recorded_facts){ .units = NULL };
	oa_records_visit(header, size < HEADER_MAX ? size : HEADER_MAX,
			 recorded_take_record, out);
	return out->units && device->timestamp_hz &&
			       device->timestamp_hz <= UINT32_MAX &&
			       is_text(device->set, sizeof(device->set))
		       ? 0
		       : -EBADMSG;
}

void
recorded_device_take(const struct recorded_device *device, struct oa_gpu *gpu)
{
	gpu->device_id = device->device_id;
	gpu->timestamp_hz = device->timestamp_hz;
	gpu->min_hz = device->min_hz;
	gpu->max_hz = device->max_hz;
	snprintf(gpu->recorded_set, sizeof(gpu->recorded_set), "%s",
		 device->set);
	snprintf(gpu->recorded_guid, sizeof(gpu->recorded_guid), "%.*s",
		 (int)sizeof(device->guid), device->guid);
	gpu->sets.only = gpu->recorded_set;
}

bool
recorded_facts_are_of(enum recorded_type kind, const void *header, size_t size)
{
	struct recorded_facts facts;

	return !recorded_facts_read(header, size, &facts) && facts.kind == kind;
}
