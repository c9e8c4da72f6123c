/* SPDX-License-Identifier: BSD-3-Clause */
#include "bus/plug.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/word.h"
#include "bus/description.h"
#include "bus/device_files.h"
#include "kfd/kfd.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"
#include "machine/machine.h"
#include "scene/setting.h"

#define OPTIONS_MAX 16

/* Linux amdgpu_xcp.h, MAX_XCP: nodes for all that a GPU may be cut into. */
#define PARTITIONS_MAX 8

static const struct sim_driver *const drivers[] = {
	&sim_driver_amdgpu,
	&sim_driver_i915,
	&sim_driver_xe,
};

/* A GPU while it is being made. */
struct gpu_entry {
	struct sim_gpu gpu;
	struct sim_text *description;
	char *spec; /* cut up; the options' words stand in it */
	struct {
		const char *key, *value;
	} options[OPTIONS_MAX];
	unsigned option_count;
	unsigned node_mode;
};

static struct gpu_entry *
entry_of(struct sim_gpu *gpu)
{
	return (struct gpu_entry *)gpu;
}

SIM_PRINTF(3, 4)
static int
plug_fail(char *error, size_t size, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(error, size, format, list);
	va_end(list);
	return -EINVAL;
}

/* ---- requests */

static void
cut_options(struct gpu_entry *entry)
{
	char *p = strchr(entry->spec, ',');

	while (p && entry->option_count < OPTIONS_MAX) {
		*p++ = '\0';
		char *key = p, *value;
		p = strchr(p, ',');
		if (p)
			*p = '\0';
		value = strchr(key, '=');
		if (value)
			*value++ = '\0';
		entry->options[entry->option_count].key = key;
		entry->options[entry->option_count].value = value ? value : "1";
		entry->option_count++;
		if (p)
			*p = ',';
	}
}

static int
parse_address(const char *word, struct sim_gpu *gpu)
{
	char rest;

	if (sscanf(word, "%x:%x:%x.%x%c", &gpu->pci.domain, &gpu->pci.bus,
		   &gpu->pci.device, &gpu->pci.function, &rest) != 4)
		return -EINVAL;
	return 0;
}

/* Take the options that do not wait for the driver. */
static int
take_common_options(struct gpu_entry *entry, bool *has_address)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < entry->option_count; i++) {
		const char *key = entry->options[i].key;
		const char *value = entry->options[i].value;
		int flag = sim_word_bool(value);
		char *end;
		if (strcmp(key, "node-mode") == 0) {
			entry->node_mode = (unsigned)strtoul(value, &end, 8);
			if (*end || entry->node_mode > 0777)
				return -EINVAL;
		} else if (strcmp(key, "driver") == 0) {
			; /* see choose_driver() */
		} else if (strcmp(key, "address") == 0) {
			if (parse_address(value, &entry->gpu))
				return -EINVAL;
			*has_address = true;
		} else if (strcmp(key, "revision") == 0) {
			uint64_t revision;
			if (sim_word_u64(value, &revision) ||
			    revision > UINT8_MAX)
				return -EINVAL;
			entry->gpu.pci.revision = (uint8_t)revision;
		} else if (strcmp(key, "runtime-suspended") == 0) {
			if (flag < 0)
				return -EINVAL;
			entry->gpu.suspended = flag;
		} else {
			entry->options[kept++] = entry->options[i];
		}
	}
	entry->option_count = kept;
	return 0;
}

static bool
address_is_taken(const struct sim *sim, const struct sim_gpu *gpu)
{
	for (unsigned i = 0; i < sim->gpu_count; i++)
		if (sim->gpus[i]->pci.domain == gpu->pci.domain &&
		    sim->gpus[i]->pci.bus == gpu->pci.bus &&
		    sim->gpus[i]->pci.device == gpu->pci.device &&
		    sim->gpus[i]->pci.function == gpu->pci.function)
			return true;
	return false;
}

static const struct sim_driver *
find_driver(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(drivers); i++)
		if (strcmp(drivers[i]->name, name) == 0)
			return drivers[i];
	return NULL;
}

/*
 * Return the first driver that the line names, or the requested one; NULL if
 * the line does not name that.
 */
