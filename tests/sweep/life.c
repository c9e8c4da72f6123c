/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sweep/life.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drmsim/control.h"

#define MS UINT64_C(1000000)

/* No more files of a GPU than that. */
#define MOST_SHARES 16

struct life {
	const struct life_subject *subject;
	struct life_result *result;
	struct drmperf *drmperf;
	struct drmperf_selection selections[LIFE_EVENTS];
	size_t count;
	struct drmperf_error error;
	int first; /* error of a call, or 0 */
	bool is_reset;
};

__attribute__((format(printf, 2, 3))) static void
note_problem(struct life *life, const char *format, ...)
{
	char *text = life->result->problem;
	va_list list;

	if (*text)
		return;
	va_start(list, format);
	vsnprintf(text, sizeof(life->result->problem), format, list);
	va_end(list);
}

/* ------------------------------------------------------------------ */
/* One life                                                             */

/* Return whether the call went well; what it reports if not has to be whole. */
static bool
take_result(struct life *life, const char *call, int ret)
{
	if (!ret)
		return true;
	if (!life->first)
		life->first = ret;
	if (ret > 0 || life->error.code != ret || !*life->error.cause)
		note_problem(life, "%s: %d, but code %d, cause \"%s\"", call,
			     ret, life->error.code, life->error.cause);
	return false;
}

static bool
is_right(const struct life_event *event, uint64_t value, uint64_t ms)
{
	uint64_t expected =
		event->is_momentary ? event->value : event->value * ms;

	if (!event->is_shared)
		return value == expected;
	return value >= expected && value <= expected * MOST_SHARES &&
	       value % expected == 0;
}

static void
check_values(struct life *life, const union drmperf_value *values, uint64_t ms)
{
	const struct life_event *events = life->subject->events;

	if (life->subject->is_right) {
		if (!life->subject->is_right(values, ms))
			note_problem(life,
				     "values %" PRIu64 ", %" PRIu64 " ...",
				     values[0].u64, values[1].u64);
		return;
	}
	for (size_t i = 0; i < life->count; i++)
		if (!is_right(&events[i], values[i].u64, ms))
			note_problem(life, "%s is %" PRIu64, events[i].name,
				     values[i].u64);
}

static void
read_right(struct life *life, struct drmperf_session *session, uint64_t ms)
{
	union drmperf_value values[LIFE_EVENTS] = { { 0 } };

	if (take_result(life, "read",
			drmperf_session_read(session, values, NULL, NULL,
					     &life->error)))
		check_values(life, values, ms);
}

static void
pass_ms(struct life *life, uint64_t ms)
{
	if (drmsim_advance(ms * MS))
		note_problem(life, "time stands still");
}

static void
count_session(struct life *life, struct drmperf_session *session)
{
	struct drmperf_error *error = &life->error;
	bool is_reset;

	if (!take_result(life, "start", drmperf_session_start(session, error)))
		return;
	pass_ms(life, 1);
	read_right(life, session, 1);
	is_reset = take_result(life, "reset",
			       drmperf_session_reset(session, error));
	pass_ms(life, 2);
	/* where it failed it is not told from when on it counts */
	if (is_reset)
		read_right(life, session, 2);
	if (take_result(life, "stop", drmperf_session_stop(session, error)) &&
	    is_reset)
		read_right(life, session, 2);
}

static bool
find_event(struct life *life)
{
	const struct life_event *events = life->subject->events;

	life->count = 0;
	for (; events[life->count].name; life->count++)
		if (!take_result(
			    life, "find",
			    drmperf_event_find(life->drmperf,
					       events[life->count].name,
					       &life->selections[life->count],
					       &life->error)))
			return false;
	return true;
}

/* Live with a handle that there is. */
static void
live_once(struct life *life)
{
	struct drmperf_session *session;
	struct drmperf_plan *plan;

	if (!find_event(life))
		return;
	if (take_result(life, "plan",
			drmperf_plan_create(life->drmperf, life->selections,
					    life->count, NULL, &plan,
					    &life->error)))
		drmperf_plan_destroy(plan);
	if (!take_result(life, "session",
			 drmperf_session_create(life->drmperf, life->selections,
						life->count, NULL, &session,
						&life->error)))
		return;
	count_session(life, session);
	drmperf_session_destroy(session);
}

static void
begin_life(struct life *life)
{
	life->drmperf = NULL;
	take_result(life, "create",
		    drmperf_create(NULL, &life->drmperf, &life->error));
}

static void
end_life(struct life *life)
{
	drmperf_destroy(life->drmperf);
	life->drmperf = NULL;
}

/* ------------------------------------------------------------------ */
/* What is left of it                                                   */

