/* SPDX-License-Identifier: BSD-3-Clause */
#include "kd_system.h"

#include <errno.h>
#include <libproc2/meminfo.h>
#include <libproc2/pids.h>
#include <libproc2/stat.h>
#include <libproc2/vmstat.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/call_thread.h"
#include "kd_common.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define KIB UINT64_C(1024)

struct kd_system {
	pid_t owner; /* of what is open */
	struct stat_info *stat;
	struct meminfo_info *memory;
	struct vmstat_info *pages;
	struct pids_info *self, *processes;

	struct kd_cpu *cpus;
	unsigned cpu_count;

	/*
	 * Reads for all: libproc2 gives each thread that looks at processes a
	 * quarter of a megabyte, and never takes it back. A program whose
	 * threads come and go would grow by that with each of them.
	 */
	struct call_thread reader;
};

int
kd_system_create(struct kd_system **out)
{
	struct kd_system *system = calloc(1, sizeof(*system));

	if (!system)
		return -ENOMEM;
	system->owner = getpid();
	*out = system;
	return 0;
}

/*
 * Close all files. Closing a stream moves the offset that the child has in
 * common with its parent: what came along with a fork() is left alone.
 */
static void
close_files(struct kd_system *system)
{
	if (system->owner != getpid()) {
		call_thread_forget(&system->reader);
	} else {
		call_thread_end(&system->reader);
		if (system->stat)
			procps_stat_unref(&system->stat);
		if (system->memory)
			procps_meminfo_unref(&system->memory);
		if (system->pages)
			procps_vmstat_unref(&system->pages);
		if (system->self)
			procps_pids_unref(&system->self);
		if (system->processes)
			procps_pids_unref(&system->processes);
	}
	system->stat = NULL;
	system->memory = NULL;
	system->pages = NULL;
	system->self = NULL;
	system->processes = NULL;
	system->owner = getpid();
}

void
kd_system_destroy(struct kd_system *system)
{
	if (!system)
		return;
	close_files(system);
	free(system->cpus);
	free(system);
}

/* Report a figure that libproc2 did not give; it leaves the reason in errno. */
static int
no_answer(struct drmperf_error *error, const char *what)
{
	const int code = errno ? -errno : -ENODATA;

	return fe_fail(error, code, "", "libproc2 cannot read %s: %s", what,
		       strerror(-code));
}

/* ------------------------------------------------------------------ */
/* Processors                                                           */

/* libproc2 writes to none of the lists of items. In the order of tic_items. */
enum tic {
	TIC_ID,
	TIC_USER,
	TIC_NICE,
	TIC_SYSTEM,
	TIC_IRQ,
	TIC_SOFTIRQ,
	TIC_STOLEN,
	TIC_IDLE,
	TIC_IOWAIT,
	TIC_SWITCHES,
};

/* Time of guests is in user and nice already. */
static const enum stat_item tic_items[] = {
	STAT_TIC_ID,	       STAT_TIC_USER, STAT_TIC_NICE,
	STAT_TIC_SYSTEM,       STAT_TIC_IRQ,  STAT_TIC_SOFTIRQ,
	STAT_TIC_STOLEN,       STAT_TIC_IDLE, STAT_TIC_IOWAIT,
	STAT_SYS_CTX_SWITCHES,
};

static struct kd_cpu
cpu_of(const struct stat_stack *stack)
{
	const struct stat_result *tics = stack->head;
	struct kd_cpu cpu = {
		.number = tics[TIC_ID].result.s_int,
		.user = tics[TIC_USER].result.ull_int +
			tics[TIC_NICE].result.ull_int,
		.kernel = tics[TIC_SYSTEM].result.ull_int +
			  tics[TIC_IRQ].result.ull_int +
			  tics[TIC_SOFTIRQ].result.ull_int,
	};

	cpu.busy = cpu.user + cpu.kernel + tics[TIC_STOLEN].result.ull_int;
	cpu.all = cpu.busy + tics[TIC_IDLE].result.ull_int +
		  tics[TIC_IOWAIT].result.ull_int;
	return cpu;
}

static int
make_room(struct kd_system *system, unsigned count)
{
	struct kd_cpu *cpus;

	if (count <= system->cpu_count)
		return 0;
	cpus = reallocarray(system->cpus, count, sizeof(*cpus));
	if (!cpus)
		return -ENOMEM;
	system->cpus = cpus;
	system->cpu_count = count;
	return 0;
}

static int
read_cpus(struct kd_system *system, struct kd_system_sample *sample,
	  struct drmperf_error *error)
{
	struct stat_reaped *reaped;
	int rc = system->stat ? 0 : procps_stat_new(&system->stat);

	errno = -rc;
	reaped = rc ? NULL
		    : procps_stat_reap(system->stat, STAT_REAP_CPUS_ONLY,
				       (enum stat_item *)tic_items,
				       ARRAY_SIZE(tic_items));
	if (!reaped || reaped->cpus->total < 1)
		return no_answer(error, "/proc/stat");
	if (make_room(system, (unsigned)reaped->cpus->total))
		return fe_fail_memory(error);
	sample->time_ns[KD_PART_CPUS] = kd_now_ns();
	sample->cpus = system->cpus;
	sample->cpu_count = (unsigned)reaped->cpus->total;
	for (unsigned i = 0; i < sample->cpu_count; i++)
		sample->cpus[i] = cpu_of(reaped->cpus->stacks[i]);
	sample->amounts[KD_AMOUNT_CONTEXT_SWITCHES] =
		reaped->summary->head[TIC_SWITCHES].result.ul_int;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Memory                                                               */

static const enum meminfo_item memory_items[] = {
	MEMINFO_MEM_USED,
	MEMINFO_MEM_TOTAL,
	MEMINFO_SWAP_USED,
	MEMINFO_SWAP_TOTAL,
};

static int
read_memory(struct kd_system *system, struct kd_system_sample *sample,
	    struct drmperf_error *error)
{
	struct meminfo_stack *stack;
	int rc = system->memory ? 0 : procps_meminfo_new(&system->memory);

