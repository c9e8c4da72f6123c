/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux 6.1 and 6.12 i915_perf.c] */
#include "i915/perf_ioctls.h"

#include <errno.h>
#include <i915_drm.h>

#include "i915/context.h"
#include "i915/device.h"
#include "i915/perf_stream.h"
#include "i915/sysfs.h"
#include "i915/uapi.h"
#include "intel/oa_config.h"
#include "intel/oa_format.h"
#include "intel/oa_unit.h"
#include "intel/platform.h"
#include "kernel/call.h"
#include "kernel/file.h"
#include "kernel/stream.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"

#define DEFAULT_POLL_NS 5000000
#define LEAST_POLL_NS 100000
#define EXPONENT_MAX 31
#define NS_PER_S 1000000000ull

static const uint32_t known_flags = I915_PERF_FLAG_FD_CLOEXEC |
				    I915_PERF_FLAG_FD_NONBLOCK |
				    I915_PERF_FLAG_DISABLED;

/* ------------------------------------------------------------------ */
/* Each property on its own                                             */

static uint64_t
sample_rate(const struct sim_i915 *device, uint64_t exponent)
{
	uint64_t hz = device->linux_6_1 ? device->platform.cs_hz
					: device->platform.oa_hz;
	uint64_t ticks = 2ull << exponent;
	uint64_t period = ticks * NS_PER_S / hz;

	if (!device->linux_6_1)
		period = (ticks * NS_PER_S + hz - 1) / hz;
	/* what is slower than 1 Hz is never refused */
	return period <= NS_PER_S ? NS_PER_S / period : 0;
}

static int
check_exponent(struct sim_i915 *device, struct sim_call *call,
	       struct sim_perf_properties *p, uint64_t value)
{
	if (value > EXPONENT_MAX)
		return -EINVAL;
	if (sample_rate(device, value) >
		    (uint64_t)sim_gpu_read_number(device->gpu,
						  SIM_I915_MAX_RATE, 0) &&
	    !sim_call_is_privileged(call))
		return -EACCES;
	p->periodic = true;
	p->exponent = value;
	return 0;
}

/* Return whether one mask is within another, and not empty. */
static bool
is_part(uint64_t mask, uint64_t whole)
{
	return mask && (mask & ~whole) == 0;
}

/*
 * Check the limits of gen11 [i915_gem_context.c]: all subslices of its slice,
 * or half of them; of more than four no odd number; and never fewer EUs.
 */
static bool
suits_gen11(const struct drm_i915_gem_context_param_sseu *sseu,
	    const struct sim_topology *t)
{
	int wanted = __builtin_popcountll(sseu->subslice_mask);
	int there = __builtin_popcount(t->subslices[0]);

	if (wanted != there && wanted != there / 2)
		return false;
	if (wanted > 4 && wanted % 2)
		return false;
	return sseu->min_eus_per_subslice == t->max_eus &&
	       sseu->max_eus_per_subslice == t->max_eus;
}

static int
check_sseu(const struct sim_i915 *device,
	   const struct drm_i915_gem_context_param_sseu *sseu)
{
	const struct sim_topology *t = &device->platform.topology;
	uint64_t slices = 0;

	for (unsigned s = 0; s < t->max_slices; s++)
		slices |= t->subslices[s] ? 1ull << s : 0;
	if (sseu->engine.engine_class != I915_ENGINE_CLASS_RENDER ||
	    sseu->engine.engine_instance != 0 ||
	    !is_part(sseu->slice_mask, slices) ||
	    !is_part(sseu->subslice_mask, t->subslices[0]) ||
	    sseu->min_eus_per_subslice == 0 ||
	    sseu->min_eus_per_subslice > sseu->max_eus_per_subslice ||
	    sseu->max_eus_per_subslice > t->max_eus)
		return -EINVAL;
	if (device->platform.version / 100 == 11 && !suits_gen11(sseu, t))
		return -EINVAL;
	return 0;
}

/*
 * Properties 9 and 10 wait until both are known, and 7, but in Linux 6.1,
 * until the engine is.
 */
