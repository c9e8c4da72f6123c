/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/counting.h"

#include <inttypes.h>
#include <string.h>

#include "tests/support/scene.h"

#define MOST_EVENTS 64

struct counting counting;

struct drmperf *
counting_create(void)
{
	struct drmperf *drmperf;
	struct drmperf_error error;

	ck_assert_msg(!drmperf_create(NULL, &drmperf, &error), "%s",
		      error.cause);
	return drmperf;
}

void
counting_begin_with(const struct drmperf_options *options)
{
	memset(&counting, 0, sizeof(counting));
	ck_assert_msg(
		!drmperf_create(options, &counting.drmperf, &counting.error),
		"%s", counting.error.cause);
}

void
counting_begin(void)
{
	counting_begin_with(NULL);
}

void
counting_end(void)
{
	drmperf_destroy(counting.drmperf);
	counting.drmperf = NULL;
}

void
counting_end_clean(void)
{
	counting_end();
	scene_assert_clean();
}

struct drmperf_selection
counting_find(const char *name)
{
	struct drmperf_selection selection;

	ck_assert_msg(!drmperf_event_find(counting.drmperf, name, &selection,
					  &counting.error),
		      "%s: %s", name, counting.error.cause);
	return selection;
}

struct drmperf_session *
counting_session_with(const char *const *names,
		      const struct drmperf_session_options *options)
{
	struct drmperf_selection selections[MOST_EVENTS];
	struct drmperf_session *session = NULL;
	struct drmperf_error *error = &counting.error;
	size_t count = 0;

	for (; names[count]; count++) {
		ck_assert_uint_lt(count, MOST_EVENTS);
		selections[count] = counting_find(names[count]);
	}
	ck_assert_msg(!drmperf_session_create(counting.drmperf, selections,
					      count, options, &session, error),
		      "%s", error->cause);
	ck_assert_uint_eq(drmperf_session_size(session), count);
	return session;
}

struct drmperf_session *
counting_session(const char *const *names)
{
	return counting_session_with(names, NULL);
}

void
counting_run(struct drmperf_session *session)
{
	counting_succeeded(drmperf_session_start(session, &counting.error));
}

struct drmperf_session *
counting_start(const char *const *names)
{
	struct drmperf_session *session = counting_session(names);

	counting_run(session);
	return session;
}

void
counting_read(struct drmperf_session *session, union drmperf_value *values)
{
	counting_succeeded(drmperf_session_read(session, values, NULL, NULL,
						&counting.error));
}

int
counting_try_read(struct drmperf_session *session)
{
	union drmperf_value values[8];

	memset(&counting.error, 0, sizeof(counting.error));
	return drmperf_session_read(session, values, NULL, NULL,
				    &counting.error);
}

void
counting_expect(struct drmperf_session *session, const uint64_t *values)
{
	counting_expect_first(session, values, drmperf_session_size(session));
}

void
counting_expect_first(struct drmperf_session *session, const uint64_t *values,
		      size_t count)
{
	union drmperf_value read[MOST_EVENTS];

	counting_read(session, read);
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(read[i].u64 == values[i],
			      "value %zu is %" PRIu64 ", not %" PRIu64, i,
			      read[i].u64, values[i]);
}

void
counting_failed(int ret, int expected, const char *cause, const char *remedy)
{
	const struct drmperf_error *error = &counting.error;

	ck_assert_msg(ret == expected, "%d instead of %d: %s", ret, expected,
		      ret ? error->cause : "no error");
	ck_assert_int_eq(error->code, expected);
	ck_assert_msg(strstr(error->cause, cause), "cause: %s", error->cause);
	ck_assert_msg(strstr(error->remedy, remedy), "remedy: %s",
		      error->remedy);
}

char counting_calls[256];

void
counting_note_call(char what)
{
	const size_t length = strlen(counting_calls);

	if (length + 1 < sizeof(counting_calls)) {
		counting_calls[length] = what;
		counting_calls[length + 1] = '\0';
	}
}
