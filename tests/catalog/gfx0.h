/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A made-up GPU of generation gfx0, and its catalog.
 */
#ifndef DRMPERF_TESTS_CATALOG_GFX0_H
#define DRMPERF_TESTS_CATALOG_GFX0_H

#include "catalog/catalog.h"

enum {
	GFX,
	OA,
	GFX0_DOMAINS
};

enum {
	SQ,
	TCC,
	TA,
	METRIC,
	RAW,
	RENDER,
	COMPUTE,
	GFX0_GROUPS
};

extern const struct description_domain gfx0_domains[GFX0_DOMAINS];
extern const struct description_group gfx0_groups[GFX0_GROUPS];

/* The fields of an event: a metric that stands here. */
#define METRIC_OF(g, n, text)                                                  \
	.group = g, .name = n, .expression = text, .file = "m.xml",            \
	.line = __LINE__, .type = DRMPERF_TYPE_DOUBLE,                         \
	.kind = DRMPERF_KIND_AVERAGE

/* For a device whose groups' events are described later. */
extern struct gfx0_later {
	unsigned calls[GFX0_GROUPS];
	int err; /* what describing SQ gives */
	unsigned warnings;
	char warning[600]; /* the last */
} gfx0_later;

extern struct catalog *gfx0_catalog;

/* Set up a catalog whose events are described at once, or later. */
void
gfx0_set_up(void);
void
gfx0_set_up_later(void);
void
gfx0_clean_up(void);

/* Fill in all that describes it, at once. */
void
gfx0_fill(struct description *description);

/* Describe a group later. */
int
gfx0_describe(void *device, group_index group, struct description *description,
	      struct drmperf_error *error);

/* Return an event that is there. */
const struct drmperf_event *
gfx0_find(const char *name);

#endif /* DRMPERF_TESTS_CATALOG_GFX0_H */
