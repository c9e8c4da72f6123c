/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The seam of drmsim: what a simulated kernel driver gets from the simulator,
 * and what it has to supply.
 *
 * drmsim is one process, the server. It holds the state of all simulated GPUs
 * and plays the kernel for every process started below it. The preload library
 * in those processes forwards system calls on simulated files; each becomes a
 * struct sim_call here, is handled to its end or put to sleep, and is answered.
 * The server has one thread: a handler needs no lock and must not block.
 *
 * machine   everything simulated in one run of drmsim
 * gpu       one PCI function with DRM nodes, made by --gpu
 * driver    the stand-in of a kernel driver: one static const struct
 * file      an open file description of a DRM node (dup and fork share it)
 * stream    any other simulated file that can be read or polled: a perf
 *           stream, a perf event, a sync file
 * call      a system call being handled
 *
 * Handlers return 0 or a positive result, a negative errno, or SIM_SLEEP.
 */
#ifndef DRMSIM_SIM_H
#define DRMSIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/printf.h"
#include "base/text.h"

struct sim;
struct sim_bo;
struct sim_call;
struct sim_fence;
struct sim_file;
struct sim_gpu;
struct sim_stream;
struct sim_text;

#define SIM_NEVER UINT64_MAX

/* ------------------------------------------------------------------ */
/* Drivers                                                              */

/* Who may issue an ioctl, with the kernel's meaning of the same flags. */
enum sim_ioctl_flags {
	SIM_AUTH = 1,	/* an authenticated client, if on a primary node */
	SIM_MASTER = 2, /* the DRM master */
	SIM_ROOT = 4,	/* CAP_SYS_ADMIN */
	SIM_RENDER = 8, /* allowed on render nodes */
	SIM_SUBMIT = 16, /* wakes a runtime-suspended device and is counted
			    as a submission by --fault hang and reset */
};

struct sim_ioctl {
	/*
	 * The whole request code as in the kernel's header. As in the kernel
	 * a caller's request is matched by its number alone, and an argument
	 * of another size is cut or filled with zeros.
	 */
	unsigned long request;
	/* Lower case; --fault, the report and drmsim_calls() use it. */
	const char *name;
	unsigned flags;
	/* arg: a private copy of the caller's argument, zero filled. */
	int (*handle)(struct sim_call *call, struct sim_file *file, void *arg);
};

/* A piece of memory for mmap(): fd stays the driver's. */
struct sim_mapping {
	int fd;
	uint64_t offset;
};

struct sim_driver {
	const char *name; /* as DRM_IOCTL_VERSION and sysfs show it */
	const char *description;
	const char *date;
	int version[3];

	/* Every ioctl wakes a suspended device, not submissions only. */
	bool ioctls_wake;

	/* Driver ioctls, numbers from DRM_COMMAND_BASE on. */
	const struct sim_ioctl *ioctls;
	size_t ioctl_count;

	/*
	 * Make gpu->data from the lines of the GPU's description file and
	 * write whatever sysfs has beyond the files of every PCI and DRM
	 * device. Called once, in the order of PCI addresses.
	 */
	int (*probe)(struct sim_gpu *gpu, const struct sim_text *description);
	void (*remove)(struct sim_gpu *gpu);

	/*
	 * A scenario line, a "drmsim ctl set", or a --gpu option that is not
	 * one of the common ones. -ENOENT: no such key; -EINVAL: bad value.
	 */
	int (*set)(struct sim_gpu *gpu, const char *key, const char *value);

	/*
	 * Lines of /proc/PID/fdinfo/FD behind drm-driver, drm-client-id and
	 * drm-pdev: "drm-engine-gfx:\t12 ns". NULL: not even those three.
	 */
	void (*fdinfo)(struct sim_file *file, FILE *out);

	/* An open file description appears and goes; may use file->data. */
	int (*open)(struct sim_file *file);
	void (*close)(struct sim_file *file);

	/* mmap() of a node at an offset that an ioctl gave out. */
	int (*mmap)(struct sim_call *call, struct sim_file *file,
		    uint64_t offset, uint64_t length, struct sim_mapping *out);

	/*
	 * Time. next is the earliest moment, above or at now, at which
	 * something happens by itself; SIM_NEVER if nothing will. advance is
	 * called with that moment, or an earlier one, as now.
	 */
	uint64_t (*next)(const struct sim_gpu *gpu);
	void (*advance)(struct sim_gpu *gpu, uint64_t now);

	/*
	 * Virtual time was moved on by a command and stands still now: files
	 * that nobody sees being read are brought up to date. May be NULL.
	 */
	void (*settle)(struct sim_gpu *gpu);

