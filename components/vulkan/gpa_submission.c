/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_submission.h"

#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

#include "gpa_reader.h"
#include "gpa_tell.h"
#include "gpa_trace.h"

/* The time that a submission waits for those before it, in deadlines. */
#define WAIT_FACTOR 10

/* Time between two looks at the device, which gives no notice of progress. */
#define POLL_NS 20000

struct gpa_submission {
	struct gpa_submission *next; /* of the device; until it has ended */
	struct gpa_device *device;
	VkQueue queue;
	struct gpa_op_list op_list;
	struct gpa_reader reader;
	/* why the counters are not counted, else VK_SUCCESS */
	VkResult broken;
	bool counts; /* the reader has been started */
	bool is_fresh; /* it has read since the device had something to do */
	bool has_sync; /* counters are read for some operation, between parts */
	bool has_trace; /* begins or ends for some operation */
	size_t at; /* the next operation to be carried out */
	/* why counters are not read between parts, else VK_SUCCESS */
	VkResult uncut;
	size_t cut; /* up to which it was submitted, with part_fence */
	VkFence part_fence;
	bool has_part; /* part_fence was submitted */
	uint64_t limit_ns; /* of waiting for a part */
	bool is_submitted; /* valid once told has been posted */
	bool has_ended;
	VkFence fence; /* behind all of it */
	sem_t told;
	pthread_t thread;
};

/* ------------------------------------------------------------------ */
/* Parts                                                                */

static VkResult
submission_wait_for_part(const struct gpa_submission *submission)
{
	return submission->device->next.WaitForFences(
		submission->device->handle, 1, &submission->part_fence, VK_TRUE,
		submission->limit_ns);
}

/*
 * Submit all up to a cut. The part before has to be done; the application may
 * signal the semaphores that the first one waits for, but not for ever.
 */
static VkResult
submission_submit_part(struct gpa_submission *submission,
		       struct gpa_parts *parts, size_t cut)
{
	const struct gpa_device_functions *next = &submission->device->next;
	VkResult result = VK_SUCCESS;

	if (submission->has_part && submission->cut == cut)
		return VK_SUCCESS;
	if (submission->has_part)
		result = submission_wait_for_part(submission);
	submission->limit_ns = gpa_reader_deadline_ns();
	if (submission->has_part || !gpa_parts_wait_for_timelines(parts))
		submission->limit_ns *= WAIT_FACTOR;
	if (result == VK_SUCCESS)
		result = next->ResetFences(submission->device->handle, 1,
					   &submission->part_fence);
	if (result == VK_SUCCESS)
		result = gpa_parts_submit(parts, cut, submission->part_fence);
	if (result != VK_SUCCESS)
		return result;
	submission->has_part = true;
	submission->cut = cut;
	submission->is_fresh = false;
	return VK_SUCCESS;
}

/*
 * Get the device to where an operation is carried out. Without parts all has
 * been submitted. Returns VK_SUCCESS; VK_TIMEOUT with parts alone; or why the
 * device does not get there.
 */
static VkResult
submission_reach_op(struct gpa_submission *submission, struct gpa_parts *parts,
		    const struct gpa_op *op)
{
	VkResult result;

	if (!parts || op->place == GPA_PLACE_NONE)
		return VK_SUCCESS;
	result = submission_submit_part(submission, parts, op->cut);
	return result == VK_SUCCESS ? submission_wait_for_part(submission)
				    : result;
}

/* ------------------------------------------------------------------ */
/* Operations                                                                */

static VkResult
submission_read_counters(struct gpa_submission *submission)
{
	struct drmperf_error error;
	int rc;

	if (!submission->counts)
		return submission->broken;
	rc = gpa_reader_read(&submission->reader, gpa_reader_deadline_ns(),
			     &error);
	return gpa_fail("sample", rc, &error);
}

static uint64_t
value_of(const struct gpa_submission *submission,
	 const struct gpa_sample *sample, size_t i)
{
	const struct drmperf_selection *selection = &sample->selections[i];
	const struct gpa_reader *reader = &submission->reader;

	if (!selection->event)
		return 0;
	return reader->values[gpa_counters_index(&reader->counters, selection)]
		.u64;
}

static void
begin_counting(const struct gpa_submission *submission,
	       struct gpa_result *result, VkResult read)
{
	const size_t count = result->sample->count;

	result->state = read == VK_SUCCESS ? VK_NOT_READY : read;
	for (size_t i = 0; read == VK_SUCCESS && i < count; i++)
		result->values[i] = value_of(submission, result->sample, i);
}

