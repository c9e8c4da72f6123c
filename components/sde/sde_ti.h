/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions by which PAPI's component sde asks for software-defined events.
 * It looks for them by name in the whole process; where PAPI's own libsde has
 * them, a library or program has events of its own.
 *
 * From PAPI 7.0 (src/sde_lib/sde_lib_ti.h, src/components/sde/sde.c); 0 or one
 * of PAPI's codes is returned.
 */
#ifndef SDE_TI_H
#define SDE_TI_H

#include <stdint.h>

#define SDE_TI_PUBLIC __attribute__((visibility("default")))

SDE_TI_PUBLIC int sde_ti_reset_counter(uint32_t code);
SDE_TI_PUBLIC int sde_ti_read_counter(uint32_t code, long long *value);
SDE_TI_PUBLIC int sde_ti_write_counter(uint32_t code, long long value);
SDE_TI_PUBLIC int sde_ti_name_to_code(const char *name, uint32_t *code);
SDE_TI_PUBLIC int sde_ti_is_simple_counter(uint32_t code);
SDE_TI_PUBLIC int sde_ti_is_counter_set_to_overflow(uint32_t code);
SDE_TI_PUBLIC int sde_ti_set_counter_overflow(uint32_t code, int threshold);
SDE_TI_PUBLIC char *sde_ti_get_event_name(int code);
SDE_TI_PUBLIC char *sde_ti_get_event_description(int code);
SDE_TI_PUBLIC int sde_ti_get_num_reg_events(void);
SDE_TI_PUBLIC int sde_ti_shutdown(void);

/*
 * Check for overflows, PAPI's own function: libsde calls it for a counter that
 * has changed.
 */
SDE_TI_PUBLIC void papi_sde_check_overflow_status(uint32_t code,
						  long long value);

#endif /* SDE_TI_H */
