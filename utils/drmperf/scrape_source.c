/* SPDX-License-Identifier: BSD-3-Clause */
#include "scrape_source.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ */
/* What belongs to it                                                   */

static void
put_name(const struct drmperf_event *event, char name[NAME_SIZE])
{
	const char *domain =
		drmperf_group_domain(drmperf_event_group(event));
	const char *counter = strstr(drmperf_event_name(event), "::");

	if (strcmp(domain, "sensor") || !counter)
		snprintf(name, NAME_SIZE, "%s", domain);
	else
		snprintf(name, NAME_SIZE, "%s", counter + 2);
}

bool
scrape_source_takes(const struct scrape_source *source,
		    const struct drmperf_event *event)
{
	char name[NAME_SIZE];

	put_name(event, name);
	return drmperf_event_device(event) == source->device &&
	       !strcmp(name, source->name);
}

void
scrape_source_init(struct scrape_source *source, const struct tool *tool,
		   const struct drmperf_event *event)
{
	*source = (struct scrape_source){
		.tool = tool,
		.device = drmperf_event_device(event),
	};
	put_name(event, source->name);
}

static bool
is_kind(const struct scrape_source *source, size_t event,
	enum drmperf_kind kind)
{
	return drmperf_event_kind(source->events.selections[event].event) ==
	       kind;
}

static bool
is_double(const struct scrape_source *source, size_t event)
{
	return drmperf_event_type(source->events.selections[event].event) ==
	       DRMPERF_TYPE_DOUBLE;
}

/* ------------------------------------------------------------------ */
/* Sessions                                                             */

static int
open_session(struct scrape_source *source, const struct choice *events,
	     struct drmperf_session **out)
{
	/* CPUs: everything that runs on them, as it is with GPUs */
	struct drmperf_session_options options = { .size = sizeof(options),
						   .pid = -1 };
	struct drmperf_error error;

	if (!events->count)
		return 0;
	if (drmperf_session_create(source->tool->drmperf, events->selections,
				   events->count, &options, out, &error))
		return tool_complain(source->tool, &error);
	return 0;
}

static int
find_averages(struct scrape_source *source)
{
	for (size_t i = 0; i < source->events.count; i++) {
		if (is_kind(source, i, DRMPERF_KIND_AVERAGE) &&
		    choice_add(&source->averages,
			       &source->events.selections[i]))
			return -ENOMEM;
	}
	return 0;
}

static bool
make_room(struct scrape_source *source)
{
	size_t count = source->events.count;

	source->now = calloc(count, sizeof(*source->now));
	source->base = calloc(count, sizeof(*source->base));
	source->values = calloc(count, sizeof(*source->values));
	source->dies = calloc(count, sizeof(*source->dies));
	source->window_values = calloc(count, sizeof(*source->window_values));
	return source->now && source->base && source->values && source->dies &&
	       source->window_values;
}

int
scrape_source_open(struct scrape_source *source)
{
	int status;

	if (!make_room(source) || find_averages(source))
		return tool_fail(source->tool, "no memory");
	status = open_session(source, &source->events, &source->session);
	if (!status)
		status = open_session(source, &source->averages,
				      &source->window);
	return status;
}

void
scrape_source_finish(struct scrape_source *source)
{
	drmperf_session_destroy(source->window);
	drmperf_session_destroy(source->session);
	held_clocks_finish(&source->clocks);
	choice_finish(&source->events);
	choice_finish(&source->averages);
	free(source->now);
	free(source->base);
	free(source->values);
	free(source->dies);
	free(source->window_values);
}

/* ------------------------------------------------------------------ */
/* What goes wrong                                                      */

/* Somebody may ask every second: what is known already is not told again. */
static void
fail(struct scrape_source *source, const struct drmperf_error *error)
{
	source->is_up = false;
	if (!strcmp(source->error.cause, error->cause))
		return;
	source->error = *error;
	tool_complain(source->tool, error);
}

