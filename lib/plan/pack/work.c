/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
pack_work_init(struct pack_work *work, const struct pack_sizes *sizes)
{
	size_t count = sizes->items + 1;
	int ret;

	*work = (struct pack_work){ 0 };
	/* calloc: rows that are never used cost address space only */
	work->passes.counters = calloc(sizes->words + 1, sizeof(uint64_t));
	work->passes.used = calloc(sizes->uses + 1, sizeof(uint32_t));
	work->passes.values = calloc(sizes->slots + 1, sizeof(uint32_t));
	work->now.pass = calloc(count, sizeof(uint32_t));
	work->now.alternative = calloc(count, sizeof(uint32_t));
	work->order = calloc(count, sizeof(uint32_t));
	work->key = calloc(count, sizeof(uint64_t));
	ret = work->passes.counters && work->passes.used &&
			      work->passes.values && work->now.pass &&
			      work->now.alternative && work->order &&
			      work->key
		      ? 0
		      : -ENOMEM;
	if (!ret)
		ret = pack_search_create(sizes, &work->search);
	if (!ret)
		ret = pack_tally_create(sizes, &work->tally);
	if (ret)
		pack_work_finish(work);
	return ret;
}

void
pack_work_finish(struct pack_work *work)
{
	pack_passes_finish(&work->passes);
	free(work->now.pass);
	free(work->now.alternative);
	free(work->order);
	free(work->key);
	pack_search_destroy(work->search);
	pack_tally_destroy(work->tally);
	*work = (struct pack_work){ 0 };
}

void
pack_work_begin(struct pack_work *work, const struct pack_space *space,
		const struct pack_profile *profile,
		struct pack_assignment *best)
{
	work->space = space;
	work->profile = profile;
	work->passes.space = space;
	work->best = best;
}

void
pack_work_keep(struct pack_work *work)
{
	size_t size = work->space->item_count * sizeof(uint32_t);

	if (work->best->pass_count &&
	    work->now.pass_count >= work->best->pass_count)
		return;
	memcpy(work->best->pass, work->now.pass, size);
	memcpy(work->best->alternative, work->now.alternative, size);
	work->best->pass_count = work->now.pass_count;
}
