/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/build.h"

#include <errno.h>
#include <stdlib.h>

#include "catalog/resolve.h"

/* The value of an event of the session, and its counters. */
struct ingredients {
	const struct catalog_value *value;
	struct session_source *places; /* like value->counters */
	struct expr_input *inputs;
};

static struct domain *
counter_domain(const struct drmperf_device *device,
	       const struct catalog_counter *counter)
{
	const struct description *description = device_description(device);

	return &device->domains[description->groups[counter->group].domain];
}

/*
 * Return the session's part in a domain, created if need be; NULL: no memory.
 */
static struct session_domain *
find_domain(struct drmperf_session *session, struct drmperf_device *device,
	    struct domain *domain)
{
	struct session_domain *domains = session->domains;
	size_t count = session->domain_count;

	for (size_t i = 0; i < count; i++) {
		if (domains[i].domain == domain)
			return &domains[i];
	}
	domains = reallocarray(domains, count + 1, sizeof(*domains));
	if (!domains)
		return NULL;
	session->domains = domains;
	session->domain_count++;
	domains[count] = (struct session_domain){ .device = device,
						  .domain = domain,
						  .offer = { .fd = -1 } };
	return &domains[count];
}

static int
add_counter(struct drmperf_session *session, struct drmperf_device *device,
	    const struct catalog_value *value, uint32_t counter, int instance,
	    struct session_source *out)
{
	struct session_domain *domain;

	domain = find_domain(session, device,
			     counter_domain(device, &value->counters[counter]));
	if (!domain)
		return -ENOMEM;
	out->domain = (size_t)(domain - session->domains);
	return session_domain_add(domain, value, counter, instance,
				  &out->request);
}

static int
add_event(struct drmperf_session *session, const struct drmperf_event *event,
	  int instance, struct ingredients *out, struct drmperf_error *error)
{
	struct drmperf_device *device = drmperf_event_device(event);
	const struct catalog_value *value;
	int ret;

	ret = catalog_resolve(event, &value, error);
	if (ret)
		return ret;
	out->value = value;
	out->places = calloc(value->counter_count + 1, sizeof(*out->places));
	out->inputs = calloc(value->counter_count + 1, sizeof(*out->inputs));
	if (!out->places || !out->inputs)
		return error_set(error, -ENOMEM, "no memory");
	for (size_t i = 0; i < value->counter_count; i++) {
		ret = add_counter(session, device, value, (uint32_t)i, instance,
				  &out->places[i]);
		if (ret)
			return error_set(error, ret, "no memory");
	}
	return 0;
}

/* Set where the batch finds the deltas that each value is computed from. */
static int
make_batch(struct drmperf_session *session, const struct ingredients *events)
{
	struct expr_batch_entry *entries =
		calloc(session->size, sizeof(*entries));
	int ret;

	if (!entries)
		return -ENOMEM;
	for (size_t i = 0; i < session->size; i++) {
		const struct ingredients *event = &events[i];

		for (size_t k = 0; k < event->value->counter_count; k++) {
			const struct session_source *place = &event->places[k];

			event->inputs[k] = session_domain_deltas(
				&session->domains[place->domain],
				place->request);
		}
		entries[i] = (struct expr_batch_entry){
			.program = event->value->program,
			.type = drmperf_event_type(session->recipe.events[i]),
			.inputs = event->inputs,
		};
	}
	ret = expr_batch_create(entries, session->size, &session->batch);
	free(entries);
	return ret;
}

static bool
can_limit(const struct session_domain *domain, size_t request)
{
	return domain->domain->info->ops->limit &&
	       domain->requests[request].setting != SETTING_NONE;
}

/*
 * Limit the requests of a domain to shader stages. Equal requests stay equal.
 */
static int
limit_domain(struct session_domain *domain, uint64_t stages, size_t *limited,
	     struct drmperf_error *error)
{
	const struct description_domain *info = domain->domain->info;
	int ret = 0;

	for (size_t i = 0; !ret && i < domain->request_count; i++) {
		uint32_t *setting = &domain->requests[i].setting;

		if (!can_limit(domain, i))
			continue;
		ret = info->ops->limit(info->device, *setting, stages, setting,
				       error);
		++*limited;
	}
	return ret;
}

static int
session_limit_stages(struct drmperf_session *session, uint64_t stages,
		     struct drmperf_error *error)
{
	size_t limited = 0;
	int ret = 0;

