/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRMSIM_XE_DRIVER_H
#define DRMSIM_XE_DRIVER_H

struct sim_driver;

extern const struct sim_driver sim_driver_xe;

#endif /* DRMSIM_XE_DRIVER_H */
