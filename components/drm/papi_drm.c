/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PAPI's component "drm": counters of GPUs by libdrmperf.
 *
 * PAPI_library_init only looks whether there is a GPU that may be opened, and
 * then whether libdrmperf can be loaded; the first enumeration or look-up of a
 * name opens the GPUs; the first enumeration lists their events.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "papi.h"
#include "papi_internal.h"
#include "papi_vector.h"

#include "papi_drm_error.h"
#include "papi_drm_gpus.h"
#include "papi_drm_library.h"
#include "papi_drm_names.h"
#include "papi_drm_overflow.h"
#include "papi_drm_set.h"

/*
 * Number of events before they are listed, as PAPI's own components report it.
 */
#define NOT_COUNTED (-1)

#define DESCRIPTION \
	"GPU hardware counters from the Linux DRM drivers (libdrmperf)"

/* One per EventSet; PAPI allocates it. */
struct control {
	struct papi_drm_set *set;
	struct papi_drm_timer timer;
	struct control *next, **link; /* in component.controls */
};

/* PAPI wants one per thread; there is nothing to keep in it. */
struct context {
	int unused;
};

static struct {
	pthread_mutex_t lock; /* of initialisation and of controls */
	pid_t pid; /* the process all this belongs to */
	bool initialised; /* by the first call that needed it, if that went
			   * well */
	bool has_library; /* library is valid */
	bool opened; /* the GPUs; drmperf may exist */
	struct papi_drm_library library;
	struct drmperf *drmperf;
	struct papi_drm_names *names;
	struct control *controls;
} component = { .lock = PTHREAD_MUTEX_INITIALIZER };

papi_vector_t _drm_vector;

static int
component_disable(int code, const char *reason)
{
	PAPI_component_info_t *info = &_drm_vector.cmp_info;

	snprintf(info->disabled_reason, sizeof(info->disabled_reason), "%s",
		 reason);
	info->disabled = code;
	info->num_native_events = 0;
	SUBDBG("disabled: %s\n", reason);
	return code;
}

/*
 * Report why some GPU, or a part of one, cannot be used, while others can; "":
 * all can. A PAPI without a member for that shows it in the component's
 * description.
 */
static void
report_part(const char *reason)
{
	PAPI_component_info_t *info = &_drm_vector.cmp_info;

#ifdef PAPI_PARTIAL
	info->partially_disabled = reason[0] != '\0';
	snprintf(info->partially_disabled_reason,
		 sizeof(info->partially_disabled_reason), "%s", reason);
#else
	/* only the cause: there is no room for the remedy */
	snprintf(info->description, sizeof(info->description), "%s%s%.*s",
		 DESCRIPTION, reason[0] ? "; " : "", (int)strcspn(reason, ";"),
		 reason);
#endif
	snprintf(info->disabled_reason, sizeof(info->disabled_reason), "%s",
		 reason);
}

/* ------------------------------------------------------------------ */
/* Opening and closing                                                  */

/*
 * Empty all EventSets. Their control states stay, as those of other threads are
 * freed later.
 */
static void
close_event_sets(void)
{
	struct control *control = component.controls;

	component.controls = NULL;
	while (control) {
		struct control *next = control->next;

		papi_drm_overflow_end(&control->timer);
		papi_drm_set_destroy(control->set);
		memset(control, 0, sizeof(*control));
		control = next;
	}
	if (component.opened) {
		papi_drm_names_destroy(component.names);
		component.library.destroy(component.drmperf);
	}
	if (component.has_library)
		papi_drm_library_close(&component.library);
	component.has_library = false;
	component.names = NULL;
	component.drmperf = NULL;
	component.opened = false;
	component.initialised = false;
}

/* Load the library, unless that has been done. */
static int
find_library(char *reason, size_t size)
{
	int rc = 0;

	if (!component.has_library)
		rc = papi_drm_library_open(&component.library, reason, size);
	component.has_library = !rc;
	return rc;
}

static int
open_library(char *reason, size_t size)
{
	const struct drmperf_options options = {
		.size = sizeof(options),
		.log = papi_drm_log,
	};
	struct drmperf_error error;
	int rc;

	rc = find_library(reason, size);
	if (rc)
		return rc;
	component.opened = true;
	papi_drm_error_init(&error);
	rc = component.library.create(&options, &component.drmperf, &error);
	if (rc) {
		papi_drm_error_text(&error, reason, size);
		return rc;
	}
	rc = papi_drm_gpus_open(&component.library, component.drmperf, reason,
				size);
	if (rc)
		return rc;
	return papi_drm_names_create(&component.library, component.drmperf,
				     &component.names);
}

