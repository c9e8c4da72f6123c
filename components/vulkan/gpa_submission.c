/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_submission.h"

#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

#include "gpa_reader.h"
#include "gpa_tell.h"

/* The time that a submission waits for those before it, in deadlines. */
#define WAIT_FACTOR 10

/* Time between two looks at the device, which gives no notice of progress. */
#define POLL_NS 20000

struct gpa_job {
	struct gpa_job *next; /* of the device; until it has ended */
	struct gpa_device *device;
	VkQueue queue;
	struct gpa_actions actions;
	struct gpa_reader reader;
	/* why the counters are not counted, else VK_SUCCESS */
	VkResult broken;
	bool counts; /* the reader has been started */
	bool is_fresh; /* it has read since the device had something to do */
	bool has_sync; /* counters are read for some step */
	bool is_cut; /* it is submitted in parts */
	size_t at; /* the next step to be carried out */
	/* why counters are not read between parts, else VK_SUCCESS */
	VkResult uncut;
	size_t cut; /* up to which it was submitted, with part_fence */
	VkFence part_fence;
	VkFence watched; /* behind what was submitted: part_fence or fence */
	uint64_t limit_ns; /* of waiting for a part */
	uint64_t held_ns; /* the device was kept waiting in this part */
	bool is_submitted; /* valid once told has been posted */
	bool has_ended;
	VkFence fence; /* behind all of it */
	VkEvent last_released; /* or NULL */
	sem_t told;
	pthread_t thread;
};

/* ------------------------------------------------------------------ */
/* Synchronization with the device                                      */

/*
 * Wait for an event of the device's. Returns VK_SUCCESS; VK_TIMEOUT, while the
 * job is being submitted alone; or why the device will not get there.
 */
static VkResult
wait_for_device(const struct gpa_job *job, VkEvent reached, bool is_limited)
{
	const struct gpa_device_functions *next = &job->device->next;
	const VkDevice device = job->device->handle;
	const struct timespec interval = { .tv_nsec = POLL_NS };
	const uint64_t until = gpa_reader_now_ns() + job->limit_ns;

	for (;;) {
		const VkResult fence =
			next->GetFenceStatus(device, job->watched);
		const VkResult event = next->GetEventStatus(device, reached);

		if (event == VK_EVENT_SET)
			return VK_SUCCESS;
		if (event < 0)
			return event;
		if (fence < 0)
			return fence;
		/* all is over, and was when the event was looked at */
		if (fence == VK_SUCCESS)
			return VK_ERROR_UNKNOWN;
		if (is_limited && gpa_reader_now_ns() > until)
			return VK_TIMEOUT;
		nanosleep(&interval, NULL);
	}
}

static void
release_device(struct gpa_job *job, const struct gpa_sync *sync)
{
	const struct gpa_device_functions *next = &job->device->next;

	next->ResetEvent(job->device->handle, sync->reached);
	next->SetEvent(job->device->handle, sync->released);
	job->last_released = sync->released;
}

/* Reset the event that the device waited for before. */
static void
reset_last_released(struct gpa_job *job)
{
	if (job->last_released)
		job->device->next.ResetEvent(job->device->handle,
					     job->last_released);
	job->last_released = VK_NULL_HANDLE;
}

/* ------------------------------------------------------------------ */
/* Parts                                                                */

static VkResult
job_wait_for_part(const struct gpa_job *job)
{
	return job->device->next.WaitForFences(job->device->handle, 1,
					       &job->part_fence, VK_TRUE,
					       job->limit_ns);
}

/*
 * Submit all up to a cut. The part before has to be done; the application may
 * signal the semaphores that the first one waits for, but not for ever.
 */
static VkResult
job_submit_part(struct gpa_job *job, struct gpa_parts *parts, size_t cut)
{
	const struct gpa_device_functions *next = &job->device->next;
	VkResult result = VK_SUCCESS;

	if (job->watched && job->cut == cut)
		return VK_SUCCESS;
	if (job->watched)
		result = job_wait_for_part(job);
	job->limit_ns = gpa_reader_deadline_ns();
	if (job->watched || !gpa_parts_wait_for_timelines(parts))
		job->limit_ns *= WAIT_FACTOR;
	if (result == VK_SUCCESS)
		result = next->ResetFences(job->device->handle, 1,
					   &job->part_fence);
	if (result == VK_SUCCESS)
		result = gpa_parts_submit(parts, cut, job->part_fence);
	if (result != VK_SUCCESS)
		return result;
	job->watched = job->part_fence;
	job->cut = cut;
	job->is_fresh = false;
	job->held_ns = 0;
	return VK_SUCCESS;
}

