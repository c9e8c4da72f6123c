/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/perf_event/permission.h"

#include <errno.h>

#include "base/error.h"
#include "driver/privilege.h"

#define PARANOID "kernel.perf_event_paranoid"

/* Levels up to which the kernel lets everybody count (kernel/events/core.c). */
enum {
	LEVEL_ALL_THAT_RUNS = 0,
	LEVEL_KERNEL_MODE = 1,
	LEVEL_USER_MODE = 2, /* Debian's kernels have a third, for nothing */
};

/* Return the level as it is; -1, which allows all, if it cannot be read. */
static int
read_level(void)
{
	return (int)sysctl_read("kernel/perf_event_paranoid", -1);
}

/* Returns the highest level at which anybody may count it. */
static int
find_level(const struct perf_counter *counter, bool everywhere)
{
	if (everywhere)
		return LEVEL_ALL_THAT_RUNS;
	return counter->exclude_kernel ? LEVEL_USER_MODE : LEVEL_KERNEL_MODE;
}

bool
perf_permission_may_count(const struct perf_counter *counter)
{
	return read_level() <= find_level(counter, counter->cpu_count) ||
	       privilege_has_capability();
}

int
perf_permission_explain(const struct perf_counter *counter, bool everywhere,
			struct drmperf_error *error)
{
	const int level = read_level();
	const int wanted = find_level(counter, everywhere);

	if (level <= wanted) {
		error_set(error, -EACCES,
			  "the kernel refuses %s of the PMU %s although "
			  "sysctl " PARANOID " is %d",
			  counter->name, counter->pmu, level);
		error_remedy(error,
			     "look for a process of another user, a seccomp "
			     "filter around a container, or a denial by a "
			     "security module in the audit log");
		return -EACCES;
	}
	error_set(error, -EACCES,
		  "the kernel refuses %s of the PMU %s: sysctl " PARANOID
		  " is %d, and it finds no CAP_PERFMON here",
		  counter->name, counter->pmu, level);
	error_remedy(error,
		     "set sysctl " PARANOID "=%d as root, or give the program "
		     "CAP_PERFMON (setcap cap_perfmon=ep PROGRAM)%s%s",
		     wanted,
		     level > LEVEL_USER_MODE ? "; a kernel of Debian's wants "
					       "CAP_SYS_ADMIN at this level"
					     : "",
		     wanted == LEVEL_KERNEL_MODE && level == LEVEL_USER_MODE
			     ? "; or count user mode only, with \":u\" behind "
			       "the event's name"
			     : "");
	return -EACCES;
}
