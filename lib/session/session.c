/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions: what a list of events needs of each domain, and what the raw
 * values of the domains mean for each event.
 *
 *   selections -> counters -> requests, one part per domain    (create)
 *   part_sample -> raw - base = delta -> sum or expression     (read)
 *
 * Everything that depends on names, types or expressions is settled in
 * create; a read walks arrays.
 */
#include "drmperf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "catalog/catalog.h"
#include "catalog/resolve.h"
#include "device/device.h"
#include "device/domain.h"
#include "expr/batch.h"
#include "plan/plan.h"

/* Where a counter's values are. */
struct operand {
	size_t part;
	size_t request;
};

/* An event of the session, while it is being created. */
struct answer {
	const struct catalog_value *value;
	enum drmperf_type type;
	struct operand *operands; /* like value->counters */
	struct expr_input *inputs;
};

/* What the session counts in one domain. */
struct session_part {
	struct part part;
	struct drmperf_device *device;
	struct domain *domain;
	struct counter_request *requests;
	bool *momentary; /* per request */
	size_t request_count;
	size_t request_capacity;
	uint64_t *base; /* raw values that mean zero */
	uint64_t *delta; /* raw values of the last read, less base */
};

enum session_state {
	SESSION_NEW,
	SESSION_RUNNING,
	SESSION_STOPPED,
};

struct drmperf_session {
	struct drmperf *drmperf;
	enum session_state state;
	enum drmperf_read_mode read;
	size_t size; /* values that a read gives */
	struct expr_batch *batch; /* which makes them of the deltas */
	struct session_part *parts;
	size_t part_count;
	uint64_t time_ns; /* of the last sample */
	struct drmperf_error no_values; /* why a stopped session has none */
};

/* ------------------------------------------------------------------ */
/* From selections to requests                                          */

static struct domain *
counter_domain(const struct drmperf_device *device,
	       const struct catalog_counter *counter)
{
	const struct description *description = device_description(device);

	return &device->domains[description->groups[counter->group].domain];
}

/* The part for a domain, made if there is none yet; NULL without memory. */
static struct session_part *
find_part(struct drmperf_session *session, struct drmperf_device *device,
	  struct domain *domain)
{
	struct session_part *parts = session->parts;
	size_t count = session->part_count;

	for (size_t i = 0; i < count; i++) {
		if (parts[i].domain == domain)
			return &parts[i];
	}
	parts = reallocarray(parts, count + 1, sizeof(*parts));
	if (!parts)
		return NULL;
	session->parts = parts;
	session->part_count++;
	parts[count] =
		(struct session_part){ .device = device, .domain = domain };
	return &parts[count];
}

static struct counter_request
make_request(const struct drmperf_device *device,
	     const struct catalog_counter *counter, int instance)
{
	const struct description *description = device_description(device);
	const struct description_group *group =
		&description->groups[counter->group];

	return (struct counter_request){
		.group = counter->group,
		.selector = counter->selector,
		.setting = counter->setting,
		.slots = counter->slots,
		.instance =
			group->instances > 1 ? instance : DRMPERF_ALL_INSTANCES,
		.follows = counter->after != CATALOG_ANYWHERE,
	};
}

static bool
same_requests(const struct counter_request *a, const struct counter_request *b,
	      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (a[i].group != b[i].group ||
		    a[i].selector != b[i].selector ||
		    a[i].setting != b[i].setting || a[i].slots != b[i].slots ||
		    a[i].instance != b[i].instance ||
		    a[i].follows != b[i].follows)
			return false;
	}
	return true;
}

static int
reserve_requests(struct session_part *part, size_t more)
{
	size_t capacity = part->request_count + more;
	struct counter_request *requests;
	bool *momentary;

	if (capacity <= part->request_capacity)
		return 0;
	capacity *= 2;
	requests = reallocarray(part->requests, capacity, sizeof(*requests));
	if (!requests)
		return -ENOMEM;
	part->requests = requests;
	momentary = reallocarray(part->momentary, capacity, sizeof(*momentary));
	if (!momentary)
		return -ENOMEM;
	part->momentary = momentary;
	part->request_capacity = capacity;
	return 0;
}

/*
 * Write the counter behind the part's requests, after those that it follows.
 * Returns how many requests that makes, or -ENOMEM.
 */
