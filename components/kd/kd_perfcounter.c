/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The seven functions of KD_KHR_perfcounter. Counters, which of them are
 * active, and their values are the process's, since nothing that is handed in
 * could say whose else they are; one lock guards them.
 */
#include <KD/KHR_perfcounter.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kd_figures.h"
#include "kd_gpus.h"
#include "kd_common.h"

/* State of a counter; the list describes it. */
struct state {
	bool is_active;
	bool samples;
	KDint64 value;
	struct kd_quotient quotient;
};

static struct {
	pthread_mutex_t lock;
	bool has_fork_handler;
	bool is_forked; /* what is open is the parent's */

	struct kd_list list; /* empty: nothing has been looked for */
	struct state *states;
	struct kd_system *system;
	struct kd_system_sample sample;
	struct kd_gpus *gpus;

	/* GPUs' counters that sample, and room for as many values. */
	const struct kd_counter **counted;
	KDint64 *values;
	size_t count;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ------------------------------------------------------------------ */
/* Coming in                                                            */

/*
 * Begin as a child, in which nothing samples. Note the fork, or start over if
 * another thread held the lock.
 */
static void
begin_child(void)
{
	if (!pthread_mutex_trylock(&all.lock)) {
		all.is_forked = true;
		pthread_mutex_unlock(&all.lock);
		return;
	}
	memset(&all, 0, sizeof(all));
	pthread_mutex_init(&all.lock, NULL);
	all.has_fork_handler = true;
}

static void
forget_sampling(void)
{
	for (size_t i = 0; i < all.list.count; i++)
		all.states[i].samples = false;
	all.count = 0;
}

static void
free_state(void)
{
	kd_list_free(&all.list);
	free(all.states);
	free(all.counted);
	free(all.values);
	kd_system_destroy(all.system);
	kd_gpus_destroy(all.gpus);
	all.states = NULL;
	all.counted = NULL;
	all.values = NULL;
	all.system = NULL;
	all.gpus = NULL;
	all.count = 0;
}

static int
make_states(void)
{
	all.states = calloc(all.list.count, sizeof(*all.states));
	all.counted = calloc(all.list.count, sizeof(struct kd_counter *));
	all.values = calloc(all.list.count, sizeof(*all.values));
	return all.states && all.counted && all.values ? 0 : -ENOMEM;
}

/*
 * Make the list. Without GPUs, or where they cannot be looked for, it has the
 * counters of the system; if memory and the like are short there is none, and
 * the next call tries again.
 */
static int
make_list(struct drmperf_error *error)
{
	int rc;

	free_state(); /* of an empty one */
	rc = kd_system_create(&all.system);
	if (!rc)
		rc = kd_gpus_create(&all.gpus);
	if (!rc)
		rc = kd_figures_list(all.system, &all.list);
	if (!rc)
		rc = kd_gpu_list(all.gpus, &all.list, error);
	if (!rc)
		rc = make_states();
	if (rc)
		free_state();
	return rc;
}

static int
counters_prepare(struct drmperf_error *error)
{
	int rc;

	if (all.has_fork_handler)
		return 0;
	rc = pthread_atfork(NULL, NULL, begin_child);
	if (rc)
		return fe_fail(error, -rc, "", "pthread_atfork: %s",
			       strerror(rc));
	all.has_fork_handler = true;
	return 0;
}

/* Take the lock, and a list. */
static int
counters_enter(struct drmperf_error *error)
{
	int rc;

	error->cause[0] = error->remedy[0] = '\0';
	pthread_mutex_lock(&all.lock);
	if (all.is_forked) {
		all.is_forked = false;
		forget_sampling();
	}
	rc = counters_prepare(error);
	if (!rc && !all.list.count)
		rc = make_list(error);
	return rc;
}

/*
 * Unlock, and return the result of the caller's function; print why it failed,
 * if it has.
 */
static KDint
counters_leave(const char *function, int rc, const struct drmperf_error *error)
{
	pthread_mutex_unlock(&all.lock);
	if (!rc)
		return 0;
	fe_report(KD_LIBRARY, function, rc, error);
	kdSetError(rc == -ERANGE ? KD_EINVAL : KD_EACCES);
	return -1;
}

/*
 * Return 0, or -ERANGE, which nothing else but an array that is KD_NULL fails
 * with: no event here has an instance.
 */
static int
check_indexes(const KDint *indexes, KDint count, struct drmperf_error *error)
{
	if (count > 0 && !indexes)
		return fe_fail(error, -ERANGE, "",
			       "the array of indexes is KD_NULL");
	for (KDint i = 0; i < count; i++) {
		if (indexes[i] < 0 || (size_t)indexes[i] >= all.list.count)
			return fe_fail(error, -ERANGE, "",
				       "there is no counter %d; there are "
				       "%zu, from 0 on",
				       indexes[i], all.list.count);
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* Sampling                                                             */

static bool
is_gpu(size_t index)
{
	return !kd_figures_parts(&all.list.counters[index]);
}

/* Which of those that sample are wanted, to read no more than that. */
struct wanted {
	unsigned parts; /* of the system */
	bool gpus;
};

static struct wanted
find_wanted(const KDint *indexes, KDint count)
{
	struct wanted wanted = { 0 };

	for (KDint i = 0; i < count; i++) {
		const size_t index = (size_t)indexes[i];

		if (!all.states[index].samples)
			continue;
		wanted.parts |= kd_figures_parts(&all.list.counters[index]);
		wanted.gpus |= is_gpu(index);
	}
	return wanted;
}

/*
 * Store a value. Values read from several places are of several moments: 101
 * percent is 100.
 */
static void
counters_take_value(size_t index, KDint64 value)
{
	const KDint64 most = all.list.counters[index].info.maxValue;

	all.states[index].value = value > most ? most : value;
}

/* Sample parts of the system: each is read for all that samples of it. */
static int
sample_system(unsigned parts, struct drmperf_error *error)
{
	int rc = parts ? kd_system_read(all.system, parts, &all.sample, error)
		       : 0;

	for (size_t i = 0; !rc && parts && i < all.list.count; i++) {
		struct state *state = &all.states[i];

		if (state->samples &&
		    kd_figures_parts(&all.list.counters[i]) & parts)
			counters_take_value(
				i, kd_figures_value(&all.list.counters[i],
						    &all.sample,
						    &state->quotient));
	}
	return rc;
}

/*
 * Sample the GPUs. Counters among them that were made inactive keep what they
 * have.
 */
static int
sample_gpus(struct drmperf_error *error)
{
	int rc = kd_gpus_read(all.gpus, all.values, error);

	for (size_t i = 0; !rc && i < all.count; i++) {
		const size_t index =
			(size_t)(all.counted[i] - all.list.counters);

		if (all.states[index].samples)
			counters_take_value(index, all.values[i]);
	}
	return rc;
}

static int
counters_sample(struct wanted wanted, struct drmperf_error *error)
{
	int rc = sample_system(wanted.parts, error);

	if (!rc && wanted.gpus)
		rc = sample_gpus(error);
	return rc;
}

static struct wanted
find_sampling(void)
{
	struct wanted wanted = { 0 };

	for (size_t i = 0; i < all.list.count; i++) {
		const KDint index = (KDint)i;
		const struct wanted one = find_wanted(&index, 1);

		wanted.parts |= one.parts;
		wanted.gpus |= one.gpus;
	}
	return wanted;
}

/* Stop the counters. The values stay. */
static void
counters_stop(void)
{
	kd_gpus_stop(all.gpus);
	forget_sampling();
}

static int
start_system(struct drmperf_error *error)
{
	unsigned parts = 0;
	int rc;

	for (size_t i = 0; i < all.list.count; i++) {
		if (all.states[i].is_active)
			parts |= kd_figures_parts(&all.list.counters[i]);
	}
	rc = parts ? kd_system_read(all.system, parts, &all.sample, error) : 0;
	for (size_t i = 0; !rc && i < all.list.count; i++) {
		if (all.states[i].is_active && !is_gpu(i))
			kd_figures_begin(&all.list.counters[i], &all.sample,
					 &all.states[i].quotient);
	}
	return rc;
}

/* Collect GPUs' counters of which is() is true, into counted. */
static size_t
counters_collect(bool (*is)(const struct state *state))
{
	size_t count = 0;

	for (size_t i = 0; i < all.list.count; i++) {
		if (is(&all.states[i]) && is_gpu(i))
			all.counted[count++] = &all.list.counters[i];
	}
	return count;
}

static bool
is_active(const struct state *state)
{
	return state->is_active;
}

static int
counters_start(struct drmperf_error *error)
{
	int rc;

	counters_stop();
	for (size_t i = 0; i < all.list.count; i++)
		all.states[i].value = 0;
	all.count = counters_collect(is_active);
	rc = kd_gpus_start(all.gpus, all.counted, all.count, error);
	if (!rc)
		rc = start_system(error);
	if (rc) {
		counters_stop();
		return rc;
	}
	for (size_t i = 0; i < all.list.count; i++)
		all.states[i].samples = all.states[i].is_active;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Active or not                                                        */

/* Check that these counters can be active together with the others. */
static int
check_active(const KDint *indexes, KDint count, struct drmperf_error *error)
{
	const struct kd_counter **counters;
	size_t used = 0;
	int rc;

	counters = calloc(all.list.count, sizeof(struct kd_counter *));
	if (!counters)
		return fe_fail_memory(error);
	for (size_t i = 0; i < all.list.count; i++) {
		bool is_wanted = all.states[i].is_active;

		for (KDint k = 0; !is_wanted && k < count; k++)
			is_wanted = (size_t)indexes[k] == i;
		if (is_wanted && is_gpu(i))
			counters[used++] = &all.list.counters[i];
	}
	rc = kd_gpus_check(all.gpus, counters, used, error);
	free(counters);
	return rc;
}

static int
counters_deactivate(const KDint *indexes, KDint count,
		    struct drmperf_error *error)
{
	/* what they have when they end */
	int rc = counters_sample(find_wanted(indexes, count), error);

	for (KDint i = 0; i < count; i++) {
		struct state *state = &all.states[indexes[i]];

		state->is_active = false;
		state->samples = false;
	}
	/* no GPU goes on without a counter that samples */
	if (all.count && !find_sampling().gpus) {
		kd_gpus_stop(all.gpus);
		all.count = 0;
	}
	return rc;
}

/* ------------------------------------------------------------------ */
/* Functions that programs call                                         */

KDint KD_APIENTRY
kdGetNumberOfCountersKHR(void)
{
	struct drmperf_error error;
	int rc = counters_enter(&error);
	const KDint count = (KDint)all.list.count;

	return counters_leave(__func__, rc, &error) ? -1 : count;
}

const KDCounterInfoKHR *KD_APIENTRY
kdGetCounterInformationKHR(KDint index)
{
	const KDCounterInfoKHR *info = NULL;
	struct drmperf_error error;
	int rc = counters_enter(&error);

	if (!rc)
		rc = check_indexes(&index, 1, &error);
	if (!rc)
		info = &all.list.counters[index].info;
	counters_leave(__func__, rc, &error);
	return info;
}

KDint KD_APIENTRY
kdActivateCountersKHR(const KDint *indexes, KDint numindexes)
{
	struct drmperf_error error;
	int rc = counters_enter(&error);

	if (!rc)
		rc = check_indexes(indexes, numindexes, &error);
	if (!rc)
		rc = check_active(indexes, numindexes, &error);
	for (KDint i = 0; !rc && i < numindexes; i++)
		all.states[indexes[i]].is_active = true;
	return counters_leave(__func__, rc, &error);
}

KDint KD_APIENTRY
kdDeactivateCountersKHR(const KDint *indexes, KDint numindexes)
{
	struct drmperf_error error;
	int rc = counters_enter(&error);

	if (!rc)
		rc = check_indexes(indexes, numindexes, &error);
	if (!rc)
		rc = counters_deactivate(indexes, numindexes, &error);
	return counters_leave(__func__, rc, &error);
}

KDint KD_APIENTRY
kdStartSamplingKHR(void)
{
	struct drmperf_error error;
	int rc = counters_enter(&error);

	if (!rc)
		rc = counters_start(&error);
	return counters_leave(__func__, rc, &error);
}

KDint KD_APIENTRY
kdStopSamplingKHR(void)
{
	struct drmperf_error error;
	int rc = counters_enter(&error);

	if (!rc) {
		rc = counters_sample(find_sampling(), &error);
		counters_stop();
	}
	return counters_leave(__func__, rc, &error);
}

KDint KD_APIENTRY
kdGetCounterValuesKHR(const KDint *indexes, KDint numindexes, KDint64 *values)
{
	struct drmperf_error error;
	int rc = counters_enter(&error);

	if (!rc)
		rc = check_indexes(indexes, numindexes, &error);
	if (!rc && numindexes > 0 && !values)
		rc = fe_fail(&error, -ERANGE, "",
			     "the array of values is KD_NULL");
	if (!rc)
		rc = counters_sample(find_wanted(indexes, numindexes), &error);
	for (KDint i = 0; !rc && i < numindexes; i++)
		values[i] = all.states[indexes[i]].value;
	return counters_leave(__func__, rc, &error);
}

/*
 * Stop all GPUs: the process ends, or the library is closed. If another thread
 * is in a call, nothing is freed.
 */
__attribute__((destructor)) static void
perfcounter_end(void)
{
	if (all.gpus)
		kd_gpus_leave(all.gpus);
	if (pthread_mutex_trylock(&all.lock))
		return;
	free_state();
	pthread_mutex_unlock(&all.lock);
}
