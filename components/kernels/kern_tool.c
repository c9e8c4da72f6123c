/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tool of librocprofiler64 that counts each dispatch of a program for
 * `drmperf stat --kernels`.
 */
#include <dlfcn.h>
#include <errno.h>
#include <hsa/hsa_ext_amd.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <rocprofiler/rocprofiler.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kern_filter.h"
#include "kern_output.h"

#define EXPORT __attribute__((visibility("default")))
#define FIRST_ENTRIES 16 /* of a pool, which grows as needed */
#define END_SECONDS 20 /* for a dispatch to end when its program does */

EXPORT void
OnLoadToolProp(rocprofiler_settings_t *settings);
EXPORT void
OnUnloadTool(void);

/* A GPU of the program. */
struct agent {
	struct agent *next;
	hsa_agent_t handle;
	uint32_t node;
	char isa[64]; /* as HSA calls it, "gfx90a" */
	rocprofiler_feature_t *features;
	rocprofiler_pool_t *pool; /* NULL: it cannot count the events */
	bool has_failed; /* and that has been printed */
};

/* What a kernel's code says of its registers. */
struct code {
	uint32_t resources; /* COMPUTE_PGM_RSRC1 */
	uint32_t properties;
};

/* A dispatch when it is submitted. */
struct dispatch {
	struct agent *agent;
	const char *kernel;
	const rocprofiler_dispatch_record_t *record;
	uint64_t number; /* among those that the filter's pattern matches */
	uint64_t grid, workgroup; /* work-items */
	uint32_t thread, queue, lds, scratch;
	struct code code;
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* a dispatch has ended */
	uint64_t pending; /* dispatches that have not */
	bool is_ending; /* none is counted any more */
	pid_t process; /* that has loaded this library */
	void (*delete)(void *memory); /* C++'s, or free() */
	char *list; /* names of features, each ending with a 0 */
	const char **names;
	uint32_t count;
	struct agent *agents;
} tool = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.changed = PTHREAD_COND_INITIALIZER,
};

/* ------------------------------------------------------------------ */
/* Failures                                                             */

static void
write_reason(const char *reason)
{
	struct kern_line line;
	FILE *stream = kern_output_begin(&line, "failed");

	if (!stream)
		return;
	kern_output_text(stream, reason, strlen(reason));
	kern_output_end(&line);
}

/* Write the reason of the thread's last failure. */
static void
write_failure(void)
{
	const char *reason = "";

	rocprofiler_error_string(&reason);
	write_reason(reason);
}

static void
write_first_failure(struct agent *agent)
{
	if (!__atomic_exchange_n(&agent->has_failed, true, __ATOMIC_RELAXED))
		write_failure();
}

/* ------------------------------------------------------------------ */
/* Registers                                                            */

/* [LLVM, AMDGPUUsage: ENABLE_WAVEFRONT_SIZE32] */
#define WAVE32 (1u << 10)

/*
 * Read the code of a kernel, whose descriptor (code object version 3 and later)
 * and the older amd_kernel_code_t have both in the same place.
 */
static struct code
read_code(const void *kernel)
{
	struct code code = { 0 };

	if (!kernel)
		return code;
	memcpy(&code.resources, (const char *)kernel + 48,
	       sizeof(code.resources));
	memcpy(&code.properties, (const char *)kernel + 56, sizeof(uint16_t));
	return code;
}

/*
 * Return whether there are both kinds of vector registers in one file, as from
 * gfx90a on.
 */
static bool
has_unified_registers(const char *isa)
{
	return !strncmp(isa, "gfx90a", 6) || !strncmp(isa, "gfx94", 5) ||
	       !strncmp(isa, "gfx95", 5);
}

/*
 * Return whether each wave has all the scalar registers that there may be, as
 * from gfx10 on.
 */
