/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/rates.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/gfx/block.h"
#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "base/array.h"
#include "base/text.h"
#include "base/word.h"

#define MICRO 1000000ull
#define MHZ 1000000ull
#define ALL_STAGES 0x7fu
#define STAGES_CS 0x40u

enum rate_source {
	SOURCE_OPEN, /* of queues that allow counting */
	SOURCE_GRAPHICS, /* the gfx pipe: needs the window */
	SOURCE_OTHER, /* other processes' compute queues */
};

struct rule {
	enum rule_kind kind;
	const struct block *block;
	uint32_t event;
	int instance; /* or -1 */
	uint32_t stages;
	enum rate_source source;
	bool per_clock;
	uint64_t micro; /* 10^-6 */
};

struct rate_event {
	char name[48]; /* "SQ.WAVES" */
	const struct block *block;
	uint32_t event;
};

/* What events count of which no rule says it. */
enum rate_default {
	DEFAULT_FORMULA,
	DEFAULT_WAVES, /* what waves do, or else the formula */
	DEFAULT_ZERO,
};

struct rates {
	enum rate_default by_default;
	struct rule *rules;
	size_t rule_count, rule_room;
	struct rate_event *names;
	size_t name_count;
	/* events with a meaning of their own, by block; block NULL: none */
	struct rate_event never[2], accumulate[4], clock[24], ungated[4];
};

/* ---- reading */

static const struct rate_event *
find_name(const struct rates *rates, const char *word)
{
	for (size_t i = 0; i < rates->name_count; i++)
		if (strcmp(rates->names[i].name, word) == 0)
			return &rates->names[i];
	return NULL;
}

/* Read "SQ.4", "SQ.WAVES" if that name is known, or "SQ.*" with event ~0. */
static int
read_event(struct amdgpu *amdgpu, const char *word, struct rate_event *out)
{
	const struct rate_event *known = find_name(amdgpu->rates, word);
	const char *dot = strchr(word, '.');
	uint64_t number;

	if (known) {
		*out = *known;
		return 0;
	}
	if (!dot || sim_word_u64(dot + 1, &number) || number > UINT32_MAX)
		return -EINVAL;
	out->block = chip_block(&amdgpu->chip, word, (size_t)(dot - word));
	out->event = (uint32_t)number;
	return out->block && number < out->block->event_count ? 0 : -EINVAL;
}