/* Count the entries of a folder whose names are numbers below that. */
static unsigned
count_entries(const char *path, long below)
{
	DIR *folder = opendir(path);
	const struct dirent *entry;
	unsigned count = 0;

	while (folder && (entry = readdir(folder)))
		count += entry->d_name[0] != '.' &&
			 strtol(entry->d_name, NULL, 10) < below;
	if (folder)
		closedir(folder);
	return count;
}

/* Count the open files. drmsim's own ones lie above. */
static unsigned
open_files(void)
{
	return count_entries("/proc/self/fd", 500);
}

static unsigned
count_threads(void)
{
	return count_entries("/proc/self/task", LONG_MAX);
}

/* Check that the report has no misuse, and no GPU that is not restored. */
static void
check_restored(struct life *life)
{
	const char *const *restored = life->subject->restored;
	static char report[65536];
	char *line;

	if (drmsim_command("report", report, sizeof(report))) {
		note_problem(life, "no report");
		return;
	}
	for (int i = 0; i < 3 && restored[i]; i++)
		if (!strstr(report, restored[i]))
			note_problem(life, "not restored: no %s", restored[i]);
	line = strstr(report, "violation");
	if (line)
		note_problem(life, "%.*s", (int)strcspn(line, "\n"), line);
}

/* ------------------------------------------------------------------ */
/* Two of them                                                          */

int
life_prepare(const struct life_subject *subject)
{
	int ret = 0;

	for (size_t i = 0; i < 4 && subject->settings[i].key && !ret; i++)
		ret = drmsim_set(subject->settings[i].key,
				 subject->settings[i].value);
	return ret;
}

static bool
is_transient(int error)
{
	return error == ENOMEM || error == EMFILE || error == ENFILE ||
	       error == EINTR || error == EAGAIN;
}

/* Check that a moment's trouble is not reported as what is so for ever. */
static void
check_refusal(struct life *life, int error)
{
	if (is_transient(error) &&
	    (life->first == -ENOENT || life->first == -EOPNOTSUPP))
		note_problem(life, "after errno %d: %d, %s", error, life->first,
			     life->error.cause);
}

static void
live_first(struct life *life, int error, bool is_keeper)
{
	begin_life(life);
	if (life->drmperf)
		live_once(life);
	check_refusal(life, error);
	if (!is_keeper)
		end_life(life);
}

/* Live again by what is left of the first life, and by nothing that is. */
static void
live_again(struct life *life, int error)
{
	if (life->drmperf) {
		live_once(life);
		if (life->first && is_transient(error))
			note_problem(life, "the next call: %d, %s", life->first,
				     life->error.cause);
		end_life(life);
	}
	life->first = 0;
	begin_life(life);
	if (life->drmperf)
		live_once(life);
	end_life(life);
	if (life->first)
		note_problem(life, "second life: %d, %s", life->first,
			     life->error.cause);
}

/* Open a client of the GPU that is there whatever fails. */
static int
open_share(const struct life_subject *subject)
{
	return subject->events[0].is_shared
		       ? open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC)
		       : -1;
}

void
life_once(const struct life_subject *subject, struct life_result *result)
{
	struct life life = { .subject = subject, .result = result };
	int share = open_share(subject);

	memset(result, 0, sizeof(*result));
	live_first(&life, 0, false);
	if (life.first)
		note_problem(&life, "%d, %s", life.first, life.error.cause);
	check_restored(&life);
	close(share);
}

static bool
arm_fault(struct life *life, const char *fault, const char *kind,
	  uint64_t *calls)
{
	if (drmsim_fault(fault) || drmsim_calls(kind, calls)) {
		note_problem(life, "no such fault");
		return false;
	}
	return true;
}

void
life_run(const struct life_subject *subject, const char *fault,
	 const char *kind, int error, bool is_keeper,
	 struct life_result *result)
{
	struct life life = { .subject = subject, .result = result };
	uint64_t calls = 0, after = 0, nth;
	int share = open_share(subject);
	unsigned files = open_files();

	memset(result, 0, sizeof(*result));
	/* one that crashed has left its fault */
	if (drmsim_command("clear", NULL, 0) ||
	    drmsim_command("mend", NULL, 0) ||
	    !arm_fault(&life, fault, kind, &calls))
		return;
	live_first(&life, error, is_keeper);
	drmsim_command("mend", NULL, 0);
	nth = strtoull(strchr(fault, ':') + 1, NULL, 10);
	result->has_struck =
		!drmsim_calls(kind, &after) && after - calls >= nth;
	result->is_unharmed = !life.first && !*result->problem;
	result->is_refused = life.first && !*result->problem;
	if (!strchr(fault, '+'))
		check_restored(&life);
	result->is_restored = !*result->problem;
	life.first = 0;
	live_again(&life, error);
	check_restored(&life);
	if (open_files() != files)
		note_problem(&life, "files left open");
	if (count_threads() != 1)
		note_problem(&life, "threads left running");
	result->has_again = !*result->problem;
	close(share);
}
