/* SPDX-License-Identifier: BSD-3-Clause */
#include "top/model.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "select/passes.h"
#include "top/roles.h"
#include "util/array.h"

/* ------------------------------------------------------------------ */
/* Notes                                                                */

__attribute__((format(printf, 3, 4))) static void
add_note(struct top_model *model, const struct top_device *device,
	 const char *format, ...)
{
	struct top_note *note =
		array_add(&model->notes, &model->note_count, sizeof(*note));
	va_list arguments;

	/* the next sample fails, if it is not told there */
	if (!note)
		return;
	note->device = device;
	va_start(arguments, format);
	vsnprintf(note->text, sizeof(note->text), format, arguments);
	va_end(arguments);
}

static void
note_error(struct top_model *model, const struct top_device *device,
	   const char *what, const struct drmperf_error *error)
{
	add_note(model, device, "%s: %s%s%s", what, error->cause,
		 error->remedy[0] ? "; try: " : "", error->remedy);
}

static bool
tells_of(const struct top_device *device, enum top_kind kind)
{
	for (size_t i = 0; i < device->rows.count; i++) {
		if (device->rows.list[i].kind == kind)
			return true;
	}
	return false;
}

/* Note in one line the kinds that no event covers. */
static void
note_kinds(struct top_model *model, const struct top_device *device)
{
	char names[120] = "";
	size_t length = 0;

	for (int kind = 0; kind < TOP_SLEEP; kind++) {
		if (kind == TOP_MEMORY || tells_of(device, (enum top_kind)kind))
			continue;
		length += (size_t)snprintf(
			names + length, sizeof(names) - length, "%s%s",
			length ? ", " : "", top_kind_name((enum top_kind)kind));
	}
	if (length)
		add_note(model, device,
			 "%s: the kernel's driver %s does not report this for "
			 "the whole GPU",
			 names, drmperf_device_driver(device->device));
}

static bool
same_problem(const struct top_row *a, const struct top_row *b)
{
	const struct drmperf_error *one = &a->own.problem;
	const struct drmperf_error *other = &b->own.problem;

	return a->kind == b->kind && one->code == other->code &&
	       !strcmp(one->remedy, other->remedy);
}

static void
note_memory(struct top_model *model, const struct top_device *device)
{
	if (!tells_of(device, TOP_MEMORY))
		add_note(
			model, device,
			"memory: %s reports none that is the GPU's own, and of "
			"the system's only what each process uses",
			drmperf_device_driver(device->device));
}

/*
 * Note the rows of one thing, which may keep several that follow on each other,
 * from a value.
 */
static void
note_rows(struct top_model *model, const struct top_device *device)
{
	const struct top_row *rows = device->rows.list;
	char what[80];

	for (size_t i = 0, next; i < device->rows.count; i = next) {
		next = i + 1;
		while (next < device->rows.count &&
		       same_problem(&rows[i], &rows[next]))
			next++;
		if (!rows[i].own.problem.code)
			continue;
		snprintf(what, sizeof(what), "%s%s",
			 top_kind_name(rows[i].kind),
			 next - i > 1 ? ", of several" : "");
		note_error(model, device, what, &rows[i].own.problem);
	}
}

static void
note_counters(struct top_model *model, const struct top_device *device)
{
	if (device->left_out[0])
		add_note(model, device, "%s", device->left_out);
	if (device->source.problem.code)
		note_error(model, device, "counters", &device->source.problem);
	else if (!device->chosen.count && !model->events_wait)
		add_note(model, device,
			 "memory traffic: it takes hardware counters, which "
			 "keep the GPU awake; -M memory counts them");
}

static void
note_device(struct top_model *model, const struct top_device *device)
{
	if (device->asleep) {
		add_note(model, device,
			 "everything: it sleeps, and looking at it would wake "
			 "it");
		return;
	}
	if (device->problem.code)
		note_error(model, device, "events", &device->problem);
	if (!device->open)
		return;
	note_rows(model, device);
	note_kinds(model, device);
	note_memory(model, device);
	note_counters(model, device);
}

static void
note_clients(struct top_model *model)
{
	size_t hidden = top_clients_hidden(model->clients);

	if (model->clients_error)
		add_note(model, NULL, "clients: /proc cannot be read: %s",
			 strerror(-model->clients_error));
	else if (hidden)
		add_note(model, NULL,
			 "clients: %zu process%s of other users may not be "
			 "looked at; try: run drmperf top as root, in "
			 "containers with CAP_SYS_PTRACE",
			 hidden, hidden == 1 ? "" : "es");
}

