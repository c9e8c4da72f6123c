/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Devices of a made-up sysfs, driven by made-up drivers.
 */
#include "catalog/resolve.h"
#include "device/device.h"
#include "device/state.h"
#include "expr/eval.h"
#include "tests/suite.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* As long as a name may be, but for one character. */
#define TEN "ABCDEFGHIJ"
#define LONG_NAME TEN TEN TEN TEN TEN TEN TEN TEN TEN "12345"

static char root[] = "/tmp/drmperf-device-XXXXXX";

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

static void
make_path(char *path, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Below the root, with its folders. */
static void
make_path(char *path, const char *format, ...)
{
	size_t length = strlen(root);
	va_list args;
	char *slash;

	strcpy(path, root);
	va_start(args, format);
	vsnprintf(path + length, 400 - length, format, args);
	va_end(args);
	for (slash = path + length + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

static void
write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void
make_device(size_t i)
{
	char folder[400], path[400], target[400];
	size_t k;

	make_path(folder, "/sys/bus/pci/devices/%s", pci[i].address);
	make_path(path, "/sys/bus/pci/devices/%s/class", pci[i].address);
	write_file(path, pci[i].class);
	make_path(path, "/sys/bus/pci/devices/%s/vendor", pci[i].address);
	write_file(path, "0x1002\n");
	make_path(path, "/sys/bus/pci/devices/%s/device", pci[i].address);
	write_file(path, "0x687f\n");
	if (pci[i].driver) {
		make_path(path, "/sys/bus/pci/devices/%s/driver",
			  pci[i].address);
		snprintf(target, sizeof(target), "../../../bus/pci/drivers/%s",
			 pci[i].driver);
		ck_assert(!symlink(target, path));
	}
	for (k = 0; k < ARRAY_SIZE(pci[i].nodes) && pci[i].nodes[k]; k++) {
		make_path(path, "/sys/bus/pci/devices/%s/drm/%s/dev",
			  pci[i].address, pci[i].nodes[k]);
		make_path(path, "/dev/dri/%s", pci[i].nodes[k]);
		write_file(path, "");
	}
}

/* ------------------------------------------------------------------ */
/* Drivers                                                              */

/* What they do, and what happened to them; reset before each test. */
static struct {
	int red_error; /* describe() of red fails with it */
	bool red_explains; /* and says why */
	int bridge_error;
	bool bridge_adds;
	bool bridge_waits; /* until its events are asked for */
	int pmu_error; /* which then cannot be told */
	int described, bridged, released, abandoned;
	size_t extra_count;
} script;

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
	static const struct description_domain domain = { .name = "gfx" };
	group_index sq, metric;

	script.described++;
	script.extra_count = target->user_table_count;
	ck_assert(!description_add_domain(description, &domain, NULL));
	add_group(description, "SQ", 0, 3, &sq);
	description->groups[sq].instance_names = places;
	add_event(description, sq, "WAVES", NULL);
	description->chip = "Red One";
	description->generation = "red1";
	if (script.red_error) {
		if (script.red_explains) {
			error_set(error, script.red_error, "red is broken");
			error_remedy(error, "mend it");
		}
		return script.red_error;
	}
	add_event(description, sq, "CYCLES", NULL);
	add_group(description, "metric", 0, 1, &metric);
	add_event(description, metric, "Both", "SQ.WAVES+SQ.CYCLES");
	add_event(description, metric, "Broken", "SQ.WAVES+");
	*out = &script;
	return 0;
}

static int
describe_pmu(void *device, group_index group, struct description *description,
	     struct drmperf_error *error)
{
	ck_assert_ptr_eq(device, &script);
	if (script.pmu_error)
		return error_set(error, script.pmu_error, "PMU is down");
	add_event(description, group, "rcs0-busy", NULL);
	return 0;
}

static int
describe_bridge(const struct driver_target *target,
		struct description *description, void **out,
		struct drmperf_error *error)
{
	static const struct description_domain domain = { .name = "pmu",
							  .device = &script };
	domain_index index;
	group_index group;

	(void)target;
	script.bridged++;
	if (script.bridge_error)
		return error_set(error, script.bridge_error, "bridge is down");
	*out = &script;
	if (!script.bridge_adds)
		return 0;
	ck_assert(!description_add_domain(description, &domain, &index));
	add_group(description, "pmu", index, 1, &group);
	if (script.bridge_waits)
		description->groups[group].describe = describe_pmu;
	else
		add_event(description, group, "rcs0-busy", NULL);
	return 0;
}

static void
release(void *device)
{
	ck_assert_ptr_eq(device, &script);
	script.released++;
}

static void
abandon(void *device)
{
	ck_assert_ptr_eq(device, &script);
	script.abandoned++;
}

static const struct driver bridge = { .describe = describe_bridge,
				      .release = release,
				      .abandon = abandon };
static const struct driver red = { .name = "red",
				   .describe = describe_red,
				   .release = release,
				   .abandon = abandon };
static const struct driver blue = { .name = "blue",
				    .describe = describe_red,
				    .release = release,
				    .abandon = abandon };
static const struct driver *const drivers[] = { &bridge, &red, &blue, NULL };

/* ------------------------------------------------------------------ */

static struct drmperf *drmperf;
static struct drmperf_error error;

static void
create(const char *events_path)
{
	const struct drmperf_options options = { .size = sizeof(options),
						 .events_path = events_path };

	error.cause[0] = '\0';
	ck_assert_msg(!state_create(&options, drivers, root, &drmperf, &error),
		      "%s", error.cause);
}

static void
set_up(void)
{
	char path[400];
	size_t i;

	strcpy(root + strlen(root) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	for (i = 0; i < ARRAY_SIZE(pci); i++)
		make_device(i);
	make_path(path, "/tables/");
	memset(&script, 0, sizeof(script));
	unsetenv("DRMPERF_EVENTS");
	create("");
}

static void
clean_up(void)
{
	char command[100];

	drmperf_destroy(drmperf);
	drmperf = NULL;
	snprintf(command, sizeof(command), "chmod -R u+w %s && rm -r %s", root,
		 root);
	ck_assert(!system(command));
}

static struct drmperf_device *
device(unsigned index)
{
	struct drmperf_device *d = drmperf_device_at(drmperf, index);

	ck_assert_ptr_nonnull(d);
	return d;
}

/* ------------------------------------------------------------------ */
/* Listing                                                              */

static const struct {
	const char *driver, *address, *node, *primary;
} expected[] = {
	{ "red", "0000:03:00.0", "/dev/dri/renderD128", "/dev/dri/card0" },
	{ "blue", "0000:0a:00.0", "/dev/dri/renderD129", "/dev/dri/card1" },
	{ "red", "0001:03:00.0", "/dev/dri/card2", "/dev/dri/card2" },
};

START_TEST(devices_in_order)
{
	unsigned i;

	ck_assert_uint_eq(drmperf_device_count(drmperf), ARRAY_SIZE(expected));
	ck_assert_ptr_null(drmperf_device_at(drmperf, ARRAY_SIZE(expected)));
	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct drmperf_device *d = device(i);

		ck_assert_uint_eq(drmperf_device_index(d), i);
		ck_assert_str_eq(drmperf_device_driver(d), expected[i].driver);
		ck_assert_str_eq(drmperf_device_address(d),
				 expected[i].address);
		ck_assert_str_eq(drmperf_device_node(d) + strlen(root),
				 expected[i].node);
		ck_assert_str_eq(d->target.primary + strlen(root),
				 expected[i].primary);
		ck_assert_uint_eq(d->target.vendor_id, 0x1002);
		ck_assert_uint_eq(d->target.device_id, 0x687f);
		ck_assert_ptr_eq(strstr(d->target.sysfs, "/sys/bus/pci/"),
				 d->target.sysfs + strlen(root));
	}
	/* and nobody has been asked anything */
	ck_assert_int_eq(script.described + script.bridged, 0);
	ck_assert_str_eq(drmperf_device_chip(device(0)), "");
	ck_assert_str_eq(drmperf_device_generation(device(0)), "");
	ck_assert_uint_eq(drmperf_group_count(device(0)), 0);
	ck_assert_uint_eq(drmperf_event_count(device(0)), 0);
	ck_assert_ptr_null(drmperf_group_at(device(0), 0));
	ck_assert_ptr_null(drmperf_event_at(device(0), 0));
	ck_assert_int_eq(drmperf_device_status(device(0), NULL), 0);
}
END_TEST

START_TEST(no_pci_bus)
{
	struct drmperf_selection selection;
	struct drmperf *none;

	ck_assert(!state_create(NULL, drivers, "/nonexistent", &none, NULL));
	ck_assert_uint_eq(drmperf_device_count(none), 0);
	ck_assert_int_eq(
		drmperf_event_find(none, "red::SQ.WAVES", &selection, &error),
		-ENODEV);
	ck_assert_str_eq(error.remedy,
			 "no GPU here has a driver that is known");
	ck_assert_int_eq(
		drmperf_event_find(none, "SQ.WAVES", &selection, &error),
		-ENODEV);
	drmperf_destroy(none);
	drmperf_destroy(NULL);
}
END_TEST

START_TEST(sysfs_unreadable)
{
	char path[400], other[400];
	struct drmperf *none = NULL;

	make_path(path, "/sys/bus/pci/devices");
	make_path(other, "/sys/bus/pci/moved");
	ck_assert(!rename(path, other));
	write_file(path, "not a folder");
	ck_assert_int_eq(state_create(NULL, drivers, root, &none, &error),
			 -EIO);
	ck_assert_ptr_null(none);
	ck_assert_ptr_nonnull(strstr(error.cause, "/sys/bus/pci/devices: "));
}
END_TEST

/* That is not a machine without GPUs. */
START_TEST(no_descriptors)
{
	struct rlimit limit, before;
	struct drmperf *none = NULL;
	int first = dup(STDERR_FILENO);
	int spare;

	ck_assert_int_ge(first, 0);
	ck_assert(!close(first));
	ck_assert(!getrlimit(RLIMIT_NOFILE, &before));
	/* none for the folder, one for it and none for what lies in it */
	for (spare = 0; spare < 2; spare++) {
		limit = before;
		limit.rlim_cur = (rlim_t)(first + spare);
		ck_assert(!setrlimit(RLIMIT_NOFILE, &limit));
		ck_assert_int_eq(
			state_create(NULL, drivers, root, &none, &error),
			-EMFILE);
		ck_assert(!setrlimit(RLIMIT_NOFILE, &before));
		ck_assert_ptr_null(none);
		ck_assert_ptr_nonnull(
			strstr(error.cause, ": Too many open files"));
	}
}
END_TEST

static const struct {
	size_t size;
	unsigned char tail;
	int err;
} sizes[] = {
	{ sizeof(struct drmperf_options), 0, 0 },
	{ sizeof(size_t), 1, 0 },
	{ offsetof(struct drmperf_options, log), 1, 0 },
	{ sizeof(struct drmperf_options) + 64, 0, 0 },
	{ sizeof(struct drmperf_options) + 64, 1, -EINVAL },
	{ 0, 0, -EINVAL },
	{ 3, 0, -EINVAL },
	{ 100000, 0, -EINVAL },
};

START_TEST(option_sizes)
{
	union {
		struct drmperf_options options;
		unsigned char bytes[sizeof(struct drmperf_options) + 64];
	} caller = { .options.size = sizes[_i].size };
	struct drmperf *other;
	int err;

	caller.bytes[sizeof(caller) - 1] = sizes[_i].tail;
	err = state_create(&caller.options, drivers, root, &other, NULL);
	ck_assert_int_eq(err, sizes[_i].err);
	if (!err)
		drmperf_destroy(other);
}
END_TEST

START_TEST(version)
{
	ck_assert_uint_eq(drmperf_version(),
			  DRMPERF_VERSION_MAJOR << 16 | DRMPERF_VERSION_MINOR);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Opening                                                              */

START_TEST(opened_once)
{
	const struct drmperf_group *group;
	const struct drmperf_event *event;
	char text[20];

	script.bridge_adds = true;
	ck_assert_int_eq(drmperf_device_open(device(0), &error), 0);
	ck_assert_int_eq(drmperf_device_open(device(0), &error), 0);
	ck_assert_int_eq(script.described, 1);
	ck_assert_int_eq(script.bridged, 1);
	ck_assert_str_eq(drmperf_device_chip(device(0)), "Red One");
	ck_assert_str_eq(drmperf_device_generation(device(0)), "red1");
	ck_assert_int_eq(drmperf_device_status(device(0), &error), 0);

	ck_assert_uint_eq(drmperf_group_count(device(0)), 3);
	ck_assert_ptr_null(drmperf_group_at(device(0), 3));
	group = drmperf_group_at(device(0), 0);
	ck_assert_str_eq(drmperf_group_name(group), "SQ");
	ck_assert_str_eq(drmperf_group_description(group), "A group.");
	ck_assert_str_eq(drmperf_group_domain(group), "gfx");
	ck_assert(!drmperf_group_is_exclusive(group));
	ck_assert_uint_eq(drmperf_group_max_active(group), 4);
	ck_assert_uint_eq(drmperf_group_instances(group), 3);
	ck_assert_uint_eq(drmperf_group_first_event(group), 0);
	ck_assert_uint_eq(drmperf_group_event_count(group), 2);
	ck_assert_int_eq(drmperf_group_instance_name(group, 2, text, 20), 7);
	ck_assert_str_eq(text, "se1.cu0");
	ck_assert_int_eq(drmperf_group_instance_name(group, 2, text, 4), 7);
	ck_assert_str_eq(text, "se1");
	ck_assert_int_eq(drmperf_group_instance_name(group, 3, text, 20),
			 -EINVAL);
	group = drmperf_group_at(device(0), 2);
	ck_assert_str_eq(drmperf_group_domain(group), "pmu");
	ck_assert_int_eq(drmperf_group_instance_name(group, 0, text, 20), 0);
	ck_assert_str_eq(text, "");

	ck_assert_uint_eq(drmperf_event_count(device(0)), 5);
	ck_assert_ptr_null(drmperf_event_at(device(0), 5));
	event = drmperf_event_at(device(0), 0);
	ck_assert_str_eq(drmperf_event_name(event), "red::SQ.WAVES");
	ck_assert_str_eq(drmperf_event_description(event), "An event.");
	ck_assert_ptr_eq(drmperf_event_group(event),
			 drmperf_group_at(device(0), 0));
	ck_assert_ptr_eq(drmperf_event_device(event), device(0));
	ck_assert_int_eq(drmperf_event_unit(event), DRMPERF_UNIT_CYCLES);
	ck_assert_int_eq(drmperf_event_type(event), DRMPERF_TYPE_UINT64);
	ck_assert_int_eq(drmperf_event_kind(event), DRMPERF_KIND_CUMULATIVE);
	ck_assert_int_eq(drmperf_event_scope(event), DRMPERF_SCOPE_DEVICE);
	ck_assert_uint_eq(drmperf_event_instances(event), 3);
	ck_assert(!drmperf_event_is_metric(event));
	event = drmperf_event_at(device(0), 2);
	ck_assert_str_eq(drmperf_event_name(event), "red::metric.Both");
	ck_assert(drmperf_event_is_metric(event));
	ck_assert_uint_eq(drmperf_event_instances(event), 3);
	/* one whose expression is no good is told when it is looked for */
	event = drmperf_event_at(device(0), 3);
	ck_assert_str_eq(drmperf_event_name(event), "red::metric.Broken");
	ck_assert_uint_eq(drmperf_event_instances(event), 0);

	drmperf_destroy(drmperf);
	drmperf = NULL;
	ck_assert_int_eq(script.released, 2);
	ck_assert_int_eq(script.abandoned, 0);
}
END_TEST

/* Its own driver and the bridge, each with or without a failure. */
static const struct {
	int red, bridge;
	bool bridge_adds;
	int open;
	size_t groups, events;
	int status;
	const char *cause;
	bool bridge_waits;
} failures[] = {
	{ 0, 0, false, 0, 2, 4, 0, "", false },
	{ 0, 0, true, 0, 3, 5, 0, "", false },
	{ 0, 0, true, 0, 3, 5, 0, "", true },
	{ 0, -ENXIO, false, 0, 2, 4, -ENXIO, "bridge is down", false },
	{ -ENOTSUP, 0, true, 0, 1, 1, -ENOTSUP, "red is broken", false },
	{ -ENOTSUP, 0, true, 0, 1, 1, -ENOTSUP, "red is broken", true },
	{ -ENOTSUP, 0, false, -ENOTSUP, 0, 0, 0, "red is broken", false },
	{ -ENOTSUP, -ENXIO, false, -ENOTSUP, 0, 0, 0, "red is broken", false },
};

START_TEST(parts_fail_apart)
{
	int err;

	script.red_error = failures[_i].red;
	script.red_explains = true;
	script.bridge_error = failures[_i].bridge;
	script.bridge_adds = failures[_i].bridge_adds;
	script.bridge_waits = failures[_i].bridge_waits;
	memset(&error, 0, sizeof(error));
	err = drmperf_device_open(device(0), &error);
	ck_assert_int_eq(err, failures[_i].open);
	ck_assert_int_eq(error.code, failures[_i].open);
	ck_assert_uint_eq(drmperf_event_count(device(0)), failures[_i].events);
	ck_assert_uint_eq(drmperf_group_count(device(0)), failures[_i].groups);
	if (err)
		ck_assert_str_eq(error.cause, failures[_i].cause);
	ck_assert_int_eq(drmperf_device_status(device(0), &error),
			 failures[_i].status);
	if (failures[_i].status)
		ck_assert_str_eq(error.cause, failures[_i].cause);
	if (failures[_i].red) {
		ck_assert_str_eq(drmperf_device_chip(device(0)), "");
		ck_assert_str_eq(drmperf_device_generation(device(0)), "");
	}
	drmperf_destroy(drmperf);
	drmperf = NULL;
	ck_assert_int_eq(script.released,
			 !failures[_i].red + !failures[_i].bridge);
}
END_TEST

START_TEST(tried_again)
{
	script.red_error = -EIO;
	ck_assert_int_eq(drmperf_device_open(device(0), &error), -EIO);
	ck_assert_str_eq(error.cause,
			 "device 0 cannot be used: Input/output error");
	ck_assert_int_eq(drmperf_device_open(device(0), NULL), -EIO);
	script.red_error = 0;
	ck_assert_int_eq(drmperf_device_open(device(0), &error), 0);
	ck_assert_int_eq(script.described, 3);
	ck_assert_uint_eq(drmperf_event_count(device(0)), 4);
	ck_assert_int_eq(drmperf_device_status(device(0), NULL), 0);
}
END_TEST

/* What fails for the moment is no part of the device that is missing. */
static const int moments[] = { -ENOMEM, -EMFILE, -ENFILE, -EINTR, -EAGAIN };

START_TEST(moments_pass)
{
	struct drmperf_selection selection;
	bool of_bridge = _i % 2;
	int code = moments[_i / 2];

	script.bridge_adds = true;
	*(of_bridge ? &script.bridge_error : &script.red_error) = code;
	memset(&error, 0, sizeof(error));
	ck_assert_int_eq(drmperf_event_find(drmperf, "red::SQ.WAVES",
					    &selection, &error),
			 code);
	ck_assert_int_eq(error.code, code);
	ck_assert_ptr_nonnull(strstr(
		error.cause, of_bridge ? "bridge is down" : "device 0 cannot"));
	ck_assert_ptr_nonnull(strstr(error.remedy, "try again"));
	/* nothing is kept, nor that of it which did not fail */
	ck_assert_int_eq(script.released, of_bridge);
	ck_assert_uint_eq(drmperf_group_count(device(0)), 0);
	ck_assert_int_eq(drmperf_device_status(device(0), NULL), 0);
	ck_assert_int_eq(drmperf_device_open(device(0), NULL), code);
	script.red_error = 0;
	script.bridge_error = 0;
	ck_assert(!drmperf_event_find(drmperf, "red::SQ.WAVES", &selection,
				      NULL));
	ck_assert(!drmperf_event_find(drmperf, "red::pmu.rcs0-busy", &selection,
				      NULL));
	ck_assert_int_eq(drmperf_device_status(device(0), NULL), 0);
}
END_TEST

/* The same for groups that are described when they are asked for. */
START_TEST(moments_of_groups_pass)
{
	struct drmperf_selection selection;

	script.bridge_adds = true;
	script.bridge_waits = true;
	script.pmu_error = moments[_i];
	ck_assert_int_eq(drmperf_event_find(drmperf, "red::pmu.rcs0-busy",
					    &selection, &error),
			 moments[_i]);
	ck_assert_uint_eq(drmperf_event_count(device(0)), 0);
	script.pmu_error = 0;
	ck_assert_uint_eq(drmperf_event_count(device(0)), 5);
	ck_assert(!drmperf_event_find(drmperf, "red::pmu.rcs0-busy", &selection,
				      NULL));
}
END_TEST

static const struct {
	gid_t group;
	mode_t mode;
	const char *remedy;
} nodes[] = {
	{ 4711, 0660, "\"sudo usermod -aG 4711 $USER\"" },
	{ 4711, 0600, "group 4711 and mode 0600" },
	{ 4711, 0640, "group 4711 and mode 0640" },
	{ 0, 0660, "group root and mode 0660" },
};

/* Without a word from the driver, the node itself tells what is missing. */
START_TEST(no_permission)
{
	const char *node = drmperf_device_node(device(0));

	script.red_error = -EACCES;
	ck_assert(!chmod(node, nodes[_i].mode));
	if (chown(node, (uid_t)-1, nodes[_i].group)) {
		puts("skip group of a node: only root may change it");
		fflush(stdout);
		return;
	}
	ck_assert_int_eq(drmperf_device_open(device(0), &error), -EACCES);
	ck_assert_ptr_nonnull(strstr(error.cause, node));
	ck_assert_msg(strstr(error.remedy, nodes[_i].remedy), "%s",
		      error.remedy);
}
END_TEST

/* A driver that knows better is left alone. */
START_TEST(no_permission_explained)
{
	script.red_error = -EACCES;
	script.red_explains = true;
	ck_assert_int_eq(drmperf_device_open(device(0), &error), -EACCES);
	ck_assert_str_eq(error.cause, "red is broken");
	ck_assert_str_eq(error.remedy, "mend it");
}
END_TEST

static void *
open_it(void *data)
{
	(void)data;
	return (void *)(intptr_t)drmperf_device_open(device(0), NULL);
}

START_TEST(opened_by_many)
{
	pthread_t threads[8];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(threads); i++)
		ck_assert(!pthread_create(&threads[i], NULL, open_it, NULL));
	for (i = 0; i < ARRAY_SIZE(threads); i++) {
		void *result;

		pthread_join(threads[i], &result);
		ck_assert_ptr_null(result);
	}
	ck_assert_int_eq(script.described, 1);
}
END_TEST

/* ------------------------------------------------------------------ */
/* The user's tables                                                    */

static const char table[] =
	"<!-- mine -->\n"
	"<events driver='red' generation='red1'>\n"
	"  <metric name='Mine' unit='ratio' type='double' kind='average'\n"
	"          expression='SQ.WAVES/SQ.CYCLES' alias='MyOwn'>My own.\n"
	"  </metric>\n"
	"  <metric name='Both' unit='none' type='uint64' kind='cumulative'\n"
	"          expression='7'/>\n"
	"  <metric name='Near' group='SQ' unit='none' type='uint64'\n"
	"          kind='cumulative' expression='WAVES+1'/>\n"
	"</events>\n";

START_TEST(user_table)
{
	struct drmperf_selection selection;
	const struct catalog_value *value;
	char path[400], other[400], both[900];

	make_path(path, "/tables/mine.xml");
	write_file(path, table);
	make_path(other, "/tables/other.xml");
	write_file(other, "<events driver='red' generation='red2'>"
			  "<metric name='Not'/></events>");
	snprintf(both, sizeof(both), ":%s::%s", path, other);
	drmperf_destroy(drmperf);
	create(both);
	ck_assert(!drmperf_event_find(drmperf, "red::Mine", &selection, NULL));
	ck_assert_int_eq(drmperf_event_unit(selection.event),
			 DRMPERF_UNIT_RATIO);
	ck_assert_int_eq(drmperf_event_kind(selection.event),
			 DRMPERF_KIND_AVERAGE);
	ck_assert_str_eq(drmperf_event_description(selection.event), "My own.");
	ck_assert(!drmperf_event_find(drmperf, "red::MyOwn", &selection, NULL));
	ck_assert(!drmperf_event_find(drmperf, "red::Both", &selection, NULL));
	ck_assert(!catalog_resolve(selection.event, &value, NULL));
	ck_assert_uint_eq(expr_eval(value->program, NULL).u64, 7);
	ck_assert(!drmperf_event_find(drmperf, "red::SQ.Near:instance=2",
				      &selection, NULL));
	/* the driver was told, and is asked for its blocks */
	ck_assert_uint_eq(script.extra_count, 2);
	/* the other driver's device has none of it */
	ck_assert_int_eq(
		drmperf_event_find(drmperf, "blue::Mine", &selection, NULL),
		-ENOENT);
}
END_TEST

START_TEST(table_of_the_environment)
{
	struct drmperf_selection selection;
	const struct drmperf_options options = { .size = sizeof(options) };
	char path[400];

	make_path(path, "/tables/mine.xml");
	write_file(path, table);
	drmperf_destroy(drmperf);
	setenv("DRMPERF_EVENTS", path, 1);
	ck_assert(!state_create(&options, drivers, root, &drmperf, NULL));
	unsetenv("DRMPERF_EVENTS");
	ck_assert(!drmperf_event_find(drmperf, "red::Mine", &selection, NULL));
}
END_TEST

START_TEST(user_folder)
{
	char path[400];
	size_t installed = drmperf->tables.count;

	ck_assert_uint_ge(installed, 1);
	make_path(path, "/tables/red/red.xml");
	write_file(path, table);
	make_path(path, "/tables");
	drmperf_destroy(drmperf);
	create(path);
	ck_assert_uint_eq(drmperf->tables.count, installed + 1);
	ck_assert_str_eq(drmperf->tables.directories[0], path);
	ck_assert_ptr_eq(device(0)->target.tables.directories,
			 drmperf->tables.directories);
	ck_assert_int_eq(drmperf_device_open(device(0), NULL), 0);
}
END_TEST

/* What is no file of events is told, with a cure, and nothing waits for it. */
START_TEST(no_user_file)
{
	char path[400];

	make_path(path, "/empty/");
	drmperf_destroy(drmperf);
	create(path);
	ck_assert_int_eq(drmperf_device_open(device(0), &error), -EISDIR);
	ck_assert_ptr_nonnull(strstr(error.cause, "it is a folder that has no "
						  "folder of tables"));
	ck_assert_ptr_nonnull(strstr(error.remedy, "DRMPERF_EVENTS"));
	make_path(path, "/empty/fifo");
	ck_assert(!mkfifo(path, 0600));
	drmperf_destroy(drmperf);
	create(path);
	ck_assert_int_eq(drmperf_device_open(device(0), &error), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.cause, "it is a pipe or a device"));
	ck_assert_ptr_nonnull(strstr(error.remedy, "DRMPERF_EVENTS"));
}
END_TEST

static const struct {
	const char *text;
	int err;
	const char *cause;
} bad_tables[] = {
	{ NULL, -ENOENT, "bad.xml: No such file" },
	{ "", -EBADMSG, "bad.xml:1: not an event table" },
	{ "text", -EBADMSG, "bad.xml:1: not an event table" },
	{ "<!-- x -->\n<?xml y?>\n <foo a=1>", -EBADMSG,
	  "bad.xml:3: <foo> is not the root of an event table" },
	{ "<!-- x", -EBADMSG, "bad.xml:1: not an event table" },
	{ "<events>\n<metric>\n</events>", -EBADMSG,
	  "bad.xml:3: mismatched tag" },
	{ "<events driver='red'>\n<metric name='A'/></events>", -EBADMSG,
	  "bad.xml:2: <metric> has no attribute expression" },
	{ "<events driver='red'>\n<metric/></events>", -EBADMSG,
	  "bad.xml:2: <metric> has no attribute name" },
	{ "<events driver='red'>\n<metric name='A' expression='1'\n"
	  "unit='miles' type='double' kind='average'/></events>",
	  -EBADMSG, "bad.xml:2: <metric> unit=\"miles\" is not a unit" },
	{ "<events driver='red'>\n<metric name='A' expression='1'\n"
	  "unit='none' type='int' kind='average'/></events>",
	  -EBADMSG, "bad.xml:2: <metric> type=\"int\" is not a type" },
	{ "<events driver='red'>\n<metric name='A' expression='1'\n"
	  "unit='none' type='double' kind='mean'/></events>",
	  -EBADMSG, "bad.xml:2: <metric> kind=\"mean\" is not a kind" },
	{ "<events driver='red'>\n<metric name='A' expression='1' group='TA'\n"
	  "unit='none' type='double' kind='average'/></events>",
	  -EBADMSG, "<metric> group=\"TA\" is not a group of Red One" },
	{ "<events driver='red'>\n<metric name='A,B' expression='1'\n"
	  "unit='none' type='double' kind='average'/></events>",
	  -EBADMSG, "bad.xml:2: \"A,B\" is not a name for an event" },
	{ "<events driver='red'>\n<metric name='" LONG_NAME "6' "
	  "expression='1'\nunit='none' type='double' kind='average'/></events>",
	  -EBADMSG, "is too long for the name of an event" },
};

START_TEST(bad_user_table)
{
	struct drmperf_selection selection;
	char path[400];

	make_path(path, "/tables/bad.xml");
	if (bad_tables[_i].text)
		write_file(path, bad_tables[_i].text);
	drmperf_destroy(drmperf);
	create(path);
	ck_assert_int_eq(drmperf_device_open(device(0), &error),
			 bad_tables[_i].err);
	ck_assert_msg(strstr(error.cause, bad_tables[_i].cause), "%s",
		      error.cause);
	ck_assert_ptr_nonnull(strstr(error.remedy, "DRMPERF_EVENTS"));
	/* what was described is given back, and mending the file helps */
	ck_assert_int_eq(script.released, script.described + script.bridged);
	write_file(path, table);
	if (script.described) /* read once, if it was well-formed */
		return;
	ck_assert(!drmperf_event_find(drmperf, "red::Mine", &selection, NULL));
}
END_TEST

/* ------------------------------------------------------------------ */
/* Finding                                                              */

static const struct {
	const char *name;
	const char *full;
} found[] = {
	{ "red::SQ.WAVES", "red::SQ.WAVES:device=0" },
	{ "red::SQ_WAVES", "red::SQ.WAVES:device=0" },
	{ "red::Both", "red::metric.Both:device=0" },
	{ "blue::SQ.WAVES", "blue::SQ.WAVES:device=1" },
	{ "red::SQ.WAVES:device=2", "red::SQ.WAVES:device=2" },
	{ "SQ.WAVES:device=2", "red::SQ.WAVES:device=2" },
	{ "red::SQ.WAVES:instance=1", "red::SQ.WAVES:device=0:instance=1" },
	{ "red::SQ_WAVES[2]", "red::SQ.WAVES:device=0:instance=2" },
	{ "red::SQ_WAVES[2]:device=2", "red::SQ.WAVES:device=2:instance=2" },
	{ "red::SQ.WAVES:instance=0:device=2",
	  "red::SQ.WAVES:device=2:instance=0" },
	{ "red::SQ.WAVES:device=2:instance=0",
	  "red::SQ.WAVES:device=2:instance=0" },
	{ "red::metric.Both:instance=2",
	  "red::metric.Both:device=0:instance=2" },
};

START_TEST(names_found)
{
	struct drmperf_selection selection, again;
	char text[100];
	int n;

	ck_assert_msg(!drmperf_event_find(drmperf, found[_i].name, &selection,
					  &error),
		      "%s: %s", found[_i].name, error.cause);
	n = drmperf_selection_name(&selection, text, sizeof(text));
	ck_assert_str_eq(text, found[_i].full);
	ck_assert_int_eq(n, (int)strlen(found[_i].full));
	ck_assert_int_eq(drmperf_selection_name(&selection, text, 5), n);
	ck_assert_uint_eq(strlen(text), 4);
	/* only that device has been opened */
	ck_assert_int_eq(script.described, 1);
	ck_assert(!drmperf_event_find(drmperf, found[_i].full, &again, NULL));
	ck_assert_ptr_eq(selection.event, again.event);
	ck_assert_int_eq(selection.instance, again.instance);
}
END_TEST

static const struct {
	const char *name;
	int err;
	const char *cause, *remedy;
} lost[] = {
	{ "", -EINVAL, "it has no GROUP.COUNTER", "DRIVER::GROUP.COUNTER" },
	{ "red::", -EINVAL, "it has no GROUP.COUNTER", "" },
	{ "::SQ.WAVES", -EINVAL, "no driver stands before", "" },
	{ "r d::SQ.WAVES", -EINVAL, "no driver stands before", "" },
	{ "red::SQ WAVES", -EINVAL, "a name is made of letters", "" },
	{ "red::SQ.WAVES,TA.BUSY", -EINVAL, "a name is made of letters", "" },
	{ "red::SQ.WAVES:", -EINVAL, "only :device=, :instance=", "" },
	{ "red::SQ.WAVES:dev=1", -EINVAL, "only :device=, :instance=", "" },
	{ "red::SQ.WAVES:device=", -EINVAL, "not a decimal number", "" },
	{ "red::SQ.WAVES:device=0x1", -EINVAL, "only :device=", "" },
	{ "red::SQ.WAVES:device=-1", -EINVAL, "not a decimal number", "" },
	{ "red::SQ.WAVES:device=+1", -EINVAL, "not a decimal number", "" },
	{ "red::SQ.WAVES:device= 1", -EINVAL, "not a decimal number", "" },
	{ "red::SQ.WAVES:device=1 ", -EINVAL, "only :device=", "" },
	{ "red::SQ.WAVES:device=4294967296", -EINVAL, "not a decimal", "" },
	{ "red::SQ.WAVES:device=0:device=0", -EINVAL, "stands there twice",
	  "" },
	{ "red::SQ_WAVES[1]:instance=1", -EINVAL, "stands there twice", "" },
	{ "red::SQ_WAVES[", -EINVAL, "not a number in brackets", "" },
	{ "red::SQ_WAVES[1", -EINVAL, "not a number in brackets", "" },
	{ "red::SQ_WAVES[x]", -EINVAL, "not a number in brackets", "" },
	{ "red::SQ_WAVES[1]x", -EINVAL, "only :device=", "" },
	{ "SQ.WAVES", -EINVAL, "does not tell which driver", "\"amdgpu::\"" },
	{ "green::SQ.WAVES", -ENODEV, "no device is driven by green",
	  "device 0 is driven by red, device 1 is driven by blue" },
	{ "re::SQ.WAVES", -ENODEV, "no device is driven by re", "" },
	{ "red::SQ.WAVES:device=3", -ENODEV, "there is no device 3",
	  "device 2 is driven by red" },
	{ "red::SQ.WAVES:device=1", -ENODEV,
	  "device 1 is driven by blue, not red", "" },
	{ "red::SQ.WAVS", -ENOENT, "Red One has no event \"SQ.WAVS\"",
	  "did you mean red::SQ.WAVES?" },
	{ "red::SQ.WAVES:instance=3", -ERANGE,
	  "red::SQ.WAVES has no instance 3", "instances are 0 to 2" },
	{ "red::SQ_WAVES[999999999]", -ERANGE, "has no instance 999999999",
	  "" },
	{ "red::metric.Broken", -EBADMSG, "drv.xml:1: at character 10", "" },
};

START_TEST(names_not_found)
{
	struct drmperf_selection selection = { NULL, 77 };

	memset(&error, 0, sizeof(error));
	ck_assert_int_eq(
		drmperf_event_find(drmperf, lost[_i].name, &selection, &error),
		lost[_i].err);
	ck_assert_int_eq(error.code, lost[_i].err);
	ck_assert_msg(strstr(error.cause, lost[_i].cause) &&
			      strstr(error.remedy, lost[_i].remedy),
		      "%s: %s; %s", lost[_i].name, error.cause, error.remedy);
	ck_assert_ptr_null(selection.event);
	ck_assert_int_eq(selection.instance, 77);
	ck_assert_int_eq(
		drmperf_event_find(drmperf, lost[_i].name, &selection, NULL),
		lost[_i].err);
}
END_TEST

START_TEST(instance_of_what_has_none)
{
	struct drmperf_selection selection;

	script.bridge_adds = true;
	ck_assert_int_eq(drmperf_event_find(drmperf,
					    "red::pmu.rcs0-busy:instance=0",
					    &selection, &error),
			 -ERANGE);
	ck_assert_ptr_nonnull(strstr(error.remedy, "has no instances"));
}
END_TEST

START_TEST(long_name)
{
	struct drmperf_selection selection;
	char name[5000] = "red::";

	memset(name + 5, 'A', sizeof(name) - 6);
	ck_assert_int_eq(drmperf_event_find(drmperf, name, &selection, &error),
			 -EINVAL);
	name[1000] = '\0';
	ck_assert_int_eq(drmperf_event_find(drmperf, name, &selection, &error),
			 -ENOENT);
}
END_TEST

/* ------------------------------------------------------------------ */
/* fork                                                                 */

/* In the child: 0, or the number of what was wrong. */
static int
be_child(const struct drmperf_event *metric)
{
	struct drmperf_selection selection;
	struct drmperf *own;

	if (drmperf_event_find(drmperf, "red::SQ.WAVES", &selection, &error) !=
		    -ECHILD ||
	    error.code != -ECHILD)
		return 1;
	if (drmperf_device_open(device(1), NULL) != -ECHILD)
		return 2;
	if (drmperf_event_instances(metric) != 0)
		return 3;
	if (drmperf_event_count(device(0)) != 4)
		return 4;
	if (state_create(NULL, drivers, root, &own, NULL))
		return 5;
	if (drmperf_event_find(own, "red::SQ.WAVES", &selection, NULL))
		return 6;
	drmperf_destroy(own);
	if (script.released != 2 || script.abandoned != 0)
		return 7;
	drmperf_destroy(drmperf);
	return script.abandoned == 2 && script.released == 2 ? 0 : 8;
}

START_TEST(forked_child)
{
	struct drmperf_selection selection;
	int status;
	pid_t pid;

	ck_assert(!drmperf_event_find(drmperf, "red::Both", &selection, NULL));
	ck_assert(!fork_guard_is_child(&drmperf->guard));
	pid = fork();
	if (!pid)
		_exit(be_child(selection.event));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(drmperf_device_open(device(1), NULL), 0);
}
END_TEST

/* Somebody of the parent may be reading the tables. */
START_TEST(forked_child_without_list)
{
	struct drmperf_selection selection;
	int status;
	pid_t pid;

	ck_assert(!drmperf_event_find(drmperf, "red::SQ.WAVES", &selection,
				      NULL));
	pid = fork();
	if (!pid)
		_exit(drmperf_event_count(device(0)) ||
		      drmperf_event_at(device(0), 0));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_uint_eq(drmperf_event_count(device(0)), 4);
}
END_TEST

/* Where the kernel cannot wipe pages, the process number tells. */
START_TEST(forked_child_of_old_kernel)
{
	struct fork_guard guard;
	int status;
	pid_t pid;

	ck_assert(!fork_guard_init(&guard));
	fork_guard_finish(&guard);
	ck_assert(!fork_guard_is_child(&guard));
	pid = fork();
	if (!pid)
		_exit(fork_guard_is_child(&guard) ? 0 : 1);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

/* ------------------------------------------------------------------ */
/* The log                                                              */

static char log_line[600];

static void
keep_line(void *data, enum drmperf_log_level level, const char *message)
{
	ck_assert_ptr_eq(data, &script);
	ck_assert_int_eq(level, DRMPERF_LOG_WARNING);
	snprintf(log_line, sizeof(log_line), "%s", message);
	errno = 1;
}

START_TEST(failing_part_is_logged)
{
	const struct drmperf_options options = { .size = sizeof(options),
						 .log = keep_line,
						 .log_data = &script };

	drmperf_destroy(drmperf);
	ck_assert(!state_create(&options, drivers, root, &drmperf, NULL));
	script.bridge_error = -EIO;
	errno = 77;
	log_write(&drmperf->log, DRMPERF_LOG_WARNING, "%d lines", 1);
	ck_assert_int_eq(errno, 77);
	ck_assert_str_eq(log_line, "1 lines");
	ck_assert(!drmperf_device_open(device(0), NULL));
	ck_assert_str_eq(log_line, "bridge is down");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("device");
	TCase *all = tcase_create("all");

	tcase_add_checked_fixture(all, set_up, clean_up);
	tcase_add_test(all, devices_in_order);
	tcase_add_test(all, no_pci_bus);
	tcase_add_test(all, sysfs_unreadable);
	tcase_add_test(all, no_descriptors);
	tcase_add_loop_test(all, option_sizes, 0, ARRAY_SIZE(sizes));
	tcase_add_test(all, version);
	tcase_add_test(all, opened_once);
	tcase_add_loop_test(all, parts_fail_apart, 0, ARRAY_SIZE(failures));
	tcase_add_test(all, tried_again);
	tcase_add_loop_test(all, moments_pass, 0, 2 * ARRAY_SIZE(moments));
	tcase_add_loop_test(all, moments_of_groups_pass, 0,
			    ARRAY_SIZE(moments));
	tcase_add_loop_test(all, no_permission, 0, ARRAY_SIZE(nodes));
	tcase_add_test(all, no_permission_explained);
	tcase_add_test(all, opened_by_many);
	tcase_add_test(all, user_table);
	tcase_add_test(all, table_of_the_environment);
	tcase_add_test(all, user_folder);
	tcase_add_test(all, no_user_file);
	tcase_add_loop_test(all, bad_user_table, 0, ARRAY_SIZE(bad_tables));
	tcase_add_loop_test(all, names_found, 0, ARRAY_SIZE(found));
	tcase_add_loop_test(all, names_not_found, 0, ARRAY_SIZE(lost));
	tcase_add_test(all, instance_of_what_has_none);
	tcase_add_test(all, long_name);
	tcase_add_test(all, forked_child);
	tcase_add_test(all, forked_child_without_list);
	tcase_add_test(all, forked_child_of_old_kernel);
	tcase_add_test(all, failing_part_is_logged);
	suite_add_tcase(suite, all);
	return suite_run(suite);
}