/* Return the first cut that is behind a step which the device waits in. */
static size_t
job_next_cut(const struct gpa_job *job)
{
	for (size_t i = job->at; i < job->actions.count; i++) {
		const struct gpa_step *step = &job->actions.list[i];

		if (step->place != GPA_PLACE_NONE && step->cut != GPA_CUT_END)
			return step->cut;
	}
	return GPA_CUT_END;
}

/*
 * Get the device to where a step is carried out. Without parts all has been
 * submitted. Returns VK_SUCCESS; VK_TIMEOUT with parts alone; or why the device
 * does not get there.
 */
static VkResult
job_reach_step(struct gpa_job *job, struct gpa_parts *parts,
	       const struct gpa_step *step)
{
	VkResult result = VK_SUCCESS;

	switch (step->place) {
	case GPA_PLACE_BEFORE:
	case GPA_PLACE_AFTER:
		if (!parts)
			return VK_SUCCESS;
		result = job_submit_part(job, parts, step->cut);
		return result == VK_SUCCESS ? job_wait_for_part(job) : result;
	case GPA_PLACE_INSIDE:
		if (parts)
			result = job_submit_part(job, parts, job_next_cut(job));
		if (result == VK_SUCCESS)
			result =
				wait_for_device(job, step->sync.reached, parts);
		if (result == VK_SUCCESS)
			reset_last_released(job);
		return result;
	default:
		return VK_SUCCESS;
	}
}

/* ------------------------------------------------------------------ */
/* Steps                                                                */

static VkResult
job_read_counters(struct gpa_job *job, uint64_t limit_ns)
{
	struct drmperf_error error;
	int rc;

	if (!job->counts)
		return job->broken;
	rc = gpa_reader_read(&job->reader, limit_ns, &error);
	return gpa_fail("sample", rc, &error);
}

static uint64_t
value_of(const struct gpa_job *job, const struct gpa_sample *sample, size_t i)
{
	const struct drmperf_selection *selection = &sample->selections[i];
	const struct gpa_reader *reader = &job->reader;

	if (!selection->event)
		return 0;
	return reader->values[gpa_counters_index(&reader->counters, selection)]
		.u64;
}

static void
begin_counting(const struct gpa_job *job, struct gpa_result *result,
	       VkResult read)
{
	const size_t count = result->sample->count;

	result->state = read == VK_SUCCESS ? VK_NOT_READY : read;
	for (size_t i = 0; read == VK_SUCCESS && i < count; i++)
		result->values[i] = value_of(job, result->sample, i);
}

static void
end_counting(const struct gpa_job *job, struct gpa_result *result,
	     VkResult read)
{
	const size_t count = result->sample->count;

	if (result->state != VK_NOT_READY)
		return;
	result->state = read;
	for (size_t i = 0; read == VK_SUCCESS && i < count; i++)
		result->values[i] =
			value_of(job, result->sample, i) - result->values[i];
}

/* Timestamps of a sample that the device has written by now. */
struct ticks {
	VkResult state;
	uint64_t values[2];
};

static struct ticks
sample_read_queries(const struct gpa_sample *sample)
{
	const struct gpa_device *device = sample->device;
	struct ticks ticks;

	ticks.state = device->next.GetQueryPoolResults(
		device->handle, sample->queries, 0, 2, sizeof(ticks.values),
		ticks.values, sizeof(ticks.values[0]), VK_QUERY_RESULT_64_BIT);
	for (unsigned i = 0; i < 2; i++)
		ticks.values[i] &= sample->valid_bits;
	return ticks;
}

static void
result_set_ticks(struct gpa_result *result, const struct ticks *ticks)
{
	result->state = ticks->state;
	for (unsigned i = 0; ticks->state == VK_SUCCESS && i < 2; i++)
		result->values[i] = ticks->values[i];
}

/* Return the timing sample with this id, with a reference, or NULL. */
static struct gpa_sample *
session_hold_timing(struct gpa_device *device,
		    const struct gpa_session *session, uint32_t id)
{
	struct gpa_sample *sample = NULL;

	pthread_mutex_lock(&device->lock);
	if (id < session->count)
		sample = session->results[id].sample;
	if (sample && sample->queries)
		gpa_sample_hold(sample);
	else
		sample = NULL;
	pthread_mutex_unlock(&device->lock);
	return sample;
}

