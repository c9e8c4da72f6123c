/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf info: the GPUs, what works, and remedies for the rest.
 */
#include "util/command.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "select/unusable_gpus.h"

static void
print_line(const char *key, const char *value)
{
	if (*value)
		printf("  %-12s %s\n", key, value);
}

/* Remedies for errors whose cause does not name one. */
static const struct cure {
	int code;
	const char *text;
} cures[] = {
	{ -EMFILE, "allow more open files: \"ulimit -n\" shows how many" },
	{ -ENFILE, "allow more open files: sysctl fs.file-max" },
	{ -ENOMEM, "free memory" },
	{ -EBADMSG, "reinstall drmperf's event tables" },
};

#define LAST_CURE "look for messages of the driver in the kernel log (dmesg)"

static const char *
remedy_of(const struct drmperf_error *error)
{
	if (error->remedy[0])
		return error->remedy;
	for (size_t i = 0; i < sizeof(cures) / sizeof(cures[0]); i++) {
		if (cures[i].code == error->code)
			return cures[i].text;
	}
	return LAST_CURE;
}

static void
print_problem(const char *what, const struct drmperf_error *error)
{
	printf("  %-12s no: %s\n", what, error->cause);
	printf("  %-12s try: %s\n", "", remedy_of(error));
}

/* Print a setting of the kernel that decides which users may count. */
static void
print_setting(const char *path)
{
	FILE *file = fopen(path, "re");
	char text[64];

	if (!file)
		return;
	if (fgets(text, sizeof(text), file)) {
		text[strcspn(text, "\n")] = '\0';
		printf("  %s = %s\n", path, text);
	}
	fclose(file);
}

static void
print_machine(void)
{
	static const char *const settings[] = {
		"/proc/sys/kernel/perf_event_paranoid",
		"/proc/sys/dev/i915/perf_stream_paranoid",
		"/proc/sys/dev/i915/oa_max_sample_rate",
	};
	unsigned version = drmperf_version();
	struct utsname name;

	printf("drmperf %u.%u", version >> 16, version & 0xffff);
	if (!uname(&name))
		printf(" on %s %s, %s", name.sysname, name.release,
		       name.machine);
	putchar('\n');
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		print_setting(settings[i]);
	for (char **variable = environ; *variable; variable++) {
		if (!strncmp(*variable, "DRMPERF_", 8) ||
		    !strncmp(*variable, "ROCP_METRICS=", 13))
			printf("  %s\n", *variable);
	}
}

static void
print_node(const struct drmperf_device *device)
{
	const char *node = drmperf_device_node(device);
	char text[300];

	if (!*node) {
		print_line("node", "none");
		return;
	}
	snprintf(text, sizeof(text), "%s, %s", node,
		 access(node, R_OK | W_OK) ? strerror(errno) : "may be opened");
	print_line("node", text);
}

/*
 * Print, where there are several devices of a driver, which one is meant
 * without a number.
 */
static void
print_whether_default(const struct tool *tool,
		      const struct drmperf_device *device)
{
	const char *driver = drmperf_device_driver(device);
	unsigned count = drmperf_device_count(tool->drmperf), same = 0;

	if (drmperf_device_default(tool->drmperf, driver) != device)
		return;
	for (unsigned i = 0; i < count; i++)
		same += !strcmp(driver, drmperf_device_driver(drmperf_device_at(
						tool->drmperf, i)));
	if (same > 1)
		print_line("default", "events without :device= mean this GPU");
}

/* Print the chip, with what it is sold as. */
static void
print_chip(const struct drmperf_device *device)
{
	char text[TOOL_CHIP_SIZE];

	print_line("chip", tool_chip(device, text));
}

static void
print_counts(const struct drmperf_device *device)
{
	char text[120];

	snprintf(text, sizeof(text), "%zu in %zu groups",
		 drmperf_event_count(device), drmperf_group_count(device));
	print_line("events", text);
}

static void
print_clocks(struct drmperf_device *device)
{
	struct drmperf_clocks clocks = { .size = sizeof(clocks) };
	char text[120];

	if (drmperf_device_clocks(device, &clocks, NULL))
		return;
	snprintf(text, sizeof(text), "%s, engine %.0f of %.0f MHz",
		 clocks.mode == DRMPERF_CLOCK_AUTO
			 ? "mode unknown"
			 : drmperf_clock_mode_name(clocks.mode),
		 (double)clocks.engine_hz / 1e6,
		 (double)clocks.engine_max_hz / 1e6);
	print_line("clocks", text);
}

/*
 * Print what the kernel's driver amdgpu has been set to that changes what is
 * counted. None of it keeps events from being counted.
 */