static void
report_version(void)
{
	PAPI_component_info_t *info = &_drm_vector.cmp_info;
	unsigned version = component.library.version();

	snprintf(info->support_version, sizeof(info->support_version), "%u.%u",
		 version >> 16, version & 0xffff);
}

/*
 * Do the initialisation that init_component() deferred. Caller holds
 * component.lock.
 */
static int
component_initialise(void)
{
	char reason[PAPI_HUGE_STR_LEN] = "";
	int rc = open_library(reason, sizeof(reason));

	if (rc) {
		close_event_sets();
		/*
		 * Short of memory or of descriptors: the next call tries again.
		 */
		if (papi_drm_is_transient(rc)) {
			report_part(reason);
			return papi_drm_code(rc);
		}
		return component_disable(papi_drm_code(rc),
					 reason[0] ? reason : strerror(-rc));
	}
	report_version();
	component.initialised = true;
	if (reason[0])
		report_part(reason);
	return PAPI_OK;
}

static int
ensure_initialised(void)
{
	PAPI_component_info_t *info = &_drm_vector.cmp_info;
	int rc;

	pthread_mutex_lock(&component.lock);
	rc = info->disabled;
	if (rc == PAPI_OK && !component.initialised)
		rc = component_initialise();
	pthread_mutex_unlock(&component.lock);
	return rc;
}

/*
 * List all events, as only enumeration needs, since it reads all tables of all
 * GPUs.
 */
static int
ensure_listed(void)
{
	PAPI_component_info_t *info = &_drm_vector.cmp_info;
	unsigned count;
	int rc = ensure_initialised();

	if (rc)
		return rc;
	pthread_mutex_lock(&component.lock);
	if (info->num_native_events == NOT_COUNTED) {
		rc = papi_drm_names_list(component.names, &count);
		if (!rc)
			info->num_native_events = (int)count;
	}
	pthread_mutex_unlock(&component.lock);
	return papi_drm_code(rc);
}

/* ------------------------------------------------------------------ */
/* PAPI_library_init and PAPI_shutdown                                  */

static int
look_for_gpus(void)
{
	PAPI_component_info_t *info = &_drm_vector.cmp_info;
	char reason[PAPI_HUGE_STR_LEN] = "";
	struct drmperf_error why;
	int rc = papi_drm_gpus_find(info->pmu_names, &why);

	if (why.code) {
		papi_drm_report(why.code, &why);
		papi_drm_error_text(&why, reason, sizeof(reason));
	}
	if (rc) {
		report_part("");
		return component_disable(papi_drm_code(rc), reason);
	}
	report_part(reason);
	info->disabled = PAPI_OK;
	info->num_native_events = NOT_COUNTED;
	return PAPI_OK;
}

/*
 * Find the library, without which the component is disabled whatever GPUs there
 * are. PAPI asks only once, so this cannot wait for the first event.
 */
static int
look_for_library(void)
{
	struct drmperf_error error = { .code = -ENOENT };
	char reason[PAPI_HUGE_STR_LEN] = "";

	if (!find_library(reason, sizeof(reason)))
		return PAPI_OK;
	snprintf(error.cause, sizeof(error.cause), "%s", reason);
	papi_drm_report(error.code, &error);
	report_part("");
	return component_disable(PAPI_ENOSUPP, reason);
}

static int
drm_init_component(int index)
{
	PAPI_component_info_t *info = &_drm_vector.cmp_info;
	int rc;

	/*
	 * In a forked child everything is the parent's: its memory and its
	 * descriptors are released, which does not touch the hardware. Another
	 * thread of the parent may have held the lock.
	 */
	if (component.pid && component.pid != getpid())
		pthread_mutex_init(&component.lock, NULL);
	close_event_sets();
	component.pid = getpid();
	papi_drm_error_read_environment();

	info->CmpIdx = index;
	papi_drm_gpus_forget(_drm_vector.cmp_info.pmu_names);
	rc = look_for_gpus();
	return rc ? rc : look_for_library();
}

static int
drm_shutdown_component(void)
{
	pthread_mutex_lock(&component.lock);
	close_event_sets();
	papi_drm_gpus_forget(_drm_vector.cmp_info.pmu_names);
	pthread_mutex_unlock(&component.lock);
	return PAPI_OK;
}

