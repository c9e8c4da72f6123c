/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ROCm's runtime keeps counters of all its processes in memory of a name that
 * the host's runtime uses, too, and leaves it there: each simulated machine has
 * a name of its own, which ends with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#include "base/protocol.h"
#include "preload/channel.h"
#include "preload/next.h"

#define NAME_MAX_BYTES 200

/* Return the name to be used: text has room for it. */
static const char *
rename_shared(const char *name, char *text)
{
	const char *plain = *name == '/' ? name + 1 : name;

	if (!channel_is_active() || !*channel_machine() ||
	    strncmp(plain, PROTOCOL_SHARED, strlen(PROTOCOL_SHARED)) != 0 ||
	    strlen(channel_machine()) + strlen(plain) + 3 > NAME_MAX_BYTES)
		return name;
	strcpy(text, "/");
	strcat(text, channel_machine());
	strcat(text, ".");
	strcat(text, plain);
	return text;
}

EXPORT int
shm_open(const char *name, int flags, mode_t mode)
{
	char text[NAME_MAX_BYTES];

	next_need();
	if (next.shm_open)
		return next.shm_open(rename_shared(name, text), flags, mode);
	errno = ENOSYS;
	return -1;
}

EXPORT int
shm_unlink(const char *name)
{
	char text[NAME_MAX_BYTES];

	next_need();
	if (next.shm_unlink)
		return next.shm_unlink(rename_shared(name, text));
	errno = ENOSYS;
	return -1;
}

EXPORT sem_t *
sem_open(const char *name, int flags, ...)
{
	char text[NAME_MAX_BYTES];
	unsigned value = 0;
	mode_t mode = 0;
	va_list list;

	if (flags & O_CREAT) {
		va_start(list, flags);
		mode = va_arg(list, mode_t);
		value = va_arg(list, unsigned);
		va_end(list);
	}
	next_need();
	if (next.sem_open)
		return next.sem_open(rename_shared(name, text), flags, mode,
				     value);
	errno = ENOSYS;
	return SEM_FAILED;
}

EXPORT int
sem_unlink(const char *name)
{
	char text[NAME_MAX_BYTES];

	next_need();
	if (next.sem_unlink)
		return next.sem_unlink(rename_shared(name, text));
	errno = ENOSYS;
	return -1;
}
