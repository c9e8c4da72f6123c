/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/drmsim/sim_client.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bus/plug.h"
#include "kernel/drm.h"
#include "kernel/node.h"
#include "kernel/stream.h"
#include "machine/root.h"
#include "server/server.h"

static _Noreturn void
give_up(const char *what)
{
	fprintf(stderr, "%s\n", what);
	abort();
}

struct sim *
sim_client_machine(const char *const *kinds)
{
	struct sim *sim = sim_server_create();
	char text[512] = "out of memory";
	sigset_t signals;

	if (!sim)
		give_up(text);
	/* it waits for no command: these end this process as ever */
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_UNBLOCK, &signals, NULL);
	sim->is_virtual = true;
	if (sim_root_create(sim))
		give_up("cannot make a simulated root");
	for (; *kinds; kinds++)
		if (sim_gpu_plug(sim, *kinds, text, sizeof(text)))
			give_up(text);
	if (sim_gpus_start(sim, text, sizeof(text)))
		give_up(text);
	return sim;
}

void
sim_client_machine_destroy(struct sim *sim)
{
	sim_server_destroy(sim);
}

static struct sim_call
make_call(struct sim *sim)
{
	return (struct sim_call){
		.sim = sim,
		.caller = { getpid(), getuid(), getgid() },
		.fd = -1,
	};
}

void
sim_client_open(struct sim_client *client, struct sim_gpu *gpu)
{
	struct sim_call call = make_call(gpu->sim);
	char path[32];

	snprintf(path, sizeof(path), "/dev/dri/renderD%u", gpu->render);
	call.text = strdup(path);
	call.request.a = O_RDWR;
	if (!call.text || sim_node_open(&call))
		give_up("cannot open a node");
	client->gpu = gpu;
	client->fd = dup(call.fd);
	/* the offset of the file is its identity */
	client->file = sim_node_file(gpu->sim,
				     (uint64_t)lseek(client->fd, 0, SEEK_CUR));
	if (!client->file)
		give_up("an open file is not known");
	sim_call_free(&call);
}

void
sim_client_close(struct sim_client *client)
{
	close(client->fd);
	sim_nodes_notice(client->gpu->sim);
	sim_nodes_check(client->gpu->sim);
	sim_streams_check(client->gpu->sim);
}

static bool
is_within(const struct protocol_piece *piece, const void *memory, size_t size)
{
	uint64_t offset = piece->address - (uintptr_t)memory;

	return offset <= size && piece->size <= size - offset;
}

static void
write_pieces(const struct sim_call *call, void *memory, size_t size)
{
	const uint8_t *at = call->pieces;

	for (uint32_t i = 0; i < call->piece_count; i++) {
		struct protocol_piece piece;

		memcpy(&piece, at, sizeof(piece));
		at += sizeof(piece);
		if (is_within(&piece, memory, size))
			memcpy((uint8_t *)memory +
				       (piece.address - (uintptr_t)memory),
			       at, piece.size);
		at += piece.size;
	}
}

int
sim_client_ioctl(struct sim_client *client, unsigned long request, void *arg,
		 void *memory, size_t size)
{
	struct sim_call call = make_call(client->gpu->sim);
	int result;

	call.request.a = request;
	call.request.b = (uintptr_t)arg;
	result = sim_drm_ioctl(&call, client->file, request, (uintptr_t)arg);
	if (result != SIM_SLEEP)
		write_pieces(&call, memory, size);
	sim_call_free(&call);
	return result;
}
