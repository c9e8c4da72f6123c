/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that is one of KFD's in the place of a program that counts: the
 * library starts it, see driver/amdgpu/device/kfd_helper.h.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "driver/amdgpu/device/kfd_file.h"
#include "driver/amdgpu/device/kfd_helper.h"
#include "driver/amdgpu/device/kfd_uapi.h"

struct state {
	struct kfd_file kfd;
	size_t memories; /* that are allocated */
	size_t own; /* of these, those that were before the first queue */
	bool has_queue, has_lock;
	int idle_ms; /* after which it ends */
};

static bool
is_known(uint64_t request)
{
	static const unsigned long known[] = {
		KFD_GET_VERSION,   KFD_CREATE_QUEUE, KFD_DESTROY_QUEUE,
		KFD_ACQUIRE_VM,	   KFD_ALLOC_MEMORY, KFD_FREE_MEMORY,
		KFD_MAP_MEMORY,	   KFD_UNMAP_MEMORY, KFD_PROFILER,
		KFD_PROFILER_DKMS,
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i] == request)
			return true;
	}
	return false;
}

/*
 * Make a call. What is an address or a descriptor of the program's is replaced.
 */
static int
make_call(struct state *state, struct kfd_helper_message *message)
{
	struct kfd_map_memory *map = (void *)message->argument;
	struct kfd_vm *vm = (void *)message->argument;

	switch (message->request) {
	case KFD_ACQUIRE_VM:
		vm->drm_fd = KFD_HELPER_RENDER;
		break;
	case KFD_MAP_MEMORY:
	case KFD_UNMAP_MEMORY:
		map->gpu_ids = (uintptr_t)&state->kfd.gpu_id;
		map->count = 1;
		break;
	}
	return kfd_file_call(&state->kfd, message->request, message->argument);
}

static void
note_success(struct state *state, const struct kfd_helper_message *message)
{
	const uint32_t *words = (const void *)message->argument;

	switch (message->request) {
	case KFD_ALLOC_MEMORY:
		state->memories++;
		break;
	case KFD_FREE_MEMORY:
		state->memories--;
		break;
	case KFD_CREATE_QUEUE:
		if (!state->has_queue)
			state->own = state->memories;
		state->has_queue = true;
		break;
	case KFD_PROFILER:
	case KFD_PROFILER_DKMS:
		if (words[0] == KFD_PROFILER_PMC)
			state->has_lock = true;
		break;
	}
}

/* Execute a message. Return whether it has an answer. */
static bool
serve_message(struct state *state, struct kfd_helper_message *message,
	      int refusal)
{
	message->result = refusal;
	if (refusal)
		return message->request != KFD_HELPER_RING;
	switch (message->request) {
	case KFD_HELPER_KEEP:
		return true;
	case KFD_HELPER_MAP_DOORBELLS:
		message->result = kfd_file_map_doorbells(&state->kfd,
							 message->argument[0]);
		return true;
	case KFD_HELPER_RING:
		if (state->kfd.doorbells)
			kfd_file_ring(&state->kfd, message->argument[0],
				      message->argument[1]);
		return false;
	}
	message->result = is_known(message->request)
				  ? make_call(state, message)
				  : -ENOTTY;
	if (!message->result)
		note_success(state, message);
	return true;
}

static bool
is_idle(const struct state *state)
{
	return !state->has_lock && state->memories <= state->own;
}

/* Return whether there is a message, and not the end or too long a silence. */
static bool
await_message(const struct state *state, struct kfd_helper_message *message)
{
	struct pollfd socket = { .fd = KFD_HELPER_SOCKET, .events = POLLIN };
	int ret;

	do {
		ret = poll(&socket, 1, is_idle(state) ? state->idle_ms : -1);
	} while (ret < 0 && errno == EINTR);
	return ret > 0 && recv(KFD_HELPER_SOCKET, message, sizeof(*message),
			       0) == (ssize_t)sizeof(*message);
}

static int
serve_program(uint32_t gpu_id, int idle_ms)
{
	const struct kfd_target target = { .gpu_id = gpu_id };
	struct state state = { .idle_ms = idle_ms };
	struct kfd_helper_message message;
	const int refusal = kfd_file_open(&state.kfd, &target, NULL);

	while (await_message(&state, &message)) {
		if (serve_message(&state, &message, refusal) &&
		    send(KFD_HELPER_SOCKET, &message, sizeof(message),
			 MSG_NOSIGNAL) != (ssize_t)sizeof(message))
			break;
	}
	return 0;
}

/*
 * Serve the program, which waits for the first process only. What is sent to
 * the group of the terminal does not reach the other one.
 */
int
main(int argc, char **argv)
{
	sigset_t none;
	pid_t pid;

	if (argc != 3) {
		fprintf(stderr, "%s is started by libdrmperf only\n", argv[0]);
		return 2;
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	pid = fork();
	if (pid)
		return pid < 0;
	setsid();
	return serve_program((uint32_t)strtoul(argv[1], NULL, 10),
			     atoi(argv[2]));
}
