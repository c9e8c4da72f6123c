/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iga64 -d -Xprint-pc prints a line for each instruction behind its offset in
 * hexadecimal, and a line for each label:
 *
 *	L0:
 *	/+ [0010]  +/         add (16|M0)   r3.0<1>:f   r1.0<1;1,0>:f ...
 *
 * with asterisks in place of the plus signs. [intel-graphics-compiler
 * visa/iga]
 */
#include "report/disassembly.h"

#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/printable.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* No program of a GPU has a longer listing. */
#define LISTING_MAX ((off_t)256 << 20)

extern char **environ;

/*
 * How iga64 calls what the GPUs execute; a product's name may follow. [visa/iga
 * Models.cpp; visa BinaryEncodingIGA.cpp: one name for both kinds of Xe3p]
 */
static const struct {
	const char *chip, *platform;
} platforms[] = {
	{ "Ponte Vecchio", "-p=xehpc" },   { "Lunar Lake", "-p=xe2" },
	{ "Battlemage", "-p=xe2" },	   { "Panther Lake", "-p=xe3" },
	{ "Nova Lake S", "-p=xe3" },	   { "Nova Lake P", "-p=xe3pxpc" },
	{ "Crescent Island", "-p=xe3pxpc" },
};

static const char *
find_platform(const char *chip)
{
	for (size_t i = 0; i < ARRAY_SIZE(platforms); i++) {
		if (!strncmp(platforms[i].chip, chip,
			     strlen(platforms[i].chip)))
			return platforms[i].platform;
	}
	return NULL;
}

/* Open a file in memory that begins with the code. */
static int
open_memory(const void *code, size_t size)
{
	int fd = memfd_create("drmperf", MFD_CLOEXEC);

	if (fd < 0)
		return -1;
	if (size && (write(fd, code, size) != (ssize_t)size ||
		     lseek(fd, 0, SEEK_SET) < 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Returns whether it ended well. */
static bool
run_iga(const char *platform, int input, int output)
{
	const char *const arguments[] = { "iga64",    "-d", "-Xprint-pc",
					  platform, "/dev/stdin", NULL };
	posix_spawn_file_actions_t actions;
	int status = 1;
	pid_t pid;

	if (posix_spawn_file_actions_init(&actions))
		return false;
	if (!posix_spawn_file_actions_adddup2(&actions, input, 0) &&
	    !posix_spawn_file_actions_adddup2(&actions, output, 1) &&
	    !posix_spawn_file_actions_addopen(&actions, 2, "/dev/null",
					      O_WRONLY, 0) &&
	    !posix_spawnp(&pid, arguments[0], &actions, NULL,
			  (char *const *)(uintptr_t)arguments, environ) &&
	    waitpid(pid, &status, 0) != pid)
		status = 1;
	posix_spawn_file_actions_destroy(&actions);
	return !status;
}

static char *
read_listing(int fd)
{
	struct stat info;
	char *text;

	if (fstat(fd, &info) || info.st_size > LISTING_MAX)
		return NULL;
	text = malloc((size_t)info.st_size + 1);
	if (!text)
		return NULL;
	if (pread(fd, text, (size_t)info.st_size, 0) != info.st_size) {
		free(text);
		return NULL;
	}
	text[info.st_size] = '\0';
	return text;
}

void
disassembly_make(const char *chip, const void *code, size_t size,
		 struct disassembly *out)
{
	const char *platform = find_platform(chip);
	int input, output;

	out->listing = NULL;
	if (!platform)
		return;
	input = open_memory(code, size);
	output = open_memory(NULL, 0);
	if (input >= 0 && output >= 0 && run_iga(platform, input, output))
		out->listing = read_listing(output);
	if (input >= 0)
		close(input);
	if (output >= 0)
		close(output);
}

/* Copy a line with single blanks in place of the columns'. */
static void
copy_line(const char *line, char text[DISASSEMBLY_TEXT_SIZE])
{
	size_t length = 0;

	for (; *line && *line != '\n' && length < DISASSEMBLY_TEXT_SIZE - 1;
	     line++) {
		const char c = *line == '\t' ? ' ' : *line;

		if (c != ' ' || (length && text[length - 1] != ' '))
			text[length++] = c;
	}
	if (length && text[length - 1] == ' ')
		length--;
	text[length] = '\0';
	printable_clean(text);
}

const char *
disassembly_find(const struct disassembly *disassembly, uint64_t offset,
		 char text[DISASSEMBLY_TEXT_SIZE])
{
	const char *line = disassembly->listing;

	while (line && *line) {
		uint64_t at;
		int end = 0;

		if (sscanf(line, "/* [%" SCNx64 "] */%n", &at, &end) == 1 &&
		    end && at == offset) {
			copy_line(line + end, text);
			return text;
		}
		line = strchr(line, '\n');
		line += line != NULL;
	}
	return NULL;
}

void
disassembly_finish(struct disassembly *disassembly)
{
	free(disassembly->listing);
	disassembly->listing = NULL;
}
