/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The ROC profiler API, version 8: counters and metrics of AMD GPUs, by HSA
 * agent. README.md beside libdrmperf's sources tells what differs from AMD's
 * library, and from the specification.
 *
 * Functions return HSA_STATUS_SUCCESS or another status of HSA's; which errno
 * value and which words belong to the last failure of the calling thread,
 * rocprofiler_errno() and rocprofiler_error_string() tell.
 *
 * Several threads may call at once; a context is used by one thread at a time.
 */
#ifndef ROCPROFILER_ROCPROFILER_H
#define ROCPROFILER_ROCPROFILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hsa/amd_hsa_kernel_code.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

/* That header defines this, in every C file that includes it. */
#if defined(__GNUC__) && !defined(__cplusplus)
#pragma weak HSA_VEN_AMD_AQLPROFILE_LEGACY_PM4_PACKET_SIZE
#endif
#include <hsa/hsa_ven_amd_aqlprofile.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* The binary interface: that of ROCm 2 to 6. */
#define ROCPROFILER_VERSION_MAJOR 8
#define ROCPROFILER_VERSION_MINOR 0

/**
 * Return the version of the library in use. The later pair has the older names.
 */
uint32_t rocprofiler_version_major(void);
uint32_t rocprofiler_version_minor(void);
uint32_t rocprofiler_major_version(void);
uint32_t rocprofiler_minor_version(void);

/* ------------------------------------------------------------------ */
/* Errors                                                               */

typedef int rocprofiler_errno_t; /* a value of errno.h; 0: no failure yet */

/** Return the kind of the calling thread's last failure. */
rocprofiler_errno_t rocprofiler_errno(void);

/**
 * Describe the last failure in the calling thread, with what to do about it; ""
 * if there was none. *str stays until the thread's next failure.
 */
hsa_status_t rocprofiler_error_string(const char **str);

/* ------------------------------------------------------------------ */
/* Features and their data                                              */

typedef enum {
	ROCPROFILER_FEATURE_KIND_METRIC = 0,
	ROCPROFILER_FEATURE_KIND_TRACE = 1,
	ROCPROFILER_FEATURE_KIND_SPM_MOD = 2,
	ROCPROFILER_FEATURE_KIND_PCSMP_MOD = 4
} rocprofiler_feature_kind_t;

typedef hsa_ven_amd_aqlprofile_parameter_t rocprofiler_parameter_t;
typedef rocprofiler_parameter_t rocprofiler_feature_parameter_t;

typedef enum {
	ROCPROFILER_DATA_KIND_UNINIT = 0,
	ROCPROFILER_DATA_KIND_INT32 = 1,
	ROCPROFILER_DATA_KIND_INT64 = 2,
	ROCPROFILER_DATA_KIND_FLOAT = 3,
	ROCPROFILER_DATA_KIND_DOUBLE = 4,
	ROCPROFILER_DATA_KIND_BYTES = 5
} rocprofiler_data_kind_t;

/**
 * A value. Counters are INT64; metrics DOUBLE, NaN where there is none, as the
 * share of hits in a cache without requests; traces of waves BYTES, which are
 * the context's: for each shader engine its size, in 32 bits, and as many
 * bytes. Others do not occur here.
 */
typedef struct {
	rocprofiler_data_kind_t kind;
	union {
		uint32_t result_int32;
		uint64_t result_int64;
		float result_float;
		double result_double;
		struct {
			void *ptr;
			uint32_t size;
			uint32_t instance_count;
			bool copy;
		} result_bytes;
	};
} rocprofiler_data_t;

/**
 * A feature to be measured, and its data. The caller's: it stays until the
 * context is closed, and so does the name.
 */
typedef struct {
	rocprofiler_feature_kind_t kind;
	union {
		const char *name; /* "SQ_WAVES", "TCC_HIT[3]", "L2CacheHit" */
		struct {
			const char *block;
			uint32_t event;
		} counter;
	};
	const rocprofiler_parameter_t *parameters;
	uint32_t parameter_count;
	rocprofiler_data_t data;
} rocprofiler_feature_t;

/* ------------------------------------------------------------------ */
/* Contexts                                                             */

typedef void rocprofiler_t; /* a context: features that are being measured */

/** Features that one run collects. Stays until the context is closed. */
typedef struct {
	unsigned index;
	rocprofiler_feature_t **features;
	uint32_t feature_count;
	rocprofiler_t *context;
} rocprofiler_group_t;

