/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_turn.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "roc_agent.h"
#include "roc_library.h"

#define WAIT_NS 100000
#define WAIT_SECONDS 10
#define PAUSE_NS (5 * WAIT_NS)

/* lib/driver/share/yield.c has the bytes before. */
enum byte {
	BYTE_TURN = 2,
	BYTE_WAITING, /* any number of processes may wait */
};

void
roc_turn_open(hsa_agent_t agent, struct roc_turn *out)
{
	struct drmperf_error error;
	struct drmperf *drmperf;
	struct roc_agent found;

	*out = (struct roc_turn){ .fd = -1 };
	if (!roc_library_open(&drmperf, &error) &&
	    !roc_agent_find(drmperf, agent, &found, &error))
		out->fd = open(drmperf_device_node(found.device),
			       O_RDWR | O_CLOEXEC);
}

void
roc_turn_close(struct roc_turn *turn)
{
	if (turn->fd >= 0)
		close(turn->fd);
	turn->fd = -1;
}

static bool
byte_lock(int fd, enum byte byte, short type)
{
	struct flock lock = {
		.l_type = type,
		.l_whence = SEEK_SET,
		.l_start = byte,
		.l_len = 1,
	};

	return !fcntl(fd, F_OFD_SETLK, &lock);
}

static bool
is_awaited(int fd)
{
	struct flock lock = {
		.l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = BYTE_WAITING,
		.l_len = 1,
	};

	return !fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
}

static void
pause_ns(long ns)
{
	const struct timespec time = { .tv_nsec = ns };

	nanosleep(&time, NULL);
}

static time_t
now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* Return whether the turn came. */
static bool
await_turn(const struct roc_turn *turn, const bool *is_cancelled)
{
	const time_t until = now_seconds() + WAIT_SECONDS;
	bool is_taken = false;

	byte_lock(turn->fd, BYTE_WAITING, F_RDLCK);
	while (!is_taken && now_seconds() <= until &&
	       !__atomic_load_n(is_cancelled, __ATOMIC_ACQUIRE)) {
		pause_ns(WAIT_NS);
		is_taken = byte_lock(turn->fd, BYTE_TURN, F_WRLCK);
	}
	byte_lock(turn->fd, BYTE_WAITING, F_UNLCK);
	return is_taken;
}

int
roc_turn_take(struct roc_turn *turn, const bool *is_cancelled,
	      struct drmperf_error *error)
{
	bool is_taken = turn->fd < 0 || byte_lock(turn->fd, BYTE_TURN, F_WRLCK);

	if (!is_taken && !turn->was_refused)
		is_taken = await_turn(turn, is_cancelled);
	turn->was_refused = !is_taken;
	if (is_taken)
		return 0;
	return fe_fail(error, -EBUSY, "count one process at a time",
		       "a kernel of another process that is counted has run on "
		       "this GPU for 10 seconds");
}

void
roc_turn_end(const struct roc_turn *turn)
{
	if (turn->fd < 0)
		return;
	byte_lock(turn->fd, BYTE_TURN, F_UNLCK);
	if (is_awaited(turn->fd))
		pause_ns(PAUSE_NS);
}
