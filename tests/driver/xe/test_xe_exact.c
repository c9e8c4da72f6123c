/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every counter of every metric set under xe, counted on a simulated GPU in
 * virtual time. Raw counters have what follows from the registers by the rules
 * of utils/drmsim/xe/README.md; counters have what their expressions make
 * of these, which are read and computed here, by nothing of the library.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/driver/xe/table.h"
#include "tests/support/suite.h"

#define PEC_COUNT 64
#define RAW_MAX PEC_COUNT
#define EVENTS_MAX 256

/* What a report has: PEC counters, those of media, or A, B and C as of old. */
enum layout {
	PEC,
	MEDIA,
	ABC,
};

/* In a report, one bank behind the other. */
static const struct bank {
	const char *name;
	unsigned count;
} banks[][3] = {
	[PEC] = { { "PEC", PEC_COUNT } },
	[MEDIA] = { { "A", 8 } },
	[ABC] = { { "A", 38 }, { "B", 8 }, { "C", 8 } },
};

#define MEDIA_COUNT 8

/* ------------------------------------------------------------------ */
/* The GPUs, as utils/drmsim/gpus has them                              */

static const struct chip {
	const char *platform;
	enum layout layout; /* of sets that are not of media */
	unsigned hz; /* of reports' timestamps */
	unsigned slices, xecores, threads; /* of eight engines, each */
	unsigned banks, nodes; /* of L3 */
	unsigned sets, events;
	unsigned interfaces; /* to memory; 0: as many as nodes */
	unsigned geometry, pixel; /* pipes of each slice */
	unsigned compute, copy; /* engines */
	unsigned device_id; /* 0: the only one here of the platform */
} chips[] = {
	{ "lnl", PEC, 19200000, 2, 8, 8, 8, 2, 15, 528, 0, 1, 2, 1, 1, 0 },
	{ "bmg", PEC, 19200000, 5, 20, 8, 24, 6, 17, 572, 0, 1, 2, 1, 1, 0 },
	{ "ptl", PEC, 19200000, 2, 12, 10, 8, 2, 15, 535, 0, 1, 2, 1, 1, 0 },
	{ "nvl", PEC, 19200000, 1, 4, 10, 4, 1, 15, 530, 2, 1, 2, 1, 1,
	  0xd741 },
	/* slices of two XeCores have one pipe of each kind */
	{ "nvl", PEC, 19200000, 1, 2, 10, 2, 1, 15, 528, 2, 1, 1, 1, 1,
	  0xd740 },
	{ "nvlp", PEC, 19200000, 2, 12, 10, 8, 2, 16, 580, 0, 2, 2, 1, 1, 0 },
	{ "cri", PEC, 19200000, 4, 32, 8, 32, 8, 11, 262, 0, 1, 2, 4, 8, 0 },
	{ "pvc", ABC, 25000000, 0, 56, 8, 64, 0, 2, 59, 0, 0, 0, 1, 8, 0x0bda },
	/* the first of two tiles */
	{ "pvc", ABC, 25000000, 0, 64, 8, 64, 0, 2, 59, 0, 0, 0, 1, 8, 0x0bd5 },
};

static const struct chip *chip;

/*
 * Find a constant: pipes by slices, interfaces to memory by nodes of L3, and
 * blocks of registers by threads: rules of Metrics Discovery.
 */
