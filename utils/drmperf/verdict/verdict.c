/* SPDX-License-Identifier: BSD-3-Clause */
#include "verdict/verdict.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/remarks.h"

/* A share is clear from here on, or if it is that far above its limit. */
#define CLEAR_PERCENT 80
#define CLEAR_MARGIN 20

/* ------------------------------------------------------------------ */
/* Rules of the event tables                                            */

static void
finish_conditions(struct verdict_rule *rule)
{
	for (size_t i = 0; i < rule->condition_count; i++) {
		free(rule->conditions[i].events);
		free(rule->conditions[i].peaks);
	}
	free(rule->conditions);
	rule->conditions = NULL;
	rule->condition_count = 0;
}

void
verdict_rules_finish(struct verdict_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		finish_conditions(&rules->list[i]);
		free(rules->list[i].own_next);
	}
	for (size_t i = 0; i < rules->verdict_count; i++)
		drmperf_verdicts_destroy(rules->verdicts[i]);
	free(rules->list);
	free(rules->verdicts);
	*rules = (struct verdict_rules){ 0 };
}

int
verdict_rules_add(struct verdict_rules *rules, const struct verdict_rule *rule)
{
	struct verdict_rule *added =
		array_add(&rules->list, &rules->count, sizeof(*added));

	if (!added)
		return -ENOMEM;
	*added = *rule;
	return 0;
}

/* ------------------------------------------------------------------ */
/* What to look at next                                                 */

/* What stands between steps in the tables. */
#define STEP_END "; "
#define GROUPS_OPTION "-M "

/* What rules are made from. */
struct rule_source {
	const struct selection_list *choice;
	const struct event_lists *asked;
	const struct peaks *peaks;
	struct drmperf_device *device;
	struct drmperf_metric_groups *groups; /* of the device */
};

static bool
device_has_group(const struct rule_source *source, const char *name,
		 size_t length)
{
	for (size_t i = 0; i < source->groups->count; i++) {
		const char *own = source->groups->list[i].name;

		if (strlen(own) == length && !strncmp(own, name, length))
			return true;
	}
	return false;
}

/*
 * Return whether a step leads on. One with metric groups does if the GPU has
 * them and some were not asked for.
 */
static bool
step_leads_on(const struct rule_source *source, const char *step,
	      const char *end)
{
	const char *name = strstr(step, GROUPS_OPTION);
	bool is_new = false;

	if (!name || name >= end)
		return true;
	name += strlen(GROUPS_OPTION) - 1;
	do {
		const size_t length = strcspn(++name, ",;: ");

		if (!device_has_group(source, name, length))
			return false;
		if (!event_lists_name_group(source->asked, name, length))
			is_new = true;
		name += length;
	} while (*name == ',');
	return is_new;
}

/* Return the steps that lead on, or NULL without memory. */
static char *
find_steps(const struct rule_source *source, const char *steps)
{
	char *found = NULL;
	size_t size;
	FILE *out = open_memstream(&found, &size);
	const char *before = "";

	if (!out)
		return NULL;
	while (steps && *steps) {
		const char *end = strstr(steps, STEP_END);

		if (!end)
			end = steps + strlen(steps);
		if (step_leads_on(source, steps, end)) {
			fprintf(out, "%s%.*s", before, (int)(end - steps),
				steps);
			before = STEP_END;
		}
		steps = *end ? end + strlen(STEP_END) : end;
	}
	fclose(out);
	return found;
}

/* ------------------------------------------------------------------ */
/* Rules from the tables                                                */

static size_t
find_event(const struct selection_list *choice,
	   const struct drmperf_event *event)
{
	const struct drmperf_selection whole = {
		.event = event,
		.instance = DRMPERF_ALL_INSTANCES,
	};

	return selection_list_index(choice, &whole);
}

static double
peak_of(const struct peaks *peaks, const struct drmperf_selection *selection)
{
	const struct drmperf_peak *peak = peaks_find(peaks, selection);

	return peak && !peak->is_bound ? peak->per_second : NAN;
}