	if (!stages)
		return 0;
	for (size_t i = 0; !ret && i < session->domain_count; i++)
		ret = limit_domain(&session->domains[i], stages, &limited,
				   error);
	if (!ret && !limited)
		ret = error_set(error, -ENOTSUP,
				"none of the events can tell shader stages "
				"apart");
	return ret;
}

static int
list_sources(struct drmperf_session *session, const struct ingredients *events)
{
	size_t count = 0;

	session->first_source =
		calloc(session->size + 1, sizeof(*session->first_source));
	for (size_t i = 0; i < session->size; i++)
		count += events[i].value->counter_count;
	session->sources = calloc(count + 1, sizeof(*session->sources));
	if (!session->first_source || !session->sources)
		return -ENOMEM;
	count = 0;
	for (size_t i = 0; i < session->size; i++) {
		for (size_t k = 0; k < events[i].value->counter_count; k++)
			session->sources[count++] = events[i].places[k];
		session->first_source[i + 1] = count;
	}
	return 0;
}

/*
 * Return whether a device comes first, in the order of their places on the bus.
 */
static bool
is_before(const struct session_domain *a, const struct session_domain *b)
{
	const unsigned left = drmperf_device_index(a->device);
	const unsigned right = drmperf_device_index(b->device);

	return left == right ? a->domain < b->domain : left < right;
}

/* Insert the domain at a position of the order among those before it. */
static void
insert_by_device(struct drmperf_session *session, size_t position,
		 size_t domain)
{
	const struct session_domain *domains = session->domains;
	size_t *order = session->order, at = position;

	for (; at && is_before(&domains[domain], &domains[order[at - 1]]); at--)
		order[at] = order[at - 1];
	order[at] = domain;
}

static int
order_domains(struct drmperf_session *session)
{
	const size_t count = session->domain_count;
	size_t end = 0;

	session->order = calloc(count + 1, sizeof(*session->order));
	if (!session->order)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		if (subscription_can_submit(&session->domains[i].subscription))
			insert_by_device(session, end++, i);
	}
	session->together = end > 1 ? end : 0;
	for (size_t i = 0; i < count; i++) {
		if (!subscription_can_submit(&session->domains[i].subscription))
			session->order[end++] = i;
	}
	return 0;
}

static int
session_build_parts(struct drmperf_session *session,
		    struct ingredients *ingredients,
		    struct drmperf_error *error)
{
	const struct session_recipe *recipe = &session->recipe;
	int ret;

	for (size_t i = 0; i < session->size; i++) {
		ret = add_event(session, recipe->events[i],
				recipe->selections[i].instance, &ingredients[i],
				error);
		if (ret)
			return ret;
	}
	ret = list_sources(session, ingredients);
	if (ret)
		return error_set(error, ret, "no memory");
	ret = session_limit_stages(session, recipe->options.stages, error);
	if (ret)
		return ret;
	for (size_t i = 0; i < session->domain_count; i++) {
		ret = session_domain_complete(&session->domains[i],
					      &recipe->options);
		if (ret)
			return error_set(error, ret, "no memory");
	}
	ret = order_domains(session);
	if (!ret)
		ret = make_batch(session, ingredients);
	return ret ? error_set(error, ret, "no memory") : 0;
}

static void
clear_selections(struct drmperf_session *session)
{
	free(session->recipe.selections);
	session->recipe.selections = NULL;
}

static void
clear_built(struct drmperf_session *session)
{
	for (size_t i = 0; i < session->domain_count; i++)
		session_domain_finish(&session->domains[i]);
	session->domain_count = 0;
	free(session->domains);
	session->domains = NULL;
	free(session->order);
	session->order = NULL;
	free(session->sources);
	session->sources = NULL;
	free(session->first_source);
	session->first_source = NULL;
	expr_batch_destroy(session->batch);
	session->batch = NULL;
}

void
session_clear(struct drmperf_session *session)
{
	clear_selections(session);
	free(session->recipe.events);
	session->recipe.events = NULL;
	clear_built(session);
}

int
session_build(struct drmperf_session *session, struct drmperf_error *error)
{
	struct ingredients *ingredients =
		calloc(session->size, sizeof(*ingredients));
	int ret;

	if (!ingredients)
		return error_set(error, -ENOMEM, "no memory");
	ret = session_build_parts(session, ingredients, error);
	for (size_t i = 0; i < session->size; i++) {
		free(ingredients[i].places);
		free(ingredients[i].inputs);
	}
	free(ingredients);
	if (ret)
		clear_built(session);
	else
		clear_selections(session);
	return ret;
}