static const struct sim_driver *
choose_driver(const struct gpu_entry *entry, const struct sim_line *line)
{
	const char *wanted = line->words[1];

	for (unsigned i = 0; i < entry->option_count; i++) {
		if (strcmp(entry->options[i].key, "driver") == 0)
			wanted = entry->options[i].value;
	}
	for (size_t i = 1; i < line->count; i++) {
		if (strcmp(line->words[i], wanted) == 0)
			return find_driver(wanted);
	}
	return NULL;
}

static int
read_identity(struct gpu_entry *entry)
{
	const struct sim_text *text = entry->description;
	const struct sim_line *driver = sim_text_find(text, "driver");
	const struct sim_line *pci = sim_text_find(text, "pci");
	struct sim_gpu *gpu = &entry->gpu;

	/* known already, by whichever name the GPU was asked for */
	sim_text_find(text, "alias");
	sim_text_find(text, "called"); /* for lists of kinds */
	if (!driver || driver->count < 2 || !pci || pci->count < 2)
		return -EINVAL;
	gpu->driver = choose_driver(entry, driver);
	*driver->is_bad = !gpu->driver;
	*pci->is_bad = parse_address(pci->words[1], gpu);
	gpu->pci.vendor =
		(uint16_t)sim_text_number(text, "id", 1, UINT16_MAX, 0);
	gpu->pci.device_id =
		(uint16_t)sim_text_number(text, "id", 2, UINT16_MAX, 0);
	gpu->pci.subvendor = (uint16_t)sim_text_number(
		text, "subsystem", 1, UINT16_MAX, gpu->pci.vendor);
	gpu->pci.subdevice = (uint16_t)sim_text_number(
		text, "subsystem", 2, UINT16_MAX, gpu->pci.device_id);
	gpu->pci.revision =
		(uint8_t)sim_text_number(text, "revision", 1, UINT8_MAX, 0);
	gpu->pci.class =
		(uint32_t)sim_text_number(text, "class", 1, 0xffffff, 0x030000);
	/* made when the driver is loaded, whatever the mode is then */
	gpu->partitions =
		sim_text_number(text, "compute-dies", 1, UINT_MAX, 1) > 1
			? PARTITIONS_MAX
			: 1;
	for (unsigned i = 0; i < 3 && gpu->driver; i++)
		gpu->version[i] = (int)sim_text_number(
			text, "drm-version", i + 1, INT_MAX,
			(uint64_t)gpu->driver->version[i]);
	return 0;
}

/* Complain about a line that could not be parsed. */
static int
check_lines(const struct sim_text *text, char *error, size_t size)
{
	const struct sim_line *bad = sim_text_bad(text);

	if (!bad)
		return 0;
	return plug_fail(error, size, "%s:%u: bad '%s'", bad->path, bad->number,
			 bad->words[0]);
}

static void
entry_free(struct gpu_entry *entry)
{
	sim_text_free(entry->description);
	free(entry->spec);
	free(entry);
}

int
sim_gpu_plug(struct sim *sim, const char *spec, char *error, size_t size)
{
	struct gpu_entry *entry;
	bool has_address = false;
	unsigned line = 0;
	int result;

	if (sim->gpu_count == SIM_GPUS_MAX)
		return plug_fail(error, size, "at most %d GPUs", SIM_GPUS_MAX);
	entry = calloc(1, sizeof(*entry));
	if (!entry || !(entry->spec = strdup(spec))) {
		free(entry);
		return plug_fail(error, size, "out of memory");
	}
	entry->gpu.sim = sim;
	entry->node_mode = 0666;
	cut_options(entry);
	snprintf(entry->gpu.kind, sizeof(entry->gpu.kind), "%s", entry->spec);
	result = sim_description_read(entry->spec, &entry->description, &line);
	if (result == -ENOENT)
		plug_fail(error, size,
			  "no GPU is called '%s'; --list names them",
			  entry->spec);
	else if (result)
		plug_fail(error, size, "description of '%s', line %u: %s",
			  entry->spec, line, strerror(-result));
	else if ((result = read_identity(entry)))
		plug_fail(error, size,
			  "description of '%s' lacks driver or pci",
			  entry->spec);
	else if ((result = check_lines(entry->description, error, size)))
		; /* error has the reason */
	else if ((result = take_common_options(entry, &has_address)))
		plug_fail(error, size, "bad option value in '%s'", spec);
	if (result) {
		entry_free(entry);
		return -EINVAL;
	}
	while (!has_address && address_is_taken(sim, &entry->gpu)) {
		if (entry->gpu.pci.bus)
			entry->gpu.pci.bus++;
		else
			entry->gpu.pci.device++;
	}
	sim->gpus[sim->gpu_count++] = &entry->gpu;
	return 0;
}

