/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of sysfs that the server writes by what programs write into others. */
#ifndef DRMSIM_PRELOAD_SYSFS_H
#define DRMSIM_PRELOAD_SYSFS_H

/* Bring the path up to date, if need be, before it is opened. */
void sysfs_refresh(const char *path);

#endif /* DRMSIM_PRELOAD_SYSFS_H */
