/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf trace: have Mesa's Vulkan driver for AMD GPUs (radv) trace a frame or
 * a submission of a command, and put the file, which the Radeon GPU Profiler
 * reads, where it was asked for.
 *
 * Source: Mesa's src/amd/common/ac_rgp.c and src/vulkan/runtime/vk_instance.c:
 * radv traces the next frame when it has removed the trigger file, and writes
 * /tmp/PROCESS_DATE_TIME.rgp. It traces in a profiling mode of the clocks
 * alone: src/amd/vulkan/winsys/amdgpu/radv_amdgpu_cs.c leaves the peak mode as
 * it is if that is set, and newer releases ask for it.
 */
#include "util/command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "frames/frames.h"
#include "process/preload.h"
#include "process/spawn.h"
#include "select/selection_list.h"
#include "trace/waves.h"
#include "util/output_file.h"
#include "util/temporary_folder.h"

#define FOLDER "/tmp" /* of radv's files */
#define SUFFIX ".rgp"
#define RGP_MAGIC 0x50303042
#define NS_PER_MS 1000000ull

struct trace {
	const struct tool *tool;
	const char *path; /* of the first file; others get a number */
	unsigned delay_ms;
	unsigned frame; /* its number, or 0 */
	bool per_submit;
	bool is_ours; /* drmperf traces waves, and not radv */
	struct waves_options waves;
	struct drmperf_device *device; /* whose clocks are held; NULL: all */
	struct temporary_folder folder; /* its file is the trigger */
	struct timespec begun; /* CLOCK_REALTIME, as files have it */
	unsigned count; /* of files that were collected */
	struct drmperf_clock_hold *holds[TOOL_MOST_DEVICES];
	size_t hold_count;
};

/* ------------------------------------------------------------------ */
/* The trigger                                                          */

static int
make_folder(struct trace *trace)
{
	int ret = temporary_folder_create(&trace->folder, FOLDER,
					  "drmperf-trace", "trigger");

	return ret ? tool_fail(trace->tool, "cannot make a folder in %s: %s",
			       FOLDER, strerror(-ret))
		   : 0;
}

