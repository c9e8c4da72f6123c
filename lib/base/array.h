/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRMPERF_LIB_BASE_ARRAY_H
#define DRMPERF_LIB_BASE_ARRAY_H

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif /* DRMPERF_LIB_BASE_ARRAY_H */
