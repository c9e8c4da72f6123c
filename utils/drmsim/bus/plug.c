/* SPDX-License-Identifier: BSD-3-Clause */
/* From "--gpu vega10,option=value" to a device on the simulated bus. */
#include "machine/core.h"
#include "base/text.h"

#include "base/array.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPTIONS_MAX 16

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
fail(char *error, size_t size, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(error, size, format, list);
	va_end(list);
	return -EINVAL;
}

/* ---- description files */

/* The folder of descriptions: beside the program, installed or just built. */
static DIR *
open_descriptions(char *path, size_t size)
{
	static const char *const places[] = {
		"../share/drmperf/gpus",
		"../../utils/drmsim/gpus",
		"../../../utils/drmsim/gpus",
	};
	const char *chosen = getenv("DRMSIM_GPUS");
	char program[PATH_MAX];
	ssize_t length;
	DIR *directory = NULL;

	if (chosen) {
		snprintf(path, size, "%s", chosen);
		return opendir(path);
	}
	length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	if (length <= 0)
		return NULL;
	program[length] = '\0';
	*strrchr(program, '/') = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(places) && !directory; i++) {
		snprintf(path, size, "%s/%s", program, places[i]);
		directory = opendir(path);
	}
	return directory;
}

static bool
is_description(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 4 && strcmp(entry->d_name + length - 4, ".gpu") == 0;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int
sim_gpus_list(FILE *out)
{
	char path[PATH_MAX + 64];
	char *names[256];
	size_t count = 0;
	DIR *directory = open_descriptions(path, sizeof(path));

	if (!directory)
		return -ENOENT;
	for (struct dirent *e = readdir(directory); e; e = readdir(directory))
		if (is_description(e) && count < ARRAY_SIZE(names))
			names[count++] =
				strndup(e->d_name, strlen(e->d_name) - 4);
	closedir(directory);
	qsort(names, count, sizeof(names[0]), by_name);
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "%s\n", names[i]);
		free(names[i]);
	}
	return 0;
}

static bool
has_alias(const struct sim_text *text, const char *kind)
{
	for (size_t i = 0; i < text->count; i++)
		for (size_t w = 1; w < text->lines[i].count; w++)
			if (strcmp(text->lines[i].words[0], "alias") == 0 &&
			    strcmp(text->lines[i].words[w], kind) == 0)
				return true;
	return false;
}

/* The description whose own name, or one of whose aliases, is kind. */
static int
find_description(const char *kind, struct sim_text **out, unsigned *line)
{
	char folder[PATH_MAX + 64], path[PATH_MAX + 400];
	DIR *directory = open_descriptions(folder, sizeof(folder));
	int error;

	if (!directory)
		return -ENOENT;
	snprintf(path, sizeof(path), "%s/%s.gpu", folder, kind);
	error = sim_text_read(path, out, line);
	for (struct dirent *e = readdir(directory); e && error == -ENOENT;
	     e = readdir(directory)) {
		struct sim_text *text;
		if (!is_description(e))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		if (sim_text_read(path, &text, line))
			continue;
		if (has_alias(text, kind)) {
			*out = text;
			error = 0;
		} else {
			sim_text_free(text);
		}
	}
	closedir(directory);
	return error;
}

/* ---- requests */

static const struct sim_driver *
find_driver(const char *name)
{
	for (size_t i = 0; sim_drivers[i]; i++)
		if (strcmp(sim_drivers[i]->name, name) == 0)
			return sim_drivers[i];
	return NULL;
}

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

/* Options that do not wait for the driver. */
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

static int
read_identity(struct gpu_entry *entry)
{
	const struct sim_text *text = entry->description;
	const struct sim_line *driver = sim_text_find(text, "driver");
	const struct sim_line *pci = sim_text_find(text, "pci");
	struct sim_gpu *gpu = &entry->gpu;

	/* known already, by whichever name the GPU was asked for */
	sim_text_find(text, "alias");
	if (!driver || driver->count < 2 || !pci || pci->count < 2)
		return -EINVAL;
	gpu->driver = find_driver(driver->words[1]);
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
	for (unsigned i = 0; i < 3 && gpu->driver; i++)
		gpu->version[i] = (int)sim_text_number(
			text, "drm-version", i + 1, INT_MAX,
			(uint64_t)gpu->driver->version[i]);
	return 0;
}

