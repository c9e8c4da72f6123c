/* SPDX-License-Identifier: BSD-3-Clause */
#include "sde_events.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sde_error.h"
#include "sde_list.h"
#include "sde_thread.h"

#define EVENTS_ENVIRONMENT "DRMPERF_SDE_EVENTS"

/* A thread that has counted; they are in a list. */
struct entry {
	struct entry *next;
	struct sde_thread *thread;
};

/* All of it is the process's: PAPI hands no object to these calls. */
static struct {
	pthread_mutex_t lock;
	bool is_read; /* the environment; count is fixed from then on */
	bool is_forked; /* what is open is the parent's */
	bool has_ended; /* the process */
	struct sde_list list;
	unsigned count; /* 0 if events could not be had at first */
	atomic_bool is_counted; /* without the lock, for handlers of signals */
	int failure; /* of the last look-up, a negative errno */
	struct drmperf_error error; /* the same */

	bool has_key;
	pthread_key_t key; /* a thread's entry */
	struct entry *entries;
	/* the last to begin, for threads that read what another one started */
	struct sde_thread *last;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ------------------------------------------------------------------ */
/* Threads                                                              */

static void
remove_entry(struct entry *entry)
{
	struct entry **at = &all.entries;

	while (*at && *at != entry)
		at = &(*at)->next;
	if (*at)
		*at = entry->next;
}

/* End the counting of a thread that ends. */
static void
end_thread(void *value)
{
	struct entry *entry = value;

	pthread_mutex_lock(&all.lock);
	remove_entry(entry);
	if (all.last == entry->thread)
		all.last = NULL;
	sde_thread_destroy(entry->thread);
	pthread_mutex_unlock(&all.lock);
	free(entry);
}

/* Get the calling thread's. Returns 0, or -ENOMEM. */
static int
own_thread(struct sde_thread **out)
{
	struct entry *entry = pthread_getspecific(all.key);
	int rc;

	if (entry) {
		*out = entry->thread;
		return 0;
	}
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	rc = sde_thread_create(&entry->thread);
	if (!rc)
		rc = -pthread_setspecific(all.key, entry);
	if (rc) {
		sde_thread_destroy(entry->thread);
		free(entry);
		return rc;
	}
	entry->next = all.entries;
	all.entries = entry;
	*out = entry->thread;
	return 0;
}

/*
 * Return the thread whose values the calling thread reads; NULL if none counts.
 */
static struct sde_thread *
reading_thread(void)
{
	struct entry *entry = pthread_getspecific(all.key);

	if (entry && sde_thread_counts(entry->thread))
		return entry->thread;
	return all.last && sde_thread_counts(all.last) ? all.last : NULL;
}

static void
stop_threads(void)
{
	for (struct entry *entry = all.entries; entry; entry = entry->next)
		sde_thread_stop(entry->thread);
	all.last = NULL;
	sde_list_close(&all.list);
}

/* ------------------------------------------------------------------ */
/* Fork                                                                 */

/*
 * Note the fork: the child's first call closes what the parent has open. If
 * another thread was in a call, it stays open, in a state that is not known.
 */
static void
begin_child(void)
{
	if (!pthread_mutex_trylock(&all.lock)) {
		all.is_forked = true;
		pthread_mutex_unlock(&all.lock);
		return;
	}
	pthread_mutex_init(&all.lock, NULL);
	pthread_setspecific(all.key, NULL);
	all.entries = NULL;
	all.last = NULL;
	all.list.drmperf = NULL;
	all.list.names = NULL;
}

/* ------------------------------------------------------------------ */
/* Looking up                                                           */

static int
events_prepare(struct drmperf_error *error)
{
	int rc = pthread_key_create(&all.key, end_thread);

	if (!rc) {
		all.has_key = true;
		rc = pthread_atfork(NULL, NULL, begin_child);
	}
	return rc ? sde_fail(error, -rc, "", "%s", strerror(rc)) : 0;
}

static int
find_listed_events(void)
{
	int rc = sde_list_look_up(&all.list, &all.error);

	/* what has gone is another matter than what is not there */
	return rc == -ENODEV ? -ENOTSUP : rc;
}

static void
read_environment(void)
{
	const char *text = secure_getenv(EVENTS_ENVIRONMENT);
	int rc;

	all.is_read = true;
	rc = text ? sde_list_read(&all.list, text) : 0;
	if (!rc && all.list.count) {
		rc = events_prepare(&all.error);
		if (!rc)
			rc = find_listed_events();
		if (!rc)
			all.count = all.list.count;
	}
	all.failure = rc;
	all.is_counted = true;
	sde_report(rc, &all.error);
}

/*
 * Take the lock, and the events looked up unless it has failed: 0, or the
 * failure. The first call decides how many events there are.
 */
static int
events_enter(void)
{
	pthread_mutex_lock(&all.lock);
	if (all.has_ended)
		return all.failure = -ECANCELED;
	if (all.is_forked) {
		all.is_forked = false;
		stop_threads();
	}
	if (!all.is_read)
		read_environment();
	else if (all.count && !all.list.drmperf) {
		all.failure = find_listed_events();
		sde_report(all.failure, &all.error);
	}
	return all.failure;
}

static void
events_leave(void)
{
	pthread_mutex_unlock(&all.lock);
}

unsigned
sde_events_count(void)
{
	if (!all.is_counted) {
		events_enter();
		events_leave();
	}
	return all.count;
}

char *
sde_events_name(unsigned index)
{
	return index < all.count ? all.list.events[index].name : NULL;
}

char *
sde_events_description(unsigned index)
{
	return index < all.count ? all.list.events[index].description : NULL;
}

bool
sde_events_owns(const char *name)
{
	static const char *const drivers[] = { "amdgpu::", "i915::", "xe::" };

	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		if (!strncmp(name, drivers[i], strlen(drivers[i])))
			return true;
	}
	return false;
}

