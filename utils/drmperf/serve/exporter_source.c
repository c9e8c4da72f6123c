/* SPDX-License-Identifier: BSD-3-Clause */
#include "serve/exporter_source.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "serve/quotient.h"

#define NS_PER_S 1e9

/* ------------------------------------------------------------------ */
/* Events of a source                                                   */

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
exporter_source_takes(const struct exporter_source *source,
		      const struct drmperf_event *event)
{
	char name[NAME_SIZE];

	put_name(event, name);
	return drmperf_event_device(event) == source->device &&
	       !strcmp(name, source->name);
}

void
exporter_source_init(struct exporter_source *source, const struct tool *tool,
		     const struct drmperf_event *event)
{
	*source = (struct exporter_source){
		.tool = tool,
		.device = drmperf_event_device(event),
	};
	put_name(event, source->name);
}

static bool
is_kind(const struct exporter_source *source, size_t event,
	enum drmperf_kind kind)
{
	return drmperf_event_kind(source->events.selections[event].event) ==
	       kind;
}

static bool
is_double(const struct exporter_source *source, size_t event)
{
	return drmperf_event_type(source->events.selections[event].event) ==
	       DRMPERF_TYPE_DOUBLE;
}

/* ------------------------------------------------------------------ */
/* Sessions                                                             */

static int
open_session(struct exporter_source *source,
	     const struct selection_list *events, struct drmperf_session **out)
{
	/* CPUs: everything that runs on them, as it is with GPUs */
	struct drmperf_session_options options = { .size = sizeof(options),
						   .pid = -1,
						   .yields = source->yields };
	struct drmperf_error error;

	if (!events->count)
		return 0;
	if (drmperf_session_create(source->tool->drmperf, events->selections,
				   events->count, &options, out, &error))
		return tool_complain(source->tool, &error);
	return 0;
}

/* Find the averages whose formulas are not known. */
static int
find_averages(struct exporter_source *source)
{
	for (size_t i = 0; i < source->events.count; i++) {
		if (is_kind(source, i, DRMPERF_KIND_AVERAGE) &&
		    !source->series.events[i].steps &&
		    selection_list_add(&source->averages,
				       &source->events.selections[i]))
			return -ENOMEM;
	}
	return 0;
}

static bool
make_room(struct exporter_source *source)
{
	size_t count = source->events.count;
	size_t series = source->series.choice.count;

	source->now = calloc(series, sizeof(*source->now));
	source->before = calloc(series, sizeof(*source->before));
	source->base = calloc(count, sizeof(*source->base));
	source->values = calloc(count, sizeof(*source->values));
	source->means = calloc(count, sizeof(*source->means));
	source->elapsed_ns = calloc(count, sizeof(*source->elapsed_ns));
	source->dies = calloc(count, sizeof(*source->dies));
	source->window_values = calloc(count, sizeof(*source->window_values));
	return source->now && source->before && source->base &&
	       source->values && source->means && source->elapsed_ns &&
	       source->dies && source->window_values;
}

int
exporter_source_open(struct exporter_source *source)
{
	int status =
		columns_find(source->tool, &source->events, &source->series);

	if (!status && (!make_room(source) || find_averages(source)))
		status = tool_fail(source->tool, "no memory");
	if (!status)
		status = open_session(source, &source->series.choice,
				      &source->session);
	if (!status)
		status = open_session(source, &source->averages,
				      &source->window);
	return status;
}

void
exporter_source_finish(struct exporter_source *source)
{
	drmperf_session_destroy(source->window);
	drmperf_session_destroy(source->session);
	held_clocks_finish(&source->clocks);
	selection_list_finish(&source->events);
	selection_list_finish(&source->averages);
	columns_finish(&source->series);
	free(source->now);
	free(source->before);
	free(source->base);
	free(source->values);
	free(source->means);
	free(source->elapsed_ns);
	free(source->dies);
	free(source->window_values);
}

/* ------------------------------------------------------------------ */
/* Errors                                                               */

/* Report an error once: a client may ask every second. */
static void
source_fail(struct exporter_source *source, const struct drmperf_error *error)
{
	source->is_up = false;
	if (!strcmp(source->error.cause, error->cause))
		return;
	source->error = *error;
	tool_complain(source->tool, error);
}

