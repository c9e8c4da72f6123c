/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program with software-defined events of its own, by PAPI's libsde, beside
 * those of the GPU: one that is registered, one that libsde counts.
 *
 * usage: sde_others GPU-EVENT, as drmsim's clock of 1 ms makes it grow by 4
 */
#include <papi.h>
#include <sde_lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/papi/machine.h"

#define NAMES_MAX 16

static void
need_good(int is_good, const char *what)
{
	if (is_good)
		return;
	printf("not ok others: %s\n", what);
	exit(1);
}

static void
print_names(void)
{
	int sde = PAPI_get_component_index("sde"), code = PAPI_NATIVE_MASK;
	char name[PAPI_MAX_STR_LEN];
	int rc = PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, sde);

	while (rc == PAPI_OK) {
		need_good(!PAPI_event_code_to_name(code, name), "a name");
		printf("listed %s\n", name);
		rc = PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, sde);
	}
}

static int overflows;

static void
on_overflow(int set, void *address, long long vector, void *context)
{
	(void)set;
	(void)address;
	(void)vector;
	(void)context;
	overflows++;
}

/*
 * Let a counter of others overflow: libsde notifies PAPI of each change, by the
 * code that it has itself.
 */
static void
overflow_of_theirs(void *counter)
{
	int set = PAPI_NULL, code;
	long long value;

	need_good(!PAPI_create_eventset(&set) &&
			  !PAPI_add_named_event(set, "sde:::Mine::MADE") &&
			  !PAPI_event_name_to_code("sde:::Mine::MADE", &code) &&
			  !PAPI_overflow(set, code, 10, PAPI_OVERFLOW_HARDWARE,
					 on_overflow) &&
			  !PAPI_start(set),
		  "overflow of theirs begins");
	for (int i = 0; i < 100; i++)
		papi_sde_inc_counter(counter, 1);
	need_good(!PAPI_stop(set, &value), "overflow of theirs ends");
	printf("overflows %s\n", overflows ? "seen" : "none");
}

int
main(int argc, char **argv)
{
	const char *names[] = { argc > 1 ? argv[1] : "", "sde:::Mine::SEEN",
				"sde:::Mine::MADE", "sde:::Mine::LATER" };
	long long seen = 100, later = 7, values[4];
	papi_handle_t mine = papi_sde_init("Mine");
	void *made;
	int set = PAPI_NULL;

	papi_sde_register_counter(mine, "SEEN", PAPI_SDE_RO | PAPI_SDE_DELTA,
				  PAPI_SDE_long_long, &seen);
	papi_sde_create_counter(mine, "MADE", PAPI_SDE_DELTA, &made);
	need_good(PAPI_library_init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT,
		  "init");
	print_names();
	need_good(!PAPI_create_eventset(&set), "a set");
	for (int i = 0; i < 4; i++)
		need_good(!PAPI_add_named_event(set, names[i]), names[i]);
	/* PAPI has asked for it before it is there */
	papi_sde_register_counter(mine, "LATER", PAPI_SDE_RO | PAPI_SDE_DELTA,
				  PAPI_SDE_long_long, &later);
	need_good(!PAPI_start(set), "start");
	seen += 11;
	later += 5;
	papi_sde_inc_counter(made, 13);
	need_good(!machine_work(3), "work");
	need_good(!PAPI_stop(set, values), "stop");
	for (int i = 0; i < 4; i++)
		printf("%s %lld\n", names[i], values[i]);
	overflow_of_theirs(made);
	PAPI_shutdown();
	return 0;
}
