/* SPDX-License-Identifier: BSD-3-Clause */
#include "intel/set_rates.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/word.h"
#include "intel/oa_config.h"

#define UUID_LENGTH 36

/* Find the rates of a set, or make room for them. NULL: no memory. */
static struct sim_set_rates *
make_set(struct sim_set_rates **sets, const char *uuid)
{
	struct sim_set_rates *set = *sets;

	while (set && strcmp(set->uuid, uuid) != 0)
		set = set->next;
	if (set)
		return set;
	set = calloc(1, sizeof(*set));
	if (!set)
		return NULL;
	strcpy(set->uuid, uuid);
	set->next = *sets;
	*sets = set;
	return set;
}

int
sim_set_rates_set(struct sim_set_rates **sets, struct sim_rates *all,
		  const char *value, int end, unsigned eus)
{
	char name[48], text[32], rest, *slot_name = name;
	struct sim_set_rates *set;
	struct sim_rate rate;
	int slot;

	if (sscanf(value, "%47s %31s %c", name, text, &rest) != 2)
		return -EINVAL;
	if (strlen(name) > UUID_LENGTH + 1 && name[UUID_LENGTH] == '.') {
		name[UUID_LENGTH] = '\0';
		if (!sim_uuid_valid(name))
			return -EINVAL;
		slot_name = name + UUID_LENGTH + 1;
	}
	slot = sim_oa_slot_parse(slot_name);
	if (slot < 0 || slot >= end || sim_rate_parse(text, eus, &rate))
		return -EINVAL;
	if (slot_name == name) {
		all->slots[slot] = rate;
		return 0;
	}
	set = make_set(sets, name);
	if (!set)
		return -ENOMEM;
	set->rates.slots[slot] = rate;
	return 0;
}

int
sim_set_rates_know(struct sim_set_rates **sets, const char *value)
{
	char uuid[UUID_LENGTH + 1], text[16], rest;
	struct sim_set_rates *set;
	uint64_t hash;

	if (sscanf(value, "%36s %15s %c", uuid, text, &rest) != 2 ||
	    strlen(uuid) != UUID_LENGTH || !sim_uuid_valid(uuid) ||
	    sim_word_u64(text, &hash) || !hash || hash > UINT32_MAX)
		return -EINVAL;
	set = make_set(sets, uuid);
	if (!set)
		return -ENOMEM;
	set->registers = (uint32_t)hash;
	return 0;
}

void
sim_set_rates_override(const struct sim_set_rates *sets, const char *uuid,
		       struct sim_rates *rates)
{
	while (sets && strcmp(sets->uuid, uuid) != 0)
		sets = sets->next;
	if (sets)
		sim_rates_override(rates, &sets->rates);
}

void
sim_set_rates_override_by(const struct sim_set_rates *sets, uint32_t hash,
			  struct sim_rates *rates)
{
	while (sets && sets->registers != hash)
		sets = sets->next;
	if (sets)
		sim_rates_override(rates, &sets->rates);
}

uint32_t
sim_set_hash(uint32_t routing, const uint32_t flex[SIM_FLEX_COUNT])
{
	for (unsigned i = 0; i < SIM_FLEX_COUNT; i++)
		routing = sim_hash_word(routing, flex[i]);
	return routing;
}

void
sim_set_rates_free(struct sim_set_rates **sets)
{
	struct sim_set_rates *set;

	while ((set = *sets)) {
		*sets = set->next;
		free(set);
	}
}