/* Complain about a line that somebody could not make sense of. */
static int
check_lines(const struct sim_text *text, char *error, size_t size)
{
	const struct sim_line *bad = sim_text_bad(text);

	if (!bad)
		return 0;
	return fail(error, size, "%s:%u: bad '%s'", bad->path, bad->number,
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
sim_gpu_request(struct sim *sim, const char *spec, char *error, size_t size)
{
	struct gpu_entry *entry;
	bool has_address = false;
	unsigned line = 0;
	int result;

	if (sim->gpu_count == SIM_GPUS_MAX)
		return fail(error, size, "at most %d GPUs", SIM_GPUS_MAX);
	entry = calloc(1, sizeof(*entry));
	if (!entry || !(entry->spec = strdup(spec))) {
		free(entry);
		return fail(error, size, "out of memory");
	}
	entry->gpu.sim = sim;
	entry->node_mode = 0666;
	cut_options(entry);
	snprintf(entry->gpu.kind, sizeof(entry->gpu.kind), "%s", entry->spec);
	result = find_description(entry->spec, &entry->description, &line);
	if (result == -ENOENT)
		fail(error, size, "no GPU is called '%s'; --list names them",
		     entry->spec);
	else if (result)
		fail(error, size, "description of '%s', line %u: %s",
		     entry->spec, line, strerror(-result));
	else if ((result = read_identity(entry)))
		fail(error, size, "description of '%s' lacks driver or pci",
		     entry->spec);
	else if ((result = check_lines(entry->description, error, size)))
		; /* it has been told */
	else if ((result = take_common_options(entry, &has_address)))
		fail(error, size, "bad option value in '%s'", spec);
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

static int
start_one(struct sim_gpu *gpu, char *error, size_t size)
{
	struct gpu_entry *entry = entry_of(gpu);
	int result = sim_testbed_add_gpu(gpu, entry->node_mode);
	const struct sim_line *unread;

	if (result)
		return fail(error, size, "cannot make the files of %s: %s",
			    gpu->kind, strerror(-result));
	result = gpu->driver->probe(gpu, entry->description);
	if (check_lines(entry->description, error, size))
		return -EINVAL;
	if (result)
		return fail(error, size, "%s: description not understood: %s",
			    gpu->kind, strerror(-result));
	unread = sim_text_unread(entry->description);
	if (unread)
		return fail(error, size, "%s:%u: unknown key '%s'",
			    unread->path, unread->number, unread->words[0]);
	for (unsigned i = 0; i < entry->option_count; i++) {
		result = sim_gpu_set(gpu, entry->options[i].key,
				     entry->options[i].value);
		if (result)
			return fail(error, size, "%s: option '%s=%s': %s",
				    gpu->kind, entry->options[i].key,
				    entry->options[i].value,
				    result == -ENOENT ? "unknown"
						      : "bad value");
	}
	return 0;
}

int
sim_gpus_start(struct sim *sim, char *error, size_t size)
{
	qsort(sim->gpus, sim->gpu_count, sizeof(sim->gpus[0]), by_address);
	for (unsigned i = 0; i < sim->gpu_count; i++) {
		struct sim_gpu *gpu = sim->gpus[i];
		if (i && order_of(sim->gpus[i - 1]) == order_of(gpu))
			return fail(error, size, "two GPUs have one address");
		gpu->index = gpu->card = i;
		gpu->render = 128 + i;
		snprintf(gpu->address, sizeof(gpu->address),
			 "%04x:%02x:%02x.%x", gpu->pci.domain & 0xffff,
			 gpu->pci.bus & 0xff, gpu->pci.device & 0x1f,
			 gpu->pci.function & 7);
		if (start_one(gpu, error, size))
			return -EINVAL;
	}
	return 0;
}

void
sim_gpus_stop(struct sim *sim)
{
	for (unsigned i = 0; i < sim->gpu_count; i++) {
		struct sim_gpu *gpu = sim->gpus[i];
		if (gpu->data)
			gpu->driver->remove(gpu);
		entry_free(entry_of(gpu));
	}
	sim->gpu_count = 0;
}

/* ---- settings and power */

void
sim_gpu_resume(struct sim_gpu *gpu)
{
	if (!gpu->suspended)
		return;
	gpu->suspended = false;
	gpu->resumes++;
	sim_gpu_file(gpu, "power/runtime_status", "active\n");
	sim_log(gpu->sim, "gpu%u: resumed", gpu->index);
}

void
sim_gpu_suspend(struct sim_gpu *gpu)
{
	if (gpu->suspended)
		return;
	gpu->suspended = true;
	sim_gpu_file(gpu, "power/runtime_status", "suspended\n");
	sim_log(gpu->sim, "gpu%u: suspended", gpu->index);
}

void
sim_gpu_set_gone(struct sim_gpu *gpu, bool gone)
{
	if (gpu->gone == gone)
		return;
	gpu->gone = gone;
	sim_gpu_hide(gpu, ".", "drm", gone);
	if (gpu->has_hwmon)
		sim_gpu_hide(gpu, ".", "hwmon", gone);
	sim_pmus_hide(gpu, gone);
}

int
sim_gpu_set(struct sim_gpu *gpu, const char *key, const char *value)
{
	int flag = sim_word_bool(value);

	if (strcmp(key, "gated-clock") == 0) {
		if (flag < 0)
			return -EINVAL;
		gpu->gated_clock = flag;
	} else if (strcmp(key, "gone") == 0) {
		if (flag < 0)
			return -EINVAL;
		sim_gpu_set_gone(gpu, flag);
	} else if (strcmp(key, "runtime-suspended") == 0) {
		if (flag < 0)
			return -EINVAL;
		if (flag)
			sim_gpu_suspend(gpu);
		else
			sim_gpu_resume(gpu);
	} else {
		return gpu->driver->set(gpu, key, value);
	}
	/* the driver may want to know */
	int result = gpu->driver->set(gpu, key, value);
	return result == -ENOENT ? 0 : result;
}

int
sim_machine_set(struct sim *sim, const char *key, const char *value)
{
	unsigned index, taken = 0;
	int length = 0, result = -ENOENT;

	if (strcmp(key, "unprivileged") == 0) {
		int flag = sim_word_bool(value);
		if (flag < 0)
			return -EINVAL;
		sim->unprivileged = flag;
		return 0;
	}
	if (sscanf(key, "gpu%u.%n", &index, &length) == 1 && length > 0) {
		struct sim_gpu *gpu = sim_machine_gpu(sim, index);
		return gpu ? sim_gpu_set(gpu, key + length, value) : -ENODEV;
	}
	/* for all: a key that only some drivers know is none of the others' */
	for (unsigned i = 0; i < sim->gpu_count; i++) {
		int one = sim_gpu_set(sim->gpus[i], key, value);
		if (one && one != -ENOENT)
			return one;
		taken += one == 0;
	}
	return taken ? 0 : result;
}