static bool
find_constant(const char *name, double *value)
{
	const struct {
		const char *name;
		unsigned value;
	} constants[] = {
		{ "GpuTimestampFrequency", chip->hz },
		{ "SliceTotalCount", chip->slices },
		{ "XeCoreTotalCount", chip->xecores },
		{ "EuCoresTotalCount", 8 * chip->xecores },
		{ "VectorEngineTotalCount", 8 * chip->xecores },
		{ "VectorEngineThreadsCount", chip->threads },
		{ "EuThreadsCount", chip->threads },
		{ "L3BankTotalCount", chip->banks },
		{ "L3NodeTotalCount", chip->nodes },
		{ "SqidiTotalCount",
		  chip->interfaces ? chip->interfaces : chip->nodes },
		{ "VectorEngineGrfBlocksCount", chip->threads == 8 ? 64 : 32 },
		{ "GeometryPipeTotalCount", chip->geometry * chip->slices },
		{ "ColorPipeTotalCount", chip->pixel * chip->slices },
		{ "DepthPipeTotalCount", chip->pixel * chip->slices },
		{ "ComputeEngineTotalCount", chip->compute },
		{ "CopyEngineTotalCount", chip->copy },
	};

	for (size_t i = 0; i < ARRAY_SIZE(constants); i++) {
		if (!strcmp(constants[i].name, name)) {
			*value = constants[i].value;
			return true;
		}
	}
	return false;
}

/* ------------------------------------------------------------------ */
/* Raw counters                                                         */

/* What has been written: no set takes back what another one wrote. */
static uint32_t selectors[512], flex[7];
static const uint32_t flex_addresses[] = { 0xe458, 0xe558, 0xe658, 0xe758,
					   0xe45c, 0xe55c, 0xe65c };
/* Rates of the media units and of the memory fabric's. */
static const uint32_t media_addresses[] = { 0x393200, 0x394200, 0x394a00,
					    0x145340 };
static uint32_t media_selectors[ARRAY_SIZE(media_addresses)][MEDIA_COUNT];
static size_t media_unit; /* whose set was written last */
static uint32_t routing; /* hash of what was written last, without FLEX */

static uint32_t
hash_word(uint32_t hash, uint32_t word)
{
	for (unsigned shift = 0; shift < 32; shift += 8)
		hash = (hash ^ (word >> shift & 0xff)) * 16777619; /* FNV-1a */
	return hash;
}

static bool
write_flex(uint32_t address, uint32_t value)
{
	for (size_t f = 0; f < ARRAY_SIZE(flex); f++) {
		if (flex_addresses[f] != address)
			continue;
		flex[f] = value;
		return true;
	}
	return false;
}

static void
write_media(uint32_t address, uint32_t value)
{
	for (size_t m = 0; m < ARRAY_SIZE(media_addresses); m++) {
		const uint32_t offset = address - media_addresses[m];

		if (offset >= 8 * MEDIA_COUNT)
			continue;
		media_unit = m;
		if (offset % 8 == 0)
			media_selectors[m][offset / 8] = value;
	}
}

static void
write_registers(const struct list *list)
{
	routing = 2166136261;
	for (size_t i = 0; i < list->count; i++) {
		const uint32_t address = list->pairs[i][0];
		const uint32_t value = list->pairs[i][1];

		if (address >= 0x13000 && address < 0x13800)
			selectors[(address - 0x13000) / 4] = value;
		write_media(address, value);
		if (!write_flex(address, value))
			routing = hash_word(hash_word(routing, address), value);
	}
}

/* Return the rate in a tick, which has that many clocks. */
static double
of_selector(uint32_t selector, unsigned clocks)
{
	return selector ? 1 + selector % (256 * (clocks - 1)) / 256.0 : 0;
}

/* Return the share that the filter of shader stages lets through. */
static double
share_passed(unsigned pec)
{
	unsigned filter;

	if (pec < 7 || pec > 20)
		return 1;
	filter = flex[(pec - 7) / 2] >> 12 * ((pec - 7) % 2) & 0xfff;
	if (!filter)
		return 1;
	return filter % 16 ? 0 : (1 + filter / 16 % 16) / 16.0;
}

static double
lower_rate(unsigned pec, unsigned clocks)
{
	const uint32_t selector = selectors[2 * pec];
	const bool of_vectors = (selector & 0xffffefff) >> 8 == 6;

	if ((selector & 0xffff) == 0x3e00 && selector & 0x10000)
		return selector >> 20 < chip->xecores ? clocks : 0;
	if ((selector & 0xffff) == 0x3e00)
		return clocks * chip->xecores;
	return of_selector(selector, clocks) *
	       (of_vectors ? share_passed(pec) : 1);
}

