/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of DRIVER::GROUP.COUNTER[:device=N][:die=D][:instance=I]
 * [:accumulate], with terms of a kernel's PMU behind them.
 */
#ifndef DRMPERF_LIB_DEVICE_EVENT_NAME_H
#define DRMPERF_LIB_DEVICE_EVENT_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "drmperf.h"

#define EVENT_NAME_NONE (-1)

struct event_name {
	const char *driver; /* not terminated, like event */
	size_t driver_length; /* 0: left out */
	const char *event;
	size_t event_length;
	int device;   /* or EVENT_NAME_NONE */
	int die;      /* or EVENT_NAME_NONE */
	bool accumulate; /* its sum over all clock cycles is meant */
	int instance; /* ":instance=3", or "[3]" right behind the event */
	/* of a kernel PMU's event: those of others end the name */
	const char *terms; /* ":gt=1:engine_class=0"; NULL: none */
};

/*
 * Parse a name, whose qualifiers may stand in any order. -EINVAL if the form is
 * not right.
 */
int event_name_parse(const char *name, struct event_name *out,
		     struct drmperf_error *error);

#endif /* DRMPERF_LIB_DEVICE_EVENT_NAME_H */
