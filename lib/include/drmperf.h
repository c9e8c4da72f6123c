/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * libdrmperf: hardware counters of AMD and Intel GPUs from the Linux DRM
 * drivers.
 *
 * A program that counts the waves of an AMD GPU for a second:
 *
 *	#include <drmperf.h>
 *	#include <inttypes.h>
 *	#include <stdio.h>
 *	#include <unistd.h>
 *	int main(void)
 *	{
 *		struct drmperf *drmperf;
 *		struct drmperf_selection waves;
 *		struct drmperf_session *session;
 *		union drmperf_value value;
 *		struct drmperf_error error;
 *		if (drmperf_create(NULL, &drmperf, &error) ||
 *		    drmperf_event_find(drmperf, "SQ_WAVES", &waves, &error) ||
 *		    drmperf_session_create(drmperf, &waves, 1, NULL, &session,
 *					   &error) ||
 *		    drmperf_session_start(session, &error) || sleep(1) ||
 *		    drmperf_session_read(session, &value, NULL, NULL, &error))
 *			return fprintf(stderr, "%s; %s\n", error.cause,
 *				       error.remedy), 1;
 *		printf("%" PRIu64 " waves\n", value.u64);
 *		drmperf_session_stop(session, NULL);
 *		drmperf_session_destroy(session);
 *		drmperf_destroy(drmperf);
 *		return 0;
 *	}
 *
 * Words, used here and everywhere else with these meanings:
 *
 * device    one GPU bound to a DRM driver; devices are numbered from 0 in the
 *           order of their PCI addresses, whatever driver they have
 * domain    a part of a device whose counters are configured together
 * group     counters listed together, with a limit on how many of them can
 *           count at the same time (max_active)
 * counter   something a group can count
 * instance  one copy of a group's hardware, as there is one texture unit per
 *           compute unit; an event that names no instance is the sum over all
 * metric    a value computed from counters
 * event     what a user names: a counter or a metric of a device
 * pass      a set of events that can all be counted at the same time
 * plan      a list of events cut into passes
 * session   one pass, armed
 *
 * Events are named DRIVER::GROUP.COUNTER[:device=N][:die=D][:instance=I], for
 * example "amdgpu::SQ.WAVES:device=0" or "amdgpu::TCC.HIT:instance=3";
 * ":device0" and ":instance3" mean the same, where a "=" would be in the way.
 * ":die=" takes counters of AMD GPUs of several dies that are all counted,
 * whose values are sums over the dies without it. Without
 * ":device=" the first device is meant that has the event and on which the
 * process may count it: batch systems and containers close the others. Without
 * "DRIVER::" that is any device; only if devices of several drivers may count
 * the event, the name is ambiguous. ROCm's spelling is accepted too where it is
 * unambiguous: "amdgpu::SQ_WAVES", "TCC_HIT[3]". Where no device has the exact
 * name, the case of letters does not matter.
 * ":accumulate" behind a level, "amdgpu::SQ.LEVEL_WAVES:accumulate", names its
 * sum over all clock cycles. Raw counters of Intel's OA reports can be named,
 * "i915::RenderBasic.A7", and are not listed. Behind an event of a kernel's PMU
 * may stand, last, terms that its file leaves open,
 * "xe::pmu.gt-actual-frequency:gt=1": such an event is not listed either.
 * perf's spelling of such events is accepted, "i915/rcs0-busy/", as is that of
 * the PMUs of CPUs, "msr/tsc/"; modifiers behind the second "/" are not.
 *
 * Events of CPUs can be named next to those of GPUs, by the names that libpfm4
 * has for them, "perf::TASK-CLOCK:u", "skl::INST_RETIRED:ANY_P", or, for PMUs
 * that it does not know, by those of the kernel's files, "msr::tsc", with terms
 * as above. drmperf_event_find() finds them; they are never listed. libpfm4 has
 * one state per process and no lock: this library calls it under one lock; a
 * program that uses libpfm4 itself must not do so at the same time from other
 * threads.
 *
 * Nothing is ever multiplexed: what does not fit into one pass is refused with
 * -ENOSPC when a session is created, before any hardware is touched.
 *
 * A read gives one status per selection next to its value: when one source (a
 * sensor, a PMU or a GPU) fails, the other selections still get their values.
 *
 * Errors: a function that can fail returns 0 or a negative errno value and
 * leaves its out parameters untouched on failure. Where an error can be
 * explained beyond its number, the function takes a struct drmperf_error, which
 * may be NULL, and fills it on failure only.
 *
 * Structs: one that the caller allocates for the library to read or fill begins
 * with a member size, which the caller sets to the struct's sizeof: later
 * versions may add members at the end. One that the library allocates needs no
 * size: it is used by its pointer, never copied, and may grow at the end, too.
 * Structs in arrays never get new members, nor do struct drmperf_error and
 * union drmperf_value, since the size of each is compiled into callers.
 *
 * Threads: any function may be called from any thread. One session is used by
 * one thread at a time; everything else may be used by several at once. No
 * function is a cancellation point: a thread that is cancelled (pthread_cancel)
 * goes on until the function it is in has returned. In handlers of signals only
 * drmperf_session_try_read() may be called.
 *
 * After fork() the child may use its own, newly created struct drmperf. Calls
 * on an object of the parent return -ECHILD and touch neither the hardware nor
 * the parent's session; the destroy functions only free memory.
 *
 * Strings returned by the library are UTF-8, owned by the library, and live as
 * long as the struct drmperf they came from, unless said otherwise.
 */
#ifndef DRMPERF_H
#define DRMPERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

#define DRMPERF_VERSION_MAJOR 0
#define DRMPERF_VERSION_MINOR 1

/* Select the sum over all instances, in place of the number of one. */
#define DRMPERF_ALL_INSTANCES (-1)

/*
 * Select one die, of those behind a device that are all counted: an instance of
 * it, or DRMPERF_ALL_INSTANCES. The number stands in place of an instance's;
 * the two macros below take it apart, and give -1 where it selects no die, or
 * all instances.
 */
#define DRMPERF_INSTANCE_ON_DIE(die, instance) \
	(((die) + 1) << 16 | ((instance) & 0xffff))
#define DRMPERF_DIE_OF(number) ((number) < 0 ? -1 : ((number) >> 16) - 1)
#define DRMPERF_INSTANCE_OF(number)                      \
	((number) < 0 || ((number) & 0xffff) == 0xffff   \
		 ? DRMPERF_ALL_INSTANCES                 \
		 : (number) & 0xffff)

struct drmperf;		/* the library's state: devices and their events */
struct drmperf_device;	/* one GPU */
struct drmperf_group;	/* a group of a device */
struct drmperf_event;	/* an event of a device, not yet bound to an instance */
struct drmperf_plan;	/* events cut into passes */
struct drmperf_formula; /* what an event is computed from */
struct drmperf_session; /* one pass, armed */

/** The cause of an error and its remedy, each a complete phrase. */
struct drmperf_error {
	int code;	  /* negative errno value */
	char cause[512];  /* "another process counts on device 0: pid 4711" */
	char remedy[512]; /* "end it, or wait until it has finished"; or "" */
};

enum drmperf_log_level {
	DRMPERF_LOG_ERROR,
	DRMPERF_LOG_WARNING,
	DRMPERF_LOG_INFO,
	DRMPERF_LOG_DEBUG,
};

/**
 * Receives one line without newline, on the thread that called the library, or
 * on a thread of the library for which the caller waits. Must not call into the
 * library.
 */
typedef void (*drmperf_log_fn)(void *data, enum drmperf_log_level level,
			       const char *message);

/** Options of drmperf_create(); zero means default in every member. */
struct drmperf_options {
	/* sizeof(struct drmperf_options) as the caller was compiled with */
	size_t size;
	/*
	 * Event tables, path[:path], read in addition to the installed ones:
	 * our own, metric files of ROC profiler, Intel's OA tables
	 * (events/README.md); NULL: the environment variable DRMPERF_EVENTS,
	 * and before it the file that ROCP_METRICS names. Events of ROCm's and
	 * Intel's tables that cannot be counted are left out, with a warning
	 * to the log.
	 */
	const char *events_path;
	/* NULL: warnings and errors are dropped; nothing goes to stderr. */
	drmperf_log_fn log;
	void *log_data;
	/*
	 * Count on all dies of an AMD GPU that has several behind its node, as
	 * sums, and hold queues, by this process itself. Meant for tools only:
	 * HSA, and HIP with it, does not start in a process that has a queue of
	 * the compute driver (KFD). Without it the program drmperf-kfd has that
	 * queue, and ends with this process; where it is not installed, such a
	 * GPU is refused, or counted on one die (DRMPERF_DIES).
	 */
	bool uses_kfd;
};

/* ------------------------------------------------------------------ */
/* The library's state                                                  */

/**
 * Find the GPUs of this machine.
 *
 * Looks at sysfs only: no device node is opened, no sleeping GPU is woken, no
 * event table is read. Finding no GPU is not an error.
 *
 * options may be NULL. *out is released with drmperf_destroy(), after all
 * sessions and plans made from it.
 *
 * Returns 0; -EINVAL if options->size is not plausible; -EIO if sysfs cannot be
 * read; -ENOMEM, -EMFILE, -ENFILE, -EINTR.
 */
int drmperf_create(const struct drmperf_options *options, struct drmperf **out,
		   struct drmperf_error *error);

/** Release the library's state. NULL is allowed. */
void drmperf_destroy(struct drmperf *drmperf);

/** Return the version of the library in use, as major << 16 | minor. */
unsigned drmperf_version(void);

/* ------------------------------------------------------------------ */
/* Devices                                                              */

