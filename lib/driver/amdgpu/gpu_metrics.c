/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * [Linux 7.0 kgd_pp_interface.h: struct gpu_metrics_v1_0 and the others, enum
 * smu_metrics_attr; amdgpu_pm.c, amdgpu_get_gpu_metrics]
 */
#include "driver/amdgpu/gpu_metrics.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/hash.h"
#include "driver/amdgpu/tables/chip.h"
#include "driver/description.h"
#include "table/rows.h"

#define HEADER_SIZE 4

/*
 * How often a count of less than 64 bits is read: energy of 32 bits, of 15 uJ
 * each, wraps within a minute at 1000 W.
 */
#define KEEP_MS 10000

/* Version 1.9 is a list: bytes before it, and before each of its values. */
#define LIST_BEGIN 8
#define ENCODING_SIZE 8

/* Where the value of a sensor is. */
struct metric_place {
	uint32_t at; /* byte */
	unsigned bytes, count;
	bool is_signed;
	uint64_t mask; /* of bits that count; 0: all */
	uint64_t most; /* more is no value; 0: any */
	enum operation {
		OP_ONE,
		OP_ANY,
		OP_SUM,
		OP_MEAN
	} op;
	uint64_t encoding; /* of a list: what precedes the values; else 0 */
	uint32_t encoding_at;
};

struct gpu_metrics {
	const char *file;
	uint8_t header[HEADER_SIZE];
	size_t count;
	struct sensor *sensors;
	struct metric_place *places; /* like sensors */
};

/* State of the search for sensors. */
struct metric_search {
	const struct table *table;
	struct arena *arena;
	char version[16]; /* of the graphics core; "": not known */
	const uint8_t *data;
	size_t size;
	bool is_list;
	unsigned partitions;
	struct known_sensor {
		const char *key;
		uint32_t hash; /* of the key */
		const char *values[8]; /* like sensor_words */
		const char *text;
	} * known;
	size_t known_count;
	struct sensor *sensors;
	struct metric_place *places;
	size_t count;
};

static const char *const sensor_words[] = { "key",  "unit", "kind", "op",
					    "mask", "bits", "zero" };
enum {
	KEY,
	UNIT,
	KIND,
	OP,
	MASK,
	BITS,
	ZERO
};

static const char *const field_words[] = { "sensor",  "at",	"type",
					   "count",   "stride", "factor",
					   "divisor", "most" };
enum {
	SENSOR,
	AT,
	TYPE,
	COUNT,
	STRIDE,
	FACTOR,
	DIVISOR,
	MOST
};

/* ------------------------------------------------------------------ */
/* Values                                                               */

static uint64_t
read_number(const uint8_t *data, unsigned bytes)
{
	uint64_t value = 0;

	/* the table is little-endian, as the CPUs that amdgpu runs on */
	memcpy(&value, data, bytes);
	return value;
}

/* Return whether the driver has such a value. */
static bool
is_there(const struct metric_place *place, uint64_t value)
{
	unsigned bits = place->bytes * 8;

	if (value == UINT64_MAX >> (64 - bits) ||
	    (place->is_signed && value >> (bits - 1)))
		return false;
	return !place->most || value <= place->most;
}

static int
pick_value(const struct metric_place *place, const uint8_t *data, uint64_t *out)
{
	uint64_t sum = 0;
	unsigned there = 0;

	if (place->encoding && read_number(data + place->encoding_at,
					   ENCODING_SIZE) != place->encoding)
		return -EBADMSG;
	for (unsigned i = 0; i < place->count; i++) {
		uint64_t value =
			read_number(data + place->at + (size_t)i * place->bytes,
				    place->bytes);

		if (!is_there(place, value))
			continue;
		sum += place->mask ? value & place->mask : value;
		there++;
	}
	if (!there)
		return -ENODATA;
	*out = place->op == OP_MEAN  ? sum / there
	       : place->op == OP_ANY ? sum != 0
				     : sum;
	return 0;
}

