/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stage 6 of Intel GPUs: the events of each published set are counted by that
 * set, by a composed one, and by that set once more, while the GPU does what
 * its user has it do. What the set itself counts twice alike, the composed one
 * has to count alike as well.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/intel/oa/results.h"
#include "driver/results/results.h"
#include "selftest/intel/oa_stages.h"

#define COMPOSED "Composed"
#define TIME_EVENT "GpuTime"
#define COUNTING_NS UINT64_C(100000000)

#define EVENTS_MAX 128u

/* Limit for two counts of one event: work is never quite steady. */
#define MOST_UNSTEADY 0.1
#define MOST_WRONG 0.02
/* Rates that are less are a few counts, which come as they like. */
#define LEAST_RATE 1e-6

enum {
	PUBLISHED,
	COMPOSED_SET,
	PUBLISHED_AGAIN,
	COUNTS
};

struct set {
	const char *name;
	const struct drmperf_event *events[EVENTS_MAX];
	const char *names[EVENTS_MAX]; /* without the set's */
	size_t count;
	/* in a nanosecond, of events that add up; the last is not used */
	double rates[COUNTS][EVENTS_MAX + 1];
};

/* ------------------------------------------------------------------ */
/* Counting                                                             */

static bool
is_compared(const struct drmperf_event *event, const char *name)
{
	return drmperf_event_kind(event) != DRMPERF_KIND_MOMENTARY &&
	       strcmp(name, TIME_EVENT) != 0;
}

static void
list_events(const struct oa_harness *harness, const struct drmperf_group *group,
	    struct set *set)
{
	size_t first = drmperf_group_first_event(group);
	size_t count = drmperf_group_event_count(group);

	set->name = drmperf_group_name(group);
	set->count = 0;
	for (size_t i = first; i < first + count; i++) {
		const struct drmperf_event *event =
			drmperf_event_at(harness->device, i);
		const char *name = strrchr(drmperf_event_name(event), '.') + 1;

		if (!is_compared(event, name) || set->count == EVENTS_MAX)
			continue;
		set->events[set->count] = event;
		set->names[set->count++] = name;
	}
}

static double
event_rate(const struct drmperf_event *event, union drmperf_value value,
	   uint64_t ns)
{
	double number = drmperf_event_type(event) == DRMPERF_TYPE_DOUBLE
				? value.f64
				: (double)value.u64;

	return drmperf_event_kind(event) == DRMPERF_KIND_CUMULATIVE
		       ? number / (double)ns
		       : number;
}

static int
read_rates(struct oa_harness *harness, const struct oa_check *check,
	   struct drmperf_session *session, const struct set *set,
	   double *rates)
{
	union drmperf_value values[EVENTS_MAX + 1];
	uint64_t ns;
	int ret;

	oa_wait(COUNTING_NS);
	ret = oa_read(harness, check, session, values);
	ns = ret ? 0 : values[set->count].u64;
	if (!ret && !ns) {
		oa_decide(harness, check, SELFTEST_FAIL, "no time passed");
		ret = 1;
	}
	for (size_t i = 0; !ret && i < set->count; i++)
		rates[i] = event_rate(set->events[i], values[i], ns);
	return ret;
}

