/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/fdinfo.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/protocol.h"
#include "preload/channel.h"
#include "preload/raw.h"

bool
fdinfo_is_name(const char *path)
{
	const char *last;

	if (!channel_is_active() || !path)
		return false;
	last = strrchr(path, '/');
	last = last ? last + 1 : path;
	return *last && strspn(last, "0123456789") == strlen(last);
}

/* Take a number from the text, which moves behind it. */
static bool
take_number(const char **text, uint64_t *out)
{
	const char *c = *text;

	*out = 0;
	while (*c >= '0' && *c <= '9')
		*out = *out * 10 + (uint64_t)(*c++ - '0');
	if (c == *text)
		return false;
	*text = c;
	return true;
}

static bool
take_word(const char **text, const char *word)
{
	if (strncmp(*text, word, strlen(word)) != 0)
		return false;
	*text += strlen(word);
	return true;
}

/* Parse "/proc/12/fdinfo/3", or "/proc/12/task/13/fdinfo/3" */
static bool
fdinfo_parse_path(const char *path, uint64_t *pid, uint64_t *fd)
{
	uint64_t thread;

	if (!take_word(&path, "/proc/") || !take_number(&path, pid))
		return false;
	if (take_word(&path, "/task/") && !take_number(&path, &thread))
		return false;
	return take_word(&path, "/fdinfo/") && take_number(&path, fd) && !*path;
}

/* Read the path that was opened, links and folders resolved by the kernel. */
static bool
path_of(int fd, char *path, size_t size)
{
	char link[32] = "/proc/self/fd/";
	long length;

	number_append(link, (unsigned)fd);
	length = raw_syscall(SYS_readlinkat, AT_FDCWD, (long)link, (long)path,
			     (long)size - 1, 0, 0);
	if (length <= 0)
		return false;
	path[length] = '\0';
	return true;
}

int
fdinfo_adopt(int fd, int flags)
{
	struct protocol_request request = { .kind = PROTOCOL_FDINFO };
	char path[128];
	int saved = errno;
	long made;

	if (fd < 0 || (flags & O_PATH) || !path_of(fd, path, sizeof(path)) ||
	    !fdinfo_parse_path(path, &request.a, &request.b))
		return fd;
	made = channel_call(&request, NULL, NULL, NULL);
	/* The last descriptor that the process may have is the one here. */
	if (made == -EMFILE) {
		raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
		made = channel_call(&request, NULL, NULL, NULL);
		if (made < 0)
			return (int)raw_result(made);
	}
	if (made == fd) {
		raw_syscall(SYS_fcntl, fd, F_SETFD,
			    flags & O_CLOEXEC ? FD_CLOEXEC : 0, 0, 0, 0);
	} else if (made >= 0) {
		raw_syscall(SYS_dup3, made, fd, flags & O_CLOEXEC, 0, 0, 0);
		raw_syscall(SYS_close, made, 0, 0, 0, 0, 0);
	}
	errno = saved;
	return fd;
}
