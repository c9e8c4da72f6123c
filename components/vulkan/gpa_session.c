/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpa_job.h"
#include "gpa_tell.h"

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
	free(sample->selections);
	free(sample);
}

size_t
gpa_sample_values(const struct gpa_sample *sample)
{
	return sample->type == VK_GPA_SAMPLE_TYPE_TIMING_AMD ? 2
							     : sample->count;
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

/* Room for this many; new ones are empty. */
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
	const size_t count = gpa_sample_values(sample);
	uint64_t *values = calloc(count ? count : 1, sizeof(*values));

	if (!values)
		return -ENOMEM;
	gpa_sample_hold(sample);
	forget_result(result);
	result->sample = sample;
	result->values = values;
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
	if (session_grow(session, id + 1))
		return NULL;
	if (session->results[id].sample != sample &&
	    set_sample(&session->results[id], sample))
		return NULL;
	return &session->results[id];
}

static int
copy_result(struct gpa_result *to, const struct gpa_result *from,
	    bool with_values)
{
	if (!from->sample)
		return 0;
	if (to->sample != from->sample && set_sample(to, from->sample))
		return -ENOMEM;
	if (!with_values)
		return 0;
	memcpy(to->values, from->values,
	       gpa_sample_values(from->sample) * sizeof(*to->values));
	to->state = from->state;
	return 0;
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

/* ------------------------------------------------------------------ */
/* Creating                                                             */

static VkResult
copy_layout(struct gpa_session *session, struct gpa_session *source)
{
	if (source->recorded != GPA_ENDED)
		return gpa_refuse("vkCreateGpaSessionAMD",
				  GPA_VALIDATION_FAILED,
				  "secondaryCopySource has not been begun and "
				  "ended, or has been reset");
	if (gpa_session_copy_locked(session, source, false))
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	session->source = gpa_session_hold(source);
	session->recorded = GPA_ENDED;
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CreateGpaSession(VkDevice handle, const VkGpaSessionCreateInfoAMD *info,
		     const VkAllocationCallbacks *allocator,
		     VkGpaSessionAMD *out)
{
	struct gpa_session *source = gpa_session_of(info->secondaryCopySource);
	struct gpa_device *device = gpa_device_of(handle);
	struct gpa_session *session = calloc(1, sizeof(*session));
	VkResult result = VK_SUCCESS;

	(void)allocator;
	if (!session)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	atomic_init(&session->references, 1);
	session->device = device;
	pthread_mutex_lock(&device->lock);
	if (source)
		result = copy_layout(session, source);
	if (result == VK_SUCCESS) {
		session->next = device->sessions;
		device->sessions = session;
		*out = (VkGpaSessionAMD)(uintptr_t)session;
	}
	pthread_mutex_unlock(&device->lock);
	if (result != VK_SUCCESS)
		gpa_session_release(session);
	return result;
}

static void
unlink_locked(struct gpa_device *device, const struct gpa_session *session)
{
	struct gpa_session **at = &device->sessions;

	while (*at && *at != session)
		at = &(*at)->next;
	if (*at)
		*at = session->next;
}

VKAPI_ATTR void VKAPI_CALL
gpa_DestroyGpaSession(VkDevice handle, VkGpaSessionAMD session,
		      const VkAllocationCallbacks *allocator)
{
	struct gpa_device *device = gpa_device_of(handle);

	(void)allocator;
	pthread_mutex_lock(&device->lock);
	gpa_job_settle_locked(device);
	unlink_locked(device, gpa_session_of(session));
	gpa_session_release(gpa_session_of(session));
	pthread_mutex_unlock(&device->lock);
}

/* ------------------------------------------------------------------ */
/* Results                                                              */

static VkResult
status_locked(const struct gpa_session *session)
{
	if (session->loss != VK_SUCCESS)
		return session->loss;
	return session->is_done ? VK_SUCCESS : VK_NOT_READY;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_GetGpaSessionStatus(VkDevice handle, VkGpaSessionAMD session)
{
	struct gpa_device *device = gpa_device_of(handle);
	VkResult result;

	pthread_mutex_lock(&device->lock);
	gpa_job_settle_locked(device);
	result = status_locked(gpa_session_of(session));
	pthread_mutex_unlock(&device->lock);
	return result;
}

/*
 * Copy a result, as Vulkan does where a size is asked for and too small a one
 * given.
 */
static VkResult
result_give(const struct gpa_result *result, size_t *size, void *data)
{
	const size_t there =
		gpa_sample_values(result->sample) * sizeof(*result->values);
	size_t given = there;

	if (!data) {
		*size = there;
		return VK_SUCCESS;
	}
	if (given > *size)
		given = *size - *size % sizeof(*result->values);
	memcpy(data, result->values, given);
	*size = given;
	return given < there ? VK_INCOMPLETE : VK_SUCCESS;
}

static VkResult
results_locked(const struct gpa_session *session, uint32_t sample_id,
	       size_t *size, void *data)
{
	static const char where[] = "vkGetGpaSessionResultsAMD";
	const struct gpa_result *result;
	VkResult status = status_locked(session);

	if (sample_id >= session->count || !session->results[sample_id].sample)
		return gpa_refuse(where, GPA_VALIDATION_FAILED,
				  "the session has no sample %u", sample_id);
	result = &session->results[sample_id];
	if (!data)
		return result_give(result, size, NULL);
	if (status != VK_SUCCESS)
		return status;
	if (result->state == VK_NOT_READY)
		return gpa_refuse(where, VK_ERROR_UNKNOWN,
				  "sample %u was not executed to its end",
				  sample_id);
	return result->state == VK_SUCCESS ? result_give(result, size, data)
					   : result->state;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_GetGpaSessionResults(VkDevice handle, VkGpaSessionAMD session,
			 uint32_t sample_id, size_t *size, void *data)
{
	struct gpa_device *device = gpa_device_of(handle);
	VkResult result;

	pthread_mutex_lock(&device->lock);
	gpa_job_settle_locked(device);
	result = results_locked(gpa_session_of(session), sample_id, size, data);
	pthread_mutex_unlock(&device->lock);
	return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_ResetGpaSession(VkDevice handle, VkGpaSessionAMD handle_of_session)
{
	struct gpa_session *session = gpa_session_of(handle_of_session);
	struct gpa_device *device = gpa_device_of(handle);
	VkResult result = VK_SUCCESS;

	pthread_mutex_lock(&device->lock);
	gpa_job_settle_locked(device);
	if (gpa_job_uses_locked(device, session)) {
		result = gpa_refuse("vkResetGpaSessionAMD",
				    GPA_VALIDATION_FAILED,
				    "the session is still being executed");
	} else {
		forget_results(session);
		session->recorded = GPA_NOT_BEGUN;
		session->is_done = false;
		session->loss = VK_SUCCESS;
	}
	pthread_mutex_unlock(&device->lock);
	return result;
}
