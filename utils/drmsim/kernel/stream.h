/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams: simulated files that can be read or polled and are no nodes, such
 * as a perf stream, a perf event, a sync file.
 *
 * A process holds the reading end of a pipe: poll(), select() and epoll see a
 * byte in it as readable, and its last closing is seen at the writing end,
 * which is here.
 */
#ifndef DRMSIM_KERNEL_STREAM_H
#define DRMSIM_KERNEL_STREAM_H

#include <stdbool.h>
#include <stdint.h>

struct sim;
struct sim_call;
struct sim_gpu;
struct sim_stream;

struct sim_stream_ops {
	const char *name; /* its read is counted as "NAME_read", its ioctls
			     as "NAME_ioctl", its mmap as "NAME_mmap" */
	/*
	 * read(): fill at most size bytes of the caller's buffer with
	 * sim_call_put(call, buffer, ...) and return their number, or
	 * -EAGAIN, or sleep if not nonblocking. NULL: -EINVAL.
	 */
	int (*read)(struct sim_call *call, struct sim_stream *stream,
		    uint64_t buffer, uint64_t size, bool nonblocking);
	/* arg is the caller's third argument, unread. NULL: -ENOTTY. */
	int (*ioctl)(struct sim_call *call, struct sim_stream *stream,
		     unsigned long request, uint64_t arg);
	/*
	 * mmap() by the caller's request: a offset, b length, c protection, d
	 * flags. NULL: -ENODEV.
	 */
	int (*mmap)(struct sim_call *call, struct sim_stream *stream);
	/* Close the stream: its last descriptor in all processes is gone. */
	void (*close)(struct sim_stream *stream);
};

/* Create a stream; gpu may be NULL. Returns 0; -EMFILE; -ENOMEM. */
int sim_stream_create(struct sim *sim, struct sim_gpu *gpu,
		      const struct sim_stream_ops *ops, void *data,
		      struct sim_stream **out);
void *sim_stream_data(const struct sim_stream *stream);
/*
 * Return whether the device that the stream was made for has gone, even if it
 * is back.
 */
bool sim_stream_is_gone(const struct sim_stream *stream);
const struct sim_stream_ops *sim_stream_type(const struct sim_stream *stream);
/* Set O_NONBLOCK, before the stream is given away. */
void sim_stream_set_nonblocking(struct sim_stream *stream);
/* Give the caller its descriptor, as sim_call_give_fd() does; once. */
int sim_stream_give(struct sim_stream *stream, struct sim_call *call,
		    bool cloexec, uint64_t store);
/* Set what poll(), select() and epoll of the owners see as POLLIN. */
void sim_stream_set_readable(struct sim_stream *stream, bool readable);

/* Find a stream by its id, or by a descriptor of the caller; or NULL. */
struct sim_stream *sim_stream_find(struct sim *sim, uint64_t id);
struct sim_stream *sim_stream_of_fd(const struct sim_call *call, int fd);

/* Handle PROTOCOL_STREAM_READ and the like. */
int sim_stream_call(struct sim_call *call);
/*
 * Handle PROTOCOL_STREAM_FIND: a stream that another process gave the caller.
 */
int sim_stream_call_find(struct sim_call *call);
/* Close the streams that no process holds any more, or all of them. */
void sim_streams_check(struct sim *sim);
void sim_streams_close(struct sim *sim);

#endif /* DRMSIM_KERNEL_STREAM_H */
