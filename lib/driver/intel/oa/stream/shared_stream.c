/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/stream/shared_stream.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/fork_close.h"
#include "base/monotonic.h"
#include "driver/intel/oa/period.h"
#include "driver/intel/oa/stream/errors.h"
#include "driver/share/fd_passing.h"
#include "driver/share/share.h"

#define SECOND UINT64_C(1000000000)

/*
 * The leader updates its heartbeat more often than this, unless it is stopped.
 */
#define ABSENCE_NS (2 * SECOND)

/*
 * How long joining is retried, while other processes close a stream that has
 * ended, and so on.
 */
#define JOIN_NS (3 * SECOND)

/* Within this time the kernel has closed the descriptors of dead processes. */
#define CLOSED_NS (SECOND / 4)

#define PAUSE_NS 2000000

/*
 * Longest period of a shared stream: fences of other processes wait that long.
 */
#define PERIOD_MOST_S 10

enum passed {
	PASSED_STREAM,
	PASSED_WAKE,
	PASSED_SERVER,
	PASSED_COUNT,
};

/* The shared state of one unit's stream; the share lock guards all but page. */
struct shared_unit {
	uint64_t serial; /* of streams; 0: there never was one */
	uint64_t config;
	uint64_t period;
	uint64_t since;
	uint32_t is_enabled;
	_Atomic uint32_t leader; /* the leader's member number plus one */
	char set[64];
	char server[FD_SERVER_NAME_SIZE];
	struct fd_secret secret; /* that the leader's socket asks for */
	uint64_t network; /* network namespace of the socket's name */
	struct oa_snapshot_page page;
};

_Static_assert(OA_UNIT_COUNT <= SHARE_LEASES, "each unit has a lease");

struct shared_common {
	struct shared_unit units[OA_UNIT_COUNT];
};

struct shared_member {
	_Atomic uint64_t unit; /* number plus one; 0: it has no stream */
};

struct oa_shared {
	struct share *share;
	unsigned index;
	struct shared_unit *unit;
	struct fork_close wake, server; /* wake: an eventfd */
	int (*enable)(int stream);
	int (*enable_again)(int stream);
};

static struct shared_member *
member_of(struct oa_shared *shared, uint32_t index)
{
	return share_record(shared->share, index);
}

struct oa_snapshot_page *
oa_shared_snapshot(struct oa_shared *shared)
{
	return &shared->unit->page;
}

/* Find a process that has the stream open. The caller holds the lock. */
static uint32_t
find_holder(struct oa_shared *shared)
{
	uint32_t i = share_next(shared->share, SHARE_NOBODY);

	while (i != SHARE_NOBODY &&
	       member_of(shared, i)->unit != shared->index + 1)
		i = share_next(shared->share, i);
	return i;
}

/* ------------------------------------------------------------------ */
/* Words                                                                */

static void
name_reader(struct oa_shared *shared, char name[SHARE_NAME_SIZE])
{
	uint32_t leader = shared->unit->leader - 1;

	strcpy(name, "the process");
	if (leader < SHARE_MEMBERS)
		share_name(shared->share, leader, name);
}

static int
explain_stopped(struct oa_shared *shared, struct drmperf_error *error)
{
	char name[SHARE_NAME_SIZE];

	name_reader(shared, name);
	error_set(error, -EBUSY,
		  "%s, which reads the counters for all that count on the GPU, "
		  "does not answer",
		  name);
	error_remedy(error, "if it is stopped, continue it (kill -CONT) or end "
			    "it, and values come again; if the GPU hangs, the "
			    "kernel's log shows that");
	return -EBUSY;
}

int
oa_shared_explain_absence(struct oa_shared *shared, struct drmperf_error *error)
{
	uint64_t seen, now;

	if (shared->unit->leader == share_self(shared->share) + 1)
		return 0;
	seen = shared->unit->page.beat_ns;
	now = monotonic_ns();
	return seen < now + ABSENCE_NS && now < seen + ABSENCE_NS
		       ? 0
		       : explain_stopped(shared, error);
}

