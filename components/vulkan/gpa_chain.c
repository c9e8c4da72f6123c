/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_chain.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

const void *
gpa_chain_find(const void *head, VkStructureType type)
{
	const VkBaseInStructure *at = ((const VkBaseInStructure *)head)->pNext;

	while (at && at->sType != type)
		at = at->pNext;
	return at;
}

/* Find a structure, and what points to it. */
static struct gpa_taken
chain_seek(void *head, VkStructureType type)
{
	struct gpa_taken found = { .before = head };

	while (found.before->pNext && found.before->pNext->sType != type)
		found.before = found.before->pNext;
	found.it = found.before->pNext;
	return found;
}

struct gpa_taken
gpa_chain_take(void *head, VkStructureType type)
{
	struct gpa_taken taken = chain_seek(head, type);

	if (taken.it)
		taken.before->pNext = taken.it->pNext;
	return taken;
}

/*
 * Change where a structure points, by way of the kernel, which returns an error
 * for memory that must not be written where the processor would end the
 * program.
 */
static bool
chain_point(VkBaseOutStructure *at, VkBaseOutStructure *next)
{
	const ssize_t size = sizeof(next);
	bool done = false;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return false;
	if (write(ends[1], &next, sizeof(next)) == size)
		done = read(ends[0], &at->pNext, sizeof(next)) == size;
	close(ends[0]);
	close(ends[1]);
	return done;
}

struct gpa_taken
gpa_chain_take_input(void *head, VkStructureType type)
{
	struct gpa_taken taken = chain_seek(head, type);

	if (taken.it && !chain_point(taken.before, taken.it->pNext))
		taken.it = NULL;
	return taken;
}

void
gpa_chain_put_back(const struct gpa_taken *taken)
{
	if (taken->it)
		taken->before->pNext = taken->it;
}