/** Return the number of GPUs that have a driver known to this library. */
unsigned drmperf_device_count(const struct drmperf *drmperf);

/** Return the device with this index, or NULL if there is none. */
struct drmperf_device *drmperf_device_at(struct drmperf *drmperf,
					 unsigned index);

/**
 * Return the default device of a driver ("amdgpu"), which events without
 * ":device=" mean: the first that the process may open, else the very first;
 * NULL if the driver has none.
 */
struct drmperf_device *
drmperf_device_default(struct drmperf *drmperf, const char *driver);

/**
 * Return the device's index; UINT_MAX for the device of CPU events, which is
 * not in the list.
 */
unsigned drmperf_device_index(const struct drmperf_device *device);

/**
 * Return the kernel driver: "amdgpu", "i915"; "cpu" for the device of CPU
 * events.
 */
const char *drmperf_device_driver(const struct drmperf_device *device);

/**
 * Return the PCI address: "0000:03:00.0"; "" for the device of CPU events. All
 * partitions of a GPU have the same one.
 */
const char *drmperf_device_address(const struct drmperf_device *device);

/**
 * Return which compute partition of the GPU the device is, from 0; -1 if the
 * device is the whole GPU. In the modes DPX, TPX, QPX and CPX of AMD's GPUs of
 * several dies each partition is a device; the partitions of a GPU follow one
 * another in the list.
 */
int drmperf_device_partition(const struct drmperf_device *device);

/** Return the device node that counting uses: "/dev/dri/renderD128". */
const char *drmperf_device_node(const struct drmperf_device *device);

/**
 * Open the device and read its event tables, unless that has been done.
 *
 * Every function below that needs the events does this by itself; a call of
 * this one reports early, with cause and remedy, why a device cannot be used.
 * A device that failed is tried again at the next call.
 *
 * Returns 0; -EACCES if the device node may not be opened; -ENOTSUP if there
 * is no table for this GPU; -EBADMSG if a table is malformed; -ENODEV if the
 * device has gone; other errors of the kernel's driver. -ENOMEM, -EMFILE,
 * -ENFILE, -EINTR and -EAGAIN are not the device's fault: after one of them the
 * device is not open, and the next call examines all of it again.
 */
int drmperf_device_open(struct drmperf_device *device,
			struct drmperf_error *error);

/**
 * Report which source of events of an open device does not work, with cause and
 * remedy.
 *
 * A device may have more than one source of events (the GPU's own counters,
 * the kernel's PMUs); one that fails does not keep the others from being used.
 *
 * Returns 0 if everything works, or if the device is not open; else the code
 * of the first complaint, with cause and remedy.
 */
int drmperf_device_status(const struct drmperf_device *device,
			  struct drmperf_error *error);

/**
 * Return the marketing or code name of an opened device, "Vega 10", and the
 * name of its event table, "gfx9". Before drmperf_device_open() both are "".
 */
const char *drmperf_device_chip(const struct drmperf_device *device);
const char *drmperf_device_generation(const struct drmperf_device *device);

/**
 * Find the name under which a device is sold, "Instinct MI300X", as opposed to
 * the name of its chip. The device need not be open, and is not woken.
 *
 * Returns 0; -ENOENT if the tables have no such name; -ENOSPC if it does not
 * fit size bytes; -EBADMSG if the table cannot be read; -ENOMEM. On an error
 * text is set to "", if size is not 0.
 */
int drmperf_device_product(const struct drmperf_device *device, char *text,
			   size_t size, struct drmperf_error *error);

/** Facts that a GPU reports. Set size to sizeof(struct drmperf_hardware). */
struct drmperf_hardware {
	size_t size;
	uint32_t revision;	 /* of its PCI device: the stepping */
	unsigned shader_engines; /* that are not fused off */
};

/**
 * Fill in the hardware facts of an open device.
 *
 * Returns 0; -EINVAL if the device is not open, or out->size is too small;
 * -ENOTSUP if its driver does not report them.
 */
int drmperf_device_hardware(const struct drmperf_device *device,
			    struct drmperf_hardware *out);

/**
 * Return the name of the blocked group with this index: a group or an event,
 * "EA", "RenderBalance" or "SQ_WGP.WAVE_CYCLES", that the device has and that
 * is not offered, since it is not known how to count it right and safely, or a
 * self-test has failed. *reason becomes half a sentence. Returns NULL beyond
 * the last, and if the device is not open.
 */
const char *
drmperf_device_blocked_group(const struct drmperf_device *device, size_t index,
			     const char **reason);

/* ------------------------------------------------------------------ */
/* Groups                                                               */

/** Return the number of groups of a device; 0 unless it is open. */
size_t drmperf_group_count(const struct drmperf_device *device);

/** Return the group with this index, or NULL. */
const struct drmperf_group *
drmperf_group_at(const struct drmperf_device *device, size_t index);

/**
 * Return the group's name: "SQ", "RenderBasic", "pmu"; "metric" holds metrics
 * over other groups, "sensor" values that the kernel reports of the GPU on
 * request, "fdinfo" what the calling process uses of the GPU.
 */
const char *drmperf_group_name(const struct drmperf_group *group);
const char *drmperf_group_description(const struct drmperf_group *group);

/**
 * Return the domain the group is configured in: "gfx", "oa", "pmu", "sensor",
 * "fdinfo".
 */
const char *drmperf_group_domain(const struct drmperf_group *group);

/**
 * Return true if only one group of the domain can count at a time, as is the
 * case for the metric sets of an Intel OA unit.
 */
bool drmperf_group_is_exclusive(const struct drmperf_group *group);

/**
 * Return how many different counters each instance can count at once. An event
 * of one instance takes a place in that instance only; the sum over all takes
 * one in each.
 */
unsigned drmperf_group_max_active(const struct drmperf_group *group);

/** Return how many instances there are; 1 for groups without copies. */
unsigned drmperf_group_instances(const struct drmperf_group *group);

/**
 * Return the number of dies behind the device of which only one is counted, as
 * DRMPERF_DIES requests; 1 if there is one die, or all of them are counted.
 */
unsigned drmperf_group_dies(const struct drmperf_group *group);

/**
 * Write where an instance sits, "se1.sa0.cu7"; "" for a group with one
 * instance.
 *
 * Writes at most size bytes, always terminated. Returns the length the whole
 * text needs, as snprintf() does; -EINVAL if there is no such instance.
 */
int drmperf_group_instance_name(const struct drmperf_group *group,
				unsigned instance, char *text, size_t size);

/**
 * Return the group's events: index in the device's list of the first, and
 * number. They are read from their table when first asked for; 0 as
 * drmperf_event_count().
 */
size_t drmperf_group_first_event(const struct drmperf_group *group);
size_t drmperf_group_event_count(const struct drmperf_group *group);

/**
 * Find the highest number by which the hardware selects an event of a block;
 * not each one up to it need have a name, see drmperf_group_find_id() and
 * drmperf_group_event().
 *
 * Returns 0; -ENOTSUP if the group is no block of an AMD GPU.
 */
int drmperf_group_max_id(const struct drmperf_group *group, uint32_t *out);

/**
 * Return the shader stages, DRMPERF_STAGE_*, that events of this group can tell
 * apart: those that the GPU has, if struct drmperf_session_options can limit
 * these events to some of them; else 0.
 */
uint64_t drmperf_group_stages(const struct drmperf_group *group);

/* ------------------------------------------------------------------ */
/* Events                                                               */

enum drmperf_unit {
	DRMPERF_UNIT_NONE, /* a plain count whose thing the description names */
	DRMPERF_UNIT_CYCLES,
	DRMPERF_UNIT_BYTES,
	DRMPERF_UNIT_KIBIBYTES,
	DRMPERF_UNIT_NANOSECONDS,
	DRMPERF_UNIT_MICROSECONDS,
	DRMPERF_UNIT_HERTZ,
	DRMPERF_UNIT_MEGAHERTZ,
	DRMPERF_UNIT_PERCENT,
	DRMPERF_UNIT_RATIO,
	DRMPERF_UNIT_WAVES,
	DRMPERF_UNIT_THREADS,
	DRMPERF_UNIT_INSTRUCTIONS,
	DRMPERF_UNIT_REQUESTS,
	DRMPERF_UNIT_EVENTS,
	DRMPERF_UNIT_PIXELS,
	DRMPERF_UNIT_TEXELS,
	DRMPERF_UNIT_PRIMITIVES,
	DRMPERF_UNIT_VERTICES,
	DRMPERF_UNIT_MESSAGES,
	DRMPERF_UNIT_CACHE_LINES,
	DRMPERF_UNIT_BYTES_PER_SECOND,
	DRMPERF_UNIT_WATTS,
	DRMPERF_UNIT_MILLIWATTS,
	DRMPERF_UNIT_JOULES,
	DRMPERF_UNIT_MILLIVOLTS,
	DRMPERF_UNIT_MILLIDEGREES_CELSIUS,
	DRMPERF_UNIT_QUADS,
	DRMPERF_UNIT_TILES,
	DRMPERF_UNIT_FRAGMENTS,
	DRMPERF_UNIT_SAMPLES,
	DRMPERF_UNIT_EXPORTS,
	DRMPERF_UNIT_GROUPS, /* of threads, waves, quads or tiles */
	DRMPERF_UNIT_NODES,
	DRMPERF_UNIT_PACKETS,
	DRMPERF_UNIT_OPERATIONS,
	DRMPERF_UNIT_DWORDS,
	DRMPERF_UNIT_SECTORS,
	DRMPERF_UNIT_TAGS,
	DRMPERF_UNIT_BEATS, /* of a bus */
	DRMPERF_UNIT_ENTRIES, /* what a queue or buffer holds */
	/* the number present (waves, ...) in each cycle, summed over cycles */
	DRMPERF_UNIT_WAVE_CYCLES,
	DRMPERF_UNIT_INSTRUCTION_CYCLES,
	DRMPERF_UNIT_REQUEST_CYCLES,
	DRMPERF_UNIT_ENTRY_CYCLES,
	DRMPERF_UNIT_MICROJOULES,
	DRMPERF_UNIT_RAYS, /* of ray tracing */
	DRMPERF_UNIT_FLAG, /* 1: it is so; 0: it is not */
	DRMPERF_UNIT_LANES, /* of a link */
	DRMPERF_UNIT_MEGATRANSFERS_PER_SECOND, /* of a lane */
	DRMPERF_UNIT_REVOLUTIONS_PER_MINUTE,
	DRMPERF_UNIT_MILLIAMPERES,
	/* steps of the GPU's firmware; the event's description says more */
	DRMPERF_UNIT_STEPS,
	DRMPERF_UNIT_COUNT
};

