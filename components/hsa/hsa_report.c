/* SPDX-License-Identifier: BSD-3-Clause */
#include "hsa_report.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct report {
	_Atomic uint32_t enabled, refused;
};

static struct {
	pthread_mutex_t lock;
	struct report *report; /* NULL: no report is wanted */
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct report *
map_report(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct stat status;
	void *memory = MAP_FAILED;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) &&
	    status.st_size == sizeof(struct report))
		memory = mmap(NULL, sizeof(struct report),
			      PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return memory == MAP_FAILED ? NULL : memory;
}

void
hsa_report_open(void)
{
	const char *path = secure_getenv("DRMPERF_HSA_REPORT");

	pthread_mutex_lock(&all.lock);
	if (path && !all.report)
		all.report = map_report(path);
	pthread_mutex_unlock(&all.lock);
}

void
hsa_report_close(void)
{
	pthread_mutex_lock(&all.lock);
	if (all.report)
		munmap(all.report, sizeof(*all.report));
	all.report = NULL;
	pthread_mutex_unlock(&all.lock);
}

void
hsa_report_queue(bool is_enabled)
{
	pthread_mutex_lock(&all.lock);
	if (all.report)
		(is_enabled ? &all.report->enabled : &all.report->refused)[0]++;
	pthread_mutex_unlock(&all.lock);
}
