/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between the preload library, the control client and the server, over
 * a Unix stream socket in the simulated machine's directory.
 *
 * A connection (channel) carries one call at a time: a request, its text if it
 * has one, and then a reply with its pieces of memory. A thread takes any free
 * channel of its process, so that a call that sleeps in one thread holds up no
 * other. While a reply is awaited only PROTOCOL_CANCEL may be sent.
 *
 * The server reads the caller's memory by itself; memory to be written comes
 * with the reply and is written by the caller, where memory checkers see it.
 *
 * An open file description of a node is a description of the node's file in
 * the simulated /dev whose file offset is its identity: whatever duplicates or
 * inherits the descriptor, the kernel keeps that. A lock (F_OFD) on the byte
 * PROTOCOL_LIFE + identity, dropped by the kernel with the last descriptor,
 * shows that it lives.
 */
#ifndef DRMSIM_BASE_PROTOCOL_H
#define DRMSIM_BASE_PROTOCOL_H

#include <stdint.h>

#define PROTOCOL_ENV "DRMSIM_DIR"
/* in fast time: the speed, and the host's monotonic clock in ns at time 0 */
#define PROTOCOL_SPEED_ENV "DRMSIM_SPEED"
/* The library that is preloaded behind ours. */
#define PROTOCOL_UMOCKDEV "libumockdev-preload.so.0"
#define PROTOCOL_SOCKET "socket"
#define PROTOCOL_NODES "nodes"
#define PROTOCOL_OUTSIDE "outside" /* struct protocol_outside */
#define PROTOCOL_LIFE ((int64_t)1 << 40)
/* How names of shared memory begin that are a machine's own. */
#define PROTOCOL_SHARED "hsakmt"
#define PROTOCOL_TEXT_MAX 65536u
#define PROTOCOL_PMU_TYPE 1000u

enum protocol_kind {
	PROTOCOL_OPEN = 1,     /* text: path; a: open(2) flags */
	PROTOCOL_ACCESS,       /* text: path; a: access(2) mode */
	PROTOCOL_IOCTL,	       /* id: file; a: request, b: argument */
	/* id: file; a: offset, b: length, c: protection, d: flags */
	PROTOCOL_MMAP,
	PROTOCOL_STREAM_READ,  /* id: stream; a: buffer, b: size, c: O_ flags */
	PROTOCOL_STREAM_IOCTL, /* id: stream; a: request, b: argument */
	PROTOCOL_STREAM_MMAP,  /* id: stream; as PROTOCOL_MMAP */
	PROTOCOL_STREAM_FIND,  /* a: descriptor; gives a stream's id, or 0 */
	PROTOCOL_PERF_OPEN,    /* a: attr, b: pid, c: cpu, d: fd, e: flags */
	PROTOCOL_EXIT,	       /* the process ends in good order */
	PROTOCOL_CANCEL,       /* the call in progress was interrupted */
	PROTOCOL_CONTROL,      /* text: a command of drmsim ctl */
	PROTOCOL_FDINFO,       /* a: process, b: its descriptor */
	PROTOCOL_FAULT,	       /* a: PROTOCOL_OUTSIDE_*; b: its n-th call */
	PROTOCOL_REFRESH,      /* files that depend on others are to be read */
};

struct protocol_request {
	uint32_t kind;
	uint32_t text_size; /* bytes that follow */
	uint64_t id;
	uint64_t a, b, c, d, e;
};

enum protocol_reply_flags {
	PROTOCOL_HAS_FD = 1,   /* a descriptor comes with the reply */
	PROTOCOL_CLOEXEC = 2,  /* of that descriptor */
	PROTOCOL_STORE_FD = 4, /* its number goes to `store`, not `result` */
	PROTOCOL_STREAM = 8,   /* it is a stream with the identity `id` */
	PROTOCOL_TEXT = 16,    /* pieces are text for the control client */
	PROTOCOL_NO_FORK = 32, /* a forked child has not what is mapped */
};

struct protocol_reply {
	int64_t result; /* or -errno */
	uint32_t flags;
	uint32_t pieces; /* number of struct protocol_piece with data */
	uint64_t store;
	uint64_t id;
	uint64_t offset; /* PROTOCOL_MMAP: where in the descriptor's file */
};

struct protocol_piece {
	uint64_t address;
	uint64_t size;
};

/* PROTOCOL_NODES: an array of these, read by each process at its start. */
struct protocol_node {
	uint64_t device, inode; /* of the file in the simulated /dev */
	uint32_t major, minor;	/* what fstat() shall say */
};

#define PROTOCOL_NODES_MAX 128

/* Calls on what is not simulated, which can be made to fail. */
enum protocol_outside_kind {
	PROTOCOL_OUTSIDE_FILE_OPEN, /* open, fopen, opendir */
	PROTOCOL_OUTSIDE_FILE_READ, /* read, pread */
	PROTOCOL_OUTSIDE_STAT,
	PROTOCOL_OUTSIDE_FSTAT,
	PROTOCOL_OUTSIDE_GETDENTS, /* and readdir */
	PROTOCOL_OUTSIDE_FLOCK,
	PROTOCOL_OUTSIDE_DUP, /* and F_DUPFD */
	PROTOCOL_OUTSIDE_EVENTFD,
	PROTOCOL_OUTSIDE_THREAD, /* pthread_create */
	PROTOCOL_OUTSIDE_MALLOC, /* and whatever else gives memory */
	PROTOCOL_OUTSIDE_KINDS,
};

/*
 * Mapped by all processes: each counts its calls here and asks from one on.
 * The server does not trust what it reads here: a count is only printed.
 */
struct protocol_outside {
	struct {
		_Atomic uint64_t calls;
		_Atomic uint64_t ask_from; /* 0: not even counted */
	} kinds[PROTOCOL_OUTSIDE_KINDS];
};

#endif /* DRMSIM_BASE_PROTOCOL_H */
