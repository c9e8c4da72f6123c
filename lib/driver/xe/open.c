/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/xe/open.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "driver/intel/oa/period.h"
#include "driver/intel/oa/stream/errors.h"
#include "driver/privilege.h"
#include "driver/xe/kernel.h"

static int
explain_refusal(const struct metric_set *set, int ret,
		struct drmperf_error *error)
{
	switch (ret) {
	case -EBUSY:
		return oa_error_in_use(error);
	case -EACCES:
	case -EPERM:
		return privilege_explain(error,
					 "to open a stream of OA reports", "xe",
					 "observation_paranoid");
	case -ENODEV:
		return error_set(error, -ENODEV, "the GPU has gone");
	case -EINVAL:
		error_set(error, -ENOTSUP,
			  "the kernel refuses a stream for metric set %s",
			  set->name);
		error_remedy(error, "update the kernel, or use another metric "
				    "set");
		return -ENOTSUP;
	default:
		return error_set(error, ret,
				 "cannot open a stream for metric set %s: %s",
				 set->name, strerrordesc_np(-ret));
	}
}

/*
 * The kernel pins its buffer: where it has no memory for a large one, a smaller
 * one does, down to what it takes without being asked.
 */
static int
open_with_buffer(const struct xe_gpu *gpu, struct xe_property *properties,
		 size_t count, struct xe_property *buffer)
{
	int ret;

	for (; buffer->value > OA_BUFFER_SIZE; buffer->value /= 2) {
		ret = xe_stream_open(gpu->oa.fd, XE_UAPI_OBSERVE_OA, properties,
				     count);
		if (ret != -ENOMEM)
			return ret;
	}
	return xe_stream_open(gpu->oa.fd, XE_UAPI_OBSERVE_OA, properties,
			      count - 1);
}

int
xe_open_stream(struct oa_gpu *oa, const struct oa_wanted *wanted, int *stream,
	       unsigned *exponent, struct drmperf_error *error)
{
	const struct xe_gpu *gpu = xe_gpu_of(oa);
	const struct metric_set *set = wanted->set;
	const struct xe_oa_unit *unit = &gpu->units[set->unit];
	const uint64_t wrap_ns = oa_wrap_ns(oa, set->format);
	const unsigned chosen = oa_exponent(
		unit->timestamp_hz,
		wrap_ns < wanted->period_ns ? wrap_ns : wanted->period_ns);
	struct xe_property properties[] = {
		{ XE_UAPI_PROPERTY_UNIT, unit->id },
		{ XE_UAPI_PROPERTY_SAMPLE, 1 },
		{ XE_UAPI_PROPERTY_CONFIG, wanted->config },
		{ XE_UAPI_PROPERTY_FORMAT, set->format->xe_number },
		{ XE_UAPI_PROPERTY_EXPONENT, chosen },
		{ XE_UAPI_PROPERTY_DISABLED, 1 },
		/* the last, so that it can be left out */
		{ XE_UAPI_PROPERTY_BUFFER_SIZE,
		  unit->has_buffer_size ? oa->buffer_size : 0 },
	};
	const size_t count = ARRAY_SIZE(properties);
	int ret = open_with_buffer(gpu, properties, count,
				   &properties[count - 1]);

	if (ret < 0)
		return explain_refusal(set, ret, error);
	if (gpu->facts->tiles > 1)
		log_write(&oa->log, DRMPERF_LOG_WARNING,
			  "OA counters of %s are those of the first of %u "
			  "tiles: work on the others is not seen",
			  oa->platform.chip, gpu->facts->tiles);
	*stream = ret;
	*exponent = chosen;
	return 0;
}