static bool
has_fixed_sgprs(const char *isa)
{
	return !strncmp(isa, "gfx10", 5) || !strncmp(isa, "gfx11", 5) ||
	       !strncmp(isa, "gfx120", 6);
}

/*
 * Write the numbers of registers that the code asks for, in whole granules;
 * LLVM's AMDGPUUsage has these.
 */
static void
write_registers(FILE *stream, const struct dispatch *dispatch)
{
	const char *isa = dispatch->agent->isa;
	const bool is_wide = has_fixed_sgprs(isa)
				     ? dispatch->code.properties & WAVE32
				     : has_unified_registers(isa);
	const uint32_t vgprs = (dispatch->code.resources & 0x3f) + 1;
	const uint32_t sgprs = dispatch->code.resources >> 6 & 0xf;

	if (has_fixed_sgprs(isa))
		fprintf(stream, "\t%u\t128", vgprs * (is_wide ? 8 : 4));
	else if (!strncmp(isa, "gfx9", 4))
		fprintf(stream, "\t%u\t%u", vgprs * (is_wide ? 8 : 4),
			(sgprs / 2 + 1) * 16);
	else
		fputs("\t-\t-", stream);
}

/* ------------------------------------------------------------------ */
/* The end of a dispatch                                                */

static void
write_value(FILE *stream, const rocprofiler_data_t *data)
{
	if (data->kind == ROCPROFILER_DATA_KIND_INT64)
		fprintf(stream, "\t%" PRIu64, data->result_int64);
	else if (data->kind == ROCPROFILER_DATA_KIND_DOUBLE &&
		 isfinite(data->result_double))
		fprintf(stream, "\t%.17g", data->result_double);
	else
		fputs("\t-", stream);
}

static void
write_dispatch(const struct dispatch *dispatch, bool is_counted)
{
	const rocprofiler_dispatch_record_t *record = dispatch->record;
	struct kern_line line;
	FILE *stream = kern_output_begin(&line, "dispatch");

	if (!stream)
		return;
	fprintf(stream, "\t%" PRIu64 "\t%d\t%u\t%u\t%u\t%" PRIu64 "\t%" PRIu64,
		dispatch->number, getpid(), dispatch->thread,
		dispatch->agent->node, dispatch->queue, dispatch->grid,
		dispatch->workgroup);
	fprintf(stream, "\t%u\t%u", dispatch->lds, dispatch->scratch);
	write_registers(stream, dispatch);
	fprintf(stream, "\t%" PRIu64 "\t%" PRIu64, record ? record->begin : 0,
		record ? record->end : 0);
	kern_output_text(stream, dispatch->kernel,
			 kern_name_length(dispatch->kernel));
	for (uint32_t i = 0; i < tool.count; i++) {
		if (is_counted)
			write_value(stream, &dispatch->agent->features[i].data);
		else
			fputs("\t-", stream);
	}
	kern_output_end(&line);
}

/* Return whether one more dispatch may be counted. */
static bool
expect_dispatch(void)
{
	bool may_begin;

	pthread_mutex_lock(&tool.lock);
	may_begin = !tool.is_ending;
	tool.pending += may_begin;
	pthread_mutex_unlock(&tool.lock);
	return may_begin;
}

static void
note_dispatch_end(void)
{
	pthread_mutex_lock(&tool.lock);
	tool.pending--;
	pthread_cond_broadcast(&tool.changed);
	pthread_mutex_unlock(&tool.lock);
}

/*
 * Write a dispatch that has ended. One thread per GPU calls this, and others
 * for no dispatch.
 */
static bool
end_dispatch(const rocprofiler_pool_entry_t *entry, void *arg)
{
	const struct dispatch *dispatch = entry->payload;
	const bool is_counted = !rocprofiler_get_data(entry->context, 0);

	(void)arg;
	if (!is_counted)
		write_first_failure(dispatch->agent);
	write_dispatch(dispatch, is_counted);
	tool.delete((void *)dispatch->record);
	note_dispatch_end();
	return true;
}

