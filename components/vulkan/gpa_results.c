/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_results.h"

#include <stdlib.h>
#include <string.h>

#include "gpa_submission.h"
#include "gpa_tell.h"
#include "gpa_trace.h"

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
	gpa_submission_wait_ends_locked(device);
	gpa_trace_drop_locked(device, gpa_session_of(session));
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
	gpa_submission_wait_ends_locked(device);
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
	const size_t there = result->size;
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
	if (!data && result->sample->type != VK_GPA_SAMPLE_TYPE_TRACE_AMD)
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
	gpa_submission_wait_ends_locked(device);
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
	gpa_submission_wait_ends_locked(device);
	if (gpa_submission_uses_locked(device, session)) {
		result = gpa_refuse("vkResetGpaSessionAMD",
				    GPA_VALIDATION_FAILED,
				    "the session is still being executed");
	} else {
		gpa_trace_drop_locked(device, session);
		gpa_session_reset_locked(session);
	}
	pthread_mutex_unlock(&device->lock);
	return result;
}
