/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/machine_memory.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"

#define PATH "/sys/firmware/dmi/tables/DMI"
#define TABLE_SIZE 65536

#define HEADER_SIZE 4
#define END_OF_TABLE 127
#define MEMORY_DEVICE 17
/* of a memory device */
#define DATA_WIDTH 0x0a
#define SIZE 0x0c /* 0: there is no module */
#define SPEED 0x15 /* in MT/s; 0: not known */
#define CONFIGURED_SPEED 0x20
#define EXTENDED_SPEED 0x54
#define EXTENDED_CONFIGURED_SPEED 0x58
#define UNKNOWN_WIDTH 0xffff
#define IN_EXTENSION 0xffff

/* Return a number of some bytes; 0 if the structure is older than it. */
static uint32_t
read_field(const uint8_t *structure, size_t at, size_t bytes)
{
	uint32_t value = 0;

	if (at + bytes > structure[1])
		return 0;
	for (size_t i = bytes; i--;)
		value = value << 8 | structure[at + i];
	return value;
}

static uint32_t
read_speed(const uint8_t *device, size_t at, size_t extension)
{
	uint32_t speed = read_field(device, at, 2);

	return speed == IN_EXTENSION ? read_field(device, extension, 4) : speed;
}

/* Add a module to the rate. Returns whether its numbers are known. */
static bool
add_device(const uint8_t *device, uint64_t *rate)
{
	uint32_t width = read_field(device, DATA_WIDTH, 2);
	uint32_t speed =
		read_speed(device, CONFIGURED_SPEED, EXTENDED_CONFIGURED_SPEED);

	if (!read_field(device, SIZE, 2))
		return true;
	if (!speed)
		speed = read_speed(device, SPEED, EXTENDED_SPEED);
	if (!width || width == UNKNOWN_WIDTH || !speed)
		return false;
	*rate += (uint64_t)width / 8 * speed * 1000000;
	return true;
}

/* Find the next structure, behind the texts of this one, which end in two 0. */
static size_t
skip_structure(const uint8_t *table, size_t size, size_t at)
{
	at += table[at + 1];
	while (at + 1 < size && (table[at] || table[at + 1]))
		at++;
	return at + 2;
}

uint64_t
machine_memory_rate_of(const uint8_t *table, size_t size)
{
	uint64_t rate = 0;

	for (size_t at = 0; at + HEADER_SIZE <= size;
	     at = skip_structure(table, size, at)) {
		const uint8_t *structure = table + at;

		if (structure[0] == END_OF_TABLE ||
		    structure[1] < HEADER_SIZE || structure[1] > size - at)
			break;
		if (structure[0] == MEMORY_DEVICE &&
		    !add_device(structure, &rate))
			return 0;
	}
	return rate;
}

uint64_t
machine_memory_rate(void)
{
	int fd = open(PATH, O_RDONLY | O_CLOEXEC);
	uint8_t *table = fd < 0 ? NULL : malloc(TABLE_SIZE);
	ssize_t size = table ? file_read(fd, table, TABLE_SIZE) : 0;
	uint64_t rate = 0;

	if (size > 0)
		rate = machine_memory_rate_of(table, (size_t)size);
	free(table);
	if (fd >= 0)
		close(fd);
	return rate;
}
