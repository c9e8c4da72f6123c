/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/draw.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "selftest/become.h"
#include "selftest/gl.h"

/* Steps go to the process as bytes, and come back as errors, one each. */

static int
draw_start(struct draw *draw, const char *node,
	   const struct selftest_drawing *drawing)
{
	char option[64];
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -errno;
	draw->pid = fork();
	if (!draw->pid) {
		snprintf(option, sizeof(option), "--" DRAW_OPTION "=%u,%u",
			 (unsigned)drawing->kind, drawing->count);
		/* what drivers say there is not the self-test's */
		if (dup2(pair[1], STDIN_FILENO) < 0 ||
		    dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
			_exit(127);
		become_worker(node, option);
	}
	close(pair[1]);
	draw->socket = pair[0];
	draw->drawing = *drawing;
	if (draw->pid > 0)
		return 0;
	close(pair[0]);
	draw->pid = 0;
	return -EAGAIN;
}

int
draw_step(struct draw *draw, const char *node,
	  const struct selftest_drawing *drawing, enum selftest_draw step)
{
	const uint8_t question = (uint8_t)step;
	uint8_t answer;
	int ret = 0;

	if (draw->pid && draw->drawing.kind != drawing->kind)
		draw_end(draw);
	if (!draw->pid)
		ret = draw_start(draw, node, drawing);
	if (ret)
		return ret;
	if (send(draw->socket, &question, 1, MSG_NOSIGNAL) != 1 ||
	    recv(draw->socket, &answer, 1, 0) != 1)
		return -EPIPE;
	return -(int)answer;
}

void
draw_end(struct draw *draw)
{
	if (!draw->pid)
		return;
	close(draw->socket);
	waitpid(draw->pid, NULL, 0);
	draw->pid = 0;
}

/* ------------------------------------------------------------------ */

static int
gl_work_begin(const char *node, const struct gl_work *work, struct gl **out)
{
	struct gl *gl;
	int ret = gl_create(node, &gl);

	if (ret)
		return ret;
	ret = work->prepare(gl);
	if (ret)
		gl_destroy(gl);
	else
		*out = gl;
	return ret;
}

static int
run_step(struct gl **gl, const char *node, const struct gl_work *work,
	 enum selftest_draw step, unsigned count)
{
	switch (step) {
	case SELFTEST_DRAW_BEGIN:
		return *gl ? 0 : gl_work_begin(node, work, gl);
	case SELFTEST_DRAW_RUN:
		if (!*gl)
			return -EINVAL;
		work->run(*gl, count);
		return 0;
	case SELFTEST_DRAW_CHECK:
		return *gl && work->is_done(*gl, count) ? 0 : -EILSEQ;
	}
	return -EINVAL;
}

static bool
draw_again(const struct gl *gl)
{
	quads_work.undo(gl);
	quads_work.run(gl, 1);
	return quads_work.is_done(gl, 1);
}

/*
 * Draw on the GPU; print the number of pictures, of wrong ones, and the error.
 */
static int
draw_on_gpu(const struct selftest_gpu *gpu)
{
	struct pollfd until = { .fd = STDIN_FILENO, .events = POLLIN };
	unsigned long rounds = 0, wrong = 0;
	struct gl *gl = NULL;
	int ret = gl_work_begin(gpu->node, &quads_work, &gl);

	/* some drivers never draw */
	if (!ret && !draw_again(gl))
		ret = -EILSEQ;
	/* That it has begun; there may be no reader any more. */
	if (write(STDOUT_FILENO, "\n", 1) != 1)
		ret = -EPIPE;
	while (!ret) {
		wrong += !draw_again(gl);
		rounds++;
		if (poll(&until, 1, 0) > 0)
			break;
	}
	if (gl)
		gl_destroy(gl);
	printf("%lu %lu %d\n", rounds, wrong, ret);
	return 0;
}

int
draw_main(const struct selftest_gpu *gpu, const char *option)
{
	static const struct gl_work *const works[] = {
		[SELFTEST_QUADS] = &quads_work,
		[SELFTEST_GROUPS] = &groups_work,
	};
	const struct gl_work *work;
	unsigned kind, count;
	struct gl *gl = NULL;
	uint8_t step, answer;

	if (!strcmp(option, DRAW_ON))
		return draw_on_gpu(gpu);
	if (sscanf(option, "%u,%u", &kind, &count) != 2 ||
	    kind >= ARRAY_SIZE(works))
		return 1;
	work = works[kind];
	while (recv(STDIN_FILENO, &step, 1, 0) == 1) {
		answer = (uint8_t)-run_step(&gl, gpu->node, work,
					    (enum selftest_draw)step, count);
		if (send(STDIN_FILENO, &answer, 1, MSG_NOSIGNAL) != 1)
			break;
	}
	if (gl)
		gl_destroy(gl);
	return 0;
}
