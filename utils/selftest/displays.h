/* SPDX-License-Identifier: BSD-3-Clause */
/* GPUs whose displays people look at. */
#ifndef DRMPERF_SELFTEST_DISPLAYS_H
#define DRMPERF_SELFTEST_DISPLAYS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Return true if a display is connected to the PCI device and on, with the
 * connector's name; root goes before /sys.
 */
bool
displays_any(const char *root, const char *address, char *connector,
	     size_t size);

#endif /* DRMPERF_SELFTEST_DISPLAYS_H */
