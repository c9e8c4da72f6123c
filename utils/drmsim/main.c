/* SPDX-License-Identifier: BSD-3-Clause */
/* drmsim: run a program as if the machine had certain GPUs. */
#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/protocol.h"
#include "bus/description.h"
#include "bus/plug.h"
#include "control.h"
#include "kernel/node.h"
#include "kernel/process.h"
#include "machine/machine.h"
#include "machine/note.h"
#include "machine/root.h"
#include "scene/fault.h"
#include "scene/outside.h"
#include "scene/setting.h"
#include "server/connection.h"
#include "server/report.h"
#include "server/server.h"

/* Exit codes of drmsim itself; 126, 127 and 128 + n are as in env(1). */
#define EXIT_VIOLATIONS 120
#define EXIT_OWN_FAILURE 125

/* an option without a letter */
#define LIST 256

static const char help[] =
"usage: drmsim [OPTION]... [--] COMMAND [ARGUMENT]...\n"
"       drmsim ctl WORD...\n"
"\n"
"Runs COMMAND as if the machine had the GPUs named, and no others, and exits\n"
"with its status (128 + N if signal N ended it).\n"
"\n"
"  -g, --gpu KIND[,OPTION=VALUE]...  a GPU; may be given several times\n"
"  -L, --load idle|memory-bound|compute-bound|graphics  a ready-made load on\n"
"                          the GPUs\n"
"  -s, --scenario FILE     a load as described: rates, clocks, sensors ...\n"
"  -t, --time real|virtual|60x  virtual time stands still unless it is\n"
"                          advanced; 60x and the like: clocks run that fast,\n"
"                          and the waits of programs take as small a part\n"
"  -f, --fault SPEC        a fault; may be given several times\n"
"  -S, --strict            exit with status 120 if COMMAND succeeded but\n"
"                          misused the hardware; a buffer that is missing\n"
"                          from a submission's list cannot be used\n"
"  -u, --unprivileged      no process has capabilities such as CAP_PERFMON;\n"
"                          without this all have them that have not dropped\n"
"                          any, whoever runs drmsim\n"
"  -r, --report FILE       write a report at the end (- is stderr)\n"
"  -l, --log FILE          log events as they happen (- is stderr)\n"
"      --list              print the kinds of GPUs: on a terminal with\n"
"                          descriptions and aliases, else one name per line\n"
"      --help, --version\n"
"\n"
"Options of every GPU:\n"
"  address=0000:03:00.0    place on the bus\n"
"  driver=xe               which kernel driver has it: Intel GPUs from Tiger\n"
"                          Lake to Arrow Lake have i915, or xe\n"
"  node-mode=0000          permissions of its nodes, for root as well\n"
"  revision=6              stepping of the chip\n"
"  runtime-suspended       asleep until a node is opened\n"
"  and every key of a scenario that has a single word as value\n"
"\n"
"A scenario has one setting a line; '#' begins a comment. 'gpu N' makes the\n"
"lines that follow concern that GPU only, 'gpu all' all of them again.\n"
"  default formula|waves|zero   events without a rate: the formula, see\n"
"                          below; what waves do, else the formula; none\n"
"  rate SQ.4 [instance=N] [stages=cs+ps] [source=graphics|other] 1000\n"
"                          events per second, or 0.5/clock; instances count\n"
"                          from 0 in the order of SE, SH and number\n"
"  level SQ.5 [instance=N] 12   what ACCUM_PREV sums every clock\n"
"  start-value SQ 0xffffff9c    what counters hold when they are reset\n"
"  per-wave SQ.26 10       what a dispatched wave adds; also per-group,\n"
"                          per-thread and per-dispatch\n"
"  wave-time 10us          how long a wave takes\n"
"  busy gui 37.5           share of readings of GRBM_STATUS with that bit\n"
"  clock sclk 852          MHz; also sclk-min, -max, -stable and mclk...\n"
"  sensor load 37          as the driver's sensors: temp, load, power ...\n"
"  memory vram-used 1G     also gtt-used and vis-vram-used\n"
"  harvest cu [DIE] SE SH MASK   compute units that are fused off; also\n"
"                          'rb SE MASK' and 'se SE'\n"
"  partition cpx           of MI300: spx, dpx, tpx, qpx or cpx; also dies 6,\n"
"                          and kfd off, without /dev/kfd and its topology\n"
"  kfd-profiler upstream   the kernel has the lock of profilers: off,\n"
"                          upstream, dkms or both\n"
"  gfxoff 100ms            idle time until power and counters are lost\n"
"  die 3                   of MI300, that gets all jobs; or any, next\n"
"  firmware 5 2240         version that a kind of firmware tells\n"
"  lockup-timeout 500ms    when a hung ring is reset\n"
"  job-timeout 10s 60s     how long jobs may be in a ring of graphics, and\n"
"                          of compute\n"
"  hold-pipe 20s           work of other programs holds the compute pipes\n"
"  late-fences 1ms         user fences are in memory so long after jobs end\n"
"  gated-clock on          the counters' clock stands still\n"
"  clock-behind 5s         timestamps are so much too small\n"
"  gated-block TCC         that of one block does; or none\n"
"  performance-level profile_standard   written to that file of sysfs\n"
"  doubts worst            what only real hardware can tell, all of it: best,\n"
"                          worst or default; or one by one: start-event,\n"
"                          sample, force-en, full-counter, gating,\n"
"                          sq-control, compute-ring, copy-source,\n"
"                          copied-registers, grbm-read, cfg-read,\n"
"                          gl2c-index, posted-writes, spm-header, spm-wgp,\n"
"                          copy-width, all-vmid, finish-done: see\n"
"                          README.md\n"
"An event without a rate counts, in every second,\n"
"  1000 * (1 + instance + 256 * event + 262144 * block)\n"
"where block is the number in the GPU's description.\n"
"Intel GPUs have words of their own, of which these are the most needed:\n"
"  contexts 0x21:2ms,idle:1ms   what runs, as a cycle\n"
"  gpu-clock 1140          MHz\n"
"  oa-rate A7 1.5M         events per second, or 3/tick, or 0.5/clock\n"
"  engine-busy rcs0 37.5   percent; also engine-wait, engine-sema, rc6\n"
"  eu-stall-row 0x1c0 sbid=9   what sampling of EU stalls finds; also\n"
"                          eu-stall-rate, eu-stall-emit\n"
"The pages on i915 and xe have all of them, and what counts without a rate.\n"
"\n"
"Faults:\n"
"  CALL:N[+]:ERRNO[:gpu=I] the N-th call of a kind fails, with + all from\n"
"                          there on: cs:3:ENOMEM, info:1+:EACCES; of what is\n"
"                          not simulated: file_open, file_read, stat, fstat,\n"
"                          getdents, flock, dup, eventfd, thread, malloc\n"
"  CALL:N:KILL             its process is killed, with kill -9, before that\n"
"  hang:N  reset:N  gone:N happen with the N-th submission\n"
"  engine-reset:N          an engine alone is reset: i915 tells nobody\n"
"  reset@TIME  engine-reset@TIME  gone@TIME\n"
"                          happen at a time: reset@1500us\n"
"  gated-clock[:gpu=I]     counters stand still\n"
"  foreign-selects:N  foreign-masks:N  foreign-reset:N  foreign-stop:N\n"
"                          another profiler takes the counters of an AMD GPU\n"
"                          before the N-th submission; or @TIME\n"
"  kernel-steering:N[+]    the kernel writes GRBM_GFX_INDEX of an AMD GPU\n"
"                          while the N-th submission reads counters\n"
"\n"
"From inside, 'drmsim ctl' takes: now; advance TIME; set KEY VALUE; fault\n"
"SPEC; calls KIND; violations; report; clear; mend; reset-gpu N;\n"
"reset-engine N.\n";

