/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/metric.h"

#include <errno.h>

static int
read_kinds(const struct table *table, const struct element *element,
	   struct description_event *event, struct drmperf_error *error)
{
	const char *unit = element_attribute(element, "unit");
	const char *type = "", *kind = "";
	enum drmperf_unit unit_value = DRMPERF_UNIT_NONE;
	enum drmperf_type type_value;
	enum drmperf_kind kind_value;
	int err;

	err = element_text(table, element, "type", &type, error);
	if (!err)
		err = element_text(table, element, "kind", &kind, error);
	if (err)
		return err;
	if (unit && unit_from_name(unit, &unit_value))
		return element_error(table, element, error,
				     "unit=\"%s\" is not a unit", unit);
	if (type_from_name(type, &type_value))
		return element_error(table, element, error,
				     "type=\"%s\" is not a type", type);
	if (kind_from_name(kind, &kind_value))
		return element_error(table, element, error,
				     "kind=\"%s\" is not a kind", kind);
	event->unit = unit_value;
	event->type = type_value;
	event->kind = kind_value;
	return 0;
}

int
metric_add(struct description *description, group_index group,
	   const struct table *table, const struct element *element,
	   struct drmperf_error *error)
{
	struct description_event event = {
		.alias = element_attribute(element, "alias"),
		.description = element->text,
		.file = table->path,
		.line = element->line,
		.group = group,
	};
	int err;

	err = element_text(table, element, "name", &event.name, error);
	if (!err)
		err = element_text(table, element, "expression",
				   &event.expression, error);
	if (!err)
		err = read_kinds(table, element, &event, error);
	if (err)
		return err;
	if (description_add_event(description, &event))
		return error_set(error, -ENOMEM, "no memory for %s",
				 table->path);
	return 0;
}
