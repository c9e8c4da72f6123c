/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/device/kfd_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/fork_close.h"

#define NAME "drmperf-kfd"
#define IDLE_MS "5000"

struct kfd_helper {
	pthread_mutex_t lock; /* of a call and its answer */
	struct fork_close socket;
};

char *
kfd_helper_find(void)
{
	char *path;

	if (getauxval(AT_SECURE))
		return NULL;
	path = beside_library("libexec/" NAME);
	if (path && !access(path, X_OK))
		return path;
	free(path);
	path = strdup(DRMPERF_LIBEXEC_DIR "/" NAME);
	if (path && !access(path, X_OK))
		return path;
	free(path);
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Starting                                                             */

/*
 * List the descriptors of the helper: those that it needs, and none of the
 * program's, which others may wait to be closed.
 */
static int
list_descriptors(posix_spawn_file_actions_t *actions, int socket, int render)
{
	int ret = posix_spawn_file_actions_adddup2(actions, socket,
						   KFD_HELPER_SOCKET);

	for (int fd = STDOUT_FILENO; !ret && fd <= STDERR_FILENO; fd++)
		ret = posix_spawn_file_actions_addopen(actions, fd, "/dev/null",
						       O_WRONLY, 0);
	if (!ret)
		ret = posix_spawn_file_actions_adddup2(actions, render,
						       KFD_HELPER_RENDER);
	if (!ret)
		ret = posix_spawn_file_actions_addclosefrom_np(
			actions, KFD_HELPER_RENDER + 1);
	return ret;
}

/*
 * Return whether a variable loads tools into programs, of which several use
 * this library.
 */
static bool
loads_tools(const char *variable)
{
	return !strncmp(variable, "LD_PRELOAD=", 11) ||
	       !strncmp(variable, "LD_AUDIT=", 9);
}

/*
 * Return the variables of the program, or NULL without memory: a tool that
 * counted in there would start the next one.
 */
static char **
list_variables(void)
{
	size_t count = 0, kept = 0;
	char **list;

	while (environ[count])
		count++;
	list = calloc(count + 1, sizeof(*list));
	for (size_t i = 0; list && i < count; i++) {
		if (!loads_tools(environ[i]))
			list[kept++] = environ[i];
	}
	return list;
}

static int
spawn_program(const char *program, uint32_t gpu_id, int socket, int render,
	      pid_t *pid)
{
	char number[16];
	char *const arguments[] = { (char *)program, number, (char *)IDLE_MS,
				    NULL };
	posix_spawn_file_actions_t actions;
	char **variables = list_variables();
	int ret;

	if (!variables)
		return -ENOMEM;
	ret = posix_spawn_file_actions_init(&actions);
	if (ret) {
		free(variables);
		return -ret;
	}
	snprintf(number, sizeof(number), "%" PRIu32, gpu_id);
	ret = list_descriptors(&actions, socket, render);
	if (!ret)
		ret = posix_spawn(pid, program, &actions, NULL, arguments,
				  variables);
	posix_spawn_file_actions_destroy(&actions);
	free(variables);
	return -ret;
}

/*
 * Wait for the program's first process, which forks and ends at once. Its
 * parent may have waited for it.
 */
static void
await_first_process(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/*
 * Move a descriptor that the program is to have out of the way of those it
 * gets.
 */
static int
move_descriptor_up(int *fd)
{
	const int moved = fcntl(*fd, F_DUPFD_CLOEXEC, KFD_HELPER_RENDER + 1);

	if (moved < 0)
		return -errno;
	close(*fd);
	*fd = moved;
	return 0;
}

static int
start_process(const char *program, uint32_t gpu_id, int render, int *out)
{
	int sockets[2];
	pid_t pid = 0;
	int ret;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return -errno;
	ret = move_descriptor_up(&sockets[1]);
	if (!ret)
		ret = spawn_program(program, gpu_id, sockets[1], render, &pid);
	close(sockets[1]);
	if (ret) {
		close(sockets[0]);
		return ret;
	}
	await_first_process(pid);
	*out = sockets[0];
	return 0;
}

static int
start_helper(struct kfd_helper *helper, const char *program, uint32_t gpu_id,
	     int render)
{
	int own = fcntl(render, F_DUPFD_CLOEXEC, KFD_HELPER_RENDER + 1);
	int socket = -1, ret;

	if (own < 0)
		return -errno;
	ret = start_process(program, gpu_id, own, &socket);
	close(own);
	return ret ? ret : fork_close_adopt(&helper->socket, socket);
}

int
kfd_helper_start(const char *program, uint32_t gpu_id, int render,
		 struct kfd_helper **out, struct drmperf_error *error)
{
	struct kfd_helper *helper;
	int ret;

	helper = calloc(1, sizeof(*helper));
	if (!helper)
		return error_set(error, -ENOMEM, "no memory");
	pthread_mutex_init(&helper->lock, NULL);
	ret = start_helper(helper, program, gpu_id, render);
	if (ret) {
		pthread_mutex_destroy(&helper->lock);
		free(helper);
		return error_set(error, ret, "cannot start %s: %s", program,
				 strerror(-ret));
	}
	*out = helper;
	return 0;
}

void
kfd_helper_end(struct kfd_helper *helper)
{
	if (!helper)
		return;
	fork_close_finish(&helper->socket);
	pthread_mutex_destroy(&helper->lock);
	free(helper);
}

/* ------------------------------------------------------------------ */
/* Messages                                                             */

static int
send_message(const struct kfd_helper *helper,
	     const struct kfd_helper_message *message)
{
	ssize_t sent;

	do {
		sent = send(helper->socket.fd, message, sizeof(*message),
			    MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	return sent == (ssize_t)sizeof(*message) ? 0 : -EPIPE;
}

static int
receive_message(const struct kfd_helper *helper,
		struct kfd_helper_message *message)
{
	ssize_t received;

	do {
		received =
			recv(helper->socket.fd, message, sizeof(*message), 0);
	} while (received < 0 && errno == EINTR);
	return received == (ssize_t)sizeof(*message) ? 0 : -EPIPE;
}

int
kfd_helper_call(struct kfd_helper *helper, uint64_t request, void *argument,
		size_t size)
{
	struct kfd_helper_message message = { .request = request };
	int ret;

	if (size > sizeof(message.argument))
		return -EINVAL;
	if (size)
		memcpy(message.argument, argument, size);
	pthread_mutex_lock(&helper->lock);
	ret = send_message(helper, &message);
	if (!ret)
		ret = receive_message(helper, &message);
	pthread_mutex_unlock(&helper->lock);
	if (ret)
		return ret;
	if (size)
		memcpy(argument, message.argument, size);
	return (int)message.result;
}

int
kfd_helper_ring(struct kfd_helper *helper, uint64_t offset, uint64_t index)
{
	const struct kfd_helper_message message = {
		.request = KFD_HELPER_RING,
		.argument = { offset, index },
	};

	return send_message(helper, &message);
}
