/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/doubt.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/word.h"

#define READINGS_MAX 4

/*
 * The readings of each doubt and the default one, which only this table states.
 */
static const struct {
	const char *key;
	const char *readings[READINGS_MAX]; /* the best one first */
	unsigned otherwise;
} doubts[DOUBTS] = {
	[DOUBT_START_EVENT] = { "start-event", { "ignored", "needed" }, 1 },
	[DOUBT_SAMPLE] = { "sample", { "any", "by-ring", "by-kind" }, 2 },
	[DOUBT_FORCE_EN] = { "force-en", { "works", "ignored" }, 1 },
	[DOUBT_FULL_COUNTER] = { "full-counter", { "wraps", "sticks" }, 1 },
	[DOUBT_GATING] = { "gating", { "none", "field", "all", "most" }, 1 },
	[DOUBT_SQ_CONTROL] = { "sq-control",
			       { "shared", "owned", "banked" },
			       2 },
	[DOUBT_COMPUTE_RING] = { "compute-ring", { "stays", "hops" }, 1 },
	[DOUBT_DIE] = { "die", { "any", "next" }, 1 },
	[DOUBT_COPY_SOURCE] = { "copy-source",
				{ "works", "hangs-at-ea", "hangs" },
				2 },
	[DOUBT_COPIED_REGISTERS] = { "copied-registers",
				     { "work", "fault" },
				     1 },
	[DOUBT_GRBM_READ] = { "grbm-read", { "fresh", "stale" }, 1 },
	[DOUBT_CFG_READ] = { "cfg-read", { "running", "stopped" }, 1 },
	[DOUBT_SELECT_MASKS] = { "select-masks", { "ignored", "needed" }, 1 },
	[DOUBT_VMID_MASK] = { "vmid-mask", { "ignored", "needed" }, 1 },
	[DOUBT_COPIES] = { "copies", { "through-l2", "past-l2" }, 1 },
	[DOUBT_RUNNING_SELECT] = { "running-select",
				   { "works", "ignored" },
				   0 },
	[DOUBT_SYNC_BIT] = { "sync-bit", { "works", "absent" }, 1 },
	[DOUBT_IDLE_CLOCK] = { "idle-clock", { "runs", "stops" }, 0 },
	[DOUBT_GRBMH_SYNC] = { "grbmh-sync", { "works", "absent" }, 0 },
	[DOUBT_CU_NUMBER] = { "cu-number", { "plain", "doubled" }, 0 },
	[DOUBT_MMIO_INDEX] = { "mmio-index", { "apart", "shared" }, 0 },
	[DOUBT_TCP_SLOTS] = { "tcp-slots", { "all", "one" }, 0 },
	[DOUBT_SQG_EVENTS] = { "sqg-events", { "ignored", "needed" }, 0 },
	[DOUBT_APART] = { "gl2c-index", { "any", "apart" }, 1 },
	[DOUBT_POSTED_WRITES] = { "posted-writes", { "in-order", "late" }, 0 },
	[DOUBT_SPM_HEADER] = { "spm-header", { "running", "stopped" }, 0 },
	[DOUBT_SPM_WGP] = { "spm-wgp", { "plain", "shifted" }, 1 },
	[DOUBT_COPY_WIDTH] = { "copy-width",
			       { "whole", "not-gl2c", "low" },
			       1 },
	[DOUBT_ALL_VMID] = { "all-vmid", { "works", "ignored" }, 1 },
	[DOUBT_FINISH_DONE] = { "finish-done", { "comes", "whole-chips" }, 0 },
};

static unsigned
count_readings(unsigned doubt)
{
	unsigned count = 0;

	while (count < READINGS_MAX && doubts[doubt].readings[count])
		count++;
	return count;
}

void
doubt_begin(unsigned readings[DOUBTS])
{
	for (unsigned i = 0; i < DOUBTS; i++)
		readings[i] = doubts[i].otherwise;
}

static int
set_all(unsigned readings[DOUBTS], const char *word)
{
	static const char *const all[] = { "best", "worst", "default" };
	int which = sim_word_find(word, all, ARRAY_SIZE(all));

	if (which < 0)
		return -EINVAL;
	doubt_begin(readings);
	for (unsigned i = 0; i < DOUBTS && which < 2; i++)
		readings[i] = which ? count_readings(i) - 1 : 0;
	return 0;
}

int
doubt_set(unsigned readings[DOUBTS], const char *key,
	  const struct sim_words *words)
{
	int reading;

	if (strcmp(key, "doubts") == 0)
		return words->count == 1 ? set_all(readings, words->word[0])
					 : -EINVAL;
	for (unsigned i = 0; i < DOUBTS; i++) {
		if (strcmp(key, doubts[i].key) != 0)
			continue;
		if (words->count != 1)
			return -EINVAL;
		reading = sim_word_find(words->word[0], doubts[i].readings,
					count_readings(i));
		if (reading < 0)
			return -EINVAL;
		readings[i] = (unsigned)reading;
		return 0;
	}
	return -ENOENT;
}
