/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/perfcounter/latest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/monotonic.h"

/* For how long the thread samples after a read of the latest values. */
#define WATCHED_NS UINT64_C(500000000)

/* Samples come every millisecond, or somewhat later on a busy machine. */
#define NEW_NS UINT64_C(5000000)

void
latest_init(struct latest *latest, bool is_wanted)
{
	memset(latest, 0, sizeof(*latest));
	latest->is_wanted = is_wanted;
	pthread_mutex_init(&latest->lock, NULL);
}

void
latest_finish(struct latest *latest)
{
	free(latest->totals);
	latest->totals = NULL;
}

int
latest_reserve(struct latest *latest, size_t count)
{
	uint64_t *grown;

	if (!latest->is_wanted || count <= latest->room)
		return 0;
	grown = calloc(count, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	pthread_mutex_lock(&latest->lock);
	free(latest->totals);
	latest->totals = grown;
	latest->room = count;
	latest->count = 0;
	pthread_mutex_unlock(&latest->lock);
	return 0;
}

void
latest_publish(struct latest *latest, const struct selection *selection,
	       uint64_t timestamp, uint64_t time_ns)
{
	const size_t count = selection_total_count(selection);

	if (!latest->is_wanted || count > latest->room)
		return;
	pthread_mutex_lock(&latest->lock);
	memcpy(latest->totals, selection->numbers.totals,
	       count * sizeof(*latest->totals));
	latest->count = count;
	latest->timestamp = timestamp;
	latest->time_ns = time_ns;
	pthread_mutex_unlock(&latest->lock);
}

void
latest_forget(struct latest *latest)
{
	if (!latest->is_wanted)
		return;
	pthread_mutex_lock(&latest->lock);
	latest->count = 0;
	pthread_mutex_unlock(&latest->lock);
}

bool
latest_get(struct latest *latest, bool must_be_new,
	   const struct selection *selection, uint64_t *raw,
	   uint64_t *timestamp, uint64_t *time_ns)
{
	bool is_there;

	if (!atomic_load_explicit(&latest->looked, memory_order_relaxed))
		atomic_store_explicit(&latest->looked, true,
				      memory_order_relaxed);
	pthread_mutex_lock(&latest->lock);
	is_there = latest->count == selection_total_count(selection) &&
		   (!must_be_new || monotonic_ns() < latest->time_ns + NEW_NS);
	if (is_there) {
		selection_answer(selection, latest->totals, raw);
		*timestamp = latest->timestamp;
		*time_ns = latest->time_ns;
	}
	pthread_mutex_unlock(&latest->lock);
	return is_there;
}

bool
latest_is_watched(struct latest *latest, uint64_t now_ns)
{
	if (atomic_exchange_explicit(&latest->looked, false,
				     memory_order_relaxed))
		latest->watched_until_ns = now_ns + WATCHED_NS;
	return now_ns < latest->watched_until_ns;
}