static void
collect_notes(struct top_model *model)
{
	model->note_count = 0;
	if (model->events_wait)
		add_note(model, NULL,
			 "the events of -e: looking them up would "
			 "wake a GPU that sleeps");
	for (unsigned i = 0; i < model->device_count; i++)
		note_device(model, &model->devices[i]);
	note_clients(model);
}

/* ------------------------------------------------------------------ */
/* Power                                                                */

/*
 * Return whether it is "suspended" or "suspending"; of the other states none
 * begins with s.
 */
static bool
device_sleeps(const struct drmperf_device *device)
{
	char path[128], state = 0;
	int file;

	snprintf(path, sizeof(path),
		 "/sys/bus/pci/devices/%s/power/runtime_status",
		 drmperf_device_address(device));
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	if (read(file, &state, 1) != 1)
		state = 0;
	close(file);
	return state == 's';
}

static void
device_rest(struct top_device *device)
{
	for (size_t i = 0; i < device->rows.count; i++) {
		top_source_rest(&device->rows.list[i].own);
		top_row_skip(&device->rows.list[i]);
	}
	for (size_t i = 0; i < device->counters.count; i++)
		top_row_skip(&device->counters.list[i]);
	if (device->counts)
		top_source_rest(&device->source);
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

/*
 * Open its events, once it is awake; this is tried again as long as it fails.
 */
static int
open_device(struct top_model *model, struct top_device *device)
{
	device->problem.code = 0;
	if (drmperf_device_open(device->device, &device->problem))
		return 0;
	device->open = true;
	drmperf_device_status(device->device, &device->problem);
	return top_roles_find(model->tool->drmperf, device->device,
			      &device->rows.list, &device->rows.count);
}

static void
sample_rows(struct top_device *device)
{
	for (size_t i = 0; i < device->rows.count; i++) {
		struct top_row *row = &device->rows.list[i];

		if (row->own.session)
			top_source_read(&row->own);
		top_row_take(row, &row->own, 0, row->has_limit);
	}
	if (device->counts)
		top_source_read(&device->source);
	for (size_t i = 0; i < device->counters.count; i++)
		top_row_take(&device->counters.list[i], &device->source, i,
			     false);
}

static int
wake_device(struct top_model *model, struct top_device *device)
{
	device->asleep = device_sleeps(device->device);
	if (device->asleep)
		device_rest(device);
	if (device->asleep || device->open)
		return 0;
	return open_device(model, device);
}

int
top_model_wake(struct top_model *model)
{
	int ret = 0;

	for (unsigned i = 0; !ret && i < model->device_count; i++)
		ret = wake_device(model, &model->devices[i]);
	return ret ? tool_fail(model->tool, "no memory") : 0;
}

/* ------------------------------------------------------------------ */
/* Sums over clients                                                    */

/* Return the row of this name, a new one if need be; NULL without memory. */
static struct top_row *
sum_row(struct top_rows *sums, enum top_kind kind, const char *name)
{
	struct top_row *row;

	for (size_t i = 0; i < sums->count; i++) {
		if (sums->list[i].kind == kind &&
		    !strcmp(sums->list[i].label, name))
			return &sums->list[i];
	}
	row = array_add(&sums->list, &sums->count, sizeof(*row));
	if (!row)
		return NULL;
	row->kind = kind;
	snprintf(row->label, sizeof(row->label), "%s", name);
	return row;
}

static bool
is_of(const struct top_client *client, const struct top_device *device)
{
	return !strcmp(client->address, drmperf_device_address(device->device));
}

static double
sum_of_engine(const struct top_model *model, const struct top_device *device,
	      const char *name)
{
	size_t count;
	const struct top_client *list =
		top_clients_list(model->clients, &count);
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		if (!is_of(&list[i], device))
			continue;
		for (size_t k = 0; k < list[i].engine_count; k++) {
			if (!strcmp(list[i].engines[k].name, name))
				sum += list[i].engines[k].share;
		}
	}
	return sum;
}

static double
sum_of_memory(const struct top_model *model, const struct top_device *device)
{
	size_t count;
	const struct top_client *list =
		top_clients_list(model->clients, &count);
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_of(&list[i], device))
			sum += list[i].memory;
	}
	return sum;
}

/* Find a row for each engine that a client has. 0, or -ENOMEM. */
static int
find_engines(const struct top_model *model, struct top_device *device)
{
	size_t count;
	const struct top_client *list =
		top_clients_list(model->clients, &count);

	for (size_t i = 0; i < count; i++) {
		if (!is_of(&list[i], device))
			continue;
		for (size_t k = 0; k < list[i].engine_count; k++) {
			if (!sum_row(&device->sums, TOP_BUSY,
				     list[i].engines[k].name))
				return -ENOMEM;
		}
	}
	return sum_row(&device->sums, TOP_MEMORY, "clients") ? 0 : -ENOMEM;
}