enum drmperf_type {
	DRMPERF_TYPE_UINT64,
	DRMPERF_TYPE_DOUBLE,
};

enum drmperf_kind {
	DRMPERF_KIND_CUMULATIVE, /* grows from start; values of parts add up */
	DRMPERF_KIND_AVERAGE,	 /* computed over the time since start */
	DRMPERF_KIND_MOMENTARY,	 /* as of the time of reading */
};

enum drmperf_scope {
	/* Everything that runs on the device, of all processes. */
	DRMPERF_SCOPE_DEVICE,
	/*
	 * Graphics work, and compute work of queues that allow counting; the
	 * compute work of other processes can be missing.
	 */
	DRMPERF_SCOPE_QUEUE,
	/*
	 * Only what the calling process submitted; of CPUs, what the session's
	 * option pid says.
	 */
	DRMPERF_SCOPE_PROCESS,
};

/** Return the unit's plain name, "cycles"; "" for DRMPERF_UNIT_NONE. */
const char *drmperf_unit_name(enum drmperf_unit unit);

/**
 * Return the number of events of a device. The first call reads the tables of
 * all its groups; a group whose table is malformed has no events, which is
 * logged.
 *
 * Returns 0 if the device is not open; if memory is short; and in a forked
 * child whose parent had not called this before. A caller that gets 0 for an
 * open device, in the process that made the state, should call again: the next
 * call may return more. A number above 0 does not change.
 */
size_t drmperf_event_count(const struct drmperf_device *device);

/**
 * Return the event with this index, or NULL. Groups are not mixed in the order.
 */
const struct drmperf_event *
drmperf_event_at(const struct drmperf_device *device, size_t index);

/** Return the name without device and instance: "amdgpu::SQ.WAVES". */
const char *drmperf_event_name(const struct drmperf_event *event);
const char *drmperf_event_description(const struct drmperf_event *event);
const struct drmperf_group *
drmperf_event_group(const struct drmperf_event *event);
struct drmperf_device *drmperf_event_device(const struct drmperf_event *event);
enum drmperf_unit drmperf_event_unit(const struct drmperf_event *event);
enum drmperf_type drmperf_event_type(const struct drmperf_event *event);
enum drmperf_kind drmperf_event_kind(const struct drmperf_event *event);
enum drmperf_scope drmperf_event_scope(const struct drmperf_event *event);

/** Return how many values ":instance=" may take; 0: it has no instances. */
unsigned drmperf_event_instances(const struct drmperf_event *event);

/**
 * Return how many values ":die=" may take: the dies that a plain counter is
 * summed over. 0: it is of one die, or computed from others.
 */
unsigned drmperf_event_dies(const struct drmperf_event *event);

/**
 * Return whether this process may count the event, as far as the kernel's files
 * show: false if a sysctl reserves one of its counters to processes with
 * CAP_PERFMON, or if its expression is malformed.
 */
bool drmperf_event_may_count(const struct drmperf_event *event);

/**
 * Write the event's name in ROCm's spelling, "SQ_WAVES" for "amdgpu::SQ.WAVES".
 * drmperf_event_find() takes it too, behind "DRIVER::", where it is
 * unambiguous.
 *
 * Writes at most size bytes, always terminated, and returns the length the
 * whole name needs, as snprintf() does.
 */
int drmperf_event_rocm_name(const struct drmperf_event *event, char *text,
			    size_t size);

/** Return true for a value computed by an expression, false for a counter. */
bool drmperf_event_is_metric(const struct drmperf_event *event);

/**
 * Return in *out the number by which the hardware selects the event in its
 * block, as in AMD's own interfaces (VK_AMD_gpa_interface, GPUPerfAPI,
 * rocprofiler).
 *
 * Returns 0; -ENOTSUP if it is no counter of a block.
 */
int drmperf_event_id(const struct drmperf_event *event, uint32_t *out);

/**
 * Find the event of a block with this number; of several, the one listed first.
 *
 * Returns 0; -ENOENT if the tables have none; -ENOTSUP as
 * drmperf_group_max_id(); -EBADMSG if the table is malformed; -ENOMEM; -ECHILD.
 */
int drmperf_group_find_id(const struct drmperf_group *group, uint32_t id,
			  const struct drmperf_event **out,
			  struct drmperf_error *error);

/**
 * Find the event of a block with this number, or make it if no table has a name
 * for it; the next call then returns that event. Its name is the number,
 * "amdgpu::SQ.37", by which drmperf_event_find() knows it from then on; it is
 * not listed. The library does not know what it counts: its unit is
 * DRMPERF_UNIT_NONE.
 *
 * Returns 0; -ERANGE if the number is beyond drmperf_group_max_id(); the errors
 * of drmperf_group_find_id() but for -ENOENT.
 */
int
drmperf_group_event(const struct drmperf_group *group, uint32_t id,
		    const struct drmperf_event **out,
		    struct drmperf_error *error);

/** An event and the instance meant: what plans and sessions are made of. */
struct drmperf_selection {
	const struct drmperf_event *event;
	int instance; /* or DRMPERF_ALL_INSTANCES; also _INSTANCE_ON_DIE() */
};

/**
 * Find an event by its name, with or without device and instance.
 *
 * Opens the devices that may be meant, if need be; a name with ":device=" needs
 * only that one. A name as drmperf_event_name() gives it needs the table of one
 * group to be read; other spellings need them all, once.
 *
 * Returns 0; -ENOENT if there is no such event, with the nearest names as
 * remedy; -ENODEV if there is no such device; -ERANGE if there is no such
 * instance; -EINVAL if the name is not of the right form; -EBADMSG if the table
 * or the expression is malformed; the errors of drmperf_device_open().
 */
int drmperf_event_find(struct drmperf *drmperf, const char *name,
		       struct drmperf_selection *out,
		       struct drmperf_error *error);

/**
 * Write the full name of a selection, with ":device=" except for events of
 * CPUs, and with ":die=" and ":instance=" if it selects one.
 *
 * Writes at most size bytes, always terminated, and returns the length the
 * whole name needs, as snprintf() does.
 */
int drmperf_selection_name(const struct drmperf_selection *selection,
			   char *text, size_t size);

/* ------------------------------------------------------------------ */
/* Plans                                                                */

/** Options of drmperf_plan_create(); zero means default in every member. */
struct drmperf_plan_options {
	size_t size; /* sizeof(struct drmperf_plan_options) */
	/*
	 * How long to search for fewer passes; 0: 100 ms. The search counts
	 * steps, at the speed of a typical machine, and not time: so every
	 * machine finds the same passes. Few lists take a tenth of it.
	 */
	uint64_t budget_ns;
	/*
	 * Allow a metric whose counters fit no single pass to be spread over
	 * several; without it such a metric is an error.
	 */
	bool cut_metrics;
	/* Fail with -ENOSPC where more passes than this are needed; 0: any. */
	unsigned max_passes;
};

/**
 * Why events do not fit: a group is too small for the counters that they need.
 */
struct drmperf_conflict {
	/*
	 * The group, or NULL when a setting shared by several is the cause;
	 * then limit is 1.
	 */
	const struct drmperf_group *group;
	unsigned limit;	   /* counters it can hold at once */
	unsigned wanted;   /* counters the events need of it */
	size_t event;	   /* index of the event that no longer fitted */
	/*
	 * Indices of the events that fill the group; none: event alone does not
	 * fit.
	 */
	const size_t *holders;
	size_t holder_count;
	/* "leave out one of ...", the smallest change that makes it fit. */
	const char *remedy;
	/* All of this as a sentence, with the names of event and holders. */
	const char *cause;
};

/**
 * Cut events into the fewest passes. Touches no hardware.
 *
 * The same list always gives the same passes. *out is released with
 * drmperf_plan_destroy().
 *
 * Returns 0; -ENOSPC if max_passes do not suffice; -E2BIG if a metric fits no
 * pass and cut_metrics is not set; -EINVAL if count is 0 or an instance is not
 * there; -ENOMEM; -EBADMSG if an expression is malformed; -ECHILD. With -ENOSPC
 * and -E2BIG the error tells the group, its limit and what fills it.
 */
int drmperf_plan_create(struct drmperf *drmperf,
			const struct drmperf_selection *selections,
			size_t count,
			const struct drmperf_plan_options *options,
			struct drmperf_plan **out, struct drmperf_error *error);

/** Release a plan. NULL is allowed. */
void drmperf_plan_destroy(struct drmperf_plan *plan);

size_t drmperf_plan_passes(const struct drmperf_plan *plan);

/**
 * Return the events of a pass, as indices into the list the plan was made from,
 * in rising order. Lives as long as the plan. A metric that was cut stands in
 * every pass that has a part of it. *count is 0, and NULL is returned, if there
 * is no such pass.
 */