static void
source_recover(struct exporter_source *source)
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
start_sessions(struct exporter_source *source, struct drmperf_error *error)
{
	int ret;

	held_clocks_before(source->tool->drmperf,
			   source->series.choice.selections,
			   source->series.choice.count, &source->clocks);
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
exporter_source_start(struct exporter_source *source)
{
	struct drmperf_error error;

	if (start_sessions(source, &error)) {
		source_fail(source, &error);
		return;
	}
	source->is_started = true;
}

int
exporter_source_stop(struct exporter_source *source)
{
	struct drmperf_error error;
	int ret = 0;

	if (!source->is_started)
		return 0;
	source->is_started = false;
	if (source->window)
		drmperf_session_stop(source->window, NULL);
	ret = drmperf_session_stop(source->session, &error);
	/* else the error was reported already */
	if (ret && source->is_up)
		tool_complain(source->tool, &error);
	return source->is_up ? ret : 0;
}

/*
 * Stop for a while. Counting starts again from zero: the counts so far are the
 * base of those that come.
 */
static void
stop_for_a_while(struct exporter_source *source)
{
	memcpy(source->base, source->values,
	       source->events.count * sizeof(*source->base));
	memset(source->before, 0,
	       source->series.choice.count * sizeof(*source->before));
	memset(source->elapsed_ns, 0,
	       source->events.count * sizeof(*source->elapsed_ns));
	exporter_source_stop(source);
}

static void
restart_sessions(struct exporter_source *source)
{
	stop_for_a_while(source);
	source->is_started = !start_sessions(source, NULL);
}

void
exporter_source_yield(struct exporter_source *source)
{
	struct drmperf_error error = {
		.code = -EBUSY,
		.cause = "its counters were released, because another process "
			 "needs them",
		.remedy = "counting goes on when that process has ended; "
			  "--no-yield keeps them",
	};

	if (!source->is_started || !drmperf_session_is_wanted(source->session))
		return;
	source_fail(source, &error);
	stop_for_a_while(source);
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

/*
 * Add a value to the base. An event computed from counters that are read one
 * after the other may go back a little; the reported value never does.
 */
static void
add_to_base(struct exporter_source *source, size_t event,
	    union drmperf_value now)
{
	union drmperf_value base = source->base[event];
	union drmperf_value *value = &source->values[event];

	if (is_double(source, event))
		value->f64 = fmax(value->f64, base.f64 + now.f64);
	else if (base.u64 + now.u64 > value->u64)
		value->u64 = base.u64 + now.u64;
}

/* Return what a series has counted since the reading before. */
static double
series_difference(const void *data, unsigned series)
{
	const struct exporter_source *source = data;
	const struct drmperf_event *event =
		source->series.choice.selections[series].event;

	if (drmperf_event_type(event) == DRMPERF_TYPE_DOUBLE)
		return source->now[series].f64 - source->before[series].f64;
	return (double)(source->now[series].u64 - source->before[series].u64);
}

/* Return what it would have counted in twice the time. */
static double
series_doubled(const void *data, unsigned series)
{
	return 2 * series_difference(data, series);
}

/* Add to an average; what is no number, or divides by 0, has nothing to add. */
static void
add_to_mean(struct exporter_mean *mean, double sum, double count)
{
	if (!isfinite(sum) || !isfinite(count) || sum < 0 || count <= 0)
		return;
	mean->sum += sum;
	mean->count += count;
}

/*
 * Add the value of a formula that is no quotient for a time. One that grows
 * with the time, as the cycles of the busiest instance do, is added as that of
 * a second: of any other time it would depend on how often clients read it.
 */
static void
add_value(const struct exporter_source *source,
	  const struct recording_event *event, double ns, double *results,
	  struct exporter_mean *mean)
{
	const double value = results[event->step_count - 1];

	drmperf_formula_value(event->steps, event->step_count, series_doubled,
			      source, results);
	if (results[event->step_count - 1] > 1.5 * value)
		add_to_mean(mean, NS_PER_S * value, ns);
	else
		add_to_mean(mean, ns * value, ns);
}

static void
add_formula(struct exporter_source *source, size_t event, double ns)
{
	const struct recording_event *one = &source->series.events[event];
	struct exporter_mean *mean = &source->means[event];
	double *results = calloc(one->step_count, sizeof(*results));
	struct quotient quotient;

	if (!results)
		return;
	drmperf_formula_value(one->steps, one->step_count, series_difference,
			      source, results);
	if (quotient_find(one->steps, one->step_count, &quotient))
		add_to_mean(mean,
			    quotient.scale * results[quotient.numerator],
			    results[quotient.denominator]);
	else
		add_value(source, one, ns, results, mean);
	free(results);
}

/*
 * Add to an average what it was for a time; those without a formula come in
 * their order.
 */
static void
take_average(struct exporter_source *source, size_t event, double ns,
	     size_t *without)
{
	union drmperf_value value;

	if (source->series.events[event].steps) {
		add_formula(source, event, ns);
		return;
	}
	value = source->window_values[(*without)++];
	add_to_mean(&source->means[event],
		    ns * (is_double(source, event) ? value.f64
						   : (double)value.u64),
		    ns);
}

static size_t
first_series(const struct recording_event *event)
{
	for (size_t i = 0; i < event->step_count; i++) {
		if (event->steps[i].operation == DRMPERF_OPERATION_PART)
			return event->steps[i].part;
	}
	return event->series;
}

static void
take_values(struct exporter_source *source)
{
	struct drmperf_sample_info origin = { .size = sizeof(origin) };
	size_t without = 0;

	for (size_t i = 0; i < source->events.count; i++) {
		const struct recording_event *event = &source->series.events[i];
		const uint64_t before = source->elapsed_ns[i];

		drmperf_session_sample_info(source->session,
					    first_series(event), &origin);
		source->dies[i] = origin.die;
		source->elapsed_ns[i] = origin.elapsed_ns;
		if (is_kind(source, i, DRMPERF_KIND_CUMULATIVE))
			add_to_base(source, i, source->now[event->series]);
		else if (is_kind(source, i, DRMPERF_KIND_AVERAGE))
			take_average(
				source, i,
				(double)(int64_t)(origin.elapsed_ns - before),
				&without);
		else
			source->values[i] = source->now[event->series];
	}
	memcpy(source->before, source->now,
	       source->series.choice.count * sizeof(*source->before));
}

static int
read_sessions(struct exporter_source *source, struct drmperf_error *error)
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
exporter_source_read(struct exporter_source *source)
{
	struct drmperf_error error;

	if (!source->is_started)
		exporter_source_start(source);
	if (!source->is_started) {
		source->errors++;
		return;
	}
	if (read_sessions(source, &error)) {
		source->errors++;
		source_fail(source, &error);
		restart_sessions(source);
		return;
	}
	take_values(source);
	source_recover(source);
}

bool
exporter_source_value(const struct exporter_source *source, size_t event,
		      union drmperf_value *out)
{
	*out = source->values[event];
	return source->is_up &&
	       !(is_double(source, event) && isnan(out->f64));
}

bool
exporter_source_mean(const struct exporter_source *source, size_t event,
		     struct exporter_mean *out)
{
	*out = source->means[event];
	return source->is_up;
}