/** How to open a context: any of these, or 0. */
typedef enum {
	ROCPROFILER_MODE_STANDALONE = 1, /* sampling, with start and stop */
	ROCPROFILER_MODE_CREATEQUEUE = 2, /* STANDALONE: make its queue */
	ROCPROFILER_MODE_SINGLEGROUP = 4 /* fail if one run is not enough */
} rocprofiler_mode_t;

/** Called when a group has its data; what it returns does not matter. */
typedef bool (*rocprofiler_handler_t)(rocprofiler_group_t group, void *arg);

typedef struct {
	hsa_queue_t *queue; /* counting needs none; NULL is allowed */
	uint32_t queue_depth; /* of the queue that is made */
	rocprofiler_handler_t handler; /* or NULL */
	void *handler_arg;
} rocprofiler_properties_t;

/**
 * Cut the features into as few groups as they fit, and prepare these. Touches
 * no hardware.
 *
 * With ROCPROFILER_MODE_CREATEQUEUE, properties->queue becomes a queue that the
 * caller destroys. properties may be NULL otherwise. *context is released with
 * rocprofiler_close().
 */
hsa_status_t rocprofiler_open(hsa_agent_t agent,
			      rocprofiler_feature_t *features,
			      uint32_t feature_count, rocprofiler_t **context,
			      uint32_t mode,
			      rocprofiler_properties_t *properties);

/** Stop what counts and release the context. NULL is allowed. */
hsa_status_t rocprofiler_close(rocprofiler_t *context);

/** Count from zero again; what the group has is no longer there. */
hsa_status_t rocprofiler_reset(rocprofiler_t *context, uint32_t group_index);

/** Return the agent that the context was opened for. */
hsa_status_t rocprofiler_get_agent(rocprofiler_t *context, hsa_agent_t *agent);

/** Return how many runs it takes to collect all features. */
hsa_status_t rocprofiler_group_count(const rocprofiler_t *context,
				     uint32_t *group_count);

/** Return the group with this index. */
hsa_status_t rocprofiler_get_group(rocprofiler_t *context, uint32_t group_index,
				   rocprofiler_group_t *group);

/* ------------------------------------------------------------------ */
/* Sampling                                                             */

/** Begin to count a group, from zero. */
hsa_status_t rocprofiler_start(rocprofiler_t *context, uint32_t group_index);

/** Stop counting, keep the values, and call the handler of the context. */
hsa_status_t rocprofiler_stop(rocprofiler_t *context, uint32_t group_index);

/** Take the values while the group goes on counting. */
hsa_status_t rocprofiler_read(rocprofiler_t *context, uint32_t group_index);

/** Put what was read, or stopped, last into the data of the features. */
hsa_status_t rocprofiler_get_data(rocprofiler_t *context, uint32_t group_index);

/** Start, stop or read a group that the caller has, or get its data. */
hsa_status_t rocprofiler_group_start(rocprofiler_group_t *group);
hsa_status_t rocprofiler_group_stop(rocprofiler_group_t *group);
hsa_status_t rocprofiler_group_read(rocprofiler_group_t *group);
hsa_status_t rocprofiler_group_get_data(rocprofiler_group_t *group);

/**
 * Compute the metrics whose counters are spread over groups, from the data that
 * the groups' features have. Fails unless all groups have theirs.
 */
hsa_status_t rocprofiler_get_metrics(const rocprofiler_t *context);

typedef hsa_ven_amd_aqlprofile_data_callback_t
	rocprofiler_trace_data_callback_t;

/**
 * Hand out what each shader engine has written to the traces of a context that
 * were stopped: its number is sample_id, and the bytes stay until the trace is
 * started again, or the context is closed. If a buffer was full, what there is
 * is handed out, and then HSA_STATUS_ERROR_OUT_OF_RESOURCES is returned.
 */
hsa_status_t
rocprofiler_iterate_trace_data(rocprofiler_t *context,
			       rocprofiler_trace_data_callback_t callback,
			       void *data);

/* ------------------------------------------------------------------ */
/* Metrics and traces                                                   */

typedef enum {
	ROCPROFILER_INFO_KIND_METRIC = 0,
	ROCPROFILER_INFO_KIND_METRIC_COUNT = 1,
	ROCPROFILER_INFO_KIND_TRACE = 2,
	ROCPROFILER_INFO_KIND_TRACE_COUNT = 3,
	ROCPROFILER_INFO_KIND_TRACE_PARAMETER = 4,
	ROCPROFILER_INFO_KIND_TRACE_PARAMETER_COUNT = 5
} rocprofiler_info_kind_t;

