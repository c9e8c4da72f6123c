/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The requests to a domain: counters.
 *
 * Counters that must sit side by side are kept together in lists: a unit is a
 * request and those after it that follow it.
 */
#ifndef DRMPERF_LIB_DRIVER_REQUEST_H
#define DRMPERF_LIB_DRIVER_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/description.h"

/* One counter that is to count. */
struct counter_request {
	group_index group;
	uint32_t selector;
	uint32_t setting;
	uint64_t slots;
	int32_t instance; /* or DRMPERF_ALL_INSTANCES */
	uint32_t die; /* 1 + the number of the only one meant; 0: all dies */
	bool follows;	  /* must sit in the slot after the request before */
};

/* Find where the raw values of each request begin, one behind the other. */
void request_lay_out(const struct description *description,
		     const struct counter_request *requests, size_t count,
		     size_t *first, size_t *total);

/* Return how many requests the unit has with which the list begins. */
size_t request_unit_length(const struct counter_request *list, size_t count);

/* Return the position of the unit in the list, or count if it is not there. */
size_t request_unit_find(const struct counter_request *list, size_t count,
			 const struct counter_request *unit, size_t length);

#endif /* DRMPERF_LIB_DRIVER_REQUEST_H */