static void
session_set_ticks(struct gpa_device *device, struct gpa_session *session,
		  uint32_t id, const struct gpa_sample *sample,
		  const struct ticks *ticks)
{
	pthread_mutex_lock(&device->lock);
	if (id < session->count && session->results[id].sample == sample)
		result_set_ticks(&session->results[id], ticks);
	pthread_mutex_unlock(&device->lock);
}

/*
 * Read the timing samples that a copy is to have. There are drivers that wait
 * for the device here, so device->lock is not held during that.
 */
static void
session_read_timing(struct gpa_device *device, struct gpa_session *session)
{
	uint32_t count;

	pthread_mutex_lock(&device->lock);
	count = session->count;
	pthread_mutex_unlock(&device->lock);
	for (uint32_t i = 0; i < count; i++) {
		struct gpa_sample *sample =
			session_hold_timing(device, session, i);
		struct ticks ticks;

		if (!sample)
			continue;
		ticks = sample_read_queries(sample);
		session_set_ticks(device, session, i, sample, &ticks);
		gpa_sample_release(sample);
	}
}

static void
copy_results(const struct gpa_step *step, VkResult read)
{
	struct gpa_session *source = step->session->source;

	if (read != VK_SUCCESS)
		step->session->loss = read;
	else if (gpa_session_copy_locked(step->session, source, true))
		step->session->loss = VK_ERROR_OUT_OF_HOST_MEMORY;
}

static void
sample_step(const struct gpa_job *job, const struct gpa_step *step,
	    VkResult read)
{
	struct gpa_result *result =
		gpa_session_place_locked(step->session, step->id, step->sample);

	if (!result)
		step->session->loss = VK_ERROR_OUT_OF_HOST_MEMORY;
	else if (step->sample->queries)
		result->state = VK_NOT_READY;
	else if (step->kind == GPA_STEP_BEGIN_SAMPLE)
		begin_counting(job, result, read);
	else
		end_counting(job, result, read);
}

static void
job_take_step(struct gpa_job *job, const struct gpa_step *step, VkResult read)
{
	if (step->kind == GPA_STEP_COPY && read == VK_SUCCESS)
		session_read_timing(job->device, step->session->source);
	pthread_mutex_lock(&job->device->lock);
	switch (step->kind) {
	case GPA_STEP_BEGIN_SESSION:
		step->session->is_done = false;
		break;
	case GPA_STEP_BEGIN_SAMPLE:
	case GPA_STEP_END_SAMPLE:
		sample_step(job, step, read);
		break;
	case GPA_STEP_COPY:
		copy_results(step, read);
		break;
	case GPA_STEP_END_SESSION:
	case GPA_STEP_EXECUTE:
		break;
	}
	pthread_mutex_unlock(&job->device->lock);
}

/* Read what a step needs, once for all steps of a cut. */
static VkResult
job_read_step(struct gpa_job *job, const struct gpa_step *step, bool is_cut)
{
	const bool is_inside = step->place == GPA_PLACE_INSIDE;
	uint64_t limit_ns = gpa_reader_deadline_ns();
	VkResult result;

	if (step->place == GPA_PLACE_NONE)
		return VK_ERROR_FEATURE_NOT_PRESENT;
	if (!is_inside && !is_cut)
		return job->uncut;
	if (step->kind == GPA_STEP_COPY || (!is_inside && job->is_fresh))
		return VK_SUCCESS;
	if (is_inside)
		limit_ns -= job->held_ns < limit_ns ? job->held_ns : limit_ns;
	result = job_read_counters(job, limit_ns);
	job->is_fresh = result == VK_SUCCESS && !is_inside;
	return result;
}

/*
 * Carry out the steps from job->at on. Returns what job_reach_step() returns
 * for the one at job->at.
 */
static VkResult
job_carry_out(struct gpa_job *job, struct gpa_parts *parts)
{
	for (; job->at < job->actions.count; job->at++) {
		const struct gpa_step *step = &job->actions.list[job->at];
		VkResult result = job_reach_step(job, parts, step);
		const uint64_t reached = gpa_reader_now_ns();

		if (result != VK_SUCCESS)
			return result;
		job_take_step(job, step, job_read_step(job, step, parts));
		if (step->place != GPA_PLACE_INSIDE)
			continue;
		release_device(job, &step->sync);
		job->held_ns += gpa_reader_now_ns() - reached;
	}
	return VK_SUCCESS;
}

