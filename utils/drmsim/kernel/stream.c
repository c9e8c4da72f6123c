/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernel/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/protocol.h"
#include "kernel/call.h"
#include "machine/gpu.h"
#include "machine/log.h"
#include "machine/machine.h"
#include "machine/power.h"
#include "machine/poll_source.h"

struct sim_stream {
	struct sim_poll_source source;
	struct sim_stream *next;
	struct sim *sim;
	struct sim_gpu *gpu;
	const struct sim_stream_ops *ops;
	void *data;
	uint64_t id;
	unsigned removals; /* of the GPU, when it was made */
	uint64_t device, inode;
	int in;	 /* until it has been given away, else -1 */
	int out;
	bool readable;
};

static void
on_closed(void *owner, uint32_t events)
{
	(void)events;
	sim_streams_check(owner);
}

int
sim_stream_create(struct sim *sim, struct sim_gpu *gpu,
		  const struct sim_stream_ops *ops, void *data,
		  struct sim_stream **out)
{
	struct sim_stream *stream = calloc(1, sizeof(*stream));
	struct stat status;
	int ends[2];

	if (!stream)
		return -ENOMEM;
	if (pipe2(ends, O_CLOEXEC)) {
		free(stream);
		return -errno;
	}
	stream->source = (struct sim_poll_source){
		.ready = on_closed,
		.owner = sim,
		.tells_end = true,
	};
	stream->sim = sim;
	stream->gpu = gpu;
	stream->removals = gpu ? gpu->removals : 0;
	stream->ops = ops;
	stream->data = data;
	stream->id = sim->next_id++;
	stream->in = ends[0];
	stream->out = ends[1];
	if (fstat(stream->in, &status) ||
	    sim_poll_source_add(sim, stream->out, 0, &stream->source)) {
		close(ends[0]);
		close(ends[1]);
		free(stream);
		return -ENOMEM;
	}
	stream->device = status.st_dev;
	stream->inode = status.st_ino;
	stream->next = sim->streams;
	sim->streams = stream;
	*out = stream;
	return 0;
}

void *
sim_stream_data(const struct sim_stream *stream)
{
	return stream->data;
}

bool
sim_stream_is_gone(const struct sim_stream *stream)
{
	return stream->gpu && sim_gpu_is_gone(stream->gpu, stream->removals);
}

const struct sim_stream_ops *
sim_stream_type(const struct sim_stream *stream)
{
	return stream->ops;
}

void
sim_stream_set_nonblocking(struct sim_stream *stream)
{
	fcntl(stream->in, F_SETFL, O_NONBLOCK);
}

int
sim_stream_give(struct sim_stream *stream, struct sim_call *call, bool cloexec,
		uint64_t store)
{
	int error = sim_call_give_fd(call, stream->in, cloexec, store);

	if (error)
		return error;
	call->reply_flags |= PROTOCOL_STREAM;
	call->stream_id = stream->id;
	close(stream->in);
	stream->in = -1;
	return 0;
}

/*
 * Drain a stream. Only the other end can be emptied: open it for as long as
 * that takes.
 */
static void
stream_drain(struct sim_stream *stream)
{
	char path[64], byte;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", stream->out);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	while (read(fd, &byte, 1) > 0)
		;
	close(fd);
}

void
sim_stream_set_readable(struct sim_stream *stream, bool readable)
{
	if (stream->readable == readable)
		return;
	stream->readable = readable;
	if (!readable)
		stream_drain(stream);
	else if (write(stream->out, "", 1) != 1)
		sim_log(stream->sim, "stream %llu has no reader",
			(unsigned long long)stream->id);
}

struct sim_stream *
sim_stream_find(struct sim *sim, uint64_t id)
{
	for (struct sim_stream *s = sim->streams; s; s = s->next)
		if (s->id == id)
			return s;
	return NULL;
}

struct sim_stream *
sim_stream_of_fd(const struct sim_call *call, int fd)
{
	struct stat status;

	if (sim_call_stat(call, fd, &status))
		return NULL;
	for (struct sim_stream *s = call->sim->streams; s; s = s->next)
		if (s->inode == status.st_ino && s->device == status.st_dev)
			return s;
	return NULL;
}

/* ---- calls */

static int
count_call(struct sim_call *call, const struct sim_stream *stream,
	   const char *what)
{
	char kind[64];

	snprintf(kind, sizeof(kind), "%s_%s", stream->ops->name, what);
	return sim_call_count(call, stream->gpu, kind);
}

int
sim_stream_call(struct sim_call *call)
{
	const struct protocol_request *request = &call->request;
	struct sim_stream *stream = sim_stream_find(call->sim, request->id);
	const struct sim_stream_ops *ops;
	int error;

	if (!stream)
		return -ENODEV;
	ops = stream->ops;
	switch (request->kind) {
	case PROTOCOL_STREAM_READ:
		error = count_call(call, stream, "read");
		if (error || !ops->read)
			return error ? error : -EINVAL;
		return ops->read(call, stream, request->a, request->b,
				 request->c & O_NONBLOCK);
	case PROTOCOL_STREAM_IOCTL:
		error = count_call(call, stream, "ioctl");
		if (error || !ops->ioctl)
			return error ? error : -ENOTTY;
		return ops->ioctl(call, stream, request->a, request->b);
	case PROTOCOL_STREAM_MMAP:
		if (!ops->mmap)
			return -ENODEV;
		error = count_call(call, stream, "mmap");
		return error ? error : ops->mmap(call, stream);
	}
	return -ENODEV;
}

int
sim_stream_call_find(struct sim_call *call)
{
	const struct sim_stream *stream =
		sim_stream_of_fd(call, (int)call->request.a);

	return stream ? (int)stream->id : 0;
}

/* ---- the end */

static bool
is_held(const struct sim_stream *stream)
{
	struct pollfd end = { .fd = stream->out };

	if (stream->in >= 0)
		return false; /* made, but never given away */
	return poll(&end, 1, 0) == 0 || !(end.revents & POLLERR);
}

static void
stream_close(struct sim_stream *stream)
{
	if (stream->ops->close)
		stream->ops->close(stream);
	if (stream->in >= 0)
		close(stream->in);
	close(stream->out);
	free(stream);
}

void
sim_streams_check(struct sim *sim)
{
	struct sim_stream **p = &sim->streams;

	while (*p) {
		struct sim_stream *stream = *p;
		if (is_held(stream)) {
			p = &stream->next;
			continue;
		}
		*p = stream->next;
		stream_close(stream);
		sim_wake(sim);
		/* its end may have ended others */
		p = &sim->streams;
	}
}

void
sim_streams_close(struct sim *sim)
{
	while (sim->streams) {
		struct sim_stream *stream = sim->streams;
		sim->streams = stream->next;
		stream_close(stream);
	}
}
