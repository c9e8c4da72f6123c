/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory is a file that processes open by its place among the files of this
 * process: they may close what they inherit, and nothing is left of it when the
 * tool has ended in whatever way.
 */
#include "record/mark_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "process/preload.h"

#define LIBRARY "libdrmperf-marker.so"
#define MARKS_MAGIC UINT64_C(0x31736b72616d7264)
#define MARK_NAME_SIZE 96
/* Pages are taken when they are written, and given back when they were read. */
#define CAPACITY ((UINT64_C(1) << 22) - 1)
#define FREE_SIZE (UINT64_C(1) << 20)

/* As components/marker/mark_buffer.c has them. */
struct mark {
	/* of enum recording_mark_kind, plus 1; 0: not written yet */
	_Atomic uint32_t kind;
	uint32_t process, thread;
	uint32_t unused;
	uint64_t time_ns;
	uint64_t range;
	char name[MARK_NAME_SIZE];
};

struct mark_memory {
	uint64_t magic;
	uint64_t capacity;
	_Atomic uint64_t reserved;
	uint64_t unused[13];
	struct mark marks[];
};

_Static_assert(sizeof(struct mark) == 128 && sizeof(struct mark_memory) == 128,
	       "the library has this layout, too");

#define MEMORY_SIZE ((size_t)(CAPACITY + 1) * sizeof(struct mark))

/* Return 0, or a negative errno value. */
static int
create_memory(struct mark_reader *reader)
{
	void *memory;

	reader->file = memfd_create("drmperf-marks", MFD_CLOEXEC);
	if (reader->file < 0)
		return -errno;
	if (ftruncate(reader->file, (off_t)MEMORY_SIZE))
		return -errno;
	memory = mmap(NULL, MEMORY_SIZE, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_NORESERVE, reader->file, 0);
	if (memory == MAP_FAILED)
		return -errno;
	reader->memory = memory;
	reader->memory->magic = MARKS_MAGIC;
	reader->memory->capacity = CAPACITY;
	return 0;
}

/* Return 0, or a negative errno value. */
static int
set_environment(const struct mark_reader *reader, const char *library)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", getpid(), reader->file);
	/* ITT's static part loads one library, for the groups that are named */
	if (setenv("DRMPERF_MARKS", path, 1) ||
	    setenv("INTEL_LIBITTNOTIFY64", library, 0) ||
	    setenv("INTEL_ITTNOTIFY_GROUPS", "all", 0))
		return -ENOMEM;
	return 0;
}

/*
 * Check the own rights. A process with capabilities of its file hides its files
 * from processes without.
 */
static int
check_own_rights(const struct tool *tool)
{
	if (prctl(PR_GET_DUMPABLE) == 1)
		return 0;
	tool_fail(tool,
		  "programs cannot open the memory for regions: drmperf has "
		  "capabilities or a user of its own (setcap, set-user-ID)");
	fputs("try: run a copy without them, or as root\n", stderr);
	return TOOL_FAILED;
}

int
mark_reader_begin(const struct tool *tool, const char *program,
		  struct mark_reader *reader)
{
	char library[PATH_MAX];
	int ret, status = check_own_rights(tool);

	if (!status)
		status = preload_check_program(tool, program);
	if (!status)
		status = preload_require(tool, LIBRARY, library);
	if (!status)
		status = preload_own_library(tool, LIBRARY);
	if (status)
		return status;
	ret = create_memory(reader);
	if (!ret)
		ret = set_environment(reader, library);
	return ret ? tool_fail(tool, "cannot share memory with programs: %s",
			       strerror(-ret))
		   : 0;
}

/* ------------------------------------------------------------------ */

/* Hand on a mark; false: it has not been written yet. */
static bool
take_mark(struct mark *mark, mark_fn receive, void *data)
{
	const uint32_t kind =
		atomic_load_explicit(&mark->kind, memory_order_acquire);
	struct recording_mark out = {
		.kind = (enum recording_mark_kind)(kind - 1),
		.time_ns = mark->time_ns,
		.process = (pid_t)mark->process,
		.thread = (pid_t)mark->thread,
		.range = mark->range,
		.name = mark->name,
	};

	if (!kind)
		return false;
	/* programs can write anything there */
	mark->name[MARK_NAME_SIZE - 1] = '\0';
	if (kind <= RECORDING_MARK_INSTANT + 1 &&
	    mark->process <= RECORDING_MOST_PROCESS &&
	    mark->thread <= RECORDING_MOST_PROCESS)
		receive(data, &out);
	return true;
}

static void
take_late(struct mark_reader *reader, mark_fn receive, void *data)
{
	unsigned left = 0;

	for (unsigned i = 0; i < reader->late_count; i++) {
		const uint64_t place = reader->late[i];

		if (!take_mark(&reader->memory->marks[place], receive, data))
			reader->late[left++] = place;
	}
	reader->late_count = left;
}

/*
 * Note what is late. A process may have been killed before it wrote its mark:
 * the oldest goes.
 */
static void
note_late(struct mark_reader *reader, uint64_t place)
{
	if (reader->late_count == MARK_READER_LATE) {
		reader->late_count--;
		memmove(reader->late, reader->late + 1,
			reader->late_count * sizeof(*reader->late));
	}
	reader->late[reader->late_count++] = place;
}

/* Free the pages of marks that were read, except the head's. */
static void
free_pages(struct mark_reader *reader)
{
	const uint64_t end =
		(reader->read * sizeof(struct mark)) & ~(FREE_SIZE - 1);

	if (end <= reader->freed || reader->late_count)
		return;
	if (!reader->freed)
		reader->freed = FREE_SIZE;
	if (end > reader->freed)
		fallocate(reader->file,
			  FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			  (off_t)reader->freed, (off_t)(end - reader->freed));
	reader->freed = end;
}

void
mark_reader_drain(struct mark_reader *reader, mark_fn receive, void *data)
{
	uint64_t end;

	if (!reader->memory)
		return;
	take_late(reader, receive, data);
	end = atomic_load(&reader->memory->reserved);
	if (end > CAPACITY)
		end = CAPACITY;
	for (; reader->read < end; reader->read++) {
		if (!take_mark(&reader->memory->marks[reader->read], receive,
			       data))
			note_late(reader, reader->read);
	}
	free_pages(reader);
}

uint64_t
mark_reader_lost(const struct mark_reader *reader)
{
	uint64_t reserved = 0;

	if (reader->memory)
		reserved = atomic_load(&reader->memory->reserved);
	return reserved > CAPACITY ? reserved - CAPACITY : 0;
}

void
mark_reader_finish(struct mark_reader *reader)
{
	if (reader->memory)
		munmap(reader->memory, MEMORY_SIZE);
	if (reader->file > 0)
		close(reader->file);
	*reader = (struct mark_reader){ 0 };
}