const size_t *drmperf_plan_pass_events(const struct drmperf_plan *plan,
				       size_t pass, size_t *count);

/** Return a lower bound of the number of passes of any plan of the events. */
size_t drmperf_plan_lower_bound(const struct drmperf_plan *plan);

/** Return true if drmperf_plan_passes() is proved to be the fewest possible. */
bool drmperf_plan_is_proved(const struct drmperf_plan *plan);

/** Return true if the event with this index had to be cut. */
bool drmperf_plan_event_is_cut(const struct drmperf_plan *plan, size_t event);

/**
 * Return the counters of an event that was cut which a pass counts, to be
 * selected in its place. The caller then has to compute the event's own value,
 * since its counters come from different runs.
 *
 * A counter that accumulate() puts behind another one is among them, though
 * drmperf_event_find() does not know it: it means nothing on its own.
 *
 * Lives as long as the plan. *count is 0, and NULL is returned, if the event is
 * not in this pass or was not cut, and if there is no such pass.
 */
const struct drmperf_selection *
drmperf_plan_event_counters(const struct drmperf_plan *plan, size_t pass,
			    size_t event, size_t *count);

/**
 * Explain why pass number pass - 1 could not hold the first event of pass, or,
 * if that event was cut, why no pass can. Returns NULL for pass 0, and if there
 * is no such pass. The conflict lives as long as the plan.
 */
const struct drmperf_conflict *
drmperf_plan_conflict(const struct drmperf_plan *plan, size_t pass);

/* ------------------------------------------------------------------ */
/* Metric groups                                                        */

/** Events of a device that belong to one question, such as "memory". */
struct drmperf_metric_group {
	const char *name;	 /* "memory" */
	const char *description; /* of the question */
	/* The events of the group that the device has, the best first. */
	const struct drmperf_event *const *events;
	size_t event_count;
};

struct drmperf_metric_groups {
	const struct drmperf_metric_group *list;
	size_t count;
};

/**
 * Make the list of metric groups of a device, from the event tables of its
 * driver; groups of which it has no event are left out, so the list may be
 * empty. The first, "default", is meant for users without a particular
 * question, and fits one pass; others may take several. The device is opened,
 * if it is not.
 *
 * *out is released with drmperf_metric_groups_destroy(); its events and texts
 * live no longer than the device's others. Safe in several threads at once.
 *
 * Returns 0; the errors of drmperf_device_open(); -EBADMSG, naming file and
 * line, if a table is malformed; -ENOMEM; -ECHILD.
 */
int drmperf_metric_groups_create(struct drmperf_device *device,
				 struct drmperf_metric_groups **out,
				 struct drmperf_error *error);

/** Release them. NULL is allowed. */
void drmperf_metric_groups_destroy(struct drmperf_metric_groups *groups);

/** The most that a GPU can do of something: clocks times units times widths. */
struct drmperf_peak {
	const char *group;	 /* the metric group it belongs to: "memory" */
	const char *name;	 /* "bandwidth" */
	const char *description; /* what is multiplied */
	/* The peak limits their sum; all in one unit, all cumulative. */
	const struct drmperf_event *const *events;
	size_t event_count;
	double per_second; /* of that sum, in that unit */
	/*
	 * An upper bound: the true peak may be lower, and percentages of it
	 * higher.
	 */
	bool is_bound;
	/* Floating-point operations per unit; 0: the unit counts none. */
	double operations;
	bool operations_are_most; /* it may be fewer */
};

struct drmperf_peaks {
	const struct drmperf_peak *const *list;
	size_t count;
	/*
	 * Peaks that are not known, such as that of memory which neither kernel
	 * nor firmware describes: per_second is 0, and the description gives
	 * the reason.
	 */
	const struct drmperf_peak *const *unknown;
	size_t unknown_count;
};

/**
 * Make the list of peaks that are known of a device: those of the event tables
 * for whose events, clocks and widths the device has numbers. The list may be
 * empty. The device is opened, if it is not.
 *
 * *out is released with drmperf_peaks_destroy(). Returns the errors of
 * drmperf_metric_groups_create(); safe in several threads at once.
 */
int drmperf_peaks_create(struct drmperf_device *device,
			 struct drmperf_peaks **out,
			 struct drmperf_error *error);

/** Release them. NULL is allowed. */
void drmperf_peaks_destroy(struct drmperf_peaks *peaks);

/** A range of a value that was counted: from <= value < below. */
struct drmperf_condition {
	/* Their values are added; those that were not counted are left out. */
	const struct drmperf_event *const *events;
	size_t event_count;
	const struct drmperf_event *per; /* in percent of this event, or NULL */
	bool of_peak;			 /* in percent of the events' peak */
	/* Values are in the events' units; -INFINITY, INFINITY: no limit. */
	double from, below;
};

/** A conclusion that holds where all conditions hold in one session. */
struct drmperf_verdict {
	const char *name; /* "memory-bandwidth" */
	const char *text; /* a sentence without its full stop */
	/* What to look at next, or NULL; "; " stands between several steps. */
	const char *next;
	const struct drmperf_condition *conditions;
	size_t condition_count;
	bool is_weak; /* uncertain: an input is not available */
	bool is_open; /* it explains why there is no conclusion */
};

struct drmperf_verdicts {
	const struct drmperf_verdict *list;
	size_t count;
};

/**
 * Make the list of verdicts of the event tables for a device, in their order:
 * the first one holds whose events were counted and whose conditions are met.
 * Verdicts that need an event which the device lacks are left out, so the list
 * may be empty. The device is opened, if it is not.
 *
 * *out is released with drmperf_verdicts_destroy(). Returns the errors of
 * drmperf_metric_groups_create(); safe in several threads at once.
 */
int drmperf_verdicts_create(struct drmperf_device *device,
			    struct drmperf_verdicts **out,
			    struct drmperf_error *error);

/** Release them. NULL is allowed. */
void drmperf_verdicts_destroy(struct drmperf_verdicts *verdicts);

/* ------------------------------------------------------------------ */
/* Formulas                                                             */

enum drmperf_operation {
	DRMPERF_OPERATION_CONSTANT, /* constant */
	DRMPERF_OPERATION_PART,	    /* the value of this part */
	DRMPERF_OPERATION_ADD,
	DRMPERF_OPERATION_SUBTRACT,
	DRMPERF_OPERATION_MULTIPLY,
	DRMPERF_OPERATION_DIVIDE, /* b = 0: as union drmperf_value says */
	DRMPERF_OPERATION_MINIMUM,
	DRMPERF_OPERATION_MAXIMUM,
	DRMPERF_OPERATION_EQUAL, /* 1 or 0, as the next three */
	DRMPERF_OPERATION_UNEQUAL,
	DRMPERF_OPERATION_LESS,
	DRMPERF_OPERATION_LESS_OR_EQUAL,
	DRMPERF_OPERATION_SELECT, /* b unless a is 0, else c */
};

/** One step: an operation on the values of steps a and b, and c for SELECT. */
struct drmperf_step {
	enum drmperf_operation operation;
	unsigned a, b, c; /* numbers of steps before this one */
	unsigned part;
	double constant;
};

/**
 * Make the formula of an event, for callers that count its parts and compute
 * the event themselves: applied to differences of the parts, the formula of an
 * average gives the average of the time between, which the difference of two
 * averages does not.
 *
 * The parts are events that can be counted by themselves; a plain counter is
 * its own part. Where the event takes the largest of a group's instances, the
 * parts are instances. The formula is made of doubles, and does not truncate.
 * For an event that several groups have ("i915::oa.GpuBusy") the formula is
 * that of the first one.
 *
 * *out is released with drmperf_formula_destroy(). Returns 0; -ENOTSUP if the
 * event is computed bit by bit, or from what cannot be counted by itself;
 * -ENOMEM; -EBADMSG if an expression is malformed; -ECHILD.
 */
int drmperf_formula_create(struct drmperf *drmperf,
			   const struct drmperf_selection *selection,
			   struct drmperf_formula **out,
			   struct drmperf_error *error);

/** Release a formula. NULL is allowed. */
void drmperf_formula_destroy(struct drmperf_formula *formula);

/** Return the parts, which live as long as the formula. */
const struct drmperf_selection *
drmperf_formula_parts(const struct drmperf_formula *formula, size_t *count);

/** Return the steps, at least one; the last one is the event's value. */
const struct drmperf_step *
drmperf_formula_steps(const struct drmperf_formula *formula, size_t *count);

/**
 * Return the value of steps, those of a formula say, from the values of parts,
 * which part() gives.
 *
 * results has count entries, which become the values of all steps; the last one
 * is returned, or NaN without steps. A quotient that divides by 0 is NaN, and
 * so are products and quotients of it; in whatever else is computed from it, it
 * counts as 0. Allocates nothing; safe in several threads at once.
 */
double
drmperf_formula_value(const struct drmperf_step *steps, size_t count,
		      double (*part)(const void *data, unsigned part),
		      const void *data, double *results);

/** The languages of drmperf_formula_text(). */
enum drmperf_language {
	DRMPERF_LANGUAGE_C, /* "a * (b + c)", "max(a, b)", "(a ? b : c)" */
	DRMPERF_LANGUAGE_BRIEF, /* as C, but "max(a, b, ..., d)" */
	DRMPERF_LANGUAGE_PARAPROF, /* TAU's: as C, + - * and / only */
	DRMPERF_LANGUAGE_CUBEPL, /* Cube's: as C, comparisons by sgn() */
	/*
	 * metrics.xml of ROCm: as C without blanks, and what is computed from
	 * all instances is "sum(NAME,64)", "avr(NAME,16)", "max(NAME,16)"
	 */
	DRMPERF_LANGUAGE_ROCM,
};

