/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/perf_event/kernel.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int
perf_counter_open(const struct perf_counter *counter,
		  const struct perf_target *target, int leader)
{
	struct perf_event_attr attr = {
		.type = counter->type,
		.size = sizeof(attr),
		.config = counter->config[0],
		.config1 = counter->config[1],
		.config2 = counter->config[2],
		.read_format = PERF_FORMAT_GROUP |
			       PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = leader < 0 && target->thread < 0,
		.pinned = leader < 0,
		.inherit = target->thread >= 0,
		.exclude_user = counter->exclude_user,
		.exclude_kernel = counter->exclude_kernel,
		.exclude_hv = counter->exclude_hv,
	};
	long fd = syscall(SYS_perf_event_open, &attr, target->thread,
			  target->cpu, leader, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

int
perf_group_enable(int leader)
{
	return ioctl(leader, PERF_EVENT_IOC_ENABLE, 0) < 0 ? -errno : 0;
}

int
perf_group_disable(int leader)
{
	return ioctl(leader, PERF_EVENT_IOC_DISABLE, 0) < 0 ? -errno : 0;
}

ssize_t
perf_group_read(int leader, uint64_t *words, size_t count)
{
	ssize_t size;

	do
		size = read(leader, words, count * sizeof(*words));
	while (size < 0 && errno == EINTR);
	return size < 0 ? -errno : size / (ssize_t)sizeof(*words);
}
