/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places in a command buffer where counters are read: before or behind it, or
 * where it is cut.
 *
 * In secondary command buffers the device has to wait for the host: it sets an
 * event, "reached", and waits for another one, "released", which the host sets
 * when it has done its part. The host resets both: the first at once, the
 * second at the next such place, when the device has gone on. So two places
 * that follow each other need a pair each, and no more than three are needed of
 * however many there are: the first has a pair of its own, the others take
 * turns. Then a command buffer with two places or more can be executed again at
 * once, too. (The device could reset the second by itself, but that comes to
 * pass some time after the next commands have been read.)
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_PLACES_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_PLACES_H

#include "gpa_commands.h"

/*
 * Make sure that a sample can begin here. Returns VK_SUCCESS,
 * VK_ERROR_FEATURE_NOT_PRESENT where it cannot, with the reason, or the errors
 * of vkCreateEvent().
 */
VkResult
gpa_places_can_begin(struct gpa_commands *commands,
		     const struct gpa_sample *sample, const char *where);
/*
 * Add an operation for which the counters are read where the next command acts.
 * -ENOMEM.
 */
int
gpa_places_add(struct gpa_commands *commands, struct gpa_op *op);
/* Note that a command acts, before it is recorded. */
void
gpa_places_act(struct gpa_commands *commands);
/* Note that a render pass begins, before it is recorded, or has ended. */
void
gpa_places_begin_pass(struct gpa_commands *commands, bool resumes);
void
gpa_places_end_pass(struct gpa_commands *commands);

/* Forget all that was recorded, which no submission may need any more. */
void
gpa_places_forget(struct gpa_commands *commands);
/* The same, and free the commands. */
void
gpa_places_destroy(struct gpa_commands *commands);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_PLACES_H */
