/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/stream/open_async.h"

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "base/monotonic.h"
#include "base/thread.h"

#define SECOND UINT64_C(1000000000)

/* The arguments of open(), and what it returns. */
struct attempt {
	struct oa_gpu *gpu;
	const struct oa_wanted *wanted;
	int *stream;
	unsigned *exponent;
	struct drmperf_error *error;
	int ret;
};

static void *
make_attempt(void *data)
{
	struct attempt *a = data;

	a->ret = a->gpu->source->open(a->gpu, a->wanted, a->stream, a->exponent,
				      a->error);
	return NULL;
}

static bool
join_within_a_second(pthread_t thread)
{
	const uint64_t until = monotonic_ns() + SECOND;
	const struct timespec deadline = {
		.tv_sec = (time_t)(until / SECOND),
		.tv_nsec = (long)(until % SECOND),
	};

	return !pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &deadline);
}

static void
log_wait(const struct attempt *attempt)
{
	log_write(&attempt->gpu->log, DRMPERF_LOG_WARNING,
		  "%s takes more than a second to change to metric set %s: the "
		  "kernel waits for work that it cannot interrupt, or the GPU "
		  "recovers from a hang; counting begins when that is over",
		  attempt->gpu->platform.chip, attempt->wanted->set->name);
}

int
oa_open_interruptible(struct oa_gpu *gpu, const struct oa_wanted *wanted,
		      int *stream, unsigned *exponent,
		      struct drmperf_error *error)
{
	struct attempt attempt = { .gpu = gpu,
				   .wanted = wanted,
				   .stream = stream,
				   .exponent = exponent,
				   .error = error };
	pthread_t thread;

	if (thread_create(&thread, "drmperf-open", make_attempt, &attempt)) {
		make_attempt(&attempt); /* without the log message, then */
		return attempt.ret;
	}
	if (!join_within_a_second(thread)) {
		log_wait(&attempt);
		pthread_join(thread, NULL);
	}
	return attempt.ret;
}