/** How drmperf_formula_text() writes. */
struct drmperf_formula_style {
	/* sizeof(struct drmperf_formula_style) as the caller was compiled */
	size_t size;
	enum drmperf_language language;
	/* those of the formula; NULL is allowed if name writes names */
	const struct drmperf_selection *parts;
	/*
	 * Writes the name of a part as snprintf() does. NULL means
	 * drmperf_selection_name(). DRMPERF_LANGUAGE_ROCM always has ROCm's
	 * names, with "[3]" for an instance.
	 */
	int (*name)(const void *data, unsigned part, char *text, size_t size);
	const void *data;
};

/**
 * Write steps, those of a formula say, as an expression.
 *
 * Writes at most size bytes, always terminated, and returns the length the
 * whole text needs, as snprintf() does; text may be NULL if size is 0. -ENOTSUP
 * if the language cannot say what is computed; -E2BIG if the text needs more
 * than a megabyte; -EINVAL without steps, or without names for parts; -ENOMEM.
 */
int
drmperf_formula_text(const struct drmperf_step *steps, size_t count,
		     const struct drmperf_formula_style *style, char *text,
		     size_t size);

/* ------------------------------------------------------------------ */
/* Clocks                                                               */

/**
 * Clock modes, held while a session counts or by drmperf_device_hold_clocks().
 */
enum drmperf_clock_mode {
	/*
	 * Leave the clocks alone if the counters count then; otherwise hold
	 * DRMPERF_CLOCK_PROFILING. Overridden by the environment variable
	 * DRMPERF_CLOCK.
	 */
	DRMPERF_CLOCK_AUTO,
	DRMPERF_CLOCK_DEFAULT,	  /* never touch them */
	DRMPERF_CLOCK_PROFILING,  /* stable, moderate clocks */
	DRMPERF_CLOCK_MIN_MEMORY, /* lowest memory clock */
	DRMPERF_CLOCK_MIN_ENGINE, /* lowest engine clock */
	DRMPERF_CLOCK_PEAK,	  /* highest clocks */
};

/**
 * Return "auto", "default", "profiling", "min-memory", "min-engine" or "peak".
 */
const char *drmperf_clock_mode_name(enum drmperf_clock_mode mode);

/** Find the mode of this name. Returns 0, or -EINVAL if there is none. */
int drmperf_clock_mode_find(const char *name, enum drmperf_clock_mode *out);

/**
 * The clocks of a device as they are; a member is 0 where it is not known. Set
 * size to sizeof(struct drmperf_clocks).
 */
struct drmperf_clocks {
	size_t size;
	enum drmperf_clock_mode mode; /* AUTO: the kernel does not say */
	/* mode that a session with DRMPERF_CLOCK_AUTO holds; DEFAULT: none */
	enum drmperf_clock_mode counting;
	uint64_t engine_hz;
	uint64_t engine_max_hz;
	uint64_t memory_hz;
	uint64_t memory_max_hz;
};

/**
 * Read a device's clocks. Returns 0; -ENOTSUP if its driver has no clock modes;
 * -EINVAL if out->size is too small; the errors of drmperf_device_open().
 */
int drmperf_device_clocks(struct drmperf_device *device,
			  struct drmperf_clocks *out,
			  struct drmperf_error *error);

struct drmperf_clock_hold; /* a clock mode being held */

/**
 * Hold a clock mode until the hold is released, or the process ends. If it is
 * set already, by another program or in sysfs, nothing is held, and the log
 * says so.
 *
 * Returns 0; -EBUSY if another mode is set; -ENOTSUP; -EINVAL for
 * DRMPERF_CLOCK_AUTO; -ECHILD; the errors of drmperf_device_open().
 */
int drmperf_device_hold_clocks(struct drmperf_device *device,
			       enum drmperf_clock_mode mode,
			       struct drmperf_clock_hold **out,
			       struct drmperf_error *error);

/**
 * Release the clocks. NULL is allowed.
 */
void drmperf_clock_hold_release(struct drmperf_clock_hold *hold);

/* ------------------------------------------------------------------ */
/* Queues                                                               */

/**
 * Write the commands that let events with DRMPERF_SCOPE_QUEUE see what a
 * compute queue of the caller's runs from there on (counts true), or no longer
 * see it: 32-bit words for the GPU's command processor (AMD: PM4), which the
 * caller submits in that queue. With DRMPERF_UNTESTED=TRACE.ALL traces of all
 * programs see it as well. *count becomes 0 if the GPU needs none. If words is
 * NULL, only *count is set.
 *
 * Returns 0; -ENOSPC if there are more than size; -ENOTSUP if the driver has no
 * such queues; the errors of drmperf_device_open().
 */
int drmperf_device_queue_commands(struct drmperf_device *device, bool counts,
				  uint32_t *words, size_t size, size_t *count,
				  struct drmperf_error *error);

struct drmperf_queue_hold; /* all compute queues of a GPU count */

/**
 * Have events with DRMPERF_SCOPE_QUEUE see all compute queues of a GPU, of all
 * processes, those that exist and those to come, until the hold is released or
 * the process ends. The hold takes the kernel's lock for profilers of AMD's
 * GPUs: no other profiler can take it during that time. It needs CAP_PERFMON.
 *
 * With uses_kfd of struct drmperf_options HSA, and HIP with it, does not start
 * in this process afterwards; without it the program drmperf-kfd holds the
 * lock, and it is that which needs CAP_PERFMON. A GPU may be held repeatedly.
 *
 * Returns 0; -EBUSY if another profiler holds the lock; -EALREADY if a process
 * that counts by this library holds it, until that process ends; -EACCES
 * without CAP_PERFMON, or if /dev/kfd may not be opened; -ENOTSUP if kernel or
 * driver have no such lock; -ECHILD; the errors of drmperf_device_open().
 */
int drmperf_device_hold_queues(struct drmperf_device *device,
			       struct drmperf_queue_hold **out,
			       struct drmperf_error *error);

/** Release the lock. NULL is allowed. */
void drmperf_queue_hold_release(struct drmperf_queue_hold *hold);

/* ------------------------------------------------------------------ */
/* Sessions                                                             */

/**
 * How recent the values of drmperf_session_read() must be.
 */
enum drmperf_read_mode {
	/* The environment variable DRMPERF_READ: "fenced" or "latest". */
	DRMPERF_READ_AUTO,
	/* Everything the device did before the call is in the values. */
	DRMPERF_READ_FENCED,
	/*
	 * The newest values known, without waiting. Only the first read after a
	 * start or a reset waits for a report of an Intel GPU, if none has come
	 * since: without one nothing is counted yet, and ratios have no value.
	 * An AMD GPU is sampled every millisecond by a thread while there are
	 * such reads; the first one after half a second without any takes a
	 * sample itself, and so do those of a session that joins others which
	 * began to count on the GPU in another mode.
	 */
	DRMPERF_READ_LATEST,
};

/** Stages of shaders, as bits. */
enum drmperf_stage {
	DRMPERF_STAGE_PS = 1 << 0, /* pixel */
	DRMPERF_STAGE_VS = 1 << 1, /* vertex */
	DRMPERF_STAGE_GS = 1 << 2, /* geometry */
	DRMPERF_STAGE_ES = 1 << 3, /* export */
	DRMPERF_STAGE_HS = 1 << 4, /* hull */
	DRMPERF_STAGE_LS = 1 << 5, /* local */
	DRMPERF_STAGE_CS = 1 << 6, /* compute */
	DRMPERF_STAGE_ALL = 0x7f,
};

/**
 * Receives raw sample data of the device, of Intel's OA units: one record of
 * i915's perf stream with its header, and now and then a record with the time
 * at which the newest report was taken, as i915-perf-recorder of
 * intel-gpu-tools writes it. Reports of xe, which have no headers, get those of
 * i915.
 * Called from a thread of the library, or from a call that reads a session, for
 * two devices perhaps at the same time; must neither block long nor call into
 * the library. Only one of the processes that share a stream gets its records;
 * in another one the start of a session with this function returns -EBUSY.
 */
typedef void (*drmperf_raw_fn)(void *data, struct drmperf_device *device,
			       const void *record, size_t size);

/** Options of drmperf_session_create(); zero means default everywhere. */
struct drmperf_session_options {
	size_t size; /* sizeof(struct drmperf_session_options) */
	enum drmperf_clock_mode clock;
	enum drmperf_read_mode read;
	drmperf_raw_fn raw; /* or NULL */
	void *raw_data;
	/*
	 * Events of CPUs: the process to count, with the threads it has at
	 * start, and threads and children it will have; 0: the calling process;
	 * -1: everything that runs. GPUs, and PMUs outside of the cores, do not
	 * know processes: their events are not affected.
	 */
	int pid;
	/*
	 * Shader stages, DRMPERF_STAGE_*, that alone are to be counted by
	 * events that can tell them apart: those of AMD's SQ, and of the
	 * texture units and caches that count what the SQ lets through. Stages
	 * that a GPU does not have are left out; its other events count as
	 * ever. 0: all. Sessions that count different stages cannot count at
	 * the same time. The member has 64 bits so that it does not lie in the
	 * padding of the structure that older callers have.
	 */
	uint64_t stages;
	/*
	 * Longest time between two raw records; the choice of another process
	 * that already counts on the GPU takes precedence. 0: some 100 us.
	 */
	uint64_t raw_period_ns;
	/*
	 * 1: drmperf_session_start() leaves out events that this machine cannot
	 * count, such as hardware events of a CPU whose counters a virtual
	 * machine hides, and sensors that do not answer; their selections have
	 * a status at each read, and the start fails only if nothing can be
	 * counted. Events refused for another reason (permission, counters in
	 * use) fail the start in any case. 0: any event that cannot be counted
	 * fails the start. 2: refused events are left out as well.
	 */
	uint64_t partial;
	/*
	 * 1: the session gives up counters of a GPU that another process needs.
	 * drmperf_session_is_wanted() says when; the caller stops the session
	 * then, and starts it again later. A start in another process that
	 * would be refused with -EBUSY waits for that, three seconds at most.
	 * A start with this option never asks other processes to yield, and is
	 * refused with -EBUSY while one asks. 0: other processes are refused.
	 */
	uint64_t yields;
};

