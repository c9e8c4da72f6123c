/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "machine/clock.h"
#include "machine/machine.h"

void
sim_log(struct sim *sim, const char *format, ...)
{
	va_list list;

	if (!sim->log)
		return;
	fprintf(sim->log, "%12llu ", (unsigned long long)sim_now(sim));
	va_start(list, format);
	vfprintf(sim->log, format, list);
	va_end(list);
	fputc('\n', sim->log);
}
