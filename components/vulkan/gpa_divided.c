/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_divided.h"

#include <stdlib.h>
#include <string.h>

#include "gpa_cut.h"

#define GROUP VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO

static size_t
buffer_parts(struct gpa_device *device, VkCommandBuffer buffer)
{
	const struct gpa_commands *commands = gpa_commands_of(device, buffer);

	return commands ? gpa_cut_count(commands) : 1;
}

static VkCommandBuffer
buffer_part(struct gpa_device *device, VkCommandBuffer buffer, size_t number)
{
	const struct gpa_commands *commands = gpa_commands_of(device, buffer);

	return commands ? gpa_cut_part(commands, number) : buffer;
}

/* ------------------------------------------------------------------ */
/* Batches                                                              */

/* Return how many parts batches have, and in *whole how many buffers. */
static size_t
parts_count(const struct gpa_parts *parts, size_t *whole)
{
	size_t all = 0;

	*whole = 0;
	for (uint32_t i = 0; i < parts->count; i++) {
		const uint32_t size = gpa_parts_batch_size(parts, i);

		*whole += size;
		for (uint32_t k = 0; k < size; k++)
			all += buffer_parts(parts->device,
					    gpa_parts_buffer(parts, i, k));
	}
	return all;
}

/* Write the parts of a batch to list. Returns how many they are. */
static uint32_t
batch_divide(VkSubmitInfo *submit, struct gpa_device *device,
	     VkCommandBuffer *list)
{
	uint32_t used = 0;

	for (uint32_t i = 0; i < submit->commandBufferCount; i++) {
		const VkCommandBuffer buffer = submit->pCommandBuffers[i];
		const size_t count = buffer_parts(device, buffer);

		for (size_t k = 0; k < count; k++)
			list[used++] = buffer_part(device, buffer, k);
	}
	submit->commandBufferCount = used;
	submit->pCommandBuffers = list;
	return used;
}

static uint32_t
batch_divide2(VkSubmitInfo2 *submit, struct gpa_device *device,
	      VkCommandBufferSubmitInfo *list)
{
	uint32_t used = 0;

	for (uint32_t i = 0; i < submit->commandBufferInfoCount; i++) {
		const VkCommandBufferSubmitInfo *info =
			&submit->pCommandBufferInfos[i];
		const size_t count = buffer_parts(device, info->commandBuffer);

		for (size_t k = 0; k < count; k++) {
			list[used] = *info;
			list[used++].commandBuffer =
				buffer_part(device, info->commandBuffer, k);
		}
	}
	submit->commandBufferInfoCount = used;
	submit->pCommandBufferInfos = list;
	return used;
}

/* ------------------------------------------------------------------ */
/* Submissions                                                          */

static VkResult
submits_divide(struct gpa_divided *divided, struct gpa_parts *parts, size_t all)
{
	VkCommandBuffer *at;

	divided->submits = calloc(parts->count, sizeof(*divided->submits));
	divided->taken = calloc(parts->count, sizeof(*divided->taken));
	divided->buffers = calloc(all, sizeof(*divided->buffers));
	if (!divided->submits || !divided->taken || !divided->buffers)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	memcpy(divided->submits, parts->submits,
	       parts->count * sizeof(*divided->submits));
	at = divided->buffers;
	for (uint32_t i = 0; i < parts->count; i++) {
		VkSubmitInfo *submit = &divided->submits[i];

		/* the one device of a group of one needs no masks */
		divided->taken[i] = gpa_chain_take_input(submit, GROUP);
		divided->count++;
		at += batch_divide(submit, parts->device, at);
	}
	parts->submits = divided->submits;
	return VK_SUCCESS;
}

static VkResult
submits2_divide(struct gpa_divided *divided, struct gpa_parts *parts,
		size_t all)
{
	VkCommandBufferSubmitInfo *at;

	divided->submits2 = calloc(parts->count, sizeof(*divided->submits2));
	divided->infos = calloc(all, sizeof(*divided->infos));
	if (!divided->submits2 || !divided->infos)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	memcpy(divided->submits2, parts->submits2,
	       parts->count * sizeof(*divided->submits2));
	at = divided->infos;
	for (uint32_t i = 0; i < parts->count; i++)
		at += batch_divide2(&divided->submits2[i], parts->device, at);
	parts->submits2 = divided->submits2;
	return VK_SUCCESS;
}

VkResult
gpa_divided_make(struct gpa_divided *divided, struct gpa_parts *parts)
{
	size_t whole;
	const size_t all = parts_count(parts, &whole);
	VkResult result;

	memset(divided, 0, sizeof(*divided));
	if (all == whole)
		return VK_SUCCESS;
	result = parts->submits ? submits_divide(divided, parts, all)
				: submits2_divide(divided, parts, all);
	if (result != VK_SUCCESS)
		gpa_divided_finish(divided);
	return result;
}

void
gpa_divided_finish(struct gpa_divided *divided)
{
	for (uint32_t i = divided->count; i > 0; i--)
		gpa_chain_put_back(&divided->taken[i - 1]);
	free(divided->submits);
	free(divided->submits2);
	free(divided->buffers);
	free(divided->infos);
	free(divided->taken);
	memset(divided, 0, sizeof(*divided));
}
