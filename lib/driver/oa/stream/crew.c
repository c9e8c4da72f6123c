/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/oa/stream/crew.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fork_close.h"
#include "base/monotonic.h"
#include "driver/oa/period.h"
#include "driver/oa/stream/tell.h"
#include "driver/share/door.h"
#include "driver/share/share.h"

#define SECOND UINT64_C(1000000000)

/* Who reads shows itself more often, unless it is stopped. */
#define ABSENCE_NS (2 * SECOND)

/* For those who have a stream that has ended to close it, and the like. */
#define JOIN_NS (3 * SECOND)

/* Until then the kernel has closed what the dead had. */
#define CLOSED_NS (SECOND / 4)

#define PAUSE_NS 2000000

/* No longer periods are shared: others wait for each report. */
#define PERIOD_MOST_S 10

enum gift {
	GIFT_STREAM,
	GIFT_BELL,
	GIFT_DOOR,
	GIFTS,
};

/* The stream of one unit, as all see it; the board is not under the lock. */
struct crew_unit {
	uint64_t serial; /* of streams; 0: there never was one */
	uint64_t config;
	uint64_t period;
	uint64_t since;
	uint32_t is_enabled;
	_Atomic uint32_t reader; /* a member, plus one */
	char set[64];
	char door[DOOR_NAME_SIZE];
	struct door_secret secret; /* of the door: only members see it */
	uint64_t network; /* the namespace in which the door has its name */
	struct oa_board board;
};

_Static_assert(OA_UNIT_COUNT <= SHARE_BATONS, "each unit has a baton");

struct crew_common {
	struct crew_unit units[OA_UNIT_COUNT];
};

struct crew_member {
	_Atomic uint64_t unit; /* plus one: has its stream */
};

struct oa_crew {
	struct share *share;
	unsigned index;
	struct crew_unit *unit;
	struct fork_close bell, door; /* the bell: eventfd */
	int (*enable)(int stream);
	int (*enable_again)(int stream);
};

static struct crew_member *
member_of(struct oa_crew *crew, uint32_t index)
{
	return share_record(crew->share, index);
}

struct oa_board *
oa_crew_board(struct oa_crew *crew)
{
	return &crew->unit->board;
}

/* Under lock: somebody else has the stream. */
static uint32_t
find_holder(struct oa_crew *crew)
{
	uint32_t i = share_next(crew->share, SHARE_NOBODY);

	while (i != SHARE_NOBODY &&
	       member_of(crew, i)->unit != crew->index + 1)
		i = share_next(crew->share, i);
	return i;
}

/* ------------------------------------------------------------------ */
/* Words                                                                */

static void
name_reader(struct oa_crew *crew, char name[SHARE_NAME_SIZE])
{
	uint32_t reader = crew->unit->reader - 1;

	strcpy(name, "the process");
	if (reader < SHARE_MEMBERS)
		share_name(crew->share, reader, name);
}

static int
say_stopped(struct oa_crew *crew, struct drmperf_error *error)
{
	char name[SHARE_NAME_SIZE];

	name_reader(crew, name);
	error_set(error, -EBUSY,
		  "%s, which reads the counters for all that count on the GPU, "
		  "does not answer",
		  name);
	error_remedy(error, "it may be stopped: let it go on (kill -CONT), or "
			    "end it; values come then, the kernel keeps the "
			    "reports while its buffer has room; or the GPU "
			    "hangs: the kernel's log tells");
	return -EBUSY;
}

int
oa_crew_tell_absence(struct oa_crew *crew, struct drmperf_error *error)
{
	uint64_t seen = crew->unit->board.beat_ns, now = monotonic_ns();

	if (crew->unit->reader == share_self(crew->share) + 1 ||
	    (seen < now + ABSENCE_NS && now < seen + ABSENCE_NS))
		return 0;
	return say_stopped(crew, error);
}

int
oa_crew_tell_reader(struct oa_crew *crew, struct drmperf_error *error)
{
	char name[SHARE_NAME_SIZE];

	name_reader(crew, name);
	error_set(error, -EBUSY,
		  "%s counts on the GPU as well, and gets its raw records",
		  name);
	error_remedy(error, "end it first, or record there");
	return -EBUSY;
}

static int
say_senseless(struct oa_crew *crew, const char *what,
	      struct drmperf_error *error)
{
	char name[SHARE_NAME_SIZE];

	name_reader(crew, name);
	error_set(error, -EIO,
		  "%s, which reads the counters for all that count on the GPU, "
		  "shares %s that no drmperf makes",
		  name, what);
	error_remedy(error, "end it; it may be damaged");
	return -EIO;
}

