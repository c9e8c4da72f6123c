/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/records.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define NS_PER_S 1e9

enum column {
	COLUMN_SCHEMA,
	COLUMN_RUN,
	COLUMN_PASS,
	COLUMN_DEVICE,
	COLUMN_DIE,
	COLUMN_EVENT,
	COLUMN_INSTANCE,
	COLUMN_VALUE,
	COLUMN_UNIT,
	COLUMN_START,
	COLUMN_LENGTH,
	COLUMN_RATE,
	COLUMN_SCOPE,
	COLUMN_CONTROL,
	COLUMN_ENGINE_HELD,
	COLUMN_ENGINE_BEFORE,
	COLUMN_MEMORY_HELD,
	COLUMN_MEMORY_BEFORE,
	COLUMN_COUNT
};

static const char *const column_names[COLUMN_COUNT] = {
	[COLUMN_SCHEMA] = "schema",	[COLUMN_RUN] = "run",
	[COLUMN_PASS] = "pass",		[COLUMN_DEVICE] = "device",
	[COLUMN_DIE] = "die",		[COLUMN_EVENT] = "event",
	[COLUMN_INSTANCE] = "instance", [COLUMN_VALUE] = "value",
	[COLUMN_UNIT] = "unit",		[COLUMN_START] = "start_ns",
	[COLUMN_LENGTH] = "length_ns",	[COLUMN_RATE] = "rate",
	[COLUMN_SCOPE] = "scope",	[COLUMN_CONTROL] = "control",
	[COLUMN_ENGINE_HELD] = "engine_held_hz",
	[COLUMN_ENGINE_BEFORE] = "engine_before_hz",
	[COLUMN_MEMORY_HELD] = "memory_held_hz",
	[COLUMN_MEMORY_BEFORE] = "memory_before_hz",
};

enum cell_kind {
	CELL_EMPTY,
	CELL_TEXT,
	CELL_UINT,
	CELL_DOUBLE, /* empty if it is no number */
	CELL_BOOL,
};

struct cell {
	enum cell_kind kind;
	union {
		const char *text;
		uint64_t number;
		double real;
		bool is;
	};
};

/* ------------------------------------------------------------------ */
/* Cells                                                                */

static struct cell
text_cell(const char *text)
{
	return (struct cell){ .kind = CELL_TEXT, .text = text };
}

static struct cell
uint_cell(uint64_t number)
{
	return (struct cell){ .kind = CELL_UINT, .number = number };
}

/* Return an empty cell for numbers below 0. */
static struct cell
index_cell(int64_t number)
{
	if (number < 0)
		return (struct cell){ .kind = CELL_EMPTY };
	return uint_cell((uint64_t)number);
}

static struct cell
double_cell(double real)
{
	return (struct cell){
		.kind = isfinite(real) ? CELL_DOUBLE : CELL_EMPTY,
		.real = real,
	};
}

static bool
is_integer(const struct record *record)
{
	return record->event.type == DRMPERF_TYPE_UINT64;
}

/* Return the index of a device. CPUs are no device of the list. */
static int
device_index(const struct drmperf_event *event)
{
	const struct drmperf_device *device = drmperf_event_device(event);

	return strcmp(drmperf_device_driver(device), "cpu")
		       ? (int)drmperf_device_index(device)
		       : -1;
}

struct record_event
record_event_of(const struct drmperf_selection *selection)
{
	const struct drmperf_event *event = selection->event;

	return (struct record_event){
		.name = drmperf_event_name(event),
		.unit = drmperf_event_unit(event),
		.type = drmperf_event_type(event),
		.kind = drmperf_event_kind(event),
		.scope = drmperf_event_scope(event),
		.device = device_index(event),
		.instance = selection->instance,
	};
}

double
records_rate(const struct record *record)
{
	double value = is_integer(record) ? (double)record->value.u64
					  : record->value.f64;

	if (record->event.kind != DRMPERF_KIND_CUMULATIVE ||
	    !record->length_ns || record->reason)
		return NAN;
	return value * NS_PER_S / (double)record->length_ns;
}

/* Return the cell of a clock. An unknown clock is 0. */
static struct cell
clock_cell(uint64_t hz)
{
	return hz ? uint_cell(hz) : (struct cell){ .kind = CELL_EMPTY };
}

static void
fill_clocks(const struct held_clocks *clocks, struct cell cells[COLUMN_COUNT])
{
	static const struct held_clocks none;

	if (!clocks)
		clocks = &none;
	cells[COLUMN_ENGINE_HELD] = clock_cell(clocks->held.engine_hz);
	cells[COLUMN_ENGINE_BEFORE] = clock_cell(clocks->before.engine_hz);
	cells[COLUMN_MEMORY_HELD] = clock_cell(clocks->held.memory_hz);
	cells[COLUMN_MEMORY_BEFORE] = clock_cell(clocks->before.memory_hz);
}

