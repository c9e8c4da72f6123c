/* SPDX-License-Identifier: BSD-3-Clause */
/* A sum that grows evenly, at a rate that may be changed. */
#ifndef DRMSIM_BASE_METER_H
#define DRMSIM_BASE_METER_H

#include <stdint.h>

struct sim_meter {
	uint64_t base; /* its value at `since` */
	uint64_t since; /* ns */
	uint64_t rate; /* millionths of a count per second */
};

uint64_t sim_meter_at(const struct sim_meter *meter, uint64_t now);
/* Go on from here at another rate. */
void sim_meter_set(struct sim_meter *meter, uint64_t now, uint64_t rate);

#endif /* DRMSIM_BASE_METER_H */
