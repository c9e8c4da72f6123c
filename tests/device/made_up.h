/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Devices of a made-up sysfs, driven by made-up drivers: 0 and 2 by red, 1 by
 * blue, and a bridge adds to each of them.
 */
#ifndef DRMPERF_TESTS_DEVICE_MADE_UP_H
#define DRMPERF_TESTS_DEVICE_MADE_UP_H

#include <stdbool.h>
#include <stddef.h>

#include "driver/driver.h"
#include "drmperf.h"

/* They end with NULL. */
extern const struct driver *const made_up_drivers[];
extern struct drmperf *made_up_drmperf;

/* What drivers do, and what happened to them; reset before each test. */
extern struct made_up {
	int red_error; /* describe() of red fails with it */
	bool red_explains; /* and says why */
	int bridge_error;
	bool bridge_adds;
	bool bridge_waits; /* until its events are asked for */
	int pmu_error; /* which then cannot be told */
	int described, bridged, released, abandoned;
	size_t extra_count;
	const char *const *only; /* events of red and of blue alone, or NULL */
	const char *red_paranoid; /* of red's domain */
} made_up;

/* Set up a fixture: the machine, and made_up_drmperf on it. */
void
made_up_set_up(void);
void
made_up_clean_up(void);

/* Make made_up_drmperf again, from the machine as it is now. */
void
made_up_create(const char *events_path);
/* Likewise, with this file of tables for the driver "red". */
void
made_up_use_table(const char *name, const char *text);
struct drmperf_device *
made_up_device(unsigned index);

/* Compose the path of a name below test_folder, "/tables". */
void
made_up_path(char path[400], const char *name);
/* Likewise, and write that file. */
void
made_up_write(char path[400], const char *name, const char *text);

#endif /* DRMPERF_TESTS_DEVICE_MADE_UP_H */