/* Return the upper rate: the copies of a selector bring a third each. */
static double
upper_rate(unsigned pec, unsigned clocks)
{
	double rate = 0;

	for (unsigned copy = 0; copy < 3; copy++) {
		const uint32_t selector =
			selectors[(0x300 + copy * 0x200) / 4 +
				  2 * (pec - PEC_COUNT / 2)];

		rate += selector == 0x5a00 ? clocks
					   : of_selector(selector, clocks);
	}
	return rate / 3;
}

/*
 * Return the rate of A7 to A20 by FLEX, of B and C by all the rest; A0 of a GPU
 * that is busy.
 */
static double
old_rate(unsigned raw, unsigned clocks)
{
	const unsigned b = banks[ABC][0].count, c = b + banks[ABC][1].count;
	const unsigned k = (raw - 7) / 2, upper = (raw - 7) % 2;
	uint32_t word;

	if (raw >= b) {
		word = raw < c ? (uint32_t)'B' << 8 | (raw - b)
			       : (uint32_t)'C' << 8 | (raw - c);
		return (256 + hash_word(routing, word) % (256 * (clocks - 1))) /
		       256.0;
	}
	if (raw == 0)
		return clocks;
	if (raw < 7 || raw > 20)
		return raw;
	word = (flex[k] >> 12 * upper & 0xfff) | (flex[k] >> (24 + upper) & 1)
							 << 12;
	return (64 + word) / 16.0;
}

static double
rate_of(enum layout layout, unsigned raw, unsigned clocks)
{
	switch (layout) {
	case MEDIA:
		return of_selector(media_selectors[media_unit][raw], clocks);
	case ABC:
		return old_rate(raw, clocks);
	case PEC:
		break;
	}
	return raw < PEC_COUNT / 2 ? lower_rate(raw, clocks)
				   : upper_rate(raw, clocks);
}

static unsigned
raw_count(enum layout layout)
{
	const struct bank *bank = banks[layout];

	return bank[0].count + bank[1].count + bank[2].count;
}

struct raw {
	enum layout layout;
	uint64_t time, clock, counters[RAW_MAX];
};

static void
check_raw(const char *set, const struct raw *raw)
{
	const unsigned clocks = (unsigned)(raw->clock / raw->time);

	ck_assert_uint_gt(clocks, 1);
	for (unsigned i = 0; i < raw_count(raw->layout); i++) {
		double rate = rate_of(raw->layout, i, clocks);
		double due = (double)raw->time * rate;

		/* rounded down at both ends */
		ck_assert_msg(fabs((double)raw->counters[i] - due) < 1.001,
			      "%s: raw %u has %llu, not %.1f", set, i,
			      (unsigned long long)raw->counters[i], due);
	}
}

/* Read "PEC12" of a report; false: it is none of its counters. */
static bool
find_raw(const struct raw *raw, const char *name, double *value)
{
	const size_t letters = strcspn(name, "0123456789");
	const struct bank *bank = banks[raw->layout];
	unsigned first = 0, index;
	char *end;

	for (; bank < banks[raw->layout] + 3 && bank->name; bank++) {
		index = (unsigned)strtoul(name + letters, &end, 10);
		if (strlen(bank->name) == letters && name[letters] && !*end &&
		    !strncmp(bank->name, name, letters)) {
			ck_assert_uint_lt(index, bank->count);
			*value = (double)raw->counters[first + index];
			return true;
		}
		first += bank->count;
	}
	return false;
}

/* ------------------------------------------------------------------ */
/* Expressions                                                          */

struct reader {
	const char *at;
	const char *table, *set;
	const struct raw *raw;
};

static double
evaluate_counter(const struct reader *from, const char *counter);
static double
read_sum(struct reader *reader);

static bool
take_term(struct reader *reader, const char *text)
{
	while (*reader->at == ' ')
		reader->at++;
	if (strncmp(reader->at, text, strlen(text)) != 0)
		return false;
	reader->at += strlen(text);
	return true;
}