static int
add_name(struct amdgpu *amdgpu, const struct sim_words *words)
{
	struct rates *rates = amdgpu->rates;
	struct rate_event *grown;
	const char *dot;
	uint64_t number;

	if (words->count != 2 || sim_word_u64(words->word[1], &number) ||
	    strlen(words->word[0]) >= sizeof(grown->name))
		return -EINVAL;
	dot = strchr(words->word[0], '.');
	if (!dot)
		return -EINVAL;
	grown = reallocarray(rates->names, rates->name_count + 1,
			     sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	rates->names = grown;
	grown += rates->name_count;
	strcpy(grown->name, words->word[0]);
	grown->block = chip_block(&amdgpu->chip, words->word[0],
				  (size_t)(dot - words->word[0]));
	grown->event = (uint32_t)number;
	if (!grown->block)
		return -EINVAL;
	rates->name_count++;
	return 0;
}

static int
add_rule(struct rates *rates, const struct rule *rule)
{
	struct rule *grown;

	/* a later rule for the same thing takes the place of the earlier */
	for (size_t i = 0; i < rates->rule_count; i++) {
		struct rule *old = &rates->rules[i];

		if (old->kind == rule->kind && old->block == rule->block &&
		    old->event == rule->event &&
		    old->instance == rule->instance &&
		    old->source == rule->source &&
		    old->stages == rule->stages) {
			*old = *rule;
			return 0;
		}
	}
	if (rates->rule_count == rates->rule_room) {
		size_t room = rates->rule_room * 2 + 16;

		grown = reallocarray(rates->rules, room, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		rates->rules = grown;
		rates->rule_room = room;
	}
	rates->rules[rates->rule_count++] = *rule;
	return 0;
}

static int
read_stages(const char *text, uint32_t *out)
{
	static const char *const names[] = { "ps", "vs", "gs", "es",
					     "hs", "ls", "cs" };
	char copy[64], *save = NULL;

	if (strlen(text) >= sizeof(copy))
		return -EINVAL;
	strcpy(copy, text);
	*out = 0;
	for (char *word = strtok_r(copy, "+", &save); word;
	     word = strtok_r(NULL, "+", &save)) {
		int stage = sim_word_find(word, names, ARRAY_SIZE(names));

		if (stage < 0)
			return -EINVAL;
		*out |= 1u << stage;
	}
	return *out ? 0 : -EINVAL;
}

static int
read_rule_option(struct rule *rule, const char *word)
{
	const char *value;
	uint64_t number;

	if ((value = sim_word_value(word, "instance"))) {
		if (sim_word_u64(value, &number) || number > INT32_MAX)
			return -EINVAL;
		rule->instance = (int)number;
		return 0;
	}
	if ((value = sim_word_value(word, "stages")))
		return read_stages(value, &rule->stages);
	if ((value = sim_word_value(word, "source"))) {
		if (strcmp(value, "graphics") == 0)
			rule->source = SOURCE_GRAPHICS;
		else if (strcmp(value, "other") == 0)
			rule->source = SOURCE_OTHER;
		else
			return -EINVAL;
		return 0;
	}
	return -EINVAL;
}

/* Read "1000", or "0.5/clock". */
static int
read_amount(struct rule *rule, const char *word)
{
	const char *slash = strchr(word, '/');
	char number[32];
	size_t length = slash ? (size_t)(slash - word) : strlen(word);

	if (length >= sizeof(number))
		return -EINVAL;
	memcpy(number, word, length);
	number[length] = '\0';
	if (slash && strcmp(slash, "/clock") != 0)
		return -EINVAL;
	rule->per_clock = slash != NULL;
	return sim_word_micro(number, &rule->micro);
}

static int
read_rule(struct amdgpu *amdgpu, enum rule_kind kind,
	  const struct sim_words *words)
{
	struct rule rule = { .kind = kind,
			     .instance = -1,
			     .stages = ALL_STAGES };
	struct rate_event event;
	int error;

	if (words->count < 2)
		return -EINVAL;
	error = read_event(amdgpu, words->word[0], &event);
	for (size_t i = 1; i + 1 < words->count && !error; i++)
		error = read_rule_option(&rule, words->word[i]);
	if (!error)
		error = read_amount(&rule, words->word[words->count - 1]);
	if (error)
		return error;
	if (kind == RULE_LEVEL)
		rule.per_clock = true;
	rule.block = event.block;
	rule.event = event.event;
	return add_rule(amdgpu->rates, &rule);
}

static int
read_work(struct amdgpu *amdgpu, const struct sim_words *words)
{
	static const struct {
		const char *name;
		enum rule_kind kind;
	} kinds[] = {
		{ "wave", RULE_PER_WAVE },
		{ "thread", RULE_PER_THREAD },
		{ "group", RULE_PER_GROUP },
		{ "clock", RULE_WHILE_BUSY },
		{ "wave-clock", RULE_WHILE_WAVES },
		{ "dispatch", RULE_PER_DISPATCH },
		{ "valu", RULE_PER_VALU },
		{ "salu", RULE_PER_SALU },
		{ "load", RULE_PER_LOAD },
		{ "store", RULE_PER_STORE },
		{ "flat", RULE_PER_FLAT },
		{ "l2-read", RULE_PER_L2_READ },
		{ "line-read", RULE_PER_LINE_READ },
		{ "line-written", RULE_PER_LINE_WRITTEN },
		{ "l2-write", RULE_PER_L2_WRITE },
	};
	struct sim_words rest = { .count = words->count - 1 };

	if (words->count < 3)
		return -EINVAL;
	memcpy(rest.word, &words->word[1], rest.count * sizeof(rest.word[0]));
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(kinds[i].name, words->word[0]) == 0)
			return read_rule(amdgpu, kinds[i].kind, &rest);
	return -EINVAL;
}

static int
set_default(struct rates *rates, const char *word)
{
	static const char *const names[] = { "formula", "waves", "zero" };
	int value = sim_word_find(word, names, ARRAY_SIZE(names));

	if (value < 0)
		return -EINVAL;
	rates->by_default = (enum rate_default)value;
	return 0;
}

/* Add an event into the first free place of a list. */
static int
add_special(struct amdgpu *amdgpu, struct rate_event *list, size_t room,
	    const char *word)
{
	for (size_t i = 0; i < room; i++)
		if (!list[i].block)
			return read_event(amdgpu, word, &list[i]);
	return -EINVAL;
}

int
rates_set(struct amdgpu *amdgpu, const char *key, const struct sim_words *words)
{
	struct rates *rates = amdgpu->rates;
	const struct {
		const char *key;
		enum rule_kind kind;
	} rules[] = {
		{ "rate", RULE_RATE },
		{ "level", RULE_LEVEL },
		{ "per-wave", RULE_PER_WAVE },
		{ "per-thread", RULE_PER_THREAD },
		{ "per-group", RULE_PER_GROUP },
		{ "per-dispatch", RULE_PER_DISPATCH },
	};
	const struct {
		const char *key;
		struct rate_event *to;
		size_t room;
	} special[] = {
		{ "never", rates->never, ARRAY_SIZE(rates->never) },
		{ "accumulate", rates->accumulate,
		  ARRAY_SIZE(rates->accumulate) },
		{ "clock-event", rates->clock, ARRAY_SIZE(rates->clock) },
		{ "ungated", rates->ungated, ARRAY_SIZE(rates->ungated) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (strcmp(key, rules[i].key) == 0)
			return read_rule(amdgpu, rules[i].kind, words);
	for (size_t i = 0; i < ARRAY_SIZE(special); i++)
		if (strcmp(key, special[i].key) == 0)
			return words->count == 1
				       ? add_special(amdgpu, special[i].to,
						     special[i].room,
						     words->word[0])
				       : -EINVAL;
	if (strcmp(key, "event") == 0)
		return add_name(amdgpu, words);
	if (strcmp(key, "work") == 0)
		return read_work(amdgpu, words);
	if (strcmp(key, "default") == 0)
		return words->count == 1 ? set_default(rates, words->word[0])
					 : -EINVAL;
	return -ENOENT;
}

/* Read lines that need all blocks: names of events, and rules about them. */
static int
read_description(struct amdgpu *amdgpu, const struct sim_text *text)
{
	for (size_t i = 0; i < text->count; i++) {
		const struct sim_line *line = &text->lines[i];
		struct sim_words words = sim_line_rest(line);
		int error = rates_set(amdgpu, line->words[0], &words);

		if (error == -ENOENT)
			continue;
		*line->is_read = true;
		if (error) {
			sim_line_complain(line);
			return error;
		}
	}
	return 0;
}

int
rates_create(struct amdgpu *amdgpu, const struct sim_text *description)
{
	amdgpu->rates = calloc(1, sizeof(*amdgpu->rates));
	if (!amdgpu->rates)
		return -ENOMEM;
	return read_description(amdgpu, description);
}

void
rates_free(struct amdgpu *amdgpu)
{
	if (!amdgpu->rates)
		return;
	free(amdgpu->rates->rules);
	free(amdgpu->rates->names);
	free(amdgpu->rates);
}

/* ---- asking */

static bool
is_event(const struct rate_event *event, const struct block *block,
	 uint32_t number)
{
	return event->block == block && event->event == number;
}

static bool
is_one_of(const struct rate_event *list, size_t count,
	  const struct block *block, uint32_t number)
{
	for (size_t i = 0; i < count; i++)
		if (is_event(&list[i], block, number))
			return true;
	return false;
}

bool
rates_are_ungated(const struct amdgpu *amdgpu, const struct block *block,
		  uint32_t event)
{
	const struct rates *rates = amdgpu->rates;

	return is_one_of(rates->ungated, ARRAY_SIZE(rates->ungated), block,
			 event);
}

static uint64_t
clock_hz(const struct amdgpu *amdgpu)
{
	return amdgpu_sclk(amdgpu) * MHZ;
}

/* Return whether the instance sees work of this source now. */
static bool
is_seen(const struct amdgpu *amdgpu, const struct block *block,
	const struct instance *instance, enum rate_source source,
	uint32_t stages)
{
	const struct die *die = amdgpu->dies[instance->die];
	const struct chip *chip = &amdgpu->chip;

	if (block->staged && !(die_stages(die, chip, block, instance) & stages))
		return false;
	if (!block->windowed || die_is_forced(die, chip, block))
		return true;
	switch (source) {
	case SOURCE_OPEN:
		return true;
	case SOURCE_GRAPHICS:
		return die->window_open;
	case SOURCE_OTHER:
		return false;
	}
	return false;
}

static uint64_t
rule_rate(const struct amdgpu *amdgpu, const struct rule *rule)
{
	if (!rule->per_clock)
		return rule->micro;
	/* millionths per clock: in 10^6 s as many as in a second, x 10^6 */
	return rule->micro * clock_hz(amdgpu);
}

static bool
rule_concerns(const struct rule *rule, const struct block *block,
	      uint32_t event, unsigned instance)
{
	return rule->block == block && rule->event == event &&
	       (rule->instance < 0 || (unsigned)rule->instance == instance);
}

/*
 * Return whether a rule is overruled: one for an instance goes before one for
 * all of them.
 */
static bool
is_overruled(const struct rates *rates, const struct rule *rule,
	     unsigned instance)
{
	if (rule->instance >= 0)
		return false;
	for (size_t i = 0; i < rates->rule_count; i++) {
		const struct rule *other = &rates->rules[i];

		if (other->kind == rule->kind &&
		    other->source == rule->source &&
		    other->stages == rule->stages && other->instance >= 0 &&
		    rule_concerns(other, rule->block, rule->event, instance))
			return true;
	}
	return false;
}

static uint64_t
sum_rules(const struct amdgpu *amdgpu, enum rule_kind kind,
	  const struct block *block, uint32_t event,
	  const struct instance *instance, unsigned number, bool *found)
{
	const struct rates *rates = amdgpu->rates;
	uint64_t sum = 0;

	for (size_t i = 0; i < rates->rule_count; i++) {
		const struct rule *rule = &rates->rules[i];

		if (rule->kind != kind ||
		    !rule_concerns(rule, block, event, number) ||
		    is_overruled(rates, rule, number))
			continue;
		*found = true;
		if (is_seen(amdgpu, block, instance, rule->source,
			    rule->stages))
			sum += rule_rate(amdgpu, rule);
	}
	return sum;
}

static bool
has_work(const struct rates *rates, const struct block *block, uint32_t event)
{
	for (size_t i = 0; i < rates->rule_count; i++) {
		const struct rule *rule = &rates->rules[i];

		/* what shaders do comes on top of the formula */
		if (rule->kind == RULE_RATE || rule->kind == RULE_LEVEL ||
		    rule->kind >= RULE_PER_VALU ||
		    (rule->kind == RULE_WHILE_WAVES &&
		     rates->by_default != DEFAULT_WAVES))
			continue;
		if (rule->block == block && rule->event == event)
			return true;
	}
	return false;
}

/* Return the share of time in which a part of the chip is busy, as a count. */
static bool
busy_rate(const struct amdgpu *amdgpu, const struct block *block,
	  uint32_t event, uint64_t *out)
{
	const struct chip *chip = &amdgpu->chip;

	if (strcmp(block->name, "GRBM") != 0)
		return false;
	for (unsigned i = 0; i < chip->busy_count; i++) {
		if (chip->busy[i].event != event || !chip->busy[i].is_set)
			continue;
		/* 10^-8 of the clock, in 10^6 s */
		*out = clock_hz(amdgpu) / 100 * chip->busy[i].share;
		return true;
	}
	return false;
}

/* Return the level that the counter of the slot before shows in every clock. */
static uint64_t
level_before(const struct amdgpu *amdgpu, const struct block *block,
	     const struct instance *instance, unsigned slot, unsigned number)
{
	bool found = false;

	if (slot == 0)
		return 0;
	return sum_rules(amdgpu, RULE_LEVEL, block,
			 block_event(block, instance, slot - 1), instance,
			 number, &found);
}

/* Return whether the block idles: only the parts that take commands work. */
static bool
is_asleep(const struct amdgpu *amdgpu, const struct block *block)
{
	return amdgpu->chip.doubts[DOUBT_IDLE_CLOCK] && !amdgpu->pstate &&
	       strcmp(block->name, "GRBM") != 0 &&
	       strncmp(block->name, "CP", 2) != 0;
}

uint64_t
rates_of(const struct amdgpu *amdgpu, const struct block *block,
	 const struct instance *instance, unsigned slot)
{
	const struct rates *rates = amdgpu->rates;
	unsigned number =
		block->style == STYLE_PER_ENGINE ? slot : instance->number;
	uint32_t event = block_event(block, instance, slot);
	bool found = false;
	uint64_t rate;

	if (event >= block->event_count ||
	    (block->slots[slot].below && event >= block->slots[slot].below) ||
	    is_one_of(rates->never, ARRAY_SIZE(rates->never), block, event))
		return 0;
	if (is_one_of(rates->clock, ARRAY_SIZE(rates->clock), block, event))
		return is_asleep(amdgpu, block) ? 0
						: clock_hz(amdgpu) * MICRO;
	if (is_one_of(rates->accumulate, ARRAY_SIZE(rates->accumulate), block,
		      event))
		return level_before(amdgpu, block, instance, slot, number);
	rate = sum_rules(amdgpu, RULE_RATE, block, event, instance, number,
			 &found);
	if (found)
		return rate;
	if (busy_rate(amdgpu, block, event, &rate))
		return rate;
	if (rates->by_default == DEFAULT_ZERO ||
	    has_work(rates, block, event) ||
	    !is_seen(amdgpu, block, instance, SOURCE_OPEN, ALL_STAGES))
		return 0;
	return 1000 *
	       (1 + number + 256 * (uint64_t)event +
		262144 * (uint64_t)block->number) *
	       MICRO;
}

uint64_t
rates_of_work(const struct amdgpu *amdgpu, enum rule_kind kind,
	      const struct block *block, uint32_t event, int instance)
{
	const struct rates *rates = amdgpu->rates;
	uint64_t sum = 0;

	for (size_t i = 0; i < rates->rule_count; i++) {
		const struct rule *rule = &rates->rules[i];

		if (rule->kind == kind &&
		    rule_concerns(rule, block, event, (unsigned)instance) &&
		    rule->stages & STAGES_CS)
			sum += rule->micro;
	}
	return sum;
}

/*
 * Return whether other rules say what an event counts: a rate, a level, or of
 * shaders that are run their instructions.
 */
static bool
is_told_otherwise(const struct rates *rates, const struct block *block,
		  uint32_t event, unsigned number, bool is_run)
{
	for (size_t i = 0; i < rates->rule_count; i++) {
		const struct rule *rule = &rates->rules[i];

		if ((rule->kind == RULE_RATE || rule->kind == RULE_LEVEL ||
		     (is_run && rule->kind >= RULE_PER_VALU)) &&
		    rule_concerns(rule, block, event, number))
			return true;
	}
	return false;
}

uint64_t
rates_of_waves(const struct amdgpu *amdgpu, const struct block *block,
	       const struct instance *instance, unsigned slot, bool is_allowed,
	       bool is_run)
{
	const struct rates *rates = amdgpu->rates;
	uint32_t event = block_event(block, instance, slot);
	uint64_t micro;

	if (rates->by_default != DEFAULT_WAVES)
		return 0;
	if (slot > 0 && is_one_of(rates->accumulate,
				  ARRAY_SIZE(rates->accumulate), block, event))
		event = block_event(block, instance, slot - 1);
	micro = rates_of_work(amdgpu, RULE_WHILE_WAVES, block, event,
			      (int)instance->number);
	if (!micro ||
	    is_told_otherwise(rates, block, event, instance->number, is_run) ||
	    !is_seen(amdgpu, block, instance,
		     is_allowed ? SOURCE_OPEN : SOURCE_OTHER, STAGES_CS))
		return 0;
	return micro;
}