static void
record_fill(const struct record *record, struct cell cells[COLUMN_COUNT])
{
	const struct record_event *event = &record->event;

	cells[COLUMN_SCHEMA] = uint_cell(RECORDS_SCHEMA);
	cells[COLUMN_RUN] = uint_cell(record->run);
	cells[COLUMN_PASS] = uint_cell(record->pass);
	cells[COLUMN_DEVICE] = index_cell(event->device);
	cells[COLUMN_DIE] = index_cell(DRMPERF_DIE_OF(event->instance) >= 0
					       ? DRMPERF_DIE_OF(event->instance)
					       : record->die);
	cells[COLUMN_EVENT] = text_cell(event->name);
	cells[COLUMN_INSTANCE] =
		index_cell(DRMPERF_INSTANCE_OF(event->instance));
	if (record->reason)
		cells[COLUMN_VALUE] = (struct cell){ .kind = CELL_EMPTY };
	else if (is_integer(record))
		cells[COLUMN_VALUE] = uint_cell(record->value.u64);
	else
		cells[COLUMN_VALUE] = double_cell(record->value.f64);
	cells[COLUMN_UNIT] = text_cell(drmperf_unit_name(event->unit));
	cells[COLUMN_START] = uint_cell(record->start_ns);
	cells[COLUMN_LENGTH] = uint_cell(record->length_ns);
	cells[COLUMN_RATE] = double_cell(records_rate(record));
	cells[COLUMN_SCOPE] = text_cell(tool_scope_name(event->scope));
	cells[COLUMN_CONTROL] =
		(struct cell){ .kind = CELL_BOOL, .is = record->control };
	fill_clocks(record->clocks, cells);
}

/* ------------------------------------------------------------------ */
/* CSV                                                                  */

void
records_write_csv_text(const struct records *records, const char *text)
{
	const char special[] = { *records->separator, '"', '\n', '\r', '\0' };

	if (!text[strcspn(text, special)]) {
		fputs(text, records->out);
		return;
	}
	fputc('"', records->out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', records->out);
		fputc(*text, records->out);
	}
	fputc('"', records->out);
}

static void
write_csv_cell(const struct records *records, const struct cell *cell)
{
	char text[JSON_NUMBER_SIZE] = "";

	switch (cell->kind) {
	case CELL_EMPTY:
		break;
	case CELL_TEXT:
		records_write_csv_text(records, cell->text);
		return;
	case CELL_UINT:
		snprintf(text, sizeof(text), "%" PRIu64, cell->number);
		break;
	case CELL_DOUBLE:
		json_format_double(cell->real, text);
		break;
	case CELL_BOOL:
		records_write_csv_text(records, cell->is ? "yes" : "no");
		return;
	}
	records_write_csv_text(records, text);
}

static void
write_csv(const struct records *records, const struct cell cells[COLUMN_COUNT])
{
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		if (i)
			fputs(records->separator, records->out);
		write_csv_cell(records, &cells[i]);
	}
	fputc('\n', records->out);
}

static void
write_csv_head(const struct records *records)
{
	struct cell cells[COLUMN_COUNT];

	for (size_t i = 0; i < COLUMN_COUNT; i++)
		cells[i] = text_cell(column_names[i]);
	write_csv(records, cells);
}

/* ------------------------------------------------------------------ */
/* JSON                                                                 */

static void
write_json_cell(struct json *json, const char *key, const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_EMPTY:
		json_double(json, key, NAN);
		break;
	case CELL_TEXT:
		json_text(json, key, cell->text);
		break;
	case CELL_UINT:
		json_uint(json, key, cell->number);
		break;
	case CELL_DOUBLE:
		json_double(json, key, cell->real);
		break;
	case CELL_BOOL:
		json_bool(json, key, cell->is);
		break;
	}
}

static void
write_json(struct json *json, const struct cell cells[COLUMN_COUNT],
	   const char *reason)
{
	json_open(json, NULL, '{');
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		write_json_cell(json, column_names[i], &cells[i]);
	if (reason)
		json_text(json, "reason", reason);
	json_close(json, '}');
}

void
records_open_document(struct json *json, const char *const *command)
{
	json_open(json, NULL, '{');
	json_uint(json, "schema", RECORDS_SCHEMA);
	json_open(json, "command", '[');
	for (size_t i = 0; command[i]; i++)
		json_text(json, NULL, command[i]);
	json_close(json, ']');
}

/* ------------------------------------------------------------------ */

static void
records_begin(struct records *records)
{
	if (records->begun)
		return;
	records->begun = true;
	records->json.out = records->out;
	if (records->format == RECORDS_CSV && !records->goes_on)
		write_csv_head(records);
	if (records->format != RECORDS_JSON)
		return;
	records_open_document(&records->json, records->command);
	json_open(&records->json, "events", '[');
}

void
records_write(struct records *records, const struct record *record)
{
	struct cell cells[COLUMN_COUNT];

	records_begin(records);
	record_fill(record, cells);
	if (records->format == RECORDS_CSV) {
		write_csv(records, cells);
	} else {
		write_json(&records->json, cells, record->reason);
		if (records->format == RECORDS_JSON_LINES) {
			fputc('\n', records->out);
			records->json.comma = false;
		}
	}
	fflush(records->out);
}

struct json *
records_end_events(struct records *records)
{
	if (!records->begun || records->format != RECORDS_JSON)
		return NULL;
	if (!records->events_ended)
		json_close(&records->json, ']');
	records->events_ended = true;
	return &records->json;
}

void
records_end(struct records *records, size_t passes, size_t runs, double seconds)
{
	struct json *json = records_end_events(records);

	if (!json)
		return;
	json_uint(json, "passes", passes);
	json_uint(json, "runs", runs);
	json_double(json, "seconds", seconds);
	json_close(json, '}');
	fputc('\n', records->out);
	fflush(records->out);
}

/* Commas are chosen unless there is another. perf's "\t" means a tab. */
int
records_read_separator(struct tool *tool, const char *text, void *separator)
{
	const char **out = separator;

	if (!text)
		text = *out ? *out : ",";
	else if (!strcmp(text, "\\t"))
		text = "\t";
	*out = text;
	if (text[0] && !text[1] && !strchr("\"\n\r", *text))
		return 0;
	return tool_usage_error(tool, "-x takes one character, not \"%s\"",
				text);
}
