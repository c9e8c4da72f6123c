/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_acting.h"

#include <string.h>

#include "gpa_places.h"

/*
 * Return by how much a command changes the scopes that are open: all of these
 * names begin and end what lasts within one command buffer.
 */
static int
scopes_by_name(const char *name)
{
	if (!strncmp(name, "CmdBegin", strlen("CmdBegin")))
		return 1;
	return strncmp(name, "CmdEnd", strlen("CmdEnd")) ? 0 : -1;
}

/*
 * Note that a command buffer acts. Returns the functions to do that, and where,
 * in *buffer.
 */
static const struct gpa_device_functions *
buffer_act(VkCommandBuffer *buffer, const char *name)
{
	struct gpa_device *device = gpa_device_of(*buffer);
	struct gpa_commands *commands = gpa_commands_of(device, *buffer);

	if (commands) {
		gpa_places_act(commands);
		commands->open_scopes += (unsigned)scopes_by_name(name);
		*buffer = commands->current;
	}
	return &device->next;
}

#define X(name, parameters, arguments)                                         \
	static VKAPI_ATTR void VKAPI_CALL act_##name parameters                \
	{                                                                      \
		const struct gpa_device_functions *next =                      \
			buffer_act(&buffer, #name);                            \
                                                                               \
		next->name arguments;                                          \
	}
GPA_ACTING(X)
#undef X

#define X(name, parameters, arguments)                                         \
	_Static_assert(__builtin_types_compatible_p(                           \
			       __typeof__(&act_##name), PFN_vk##name),         \
		       "vk" #name " has other parameters in vulkan_core.h");
GPA_ACTING(X)
#undef X

static const struct gpa_function acting[] = {
#define X(name, parameters, arguments)                                         \
	{ "vk" #name, (PFN_vkVoidFunction)act_##name },
	GPA_ACTING(X)
#undef X
#define X(alias, name) { "vk" #alias, (PFN_vkVoidFunction)act_##name },
		GPA_ACTING_ALIASES(X)
#undef X
};

PFN_vkVoidFunction
gpa_acting_function(const char *name)
{
	return GPA_FUNCTION_FIND(acting, name);
}

/* Acting commands are looked up before: vkCmdSetEvent begins so, too. */
static const char *const state_prefixes[] = {
	"vkCmdBind",
	"vkCmdPush",
	"vkCmdSet",
};

bool
gpa_acting_is_state(const char *name)
{
	for (size_t i = 0;
	     i < sizeof(state_prefixes) / sizeof(state_prefixes[0]); i++) {
		const char *prefix = state_prefixes[i];

		if (!strncmp(name, prefix, strlen(prefix)))
			return true;
	}
	return false;
}