static double
read_name(struct reader *reader)
{
	const size_t length = strspn(reader->at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
						 "abcdefghijklmnopqrstuvwxyz"
						 "0123456789_");
	char name[128];
	double value;

	ck_assert_msg(length && length < sizeof(name), "'%s'", reader->at);
	snprintf(name, sizeof(name), "%.*s", (int)length, reader->at);
	reader->at += length;
	if (!strcmp(name, "TIME"))
		return (double)reader->raw->time;
	if (!strcmp(name, "CLOCK"))
		return (double)reader->raw->clock;
	if (find_raw(reader->raw, name, &value) || find_constant(name, &value))
		return value;
	return evaluate_counter(reader, name);
}

static double
read_factor(struct reader *reader)
{
	double value, by;

	if (take_term(reader, "div(")) {
		value = read_sum(reader);
		ck_assert(take_term(reader, ","));
		by = read_sum(reader);
		ck_assert(take_term(reader, ")"));
		return by != 0 ? floor(value / by) : 0;
	}
	if (take_term(reader, "(")) {
		value = read_sum(reader);
		ck_assert(take_term(reader, ")"));
		return value;
	}
	if (!isdigit((unsigned char)*reader->at))
		return read_name(reader);
	value = (double)strtoull(reader->at, (char **)&reader->at, 10);
	return value;
}

static double
read_product(struct reader *reader)
{
	double value = read_factor(reader), by;

	while (true) {
		if (take_term(reader, "*")) {
			value *= read_factor(reader);
		} else if (take_term(reader, "/")) {
			by = read_factor(reader);
			value = by != 0 ? value / by : 0;
		} else {
			return value;
		}
	}
}

static double
read_sum(struct reader *reader)
{
	double value = read_product(reader);

	while (take_term(reader, "+"))
		value += read_product(reader);
	return value;
}