/* Return how many bytes, or -errno. */
static ssize_t
read_file(const char *path, uint8_t data[GPU_METRICS_SIZE])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size;

	if (fd < 0)
		return -errno;
	size = read(fd, data, GPU_METRICS_SIZE);
	if (size < 0)
		size = -errno;
	close(fd);
	return size;
}

int
gpu_metrics_read(const struct gpu_metrics *metrics, void *table)
{
	uint16_t expected;
	ssize_t size = read_file(metrics->file, table);

	if (size < 0)
		return (int)size;
	memcpy(&expected, metrics->header, sizeof(expected));
	return size == expected && !memcmp(table, metrics->header, HEADER_SIZE)
		       ? 0
		       : -EBADMSG;
}

int
gpu_metrics_pick(const struct gpu_metrics *metrics, size_t index,
		 const void *table, uint64_t *out)
{
	return pick_value(&metrics->places[index], table, out);
}

size_t
gpu_metrics_count(const struct gpu_metrics *metrics)
{
	return metrics->count;
}

const struct sensor *
gpu_metrics_sensor(const struct gpu_metrics *metrics, size_t index)
{
	return &metrics->sensors[index];
}

/* ------------------------------------------------------------------ */
/* The table's elements                                                 */

/* Return false for rows of other cores, and of any if this one is not known. */
static bool
is_of_core(const struct metric_search *search, const struct element *row)
{
	const char *only = element_attribute(row, "only");
	const char *never = element_attribute(row, "never");

	if (!only && !never)
		return true;
	if (!search->version[0])
		return false;
	return only ? chip_lists(only, search->version)
		    : !chip_lists(never, search->version);
}

/* Remember the sensors that this GPU can have. */
static int
read_sensors(struct metric_search *search, struct drmperf_error *error)
{
	struct known_sensor *known;
	const struct element *row;
	struct rows rows;
	int ret;

	rows_begin(&rows, search->table, search->table->root->child, "sensor",
		   search->arena);
	while ((ret = rows_next(&rows, &row, error)) > 0) {
		if (!is_of_core(search, row))
			continue;
		known = array_grow(search->known, search->known_count,
				   sizeof(*known));
		if (!known)
			return error_set(error, -ENOMEM, "no memory");
		search->known = known;
		known += search->known_count;
		rows_values(&rows, row, sensor_words, ARRAY_SIZE(sensor_words),
			    known->values);
		known->key = known->values[KEY];
		known->text = row->text;
		if (!known->key)
			return element_error(search->table, row, error,
					     "a sensor without key");
		known->hash = hash_text(known->key);
		search->known_count++;
	}
	return ret;
}

/* Parse "u16"; 0 bytes if it is no type. */
static void
parse_type(const char *text, struct metric_place *place)
{
	unsigned bits = text ? (unsigned)strtoul(text + !!*text, NULL, 10) : 0;

	place->is_signed = text && text[0] == 's';
	place->bytes = bits == 8 || bits == 16 || bits == 32 || bits == 64
			       ? bits / 8
			       : 0;
}

/*
 * Find an attribute of a list; it says type and count itself. Returns false if
 * it is not in the list, or has a type that is not known.
 */
static bool
find_in_list(const struct metric_search *search, unsigned id,
	     struct metric_place *place)
{
	/* by number: bytes of a value; odd types are signed */
	static const uint8_t bytes[] = { 1, 1, 2, 2, 4, 4, 8, 8 };
	size_t at = LIST_BEGIN;
	uint64_t count = read_number(search->data + HEADER_SIZE, 4);

	while (count-- && search->size - at >= ENCODING_SIZE) {
		uint64_t encoding =
			read_number(search->data + at, ENCODING_SIZE);
		unsigned type = encoding >> 20 & 0xf;
		unsigned values = encoding & 0x3ff;

		at += ENCODING_SIZE;
		if (type >= ARRAY_SIZE(bytes) ||
		    (size_t)values * bytes[type] > search->size - at)
			return false;
		if ((encoding >> 10 & 0x3ff) == id) {
			place->at = (uint32_t)at;
			place->bytes = bytes[type];
			place->is_signed = type & 1;
			place->count = values;
			place->encoding = encoding;
			place->encoding_at = (uint32_t)(at - ENCODING_SIZE);
			return values > 0;
		}
		at += (size_t)values * bytes[type];
	}
	return false;
}

