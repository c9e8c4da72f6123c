/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/inside.h"

__thread unsigned inside_depth;