typedef union {
	rocprofiler_info_kind_t info_kind;
	struct {
		const char *trace_name;
	} trace_parameter;
} rocprofiler_info_query_t;

/** The strings stay until the process ends. */
typedef struct {
	uint32_t agent_index; /* HSA_AMD_AGENT_INFO_DRIVER_NODE_ID */
	rocprofiler_info_kind_t kind;
	union {
		struct {
			const char *name;
			/* above 1: features are "NAME[0]", "NAME[1]", ... */
			uint32_t instances;
			const char *expr; /* NULL: a counter */
			const char *description;
			const char *block_name; /* NULL: a metric */
			uint32_t block_counters; /* limit of each instance */
		} metric;
		struct {
			const char *name;
			const char *description;
			uint32_t parameter_count;
		} trace;
		struct {
			uint32_t code;
			const char *trace_name;
			const char *parameter_name;
			const char *description;
		} trace_parameter;
	};
} rocprofiler_info_data_t;

/**
 * Receives one piece of information. HSA_STATUS_INFO_BREAK ends the list; any
 * other status but success does, too, and is returned.
 */
typedef hsa_status_t (*rocprofiler_info_callback_t)(
	const rocprofiler_info_data_t info, void *data);

/**
 * Return the number of metrics (counters among them), traces or parameters of
 * traces: one of the kinds ..._COUNT. data is a uint32_t. agent NULL: of all
 * GPUs.
 */
hsa_status_t rocprofiler_get_info(const hsa_agent_t *agent,
				  rocprofiler_info_kind_t kind, void *data);

/** Tell of each metric, trace or parameter of a trace. agent as above. */
hsa_status_t rocprofiler_iterate_info(const hsa_agent_t *agent,
				      rocprofiler_info_kind_t kind,
				      rocprofiler_info_callback_t callback,
				      void *data);

/**
 * Call back for each that the query selects: of one kind, or the parameters of
 * a trace.
 */
hsa_status_t rocprofiler_query_info(const hsa_agent_t *agent,
				    rocprofiler_info_query_t query,
				    rocprofiler_info_callback_t callback,
				    void *data);

/**
 * Tell of those that have all that the query has; NULL in it stands for
 * anything, as does a number that is 0.
 */
hsa_status_t rocprofiler_query_info_data(const hsa_agent_t *agent,
					 rocprofiler_info_kind_t kind,
					 rocprofiler_info_data_t query,
					 rocprofiler_info_callback_t callback,
					 void *data);

/* ------------------------------------------------------------------ */
/* Time                                                                 */

typedef enum {
	ROCPROFILER_TIME_ID_CLOCK_REALTIME = 0,
	ROCPROFILER_TIME_ID_CLOCK_REALTIME_COARSE = 1,
	ROCPROFILER_TIME_ID_CLOCK_MONOTONIC = 2,
	ROCPROFILER_TIME_ID_CLOCK_MONOTONIC_COARSE = 3,
	ROCPROFILER_TIME_ID_CLOCK_MONOTONIC_RAW = 4
} rocprofiler_time_id_t;

/**
 * Convert a time of HSA's clock to one of Linux's clocks, in ns; *error_ns: how
 * far that may be off. Either may be NULL.
 */
hsa_status_t rocprofiler_get_time(rocprofiler_time_id_t time_id,
				  uint64_t timestamp, uint64_t *value_ns,
				  uint64_t *error_ns);

/* ------------------------------------------------------------------ */
/* Tools that HSA loads                                                 */

/**
 * Settings of a tool, the library that ROCP_TOOL_LIB names: its
 * OnLoadTool(void) is called when HSA starts, or else
 * OnLoadToolProp(rocprofiler_settings_t *), and OnUnloadTool(void) when HSA
 * ends. A setting that the tool changes has an effect if a comment next to it
 * says so.
 */
typedef struct {
	uint32_t intercept_mode;
	uint32_t code_obj_tracking;
	uint32_t memcopy_tracking;
	uint32_t trace_size;
	uint32_t trace_local;
	uint64_t timeout;
	uint32_t timestamp_on; /* 0: dispatches have no record */
	uint32_t hsa_intercepting;
	uint32_t k_concurrent;
	uint32_t opt_mode; /* 1: nor name, code and thread */
	uint32_t obj_dumping;
} rocprofiler_settings_t;

