/* SPDX-License-Identifier: BSD-3-Clause */
#include "verdict/roofline.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/format_number.h"
#include "util/remarks.h"

/* ------------------------------------------------------------------ */
/* Roofs of the event tables                                            */

int
roofline_add(struct roofline *roofline, const struct roof *roof)
{
	struct roof *added =
		array_add(&roofline->list, &roofline->count, sizeof(*added));

	if (!added)
		return -ENOMEM;
	*added = *roof;
	return 0;
}

void
roofline_finish(struct roofline *roofline)
{
	for (size_t i = 0; i < roofline->count; i++)
		free(roofline->list[i].events);
	for (size_t i = 0; i < roofline->group_count; i++)
		drmperf_metric_groups_destroy(roofline->groups[i]);
	free(roofline->list);
	free(roofline->groups);
	*roofline = (struct roofline){ 0 };
}

/* Return the bytes that one of the event's unit is, or 0. */
static double
bytes_of_unit(const struct drmperf_event *event)
{
	if (drmperf_event_kind(event) != DRMPERF_KIND_CUMULATIVE)
		return 0;
	switch (drmperf_event_unit(event)) {
	case DRMPERF_UNIT_BYTES:
		return 1;
	case DRMPERF_UNIT_KIBIBYTES:
		return 1024;
	default:
		return 0;
	}
}

static void
add_event(const struct selection_list *choice,
	  const struct drmperf_event *event, struct roof *roof)
{
	const struct drmperf_selection whole = {
		.event = event,
		.instance = DRMPERF_ALL_INSTANCES,
	};
	const size_t at = selection_list_index(choice, &whole);

	if (at == choice->count)
		roof->missing++;
	else
		roof->events[roof->event_count++] = (unsigned)at;
}

/* Add a roof of these events. */
static int
add_roof(const struct selection_list *choice, struct roof roof,
	 const struct drmperf_event *const *events, size_t count,
	 struct roofline *out)
{
	roof.events = calloc(count + 1, sizeof(*roof.events));
	if (!roof.events)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		add_event(choice, events[i], &roof);
	if (!roofline_add(out, &roof))
		return 0;
	free(roof.events);
	return -ENOMEM;
}

/* Return whether bytes of a peak are the memory's, and not those of a cache. */
static bool
is_of_memory(const struct drmperf_peak *peak)
{
	return !strcmp(peak->group, "memory") ||
	       !strcmp(peak->group, ROOFLINE_GROUP);
}

static int
add_peak(const struct selection_list *choice, const struct drmperf_peak *peak,
	 struct roofline *out)
{
	const struct drmperf_event *event = peak->events[0];
	const double bytes = bytes_of_unit(event);
	const double factor = peak->operations > 0 ? peak->operations : bytes;

	if (!(factor > 0) || !(peak->operations > 0 || is_of_memory(peak)))
		return 0;
	return add_roof(choice,
			(struct roof){
				.device = (int)drmperf_device_index(
					drmperf_event_device(event)),
				.name = peak->name,
				.is_memory = !(peak->operations > 0),
				.is_most = peak->operations_are_most,
				.is_bound = peak->is_bound,
				.peak = peak->per_second * factor,
				.factor = factor,
			},
			peak->events, peak->event_count, out);
}

/*
 * Add what is counted of the roofline's operations where nobody knows how many
 * one of the unit is: it is in no sum.
 */
static int
add_unknown(const struct selection_list *choice,
	    const struct drmperf_peak *peak, struct roofline *out)
{
	if (strcmp(peak->group, ROOFLINE_GROUP) ||
	    bytes_of_unit(peak->events[0]) > 0)
		return 0;
	return add_roof(choice,
			(struct roof){
				.device = (int)drmperf_device_index(
					drmperf_event_device(peak->events[0])),
				.name = peak->name,
				.peak = NAN,
				.factor = NAN,
			},
			peak->events, peak->event_count, out);
}

static bool
has_memory(const struct roofline *roofline, size_t from)
{
	for (size_t i = from; i < roofline->count; i++) {
		if (roofline->list[i].is_memory)
			return true;
	}
	return false;
}

