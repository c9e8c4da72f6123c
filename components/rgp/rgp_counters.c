/* SPDX-License-Identifier: BSD-3-Clause */
#include "rgp/rgp_counters.h"

#include "rgp/rgp_put.h"

/* What stands before time stamps, with the head of the chunk. */
#define HEAD_SIZE 40
#define COUNTER_SIZE 20

uint64_t
rgp_counters_size(const struct rgp_counters *counters)
{
	return HEAD_SIZE + counters->sample_count * sizeof(uint64_t) +
	       counters->count * (COUNTER_SIZE +
				  counters->sample_count * sizeof(uint32_t));
}

/* Put what counters are, whose offsets count from the end of the head. */
static void
put_list(FILE *out, const struct rgp_counters *counters)
{
	const size_t size = counters->sample_count * sizeof(uint32_t);
	size_t offset = counters->sample_count * sizeof(uint64_t) +
			counters->count * COUNTER_SIZE;

	for (size_t i = 0; i < counters->count; i++) {
		rgp_put_u32(out, counters->list[i].block);
		rgp_put_u32(out, counters->list[i].instance);
		rgp_put_u32(out, counters->list[i].number);
		rgp_put_u32(out, (uint32_t)offset);
		rgp_put_u32(out, sizeof(uint32_t));
		offset += size;
	}
}

static void
put_values(FILE *out, const struct rgp_counters *counters)
{
	for (size_t i = 0; i < counters->count; i++) {
		const uint32_t *values =
			&counters->values[i * counters->counter_step];

		for (size_t k = 0; k < counters->sample_count; k++)
			rgp_put_u32(out, values[k * counters->sample_step]);
	}
}

void
rgp_put_counters(FILE *out, const struct rgp_counters *counters)
{
	rgp_put_head(out, RGP_SPM_DB, 0, RGP_VERSION(2, 0),
		     rgp_counters_size(counters));
	rgp_put_u32(out, 0);
	rgp_put_u32(out, HEAD_SIZE);
	rgp_put_u32(out, (uint32_t)counters->sample_count);
	rgp_put_u32(out, (uint32_t)counters->count);
	rgp_put_u32(out, COUNTER_SIZE);
	rgp_put_u32(out, counters->period_cycles);
	for (size_t i = 0; i < counters->sample_count; i++)
		rgp_put_u64(out, counters->times[i]);
	put_list(out, counters);
	put_values(out, counters);
}
