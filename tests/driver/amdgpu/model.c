/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/amdgpu/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void
give_up(const char *what, const char *text)
{
	fprintf(stderr, "amdgpu_model: %s: %s\n", what, text);
	exit(EXIT_FAILURE);
}

/* Return the array with room for one more. */
static void *
grow_array(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	array = reallocarray(array, count ? 2 * count : 1, size);
	if (!array)
		give_up("no memory", "");
	return array;
}

static FILE *
open_file(const char *folder, const char *name, const char *suffix)
{
	const char *top = getenv("TOP_DIR");
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/%s%s", top ? top : ".", folder,
		 name, suffix);
	file = fopen(path, "r");
	if (!file)
		give_up("cannot read", path);
	return file;
}

/* ------------------------------------------------------------------ */
/* The simulated GPU                                                    */

static void
add_special(struct amdgpu_model *model, const char *block, unsigned id,
	    const char *line)
{
	size_t at = model->special_count++;

	if (at == sizeof(model->special) / sizeof(model->special[0]))
		give_up("too many special events", block);
	snprintf(model->special[at].block, sizeof(model->special[at].block),
		 "%s", block);
	model->special[at].id = id;
	model->special[at].is_clock = !strncmp(line, "clock-event", 11);
	model->special[at].is_never = !strncmp(line, "never", 5);
}

/* Read "block CB 14 generic sa 4 bits=64 events=438 per=rb" */
static void
read_block(struct amdgpu_model *model, const char *line)
{
	const char *per = strstr(line, " per=");
	struct model_block *block;

	model->blocks =
		grow_array(model->blocks, model->block_count, sizeof(*block));
	block = &model->blocks[model->block_count++];
	memset(block, 0, sizeof(*block));
	if (sscanf(line, "block %31s %u %*s %7s", block->name, &block->number,
		   block->scope) != 3)
		give_up("no block", line);
	if (per)
		sscanf(per, " per=%7s", block->per);
}

/* Read events that work, the clock or a status bit makes count. */
static void
read_special(struct amdgpu_model *model, const char *line, char names[][96],
	     const unsigned *ids, size_t count)
{
	char name[96] = "", block[32];
	unsigned id;

	if (sscanf(line, "busy %*s %*u %u", &id) == 1) {
		add_special(model, "GRBM", id, line);
		return;
	}
	/* waves do nothing where the formula counts */
	if (!strncmp(line, "work wave-clock ", 16))
		return;
	if (sscanf(line, "work %*s %95s", name) != 1 &&
	    sscanf(line, "clock-event %95s", name) != 1 &&
	    sscanf(line, "never %95s", name) != 1)
		return;
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(names[i], name) &&
		    sscanf(name, "%31[^.]", block) == 1) {
			add_special(model, block, ids[i], line);
			return;
		}
	}
	give_up("an event without a number", line);
}

static void
read_gpu(struct amdgpu_model *model, const char *name, const char *suffix)
{
	static char names[256][96];
	static unsigned ids[256];
	static size_t named;
	FILE *file = open_file("utils/drmsim/gpus", name, suffix);
	char line[1024], other[256];

	if (*suffix)
		named = 0;
	while (fgets(line, sizeof(line), file)) {
		unsigned engine, array;
		unsigned long mask;

		if (sscanf(line, "include %255s", other) == 1)
			read_gpu(model, other, "");
		else if (!strncmp(line, "block ", 6))
			read_block(model, line);
		else if (named < 256 && sscanf(line, "event %95s %u",
					       names[named], &ids[named]) == 2)
			named++;
		else if (sscanf(line, "harvest cu %u %u %lx", &engine, &array,
				&mask) == 3) {
			size_t at = model->harvested_count++;

			model->harvested[at].engine = engine;
			model->harvested[at].array = array;
			model->harvested[at].mask = mask;
		}
		sscanf(line, "shader-engines %u", &model->engines);
		sscanf(line, "shader-arrays %u", &model->arrays);
		sscanf(line, "compute-units %u", &model->units);
		sscanf(line, "compute-dies %u", &model->dies);
		sscanf(line, "sclk %*u %u", &model->clock_mhz);
		sscanf(line, "l2-channels %u", &model->channels);
		sscanf(line, "wavefront %u", &model->wave_size);
		read_special(model, line, names, ids, named);
	}
	fclose(file);
}

/* ------------------------------------------------------------------ */
/* The table                                                            */

/*
 * Read the value of an attribute of a tag in the line, with entities replaced.
 */
