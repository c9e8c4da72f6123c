/* SPDX-License-Identifier: BSD-3-Clause */
#include "intel/platform.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/word.h"
#include "intel/oa_format.h"

static const char *const engine_names[SIM_ENGINE_CLASSES] = {
	[SIM_ENGINE_RENDER] = "rcs",  [SIM_ENGINE_COPY] = "bcs",
	[SIM_ENGINE_VIDEO] = "vcs",   [SIM_ENGINE_VIDEO_ENHANCE] = "vecs",
	[SIM_ENGINE_COMPUTE] = "ccs",
};

const char *sim_engine_name(enum sim_engine_class class)
{
	return engine_names[class];
}

unsigned
sim_topology_eus(const struct sim_topology *topology)
{
	unsigned subslices = 0;

	for (unsigned s = 0; s < topology->max_slices; s++)
		subslices +=
			(unsigned)__builtin_popcount(topology->subslices[s]);
	return subslices * topology->eus;
}

int
sim_topology_parse(struct sim_topology *topology, const char *value)
{
	struct sim_topology new = *topology;
	char text[128], *rest = text, *word;
	uint64_t mask;

	if (strlen(value) >= sizeof(text))
		return -EINVAL;
	strcpy(text, value);
	memset(new.subslices, 0, sizeof(new.subslices));
	for (unsigned s = 0; (word = strsep(&rest, ":")); s++) {
		if (s >= new.max_slices || sim_word_u64(word, &mask) ||
		    mask >> new.max_subslices)
			return -EINVAL;
		new.subslices[s] = (uint32_t)mask;
	}
	if (!sim_topology_eus(&new))
		return -EINVAL;
	*topology = new;
	return 0;
}

static enum sim_oa_generation
generation_of(unsigned version)
{
	if (version < 800)
		return SIM_OA_HASWELL;
	if (version < 900)
		return SIM_OA_GEN8;
	if (version < 1200)
		return SIM_OA_GEN9;
	if (version < 2000)
		return version < 1250 ? SIM_OA_GEN12 : SIM_OA_XEHP;
	return SIM_OA_XE2;
}

/*
 * Read word `index` of a line as a number that is at least 1 and at most max.
 */
static int
word_number(const struct sim_line *line, size_t index, uint64_t max,
	    uint64_t *out)
{
	int error = sim_line_number(line, index, out);

	return error || *out == 0 || *out > max ? -EINVAL : 0;
}

static int
read_name(struct sim_platform *p, const struct sim_line *line)
{
	if (line->count != 2 || strlen(line->words[1]) >= sizeof(p->name))
		return -EINVAL;
	strcpy(p->name, line->words[1]);
	p->cherryview = strcmp(p->name, "chv") == 0;
	return 0;
}

static int
read_version(struct sim_platform *p, const struct sim_line *line)
{
	uint64_t major, minor = 0;

	if (word_number(line, 1, 99, &major) || line->count > 3)
		return -EINVAL;
	if (line->count == 3 && sim_word_u64(line->words[2], &minor))
		return -EINVAL;
	p->version = (unsigned)(major * 100 + minor);
	p->generation = generation_of(p->version);
	return 0;
}

static int
read_formats(struct sim_platform *p, const struct sim_line *line)
{
	uint64_t number;

	for (size_t i = 1; i < line->count; i++) {
		if (word_number(line, i, 31, &number) ||
		    !sim_oa_format_find((unsigned)number,
					p->generation == SIM_OA_HASWELL))
			return -EINVAL;
		p->formats |= 1u << number;
	}
	return p->formats ? 0 : -EINVAL;
}

static int
read_timestamp(struct sim_platform *p, const struct sim_line *line)
{
	if (word_number(line, 1, 1000000000, &p->oa_hz))
		return -EINVAL;
	p->cs_hz = p->oa_hz;
	return line->count > 2 ? word_number(line, 2, p->oa_hz, &p->cs_hz) : 0;
}

/* Read "topology SLICES SUBSLICES EUS", the maxima. */
static int
read_topology(struct sim_platform *p, const struct sim_line *line)
{
	uint64_t slices, subslices, eus;

	if (word_number(line, 1, SIM_SLICES_MAX, &slices) ||
	    word_number(line, 2, SIM_SUBSLICES_MAX, &subslices) ||
	    word_number(line, 3, 16, &eus))
		return -EINVAL;
	p->topology.max_slices = (unsigned)slices;
	p->topology.max_subslices = (unsigned)subslices;
	p->topology.max_eus = (unsigned)eus;
	return 0;
}

/* Read "subslices MASK...", one for each slice. */
static int
read_subslices(struct sim_platform *p, const struct sim_line *line)
{
	uint64_t mask;

	if (line->count - 1 > SIM_SLICES_MAX)
		return -EINVAL;
	for (size_t i = 1; i < line->count; i++) {
		if (sim_word_u64(line->words[i], &mask) || mask > UINT32_MAX)
			return -EINVAL;
		p->topology.subslices[i - 1] = (uint32_t)mask;
	}
	return 0;
}

static int
read_eus(struct sim_platform *p, const struct sim_line *line)
{
	uint64_t eus;

	if (word_number(line, 1, 16, &eus))
		return -EINVAL;
	p->topology.eus = (unsigned)eus;
	return 0;
}

