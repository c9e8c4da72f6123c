/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What clients of simulated GPUs see of themselves in fdinfo. Runs itself below
 * drmsim, in virtual time.
 */
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Return the number behind a key of /proc/PID/fdinfo/FD, or UINT64_MAX. */
static uint64_t
client_value(const char *process, int fd, const char *key)
{
	char path[64], line[128];
	uint64_t value = UINT64_MAX;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/fdinfo/%d", process, fd);
	file = fopen(path, "re");
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, key, strlen(key)) == 0 &&
		    line[strlen(key)] == ':')
			value = strtoull(line + strlen(key) + 1, NULL, 10);
	}
	fclose(file);
	return value;
}

static int
open_node(unsigned minor)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/dri/renderD%u", minor);
	fd = open(path, O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	return fd;
}

static const struct client_value {
	unsigned gpu;
	const char *key, *value; /* of a setting */
	const char *name;
	uint64_t expected; /* after 100 ms */
} client_values[] = {
	{ 0, "kernel", "6.12", "drm-engine-render", 12 * MS },
	{ 0, "client-busy", "rcs 50", "drm-engine-render", 50 * MS },
	{ 0, "client-busy", "vcs 1", "drm-engine-video", 1 * MS },
	{ 0, "kernel", "6.12", "drm-engine-compute", UINT64_MAX },
	{ 0, "client-memory", "3145728", "drm-total-system0", 3 },
	{ 0, "kernel", "6.1", "drm-total-system0", UINT64_MAX },
	{ 2, "kernel", "6.12", "drm-resident-local0", 8 },
	{ 2, "kernel", "6.12", "drm-engine-capacity-video", 2 },
	{ 3, "client-busy", "gfx 25", "drm-engine-gfx", 25 * MS },
	{ 3, "client-busy", "dma 0", "drm-engine-dma", UINT64_MAX },
	{ 3, "client-memory", "vram 1048576", "drm-memory-vram", 1024 },
};

TEST_CASE(clients, NULL, NULL, "drmsim_clients");

TEST_LOOP(clients, client_of_a_node, ARRAY_SIZE(client_values))
{
	const struct client_value *c = &client_values[_i];
	char key[32], self[16];
	int fd = open_node(128 + c->gpu), copy;

	snprintf(key, sizeof(key), "gpu%u.%s", c->gpu, c->key);
	scene_set(key, c->value);
	scene_pass(100 * MS);
	ck_assert_uint_eq(client_value("self", fd, c->name), c->expected);
	snprintf(self, sizeof(self), "%d", (int)getpid());
	ck_assert_uint_eq(client_value(self, fd, c->name), c->expected);
	/* copies of a descriptor are one client */
	copy = dup(fd);
	ck_assert_uint_eq(client_value("self", copy, "drm-client-id"),
			  client_value("self", fd, "drm-client-id"));
	close(copy);
	copy = open_node(128 + c->gpu);
	ck_assert_uint_ne(client_value("self", copy, "drm-client-id"),
			  client_value("self", fd, "drm-client-id"));
	close(copy);
	close(fd);
	scene_set("gpu0.kernel", "6.12");
}

/* Look as tools do for clients: folders opened, names within them. */
TEST(clients, client_by_folder)
{
	int node = open_node(128), folder, fd, host;
	char name[16], text[512] = "";
	struct stat status;

	snprintf(name, sizeof(name), "%d", node);
	folder = open("/proc/self/fdinfo", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_gt(read(fd, text, sizeof(text) - 1), 0);
	ck_assert_ptr_nonnull(strstr(text, "drm-pdev:\t0000:00:02.0\n"));
	ck_assert_ptr_nonnull(strstr(text, "pos:\t0\n"));
	close(fd);
	close(folder);

	folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_eq(fstatat(folder, name, &status, 0), 0);
	ck_assert(S_ISCHR(status.st_mode));
	ck_assert_uint_eq(status.st_rdev, makedev(226, 128));

	/* what is not ours is as it was, wherever its offset stands */
	host = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	lseek(host, (off_t)client_value("self", node, "drm-client-id"),
	      SEEK_SET);
	ck_assert_uint_eq(client_value("self", host, "drm-client-id"),
			  UINT64_MAX);
	close(host);
	close(folder);
	close(node);
}

TEST_MACHINE("drmsim_clients", "--time", "virtual", "--gpu", "skl", "--gpu",
	     "mtl", "--gpu", "acmgt3", "--gpu", "vega20");