struct engine_choice {
	bool has_class, has_instance;
	uint64_t class, instance;
	struct drm_i915_gem_context_param_sseu sseu;
};

static int
read_sseu(const struct sim_i915 *device, struct sim_call *call,
	  struct sim_perf_properties *p, struct engine_choice *engine,
	  uint64_t address)
{
	int error;

	if (device->platform.version >= 1250)
		return -ENODEV;
	error = sim_call_get(call, &engine->sseu, address,
			     sizeof(engine->sseu));
	if (error)
		return error;
	p->has_sseu = true;
	return device->linux_6_1 ? check_sseu(device, &engine->sseu) : 0;
}

static int
check_format(const struct sim_i915 *device, struct sim_perf_properties *p,
	     uint64_t value)
{
	if (value == 0 || value >= SIM_OA_FORMAT_END ||
	    !(device->platform.formats & 1u << value))
		return -EINVAL;
	p->format = value;
	return 0;
}

static int
check_property(struct sim_i915 *device, struct sim_call *call,
	       struct sim_perf_properties *p, struct engine_choice *engine,
	       uint64_t id, uint64_t value)
{
	switch (id) {
	case DRM_I915_PERF_PROP_CTX_HANDLE:
		p->has_context = true;
		p->context = (uint32_t)value;
		return 0;
	case DRM_I915_PERF_PROP_SAMPLE_OA:
		if (value)
			p->sampling = true;
		return 0;
	case DRM_I915_PERF_PROP_OA_METRICS_SET:
		p->metrics_set = value;
		return value ? 0 : -EINVAL;
	case DRM_I915_PERF_PROP_OA_FORMAT:
		return check_format(device, p, value);
	case DRM_I915_PERF_PROP_OA_EXPONENT:
		return check_exponent(device, call, p, value);
	case DRM_I915_PERF_PROP_HOLD_PREEMPTION:
		p->hold_preemption = value != 0;
		return 0;
	case DRM_I915_PERF_PROP_GLOBAL_SSEU:
		return read_sseu(device, call, p, engine, value);
	case DRM_I915_PERF_PROP_POLL_OA_PERIOD:
		p->poll_ns = value;
		return value < LEAST_POLL_NS ? -EINVAL : 0;
	case SIM_PERF_PROP_ENGINE_CLASS:
		engine->has_class = true;
		engine->class = value;
		return 0;
	case SIM_PERF_PROP_ENGINE_INSTANCE:
		engine->has_instance = true;
		engine->instance = value;
		return 0;
	}
	return -EINVAL;
}

/* ------------------------------------------------------------------ */
/* Together                                                             */

static struct sim_oa_group *
group_of(struct sim_i915 *device, unsigned class)
{
	for (unsigned i = 0; i < device->group_count; i++) {
		if (device->groups[i].classes & 1u << class)
			return &device->groups[i];
	}
	return NULL;
}

static int
choose_engine(struct sim_i915 *device, struct sim_perf_properties *p,
	      const struct engine_choice *engine)
{
	/* the driver keeps 8 bits of each: class 256 is that of rendering */
	uint8_t class = engine->has_class ? (uint8_t)engine->class : 0;
	uint8_t instance = engine->has_instance ? (uint8_t)engine->instance : 0;
	const struct sim_oa_format *format;

	if (engine->has_class != engine->has_instance)
		return -EINVAL;
	if (class >= SIM_ENGINE_CLASSES ||
	    instance >= device->platform.engines[class])
		return -EINVAL;
	p->engine_class = class;
	p->group = group_of(device, p->engine_class);
	if (!p->group || (p->group->media && device->media_c6))
		return -EINVAL;
	format = sim_oa_format_find((unsigned)p->format,
				    device->platform.generation ==
					    SIM_OA_HASWELL);
	/*
	 * A missing format, 0, is one of the OAG to the driver: that of a media
	 * engine is refused here, and any other much later.
	 */
	if (!device->linux_6_1 && (format && format->wide) != p->group->media)
		return -EINVAL;
	return 0;
}

