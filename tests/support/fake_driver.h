/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A driver that counts in memory. A test gives it a model to describe, and sets
 * what fails and what happens amidst its calls.
 *
 * Calls write plain memory of their domain and their run, so that
 * ThreadSanitizer sees calls that the library has to keep apart and does not.
 */
#ifndef DRMPERF_TESTS_SUPPORT_FAKE_DRIVER_H
#define DRMPERF_TESTS_SUPPORT_FAKE_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/description.h"
#include "driver/driver.h"

/* At most. */
#define FAKE_DOMAINS 3
#define FAKE_GROUPS 10
#define FAKE_EVENTS 50
#define FAKE_INSTANCES 4 /* where something is counted */
#define FAKE_SELECTORS 16
#define FAKE_MOMENTARY 15 /* the selector that work does not count */

enum fake_call {
	FAKE_ARM,
	FAKE_CHANGE,
	FAKE_START,
	FAKE_SAMPLE,
	FAKE_SUBMIT,
	FAKE_WAIT,
	FAKE_WAIT_IN_VAIN, /* briefly, for what is slow */
	FAKE_STOP,
	FAKE_DISARM,
	FAKE_ABANDON,
	FAKE_CALLS,
};

struct fake_run {
	struct fake_domain *domain;
	enum fake_call call; /* the last one */
	struct run_options options;
	struct counter_request requests[64];
	size_t count;
	void *data; /* of hooks */
};

/* A domain of a GPU; all zero before it is described. */
struct fake_domain {
	const char *name;
	const struct description_group *groups;
	uint64_t counts[FAKE_SELECTORS][FAKE_INSTANCES];
	uint64_t clock_ns;
	unsigned armed, samples;
	const struct fake_run *run; /* the last one armed */
	unsigned called[FAKE_CALLS];
	enum drmperf_read_mode mode; /* of the last sample */
	bool is_submitted;
	/* set by tests */
	unsigned armed_max, count_max; /* runs and their requests; 0: any */
	int errors[FAKE_CALLS];
	void (*hooks[FAKE_CALLS])(struct fake_run *run);
	uint64_t missing; /* selectors that samples lack */
	bool is_slow; /* for those that wait briefly */
};

struct fake_gpu {
	struct fake_domain domains[FAKE_DOMAINS];
};

/* Domains that several sessions share, that none share, and with two halves. */
extern const struct domain_ops fake_shared_ops;
extern const struct domain_ops fake_own_ops;
extern const struct domain_ops fake_split_ops;

/*
 * What is described of a GPU. Missing operations, descriptions and files are
 * filled in, and slots that are 0 are all slots.
 */
struct fake_model {
	struct description_domain domains[FAKE_DOMAINS];
	struct description_group groups[FAKE_GROUPS];
	struct description_event events[FAKE_EVENTS];
};

/* The members of a group, of an event and of a metric. */
#define FAKE_GROUP(d, n, slots, places)                                        \
	.domain = (d), .name = (n), .max_active = (slots), .instances = (places)
#define FAKE_EVENT(g, n, s) .group = (g), .name = (n), .selector = (s)
#define FAKE_METRIC(g, n, text)                                                \
	.group = (g), .name = (n), .expression = (text),                       \
	.type = DRMPERF_TYPE_DOUBLE, .kind = DRMPERF_KIND_AVERAGE

/*
 * Append a model to what is described already. gpu is what its domains count
 * in; NULL where nothing is counted.
 */
void
fake_describe(const struct fake_model *model, struct fake_gpu *gpu,
	      struct description *description);

/* Append one event to a group. */
void
fake_add_event(struct description *description, group_index group,
	       struct description_event event);

/* Let selector s of instance i go on by n * (s + 1) * (i + 1). */
void
fake_domain_work(struct fake_domain *domain, uint64_t n);

/* For struct driver; the device is a struct fake_gpu. */
void
fake_release(void *device);
void
fake_abandon(void *device);

#endif /* DRMPERF_TESTS_SUPPORT_FAKE_DRIVER_H */
