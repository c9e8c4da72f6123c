/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/device/made_up.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/state.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"

/* ------------------------------------------------------------------ */
/* sysfs                                                                */

/* What lies in /sys/bus/pci/devices, in no order. */
static const struct {
	const char *address;
	const char *driver; /* NULL: none is bound */
	const char *class;
	const char *nodes[4];
} pci[] = {
	{ "0000:0a:00.0", "blue", "0x030000", { "renderD129", "card1" } },
	{ "0000:03:00.0",
	  "red",
	  "0x030000",
	  { "card0", "card0-DP-1", "renderD128", "controlD64" } },
	{ "0001:03:00.0", "red", "0x120000", { "card2" } },
	{ "0000:03:00.1", "snd_hda_intel", "0x040300", { NULL } },
	{ "0000:04:00.0", "nouveau", "0x030000", { "card3", "renderD131" } },
	{ "0000:05:00.0", NULL, "0x030000", { "card4", "renderD132" } },
	{ "0000:06:00.0", "red", "0x030000", { NULL } }, /* no DRM */
	{ "0000:07:00.0", "red", "0x020000", { "card5" } }, /* no display */
	{ "0000:07:00.0.bad", "red", "0x030000", { "card6" } },
};

void
made_up_path(char *path, const char *format, ...)
{
	size_t length = strlen(test_folder);
	va_list args;
	char *slash;

	strcpy(path, test_folder);
	va_start(args, format);
	vsnprintf(path + length, 400 - length, format, args);
	va_end(args);
	for (slash = path + length + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

void
made_up_file(const char *path, const char *text)
{
	test_file_write(text, "%s", path);
}

static void
make_device(size_t i)
{
	char folder[400], path[400], target[400];
	size_t k;

	made_up_path(folder, "/sys/bus/pci/devices/%s", pci[i].address);
	made_up_path(path, "/sys/bus/pci/devices/%s/class", pci[i].address);
	made_up_file(path, pci[i].class);
	made_up_path(path, "/sys/bus/pci/devices/%s/vendor", pci[i].address);
	made_up_file(path, "0x1002\n");
	made_up_path(path, "/sys/bus/pci/devices/%s/device", pci[i].address);
	made_up_file(path, "0x687f\n");
	if (pci[i].driver) {
		made_up_path(path, "/sys/bus/pci/devices/%s/driver",
			     pci[i].address);
		snprintf(target, sizeof(target), "../../../bus/pci/drivers/%s",
			 pci[i].driver);
		ck_assert(!symlink(target, path));
	}
	for (k = 0; k < ARRAY_SIZE(pci[i].nodes) && pci[i].nodes[k]; k++) {
		made_up_path(path, "/sys/bus/pci/devices/%s/drm/%s/dev",
			     pci[i].address, pci[i].nodes[k]);
		made_up_path(path, "/dev/dri/%s", pci[i].nodes[k]);
		made_up_file(path, "");
	}
}

/* ------------------------------------------------------------------ */
/* Drivers                                                              */

struct made_up made_up;

static void
add_group(struct description *description, const char *name, domain_index in,
	  unsigned instances, group_index *out)
{
	const struct description_group group = {
		.name = name,
		.description = "A group.",
		.domain = in,
		.max_active = 4,
		.instances = instances,
		.instances_per_engine = instances,
	};

	ck_assert(!description_add_group(description, &group, out));
}

static void
add_event(struct description *description, group_index group, const char *name,
	  const char *expression)
{
	const struct description_event event = {
		.name = name,
		.description = "An event.",
		.expression = expression,
		.file = "drv.xml",
		.line = 1,
		.group = group,
		.unit = DRMPERF_UNIT_CYCLES,
	};

	ck_assert(!description_add_event(description, &event));
}

static int
describe_red(const struct driver_target *target,
	     struct description *description, void **out,
	     struct drmperf_error *error)
{
	static const char *const places[] = { "se0.cu0", "se0.cu1", "se1.cu0" };
	const bool is_red = !strcmp(target->driver, "red");
	const struct description_domain domain = {
		.name = "gfx",
		.paranoid = is_red ? made_up.red_paranoid : NULL,
	};
	group_index sq, metric;

	made_up.described++;
	made_up.extra_count = target->user_table_count;
	ck_assert(!description_add_domain(description, &domain, NULL));
	add_group(description, "SQ", 0, 3, &sq);
	description->groups[sq].instance_names = places;
	add_event(description, sq, "WAVES", NULL);
	if (made_up.only)
		add_event(description, sq, made_up.only[!is_red], NULL);
	description->chip = "Red One";
	description->generation = "red1";
	ck_assert(!description_add_constant(description, "WIDTH", 8));
	if (made_up.red_error) {
		if (made_up.red_explains) {
			error_set(error, made_up.red_error, "red is broken");
			error_remedy(error, "mend it");
		}
		return made_up.red_error;
	}
	add_event(description, sq, "CYCLES", NULL);
	add_group(description, "metric", 0, 1, &metric);
	add_event(description, metric, "Both", "SQ.WAVES+SQ.CYCLES");
	add_event(description, metric, "Broken", "SQ.WAVES+");
	*out = &made_up;
	return 0;
}

static int
describe_pmu(void *device, group_index group, struct description *description,
	     struct drmperf_error *error)
{
	ck_assert_ptr_eq(device, &made_up);
	if (made_up.pmu_error)
		return error_set(error, made_up.pmu_error, "PMU is down");
	add_event(description, group, "rcs0-busy", NULL);
	return 0;
}

static int
describe_bridge(const struct driver_target *target,
		struct description *description, void **out,
		struct drmperf_error *error)
{
	static const struct description_domain domain = { .name = "pmu",
							  .device = &made_up };
	domain_index index;
	group_index group;

	(void)target;
	made_up.bridged++;
	if (made_up.bridge_error)
		return error_set(error, made_up.bridge_error, "bridge is down");
	*out = &made_up;
	if (!made_up.bridge_adds)
		return 0;
	ck_assert(!description_add_domain(description, &domain, &index));
	add_group(description, "pmu", index, 1, &group);
	if (made_up.bridge_waits)
		description->groups[group].describe = describe_pmu;
	else
		add_event(description, group, "rcs0-busy", NULL);
	return 0;
}

static void
release_device(void *device)
{
	ck_assert_ptr_eq(device, &made_up);
	made_up.released++;
}

static void
abandon_device(void *device)
{
	ck_assert_ptr_eq(device, &made_up);
	made_up.abandoned++;
}

static const struct driver bridge = { .describe = describe_bridge,
				      .release = release_device,
				      .abandon = abandon_device };
static const struct driver red = { .name = "red",
				   .describe = describe_red,
				   .release = release_device,
				   .abandon = abandon_device };
static const struct driver blue = { .name = "blue",
				    .describe = describe_red,
				    .release = release_device,
				    .abandon = abandon_device };
const struct driver *const made_up_drivers[] = { &bridge, &red, &blue, NULL };

/* ------------------------------------------------------------------ */

struct drmperf *made_up_drmperf;

void
made_up_create(const char *events_path)
{
	const struct drmperf_options options = { .size = sizeof(options),
						 .events_path = events_path };
	struct drmperf_error error = { .cause = "" };

	ck_assert_msg(!state_create(&options, made_up_drivers, test_folder,
				    &made_up_drmperf, &error),
		      "%s", error.cause);
}

void
made_up_use_table(const char *name, const char *text)
{
	char path[400];

	made_up_path(path, "/tables/red/%s", name);
	made_up_file(path, text);
	made_up_path(path, "/tables");
	drmperf_destroy(made_up_drmperf);
	made_up_create(path);
}

void
made_up_set_up(void)
{
	char path[400];
	size_t i;

	test_folder_make();
	for (i = 0; i < ARRAY_SIZE(pci); i++)
		make_device(i);
	made_up_path(path, "/tables/");
	memset(&made_up, 0, sizeof(made_up));
	unsetenv("DRMPERF_EVENTS");
	made_up_create("");
}

void
made_up_clean_up(void)
{
	drmperf_destroy(made_up_drmperf);
	made_up_drmperf = NULL;
	test_folder_remove();
}

struct drmperf_device *
made_up_device(unsigned index)
{
	struct drmperf_device *d = drmperf_device_at(made_up_drmperf, index);

	ck_assert_ptr_nonnull(d);
	return d;
}
