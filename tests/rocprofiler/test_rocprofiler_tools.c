/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tools that were written for AMD's library, by the order of their calls: its
 * own, which `rocprof` runs, TAU's and HPCToolkit's. What they take for granted
 * is said in no specification.
 */
#include <rocprofiler/rocprofiler.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmsim/control.h"
#include "program.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define DISPATCHES 8

static const hsa_signal_t no_signal = { 0 };

/* What a tool keeps of a dispatch. */
struct entry {
	rocprofiler_callback_data_t data;
	rocprofiler_group_t group;
	rocprofiler_feature_t features[2];
	bool is_dumped;
};

static struct entry entries[DISPATCHES];
static unsigned entry_count, dumped, unfinished;
static const char *wanted;
static bool is_filtered;

static void
set_up(void)
{
	memset(entries, 0, sizeof(entries));
	entry_count = dumped = unfinished = 0;
	wanted = "SQ_WAVES";
	is_filtered = false;
	unsetenv("ROCP_TOOL_LIB");
	unsetenv("TOOL_WANTS");
	begin_hsa();
	scene_set("force-en", "ignored");
}

TEST_CASE(tools, set_up, end_hsa, "roc_tools");

static void
load_tool(const char *wants)
{
	const char *build = getenv("BUILD_DIR");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/hsa/libtool.so",
		 build ? build : "build");
	setenv("ROCP_TOOL_LIB", path, 1);
	setenv("TOOL_WANTS", wants, 1);
	load_profiler("1");
}

static void
set_callbacks(rocprofiler_callback_t dispatched,
	      hsa_status_t (*destroyed)(hsa_queue_t *, void *))
{
	const rocprofiler_queue_callbacks_t callbacks = {
		.dispatch = dispatched,
		.destroy = destroyed,
	};

	must_succeed(rocprofiler_set_queue_callbacks(callbacks, entries));
}

/* ------------------------------------------------------------------ */
/* The tool of rocprof                                                  */

/*
 * Dump an entry, which has its data; the record, and the context, are no longer
 * needed.
 */
static void
dump_entry(struct entry *entry)
{
	const rocprofiler_dispatch_record_t *record = entry->data.record;

	ck_assert_uint_gt(record->complete, 0);
	ck_assert_uint_ge(record->complete, record->end);
	delete_record(record);
	must_succeed(rocprofiler_group_get_data(&entry->group));
	must_succeed(rocprofiler_get_metrics(entry->group.context));
	must_succeed(rocprofiler_close(entry->group.context));
	entry->is_dumped = true;
	dumped++;
}

static bool
dump_at_end(rocprofiler_group_t group, void *data)
{
	struct entry *entry = data;

	ck_assert_ptr_eq(group.context, entry->group.context);
	dump_entry(entry);
	return false;
}

/*
 * Open a context. Without files for results no handler runs at the end of a
 * dispatch.
 */
static hsa_status_t
open_context(const rocprofiler_callback_data_t *data, bool with_handler,
	     rocprofiler_group_t *group)
{
	struct entry *entry = &entries[entry_count++];
	rocprofiler_properties_t properties = {
		.handler = with_handler ? dump_at_end : NULL,
		.handler_arg = entry,
	};
	rocprofiler_t *context;
	uint32_t count;

	entry->data = *data;
	entry->features[0].name = wanted;
	entry->features[1].name = "GRBM_COUNT";
	must_succeed(rocprofiler_open(data->agent, entry->features, 2, &context,
				      0, &properties));
	must_succeed(rocprofiler_group_count(context, &count));
	ck_assert_uint_eq(count, 1);
	must_succeed(rocprofiler_get_group(context, 0, group));
	entry->group = *group;
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
count_with_handler(const rocprofiler_callback_data_t *data, void *arg,
		   rocprofiler_group_t *group)
{
	ck_assert_ptr_eq(arg, entries);
	if (is_filtered && data->packet->grid_size_x % (2 * WAVE))
		return HSA_STATUS_SUCCESS;
	return open_context(data, true, group);
}

static hsa_status_t
count_until_destroyed(const rocprofiler_callback_data_t *data, void *arg,
		      rocprofiler_group_t *group)
{
	(void)arg;
	return open_context(data, false, group);
}

/* Dump a queue. All that it had is waited for, by looking at its record. */
static hsa_status_t
dump_queue(hsa_queue_t *queue, void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < entry_count; i++) {
		const rocprofiler_dispatch_record_t *record =
			entries[i].data.record;

		if (entries[i].data.queue != queue || entries[i].is_dumped)
			continue;
		while (!__atomic_load_n(&record->complete, __ATOMIC_ACQUIRE))
			unfinished++;
		dump_entry(&entries[i]);
	}
	return HSA_STATUS_SUCCESS;
}

