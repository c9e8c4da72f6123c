/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/error_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"

/* AMDGPU_FAMILY_AI: later ones show 0 replays, as they have no such counter. */
#define FAMILY_AI 141

/* The blocks as the kernel's files are called, and what they are. */
static const struct {
	const char *file, *name, *what;
} blocks[] = {
	{ "umc", "umc", "memory" },
	{ "gfx", "gfx", "the graphics core" },
	{ "sdma", "sdma", "the copy engines" },
	{ "mmhub", "mmhub", "the hub of video and copies" },
	{ "athub", "athub", "the hub of address translation" },
	{ "pcie_bif", "pcie-bif", "the interface to PCIe" },
	{ "hdp", "hdp", "the path of the host's accesses" },
	{ "xgmi_wafl", "xgmi-wafl", "links to other GPUs" },
	{ "df", "df", "the data fabric" },
	{ "smn", "smn", "the network of registers" },
	{ "sem", "sem", "semaphores" },
	{ "mp0", "mp0", "the security processor" },
	{ "mp1", "mp1", "the power processor" },
	{ "fuse", "fuse", "fuses" },
	{ "mca", "mca", "the machine check banks" },
	{ "vcn", "vcn", "the video engines" },
	{ "jpeg", "jpeg", "the JPEG engines" },
	{ "ih", "ih", "the interrupt handler" },
	{ "mpio", "mpio", "the input and output processor" },
};

static const struct severity {
	const char *key, *name, *what;
} severities[] = {
	{ "ce", "correctable", "were corrected" },
	{ "ue", "uncorrectable", "could not be corrected" },
	{ "de", "deferred",
	  "could not be corrected and do no harm until the data is used" },
};

_Static_assert(ARRAY_SIZE(blocks) * ARRAY_SIZE(severities) < ERROR_FILES_MAX,
	       "there is room for all");

/* Read the number in the line that begins with the key. */
static int
parse_line(const char *text, const char *key, uint64_t *value)
{
	size_t length = strlen(key);

	while (text) {
		if (!strncmp(text, key, length) && text[length] == ':') {
			char *end;

			text += length + 1;
			*value = strtoull(text, &end, 10);
			return end == text ? -EBADMSG : 0;
		}
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return -EBADMSG;
}

int
error_file_read(const struct error_file *file, uint64_t *value)
{
	char text[128];
	ssize_t length;
	int fd, ret;

	if (!file->key)
		return sensor_read_file(file->path, value);
	fd = open(file->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	length = read(fd, text, sizeof(text) - 1);
	ret = length < 0 ? -errno : 0;
	close(fd);
	if (ret)
		return ret;
	text[length] = '\0';
	/* "Query currently inaccessible" */
	return !strncmp(text, "Query", 5) ? -EBUSY
					  : parse_line(text, file->key, value);
}

static int
add_sensor(const struct error_file *file, const char *name,
	   const char *description, struct sensor *list,
	   struct error_file *files, size_t *count)
{
	if (!name || !description)
		return -ENOMEM;
	files[*count] = *file;
	list[(*count)++] = (struct sensor){
		.name = name,
		.description = description,
		.unit = DRMPERF_UNIT_EVENTS,
		.kind = DRMPERF_KIND_CUMULATIVE,
		.bits = 64,
		.scale = 1,
		.wakes = true,
	};
	return 0;
}

/*
 * Add the counts of errors of a block. Deferred errors are those of memory
 * alone, and newer kernels'.
 */
static int
add_block(size_t block, const char *path, struct arena *arena,
	  struct sensor *list, struct error_file *files, size_t *count)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < ARRAY_SIZE(severities); i++) {
		const struct severity *severity = &severities[i];
		struct error_file file = { path, severity->key };
		uint64_t value;

		if (!strcmp(severity->key, "de") &&
		    (block || error_file_read(&file, &value)))
			continue;
		ret = add_sensor(
			&file,
			arena_printf(arena, "ras-%s-%s", blocks[block].name,
				     severity->name),
			arena_printf(arena, "Errors of %s that %s (RAS).",
				     blocks[block].what, severity->what),
			list, files, count);
	}
	return ret;
}

int
error_files_find(const char *sysfs, const struct amd_device_info *info,
		 struct arena *arena, struct sensor *list,
		 struct error_file *files, size_t *count)
{
	struct error_file replays = {
		.path = arena_printf(arena, "%s/pcie_replay_count", sysfs),
	};
	int ret = replays.path ? 0 : -ENOMEM;

	if (!ret && info->identity.family <= FAMILY_AI &&
	    !access(replays.path, R_OK))
		ret = add_sensor(&replays, "pcie-replay",
				 "Times that a PCIe packet was refused, by the "
				 "GPU or by the other end.",
				 list, files, count);
	for (size_t i = 0; !ret && i < ARRAY_SIZE(blocks); i++) {
		const char *path = arena_printf(arena, "%s/ras/%s_err_count",
						sysfs, blocks[i].file);

		if (!path)
			return -ENOMEM;
		if (!access(path, R_OK))
			ret = add_block(i, path, arena, list, files, count);
	}
	return ret;
}