/* Add the memory of a group's events of bytes: its peak is not known. */
static int
add_memory(const struct selection_list *choice,
	   const struct drmperf_metric_group *group, struct roofline *out)
{
	const struct drmperf_event **events =
		calloc(group->event_count + 1, sizeof(*events));
	struct roof roof = { .name = "bandwidth",
			     .is_memory = true,
			     .peak = NAN };
	size_t count = 0;
	int ret = 0;

	if (!events)
		return -ENOMEM;
	for (size_t i = 0; i < group->event_count; i++) {
		const double bytes = bytes_of_unit(group->events[i]);

		if (!(bytes > 0))
			continue;
		roof.factor = bytes;
		events[count++] = group->events[i];
	}
	if (count) {
		roof.device = (int)drmperf_device_index(
			drmperf_event_device(events[0]));
		ret = add_roof(choice, roof, events, count, out);
	}
	free(events);
	return ret;
}

/* Add the memory of a GPU of which no peak is known. */
static int
find_memory(const struct tool *tool, const struct selection_list *choice,
	    struct drmperf_device *device, struct roofline *out)
{
	struct drmperf_metric_groups *groups;
	struct drmperf_error error;
	int ret = 0;

	if (drmperf_metric_groups_create(device, &groups, &error)) {
		tool_warn(tool, "no roofline: %s", error.cause);
		return 0;
	}
	out->groups[out->group_count++] = groups;
	for (size_t i = 0; !ret && i < groups->count; i++) {
		if (!strcmp(groups->list[i].name, ROOFLINE_GROUP))
			ret = add_memory(choice, &groups->list[i], out);
	}
	return ret;
}

static bool
has_operations(const struct drmperf_peaks *peaks)
{
	for (size_t i = 0; i < peaks->count; i++) {
		if (peaks->list[i]->operations > 0)
			return true;
	}
	return false;
}

static int
add_device(const struct tool *tool, const struct selection_list *choice,
	   const struct drmperf_peaks *peaks, struct roofline *out)
{
	const size_t first = out->count;
	unsigned device;
	int ret = 0;

	if (!has_operations(peaks))
		return 0;
	device = drmperf_device_index(
		drmperf_event_device(peaks->list[0]->events[0]));
	for (size_t i = 0; !ret && i < peaks->count; i++)
		ret = add_peak(choice, peaks->list[i], out);
	for (size_t i = 0; !ret && i < peaks->unknown_count; i++)
		ret = add_unknown(choice, peaks->unknown[i], out);
	if (!ret && !has_memory(out, first))
		ret = find_memory(tool, choice,
				  drmperf_device_at(tool->drmperf, device),
				  out);
	return ret;
}

int
roofline_find(const struct tool *tool, const struct selection_list *choice,
	      const struct peaks *peaks, struct roofline *out)
{
	int ret = 0;

	*out = (struct roofline){
		.groups = calloc(peaks->count + 1, sizeof(*out->groups)),
	};
	if (!out->groups)
		return tool_fail(tool, "no memory");
	for (size_t i = 0; !ret && i < peaks->count; i++)
		ret = add_device(tool, choice, peaks->devices[i], out);
	return ret ? tool_fail(tool, "no memory") : 0;
}

/* ------------------------------------------------------------------ */
/* A point                                                              */

static double
sum_values(const struct roof *roof, const struct verdict_value *values,
	   bool per_second)
{
	double sum = roof->missing || !roof->event_count ? NAN : 0;

	for (size_t i = 0; i < roof->event_count; i++) {
		const struct verdict_value *value = &values[roof->events[i]];

		sum += per_second ? value->per_second : value->value;
	}
	/* of an unknown factor: none is none of whatever it is */
	return sum == 0 ? 0 : sum * roof->factor;
}

double
roof_rate(const struct roof *roof, const struct verdict_value *values)
{
	return sum_values(roof, values, true);
}

/* Keep a roof that is nearer to the point than those before. */
static void
point_take_roof(struct roofline_point *point, const struct roof *roof,
		double rate)
{
	const double percent = 100 * rate / roof->peak;

	if (isnan(percent) || (point->limit && percent <= point->percent))
		return;
	point->limit = roof;
	point->percent = percent;
}

static void
point_add_roof(struct roofline_point *point, const struct roof *roof,
	       const struct verdict_value *values)
{
	const double amount = sum_values(roof, values, false);
	const double rate = sum_values(roof, values, true);

	point_take_roof(point, roof, rate);
	if (roof->is_memory) {
		point->bytes = amount;
		point->bytes_per_second = rate;
	} else if (!isnan(amount) && !isnan(rate)) {
		point->operations = fmax(point->operations, 0) + amount;
		point->operations_per_second =
			fmax(point->operations_per_second, 0) + rate;
		point->is_most |= roof->is_most && amount > 0;
	}
}

