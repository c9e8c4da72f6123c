/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

void *
array_add(void *array, size_t *count, size_t size)
{
	char *elements;

	memcpy(&elements, array, sizeof(elements));
	/* at each power of two there is no room left */
	if (!(*count & (*count - 1))) {
		elements =
			reallocarray(elements, *count ? 2 * *count : 1, size);
		if (!elements)
			return NULL;
		memcpy(array, &elements, sizeof(elements));
	}
	return memset(elements + size * (*count)++, 0, size);
}