static void
read_attribute(const char *line, const char *name, char *value, size_t size)
{
	static const struct {
		const char *entity;
		char c;
	} entities[] = { { "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' } };
	char mark[64];
	const char *at;
	size_t n = 0;

	snprintf(mark, sizeof(mark), " %s=\"", name);
	at = strstr(line, mark);
	if (!at)
		at = "\"";
	else
		at += strlen(mark);
	while (*at != '"' && n + 1 < size) {
		char c = *at;
		size_t skip = 1;

		for (size_t i = 0; i < 3; i++) {
			if (!strncmp(at, entities[i].entity,
				     strlen(entities[i].entity))) {
				c = entities[i].c;
				skip = strlen(entities[i].entity);
			}
		}
		value[n++] = c;
		at += skip;
	}
	value[n] = '\0';
}

/* Read "4 WAVES waves: Waves started." */
static void
read_event(struct amdgpu_model *model, const char *block, const char *line)
{
	struct model_event *event;
	const char *colon = strchr(line, ':');
	const char *follows = strstr(line, " follows=1");

	model->events =
		grow_array(model->events, model->event_count, sizeof(*event));
	event = &model->events[model->event_count];
	memset(event, 0, sizeof(*event));
	if (!colon ||
	    sscanf(line, " %u %95[^ :]", &event->id, event->name) != 2)
		return;
	snprintf(event->block, sizeof(event->block), "%s", block);
	event->follows = follows && follows < colon;
	model->event_count++;
}

static void
read_metric(struct amdgpu_model *model, const char *line)
{
	struct model_metric *metric;
	char type[16];

	model->metrics = grow_array(model->metrics, model->metric_count,
				    sizeof(*metric));
	metric = &model->metrics[model->metric_count++];
	read_attribute(line, "name", metric->name, sizeof(metric->name));
	read_attribute(line, "expression", metric->expression,
		       sizeof(metric->expression));
	read_attribute(line, "type", type, sizeof(type));
	metric->is_double = !strcmp(type, "double");
}

/* Return whether a line of chips.xml is of this GPU, and then its target. */
static bool
reads_target(const char *line, const char *const *identity, char *target)
{
	unsigned family, first, last, revision;
	const char *at = line + 1;

	if (*line != '\t' || strchr("<", *at))
		return false;
	at = *at == '"' ? strchr(at + 1, '"') + 1 : at + strcspn(at, " ");
	revision = (unsigned)strtoul(identity[1], NULL, 0);
	return sscanf(at, " %u %x-%x %*s %15s", &family, &first, &last,
		      target) == 4 &&
	       family == strtoul(identity[0], NULL, 0) && revision >= first &&
	       revision <= last &&
	       (!strstr(at, "ip=") || strstr(at, identity[2]));
}

/*
 * Find what compilers call the GPU: some of its blocks are of this target
 * alone.
 */
static void
find_target(struct amdgpu_model *model, const char *gpu, char *target)
{
	char line[1024], family[16] = "", revision[16] = "", version[16] = "";
	const char *const identity[] = { family, revision, version };
	FILE *file = open_file("utils/drmsim/gpus", gpu, ".gpu");
	unsigned core[3];

	while (fgets(line, sizeof(line), file)) {
		sscanf(line, "family %15s", family);
		sscanf(line, "external-rev %15s", revision);
		if (sscanf(line, "gfx-version %u %u %u", core, core + 1,
			   core + 2) == 3)
			snprintf(version, sizeof(version), "%u.%u.%u", core[0],
				 core[1], core[2]);
	}
	fclose(file);
	file = open_file("events/amdgpu", "chips", ".xml");
	while (fgets(line, sizeof(line), file))
		if (reads_target(line, identity, target))
			break;
	if (feof(file))
		give_up("no chip", gpu);
	fclose(file);
	/* no generation has one of the two only */
	model->has_shape = !strstr(line, " wgp-above-spi=") ||
			   strstr(line, " memory-interfaces=");
}

/*
 * Return whether a line is of a target: the first of a block's variants holds
 * that names the target, or none.
 */
static bool
is_of(const struct amdgpu_model *model, const char *line, const char *block,
      const char *target)
{
	char targets[256];

	read_attribute(line, "targets", targets, sizeof(targets));
	for (size_t i = 0; i < model->event_count; i++)
		if (!strcmp(model->events[i].block, block))
			return false;
	return !*targets || strstr(targets, target);
}

static void
read_table(struct amdgpu_model *model, const char *generation,
	   const char *target)
{
	FILE *file = open_file("events/amdgpu", generation, ".xml");
	bool in_list = false, wanted = false;
	char line[4096], block[32] = "";

	while (fgets(line, sizeof(line), file)) {
		if (strstr(line, "<block ")) {
			read_attribute(line, "name", block, sizeof(block));
			wanted = is_of(model, line, block, target);
		} else if (strstr(line, "<metric "))
			read_metric(model, line);
		else if (strstr(line, "<list of=\"event\""))
			in_list = wanted;
		else if (strstr(line, "</list>"))
			in_list = false;
		else if (in_list)
			read_event(model, block, line);
	}
	fclose(file);
}

/* ------------------------------------------------------------------ */

void
amdgpu_model_read(struct amdgpu_model *model, const char *gpu,
		  const char *generation)
{
	char target[16];

	memset(model, 0, sizeof(*model));
	read_gpu(model, gpu, ".gpu");
	find_target(model, gpu, target);
	read_table(model, generation, target);
}

void
amdgpu_model_free(struct amdgpu_model *model)
{
	free(model->blocks);
	free(model->events);
	free(model->metrics);
}

const struct model_block *
amdgpu_model_block(const struct amdgpu_model *model, const char *name)
{
	for (size_t i = 0; i < model->block_count; i++)
		if (!strcmp(model->blocks[i].name, name))
			return &model->blocks[i];
	return NULL;
}

bool
amdgpu_model_knows(const struct amdgpu_model *model, const char *name)
{
	static const char *const unknown[] = { "EA", "GL2A" };
	const struct model_block *block = amdgpu_model_block(model, name);

	if (!block)
		return false;
	for (size_t i = 0; i < 2; i++)
		if (!model->has_shape && !strcmp(name, unknown[i]))
			return false;
	return model->has_shape || strcmp(block->per, "rb");
}

const struct model_event *
amdgpu_model_event(const struct amdgpu_model *model, const char *block,
		   const char *name)
{
	for (size_t i = 0; i < model->event_count; i++)
		if (!strcmp(model->events[i].block, block) &&
		    !strcmp(model->events[i].name, name))
			return &model->events[i];
	return NULL;
}

static bool
is_harvested(const struct amdgpu_model *model, unsigned unit)
{
	unsigned array = unit / model->units;

	for (size_t i = 0; i < model->harvested_count; i++)
		if (model->harvested[i].engine == array / model->arrays &&
		    model->harvested[i].array == array % model->arrays &&
		    model->harvested[i].mask >> unit % model->units & 1)
			return true;
	return false;
}

/*
 * Return the number of an instance. The formula numbers instances with those
 * that are fused off, which are listed where there are several dies.
 */
static unsigned
number_of(const struct amdgpu_model *model, const struct model_block *block,
	  unsigned instance)
{
	unsigned number = 0;

	if (strcmp(block->per, "cu") || model->dies > 1)
		return instance;
	for (;; number++) {
		if (is_harvested(model, number))
			continue;
		if (!instance--)
			return number;
	}
}

unsigned long long
amdgpu_model_rate(const struct amdgpu_model *model, const char *block,
		  unsigned id)
{
	return 1000 * (256ull * id +
		       262144ull * amdgpu_model_block(model, block)->number);
}

unsigned long long
amdgpu_model_count(const struct amdgpu_model *model,
		   const struct model_event *event, unsigned instance)
{
	const struct model_block *block =
		amdgpu_model_block(model, event->block);

	if (!strcmp(block->per, "cu") && model->dies > 1 &&
	    is_harvested(model, instance))
		return 0;
	for (size_t i = 0; i < model->special_count; i++) {
		if (strcmp(model->special[i].block, event->block) ||
		    model->special[i].id != event->id)
			continue;
		if (model->special[i].is_never)
			return 0;
		if (model->special[i].is_clock)
			return 1000ull * model->clock_mhz;
		return amdgpu_model_rate(model, event->block, event->id) / 1000;
	}
	return 1 + number_of(model, block, instance) + 256ull * event->id +
	       262144ull * block->number;
}

unsigned
amdgpu_model_units(const struct amdgpu_model *model)
{
	unsigned total = model->engines * model->arrays * model->units;

	for (size_t i = 0; i < model->harvested_count; i++)
		total -=
			(unsigned)__builtin_popcountl(model->harvested[i].mask);
	return total;
}