/* Find why nothing can be concluded from a point, or NULL. */
static const char *
find_reason(const struct roofline_point *point)
{
	if (isnan(point->bytes_per_second))
		return "not all bytes of the memory were counted (--passes "
		       "counts what does not fit at once)";
	if (!(point->operations > 0))
		return "no floating-point operation of these types was counted";
	if (!(point->bytes > 0))
		return "no byte of the memory was counted";
	if (!point->limit)
		return "what the GPU can do is not known";
	if (!remarks_is_impossible(point->percent))
		return NULL;
	return point->limit->is_bound
		       ? "a cache before the memory gave more than the memory "
			 "can"
		       : "more was counted than the GPU can do";
}

bool
roofline_compute(const struct roofline *roofline, int device,
		 const struct verdict_value *values, struct roofline_point *out)
{
	*out = (struct roofline_point){
		.bytes = NAN,
		.bytes_per_second = NAN,
		.operations = NAN,
		.operations_per_second = NAN,
		.percent = NAN,
	};
	for (size_t i = 0; i < roofline->count; i++) {
		if (roofline->list[i].device == device)
			point_add_roof(out, &roofline->list[i], values);
	}
	if (isnan(out->operations))
		return false;
	out->intensity = out->bytes > 0 ? out->operations / out->bytes : NAN;
	out->reason = find_reason(out);
	if (out->reason) {
		out->limit = NULL;
		out->percent = NAN;
	}
	return true;
}

/* ------------------------------------------------------------------ */
/* For people                                                           */

const char *
roof_figure(bool is_memory, double per_second, char text[ROOF_FIGURE_SIZE])
{
	char rate[FORMAT_NUMBER_SIZE];

	/* operations are written as bytes are, but for the name */
	format_rate(is_memory ? DRMPERF_UNIT_BYTES : DRMPERF_UNIT_OPERATIONS,
		    DRMPERF_KIND_CUMULATIVE, per_second, 1, rate);
	if (is_memory) {
		snprintf(text, ROOF_FIGURE_SIZE, "%s", rate);
	} else {
		rate[strlen(rate) < 2 ? 0 : strlen(rate) - 2] = '\0';
		snprintf(text, ROOF_FIGURE_SIZE, "%s%sFLOP/s", rate,
			 strchr(rate, ' ') ? "" : " ");
	}
	return text;
}

const char *
roof_intensity(double intensity, char text[ROOF_FIGURE_SIZE])
{
	const bool is_large = intensity >= 999.5 && intensity < 1e15;

	snprintf(text, ROOF_FIGURE_SIZE,
		 is_large ? "%.0f FLOP/byte" : "%.3g FLOP/byte", intensity);
	return text;
}

static void
print_roof(FILE *out, const struct roof *roof, double rate)
{
	char text[ROOF_FIGURE_SIZE];

	fprintf(out, "   %s", roof->name);
	if (isnan(rate) && isnan(roof->factor) && !roof->missing) {
		fputs(": in none of these sums, its operations are not "
		      "known\n",
		      out);
		return;
	}
	if (isnan(rate)) {
		fputs(": not counted\n", out);
		return;
	}
	fprintf(out, ": %s%s", roof->is_most && rate > 0 ? "at most " : "",
		roof_figure(roof->is_memory, rate, text));
	if (isnan(roof->peak)) {
		fputs(", its roof is not known\n", out);
		return;
	}
	fprintf(out, ", %.0f %% of %s\n", 100 * rate / roof->peak,
		roof_figure(roof->is_memory, roof->peak, text));
}

void
roofline_print(FILE *out, const struct roofline *roofline, int device,
	       const struct roofline_point *point,
	       const struct verdict_value *values, size_t passes,
	       bool names_gpu)
{
	char text[ROOF_FIGURE_SIZE], intensity[ROOF_FIGURE_SIZE];

	fputs("\n roofline", out);
	if (names_gpu)
		fprintf(out, " of GPU %d", device);
	if (point->reason)
		fprintf(out, ": cannot tell: %s\n", point->reason);
	else
		fprintf(out,
			": %s%s, %s: nearest is the roof %s, "
			"at %.0f %%\n",
			point->is_most ? "at most " : "",
			roof_intensity(point->intensity, intensity),
			roof_figure(false, point->operations_per_second, text),
			point->limit->name, point->percent);
	for (size_t i = 0; i < roofline->count; i++) {
		const struct roof *roof = &roofline->list[i];

		if (roof->device == device)
			print_roof(out, roof, roof_rate(roof, values));
	}
	if (passes > 1)
		fprintf(out, "   (from %zu passes: each is a run of its own)\n",
			passes);
}

