/* SPDX-License-Identifier: BSD-3-Clause */
#include "server/request.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/word.h"
#include "kernel/call.h"
#include "machine/clock.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "machine/note.h"
#include "machine/power.h"
#include "scene/fault.h"
#include "scene/setting.h"
#include "server/report.h"
#include "server/time.h"

static int
answer_number(struct sim_call *call, uint64_t number)
{
	char text[32];
	int length = snprintf(text, sizeof(text), "%" PRIu64 "\n", number);

	return sim_call_put_text(call, text, (size_t)length);
}

static int
do_advance(struct sim_call *call, const char *argument)
{
	uint64_t ns;

	if (sim_word_time(argument, &ns))
		return -EINVAL;
	return sim_time_advance(call->sim, ns);
}

static int
do_now(struct sim_call *call, const char *argument)
{
	(void)argument;
	return answer_number(call, sim_now(call->sim));
}

static int
do_report(struct sim_call *call, const char *argument)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int error;

	(void)argument;
	if (!out)
		return -ENOMEM;
	sim_report_write(call->sim, out);
	fclose(out);
	error = sim_call_put_text(call, text, size);
	free(text);
	return error;
}

static int
command_reset(struct sim_call *call, const char *argument, bool engine)
{
	struct sim_gpu *gpu;
	uint64_t index;

	if (sim_word_u64(argument, &index))
		return -EINVAL;
	if (index >= call->sim->gpu_count)
		return -ENODEV;
	gpu = call->sim->gpus[index];
	sim_gpu_reset(gpu, engine);
	sim_wake(call->sim);
	return 0;
}

static int
do_reset(struct sim_call *call, const char *argument)
{
	return command_reset(call, argument, false);
}

static int
do_reset_engine(struct sim_call *call, const char *argument)
{
	return command_reset(call, argument, true);
}

static int
do_set(struct sim_call *call, const char *argument)
{
	char key[128];
	size_t length = strcspn(argument, " ");

	if (length == 0 || length >= sizeof(key))
		return -EINVAL;
	memcpy(key, argument, length);
	key[length] = '\0';
	argument += length;
	argument += strspn(argument, " ");
	sim_wake(call->sim);
	return sim_set(call->sim, key, argument);
}

static int
do_fault(struct sim_call *call, const char *argument)
{
	return sim_fault_add(call->sim, argument);
}

static int
do_calls(struct sim_call *call, const char *argument)
{
	return answer_number(call, sim_fault_calls(call->sim, argument));
}

static int
do_violations(struct sim_call *call, const char *argument)
{
	(void)argument;
	return answer_number(call, sim_notes_violations(call->sim));
}

static int
do_clear(struct sim_call *call, const char *argument)
{
	(void)argument;
	sim_notes_clear(call->sim);
	return 0;
}

static int
do_mend(struct sim_call *call, const char *argument)
{
	(void)argument;
	sim_faults_mend(call->sim);
	return 0;
}

int
sim_command(struct sim_call *call)
{
	static const struct {
		const char *name;
		int (*run)(struct sim_call *call, const char *argument);
	} commands[] = {
		{ "advance", do_advance },   { "now", do_now },
		{ "report", do_report },     { "reset-gpu", do_reset },
		{ "reset-engine", do_reset_engine },
		{ "set", do_set },	     { "fault", do_fault },
		{ "calls", do_calls },	     { "violations", do_violations },
		{ "clear", do_clear },	     { "mend", do_mend },
	};
	const char *text = call->text ? call->text : "";
	size_t length = strcspn(text, " ");

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		if (strlen(commands[i].name) != length ||
		    strncmp(commands[i].name, text, length) != 0)
			continue;
		text += length;
		return commands[i].run(call, text + strspn(text, " "));
	}
	return -EINVAL;
}
