/* SPDX-License-Identifier: BSD-3-Clause */
#include "xe/chip.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "intel/platform.h"

/* Read the properties of the media GT, where there is one. */
static bool
read_media(struct sim_xe_chip *chip, const struct sim_text *text)
{
	chip->media_major = (unsigned)sim_text_number(text, "media", 1, 99, 0);
	chip->media_minor = (unsigned)sim_text_number(text, "media", 2, 99, 0);
	if (!chip->media_major)
		return true;
	chip->media_l3_banks =
		sim_text_number(text, "l3-banks", 2, UINT64_MAX, 0);
	for (unsigned i = 0; i < 3; i++)
		chip->media_mhz[i] = (unsigned)sim_text_number(
			text, "media-frequency", i + 1, 10000, 0);
	return chip->media_mhz[0] && chip->media_mhz[1] && chip->media_mhz[2];
}

/*
 * Fill in older chips, of which Meteor and Arrow Lake's media GT is of version
 * 13.
 */
static void
fill_older(struct sim_xe_chip *chip, const struct sim_platform *platform)
{
	*chip = (struct sim_xe_chip){
		.threads = platform->version < 1250 ? 7 : 8,
		.l3_banks = 0xff,
	};
	if (!platform->media_oa)
		return;
	chip->media_major = 13;
	chip->media_mhz[0] = platform->min_mhz;
	chip->media_mhz[1] = platform->max_mhz;
	chip->media_mhz[2] = platform->rp0_mhz;
}

int
sim_xe_chip_read(struct sim_xe_chip *chip, const struct sim_platform *platform,
		 const struct sim_text *text)
{
	/* i915 asks which formats there are */
	if (platform->formats) {
		fill_older(chip, platform);
		return 0;
	}
	*chip = (struct sim_xe_chip){
		.threads = (unsigned)sim_text_number(text, "threads", 1, 16, 0),
		.l3_banks = sim_text_number(text, "l3-banks", 1, UINT64_MAX, 0),
		.mert = sim_text_find(text, "mert") != NULL,
	};
	if (read_media(chip, text) && chip->threads && chip->l3_banks)
		return 0;
	fprintf(stderr,
		"drmsim: %s: threads, l3-banks or media-frequency is missing\n",
		text->path);
	return -EINVAL;
}

void
sim_xe_chip_cores(const struct sim_platform *platform,
		  uint64_t mask[SIM_XE_CORES_MAX / 64])
{
	memset(mask, 0, SIM_XE_CORES_MAX / 8);
	for (unsigned core = 0; core < SIM_XE_CORES_MAX; core++) {
		if (sim_xe_chip_has_core(platform, core))
			mask[core / 64] |= 1ull << core % 64;
	}
}

unsigned
sim_xe_chip_core_end(const struct sim_platform *platform)
{
	return platform->topology.max_slices * platform->topology.max_subslices;
}

bool
sim_xe_chip_has_core(const struct sim_platform *platform, unsigned core)
{
	const struct sim_topology *t = &platform->topology;
	uint64_t subslices;

	if (core >= sim_xe_chip_core_end(platform))
		return false;
	subslices = t->subslices[core / t->max_subslices];
	return subslices >> core % t->max_subslices & 1;
}