struct settings {
	const char *load, *scenario, *report, *log;
	const char *gpus[SIM_GPUS_MAX];
	unsigned gpu_count;
	const char *faults[64];
	unsigned fault_count;
	bool is_virtual, strict, unprivileged;
	unsigned speed; /* of fast time, or 0 */
	char **command;
};

#define SPEED_MAX 1000

static int
usage_error(const char *text, const char *word)
{
	fprintf(stderr, "drmsim: %s%s\n", text, word);
	fprintf(stderr, "drmsim: --help shows more\n");
	return EXIT_OWN_FAILURE;
}

static int
take_time(struct settings *settings, const char *value)
{
	int length = 0;

	settings->speed = 0;
	settings->is_virtual = strcmp(value, "virtual") == 0;
	if (settings->is_virtual || strcmp(value, "real") == 0)
		return 0;
	if (sscanf(value, "%4ux%n", &settings->speed, &length) == 1 &&
	    length > 0 && !value[length] && settings->speed &&
	    settings->speed <= SPEED_MAX)
		return 0;
	return usage_error("time is real, virtual or 1x to 1000x, not ", value);
}

static int
take_option(struct settings *settings, int option, const char *value)
{
	switch (option) {
	case 'g':
		if (settings->gpu_count == ARRAY_SIZE(settings->gpus))
			return usage_error("too many GPUs", "");
		settings->gpus[settings->gpu_count++] = value;
		return 0;
	case 'f':
		if (settings->fault_count == ARRAY_SIZE(settings->faults))
			return usage_error("too many faults", "");
		settings->faults[settings->fault_count++] = value;
		return 0;
	case 'L':
		settings->load = value;
		return 0;
	case 's':
		settings->scenario = value;
		return 0;
	case 'r':
		settings->report = value;
		return 0;
	case 'l':
		settings->log = value;
		return 0;
	case 'S':
		settings->strict = true;
		return 0;
	case 'u':
		settings->unprivileged = true;
		return 0;
	case 't':
		return take_time(settings, value);
	}
	return usage_error("bad option", "");
}