static int
init_condition(struct verdict_condition *condition, size_t event_count)
{
	condition->events = calloc(event_count, sizeof(*condition->events));
	condition->peaks = calloc(event_count, sizeof(*condition->peaks));
	return condition->events && condition->peaks ? 0 : -ENOMEM;
}

/* Translate a condition. 1; 0: the list lacks its events; -ENOMEM. */
static int
translate_condition(const struct rule_source *source,
		    const struct drmperf_condition *from,
		    struct verdict_condition *to)
{
	const struct selection_list *choice = source->choice;
	const size_t per = from->per ? find_event(choice, from->per) : 0;
	int ret = init_condition(to, from->event_count);

	if (ret)
		return ret;
	to->of_peak = from->of_peak;
	to->per = from->per ? (int)per : -1;
	to->from = from->from;
	to->below = from->below;
	for (size_t i = 0; i < from->event_count; i++) {
		size_t at = find_event(choice, from->events[i]);

		if (at == choice->count)
			continue;
		to->events[to->event_count] = (unsigned)at;
		to->peaks[to->event_count++] =
			peak_of(source->peaks, &choice->selections[at]);
	}
	return to->event_count && per < choice->count;
}

/* Translate all conditions, see translate_condition(). */
static int
translate_conditions(const struct rule_source *source,
		     const struct drmperf_verdict *verdict,
		     struct verdict_rule *rule)
{
	int ret = 1;

	rule->conditions =
		calloc(verdict->condition_count + 1, sizeof(*rule->conditions));
	if (!rule->conditions)
		return -ENOMEM;
	while (ret > 0 && rule->condition_count < verdict->condition_count) {
		size_t i = rule->condition_count++;

		ret = translate_condition(source, &verdict->conditions[i],
					  &rule->conditions[i]);
	}
	return ret;
}

static int
add_verdict(const struct rule_source *source,
	    const struct drmperf_verdict *verdict, struct verdict_rules *rules)
{
	struct verdict_rule rule = {
		.device = (int)drmperf_device_index(source->device),
		.name = verdict->name,
		.text = verdict->text,
		.is_weak = verdict->is_weak,
		.is_open = verdict->is_open,
	};
	int ret = translate_conditions(source, verdict, &rule);

	if (ret > 0)
		rule.next = rule.own_next = find_steps(source, verdict->next);
	if (rule.next && !verdict_rules_add(rules, &rule))
		return 0;
	finish_conditions(&rule);
	free(rule.own_next);
	return ret > 0 ? -ENOMEM : ret;
}

/* Read the tables of the source's device. 0, or -EIO after a warning. */
static int
read_tables(const struct tool *tool, struct rule_source *source,
	    struct drmperf_verdicts **verdicts)
{
	struct drmperf_error error;

	if (!drmperf_verdicts_create(source->device, verdicts, &error)) {
		if (!drmperf_metric_groups_create(source->device,
						  &source->groups, &error))
			return 0;
		drmperf_verdicts_destroy(*verdicts);
	}
	tool_warn(tool, "no verdict: %s", error.cause);
	return -EIO;
}

static int
add_device(const struct tool *tool, struct rule_source *source,
	   struct verdict_rules *rules)
{
	struct drmperf_verdicts *verdicts;
	int ret = 0;

	if (read_tables(tool, source, &verdicts))
		return 0;
	rules->verdicts[rules->verdict_count++] = verdicts;
	for (size_t i = 0; !ret && i < verdicts->count; i++)
		ret = add_verdict(source, &verdicts->list[i], rules);
	drmperf_metric_groups_destroy(source->groups);
	return ret;
}

int
verdict_rules_find(const struct tool *tool, const struct selection_list *choice,
		   const struct event_lists *asked, const struct peaks *peaks,
		   struct verdict_rules *out)
{
	const unsigned count = drmperf_device_count(tool->drmperf);
	int ret = 0;

