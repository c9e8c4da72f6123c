/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sections of kernels are called .text.KERNEL; a module that the runtime has
 * loaded and given to a debugger has their addresses in the section headers,
 * one from the compiler has none. [Intel compute-runtime, debug zebin]
 */
#include "report/kernel_names.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/printable.h"

#define SECTION_PREFIX ".text."

/* ------------------------------------------------------------------ */
/* The list                                                             */

static int
add_name(struct kernel_names *names, uint64_t start, uint64_t size,
	 const char *name, const void *code)
{
	struct kernel_name *list =
		reallocarray(names->list, names->count + 1, sizeof(*list));
	char *copy = strdup(name);
	void *code_copy = code && size ? malloc(size) : NULL;

	if (list)
		names->list = list;
	if (!list || !copy) {
		free(copy);
		free(code_copy);
		return -ENOMEM;
	}
	printable_clean(copy);
	if (code_copy)
		memcpy(code_copy, code, size);
	list[names->count++] = (struct kernel_name){
		.start = start,
		.size = size,
		.name = copy,
		.code = code_copy,
	};
	return 0;
}

const struct kernel_name *
kernel_names_find(const struct kernel_names *names, uint64_t address,
		  unsigned address_bits, uint64_t *offset)
{
	const uint64_t mask = address_bits < 64
				      ? (UINT64_C(1) << address_bits) - 1
				      : UINT64_MAX;

	for (size_t i = 0; i < names->count; i++) {
		const struct kernel_name *name = &names->list[i];

		*offset = (address - name->start) & mask;
		if (*offset < name->size)
			return name;
	}
	return NULL;
}

void
kernel_names_finish(struct kernel_names *names)
{
	for (size_t i = 0; i < names->count; i++) {
		free(names->list[i].name);
		free(names->list[i].code);
	}
	free(names->list);
	*names = (struct kernel_names){ 0 };
}

/* ------------------------------------------------------------------ */
/* ELF files                                                            */

struct elf_file {
	const uint8_t *data;
	size_t size;
};

/* Find size bytes at an offset of the file; NULL: it does not have them. */
static const void *
elf_part(const struct elf_file *file, uint64_t offset, uint64_t size)
{
	if (offset > file->size || size > file->size - offset)
		return NULL;
	return file->data + offset;
}

static bool
read_section(const struct elf_file *file, const Elf64_Ehdr *head,
	     unsigned number, Elf64_Shdr *out)
{
	const void *section = elf_part(
		file, head->e_shoff + (uint64_t)number * head->e_shentsize,
		sizeof(*out));

	if (section)
		memcpy(out, section, sizeof(*out));
	return section;
}

/* Find the name of a section, NULL if no 0 ends it within the file. */
static const char *
section_name(const struct elf_file *file, const Elf64_Shdr *names,
	     const Elf64_Shdr *section)
{
	const char *name;

	if (section->sh_name >= names->sh_size)
		return NULL;
	name = elf_part(file, names->sh_offset, names->sh_size);
	if (!name || !memchr(name + section->sh_name, '\0',
			     names->sh_size - section->sh_name))
		return NULL;
	return name + section->sh_name;
}

static int
add_section(const struct elf_file *file, const Elf64_Shdr *section,
	    const Elf64_Shdr *section_names, struct kernel_names *names)
{
	const char *name = section_name(file, section_names, section);
	const size_t prefix = strlen(SECTION_PREFIX);

	if (!name || strncmp(name, SECTION_PREFIX, prefix) != 0)
		return 0;
	if (!section->sh_addr) {
		names->without_address++;
		return 0;
	}
	return add_name(names, section->sh_addr, section->sh_size,
			name + prefix,
			elf_part(file, section->sh_offset, section->sh_size));
}

static bool
is_elf(const struct elf_file *file, Elf64_Ehdr *head)
{
	if (file->size < sizeof(*head))
		return false;
	memcpy(head, file->data, sizeof(*head));
	return !memcmp(head->e_ident, ELFMAG, SELFMAG) &&
	       head->e_ident[EI_CLASS] == ELFCLASS64 &&
	       head->e_ident[EI_DATA] == ELFDATA2LSB &&
	       head->e_shentsize >= sizeof(Elf64_Shdr);
}

static int
add_elf(const struct elf_file *file, struct kernel_names *names)
{
	Elf64_Shdr section, section_names;
	Elf64_Ehdr head;
	int ret = 0;

	if (!is_elf(file, &head) ||
	    !read_section(file, &head, head.e_shstrndx, &section_names))
		return 0;
	for (unsigned i = 0; !ret && i < head.e_shnum; i++) {
		if (!read_section(file, &head, i, &section))
			return 0;
		ret = add_section(file, &section, &section_names, names);
	}
	return ret;
}

/* ------------------------------------------------------------------ */
/* Maps                                                                 */

static int
add_map(FILE *file, struct kernel_names *names)
{
	char *line = NULL;
	size_t size = 0;
	int ret = 0;

	while (!ret && getline(&line, &size, file) > 0) {
		uint64_t start, length;
		int at = 0;

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &start, &length,
			   &at) == 2 &&
		    at && line[at])
			ret = add_name(names, start, length, line + at, NULL);
	}
	free(line);
	return ret;
}

/* ------------------------------------------------------------------ */
/* A folder                                                             */

static bool
is_map(const char *name)
{
	const char *end = strrchr(name, '.');

	return end && !strcmp(end, ".map");
}

static int
add_mapped(int fd, size_t size, struct kernel_names *names)
{
	void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	const struct elf_file file = { .data = data, .size = size };
	int ret;

	if (data == MAP_FAILED)
		return -errno;
	ret = add_elf(&file, names);
	munmap(data, size);
	return ret;
}

/* Add a file; one of neither kind is ignored. Takes the descriptor. */
static int
add_file(int fd, const char *name, struct kernel_names *names)
{
	struct stat status;
	int ret = 0;

	if (fstat(fd, &status) || !S_ISREG(status.st_mode) || !status.st_size) {
		close(fd);
		return 0;
	}
	if (is_map(name)) {
		FILE *file = fdopen(fd, "r");

		if (!file) {
			close(fd);
			return -ENOMEM;
		}
		ret = add_map(file, names);
		fclose(file);
		return ret;
	}
	ret = add_mapped(fd, (size_t)status.st_size, names);
	close(fd);
	return ret;
}

static int
add_folder(DIR *folder, struct kernel_names *names)
{
	const struct dirent *entry;
	int ret = 0;

	while (!ret && (entry = readdir(folder))) {
		int fd = openat(dirfd(folder), entry->d_name,
				O_RDONLY | O_CLOEXEC | O_NONBLOCK);

		if (fd >= 0)
			ret = add_file(fd, entry->d_name, names);
	}
	return ret;
}

int
kernel_names_read(const struct tool *tool, const char *path,
		  struct kernel_names *names)
{
	DIR *folder = opendir(path);
	int ret;

	if (!folder)
		return tool_fail(tool, "%s: %s", path, strerror(errno));
	ret = add_folder(folder, names);
	closedir(folder);
	if (ret)
		return tool_fail(tool, "%s: %s", path, strerror(-ret));
	if (!names->count && names->without_address)
		tool_warn(tool,
			  "%s: none of the %zu kernels in its ELF files has an "
			  "address: those of a compiler have none, a module "
			  "that the runtime has loaded does, and so does a "
			  "file NAME.map with lines \"START SIZE KERNEL\"",
			  path, names->without_address);
	else if (!names->count)
		tool_warn(tool, "%s has no ELF file with kernels of a GPU, and "
				"no map", path);
	return 0;
}