/* Read "frequency MIN MAX RP0", in MHz. */
static int
read_frequency(struct sim_platform *p, const struct sim_line *line)
{
	uint64_t mhz[3];

	for (size_t i = 0; i < 3; i++) {
		if (word_number(line, i + 1, 10000, &mhz[i]))
			return -EINVAL;
	}
	p->min_mhz = (unsigned)mhz[0];
	p->max_mhz = (unsigned)mhz[1];
	p->rp0_mhz = (unsigned)mhz[2];
	return mhz[0] <= mhz[1] && mhz[1] <= mhz[2] ? 0 : -EINVAL;
}

/* Read "engines NAME COUNT ...". */
static int
read_engines(struct sim_platform *p, const struct sim_line *line)
{
	uint64_t count;

	for (size_t i = 1; i < line->count; i += 2) {
		int class = sim_word_find(line->words[i], engine_names,
					  SIM_ENGINE_CLASSES);

		if (class < 0 ||
		    word_number(line, i + 1, SIM_ENGINES_MAX, &count))
			return -EINVAL;
		p->engines[class] = (unsigned)count;
	}
	/* what runs shaders, of either kind */
	return p->engines[SIM_ENGINE_RENDER] || p->engines[SIM_ENGINE_COMPUTE]
		       ? 0
		       : -EINVAL;
}

static int
read_gts(struct sim_platform *p, const struct sim_line *line)
{
	uint64_t gts;

	if (word_number(line, 1, 2, &gts))
		return -EINVAL;
	p->gts = (unsigned)gts;
	return 0;
}

static int
read_discrete(struct sim_platform *p, const struct sim_line *line)
{
	p->discrete = true;
	return line->count == 1 ? 0 : -EINVAL;
}

static int
read_vram(struct sim_platform *p, const struct sim_line *line)
{
	return word_number(line, 1, UINT64_MAX, &p->vram);
}

static int
read_media_oa(struct sim_platform *p, const struct sim_line *line)
{
	p->media_oa = true;
	return line->count == 1 ? 0 : -EINVAL;
}

/* Read "test-set UUID [HASH]". */
static int
read_test_set(struct sim_platform *p, const struct sim_line *line)
{
	uint64_t routing = 0;

	if (line->count < 2 || line->count > 3 ||
	    strlen(line->words[1]) != 36 ||
	    p->test_set_count == SIM_TEST_SETS_MAX)
		return -EINVAL;
	if (line->count == 3 && word_number(line, 2, UINT32_MAX, &routing))
		return -EINVAL;
	p->test_routings[p->test_set_count] = (uint32_t)routing;
	strcpy(p->test_sets[p->test_set_count++], line->words[1]);
	return 0;
}

/* Read "clock-set UUID SLOT". */
static int
read_clock_set(struct sim_platform *p, const struct sim_line *line)
{
	int slot;

	if (line->count != 3 || strlen(line->words[1]) != 36 ||
	    p->clock_set_count == SIM_CLOCK_SETS_MAX)
		return -EINVAL;
	slot = sim_oa_slot_parse(line->words[2]);
	if (slot < 0)
		return -EINVAL;
	strcpy(p->clock_sets[p->clock_set_count].uuid, line->words[1]);
	p->clock_sets[p->clock_set_count++].slot = slot;
	return 0;
}

static const struct {
	const char *key;
	int (*read)(struct sim_platform *, const struct sim_line *);
	bool required;
	bool many; /* each line counts; else the first one does */
} readers[] = {
	/* in this order: formats depend on the version */
	{ "platform", read_name, true, false },
	{ "version", read_version, true, false },
	{ "formats", read_formats, false, false },
	{ "timestamp", read_timestamp, true, false },
	{ "topology", read_topology, true, false },
	{ "subslices", read_subslices, true, false },
	{ "eus", read_eus, true, false },
	{ "frequency", read_frequency, true, false },
	{ "engines", read_engines, true, false },
	{ "gts", read_gts, false, false },
	{ "discrete", read_discrete, false, false },
	{ "vram", read_vram, false, false },
	{ "media-oa", read_media_oa, false, false },
	{ "test-set", read_test_set, false, true },
	{ "clock-set", read_clock_set, false, true },
};

static int
read_key(struct sim_platform *p, const struct sim_text *text, size_t reader)
{
	const char *key = readers[reader].key;
	bool found = false;

	for (size_t i = 0; i < text->count; i++) {
		const struct sim_line *line = &text->lines[i];

		if (strcmp(line->words[0], key) != 0)
			continue;
		struct sim_platform rest = *p; /* further lines are checked */
		bool counts = !found || readers[reader].many;

		found = *line->is_read = true;
		if (readers[reader].read(counts ? p : &rest, line)) {
			sim_line_complain(line);
			return -EINVAL;
		}
	}
	if (!found && readers[reader].required) {
		fprintf(stderr, "drmsim: %s: no '%s'\n", text->path, key);
		return -EINVAL;
	}
	return 0;
}

int
sim_platform_read(struct sim_platform *out, const struct sim_text *text)
{
	struct sim_platform platform = { .gts = 1 };
	int error = 0;

	for (size_t i = 0; i < ARRAY_SIZE(readers) && !error; i++)
		error = read_key(&platform, text, i);
	if (!error)
		*out = platform;
	return error;
}
