/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/event_name.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"

#define MAX_LENGTH 1023
/* More than any index, and still an int. */
#define MAX_DIGITS 9

static const char name_characters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-.";

static int
error_malformed_name(struct drmperf_error *error, const char *name,
		     const char *what)
{
	error_set(error, -EINVAL, "\"%.200s\" is not an event name: %s", name,
		  what);
	error_remedy(error, "an event is named "
			    "DRIVER::GROUP.COUNTER[:device=N][:die=D]"
			    "[:instance=I][:accumulate]");
	return -EINVAL;
}

/* Parse digits at *text, and advance it past them. */
static bool
take_number(const char **text, int *out)
{
	size_t digits = strspn(*text, "0123456789"), i;
	int value = 0;

	if (!digits || digits > MAX_DIGITS)
		return false;
	for (i = 0; i < digits; i++)
		value = 10 * value + ((*text)[i] - '0');
	*text += digits;
	*out = value;
	return true;
}

/*
 * Parse the terms of a kernel PMU, ":gt=1", from *text to its end. Their names
 * are only known from the kernel's files, so they are not checked here.
 */
static int
take_terms(const char **text, struct event_name *parts,
	   struct drmperf_error *error, const char *name)
{
	const char *terms = *text;

	while (**text == ':') {
		size_t length = strspn(*text + 1, name_characters);

		*text += 1 + length;
		if (!length || **text != '=' || !(*text)[1])
			break;
		*text += 1 + strspn(*text + 1, name_characters);
		if (!**text) {
			parts->terms = terms;
			return 0;
		}
	}
	return error_malformed_name(
		error, name,
		"only :device=, :die=, :instance= and :accumulate may "
		"follow, or terms of a kernel's PMU, :NAME=NUMBER");
}

/* Parse a qualifier at *text, and advance it past that. */
static int
take_qualifier(const char **text, struct event_name *parts,
	       struct drmperf_error *error, const char *name)
{
	static const char device[] = ":device", instance[] = ":instance";
	static const char accumulate[] = ":accumulate", die[] = ":die";
	int *number;

	if (!strncmp(*text, accumulate, sizeof(accumulate) - 1) &&
	    !parts->accumulate) {
		*text += sizeof(accumulate) - 1;
		parts->accumulate = true;
		return 0;
	}
	if (!strncmp(*text, device, sizeof(device) - 1)) {
		*text += sizeof(device) - 1;
		number = &parts->device;
	} else if (!strncmp(*text, instance, sizeof(instance) - 1)) {
		*text += sizeof(instance) - 1;
		number = &parts->instance;
	} else if (!strncmp(*text, die, sizeof(die) - 1)) {
		*text += sizeof(die) - 1;
		number = &parts->die;
	} else {
		return take_terms(text, parts, error, name);
	}
	/* PAPI's high-level API looks for what follows the first of these */
	if (**text == '=')
		++*text;
	if (*number != EVENT_NAME_NONE)
		return error_malformed_name(error, name,
					    "a qualifier occurs twice");
	if (!take_number(text, number))
		return error_malformed_name(
			error, name, "a qualifier is not a decimal number");
	return 0;
}

/* Parse an optional "[3]", ROCm's spelling of an instance, at *text. */
static int
take_index(const char **text, struct event_name *parts,
	   struct drmperf_error *error, const char *name)
{
	if (**text != '[')
		return 0;
	++*text;
	if (!take_number(text, &parts->instance) || **text != ']')
		return error_malformed_name(
			error, name, "an index is not a number in brackets");
	++*text;
	return 0;
}

int
event_name_parse(const char *name, struct event_name *out,
		 struct drmperf_error *error)
{
	struct event_name parts = { .device = EVENT_NAME_NONE,
				    .die = EVENT_NAME_NONE,
				    .instance = EVENT_NAME_NONE };
	const char *text = name, *separator = strstr(name, "::");
	int err;

	if (strnlen(name, MAX_LENGTH + 1) > MAX_LENGTH)
		return error_malformed_name(error, name, "it is too long");
	if (separator) {
		parts.driver = name;
		parts.driver_length = (size_t)(separator - name);
		if (strspn(name, name_characters) != parts.driver_length ||
		    !parts.driver_length)
			return error_malformed_name(
				error, name,
				"there is no driver before the \"::\"");
		text = separator + 2;
	}
	parts.event = text;
	parts.event_length = strspn(text, name_characters);
	if (!parts.event_length)
		return error_malformed_name(error, name,
					    "it has no GROUP.COUNTER");
	text += parts.event_length;
	if (*text && *text != ':' && *text != '[')
		return error_malformed_name(
			error, name,
			"a name is made of letters, digits, \"_\", "
			"\"-\" and \".\"");
	err = take_index(&text, &parts, error, name);
	while (!err && *text)
		err = take_qualifier(&text, &parts, error, name);
	if (err)
		return err;
	*out = parts;
	return 0;
}
