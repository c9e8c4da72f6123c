/* SPDX-License-Identifier: BSD-3-Clause */
#include "select/aliases.h"

#include <stddef.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define MOST 6

static const struct {
	const char *word;
	const char *others[MOST]; /* the last is NULL */
} synonyms[] = {
	{ "bandwidth",
	  { "Throughput", "FetchSize", "WriteSize", "bytes read",
	    "bytes written" } },
	{ "throughput",
	  { "bandwidth", "FetchSize", "WriteSize", "bytes read",
	    "bytes written" } },
	{ "dram",
	  { "read from memory", "to memory", "video memory", "GPU memory",
	    "FetchSize" } },
	{ "hbm",
	  { "read from memory", "to memory", "video memory", "GPU memory",
	    "FetchSize" } },
	{ "vram",
	  { "read from memory", "to memory", "video memory", "GPU memory",
	    "FetchSize" } },
	{ "flops",
	  { "floating-point", "FpuActive", "INSTS_VALU", "VALUInsts",
	    "vector ALU" } },
	{ "cache hit",
	  { "CacheHit", ".HIT", "CACHE_HIT", "L3_HIT", "IcHits" } },
	{ "hit rate", { "CacheHit", "hits", "HitRate" } },
	{ "miss rate", { "missed", ".MISS", "CacheHit" } },
	{ "utilization", { "busy", "-load" } },
	{ "utilisation", { "busy", "-load", "utilization" } },
	{ "occupancy", { "LEVEL_WAVES", "ThreadOccupancy", "waves in" } },
	{ "frequency", { "sclk", "mclk", "-freq" } },
	{ "energy", { "power" } },
	{ "warp", { "waves", "threads" } },
	{ "warps", { "waves", "threads" } },
	{ "ipc", { "instructions issued", "INSTS_", "INST_EXECUTED" } },
};

const char *const *
aliases_of(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(synonyms); i++) {
		if (!strcasecmp(synonyms[i].word, word))
			return synonyms[i].others;
	}
	return NULL;
}
