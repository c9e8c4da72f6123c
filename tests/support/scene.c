/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/check.h"
#include "tests/support/scene.h"

#include <sys/mman.h>
#include <unistd.h>

#include "drmsim/control.h"

void
scene_set(const char *key, const char *value)
{
	ck_assert_msg(!drmsim_set(key, value), "%s %s", key, value);
}

void
scene_pass(uint64_t ns)
{
	ck_assert_int_eq(drmsim_advance(ns), 0);
}

void
scene_fault(const char *fault)
{
	ck_assert_msg(!drmsim_fault(fault), "%s", fault);
}

uint64_t
scene_calls(const char *kind)
{
	uint64_t count = 0;

	ck_assert_msg(!drmsim_calls(kind, &count), "%s", kind);
	return count;
}

uint64_t
scene_violations(void)
{
	uint64_t count = 1;

	ck_assert_int_eq(drmsim_violations(&count), 0);
	return count;
}

char *
scene_report(void)
{
	static char report[1 << 16];

	ck_assert_int_eq(drmsim_command("report", report, sizeof(report)), 0);
	return report;
}

void
scene_assert_clean(void)
{
	if (scene_violations())
		ck_abort_msg("%s", scene_report());
}

void *
scene_memory_end(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *pages = mmap(NULL, 2 * page, PROT_NONE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(pages, MAP_FAILED);
	ck_assert_int_eq(mprotect(pages, page, PROT_READ | PROT_WRITE), 0);
	return pages + page;
}
