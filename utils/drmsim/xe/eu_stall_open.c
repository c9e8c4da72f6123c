/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_eu_stall.c] */
#include "xe/stream_open.h"

#include <errno.h>

#include "kernel/call.h"
#include "xe/device.h"
#include "xe/eu_stall_stream.h"
#include "xe/eu_stall_unit.h"
#include "xe/property_chain.h"
#include "xe/sysfs.h"

#define LINKS_MAX 5
#define NO_GT SIM_XE_GTS

/* Properties as the kernel keeps them: some are cut. */
struct properties {
	const struct sim_xe *device;
	unsigned gt, multiplier;
	uint32_t wait_rows;
};

static int
set_gt(struct properties *p, uint64_t value)
{
	const uint8_t gt = (uint8_t)value;

	if (gt >= p->device->platform.gts)
		return -EINVAL;
	p->gt = gt;
	return 0;
}

/* Set the rate, rounded down to one that there is. */
static int
set_rate(struct properties *p, uint64_t value)
{
	const uint64_t multiplier = value / SIM_EU_STALL_CLOCKS;

	if (multiplier == 0 || multiplier > SIM_EU_STALL_MULTIPLIER_MAX)
		return -EINVAL;
	p->multiplier = (unsigned)multiplier;
	return 0;
}

static int
set_property(void *data, uint32_t property, uint64_t value)
{
	struct properties *p = data;

	switch (property) {
	case SIM_XE_EU_STALL_GT:
		return set_gt(p, value);
	case SIM_XE_EU_STALL_RATE:
		return set_rate(p, value);
	case SIM_XE_EU_STALL_WAIT:
		p->wait_rows = (uint32_t)value;
		return 0;
	}
	return -EINVAL;
}

/*
 * Check that no more is waited for than the buffers of all XeCores hold; the
 * media GT has none.
 */
static int
check_wait(const struct properties *p)
{
	const unsigned end = sim_xe_chip_core_end(&p->device->platform);
	uint64_t most = 0;

	for (unsigned core = 0; core < end; core++) {
		if (sim_xe_gt_has_core(p->device, p->gt, core))
			most += SIM_EU_STALL_BUFFER;
	}
	return p->wait_rows == 0 || p->wait_rows > most ? -EINVAL : 0;
}

int
sim_eu_stall_open(struct sim_call *call, struct sim_xe *device,
		  uint64_t address)
{
	static const struct sim_xe_property_rules rules = {
		.most = LINKS_MAX,
		.end = SIM_XE_EU_STALL_PROPERTIES,
		.set = set_property,
	};
	struct properties p = {
		.device = device, .gt = NO_GT, .multiplier = 4, .wait_rows = 1
	};
	int error;

	if (!sim_xe_samples_eu_stalls(device))
		return -ENODEV;
	error = sim_xe_check_paranoid(device, call);
	if (!error)
		error = sim_xe_property_chain_read(call, address, &rules, &p);
	if (error)
		return error;
	if (p.gt == NO_GT)
		return -EINVAL;
	if (device->eu_stalls[p.gt])
		return -EBUSY;
	error = check_wait(&p);
	if (error)
		return error;
	return sim_eu_stall_stream_open(
		call, device,
		&(struct sim_eu_stall_setup){ .gt = p.gt,
					      .multiplier = p.multiplier,
					      .wait_rows = p.wait_rows });
}