static double
evaluate_counter(const struct reader *from, const char *counter)
{
	char *text = xe_table_expression(from->table, from->set, counter);
	struct reader reader = *from;
	double value;

	reader.at = text;
	value = read_sum(&reader);
	ck_assert_msg(!*reader.at, "%s = %s", counter, text);
	free(text);
	return value;
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

struct counted {
	struct drmperf_selection selections[EVENTS_MAX];
	union drmperf_value values[EVENTS_MAX];
	size_t count;
};

static void
add_event(struct counted *counted, const char *set, const char *counter)
{
	char name[160];

	snprintf(name, sizeof(name), "xe::%s.%s", set, counter);
	ck_assert_uint_lt(counted->count, EVENTS_MAX);
	ck_assert_msg(!drmperf_event_find(counting.drmperf, name,
					  &counted->selections[counted->count],
					  &counting.error),
		      "%s", name);
	counted->count++;
}

static void
add_raw(struct counted *counted, const char *set, enum layout layout)
{
	char name[16];

	add_event(counted, set, "TIME");
	add_event(counted, set, "CLOCK");
	for (size_t b = 0; b < ARRAY_SIZE(banks[layout]); b++) {
		const struct bank *bank = &banks[layout][b];

		for (unsigned i = 0; i < bank->count; i++) {
			snprintf(name, sizeof(name), "%s%u", bank->name, i);
			add_event(counted, set, name);
		}
	}
}

/* Add all events of the group but the age of reports. */
static void
add_events(struct counted *counted, const struct drmperf_device *device,
	   const struct drmperf_group *group)
{
	const size_t first = drmperf_group_first_event(group);

	for (size_t i = 0; i < drmperf_group_event_count(group); i++) {
		const struct drmperf_event *event =
			drmperf_event_at(device, first + i);
		const char *name = strchr(drmperf_event_name(event), '.') + 1;

		if (strcmp(name, "ReportAge") != 0)
			add_event(counted, drmperf_group_name(group), name);
	}
}

static void
count_events(struct counted *counted)
{
	struct drmperf_session *session;

	counting_succeeded(drmperf_session_create(
		counting.drmperf, counted->selections, counted->count, NULL,
		&session, &counting.error));
	counting_run(session);
	ck_assert_int_eq(drmsim_advance(123456789), 0);
	counting_read(session, counted->values);
	drmperf_session_destroy(session);
}

static void
check_event(const struct counted *counted, size_t i,
	    const struct reader *reader)
{
	const struct drmperf_event *event = counted->selections[i].event;
	const char *name = drmperf_event_name(event);
	const double due = evaluate_counter(reader, strchr(name, '.') + 1);
	const double is = drmperf_event_type(event) == DRMPERF_TYPE_DOUBLE
				  ? counted->values[i].f64
				  : (double)counted->values[i].u64;

	ck_assert_msg(fabs(is - due) <= 1e-12 * fabs(due),
		      "%s: %.17g, not %.17g", name, is, due);
}

static unsigned
check_set(const struct drmperf_device *device,
	  const struct drmperf_group *group, const char *table,
	  const char *registers)
{
	static struct counted counted;
	static struct list list;
	const char *set = drmperf_group_name(group);
	struct raw raw = { .layout = xe_set_has_shaders(set) ? chip->layout
							     : MEDIA };
	const struct reader reader = { .table = table,
				       .set = set,
				       .raw = &raw };
	size_t raws;

	counted.count = 0;
	add_raw(&counted, set, raw.layout);
	raws = counted.count;
	add_events(&counted, device, group);
	count_events(&counted);
	xe_table_registers(registers, set, &list);
	write_registers(&list);
	raw.time = counted.values[0].u64;
	raw.clock = counted.values[1].u64;
	for (size_t i = 2; i < raws; i++)
		raw.counters[i - 2] = counted.values[i].u64;
	ck_assert_uint_ge(raw.time,
			  UINT64_C(123456789) * chip->hz / 1000000000);
	check_raw(set, &raw);
	for (size_t i = raws; i < counted.count; i++)
		check_event(&counted, i, &reader);
	return (unsigned)(counted.count - raws);
}

static unsigned
read_device_id(void)
{
	FILE *file = fopen("/sys/class/drm/renderD128/device/device", "re");
	unsigned id = 0;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%x", &id), 1);
	fclose(file);
	return id;
}

static const struct chip *
find_chip(const struct drmperf_device *device)
{
	const unsigned id = read_device_id();

	for (size_t i = 0; i < ARRAY_SIZE(chips); i++) {
		if (!strcmp(chips[i].platform,
			    drmperf_device_generation(device)) &&
		    (!chips[i].device_id || chips[i].device_id == id))
			return &chips[i];
	}
	return NULL;
}

TEST_CASE(all, NULL, NULL, "xe_exact");

TEST(all, every_counter_of_every_set_is_exact)
{
	struct drmperf_device *device;
	unsigned sets = 0, events = 0;
	char file[64], *table, *registers;

	counting_begin();
	device = drmperf_device_at(counting.drmperf, 0);
	counting_succeeded(drmperf_device_open(device, &counting.error));
	chip = find_chip(device);
	ck_assert_ptr_nonnull(chip);
	snprintf(file, sizeof(file), "%s.xml", chip->platform);
	table = xe_table_read(file);
	snprintf(file, sizeof(file), "%s.registers.xml", chip->platform);
	registers = xe_table_read(file);
	for (size_t i = 0; i < drmperf_group_count(device); i++) {
		const struct drmperf_group *group = drmperf_group_at(device, i);
		const char *name = drmperf_group_name(group);

		if (strncmp(drmperf_group_domain(group), "oa", 2) != 0 ||
		    !strncmp(name, "oa", 2) || !strcmp(name, "report"))
			continue;
		events += check_set(device, group, table, registers);
		sets++;
	}
	ck_assert_uint_eq(sets, chip->sets);
	ck_assert_uint_eq(events, chip->events);
	free(registers);
	free(table);
	counting_end();
}

TEST_GPUS("xe_exact", "lnl", "bmg", "ptl", "nvl", "nvl2", "nvlp", "cri", "pvc",
	  "pvc2");