/* ------------------------------------------------------------------ */
/* Ends                                                                 */

static VkResult
wait_for_end(const struct gpa_job *job)
{
	const struct timespec interval = { .tv_nsec = POLL_NS };
	VkResult fence;

	while ((fence = job->device->next.GetFenceStatus(
			job->device->handle, job->fence)) == VK_NOT_READY)
		nanosleep(&interval, NULL);
	return fence;
}

static void
finish_step(const struct gpa_step *step, VkResult result)
{
	struct gpa_session *session = step->session;
	struct ticks ticks;

	if (result != VK_SUCCESS && session->loss == VK_SUCCESS)
		session->loss = result;
	if (step->kind == GPA_STEP_END_SESSION || step->kind == GPA_STEP_COPY)
		session->is_done = true;
	if (step->kind == GPA_STEP_END_SAMPLE && step->sample->queries &&
	    step->id < session->count &&
	    session->results[step->id].sample == step->sample) {
		ticks = sample_read_queries(step->sample);
		result_set_ticks(&session->results[step->id], &ticks);
	}
}

static void
unlink_locked(struct gpa_job *job)
{
	struct gpa_job **at = &job->device->jobs;

	while (*at != job)
		at = &(*at)->next;
	*at = job->next;
}

static void
job_end(struct gpa_job *job, VkResult result)
{
	struct gpa_device *device = job->device;

	if (job->counts)
		gpa_reader_stop(&job->reader);
	pthread_mutex_lock(&device->lock);
	for (size_t i = 0; job->is_submitted && i < job->actions.count; i++)
		finish_step(&job->actions.list[i], result);
	device->next.DestroyFence(device->handle, job->fence, NULL);
	device->next.DestroyFence(device->handle, job->part_fence, NULL);
	job->has_ended = true;
	pthread_cond_broadcast(&device->ended);
	pthread_mutex_unlock(&device->lock);
}

/*
 * Sessions span command buffers: what the queue executed before has to be seen
 * before. Newer jobs come first in the list.
 */
static void
wait_for_earlier(const struct gpa_job *job)
{
	struct gpa_device *device = job->device;
	const struct gpa_job *earlier;

	pthread_mutex_lock(&device->lock);
	do {
		earlier = job->next;
		while (earlier &&
		       (earlier->has_ended || earlier->queue != job->queue))
			earlier = earlier->next;
		if (earlier)
			pthread_cond_wait(&device->ended, &device->lock);
	} while (earlier);
	pthread_mutex_unlock(&device->lock);
}

