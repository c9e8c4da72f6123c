/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work for the GPU: the only place that calls libdrm_amdgpu, and the only one
 * that sees the kernel's structures.
 *
 * A queue is an open GPU. A channel is a context in which commands run, on a
 * ring of compute where there is one, so that they run beside the work that is
 * being measured. A buffer is memory that both GPU and CPU see.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_QUEUE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/amdgpu/gpu/chip.h"
#include "driver/amdgpu/gpu/topology.h"
#include "driver/amdgpu/submit/pm4.h"
#include "driver/driver.h"

struct queue;
struct channel;

/* What the kernel says about an open GPU. */
struct queue_info {
	struct chip_identity identity;
	struct topology_source shape;
	uint32_t timestamp_khz; /* of the GPU's clock; 0: not told */
	uint64_t engine_khz;	/* greatest clock of the graphics core */
	uint64_t memory_khz;
	unsigned wave_size;
	enum pm4_engine engine; /* of the ring that channels use */
	uint32_t firmware; /* version of the engine's; 0: not told */
};

/*
 * Open a render node. Submits nothing.
 *
 * Returns 0; -EACCES; -ENODEV; -ENOTSUP if the kernel's driver is too old or
 * the GPU has no ring to use; -ENOMEM; what the kernel returns.
 */
int queue_open(const struct driver_target *target, struct queue **out,
	       struct drmperf_error *error);
void queue_close(struct queue *queue);

/* In a forked child: close what it inherited, leaving the GPU alone. */
void queue_abandon(struct queue *queue);

const struct queue_info *queue_info(const struct queue *queue);
const char *queue_node(const struct queue *queue);

/* What the kernel's driver tells whenever it is asked. */
enum queue_sensor {
	QUEUE_GFX_SCLK, /* MHz */
	QUEUE_GFX_MCLK,
	QUEUE_STABLE_PSTATE_GFX_SCLK,
	QUEUE_STABLE_PSTATE_GFX_MCLK,
	QUEUE_PEAK_PSTATE_GFX_SCLK,
	QUEUE_PEAK_PSTATE_GFX_MCLK,
	QUEUE_GPU_LOAD,	     /* percent */
	QUEUE_GPU_TEMP,	     /* millidegrees Celsius */
	QUEUE_GPU_AVG_POWER, /* watts */
	QUEUE_GPU_INPUT_POWER,
	QUEUE_VDDNB, /* millivolts */
	QUEUE_VDDGFX,
	QUEUE_VRAM_USAGE, /* bytes */
	QUEUE_VIS_VRAM_USAGE,
	QUEUE_GTT_USAGE,
	QUEUE_VRAM_TOTAL,
	QUEUE_VIS_VRAM_TOTAL,
	QUEUE_GTT_TOTAL,
};

/*
 * One question, one answer; no command reaches the GPU. -EINVAL or -ENOENT if
 * GPU or kernel have no such sensor; -ENODEV if the GPU has gone; what else the
 * kernel returns.
 */
int queue_ask(const struct queue *queue, enum queue_sensor sensor,
	      uint64_t *out);

/* The clocks at this moment; 0: not known. */
uint32_t queue_engine_mhz(const struct queue *queue);
uint32_t queue_memory_mhz(const struct queue *queue);

/* ------------------------------------------------------------------ */

/*
 * Make a context. -EACCES, -ENOMEM, -ENODEV ..., or -ECANCELED if the GPU
 * cannot be brought back after a reset.
 */
int channel_create(struct queue *queue, struct channel **out,
		   struct drmperf_error *error);
void channel_destroy(struct channel *channel);
void channel_abandon(struct channel *channel);

const struct queue_info *channel_info(const struct channel *channel);

/* After a reset: go on in a fresh context. */
int channel_renew(struct channel *channel, struct drmperf_error *error);

enum channel_clock {
	CHANNEL_CLOCK_NORMAL,
	CHANNEL_CLOCK_STANDARD,
	CHANNEL_CLOCK_MIN_ENGINE,
	CHANNEL_CLOCK_MIN_MEMORY,
	CHANNEL_CLOCK_PEAK,
};

/*
 * Hold a stable power state as long as the context lives or until told
 * otherwise. -EBUSY if another context holds one; -EINVAL if the kernel does
 * not know how, or the GPU is too hot.
 */
int channel_set_clock(struct channel *channel, enum channel_clock clock);

/* What is held, by whatever context. -EINVAL if the kernel cannot say. */
int channel_get_clock(struct channel *channel, enum channel_clock *out);

/* ------------------------------------------------------------------ */

struct buffer {
	uint64_t address; /* for the GPU */
	void *memory;	  /* for the CPU */
	size_t size;
	struct buffer_object *object;
};

/* Zeroed memory. -ENOMEM or what the kernel returns. */
int buffer_create(struct channel *channel, size_t size, struct buffer *out,
		  struct drmperf_error *error);
void buffer_destroy(struct buffer *buffer);
void buffer_abandon(struct buffer *buffer);

/* A command buffer begins and ends at multiples of so many bytes. */
size_t channel_alignment(const struct channel *channel);

/*
 * Run the commands that lie in a buffer and wait until they have run: one
 * submission and one wait, nothing else.
 *
 * Returns 0; -ECANCELED after a reset of the GPU; -ETIME if it does not answer;
 * -ENODEV if it has gone; -ENOMEM; -EHWPOISON; what else the kernel returns.
 */
int channel_run(struct channel *channel, const struct buffer *buffer,
		size_t offset, size_t dwords, struct drmperf_error *error);

/* True if the GPU has been reset since the context was made. */
bool channel_was_reset(struct channel *channel);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_QUEUE_H */