static int
count_rates(struct oa_harness *harness, const struct oa_check *check,
	    const char *from, const struct set *set, double *rates)
{
	char names[EVENTS_MAX + 1][OA_NAME_SIZE];
	const char *pointers[EVENTS_MAX + 1];
	struct drmperf_session *session;
	int ret;

	for (size_t i = 0; i <= set->count; i++) {
		const char *event = i < set->count ? set->names[i] : TIME_EVENT;

		snprintf(names[i], sizeof(names[i]), "%s.%s", from, event);
		pointers[i] = names[i];
	}
	ret = oa_count(harness, check, pointers, set->count + 1, &session);
	if (ret)
		return ret;
	ret = read_rates(harness, check, session, set, rates);
	drmperf_session_destroy(session);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Comparing                                                            */

static double
relative_distance(double a, double b)
{
	return a > b ? a - b : b - a;
}

/*
 * Return whether the event moves with any work, and so does not test selectors.
 */
static bool
is_clock(const char *name)
{
	return !strcmp(name, "GpuCoreClocks") ||
	       !strcmp(name, "AvgGpuCoreFrequency");
}

struct comparison {
	size_t moved, unsteady;
	const char *wrong; /* the first event that is; or NULL */
	double published, composed; /* its rates */
};

static void
compare_event(const struct set *set, size_t i, struct comparison *out)
{
	double first = set->rates[PUBLISHED][i];
	double again = set->rates[PUBLISHED_AGAIN][i];
	double composed = set->rates[COMPOSED_SET][i];
	double most = first > again ? first : again;
	double mean = (first + again) / 2,
	       apart = relative_distance(first, again);

	if (apart > MOST_UNSTEADY * most + LEAST_RATE) {
		out->unsteady++;
		return;
	}
	if (relative_distance(composed, mean) >
	    apart + MOST_WRONG * most + LEAST_RATE) {
		out->wrong = out->wrong ? out->wrong : set->names[i];
		out->published = mean;
		out->composed = composed;
		return;
	}
	out->moved += mean > LEAST_RATE && !is_clock(set->names[i]);
}

static enum selftest_verdict
decide_set(const struct oa_harness *harness, const struct oa_check *check,
	   const struct set *set)
{
	struct comparison found = { 0 };
	enum selftest_verdict verdict = SELFTEST_UNKNOWN;

	for (size_t i = 0; i < set->count && !found.wrong; i++)
		compare_event(set, i, &found);
	if (found.wrong)
		verdict = SELFTEST_FAIL;
	else if (4 * found.moved >= set->count)
		verdict = SELFTEST_PASS;
	if (found.wrong)
		oa_decide(harness, check, verdict,
			  "%s: %g published, %g composed", found.wrong,
			  found.published, found.composed);
	else
		oa_decide(harness, check, verdict,
			  "%zu of %zu moved and were the same, %zu were too "
			  "unsteady to tell",
			  found.moved, set->count, found.unsteady);
	return verdict;
}

/* ------------------------------------------------------------------ */
/* All of them                                                          */

/* Results of this run and of earlier ones. */
struct verdicts {
	struct selftest_results known;
	unsigned sets, passed, failed;
};

static void
verdicts_note(struct verdicts *verdicts, const char *check,
	      enum selftest_verdict verdict)
{
	verdicts->sets++;
	verdicts->failed += verdict == SELFTEST_FAIL;
	if (verdict == SELFTEST_PASS ||
	    (verdict == SELFTEST_UNKNOWN &&
	     results_find(&verdicts->known, check) == RESULT_PASS))
		verdicts->passed++;
}

static int
try_set(struct oa_harness *harness, const struct drmperf_group *group,
	struct set *set, struct verdicts *verdicts)
{
	char name[OA_NAME_SIZE];
	const struct oa_check check = { name,
					"the same as by the published set" };
	enum selftest_verdict verdict = SELFTEST_FAIL;
	int ret;

	list_events(harness, group, set);
	snprintf(name, sizeof(name), OA_TESTED_COMPOSED_SET "%s", set->name);
	ret = count_rates(harness, &check, set->name, set,
			  set->rates[PUBLISHED]);
	if (!ret)
		ret = count_rates(harness, &check, COMPOSED, set,
				  set->rates[COMPOSED_SET]);
	if (!ret)
		ret = count_rates(harness, &check, set->name, set,
				  set->rates[PUBLISHED_AGAIN]);
	if (!ret)
		verdict = decide_set(harness, &check, set);
	verdicts_note(verdicts, name, verdict);
	return ret;
}

static int
try_sets(struct oa_harness *harness, struct set *set, struct verdicts *verdicts)
{
	size_t groups = drmperf_group_count(harness->device);
	int ret = 0;

	for (size_t i = 0; i < groups && ret >= 0; i++) {
		const struct drmperf_group *group =
			drmperf_group_at(harness->device, i);

		if (oa_is_set(group) &&
		    !strcmp(drmperf_group_domain(group), "oa") &&
		    strcmp(drmperf_group_name(group), COMPOSED) != 0)
			ret = try_set(harness, group, set, verdicts);
	}
	return ret < 0 ? ret : 0;
}

static bool
can_compose(const struct oa_harness *harness)
{
	size_t groups = drmperf_group_count(harness->device);

	for (size_t i = 0; i < groups; i++)
		if (!strcmp(drmperf_group_name(
				    drmperf_group_at(harness->device, i)),
			    COMPOSED))
			return true;
	return false;
}

static void
decide_all(const struct oa_harness *harness, const struct verdicts *verdicts)
{
	static const struct oa_check check = {
		OA_TESTED_COMPOSED, "so are all sets, now or in earlier runs"
	};
	enum selftest_verdict verdict = SELFTEST_UNKNOWN;

	if (verdicts->failed)
		verdict = SELFTEST_FAIL;
	else if (verdicts->sets && verdicts->passed == verdicts->sets)
		verdict = SELFTEST_PASS;
	oa_decide(harness, &check, verdict, "%u of %u", verdicts->passed,
		  verdicts->sets);
}

int
oa_stage_composed(struct oa_harness *harness)
{
	static const struct oa_check none = {
		"composed", "a GPU whose sets can be composed"
	};
	struct drmperf_error error = { .cause = "" };
	struct verdicts verdicts = { .sets = 0 };
	struct set *set;
	int ret = drmperf_device_open(harness->device, &error);

	if (ret) {
		*harness->error = error;
		return ret;
	}
	if (!can_compose(harness)) {
		oa_decide(harness, &none, SELFTEST_UNKNOWN,
			  "this one's cannot");
		return 0;
	}
	set = malloc(sizeof(*set));
	if (!set)
		return -ENOMEM;
	/* A file that cannot be read is reported when it is written again. */
	results_read(&verdicts.known, harness->memory->results, &error);
	ret = try_sets(harness, set, &verdicts);
	if (!ret)
		decide_all(harness, &verdicts);
	results_finish(&verdicts.known);
	free(set);
	return ret;
}
