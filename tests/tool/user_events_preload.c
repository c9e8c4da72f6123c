/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file user_events_data of Linux 6.4, as strict as the kernel's
 * (kernel/trace/trace_events_user.c, Documentation/trace/user_events.rst): it
 * refuses what that refuses, and writes what it gets to the file TEST_EVENTS.
 * The event is traced if TEST_TRACED is set, until it is written if that is
 * "lost".
 * TEST_OPEN_ERROR and TEST_REGISTER_ERROR are errors of the calls.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
#define REGISTER 0xc0082a00u
#define UNREGISTER 0x40082a02u
#define MOST_FIELDS 16
#define INDEX 3
#define MOST_DESCRIPTION 512

/* Offsets in struct user_reg and struct user_unreg, which are packed. */
#define REG_SIZE 28
#define UNREG_SIZE 16

struct field {
	char name[64];
	unsigned size; /* 0: a text elsewhere */
	bool is_signed;
};

static struct {
	int file;
	struct field fields[MOST_FIELDS];
	unsigned count, least_size;
	uint64_t enable_address;
	unsigned enable_bit;
} all = { .file = -1 };

static FILE *
open_log(void)
{
	const char *path = getenv("TEST_EVENTS");

	return path ? fopen(path, "ae") : NULL;
}

static int
refuse_call(int error, const char *why)
{
	FILE *log = open_log();

	if (log) {
		fprintf(log, "refused: %s\n", why);
		fclose(log);
	}
	errno = error;
	return -1;
}

static bool
find_error(const char *variable, int *error)
{
	const char *text = getenv(variable);

	*error = text ? atoi(text) : 0;
	return text;
}

static bool
is_ours(const char *path)
{
	return getenv("TEST_EVENTS") &&
	       !strcmp(path, "/sys/kernel/tracing/user_events_data");
}

static int
open_events(int flags)
{
	int error;

	if (find_error("TEST_OPEN_ERROR", &error)) {
		errno = error;
		return -1;
	}
	if ((flags & O_ACCMODE) == O_RDONLY)
		return refuse_call(EACCES, "it is not open for writing");
	all.file = memfd_create("user_events_data", MFD_CLOEXEC);
	return all.file;
}

EXPORTED int
open(const char *path, int flags, ...)
{
	static int (*next)(const char *, int, ...);
	va_list list;
	int mode;

	if (is_ours(path))
		return open_events(flags);
	if (!next)
		next = (__typeof__(next))dlsym(RTLD_NEXT, "open");
	va_start(list, flags);
	mode = va_arg(list, int);
	va_end(list);
	return next(path, flags, mode);
}

EXPORTED int
__open_2(const char *path, int flags);
int
__open_2(const char *path, int flags)
{
	static int (*next)(const char *, int);

	if (is_ours(path))
		return open_events(flags);
	if (!next)
		next = (__typeof__(next))dlsym(RTLD_NEXT, "__open_2");
	return next(path, flags);
}

/* ------------------------------------------------------------------ */

/* Return the size of a type as the kernel knows it; texts have none. */
static int
type_size(const char *type)
{
	static const struct {
		const char *name;
		int size;
	} types[] = { { "s64", 8 },
		      { "u64", 8 },
		      { "s32", 4 },
		      { "u32", 4 },
		      { "__rel_loc char[]", 0 } };

	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (!strcmp(types[i].name, type))
			return types[i].size;
	}
	return -1;
}

static bool
is_name(const char *name)
{
	if (!isalpha((unsigned char)*name) && *name != '_')
		return false;
	while (isalnum((unsigned char)*name) || *name == '_')
		name++;
	return !*name;
}

/* Write "u64 time_ns" */
static bool
add_field(char *text)
{
	struct field *field = &all.fields[all.count];
	char *blank = strrchr(text, ' ');
	int size;

	if (!blank || all.count == MOST_FIELDS || !is_name(blank + 1))
		return false;
	*blank = '\0';
	size = type_size(text);
	if (size < 0)
		return false;
	snprintf(field->name, sizeof(field->name), "%s", blank + 1);
	field->size = (unsigned)size;
	field->is_signed = text[0] == 's';
	all.least_size += size ? (unsigned)size : 4;
	all.count++;
	return true;
}

static bool
read_description(const char *description)
{
	char copy[MOST_DESCRIPTION], *fields, *state = NULL;

	if (strlen(description) >= sizeof(copy))
		return false;
	strcpy(copy, description);
	fields = strchr(copy, ' ');
	if (!fields)
		return false;
	*fields++ = '\0';
	if (!is_name(copy))
		return false;
	for (char *one = strtok_r(fields, ";", &state); one;
	     one = strtok_r(NULL, ";", &state)) {
		if (!add_field(one + strspn(one, " ")))
			return false;
	}
	return true;
}