/* ------------------------------------------------------------------ */
/* Intercepting                                                         */

/*
 * Where HSA_TOOLS_LIB names this library and ROCP_HSA_INTERCEPT is not 0, it
 * sees the packets of queues that programs make. A kernel is dispatched, the
 * callback is called and says which group is to count it, the kernel runs while
 * no other that is intercepted runs on this GPU, and then the handler of the
 * group's context is called. Otherwise the functions of this part fail with
 * ENOTSUP, but for those of pools.
 */

/**
 * Times of HSA's clock, in ns. Those but the first are 0 until the kernel
 * ended.
 */
typedef struct {
	uint64_t dispatch; /* the packet was seen */
	uint64_t begin, end; /* the kernel ran */
	uint64_t complete; /* its end was seen */
} rocprofiler_dispatch_record_t;

/**
 * A dispatch. Names stay until HSA ends; packet and the structure itself are
 * there during the call. The record of a dispatch that a group is to count is
 * the tool's, which releases it by free(), or `delete`, once `complete` is not
 * 0; others stay until HSA ends.
 */
typedef struct {
	hsa_agent_t agent;
	uint32_t agent_index; /* HSA_AMD_AGENT_INFO_DRIVER_NODE_ID */
	const hsa_queue_t *queue;
	uint64_t queue_index; /* of the packet */
	uint32_t queue_id; /* from 0, in the order of creation */
	hsa_signal_t completion_signal;
	const hsa_kernel_dispatch_packet_t *packet;
	const char *kernel_name; /* in C++'s words; "" if not known */
	uint64_t kernel_object;
	const amd_kernel_code_t *kernel_code;
	uint32_t thread_id; /* that submitted it */
	const rocprofiler_dispatch_record_t *record; /* NULL: none is wanted */
} rocprofiler_callback_data_t;

/**
 * Called before a kernel is dispatched, by the thread that submits it. *group
 * is to become the group that counts it; left alone, or with another status
 * than success: none. Its context stays open until its handler is called, or
 * rocprofiler_get_data() returns, which waits for the kernel.
 */
typedef hsa_status_t (*rocprofiler_callback_t)(
	const rocprofiler_callback_data_t *callback_data, void *user_data,
	rocprofiler_group_t *group);

/** Any of them may be NULL. */
typedef struct {
	rocprofiler_callback_t dispatch;
	hsa_status_t (*create)(hsa_queue_t *queue, void *data);
	hsa_status_t (*destroy)(hsa_queue_t *queue, void *data);
} rocprofiler_queue_callbacks_t;
typedef rocprofiler_queue_callbacks_t rocprofiler_intercepting_t;

/** Call them from now on. EBUSY: there are others. */
hsa_status_t
rocprofiler_set_queue_callbacks(rocprofiler_queue_callbacks_t callbacks,
				void *data);

/** Call none from now on. */
hsa_status_t rocprofiler_remove_queue_callbacks(void);

/** Call the one for dispatches again; no longer call it. */
hsa_status_t rocprofiler_start_queue_callbacks(void);
hsa_status_t rocprofiler_stop_queue_callbacks(void);

/** Set or remove callbacks, as the functions for queues do. */
hsa_status_t rocprofiler_set_intercepting(rocprofiler_intercepting_t callbacks,
					  void *data);
hsa_status_t rocprofiler_remove_intercepting(void);

/**
 * Create a queue whose dispatches are intercepted, as by hsa_queue_create(),
 * also where ROCP_HSA_INTERCEPT is 0.
 */
hsa_status_t rocprofiler_queue_create_profiled(
	hsa_agent_t agent_handle, uint32_t size, hsa_queue_type32_t type,
	void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data),
	void *data, uint32_t private_segment_size, uint32_t group_segment_size,
	hsa_queue_t **queue);

typedef void rocprofiler_pool_t; /* contexts, one for each dispatch */

/** A context, and room for what a tool wants to keep with it; at first 0. */
typedef struct {
	rocprofiler_t *context;
	void *payload;
} rocprofiler_pool_entry_t;

/** Called when a dispatch of an entry has ended; the result does not matter. */
typedef bool (*rocprofiler_pool_handler_t)(
	const rocprofiler_pool_entry_t *entry, void *arg);

typedef struct {
	uint32_t num_entries; /* more are made if need be */
	uint32_t payload_bytes;
	rocprofiler_pool_handler_t handler; /* or NULL */
	void *handler_arg;
} rocprofiler_pool_properties_t;

