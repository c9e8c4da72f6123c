/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between the events that are asked for and the drivers that
 * count them.
 *
 * The code above it (device, catalog, plan, session) knows no register; the
 * drivers below it know no event's name, unit, sum or expression. Raw values
 * are unsigned 64-bit numbers per counter and instance that only ever grow
 * while a run lives, whatever width the hardware has; momentary counters
 * give the value at the time of the read.
 */
#ifndef DRMPERF_LIB_DRIVER_DRIVER_H
#define DRMPERF_LIB_DRIVER_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/description.h"
#include "driver/request.h"
#include "driver/sampling.h"
#include "driver/streaming.h"
#include "driver/tracing.h"
#include "drmperf.h"
#include "table/table.h"

/*
 * One more mode of reading, for signals' handlers: as DRMPERF_READ_LATEST, by a
 * sample that allocates and frees nothing, writes no log, and gives -EAGAIN
 * instead of waiting for a lock.
 */
#define DRIVER_READ_AT_ONCE \
	((enum drmperf_read_mode)(DRMPERF_READ_LATEST + 1))

/*
 * Some requests of a sample have values, the others a reason for having none.
 */
#define DRIVER_SAMPLE_PARTIAL 1

/* A sample that was submitted is still to be waited for. */
#define DRIVER_SAMPLE_PENDING 2

/*
 * A GPU in AMD's compute driver (KFD), and what a queue there wants in bytes:
 * for the state of one die, and of that the part for control; and for all dies.
 */
struct driver_kfd {
	uint32_t id; /* 0: it is not there */
	uint32_t save_size, control_size;
	uint64_t save_total;
};

/* A DRM device as sysfs shows it; nothing has been opened. */
struct driver_target {
	unsigned index;	      /* for messages only */
	const char *root;     /* goes before /sys: "" but in tests */
	const char *driver;   /* kernel driver's name */
	const char *address;  /* "0000:03:00.0" */
	const char *sysfs;    /* /sys/bus/pci/devices/ADDRESS */
	const char *render;   /* /dev/dri/renderD128, or "" */
	const char *primary;  /* /dev/dri/card0, or "" */
	uint32_t vendor_id;
	uint32_t device_id;
	/*
	 * GPUs of several dies may be cut into compute partitions, of which
	 * each is a device: how many there are at most, if more than one, and
	 * which this is. All other members but the nodes describe the whole
	 * GPU.
	 */
	unsigned partitions;
	unsigned partition;
	unsigned dies; /* behind the render node; 0: the kernel reports none */
	unsigned cus;  /* in all these dies; 0: the kernel reports none */
	struct driver_kfd kfd;
	bool uses_kfd; /* of drmperf_options */
	struct table_path tables;
	/*
	 * Tables the user named, in order, of every driver; table_is_for()
	 * finds those for this one. Their metrics are added by the catalog;
	 * their blocks are the driver's to read, after its own table: an event
	 * replaces an earlier one of the same group and name.
	 */
	const struct table *const *user_tables;
	size_t user_table_count;
	/*
	 * The header of a recording, which describes the GPU in place of the
	 * kernel, for a GPU that is not in this machine; else NULL.
	 */
	const void *recorded;
	size_t recorded_size;
	struct log_sink log;
};

struct run_options {
	enum drmperf_clock_mode clock;
	drmperf_raw_fn raw;
	void *raw_data;
	struct drmperf_device *raw_device; /* second argument of raw */
	uint64_t raw_period_ns; /* wanted by the starting session, or 0 */
	int pid; /* of drmperf_session_options: process CPU events count for */
	bool relaxed; /* the starting session needs no fences and no records */
	uint64_t stages; /* of drmperf_session_options; in the requests, too */
	uint64_t partial; /* of drmperf_session_options */
	bool yields; /* of drmperf_session_options */
};

/* Facts that a driver knows of the values that a run gave last. */
struct driver_origin {
	uint64_t clock; /* the GPU's own at that time, with any origin */
	uint64_t hz; /* of clock; 0: unknown */
	int die; /* the one that counts, of a GPU with several; or -1 */
	bool may_miss_resets; /* and values are too small then */
};

/* A piece of a recording; replay() takes no more than span_ns of it. */
struct raw_records {
	const uint8_t *data;
	size_t size;
	uint64_t span_ns;
};

