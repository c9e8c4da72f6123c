/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/gt_sensors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/pcie_link.h"

#define NS_PER_MS 1000000

/*
 * Residencies are of 32 bits in the hardware, of 1.28 us, that is 92 minutes:
 * the kernel counts wraps when they are read. [Linux 6.12 intel_rc6.c,
 * xe_gt_idle.c]
 */
#define KEEP_RESIDENCY_MS 1800000

static int
read_sensor(void *data, size_t index, uint64_t *value)
{
	struct gt_sensors *own = data;
	int ret;

	if (index >= own->memory.first)
		return memory_source_read(&own->memory, index, value);
	ret = sensor_read_file(own->files[index], value);
	if (!ret)
		own->last[index] = *value + 1;
	else if (access(own->folder, F_OK))
		return -ENODEV;
	/* fans: a second read within one jiffy fails with this */
	if (ret == -EAGAIN && own->last[index]) {
		*value = own->last[index] - 1;
		ret = 0;
	}
	return ret;
}

/* ------------------------------------------------------------------ */
/* Lists of reasons                                                     */

/* The text of a GT's file: words with blanks between, or "none". */
struct reasons {
	char text[256];
};

static int
read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length;

	if (fd < 0)
		return -errno;
	length = read(fd, text, size - 1);
	if (length < 0)
		length = -errno;
	else
		text[length] = '\0';
	close(fd);
	return length < 0 ? (int)length : 0;
}

static int
read_reasons(void *data, void *table)
{
	const struct gt_sensors *own = data;
	struct reasons *reasons = table;
	int ret = 0;

	for (unsigned gt = 0; !ret && gt < GT_SENSORS_GTS; gt++) {
		reasons[gt].text[0] = '\0';
		if (own->reasons[gt])
			ret = read_text(own->reasons[gt], reasons[gt].text,
					sizeof(reasons[gt].text));
	}
	return ret && access(own->folder, F_OK) ? -ENODEV : ret;
}

/* Return whether a word is one of the text's. */
static bool
has_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	while (*text) {
		size_t next = strcspn(text, " \n");

		if (next == length && !memcmp(text, word, length))
			return true;
		text += next;
		text += strspn(text, " \n");
	}
	return false;
}

static int
pick_reason(void *data, size_t index, const void *table, uint64_t *value)
{
	const struct gt_sensors *own = data;
	const struct reasons *reasons = table;
	const char *text = reasons[own->gts[index]].text;
	const char *word = own->words[index];

	*value = word ? has_word(text, word) : !has_word(text, "none");
	return 0;
}

void
gt_sensors_use_reasons(struct gt_sensors *own, unsigned gt, const char *word)
{
	size_t last = own->sensors.count - 1;

	own->list[last].of_table = true;
	own->gts[last] = (uint8_t)gt;
	own->words[last] = word;
}

/* ------------------------------------------------------------------ */
/* Finding them                                                         */

static struct sensor
make_sensor(const struct gt_sensor *what, const char *name)
{
	struct sensor sensor = {
		.name = name,
		.description = what->description,
		.unit = DRMPERF_UNIT_MEGAHERTZ,
		.kind = DRMPERF_KIND_MOMENTARY,
		.scale = 1,
		.wakes = what->wakes,
	};

	if (what->is_flag)
		sensor.unit = DRMPERF_UNIT_FLAG;
	if (what->ms_bits) {
		sensor.unit = DRMPERF_UNIT_NANOSECONDS;
		sensor.kind = DRMPERF_KIND_CUMULATIVE;
		sensor.bits = what->ms_bits;
		sensor.keep_ms = KEEP_RESIDENCY_MS;
		sensor.scale = NS_PER_MS;
	}
	return sensor;
}

int
gt_sensors_add(struct gt_sensors *own, const struct gt_sensor *what,
	       const char *name, const char *file)
{
	size_t i = own->sensors.count;
	uint64_t value;
	int ret;

	if (!name || !file)
		return -ENOMEM;
	ret = sensor_read_file(file, &value);
	if (ret)
		return error_is_transient(ret) ? ret : -ENOENT;
	own->files[i] = file;
	own->list[i] = make_sensor(what, name);
	own->sensors.count++;
	return 0;
}

static int
find_sensors(struct gt_sensors *own, const struct gt_sensor_source *source)
{
	const char *hwmon;
	int ret;

	ret = source->find(own);
	if (!ret)
		ret = hwmon_find(own->target->sysfs, source->hwmon, own->arena,
				 &hwmon);
	if (!ret)
		ret = hwmon_add(hwmon, source->channels, source->channel_count,
				own->arena, own->list, own->files,
				&own->sensors.count);
	if (!ret)
		ret = pcie_link_add(own->target->sysfs, own->arena, own->list,
				    own->files, &own->sensors.count);
	return ret ? ret
		   : memory_source_open(&own->memory, own->target, own->list,
					&own->sensors.count);
}

/* ------------------------------------------------------------------ */
/* The driver                                                           */

void
gt_sensors_release(void *device)
{
	struct gt_sensors *own = device;

	sensors_finish(&own->sensors);
	memory_source_close(&own->memory);
	free(own);
}

int
gt_sensors_describe(const struct gt_sensor_source *source,
		    const struct driver_target *target,
		    struct description *description, void **out,
		    struct drmperf_error *error)
{
	struct gt_sensors *own = calloc(1, sizeof(*own));
	int ret;

	if (!own)
		return error_set(error, -ENOMEM, "no memory");
	sensors_init(&own->sensors, target);
	own->memory = (struct memory_source){ .read = source->read_memory,
					      .wakes = source->memory_wakes,
					      .node = -1 };
	own->sensors.list = own->list;
	own->sensors.read = read_sensor;
	own->sensors.table_size = GT_SENSORS_GTS * sizeof(struct reasons);
	own->sensors.read_table = read_reasons;
	own->sensors.pick = pick_reason;
	own->sensors.data = own;
	own->arena = description->arena;
	own->target = target;
	own->folder = target->sysfs;
	ret = find_sensors(own, source);
	if (!ret)
		ret = sensors_describe(&own->sensors, description);
	if (ret) {
		gt_sensors_release(own);
		return error_set(error, ret, "cannot look for sensors: %s",
				 strerrordesc_np(-ret));
	}
	*out = own;
	return 0;
}
