/* SPDX-License-Identifier: BSD-3-Clause */
/* main() of all suites that have none of their own. */
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/suite.h"

int
main(void)
{
	if (below_drmsim_has_machines() && !drmsim_is_present())
		return below_drmsim_all();
	return tests_run();
}