int
oa_shared_explain_reader(struct oa_shared *shared, struct drmperf_error *error)
{
	char name[SHARE_NAME_SIZE];

	name_reader(shared, name);
	error_set(error, -EBUSY,
		  "%s counts on the GPU as well, and gets its raw records",
		  name);
	error_remedy(error, "end it first, or record there");
	return -EBUSY;
}

static int
explain_invalid(struct oa_shared *shared, const char *what,
		struct drmperf_error *error)
{
	char name[SHARE_NAME_SIZE];

	name_reader(shared, name);
	error_set(error, -EIO,
		  "%s, which reads the counters for all that count on the GPU, "
		  "shares %s that no drmperf makes",
		  name, what);
	error_remedy(error, "end it; it may be damaged");
	return -EIO;
}

/* Copy the name of the metric set that others count, if it is printable. */
static void
copy_set_name(const struct shared_unit *unit, char out[sizeof(unit->set)])
{
	memcpy(out, unit->set, sizeof(unit->set));
	out[sizeof(unit->set) - 1] = '\0';
	for (char *c = out; *c; c++) {
		if (!isalnum((unsigned char)*c) && !strchr("_.-+", *c))
			*c = '?';
	}
}

static int
explain_other_set(struct oa_shared *shared, const struct oa_shared_want *want,
		  uint32_t holder, struct drmperf_error *error)
{
	char name[SHARE_NAME_SIZE], set[sizeof(shared->unit->set)];

	share_name(shared->share, holder, name);
	copy_set_name(shared->unit, set);
	error_set(error, -EBUSY,
		  "%s counts metric set %s on %s, and a GPU counts one set "
		  "at a time",
		  name, set, want->node);
	share_remedy(error);
	return -EBUSY;
}

static int
explain_other_network(struct oa_shared *shared,
		      const struct oa_shared_want *want, uint32_t holder,
		      struct drmperf_error *error)
{
	char name[SHARE_NAME_SIZE];

	share_name(shared->share, holder, name);
	error_set(error, -EBUSY,
		  "%s counts on %s in another network namespace (container), "
		  "so its counters cannot be shared",
		  name, want->node);
	error_remedy(error, "count in the same one, or wait until it has "
			    "finished");
	return -EBUSY;
}

/* ------------------------------------------------------------------ */
/* Joining                                                              */

static int
adopt_descriptors(struct oa_shared *shared, int wake, int server)
{
	int ret = fork_close_adopt(&shared->wake, wake);

	if (ret)
		close(server);
	else
		ret = fork_close_adopt(&shared->server, server);
	if (ret)
		fork_close_finish(&shared->wake);
	return ret;
}

static int
make_wake_and_server(struct oa_shared *shared, char name[FD_SERVER_NAME_SIZE],
		     struct fd_secret *secret)
{
	int ret = fd_secret_make(secret), wake, server;

	if (ret)
		return ret;
	wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (wake < 0)
		return -errno;
	server = fd_server_open(name);
	if (server < 0)
		close(wake);
	return server < 0 ? server : adopt_descriptors(shared, wake, server);
}

/* Find the network namespace; 0: unknown. */
static uint64_t
find_network(void)
{
	struct stat status;

	return stat("/proc/self/ns/net", &status) ? 0 : status.st_ino;
}

static void
shared_unit_describe(struct shared_unit *unit,
		     const struct oa_shared_want *want,
		     const struct oa_shared_stream_info *stream,
		     const char name[FD_SERVER_NAME_SIZE],
		     const struct fd_secret *secret)
{
	unit->serial++;
	unit->config = want->config;
	unit->period = stream->period;
	unit->is_enabled = false;
	unit->leader = 0;
	memset(unit->set, 0, sizeof(unit->set));
	strncpy(unit->set, want->set->name, sizeof(unit->set) - 1);
	memcpy(unit->server, name, FD_SERVER_NAME_SIZE);
	unit->secret = *secret;
	unit->network = find_network();
	oa_snapshot_clear(&unit->page);
}

