/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine with GPUs of a kernel driver of the test's, as sysfs shows it.
 */
#ifndef DRMPERF_TESTS_SUPPORT_FAKE_MACHINE_H
#define DRMPERF_TESTS_SUPPORT_FAKE_MACHINE_H

#include "driver/description.h"
#include "driver/driver.h"

/*
 * Begin a machine of that many GPUs of "fake"; what goes before /sys, until the
 * end.
 */
const char *
fake_machine_begin(unsigned gpus);
void
fake_machine_end(void);

/*
 * Describe, for a driver of such a GPU, a domain, a group that shares no slots,
 * and an event, which has a selector or an expression.
 */
domain_index
fake_add_domain(struct description *description, const char *name,
		const struct domain_ops *ops, void *device);
group_index
fake_add_group(struct description *description, const char *name,
	       domain_index domain, unsigned max_active, unsigned instances);
void
fake_add_event(struct description *description, group_index group,
	       const char *name, uint32_t selector, enum drmperf_kind kind,
	       enum drmperf_type type, const char *expression);

#endif /* DRMPERF_TESTS_SUPPORT_FAKE_MACHINE_H */
