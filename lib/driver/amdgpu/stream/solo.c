/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/stream/solo.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "driver/amdgpu/perfcounter/domain.h"
#include "driver/amdgpu/device/vmid.h"

/* Work of others may hold the ring for so long; nothing is awaited longer. */
#define BEGIN_MS 2000

/* ------------------------------------------------------------------ */
/* Refusals                                                             */

int
solo_check_gpu(const struct gpu *gpu, const struct solo_words *words,
	       struct drmperf_error *error)
{
	if (amd_device_info(gpu->dev)->is_virtual) {
		error_set(error, -ENOTSUP,
			  "%s is a virtual function, whose %s cannot be %s",
			  amd_device_node(gpu->dev), words->what, words->done);
		error_remedy(error, "do that on the host, or count instead");
		return -ENOTSUP;
	}
	if (gpu->core.xccs)
		return error_set(error, -ENOTSUP,
				 "%s of GPUs with several dies cannot be %s",
				 words->what, words->done);
	return 0;
}

/* Hold the clocks: the GPU hangs if they change in the middle (Mesa). */
static int
hold_clocks(struct solo *solo, struct drmperf_error *error)
{
	const struct solo_words *words = solo->words;
	enum stable_pstate now = STABLE_PSTATE_NONE;
	int ret = clock_mode_choose(&solo->clock, solo->clock_wanted, true,
				    error);

	if (ret)
		return ret;
	solo->clock.optional = false;
	ret = clock_mode_hold(&solo->clock, solo->gpu, solo->ctx, error);
	if (ret == -EBUSY)
		error_remedy(error,
			     "end that program: %s are %s at fixed clocks",
			     words->what, words->done);
	else if (ret)
		error_remedy(
			error,
			"%s are %s at fixed clocks: clock modes need Linux "
			"5.17 and a GPU that is not too hot",
			words->what, words->done);
	if (ret)
		return ret;
	if (!amd_context_get_pstate(solo->ctx, &now) &&
	    now != STABLE_PSTATE_NONE)
		return 0;
	error_set(error, -ENOTSUP,
		  "the clocks of %s may change, and %s are %s at fixed clocks "
		  "only",
		  amd_device_node(solo->gpu->dev), words->what, words->done);
	error_remedy(error, "unset DRMPERF_CLOCK, or set it to profiling or "
			    "peak; Linux 5.17 is needed for that");
	return -ENOTSUP;
}

static int
take_vmid(struct solo *solo, struct drmperf_error *error)
{
	const char *node = amd_device_node(solo->gpu->dev);
	int ret = vmid_reserve(solo->gpu->dev);

	solo->has_vmid = !ret;
	if (!ret)
		return 0;
	if (ret == -ENOENT || ret == -EBUSY || ret == -EINVAL) {
		error_set(error, -EBUSY,
			  "another program has the VMID of %s by which %s are "
			  "%s: it traces the GPU",
			  node, solo->words->what, solo->words->done);
		error_remedy(error, "end that program: one that uses Vulkan "
				    "with MESA_VK_TRACE=rgp, or another "
				    "stream or trace");
		return -EBUSY;
	}
	error_set(error, ret, "cannot reserve a VMID of %s: %s", node,
		  strerrordesc_np(-ret));
	error_remedy(error, "look for messages of amdgpu in the kernel's log "
			    "(dmesg), or count instead");
	return ret;
}

/* ------------------------------------------------------------------ */
/* Begin                                                                */

int
solo_open(struct solo *solo, struct drmperf_error *error)
{
	struct gpu *gpu = solo->gpu;
	int ret = gfx_end_deferred(gpu, error);

	if (!ret)
		ret = slot_table_open(amd_device_node(gpu->dev), &gpu->core,
				      &solo->table, error);
	if (ret)
		return ret;
	ret = amd_context_create(gpu->dev, &solo->ctx, error);
	if (ret) {
		slot_table_close(solo->table);
		return ret;
	}
	gpu_use_clock(gpu);
	return 0;
}

/* Become the guest of a host that is alone already. */
static int
join_host(struct solo *solo, struct drmperf_error *error)
{
	if (!solo->host->is_started || solo->host->guest)
		return error_set(error, -EBUSY,
				 "the trace has ended, or another stream runs "
				 "with it");
	solo->host->guest = solo;
	return 0;
}

int
solo_take(struct solo *solo, struct drmperf_error *error)
{
	int ret;

	if (solo->is_guest)
		return join_host(solo, error);
	if (slot_table_others(solo->table, false))
		return slot_table_explain_alone(solo->table, error);
	ret = hold_clocks(solo, error);
	return ret ? ret : take_vmid(solo, error);
}

/*
 * Return whether the commands of the start have run. Those of a process that
 * was killed have reached a ring or are dropped: in the ring they take
 * microseconds, behind work of others longer.
 */