	/*
	 * True while the hardware waits for memory that only a process can
	 * change: it is then advanced again every fraction of a millisecond,
	 * and virtual time does not run away from that process. May be NULL.
	 */
	bool (*polls)(const struct sim_gpu *gpu);

	/* The hardware loses its state, guilty or not: "reset-gpu". */
	void (*reset)(struct sim_gpu *gpu);
	/* Lines of the report, each beginning with the GPU's index. */
	void (*report)(struct sim_gpu *gpu, FILE *out);
	/* Handles of a file: the last one of a buffer object was closed. */
	void (*bo_closed)(struct sim_file *file, struct sim_bo *bo);
};

/* All drivers, NULL terminated: the one table to add a line to. */
extern const struct sim_driver *const sim_drivers[];

/* ------------------------------------------------------------------ */
/* GPUs                                                                 */

struct sim_gpu {
	struct sim *sim;
	const struct sim_driver *driver;
	unsigned index; /* order of PCI addresses, from 0 */
	char kind[32];	/* "vega10" */
	struct {
		unsigned domain, bus, device, function;
		uint16_t vendor, device_id, subvendor, subdevice;
		uint8_t revision;
		uint32_t class;
	} pci;
	char address[16]; /* "0000:03:00.0" */
	unsigned card;	  /* minor of the primary node; cardN */
	unsigned render;  /* minor of the render node, 128 + N */
	bool gone;	  /* unplugged: every call answers -ENODEV */
	bool gated_clock; /* --fault gated-clock */
	bool suspended;	  /* runtime power management has it asleep */
	bool has_hwmon;
	uint64_t resumes; /* how often it was woken */
	uint64_t submissions;
	int version[3];	  /* of its driver: the kernel that it needs */
	void *data;	  /* the driver's */
};

/*
 * Files of sysfs. path is relative to the PCI device's directory unless it
 * begins with '/', which is then below the simulated root ("/sys/...",
 * "/proc/sys/..."). Directories are made as needed; an existing file is
 * replaced. All abort the start of drmsim on failure, except when running.
 */
void sim_gpu_file(struct sim_gpu *gpu, const char *path, const char *format,
		  ...) SIM_PRINTF(3, 4);
void sim_gpu_link(struct sim_gpu *gpu, const char *path, const char *target);
void sim_gpu_remove_file(struct sim_gpu *gpu, const char *path);
/* Become a device of the class hwmon, with that name and the files named. */
void sim_gpu_add_hwmon(struct sim_gpu *gpu, const char *name);
void sim_gpu_hwmon_file(struct sim_gpu *gpu, const char *name,
			const char *format, ...) SIM_PRINTF(3, 4);
void sim_gpu_hwmon_remove(struct sim_gpu *gpu, const char *name);
/* What is called so in a folder, with all below it, goes or comes back. */
void sim_gpu_hide(struct sim_gpu *gpu, const char *folder, const char *name,
		  bool hide);
/*
 * What the file holds now: a simulated program may have written it. Returns
 * the number of bytes, at most size - 1, or -errno; text is terminated.
 */
ssize_t sim_gpu_read_file(struct sim_gpu *gpu, const char *path, char *text,
			  size_t size);

/* ------------------------------------------------------------------ */
/* Files of DRM nodes                                                   */

struct sim_file {
	struct sim_gpu *gpu;
	uint64_t id;	/* never 0, never used twice */
	bool primary;	/* opened through cardN */
	bool master;	/* DRM master of the primary node */
	bool authenticated;
	uint32_t magic;
	pid_t pid;	/* who opened it */
	unsigned client; /* drm-client-id */
	uint64_t opened; /* simulated time */
	void *data;	/* the driver's */
	struct sim_file_objects *objects; /* handles; object.c */
};

/* ------------------------------------------------------------------ */
/* Calls                                                                */

/* Handler result: ask again when anything has changed; see sim_call_sleep. */
#define SIM_SLEEP 1000000

/*
 * Sleep. The handler is called again, from its start and with a fresh copy
 * of its argument, whenever simulated time or any object has changed, until
 * it returns something else. deadline is simulated time, or SIM_NEVER; once
 * it has passed, sim_call_timed_out() is true in the next round and the
 * handler must come to an end. A signal in the calling process ends the call
 * with -EINTR.
 *
 * until: the moment the handler knows it will be satisfied, or SIM_NEVER if
 * it does not know. In virtual time a sleeping call moves the clock: to the
 * earlier of until and deadline, when the GPUs have nothing earlier to do.
 *
 * Returns SIM_SLEEP.
 */