static void
recover(struct scrape_source *source)
{
	source->is_up = true;
	if (!source->error.code)
		return;
	tool_warn(source->tool, "%s of device %u is read again", source->name,
		  drmperf_device_index(source->device));
	source->error = (struct drmperf_error){ 0 };
}

/* ------------------------------------------------------------------ */
/* Start and stop                                                       */

static int
start_sessions(struct scrape_source *source, struct drmperf_error *error)
{
	int ret;

	held_clocks_before(source->tool->drmperf, source->events.selections,
			   source->events.count, &source->clocks);
	ret = drmperf_session_start(source->session, error);
	if (!ret)
		held_clocks_during(&source->clocks);
	if (ret || !source->window)
		return ret;
	ret = drmperf_session_start(source->window, error);
	if (ret)
		drmperf_session_stop(source->session, NULL);
	return ret;
}

void
scrape_source_start(struct scrape_source *source)
{
	struct drmperf_error error;

	if (start_sessions(source, &error)) {
		fail(source, &error);
		return;
	}
	source->is_started = true;
}

int
scrape_source_stop(struct scrape_source *source)
{
	struct drmperf_error error;
	int ret = 0;

	if (!source->is_started)
		return 0;
	source->is_started = false;
	if (source->window)
		drmperf_session_stop(source->window, NULL);
	ret = drmperf_session_stop(source->session, &error);
	/* else that is told already */
	if (ret && source->is_up)
		tool_complain(source->tool, &error);
	return source->is_up ? ret : 0;
}

/*
 * After a failure counting begins anew, from zero: what was counted before is
 * the base of what comes.
 */
static void
restart(struct scrape_source *source)
{
	memcpy(source->base, source->values,
	       source->events.count * sizeof(*source->base));
	scrape_source_stop(source);
	source->is_started = !start_sessions(source, NULL);
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

/*
 * What is computed of counters that are read one after the other may go back a
 * little; what is told never does.
 */
static void
add_up(struct scrape_source *source, size_t event)
{
	union drmperf_value now = source->now[event];
	union drmperf_value base = source->base[event];
	union drmperf_value *value = &source->values[event];

	if (is_double(source, event))
		value->f64 = fmax(value->f64, base.f64 + now.f64);
	else if (base.u64 + now.u64 > value->u64)
		value->u64 = base.u64 + now.u64;
}

static void
take_values(struct scrape_source *source)
{
	struct drmperf_origin origin = { .size = sizeof(origin) };
	size_t average = 0;

	for (size_t i = 0; i < source->events.count; i++) {
		drmperf_session_origin(source->session, i, &origin);
		source->dies[i] = origin.die;
		if (is_kind(source, i, DRMPERF_KIND_CUMULATIVE))
			add_up(source, i);
		else if (is_kind(source, i, DRMPERF_KIND_AVERAGE))
			source->values[i] = source->window_values[average++];
		else
			source->values[i] = source->now[i];
	}
}

static int
read_sessions(struct scrape_source *source, struct drmperf_error *error)
{
	int ret = drmperf_session_read(source->session, source->now, NULL, NULL,
				       error);

	if (ret || !source->window)
		return ret;
	ret = drmperf_session_read(source->window, source->window_values, NULL,
				   NULL, error);
	return ret ? ret : drmperf_session_reset(source->window, error);
}

void
scrape_source_read(struct scrape_source *source)
{
	struct drmperf_error error;

	source->has_window = source->is_started;
	if (!source->is_started)
		scrape_source_start(source);
	if (!source->is_started) {
		source->errors++;
		return;
	}
	if (read_sessions(source, &error)) {
		source->errors++;
		fail(source, &error);
		restart(source);
		return;
	}
	take_values(source);
	recover(source);
}

bool
scrape_source_value(const struct scrape_source *source, size_t event,
		    union drmperf_value *out)
{
	*out = source->values[event];
	if (!source->is_up || (is_double(source, event) && isnan(out->f64)))
		return false;
	return source->has_window ||
	       !is_kind(source, event, DRMPERF_KIND_AVERAGE);
}