/**
 * A value, in the member that drmperf_event_type() says.
 *
 * A double is NaN, which means n/a, where the event is a quotient that divides
 * by 0, such as the hit rate of a cache without requests. A quotient is a
 * division, or made of divisions by multiplication, negation and choice
 * (a ? b : c) alone. In sums and comparisons a quotient by 0 counts as 0, as in
 * other programs that evaluate such equations; so it does in an event that is
 * an integer, since integers have no value for n/a.
 */
union drmperf_value {
	uint64_t u64;
	double f64;
};

/**
 * Make a session out of events that fit one pass. Touches no hardware and
 * takes no exclusive resource. The same event may occur more than once.
 *
 * selections is copied. *out is released with drmperf_session_destroy().
 *
 * Returns 0; -ENOSPC if the events need more than one pass; -E2BIG if one
 * event alone does; -ENOTSUP if only some stages are to be counted, and none of
 * the events can tell them apart; -EINVAL, also if a GPU has none of these
 * stages; -ENOMEM.
 */
int drmperf_session_create(struct drmperf *drmperf,
			   const struct drmperf_selection *selections,
			   size_t count,
			   const struct drmperf_session_options *options,
			   struct drmperf_session **out,
			   struct drmperf_error *error);

/** Stop if need be and release a session. NULL is allowed. */
void drmperf_session_destroy(struct drmperf_session *session);

/** Return the number of values a read gives: one per selection. */
size_t drmperf_session_size(const struct drmperf_session *session);

/**
 * Begin to count, from zero. Work submitted after the return is counted.
 *
 * Sessions on one device share the hardware when their counters fit together,
 * each with its own base line: those of one process, and those of all processes
 * of a user. OA events of Intel GPUs fit together if they are of one set. The
 * environment variable DRMPERF_SHARE=0 keeps other processes out, or, where
 * these count already, this one.
 *
 * The kernel lets an Intel GPU change its metric set between pieces of work
 * that it can interrupt: behind a long one the call waits, as long as that
 * takes, and a warning in the log says so after a second.
 *
 * Returns 0; -EBUSY if another session has the device's counters, and both do
 * not fit together or its process does not share; -EACCES;
 * -ENODEV if the device has gone; -ETIME if it does not answer; -EALREADY if
 * the session is started; -ECHILD in a forked child; -EDEADLK in a thread of
 * the library's own, as where a tool measures every thread. Kernel PMUs:
 * -ENOSPC if they do not have enough counters, -ESRCH if there is no process
 * pid, -EAGAIN if it keeps starting threads while they are being looked up.
 * -EAGAIN also in a handler whose signal came while its thread was in a call of
 * the library, which is true of drmperf_session_reset() and
 * drmperf_session_stop(), too; drmperf_session_destroy() and drmperf_destroy()
 * do nothing there.
 */
int drmperf_session_start(struct drmperf_session *session,
			  struct drmperf_error *error);

/**
 * Read a started or stopped session: a value and a status per selection.
 *
 * values and statuses hold drmperf_session_size() entries each, in the order of
 * the selections. A status is 0 where the value is good, and a negative errno
 * value where there is none:
 *
 *   -EIO        counts were lost, or a sensor does not answer
 *   -ECANCELED  the GPU was reset, or drmperf_stop_all() ended the counting
 *   -ETIME      the GPU does not answer (an AMD GPU is waited for until the
 *               kernel resets it, and the log says so after 5 seconds)
 *   -ENODATA    the clock of the counters, or of one block of them, stood
 *               still, or a GPU sleeps whose sensors are asked for
 *   -EBUSY      another user took the counters of a kernel PMU
 *   -EOVERFLOW  too many files of a GPU are open for fdinfo
 *   -ENODEV     the GPU or PMU has gone, or this machine has no such event
 *   -ENOTSUP    this machine cannot count the event
 *
 * drmperf_session_explain() gives the reason as text. A value without a good
 * status must not be used; it is NaN if it is a double, and UINT64_MAX if not.
 * A value that is made of several counters has the status of the first one that
 * could not be read. Statuses of one read say nothing of the next: a sensor may
 * answer again. After -ECANCELED, -ENODEV and -ETIME of a GPU's counters its
 * selections have no value until the session is stopped and started again.
 *
 * A quotient by zero, which is NaN as union drmperf_value says, has status 0:
 * its counters were read, and it has a value as soon as there was some work.
 *
 * Values are in their events' units: since drmperf_session_start() or the last
 * drmperf_session_reset() for cumulative and average events, as of now for
 * momentary ones. *time_ns, unless NULL, becomes the time of the sample on
 * CLOCK_MONOTONIC. A stopped session gives the values and statuses that it had
 * when it stopped.
 *
 * statuses may be NULL: the read fails then if any selection has no value, with
 * the first of these statuses and its reason, and leaves values undefined.
 *
 * Allocates nothing, compares no strings, and formats nothing unless a source
 * fails; but what the kernel tells as text (fdinfo, sensors of i915) has to be
 * read. A signal handler has to call drmperf_session_try_read() instead.
 *
 * Returns how many selections have no value, 0 if all are good; -EINVAL if the
 * session was never started; -ECHILD; -EAGAIN in a handler whose signal came
 * while this thread was in a call of this library. On these errors values,
 * statuses and *time_ns are untouched.
 *
 * An Intel GPU's OA unit loses its metric set by a reset or the machine's
 * sleep, and what it counts then looks as if nothing ran. A sleep is noticed
 * (-EIO), and so is a reset of the whole GPU (-ECANCELED) with i915, which
 * reports it to processes with CAP_SYS_ADMIN. Resets of an engine, and without
 * that right all resets, are noticed with i915 once the GPU has worked for 2^30
 * of its clocks, half a second or more, in which all counters that the set
 * routes stood still, if they had moved before (-ECANCELED). With less work
 * than that, and with xe, a reset is not noticed: the member may_miss_resets of
 * struct drmperf_sample_info marks the values concerned.
 *
 * Counters of an Intel GPU reach its OA unit late. So the values of a span of
 * less than 500 of the GPU's clocks, a fraction of a microsecond, mean nothing,
 * and only from 5000 on are they certain, as Intel's Metrics Discovery says.
 */
int drmperf_session_read(struct drmperf_session *session,
			 union drmperf_value *values, int *statuses,
			 uint64_t *time_ns, struct drmperf_error *error);

/**
 * Explain why the value with this index is missing, as of the last read.
 *
 * Fills *out, unless it is NULL, with the status, its cause and a remedy, if
 * the status is not 0. The text is the caller's. After a read in a handler
 * there may be no more than the name of the status.
 *
 * Returns the status, 0 or a negative errno value; -EINVAL if there is no such
 * value or the session was never started, -ECHILD in a forked child: then *out
 * is filled as well.
 */
int drmperf_session_explain(const struct drmperf_session *session, size_t index,
			    struct drmperf_error *out);

/** How a value was sampled. Set size to sizeof(struct drmperf_sample_info). */
struct drmperf_sample_info {
	size_t size;
	/*
	 * The time that the value was counted for, up to the last read: by the
	 * GPU's own clock, taken with the counters, or by CLOCK_MONOTONIC
	 * where counters come without a clock, as those of the kernel.
	 */
	uint64_t elapsed_ns;
	int die; /* the one that was counted, of a GPU with several; or -1 */
	/*
	 * A reset of the GPU can pass unnoticed, and the value is too small
	 * then; true for Intel's OA units, see drmperf_session_read().
	 */
	bool may_miss_resets;
	/*
	 * The event that counts: that of the group in whose place
	 * "i915::oa.X" stands, else the selection's own.
	 */
	const struct drmperf_event *event;
};

/**
 * Report how the value with this index was sampled when it was read last: how
 * long it was counted, and on which die. A value has one time, that of the
 * domain of its first counter.
 *
 * Returns 0; -EINVAL if there is no such value, or out->size is too small;
 * -ECHILD.
 */
int
drmperf_session_sample_info(const struct drmperf_session *session, size_t index,
			    struct drmperf_sample_info *out);

/**
 * Return whether another process asks for counters of a GPU that the session
 * counts on. It costs a system call for each GPU, and none if the session is
 * not started or was created without the option "yields".
 */
bool drmperf_session_is_wanted(const struct drmperf_session *session);

/**
 * Read in a signal's handler: as drmperf_session_read(), without waiting for
 * another thread.
 *
 * May be called whatever the signal has interrupted, be it this library, libdrm
 * or malloc(), by the thread that uses the session. Takes no lock that is held,
 * allocates and frees nothing, and keeps errno. Values of an Intel GPU's OA
 * unit are those of the newest report that is known, as with
 * DRMPERF_READ_LATEST; in a session without that mode the first ones may be a
 * tenth of a second old, as its reports are read more often only once this is
 * called. An AMD GPU is waited for as ever.
 *
 * Returns what drmperf_session_read() does; -EAGAIN, with values, statuses and
 * *time_ns untouched, if the signal came while this thread was in a call of the
 * library, or if another thread is in one on a device of the session: what the
 * last read gave is then the newest there is. drmperf_session_read() gives
 * errors again, with cause and remedy.
 */
