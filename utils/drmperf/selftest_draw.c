/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest_draw.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "selftest_quads.h"
#include "selftest_work.h"

/* Steps go to the process as bytes, and come back as errors, one each. */

static int
start(struct draw *draw, const char *address, unsigned quads)
{
	char option[32];
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -errno;
	draw->pid = fork();
	if (!draw->pid) {
		snprintf(option, sizeof(option), "--" DRAW_OPTION "=%u", quads);
		/* what drivers say there is not the self-test's */
		if (dup2(pair[1], STDIN_FILENO) < 0 ||
		    dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
			_exit(127);
		work_become(address, option);
	}
	close(pair[1]);
	draw->socket = pair[0];
	if (draw->pid > 0)
		return 0;
	close(pair[0]);
	draw->pid = 0;
	return -EAGAIN;
}

int
draw_step(struct draw *draw, const char *address, enum selftest_draw step,
	  unsigned quads)
{
	const uint8_t question = (uint8_t)step;
	uint8_t answer;
	int ret = draw->pid ? 0 : start(draw, address, quads);

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
run_step(struct quads **quads, const char *node, enum selftest_draw step,
	 unsigned count)
{
	switch (step) {
	case SELFTEST_DRAW_BEGIN:
		return *quads ? 0 : quads_create(node, quads);
	case SELFTEST_DRAW_QUADS:
		if (!*quads)
			return -EINVAL;
		quads_draw(*quads, count);
		return 0;
	case SELFTEST_DRAW_CHECK:
		return *quads && quads_are_there(*quads) ? 0 : -EILSEQ;
	}
	return -EINVAL;
}

int
draw_main(const struct selftest_gpu *gpu, const char *option)
{
	unsigned count = (unsigned)strtoul(option, NULL, 10);
	struct quads *quads = NULL;
	uint8_t step, answer;

	while (recv(STDIN_FILENO, &step, 1, 0) == 1) {
		answer = (uint8_t)-run_step(&quads, gpu->node,
					    (enum selftest_draw)step, count);
		if (send(STDIN_FILENO, &answer, 1, MSG_NOSIGNAL) != 1)
			break;
	}
	if (quads)
		quads_destroy(quads);
	return 0;
}
