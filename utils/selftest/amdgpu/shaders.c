/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stage 5, second part: shaders whose instructions and memory accesses are
 * known, and copies, are counted by the library.
 */
#include "selftest/amdgpu/shaders.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "selftest/amdgpu/counted.h"
#include "selftest/amdgpu/dma.h"
#include "selftest/amdgpu/trial.h"
#include "selftest/amdgpu/waves.h"

#define MOVES 89u

/* Size of the shaders that access memory, all of it once: 8 MiB. */
#define THREADS 1024u
#define WAVE 64u
#define ACCESSES 8u
#define BYTES (8u << 20)
/*
 * Bytes that the command processor copies, from one half of that to the other.
 */
#define COPIED (4u << 20)

/* No cache has longer lines. */
#define LINE_SHIFT 7u
/* Requests of neighbours are put together to these sizes. */
#define LARGEST_REQUEST 256u
static const unsigned request_bytes[] = { 32, 64, 128, LARGEST_REQUEST };

/* Most errors: caches serve others as well, as instruction fetches. */
#define MOST_WRONG 0.02
/* Time in which other programs may cause at most 1 % of that. */
#define QUIET_NS UINT64_C(20000000)

/* ------------------------------------------------------------------ */
/* Shaders                                                              */

/* Accesses of a thread: ACCESSES dwords, with all threads adjacent. */
struct pattern {
	unsigned shift; /* threads are 1 << shift bytes apart */
	void (*access)(struct shader *shader, unsigned data, unsigned offset);
};

static unsigned
pattern_groups(const struct pattern *pattern)
{
	return BYTES / ACCESSES / THREADS >> pattern->shift;
}

/* log2 of what a group accesses; THREADS and ACCESSES are powers of 2. */
static unsigned
group_shift(const struct pattern *pattern)
{
	return pattern->shift + (unsigned)__builtin_ctz(THREADS * ACCESSES);
}

static void
write_moves(struct shader *shader, const struct pattern *pattern)
{
	(void)pattern;
	for (unsigned i = 0; i < MOVES; i++)
		shader_move(shader, 1, i);
}

static void
write_accesses(struct shader *shader, const struct pattern *pattern)
{
	shader_shift_left(shader, 1, 0, pattern->shift);
	shader_move_group(shader, 2);
	shader_shift_left(shader, 2, 2, group_shift(pattern));
	shader_add_register(shader, 1, 2);
	for (unsigned i = 0; i < ACCESSES; i++) {
		pattern->access(shader, 3, 1);
		shader_add(shader, 1, 1, THREADS << pattern->shift);
	}
	shader_wait(shader);
}

/* ------------------------------------------------------------------ */
/* Expected counts                                                      */

enum tolerance {
	EXACT,
	NEARLY,
	IN_REQUESTS
};

struct count {
	const char *check;
	/* "SQ.WAVES", the first that there is */
	const char *events[3];
	uint64_t expected; /* of IN_REQUESTS: bytes */
	enum tolerance tolerance;
	bool asks; /* sources do not agree on it */
};

#define COUNTS_MAX 3u

struct measured_work {
	const char *what;
	unsigned until; /* the last level at which it is known; 0: all */
	/* NULL: the command processor copies COPIED bytes */
	void (*write)(struct shader *shader, const struct pattern *pattern);
	struct pattern pattern;
	struct launch launch;
	struct count counts[COUNTS_MAX];
};

#define LINES (BYTES >> LINE_SHIFT)
#define DENSE                                                                  \
	{                                                                      \
		2, shader_load                                                 \
	}
#define SPARSE(access)                                                         \
	{                                                                      \
		LINE_SHIFT, access                                             \
	}