/* Returns -1 to go on, or the status to exit with. */
static int
read_options(int argc, char **argv, struct settings *settings)
{
	static const struct option options[] = {
		{ "gpu", required_argument, NULL, 'g' },
		{ "load", required_argument, NULL, 'L' },
		{ "scenario", required_argument, NULL, 's' },
		{ "time", required_argument, NULL, 't' },
		{ "fault", required_argument, NULL, 'f' },
		{ "strict", no_argument, NULL, 'S' },
		{ "unprivileged", no_argument, NULL, 'u' },
		{ "report", required_argument, NULL, 'r' },
		{ "log", required_argument, NULL, 'l' },
		{ "list", no_argument, NULL, LIST },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	int option, error;

	while ((option = getopt_long(argc, argv, "+g:L:s:t:f:Sur:l:h", options,
				     NULL)) != -1) {
		switch (option) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'V':
			puts("drmsim 0.1");
			return 0;
		case LIST:
			if (sim_descriptions_list(
				    stdout, isatty(STDOUT_FILENO)) == 0)
				return 0;
			return usage_error("no GPU descriptions found", "");
		}
		error = take_option(settings, option, optarg);
		if (error)
			return error;
	}
	settings->command = argv + optind;
	if (!settings->command[0])
		return usage_error("no command", "");
	return -1;
}

/* ---- the environment of the command */

/* Find a preload library next to the program as built or as installed. */
static int
find_preload(const char *name, char *path, size_t size)
{
	static const char *const places[] = { "../lib", ".", "../lib/drmperf" };
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program,
				  sizeof(program) - 1);

	if (length <= 0)
		return -ENOENT;
	program[length] = '\0';
	*strrchr(program, '/') = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		int used = snprintf(path, size, "%s/%s/%s", program, places[i],
				    name);
		if (used > 0 && (size_t)used < size && access(path, R_OK) == 0)
			return 0;
	}
	return -ENOENT;
}

/* In fast time a library goes before all others. */
static int
put_speed(const struct sim *sim, char *path, size_t size)
{
	char text[64];

	*path = '\0';
	if (sim->speed == 1)
		return 0;
	if (find_preload("libdrmsim-speed.so", path, size - 1))
		return usage_error("libdrmsim-speed.so is missing", "");
	strcat(path, ":");
	snprintf(text, sizeof(text), "%" PRIu64 " %" PRIu64, sim->speed,
		 sim->started);
	return setenv(PROTOCOL_SPEED_ENV, text, 1) ? EXIT_OWN_FAILURE : 0;
}

