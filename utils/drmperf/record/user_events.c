/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/user_events.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/*
 * include/uapi/linux/user_events.h of Linux 6.4, which the headers of older
 * systems lack.
 */
struct user_reg {
	uint32_t size;
	uint8_t enable_bit;
	uint8_t enable_size;
	uint16_t flags;
	uint64_t enable_addr;
	uint64_t name_args;
	uint32_t write_index;
} __attribute__((packed));

struct user_unreg {
	uint32_t size;
	uint8_t disable_bit;
	uint8_t reserved;
	uint16_t reserved2;
	uint64_t disable_addr;
} __attribute__((packed));

#define USER_EVENT_REGISTER _IOWR('*', 0, struct user_reg *)
#define USER_EVENT_UNREGISTER _IOW('*', 2, struct user_unreg *)

static const char description[] =
	"drmperf_counter u64 time_ns;u64 length_ns;s64 value;u32 divisor;"
	"s32 device;s32 instance;__rel_loc char[] name;__rel_loc char[] unit";

/* A text's place behind its field, and its size with the 0 at its end. */
struct text_location {
	uint16_t offset, size;
};

/* As the description has it, behind the index of the event. */
struct user_event_record {
	uint32_t index;
	uint64_t time_ns;
	uint64_t length_ns;
	int64_t value;
	uint32_t divisor;
	int32_t device;
	int32_t instance;
	struct text_location locations[2]; /* name, unit */
	char texts[512];
} __attribute__((packed));

#define TEXT_NAME 0
#define TEXT_UNIT 1

#define ENABLE_BIT 0

static int
open_file(void)
{
	static const char *const paths[] = {
		"/sys/kernel/tracing/user_events_data",
		"/sys/kernel/debug/tracing/user_events_data",
	};
	int file = open(paths[0], O_RDWR | O_CLOEXEC);

	if (file < 0 && errno == ENOENT)
		file = open(paths[1], O_RDWR | O_CLOEXEC);
	return file < 0 ? -errno : file;
}

static int
complain_of_tracepoint(const struct tool *tool, int code)
{
	struct drmperf_error error = { .code = code };

	snprintf(error.cause, sizeof(error.cause),
		 "cannot make a tracepoint in "
		 "/sys/kernel/tracing/user_events_data: %s",
		 strerror(-code));
	if (code == -EACCES || code == -EPERM)
		snprintf(error.remedy, sizeof(error.remedy),
			 "run it as root, or let a group use it: chgrp GROUP "
			 "/sys/kernel/tracing "
			 "/sys/kernel/tracing/user_events_data; chmod g+x and "
			 "g+rw");
	else if (code == -EADDRINUSE)
		snprintf(error.remedy, sizeof(error.remedy),
			 "end other versions of drmperf: the tracepoint "
			 "drmperf_counter has other fields");
	else
		snprintf(error.remedy, sizeof(error.remedy),
			 "this needs Linux 6.4 with CONFIG_USER_EVENTS, and "
			 "tracefs: mount -t tracefs nodev "
			 "/sys/kernel/tracing");
	return tool_complain(tool, &error);
}

int
user_events_open(const struct tool *tool, struct user_events *events)
{
	struct user_reg registration = {
		.size = sizeof(registration),
		.enable_bit = ENABLE_BIT,
		.enable_size = sizeof(events->enabled),
		.enable_addr = (uintptr_t)&events->enabled,
		.name_args = (uintptr_t)description,
	};
	int file = open_file(), code;

	if (file < 0)
		return complain_of_tracepoint(tool, file);
	if (ioctl(file, USER_EVENT_REGISTER, &registration)) {
		code = -errno;
		close(file);
		return complain_of_tracepoint(tool, code);
	}
	events->file = file;
	events->index = registration.write_index;
	return 0;
}

bool
user_events_are_traced(const struct user_events *events)
{
	return events->file &&
	       __atomic_load_n(&events->enabled, __ATOMIC_RELAXED);
}

/* Add a text behind those of used bytes. Returns the size of all. */
static size_t
add_text(struct user_event_record *record, size_t used, int number,
	 const char *text)
{
	const size_t field =
		offsetof(struct user_event_record, locations) +
		(size_t)(number + 1) * sizeof(struct text_location);
	const size_t place = offsetof(struct user_event_record, texts) + used;
	const size_t size = strnlen(text, sizeof(record->texts) / 2 - 1) + 1;

	memcpy(&record->texts[used], text, size - 1);
	record->texts[used + size - 1] = '\0';
	record->locations[number] = (struct text_location){
		.offset = (uint16_t)(place - field),
		.size = (uint16_t)size,
	};
	return used + size;
}

/*
 * Set a value. Tracepoints have integers only: other values are in thousandths.
 */
static void
set_value(struct user_event_record *record, const struct user_event *event)
{
	record->divisor = event->is_integer ? 1 : 1000;
	record->value = (int64_t)llround(event->value * record->divisor);
}

void
user_events_write(const struct tool *tool, struct user_events *events,
		  const struct user_event *event)
{
	struct user_event_record record = {
		.index = events->index,
		.time_ns = event->time_ns,
		.length_ns = event->length_ns,
		.device = event->device,
		.instance = event->instance,
	};
	size_t used, size;

	if (!isfinite(event->value) || events->failed)
		return;
	set_value(&record, event);
	used = add_text(&record, 0, TEXT_NAME, event->name);
	used = add_text(&record, used, TEXT_UNIT, event->unit);
	size = sizeof(record) - sizeof(record.texts) + used;
	/* EBADF: it is not traced any more */
	if (write(events->file, &record, size) == (ssize_t)size ||
	    errno == EBADF)
		return;
	events->failed = true;
	tool_warn(tool, "the tracepoint cannot be written any more: %s",
		  strerror(errno));
}

void
user_events_close(struct user_events *events)
{
	struct user_unreg registration = {
		.size = sizeof(registration),
		.disable_bit = ENABLE_BIT,
		.disable_addr = (uintptr_t)&events->enabled,
	};

	if (!events->file)
		return;
	ioctl(events->file, USER_EVENT_UNREGISTER, &registration);
	close(events->file);
	events->file = 0;
}
