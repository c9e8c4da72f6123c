/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formats of reports that GPUs can be asked for.
 *
 * Sources: Linux xe_oa.c (which there are, their bytes), IGT 2025-10 and Mesa
 * 25.0.7 (where PEC64u64, MPEC8u64 and MPEC8u32 have what); what lies where in
 * the others follows from their sizes.
 */
#ifndef DRMSIM_XE_FORMATS_H
#define DRMSIM_XE_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

#include "xe/uapi.h"

struct sim_oa_format;

/*
 * Find a format by the property's value: NULL if GPUs of this graphics version,
 * in hundredths, have none of it.
 */
const struct sim_oa_format *
sim_xe_format_find(uint64_t value, unsigned version);
/* Return whether that kind of unit writes it. */
bool
sim_xe_format_suits(const struct sim_oa_format *format,
		    enum sim_xe_unit_type type);

#endif /* DRMSIM_XE_FORMATS_H */