	*out = (struct verdict_rules){
		.verdicts = calloc(count + 1, sizeof(*out->verdicts)),
	};
	if (!out->verdicts)
		return tool_fail(tool, "no memory");
	for (unsigned i = 0; !ret && i < count; i++) {
		struct rule_source source = {
			.choice = choice,
			.asked = asked,
			.peaks = peaks,
			.device = drmperf_device_at(tool->drmperf, i),
		};

		if (selection_list_has_device(choice, source.device))
			ret = add_device(tool, &source, out);
	}
	return ret ? tool_fail(tool, "no memory") : 0;
}

/* ------------------------------------------------------------------ */
/* Rules that hold                                                      */

/* Compute what a condition looks at; NaN where it was not counted. */
static double
condition_value(const struct verdict_condition *condition,
		const struct verdict_value *values)
{
	bool any = false;
	double sum = 0;

	for (size_t i = 0; i < condition->event_count; i++) {
		const struct verdict_value *value =
			&values[condition->events[i]];

		if (isnan(value->value))
			continue;
		any = true;
		sum += condition->of_peak
			       ? 100 * value->per_second / condition->peaks[i]
			       : value->value;
	}
	if (condition->per >= 0)
		sum *= 100 / values[condition->per].value;
	return any ? sum : NAN;
}

bool
verdict_rule_holds(const struct verdict_rule *rule,
		   const struct verdict_value *values)
{
	for (size_t i = 0; i < rule->condition_count; i++) {
		const struct verdict_condition *condition =
			&rule->conditions[i];
		double value = condition_value(condition, values);

		if (!(value >= condition->from && value < condition->below))
			return false;
	}
	return true;
}

static bool
condition_lacks_none(const struct verdict_condition *condition,
		     const struct verdict_value *values,
		     const struct verdict_value *others)
{
	for (size_t i = 0; i < condition->event_count; i++) {
		const unsigned at = condition->events[i];

		if (isnan(values[at].value) && !isnan(others[at].value))
			return false;
	}
	return condition->per < 0 || !isnan(values[condition->per].value) ||
	       isnan(others[condition->per].value);
}

bool
verdict_rule_lacks_none(const struct verdict_rule *rule,
			const struct verdict_value *values,
			const struct verdict_value *others)
{
	for (size_t i = 0; i < rule->condition_count; i++) {
		if (!condition_lacks_none(&rule->conditions[i], values, others))
			return false;
	}
	return true;
}

const struct verdict_rule *
verdict_rules_match(const struct verdict_rules *rules, int device,
		    const struct verdict_value *values)
{
	for (size_t i = 0; i < rules->count; i++) {
		if (rules->list[i].device == device &&
		    verdict_rule_holds(&rules->list[i], values))
			return &rules->list[i];
	}
	return NULL;
}

static bool
condition_exceeds_peak(const struct verdict_condition *condition,
		       const struct verdict_value *values)
{
	for (size_t i = 0; i < condition->event_count; i++) {
		double rate = values[condition->events[i]].per_second;

		if (remarks_is_impossible(100 * rate / condition->peaks[i]))
			return true;
	}
	return false;
}

bool
verdict_rules_exceed_peak(const struct verdict_rules *rules, int device,
			  const struct verdict_value *values)
{
	for (size_t i = 0; i < rules->count; i++) {
		const struct verdict_rule *rule = &rules->list[i];

		for (size_t k = 0;
		     rule->device == device && k < rule->condition_count; k++) {
			if (condition_exceeds_peak(&rule->conditions[k],
						   values))
				return true;
		}
	}
	return false;
}

static double
condition_peak(const struct verdict_condition *condition, size_t event)
{
	for (size_t i = 0; i < condition->event_count; i++) {
		if (condition->events[i] == event)
			return condition->peaks[i];
	}
	return NAN;
}

double
verdict_rules_peak(const struct verdict_rules *rules, size_t event)
{
	for (size_t i = 0; i < rules->count; i++) {
		const struct verdict_rule *rule = &rules->list[i];

		for (size_t k = 0; k < rule->condition_count; k++) {
			double peak =
				condition_peak(&rule->conditions[k], event);

			if (peak > 0)
				return peak;
		}
	}
	return NAN;
}

