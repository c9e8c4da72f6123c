/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf top: a live view of the GPUs.
 */
#include "top/state.h"

#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "process/spawn.h"
#include "util/command.h"

#define NS_PER_MS 1000000

/* ------------------------------------------------------------------ */
/* Frames for scripts                                                   */

static int
print_frame(struct top *top)
{
	if (top_frame_draw(&top->frame, &top->model, &top->view))
		return tool_fail(top->tool, "no memory");
	/* an empty line is the end of a frame */
	for (size_t i = 0; i < top->frame.count; i++) {
		if (top->frame.lines[i].text[0])
			puts(top->frame.lines[i].text);
	}
	putchar('\n');
	/* the reader may have gone */
	if (fflush(stdout))
		return TOOL_FAILED;
	return 0;
}

static int
wake_and_sample(struct top *top)
{
	bool finds;
	int status = top_wake(top, &finds);

	return status ? status : top_sample(top, finds);
}

/* Return true if a line has come; false: there will be no more. */
static bool
read_line(void)
{
	int c;

	do
		c = getchar();
	while (c != EOF && c != '\n');
	return c == '\n';
}

/*
 * Print frames by steps. The first frame has no rates: it shows a script that
 * counting has begun.
 */
static int
print_steps(struct top *top)
{
	int status = wake_and_sample(top);

	if (!status)
		status = print_frame(top);
	for (unsigned i = 0;
	     !status && (!top->frames || i < top->frames) && read_line(); i++) {
		status = wake_and_sample(top);
		if (!status)
			status = print_frame(top);
	}
	return status;
}

/* Wait until a time. The clients are read in between, so that none wraps. */
static enum spawn_event
wait_keeping(const struct top *top, struct spawn *spawn, uint64_t until_ns)
{
	enum spawn_event event = SPAWN_TIME;
	uint64_t next = spawn_now_ns() + TOP_KEEP_MS * (uint64_t)NS_PER_MS;

	while (event == SPAWN_TIME && next < until_ns) {
		event = spawn_wait(spawn, next);
		top_clients_keep(top->model.clients);
		next += TOP_KEEP_MS * (uint64_t)NS_PER_MS;
	}
	return event == SPAWN_TIME ? spawn_wait(spawn, until_ns) : event;
}

/* Print frames. The first look is what the first frame's rates begin with. */
static int
print_frames(struct top *top, struct spawn *spawn)
{
	uint64_t next = spawn_now_ns();
	int status = wake_and_sample(top);

	for (unsigned i = 0; !status && (!top->frames || i < top->frames);
	     i++) {
		next += (uint64_t)top->period_ms * NS_PER_MS;
		if (wait_keeping(top, spawn, next) == SPAWN_INTERRUPTED)
			return spawn->status;
		status = wake_and_sample(top);
		if (!status)
			status = print_frame(top);
	}
	return status;
}

static int
run_batch(struct top *top)
{
	struct spawn_signals signals;
	struct spawn spawn = { .signals = &signals };
	int status;

	if (top->step)
		return print_steps(top);
	spawn_block_signals(&signals);
	status = print_frames(top, &spawn);
	spawn_unblock_signals(&signals);
	return status;
}

/* ------------------------------------------------------------------ */
/* The command                                                          */

static int
read_list(struct tool *tool, const char *text, void *list)
{
	if (!text[strspn(text, SELECTION_SEPARATORS)])
		return tool_usage_error(tool, "the list is empty");
	return top_counters_add(list, text) ? tool_fail(tool, "no memory") : 0;
}

static const struct command_option top_options[] = {
	{ "event", 'e', "EVENTS",
	  COMMAND_READ(struct top, counters.events, read_list),
	  .help = "count these events, too" },
	{ "metric-groups", 'M', "GROUPS",
	  COMMAND_READ(struct top, counters.groups, read_list),
	  .help = "count what these metric groups have, on every GPU (drmperf "
		  "list -M)" },
	{ "device", 'd', "DEVICE,...", COMMAND_CALL(choose_own_device),
	  .help = "show these GPUs: number, PCI address or node (card0), or "
		  "\"all\"; may be repeated" },
	{ "period", 's', "MS", COMMAND_MS(struct top, period_ms),
	  .help = "time between two frames (default: 1000)" },
	{ "frames", 'n', "N", COMMAND_NUMBER(struct top, frames, 1000000000),
	  .help = "end after N frames" },
	{ "batch", 'b', NULL, COMMAND_FLAG(struct top, batch),
	  .help = "print frames, for scripts" },
	{ "step", 0, NULL, COMMAND_FLAG(struct top, step),
	  .help = "print one frame, and one more for each line that is read "
		  "from standard input" },
	{ 0 },
};

/* Begin with the GPU of -d, if it is one; keys show the others as well. */
static void
show_own_device(struct top *top)
{
	struct tool *tool = top->tool;

	if (!tool->device)
		return;
	top->view.device = (int)drmperf_device_index(tool->device);
	tool->device = NULL;
	memset(tool->devices, 0, sizeof(tool->devices));
}

static int
top_watch(struct top *top)
{
	int status = top_model_init(top->tool, &top->model);
	unsigned count = top->model.device_count;

	top->view.device_count = count;
	top->counters.done = calloc(count + 1, sizeof(bool));
	if (!status && !top->counters.done)
		status = tool_fail(top->tool, "no memory");
	if (!status)
		status = top->batch ? run_batch(top) : top_screen_run(top);
	top_model_finish(&top->model);
	return status;
}

static int
top_run(struct tool *tool, int argc, char **argv)
{
	struct top top = {
		.tool = tool,
		.view = { .device = TOP_ALL_DEVICES },
		.period_ms = 1000,
	};
	int status;

	setlocale(LC_CTYPE, "");
	tool->quiet = true;
	status = tool_read_options(tool, &top_command, argc, argv, &top);
	if (!status && argv[optind])
		status = tool_usage_error(tool,
					  "\"%s\" is no option: drmperf stat "
					  "runs commands",
					  argv[optind]);
	top.batch |= top.step;
	show_own_device(&top);
	top.frame.width = tool->width;
	top.frame.period_ms = top.period_ms;
	top.frame.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	if (!status)
		status = top_watch(&top);
	top_frame_finish(&top.frame);
	top_counters_finish(&top.counters);
	return status;
}

const struct tool_command top_command = {
	.name = "top",
	.summary = "watch what all GPUs do, and who uses them",
	.usage = "usage: drmperf top [OPTION]...\n"
		 "Watch the GPUs: engines, clocks, power, memory, counters, "
		 "and the processes that\n"
		 "use them. The key ? shows the other keys. A GPU that "
		 "sleeps is not woken.\n",
	.options = top_options,
	.notes = "While counters of -e or -M count, the GPU does not go to "
		 "sleep.\n",
	.takes_command = true,
	.run = top_run,
};
