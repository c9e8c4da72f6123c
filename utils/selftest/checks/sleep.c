/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/checks/sleep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/suspend_time.h"

#define LOOK_NS 100000000
#define LOOKS_PER_SECOND 10u

/* Beyond the delay that the kernel has been told, to fall asleep. */
#define MORE_SECONDS 3
/* Commands may return before the machine falls asleep. */
#define MACHINE_SECONDS 10

static unsigned
seconds_to_sleep(const char *sysfs, unsigned most)
{
	char delay[16] = "";
	unsigned long seconds;

	text_file_read(sysfs, "power/autosuspend_delay_ms", delay,
		       sizeof(delay));
	seconds = strtoul(delay, NULL, 10) / 1000 + MORE_SECONDS;
	return seconds < most ? (unsigned)seconds : most;
}

bool
sleep_is_allowed(const char *sysfs)
{
	char text[16] = "";

	text_file_read(sysfs, "power/control", text, sizeof(text));
	return !strcmp(text, "auto");
}

bool
sleep_wait(const char *sysfs, unsigned seconds)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	unsigned looks = seconds_to_sleep(sysfs, seconds) * LOOKS_PER_SECOND;
	char text[16] = "";

	for (unsigned i = 0; i <= looks; i++) {
		text_file_read(sysfs, "power/runtime_status", text,
			       sizeof(text));
		if (!strcmp(text, "suspended"))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

static bool
machine_has_slept(uint64_t before, unsigned seconds)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };

	for (unsigned i = 0; i <= seconds * LOOKS_PER_SECOND; i++) {
		if (suspend_since(before))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

const char *
sleep_with_machine(const struct selftest_host *host, unsigned seconds)
{
	uint64_t before = suspend_at_most();
	int ret = host->suspend(host->data);

	if (ret == -ENOSYS)
		return "no way to do so was named: see --suspend";
	if (ret)
		return "the command of --suspend has failed";
	if (!machine_has_slept(before, seconds < MACHINE_SECONDS
					       ? seconds
					       : MACHINE_SECONDS))
		return "the machine has not slept";
	return NULL;
}
