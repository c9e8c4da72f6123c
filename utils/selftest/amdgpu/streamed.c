/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/streamed.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "driver/amdgpu/stream/stream.h"
#include "selftest/amdgpu/counted.h"
#include "selftest/amdgpu/waves.h"

/* Many intervals, and those of two seconds fit into the ring. */
#define WAIT_NS UINT64_C(20000000)
#define PERIOD_CYCLES 65535

#define TRIES 5

static const char expected[] = "intervals add up to what is counted";

struct streamed {
	struct harness *harness;
	const char *check;
	struct counter_request request;
	uint64_t *values;
	size_t value_count;
	uint64_t counted, streamed, samples;
	bool has_loss; /* the ring was read too late */
	struct drmperf_error error;
};

bool
streamed_is_hidden(const struct core *core)
{
	const struct element *stream =
		element_named(core->table->root->child, "stream");

	return stream && element_attribute(stream, "hidden");
}

/* Report a failure, which says nothing of the GPU without a reset. */
static int
streamed_fail(const struct streamed *streamed, bool was_reset)
{
	struct harness *harness = streamed->harness;

	harness_check(harness, was_reset ? SELFTEST_FAIL : SELFTEST_UNKNOWN,
		      streamed->check, expected, "%s", streamed->error.cause);
	return was_reset ? error_set(harness->error, -ECANCELED, "%s",
				     streamed->error.cause)
			 : 1;
}

/* Launch waves on the ring on which the stream is begun, if there is that. */
static int
launch_waves(const struct streamed *streamed)
{
	struct harness *harness = streamed->harness;
	const bool has_gfx =
		amd_context_info(harness->ctx)->has_ring[PM4_ENGINE_GFX];

	return waves_launch_from(harness, streamed->check, expected,
				 has_gfx ? PM4_ENGINE_GFX : PM4_ENGINE_COMPUTE,
				 true);
}

static int
streamed_fail_counting(struct streamed *streamed, const struct counted *counted)
{
	streamed->error = counted->error;
	return streamed_fail(streamed, counted_was_reset(counted));
}

/* Returns 0; 1 if the check is decided; -errno. */
static int
count_waves(struct streamed *streamed, struct counted *counted)
{
	struct harness *harness = streamed->harness;
	int ret;

	if (counted_add(counted, "SQ", "WAVES")) {
		harness_check(harness, SELFTEST_UNKNOWN, streamed->check,
			      expected, "this GPU has none");
		return 1;
	}
	if (counted_start(counted))
		return streamed_fail_counting(streamed, counted);
	ret = launch_waves(streamed);
	if (ret)
		return ret;
	if (counted_sample(counted))
		return streamed_fail_counting(streamed, counted);
	streamed->counted = counted_sum(counted, 0);
	streamed->request = counted->requests[0];
	streamed->value_count = counted->values;
	return 0;
}

static void
add_sample(void *data, const struct stream_sample *sample)
{
	struct streamed *streamed = data;

	streamed->has_loss |= sample->follows_loss;
	for (size_t i = 0; i < streamed->value_count; i++)
		streamed->streamed += streamed->values[i];
	streamed->samples++;
}

static int
stream_waves(struct streamed *streamed)
{
	const struct drmperf_stream_options options = {
		.size = sizeof(options),
		.period_cycles = PERIOD_CYCLES,
	};
	const struct drmperf_stream_info *info;
	struct harness *harness = streamed->harness;
	struct drmperf_error *error = &streamed->error;
	void *stream;
	int ret, read = 0;

	if (gfx_stream_ops.open(harness->gpu, &streamed->request, 1, &options,
				NULL, streamed->values, &stream, &info, error))
		return streamed_fail(streamed,
				     amd_context_was_reset(harness->ctx));
	ret = launch_waves(streamed);
	if (!ret) {
		harness_wait(WAIT_NS);
		read = gfx_stream_ops.read(stream, add_sample, streamed, error);
	}
	gfx_stream_ops.close(stream, false);
	if (read)
		return streamed_fail(streamed,
				     amd_context_was_reset(harness->ctx));
	return ret;
}

/* Stream again where a busy machine has read the ring too late. */
static int
stream_until_whole(struct streamed *streamed)
{
	int ret = 0;

	for (unsigned i = 0; !ret && i < TRIES && (!i || streamed->has_loss);
	     i++) {
		streamed->streamed = streamed->samples = 0;
		streamed->has_loss = false;
		ret = stream_waves(streamed);
	}
	return ret;
}

static void
check_sums(const struct streamed *streamed)
{
	const bool is_known = streamed->counted > 0 && !streamed->has_loss;

	harness_check(streamed->harness,
		      is_known ? harness_answer(streamed->streamed ==
						streamed->counted)
			       : SELFTEST_UNKNOWN,
		      streamed->check, expected,
		      "%" PRIu64 " in %" PRIu64 " intervals, %" PRIu64
		      " counted%s",
		      streamed->streamed, streamed->samples, streamed->counted,
		      streamed->has_loss ? ", some were lost" : "");
}

int
streamed_try(struct harness *harness, const char *check)
{
	struct streamed streamed = { .harness = harness, .check = check };
	struct counted counted;
	int ret = harness_announce(harness, check, expected,
				   "waves streamed by the library");

	if (ret)
		return ret;
	counted_init(&counted, harness);
	ret = count_waves(&streamed, &counted);
	counted_finish(&counted);
	if (ret)
		return ret;
	streamed.values = calloc(streamed.value_count + 1,
				 sizeof(*streamed.values));
	if (!streamed.values)
		return error_set(harness->error, -ENOMEM, "no memory");
	ret = stream_until_whole(&streamed);
	if (!ret)
		check_sums(&streamed);
	free(streamed.values);
	return ret;
}