static void
expect_waves(unsigned i, uint64_t waves)
{
	const rocprofiler_data_t *data = &entries[i].features[0].data;

	ck_assert_int_eq(data->kind, ROCPROFILER_DATA_KIND_INT64);
	ck_assert_uint_eq(data->result_int64, waves);
}

TEST(tools, rocprof_deletes_records_in_its_handler)
{
	hsa_queue_t *queue;

	load_profiler("1");
	load_kernel();
	set_callbacks(count_with_handler, NULL);
	queue = make_queue();
	for (uint32_t i = 0; i < 3; i++)
		run_waves(queue, 10 + i);
	ck_assert_uint_eq(dumped, 3);
	for (uint32_t i = 0; i < 3; i++)
		expect_waves(i, 10 + i);
	must_succeed(hsa_queue_destroy(queue));
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

TEST(tools, rocprof_filters_dispatches)
{
	hsa_queue_t *queue;

	load_profiler("1");
	load_kernel();
	is_filtered = true;
	set_callbacks(count_with_handler, NULL);
	queue = make_queue();
	for (uint32_t i = 0; i < 4; i++)
		run_waves(queue, 10 + i);
	ck_assert_uint_eq(dumped, 2);
	expect_waves(0, 10);
	expect_waves(1, 12);
	must_succeed(hsa_queue_destroy(queue));
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

TEST(tools, rocprof_collects_when_a_queue_is_destroyed)
{
	hsa_queue_t *queue;

	load_profiler("2");
	load_kernel();
	wanted = "SQ:4";
	set_callbacks(count_until_destroyed, dump_queue);
	queue = make_queue();
	for (uint32_t i = 0; i < 4; i++)
		dispatch_waves(queue, 10 + i, no_signal);
	ck_assert_uint_eq(dumped, 0);
	must_succeed(hsa_queue_destroy(queue));
	ck_assert_uint_eq(dumped, 4);
	for (uint32_t i = 0; i < 4; i++)
		expect_waves(i, 10 + i);
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

TEST(tools, rocprof_wants_no_times)
{
	hsa_queue_t *queue;

	load_tool("untimed");
	load_kernel();
	set_callbacks(count_until_destroyed, NULL);
	queue = make_queue();
	run_waves(queue, 9);
	ck_assert_ptr_null(entries[0].data.record);
	must_succeed(rocprofiler_group_get_data(&entries[0].group));
	expect_waves(0, 9);
	must_succeed(rocprofiler_close(entries[0].group.context));
	must_succeed(hsa_queue_destroy(queue));
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

/* ---- in its quick way: names come with the code, and contexts from a pool */

static struct {
	uint64_t object;
	const char *name;
} symbols[4];
static rocprofiler_pool_t *pool;
static rocprofiler_feature_t pool_feature;

/* Take a symbol. Names are the tool's, until it hears that the code is gone. */
static hsa_status_t
take_symbol(rocprofiler_hsa_cb_id_t id,
	    const rocprofiler_hsa_callback_data_t *data, void *arg)
{
	const bool is_gone = data->ksymbol.unload;
	const uint64_t object = is_gone ? data->ksymbol.object : 0;
	unsigned i = 0;

	(void)arg;
	ck_assert_int_eq(id, ROCPROFILER_HSA_CB_ID_KSYMBOL);
	while (symbols[i].object != object)
		ck_assert_uint_lt(++i, ARRAY_SIZE(symbols));
	if (is_gone)
		free((char *)symbols[i].name);
	symbols[i].object = is_gone ? 0 : data->ksymbol.object;
	symbols[i].name = data->ksymbol.name;
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
count_briefly(const rocprofiler_callback_data_t *data, void *arg,
	      rocprofiler_group_t *group)
{
	rocprofiler_pool_entry_t entry;

	(void)arg;
	ck_assert_ptr_null(data->kernel_name);
	ck_assert_ptr_null(data->kernel_code);
	ck_assert_ptr_null(data->record);
	ck_assert_uint_eq(data->kernel_object, 0);
	ck_assert_uint_eq(data->packet->kernel_object, kernel);
	must_succeed(rocprofiler_pool_fetch(pool, &entry));
	must_succeed(rocprofiler_get_group(entry.context, 0, group));
	*(rocprofiler_callback_data_t *)entry.payload = *data;
	return HSA_STATUS_SUCCESS;
}

static bool
end_briefly(const rocprofiler_pool_entry_t *entry, void *arg)
{
	const rocprofiler_callback_data_t *data = entry->payload;

	(void)arg;
	ck_assert_ptr_null(data->record);
	must_succeed(rocprofiler_get_data(entry->context, 0));
	entries[dumped++].features[0].data = pool_feature.data;
	return false;
}

static void
open_pool(uint32_t features, size_t payload, rocprofiler_pool_handler_t handler)
{
	rocprofiler_pool_properties_t properties = {
		.num_entries = 2,
		.payload_bytes = (uint32_t)payload,
		.handler = handler,
	};

	pool_feature.name = wanted;
	must_succeed(rocprofiler_pool_open(gpu_agent,
					   features ? &pool_feature : NULL,
					   features, &pool, 0, &properties));
}

TEST(tools, rocprof_in_its_quick_way)
{
	const rocprofiler_hsa_callbacks_t ears = { .ksymbol = take_symbol };
	hsa_queue_t *queue;

	load_tool("brief");
	must_succeed(rocprofiler_set_hsa_callbacks(ears, NULL));
	load_kernel();
	ck_assert_uint_eq(symbols[0].object, kernel);
	ck_assert_str_eq(symbols[0].name, "add(float*, int)");
	open_pool(1, sizeof(rocprofiler_callback_data_t), end_briefly);
	set_callbacks(count_briefly, NULL);
	queue = make_queue();
	for (uint32_t i = 0; i < 3; i++)
		run_waves(queue, 20 + i);
	ck_assert_uint_eq(dumped, 3);
	for (uint32_t i = 0; i < 3; i++)
		expect_waves(i, 20 + i);
	must_succeed(hsa_queue_destroy(queue));
	must_succeed(rocprofiler_pool_close(pool));
	must_succeed(hsa_executable_destroy(executable));
	ck_assert_uint_eq(symbols[0].object, 0);
	unload_profiler();
}

/* ------------------------------------------------------------------ */
/* TAU: times alone, of contexts without features                       */

static hsa_status_t
time_it(const rocprofiler_callback_data_t *data, void *arg,
	rocprofiler_group_t *group)
{
	rocprofiler_pool_entry_t entry;

	(void)arg;
	ck_assert_ptr_nonnull(data->kernel_code);
	must_succeed(rocprofiler_pool_fetch(pool, &entry));
	must_succeed(rocprofiler_get_group(entry.context, 0, group));
	ck_assert_uint_eq(group->feature_count, 0);
	*(rocprofiler_callback_data_t *)entry.payload = *data;
	return HSA_STATUS_SUCCESS;
}

static bool
take_time(const rocprofiler_pool_entry_t *entry, void *arg)
{
	const rocprofiler_callback_data_t *data = entry->payload;
	static uint64_t last;

	(void)arg;
	ck_assert_str_eq(data->kernel_name, "add(float*, int)");
	ck_assert_uint_ge(data->record->begin, last);
	ck_assert_uint_gt(data->record->end, data->record->begin);
	last = data->record->end;
	delete_record(data->record);
	dumped++;
	return false;
}

TEST(tools, tau_times_kernels)
{
	hsa_queue_t *queue;

	load_profiler("1");
	load_kernel();
	open_pool(0, sizeof(rocprofiler_callback_data_t), take_time);
	set_callbacks(time_it, NULL);
	queue = make_queue();
	for (uint32_t i = 0; i < 5; i++)
		run_waves(queue, 20 + i);
	/* while the program goes on, and the pool stays open */
	must_succeed(rocprofiler_remove_queue_callbacks());
	must_succeed(rocprofiler_pool_flush(pool));
	run_waves(queue, 1);
	ck_assert_uint_eq(dumped, 5);
	must_succeed(hsa_queue_destroy(queue));
	unload_profiler();
	must_succeed(rocprofiler_pool_close(pool));
	must_succeed(hsa_executable_destroy(executable));
}

/* ------------------------------------------------------------------ */
/* HPCToolkit: callbacks for each kernel again, contexts that stay       */

static bool
take_values(rocprofiler_group_t group, void *data)
{
	struct entry *entry = data;

	must_succeed(rocprofiler_group_get_data(&group));
	must_succeed(rocprofiler_get_metrics(group.context));
	delete_record(entry->data.record);
	entry->is_dumped = true;
	return false;
}

static hsa_status_t
count_and_keep(const rocprofiler_callback_data_t *data, void *arg,
	       rocprofiler_group_t *group)
{
	struct entry *entry = &entries[entry_count++];
	rocprofiler_properties_t properties = { .handler = take_values,
						.handler_arg = entry };
	rocprofiler_t *context;

	(void)arg;
	entry->data = *data;
	entry->features[0].name = wanted;
	must_succeed(rocprofiler_open(data->agent, entry->features, 1, &context,
				      0, &properties));
	must_succeed(rocprofiler_get_group(context, 0, group));
	entry->group = *group;
	return HSA_STATUS_SUCCESS;
}

TEST(tools, hpctoolkit_starts_and_stops_callbacks)
{
	hsa_queue_t *queue;

	load_profiler("1");
	load_kernel();
	set_callbacks(count_and_keep, NULL);
	queue = make_queue();
	for (uint32_t i = 0; i < DISPATCHES; i++) {
		must_succeed(rocprofiler_start_queue_callbacks());
		run_waves(queue, 30 + i);
		ck_assert(entries[i].is_dumped);
		must_succeed(rocprofiler_stop_queue_callbacks());
		run_waves(queue, 1);
	}
	ck_assert_uint_eq(entry_count, DISPATCHES);
	must_succeed(rocprofiler_remove_queue_callbacks());
	for (uint32_t i = 0; i < DISPATCHES; i++) {
		expect_waves(i, 30 + i);
		must_succeed(rocprofiler_close(entries[i].group.context));
	}
	must_succeed(hsa_queue_destroy(queue));
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

/* ------------------------------------------------------------------ */
/* Programs that are their own tools                                    */

TEST(tools, callbacks_are_set_before_hsa_begins)
{
	const rocprofiler_queue_callbacks_t none = { 0 };
	hsa_queue_t *queue;

	must_succeed(hsa_shut_down());
	unsetenv("ROCP_HSA_INTERCEPT");
	must_fail(rocprofiler_set_queue_callbacks(none, NULL), ENOTSUP,
		  "ROCP_HSA_INTERCEPT");
	setenv("ROCP_HSA_INTERCEPT", "7", 1);
	must_fail(rocprofiler_set_queue_callbacks(none, NULL), ENOTSUP,
		  "ROCP_HSA_INTERCEPT");
	setenv("ROCP_HSA_INTERCEPT", "0", 1);
	must_fail(rocprofiler_set_queue_callbacks(none, NULL), ENOTSUP,
		  "ROCP_HSA_INTERCEPT");
	setenv("ROCP_HSA_INTERCEPT", "1", 1);
	set_callbacks(count_with_handler, NULL);
	must_fail(rocprofiler_set_queue_callbacks(none, NULL), EBUSY,
		  "already");
	begin_hsa();
	load_profiler("1");
	load_kernel();
	queue = make_queue();
	run_waves(queue, 7);
	ck_assert_uint_eq(dumped, 1);
	expect_waves(0, 7);
	must_succeed(hsa_queue_destroy(queue));
	unload_profiler();
	/* HSA runs, and has this library not for a tool */
	must_fail(rocprofiler_set_queue_callbacks(none, NULL), ENOTSUP,
		  "HSA_TOOLS_LIB");
	must_succeed(hsa_executable_destroy(executable));
}

/* See the end: what could not be counted has ended all the same. */
static bool
see_the_end(rocprofiler_group_t group, void *data)
{
	struct entry *entry = data;

	ck_assert_uint_gt(entry->data.record->complete, 0);
	delete_record(entry->data.record);
	must_fail(rocprofiler_group_get_data(&group), EBUSY, "no room");
	must_succeed(rocprofiler_close(group.context));
	dumped++;
	return true;
}

static hsa_status_t
count_in_vain(const rocprofiler_callback_data_t *data, void *arg,
	      rocprofiler_group_t *group)
{
	struct entry *entry = &entries[entry_count++];
	rocprofiler_properties_t properties = { .handler = see_the_end,
						.handler_arg = entry };
	rocprofiler_t *context;

	(void)arg;
	entry->data = *data;
	entry->features[0].name = "GRBM_SPI_BUSY";
	must_succeed(rocprofiler_open(data->agent, entry->features, 1, &context,
				      0, &properties));
	return rocprofiler_get_group(context, 0, group);
}

TEST(tools, record_is_complete_without_a_count)
{
	/* GRBM has no more */
	rocprofiler_feature_t busy[] = { { .name = "GRBM_GUI_ACTIVE" },
					 { .name = "GRBM_CP_BUSY" } };
	rocprofiler_t *context;
	hsa_queue_t *queue;

	load_profiler("1");
	load_kernel();
	set_callbacks(count_in_vain, NULL);
	queue = make_queue();
	must_succeed(rocprofiler_open(gpu_agent, busy, 2, &context, 0, NULL));
	must_succeed(rocprofiler_start(context, 0));
	run_waves(queue, 3);
	ck_assert_uint_eq(dumped, 1);
	must_succeed(rocprofiler_close(context));
	must_succeed(hsa_queue_destroy(queue));
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

TEST_MACHINE("roc_tools", "--time", "virtual", "--strict", "--gpu", "vega20");