static void
print_amdgpu_settings(const struct drmperf_device *device)
{
	char text[64];

	if (strcmp(drmperf_device_driver(device), "amdgpu") != 0)
		return;
	tool_read_device_file(drmperf_device_address(device),
			      "enforce_isolation", text, sizeof(text));
	if (text[strspn(text, " 0")])
		print_line("isolation",
			   "on: jobs of processes take turns, drmperf's too, "
			   "so that each read\n               waits for the "
			   "program's jobs; a shader cleans up in between, "
			   "whose waves\n               count "
			   "(enforce_isolation in sysfs)");
	tool_read_device_file(drmperf_device_address(device), "ptl/ptl_enable",
			      text, sizeof(text));
	if (!strcmp(text, "enabled"))
		print_line(
			"PTL",
			"on: with the limiter of peak operations some "
			"counters may stay 0;\n               drmperf leaves "
			"it as it is, since switching it often made\n"
			"               firmware fail (ptl/ptl_enable in "
			"sysfs)");
	/* [Linux 7.1 amdgpu_gfx.c, amdgpu_gfx_profile_ring_begin_use] */
	if (!strncmp(drmperf_device_generation(device), "gfx1", 4))
		print_line("profile",
			   "with each read newer kernels hold a workload "
			   "profile for a second,\n               which may "
			   "raise clocks; read less often, or hold the clocks");
}

/*
 * Print which compute queues a session of a tool can see by the lock of
 * profilers, which is taken for that, and released at once.
 */
static void
print_queues(struct drmperf_device *device)
{
	struct drmperf_queue_hold *hold;
	struct drmperf_error error;
	int ret;

	if (drmperf_device_queue_commands(device, true, NULL, 0, &(size_t){ 0 },
					  NULL))
		return;
	ret = drmperf_device_hold_queues(device, &hold, &error);
	if (!ret) {
		print_line("queues", "stat and record count in all compute "
				     "queues");
		drmperf_queue_hold_release(hold);
		return;
	}
	print_line("queues", "events of shaders count only in compute queues "
			     "that allow it:");
	print_line("", error.cause);
	if (error.remedy[0])
		printf("  %-12s try: %s\n", "", error.remedy);
}

/*
 * Print over how many dies counters are summed, if there are several. Every
 * event of the hardware's is over the same dies. Others are over none, and to
 * resolve them all would take longer than the rest of the command.
 */
static void
print_dies(const struct drmperf_device *device)
{
	const struct drmperf_event *event;
	unsigned dies = 0;
	uint32_t id;

	for (size_t i = 0; (event = drmperf_event_at(device, i)); i++) {
		if (drmperf_event_id(event, &id))
			continue;
		dies = drmperf_event_dies(event);
		break;
	}
	if (dies)
		printf("  %-12s %u, whose counters are summed; :die=0 to "
		       ":die=%u take one\n",
		       "dies", dies, dies - 1);
}

/* ------------------------------------------------------------------ */
/* The number that ROCm has for a GPU                                   */

/* More nodes than a machine has. */
#define HSA_NODES 1024

struct hsa_node {
	unsigned minor; /* of the GPU's render node */
	unsigned simds; /* 0: it is no GPU */
};

/* Returns 0 or -errno: one whose device a cgroup forbids cannot be read. */
static int
read_hsa_node(unsigned number, struct hsa_node *out)
{
	char path[64], line[128];
	FILE *file;

	*out = (struct hsa_node){ 0 };
	snprintf(path, sizeof(path),
		 "/sys/class/kfd/kfd/topology/nodes/%u/properties", number);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	while (fgets(line, sizeof(line), file)) {
		sscanf(line, "simd_count %u", &out->simds);
		sscanf(line, "drm_render_minor %u", &out->minor);
	}
	fclose(file);
	return 0;
}

/* Print the number: ROCr counts the GPUs that it may use in KFD's order. */
static void
print_rocm(const struct drmperf_device *device)
{
	const char *node = drmperf_device_node(device);
	unsigned minor, number = 0;
	struct hsa_node found;
	int ret = 0;

	if (!node || sscanf(node, "/dev/dri/renderD%u", &minor) != 1)
		return;
	for (unsigned i = 0; ret != -ENOENT && i < HSA_NODES; i++) {
		ret = read_hsa_node(i, &found);
		if (ret || !found.simds)
			continue;
		if (found.minor == minor) {
			printf("  %-12s %u in ROCR_VISIBLE_DEVICES, and in "
			       "HIP_VISIBLE_DEVICES without that\n",
			       "ROCm", number);
			return;
		}
		number++;
	}
}

/* ------------------------------------------------------------------ */