/* ------------------------------------------------------------------ */
/* Sensors                                                              */

/* Write numbers in place of %p and %i; what follows a # is not shown. */
static const char *
make_name(const struct metric_search *search, const char *key,
	  unsigned partition, unsigned item)
{
	char text[64];
	size_t length = 0;

	for (const char *at = key; *at && *at != '#'; at++) {
		if (length + 8 > sizeof(text))
			return NULL;
		if (*at == '%') {
			at++;
			length += (size_t)snprintf(
				text + length, sizeof(text) - length, "%u",
				*at == 'p' ? partition : item);
		} else {
			text[length++] = *at;
		}
	}
	return arena_strndup(search->arena, text, length);
}

static bool
is_named(const struct metric_search *search, const char *name)
{
	for (size_t i = 0; i < search->count; i++) {
		if (!strcmp(search->sensors[i].name, name))
			return true;
	}
	return false;
}

static int
make_room(struct metric_search *search)
{
	void *sensors = array_grow(search->sensors, search->count,
				   sizeof(search->sensors[0]));
	void *places = array_grow(search->places, search->count,
				  sizeof(search->places[0]));

	if (sensors)
		search->sensors = sensors;
	if (places)
		search->places = places;
	return sensors && places ? 0 : -ENOMEM;
}

/* Add the sensor unless it has no value, or one of its name is there. */
static int
add_sensor(struct metric_search *search, const struct sensor *sensor,
	   const struct metric_place *place, const char *key, bool zero_is_none,
	   unsigned partition, unsigned item)
{
	const char *name;
	uint64_t value;

	if (place->at + (size_t)place->bytes * place->count > search->size ||
	    pick_value(place, search->data, &value) || (zero_is_none && !value))
		return 0;
	name = make_name(search, key, partition, item);
	if (!name || make_room(search))
		return -ENOMEM;
	if (is_named(search, name))
		return 0;
	search->sensors[search->count] = *sensor;
	search->sensors[search->count].name = name;
	search->places[search->count++] = *place;
	return 0;
}

/* Add a sensor for each partition and element that the name asks for. */
static int
add_sensors(struct metric_search *search, const struct sensor *sensor,
	    const struct metric_place *place, const char *key,
	    bool zero_is_none, uint64_t stride)
{
	unsigned parts = stride ? search->partitions : 1;
	bool by_item = strstr(key, "%i");
	unsigned items = by_item ? place->count : 1;
	int ret = 0;

	for (unsigned part = 0; !ret && part < parts; part++) {
		for (unsigned item = 0; !ret && item < items; item++) {
			struct metric_place one = *place;

			one.at += (uint32_t)(part * stride +
					     (uint64_t)item * place->bytes);
			if (by_item)
				one.count = 1;
			ret = add_sensor(search, sensor, &one, key,
					 zero_is_none, part, item);
		}
	}
	return ret;
}

static enum operation
parse_operation(const char *text)
{
	static const char *const names[] = { "any", "sum", "mean" };

	for (size_t i = 0; text && i < ARRAY_SIZE(names); i++) {
		if (!strcmp(text, names[i]))
			return (enum operation)(OP_ANY + i);
	}
	return OP_ONE;
}

/* Parse a number that the row may lack. */
static int
parse_number(const struct metric_search *search, const struct element *row,
	     const char *name, const char *text, uint64_t fallback,
	     uint64_t *out, struct drmperf_error *error)
{
	*out = fallback;
	return text ? element_number(search->table, row, name, text, UINT64_MAX,
				     out, error)
		    : 0;
}