static int
put_preloads(const struct sim *sim)
{
	char ours[PATH_MAX * 2], speed[PATH_MAX], all[PATH_MAX * 5];
	const char *others = secure_getenv("LD_PRELOAD");
	const char *chosen = secure_getenv("DRMSIM_PRELOAD");
	void *umockdev = dlopen(PROTOCOL_UMOCKDEV, RTLD_LAZY | RTLD_LOCAL);
	int error;

	if (!umockdev)
		return usage_error("umockdev's preload library is missing: ",
				   dlerror());
	dlclose(umockdev);
	if (chosen)
		snprintf(ours, sizeof(ours), "%s", chosen);
	else if (find_preload("libdrmsim-preload.so", ours, sizeof(ours)))
		return usage_error("libdrmsim-preload.so is missing", "");
	error = put_speed(sim, speed, sizeof(speed));
	if (error)
		return error;
	/* ours first: it decides what umockdev's gets to see */
	snprintf(all, sizeof(all), "%s%s:" PROTOCOL_UMOCKDEV "%s%s", speed,
		 ours, others && *others ? ":" : "", others ? others : "");
	return setenv("LD_PRELOAD", all, 1) ? EXIT_OWN_FAILURE : 0;
}

static int
put_environment(const struct sim *sim)
{
	char options[4096];
	const char *asan = secure_getenv("ASAN_OPTIONS");
	int error = put_preloads(sim);

	if (error)
		return error;
	/* a sanitizer's runtime is then no longer the first library */
	snprintf(options, sizeof(options), "verify_asan_link_order=0%s%s",
		 asan && *asan ? ":" : "", asan ? asan : "");
	if (setenv("ASAN_OPTIONS", options, 1) ||
	    /* what queues are to use lies in buffers then, and not in the
	     * process, where the server has no atomic operations */
	    setenv("HSA_USERPTR_FOR_PAGED_MEM", "0", 0) ||
	    setenv("UMOCKDEV_DIR", sim->directory, 1) ||
	    setenv(PROTOCOL_ENV, sim->directory, 1) ||
	    setenv("SYSTEMD_DEVICE_VERIFY_SYSFS", "0", 1))
		return EXIT_OWN_FAILURE;
	return 0;
}

/* ---- the run */

static FILE *
open_output(const char *path)
{
	return strcmp(path, "-") == 0 ? stderr : fopen(path, "we");
}

static void
close_output(FILE *file)
{
	if (file && file != stderr)
		fclose(file);
}

static int
complain_about(const char *what, int error)
{
	if (error)
		fprintf(stderr, "drmsim: %s: %s\n", what, strerror(-error));
	return error ? EXIT_OWN_FAILURE : 0;
}

static int
sim_prepare(struct sim *sim, const struct settings *settings)
{
	char text[512] = "";

	if (settings->log) {
		sim->log = open_output(settings->log);
		if (!sim->log)
			return complain_about(settings->log, -errno);
		setvbuf(sim->log, NULL, _IOLBF, 0);
	}
	if (complain_about("cannot make a simulated root",
			   sim_root_create(sim)) ||
	    complain_about("cannot fill the simulated root",
			   sim_root_mirror(sim)) ||
	    complain_about("cannot share a page", sim_outside_create(sim)))
		return EXIT_OWN_FAILURE;
	for (unsigned i = 0; i < settings->gpu_count; i++)
		if (sim_gpu_plug(sim, settings->gpus[i], text, sizeof(text)))
			return usage_error("", text);
	if (sim_gpus_start(sim, text, sizeof(text)))
		return usage_error("", text);
	if (settings->load &&
	    sim_gpus_load(sim, settings->load, text, sizeof(text)))
		return usage_error("", text);
	if (settings->scenario &&
	    sim_scenario_read(sim, settings->scenario, text, sizeof(text)))
		return usage_error("", text);
	for (unsigned i = 0; i < settings->fault_count; i++)
		if (sim_fault_add(sim, settings->faults[i]))
			return usage_error("no such fault: ",
					   settings->faults[i]);
	return complain_about("cannot list the nodes",
			      sim_nodes_publish(sim)) ||
			       complain_about("cannot listen",
					      sim_connections_listen(sim))
		       ? EXIT_OWN_FAILURE
		       : 0;
}