static int
read_properties(struct sim_i915 *device, struct sim_call *call,
		const struct drm_i915_perf_open_param *param,
		struct sim_perf_properties *p)
{
	uint32_t end =
		device->linux_6_1 ? SIM_PERF_PROP_END_6_1 : SIM_PERF_PROP_END;
	struct engine_choice engine = { 0 };
	int error;

	*p = (struct sim_perf_properties){ .poll_ns = DEFAULT_POLL_NS };
	if (param->num_properties == 0 || param->num_properties >= end)
		return -EINVAL;
	for (uint32_t i = 0; i < param->num_properties; i++) {
		uint64_t pair[2];

		error = sim_call_get(call, pair,
				     param->properties_ptr + i * sizeof(pair),
				     sizeof(pair));
		if (error)
			return error;
		if (pair[0] == 0 || pair[0] >= end)
			return -EINVAL;
		error = check_property(device, call, p, &engine, pair[0],
				       pair[1]);
		if (error)
			return error;
	}
	error = choose_engine(device, p, &engine);
	if (!error && p->has_sseu)
		error = check_sseu(device, &engine.sseu);
	return error;
}

static bool
is_privileged(const struct sim_i915 *device,
	      const struct sim_perf_properties *p)
{
	if (p->hold_preemption || p->has_sseu)
		return true;
	if (!p->has_context)
		return true;
	/* Haswell's unit shows one context only, if told so. */
	if (device->platform.generation == SIM_OA_HASWELL)
		return false;
	/* For MI_REPORT_PERF_COUNT in one's own context. */
	return device->platform.version < 1200 || p->sampling;
}

static int
check_combination(struct sim_i915 *device, struct sim_call *call,
		  struct sim_file *file, struct sim_perf_properties *p)
{
	int error;

	if (p->has_context) {
		error = sim_i915_context_find(file, p->context,
					      &p->hardware_context);
		if (error)
			return error;
	}
	if (p->hold_preemption && !p->has_context)
		return -EINVAL;
	if (is_privileged(device, p) && sim_i915_perf_refused(device, call))
		return -EACCES;
	if (!p->sampling &&
	    (device->platform.version < 1200 || !p->has_context))
		return -EINVAL;
	if (device->oa.streams[p->group->id])
		return -EBUSY;
	if (!p->format)
		return -EINVAL;
	/* the kernel keeps the id in an int */
	if (!sim_oa_config_find(&device->oa.configs, (uint32_t)p->metrics_set))
		return -EINVAL;
	p->metrics_set = (uint32_t)p->metrics_set;
	return 0;
}

int
sim_i915_perf_open(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct drm_i915_perf_open_param *param = arg;
	struct sim_i915 *device = sim_i915_of(file->gpu);
	struct sim_perf_properties properties;
	struct sim_stream *stream;
	uint64_t ready;
	int error;

	if (!device->has_perf)
		return -SIM_ENOTSUPP;
	if (param->flags & ~known_flags)
		return -EINVAL;
	error = read_properties(device, call, param, &properties);
	if (!error)
		error = check_combination(device, call, file, &properties);
	if (error)
		return error;

	/*
	 * An engine writes the registers, when it gets there; the call returns
	 * when the mux has settled. No signal ends either wait.
	 */
	call->deaf = true;
	if (device->oa.engine_held)
		return sim_call_sleep(call, SIM_NEVER, SIM_NEVER);
	ready = sim_call_timeout(call, device->oa.settle_ns);
	if (sim_now(file->gpu->sim) < ready && !call->timed_out)
		return sim_call_sleep(call, ready, ready);

	error = sim_perf_stream_create(device, &properties,
				       param->flags & I915_PERF_FLAG_DISABLED,
				       &stream);
	if (error)
		return error;
	if (param->flags & I915_PERF_FLAG_FD_NONBLOCK)
		sim_stream_set_nonblocking(stream);
	return sim_stream_give(stream, call,
			       param->flags & I915_PERF_FLAG_FD_CLOEXEC, 0);
}