static void
end_counting(const struct gpa_submission *submission, struct gpa_result *result,
	     VkResult read)
{
	const size_t count = result->sample->count;

	if (result->state != VK_NOT_READY)
		return;
	result->state = read;
	for (size_t i = 0; read == VK_SUCCESS && i < count; i++)
		result->values[i] = value_of(submission, result->sample, i) -
				    result->values[i];
}

/* Timestamps of a sample that the device has written by now. */
struct ticks {
	VkResult state;
	uint64_t values[2];
};

struct query {
	uint64_t value, is_there;
};

/*
 * Return the timestamps of the queries of two. Where there are several views,
 * the time between is the sum of theirs; drivers that do not tell them apart
 * write 0 for all but the first.
 */
static struct ticks
queries_to_ticks(const struct query *begin, const struct query *end,
		 uint64_t valid_bits)
{
	struct ticks ticks = { .state = VK_NOT_READY };

	if (!begin[0].is_there || !end[0].is_there)
		return ticks;
	ticks.state = VK_SUCCESS;
	ticks.values[0] = begin[0].value;
	ticks.values[1] = end[0].value;
	for (unsigned i = 1; i < GPA_VIEWS; i++) {
		if (begin[i].is_there && end[i].is_there)
			ticks.values[1] += end[i].value - begin[i].value;
	}
	for (unsigned i = 0; i < 2; i++)
		ticks.values[i] &= valid_bits;
	return ticks;
}

