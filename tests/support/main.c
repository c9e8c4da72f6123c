/* SPDX-License-Identifier: BSD-3-Clause */
/* main() of all suites that have none of their own. */
#include "tests/support/below_drmsim.h"

int
main(void)
{
	return test_machines_run();
}