/* A run, the driver's own, is counters of one domain that count together. */
struct domain_ops {
	/*
	 * Check that this process may count the selector, as far as files of
	 * the kernel show. NULL: what the domain says is true of each.
	 */
	bool (*may_count)(void *device, uint32_t selector);
	/*
	 * Note that one more session may count in the domain (on), or one less:
	 * what a start sets up may be kept until there is none. NULL: nothing
	 * is kept.
	 */
	void (*keep)(void *device, bool on);
	/*
	 * Take the domain and choose a slot for every request. Exclusive
	 * resources (the other processes' lock, the perf stream) are taken
	 * here. Requests with the same group and selector share a slot.
	 *
	 * -EBUSY if another process or program has the domain; -EACCES;
	 * -ENODEV; -ENOSPC if the requests do not fit, which callers have
	 * checked before.
	 */
	int (*arm)(void *device, const struct run_options *options,
		   const struct counter_request *requests, size_t count,
		   void **out, struct drmperf_error *error);
	/*
	 * After the GPU has gone and all runs are disarmed: replace its open
	 * files if it has come back. Returns 1 then, and arm may be tried
	 * again; 0 if it had not gone; -ENODEV; -errno. NULL: no file stays
	 * open.
	 */
	int (*reopen)(void *device);
	/*
	 * Derive from a counter's setting the one with which it counts only
	 * these shader stages, DRMPERF_STAGE_*. -EINVAL if the GPU has none of
	 * them. NULL: no counter can tell stages apart.
	 */
	int (*limit)(void *device, uint32_t setting, uint64_t stages,
		     uint32_t *out, struct drmperf_error *error);
	/*
	 * Replace the requests of an armed, possibly started run, so that
	 * those which stay keep their raw values and lose no count. NULL in
	 * domains that cannot: such a run is never shared.
	 */
	int (*change)(void *run, const struct counter_request *requests,
		      size_t count, struct drmperf_error *error);
	/* Begin to count. NULL where the kernel always does. */
	int (*start)(void *run, struct drmperf_error *error);
	/*
	 * Deliver raw records from now on. -EBUSY if another process gets them.
	 * NULL: records can always be delivered.
	 */
	int (*listen)(void *run, struct drmperf_error *error);
	/*
	 * Write the header of a recording: what a replay elsewhere needs to
	 * know of the device and the requests. *length becomes its length, of
	 * which what fits is written. NULL: records cannot be replayed.
	 */
	int (*stream_header)(void *run, void *buffer, size_t size,
			     size_t *length, struct drmperf_error *error);
	/*
	 * Count raw records of a recording, see drmperf_session_replay(). NULL:
	 * the device itself counts.
	 */
	int (*replay)(void *run, const struct raw_records *records,
		      size_t *used, struct drmperf_error *error);
	/*
	 * Raw values of all requests, in their order: one per request, or one
	 * per instance of its group for DRMPERF_ALL_INSTANCES. time_ns is
	 * CLOCK_MONOTONIC. Never allocates. DRIVER_SAMPLE_PARTIAL if missing()
	 * tells which requests have no value.
	 */
	int (*sample)(void *run, enum drmperf_read_mode mode,
		      uint64_t *raw, uint64_t *time_ns,
		      struct drmperf_error *error);
	/*
	 * The two halves of sample(), for several runs at once; both NULL where
	 * it hardly waits, or where values are PARTIAL. sample_submit() waits
	 * for locks alone. If it returns 0, sample_wait() is called by the
	 * same thread before any other function of the run, and again as long
	 * as it returns PENDING, which it may do when it is to wait briefly,
	 * some tenth of a second.
	 *
	 * Locks between processes may be held from sample_submit() to
	 * sample_wait(). So every caller submits several runs in the order of
	 * their devices, which is that of their places on the bus, and of a
	 * device's domains.
	 */
	int (*sample_submit)(void *run, enum drmperf_read_mode mode,
			     struct drmperf_error *error);
	int (*sample_wait)(void *run, bool briefly, uint64_t *raw,
			   uint64_t *time_ns, struct drmperf_error *error);
	/*
	 * Explain why the last sample has no value of a request: 0 if it has
	 * one, or a negative errno value. error may be NULL. NULL: a sample
	 * has all values or none; so it is in domains with change().
	 */
	int (*missing)(const void *run, size_t request,
		       struct drmperf_error *error);
	/*
	 * Report the origin of the last sample's values. Never waits. NULL: it
	 * is not known, and the clock is that of the sample.
	 */
	void (*origin)(const void *run, struct driver_origin *out);
	/*
	 * Stop counting. The hardware is left as found, even on error. NULL
	 * where the kernel goes on in any case.
	 */
	int (*stop)(void *run, struct drmperf_error *error);
	/* Release what arm took; stops if need be. */
	void (*disarm)(void *run);
	/*
	 * In a forked child: free memory and close descriptors that the child
	 * inherited, without any effect on the parent or the hardware.
	 */
	void (*abandon)(void *run);
};

