/* SPDX-License-Identifier: BSD-3-Clause */
#include "frontend/frontend.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for where, cause, remedy, and what stands between. */
#define TEXT_SIZE 1200

bool
fe_is_verbose(void)
{
	const char *text = secure_getenv("DRMPERF_VERBOSE");

	return text && text[0] && strcmp(text, "0") != 0;
}

int
fe_fail(struct drmperf_error *error, int code, const char *remedy,
	const char *cause, ...)
{
	va_list arguments;

	if (!error)
		return code;
	error->code = code;
	va_start(arguments, cause);
	vsnprintf(error->cause, sizeof(error->cause), cause, arguments);
	va_end(arguments);
	snprintf(error->remedy, sizeof(error->remedy), "%s", remedy);
	return code;
}

int
fe_fail_memory(struct drmperf_error *error)
{
	return fe_fail(error, -ENOMEM, "", "no memory");
}

bool
fe_is_passing(int code)
{
	return code == -ENOMEM || code == -EMFILE || code == -ENFILE ||
	       code == -EINTR || code == -EAGAIN;
}

void
fe_reason(const char *where, int code, const struct drmperf_error *error,
	  char *text, size_t size)
{
	snprintf(text, size, "%s: %s%s%s", where,
		 error->cause[0] ? error->cause : strerror(-code),
		 error->remedy[0] ? "; " : "", error->remedy);
}

void
fe_report(const char *library, const char *where, int code,
	  const struct drmperf_error *error)
{
	char text[TEXT_SIZE];

	if (!fe_is_verbose())
		return;
	fe_reason(where, code, error, text, sizeof(text));
	fprintf(stderr, "%s: %s\n", library, text);
}

static void
print_log(void *data, enum drmperf_log_level level, const char *message)
{
	if (level <= DRMPERF_LOG_WARNING && fe_is_verbose())
		fprintf(stderr, "%s: %s\n", (const char *)data, message);
}

int
fe_drmperf_create(const char *library, struct drmperf **out,
		  struct drmperf_error *error)
{
	const struct drmperf_options options = {
		.size = sizeof(options),
		.log = print_log,
		.log_data = (void *)library,
	};

	return drmperf_create(&options, out, error);
}

/* ------------------------------------------------------------------ */
/* GPUs                                                                 */

const char *
fe_chip(const struct drmperf_device *device)
{
	const char *chip = drmperf_device_chip(device);

	return *chip ? chip : "unknown chip";
}

bool
fe_gpu_has(const struct drmperf_device *device, const char *address)
{
	const char *its = drmperf_device_address(device);
	const int partition = drmperf_device_partition(device);
	const size_t length = strcspn(address, "/");
	char *end = NULL;

	if (!strncmp(its, "0000:", 5) && length == strlen(its) - 5)
		its += 5;
	if (strlen(its) != length || strncasecmp(its, address, length))
		return false;
	if (!address[length])
		return partition <= 0;
	return isdigit((unsigned char)address[length + 1]) &&
	       strtol(address + length + 1, &end, 10) == partition && !*end;
}

struct drmperf_device *
fe_gpu_at(struct drmperf *drmperf, const char *address)
{
	struct drmperf_device *device;

	for (unsigned i = 0; (device = drmperf_device_at(drmperf, i)); i++) {
		if (fe_gpu_has(device, address))
			return device;
	}
	return NULL;
}

/*
 * Return the device with this index; NULL if text is no index, or there is no
 * such device.
 */
static struct drmperf_device *
at_index(struct drmperf *drmperf, const char *text)
{
	unsigned long index;

	if (!*text || text[strspn(text, "0123456789")])
		return NULL;
	index = strtoul(text, NULL, 10);
	return index < drmperf_device_count(drmperf)
		       ? drmperf_device_at(drmperf, (unsigned)index)
		       : NULL;
}

int
fe_gpu_named(struct drmperf *drmperf, const char *name,
	     struct drmperf_device **out, struct drmperf_error *error)
{
	struct drmperf_device *device = at_index(drmperf, name);

	if (!device)
		device = fe_gpu_at(drmperf, name);
	if (!device)
		return fe_fail(error, -EINVAL,
			       "\"drmperf info\" lists them with their "
			       "addresses",
			       "DRMPERF_GPU is \"%s\", which is none of the "
			       "%u GPUs that are here",
			       name, drmperf_device_count(drmperf));
	*out = device;
	return 0;
}

static const char *
scope_text(enum drmperf_scope scope)
{
	switch (scope) {
	case DRMPERF_SCOPE_QUEUE:
		return "sees graphics and queues that allow it";
	case DRMPERF_SCOPE_PROCESS:
		return "sees this process only";
	case DRMPERF_SCOPE_DEVICE:
		break;
	}
	return "";
}

/*
 * Return the partition of an event, or -1 for sensors and the like, which are
 * of the whole GPU.
 */
static int
partition_of(const struct drmperf_event *event)
{
	const struct drmperf_group *group = drmperf_event_group(event);

	return strcmp(drmperf_group_domain(group), "gfx")
		       ? -1
		       : drmperf_device_partition(drmperf_event_device(event));
}

const char *
fe_limits(const struct drmperf_event *event, char text[FE_LIMITS_SIZE])
{
	const unsigned dies = drmperf_group_dies(drmperf_event_group(event));
	const char *scope = scope_text(drmperf_event_scope(event));
	const int partition = partition_of(event);

	text[0] = '\0';
	if (dies > 1)
		snprintf(text, FE_LIMITS_SIZE, "one die of up to %u%s", dies,
			 scope[0] ? ", " : "");
	else if (partition >= 0)
		snprintf(text, FE_LIMITS_SIZE, "partition %d alone%s",
			 partition, scope[0] ? ", " : "");
	strncat(text, scope, FE_LIMITS_SIZE - strlen(text) - 1);
	return text;
}