int
sde_events_find(const char *name, unsigned *index)
{
	struct drmperf_error error = { 0 };
	int rc = events_enter();

	if (rc)
		error = all.error;
	else if (!all.count)
		rc = sde_fail(&error, -ENOENT,
			      "name it there, or give it to \"drmperf papi "
			      "-e\"",
			      EVENTS_ENVIRONMENT " names no events: %s", name);
	else
		rc = sde_list_find(&all.list, name, index, &error);
	events_leave();
	return sde_report(rc, &error);
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

int
sde_events_reset(unsigned index)
{
	struct drmperf_error error = { 0 };
	struct sde_thread *thread;
	int rc = events_enter();

	if (rc)
		error = all.error;
	else
		rc = own_thread(&thread);
	if (!rc)
		rc = sde_thread_reset(thread, &all.list, index, &error);
	if (!rc)
		all.last = thread;
	events_leave();
	return sde_report(rc, &error);
}

int
sde_events_read(unsigned index, long long *value)
{
	struct drmperf_error error = { 0 };
	struct sde_thread *thread = NULL;
	int rc = events_enter();

	if (rc)
		error = all.error;
	else
		thread = reading_thread();
	if (!rc && !thread)
		rc = sde_fail(&error, -ECHILD,
			      "call PAPI_start() in the process that reads",
			      "nothing was started in this process");
	if (!rc)
		rc = sde_thread_read(thread, index, value, &error);
	if (!rc)
		sde_report(sde_thread_explain(thread, index, &error), &error);
	events_leave();
	return sde_report(rc, &error);
}

void
sde_events_stop(void)
{
	pthread_mutex_lock(&all.lock);
	if (!all.is_forked)
		stop_threads();
	pthread_mutex_unlock(&all.lock);
}

/*
 * Stop counting when the process ends, perhaps without PAPI_stop, while other
 * threads count, or in the handler of a signal that came during a call: the
 * lock may be held for good. Memory is left to the kernel.
 */
__attribute__((destructor)) static void
end_process(void)
{
	struct timespec until;

	if (!all.list.drmperf)
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	if (pthread_mutex_timedlock(&all.lock, &until))
		return;
	all.has_ended = true;
	sde_fail(&all.error, -ECANCELED, "", "the process is ending");
	if (!all.is_forked && all.list.drmperf)
		all.list.library.stop_all(all.list.drmperf, NULL);
	pthread_mutex_unlock(&all.lock);
}