/**
 * Contexts of the same features, all with the same data: of the one whose data
 * was got last. mode is 0 or ROCPROFILER_MODE_SINGLEGROUP.
 */
hsa_status_t rocprofiler_pool_open(hsa_agent_t agent,
				   rocprofiler_feature_t *features,
				   uint32_t feature_count,
				   rocprofiler_pool_t **pool, uint32_t mode,
				   rocprofiler_pool_properties_t *properties);

/** Release the pool; not in a handler of its own. NULL is allowed. */
hsa_status_t rocprofiler_pool_close(rocprofiler_pool_t *pool);

/** Take an entry for a dispatch; it is given back when its handler returns. */
hsa_status_t rocprofiler_pool_fetch(rocprofiler_pool_t *pool,
				    rocprofiler_pool_entry_t *entry);

/** Do nothing: the handlers of all that has ended were called already. */
hsa_status_t rocprofiler_pool_flush(rocprofiler_pool_t *pool);

/* ------------------------------------------------------------------ */
/* Calls of HSA by a program                                            */

typedef enum {
	ROCPROFILER_HSA_CB_ID_ALLOCATE = 0, /* memory comes or goes */
	ROCPROFILER_HSA_CB_ID_DEVICE = 1, /* an agent gets access to it */
	ROCPROFILER_HSA_CB_ID_MEMCOPY = 2, /* it is copied */
	ROCPROFILER_HSA_CB_ID_SUBMIT = 3, /* a packet goes into a queue */
	ROCPROFILER_HSA_CB_ID_KSYMBOL = 4, /* a kernel comes or goes */
	ROCPROFILER_HSA_CB_ID_CODEOBJ = 5 /* code comes or goes */
} rocprofiler_hsa_cb_id_t;

/**
 * Data of a callback. The strings of ksymbol and codeobj are the callback's,
 * which releases them by free(); others stay as those of dispatches do.
 */
typedef struct {
	union {
		struct {
			const void *ptr;
			size_t size; /* 0: it goes */
			hsa_amd_segment_t segment;
			hsa_amd_memory_pool_global_flag_t global_flag;
			int is_code; /* 1: of a code object */
		} allocate;
		struct {
			hsa_device_type_t type;
			uint32_t id; /* HSA_AMD_AGENT_INFO_DRIVER_NODE_ID */
			hsa_agent_t agent;
			const void *ptr;
		} device;
		struct {
			const void *dst;
			const void *src;
			size_t size; /* bytes */
		} memcopy;
		struct {
			const void *packet;
			const char *kernel_name; /* NULL: no dispatch */
			hsa_queue_t *queue;
			uint32_t device_type;
			uint32_t device_id; /* as above */
		} submit;
		struct {
			uint64_t object;
			const char *name; /* NULL: it goes */
			uint32_t name_length;
			int unload; /* 1: it goes */
		} ksymbol;
		struct {
			uint32_t storage_type; /* of hsa_ven_amd_loader.h */
			int storage_file; /* or -1 */
			uint64_t memory_base;
			uint64_t memory_size;
			uint64_t load_base;
			uint64_t load_size;
			uint64_t load_delta;
			uint32_t uri_length;
			char *uri;
			int unload; /* 1: it goes */
		} codeobj;
	};
} rocprofiler_hsa_callback_data_t;

/** Any other status than success: it is not called again. */
typedef hsa_status_t (*rocprofiler_hsa_callback_fun_t)(
	rocprofiler_hsa_cb_id_t id, const rocprofiler_hsa_callback_data_t *data,
	void *arg);

/** Any of them may be NULL. */
typedef struct {
	rocprofiler_hsa_callback_fun_t allocate;
	rocprofiler_hsa_callback_fun_t device;
	rocprofiler_hsa_callback_fun_t memcopy;
	rocprofiler_hsa_callback_fun_t submit;
	rocprofiler_hsa_callback_fun_t ksymbol;
	rocprofiler_hsa_callback_fun_t codeobj;
} rocprofiler_hsa_callbacks_t;

/**
 * Call ksymbol from now on, instead of the one before, for each kernel that is
 * loaded or unloaded. ENOTSUP: another callback is set, or HSA has not loaded
 * this library.
 */
hsa_status_t
rocprofiler_set_hsa_callbacks(const rocprofiler_hsa_callbacks_t callbacks,
			      void *arg);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* ROCPROFILER_ROCPROFILER_H */
