/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that programs find here in place of the driver's. */
#ifndef GL_EXPORT_H
#define GL_EXPORT_H

#define GL_EXPORT __attribute__((visibility("default")))

#endif /* GL_EXPORT_H */
