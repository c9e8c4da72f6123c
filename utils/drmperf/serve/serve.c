/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf serve: counters for Prometheus, over HTTP or in a file.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "process/spawn.h"
#include "select/event_lists.h"
#include "select/event_request.h"
#include "select/metric_groups.h"
#include "serve/exporter.h"
#include "serve/http.h"
#include "util/output_file.h"
#include "util/command.h"

/*
 * Not among those that Prometheus' list of default ports has, from 9100 to 9999
 * and on from 10000, and below those that clients get.
 */
#define DEFAULT_PORT "19600"
#define DEFAULT_GROUPS METRIC_GROUPS_DEFAULT ",telemetry"
#define DEFAULT_ADDRESS "127.0.0.1:" DEFAULT_PORT

#define DEFAULT_INTERVAL_MS 10000
#define ONCE_INTERVAL_MS 1000
#define NS_PER_MS 1000000

/* Interval at which counters are given up that other processes ask for. */
#define YIELD_POLL_MS 200

/* Many requests at once are answered with one reading. */
#define PAGE_NS (100 * (uint64_t)NS_PER_MS)

struct served_page {
	char *text; /* NULL: there is none */
	size_t size;
	uint64_t written_ns;
};

struct serving {
	struct tool *tool;
	struct event_lists lists;
	struct event_request wanted;
	const char *listen; /* or NULL */
	const char *textfile; /* or NULL */
	unsigned interval_ms; /* 0: the usual */
	bool once;
	bool processes; /* have series, too */
	bool keeps; /* its counters, though others ask for them */
	struct exporter *exporter;
	struct http *http;
	struct served_page pages[OPENMETRICS_FORMATS];
	int file_error; /* of the last file, told already */
};

/* ------------------------------------------------------------------ */
/* Events to serve                                                      */

static int
add_events(struct serving *serving, const char *text)
{
	struct selection_list choice = { 0 };
	int status = choose_events_everywhere(serving->tool, text, &choice);

	if (!status && event_request_add_choice(&serving->wanted, &choice))
		status = tool_fail(serving->tool, "no memory");
	selection_list_finish(&choice);
	return status;
}

/*
 * Add the groups on each GPU that has them. Missing ones are reported, and
 * other GPUs go on.
 */
static int
add_metric_groups(struct serving *serving, const char *text)
{
	unsigned count = drmperf_device_count(serving->tool->drmperf);
	struct tool one = *serving->tool;
	int status = 0, failed = 0;
	bool any = false;

	if (one.device || !count)
		return metric_groups_add(&one, text, "choose fewer",
					 &serving->wanted);
	for (unsigned i = 0; status != TOOL_USAGE && i < count; i++) {
		one.device = drmperf_device_at(one.drmperf, i);
		if (!choose_means(serving->tool, one.device))
			continue;
		status = metric_groups_add(&one, text, "choose fewer",
					   &serving->wanted);
		any |= !status;
		failed |= status;
	}
	return any ? 0 : status == TOOL_USAGE ? status : failed;
}

static int
choose_served_events(struct serving *serving)
{
	int status = 0;

	serving->wanted.of_whole_gpu = true;
	if (!serving->lists.count)
		status = add_metric_groups(serving, DEFAULT_GROUPS);
	for (size_t i = 0; !status && i < serving->lists.count; i++) {
		const struct event_list *list = &serving->lists.list[i];

		status = list->option == 'e'
				 ? add_events(serving, list->text)
				 : add_metric_groups(serving, list->text);
	}
	return status ? status
		      : selection_list_refuse(
				serving->tool, &serving->wanted.choice,
				selection_is_of_own_files,
				"would be the GPU use of drmperf itself", NULL);
}

/* ------------------------------------------------------------------ */
/* Over HTTP                                                            */

static void
drop_page(struct served_page *page)
{
	free(page->text);
	*page = (struct served_page){ .text = NULL };
}

static void
renew_page(const struct serving *serving, enum openmetrics_format format,
	   struct served_page *page)
{
	struct openmetrics openmetrics = { .format = format };
	bool failed;

	drop_page(page);
	openmetrics.out = open_memstream(&page->text, &page->size);
	if (!openmetrics.out)
		return;
	exporter_write(serving->exporter, &openmetrics);
	failed = ferror(openmetrics.out);
	if (fclose(openmetrics.out) || failed)
		drop_page(page);
	page->written_ns = spawn_now_ns();
}

static const char *
write_page(void *data, const char *accept, char **text, size_t *size)
{
	struct serving *serving = data;
	const enum openmetrics_format format = openmetrics_accepted(accept);
	struct served_page *page = &serving->pages[format];

	if (!page->text || spawn_now_ns() - page->written_ns > PAGE_NS)
		renew_page(serving, format, page);
	*text = page->text ? malloc(page->size + 1) : NULL;
	if (*text)
		memcpy(*text, page->text, page->size);
	*size = page->size;
	return openmetrics_content_type(format);
}

/*
 * Return whether a signal ends the program. Ignores those of children, which
 * the program that executed this one may have left.
 */
