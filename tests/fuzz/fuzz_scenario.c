/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What users write for the simulator, as rubbish: the first byte says whether
 * the rest is a scenario or words of `drmsim ctl`, one a line. A machine goes
 * through some of them before there is a new one.
 *
 * Whatever comes is taken or refused with a reason, and after it time goes on.
 */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/call.h"
#include "machine/machine.h"
#include "scene/setting.h"
#include "server/request.h"
#include "server/time.h"
#include "tests/drmsim/sim_client.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RUNS 64 /* that a machine goes through */

static const char *const kinds[] = { "vega10", "mi300", "sklgt2", "acmgt1",
				     NULL };

static char folder[64], path[72];
static struct sim *machine; /* NULL while it is made */

/* --wrap: nothing would look at what changes in the simulated root */
int
__real_sim_root_write(struct sim *sim, const char *file, const void *bytes,
		      size_t size);
int
__wrap_sim_root_write(struct sim *sim, const char *file, const void *bytes,
		      size_t size);

int
__wrap_sim_root_write(struct sim *sim, const char *file, const void *bytes,
		      size_t size)
{
	if (!machine)
		return __real_sim_root_write(sim, file, bytes, size);
	assert(*file == '/');
	/* the firmware's table is the only file that is no text */
	assert(strnlen(bytes, size) == size ||
	       strstr(file, "/gpu_metrics") != NULL);
	return 0;
}

static void
tear_down(void)
{
	unlink(path);
	rmdir(folder);
	sim_client_machine_destroy(machine);
}

static void
start_machine(void)
{
	/* a scenario may include itself */
	snprintf(folder, sizeof(folder), "%s/drmperf-scenario-XXXXXX",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	assert(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/s", folder);
	machine = sim_client_machine(kinds);
	atexit(tear_down);
}

static void
renew_machine(void)
{
	struct sim *old = machine;

	machine = NULL;
	sim_client_machine_destroy(old);
	machine = sim_client_machine(kinds);
}

static void
read_scenario(const uint8_t *text, size_t size)
{
	FILE *file = fopen(path, "we");
	char error[256] = "";

	assert(file && fwrite(text, 1, size, file) == size && !fclose(file));
	if (sim_scenario_read(machine, path, error, sizeof(error)))
		assert(*error);
	else
		assert(!*error);
}

static void
give_commands(const uint8_t *text, size_t size)
{
	char *copy = strndup((const char *)text, size), *rest = copy, *line;

	assert(copy);
	while ((line = strsep(&rest, "\n"))) {
		struct sim_call call = { .sim = machine, .fd = -1 };
		int result;

		call.text = strdup(line);
		assert(call.text);
		result = sim_command(&call);
		assert(result <= 0 && result > -4096);
		sim_call_free(&call);
	}
	free(copy);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned runs;

	if (!machine)
		start_machine();
	else if (runs++ % RUNS == RUNS - 1)
		renew_machine();
	if (!size)
		return 0;
	if (data[0] % 2)
		give_commands(data + 1, size - 1);
	else
		read_scenario(data + 1, size - 1);
	sim_time_advance(machine, 1000000);
	return 0;
}