static int
make_trigger(const struct trace *trace)
{
	int fd = open(trace->folder.file,
		      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return tool_fail(trace->tool, "cannot make %s: %s",
				 trace->folder.file, strerror(errno));
	close(fd);
	return 0;
}

/* Have our layer trace a frame of each device, and say why if it cannot. */
static int
set_layer(const struct trace *trace)
{
	char text[PATH_MAX + 64];

	/* the layer counts from 0 */
	snprintf(text, sizeof(text), "%u %llu %d %s/waves" SUFFIX,
		 trace->frame - 1,
		 (unsigned long long)trace->waves.buffer_mib << 20,
		 trace->waves.omit_instructions, trace->folder.path);
	if (setenv("DRMPERF_VK_TRACE", text, 1) ||
	    setenv("DRMPERF_VERBOSE", "1", 0))
		return tool_fail(trace->tool, "no memory");
	return vk_layer_enable(trace->tool);
}

/* Set the environment. Older releases of Mesa know the names RADV_* only. */
static void
set_environment(const struct trace *trace)
{
	char frame[16];

	setenv("MESA_VK_TRACE", "rgp", 1);
	if (trace->per_submit) {
		setenv("MESA_VK_TRACE_PER_SUBMIT", "true", 1);
	} else if (trace->frame) {
		snprintf(frame, sizeof(frame), "%u", trace->frame);
		setenv("MESA_VK_TRACE_FRAME", frame, 1);
		setenv("RADV_THREAD_TRACE", frame, 1);
	} else {
		setenv("MESA_VK_TRACE_TRIGGER", trace->folder.file, 1);
		setenv("RADV_THREAD_TRACE_TRIGGER", trace->folder.file, 1);
	}
}

/* ------------------------------------------------------------------ */
/* The files                                                            */

static bool
has_suffix(const char *name)
{
	size_t length = strlen(name), n = strlen(SUFFIX);

	return length > n && !strcmp(name + length - n, SUFFIX);
}

/* Write "a.rgp", "a-2.rgp", "a-3.rgp"; also without the suffix. */
static void
name_file(const struct trace *trace, char path[PATH_MAX])
{
	size_t length = strlen(trace->path);
	const char *suffix = has_suffix(trace->path) ? SUFFIX : "";

	if (trace->count)
		snprintf(path, PATH_MAX, "%.*s-%u%s",
			 (int)(length - strlen(suffix)), trace->path,
			 trace->count + 1, suffix);
	else
		snprintf(path, PATH_MAX, "%s", trace->path);
}

/* Check that a file is of this user, and was written since the start. */
static bool
is_new(const struct trace *trace, int fd, struct stat *status)
{
	const struct timespec *written = &status->st_mtim;

	return !fstat(fd, status) && S_ISREG(status->st_mode) &&
	       status->st_uid == geteuid() &&
	       (written->tv_sec > trace->begun.tv_sec ||
		(written->tv_sec == trace->begun.tv_sec &&
		 written->tv_nsec >= trace->begun.tv_nsec));
}

static int
copy_file(int from, const char *path)
{
	struct output_file file;
	char buffer[65536];
	ssize_t size = 0;
	int ret = output_file_open(&file, path), closed;

	if (ret)
		return ret;
	while ((size = read(from, buffer, sizeof(buffer))) > 0)
		fwrite(buffer, 1, (size_t)size, file.out);
	if (size < 0)
		ret = -errno;
	closed = output_file_close(&file, !ret);
	return ret ? ret : closed;
}

/* Renames keep what was written; another file system gets a copy. */
static int
move_file(int fd, const char *from, const char *to)
{
	int ret;

	if (!rename(from, to))
		return 0;
	if (errno != EXDEV)
		return -errno;
	ret = copy_file(fd, to);
	if (!ret)
		unlink(from);
	return ret;
}

/* What a file begins with, and each of its chunks: size_in_bytes with it. */
struct rgp_head {
	uint32_t magic, major, minor, flags;
	int32_t chunk_offset;
};

struct rgp_chunk_head {
	uint32_t id, version;
	int32_t size_in_bytes, padding;
};

/* Return whether chunks fill the file, as of a program that was not killed. */
static bool
is_whole(int fd, const struct rgp_head *head, off_t size)
{
	off_t at = head->chunk_offset;
	struct rgp_chunk_head chunk;

	while (at < size) {
		if (pread(fd, &chunk, sizeof(chunk), at) != sizeof(chunk) ||
		    chunk.size_in_bytes < (int32_t)sizeof(chunk))
			return false;
		at += chunk.size_in_bytes;
	}
	return at == size;
}

/* Return what is wrong with a file, or NULL. */
static const char *
find_fault(int fd, const struct rgp_head *head, off_t size)
{
	if (head->magic != RGP_MAGIC)
		return "is no trace: it does not begin as RGP files do";
	if (!is_whole(fd, head, size))
		return "is incomplete: its writer was killed, or the disk was "
		       "full";
	return NULL;
}

static int
collect_file(struct trace *trace, int fd, const char *from,
	     const struct stat *status)
{
	struct rgp_head head = { 0 };
	const char *fault;
	char to[PATH_MAX];
	int ret;

	(void)!pread(fd, &head, sizeof(head), 0);
	fault = find_fault(fd, &head, status->st_size);

	name_file(trace, to);
	ret = move_file(fd, from, to);
	if (ret)
		return tool_fail(trace->tool, "%s stays where it is: %s: %s",
				 from, to, strerror(-ret));
	trace->count++;
	if (fault)
		tool_warn(trace->tool, "%s %s", to, fault);
	else
		fprintf(stderr,
			"drmperf trace: %s: %lld bytes, version %u.%u of the "
			"format\n",
			to, (long long)status->st_size, head.major, head.minor);
	return fault ? TOOL_FAILED : 0;
}

static int
compare_entries(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*a)->d_name, (*b)->d_name);
}

static int
is_candidate(const struct dirent *entry)
{
	return has_suffix(entry->d_name);
}

/* Collect traces. Names hold the time: their order is that of the traces. */
static int
trace_collect(struct trace *trace)
{
	const char *folder = trace->is_ours ? trace->folder.path : FOLDER;
	struct dirent **entries;
	int count = scandir(folder, &entries, is_candidate, compare_entries);
	int status = 0;

	if (count < 0)
		return tool_fail(trace->tool, "cannot read %s: %s", folder,
				 strerror(errno));
	for (int i = 0; i < count; i++) {
		char from[PATH_MAX + 1 + NAME_MAX];
		struct stat found;
		int fd;

		snprintf(from, sizeof(from), "%s/%s", folder,
			 entries[i]->d_name);
		fd = open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd >= 0 && is_new(trace, fd, &found) &&
		    collect_file(trace, fd, from, &found))
			status = TOOL_FAILED;
		if (fd >= 0)
			close(fd);
		free(entries[i]);
	}
	free(entries);
	return status;
}

