/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /proc/PID/fdinfo/FD and /proc/PID/fd/FD of nodes, whichever process holds
 * them: a program that opens or examines such a name reaches the bare file of
 * the simulated /dev.
 */
#ifndef DRMSIM_PRELOAD_FDINFO_H
#define DRMSIM_PRELOAD_FDINFO_H

#include <stdbool.h>

/*
 * Return whether the path's last part is a number, as descriptors have in
 * /proc.
 */
bool fdinfo_is_name(const char *path);
/*
 * Adopt fd: if it is of /proc/PID/fdinfo/FD of a node, let it show the
 * simulated text.
 */
int fdinfo_adopt(int fd, int flags);

#endif /* DRMSIM_PRELOAD_FDINFO_H */
