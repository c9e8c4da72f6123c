/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/request.h"

/* Return the number of raw values that a request gives. */
static size_t
count_values(const struct description *description,
	     const struct counter_request *request)
{
	if (request->instance != DRMPERF_ALL_INSTANCES)
		return 1;
	return description->groups[request->group].instances;
}

static bool
request_equal(const struct counter_request *a, const struct counter_request *b)
{
	return a->group == b->group && a->selector == b->selector &&
	       a->setting == b->setting && a->slots == b->slots &&
	       a->instance == b->instance && a->die == b->die &&
	       a->follows == b->follows;
}

size_t
request_unit_length(const struct counter_request *list, size_t count)
{
	size_t length = 1;

	while (length < count && list[length].follows)
		length++;
	return length;
}

size_t
request_unit_find(const struct counter_request *list, size_t count,
		  const struct counter_request *unit, size_t length)
{
	size_t i, k;

	for (i = 0; i < count; i += request_unit_length(&list[i], count - i)) {
		if (request_unit_length(&list[i], count - i) != length)
			continue;
		for (k = 0; k < length; k++) {
			if (!request_equal(&list[i + k], &unit[k]))
				break;
		}
		if (k == length)
			return i;
	}
	return count;
}

void
request_lay_out(const struct description *description,
		const struct counter_request *requests, size_t count,
		size_t *first, size_t *total)
{
	*total = 0;
	for (size_t i = 0; i < count; i++) {
		first[i] = *total;
		*total += count_values(description, &requests[i]);
	}
}
