/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/tool.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "util/printable.h"

__attribute__((format(printf, 2, 0))) static void
complain_v(const struct tool *tool, const char *message, va_list arguments)
{
	char *text;

	fflush(stdout);
	if (tool->command)
		fprintf(stderr, "drmperf %s: ", tool->command);
	else
		fputs("drmperf: ", stderr);
	if (vasprintf(&text, message, arguments) >= 0) {
		printable_write(stderr, text, strlen(text));
		free(text);
	}
	fputc('\n', stderr);
}

int
tool_fail(const struct tool *tool, const char *message, ...)
{
	va_list arguments;

	va_start(arguments, message);
	complain_v(tool, message, arguments);
	va_end(arguments);
	return TOOL_FAILED;
}

int
tool_fail_no_gpu(const struct tool *tool)
{
	return tool_fail(tool, "this machine has no supported GPU\n"
			       "try: drmperf info, which shows GPUs that have "
			       "no driver or another one, and what to do");
}

void
tool_warn(const struct tool *tool, const char *message, ...)
{
	va_list arguments;

	va_start(arguments, message);
	complain_v(tool, message, arguments);
	va_end(arguments);
}

static void
print_line(const char *before, const char *text)
{
	fputs(before, stderr);
	printable_write(stderr, text, strlen(text));
	fputc('\n', stderr);
}

void
tool_log(void *data, enum drmperf_log_level level, const char *message)
{
	const struct tool *tool = data;

	if (!tool->quiet && level <= DRMPERF_LOG_WARNING)
		print_line("drmperf: ", message);
}

/*
 * Print the remedy. A question, whether another name was meant, stands by
 * itself.
 */
static int
print_remedy(const struct drmperf_error *error)
{
	const size_t length = strlen(error->remedy);
	const bool is_question = length && error->remedy[length - 1] == '?';

	if (length)
		print_line(is_question ? "" : "try: ", error->remedy);
	return TOOL_FAILED;
}

int
tool_complain(const struct tool *tool, const struct drmperf_error *error)
{
	tool_fail(tool, "%s", error->cause);
	return print_remedy(error);
}

int
tool_complain_of(const struct tool *tool, const char *path,
		 const struct drmperf_error *error)
{
	tool_fail(tool, "%s: %s", path, error->cause);
	return print_remedy(error);
}

int
tool_usage_error(const struct tool *tool, const char *message, ...)
{
	va_list arguments;

	if (message) {
		va_start(arguments, message);
		complain_v(tool, message, arguments);
		va_end(arguments);
	}
	fprintf(stderr, "try: drmperf %s%s--help\n",
		tool->command ? tool->command : "", tool->command ? " " : "");
	return TOOL_USAGE;
}

int
tool_read_number(const struct tool *tool, const char *text, const char *option,
		 unsigned long most, unsigned *out)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || !isdigit((unsigned char)*text) || *end || !value ||
	    value > most)
		return tool_usage_error(tool,
					"%s takes a number from 1 to %lu, not "
					"\"%s\"",
					option, most, text);
	*out = (unsigned)value;
	return 0;
}

const char *
tool_chip(const struct drmperf_device *device, char text[TOOL_CHIP_SIZE])
{
	const char *chip = drmperf_device_chip(device);
	char product[TOOL_CHIP_SIZE / 2] = "";

	drmperf_device_product(device, product, sizeof(product), NULL);
	if (*chip && *product && strcmp(product, chip) != 0)
		snprintf(text, TOOL_CHIP_SIZE, "%s (%s)", chip, product);
	else
		snprintf(text, TOOL_CHIP_SIZE, "%s",
			 *chip	    ? chip
			 : *product ? product
				    : "unknown chip");
	return text;
}

const char *
tool_place(const struct drmperf_device *device, char text[TOOL_PLACE_SIZE])
{
	const int partition = drmperf_device_partition(device);
	int length = snprintf(text, TOOL_PLACE_SIZE, "%s",
			      drmperf_device_address(device));

	if (partition >= 0)
		snprintf(text + length, TOOL_PLACE_SIZE - (size_t)length,
			 ", partition %d", partition);
	return text;
}

void
tool_read_device_file(const char *address, const char *name, char *text,
		      size_t size)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", address,
		 name);
	text[0] = '\0';
	file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(text, (int)size, file))
		text[0] = '\0';
	fclose(file);
	text[strcspn(text, "\n")] = '\0';
}

int
tool_partition(const struct drmperf_event *event)
{
	const struct drmperf_group *group = drmperf_event_group(event);

	return strcmp(drmperf_group_domain(group), "gfx")
		       ? -1
		       : drmperf_device_partition(drmperf_event_device(event));
}

const char *
tool_scope_name(enum drmperf_scope scope)
{
	switch (scope) {
	case DRMPERF_SCOPE_DEVICE:
		return "device";
	case DRMPERF_SCOPE_QUEUE:
		return "queue";
	case DRMPERF_SCOPE_PROCESS:
		return "process";
	}
	return "";
}

const char *
tool_scope_mark(enum drmperf_scope scope)
{
	return scope == DRMPERF_SCOPE_QUEUE ? " *" : "";
}

const char *
tool_scope_legend(bool some_are_marked)
{
	return some_are_marked ? " (* in queues that allow it)" : "";
}

char *
tool_description(const struct drmperf_event *event)
{
	const unsigned dies = drmperf_group_dies(drmperf_event_group(event));
	const int partition = tool_partition(event);
	const bool marked = drmperf_event_scope(event) == DRMPERF_SCOPE_QUEUE;
	char part[64] = "", *text = NULL;

	if (dies > 1)
		snprintf(part, sizeof(part), "one die, of up to %u%s", dies,
			 marked ? "; " : "");
	else if (partition >= 0)
		snprintf(part, sizeof(part), "partition %d alone%s", partition,
			 marked ? "; " : "");
	if (asprintf(&text, "%s%s%s%s%s", drmperf_event_description(event),
		     *part || marked ? " (" : "", part,
		     marked ? "in queues that allow it" : "",
		     *part || marked ? ")" : "") < 0)
		return NULL;
	printable_clean(text);
	return text;
}

void
tool_print_wrapped(const struct tool *tool, const char *text, size_t indent,
		   bool continues)
{
	size_t width = tool->width > indent + 20 ? tool->width - indent : 20;

	do {
		size_t length = strlen(text);

		if (length > width) {
			length = width;
			while (length && text[length] != ' ')
				length--;
			if (!length)
				length = strcspn(text, " ");
		}
		printf("%*s", continues ? 0 : (int)indent, "");
		printable_write(stdout, text, length);
		putchar('\n');
		continues = false;
		text += length;
		text += strspn(text, " ");
	} while (*text);
}
