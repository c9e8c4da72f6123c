/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/drmsim/xe_node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/support/check.h"

/* ------------------------------------------------------------------ */

int
xe_query_once(int fd, uint32_t query, uint32_t *size, void *data)
{
	struct {
		uint64_t extensions;
		uint32_t query, size;
		uint64_t data, reserved[2];
	} arg = { .query = query, .size = *size, .data = (uintptr_t)data };
	int result = node_call(fd, QUERY, &arg);

	*size = arg.size;
	return result;
}

int
xe_query(int fd, uint32_t query, void *data, uint32_t room)
{
	uint32_t size = 0;
	int result = xe_query_once(fd, query, &size, NULL);

	if (result)
		return result;
	ck_assert_uint_le(size, room);
	result = xe_query_once(fd, query, &size, data);
	return result ? result : (int)size;
}

/* ------------------------------------------------------------------ */

int
xe_observe(int fd, uint64_t type, uint64_t op, uint64_t param)
{
	uint64_t arg[4] = { 0, type, op, param };

	return node_call(fd, OBSERVATION, arg);
}

int
xe_add(int fd, const char *uuid, const struct xe_pair *pairs, unsigned count)
{
	struct {
		uint64_t extensions;
		char uuid[36];
		uint32_t count;
		uint64_t pairs;
	} config = { .count = count, .pairs = (uintptr_t)pairs };

	int id;

	ck_assert_uint_eq(sizeof(config), 56);
	memcpy(config.uuid, uuid, 36);
	id = xe_observe(fd, 0, 1, (uintptr_t)&config);
	node_keep_set(fd, id, xe_remove);
	return id;
}

int
xe_remove(int fd, int id)
{
	uint64_t number = (uint64_t)id;

	return xe_observe(fd, 0, 2, (uintptr_t)&number);
}

/* ------------------------------------------------------------------ */

uint64_t
xe_chain(struct xe_link *links, const struct xe_property *properties,
	 unsigned count)
{
	ck_assert_uint_eq(sizeof(*links), 48);
	for (unsigned i = 0; i < count; i++)
		links[i] = (struct xe_link){
			.next = i + 1 < count ? (uintptr_t)&links[i + 1] : 0,
			.property = properties[i].id,
			.value = properties[i].value,
		};
	return (uintptr_t)links;
}

int
xe_stream(int fd, const struct xe_property *properties, unsigned count)
{
	struct xe_link links[20];
	int stream;

	ck_assert_uint_le(count, 20);
	stream = xe_observe(fd, 0, 0, xe_chain(links, properties, count));
	node_keep(stream);
	return stream;
}

void
xe_set_nonblocking(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	ck_assert_int_ge(flags, 0);
	ck_assert_int_eq(fcntl(fd, F_SETFL, flags | O_NONBLOCK), 0);
}

int
xe_oag(int fd, int id, unsigned exponent)
{
	const struct xe_property properties[] = {
		{ 2, 1 },
		{ 3, (uint64_t)id },
		{ 4, PEC64U64 },
		{ 5, exponent },
	};
	int stream = xe_stream(fd, properties, 4);

	if (stream >= 0)
		xe_set_nonblocking(stream);
	return stream;
}

int
xe_read(int fd, void *data, size_t size)
{
	ssize_t got = read(fd, data, size);

	return got < 0 ? -errno : (int)got;
}

uint64_t
xe_u64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* ------------------------------------------------------------------ */