static bool
is_told_to_end(int signals)
{
	struct signalfd_siginfo info;

	return read(signals, &info, sizeof(info)) == sizeof(info) &&
	       info.ssi_signo != SIGCHLD;
}

/* Answer requests until a signal comes. 0, or TOOL_FAILED after a complaint. */
static int
answer_requests(const struct serving *serving, int signals)
{
	int ret;

	do {
		ret = http_serve(serving->http, signals, YIELD_POLL_MS);
		exporter_yield(serving->exporter);
		exporter_keep(serving->exporter);
	} while (!ret && !is_told_to_end(signals));
	return ret ? tool_fail(serving->tool, "cannot wait for requests: %s",
			       strerror(-ret))
		   : 0;
}

static int
serve_http(struct serving *serving, struct spawn_signals *signals)
{
	int fd = signalfd(-1, &signals->waited, SFD_CLOEXEC | SFD_NONBLOCK);
	int status;

	if (fd < 0)
		return tool_fail(serving->tool, "no signals: %s",
				 strerror(errno));
	fprintf(stderr, "drmperf serve: %s/metrics\n", http_url(serving->http));
	status = answer_requests(serving, fd);
	close(fd);
	return status;
}

/* ------------------------------------------------------------------ */
/* Into a file                                                          */

static int
write_file(const struct serving *serving)
{
	struct openmetrics openmetrics = { .format = OPENMETRICS_0_0_4 };
	struct output_file file;
	int ret = output_file_open(&file, serving->textfile);

	if (ret)
		return ret;
	openmetrics.out = file.out;
	exporter_write(serving->exporter, &openmetrics);
	return output_file_close(&file, true);
}

/*
 * Write the file again: a disk that is full may have room now. An error is not
 * reported again while it stays the same.
 */
static int
replace_file(struct serving *serving)
{
	int ret = write_file(serving);

	if (ret && ret != serving->file_error)
		tool_fail(serving->tool, "cannot write %s: %s",
			  serving->textfile, strerror(-ret));
	serving->file_error = ret;
	return ret ? TOOL_FAILED : 0;
}

static uint64_t
interval_ns(const struct serving *serving)
{
	unsigned usual = serving->once ? ONCE_INTERVAL_MS : DEFAULT_INTERVAL_MS;

	return NS_PER_MS * (uint64_t)(serving->interval_ms
					      ? serving->interval_ms
					      : usual);
}

static int
serve_round(struct serving *serving, struct spawn *wait)
{
	if (exporter_needs_time(serving->exporter) &&
	    spawn_wait(wait, spawn_now_ns() + interval_ns(serving)) !=
		    SPAWN_TIME)
		return wait->status;
	return replace_file(serving);
}

/* Wait until then, and give up counters that others ask for. */
static enum spawn_event
wait_yielding(const struct serving *serving, struct spawn *wait,
	      uint64_t until_ns)
{
	enum spawn_event event;
	uint64_t next;

	do {
		next = spawn_now_ns() + YIELD_POLL_MS * NS_PER_MS;
		event = spawn_wait(wait, next < until_ns ? next : until_ns);
		exporter_yield(serving->exporter);
		exporter_keep(serving->exporter);
	} while (event == SPAWN_TIME && next < until_ns);
	return event;
}

/*
 * Replace the file again and again. The first file has to succeed. The last one
 * is removed: its readers would take old values for present ones.
 */
static int
serve_file(struct serving *serving, struct spawn_signals *signals)
{
	struct spawn wait = { .signals = signals };
	uint64_t next = spawn_now_ns();
	enum spawn_event end;
	int status;

	if (serving->once)
		return serve_round(serving, &wait);
	status = replace_file(serving);
	if (status)
		return status;
	do {
		next += interval_ns(serving);
		end = wait_yielding(serving, &wait, next);
		if (end == SPAWN_TIME)
			replace_file(serving);
	} while (end == SPAWN_TIME);
	status = output_file_remove(serving->textfile);
	if (status)
		return tool_fail(serving->tool, "cannot remove %s: %s",
				 serving->textfile, strerror(-status));
	return 0;
}

/* ------------------------------------------------------------------ */
/* The command                                                          */

static int
serve_counts(struct serving *serving, struct spawn_signals *signals)
{
	int status = exporter_start(serving->exporter), stopped;

	if (!status)
		status = serving->http ? serve_http(serving, signals)
				       : serve_file(serving, signals);
	stopped = exporter_stop(serving->exporter);
	return status ? status : stopped;
}

/* Return whether GPUs may be meant that no name gives: all there are. */
static bool
means_all_gpus(const struct serving *serving)
{
	bool all = !serving->lists.count;

	for (size_t i = 0; i < serving->lists.count; i++) {
		const struct event_list *list = &serving->lists.list[i];

		all |= list->option != 'e' || !strstr(list->text, ":device");
	}
	return all && !serving->tool->device;
}

/*
 * Add devices that are closed: a GPU that is missing among what is shown would
 * not be missed.
 */
