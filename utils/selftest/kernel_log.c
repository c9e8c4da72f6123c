/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/kernel_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Priorities up to this one are errors and worse (syslog(3)). */
#define WORST_HARMLESS 4
#define PRIORITY_MASK 7

/* /dev/kmsg gives a record at a time, and none in parts. */
#define RECORD_SIZE 8192

int
kernel_log_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	if (lseek(fd, 0, SEEK_END) >= 0)
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

/*
 * Return whether it is an error, as in "3,1234,5678,-;amdgpu 0000:03:00.0: ..."
 */
static bool
is_error(char *record, const char *driver, char **text)
{
	char *end, *message = strchr(record, ';');
	unsigned long priority = strtoul(record, &end, 10);

	if (!message || *end != ',' ||
	    (priority & PRIORITY_MASK) >= WORST_HARMLESS)
		return false;
	*text = message + 1;
	(*text)[strcspn(*text, "\n")] = '\0';
	return strstr(*text, driver);
}

int
kernel_log_next(int fd, const char *driver, char *text, size_t size)
{
	char record[RECORD_SIZE], *message;
	ssize_t length;

	for (;;) {
		length = read(fd, record, sizeof(record) - 1);
		/* Records that were overwritten before they were read. */
		if (length < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (length < 0 && errno != EAGAIN)
			return -errno;
		if (length <= 0)
			return 0;
		record[length] = '\0';
		if (!is_error(record, driver, &message))
			continue;
		snprintf(text, size, "%s", message);
		return 1;
	}
}