static int
complain_of_none(const struct trace *trace)
{
	tool_fail(trace->tool, "the command has written no trace");
	if (trace->is_ours) {
		fputs("try: it has to present or submit that frame by Vulkan "
		      "on an AMD GPU\n  (messages above say what is in the "
		      "way)\n",
		      stderr);
		return TOOL_FAILED;
	}
	fprintf(stderr,
		"try: it has to draw or compute by Vulkan on an AMD GPU "
		"with Mesa's driver radv (its\n  messages above say what that "
		"lacks)%s\n",
		trace->per_submit
			? ""
			: " and to present a frame (--per-submit: it only "
			  "computes)");
	return TOOL_FAILED;
}

/* ------------------------------------------------------------------ */
/* The clocks                                                           */

static void
release_clocks(struct trace *trace)
{
	while (trace->hold_count)
		drmperf_clock_hold_release(trace->holds[--trace->hold_count]);
}

/* Hold the peak mode of a GPU, unless a mode of it is held already. */
static int
hold_clocks_of(struct trace *trace, struct drmperf_device *device,
	       struct drmperf_error *error)
{
	struct drmperf_clocks clocks = { .size = sizeof(clocks) };
	int ret = drmperf_device_clocks(device, &clocks, error);

	if (ret || (clocks.mode != DRMPERF_CLOCK_DEFAULT &&
		    clocks.mode != DRMPERF_CLOCK_AUTO))
		return ret;
	ret = drmperf_device_hold_clocks(device, DRMPERF_CLOCK_PEAK,
					 &trace->holds[trace->hold_count],
					 error);
	if (!ret)
		trace->hold_count++;
	return ret;
}