int sim_call_sleep(struct sim_call *call, uint64_t deadline, uint64_t until);
bool sim_call_timed_out(const struct sim_call *call);
/*
 * A word kept between the rounds of one call, 0 in the first round: to keep a
 * deadline computed once.
 */
uint64_t *sim_call_memory(struct sim_call *call);

/* Convert an absolute CLOCK_MONOTONIC time to simulated time. */
uint64_t sim_call_deadline(struct sim_call *call, int64_t monotonic_ns);
/* The same for a duration, from the first round of the call on. */
uint64_t sim_call_timeout(struct sim_call *call, uint64_t ns);

pid_t sim_call_pid(const struct sim_call *call);
uid_t sim_call_uid(const struct sim_call *call);
/*
 * Whether the caller has the capabilities a driver may ask for: the machine's
 * setting, the same whoever runs the simulator.
 */
bool sim_call_is_privileged(const struct sim_call *call);

/*
 * Memory of the calling process. get reads at once; put is carried out when
 * the call is answered. -EFAULT as in the kernel.
 */
int sim_call_get(struct sim_call *call, void *to, uint64_t from, size_t size);
int sim_call_put(struct sim_call *call, uint64_t to, const void *from,
		 size_t size);
/* Text of `drmsim ctl`, which goes to no address. */
int sim_call_answer(struct sim_call *call, const void *text, size_t size);
/* How many of these bytes, from the first on, the process may write. */
size_t sim_call_writable(const struct sim_call *call, uint64_t to, size_t size);

/*
 * Give the caller a new descriptor for fd (a copy; fd stays ours), or for a
 * stream. The descriptor's number becomes the result of the call, or is
 * stored as an int at the caller's address `store` if that is not 0.
 */
int sim_call_give_fd(struct sim_call *call, int fd, bool cloexec,
		     uint64_t store);
int sim_call_give_stream(struct sim_call *call, struct sim_stream *stream,
			 bool cloexec, uint64_t store);
/* Where an int member of the running ioctl's argument is: for `store`. */
uint64_t sim_call_arg_address(const struct sim_call *call, size_t offset);

/* The file, stream or buffer behind a descriptor of the caller, or NULL. */
struct sim_file *sim_call_file_of(struct sim_call *call, int fd);
struct sim_stream *sim_call_stream_of(struct sim_call *call, int fd);
struct sim_bo *sim_call_bo_of(struct sim_call *call, int fd);

/* ------------------------------------------------------------------ */
/* Streams                                                              */

struct sim_stream_ops {
	const char *name; /* its read is counted as "NAME_read", its ioctls
			     as "NAME_ioctl" */
	/*
	 * read(): fill at most size bytes of the caller's buffer with
	 * sim_call_put(call, buffer, ...) and return their number, or
	 * -EAGAIN, or sleep if not nonblocking. NULL: -EINVAL.
	 */
	int (*read)(struct sim_call *call, struct sim_stream *stream,
		    uint64_t buffer, uint64_t size, bool nonblocking);
	/* arg is the caller's third argument, unread. NULL: -ENOTTY. */
	int (*ioctl)(struct sim_call *call, struct sim_stream *stream,
		     unsigned long request, uint64_t arg);
	/* NULL: -ENODEV. */
	int (*mmap)(struct sim_call *call, struct sim_stream *stream,
		    uint64_t offset, uint64_t length, struct sim_mapping *out);
	/* The last descriptor in all processes is gone, or they died. */
	void (*close)(struct sim_stream *stream);
};

/* gpu may be NULL. Returns 0; -EMFILE; -ENOMEM. */
int sim_stream_create(struct sim *sim, struct sim_gpu *gpu,
		      const struct sim_stream_ops *ops, void *data,
		      struct sim_stream **out);
void *sim_stream_data(const struct sim_stream *stream);
struct sim_gpu *sim_stream_gpu(const struct sim_stream *stream);
const struct sim_stream_ops *sim_stream_type(const struct sim_stream *stream);
/* As if it had been opened with O_NONBLOCK; before it is given away. */
void sim_stream_set_nonblocking(struct sim_stream *stream);
/* What poll(), select() and epoll of the owners see as POLLIN. */
void sim_stream_set_readable(struct sim_stream *stream, bool readable);

/* ------------------------------------------------------------------ */
/* Buffer objects, handles and fences                                   */

