/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernel/fdinfo.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel/call.h"
#include "kernel/file.h"
#include "kernel/node.h"
#include "machine/driver.h"
#include "machine/gpu.h"

void
sim_fdinfo_put_memory(FILE *out, const char *what, const char *region,
		      uint64_t bytes)
{
	static const char *const units[] = { "", " KiB", " MiB" };
	unsigned unit = 0;

	while (unit < 2 && bytes && bytes % 1024 == 0) {
		bytes /= 1024;
		unit++;
	}
	fprintf(out, "drm-%s-%s:\t%" PRIu64 "%s\n", what, region, bytes,
		units[unit]);
}

/* Copy the real file's lines, but for the offset, which is our identity. */
static uint64_t
copy_common(FILE *from, FILE *out)
{
	char line[256];
	unsigned long long id = 0;

	while (fgets(line, sizeof(line), from)) {
		if (sscanf(line, "pos: %llu", &id) == 1)
			fprintf(out, "pos:\t0\n");
		else if (strncmp(line, "lock:", 5) != 0)
			fputs(line, out);
	}
	return id;
}

static int
write_lines(struct sim *sim, pid_t pid, int fd, FILE *out)
{
	char path[64];
	struct sim_file *file;
	uint64_t id;
	FILE *real;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", (int)pid, fd);
	real = fopen(path, "re");
	if (!real)
		return -ENOENT;
	id = copy_common(real, out);
	fclose(real);
	file = sim_node_file(sim, id);
	if (!file)
		return -ENOENT;
	if (!file->gpu || !file->gpu->driver->fdinfo)
		return 0;
	fprintf(out, "drm-driver:\t%s\n", file->gpu->driver->name);
	fprintf(out, "drm-client-id:\t%u\n", file->client);
	fprintf(out, "drm-pdev:\t%s\n", file->gpu->address);
	file->gpu->driver->fdinfo(file, out);
	return 0;
}

int
sim_fdinfo(struct sim_call *call)
{
	pid_t pid = (pid_t)call->request.a;
	int fd = (int)call->request.b, memory, error;
	FILE *out;

	if (!sim_node_is_open(call->sim, pid, fd))
		return -ENOENT;
	memory = memfd_create("fdinfo", MFD_CLOEXEC);
	if (memory < 0)
		return -errno;
	out = fdopen(memory, "w");
	if (!out) {
		close(memory);
		return -ENOMEM;
	}
	error = write_lines(call->sim, pid, fd, out);
	fflush(out);
	rewind(out);
	if (!error)
		error = sim_call_give_fd(call, memory, true, 0);
	fclose(out);
	return error;
}