static ssize_t
write_chain(struct session_part *part, const struct catalog_value *value,
	    uint32_t last, int instance)
{
	size_t length = 0, end;
	uint32_t at;

	for (at = last; at != CATALOG_ANYWHERE; at = value->counters[at].after)
		length++;
	if (reserve_requests(part, length))
		return -ENOMEM;
	end = part->request_count + length;
	for (at = last; at != CATALOG_ANYWHERE;
	     at = value->counters[at].after) {
		part->requests[--end] = make_request(
			part->device, &value->counters[at], instance);
		part->momentary[end] = value->counters[at].momentary;
	}
	return (ssize_t)length;
}

/* Ask the counter's part for it, unless that has been done already. */
static int
add_counter(struct drmperf_session *session, struct drmperf_device *device,
	    const struct catalog_value *value, uint32_t counter, int instance,
	    struct operand *out)
{
	struct session_part *part;
	const struct counter_request *chain;
	ssize_t length;
	size_t at;

	part = find_part(session, device,
			 counter_domain(device, &value->counters[counter]));
	if (!part)
		return -ENOMEM;
	length = write_chain(part, value, counter, instance);
	if (length < 0)
		return (int)length;
	chain = &part->requests[part->request_count];
	for (at = 0;
	     !same_requests(&part->requests[at], chain, (size_t)length);)
		at++;
	if (at == part->request_count)
		part->request_count += (size_t)length;
	out->part = (size_t)(part - session->parts);
	out->request = at + (size_t)length - 1;
	return 0;
}

static int
add_answer(struct drmperf_session *session, const struct drmperf_event *event,
	   int instance, struct answer *answer, struct drmperf_error *error)
{
	struct drmperf_device *device = drmperf_event_device(event);
	const struct catalog_value *value;
	int ret;

	ret = catalog_resolve(event, &value, error);
	if (ret)
		return ret;
	answer->value = value;
	answer->type = drmperf_event_type(event);
	answer->operands =
		calloc(value->counter_count + 1, sizeof(*answer->operands));
	answer->inputs =
		calloc(value->counter_count + 1, sizeof(*answer->inputs));
	if (!answer->operands || !answer->inputs)
		return error_set(error, -ENOMEM, "no memory");
	for (size_t i = 0; i < value->counter_count; i++) {
		ret = add_counter(session, device, value, (uint32_t)i, instance,
				  &answer->operands[i]);
		if (ret)
			return error_set(error, ret, "no memory");
	}
	return 0;
}

static int
finish_part(struct session_part *part, const struct run_options *options)
{
	struct run_options own = *options;
	int ret;

	own.raw_device = part->device;
	ret = part_init(&part->part, part->domain, part->requests,
			part->request_count, &own);
	if (ret)
		return ret;
	part->base = calloc(part->part.raw_count + 1, sizeof(*part->base));
	part->delta = calloc(part->part.raw_count + 1, sizeof(*part->delta));
	return part->base && part->delta ? 0 : -ENOMEM;
}

static struct expr_input
operand_values(const struct drmperf_session *session,
	       const struct operand *operand)
{
	const struct session_part *part = &session->parts[operand->part];
	const struct part *raw = &part->part;
	size_t first = raw->first[operand->request];
	size_t end = operand->request + 1 < raw->request_count
			     ? raw->first[operand->request + 1]
			     : raw->raw_count;

	return (struct expr_input){ .values = &part->delta[first],
				    .count = end - first };
}

/* Tell the batch where the deltas are that each value is made of. */
static int
make_batch(struct drmperf_session *session, const struct answer *answers)
{
	struct expr_batch_entry *entries =
		calloc(session->size, sizeof(*entries));
	int ret;

	if (!entries)
		return -ENOMEM;
	for (size_t i = 0; i < session->size; i++) {
		const struct answer *answer = &answers[i];

		for (size_t k = 0; k < answer->value->counter_count; k++)
			answer->inputs[k] =
				operand_values(session, &answer->operands[k]);
		entries[i] = (struct expr_batch_entry){
			.program = answer->value->program,
			.type = answer->type,
			.inputs = answer->inputs,
		};
	}
	ret = expr_batch_create(entries, session->size, &session->batch);
	free(entries);
	return ret;
}