static int
start_command(const struct sim *sim, char **command, pid_t *child)
{
	sigset_t none;
	int error;

	*child = fork();
	if (*child < 0)
		return complain_about("fork", -errno);
	if (*child > 0) {
		/* as a shell does: the terminal's signals are the command's */
		signal(SIGINT, SIG_IGN);
		signal(SIGQUIT, SIG_IGN);
		return 0;
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	error = put_environment(sim);
	if (error)
		_exit(error);
	if (sim->unprivileged)
		sim_process_drop_privileges();
	execvp(command[0], command);
	error = errno;
	fprintf(stderr, "drmsim: %s: %s\n", command[0], strerror(error));
	_exit(error == ENOENT ? 127 : 126);
}

static int
exit_status(const struct sim *sim, int status)
{
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	if (WEXITSTATUS(status) || !sim->strict)
		return WEXITSTATUS(status);
	return sim_notes_violations(sim) ? EXIT_VIOLATIONS : 0;
}

/* Write the report, if one is wanted. Returns the exit status. */
static int
sim_finish(struct sim *sim, const struct settings *settings, FILE *report,
	   int ended)
{
	int status = exit_status(sim, ended), failed = 0;

	if (report) {
		sim_report_write(sim, report);
		if (fflush(report))
			failed = complain_about(settings->report, -errno);
	} else if (sim->strict && sim_notes_violations(sim)) {
		fprintf(stderr, "drmsim: the hardware was misused:\n");
		sim_report_write(sim, stderr);
	}
	return status ? status : failed;
}

static int
settings_run(const struct settings *settings)
{
	struct sim *sim = sim_server_create();
	FILE *log, *report = NULL;
	int status, ended;
	pid_t child;

	if (!sim)
		return complain_about("cannot start", -ENOMEM);
	sim->is_virtual = settings->is_virtual;
	if (settings->speed)
		sim->speed = settings->speed;
	sim->strict = settings->strict;
	sim->unprivileged = settings->unprivileged;
	status = sim_prepare(sim, settings);
	if (!status && settings->report) {
		report = open_output(settings->report);
		if (!report)
			status = complain_about(settings->report, -errno);
	}
	if (!status)
		status = start_command(sim, settings->command, &child);
	if (!status)
		status = complain_about("stopped",
					sim_server_run(sim, child, &ended));
	if (!status)
		status = sim_finish(sim, settings, report, ended);
	log = sim->log;
	sim_server_destroy(sim);
	close_output(report);
	close_output(log);
	return status;
}

/* ---- drmsim ctl: the side of the program that calls it */

static int
ctl_main(int argc, char **argv)
{
	static char text[1 << 20];
	char command[4096];
	size_t used = 0;
	int error;

	command[0] = '\0';
	for (int i = 0; i < argc && used < sizeof(command); i++)
		used += (size_t)snprintf(command + used, sizeof(command) - used,
					 "%s%s", i ? " " : "", argv[i]);
	error = drmsim_command(command, text, sizeof(text));
	if (error == -ENODEV && !drmsim_is_present()) {
		fprintf(stderr, "drmsim ctl: not below a running drmsim\n");
		return EXIT_OWN_FAILURE;
	}
	fputs(text, stdout);
	if (error) {
		fprintf(stderr, "drmsim ctl: %s: %s\n", command,
			strerror(-error));
		return 1;
	}
	return 0;
}

int
main(int argc, char **argv)
{
	struct settings settings = { 0 };
	int status;

	if (argc > 1 && strcmp(argv[1], "ctl") == 0)
		return ctl_main(argc - 2, argv + 2);
	status = read_options(argc, argv, &settings);
	if (status < 0)
		return settings_run(&settings);
	if (!status && (fflush(stdout) || ferror(stdout)))
		return complain_about("cannot write the output", -errno);
	return status;
}
