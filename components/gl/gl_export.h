/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What programs find here in place of what the driver has.
 */
#ifndef GL_EXPORT_H
#define GL_EXPORT_H

#define GL_EXPORT __attribute__((visibility("default")))

#endif /* GL_EXPORT_H */