/* Hold the clocks. GPUs without clock modes are not those of radv. */
static int
hold_clocks(struct trace *trace)
{
	const struct tool *tool = trace->tool;
	struct drmperf_device *device;
	struct drmperf_error error;
	int ret;

	for (unsigned i = 0; i < TOOL_MOST_DEVICES &&
			     (device = drmperf_device_at(tool->drmperf, i));
	     i++) {
		if (strcmp(drmperf_device_driver(device), "amdgpu") != 0 ||
		    (trace->device && device != trace->device))
			continue;
		ret = hold_clocks_of(trace, device, &error);
		if (ret && ret != -ENOTSUP) {
			release_clocks(trace);
			return tool_complain(tool, &error);
		}
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* The command                                                          */

/* Let the command run; the trigger is there from the start or comes later. */
static int
run_command(struct trace *trace, char **command)
{
	struct spawn_signals signals;
	struct spawn spawn;
	uint64_t until;
	int status;

	spawn_block_signals(&signals);
	status = spawn_prepare(trace->tool, &signals,
			       (const char *const *)command, &spawn);
	clock_gettime(CLOCK_REALTIME_COARSE, &trace->begun);
	if (!status && !trace->delay_ms && !trace->is_ours &&
	    make_trigger(trace)) {
		spawn_cancel(&spawn);
		status = TOOL_FAILED;
	}
	if (!status)
		status = spawn_exec(trace->tool, command[0], &spawn);
	if (!status) {
		until = spawn_now_ns() + trace->delay_ms * NS_PER_MS;
		if (trace->delay_ms &&
		    spawn_wait(&spawn, until) == SPAWN_TIME) {
			make_trigger(trace);
			spawn_wait(&spawn, UINT64_MAX);
		} else if (!trace->delay_ms) {
			spawn_wait(&spawn, UINT64_MAX);
		}
		status = trace_collect(trace);
		if (!status && !trace->count)
			status = complain_of_none(trace);
		if (spawn.status)
			status = spawn.status;
	}
	temporary_folder_remove(&trace->folder);
	spawn_unblock_signals(&signals);
	return status;
}

static const struct command_option trace_options[] = {
	{ "rgp", 0, "FILE", COMMAND_TEXT(struct trace, path),
	  .help = "where the trace goes; further ones get a number" },
	{ "device", 'd', "DEVICE",
	  COMMAND_READ(struct trace, device, choose_option_device),
	  .help = "hold the clocks of this GPU alone (default: of all AMD "
		  "GPUs)" },
	{ "delay", 'D', "MS", COMMAND_NUMBER(struct trace, delay_ms, INT_MAX),
	  .help = "trace the first frame after MS milliseconds" },
	{ "frame", 0, "N", COMMAND_NUMBER(struct trace, frame, INT_MAX),
	  .help = "trace frame N" },
	{ "per-submit", 0, NULL, COMMAND_FLAG(struct trace, per_submit),
	  .help = "trace each submission: for programs that only compute" },
	{ "sqtt", 0, NULL, COMMAND_FLAG(struct trace, is_ours),
	  .help = "drmperf itself traces the waves of all programs while the "
		  "command runs, where that is enabled; with --frame those of "
		  "that frame (from 1; of one that only computes: of that "
		  "submission), by a layer in the command" },
	{ "buffer", 0, "MIB",
	  COMMAND_NUMBER(struct trace, waves.buffer_mib, 2048),
	  .help = "room for each shader engine (default: 32)" },
	{ "no-instructions", 0, NULL,
	  COMMAND_FLAG(struct trace, waves.omit_instructions),
	  .help = "trace only where waves begin and end" },
	{ 0 },
};

static int
check_options(const struct trace *trace)
{
	const struct tool *tool = trace->tool;
	const bool has_waves_option =
		trace->waves.buffer_mib || trace->waves.omit_instructions;

	if (!trace->path || !*trace->path ||
	    strlen(trace->path) > PATH_MAX - 16)
		return tool_usage_error(tool, "--rgp FILE says where the trace "
					      "goes");
	if (!!trace->delay_ms + !!trace->frame + trace->per_submit > 1)
		return tool_usage_error(tool, "-D, --frame and --per-submit "
					      "exclude each other");
	if (trace->is_ours && (trace->delay_ms || trace->per_submit))
		return tool_usage_error(tool, "-D and --per-submit are not for "
					      "--sqtt");
	if (has_waves_option && !trace->is_ours)
		return tool_usage_error(tool, "--buffer and --no-instructions "
					      "are for --sqtt");
	return 0;
}

/* Have our layer trace a frame of the command. */
static int
run_layer(struct trace *trace, char **command)
{
	int status = preload_check_program(trace->tool, command[0]);

	if (!status)
		status = make_folder(trace);
	if (status)
		return status;
	status = set_layer(trace);
	if (status)
		temporary_folder_remove(&trace->folder);
	return status ? status : run_command(trace, command);
}

/* Have radv trace the command. */
static int
run_radv(struct trace *trace, char **command)
{
	int status = make_folder(trace);

	if (status)
		return status;
	status = hold_clocks(trace);
	if (status) {
		temporary_folder_remove(&trace->folder);
		return status;
	}
	set_environment(trace);
	status = run_command(trace, command);
	release_clocks(trace);
	return status;
}

static int
trace_run(struct tool *tool, int argc, char **argv)
{
	struct trace trace = { .tool = tool };
	int status =
		tool_read_options(tool, &trace_command, argc, argv, &trace);

	if (status)
		return status;
	status = check_options(&trace);
	if (status)
		return status;
	if (!argv[optind])
		return tool_usage_error(tool, "no command given");
	if (!trace.is_ours)
		return run_radv(&trace, &argv[optind]);
	if (trace.frame)
		return run_layer(&trace, &argv[optind]);
	trace.waves.path = trace.path;
	trace.waves.device = trace.device;
	return trace_waves(tool, &trace.waves, &argv[optind]);
}

const struct tool_command trace_command = {
	.name = "trace",
	.summary = "trace a frame of a Vulkan program, for the Radeon GPU "
		   "Profiler",
	.usage = "usage: drmperf trace --rgp FILE [-d DEVICE] "
		 "[-D MS | --frame N | --per-submit]\n"
		 "                     [--] COMMAND [ARGUMENT]...\n"
		 "       drmperf trace --rgp FILE --sqtt "
		 "[-d DEVICE | --frame N] [--buffer MIB]\n"
		 "                     [--no-instructions] [--] COMMAND "
		 "[ARGUMENT]...\n"
		 "Have Mesa's Vulkan driver for AMD GPUs (radv) trace a "
		 "frame of the command,\n"
		 "the first one by default.\n",
	.options = trace_options,
	.notes = "Without --sqtt the trace is Mesa's own; drmperf holds the "
		 "clocks in the peak\n"
		 "mode, without which there is none, unless a mode is held "
		 "already. The exit code is\n"
		 "that of the command; 125 if there is no trace.\n",
	.takes_command = true,
	.run = trace_run,
};