/* ------------------------------------------------------------------ */
/* GPUs                                                                 */

static void
open_pool(struct agent *agent)
{
	const uint32_t mode = ROCPROFILER_MODE_SINGLEGROUP;
	rocprofiler_pool_properties_t properties = {
		.num_entries = FIRST_ENTRIES,
		.payload_bytes = sizeof(struct dispatch),
		.handler = end_dispatch,
	};

	for (uint32_t i = 0; i < tool.count; i++)
		agent->features[i].name = tool.names[i];
	if (rocprofiler_pool_open(agent->handle, agent->features, tool.count,
				  &agent->pool, mode, &properties)) {
		agent->pool = NULL;
		write_first_failure(agent);
	}
}

/* Add an agent. Caller holds tool.lock. */
static struct agent *
add_agent(hsa_agent_t handle)
{
	struct agent *agent = calloc(1, sizeof(*agent));

	if (!agent)
		return NULL;
	agent->features = calloc(tool.count, sizeof(*agent->features));
	if (!agent->features) {
		free(agent);
		return NULL;
	}
	agent->handle = handle;
	hsa_agent_get_info(handle, HSA_AGENT_INFO_NAME, agent->isa);
	hsa_agent_get_info(handle,
			   (hsa_agent_info_t)HSA_AMD_AGENT_INFO_DRIVER_NODE_ID,
			   &agent->node);
	open_pool(agent);
	agent->next = tool.agents;
	tool.agents = agent;
	return agent;
}

static struct agent *
find_agent(hsa_agent_t handle)
{
	struct agent *agent;

	pthread_mutex_lock(&tool.lock);
	agent = tool.agents;
	while (agent && agent->handle.handle != handle.handle)
		agent = agent->next;
	if (!agent)
		agent = add_agent(handle);
	pthread_mutex_unlock(&tool.lock);
	return agent;
}

/* ------------------------------------------------------------------ */
/* The beginning of a dispatch                                          */

static void
dispatch_describe(const rocprofiler_callback_data_t *about, struct agent *agent,
		  uint64_t number, struct dispatch *out)
{
	const hsa_kernel_dispatch_packet_t *packet = about->packet;

	*out = (struct dispatch){
		.agent = agent,
		.kernel = about->kernel_name,
		.record = about->record,
		.number = number,
		.grid = (uint64_t)packet->grid_size_x * packet->grid_size_y *
			packet->grid_size_z,
		.workgroup = (uint64_t)packet->workgroup_size_x *
			     packet->workgroup_size_y *
			     packet->workgroup_size_z,
		.thread = about->thread_id,
		.queue = about->queue_id,
		.lds = packet->group_segment_size,
		.scratch = packet->private_segment_size,
		.code = read_code(about->kernel_code),
	};
}

/* Return whether the dispatch is to be counted, by this group. */
static bool
fetch_group(const rocprofiler_callback_data_t *about,
	    rocprofiler_group_t *group)
{
	rocprofiler_pool_entry_t entry;
	struct agent *agent;
	uint64_t number;

	if (!kern_filter_admits(about->kernel_name, &number))
		return false;
	agent = find_agent(about->agent);
	if (!agent || !agent->pool)
		return false;
	if (rocprofiler_pool_fetch(agent->pool, &entry)) {
		write_first_failure(agent);
		return false;
	}
	dispatch_describe(about, agent, number, entry.payload);
	return !rocprofiler_get_group(entry.context, 0, group);
}

static hsa_status_t
begin_dispatch(const rocprofiler_callback_data_t *about, void *data,
	       rocprofiler_group_t *group)
{
	(void)data;
	if (expect_dispatch() && !fetch_group(about, group))
		note_dispatch_end();
	return HSA_STATUS_SUCCESS;
}

/* ------------------------------------------------------------------ */
/* Loading                                                              */

