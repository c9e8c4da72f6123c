/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conclusions from the values of a GPU's events together. A rule names events
 * by their places in a list, so that a recording has the rules with its events,
 * and the table of a report, or of stat, has the values.
 */
#ifndef DRMPERF_TOOL_VERDICT_VERDICT_H
#define DRMPERF_TOOL_VERDICT_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "select/event_lists.h"
#include "select/selection_list.h"
#include "util/bytes.h"
#include "util/json.h"
#include "verdict/peaks.h"

/* An event of the list, over the time that the verdict is of. */
struct verdict_value {
	const char *name;
	bool is_percent;
	double value; /* NaN: it was not counted */
	double per_second; /* NaN where it does not add up */
};

/* The condition that the sum of some events lies in a range. */
struct verdict_condition {
	unsigned *events; /* places in the list */
	double *peaks; /* of each event, in a second, or NaN */
	size_t event_count;
	bool of_peak; /* the sum is one of shares of these, in percent */
	int per; /* the sum is in percent of this event; -1: it is not */
	double from, below;
};

struct verdict_rule {
	int device; /* index */
	const char *name, *text;
	const char *next; /* what to look at next, or "" */
	char *own_next; /* that, or NULL if a recording has it */
	bool is_weak; /* an input that would make it sure cannot be had */
	bool is_open; /* it says why nothing can be concluded */
	struct verdict_condition *conditions;
	size_t condition_count;
};

struct verdict_rules {
	struct verdict_rule *list;
	size_t count;
	/* own: what has the texts */
	struct drmperf_verdicts **verdicts;
	size_t verdict_count;
};

/*
 * Find the rules of all GPUs that the events of a list can answer; those of a
 * GPU stand together, in their order. What to look at next has no metric groups
 * that were asked for or that the GPU lacks. Where its tables cannot be read
 * there is a warning. 0, or the exit status after a complaint;
 * verdict_rules_finish() either way.
 */
int
verdict_rules_find(const struct tool *tool, const struct selection_list *choice,
		   const struct event_lists *asked, const struct peaks *peaks,
		   struct verdict_rules *out);
/* Append a rule, whose conditions then belong to the rules. 0, or -ENOMEM. */
int
verdict_rules_add(struct verdict_rules *rules, const struct verdict_rule *rule);
void
verdict_rules_finish(struct verdict_rules *rules);

/* Return whether the values, in the order of the list, fit the rule. */
bool
verdict_rule_holds(const struct verdict_rule *rule,
		   const struct verdict_value *values);
/* Return whether values have all of the rule's events that others have. */
bool
verdict_rule_lacks_none(const struct verdict_rule *rule,
			const struct verdict_value *values,
			const struct verdict_value *others);
/* Find the first rule of a GPU that the values fit; NULL: none. */
const struct verdict_rule *
verdict_rules_match(const struct verdict_rules *rules, int device,
		    const struct verdict_value *values);

/* Return whether a value is more of a GPU's peak than there can be. */
bool
verdict_rules_exceed_peak(const struct verdict_rules *rules, int device,
			  const struct verdict_value *values);

/* Return the peak of an event in a second, NaN where the rules know none. */
double
verdict_rules_peak(const struct verdict_rules *rules, size_t event);

/*
 * Return the word for how certain a rule that holds is; NULL if it concludes
 * nothing.
 */
const char *
verdict_certainty(const struct verdict_rule *rule,
		  const struct verdict_value *values);
/* Print the values that a rule has looked at, in one line. */
void
verdict_print_evidence(FILE *out, const struct verdict_rule *rule,
		       const struct verdict_value *values);
/*
 * Print a rule that holds, in a few lines. The values are of one pass, or of
 * several, which are runs of their own.
 */
void
verdict_print(FILE *out, const struct verdict_rule *rule,
	      const struct verdict_value *values, size_t passes,
	      bool names_gpu);
/* Write one as an object. */
void
verdict_write(struct json *json, const struct verdict_rule *rule,
	      const struct verdict_value *values, size_t passes);

/* Write the rule as it is in a recording, see drmperf-recording(5). */
void
verdict_rule_encode(struct bytes *bytes, const struct verdict_rule *rule);
/*
 * Decode a rule. Its conditions are allocated, its texts stay where they are
 * read; its events have to be among event_count. 0, -EBADMSG or -ENOMEM, and
 * then nothing is allocated.
 */
int
verdict_rule_decode(struct byte_reader *reader, size_t event_count,
		    struct verdict_rule *out);

#endif /* DRMPERF_TOOL_VERDICT_VERDICT_H */
