/* SPDX-License-Identifier: BSD-3-Clause */
/* Mishaps of calls that are not simulated, as --fault asks for them. */
#ifndef DRMSIM_PRELOAD_FAULT_H
#define DRMSIM_PRELOAD_FAULT_H

#include <stdbool.h>

#include "base/protocol.h"

/* Set up once, with the machine's directory. */
void fault_init(const char *directory);
/*
 * Count one more call of this kind. Returns true, and sets errno, if it shall
 * fail.
 */
bool fault_strikes(enum protocol_outside_kind kind);

#endif /* DRMSIM_PRELOAD_FAULT_H */