/* ---- start and end */

static uint64_t
order_of(const struct sim_gpu *gpu)
{
	return (uint64_t)gpu->pci.domain << 32 | gpu->pci.bus << 16 |
	       gpu->pci.device << 8 | gpu->pci.function;
}

static int
by_address(const void *a, const void *b)
{
	uint64_t left = order_of(*(struct sim_gpu *const *)a);
	uint64_t right = order_of(*(struct sim_gpu *const *)b);

	return left < right ? -1 : left > right;
}

/* Write the files that the description has, as other parts of the kernel do. */
static void
put_files(struct sim_gpu *gpu, const struct sim_text *text)
{
	sim_text_find(text, "file"); /* all of them are read */
	for (size_t i = 0; i < text->count; i++) {
		const struct sim_line *line = &text->lines[i];
		struct sim_words words = sim_line_rest(line);

		if (strcmp(line->words[0], "file") == 0)
			*line->is_bad = sim_gpu_set_file(gpu, &words) != 0;
	}
}

static int
start_one(struct sim_gpu *gpu, char *error, size_t size)
{
	struct gpu_entry *entry = entry_of(gpu);
	int result = sim_device_files_create(gpu, entry->node_mode);
	const struct sim_line *unread;

	if (result)
		return plug_fail(error, size, "cannot make the files of %s: %s",
				 gpu->kind, strerror(-result));
	put_files(gpu, entry->description);
	result = gpu->driver->probe(gpu, entry->description);
	if (check_lines(entry->description, error, size))
		return -EINVAL;
	if (result)
		return plug_fail(error, size,
				 "%s: description not understood: %s",
				 gpu->kind, strerror(-result));
	unread = sim_text_unread(entry->description);
	if (unread)
		return plug_fail(error, size, "%s:%u: unknown key '%s'",
				 unread->path, unread->number,
				 unread->words[0]);
	for (unsigned i = 0; i < entry->option_count; i++) {
		result = sim_gpu_set(gpu, entry->options[i].key,
				     entry->options[i].value);
		if (result)
			return plug_fail(error, size, "%s: option '%s=%s': %s",
					 gpu->kind, entry->options[i].key,
					 entry->options[i].value,
					 result == -ENOENT ? "unknown"
							   : "bad value");
	}
	return 0;
}

/*
 * Return the mode of the nodes. A file that is of all GPUs has the permissions
 * that all nodes have.
 */
static unsigned
mode_of_nodes(const struct sim *sim)
{
	unsigned mode = 0666;

	for (unsigned i = 0; i < sim->gpu_count; i++)
		mode &= entry_of(sim->gpus[i])->node_mode;
	return mode;
}

int
sim_gpus_start(struct sim *sim, char *error, size_t size)
{
	unsigned minor = 0, platform = 0;
	int result;

	qsort(sim->gpus, sim->gpu_count, sizeof(sim->gpus[0]), by_address);
	for (unsigned i = 0; i < sim->gpu_count; i++) {
		struct sim_gpu *gpu = sim->gpus[i];
		if (i && order_of(sim->gpus[i - 1]) == order_of(gpu))
			return plug_fail(error, size,
					 "two GPUs have one address");
		gpu->index = i;
		gpu->card = minor;
		gpu->render = 128 + minor;
		gpu->platform = platform;
		minor += gpu->partitions;
		platform += gpu->partitions - 1;
		snprintf(gpu->address, sizeof(gpu->address),
			 "%04x:%02x:%02x.%x", gpu->pci.domain & 0xffff,
			 gpu->pci.bus & 0xff, gpu->pci.device & 0x1f,
			 gpu->pci.function & 7);
		if (start_one(gpu, error, size))
			return -EINVAL;
	}
	result = kfd_start(sim, mode_of_nodes(sim));
	if (result)
		return plug_fail(error, size, "cannot make /dev/kfd: %s",
				 strerror(-result));
	return 0;
}

void
sim_gpus_stop(struct sim *sim)
{
	kfd_stop(sim);
	for (unsigned i = 0; i < sim->gpu_count; i++) {
		struct sim_gpu *gpu = sim->gpus[i];
		if (gpu->data)
			gpu->driver->remove(gpu);
		sim_gpu_forget_folders(gpu);
		entry_free(entry_of(gpu));
	}
	sim->gpu_count = 0;
}
