/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRMSIM_MACHINE_LOG_H
#define DRMSIM_MACHINE_LOG_H

#include "base/printf.h"

struct sim;

/* Write one line of --log; nothing is formatted without --log. */
void sim_log(struct sim *sim, const char *format, ...) SIM_PRINTF(2, 3);

#endif /* DRMSIM_MACHINE_LOG_H */