/* Parse "SQ.WAVES TCC.HIT": each is all instances of an event, added up. */
static bool
read_names(const char *text)
{
	const size_t most = strlen(text) / 2 + 1;
	char *rest = strdup(text), *name;
	FILE *stream;
	size_t size;

	if (!rest)
		return false;
	tool.names = calloc(most, sizeof(*tool.names));
	stream = open_memstream(&tool.list, &size);
	if (!tool.names || !stream) {
		free(rest);
		return false;
	}
	for (name = strtok(rest, " "); name; name = strtok(NULL, " ")) {
		fprintf(stream, "%s[*]%c", name, '\0');
		tool.count++;
	}
	fclose(stream);
	free(rest);
	name = tool.list;
	for (uint32_t i = 0; i < tool.count; i++) {
		tool.names[i] = name;
		name += strlen(name) + 1;
	}
	return tool.count > 0;
}

/*
 * Find what releases records: librocprofiler64 makes them by `new`, which is
 * the program's own if it has one.
 */
static void
find_delete(void)
{
	void *found = dlsym(RTLD_DEFAULT, "_ZdlPv");
	void *library =
		found ? NULL : dlopen("libstdc++.so.6", RTLD_NOW | RTLD_NOLOAD);

	if (library)
		found = dlsym(library, "_ZdlPv");
	*(void **)&tool.delete = found;
	if (!found)
		tool.delete = free;
}

static void
write_begin(void)
{
	struct kern_line line;
	FILE *stream = kern_output_begin(&line, "begin");

	if (!stream)
		return;
	fprintf(stream, "\t%d", getpid());
	kern_output_end(&line);
}

/* Wait for a dispatch to end. Caller holds tool.lock. */
static int
await_end(void)
{
	const uint64_t before = tool.pending;
	struct timespec until;
	int rc = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += END_SECONDS;
	while (tool.pending == before && !rc)
		rc = pthread_cond_timedwait(&tool.changed, &tool.lock, &until);
	return rc;
}

/*
 * Wait for dispatches that the program has not waited for. A forked child has
 * no thread that ends them.
 */
static void
end_dispatches(void)
{
	uint64_t left;
	char reason[96];

	if (getpid() != tool.process)
		return;
	pthread_mutex_lock(&tool.lock);
	tool.is_ending = true;
	while (tool.pending && !await_end())
		;
	left = tool.pending;
	pthread_mutex_unlock(&tool.lock);
	snprintf(reason, sizeof(reason),
		 "%" PRIu64 " kernels had not ended when the program did",
		 left);
	if (left)
		write_reason(reason);
}

void
OnLoadToolProp(rocprofiler_settings_t *settings)
{
	const rocprofiler_queue_callbacks_t callbacks = {
		.dispatch = begin_dispatch
	};
	const char *path = secure_getenv("DRMPERF_KERNELS_OUTPUT");
	const char *events = secure_getenv("DRMPERF_KERNELS_EVENTS");

	settings->timestamp_on = 1;
	find_delete();
	if (!path || !events || !kern_filter_begin() || !read_names(events) ||
	    !kern_output_open(path))
		return;
	write_begin();
	tool.process = getpid();
	tool.is_ending = false;
	if (rocprofiler_set_queue_callbacks(callbacks, NULL))
		write_failure();
	else if (atexit(end_dispatches))
		write_reason("atexit: no memory");
}

/*
 * Close the pools. All dispatches have ended, or have been cancelled by their
 * queue's end.
 */
void
OnUnloadTool(void)
{
	rocprofiler_remove_queue_callbacks();
	while (tool.agents) {
		struct agent *agent = tool.agents;

		tool.agents = agent->next;
		rocprofiler_pool_close(agent->pool);
		free(agent->features);
		free(agent);
	}
	free(tool.names);
	free(tool.list);
	tool.names = NULL;
	tool.list = NULL;
	tool.count = 0;
	kern_filter_end();
	kern_output_close();
}
