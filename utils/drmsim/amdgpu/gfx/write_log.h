/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The writes to memory that the command processors of a queue make in one
 * packet, where several of them execute the same commands.
 */
#ifndef DRMSIM_AMDGPU_GFX_WRITE_LOG_H
#define DRMSIM_AMDGPU_GFX_WRITE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct amdgpu;
struct ring;

/* When a write is in memory. */
enum write_path {
	WRITE_POSTED, /* some time; behind it a confirmed one, then */
	WRITE_CONFIRMED, /* before the next command */
	WRITE_AT_END, /* at the end of the pipe, which says so itself */
	WRITE_TO_L2, /* when the cache is written back */
	WRITE_ATOMIC, /* like WRITE_AT_END; dies may do it at one address */
};

struct write_log {
	struct write_range {
		uint64_t start, size;
		unsigned die;
		enum write_path path;
	} * ranges;
	size_t count, room;
	bool is_told; /* that dies wrote the same memory */
};

/* Begin a packet. */
void
write_log_clear(struct write_log *log);
void
write_log_free(struct write_log *log);
/*
 * Note a write of the ring, and report it if another die has written there in
 * the same packet. Rings without a log have nothing to note.
 */
void
ring_note_write(struct ring *ring, uint64_t address, uint64_t size,
		enum write_path path);
/* Note that the L2 of the ring's die is written back; size 0: all of it. */
void
ring_note_flush(struct ring *ring, uint64_t address, uint64_t size);
/* Report what may still be on its way to memory as the packet ends. */
void
write_log_check(struct amdgpu *amdgpu, const struct write_log *log);

#endif /* DRMSIM_AMDGPU_GFX_WRITE_LOG_H */