static void *
job_main(void *data)
{
	struct gpa_job *job = data;
	VkResult result = VK_SUCCESS;

	while (sem_wait(&job->told) && errno == EINTR)
		;
	wait_for_earlier(job);
	if (job->is_submitted) {
		result = job_carry_out(job, NULL);
		if (result == VK_SUCCESS)
			result = wait_for_end(job);
		reset_last_released(job);
	}
	job_end(job, result);
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Waiting for jobs                                                     */

static void
job_destroy(struct gpa_job *job)
{
	sem_destroy(&job->told);
	gpa_actions_finish(&job->actions);
	free(job);
}

static void
reap_locked(struct gpa_device *device)
{
	struct gpa_job **at = &device->jobs;

	while (*at) {
		struct gpa_job *job = *at;

		if (!job->has_ended) {
			at = &job->next;
			continue;
		}
		*at = job->next;
		pthread_join(job->thread, NULL);
		job_destroy(job);
	}
}

static bool
is_executed(const struct gpa_job *job)
{
	return job->device->next.GetFenceStatus(job->device->handle,
						job->fence) != VK_NOT_READY;
}

static bool
has_loose_ends_locked(const struct gpa_device *device)
{
	const struct gpa_job *job = device->jobs;

	while (job &&
	       (job->has_ended || !job->is_submitted || !is_executed(job)))
		job = job->next;
	return job;
}

void
gpa_job_settle_locked(struct gpa_device *device)
{
	while (has_loose_ends_locked(device))
		pthread_cond_wait(&device->ended, &device->lock);
	reap_locked(device);
}

bool
gpa_job_uses_locked(const struct gpa_device *device,
		    const struct gpa_session *session)
{
	for (const struct gpa_job *job = device->jobs; job; job = job->next) {
		for (size_t i = 0; i < job->actions.count; i++) {
			if (!job->has_ended &&
			    job->actions.list[i].session == session)
				return true;
		}
	}
	return false;
}

static bool
syncs_by(const struct gpa_job *job, const struct gpa_commands *commands)
{
	for (size_t i = 0; i < job->actions.count; i++) {
		const struct gpa_step *step = &job->actions.list[i];
		const VkEvent reached = step->sync.reached;

		for (size_t k = 0; step->place == GPA_PLACE_INSIDE &&
				   k < commands->sync_count;
		     k++) {
			if (reached == commands->syncs[k].reached)
				return true;
		}
	}
	return false;
}

void
gpa_job_wait_for(const struct gpa_commands *commands)
{
	struct gpa_device *device = commands->device;
	const struct gpa_job *job;

	pthread_mutex_lock(&device->lock);
	for (;;) {
		job = device->jobs;
		while (job && (job->has_ended || !syncs_by(job, commands)))
			job = job->next;
		if (!job)
			break;
		pthread_cond_wait(&device->ended, &device->lock);
	}
	reap_locked(device);
	pthread_mutex_unlock(&device->lock);
}

void
gpa_job_wait_all(struct gpa_device *device)
{
	pthread_mutex_lock(&device->lock);
	for (;;) {
		reap_locked(device);
		if (!device->jobs)
			break;
		pthread_cond_wait(&device->ended, &device->lock);
	}
	pthread_mutex_unlock(&device->lock);
}

/* ------------------------------------------------------------------ */
/* Beginnings                                                           */

static bool
is_executed_elsewhere(const struct gpa_job *job, const struct gpa_job *other)
{
	for (size_t i = 0; i < job->actions.count; i++) {
		for (size_t k = 0; k < other->actions.count; k++) {
			if (job->actions.list[i].place == GPA_PLACE_INSIDE &&
			    job->actions.list[i].sync.reached ==
				    other->actions.list[k].sync.reached)
				return true;
		}
	}
	return false;
}

static struct gpa_job *
in_the_way_locked(struct gpa_device *device)
{
	struct gpa_job *job = device->jobs;

	while (job && (job->has_ended || !job->has_sync))
		job = job->next;
	return job;
}

/*
 * One after the other: counters could not be started for another one while the
 * device stands still for the first. That one may itself wait for what comes
 * behind this, so it is not waited for for ever.
 */
static VkResult
wait_for_turn_locked(struct gpa_job *job)
{
	static const char where[] = "vkQueueSubmit";
	const struct timespec until =
		gpa_reader_from_now(WAIT_FACTOR * gpa_reader_deadline_ns());
	struct gpa_device *device = job->device;
	const struct gpa_job *other;

	while ((other = in_the_way_locked(device)) &&
	       pthread_cond_timedwait(&device->ended, &device->lock, &until) !=
		       ETIMEDOUT)
		;
	if (!other)
		return VK_SUCCESS;
	if (is_executed_elsewhere(job, other))
		return gpa_refuse(where, VK_ERROR_UNKNOWN,
				  "a command buffer with samples is still "
				  "being executed");
	job->broken = gpa_refuse(where, VK_ERROR_NOT_PERMITTED_KHR,
				 "another submission with samples does not "
				 "come to its end");
	return VK_SUCCESS;
}

static VkResult
join_others(struct gpa_job *job)
{
	struct gpa_device *device = job->device;
	VkResult result = VK_SUCCESS;

	pthread_mutex_lock(&device->lock);
	reap_locked(device);
	if (job->has_sync)
		result = wait_for_turn_locked(job);
	if (result == VK_SUCCESS) {
		job->next = device->jobs;
		device->jobs = job;
	}
	pthread_mutex_unlock(&device->lock);
	return result;
}

static void
leave_others(struct gpa_job *job)
{
	pthread_mutex_lock(&job->device->lock);
	unlink_locked(job);
	pthread_cond_broadcast(&job->device->ended);
	pthread_mutex_unlock(&job->device->lock);
}

static int
add_all(const struct gpa_job *job, struct gpa_counters *counters,
	struct drmperf_error *error)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < job->actions.count; i++) {
		const struct gpa_step *step = &job->actions.list[i];

		if (step->sample)
			rc = gpa_counters_add(counters, step->sample, error);
	}
	return rc;
}

