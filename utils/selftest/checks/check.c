/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/checks/check.h"

#include <stdio.h>

const char *const selftest_verdict_names[SELFTEST_VERDICTS] = {
	[SELFTEST_PASS] = "PASS",
	[SELFTEST_FAIL] = "FAIL",
	[SELFTEST_NO] = "answer: no",
	[SELFTEST_UNKNOWN] = "UNKNOWN",
};

void
selftest_decide(const struct selftest_host *host, const char *name,
		enum selftest_verdict verdict, const char *expected,
		const char *seen, va_list arguments)
{
	char text[256];
	const struct selftest_check check = { .name = name,
					      .verdict = verdict,
					      .expected = expected,
					      .seen = text };

	vsnprintf(text, sizeof(text), seen, arguments);
	host->decided(host->data, &check);
}