static int
add_closed(const struct serving *serving)
{
	struct drmperf *drmperf = serving->tool->drmperf;
	unsigned count =
		means_all_gpus(serving) ? drmperf_device_count(drmperf) : 0;
	int status = 0;

	for (unsigned i = 0; !status && i < count; i++) {
		struct drmperf_device *device = drmperf_device_at(drmperf, i);
		struct drmperf_error error;

		if (choose_means(serving->tool, device) &&
		    drmperf_device_open(device, &error))
			status = exporter_add_closed(serving->exporter, device,
						     &error);
	}
	return status;
}

/* Take the port first: no GPU is touched for nothing. */
static int
serving_run(struct serving *serving)
{
	const struct http_page page = { .path = "/metrics",
					.write = write_page,
					.data = serving };
	struct spawn_signals signals;
	int status = 0;

	if (!serving->textfile)
		status = http_open(serving->tool,
				   serving->listen ? serving->listen
						   : DEFAULT_ADDRESS,
				   DEFAULT_PORT, &page, &serving->http);
	if (!status)
		status = choose_served_events(serving);
	if (!status)
		status = exporter_create(serving->tool, &serving->wanted.choice,
					 !serving->keeps, &serving->exporter);
	if (!status)
		status = add_closed(serving);
	if (!status && serving->processes)
		status = exporter_add_processes(serving->exporter);
	if (!status) {
		/* a client that goes away is no reason to end */
		signal(SIGPIPE, SIG_IGN);
		spawn_block_signals(&signals);
		status = serve_counts(serving, &signals);
		spawn_unblock_signals(&signals);
	}
	http_close(serving->http);
	for (size_t i = 0; i < OPENMETRICS_FORMATS; i++)
		drop_page(&serving->pages[i]);
	exporter_destroy(serving->exporter);
	return status;
}

static const struct command_option serve_options[] = {
	{ "event", 'e', "EVENTS",
	  COMMAND_READ(struct serving, lists, event_lists_add_events),
	  .help = "what to count, on each GPU that has it; may be repeated" },
	{ "metric-groups", 'M', "GROUPS",
	  COMMAND_READ(struct serving, lists, event_lists_add_groups),
	  .help = "events of these metric groups (drmperf list -M); without "
		  "-e and -M: of \"default\" and \"telemetry\"" },
	{ "device", 'd', "DEVICE,...", COMMAND_CALL(choose_own_device),
	  .help = "these GPUs only: number, PCI address or node (card0)" },
	{ "listen", 0, "ADDRESS:PORT", COMMAND_TEXT(struct serving, listen),
	  .help = "where to listen, without a password; port 0 takes any free "
		  "one" },
	{ "textfile", 0, "FILE", COMMAND_TEXT(struct serving, textfile),
	  .help = "replace this file at each interval; remove it at the end" },
	{ "interval", 'I', "MS", COMMAND_MS(struct serving, interval_ms),
	  .help = "write it this often (default: 10000)" },
	{ "once", 0, NULL, COMMAND_FLAG(struct serving, once),
	  .help = "write the file once, after that time (default: 1000)" },
	{ "processes", 0, NULL, COMMAND_FLAG(struct serving, processes),
	  .help = "series of each process that uses a GPU, too, with its "
		  "Slurm job" },
	{ "no-yield", 0, NULL, COMMAND_FLAG(struct serving, keeps),
	  .help = "keep the counters when another process needs them" },
	{ 0 },
};

static int
check_usage(const struct serving *serving, const char *rest)
{
	const char *misuse = NULL;

	if (rest)
		return tool_usage_error(serving->tool,
					"it takes no argument: \"%s\"", rest);
	if (serving->listen && serving->textfile)
		misuse = "either --listen or --textfile, not both";
	else if (serving->once && !serving->textfile)
		misuse = "--once writes the file of --textfile";
	else if (serving->interval_ms && !serving->textfile)
		misuse = "-I is for --textfile: over HTTP the client decides";
	return misuse ? tool_usage_error(serving->tool, "%s", misuse) : 0;
}

static int
serve_main(struct tool *tool, int argc, char **argv)
{
	struct serving serving = { .tool = tool };
	int status =
		tool_read_options(tool, &serve_command, argc, argv, &serving);

	if (!status)
		status = check_usage(&serving, argv[optind]);
	if (!status)
		status = serving_run(&serving);
	event_request_finish(&serving.wanted);
	event_lists_finish(&serving.lists);
	return status;
}

const struct tool_command serve_command = {
	.name = "serve",
	.summary = "counters for Prometheus, over HTTP or in a file",
	.usage = "usage: drmperf serve [OPTION]... [--listen ADDRESS:PORT]\n"
		 "       drmperf serve [OPTION]... --textfile FILE [-I MS] "
		 "[--once]\n"
		 "Count until Ctrl-C or SIGTERM, and serve Prometheus at\n"
		 "http://127.0.0.1:" DEFAULT_PORT
		 "/metrics, or node_exporter in a file.\n",
	.options = serve_options,
	.notes = "All events are counted at once and have to fit one pass. "
		 "The GPUs stay awake\n"
		 "while it runs. A process whose events do not fit beside "
		 "them gets the counters of\n"
		 "its GPU for as long as it counts (drmperf_up is 0 then), "
		 "unless --no-yield is\n"
		 "given.\n",
	.run = serve_main,
};
