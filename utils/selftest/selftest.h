/* SPDX-License-Identifier: BSD-3-Clause */
/* The command of the self-test: its options, and what it prints. */
#ifndef DRMPERF_SELFTEST_SELFTEST_H
#define DRMPERF_SELFTEST_SELFTEST_H

#include "util/command.h"

extern const struct tool_command selftest_command;

#endif /* DRMPERF_SELFTEST_SELFTEST_H */