static const struct measured_work works[] = {
	{ .what = "moves",
	  .write = write_moves,
	  .launch = { .threads = WAVE, .groups = WAVES_COUNT },
	  .counts = { { "shader.valu",
			{ "SQ_WGP.INSTS_VALU", "SQ.INSTS_VALU" },
			(uint64_t)MOVES *WAVES_COUNT,
			EXACT,
			false } } },
	{ .what = "loads",
	  .write = write_accesses,
	  .pattern = SPARSE(shader_load),
	  .counts = { { "shader.loads",
			{ "SQ_WGP.INSTS_TEX_LOAD", "SQ.INSTS_TEX_LOAD",
			  "SQ.INSTS_VMEM_RD" },
			LINES / WAVE,
			EXACT,
			false },
		      { "shader.lines-read",
			{ "TCP.REQ_READ", "TCP.TOTAL_READ" },
			LINES,
			NEARLY,
			false },
		      { "shader.l2-read",
			{ "GL2C.READ", "TCC.READ" },
			LINES,
			NEARLY,
			false } } },
	{ .what = "stores",
	  .write = write_accesses,
	  .pattern = SPARSE(shader_store),
	  .counts = { { "shader.stores",
			{ "SQ_WGP.INSTS_TEX_STORE", "SQ.INSTS_TEX_STORE",
			  "SQ.INSTS_VMEM_WR" },
			LINES / WAVE,
			EXACT,
			false },
		      { "shader.lines-written",
			{ "TCP.REQ_WRITE", "TCP.TOTAL_WRITE" },
			LINES,
			NEARLY,
			false },
		      { "shader.l2-written",
			{ "GL2C.WRITE", "TCC.WRITE" },
			LINES,
			NEARLY,
			false } } },
	{ .what = "a stream",
	  .write = write_accesses,
	  .pattern = DENSE,
	  .counts = { { "shader.streamed",
			{ "GL2C.READ", "TCC.READ" },
			BYTES,
			IN_REQUESTS,
			false } } },
	{ .what = "copies",
	  /* there, the command processor goes past the L2 (Mesa) */
	  .until = 11,
	  .counts = { { "dma.l2-read",
			{ "GL2C.READ", "TCC.READ" },
			COPIED,
			IN_REQUESTS,
			true },
		      { "dma.l2-written",
			{ "GL2C.WRITE", "TCC.WRITE" },
			COPIED,
			IN_REQUESTS,
			true } } },
};

/* ------------------------------------------------------------------ */

static bool
is_near(uint64_t seen, uint64_t expected)
{
	double wrong = (double)seen / (double)expected - 1;

	return wrong <= MOST_WRONG && wrong >= -MOST_WRONG;
}

/* Return the size of a request that makes the count right; 0: none does. */
static unsigned
find_request(uint64_t seen, uint64_t bytes)
{
	for (size_t i = 0; i < ARRAY_SIZE(request_bytes); i++)
		if (is_near(seen, bytes / request_bytes[i]))
			return request_bytes[i];
	return 0;
}

static void
report_expected(const struct count *count, char *text, size_t size)
{
	switch (count->tolerance) {
	case EXACT:
		snprintf(text, size, "%" PRIu64, count->expected);
		break;
	case NEARLY:
		snprintf(text, size, "%" PRIu64 " within 2 %%",
			 count->expected);
		break;
	case IN_REQUESTS:
		snprintf(text, size, "%" PRIu64 " MiB in whole requests",
			 count->expected >> 20);
		break;
	}
}

static void
check_unknown(const struct harness *harness, const struct count *count,
	      const char *why)
{
	char expected[48];

	report_expected(count, expected, sizeof(expected));
	harness_check(harness, SELFTEST_UNKNOWN, count->check, expected, "%s",
		      why);
}

static void
check_count(const struct harness *harness, const struct count *count,
	    const char *event, uint64_t seen)
{
	unsigned request = find_request(seen, count->expected);
	bool right = seen == count->expected;
	char expected[48], of[32] = "";

	report_expected(count, expected, sizeof(expected));
	if (count->tolerance == NEARLY)
		right = is_near(seen, count->expected);
	if (count->tolerance == IN_REQUESTS)
		right = request != 0;
	if (count->tolerance == IN_REQUESTS && request)
		snprintf(of, sizeof(of), " of %u bytes", request);
	harness_check(harness,
		      right	    ? SELFTEST_PASS
		      : count->asks ? SELFTEST_NO
				    : SELFTEST_FAIL,
		      count->check, expected, "%s counted %" PRIu64 "%s", event,
		      seen, of);
}

/* ------------------------------------------------------------------ */

/* A work being counted: requests of those of its counts that can be. */
struct work_counting {
	const struct measured_work *work;
	struct counted counted;
	const struct count *counts[COUNTS_MAX];
	const char *events[COUNTS_MAX];
	/* in a while without the work, before it or after; and around it */
	uint64_t quiet[COUNTS_MAX], before[COUNTS_MAX], after[COUNTS_MAX];
};

static void
add_count(struct work_counting *counting, const struct count *count)
{
	struct counted *counted = &counting->counted;
	char block[16];

	for (size_t i = 0; i < ARRAY_SIZE(count->events); i++) {
		const char *event = count->events[i];

		if (!event || sscanf(event, "%15[^.]", block) != 1 ||
		    counted_add(counted, block, event + strlen(block) + 1))
			continue;
		counting->counts[counted->count - 1] = count;
		counting->events[counted->count - 1] = event;
		return;
	}
	check_unknown(counted->harness, count, "the table has no such event");
}

