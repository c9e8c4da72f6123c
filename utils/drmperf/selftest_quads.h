/* SPDX-License-Identifier: BSD-3-Clause */
/* Full-screen quads by OpenGL ES, whose libraries are loaded for it. */
#ifndef DRMPERF_TOOL_SELFTEST_QUADS_H
#define DRMPERF_TOOL_SELFTEST_QUADS_H

#include <stdbool.h>

struct quads;

/*
 * On the GPU with this render node, in SELFTEST_QUAD_SIDE pixels squared.
 * -ENOSYS: this program knows no EGL; -ENOENT: its libraries are not installed;
 * -ENODEV: EGL does not offer the GPU; -ENOTSUP: nothing can be drawn there.
 */
int
quads_create(const char *node, struct quads **out);
void
quads_destroy(struct quads *quads);

/* Draw so many, and wait until they are drawn. */
void
quads_draw(struct quads *quads, unsigned count);

/* Does what was drawn last cover everything? */
bool
quads_are_there(struct quads *quads);

#endif /* DRMPERF_TOOL_SELFTEST_QUADS_H */
