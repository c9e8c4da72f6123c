/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intercepting, sentence by sentence of the ROC profiler's specification:
 * kernels go into queues of a small HSA and run on simulated GPUs, on which SQ
 * sees nothing of queues that do not allow it.
 */
#include <rocprofiler/rocprofiler.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hsa_standin.h"
#include "program.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define MOST 64 /* dispatches of a test */

/* What was seen of a dispatch. */
struct seen {
	rocprofiler_callback_data_t about;
	char name[64];
	uint32_t grid;
	rocprofiler_feature_t feature;
	rocprofiler_group_t group;
	bool is_told; /* the handler was called */
	bool was_early; /* before the program's own signal */
	uint64_t waves;
};

static struct {
	pthread_mutex_t lock;
	struct seen seen[MOST];
	unsigned count;
	unsigned created, destroyed; /* queues */
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

static const char *counted;

/* Entries of a pool. */
static unsigned pool_ended;
static uint64_t pool_waves;
static rocprofiler_feature_t pool_feature;
static rocprofiler_pool_t *pool;

/* ------------------------------------------------------------------ */
/* Helpers                                                              */

/* Forget what was counted, where all tests are made in one process. */
static void
forget_counts(void)
{
	memset(all.seen, 0, sizeof(all.seen));
	all.count = all.created = all.destroyed = 0;
	counted = "SQ_WAVES";
	pool_ended = 0;
	pool_waves = 0;
	unsetenv("HSA_STANDIN_TABLES");
}

static void
set_up(void)
{
	forget_counts();
	begin_hsa();
	scene_set("force-en", "ignored");
}

/* Records of what was counted are the tool's. */
static void
tear_down(void)
{
	for (unsigned i = 0; i < all.count; i++) {
		if (all.seen[i].group.context)
			delete_record(all.seen[i].about.record);
	}
	must_succeed(hsa_shut_down());
}

TEST_CASE(dispatches, set_up, tear_down, "roc_dispatch");

/* ------------------------------------------------------------------ */
/* A tool                                                               */

static bool
take_data(rocprofiler_group_t group, void *data)
{
	struct seen *seen = data;
	const hsa_signal_t original = seen->about.completion_signal;

	seen->was_early =
		original.handle && hsa_signal_load_scacquire(original) == 1;
	if (!rocprofiler_group_get_data(&group))
		seen->waves = seen->feature.data.result_int64;
	pthread_mutex_lock(&all.lock);
	seen->is_told = true;
	pthread_mutex_unlock(&all.lock);
	rocprofiler_close(group.context);
	return true;
}

static struct seen *
remember_dispatch(const rocprofiler_callback_data_t *about)
{
	struct seen *seen;

	pthread_mutex_lock(&all.lock);
	ck_assert_uint_lt(all.count, MOST);
	seen = &all.seen[all.count++];
	pthread_mutex_unlock(&all.lock);
	seen->about = *about;
	snprintf(seen->name, sizeof(seen->name), "%s", about->kernel_name);
	seen->grid = about->packet->grid_size_x;
	return seen;
}

/* Make a context for each dispatch, as the specification's example has it. */
static hsa_status_t
count_waves(const rocprofiler_callback_data_t *about, void *data,
	    rocprofiler_group_t *group)
{
	struct seen *seen = remember_dispatch(about);
	rocprofiler_properties_t properties = { .handler = take_data,
						.handler_arg = seen };
	rocprofiler_t *context;

	ck_assert_ptr_eq(data, &all);
	seen->feature.name = "SQ_WAVES";
	must_succeed(rocprofiler_open(about->agent, &seen->feature, 1, &context,
				      ROCPROFILER_MODE_SINGLEGROUP,
				      &properties));
	must_succeed(rocprofiler_get_group(context, 0, group));
	seen->group = *group;
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
see_creation(hsa_queue_t *queue, void *data)
{
	ck_assert_ptr_nonnull(queue);
	ck_assert_ptr_eq(data, &all);
	all.created++;
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
see_destruction(hsa_queue_t *queue, void *data)
{
	ck_assert_ptr_nonnull(queue);
	ck_assert_ptr_eq(data, &all);
	all.destroyed++;
	return HSA_STATUS_SUCCESS;
}

static void
set_callbacks(rocprofiler_callback_t callback)
{
	const rocprofiler_queue_callbacks_t callbacks = {
		.dispatch = callback,
		.create = see_creation,
		.destroy = see_destruction,
	};

	must_succeed(rocprofiler_set_queue_callbacks(callbacks, &all));
}

/* ------------------------------------------------------------------ */
/* Dispatches                                                           */

TEST(dispatches, dispatch_is_counted_exactly)
{
	const struct seen *seen = all.seen;
	hsa_queue_t *queue;

	load_profiler("1");
	load_kernel();
	set_callbacks(count_waves);
	queue = make_queue();
	for (uint32_t i = 0; i < 5; i++)
		run_waves(queue, 100 + i);
	ck_assert_uint_eq(all.count, 5);
	for (uint32_t i = 0; i < 5; i++) {
		ck_assert(seen[i].is_told);
		ck_assert(seen[i].was_early);
		ck_assert_uint_eq(seen[i].waves, 100 + i);
	}
	must_succeed(hsa_queue_destroy(queue));
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

TEST(dispatches, callback_data_describe_the_dispatch)
{
	const struct seen *seen = all.seen;
	hsa_queue_t *first, *second;

	load_profiler("2");
	load_kernel();
	set_callbacks(count_waves);
	first = make_queue();
	second = make_queue();
	ck_assert_uint_eq(all.created, 2);
	run_waves(first, 3);
	run_waves(second, 4);
	run_waves(second, 5);
	ck_assert_uint_eq(all.count, 3);
	for (unsigned i = 0; i < 3; i++) {
		const rocprofiler_callback_data_t *about = &seen[i].about;
		const rocprofiler_dispatch_record_t *record = about->record;

		ck_assert_uint_eq(about->agent.handle, gpu_agent.handle);
		ck_assert_uint_eq(about->agent_index, 1);
		ck_assert_ptr_eq(about->queue, i ? second : first);
		ck_assert_uint_eq(about->queue_id, i ? 1 : 0);
		ck_assert_uint_eq(about->queue_index, i == 2 ? 1 : 0);
		ck_assert_uint_eq(seen[i].grid, (3 + i) * WAVE);
		ck_assert_str_eq(seen[i].name, "add(float*, int)");
		ck_assert_uint_eq(about->kernel_object, kernel);
		ck_assert_ptr_eq(about->kernel_code, (void *)kernel);
		ck_assert_uint_ne(about->thread_id, 0);
		ck_assert_uint_gt(record->dispatch, 0);
		ck_assert_uint_le(record->dispatch, record->begin);
		ck_assert_uint_le(record->begin, record->end);
		ck_assert_uint_le(record->end, record->complete);
	}
	must_succeed(hsa_queue_destroy(first));
	must_succeed(hsa_queue_destroy(second));
	ck_assert_uint_eq(all.destroyed, 2);
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

/* The program's own signal has the times that the packet would have had. */
TEST(dispatches, program_sees_its_signal)
{
	const hsa_signal_t signal = (load_profiler("1"), make_signal());
	hsa_amd_profiling_dispatch_time_t time;
	hsa_signal_t last;
	hsa_queue_t *queue;

	load_kernel();
	set_callbacks(count_waves);
	queue = make_queue();
	dispatch_waves(queue, 7, signal);
	hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1,
				  UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
	ck_assert_int_eq(hsa_signal_load_scacquire(signal), 0);
	must_succeed(
		hsa_amd_profiling_get_dispatch_time(gpu_agent, signal, &time));
	ck_assert_uint_gt(time.start, 0);
	ck_assert_uint_le(time.start, time.end);
	ck_assert_uint_eq(time.start * 10, all.seen[0].about.record->begin);
	hsa_signal_destroy(signal);
	/* one without a signal, that a barrier behind it waits for */
	dispatch_waves(queue, 8, (hsa_signal_t){ 0 });
	last = make_signal();
	put_barrier(queue, (hsa_signal_t){ 0 }, last);
	wait_for(last);
	ck_assert_uint_eq(all.seen[1].waves, 8);
	must_succeed(hsa_queue_destroy(queue));
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

static void *
run_some(void *data)
{
	hsa_queue_t *queue = make_queue();

	for (uint32_t i = 1; i <= 10; i++)
		run_waves(queue, *(uint32_t *)data * i);
	must_succeed(hsa_queue_destroy(queue));
	return NULL;
}

/* What runs in one queue is not in the counts of another. */
TEST(dispatches, queues_take_turns)
{
	uint32_t factors[] = { 1, 100, 1000 };
	pthread_t threads[ARRAY_SIZE(factors)];

	load_profiler("1");
	load_kernel();
	set_callbacks(count_waves);
	for (unsigned i = 0; i < ARRAY_SIZE(factors); i++)
		pthread_create(&threads[i], NULL, run_some, &factors[i]);
	for (unsigned i = 0; i < ARRAY_SIZE(factors); i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_eq(all.count, 30);
	for (unsigned i = 0; i < all.count; i++)
		ck_assert_uint_eq(all.seen[i].waves, all.seen[i].grid / WAVE);
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

/* Former work of the queue, which was not to be counted, is not in a count. */
TEST(dispatches, former_work_does_not_count)
{
	hsa_signal_t gate, last;
	hsa_queue_t *queue;

	load_profiler("1");
	load_kernel();
	gate = make_signal();
	last = make_signal();
	queue = make_queue();
	put_barrier(queue, gate, (hsa_signal_t){ 0 });
	dispatch_waves(queue, 1000, (hsa_signal_t){ 0 });
	set_callbacks(count_waves);
	dispatch_waves(queue, 10, last);
	must_succeed(rocprofiler_stop_queue_callbacks());
	dispatch_waves(queue, 2000, (hsa_signal_t){ 0 });
	hsa_signal_store_screlease(gate, 0);
	wait_for(last);
	ck_assert_uint_eq(all.count, 1);
	ck_assert_uint_eq(all.seen[0].waves, 10);
	run_waves(queue, 5);
	ck_assert_uint_eq(all.count, 1);
	must_succeed(rocprofiler_start_queue_callbacks());
	run_waves(queue, 6);
	ck_assert_uint_eq(all.count, 2);
	ck_assert_uint_eq(all.seen[1].waves, 6);
	must_succeed(rocprofiler_remove_queue_callbacks());
	run_waves(queue, 6);
	ck_assert_uint_eq(all.count, 2);
	must_succeed(hsa_queue_destroy(queue));
	hsa_signal_destroy(gate);
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

/* Count every second dispatch only. */
static hsa_status_t
count_some(const rocprofiler_callback_data_t *about, void *data,
	   rocprofiler_group_t *group)
{
	if (about->packet->grid_size_x % (2 * WAVE)) {
		remember_dispatch(about);
		return about->packet->grid_size_x % (3 * WAVE)
			       ? HSA_STATUS_SUCCESS
			       : HSA_STATUS_ERROR;
	}
	return count_waves(about, data, group);
}

TEST(dispatches, tool_chooses)
{
	hsa_queue_t *queue;

	load_profiler("1");
	load_kernel();
	set_callbacks(count_some);
	queue = make_queue();
	for (uint32_t i = 1; i <= 6; i++)
		run_waves(queue, i);
	ck_assert_uint_eq(all.count, 6);
	for (uint32_t i = 0; i < 6; i++) {
		ck_assert_int_eq(all.seen[i].is_told, i % 2);
		ck_assert_uint_eq(all.seen[i].waves, i % 2 ? i + 1 : 0);
	}
	must_succeed(hsa_queue_destroy(queue));
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

/* ------------------------------------------------------------------ */
/* Waiting for data                                                     */

/* Count for later, without a handler: the caller that asks waits. */
static hsa_status_t
count_for_later(const rocprofiler_callback_data_t *about, void *data,
		rocprofiler_group_t *group)
{
	struct seen *seen = remember_dispatch(about);
	rocprofiler_t *context;

	(void)data;
	seen->feature.name = counted;
	must_succeed(rocprofiler_open(about->agent, &seen->feature, 1, &context,
				      0, NULL));
	must_succeed(rocprofiler_get_group(context, 0, group));
	seen->group = *group;
	return HSA_STATUS_SUCCESS;
}

TEST(dispatches, get_data_waits)
{
	struct seen *seen = all.seen;
	hsa_queue_t *queue;

	load_profiler("1");
	load_kernel();
	set_callbacks(count_for_later);
	queue = make_queue();
	for (uint32_t i = 1; i <= 8; i++)
		dispatch_waves(queue, i, (hsa_signal_t){ 0 });
	for (uint32_t i = 8; i--;) {
		must_succeed(rocprofiler_group_get_data(&seen[i].group));
		must_succeed(rocprofiler_get_metrics(seen[i].group.context));
		ck_assert_uint_eq(seen[i].feature.data.result_int64, i + 1);
		must_succeed(rocprofiler_close(seen[i].group.context));
	}
	must_succeed(hsa_queue_destroy(queue));
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

/* What never ran has no data, and says so; what is closed is not counted. */
TEST(dispatches, destroyed_queue)
{
	struct seen *seen = all.seen;
	hsa_signal_t gate;
	hsa_queue_t *queue;

	load_profiler("1");
	load_kernel();
	set_callbacks(count_for_later);
	gate = make_signal();
	queue = make_queue();
	put_barrier(queue, gate, (hsa_signal_t){ 0 });
	dispatch_waves(queue, 5, (hsa_signal_t){ 0 });
	dispatch_waves(queue, 6, (hsa_signal_t){ 0 });
	must_succeed(rocprofiler_close(seen[1].group.context));
	must_succeed(hsa_queue_destroy(queue));
	must_fail(rocprofiler_get_data(seen[0].group.context, 0), ECANCELED,
		  "its queue was destroyed");
	must_succeed(rocprofiler_close(seen[0].group.context));
	hsa_signal_destroy(gate);
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

/* A dispatch that could not be counted runs, and has an error for data. */
TEST(dispatches, counting_that_fails)
{
	struct seen *seen = all.seen;
	/* GRBM has no more */
	rocprofiler_feature_t busy[] = { { .name = "GRBM_GUI_ACTIVE" },
					 { .name = "GRBM_CP_BUSY" } };
	rocprofiler_t *context;
	hsa_queue_t *queue;

	load_profiler("1");
	load_kernel();
	set_callbacks(count_for_later);
	queue = make_queue();
	run_waves(queue, 5);
	must_succeed(rocprofiler_get_data(seen[0].group.context, 0));
	must_succeed(rocprofiler_open(gpu_agent, busy, 2, &context, 0, NULL));
	must_succeed(rocprofiler_start(context, 0));
	counted = "GRBM_SPI_BUSY";
	run_waves(queue, 6);
	must_fail(rocprofiler_get_data(seen[1].group.context, 0), EBUSY,
		  "no room");
	ck_assert_int_eq(seen[1].feature.data.kind,
			 ROCPROFILER_DATA_KIND_UNINIT);
	must_succeed(rocprofiler_close(context));
	must_succeed(rocprofiler_close(seen[0].group.context));
	must_succeed(rocprofiler_close(seen[1].group.context));
	must_succeed(hsa_queue_destroy(queue));
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

/* ------------------------------------------------------------------ */
/* Queues made by the library                                           */

TEST(dispatches, profiled_queue)
{
	hsa_queue_t *queue;

	must_fail(rocprofiler_queue_create_profiled(gpu_agent, 64, 0, NULL,
						    NULL, 0, 0, &queue),
		  ENOTSUP, "HSA_TOOLS_LIB");
	load_profiler("1");
	load_kernel();
	set_callbacks(count_waves);
	must_fail(rocprofiler_queue_create_profiled(gpu_agent, 64, 0, NULL,
						    NULL, 0, 0, NULL),
		  EINVAL, "NULL");
	must_succeed(rocprofiler_queue_create_profiled(
		gpu_agent, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX,
		UINT32_MAX, &queue));
	run_waves(queue, 12);
	ck_assert_uint_eq(all.seen[0].waves, 12);
	must_succeed(hsa_queue_destroy(queue));
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

/* ------------------------------------------------------------------ */
/* Pools                                                                */

struct pooled {
	rocprofiler_group_t group;
	const rocprofiler_dispatch_record_t *record;
};

static bool
end_entry(const rocprofiler_pool_entry_t *entry, void *data)
{
	struct pooled *pooled = entry->payload;

	ck_assert_ptr_eq(data, &pool_ended);
	ck_assert_ptr_eq(pooled->group.context, entry->context);
	must_succeed(rocprofiler_group_get_data(&pooled->group));
	delete_record(pooled->record);
	pool_waves += pool_feature.data.result_int64;
	pool_ended++;
	return false;
}

static hsa_status_t
count_with_pool(const rocprofiler_callback_data_t *about, void *data,
		rocprofiler_group_t *group)
{
	rocprofiler_pool_entry_t entry;

	(void)data;
	must_succeed(rocprofiler_pool_fetch(pool, &entry));
	must_succeed(rocprofiler_get_group(entry.context, 0, group));
	*(struct pooled *)entry.payload =
		(struct pooled){ *group, about->record };
	return HSA_STATUS_SUCCESS;
}

TEST(dispatches, pool_has_a_context_for_each_dispatch)
{
	rocprofiler_pool_properties_t properties = {
		.num_entries = 2,
		.payload_bytes = sizeof(struct pooled),
		.handler = end_entry,
		.handler_arg = &pool_ended,
	};
	hsa_signal_t gate, last;
	hsa_queue_t *queue;

	load_profiler("1");
	load_kernel();
	pool_feature.name = "SQ_NOTHING";
	must_fail(rocprofiler_pool_open(gpu_agent, &pool_feature, 1, &pool, 0,
					&properties),
		  ENOENT, "SQ_NOTHING");
	pool_feature.name = "SQ_WAVES";
	must_fail(rocprofiler_pool_open(gpu_agent, &pool_feature, 1, &pool, 0,
					NULL),
		  EINVAL, "NULL");
	must_fail(rocprofiler_pool_open(gpu_agent, &pool_feature, 1, &pool,
					ROCPROFILER_MODE_STANDALONE,
					&properties),
		  EINVAL, "mode");
	must_succeed(rocprofiler_pool_open(gpu_agent, &pool_feature, 1, &pool,
					   0, &properties));
	set_callbacks(count_with_pool);
	queue = make_queue();
	gate = make_signal();
	last = make_signal();
	put_barrier(queue, gate, (hsa_signal_t){ 0 });
	for (uint32_t i = 1; i < 6; i++)
		dispatch_waves(queue, i, (hsa_signal_t){ 0 });
	dispatch_waves(queue, 6, last);
	ck_assert_uint_eq(pool_ended, 0);
	hsa_signal_store_screlease(gate, 0);
	wait_for(last);
	must_succeed(rocprofiler_pool_flush(pool));
	ck_assert_uint_eq(pool_ended, 6);
	ck_assert_uint_eq(pool_waves, 1 + 2 + 3 + 4 + 5 + 6);
	must_succeed(hsa_queue_destroy(queue));
	must_succeed(rocprofiler_pool_close(pool));
	must_succeed(rocprofiler_pool_close(NULL));
	must_fail(rocprofiler_pool_flush(NULL), EINVAL, "NULL");
	hsa_signal_destroy(gate);
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

/* ------------------------------------------------------------------ */
/* HSA's tables                                                         */

/* Releases of HSA that can intercept: functions stand elsewhere in some. */
static const char *const releases[] = { "1.7", "4.5", "5.6",
					"6.0", "6.2", "7.1" };

TEST_LOOP(dispatches, dispatches_are_counted_with_tables_of_any_release,
	  ARRAY_SIZE(releases))
{
	hsa_queue_t *queue;

	setenv("HSA_STANDIN_TABLES", releases[_i], 1);
	load_profiler("1");
	load_kernel();
	set_callbacks(count_waves);
	queue = make_queue();
	run_waves(queue, 9);
	ck_assert_uint_eq(all.seen[0].waves, 9);
	must_succeed(hsa_queue_destroy(queue));
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

TEST_MACHINE("roc_dispatch", "--strict", "--time", "virtual", "--gpu",
	     "vega20");
TEST_MACHINE("roc_dispatch", "--strict", "--time", "virtual", "--gpu", "mi100");
TEST_MACHINE("roc_dispatch", "--strict", "--time", "virtual", "--gpu", "mi200");
