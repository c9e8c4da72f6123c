/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library's name where it tells something: OpenGL has but numbers for what
 * went wrong.
 */
#ifndef GL_TELL_H
#define GL_TELL_H

#include "common/frontend.h"

#define GL_LIBRARY "libdrmperf-gl"

#endif /* GL_TELL_H */