static int
add_field(struct metric_search *search, const struct element *row,
	  const char *const *field, struct drmperf_error *error)
{
	struct sensor sensor = { .wakes = true, .of_table = true };
	struct metric_place place = { .op = OP_ONE };
	uint64_t at, count, stride, bits;
	const uint32_t hash = field[SENSOR] ? hash_text(field[SENSOR]) : 0;
	const char *const *known = NULL;
	int ret;

	for (size_t i = 0; !known && i < search->known_count; i++) {
		if (search->known[i].hash == hash && field[SENSOR] &&
		    !strcmp(search->known[i].key, field[SENSOR])) {
			known = search->known[i].values;
			sensor.description = search->known[i].text;
		}
	}
	if (!known)
		return 0;
	parse_type(field[TYPE], &place);
	ret = field[AT] ? 0
			: element_error(search->table, row, error, "no place");
	if (!ret)
		ret = parse_number(search, row, "at", field[AT], 0, &at, error);
	if (!ret)
		ret = parse_number(search, row, "count", field[COUNT], 1,
				   &count, error);
	if (!ret)
		ret = parse_number(search, row, "stride", field[STRIDE], 0,
				   &stride, error);
	if (!ret)
		ret = parse_number(search, row, "factor", field[FACTOR], 1,
				   &sensor.scale, error);
	if (!ret)
		ret = parse_number(search, row, "divisor", field[DIVISOR], 1,
				   &sensor.divisor, error);
	if (!ret)
		ret = parse_number(search, row, "most", field[MOST], 0,
				   &place.most, error);
	if (!ret)
		ret = parse_number(search, row, "mask", known[MASK], 0,
				   &place.mask, error);
	if (!ret)
		ret = parse_number(search, row, "bits", known[BITS], 0, &bits,
				   error);
	if (ret)
		return ret;
	if (!place.bytes || at >= GPU_METRICS_SIZE ||
	    count > GPU_METRICS_SIZE || stride > GPU_METRICS_SIZE ||
	    bits > 64 || !sensor.divisor ||
	    unit_from_name(known[UNIT] ? known[UNIT] : "", &sensor.unit))
		return element_error(search->table, row, error,
				     "a field that cannot be");
	place.at = (uint32_t)at;
	place.count = (unsigned)count;
	if (search->is_list && !find_in_list(search, (unsigned)at, &place))
		return 0;
	place.op = parse_operation(known[OP]);
	/* this layout has a single value where others have an array */
	if (strstr(field[SENSOR], "%i") ? place.count == 1 && count > 1
					: place.op == OP_ONE && place.count > 1)
		return 0;
	sensor.kind = known[KIND] && !strcmp(known[KIND], "cumulative")
			      ? DRMPERF_KIND_CUMULATIVE
			      : DRMPERF_KIND_MOMENTARY;
	sensor.bits = bits ? (unsigned)bits : place.bytes * 8;
	if (place.op == OP_SUM)
		sensor.bits = 64;
	if (sensor.bits < 64)
		sensor.keep_ms = KEEP_MS;
	ret = add_sensors(search, &sensor, &place, field[SENSOR], known[ZERO],
			  stride);
	return ret ? error_set(error, ret, "no memory") : 0;
}

static int
read_layout(struct metric_search *search, const struct element *layout,
	    struct drmperf_error *error)
{
	const struct element *count, *row;
	struct metric_place place = { .bytes = 0 };
	struct rows rows;
	int ret;

	count = element_named(layout->child, "partitions");
	if (count) {
		uint64_t at;

		ret = element_uint(search->table, count, "at", search->size - 8,
				   &at, error);
		if (ret)
			return ret;
		parse_type(element_attribute(count, "type"), &place);
		search->partitions =
			(unsigned)read_number(search->data + at, place.bytes);
		/* a small number, or all bits set */
		if (search->partitions > 8)
			search->partitions = 0;
	}
	rows_begin(&rows, search->table, layout->child, "field", search->arena);
	while ((ret = rows_next(&rows, &row, error)) > 0) {
		const char *values[ARRAY_SIZE(field_words)];

		rows_values(&rows, row, field_words, ARRAY_SIZE(field_words),
			    values);
		ret = add_field(search, row, values, error);
		if (ret)
			return ret;
	}
	return ret;
}