static int
sum_clients(const struct top_model *model, struct top_device *device)
{
	int ret = find_engines(model, device);

	for (size_t i = 0; !ret && i < device->sums.count; i++) {
		struct top_row *row = &device->sums.list[i];

		if (row->kind == TOP_BUSY)
			top_row_take_share(
				row, sum_of_engine(model, device, row->label));
		else
			top_row_take_bytes(row, sum_of_memory(model, device));
	}
	return ret;
}

int
top_model_sample(struct top_model *model)
{
	int ret = 0;

	for (unsigned i = 0; i < model->device_count; i++) {
		if (!model->devices[i].asleep)
			sample_rows(&model->devices[i]);
	}
	model->clients_error = top_clients_scan(model->clients);
	for (unsigned i = 0; !ret && i < model->device_count; i++)
		ret = sum_clients(model, &model->devices[i]);
	if (ret)
		return tool_fail(model->tool, "no memory");
	collect_notes(model);
	model->samples++;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Counters                                                             */

static void
forget_counters(struct top_device *device)
{
	top_source_close(&device->source);
	device->counts = false;
	free(device->counters.list);
	device->counters = (struct top_rows){ 0 };
	selection_list_finish(&device->chosen);
}

/* Write "TCC.HIT": the GPU and its driver are known where it is shown. */
static void
name_counter(const struct drmperf_selection *selection, struct top_row *row)
{
	const char *name = strstr(drmperf_event_name(selection->event), "::");
	const char *mark =
		tool_scope_mark(drmperf_event_scope(selection->event));
	const int die = DRMPERF_DIE_OF(selection->instance);
	const int number = DRMPERF_INSTANCE_OF(selection->instance);
	char of_die[24] = "", instance[24] = "";

	row->kind = TOP_COUNTER;
	if (die >= 0)
		snprintf(of_die, sizeof(of_die), ":die=%d", die);
	if (number != DRMPERF_ALL_INSTANCES)
		snprintf(instance, sizeof(instance), ":instance=%d", number);
	snprintf(row->label, sizeof(row->label), "%s%s%s%s", name + 2, of_die,
		 instance, mark);
}

static int
add_counters(struct top_device *device, const struct selection_list *chosen)
{
	struct top_rows *counters = &device->counters;

	counters->list = calloc(chosen->count, sizeof(*counters->list));
	if (!counters->list)
		return -ENOMEM;
	for (size_t i = 0; i < chosen->count; i++) {
		if (selection_list_add(&device->chosen, &chosen->selections[i]))
			return -ENOMEM;
		name_counter(&chosen->selections[i],
			     &counters->list[counters->count++]);
	}
	return 0;
}

int
top_model_count(struct top_model *model, struct top_device *device,
		const struct selection_list *chosen)
{
	struct drmperf_error error;

	forget_counters(device);
	if (!chosen->count)
		return 0;
	if (!passes_fit(model->tool, chosen, &error))
		return tool_complain(model->tool, &error);
	if (add_counters(device, chosen))
		return tool_fail(model->tool, "no memory");
	if (top_source_open(model->tool->drmperf, device->chosen.selections,
			    device->chosen.count, &device->source, &error))
		return tool_complain(model->tool, &error);
	device->counts = true;
	return 0;
}

/* ------------------------------------------------------------------ */

int
top_model_init(const struct tool *tool, struct top_model *model)
{
	unsigned count = drmperf_device_count(tool->drmperf);

	memset(model, 0, sizeof(*model));
	model->tool = tool;
	if (!count)
		return tool_fail_no_gpu(tool);
	model->clients = top_clients_create();
	model->devices = calloc(count, sizeof(*model->devices));
	if (!model->clients || !model->devices)
		return tool_fail(model->tool, "no memory");
	for (; model->device_count < count; model->device_count++) {
		struct top_device *device =
			&model->devices[model->device_count];

		device->device =
			drmperf_device_at(tool->drmperf, model->device_count);
		drmperf_device_product(device->device, device->product,
				       sizeof(device->product), NULL);
		device->asleep = device_sleeps(device->device);
	}
	return 0;
}

static void
finish_device(struct top_device *device)
{
	for (size_t i = 0; i < device->rows.count; i++)
		top_source_close(&device->rows.list[i].own);
	free(device->rows.list);
	free(device->sums.list);
	forget_counters(device);
}

void
top_model_finish(struct top_model *model)
{
	for (unsigned i = 0; i < model->device_count; i++)
		finish_device(&model->devices[i]);
	free(model->devices);
	free(model->notes);
	top_clients_destroy(model->clients);
}