/*
 * End counting. Programs may end without PAPI_stop and PAPI_shutdown; those
 * that use the high-level API always do. Their atexit handlers have run by now,
 * but other threads may still be counting. If a signal handler ended the
 * program, this thread may hold the lock already, and would wait for itself.
 */
__attribute__((destructor)) static void
end_counting(void)
{
	struct timespec until;

	if (component.pid != getpid())
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	if (pthread_mutex_timedlock(&component.lock, &until))
		return;
	if (component.drmperf)
		component.library.stop_all(component.drmperf, NULL);
	pthread_mutex_unlock(&component.lock);
}

static int
drm_init_thread(hwd_context_t *context)
{
	(void)context;
	papi_drm_overflow_know_thread();
	return PAPI_OK;
}

static int
drm_shutdown_thread(hwd_context_t *context)
{
	(void)context;
	return PAPI_OK;
}

/* ------------------------------------------------------------------ */
/* Events                                                               */

static int
drm_ntv_enum_events(unsigned *code, int modifier)
{
	int rc = ensure_listed();

	if (rc)
		return rc;
	switch (modifier) {
	case PAPI_ENUM_FIRST:
		return papi_drm_code(
			papi_drm_names_first(component.names, code));
	case PAPI_ENUM_EVENTS:
		return papi_drm_code(
			papi_drm_names_next(component.names, code));
	case PAPI_NTV_ENUM_UMASKS:
		return papi_drm_code(
			papi_drm_names_qualify(component.names, code));
	default:
		return PAPI_EINVAL;
	}
}

static int
drm_ntv_name_to_code(const char *name, unsigned *code)
{
	static const char prefix[] = "drm:::";
	struct drmperf_error error;
	int rc;

	/*
	 * While PAPI_library_init() reads the presets of the CPU, it asks all
	 * components for events that no PMU of the CPU has. No GPU is opened
	 * for that.
	 */
	if (PAPI_is_initialized() == PAPI_NOT_INITED)
		return PAPI_ENOEVNT;
	rc = ensure_initialised();
	if (rc)
		return rc;
	papi_drm_error_init(&error);
	/* not if PAPI has removed the prefix already */
	if (!strncmp(name, prefix, strlen(prefix)))
		name += strlen(prefix);
	rc = papi_drm_names_find(component.names, name, code, &error);
	if (rc == -EINVAL || rc == -ENODEV) {
		papi_drm_report(rc, &error);
		return PAPI_ENOEVNT;
	}
	return papi_drm_report(rc, &error);
}

static int
find_event(unsigned code, struct papi_drm_event *event)
{
	int rc = ensure_initialised();

	if (rc)
		return rc;
	return papi_drm_code(
		papi_drm_names_event(component.names, code, event));
}

static int
drm_ntv_code_to_name(unsigned code, char *text, int size)
{
	struct papi_drm_event event;
	int rc = find_event(code, &event);

	if (rc)
		return rc;
	return papi_drm_code(papi_drm_event_name(&component.library, &event,
						 text, (size_t)size));
}

static int
drm_ntv_code_to_descr(unsigned code, char *text, int size)
{
	struct papi_drm_event event;
	int rc = find_event(code, &event);

	if (rc)
		return rc;
	papi_drm_event_describe(&component.library, &event, text, (size_t)size);
	return PAPI_OK;
}

static void
report_kind(const struct papi_drm_event *event, PAPI_event_info_t *info)
{
	const struct papi_drm_library *library = &component.library;

	/* PAPI returns a long long, scaled or not. */
	info->data_type =
		event->as_double ? PAPI_DATATYPE_FP64 : PAPI_DATATYPE_INT64;
	switch (library->event_kind(event->selection.event)) {
	case DRMPERF_KIND_CUMULATIVE:
		info->value_type = PAPI_VALUETYPE_RUNNING_SUM;
		info->timescope = PAPI_TIMESCOPE_SINCE_START;
		break;
	case DRMPERF_KIND_AVERAGE:
		info->value_type = PAPI_VALUETYPE_ABSOLUTE;
		info->timescope = PAPI_TIMESCOPE_SINCE_START;
		break;
	case DRMPERF_KIND_MOMENTARY:
		info->value_type = PAPI_VALUETYPE_ABSOLUTE;
		info->timescope = PAPI_TIMESCOPE_POINT;
		break;
	}
	info->location = PAPI_LOCATION_UNCORE;
	info->update_type = PAPI_UPDATETYPE_PULL;
}