struct sim_bo {
	struct sim_gpu *gpu;
	uint64_t id;	/* unique on the machine */
	uint64_t size;	/* whole pages */
	uint8_t *memory; /* mapped in the server */
	int fd;		/* the memfd behind it */
	unsigned references;
	void *data;	/* the driver's, freed with free() */
	/* driver's words, for placement and flags */
	uint64_t domains, flags;
};

int sim_bo_create(struct sim_gpu *gpu, uint64_t size, struct sim_bo **out);
struct sim_bo *sim_bo_get(struct sim_bo *bo);
void sim_bo_put(struct sim_bo *bo);
/* Offset for mmap(), the same for all files of the GPU; and back. */
uint64_t sim_bo_mmap_offset(const struct sim_bo *bo);
struct sim_bo *sim_bo_by_mmap_offset(struct sim_file *file, uint64_t offset);

/* A handle takes a reference of its own. GEM_CLOSE is common code. */
int sim_handle_create(struct sim_file *file, struct sim_bo *bo, uint32_t *out);
/* Borrowed, or NULL. */
struct sim_bo *sim_handle_bo(struct sim_file *file, uint32_t handle);
bool sim_file_has_bo(struct sim_file *file, const struct sim_bo *bo);

/*
 * A fence is signalled once, with 0 or a negative errno; then every sleeping
 * call is asked again.
 */
struct sim_fence *sim_fence_create(struct sim *sim);
struct sim_fence *sim_fence_get(struct sim_fence *fence);
void sim_fence_put(struct sim_fence *fence);
void sim_fence_signal(struct sim_fence *fence, int error);
bool sim_fence_is_signaled(const struct sim_fence *fence);
int sim_fence_error(const struct sim_fence *fence);

/* Sync objects of a file; their ioctls are common code (syncobj.c). */
bool sim_syncobj_exists(struct sim_file *file, uint32_t handle);
/* point 0: the binary payload. Borrowed fence or NULL through *out. */
int sim_syncobj_fence(struct sim_file *file, uint32_t handle, uint64_t point,
		      struct sim_fence **out);
int sim_syncobj_replace(struct sim_file *file, uint32_t handle, uint64_t point,
			struct sim_fence *fence);
/* A descriptor for a fence as sync_file has it. */
int sim_call_give_sync_file(struct sim_call *call, struct sim_fence *fence,
			    uint64_t store);
/* A descriptor for a sync object of the caller. */
int sim_call_give_syncobj(struct sim_call *call, struct sim_file *file,
			  uint32_t handle, uint64_t store);

/* ------------------------------------------------------------------ */
/* Performance monitoring units                                         */

struct perf_event_attr;

struct sim_pmu {
	/*
	 * perf_event_open() for this type. attr is a private copy, zero
	 * filled beyond the caller's size. leader is the group's, or NULL.
	 * Ends with sim_call_give_stream().
	 */
	int (*open)(struct sim_call *call, void *data,
		    const struct perf_event_attr *attr, pid_t pid, int cpu,
		    struct sim_stream *leader, unsigned long flags);
};

/*
 * Register a PMU of the GPU and make its directory with `type`, which goes with
 * the GPU. Further files go below "/sys/bus/event_source/devices/NAME/" by
 * sim_gpu_file(). name is copied. Returns the type number, which is at least
 * SIM_PMU_TYPE.
 */
#define SIM_PMU_TYPE 1000
int sim_pmu_register(struct sim_gpu *gpu, const struct sim_pmu *pmu,
		     const char *name, void *data);

/* ------------------------------------------------------------------ */
/* The machine                                                          */

/* Simulated time in ns since the start; what GPU clocks derive from. */
uint64_t sim_now(const struct sim *sim);
bool sim_is_virtual(const struct sim *sim);
/* Anything a sleeping call may wait for has changed. */
void sim_wake(struct sim *sim);
/* A GPU's next moment moved: needed only outside of calls and advance. */

/* One line of --log; nothing is formatted without --log. */
void sim_log(struct sim *sim, const char *format, ...) SIM_PRINTF(2, 3);
/*
 * Something no well-behaved user of the hardware does. kind is a fixed word,
 * "broadcast-read"; repeated ones are counted, the first few keep their text.
 * pid 0: unknown.
 */
void sim_violation(struct sim_gpu *gpu, pid_t pid, const char *kind,
		   const char *format, ...) SIM_PRINTF(4, 5);
/* What the kernel side cleaned up after somebody: a line of the report. */
void sim_cleanup(struct sim_gpu *gpu, pid_t pid, const char *kind,
		 const char *format, ...) SIM_PRINTF(4, 5);
bool sim_is_strict(const struct sim *sim);

#endif /* DRMSIM_SIM_H */