/* Begin to count. If counting cannot start, record the error in the samples. */
static VkResult
begin_to_count(struct gpa_job *job)
{
	struct gpa_counters counters = { 0 };
	struct drmperf_error error;
	int rc = add_all(job, &counters, &error);

	if (rc || !counters.count)
		gpa_counters_finish(&counters);
	else
		rc = gpa_reader_start(&job->reader, job->device, &counters,
				      &error);
	if (rc == -ENOMEM)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	job->counts = !rc && counters.count;
	job->broken = gpa_fail("vkQueueSubmit", rc, &error);
	return VK_SUCCESS;
}

static VkResult
job_begin(struct gpa_job *job)
{
	VkResult result = join_others(job);

	if (result != VK_SUCCESS)
		return result;
	if (job->broken == VK_SUCCESS)
		result = begin_to_count(job);
	if (result == VK_SUCCESS &&
	    call_thread_start(&job->thread, job_main, job))
		result = VK_ERROR_OUT_OF_HOST_MEMORY;
	if (result == VK_SUCCESS)
		return result;
	if (job->counts)
		gpa_reader_stop(&job->reader);
	leave_others(job);
	return result;
}

/* Note where counters are read. */
static void
job_look_at_places(struct gpa_job *job)
{
	size_t cut = GPA_CUT_END;

	for (size_t i = 0; i < job->actions.count; i++) {
		const struct gpa_step *step = &job->actions.list[i];

		if (step->place == GPA_PLACE_NONE)
			continue;
		job->has_sync = true;
		/* each command buffer that waits is to be a job of its own */
		if (cut == GPA_CUT_END)
			cut = step->cut;
		job->is_cut |= step->place != GPA_PLACE_INSIDE ||
			       (step->cut != GPA_CUT_END && step->cut != cut);
	}
}

static struct gpa_job *
job_create(struct gpa_device *device, VkQueue queue,
	   const struct gpa_actions *actions)
{
	struct gpa_job *job = calloc(1, sizeof(*job));

	if (!job)
		return NULL;
	job->device = device;
	job->queue = queue;
	job->actions = *actions;
	job_look_at_places(job);
	sem_init(&job->told, 0, 0);
	return job;
}

VkResult
gpa_job_create(struct gpa_device *device, VkQueue queue,
	       struct gpa_actions *actions, struct gpa_job **out)
{
	const VkFenceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
	};
	struct gpa_job *job = job_create(device, queue, actions);
	VkResult result;

	if (!job) {
		gpa_actions_finish(actions);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	result = device->next.CreateFence(device->handle, &info, NULL,
					  &job->fence);
	if (result == VK_SUCCESS && job->is_cut)
		result = device->next.CreateFence(device->handle, &info, NULL,
						  &job->part_fence);
	if (result == VK_SUCCESS)
		result = job_begin(job);
	if (result == VK_SUCCESS) {
		*out = job;
		return result;
	}
	device->next.DestroyFence(device->handle, job->fence, NULL);
	device->next.DestroyFence(device->handle, job->part_fence, NULL);
	job_destroy(job);
	return result;
}

/* Submit in parts as far as counters are read between them. */
static VkResult
job_submit_parts(struct gpa_job *job, struct gpa_parts *parts)
{
	static const char where[] = "vkQueueSubmit";
	VkResult result;

	if (!gpa_parts_can_be_cut(parts)) {
		job->uncut = gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
					"the submission has a structure in "
					"pNext that the layer cannot divide");
		return VK_SUCCESS;
	}
	result = job_carry_out(job, parts);
	if (result == VK_TIMEOUT) {
		job->uncut = gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
					"the submission takes too long, as if "
					"it waited for what the application "
					"does later");
		return VK_SUCCESS;
	}
	/* a device that does not set its events cannot be waited for */
	return result == VK_ERROR_UNKNOWN ? VK_ERROR_DEVICE_LOST : result;
}

VkResult
gpa_job_submit(struct gpa_job *job, struct gpa_parts *parts)
{
	struct gpa_device *device = job->device;
	VkResult result = VK_SUCCESS;

	if (job->is_cut)
		result = job_submit_parts(job, parts);
	if (result == VK_SUCCESS)
		result = gpa_parts_submit(parts, GPA_CUT_END, job->fence);
	pthread_mutex_lock(&device->lock);
	job->watched = job->fence;
	job->is_submitted = result == VK_SUCCESS;
	pthread_mutex_unlock(&device->lock);
	sem_post(&job->told);
	return result;
}