/* Return whether each value is well above the lower limit of its condition. */
static bool
is_clear(const struct verdict_rule *rule, const struct verdict_value *values)
{
	for (size_t i = 0; i < rule->condition_count; i++) {
		const struct verdict_condition *condition =
			&rule->conditions[i];
		double value = condition_value(condition, values);

		if (value < CLEAR_PERCENT &&
		    value < condition->from + CLEAR_MARGIN)
			return false;
	}
	return true;
}

const char *
verdict_certainty(const struct verdict_rule *rule,
		  const struct verdict_value *values)
{
	if (rule->is_open)
		return NULL;
	if (rule->is_weak)
		return "a hint";
	return is_clear(rule, values) ? "clear" : "probable";
}

/* ------------------------------------------------------------------ */
/* For people                                                           */

/* Return the name without "DRIVER::" and the group of metrics. */
static const char *
bare_name(const char *name)
{
	static const char *const groups[] = { "oa.", "metric." };
	const char *colons = strstr(name, "::");

	if (colons)
		name = colons + 2;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		if (!strncmp(name, groups[i], strlen(groups[i])))
			return name + strlen(groups[i]);
	}
	return name;
}

static void
print_condition(FILE *out, const struct verdict_condition *condition,
		const struct verdict_value *values)
{
	const char *before = "";

	for (size_t i = 0; i < condition->event_count; i++) {
		const struct verdict_value *value =
			&values[condition->events[i]];

		if (isnan(value->value))
			continue;
		fprintf(out, "%s%s", before, bare_name(value->name));
		before = " + ";
	}
	fprintf(out, " %.0f", condition_value(condition, values));
	if (condition->of_peak)
		fputs(" % of peak", out);
	else if (condition->per >= 0 || values[condition->events[0]].is_percent)
		fputs(" %", out);
	if (condition->per >= 0)
		fprintf(out, " of %s", bare_name(values[condition->per].name));
}

void
verdict_print_evidence(FILE *out, const struct verdict_rule *rule,
		       const struct verdict_value *values)
{
	for (size_t i = 0; i < rule->condition_count; i++) {
		if (i)
			fputs(", ", out);
		print_condition(out, &rule->conditions[i], values);
	}
}

void
verdict_print(FILE *out, const struct verdict_rule *rule,
	      const struct verdict_value *values, size_t passes, bool names_gpu)
{
	const char *sure = verdict_certainty(rule, values);

	fputs("\n verdict", out);
	if (names_gpu)
		fprintf(out, " of GPU %d", rule->device);
	fprintf(out, ": %s", rule->text);
	if (sure)
		fprintf(out, " (%s)", sure);
	fputs("\n   (", out);
	verdict_print_evidence(out, rule, values);
	fputs(")\n", out);
	if (passes > 1)
		fprintf(out,
			"   (from %zu passes together: each is a run of its "
			"own)\n",
			passes);
	if (rule->next[0])
		fprintf(out, "   next: %s\n", rule->next);
}

/* ------------------------------------------------------------------ */
/* For programs                                                         */

static void
write_condition(struct json *json, const struct verdict_condition *condition,
		const struct verdict_value *values)
{
	json_open(json, NULL, '{');
	json_open(json, "events", '[');
	for (size_t i = 0; i < condition->event_count; i++) {
		const struct verdict_value *value =
			&values[condition->events[i]];

		if (!isnan(value->value))
			json_text(json, NULL, value->name);
	}
	json_close(json, ']');
	json_double(json, "value", condition_value(condition, values));
	json_bool(json, "of_peak", condition->of_peak);
	if (condition->per >= 0)
		json_text(json, "per", values[condition->per].name);
	json_close(json, '}');
}

void
verdict_write(struct json *json, const struct verdict_rule *rule,
	      const struct verdict_value *values, size_t passes)
{
	const char *sure = verdict_certainty(rule, values);

	json_open(json, NULL, '{');
	json_uint(json, "device", (uint64_t)rule->device);
	json_text(json, "name", rule->name);
	json_text(json, "text", rule->text);
	json_text(json, "sure", sure ? sure : "no");
	json_open(json, "from", '[');
	for (size_t i = 0; i < rule->condition_count; i++)
		write_condition(json, &rule->conditions[i], values);
	json_close(json, ']');
	json_uint(json, "passes", passes);
	json_text(json, "next", rule->next);
	json_close(json, '}');
}

