/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work for the GPU: the only place that calls libdrm_amdgpu, and the only one
 * that sees the kernel's structures.
 *
 * A queue is an open GPU. A channel is a context in which commands run, on the
 * rings of graphics and compute that there are. A buffer is memory that both
 * GPU and CPU see.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_QUEUE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/amdgpu/submit/queue_info.h"
#include "driver/driver.h"

struct queue;

/*
 * Open a render node. Submits nothing.
 *
 * Returns 0; -EACCES; -ENODEV; -ENOTSUP if the kernel's driver is too old or
 * the GPU has no ring to use; -ENOMEM; what the kernel returns.
 */
int queue_open(const struct driver_target *target, struct queue **out,
	       struct drmperf_error *error);
void queue_close(struct queue *queue);

/*
 * Put files of the GPU that is there now in the place of those of one that has
 * gone, libdrm's included: contexts and buffers of the old ones are lost, those
 * of other users of libdrm in this process as well, to whom they are dead.
 * Not for handlers of signals. Returns 1; 0 if the GPU was there all the
 * time; -ENODEV; -errno.
 */
int queue_reopen(struct queue *queue);

/* Close in a forked child what it inherited, leaving the GPU alone. */
void queue_abandon(struct queue *queue);

const struct queue_info *queue_info(const struct queue *queue);
const char *queue_node(const struct queue *queue);

/* Return the descriptor of the GPU's file that requests go to. */
int
queue_descriptor(const struct queue *queue);

/*
 * Open the compute driver's queue for commands on all dies of the GPU, unless
 * it is open. The errors of aql_open().
 */
int
queue_open_dies(struct queue *queue, const struct driver_kfd *gpu,
		struct drmperf_error *error);

/*
 * Hook called before each submission (used by the self-test); it must outlive
 * the queue. If it returns an error, the commands are not submitted, and the
 * submission fails with it.
 */
struct queue_observer {
	int (*submitting)(void *data, enum pm4_engine engine,
			  const uint32_t *dwords, size_t count);
	void *data;
};

void
queue_observe(struct queue *queue, const struct queue_observer *observer);

/*
 * Have the kernel read GRBM_STATUS of a shader engine by MMIO, for which it
 * sets GRBM_GFX_INDEX and back. 0, or -errno.
 */
int
queue_read_status(const struct queue *queue, unsigned engine);

/* Sensors that the kernel's driver reports whenever they are read. */
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

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_QUEUE_H */
