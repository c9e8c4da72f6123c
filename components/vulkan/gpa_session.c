/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ */
/* Samples                                                              */

struct gpa_sample *
gpa_sample_hold(struct gpa_sample *sample)
{
	atomic_fetch_add(&sample->references, 1);
	return sample;
}

void
gpa_sample_release(struct gpa_sample *sample)
{
	if (!sample || atomic_fetch_sub(&sample->references, 1) > 1)
		return;
	if (sample->queries)
		sample->device->next.DestroyQueryPool(sample->device->handle,
						      sample->queries, NULL);
	gpa_streaming_finish(&sample->streaming);
	free(sample->selections);
	free(sample);
}

size_t
gpa_sample_size(const struct gpa_sample *sample)
{
	switch (sample->type) {
	case VK_GPA_SAMPLE_TYPE_TIMING_AMD:
		return 2 * sizeof(uint64_t);
	case VK_GPA_SAMPLE_TYPE_TRACE_AMD:
		return 0;
	default:
		return sample->count * sizeof(uint64_t);
	}
}

/* ------------------------------------------------------------------ */
/* Sessions                                                             */

struct gpa_session *
gpa_session_of(VkGpaSessionAMD handle)
{
	return (struct gpa_session *)(uintptr_t)handle;
}

struct gpa_session *
gpa_session_hold(struct gpa_session *session)
{
	atomic_fetch_add(&session->references, 1);
	return session;
}

static void
forget_result(struct gpa_result *result)
{
	gpa_sample_release(result->sample);
	free(result->values);
	memset(result, 0, sizeof(*result));
}

static void
forget_results(struct gpa_session *session)
{
	for (uint32_t i = 0; i < session->count; i++)
		forget_result(&session->results[i]);
	free(session->results);
	session->results = NULL;
	session->count = 0;
}

void
gpa_session_release(struct gpa_session *session)
{
	if (!session || atomic_fetch_sub(&session->references, 1) > 1)
		return;
	forget_results(session);
	while (session->private_data) {
		struct gpa_private_data *data = session->private_data;

		session->private_data = data->next;
		free(data);
	}
	gpa_session_release(session->source);
	free(session);
}

/* Make room for this many; new ones are empty. */
static int
session_grow(struct gpa_session *session, uint32_t count)
{
	struct gpa_result *results;

	if (count <= session->count)
		return 0;
	results = reallocarray(session->results, count, sizeof(*results));
	if (!results)
		return -ENOMEM;
	memset(&results[session->count], 0,
	       (count - session->count) * sizeof(*results));
	session->results = results;
	session->count = count;
	return 0;
}

static int
set_sample(struct gpa_result *result, struct gpa_sample *sample)
{
	const size_t size = gpa_sample_size(sample);
	uint64_t *values = calloc(1, size ? size : 1);

	if (!values)
		return -ENOMEM;
	gpa_sample_hold(sample);
	forget_result(result);
	result->sample = sample;
	result->values = values;
	result->size = size;
	result->state = VK_NOT_READY;
	return 0;
}

int
gpa_session_add_locked(struct gpa_session *session, struct gpa_sample *sample,
		       uint32_t *id)
{
	const uint32_t next = session->count;

	if (session_grow(session, next + 1))
		return -ENOMEM;
	if (set_sample(&session->results[next], sample)) {
		session->count = next;
		return -ENOMEM;
	}
	session->results[next].is_open = true;
	*id = next;
	return 0;
}

struct gpa_result *
gpa_session_place_locked(struct gpa_session *session, uint32_t id,
			 struct gpa_sample *sample)
{
	if (!session_grow(session, id + 1) &&
	    (session->results[id].sample == sample ||
	     !set_sample(&session->results[id], sample)))
		return &session->results[id];
	session->loss = VK_ERROR_OUT_OF_HOST_MEMORY;
	return NULL;
}

static int
copy_values(struct gpa_result *to, const struct gpa_result *from)
{
	uint64_t *values = malloc(from->size ? from->size : 1);

	if (!values)
		return -ENOMEM;
	memcpy(values, from->values, from->size);
	free(to->values);
	to->values = values;
	to->size = from->size;
	to->state = from->state;
	return 0;
}

static int
copy_result(struct gpa_result *to, const struct gpa_result *from,
	    bool with_values)
{
	if (!from->sample)
		return 0;
	if (to->sample != from->sample && set_sample(to, from->sample))
		return -ENOMEM;
	return with_values ? copy_values(to, from) : 0;
}

int
gpa_session_copy_locked(struct gpa_session *session,
			const struct gpa_session *from, bool with_values)
{
	int rc = session_grow(session, from->count);

	for (uint32_t i = 0; !rc && i < from->count; i++)
		rc = copy_result(&session->results[i], &from->results[i],
				 with_values);
	return rc;
}

void
gpa_session_reset_locked(struct gpa_session *session)
{
	forget_results(session);
	session->recorded = GPA_NOT_BEGUN;
	session->is_done = false;
	session->loss = VK_SUCCESS;
}