static int
counting_fail(struct work_counting *counting)
{
	struct counted *counted = &counting->counted;
	struct harness *harness = counted->harness;
	bool reset = counted_was_reset(counted);
	const char *cause = reset ? "the GPU was reset" : counted->error.cause;

	for (size_t i = 0; i < counted->count; i++)
		check_unknown(harness, counting->counts[i], cause);
	return reset ? error_set(harness->error, -ECANCELED, "%s", cause) : 1;
}

static int
work_launch(struct harness *harness, const struct measured_work *work)
{
	struct shader shader;
	struct waves waves = { .check = work->counts[0].check,
			       .expected = "its commands come back",
			       .engine = PM4_ENGINE_COMPUTE,
			       .shader = &shader,
			       .launch = work->launch };

	if (!work->write)
		return dma_copy(harness, work->counts[0].check, COPIED);
	if (work->pattern.access) {
		waves.launch.threads = THREADS;
		waves.launch.groups = pattern_groups(&work->pattern);
		waves.launch.bytes = BYTES;
	}
	waves.launch.enabled = true;
	shader_begin(&shader, harness->gpu->core.level);
	work->write(&shader, &work->pattern);
	shader_end(&shader);
	return waves_run(harness, &waves);
}

/* Count what the events gain since a sample, while nothing is launched here. */
static int
count_nothing(struct work_counting *counting, const uint64_t since[COUNTS_MAX])
{
	struct counted *counted = &counting->counted;

	harness_wait(QUIET_NS);
	if (counted_sample(counted))
		return counting_fail(counting);
	for (size_t i = 0; i < counted->count; i++) {
		uint64_t now = counted_sum(counted, i);

		if (now - since[i] > counting->quiet[i])
			counting->quiet[i] = now - since[i];
	}
	return 0;
}

static int
sample_into(struct work_counting *counting, uint64_t sums[COUNTS_MAX])
{
	struct counted *counted = &counting->counted;

	if (counted_sample(counted))
		return counting_fail(counting);
	for (size_t i = 0; i < counted->count; i++)
		sums[i] = counted_sum(counted, i);
	return 0;
}

static uint64_t
most_from_others(const struct count *count)
{
	switch (count->tolerance) {
	case EXACT:
		return 0;
	case NEARLY:
		return count->expected / 100;
	case IN_REQUESTS:
		return count->expected / LARGEST_REQUEST / 100;
	}
	return 0;
}

static void
check_counts(const struct work_counting *counting)
{
	const struct counted *counted = &counting->counted;

	for (size_t i = 0; i < counted->count; i++) {
		const struct count *count = counting->counts[i];

		if (counting->quiet[i] > most_from_others(count))
			check_unknown(counted->harness, count,
				      "other programs use the GPU");
		else
			check_count(counted->harness, count,
				    counting->events[i],
				    counting->after[i] - counting->before[i]);
	}
}

static int
count_work(struct work_counting *counting)
{
	struct counted *counted = &counting->counted;
	struct harness *harness = counted->harness;
	const struct measured_work *work = counting->work;
	int ret = harness_announce(harness, work->counts[0].check, work->what,
				   "counted by the library");

	if (!ret && counted_start(counted))
		ret = counting_fail(counting);
	if (!ret)
		ret = sample_into(counting, counting->before);
	if (!ret)
		ret = count_nothing(counting, counting->before);
	if (!ret)
		ret = sample_into(counting, counting->before);
	if (!ret)
		ret = work_launch(harness, work);
	if (!ret)
		ret = sample_into(counting, counting->after);
	if (!ret)
		ret = count_nothing(counting, counting->after);
	if (!ret)
		check_counts(counting);
	return ret;
}

static int
check_untold(const struct harness *harness, const struct measured_work *work)
{
	for (size_t i = 0; i < COUNTS_MAX && work->counts[i].check; i++)
		check_unknown(harness, &work->counts[i],
			      "no source says what is counted here");
	return 0;
}