/* Return the layout, or NULL: none. One without a size is a list. */
static const struct element *
find_layout(const struct metric_search *search)
{
	const struct element *layout =
		element_named(search->table->root->child, "layout");

	for (; layout; layout = element_named(layout->next, "layout")) {
		const char *names[] = { "format", "content", "size" };
		unsigned long value[] = { search->data[2], search->data[3],
					  search->size };
		bool same = true;

		for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
			const char *text = element_attribute(layout, names[i]);

			same &= (!text && i == 2) ||
				(text && strtoul(text, NULL, 10) == value[i]);
		}
		if (same)
			return layout;
	}
	return NULL;
}

/* Move what was found to the arena. */
static int
keep_sensors(struct metric_search *search, const char *file,
	     struct gpu_metrics **out)
{
	struct gpu_metrics *found = arena_alloc(search->arena, sizeof(*found));
	size_t sensors = search->count * sizeof(search->sensors[0]);
	size_t places = search->count * sizeof(search->places[0]);

	if (!found)
		return -ENOMEM;
	found->sensors = arena_alloc(search->arena, sensors);
	found->places = arena_alloc(search->arena, places);
	if (!found->sensors || !found->places)
		return -ENOMEM;
	memcpy(found->sensors, search->sensors, sensors);
	memcpy(found->places, search->places, places);
	memcpy(found->header, search->data, HEADER_SIZE);
	found->count = search->count;
	found->file = file;
	for (size_t i = 0; i < found->count; i++) {
		const char *text = found->sensors[i].description;

		found->sensors[i].description =
			arena_strndup(search->arena, text, strlen(text));
		if (!found->sensors[i].description)
			return -ENOMEM;
	}
	*out = found;
	return 0;
}

static int
search_sensors(struct metric_search *search, const struct driver_target *target,
	       const char *file, struct gpu_metrics **out,
	       struct drmperf_error *error)
{
	const struct element *layout = find_layout(search);
	int ret;

	if (!layout) {
		log_write(&target->log, DRMPERF_LOG_INFO,
			  "%s is of version %u.%u with %zu bytes, which no "
			  "layout in the table amdgpu/gpu_metrics.xml has: its "
			  "sensors are left out",
			  file, search->data[2], search->data[3], search->size);
		return 0;
	}
	search->is_list = !element_attribute(layout, "size");
	ret = read_sensors(search, error);
	if (!ret)
		ret = read_layout(search, layout, error);
	if (!ret && search->count) {
		ret = keep_sensors(search, file, out);
		if (ret)
			error_set(error, ret, "no memory");
	}
	return ret;
}

int
gpu_metrics_find(const struct driver_target *target, uint32_t core,
		 struct arena *arena, struct gpu_metrics **out,
		 struct drmperf_error *error)
{
	uint8_t data[GPU_METRICS_SIZE] = { 0 };
	struct metric_search search = { .arena = arena, .data = data };
	const char *file = arena_printf(arena, "%s/gpu_metrics", target->sysfs);
	struct table *table;
	ssize_t size;
	int ret;

	*out = NULL;
	if (!file)
		return error_set(error, -ENOMEM, "no memory");
	size = read_file(file, data);
	if (size < 0)
		return error_is_transient((int)size)
			       ? error_set(error, (int)size, "cannot read %s",
					   file)
			       : 0;
	if (size <= LIST_BEGIN || read_number(data, 2) != (uint64_t)size)
		return 0;
	ret = table_find(&target->tables, "amdgpu", "gpu_metrics", &table,
			 error);
	if (ret)
		return ret;
	search.table = table;
	search.size = (size_t)size;
	if (core)
		snprintf(search.version, sizeof(search.version), "%u.%u.%u",
			 core >> 16 & 0xff, core >> 8 & 0xff, core & 0xff);
	ret = search_sensors(&search, target, file, out, error);
	free(search.known);
	free(search.sensors);
	free(search.places);
	table_destroy(table);
	return ret;
}
