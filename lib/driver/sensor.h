/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors: values that the kernel reports of a device one by one, on request. A
 * driver brings a list and a function that asks; the domain "sensor" made of
 * them is the same for all drivers. It needs no lock of the hardware: sessions
 * that count on the device, in this process or another, are not disturbed.
 *
 * A sleeping GPU is not woken by being read: start asks every sensor once and
 * wakes it if need be; while it sleeps after that, sensors that would wake it
 * have no value (-ENODATA). A sensor that does not answer lacks its own value
 * alone.
 */
#ifndef DRMPERF_LIB_DRIVER_SENSOR_H
#define DRMPERF_LIB_DRIVER_SENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/driver.h"

struct sensor {
	const char *name; /* of the event: "gfx-sclk" */
	const char *description;
	enum drmperf_unit unit;
	enum drmperf_kind kind;
	unsigned bits;	/* of a cumulative one: it wraps there */
	unsigned keep_ms; /* as well: how often to read it; 0: at will */
	/* the event's units are the kernel's times scale, over divisor */
	uint64_t scale;
	uint64_t divisor; /* 0: 1 */
	uint64_t most;	  /* in the kernel's units: more is no value; 0: any */
	bool of_table;	  /* read by pick() of struct sensors */
	bool wakes;	/* the kernel wakes a sleeping GPU to answer */
};

/* The sensors of a device. Strings and list live as long as it. */
struct sensors {
	const struct sensor *list;
	size_t count;
	/*
	 * Read the sensor number index of the list. Returns 0; -ENODEV if the
	 * device has gone; other errors of the kernel. Never allocates.
	 */
	int (*read)(void *data, size_t index, uint64_t *value);
	/*
	 * After -ENODEV of read(): open the device again, if it has come back.
	 * 1: read() may be tried again. Not called in handlers of signals.
	 * NULL: read() opens what it reads.
	 */
	int (*reopen)(void *data);
	/*
	 * For sensors that the kernel gives together, as one table: read it,
	 * and take number index of the list from what was read. Errors as of
	 * read(), and -ENODATA if the sensor has no value now; -EPERM: the GPU
	 * sleeps. NULL if no sensor is of a table.
	 */
	size_t table_size; /* bytes */
	int (*read_table)(void *data, void *table);
	int (*pick)(void *data, size_t index, const void *table,
		    uint64_t *value);
	void *data;
	const char *device; /* for messages: the PCI device's sysfs folder */
	int runtime_status; /* file of power management; -1: there is none */
};

/*
 * Complete a struct whose list and function are set; to be released with
 * sensors_finish(), which is also for a forked child.
 */
void sensors_init(struct sensors *sensors, const struct driver_target *target);
void sensors_finish(struct sensors *sensors);

/* Add domain, group and events, unless the list is empty. -ENOMEM. */
int sensors_describe(struct sensors *sensors, struct description *description);

/*
 * Read the number that a file of sysfs consists of; of a rate, "16.0 GT/s
 * PCIe", it is MT/s. -EBADMSG if it is none.
 */
int sensor_read_file(const char *path, uint64_t *out);

#endif /* DRMPERF_LIB_DRIVER_SENSOR_H */
