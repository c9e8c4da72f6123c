/* SPDX-License-Identifier: BSD-3-Clause */
#include "stat/reference_event.h"

#include <errno.h>

/* By driver, best first. */
static const char *const names[] = {
	"amdgpu::SQ.WAVES",
	"amdgpu::GRBM.GUI_ACTIVE",
	"i915::oa.GpuCoreClocks",
};

struct search {
	const struct tool *tool;
	const struct passes *passes;
	struct selection_list *controls; /* as far as they are chosen */
};

int
reference_event_pass(const struct selection_list *events,
		     const struct selection_list *controls,
		     struct selection_list *out)
{
	for (size_t i = 0; i < events->count; i++) {
		if (selection_list_add(out, &events->selections[i]))
			return -ENOMEM;
	}
	for (size_t i = 0; i < controls->count; i++) {
		if (selection_list_add(out, &controls->selections[i]))
			return -ENOMEM;
	}
	return 0;
}

static bool
fit_every_pass(const struct search *search)
{
	const struct passes *passes = search->passes;
	bool fit = true;

	for (size_t pass = 0; fit && pass < passes->count; pass++) {
		struct selection_list all = { 0 };

		fit = !reference_event_pass(&passes->list[pass],
					    search->controls, &all) &&
		      passes_fit(search->tool, &all, NULL);
		selection_list_finish(&all);
	}
	return fit;
}

/* Take it if there is room for it in every pass. */
static bool
search_try(const struct search *search,
	   const struct drmperf_selection *selection)
{
	if (selection_list_add(search->controls, selection))
		return false;
	if (fit_every_pass(search))
		return true;
	search->controls->count--;
	return false;
}

static void
choose_for(const struct search *search, const struct drmperf_device *device)
{
	struct drmperf_selection selection;
	char name[NAME_SIZE];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(name, sizeof(name), "%s:device=%u", names[i],
			 drmperf_device_index(device));
		if (!drmperf_event_find(search->tool->drmperf, name, &selection,
					NULL) &&
		    drmperf_event_device(selection.event) == device &&
		    search_try(search, &selection))
			return;
	}
	tool_warn(search->tool,
		  "no control counter fits every pass on device %u: whether "
		  "the runs are alike is not known",
		  drmperf_device_index(device));
}

static int
choose_named(const struct search *search, const char *named)
{
	struct selection_list choice = { 0 };
	char name[NAME_SIZE];
	int status = choose_events(search->tool, named, &choice);

	for (size_t i = 0; !status && i < choice.count; i++) {
		if (!search_try(search, &choice.selections[i]))
			status = tool_fail(
				search->tool,
				"the control counter %s does not fit every "
				"pass",
				selection_name(&choice.selections[i], "",
					       name));
	}
	selection_list_finish(&choice);
	return status;
}

int
reference_event_choose(const struct tool *tool, const char *named,
		       const struct selection_list *wanted,
		       const struct passes *passes,
		       struct selection_list *controls)
{
	const struct search search = { tool, passes, controls };
	unsigned count = drmperf_device_count(tool->drmperf);

	if (passes->count < 2)
		return 0;
	if (named)
		return *named ? choose_named(&search, named) : 0;
	for (unsigned i = 0; i < count; i++) {
		const struct drmperf_device *device =
			drmperf_device_at(tool->drmperf, i);

		if (selection_list_has_device(wanted, device))
			choose_for(&search, device);
	}
	return 0;
}
