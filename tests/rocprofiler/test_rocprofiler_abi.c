/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The binary interface of ROCm's librocprofiler64.so.1, release 6.2, on x86-64:
 * numbers, sizes and offsets as compilers make them of its rocprofiler.h.
 */
#include <rocprofiler/rocprofiler.h>

#include <stddef.h>

#include "tests/support/check.h"
#include "tests/support/suite.h"

struct row {
	const char *what;
	size_t is, was;
};

#define VALUE(name, value) { #name, ROCPROFILER_##name, value }
#define SIZE(name, size) { #name, sizeof(rocprofiler_##name), size }
#define PLACE(name, member, offset) \
	{ #name "." #member, offsetof(rocprofiler_##name, member), offset }

static const struct row values[] = {
	VALUE(FEATURE_KIND_METRIC, 0),
	VALUE(FEATURE_KIND_TRACE, 1),
	VALUE(FEATURE_KIND_SPM_MOD, 2),
	VALUE(FEATURE_KIND_PCSMP_MOD, 4),
	VALUE(DATA_KIND_UNINIT, 0),
	VALUE(DATA_KIND_INT32, 1),
	VALUE(DATA_KIND_INT64, 2),
	VALUE(DATA_KIND_FLOAT, 3),
	VALUE(DATA_KIND_DOUBLE, 4),
	VALUE(DATA_KIND_BYTES, 5),
	VALUE(MODE_STANDALONE, 1),
	VALUE(MODE_CREATEQUEUE, 2),
	VALUE(MODE_SINGLEGROUP, 4),
	VALUE(TIME_ID_CLOCK_REALTIME, 0),
	VALUE(TIME_ID_CLOCK_REALTIME_COARSE, 1),
	VALUE(TIME_ID_CLOCK_MONOTONIC, 2),
	VALUE(TIME_ID_CLOCK_MONOTONIC_COARSE, 3),
	VALUE(TIME_ID_CLOCK_MONOTONIC_RAW, 4),
	VALUE(INFO_KIND_METRIC, 0),
	VALUE(INFO_KIND_METRIC_COUNT, 1),
	VALUE(INFO_KIND_TRACE, 2),
	VALUE(INFO_KIND_TRACE_COUNT, 3),
	VALUE(INFO_KIND_TRACE_PARAMETER, 4),
	VALUE(INFO_KIND_TRACE_PARAMETER_COUNT, 5),
	VALUE(HSA_CB_ID_ALLOCATE, 0),
	VALUE(HSA_CB_ID_DEVICE, 1),
	VALUE(HSA_CB_ID_MEMCOPY, 2),
	VALUE(HSA_CB_ID_SUBMIT, 3),
	VALUE(HSA_CB_ID_KSYMBOL, 4),
	VALUE(HSA_CB_ID_CODEOBJ, 5),
};

static const struct row layouts[] = {
	SIZE(settings_t, 56),
	PLACE(settings_t, intercept_mode, 0),
	PLACE(settings_t, code_obj_tracking, 4),
	PLACE(settings_t, memcopy_tracking, 8),
	PLACE(settings_t, trace_size, 12),
	PLACE(settings_t, trace_local, 16),
	PLACE(settings_t, timeout, 24),
	PLACE(settings_t, timestamp_on, 32),
	PLACE(settings_t, hsa_intercepting, 36),
	PLACE(settings_t, k_concurrent, 40),
	PLACE(settings_t, opt_mode, 44),
	PLACE(settings_t, obj_dumping, 48),
	SIZE(data_t, 32),
	PLACE(data_t, kind, 0),
	PLACE(data_t, result_int32, 8),
	PLACE(data_t, result_int64, 8),
	PLACE(data_t, result_float, 8),
	PLACE(data_t, result_double, 8),
	PLACE(data_t, result_bytes, 8),
	PLACE(data_t, result_bytes.ptr, 8),
	PLACE(data_t, result_bytes.size, 16),
	PLACE(data_t, result_bytes.instance_count, 20),
	PLACE(data_t, result_bytes.copy, 24),
	SIZE(feature_t, 72),
	PLACE(feature_t, kind, 0),
	PLACE(feature_t, name, 8),
	PLACE(feature_t, counter, 8),
	PLACE(feature_t, counter.block, 8),
	PLACE(feature_t, counter.event, 16),
	PLACE(feature_t, parameters, 24),
	PLACE(feature_t, parameter_count, 32),
	PLACE(feature_t, data, 40),
	SIZE(group_t, 32),
	PLACE(group_t, index, 0),
	PLACE(group_t, features, 8),
	PLACE(group_t, feature_count, 16),
	PLACE(group_t, context, 24),
	SIZE(properties_t, 32),
	PLACE(properties_t, queue, 0),
	PLACE(properties_t, queue_depth, 8),
	PLACE(properties_t, handler, 16),
	PLACE(properties_t, handler_arg, 24),
	SIZE(dispatch_record_t, 32),
	PLACE(dispatch_record_t, dispatch, 0),
	PLACE(dispatch_record_t, begin, 8),
	PLACE(dispatch_record_t, end, 16),
	PLACE(dispatch_record_t, complete, 24),
	SIZE(callback_data_t, 96),
	PLACE(callback_data_t, agent, 0),
	PLACE(callback_data_t, agent_index, 8),
	PLACE(callback_data_t, queue, 16),
	PLACE(callback_data_t, queue_index, 24),
	PLACE(callback_data_t, queue_id, 32),
	PLACE(callback_data_t, completion_signal, 40),
	PLACE(callback_data_t, packet, 48),
	PLACE(callback_data_t, kernel_name, 56),
	PLACE(callback_data_t, kernel_object, 64),
	PLACE(callback_data_t, kernel_code, 72),
	PLACE(callback_data_t, thread_id, 80),
	PLACE(callback_data_t, record, 88),
	SIZE(queue_callbacks_t, 24),
	PLACE(queue_callbacks_t, dispatch, 0),
	PLACE(queue_callbacks_t, create, 8),
	PLACE(queue_callbacks_t, destroy, 16),
	SIZE(info_query_t, 8),
	PLACE(info_query_t, info_kind, 0),
	PLACE(info_query_t, trace_parameter, 0),
	PLACE(info_query_t, trace_parameter.trace_name, 0),
	SIZE(info_data_t, 56),
	PLACE(info_data_t, agent_index, 0),
	PLACE(info_data_t, kind, 4),
	PLACE(info_data_t, metric, 8),
	PLACE(info_data_t, metric.name, 8),
	PLACE(info_data_t, metric.instances, 16),
	PLACE(info_data_t, metric.expr, 24),
	PLACE(info_data_t, metric.description, 32),
	PLACE(info_data_t, metric.block_name, 40),
	PLACE(info_data_t, metric.block_counters, 48),
	PLACE(info_data_t, trace, 8),
	PLACE(info_data_t, trace.name, 8),
	PLACE(info_data_t, trace.description, 16),
	PLACE(info_data_t, trace.parameter_count, 24),
	PLACE(info_data_t, trace_parameter, 8),
	PLACE(info_data_t, trace_parameter.code, 8),
	PLACE(info_data_t, trace_parameter.trace_name, 16),
	PLACE(info_data_t, trace_parameter.parameter_name, 24),
	PLACE(info_data_t, trace_parameter.description, 32),
	SIZE(pool_entry_t, 16),
	PLACE(pool_entry_t, context, 0),
	PLACE(pool_entry_t, payload, 8),
	SIZE(pool_properties_t, 24),
	PLACE(pool_properties_t, num_entries, 0),
	PLACE(pool_properties_t, payload_bytes, 4),
	PLACE(pool_properties_t, handler, 8),
	PLACE(pool_properties_t, handler_arg, 16),
	SIZE(hsa_callback_data_t, 72),
	PLACE(hsa_callback_data_t, allocate, 0),
	PLACE(hsa_callback_data_t, allocate.ptr, 0),
	PLACE(hsa_callback_data_t, allocate.size, 8),
	PLACE(hsa_callback_data_t, allocate.segment, 16),
	PLACE(hsa_callback_data_t, allocate.global_flag, 20),
	PLACE(hsa_callback_data_t, allocate.is_code, 24),
	PLACE(hsa_callback_data_t, device, 0),
	PLACE(hsa_callback_data_t, device.type, 0),
	PLACE(hsa_callback_data_t, device.id, 4),
	PLACE(hsa_callback_data_t, device.agent, 8),
	PLACE(hsa_callback_data_t, device.ptr, 16),
	PLACE(hsa_callback_data_t, memcopy, 0),
	PLACE(hsa_callback_data_t, memcopy.dst, 0),
	PLACE(hsa_callback_data_t, memcopy.src, 8),
	PLACE(hsa_callback_data_t, memcopy.size, 16),
	PLACE(hsa_callback_data_t, submit, 0),
	PLACE(hsa_callback_data_t, submit.packet, 0),
	PLACE(hsa_callback_data_t, submit.kernel_name, 8),
	PLACE(hsa_callback_data_t, submit.queue, 16),
	PLACE(hsa_callback_data_t, submit.device_type, 24),
	PLACE(hsa_callback_data_t, submit.device_id, 28),
	PLACE(hsa_callback_data_t, ksymbol, 0),
	PLACE(hsa_callback_data_t, ksymbol.object, 0),
	PLACE(hsa_callback_data_t, ksymbol.name, 8),
	PLACE(hsa_callback_data_t, ksymbol.name_length, 16),
	PLACE(hsa_callback_data_t, ksymbol.unload, 20),
	PLACE(hsa_callback_data_t, codeobj, 0),
	PLACE(hsa_callback_data_t, codeobj.storage_type, 0),
	PLACE(hsa_callback_data_t, codeobj.storage_file, 4),
	PLACE(hsa_callback_data_t, codeobj.memory_base, 8),
	PLACE(hsa_callback_data_t, codeobj.memory_size, 16),
	PLACE(hsa_callback_data_t, codeobj.load_base, 24),
	PLACE(hsa_callback_data_t, codeobj.load_size, 32),
	PLACE(hsa_callback_data_t, codeobj.load_delta, 40),
	PLACE(hsa_callback_data_t, codeobj.uri_length, 48),
	PLACE(hsa_callback_data_t, codeobj.uri, 56),
	PLACE(hsa_callback_data_t, codeobj.unload, 64),
	SIZE(hsa_callbacks_t, 48),
	PLACE(hsa_callbacks_t, allocate, 0),
	PLACE(hsa_callbacks_t, device, 8),
	PLACE(hsa_callbacks_t, memcopy, 16),
	PLACE(hsa_callbacks_t, submit, 24),
	PLACE(hsa_callbacks_t, ksymbol, 32),
	PLACE(hsa_callbacks_t, codeobj, 40),
};

static void
hold_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(rows[i].is == rows[i].was, "%s: %zu, was %zu",
			      rows[i].what, rows[i].is, rows[i].was);
}

TEST_CASE(abi, NULL, NULL, "roc_abi");

TEST(abi, values_are_rocms)
{
	hold_rows(values, ARRAY_SIZE(values));
}

TEST(abi, layouts_are_rocms)
{
	hold_rows(layouts, ARRAY_SIZE(layouts));
}
