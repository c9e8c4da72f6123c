/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

void *
array_add(void *array, size_t *count, size_t size)
{
	char *elements, *grown;

	memcpy(&elements, array, sizeof(elements));
	/* at each power of two there is no room left */
	if (!(*count & (*count - 1))) {
		grown = reallocarray(elements, *count ? 2 * *count : 1, size);
		if (!grown)
			return NULL;
		elements = grown;
		memcpy(array, &elements, sizeof(elements));
	}
	return memset(elements + size * (*count)++, 0, size);
}