/* ------------------------------------------------------------------ */
/* In a recording                                                       */

enum rule_flag {
	RULE_WEAK = 1,
	RULE_OPEN = 2,
};

static void
encode_condition(struct bytes *bytes, const struct verdict_condition *condition)
{
	bytes_add_varint(bytes, condition->event_count);
	for (size_t i = 0; i < condition->event_count; i++) {
		bytes_add_varint(bytes, condition->events[i]);
		bytes_add_double(bytes, condition->peaks[i]);
	}
	bytes_add_varint(bytes, condition->of_peak);
	bytes_add_varint(bytes, (uint64_t)(condition->per + 1));
	bytes_add_double(bytes, condition->from);
	bytes_add_double(bytes, condition->below);
}

void
verdict_rule_encode(struct bytes *bytes, const struct verdict_rule *rule)
{
	bytes_add_varint(bytes, (uint64_t)rule->device);
	bytes_add_text(bytes, rule->name);
	bytes_add_text(bytes, rule->text);
	bytes_add_text(bytes, rule->next);
	bytes_add_varint(bytes, (rule->is_weak ? RULE_WEAK : 0u) |
					(rule->is_open ? RULE_OPEN : 0u));
	bytes_add_varint(bytes, rule->condition_count);
	for (size_t i = 0; i < rule->condition_count; i++)
		encode_condition(bytes, &rule->conditions[i]);
}

/* Return a number below end. */
static uint64_t
decode_index(struct byte_reader *reader, uint64_t end)
{
	uint64_t value = bytes_read_varint(reader);

	if (value < end)
		return value;
	reader->failed = true;
	return 0;
}

/* Read how many items follow: each has one byte at least. */
static size_t
decode_count(struct byte_reader *reader)
{
	return decode_index(reader, (uint64_t)(reader->end - reader->at));
}

static int
decode_condition(struct byte_reader *reader, size_t event_count,
		 struct verdict_condition *out)
{
	const size_t count = decode_count(reader);
	int ret;

	if (!count)
		return -EBADMSG;
	ret = init_condition(out, count);
	if (ret)
		return ret;
	out->event_count = count;
	for (size_t i = 0; i < count; i++) {
		out->events[i] = (unsigned)decode_index(reader, event_count);
		out->peaks[i] = bytes_read_double(reader);
	}
	out->of_peak = bytes_read_varint(reader) != 0;
	out->per = (int)decode_index(reader, event_count + 1) - 1;
	out->from = bytes_read_double(reader);
	out->below = bytes_read_double(reader);
	return reader->failed ? -EBADMSG : 0;
}

static int
decode_conditions(struct byte_reader *reader, size_t event_count,
		  struct verdict_rule *rule)
{
	const size_t count = decode_count(reader);
	int ret = reader->failed ? -EBADMSG : 0;

	rule->conditions = calloc(count + 1, sizeof(*rule->conditions));
	if (!rule->conditions)
		return -ENOMEM;
	while (!ret && rule->condition_count < count)
		ret = decode_condition(
			reader, event_count,
			&rule->conditions[rule->condition_count++]);
	return ret;
}

int
verdict_rule_decode(struct byte_reader *reader, size_t event_count,
		    struct verdict_rule *out)
{
	uint64_t flags;
	int ret;

	*out = (struct verdict_rule){
		.device = (int)decode_index(reader, INT32_MAX),
	};
	out->name = bytes_read_text(reader);
	out->text = bytes_read_text(reader);
	out->next = bytes_read_text(reader);
	flags = bytes_read_varint(reader);
	out->is_weak = flags & RULE_WEAK;
	out->is_open = flags & RULE_OPEN;
	ret = decode_conditions(reader, event_count, out);
	if (ret)
		finish_conditions(out);
	return ret;
}
