/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_oa.c] */
#include "xe/oa_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/protocol.h"
#include "intel/oa_unit.h"
#include "kernel/call.h"

static uint64_t
round_to_pages(uint64_t length)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	return (length + page - 1) / page * page;
}

/*
 * Check a request as the core of the kernel does first: the stream's file is
 * not for writing.
 */
static int
check_request(const struct sim_xe_memory *memory,
	      const struct protocol_request *request)
{
	const bool shared = (request->d & MAP_TYPE) != MAP_PRIVATE;

	if (shared && (request->c & PROT_WRITE))
		return -EACCES;
	if (round_to_pages(request->b) != memory->size || shared ||
	    (request->c & (PROT_WRITE | PROT_EXEC)))
		return -EINVAL;
	return 0;
}

static int
memory_create(struct sim_xe_memory *memory)
{
	void *bytes;
	int fd = memfd_create("drmsim OA buffer",
			      MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)memory->size) ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) {
		close(fd);
		return -ENOMEM;
	}
	bytes = mmap(NULL, memory->size, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (bytes == MAP_FAILED) {
		close(fd);
		return -ENOMEM;
	}
	memory->fd = fd;
	memory->bytes = bytes;
	return 0;
}

int
sim_xe_memory_map(struct sim_xe_memory *memory, struct sim_call *call,
		  const struct sim_oa_unit *unit)
{
	struct sim_mapping map = { 0 };
	int error = check_request(memory, &call->request);

	if (!error && !memory->bytes) {
		error = memory_create(memory);
		memory->end = sim_oa_unit_head(unit);
		sim_xe_memory_follow(memory, unit);
	}
	if (error)
		return error;
	map.fd = memory->fd;
	call->reply_flags |= PROTOCOL_NO_FORK;
	return sim_call_give_map(call, &map);
}

/* Copy a report to its place, around the end; NULL: zeros. */
static void
write_to_ring(struct sim_xe_memory *memory, uint64_t index, const uint8_t *from,
	      size_t size)
{
	uint64_t at = (index - memory->first) * memory->report_size;

	for (size_t i = 0; i < size; i++)
		memory->bytes[(at + i) % memory->ring] = from ? from[i] : 0;
}

void
sim_xe_memory_restart(struct sim_xe_memory *memory, uint64_t index)
{
	memory->first = memory->end = index;
	if (memory->bytes)
		memset(memory->bytes, 0, memory->size);
}

void
sim_xe_memory_follow(struct sim_xe_memory *memory,
		     const struct sim_oa_unit *unit)
{
	const uint64_t tail = sim_oa_unit_tail(unit);
	uint8_t *report;

	if (!memory->bytes || memory->end >= tail)
		return;
	report = malloc(memory->report_size);
	if (!report)
		return;
	for (; memory->end < tail; memory->end++) {
		sim_oa_unit_write(
			unit, memory->end,
			sim_oa_unit_report(unit, memory->end)->context, report);
		write_to_ring(memory, memory->end, report, memory->report_size);
	}
	free(report);
}

/*
 * Take the id and timestamp of reports; all of one where reports lie across the
 * end.
 */
void
sim_xe_memory_take(struct sim_xe_memory *memory, uint64_t from, uint64_t to)
{
	const bool whole = memory->ring % memory->report_size != 0;

	if (!memory->bytes)
		return;
	for (; from < to; from++)
		write_to_ring(memory, from, NULL,
			      whole ? memory->report_size : 2 * memory->word);
}

void
sim_xe_memory_free(struct sim_xe_memory *memory)
{
	if (!memory->bytes)
		return;
	munmap(memory->bytes, memory->size);
	close(memory->fd);
	memory->bytes = NULL;
}
