/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/suite.h"

#include <stdlib.h>

/*
 * No test takes that long on any machine; libcheck's four seconds are passed on
 * a busy one. It is read when a test case is created.
 */
#define TIMEOUT_S "1200"

__attribute__((constructor)) static void
be_patient(void)
{
	setenv("CK_DEFAULT_TIMEOUT", TIMEOUT_S, 0);
}

int
suites_run(SRunner *runner)
{
	int failed;

	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int
suite_run(Suite *suite)
{
	return suites_run(srunner_create(suite));
}