int drmperf_session_try_read(struct drmperf_session *session,
			     union drmperf_value *values, int *statuses,
			     uint64_t *time_ns);

/**
 * Set all counts to zero, without stopping.
 *
 * A source that cannot be read now is set to zero at the next read that
 * succeeds; drmperf_session_sample_info() reports for how long it has counted.
 *
 * Returns 0; -EINVAL; -ECHILD; the first bad status of the selections, after
 * all others have begun from zero.
 */
int drmperf_session_reset(struct drmperf_session *session,
			  struct drmperf_error *error);

/**
 * Stop counting; the values as of now stay readable. The hardware is left as
 * it was found even if an error is returned. A stopped session may be started
 * again.
 *
 * Returns 0; -EINVAL if the session is not started; -ECHILD; the first bad
 * status of the final values, which drmperf_session_read() then gives one by
 * one. Where all of these are good and the hardware, or the clocks it was
 * given, could not be put back, the error says that.
 */
int drmperf_session_stop(struct drmperf_session *session,
			 struct drmperf_error *error);

/**
 * End the counting of all sessions and all streams, before the process ends.
 *
 * If a process exits without stopping its sessions, a GPU's counters may go on
 * counting, and keep its clocks from resting: the kernel does not stop them.
 * An exit handler should therefore call this. Unlike other functions it may be
 * called while other threads are using the sessions: reading one of these, or a
 * stream, fails with -ECANCELED from then on. Sessions can be stopped, started
 * again and destroyed as ever. Sources that the kernel ends anyway (its PMUs,
 * sensors) may go on.
 *
 * Returns 0; -EBUSY if another call kept a device locked for a second, perhaps
 * one that a signal has interrupted: the device then counts on; -ECHILD in a
 * forked child.
 */
int
drmperf_stop_all(struct drmperf *drmperf, struct drmperf_error *error);

/* ------------------------------------------------------------------ */
/* Records, kept and counted later                                      */

/**
 * Write the header of a recorded stream: the facts needed to count, elsewhere
 * and later, the records of a device that the raw function of a started session
 * receives. *length becomes the header's length in bytes, of which the first
 * size are written. On i915 the header followed by the records is a file as
 * i915-perf-recorder writes it.
 *
 * Returns 0; -ENOTSUP if the device delivers no records, or those of several OA
 * units, or if its records cannot be counted elsewhere since their metric set
 * was put together from events; -EINVAL if the session is not started; -ECHILD;
 * -ENOMEM.
 */
int
drmperf_session_stream_header(struct drmperf_session *session,
			      const struct drmperf_device *device, void *buffer,
			      size_t size, size_t *length,
			      struct drmperf_error *error);

/**
 * Create a state with one open device, the GPU of a recording. header was
 * written by drmperf_session_stream_header(), or is the beginning of a file of
 * i915-perf-recorder, and has to stay where it is until drmperf_destroy(). The
 * device has the events of the metric set that was recorded. Its sessions count
 * the records that drmperf_session_replay() gives them.
 *
 * Returns 0; -EBADMSG if header is not valid; -ENOTSUP if there is no table of
 * the GPU, or it has no such set; the errors of drmperf_create().
 */
int
drmperf_create_replay(const struct drmperf_options *options, const void *head,
		      size_t size, struct drmperf **out,
		      struct drmperf_error *error);

/**
 * Count complete records in their order, up to the first report that is span_ns
 * later than the newest one counted before. The first call ends with the first
 * report, at which counting begins. *used becomes the number of bytes counted;
 * 0 if there is no complete record. Records of unknown types are left out.
 *
 * A read then gives the counts up to that report, and as time of the sample the
 * time of that report, by the last record that holds a report's time.
 *
 * Returns 0; -EIO if counts were lost before the report that *used ends with,
 * and all later ones would be wrong; -ENOTSUP if the device is not one of a
 * recording; -EINVAL if the session is not started; -ECHILD.
 */
int
drmperf_session_replay(struct drmperf_session *session, const void *records,
		       size_t size, uint64_t span_ns, size_t *used,
		       struct drmperf_error *error);

/* ------------------------------------------------------------------ */
/* Samples                                                              */

/*
 * Samples show where programs wait: the hardware looks at the threads of its
 * execution units again and again, and writes at which instruction they are and
 * whether it was issued, or why not. Shares of the sum of samples mean
 * something, cycles can at best be estimated from them, and they are never
 * counts of what an instruction did.
 */
struct drmperf_sampling; /* one device being sampled */

/** Options of drmperf_sampling_create(); zero means default in every member. */
struct drmperf_sampling_options {
	/* sizeof(struct drmperf_sampling_options) as compiled by the caller */
	size_t size;
	/*
	 * Clock cycles of the GPU between two samples: the longest period that
	 * the hardware has and that is not longer, else its shortest. 0: its
	 * longest, at which the fewest samples get lost.
	 */
	uint64_t period_cycles;
};

/** One reason why a sampled thread was where it was. */
struct drmperf_sample_reason {
	const char *name; /* "scoreboard" */
	const char *description; /* "waits for the result of a message ..." */
	bool issued; /* not a wait: the instruction was issued */
};

/** A sampling's parameters. The library fills it; new members come last. */
struct drmperf_sampling_info {
	uint64_t period_cycles;
	const struct drmperf_sample_reason *reasons;
	unsigned reason_count;
	/*
	 * 64: addresses are those of the GPU's address space. Fewer: they count
	 * from the base of the instruction heap, which is not reported, and
	 * this many low bits of the address of a kernel that lies at the
	 * beginning of such a window are comparable.
	 */
	unsigned address_bits;
	/*
	 * The samples are those of all programs that use the device; a sample
	 * does not name its program.
	 */
	bool of_all_programs;
};

/** Samples that came together. The library fills it; new members come last. */
struct drmperf_sample_batch {
	size_t count; /* records; several may have one address */
	const uint64_t *addresses; /* of instructions, in bytes */
	/*
	 * Numbers of samples: reason_count per record, record i from
	 * i * reason_count on.
	 */
	const uint32_t *samples;
	/*
	 * How often the hardware has reported since the last batch that it
	 * dropped samples for lack of room. It does not report how many.
	 */
	uint64_t losses;
};

/** Receives samples, within drmperf_sampling_read(). */
typedef void (*drmperf_samples_fn)(void *data,
				   const struct drmperf_sample_batch *batch);

/**
 * Begin to sample a device: EU stalls of Intel GPUs under xe from Xe2 on and of
 * Ponte Vecchio. Opens the device if need be. options may be NULL.
 *
 * The kernel gives the samples of a GPU to one process at a time; sessions are
 * not affected. *out is released with drmperf_sampling_destroy(), before the
 * struct drmperf that the device is of. One thread at a time uses it.
 *
 * Returns 0; -ENOTSUP if the GPU or the kernel cannot do that; -EBUSY if the
 * device is being sampled already; -EACCES; -ENODEV if it has gone; -EINVAL if
 * options->size is not plausible; -ENOMEM; -ECHILD; others of the kernel, and
 * those of drmperf_device_open().
 */
int
drmperf_sampling_create(struct drmperf_device *device,
			const struct drmperf_sampling_options *options,
			struct drmperf_sampling **out,
			struct drmperf_error *error);

/** End a sampling. NULL is allowed. */
void
drmperf_sampling_destroy(struct drmperf_sampling *sampling);

/** Return the sampling's parameters, valid as long as the sampling. */
const struct drmperf_sampling_info *
drmperf_sampling_info(const struct drmperf_sampling *sampling);

/**
 * Return a descriptor that poll() finds readable when there are samples, or
 * when they have ended; -1 in a forked child. The library owns it.
 */
int
drmperf_sampling_fd(const struct drmperf_sampling *sampling);

/**
 * Pass the available samples to receive, in one or more batches; never waits. A
 * loss that no samples follow yet is reported by an empty batch.
 *
 * Returns 0; -ECANCELED after a reset of the GPU, which ends the samples: they
 * begin again with a new sampling; -ENODEV if the GPU has gone; -EIO; -ECHILD.
 */
int
drmperf_sampling_read(struct drmperf_sampling *sampling,
		      drmperf_samples_fn receive, void *data,
		      struct drmperf_error *error);

/* ------------------------------------------------------------------ */
/* Streams                                                              */

/*
 * Streams show what counters do within microseconds: the GPU itself writes what
 * they have counted, every so many cycles of its clock, to memory that is read
 * while it does. They count the work of all programs.
 */
struct drmperf_stream; /* events of one device being streamed */

/** Options of drmperf_stream_create(); zero means default in every member. */
struct drmperf_stream_options {
	/* sizeof(struct drmperf_stream_options) as compiled by the caller */
	size_t size;
	/* Cycles of the GPU's clock in an interval; 0: 4096. */
	uint64_t period_cycles;
	/*
	 * 1: fork a process that ends the stream if this one is killed, or ends
	 * without drmperf_stream_destroy(); else the GPU streams on until the
	 * next process counts. drmperf_stream_destroy() waits for its end.
	 */
	uint32_t supervise;
	/*
	 * Clock mode to hold, as one that drmperf_device_hold_clocks() holds
	 * already; DRMPERF_CLOCK_AUTO: DRMPERF_CLOCK_PROFILING.
	 */
	enum drmperf_clock_mode clock;
	/*
	 * Bytes of the ring that the GPU writes samples to: those that are not
	 * read in time are overwritten. Up to 1 GiB; 0: 16 MiB.
	 */
	uint64_t buffer_size;
	/*
	 * 1: stream during the trace of the device that this struct drmperf has
	 * begun, with the trace's clocks. The stream ends before the trace, or
	 * with it.
	 */
	uint32_t beside_trace;
};