/* ------------------------------------------------------------------ */
/* For programs                                                         */

static void
write_roof(struct json *json, const struct roof *roof,
	   const struct verdict_value *values)
{
	const double rate = roof_rate(roof, values);

	json_open(json, NULL, '{');
	json_text(json, "name", roof->name);
	json_text(json, "of", roof->is_memory ? "bytes" : "operations");
	json_double(json, "per_second", rate);
	json_double(json, "peak", roof->peak);
	json_double(json, "percent", 100 * rate / roof->peak);
	json_bool(json, "at_most", roof->is_most);
	json_close(json, '}');
}

void
roofline_write(struct json *json, const struct roofline *roofline, int device,
	       const struct roofline_point *point,
	       const struct verdict_value *values, size_t passes)
{
	json_open(json, NULL, '{');
	json_uint(json, "device", (uint64_t)device);
	json_uint(json, "passes", passes);
	json_double(json, "operations", point->operations);
	json_double(json, "operations_per_second",
		    point->operations_per_second);
	json_bool(json, "at_most", point->is_most);
	json_double(json, "bytes", point->bytes);
	json_double(json, "bytes_per_second", point->bytes_per_second);
	json_double(json, "intensity", point->intensity);
	json_open(json, "roofs", '[');
	for (size_t i = 0; i < roofline->count; i++) {
		if (roofline->list[i].device == device)
			write_roof(json, &roofline->list[i], values);
	}
	json_close(json, ']');
	if (point->limit)
		json_text(json, "nearest", point->limit->name);
	json_double(json, "percent", point->percent);
	if (point->reason)
		json_text(json, "reason", point->reason);
	json_close(json, '}');
}

/* ------------------------------------------------------------------ */
/* In a recording                                                       */

enum roof_flag {
	ROOF_MEMORY = 1,
	ROOF_MOST = 2,
	ROOF_BOUND = 4,
};

void
roof_encode(struct bytes *bytes, const struct roof *roof)
{
	bytes_add_varint(bytes, (uint64_t)roof->device);
	bytes_add_text(bytes, roof->name);
	bytes_add_varint(bytes, (roof->is_memory ? ROOF_MEMORY : 0u) |
					(roof->is_most ? ROOF_MOST : 0u) |
					(roof->is_bound ? ROOF_BOUND : 0u));
	bytes_add_double(bytes, roof->peak);
	bytes_add_double(bytes, roof->factor);
	bytes_add_varint(bytes, roof->missing);
	bytes_add_varint(bytes, roof->event_count);
	for (size_t i = 0; i < roof->event_count; i++)
		bytes_add_varint(bytes, roof->events[i]);
}

/* Decode the places of events, each of which takes one byte at least. */
static int
decode_events(struct byte_reader *reader, size_t event_count, struct roof *out)
{
	const uint64_t count = bytes_read_varint(reader);

	if (reader->failed || count > (uint64_t)(reader->end - reader->at))
		return -EBADMSG;
	out->events = calloc(count + 1, sizeof(*out->events));
	if (!out->events)
		return -ENOMEM;
	while (out->event_count < count) {
		const uint64_t at = bytes_read_varint(reader);

		if (reader->failed || at >= event_count)
			return -EBADMSG;
		out->events[out->event_count++] = (unsigned)at;
	}
	return 0;
}

int
roof_decode(struct byte_reader *reader, size_t event_count, struct roof *out)
{
	const uint64_t device = bytes_read_varint(reader);
	uint64_t flags;
	int ret;

	*out = (struct roof){ .device = (int)(device & INT32_MAX) };
	out->name = bytes_read_text(reader);
	flags = bytes_read_varint(reader);
	out->is_memory = flags & ROOF_MEMORY;
	out->is_most = flags & ROOF_MOST;
	out->is_bound = flags & ROOF_BOUND;
	out->peak = bytes_read_double(reader);
	out->factor = bytes_read_double(reader);
	out->missing = (size_t)bytes_read_varint(reader);
	ret = device > INT32_MAX ? -EBADMSG
				 : decode_events(reader, event_count, out);
	if (ret) {
		free(out->events);
		out->events = NULL;
	}
	return ret;
}