static int
try_work(struct harness *harness, const struct measured_work *work)
{
	struct work_counting counting = { .work = work };
	int ret = 0;

	counted_init(&counting.counted, harness);
	if (work->until && harness->gpu->core.level > work->until)
		return check_untold(harness, work);
	for (size_t i = 0; i < COUNTS_MAX && work->counts[i].check; i++)
		add_count(&counting, &work->counts[i]);
	if (counting.counted.count)
		ret = count_work(&counting);
	counted_finish(&counting.counted);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Every slot of a block                                                */

/*
 * ROCm takes one counter of TCP at a time on some GPUs (rocm-systems 10041):
 * all of them have to count the same event alike.
 */
#define SLOTS "slots.TCP"

struct slots {
	struct trial trial;
	unsigned count; /* those of an instance are in a row */
};

/* Reads of as many instances as fit, each in every slot that counts it. */
static bool
add_slots(struct slots *slots, size_t index, uint32_t id)
{
	const struct block *block = &slots->trial.commands.core->blocks[index];
	uint64_t all = block_slots_for(block, id);
	unsigned instances = block->instance_count;

	slots->count = (unsigned)__builtin_popcountll(all);
	if (slots->count < 2)
		return false;
	if (instances > TRIAL_READS_MAX / slots->count)
		instances = TRIAL_READS_MAX / slots->count;
	for (unsigned i = 0; i < instances; i++)
		for (uint64_t rest = all; rest; rest &= rest - 1)
			trial_add(&slots->trial, index, i,
				  (unsigned)__builtin_ctzll(rest), id);
	return true;
}

static void
check_slots(const struct slots *slots)
{
	const struct trial *trial = &slots->trial;
	unsigned moved = 0, odd = 0;

	for (unsigned i = 0; i < trial->commands.read_count; i++) {
		unsigned first = i - i % slots->count;
		uint64_t own = trial->values[1][i] - trial->values[0][i];

		moved += own != 0;
		odd += own != trial->values[1][first] - trial->values[0][first];
	}
	harness_check(trial->harness,
		      odd     ? SELFTEST_NO
		      : moved ? SELFTEST_PASS
			      : SELFTEST_UNKNOWN,
		      SLOTS, "an event counts the same in all slots",
		      "%u of %zu counters in %u slots moved, %u not like the "
		      "first",
		      moved, trial->commands.read_count, slots->count, odd);
}

static int
run_slots(struct slots *slots)
{
	struct trial *trial = &slots->trial;
	struct harness *harness = trial->harness;
	enum pm4_engine engine = harness->gpu->core.commands.samples;
	int ret = trial_start(trial, SLOTS, engine, true);

	if (!ret)
		ret = trial_sample_once(trial, SLOTS, engine, TRIAL_AS_LIBRARY,
					0);
	if (!ret)
		ret = shaders_stream(harness);
	if (!ret)
		ret = trial_sample_once(trial, SLOTS, engine, TRIAL_AS_LIBRARY,
					1);
	if (!ret)
		check_slots(slots);
	return trial_stop(trial, SLOTS, engine, true, ret);
}

static int
try_slots(struct harness *harness)
{
	static const char *const events[] = { "REQ_READ", "TOTAL_READ" };
	const struct core *core = &harness->gpu->core;
	const struct block *block = core_block(core, "TCP");
	size_t index = block ? (size_t)(block - core->blocks) : 0;
	int refused, ret = -ENOENT;
	struct slots slots;
	uint32_t id = 0;

	for (size_t i = 0; block && ret && i < ARRAY_SIZE(events); i++)
		ret = core_event_id(core, index, events[i], harness->arena,
				    &id);
	if (ret) {
		harness_check(harness, SELFTEST_UNKNOWN, SLOTS,
			      "an event counts the same in all slots",
			      "the table has no such event");
		return 0;
	}
	ret = trial_init_empty(&slots.trial, harness);
	if (ret)
		return ret;
	if (add_slots(&slots, index, id)) {
		refused = amd_context_set_pstate(harness->ctx,
						 STABLE_PSTATE_STANDARD);
		ret = run_slots(&slots);
		if (!refused)
			amd_context_set_pstate(harness->ctx,
					       STABLE_PSTATE_NONE);
	}
	trial_finish(&slots.trial);
	return ret;
}

/* ------------------------------------------------------------------ */

int
shaders_stream(struct harness *harness)
{
	_Static_assert(BYTES == SELFTEST_STREAM_BYTES, "as others are told");
	static const struct measured_work stream = {
		.what = "a stream",
		.write = write_accesses,
		.pattern = DENSE,
		.counts = { { .check = SLOTS } }
	};

	return work_launch(harness, &stream);
}

int
shaders_count(struct harness *harness)
{
	int ret = dma_try(harness);

	for (size_t i = 0; ret >= 0 && i < ARRAY_SIZE(works); i++)
		ret = try_work(harness, &works[i]);
	if (ret >= 0)
		ret = try_slots(harness);
	return ret < 0 ? ret : 0;
}