/* Open a stream where there is none. The caller holds the lock. */
static int
open_shared_stream(struct oa_shared *shared, const struct oa_shared_want *want,
		   struct oa_shared_stream_info *stream,
		   struct drmperf_error *error)
{
	char name[FD_SERVER_NAME_SIZE] = "";
	struct fd_secret secret;
	int ret = want->open(want->data, stream, error);

	if (ret)
		return ret;
	ret = make_wake_and_server(shared, name, &secret);
	if (ret) {
		close(stream->fd);
		return error_set(error, ret, "cannot share a stream: %s",
				 strerror(-ret));
	}
	shared_unit_describe(shared->unit, want, stream, name, &secret);
	member_of(shared, share_self(shared->share))->unit = shared->index + 1;
	return 0;
}

/*
 * Return whether descriptors from a peer are of the right kind: writing to a
 * pipe could raise SIGPIPE, and a blocking descriptor would block the caller.
 * That the first one is a stream is checked when it is enabled.
 */
static bool
are_usable(const int passed[PASSED_COUNT])
{
	return fd_is_eventfd(passed[PASSED_WAKE]) &&
	       fd_is_server(passed[PASSED_SERVER]);
}

/*
 * Receive the descriptors from the leader. Caller does not hold the share lock,
 * since the leader may be slow. Returns 0, or -EAGAIN: try to join again.
 */
static int
oa_shared_fetch(struct oa_shared *shared, const struct shared_unit *seen,
		struct oa_shared_stream_info *stream,
		struct drmperf_error *error)
{
	int passed[PASSED_COUNT], ret;

	ret = fd_client_fetch(seen->server, &seen->secret, passed, PASSED_COUNT,
			      (int)(ABSENCE_NS / 1000000));
	if (ret == -EAGAIN)
		return ret;
	if (ret == -ETIMEDOUT)
		return explain_stopped(shared, error);
	if (!ret && !are_usable(passed)) {
		for (int i = 0; i < PASSED_COUNT; i++)
			close(passed[i]);
		return explain_invalid(shared, "descriptors", error);
	}
	if (!ret) {
		ret = adopt_descriptors(shared, passed[PASSED_WAKE],
					passed[PASSED_SERVER]);
		if (ret)
			close(passed[PASSED_STREAM]);
	}
	if (ret)
		return error_set(error, ret,
				 "cannot get the stream of the others: %s",
				 strerror(-ret));
	*stream = (struct oa_shared_stream_info){ .fd = passed[PASSED_STREAM],
						  .period = seen->period };
	return 0;
}

static void
close_wake_and_server(struct oa_shared *shared)
{
	fork_close_finish(&shared->wake);
	fork_close_finish(&shared->server);
}

/*
 * Check that the received stream is still the unit's, and become a member of
 * it.
 */
static int
confirm_stream(struct oa_shared *shared, uint64_t serial,
	       struct oa_shared_stream_info *stream,
	       struct drmperf_error *error)
{
	int ret = share_lock(shared->share, error);

	if (!ret) {
		if (shared->unit->serial != serial)
			ret = -EAGAIN;
		else
			member_of(shared, share_self(shared->share))->unit =
				shared->index + 1;
		share_unlock(shared->share);
	}
	if (ret) {
		close(stream->fd);
		close_wake_and_server(shared);
	}
	return ret;
}

/*
 * Return whether a period read from shared memory is acceptable: fences wait
 * that long.
 */
static bool
is_period(uint64_t ticks, uint64_t hz)
{
	return ticks >= 2 && !(ticks & (ticks - 1)) &&
	       ticks <= UINT64_C(2) << OA_EXPONENT_MAX &&
	       ticks / hz < PERIOD_MOST_S;
}

/* Decide whether to join the processes with a stream: 0; -EAGAIN: not yet. */
static int
check_joinable(struct oa_shared *shared, const struct oa_shared_want *want,
	       uint32_t holder, struct shared_unit *seen,
	       struct drmperf_error *error)
{
	struct oa_snapshot state;