static struct ticks
sample_read_queries(const struct gpa_sample *sample)
{
	const struct gpa_device *device = sample->device;
	struct query queries[2 * GPA_VIEWS] = { 0 };
	VkResult result = device->next.GetQueryPoolResults(
		device->handle, sample->queries, 0, 2 * GPA_VIEWS,
		sizeof(queries), queries, sizeof(queries[0]),
		VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);

	/* of most samples only the first query of each timestamp is written */
	if (result == VK_SUCCESS || result == VK_NOT_READY)
		return queries_to_ticks(queries, &queries[GPA_VIEWS],
					sample->valid_bits);
	return (struct ticks){ .state = result };
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
copy_results(const struct gpa_op *op, VkResult read)
{
	struct gpa_session *source = op->session->source;

	if (read != VK_SUCCESS)
		op->session->loss = read;
	else if (gpa_session_copy_locked(op->session, source, true))
		op->session->loss = VK_ERROR_OUT_OF_HOST_MEMORY;
}

static void
sample_op(const struct gpa_submission *submission, const struct gpa_op *op,
	  VkResult read)
{
	struct gpa_result *result =
		gpa_session_place_locked(op->session, op->id, op->sample);

	if (!result || op->sample->type == VK_GPA_SAMPLE_TYPE_TRACE_AMD)
		return;
	if (op->sample->queries)
		result->state = VK_NOT_READY;
	else if (op->kind == GPA_STEP_BEGIN_SAMPLE)
		begin_counting(submission, result, read);
	else
		end_counting(submission, result, read);
}

static void
submission_take_op(struct gpa_submission *submission, const struct gpa_op *op,
		   VkResult read)
{
	if (op->kind == GPA_STEP_COPY && read == VK_SUCCESS)
		session_read_timing(submission->device, op->session->source);
	pthread_mutex_lock(&submission->device->lock);
	switch (op->kind) {
	case GPA_STEP_BEGIN_SESSION:
		op->session->is_done = false;
		break;
	case GPA_STEP_BEGIN_SAMPLE:
	case GPA_STEP_END_SAMPLE:
		sample_op(submission, op, read);
		break;
	case GPA_STEP_COPY:
		copy_results(op, read);
		break;
	case GPA_STEP_END_SESSION:
		break;
	}
	pthread_mutex_unlock(&submission->device->lock);
}

/* Read what an operation needs, once for all operations of a cut. */
static VkResult
submission_read_op(struct gpa_submission *submission, const struct gpa_op *op,
		   bool is_cut)
{
	VkResult result;

	if (op->place == GPA_PLACE_NONE)
		return VK_ERROR_FEATURE_NOT_PRESENT;
	if (!is_cut)
		return submission->uncut;
	if (op->kind == GPA_STEP_COPY || submission->is_fresh)
		return VK_SUCCESS;
	result = submission_read_counters(submission);
	submission->is_fresh = result == VK_SUCCESS;
	return result;
}

/*
 * Carry out the operations from submission->at on. Returns what
 * submission_reach_op() returns for the one at submission->at.
 */
static VkResult
submission_carry_out(struct gpa_submission *submission, struct gpa_parts *parts)
{
	for (; submission->at < submission->op_list.count; submission->at++) {
		const struct gpa_op *op =
			&submission->op_list.list[submission->at];
		VkResult result = submission_reach_op(submission, parts, op);

		if (result != VK_SUCCESS)
			return result;
		submission_take_op(submission, op,
				   submission_read_op(submission, op, parts));
	}
	return VK_SUCCESS;
}

/* ------------------------------------------------------------------ */
/* Ends                                                                 */

/* Return VK_NOT_READY while the device executes a submission. */
static VkResult
submission_status(const struct gpa_submission *submission)
{
	return submission->device->next.GetFenceStatus(
		submission->device->handle, submission->fence);
}

static VkResult
wait_for_end(const struct gpa_submission *submission)
{
	const struct timespec interval = { .tv_nsec = POLL_NS };
	VkResult fence;

	while ((fence = submission_status(submission)) == VK_NOT_READY)
		nanosleep(&interval, NULL);
	return fence;
}

static void
finish_op(const struct gpa_op *op, VkResult result)
{
	struct gpa_session *session = op->session;
	struct ticks ticks;

	if (result != VK_SUCCESS && session->loss == VK_SUCCESS)
		session->loss = result;
	if (op->kind == GPA_STEP_END_SESSION || op->kind == GPA_STEP_COPY)
		session->is_done = true;
	if (op->kind == GPA_STEP_END_SAMPLE && op->sample->queries &&
	    op->id < session->count &&
	    session->results[op->id].sample == op->sample) {
		ticks = sample_read_queries(op->sample);
		result_set_ticks(&session->results[op->id], &ticks);
	}
}

static void
unlink_locked(struct gpa_submission *submission)
{
	struct gpa_submission **at = &submission->device->submissions;

	while (*at != submission)
		at = &(*at)->next;
	*at = submission->next;
}

static void
submission_end(struct gpa_submission *submission, VkResult result)
{
	struct gpa_device *device = submission->device;

	if (submission->counts)
		gpa_reader_stop(&submission->reader);
	if (submission->has_trace)
		gpa_trace_end(device, &submission->op_list,
			      submission->is_submitted && result == VK_SUCCESS);
	pthread_mutex_lock(&device->lock);
	for (size_t i = 0;
	     submission->is_submitted && i < submission->op_list.count; i++)
		finish_op(&submission->op_list.list[i], result);
	device->next.DestroyFence(device->handle, submission->fence, NULL);
	device->next.DestroyFence(device->handle, submission->part_fence, NULL);
	submission->has_ended = true;
	pthread_cond_broadcast(&device->ended);
	pthread_mutex_unlock(&device->lock);
}

/*
 * Wait for earlier submissions. Sessions span command buffers: what the queue
 * executed before has to be seen before. Newer submissions come first in the
 * list.
 */
static void
wait_for_earlier(const struct gpa_submission *submission)
{
	struct gpa_device *device = submission->device;
	const struct gpa_submission *earlier;

	pthread_mutex_lock(&device->lock);
	do {
		earlier = submission->next;
		while (earlier && (earlier->has_ended ||
				   earlier->queue != submission->queue))
			earlier = earlier->next;
		if (earlier)
			pthread_cond_wait(&device->ended, &device->lock);
	} while (earlier);
	pthread_mutex_unlock(&device->lock);
}

static void *
submission_main(void *data)
{
	struct gpa_submission *submission = data;
	VkResult result = VK_SUCCESS;

	while (sem_wait(&submission->told) && errno == EINTR)
		;
	wait_for_earlier(submission);
	if (submission->is_submitted) {
		result = submission_carry_out(submission, NULL);
		if (result == VK_SUCCESS)
			result = wait_for_end(submission);
	}
	submission_end(submission, result);
	return NULL;
}

/* ------------------------------------------------------------------ */
/*
 * Waiting for submissions
 */

static void
submission_destroy(struct gpa_submission *submission)
{
	sem_destroy(&submission->told);
	gpa_op_list_finish(&submission->op_list);
	free(submission);
}

static void
reap_locked(struct gpa_device *device)
{
	struct gpa_submission **at = &device->submissions;

	while (*at) {
		struct gpa_submission *submission = *at;

		if (!submission->has_ended) {
			at = &submission->next;
			continue;
		}
		*at = submission->next;
		pthread_join(submission->thread, NULL);
		submission_destroy(submission);
	}
}

static bool
has_loose_ends_locked(const struct gpa_device *device)
{
	const struct gpa_submission *submission = device->submissions;

	while (submission &&
	       (submission->has_ended || !submission->is_submitted ||
		submission_status(submission) == VK_NOT_READY))
		submission = submission->next;
	return submission;
}

void
gpa_submission_wait_ends_locked(struct gpa_device *device)
{
	while (has_loose_ends_locked(device))
		pthread_cond_wait(&device->ended, &device->lock);
	reap_locked(device);
}

bool
gpa_submission_uses_locked(const struct gpa_device *device,
			   const struct gpa_session *session)
{
	for (const struct gpa_submission *submission = device->submissions;
	     submission; submission = submission->next) {
		for (size_t i = 0; i < submission->op_list.count; i++) {
			if (!submission->has_ended &&
			    submission->op_list.list[i].session == session)
				return true;
		}
	}
	return false;
}

void
gpa_submission_wait_all(struct gpa_device *device)
{
	pthread_mutex_lock(&device->lock);
	for (;;) {
		reap_locked(device);
		if (!device->submissions)
			break;
		pthread_cond_wait(&device->ended, &device->lock);
	}
	pthread_mutex_unlock(&device->lock);
}

/* ------------------------------------------------------------------ */
/* Beginnings                                                           */

static struct gpa_submission *
in_the_way_locked(struct gpa_device *device)
{
	struct gpa_submission *submission = device->submissions;

	while (submission && (submission->has_ended ||
			      !(submission->has_sync || submission->has_trace)))
		submission = submission->next;
	return submission;
}

/*
 * Wait, so that submissions count one after the other: counters could not be
 * started for another one while the device stands still for the first. That one
 * may itself wait for what comes behind this, so it is not waited for for ever.
 */
static void
wait_for_turn_locked(struct gpa_submission *submission)
{
	static const char where[] = "vkQueueSubmit";
	const struct timespec until =
		gpa_reader_from_now(WAIT_FACTOR * gpa_reader_deadline_ns());
	struct gpa_device *device = submission->device;
	const struct gpa_submission *other;

	while ((other = in_the_way_locked(device)) &&
	       pthread_cond_timedwait(&device->ended, &device->lock, &until) !=
		       ETIMEDOUT)
		;
	if (other)
		submission->broken =
			gpa_refuse(where, VK_ERROR_NOT_PERMITTED_KHR,
				   "another submission with samples does not "
				   "come to its end");
}

static void
join_submissions(struct gpa_submission *submission)
{
	struct gpa_device *device = submission->device;

	pthread_mutex_lock(&device->lock);
	reap_locked(device);
	if (submission->has_sync || submission->has_trace)
		wait_for_turn_locked(submission);
	submission->next = device->submissions;
	device->submissions = submission;
	pthread_mutex_unlock(&device->lock);
}

static void
leave_submissions(struct gpa_submission *submission)
{
	pthread_mutex_lock(&submission->device->lock);
	unlink_locked(submission);
	pthread_cond_broadcast(&submission->device->ended);
	pthread_mutex_unlock(&submission->device->lock);
}

static int
add_op_counters(const struct gpa_submission *submission,
		struct gpa_counters *counters, struct drmperf_error *error)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < submission->op_list.count; i++) {
		const struct gpa_op *op = &submission->op_list.list[i];

		if (op->sample)
			rc = gpa_counters_add(counters, op->sample, error);
	}
	return rc;
}