/* The name of the metric set that others count, if it is one. */
static void
copy_set_name(const struct crew_unit *unit, char out[sizeof(unit->set)])
{
	memcpy(out, unit->set, sizeof(unit->set));
	out[sizeof(unit->set) - 1] = '\0';
	for (char *c = out; *c; c++) {
		if (!isalnum((unsigned char)*c) && !strchr("_.-+", *c))
			*c = '?';
	}
}

static int
say_other_set(struct oa_crew *crew, const struct oa_crew_want *want,
	      uint32_t holder, struct drmperf_error *error)
{
	char name[SHARE_NAME_SIZE], set[sizeof(crew->unit->set)];

	share_name(crew->share, holder, name);
	copy_set_name(crew->unit, set);
	error_set(error, -EBUSY,
		  "%s counts metric set %s on %s, and a GPU counts one set "
		  "at a time",
		  name, set, want->node);
	share_remedy(error);
	return -EBUSY;
}

static int
say_other_network(struct oa_crew *crew, const struct oa_crew_want *want,
		  uint32_t holder, struct drmperf_error *error)
{
	char name[SHARE_NAME_SIZE];

	share_name(crew->share, holder, name);
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
keep(struct fork_close *entry, int fd)
{
	int ret = fork_close_init(entry, fd);

	if (ret) {
		close(fd);
		entry->fd = -1;
	}
	return ret;
}

static int
keep_both(struct oa_crew *crew, int bell, int door)
{
	int ret = keep(&crew->bell, bell);

	if (ret)
		close(door);
	else
		ret = keep(&crew->door, door);
	if (ret)
		fork_close_finish(&crew->bell);
	return ret;
}

static int
make_bell_and_door(struct oa_crew *crew, char name[DOOR_NAME_SIZE],
		   struct door_secret *secret)
{
	int ret = door_make_secret(secret), bell, door;

	if (ret)
		return ret;
	bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (bell < 0)
		return -errno;
	door = door_open(name);
	if (door < 0)
		close(bell);
	return door < 0 ? door : keep_both(crew, bell, door);
}

/* 0: unknown */
static uint64_t
find_network(void)
{
	struct stat status;

	return stat("/proc/self/ns/net", &status) ? 0 : status.st_ino;
}

static void
describe(struct crew_unit *unit, const struct oa_crew_want *want,
	 const struct oa_crew_stream *stream, const char name[DOOR_NAME_SIZE],
	 const struct door_secret *secret)
{
	unit->serial++;
	unit->config = want->config;
	unit->period = stream->period;
	unit->is_enabled = false;
	unit->reader = 0;
	memset(unit->set, 0, sizeof(unit->set));
	strncpy(unit->set, want->set->name, sizeof(unit->set) - 1);
	memcpy(unit->door, name, DOOR_NAME_SIZE);
	unit->secret = *secret;
	unit->network = find_network();
	oa_board_clear(&unit->board);
}

/* Under lock: nobody has one. */
static int
open_new(struct oa_crew *crew, const struct oa_crew_want *want,
	 struct oa_crew_stream *stream, struct drmperf_error *error)
{
	char name[DOOR_NAME_SIZE] = "";
	struct door_secret secret;
	int ret = want->open(want->data, stream, error);

	if (ret)
		return ret;
	ret = make_bell_and_door(crew, name, &secret);
	if (ret) {
		close(stream->fd);
		return error_set(error, ret, "cannot share a stream: %s",
				 strerror(-ret));
	}
	describe(crew->unit, want, stream, name, &secret);
	member_of(crew, share_self(crew->share))->unit = crew->index + 1;
	return 0;
}

/*
 * Whether the descriptors that a peer gave can be used: writing to a pipe would
 * raise a signal, and a blocking descriptor hold the caller. What is not a
 * stream is found when it is enabled.
 */
static bool
are_gifts(const int gifts[GIFTS])
{
	return door_is_eventfd(gifts[GIFT_BELL]) &&
	       door_is_door(gifts[GIFT_DOOR]);
}

/* Not under lock: who reads may be slow. -EAGAIN: look again. */
static int
fetch(struct oa_crew *crew, const struct crew_unit *seen,
      struct oa_crew_stream *stream, struct drmperf_error *error)
{
	int gifts[GIFTS], ret;

	ret = door_fetch(seen->door, &seen->secret, gifts, GIFTS,
			 (int)(ABSENCE_NS / 1000000));
	if (ret == -EAGAIN)
		return ret;
	if (ret == -ETIMEDOUT)
		return say_stopped(crew, error);
	if (!ret && !are_gifts(gifts)) {
		for (int i = 0; i < GIFTS; i++)
			close(gifts[i]);
		return say_senseless(crew, "descriptors", error);
	}
	if (!ret) {
		ret = keep_both(crew, gifts[GIFT_BELL], gifts[GIFT_DOOR]);
		if (ret)
			close(gifts[GIFT_STREAM]);
	}
	if (ret)
		return error_set(error, ret,
				 "cannot get the stream of the others: %s",
				 strerror(-ret));
	*stream = (struct oa_crew_stream){ .fd = gifts[GIFT_STREAM],
					   .period = seen->period };
	return 0;
}

static void
close_bell_and_door(struct oa_crew *crew)
{
	fork_close_finish(&crew->bell);
	fork_close_finish(&crew->door);
}

/* What was given to us is that of a stream which is still there. */
static int
settle(struct oa_crew *crew, uint64_t serial, struct oa_crew_stream *stream,
       struct drmperf_error *error)
{
	int ret = share_lock(crew->share, error);

	if (!ret) {
		if (crew->unit->serial != serial)
			ret = -EAGAIN;
		else
			member_of(crew, share_self(crew->share))->unit =
				crew->index + 1;
		share_unlock(crew->share);
	}
	if (ret) {
		close(stream->fd);
		close_bell_and_door(crew);
	}
	return ret;
}

/* Whether a stream can have that period, which is waited for. */
static bool
is_period(uint64_t ticks, uint64_t hz)
{
	return ticks >= 2 && !(ticks & (ticks - 1)) &&
	       ticks <= UINT64_C(2) << OA_EXPONENT_MAX &&
	       ticks / hz < PERIOD_MOST_S;
}

/* Whether to go in with those who have a stream: 0, or -EAGAIN: not yet. */
static int
look_at(struct oa_crew *crew, const struct oa_crew_want *want, uint32_t holder,
	struct crew_unit *seen, struct drmperf_error *error)
{
	struct oa_state state;

	if (!oa_board_look(&crew->unit->board, &state) ||
	    oa_state_is_end(&state))
		return -EAGAIN;
	if (crew->unit->config != want->config)
		return say_other_set(crew, want, holder, error);
	if (crew->unit->network != find_network())
		return say_other_network(crew, want, holder, error);
	seen->serial = crew->unit->serial;
	seen->period = crew->unit->period;
	memcpy(seen->door, crew->unit->door, DOOR_NAME_SIZE);
	seen->secret = crew->unit->secret;
	return is_period(seen->period, want->hz)
		       ? 0
		       : say_senseless(crew, "a period", error);
}

/*
 * One try: -EAGAIN if things are about to change; then also *busy if the kernel
 * has a stream, but nobody has it who shares.
 */
static int
try_join(struct oa_crew *crew, const struct oa_crew_want *want,
	 struct oa_crew_stream *stream, bool *busy, struct drmperf_error *error)
{
	struct crew_unit seen;
	uint32_t holder;
	int ret = share_lock(crew->share, error);

	if (ret)
		return ret;
	holder = find_holder(crew);
	if (holder == SHARE_NOBODY) {
		ret = open_new(crew, want, stream, error);
		*busy = ret == -EBUSY;
	} else {
		ret = look_at(crew, want, holder, &seen, error);
	}
	share_unlock(crew->share);
	if (*busy)
		return -EAGAIN;
	if (ret || holder == SHARE_NOBODY)
		return ret;
	ret = fetch(crew, &seen, stream, error);
	return ret ? ret : settle(crew, seen.serial, stream, error);
}

static int
join(struct oa_crew *crew, const struct oa_crew_want *want,
     struct oa_crew_stream *stream, struct drmperf_error *error)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	const uint64_t begun = monotonic_ns();
	bool busy;
	int ret;

	for (;;) {
		busy = false;
		ret = try_join(crew, want, stream, &busy, error);
		if (ret != -EAGAIN)
			return ret;
		if (busy && monotonic_ns() - begun > CLOSED_NS)
			return -EBUSY; /* as open() has said */
		if (!busy && monotonic_ns() - begun > JOIN_NS)
			return say_stopped(crew, error);
		nanosleep(&pause, NULL);
	}
}