static int
drm_ntv_code_to_info(unsigned code, PAPI_event_info_t *info)
{
	struct papi_drm_event event;
	int rc = find_event(code, &event);

	if (rc)
		return rc;
	rc = papi_drm_event_name(&component.library, &event, info->symbol,
				 sizeof(info->symbol));
	if (rc)
		return papi_drm_code(rc);
	papi_drm_event_summary(&component.library, &event, info->short_descr,
			       sizeof(info->short_descr));
	papi_drm_event_describe(&component.library, &event, info->long_descr,
				sizeof(info->long_descr));
	papi_drm_event_units(&component.library, &event, info->units,
			     sizeof(info->units));
	report_kind(&event, info);
	return PAPI_OK;
}

/* ------------------------------------------------------------------ */
/* EventSets                                                            */

static int
drm_init_control_state(hwd_control_state_t *state)
{
	struct control *control = state;
	int rc = ensure_initialised();

	if (rc)
		return rc;
	rc = papi_drm_set_create(&component.library, &control->set);
	if (rc)
		return papi_drm_code(rc);
	pthread_mutex_lock(&component.lock);
	control->next = component.controls;
	control->link = &component.controls;
	if (control->next)
		control->next->link = &control->next;
	component.controls = control;
	pthread_mutex_unlock(&component.lock);
	return PAPI_OK;
}

/*
 * Release a control state. PAPI frees one after it was updated with no list of
 * events.
 */
static void
release_control(struct control *control)
{
	pthread_mutex_lock(&component.lock);
	if (control->link) {
		*control->link = control->next;
		if (control->next)
			control->next->link = control->link;
		control->link = NULL;
	}
	papi_drm_overflow_end(&control->timer);
	papi_drm_set_destroy(control->set);
	control->set = NULL;
	pthread_mutex_unlock(&component.lock);
}

static int
drm_update_control_state(hwd_control_state_t *state, NativeInfo_t *native,
			 int count, hwd_context_t *context)
{
	struct control *control = state;
	struct papi_drm_slot slots[PAPI_DRM_SET_SIZE];
	struct drmperf_error error;
	int i, rc;

	(void)context;
	if (!native) {
		release_control(control);
		return PAPI_OK;
	}
	if (!control->set)
		return PAPI_EMISC;
	if (count > PAPI_DRM_SET_SIZE)
		return PAPI_ECOUNT;
	for (i = 0; i < count; i++) {
		slots[i].native_code = native[i].ni_event;
		slots[i].papi_code = native[i].ni_papi_code;
		slots[i].position = native[i].ni_position;
	}
	papi_drm_error_init(&error);
	rc = papi_drm_set_update(control->set, component.drmperf,
				 component.names, slots, (size_t)count, &error);
	if (rc)
		return papi_drm_report(rc, &error);
	for (i = 0; i < count; i++) {
		native[i].ni_papi_code = slots[i].papi_code;
		native[i].ni_position = slots[i].position;
	}
	return PAPI_OK;
}