struct driver {
	/*
	 * The kernel driver whose devices this one describes; NULL: it adds
	 * to the devices of every driver (the perf_event bridge).
	 */
	const char *name;
	/*
	 * Another driver whose tables also describe some of this driver's GPUs,
	 * or NULL: i915 and xe support the same GPUs in part.
	 */
	const char *tables_of;
	/*
	 * Open the device, find out what it is, and append what it can count.
	 * *out stays owned by the driver until release.
	 */
	int (*describe)(const struct driver_target *target,
			struct description *description, void **out,
			struct drmperf_error *error);
	/*
	 * Describe an event that cannot be listed since users put its name
	 * together: append the domains and groups that describe() gave, and the
	 * one event that is meant, listed, under any legal name, and perhaps
	 * the events that its expression uses, hidden. NULL in drivers of GPUs.
	 * *description is empty before; may be called by several threads at
	 * once.
	 *
	 * -ENXIO, without a complaint, if the part before "::" means nothing;
	 * -ENODEV if it means nothing here; -ENOENT; -EINVAL.
	 */
	int (*describe_named)(void *device, const char *name,
			      struct description *description,
			      struct drmperf_error *error);
	/*
	 * In drivers of recordings: return whether header begins a recording of
	 * this driver.
	 */
	bool (*recognizes)(const void *headerer, size_t size);
	/* Close the device; all runs are disarmed. */
	void (*release)(void *device);
	/* Close the device in a forked child, without effect on the parent. */
	void (*abandon)(void *device);
	/*
	 * Clock modes outside of runs; all three NULL where the driver has
	 * none. mode is neither AUTO nor out of range. *hold is the driver's;
	 * release_clocks ends the hold, or only frees it in a forked child.
	 */
	int (*clocks)(void *device, struct drmperf_clocks *out,
		      struct drmperf_error *error);
	int (*hold_clocks)(void *device, enum drmperf_clock_mode mode,
			   void **hold, struct drmperf_error *error);
	void (*release_clocks)(void *hold, bool is_child);
	/*
	 * Write commands for the caller to submit in a compute queue of its
	 * own, after which counters see that queue's work, or no longer do.
	 * With words NULL only *count is set. NULL: counters see all queues.
	 */
	void (*queue_commands)(const void *device, bool counts, uint32_t *words,
			       size_t *count);
	/*
	 * Make all compute queues count, of all processes: see
	 * drmperf_device_hold_queues(). *hold is the driver's; release_queues
	 * ends the hold, or only frees it in a forked child. Drivers with
	 * queue_commands have both.
	 */
	int (*hold_queues)(void *device, void **hold,
			   struct drmperf_error *error);
	void (*release_queues)(void *hold, bool is_child);
	/* NULL: the driver has no samples of instructions. */
	const struct sampling_ops *sampling;
};

/*
 * A kernel driver may have several entries: if one fails, the others' events
 * remain.
 */
extern const struct driver amdgpu_driver;
extern const struct driver amdgpu_sensor_driver;
extern const struct driver i915_driver;
extern const struct driver i915_recorded_driver; /* GPUs of recordings */
extern const struct driver i915_sensor_driver;
extern const struct driver xe_driver;
extern const struct driver xe_recorded_driver;
extern const struct driver xe_sensor_driver;
extern const struct driver perf_event_driver;
extern const struct driver fdinfo_driver;
extern const struct driver cpu_driver;

#endif /* DRMPERF_LIB_DRIVER_DRIVER_H */
