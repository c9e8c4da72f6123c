/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's name in messages: OpenGL has only numbers for errors. */
#ifndef GL_TELL_H
#define GL_TELL_H

#include "frontend/frontend.h"

#define GL_LIBRARY "libdrmperf-gl"

#endif /* GL_TELL_H */