static int
drm_set_domain(hwd_control_state_t *state, int domain)
{
	(void)state;
	(void)domain;
	return PAPI_OK;
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

/* Begin to count from zero, by starting or resetting the set. */
static int
control_begin_call(struct control *control,
		   int (*call)(struct papi_drm_set *set,
			       struct drmperf_error *error))
{
	const int component = _drm_vector.cmp_info.CmpIdx;
	struct drmperf_error error;
	int rc;

	if (!control->set)
		return PAPI_ENOTRUN;
	papi_drm_error_init(&error);
	rc = papi_drm_overflow_check(component, control, control->set, &error);
	if (!rc)
		rc = call(control->set, &error);
	if (!rc)
		papi_drm_overflow_begin(component, control, &control->timer);
	return papi_drm_report(rc, &error);
}

static int
drm_start(hwd_context_t *context, hwd_control_state_t *state)
{
	(void)context;
	return control_begin_call(state, papi_drm_set_start);
}

/* Reset the counters; the next read shows which events have no value. */
static int
reset_set(struct papi_drm_set *set, struct drmperf_error *error)
{
	int rc = papi_drm_set_reset(set, error);

	return papi_drm_set_is_reset(rc) ? 0 : rc;
}

static int
drm_reset(hwd_context_t *context, hwd_control_state_t *state)
{
	(void)context;
	return control_begin_call(state, reset_set);
}

/* Report a missing value, once per set, if messages are wanted. */
static void
report_lack(struct papi_drm_set *set, struct drmperf_error *error)
{
	if (papi_drm_set_explain(set, error))
		papi_drm_report_lack(error);
}

/*
 * Return PAPI's code for an error of a read. -EAGAIN is no failure: a signal
 * handler has interrupted a call that holds a lock. No other error of a read
 * has its code.
 */
static int
read_code(int rc)
{
	return rc == -EAGAIN ? PAPI_EISRUN : papi_drm_code(rc);
}

static int
drm_read(hwd_context_t *context, hwd_control_state_t *state, long long **values,
	 int flags)
{
	struct control *control = state;
	struct drmperf_error error;
	int rc;

	(void)context;
	if (!control->set)
		return PAPI_ENOTRUN;
	/* a handler writes nothing */
	if ((flags & PAPI_OVERFLOWING) && papi_drm_overflow_is_handling())
		return read_code(papi_drm_set_try_read(control->set, values));
	papi_drm_error_init(&error);
	rc = papi_drm_set_read(control->set, values, &error);
	if (!rc) {
		report_lack(control->set, &error);
		return PAPI_OK;
	}
	if (rc != -EAGAIN)
		papi_drm_report(rc, &error);
	return read_code(rc);
}

/*
 * Stop the set. PAPI_stop has read the values just before. An error here would
 * leave PAPI believing that the set still runs, while the library has stopped
 * counting and restored the hardware in any case: it is only reported.
 */
static int
drm_stop(hwd_context_t *context, hwd_control_state_t *state)
{
	struct control *control = state;
	struct drmperf_error error;

	(void)context;
	papi_drm_overflow_end(&control->timer);
	papi_drm_error_init(&error);
	if (control->set)
		papi_drm_report(papi_drm_set_stop(control->set, &error),
				&error);
	return PAPI_OK;
}

/* ------------------------------------------------------------------ */
/* Refused functions                                                    */

/*
 * Handle an option. The component declares that it multiplexes by itself, and
 * then refuses to: otherwise PAPI would emulate it, and return estimates.
 */
static int
drm_ctl(hwd_context_t *context, int code, _papi_int_option_t *option)
{
	(void)context;
	(void)option;
	switch (code) {
	case PAPI_DOMAIN:
	case PAPI_DEFDOM:
	case PAPI_GRANUL:
	case PAPI_DEFGRN:
		return PAPI_OK;
	default: /* PAPI_MULTIPLEX among them */
		return PAPI_ENOSUPP;
	}
}

#define STRING(value) STRING_OF(value)
#define STRING_OF(value) #value

papi_vector_t _drm_vector = {
	.cmp_info = {
		.name = "drm",
		.short_name = "drm",
		.description = DESCRIPTION,
		.version = STRING(DRMPERF_VERSION_MAJOR) "."
			   STRING(DRMPERF_VERSION_MINOR),
		.support_version = "n/a",
		.kernel_version = "n/a",
		.num_cntrs = PAPI_DRM_SET_SIZE,
		.num_mpx_cntrs = PAPI_DRM_SET_SIZE,
		.default_domain = PAPI_DOM_ALL,
		.available_domains = PAPI_DOM_ALL,
		.default_granularity = PAPI_GRN_SYS,
		.available_granularities = PAPI_GRN_SYS,
		.hardware_intr_sig = PAPI_INT_SIGNAL,
		.kernel_multiplex = 1,
		.cntr_umasks = 1,
	},
	.size = {
		.context = sizeof(struct context),
		.control_state = sizeof(struct control),
		.reg_value = 1,
		.reg_alloc = 1,
	},
	.start = drm_start,
	.stop = drm_stop,
	.read = drm_read,
	.reset = drm_reset,
	.init_component = drm_init_component,
	.init_thread = drm_init_thread,
	.init_control_state = drm_init_control_state,
	.update_control_state = drm_update_control_state,
	.ctl = drm_ctl,
	.dispatch_timer = papi_drm_overflow_handle,
	.set_domain = drm_set_domain,
	.ntv_enum_events = drm_ntv_enum_events,
	.ntv_name_to_code = drm_ntv_name_to_code,
	.ntv_code_to_name = drm_ntv_code_to_name,
	.ntv_code_to_descr = drm_ntv_code_to_descr,
	.ntv_code_to_info = drm_ntv_code_to_info,
	.shutdown_thread = drm_shutdown_thread,
	.shutdown_component = drm_shutdown_component,
};
