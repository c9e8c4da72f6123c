/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_object.h"

#include <stdlib.h>

#include "gpa_session.h"

/* Find the session with this handle, or NULL if it is another object. */
static struct gpa_session *
find_session_locked(const struct gpa_device *device, uint64_t object)
{
	struct gpa_session *session = device->sessions;

	while (session && (uint64_t)(uintptr_t)session != object)
		session = session->next;
	return session;
}

static bool
is_session(struct gpa_device *device, uint64_t object)
{
	bool is;

	pthread_mutex_lock(&device->lock);
	is = find_session_locked(device, object);
	pthread_mutex_unlock(&device->lock);
	return is;
}

/* ------------------------------------------------------------------ */
/* Names and tags                                                       */

/* A function that takes an object by a member of its information. */
#define OF_ANY_OBJECT(name, information, member)                               \
	VKAPI_ATTR VkResult VKAPI_CALL gpa_##name(VkDevice handle,             \
						  const information *info)     \
	{                                                                      \
		struct gpa_device *device = gpa_device_of(handle);             \
									       \
		return is_session(device, info->member)                        \
			       ? VK_SUCCESS                                    \
			       : device->next.name(handle, info);              \
	}

OF_ANY_OBJECT(SetDebugUtilsObjectNameEXT, VkDebugUtilsObjectNameInfoEXT,
	      objectHandle)
OF_ANY_OBJECT(SetDebugUtilsObjectTagEXT, VkDebugUtilsObjectTagInfoEXT,
	      objectHandle)
OF_ANY_OBJECT(DebugMarkerSetObjectNameEXT, VkDebugMarkerObjectNameInfoEXT,
	      object)
OF_ANY_OBJECT(DebugMarkerSetObjectTagEXT, VkDebugMarkerObjectTagInfoEXT, object)

/* ------------------------------------------------------------------ */
/* Private data                                                         */

/* Return where the data under a slot is, or could be put. */
static struct gpa_private_data **
find_data(struct gpa_session *session, VkPrivateDataSlot slot)
{
	struct gpa_private_data **at = &session->private_data;

	while (*at && (*at)->slot != slot)
		at = &(*at)->next;
	return at;
}

static VkResult
set_data(struct gpa_session *session, VkPrivateDataSlot slot, uint64_t value)
{
	struct gpa_private_data **at = find_data(session, slot);

	if (!*at)
		*at = calloc(1, sizeof(**at));
	if (!*at)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	(*at)->slot = slot;
	(*at)->value = value;
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_SetPrivateData(VkDevice handle, VkObjectType type, uint64_t object,
		   VkPrivateDataSlot slot, uint64_t value)
{
	struct gpa_device *device = gpa_device_of(handle);
	VkResult result = VK_SUCCESS;
	struct gpa_session *session;

	pthread_mutex_lock(&device->lock);
	session = find_session_locked(device, object);
	if (session)
		result = set_data(session, slot, value);
	pthread_mutex_unlock(&device->lock);
	return session ? result
		       : device->next.SetPrivateData(handle, type, object, slot,
						     value);
}

/* Return the data of a slot; data that was never set is 0. */
VKAPI_ATTR void VKAPI_CALL
gpa_GetPrivateData(VkDevice handle, VkObjectType type, uint64_t object,
		   VkPrivateDataSlot slot, uint64_t *value)
{
	struct gpa_device *device = gpa_device_of(handle);
	const struct gpa_private_data *data;
	struct gpa_session *session;

	pthread_mutex_lock(&device->lock);
	session = find_session_locked(device, object);
	if (session) {
		data = *find_data(session, slot);
		*value = data ? data->value : 0;
	}
	pthread_mutex_unlock(&device->lock);
	if (!session)
		device->next.GetPrivateData(handle, type, object, slot, value);
}

/* Destroy a slot. One that is made later may have the same handle. */
VKAPI_ATTR void VKAPI_CALL
gpa_DestroyPrivateDataSlot(VkDevice handle, VkPrivateDataSlot slot,
			   const VkAllocationCallbacks *allocator)
{
	struct gpa_device *device = gpa_device_of(handle);

	pthread_mutex_lock(&device->lock);
	for (struct gpa_session *session = device->sessions; session;
	     session = session->next) {
		struct gpa_private_data **at = find_data(session, slot);
		struct gpa_private_data *data = *at;

		if (data) {
			*at = data->next;
			free(data);
		}
	}
	pthread_mutex_unlock(&device->lock);
	device->next.DestroyPrivateDataSlot(handle, slot, allocator);
}