	errno = -rc;
	stack = rc ? NULL
		   : procps_meminfo_select(system->memory,
					   (enum meminfo_item *)memory_items,
					   ARRAY_SIZE(memory_items));
	if (!stack)
		return no_answer(error, "/proc/meminfo");
	sample->time_ns[KD_PART_MEMORY] = kd_now_ns();
	for (unsigned i = 0; i < ARRAY_SIZE(memory_items); i++)
		sample->amounts[KD_AMOUNT_MEMORY_USED + i] =
			stack->head[i].result.ul_int * KIB;
	return 0;
}

static const enum vmstat_item page_items[] = {
	VMSTAT_PGMAJFAULT,
	VMSTAT_PGPGIN, /* KiB, though it is called pages */
	VMSTAT_PGPGOUT,
};

static int
read_pages(struct kd_system *system, struct kd_system_sample *sample,
	   struct drmperf_error *error)
{
	struct vmstat_stack *stack;
	int rc = system->pages ? 0 : procps_vmstat_new(&system->pages);

	errno = -rc;
	stack = rc ? NULL
		   : procps_vmstat_select(system->pages,
					  (enum vmstat_item *)page_items,
					  ARRAY_SIZE(page_items));
	if (!stack)
		return no_answer(error, "/proc/vmstat");
	sample->time_ns[KD_PART_PAGES] = kd_now_ns();
	sample->amounts[KD_AMOUNT_MAJOR_FAULTS] = stack->head[0].result.ul_int;
	sample->amounts[KD_AMOUNT_DEVICE_READ] =
		stack->head[1].result.ul_int * KIB;
	sample->amounts[KD_AMOUNT_DEVICE_WRITTEN] =
		stack->head[2].result.ul_int * KIB;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Processes                                                            */

static const enum pids_item self_items[] = { PIDS_IO_READ_CHARS,
					     PIDS_IO_WRITE_CHARS };

static int
read_self(struct kd_system *system, struct kd_system_sample *sample,
	  struct drmperf_error *error)
{
	unsigned self = (unsigned)getpid();
	struct pids_fetch *fetched;
	struct pids_result *head;
	int rc = system->self ? 0
			      : procps_pids_new(&system->self,
						(enum pids_item *)self_items,
						ARRAY_SIZE(self_items));

	errno = -rc;
	fetched = rc ? NULL
		     : procps_pids_select(system->self, &self, 1,
					  PIDS_SELECT_PID);
	if (!fetched || fetched->counts->total != 1)
		return no_answer(error, "/proc of this process");
	head = fetched->stacks[0]->head;
	/* This process has read /proc, so a count of 0 is access denied. */
	if (!head[0].result.ul_int)
		return fe_fail(error, -EACCES, "",
			       "the kernel does not report what this process "
			       "reads and writes (/proc/self/io)");
	sample->time_ns[KD_PART_SELF] = kd_now_ns();
	sample->amounts[KD_AMOUNT_SELF_READ] = head[0].result.ul_int;
	sample->amounts[KD_AMOUNT_SELF_WRITTEN] = head[1].result.ul_int;
	return 0;
}

static const enum pids_item process_items[] = { PIDS_NLWP };

static int
read_processes(struct kd_system *system, struct kd_system_sample *sample,
	       struct drmperf_error *error)
{
	struct pids_fetch *fetched;
	uint64_t threads = 0;
	int rc = system->processes
			 ? 0
			 : procps_pids_new(&system->processes,
					   (enum pids_item *)process_items,
					   ARRAY_SIZE(process_items));

	errno = -rc;
	fetched =
		rc ? NULL
		   : procps_pids_reap(system->processes, PIDS_FETCH_TASKS_ONLY);
	if (!fetched || fetched->counts->total < 1)
		return no_answer(error, "/proc");
	for (int i = 0; i < fetched->counts->total; i++)
		threads += (uint64_t)fetched->stacks[i]->head[0].result.s_int;
	sample->time_ns[KD_PART_PROCESSES] = kd_now_ns();
	sample->amounts[KD_AMOUNT_PROCESSES] = (uint64_t)fetched->counts->total;
	sample->amounts[KD_AMOUNT_THREADS] = threads;
	return 0;
}

struct request {
	struct kd_system *system;
	unsigned parts;
	struct kd_system_sample *sample;
	struct drmperf_error *error;
};

static int
read_parts(void *data)
{
	static int (*const readers[KD_PART_COUNT])(struct kd_system *,
						   struct kd_system_sample *,
						   struct drmperf_error *) = {
		[KD_PART_CPUS] = read_cpus,
		[KD_PART_MEMORY] = read_memory,
		[KD_PART_PAGES] = read_pages,
		[KD_PART_SELF] = read_self,
		[KD_PART_PROCESSES] = read_processes,
	};
	const struct request *request = data;
	int rc = 0;

	for (unsigned i = 0; !rc && i < KD_PART_COUNT; i++) {
		if (request->parts & 1U << i)
			rc = readers[i](request->system, request->sample,
					request->error);
	}
	return rc;
}

int
kd_system_read(struct kd_system *system, unsigned parts,
	       struct kd_system_sample *sample, struct drmperf_error *error)
{
	struct request request = { system, parts, sample, error };

	if (system->owner != getpid())
		close_files(system);
	return call_thread_run(&system->reader, read_parts, &request);
}