	if (!oa_snapshot_read(&shared->unit->page, &state) ||
	    oa_snapshot_is_end(&state))
		return -EAGAIN;
	if (shared->unit->config != want->config)
		return explain_other_set(shared, want, holder, error);
	if (shared->unit->network != find_network())
		return explain_other_network(shared, want, holder, error);
	seen->serial = shared->unit->serial;
	seen->period = shared->unit->period;
	memcpy(seen->server, shared->unit->server, FD_SERVER_NAME_SIZE);
	seen->secret = shared->unit->secret;
	return is_period(seen->period, want->hz)
		       ? 0
		       : explain_invalid(shared, "a period", error);
}

/*
 * Try to join once. Returns -EAGAIN to try again; *busy is true then if the
 * kernel has a stream that no sharing process has.
 */
static int
try_join(struct oa_shared *shared, const struct oa_shared_want *want,
	 struct oa_shared_stream_info *stream, bool *busy,
	 struct drmperf_error *error)
{
	struct shared_unit seen;
	uint32_t holder;
	int ret = share_lock(shared->share, error);

	if (ret)
		return ret;
	holder = find_holder(shared);
	if (holder == SHARE_NOBODY) {
		ret = open_shared_stream(shared, want, stream, error);
		*busy = ret == -EBUSY;
	} else {
		ret = check_joinable(shared, want, holder, &seen, error);
	}
	share_unlock(shared->share);
	if (*busy)
		return -EAGAIN;
	if (ret || holder == SHARE_NOBODY)
		return ret;
	ret = oa_shared_fetch(shared, &seen, stream, error);
	return ret ? ret : confirm_stream(shared, seen.serial, stream, error);
}

static int
join_stream(struct oa_shared *shared, const struct oa_shared_want *want,
	    struct oa_shared_stream_info *stream, struct drmperf_error *error)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	const uint64_t begun = monotonic_ns();
	bool busy;
	int ret;

	for (;;) {
		busy = false;
		ret = try_join(shared, want, stream, &busy, error);
		if (ret != -EAGAIN)
			return ret;
		if (busy && monotonic_ns() - begun > CLOSED_NS)
			return -EBUSY; /* as open() has reported */
		if (!busy && monotonic_ns() - begun > JOIN_NS)
			return explain_stopped(shared, error);
		nanosleep(&pause, NULL);
	}
}

/* ------------------------------------------------------------------ */
/* Membership                                                           */

static int
open_own_stream(const struct oa_shared_want *want,
		struct oa_shared_stream_info *stream,
		struct drmperf_error *error)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	const uint64_t begun = monotonic_ns();
	int ret;

	do
		ret = want->open(want->data, stream, error);
	while (ret == -EBUSY && want->has_just_closed &&
	       monotonic_ns() - begun < CLOSED_NS && !nanosleep(&pause, NULL));
	return ret;
}

/*
 * Open the stream without sharing. If the kernel returns -EBUSY, keep the error
 * of joining, which names the process that has the stream.
 */
static int
open_unshared(const struct oa_shared_want *want,
	      struct oa_shared_stream_info *stream,
	      const struct drmperf_error *others, struct drmperf_error *error)
{
	int ret = open_own_stream(want, stream, error);

	if (ret == -EBUSY && others->code == -EBUSY && error)
		*error = *others;
	return ret;
}

static int
make_shared(const struct oa_shared_want *want, struct oa_shared **out,
	    struct drmperf_error *error)
{
	const struct share_setup setup = {
		.node = want->node,
		.layout = want->layout,
		.common_size = sizeof(struct shared_common),
		.record_size = sizeof(struct shared_member),
	};
	struct oa_shared *shared = calloc(1, sizeof(*shared));
	struct shared_common *common;
	int ret;

