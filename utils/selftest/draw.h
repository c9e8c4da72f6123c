/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that draws or computes on a GPU, by EGL and OpenGL ES as any
 * program does: the self-test counts what it does.
 */
#ifndef DRMPERF_SELFTEST_DRAW_H
#define DRMPERF_SELFTEST_DRAW_H

#include <sys/types.h>

#include "selftest/checks/check.h"

/* Option that makes this program the drawing process: "KIND,COUNT". */
#define DRAW_OPTION "draw"

struct draw {
	pid_t pid; /* 0: there is none */
	int socket;
	struct selftest_drawing drawing; /* that it does */
};

/* Has the process do a step; the first one starts it. As host->draw() */
int
draw_step(struct draw *draw, const char *node,
	  const struct selftest_drawing *drawing, enum selftest_draw step);
/* End the process, if there is one. */
void
draw_end(struct draw *draw);

/* Run the drawing process: option is its value. Returns the exit status. */
int
draw_main(const struct selftest_gpu *gpu, const char *option);

/* The value that has it draw by itself, until its standard input ends. */
#define DRAW_ON "on"

#endif /* DRMPERF_SELFTEST_DRAW_H */
