/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tool that HSA loads into a program (HSA_TOOLS_LIB), and that does one
 * thing: counters see what the queues of the program run.
 *
 * Each new queue gets a packet of AMD's, as from librocprofiler64, whose
 * sources of the packet and of HSA's tables are linked in.
 */
#include <hsa/hsa.h>
#include <stdbool.h>
#include <stdint.h>

#include "hsa_report.h"
#include "roc_enable.h"
#include "roc_table.h"

#define LIBRARY "libdrmperf-hsa"

/* Below profilers, which may make queues of their own kinds. */
const uint32_t HSA_AMD_TOOL_PRIORITY = 24;

bool
OnLoad(void *tables, uint64_t runtime_version, uint64_t failed_tool_count,
       const char *const *failed_tool_names);
void
OnUnload(void);

/* Create a queue, which serves the program even if it cannot be enabled. */
static hsa_status_t
create_queue(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
	     void (*callback)(hsa_status_t status, hsa_queue_t *source,
			      void *data),
	     void *data, uint32_t private_segment_size,
	     uint32_t group_segment_size, hsa_queue_t **out)
{
	struct drmperf_error error = { 0 };
	hsa_status_t status = ROC_ORIGINAL(hsa_queue_create, ROC_QUEUE_CREATE)(
		agent, size, type, callback, data, private_segment_size,
		group_segment_size, out);
	int rc;

	if (status)
		return status;
	rc = roc_enable_now(agent, *out, &error);
	hsa_report_queue(!rc);
	if (rc)
		fe_report(LIBRARY, "hsa_queue_create", rc, &error);
	return HSA_STATUS_SUCCESS;
}

/*
 * Load the tool: called once more where a runtime finds the library in two
 * ways.
 */
bool
OnLoad(void *tables, uint64_t runtime_version, uint64_t failed_tool_count,
       const char *const *failed_tool_names)
{
	struct drmperf_error error = { 0 };
	int rc;

	(void)runtime_version;
	(void)failed_tool_count;
	(void)failed_tool_names;
	if (roc_table_is_taken())
		return true;
	rc = roc_table_take(tables, &error);
	if (rc) {
		fe_report(LIBRARY, __func__, rc, &error);
		return false;
	}
	hsa_report_open();
	roc_table_replace(ROC_QUEUE_CREATE, (roc_function)create_queue);
	return true;
}

void
OnUnload(void)
{
	roc_enable_end();
	roc_table_restore();
	hsa_report_close();
}