	if (!shared)
		return error_set(error, -ENOMEM, "no memory");
	ret = share_join(&setup, &shared->share, error);
	if (ret) {
		free(shared);
		return ret;
	}
	common = share_common(shared->share);
	shared->index = want->set->unit;
	shared->unit = &common->units[shared->index];
	shared->wake.fd = shared->server.fd = -1;
	shared->enable = want->enable;
	shared->enable_again = want->enable_again;
	*out = shared;
	return 0;
}

int
oa_shared_join(const struct oa_shared_want *want, struct oa_shared **out,
	       struct oa_shared_stream_info *stream,
	       struct drmperf_error *error)
{
	struct drmperf_error others = { 0 };
	struct oa_shared *shared = NULL;
	bool wanted;
	int ret = share_is_wanted(&wanted, error);

	*out = NULL;
	if (ret)
		return ret;
	if (wanted)
		ret = make_shared(want, &shared, &others);
	if (error_is_transient(ret) && error)
		*error = others;
	if (error_is_transient(ret))
		return ret;
	if (!shared)
		return open_unshared(want, stream, &others, error);
	ret = join_stream(shared, want, stream, error);
	if (ret)
		oa_shared_leave(shared);
	else
		*out = shared;
	return ret;
}

void
oa_shared_close(struct oa_shared *shared)
{
	member_of(shared, share_self(shared->share))->unit = 0;
}

void
oa_shared_leave(struct oa_shared *shared)
{
	if (!shared)
		return;
	oa_shared_close(shared);
	close_wake_and_server(shared);
	share_leave(shared->share);
	free(shared);
}

void
oa_shared_abandon(struct oa_shared *shared)
{
	if (!shared)
		return;
	close_wake_and_server(shared);
	share_abandon(shared->share);
	free(shared);
}

int
oa_shared_enable(struct oa_shared *shared, int fd,
		 uint64_t (*before)(void *data), void *data, uint64_t *since,
		 struct drmperf_error *error)
{
	struct shared_unit *unit = shared->unit;
	int ret = share_lock(shared->share, error);

	if (ret)
		return ret;
	if (!unit->is_enabled) {
		oa_snapshot_clear(&unit->page);
		unit->since = before(data);
		ret = shared->enable(fd);
		unit->is_enabled = ret >= 0;
	} else {
		/*
		 * Another process may have sent a descriptor of something else.
		 */
		ret = shared->enable_again(fd);
	}
	*since = unit->since;
	share_unlock(shared->share);
	return ret < 0 ? oa_error_failure(ret, error) : 0;
}

/* ------------------------------------------------------------------ */
/* The reading process                                                  */

bool
oa_shared_try_to_lead(struct oa_shared *shared)
{
	if (!share_try_lease(shared->share, shared->index))
		return false;
	oa_snapshot_heartbeat(&shared->unit->page);
	shared->unit->leader = share_self(shared->share) + 1;
	return true;
}

void
oa_shared_end_leading(struct oa_shared *shared)
{
	share_drop_lease(shared->share, shared->index);
}

int
oa_shared_wake_fd(const struct oa_shared *shared)
{
	return shared->wake.fd;
}

int
oa_shared_server(const struct oa_shared *shared)
{
	return shared->server.fd;
}

void
oa_shared_clear_wake(struct oa_shared *shared)
{
	uint64_t count;

	while (read(shared->wake.fd, &count, sizeof(count)) < 0 &&
	       errno == EINTR)
		;
}

void
oa_shared_wake(struct oa_shared *shared)
{
	const uint64_t one = 1;

	/* Called in each fenced read: write() would be a cancellation point. */
	while (syscall(SYS_write, shared->wake.fd, &one, sizeof(one)) < 0 &&
	       errno == EINTR)
		;
}

void
oa_shared_send_fds(struct oa_shared *shared, int fd)
{
	const int passed[PASSED_COUNT] = {
		[PASSED_STREAM] = fd,
		[PASSED_WAKE] = shared->wake.fd,
		[PASSED_SERVER] = shared->server.fd,
	};
	const struct fd_server_terms terms = { .secret = shared->unit->secret };

	fd_server_answer(shared->server.fd, &terms, passed, PASSED_COUNT);
}