/** A stream's parameters. The library fills it; new members come last. */
struct drmperf_stream_info {
	uint64_t period_cycles;
	size_t sample_size; /* bytes that the GPU writes per interval */
};

/** Samples that came together. The library fills it; new members come last. */
struct drmperf_stream_batch {
	size_t count; /* samples */
	/* When the interval of each ended, on CLOCK_MONOTONIC. */
	const uint64_t *times_ns;
	/*
	 * Values of an interval alone, of cumulative events as well: one per
	 * selection and sample, those of sample i from i * selections on.
	 */
	const union drmperf_value *values;
	/* Counters that had no room for what they counted in an interval. */
	uint64_t saturated;
	/* How many times samples were overwritten before they were read. */
	uint64_t losses;
	/*
	 * Time stamps of the GPU at times_ns, as it has written them, by which
	 * samples are put beside what else it writes, such as a trace.
	 */
	const uint64_t *timestamps;
};

/** Receives samples, within drmperf_stream_read(). */
typedef void (*drmperf_stream_fn)(void *data,
				  const struct drmperf_stream_batch *batch);

/**
 * Check that events can be streamed with these options, without doing so.
 * Whether others use the GPU, and whether the clocks can be held, is only
 * checked when a stream begins. options may be NULL.
 *
 * Returns 0; -ENOSPC; -ENOTSUP; -EINVAL; -ENOMEM; -ECHILD.
 */
int
drmperf_stream_check(struct drmperf *drmperf,
		     const struct drmperf_selection *selections, size_t count,
		     const struct drmperf_stream_options *options,
		     struct drmperf_error *error);

/**
 * Begin to stream events of one device: counters of AMD GPUs of gfx10, gfx11
 * and gfx11.5, where they are enabled of gfx9 and gfx12, and what is computed
 * from them. Holds the clocks in a profiling mode, without which the GPU could
 * hang. options may be NULL.
 *
 * Nothing is counted in turns: events that do not fit together are refused. On
 * a GPU that streams nothing else counts, in this process or another.
 *
 * *out is released with drmperf_stream_destroy(), before drmperf is. One thread
 * at a time uses it.
 *
 * Returns 0; -ENOSPC if the events do not fit; -ENOTSUP if the GPU or an event
 * cannot be streamed, or the clocks cannot be held; -EBUSY if the GPU counts,
 * streams or is traced already, or another program holds the clocks; -EINVAL
 * without events, with those of several devices, or if an option is out of
 * range; -EACCES; -ENODEV; -ENOMEM; -ECHILD; others of the kernel.
 */
int
drmperf_stream_create(struct drmperf *drmperf,
		      const struct drmperf_selection *selections, size_t count,
		      const struct drmperf_stream_options *options,
		      struct drmperf_stream **out, struct drmperf_error *error);

/** End a stream. NULL is allowed. */
void
drmperf_stream_destroy(struct drmperf_stream *stream);

/** Return the stream's parameters, valid as long as the stream. */
const struct drmperf_stream_info *
drmperf_stream_info(const struct drmperf_stream *stream);

/**
 * Return a descriptor that poll() finds readable when it is time to read,
 * whether or not there are samples. The library owns it.
 */
int
drmperf_stream_fd(const struct drmperf_stream *stream);

/**
 * Pass the available samples to receive, in one or more batches; never waits.
 *
 * Returns 0; -ECANCELED after a reset of the GPU or drmperf_stop_all(), which
 * end the stream; -ECHILD.
 */
int
drmperf_stream_read(struct drmperf_stream *stream, drmperf_stream_fn receive,
		    void *data, struct drmperf_error *error);

/**
 * Return the buffer as the GPU has written it, up to what the last
 * drmperf_stream_read() has found: a header of 32 bytes, and samples of
 * sample_size bytes. Once it has been full, new samples replace old ones from
 * the header on. Each sample has lines of 16 values of 16 bits; first come the
 * four of its time stamp. Valid as long as the stream.
 */
const void *
drmperf_stream_ring(const struct drmperf_stream *stream, uint64_t *size);

/* ------------------------------------------------------------------ */
/* Traces                                                               */

/*
 * Traces show every wave of a GPU: each shader engine writes tokens, in AMD's
 * own format (SQTT), to a buffer until it is full. They are traces of waves
 * that run in the address space of the library's DRM file: that of this
 * process, where the library and the driver of its graphics or compute API have
 * one file by way of libdrm_amdgpu.
 */
struct drmperf_trace; /* one device being traced */

/** Options of drmperf_trace_create(); zero means default in every member. */
struct drmperf_trace_options {
	/* sizeof(struct drmperf_trace_options) as compiled by the caller */
	size_t size;
	/* size of each shader engine's buffer: bytes, up to 2 GiB; 0: 32 MiB */
	uint64_t buffer_size;
	/* 1: without tokens of instructions, which are most of a trace. */
	uint32_t omit_instructions;
	/*
	 * 1: waves of all programs, where the GPU has that and drmperf selftest
	 * has seen it work, or DRMPERF_UNTESTED=TRACE.ALL enables it.
	 */
	uint32_t all_programs;
	/*
	 * 1: fork a process that ends the trace if this one is killed, or ends
	 * without drmperf_trace_destroy(); else the GPU may write to memory
	 * that is no longer this process's. drmperf_trace_destroy() waits for
	 * its end.
	 */
	uint32_t supervise;
	/*
	 * Clock mode to hold, as one that drmperf_device_hold_clocks() holds
	 * already; DRMPERF_CLOCK_AUTO: DRMPERF_CLOCK_PROFILING.
	 */
	enum drmperf_clock_mode clock;
};

/** A trace's parameters. The library fills it; new members come last. */
struct drmperf_trace_info {
	uint64_t buffer_size; /* of each shader engine, in bytes */
	unsigned engine_count; /* that are traced */
	unsigned core_level; /* major version of the graphics core */
};

/** What an engine has written. The library fills it; new members come last. */
struct drmperf_trace_engine {
	unsigned engine; /* its number */
	/*
	 * Unit of its first array whose instructions are traced: a compute unit
	 * before gfx10, a workgroup processor since.
	 */
	unsigned unit;
	const void *data; /* valid until the next call on the trace */
	uint64_t size; /* bytes, a multiple of 32 */
	/*
	 * What the hardware counted as dropped; by Mesa's experience it can be
	 * above 0 in a trace that is whole.
	 */
	uint64_t dropped;
	uint32_t is_full; /* 1: what came after data is missing */
	uint32_t has_failed; /* 1: the engine could not write all of it */
	uint32_t is_unfinished; /* 1: the last tokens may be missing */
};

/** Receives what an engine has written, within drmperf_trace_end(). */
typedef void (*drmperf_trace_fn)(void *data,
				 const struct drmperf_trace_engine *engine);

/**
 * Check that a device can be traced with these options, without doing so.
 * Whether others use it, and whether the clocks can be held, is only checked
 * when a trace begins. Opens the device if need be. options may be NULL.
 *
 * Returns 0; -ENOTSUP; -EINVAL; the errors of drmperf_device_open().
 */
int
drmperf_trace_check(struct drmperf_device *device,
		    const struct drmperf_trace_options *options,
		    struct drmperf_error *error);

/**
 * Begin to trace a device: AMD GPUs of gfx10, gfx11 and gfx12, and of gfx9
 * where that is enabled. Opens the device if need be. Holds the clocks in a
 * profiling mode, without which the GPU could hang. options may be NULL.
 *
 * On a GPU that is traced nothing counts, in this process or another, and
 * nothing streams but beside the trace. Work that is given to the GPU before
 * the trace is not in it, and work of rings of compute may not be.
 *
 * *out is released with drmperf_trace_destroy(), before the struct drmperf that
 * the device is of. One thread at a time uses it.
 *
 * Returns 0; -ENOTSUP if the GPU cannot be traced, or the clocks cannot be
 * held; -EBUSY if the GPU counts, streams or is traced already, or another
 * program holds the clocks; -EINVAL if an option is out of range; -EACCES;
 * -ENODEV;
 * -ENOMEM; -ECHILD; others of the kernel, and those of drmperf_device_open().
 */
int
drmperf_trace_create(struct drmperf_device *device,
		     const struct drmperf_trace_options *options,
		     struct drmperf_trace **out, struct drmperf_error *error);

/** End a trace. NULL is allowed. */
void
drmperf_trace_destroy(struct drmperf_trace *trace);

/** Return the trace's parameters, valid as long as the trace. */
const struct drmperf_trace_info *
drmperf_trace_info(const struct drmperf_trace *trace);

/**
 * End the trace, unless it has ended, and pass what each engine has written to
 * receive, which may be NULL. Work that is to be in the trace must have ended.
 *
 * Returns 0; -ECANCELED after a reset of the GPU, which takes the trace away;
 * -ETIME if the GPU did not end it within a second: its memory is then kept,
 * and the GPU refuses other traces; -ECHILD.
 */
int
drmperf_trace_end(struct drmperf_trace *trace, drmperf_trace_fn receive,
		  void *data, struct drmperf_error *error);

/**
 * Begin the trace again, with buffers of twice the size if one was full. What
 * was written before is lost.
 *
 * Returns 0; -EINVAL if buffers cannot be larger; those of
 * drmperf_trace_create() and drmperf_trace_end(). After an error the trace can
 * only be destroyed, or be begun again.
 */
int
drmperf_trace_restart(struct drmperf_trace *trace, struct drmperf_error *error);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* DRMPERF_H */
