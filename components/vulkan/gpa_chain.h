/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structures of the extension in chains: layers and drivers below this layer do
 * not know them.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_CHAIN_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_CHAIN_H

#include <vulkan/vulkan.h>

/* Find a structure of a type behind the head; NULL: there is none. */
const void *
gpa_chain_find(const void *head, VkStructureType type);

/* One that was taken out of a chain that is written to. */
struct gpa_taken {
	VkBaseOutStructure *before;
	VkBaseOutStructure *it; /* NULL: there was none */
};

/* Put back the other way round. */
struct gpa_taken
gpa_chain_take(void *head, VkStructureType type);
/*
 * Take a structure out of a chain that is the program's, and only to be read:
 * it is as it was when that has been put back. In memory that cannot be written
 * it stays where it is, as if there were none.
 */
struct gpa_taken
gpa_chain_take_input(void *head, VkStructureType type);
void
gpa_chain_put_back(const struct gpa_taken *taken);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_CHAIN_H */