/* Begin to count. If counting cannot start, record the error in the samples. */
static VkResult
begin_to_count(struct gpa_submission *submission)
{
	struct gpa_counters counters = { 0 };
	struct drmperf_error error;
	int rc = add_op_counters(submission, &counters, &error);

	if (rc || !counters.count)
		gpa_counters_finish(&counters);
	else
		rc = gpa_reader_start(&submission->reader, submission->device,
				      &counters, &error);
	if (rc == -ENOMEM)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	submission->counts = !rc && counters.count;
	submission->broken = gpa_fail("vkQueueSubmit", rc, &error);
	return VK_SUCCESS;
}

static VkResult
submission_begin(struct gpa_submission *submission)
{
	VkResult result = VK_SUCCESS;

	join_submissions(submission);
	if (submission->has_trace)
		gpa_trace_begin(submission->device, &submission->op_list,
				submission->broken);
	if (submission->broken == VK_SUCCESS)
		result = begin_to_count(submission);
	if (result == VK_SUCCESS &&
	    call_thread_start(&submission->thread, submission_main, submission))
		result = VK_ERROR_OUT_OF_HOST_MEMORY;
	if (result == VK_SUCCESS)
		return result;
	if (submission->counts)
		gpa_reader_stop(&submission->reader);
	if (submission->has_trace)
		gpa_trace_end(submission->device, &submission->op_list, false);
	leave_submissions(submission);
	return result;
}

