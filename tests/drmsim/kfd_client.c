/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/drmsim/kfd_client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "tests/support/check.h"

#define NODES "/sys/class/kfd/kfd/topology/nodes/"

uint64_t
kfd_get64(const struct kfd_words *words, size_t offset)
{
	uint64_t value;

	memcpy(&value, (const char *)words + offset, sizeof(value));
	return value;
}

void
kfd_put64(struct kfd_words *words, size_t offset, uint64_t value)
{
	memcpy((char *)words + offset, &value, sizeof(value));
}

int
kfd_ask(int fd, unsigned code, void *argument)
{
	return ioctl(fd, (unsigned long)code, argument) < 0 ? -errno : 0;
}

static int
open_node(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	ck_assert_msg(fd >= 0, "%s: %s", path, strerror(errno));
	return fd;
}

int
kfd_open(void)
{
	return open_node("/dev/kfd");
}

int
kfd_open_render(unsigned minor)
{
	char path[40];

	snprintf(path, sizeof(path), "/dev/dri/renderD%u", minor);
	return open_node(path);
}

static void
read_text(unsigned node, const char *file, char *text, size_t size)
{
	char path[120];
	FILE *in;

	snprintf(path, sizeof(path), NODES "%u/%s", node, file);
	in = fopen(path, "re");
	ck_assert_msg(in != NULL, "%s: %s", path, strerror(errno));
	/* a line before the first one */
	text[0] = '\n';
	text[1 + fread(text + 1, 1, size - 2, in)] = '\0';
	fclose(in);
}

uint32_t
kfd_gpu_id(unsigned node)
{
	char text[80];

	read_text(node, "gpu_id", text, sizeof(text));
	return (uint32_t)strtoul(text + 1, NULL, 10);
}

bool
kfd_node_has(unsigned node, const char *file, const char *line)
{
	char text[3000], whole[120];

	read_text(node, file, text, sizeof(text));
	snprintf(whole, sizeof(whole), "\n%s\n", line);
	return strstr(text, whole) != NULL;
}

uint64_t
kfd_node_value(unsigned node, const char *name)
{
	char text[3000], line[120];
	const char *at;

	read_text(node, "properties", text, sizeof(text));
	snprintf(line, sizeof(line), "\n%s ", name);
	at = strstr(text, line);
	ck_assert_msg(at != NULL, "%s", name);
	return strtoull(at + strlen(line), NULL, 10);
}

int
kfd_acquire(int kfd, int render, uint32_t gpu_id)
{
	struct kfd_words words = { .at = { (uint32_t)render, gpu_id } };

	return kfd_ask(kfd, ACQUIRE_VM, &words);
}

int
kfd_alloc(int kfd, struct kfd_area *area)
{
	return kfd_ask(kfd, ALLOC_MEMORY, area);
}

int
kfd_free(int kfd, uint64_t handle)
{
	return kfd_ask(kfd, FREE_MEMORY, &handle);
}

static int
change_mapping(int kfd, unsigned code, uint64_t handle, const uint32_t *ids,
	       uint32_t count)
{
	struct kfd_words words = { .at = { [4] = count } };
	int error;

	kfd_put64(&words, 0, handle);
	kfd_put64(&words, 8, (uintptr_t)ids);
	error = kfd_ask(kfd, code, &words);
	if (!error)
		ck_assert_uint_eq(words.at[5], count);
	return error;
}

int
kfd_map(int kfd, uint64_t handle, const uint32_t *ids, uint32_t count)
{
	return change_mapping(kfd, MAP_MEMORY, handle, ids, count);
}

int
kfd_unmap(int kfd, uint64_t handle, const uint32_t *ids, uint32_t count)
{
	return change_mapping(kfd, UNMAP_MEMORY, handle, ids, count);
}

int
kfd_create_event(int kfd, struct kfd_event_args *event)
{
	return kfd_ask(kfd, CREATE_EVENT, event);
}

uint32_t
kfd_make_event(int kfd, bool auto_reset)
{
	struct kfd_event_args event = { .auto_reset = auto_reset };

	ck_assert_int_eq(kfd_create_event(kfd, &event), 0);
	return event.id;
}

int
kfd_of_event(int kfd, unsigned code, uint32_t id)
{
	uint32_t words[2] = { id };

	return kfd_ask(kfd, code, words);
}

int
kfd_wait(int kfd, struct kfd_told *events, uint32_t count, bool all,
	 uint32_t timeout_ms, uint32_t *result)
{
	struct kfd_words words = { .at = { [2] = count, all, timeout_ms } };
	int error;

	kfd_put64(&words, 0, (uintptr_t)events);
	error = kfd_ask(kfd, WAIT_EVENTS, &words);
	if (result)
		*result = words.at[5];
	return error ? error : (int)words.at[5];
}