static int
build_parts(struct drmperf_session *session, struct answer *answers,
	    const struct drmperf_selection *selections,
	    const struct drmperf_event *const *events,
	    const struct run_options *options, struct drmperf_error *error)
{
	int ret;

	for (size_t i = 0; i < session->size; i++) {
		ret = add_answer(session, events[i], selections[i].instance,
				 &answers[i], error);
		if (ret)
			return ret;
	}
	for (size_t i = 0; i < session->part_count; i++) {
		ret = finish_part(&session->parts[i], options);
		if (ret)
			return error_set(error, ret, "no memory");
	}
	ret = make_batch(session, answers);
	return ret ? error_set(error, ret, "no memory") : 0;
}

static int
build(struct drmperf_session *session,
      const struct drmperf_selection *selections,
      const struct drmperf_event *const *events,
      const struct run_options *options, struct drmperf_error *error)
{
	struct answer *answers = calloc(session->size, sizeof(*answers));
	int ret;

	if (!answers)
		return error_set(error, -ENOMEM, "no memory");
	ret = build_parts(session, answers, selections, events, options, error);
	for (size_t i = 0; i < session->size; i++) {
		free(answers[i].operands);
		free(answers[i].inputs);
	}
	free(answers);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Create and destroy                                                   */

static int
read_mode_from_environment(enum drmperf_read_mode *out,
			   struct drmperf_error *error)
{
	const char *text = secure_getenv("DRMPERF_READ");

	*out = DRMPERF_READ_FENCED;
	if (!text || !*text || !strcmp(text, "fenced"))
		return 0;
	if (!strcmp(text, "latest")) {
		*out = DRMPERF_READ_LATEST;
		return 0;
	}
	error_set(error, -EINVAL, "DRMPERF_READ is \"%s\"", text);
	error_remedy(error, "set it to \"fenced\" or \"latest\", or unset it");
	return -EINVAL;
}

static int
read_options(const struct drmperf_session_options *given,
	     struct drmperf_session_options *out, struct drmperf_error *error)
{
	memset(out, 0, sizeof(*out));
	if (given) {
		if (given->size < sizeof(given->size) ||
		    given->size > sizeof(*given))
			return error_set(error, -EINVAL,
					 "session options of %zu bytes, this "
					 "library knows %zu",
					 given->size, sizeof(*given));
		memcpy(out, given, given->size);
	}
	if (out->clock > DRMPERF_CLOCK_PEAK || out->read > DRMPERF_READ_LATEST)
		return error_set(error, -EINVAL,
				 "session options out of range");
	if (out->read == DRMPERF_READ_AUTO)
		return read_mode_from_environment(&out->read, error);
	return 0;
}

static void
session_free(struct drmperf_session *session)
{
	for (size_t i = 0; i < session->part_count; i++) {
		struct session_part *part = &session->parts[i];

		part_finish(&part->part);
		free(part->requests);
		free(part->momentary);
		free(part->base);
		free(part->delta);
	}
	free(session->parts);
	expr_batch_destroy(session->batch);
	free(session);
}

int
drmperf_session_create(struct drmperf *drmperf,
		       const struct drmperf_selection *selections, size_t count,
		       const struct drmperf_session_options *options,
		       struct drmperf_session **out,
		       struct drmperf_error *error)
{
	struct drmperf_session_options own;
	const struct drmperf_event **chosen;
	struct drmperf_session *session;
	int ret;

	ret = fork_guard_check(&drmperf->guard, error);
	if (ret)
		return ret;
	if (!count)
		return error_set(error, -EINVAL, "a session needs an event");
	ret = read_options(options, &own, error);
	if (ret)
		return ret;
	chosen = calloc(count, sizeof(*chosen));
	session = calloc(1, sizeof(*session));
	if (!chosen || !session)
		ret = error_set(error, -ENOMEM, "no memory");
	if (!ret)
		ret = plan_check_one_pass(drmperf, selections, count, chosen,
					  error);
	if (!ret) {
		session->drmperf = drmperf;
		session->size = count;
		session->read = own.read;
		ret = build(session, selections, chosen,
			    &(struct run_options){ .clock = own.clock,
						   .raw = own.raw,
						   .raw_data = own.raw_data,
						   .pid = own.pid },
			    error);
	}
	free(chosen);
	if (!ret)
		*out = session;
	else if (session)
		session_free(session);
	return ret;
}

void
drmperf_session_destroy(struct drmperf_session *session)
{
	if (!session)
		return;
	if (fork_guard_is_child(&session->drmperf->guard)) {
		for (size_t i = 0; i < session->part_count; i++)
			part_abandon(&session->parts[i].part);
	} else if (session->state == SESSION_RUNNING) {
		drmperf_session_stop(session, NULL);
	}
	session_free(session);
}

size_t
drmperf_session_size(const struct drmperf_session *session)
{
	return session->size;
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

static int
sample(struct drmperf_session *session, struct drmperf_error *error)
{
	uint64_t time_ns;
	int ret;

	for (size_t i = 0; i < session->part_count; i++) {
		ret = part_sample(&session->parts[i].part, session->read,
				  &time_ns, error);
		if (ret)
			return ret;
		if (i == 0)
			session->time_ns = time_ns;
	}
	return 0;
}

/* The raw values of the last sample become zero; momentary ones have none. */
static void
set_base(struct session_part *part)
{
	const struct part *raw = &part->part;

	for (size_t i = 0; i < part->request_count; i++) {
		size_t end = i + 1 < part->request_count ? raw->first[i + 1]
							 : raw->raw_count;

		for (size_t at = raw->first[i]; at < end; at++)
			part->base[at] = part->momentary[i] ? 0 : raw->raw[at];
	}
}

static void
subtract_base(struct session_part *part)
{
	for (size_t i = 0; i < part->part.raw_count; i++)
		part->delta[i] = part->part.raw[i] - part->base[i];
}

/* Leave the domains of the first count parts; the first error is kept. */
static int
leave(struct drmperf_session *session, size_t count,
      struct drmperf_error *error)
{
	int ret, first = 0;

	while (count--) {
		ret = part_leave(&session->parts[count].part,
				 first ? NULL : error);
		if (!first)
			first = ret;
	}
	return first;
}

int
drmperf_session_start(struct drmperf_session *session,
		      struct drmperf_error *error)
{
	size_t joined;
	int ret;

	ret = fork_guard_check(&session->drmperf->guard, error);
	if (ret)
		return ret;
	if (session->state == SESSION_RUNNING)
		return error_set(error, -EALREADY,
				 "the session is started already");
	for (joined = 0; joined < session->part_count; joined++) {
		ret = part_join(&session->parts[joined].part, error);
		if (ret)
			goto leave;
	}
	ret = sample(session, error);
	if (ret)
		goto leave;
	for (size_t i = 0; i < session->part_count; i++)
		set_base(&session->parts[i]);
	session->state = SESSION_RUNNING;
	session->no_values.code = 0;
	return 0;

leave:
	leave(session, joined, NULL);
	return ret;
}

/* Bring deltas up to date; those of a stopped session stay as they are. */
static int
update(struct drmperf_session *session, struct drmperf_error *error)
{
	int ret;

	ret = fork_guard_check(&session->drmperf->guard, error);
	if (ret)
		return ret;
	switch (session->state) {
	case SESSION_NEW:
		return error_set(error, -EINVAL,
				 "the session was never started");
	case SESSION_STOPPED:
		if (error && session->no_values.code)
			*error = session->no_values;
		return session->no_values.code;
	case SESSION_RUNNING:
		break;
	}
	ret = sample(session, error);
	if (ret)
		return ret;
	for (size_t i = 0; i < session->part_count; i++)
		subtract_base(&session->parts[i]);
	return 0;
}

int
drmperf_session_read(struct drmperf_session *session,
		     union drmperf_value *values, uint64_t *time_ns,
		     struct drmperf_error *error)
{
	int ret;

	ret = update(session, error);
	if (ret)
		return ret;
	expr_batch_eval(session->batch, values);
	if (time_ns)
		*time_ns = session->time_ns;
	return 0;
}

int
drmperf_session_reset(struct drmperf_session *session,
		      struct drmperf_error *error)
{
	int ret;

	ret = update(session, error);
	if (ret)
		return ret;
	for (size_t i = 0; i < session->part_count; i++) {
		set_base(&session->parts[i]);
		subtract_base(&session->parts[i]);
	}
	return 0;
}

int
drmperf_session_stop(struct drmperf_session *session,
		     struct drmperf_error *error)
{
	int ret, left;

	ret = fork_guard_check(&session->drmperf->guard, error);
	if (ret)
		return ret;
	if (session->state != SESSION_RUNNING)
		return error_set(error, -EINVAL, "the session is not started");
	ret = update(session, &session->no_values);
	if (ret && error)
		*error = session->no_values;
	left = leave(session, session->part_count, ret ? NULL : error);
	session->state = SESSION_STOPPED;
	return ret ? ret : left;
}
