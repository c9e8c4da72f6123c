/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/reentrancy.h"

__thread unsigned inside_depth;