/* ------------------------------------------------------------------ */
/* Membership                                                           */

static int
open_alone(const struct oa_crew_want *want, struct oa_crew_stream *stream,
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

/* The kernel decides, but who has it is better told by who looked. */
static int
open_unshared(const struct oa_crew_want *want, struct oa_crew_stream *stream,
	      const struct drmperf_error *others, struct drmperf_error *error)
{
	int ret = open_alone(want, stream, error);

	if (ret == -EBUSY && others->code == -EBUSY && error)
		*error = *others;
	return ret;
}

static int
make_crew(const struct oa_crew_want *want, struct oa_crew **out,
	  struct drmperf_error *error)
{
	const struct share_setup setup = {
		.node = want->node,
		.layout = want->layout,
		.common_size = sizeof(struct crew_common),
		.record_size = sizeof(struct crew_member),
	};
	struct oa_crew *crew = calloc(1, sizeof(*crew));
	struct crew_common *common;
	int ret;

	if (!crew)
		return error_set(error, -ENOMEM, "no memory");
	ret = share_join(&setup, &crew->share, error);
	if (ret) {
		free(crew);
		return ret;
	}
	common = share_common(crew->share);
	crew->index = want->set->unit;
	crew->unit = &common->units[crew->index];
	crew->bell.fd = crew->door.fd = -1;
	crew->enable = want->enable;
	crew->enable_again = want->enable_again;
	*out = crew;
	return 0;
}

int
oa_crew_join(const struct oa_crew_want *want, struct oa_crew **out,
	     struct oa_crew_stream *stream, struct drmperf_error *error)
{
	struct drmperf_error others = { 0 };
	struct oa_crew *crew = NULL;
	bool wanted;
	int ret = share_is_wanted(&wanted, error);

	*out = NULL;
	if (ret)
		return ret;
	if (wanted)
		ret = make_crew(want, &crew, &others);
	if (error_is_transient(ret) && error)
		*error = others;
	if (error_is_transient(ret))
		return ret;
	if (!crew)
		return open_unshared(want, stream, &others, error);
	ret = join(crew, want, stream, error);
	if (ret)
		oa_crew_leave(crew);
	else
		*out = crew;
	return ret;
}

void
oa_crew_retire(struct oa_crew *crew)
{
	member_of(crew, share_self(crew->share))->unit = 0;
}

void
oa_crew_leave(struct oa_crew *crew)
{
	if (!crew)
		return;
	oa_crew_retire(crew);
	close_bell_and_door(crew);
	share_leave(crew->share);
	free(crew);
}

void
oa_crew_abandon(struct oa_crew *crew)
{
	if (!crew)
		return;
	close_bell_and_door(crew);
	share_abandon(crew->share);
	free(crew);
}

int
oa_crew_enable(struct oa_crew *crew, int fd, uint64_t (*before)(void *data),
	       void *data, uint64_t *since, struct drmperf_error *error)
{
	struct crew_unit *unit = crew->unit;
	int ret = share_lock(crew->share, error);

	if (ret)
		return ret;
	if (!unit->is_enabled) {
		oa_board_clear(&unit->board);
		unit->since = before(data);
		ret = crew->enable(fd);
		unit->is_enabled = ret >= 0;
	} else {
		/* Another process may have given something else. */
		ret = crew->enable_again(fd);
	}
	*since = unit->since;
	share_unlock(crew->share);
	return ret < 0 ? oa_tell_failure(ret, error) : 0;
}

/* ------------------------------------------------------------------ */
/* Who reads                                                            */

bool
oa_crew_try_to_read(struct oa_crew *crew)
{
	if (!share_try_baton(crew->share, crew->index))
		return false;
	oa_board_beat(&crew->unit->board);
	crew->unit->reader = share_self(crew->share) + 1;
	return true;
}

void
oa_crew_end_reading(struct oa_crew *crew)
{
	share_pass_baton(crew->share, crew->index);
}

int
oa_crew_bell(const struct oa_crew *crew)
{
	return crew->bell.fd;
}

int
oa_crew_door(const struct oa_crew *crew)
{
	return crew->door.fd;
}

void
oa_crew_silence_bell(struct oa_crew *crew)
{
	uint64_t count;

	while (read(crew->bell.fd, &count, sizeof(count)) < 0 && errno == EINTR)
		;
}

void
oa_crew_ring(struct oa_crew *crew)
{
	const uint64_t one = 1;

	while (write(crew->bell.fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

void
oa_crew_let_in(struct oa_crew *crew, int fd)
{
	const int gifts[GIFTS] = {
		[GIFT_STREAM] = fd,
		[GIFT_BELL] = crew->bell.fd,
		[GIFT_DOOR] = crew->door.fd,
	};
	const struct door_terms terms = { .secret = crew->unit->secret };

	door_serve(crew->door.fd, &terms, gifts, GIFTS);
}
