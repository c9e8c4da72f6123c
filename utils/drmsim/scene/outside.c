/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/protocol.h"
#include "machine/machine.h"
#include "machine/root.h"

/* ---- kinds */

static const struct {
	const char *name;
	int errors[2]; /* the only ones, if any are named */
} kinds[PROTOCOL_OUTSIDE_KINDS] = {
	[PROTOCOL_OUTSIDE_FILE_OPEN] = { "file_open", { 0 } },
	[PROTOCOL_OUTSIDE_FILE_READ] = { "file_read", { 0 } },
	[PROTOCOL_OUTSIDE_STAT] = { "stat", { 0 } },
	[PROTOCOL_OUTSIDE_FSTAT] = { "fstat", { 0 } },
	[PROTOCOL_OUTSIDE_GETDENTS] = { "getdents", { 0 } },
	[PROTOCOL_OUTSIDE_FLOCK] = { "flock", { 0 } },
	[PROTOCOL_OUTSIDE_DUP] = { "dup", { 0 } },
	[PROTOCOL_OUTSIDE_EVENTFD] = { "eventfd", { 0 } },
	[PROTOCOL_OUTSIDE_THREAD] = { "thread", { EAGAIN, EPERM } },
	[PROTOCOL_OUTSIDE_MALLOC] = { "malloc", { ENOMEM, ENOMEM } },
};

int
sim_outside_find(const char *name)
{
	for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(name, kinds[i].name) == 0)
			return (int)i;
	return -1;
}

const char *
sim_outside_name(unsigned kind)
{
	return kinds[kind].name;
}

bool
sim_outside_can_fail(unsigned kind, int error)
{
	const int *errors = kinds[kind].errors;

	return !errors[0] || error == errors[0] || error == errors[1];
}

/* ---- the page */

int
sim_outside_create(struct sim *sim)
{
	char path[PATH_MAX];
	struct protocol_outside *page = MAP_FAILED;
	int fd, error = sim_root_path(sim, "/" PROTOCOL_OUTSIDE, path,
				      sizeof(path));

	if (error)
		return error;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	if (!ftruncate(fd, sizeof(*page)))
		page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE,
			    MAP_SHARED, fd, 0);
	error = page == MAP_FAILED ? -errno : 0;
	close(fd);
	if (!error)
		sim->outside = page;
	return error;
}

void
sim_outside_destroy(struct sim *sim)
{
	if (sim->outside)
		munmap(sim->outside, sizeof(*sim->outside));
	sim->outside = NULL;
}

uint64_t
sim_outside_calls(const struct sim *sim, unsigned kind)
{
	return sim->outside ? sim->outside->kinds[kind].calls : 0;
}

int
sim_outside_ask_from(struct sim *sim, unsigned kind, uint64_t n)
{
	if (!sim->outside)
		return -ENODEV;
	sim->outside->kinds[kind].ask_from = n;
	return 0;
}

void
sim_outside_write_calls(const struct sim *sim, FILE *out)
{
	for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++)
		if (sim->outside && sim->outside->kinds[i].ask_from)
			fprintf(out, "calls kind=%s count=%llu\n",
				kinds[i].name,
				(unsigned long long)sim_outside_calls(sim, i));
}
