/* SPDX-License-Identifier: BSD-3-Clause */
#include "control.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/protocol.h"

bool
drmsim_is_present(void)
{
	return secure_getenv(PROTOCOL_ENV) != NULL;
}

static int
connect_server(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const char *directory = secure_getenv(PROTOCOL_ENV);
	int fd, error;

	if (!directory)
		return -ENODEV;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s",
		 directory, PROTOCOL_SOCKET);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	error = errno == ENOENT || errno == ECONNREFUSED ? -ENODEV : -errno;
	close(fd);
	return error;
}

static int
send_all(int fd, const void *bytes, size_t size)
{
	const char *p = bytes;

	while (size > 0) {
		ssize_t sent = send(fd, p, size, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return -ENODEV;
		p += sent;
		size -= (size_t)sent;
	}
	return 0;
}

static int
receive_all(int fd, void *bytes, size_t size)
{
	char *p = bytes;

	while (size > 0) {
		ssize_t got = recv(fd, p, size, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -ENODEV;
		p += got;
		size -= (size_t)got;
	}
	return 0;
}

/* Receive one piece of text; what does not fit is read and dropped. */
static int
receive_text(int fd, char *text, size_t size, size_t *used)
{
	struct protocol_piece piece = { 0, 0 };
	char chunk[512];
	int error = receive_all(fd, &piece, sizeof(piece));

	while (!error && piece.size > 0) {
		size_t step = piece.size < sizeof(chunk) ? (size_t)piece.size :
							   sizeof(chunk);
		size_t room = text && *used + 1 < size ? size - 1 - *used : 0;
		error = receive_all(fd, chunk, step);
		if (error)
			break;
		piece.size -= step;
		if (step > room)
			step = room;
		if (step)
			memcpy(text + *used, chunk, step);
		*used += step;
	}
	return error;
}

int
drmsim_command(const char *command, char *text, size_t size)
{
	struct protocol_request request = {
		.kind = PROTOCOL_CONTROL,
		.text_size = (uint32_t)strlen(command),
	};
	struct protocol_reply reply;
	size_t used = 0;
	int fd = connect_server(), error;

	if (fd < 0)
		return fd;
	error = send_all(fd, &request, sizeof(request));
	if (!error)
		error = send_all(fd, command, request.text_size);
	if (!error)
		error = receive_all(fd, &reply, sizeof(reply));
	for (uint32_t i = 0; !error && i < reply.pieces; i++)
		error = receive_text(fd, text, size, &used);
	close(fd);
	if (text && size)
		text[used] = '\0';
	return error ? error : (int)reply.result;
}

static int
command_number(const char *command, uint64_t *out)
{
	char text[64];
	int error = drmsim_command(command, text, sizeof(text));

	if (error)
		return error;
	*out = strtoull(text, NULL, 10);
	return 0;
}

int
drmsim_advance(uint64_t ns)
{
	char command[64];

	snprintf(command, sizeof(command), "advance %" PRIu64 "ns", ns);
	return drmsim_command(command, NULL, 0);
}

int
drmsim_now(uint64_t *ns)
{
	return command_number("now", ns);
}

int
drmsim_set(const char *key, const char *value)
{
	char command[1024];
	int length = snprintf(command, sizeof(command), "set %s %s", key,
			      value);

	if (length < 0 || (size_t)length >= sizeof(command))
		return -E2BIG;
	return drmsim_command(command, NULL, 0);
}

int
drmsim_fault(const char *spec)
{
	char command[256];

	snprintf(command, sizeof(command), "fault %s", spec);
	return drmsim_command(command, NULL, 0);
}

int
drmsim_calls(const char *kind, uint64_t *count)
{
	char command[128];

	snprintf(command, sizeof(command), "calls %s", kind);
	return command_number(command, count);
}

int
drmsim_violations(uint64_t *count)
{
	return command_number("violations", count);
}

int
drmsim_reset_gpu(unsigned index)
{
	char command[64];

	snprintf(command, sizeof(command), "reset-gpu %u", index);
	return drmsim_command(command, NULL, 0);
}
