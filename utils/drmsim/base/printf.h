/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRMSIM_BASE_PRINTF_H
#define DRMSIM_BASE_PRINTF_H

/* Argument f is a format as printf()'s, for the arguments from a on. */
#define SIM_PRINTF(f, a) __attribute__((format(printf, f, a)))

#endif /* DRMSIM_BASE_PRINTF_H */