static bool
has_begun(const struct solo *solo)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	const _Atomic uint64_t *timestamp =
		(const void *)&solo->begun->timestamp;

	for (int i = 0;
	     i < BEGIN_MS && atomic_load(timestamp) == SOLO_NOT_BEGUN; i++)
		nanosleep(&pause, NULL);
	return atomic_load(timestamp) != SOLO_NOT_BEGUN;
}

static void
end_for_parent(void *data)
{
	struct solo *solo = data;

	if (!atomic_load(solo->armed) || !has_begun(solo) ||
	    amd_context_create_fresh(solo->gpu->dev, &solo->ctx, NULL))
		return;
	amd_context_silence(solo->ctx, true);
	solo->finish(solo->data);
}

/* Start the supervisor. What the process holds is held until it has ended. */
static int
start_supervisor(struct solo *solo, struct drmperf_error *error)
{
	const struct pstate *pstate = solo->gpu->clock.pstate;
	struct supervisor_task task = {
		.file = amd_device_descriptor(solo->gpu->dev),
		.finish = end_for_parent,
		.data = solo,
	};
	int ret;

	if (!solo->is_supervised)
		return 0;
	slot_table_descriptors(solo->table, task.held);
	task.held[SHARE_DESCRIPTORS] = pstate ? pstate_descriptor(pstate) : -1;
	ret = supervisor_start(&solo->supervisor, &task);
	return ret ? error_set(error, ret,
			       "cannot make a process that ends the %s if "
			       "this one is killed: %s",
			       solo->words->name, strerrordesc_np(-ret))
		   : 0;
}

int
solo_start(struct solo *solo, struct drmperf_error *error)
{
	const struct slot_table_config terms = {
		.stages = core_stages(&solo->gpu->core),
		.clock = solo->clock.mode,
		.streams = true,
	};
	int ret;

	solo->begun->timestamp = SOLO_NOT_BEGUN;
	atomic_store(solo->armed, 0);
	ret = start_supervisor(solo, error);
	if (ret)
		return ret;
	if (!solo->is_guest)
		slot_table_reset(solo->table, &terms);
	solo->is_started = true;
	atomic_store(solo->armed, 1);
	return 0;
}

void
solo_commit(struct solo *solo)
{
	const struct selection none = { .core = &solo->gpu->core };

	if (!solo->is_guest)
		slot_table_commit(solo->table, &none);
}

/* ------------------------------------------------------------------ */
/* End                                                                  */

int
solo_run_last(struct solo *solo, enum pm4_engine engine, size_t offset,
	      size_t dwords)
{
	int ret = amd_context_run(solo->ctx, engine, &solo->buffer, offset,
				  dwords, NULL);

	if (ret)
		ret = amd_context_renew(solo->ctx, NULL);
	else
		return 0;
	return ret ? ret
		   : amd_context_run(solo->ctx, engine, &solo->buffer, offset,
				     dwords, NULL);
}

static void
log_left_on(const struct solo *solo, int ret)
{
	log_write(&solo->gpu->log, DRMPERF_LOG_WARNING,
		  "%s: a %s is left on, since the GPU took no commands to end "
		  "it: %s",
		  amd_device_node(solo->gpu->dev), solo->words->name,
		  strerror(-ret));
}

static void
part_from_host(struct solo *solo)
{
	if (solo->host && solo->host->guest == solo)
		solo->host->guest = NULL;
	solo->host = NULL;
}

/*
 * End it, even where other processes keep the lock. The next one finds the VMID
 * free.
 */
void
solo_end(struct solo *solo)
{
	bool is_locked;
	int ret = 0;

	if (solo->guest)
		solo_end(solo->guest);
	part_from_host(solo);
	is_locked = !slot_table_lock(solo->table, NULL);

	if (solo->is_started) {
		ret = solo->finish(solo->data);
		atomic_store(solo->armed, 0);
	}
	solo->is_left_on |= ret && ret != -ENODEV;
	if (solo->has_vmid && !solo->is_left_on) {
		vmid_unreserve(solo->gpu->dev);
		solo->has_vmid = false;
	}
	if (is_locked) {
		if (solo->is_started && !solo->is_guest)
			slot_table_release(solo->table);
		slot_table_unlock(solo->table);
	}
	solo->is_started = false;
	if (ret && solo->is_left_on)
		log_left_on(solo, ret);
}

void
solo_close(struct solo *solo, bool is_child)
{
	if (is_child) {
		buffer_abandon(&solo->buffer);
		amd_context_abandon(solo->ctx);
		slot_table_abandon(solo->table);
		return;
	}
	solo_end(solo);
	supervisor_end(&solo->supervisor);
	if (!solo->is_left_on)
		buffer_destroy(&solo->buffer);
	if (!solo->is_guest)
		clock_mode_release(&solo->clock, solo->gpu);
	amd_context_destroy(solo->ctx);
	gpu_leave_clock(solo->gpu);
	slot_table_close(solo->table);
}
