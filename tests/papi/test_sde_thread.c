/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a thread counts for PAPI's sde component, over sets of events that this
 * file stands in for: where it cannot begin, nothing is left, and the next call
 * begins again.
 */
#include "sde_thread.h"

#include <errno.h>
#include <stdlib.h>

#include "tests/support/check.h"
#include "tests/support/suite.h"

#define EVENTS 3

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

static struct {
	unsigned allocation; /* the one that fails, from 1 on; 0: none does */
	bool start;
} faults;

static unsigned sets; /* that there are */
static long long values[EVENTS] = { 7, 8, 9 };

void *
__wrap_calloc(size_t count, size_t size)
{
	if (faults.allocation && !--faults.allocation)
		return NULL;
	return __real_calloc(count, size);
}

/* ------------------------------------------------------------------ */
/* Sets                                                                 */

struct papi_drm_set {
	bool is_started;
};

int
sde_list_make_set(const struct sde_list *list, unsigned plain,
		  struct papi_drm_set **out, struct drmperf_error *error)
{
	(void)list, (void)plain, (void)error;
	*out = malloc(sizeof(**out));
	ck_assert_ptr_nonnull(*out);
	(*out)->is_started = false;
	sets++;
	return 0;
}

void
papi_drm_set_destroy(struct papi_drm_set *set)
{
	sets -= set != NULL;
	free(set);
}

int
papi_drm_set_start(struct papi_drm_set *set, struct drmperf_error *error)
{
	(void)error;
	if (faults.start)
		return -EBUSY;
	set->is_started = true;
	return 0;
}

int
papi_drm_set_stop(struct papi_drm_set *set, struct drmperf_error *error)
{
	(void)error;
	set->is_started = false;
	return 0;
}

int
papi_drm_set_reset(struct papi_drm_set *set, struct drmperf_error *error)
{
	(void)error;
	ck_assert(set->is_started);
	return 0;
}

int
papi_drm_set_read(struct papi_drm_set *set, long long **out,
		  struct drmperf_error *error)
{
	(void)error;
	ck_assert(set->is_started);
	*out = values;
	return 0;
}

int
papi_drm_set_explain(struct papi_drm_set *set, struct drmperf_error *error)
{
	(void)set, (void)error;
	return 0;
}

/* ------------------------------------------------------------------ */

static const struct {
	unsigned allocation;
	bool start;
	int err;
} failures[] = {
	{ 1, false, -ENOMEM },
	{ 2, false, -ENOMEM },
	{ 0, true, -EBUSY },
};

TEST_CASE(all, NULL, NULL, "sde_thread");

TEST_LOOP(all, a_failed_beginning_leaves_nothing,
	  sizeof(failures) / sizeof(*failures))
{
	struct sde_event events[EVENTS] = { 0 };
	const struct sde_list list = { .events = events, .count = EVENTS };
	struct drmperf_error error;
	struct sde_thread *thread;
	long long value;

	ck_assert_int_eq(sde_thread_create(&thread), 0);
	faults.allocation = failures[_i].allocation;
	faults.start = failures[_i].start;
	ck_assert_int_eq(sde_thread_reset(thread, &list, 1, &error),
			 failures[_i].err);
	ck_assert_uint_eq(sets, 0);
	ck_assert(!sde_thread_counts(thread));

	faults.start = false;
	ck_assert_int_eq(sde_thread_reset(thread, &list, 1, &error), 0);
	ck_assert(sde_thread_counts(thread));
	ck_assert_int_eq(sde_thread_read(thread, 1, &value, &error), 0);
	ck_assert_int_eq(value, values[1]);
	sde_thread_destroy(thread);
	ck_assert_uint_eq(sets, 0);
}

/* No count begins at the number that means none, and none is subtracted. */
TEST(all, no_value_is_no_number)
{
	struct sde_event events[EVENTS] = { [1] = { .adds_up = true } };
	const struct sde_list list = { .events = events, .count = EVENTS };
	struct drmperf_error error;
	struct sde_thread *thread;
	long long value;

	ck_assert_int_eq(sde_thread_create(&thread), 0);
	ck_assert_int_eq(sde_thread_reset(thread, &list, 1, &error), 0);
	ck_assert_int_eq(sde_thread_reset(thread, &list, 1, &error), 0);
	values[1] = PAPI_DRM_NO_VALUE;
	ck_assert_int_eq(sde_thread_read(thread, 1, &value, &error), 0);
	ck_assert(value == PAPI_DRM_NO_VALUE);
	ck_assert_int_eq(sde_thread_reset(thread, &list, 1, &error), 0);
	values[1] = 20;
	ck_assert_int_eq(sde_thread_read(thread, 1, &value, &error), 0);
	ck_assert_int_eq(value, 20);
	sde_thread_destroy(thread);
}
