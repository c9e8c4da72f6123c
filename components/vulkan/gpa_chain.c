/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_chain.h"

#include <stddef.h>

const void *
gpa_chain_find(const void *head, VkStructureType type)
{
	const VkBaseInStructure *at = ((const VkBaseInStructure *)head)->pNext;

	while (at && at->sType != type)
		at = at->pNext;
	return at;
}

struct gpa_taken
gpa_chain_take(void *head, VkStructureType type)
{
	struct gpa_taken taken = { .before = head };

	while (taken.before->pNext && taken.before->pNext->sType != type)
		taken.before = taken.before->pNext;
	taken.it = taken.before->pNext;
	if (taken.it)
		taken.before->pNext = taken.it->pNext;
	return taken;
}

void
gpa_chain_put_back(const struct gpa_taken *taken)
{
	if (taken->it)
		taken->before->pNext = taken->it;
}