/* Return whether counters are read for some operation. */
static bool
op_list_has_sync(const struct gpa_op_list *op_list)
{
	for (size_t i = 0; i < op_list->count; i++) {
		if (op_list->list[i].place != GPA_PLACE_NONE)
			return true;
	}
	return false;
}

static struct gpa_submission *
submission_create(struct gpa_device *device, VkQueue queue,
		  const struct gpa_op_list *op_list)
{
	struct gpa_submission *submission = calloc(1, sizeof(*submission));

	if (!submission)
		return NULL;
	submission->device = device;
	submission->queue = queue;
	submission->op_list = *op_list;
	submission->has_sync = op_list_has_sync(op_list);
	submission->has_trace = gpa_trace_has_ops(op_list);
	sem_init(&submission->told, 0, 0);
	return submission;
}

VkResult
gpa_submission_create(struct gpa_device *device, VkQueue queue,
		      struct gpa_op_list *op_list, struct gpa_submission **out)
{
	const VkFenceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
	};
	struct gpa_submission *submission =
		submission_create(device, queue, op_list);
	VkResult result;

	if (!submission) {
		gpa_op_list_finish(op_list);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	result = device->next.CreateFence(device->handle, &info, NULL,
					  &submission->fence);
	if (result == VK_SUCCESS && submission->has_sync)
		result = device->next.CreateFence(device->handle, &info, NULL,
						  &submission->part_fence);
	if (result == VK_SUCCESS)
		result = submission_begin(submission);
	if (result == VK_SUCCESS) {
		*out = submission;
		return result;
	}
	device->next.DestroyFence(device->handle, submission->fence, NULL);
	device->next.DestroyFence(device->handle, submission->part_fence, NULL);
	submission_destroy(submission);
	return result;
}

/* Submit in parts as far as counters are read between them. */
static VkResult
submission_submit_parts(struct gpa_submission *submission,
			struct gpa_parts *parts)
{
	static const char where[] = "vkQueueSubmit";
	VkResult result;

	if (!gpa_parts_can_be_cut(parts)) {
		submission->uncut =
			gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
				   "the submission has a structure in "
				   "pNext that the layer cannot divide");
		return VK_SUCCESS;
	}
	result = submission_carry_out(submission, parts);
	if (result == VK_TIMEOUT) {
		submission->uncut =
			gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
				   "the submission takes too long, as if "
				   "it waited for what the application "
				   "does later");
		return VK_SUCCESS;
	}
	return result;
}

static bool
device_has_submission_locked(const struct gpa_device *device,
			     const struct gpa_submission *submission)
{
	const struct gpa_submission *other = device->submissions;

	while (other && (other != submission || other->has_ended))
		other = other->next;
	return other;
}

/*
 * Wait until a submission has ended that ends a trace: what is submitted later
 * is not in it. The submission may itself wait for the application, so it is
 * not waited for for ever. It may be gone by now.
 */
static void
wait_for_trace(struct gpa_device *device,
	       const struct gpa_submission *submission)
{
	const struct timespec until =
		gpa_reader_from_now(gpa_reader_deadline_ns());

	pthread_mutex_lock(&device->lock);
	while (device_has_submission_locked(device, submission) &&
	       pthread_cond_timedwait(&device->ended, &device->lock, &until) !=
		       ETIMEDOUT)
		;
	pthread_mutex_unlock(&device->lock);
}

VkResult
gpa_submission_submit(struct gpa_submission *submission,
		      struct gpa_parts *parts)
{
	const bool ends_trace = gpa_trace_has_end(&submission->op_list);
	struct gpa_device *device = submission->device;
	VkResult result = VK_SUCCESS;

	if (submission->has_sync)
		result = submission_submit_parts(submission, parts);
	if (result == VK_SUCCESS)
		result =
			gpa_parts_submit(parts, GPA_CUT_END, submission->fence);
	pthread_mutex_lock(&device->lock);
	submission->is_submitted = result == VK_SUCCESS;
	pthread_mutex_unlock(&device->lock);
	sem_post(&submission->told);
	if (ends_trace && result == VK_SUCCESS)
		wait_for_trace(device, submission);
	return result;
}