/* Start, read and stop one event. */
static int
try_event(const struct tool *tool, const struct drmperf_event *event,
	  struct drmperf_error *error)
{
	struct drmperf_selection selection = { .event = event,
					       .instance =
						       DRMPERF_ALL_INSTANCES };
	struct drmperf_session *session;
	union drmperf_value value;
	int ret;

	ret = drmperf_session_create(tool->drmperf, &selection, 1, NULL,
				     &session, error);
	if (ret)
		return ret;
	ret = drmperf_session_start(session, error);
	if (!ret)
		ret = drmperf_session_stop(session, error);
	if (!ret)
		ret = drmperf_session_read(session, &value, NULL, NULL, error);
	drmperf_session_destroy(session);
	return ret;
}

/* Return whether an earlier group with events is of the same domain. */
static bool
domain_was_tried(const struct drmperf_device *device, size_t index)
{
	const struct drmperf_group *group = drmperf_group_at(device, index);

	while (index--) {
		const struct drmperf_group *earlier =
			drmperf_group_at(device, index);

		if (drmperf_group_event_count(earlier) &&
		    !strcmp(drmperf_group_domain(earlier),
			    drmperf_group_domain(group)))
			return true;
	}
	return false;
}

static unsigned
try_domains(const struct tool *tool, const struct drmperf_device *device)
{
	const struct drmperf_group *group;
	struct drmperf_error error;
	unsigned problems = 0;

	for (size_t i = 0; (group = drmperf_group_at(device, i)); i++) {
		size_t first = drmperf_group_first_event(group);

		if (!drmperf_group_event_count(group) ||
		    domain_was_tried(device, i))
			continue;
		if (!try_event(tool, drmperf_event_at(device, first), &error)) {
			print_line(drmperf_group_domain(group), "counts");
			continue;
		}
		print_problem(drmperf_group_domain(group), &error);
		problems++;
	}
	return problems;
}

/* Print a device. Returns how many things do not work. */
static unsigned
print_device(const struct tool *tool, struct drmperf_device *device, bool try)
{
	char place[TOOL_PLACE_SIZE];
	struct drmperf_error error;
	unsigned problems = 0;

	printf("\ndevice %u: %s at %s\n", drmperf_device_index(device),
	       drmperf_device_driver(device), tool_place(device, place));
	print_node(device);
	print_whether_default(tool, device);
	if (drmperf_device_open(device, &error)) {
		print_problem("usable", &error);
		return 1;
	}
	print_chip(device);
	print_line("table", drmperf_device_generation(device));
	print_counts(device);
	print_dies(device);
	print_rocm(device);
	print_clocks(device);
	print_amdgpu_settings(device);
	if (drmperf_device_status(device, &error)) {
		print_problem("complete", &error);
		problems++;
	}
	if (try)
		print_queues(device);
	return problems + (try ? try_domains(tool, device) : 0);
}

struct info_choice {
	bool counts_nothing;
};

static const struct command_option info_options[] = {
	{ "no-try", 'n', NULL, COMMAND_FLAG(struct info_choice, counts_nothing),
	  .help = "count nothing" },
	{ 0 },
};

static int
gpus_examine(const struct tool *tool, bool try)
{
	unsigned count = drmperf_device_count(tool->drmperf), problems = 0;

	print_machine();
	for (unsigned i = 0; i < count; i++)
		problems += print_device(
			tool, drmperf_device_at(tool->drmperf, i), try);
	unusable_gpus_print(tool->drmperf);
	if (!count) {
		puts("\nno GPU with the driver amdgpu, i915 or xe is here");
		return TOOL_FAILED;
	}
	if (problems)
		printf("\n%u problem%s\n", problems, problems == 1 ? "" : "s");
	else
		puts(try ? "\neverything works" : "\nnothing is missing");
	return problems ? TOOL_FAILED : 0;
}

static int
info_run(struct tool *tool, int argc, char **argv)
{
	struct info_choice choice = { 0 };
	int status =
		tool_read_options(tool, &info_command, argc, argv, &choice);

	if (status)
		return status;
	if (optind < argc)
		return tool_usage_error(tool, "info takes no argument");
	return gpus_examine(tool, !choice.counts_nothing);
}

const struct tool_command info_command = {
	.name = "info",
	.summary = "show the GPUs, and how to fix problems with them",
	.usage = "usage: drmperf info [--no-try]\n"
		 "Show the GPUs, how they can be used, and what is missing. "
		 "One event of every\n"
		 "kind is counted for a moment.\n",
	.options = info_options,
	.notes = "The exit code is 0 if everything works, 125 otherwise.\n",
	.run = info_run,
};
