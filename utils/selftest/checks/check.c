/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/checks/check.h"

const char *const selftest_verdict_names[SELFTEST_VERDICTS] = {
	[SELFTEST_PASS] = "PASS",
	[SELFTEST_FAIL] = "FAIL",
	[SELFTEST_NO] = "answer: no",
	[SELFTEST_UNKNOWN] = "UNKNOWN",
};
