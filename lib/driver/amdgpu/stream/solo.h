/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What streams and traces have in common: each is alone on its GPU, at fixed
 * clocks and with the reserved VMID, and the GPU writes to its buffer until
 * commands end that, which a supervisor runs if the process is killed. A stream
 * can be the guest of a trace, whose clocks and VMID it uses then.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_STREAM_SOLO_H
#define DRMPERF_LIB_DRIVER_AMDGPU_STREAM_SOLO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/amdgpu/shared/clock_mode.h"
#include "driver/amdgpu/shared/slot_table.h"
#include "driver/amdgpu/stream/supervisor.h"
#include "driver/amdgpu/device/context.h"
#include "driver/amdgpu/device/pm4.h"

/* The time stamp, before the commands of the start have written it. */
#define SOLO_NOT_BEGUN UINT64_MAX

/* Data that the commands of the start store. */
struct solo_begun {
	uint64_t timestamp;
	uint32_t clock; /* RLC_PERFMON_CLK_CNTL as it was found */
	uint32_t fence; /* for waiting */
	struct pm4_samples samples; /* as well */
};

/* Words of complaints: "counters" that are "streamed", a "stream". */
struct solo_words {
	const char *what, *done, *name;
};

struct solo {
	const struct solo_words *words;
	struct gpu *gpu;
	struct slot_table *table;
	struct amd_context *ctx;
	enum drmperf_clock_mode clock_wanted; /* AUTO: profiling */
	struct clock_mode clock;
	bool has_vmid;
	bool is_guest;
	struct solo *host, *guest; /* NULL: there is none, or no more */
	bool is_started;
	bool is_left_on; /* the GPU may still write */
	bool is_supervised; /* it is to be */
	struct supervisor supervisor;
	struct buffer buffer; /* that the GPU writes to */
	/* in the buffer: 1 from the start to the end */
	_Atomic uint32_t *armed;
	struct solo_begun *begun; /* there as well */
	/*
	 * End it, whatever the context has seen. Returns 0, or why the GPU may
	 * still write.
	 */
	int (*finish)(void *data);
	void *data; /* of finish */
};

/* Refuse a GPU with which it is not possible: -ENOTSUP. */
int
solo_check_gpu(const struct gpu *gpu, const struct solo_words *words,
	       struct drmperf_error *error);

/* Open what members of the slot table have. words and gpu are set. */
int
solo_open(struct solo *solo, struct drmperf_error *error);

/* Begin to be alone: -EBUSY; -ENOTSUP. Caller holds the slot table's lock. */
int
solo_take(struct solo *solo, struct drmperf_error *error);

/*
 * Start the supervisor, if there is to be one, and say that the commands of the
 * start are about to run. Caller holds the slot table's lock.
 */
int
solo_start(struct solo *solo, struct drmperf_error *error);

/* Commit the start, whose commands have run. */
void
solo_commit(struct solo *solo);

/*
 * Run the commands that lie in the buffer, in a fresh context if that has seen
 * a reset, which takes none.
 */
int
solo_run_last(struct solo *solo, enum pm4_engine engine, size_t offset,
	      size_t dwords);

/* End it, so that others may count, stream and trace. */
void
solo_end(struct solo *solo);

/* Free everything. Memory that the GPU may still write to is not given back. */
void
solo_close(struct solo *solo, bool is_child);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_STREAM_SOLO_H */
