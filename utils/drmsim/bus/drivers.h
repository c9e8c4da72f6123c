/* SPDX-License-Identifier: BSD-3-Clause */
/* The one list of drivers. */
#ifndef DRMSIM_BUS_DRIVERS_H
#define DRMSIM_BUS_DRIVERS_H

struct sim_driver;

/* Return NULL: there is no driver of this name. */
const struct sim_driver *sim_driver_find(const char *name);

#endif /* DRMSIM_BUS_DRIVERS_H */
