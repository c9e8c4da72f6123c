/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRMSIM_BASE_ARRAY_H
#define DRMSIM_BASE_ARRAY_H

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif /* DRMSIM_BASE_ARRAY_H */