static void
set_enabled(bool is_enabled)
{
	uint32_t *word = (uint32_t *)(uintptr_t)all.enable_address;

	if (is_enabled)
		*word |= 1u << all.enable_bit;
	else
		*word &= ~(1u << all.enable_bit);
}

static int
register_event(uint8_t *argument)
{
	uint64_t description;
	uint32_t size, index = INDEX;
	uint16_t flags;
	int error;

	memcpy(&size, argument, 4);
	memcpy(&flags, argument + 6, 2);
	memcpy(&all.enable_address, argument + 8, 8);
	memcpy(&description, argument + 16, 8);
	all.enable_bit = argument[4];
	if (find_error("TEST_REGISTER_ERROR", &error)) {
		errno = error;
		return -1;
	}
	if (size != REG_SIZE)
		return refuse_call(EINVAL, "the size of user_reg");
	if (flags)
		return refuse_call(EINVAL, "flags");
	if (argument[5] != 4 && argument[5] != 8)
		return refuse_call(EINVAL, "enable_size");
	if (all.enable_address % argument[5])
		return refuse_call(EINVAL, "the alignment of enable_addr");
	if (all.enable_bit > argument[5] * 8u - 1)
		return refuse_call(EINVAL, "enable_bit");
	if (!read_description((const char *)(uintptr_t)description))
		return refuse_call(EINVAL, "name_args");
	memcpy(argument + 24, &index, 4);
	set_enabled(getenv("TEST_TRACED"));
	return 0;
}

static int
unregister_event(const uint8_t *argument)
{
	uint64_t address;
	uint32_t size, reserved;

	memcpy(&size, argument, 4);
	memcpy(&reserved, argument + 4, 4);
	memcpy(&address, argument + 8, 8);
	if (size != UNREG_SIZE || reserved >> 8)
		return refuse_call(EINVAL, "user_unreg");
	if (address != all.enable_address || argument[4] != all.enable_bit)
		return refuse_call(ENOENT, "what is unregistered");
	return 0;
}

EXPORTED int
ioctl(int fd, unsigned long request, ...)
{
	static int (*next)(int, unsigned long, ...);
	va_list list;
	void *argument;

	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	if (all.file >= 0 && fd == all.file) {
		if (request == REGISTER)
			return register_event(argument);
		if (request == UNREGISTER)
			return unregister_event(argument);
		return refuse_call(ENOTTY, "an ioctl");
	}
	if (!next)
		next = (__typeof__(next))dlsym(RTLD_NEXT, "ioctl");
	return next(fd, request, argument);
}

/* ------------------------------------------------------------------ */

/* Print a text that must lie within the data and end with 0. */
static bool
print_text(FILE *log, const uint8_t *data, size_t size, size_t at)
{
	uint32_t location;
	size_t begin, length;

	memcpy(&location, data + at, 4);
	begin = at + 4 + (location & 0xffff);
	length = location >> 16;
	if (!length || begin + length > size || data[begin + length - 1])
		return false;
	fprintf(log, "%s", (const char *)data + begin);
	return true;
}

static bool
print_fields(FILE *log, const uint8_t *data, size_t size)
{
	size_t at = 0;

	for (unsigned i = 0; i < all.count; i++) {
		const struct field *field = &all.fields[i];
		int64_t value = 0;

		fprintf(log, "%s%s=", i ? " " : "", field->name);
		if (!field->size) {
			if (!print_text(log, data, size, at))
				return false;
			at += 4;
			continue;
		}
		memcpy(&value, data + at, field->size);
		if (field->size == 4 && field->is_signed)
			value = (int32_t)value;
		fprintf(log, "%lld", (long long)value);
		at += field->size;
	}
	fputc('\n', log);
	return true;
}

static ssize_t
write_event(const uint8_t *data, size_t size)
{
	const char *traced;
	uint32_t index;
	FILE *log;
	bool fits;

	if (size < 4)
		return refuse_call(EFAULT, "no index");
	memcpy(&index, data, 4);
	if (index != INDEX)
		return refuse_call(ENOENT, "the index");
	if (size - 4 < all.least_size)
		return refuse_call(EINVAL, "fields are missing");
	traced = getenv("TEST_TRACED");
	if (!traced)
		return refuse_call(EBADF, "it is not traced");
	/* the program cannot know that yet */
	if (!strcmp(traced, "lost")) {
		errno = EBADF;
		return -1;
	}
	log = open_log();
	fits = log && print_fields(log, data + 4, size - 4);
	if (log)
		fclose(log);
	return fits ? (ssize_t)size : refuse_call(EFAULT, "a text");
}

EXPORTED ssize_t
write(int fd, const void *data, size_t size)
{
	static ssize_t (*next)(int, const void *, size_t);

	if (all.file >= 0 && fd == all.file)
		return write_event(data, size);
	if (!next)
		next = (__typeof__(next))dlsym(RTLD_NEXT, "write");
	return next(fd, data, size);
}
