/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/device/made_up.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/state.h"
#include "tests/support/check.h"
#include "tests/support/fake_driver.h"
#include "tests/support/fake_machine.h"
#include "tests/support/folder.h"

/* What lies in /sys/bus/pci/devices, in no order. */
static const struct fake_pci pci[] = {
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

struct made_up made_up;

static const char *const places[] = { "se0.cu0", "se0.cu1", "se1.cu0" };

#define EVENT(g, n, text)                                                      \
	{                                                                      \
		.group = (g), .name = (n), .expression = (text),               \
		.file = "drv.xml", .line = 1, .unit = DRMPERF_UNIT_CYCLES      \
	}

static const struct fake_model gpu = {
	.domains = { { .name = "gfx" } },
	.groups = {
		{ FAKE_GROUP(0, "SQ", 4, 3), .instance_names = places },
		{ FAKE_GROUP(0, "metric", 4, 1) },
	},
	.events = {
		EVENT(0, "WAVES", NULL),
		EVENT(0, "CYCLES", NULL),
		EVENT(1, "Both", "SQ.WAVES+SQ.CYCLES"),
		EVENT(1, "Broken", "SQ.WAVES+"),
	},
};

static const struct fake_model pmu = {
	.domains = { { .name = "pmu", .device = &made_up } },
	.groups = { { FAKE_GROUP(0, "pmu", 4, 1) } },
};

static int
describe_red(const struct driver_target *target,
	     struct description *description, void **out,
	     struct drmperf_error *error)
{
	const bool is_red = !strcmp(target->driver, "red");

	made_up.described++;
	made_up.extra_count = target->user_table_count;
	fake_describe(&gpu, NULL, description);
	if (is_red)
		description->domains[0].paranoid = made_up.red_paranoid;
	if (made_up.only)
		fake_add_event(description, 0,
			       (struct description_event)EVENT(
				       0, made_up.only[!is_red], NULL));
	description->chip = "Red One";
	description->generation = "red1";
	ck_assert(!description_add_constant(description, "WIDTH", 8));
	*out = &made_up;
	if (made_up.red_error && made_up.red_explains) {
		error_set(error, made_up.red_error, "red is broken");
		error_remedy(error, "mend it");
	}
	return made_up.red_error;
}

static int
describe_pmu(void *device, group_index group, struct description *description,
	     struct drmperf_error *error)
{
	ck_assert_ptr_eq(device, &made_up);
	if (made_up.pmu_error)
		return error_set(error, made_up.pmu_error, "PMU is down");
	fake_add_event(description, group,
		       (struct description_event)EVENT(0, "rcs0-busy", NULL));
	return 0;
}

static int
describe_bridge(const struct driver_target *target,
		struct description *description, void **out,
		struct drmperf_error *error)
{
	group_index group = (group_index)description->group_count;

	(void)target;
	made_up.bridged++;
	if (made_up.bridge_error)
		return error_set(error, made_up.bridge_error, "bridge is down");
	*out = &made_up;
	if (!made_up.bridge_adds)
		return 0;
	fake_describe(&pmu, NULL, description);
	if (!made_up.bridge_waits)
		return describe_pmu(&made_up, group, description, error);
	description->groups[group].describe = describe_pmu;
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

	drmperf_destroy(made_up_drmperf);
	ck_assert_msg(!state_create(&options, made_up_drivers, test_folder,
				    &made_up_drmperf, &error),
		      "%s", error.cause);
}

void
made_up_path(char path[400], const char *name)
{
	snprintf(path, 400, "%s%s", test_folder, name);
}

void
made_up_write(char path[400], const char *name, const char *text)
{
	made_up_path(path, name);
	test_file_write(text, "%s", path);
}

void
made_up_use_table(const char *name, const char *text)
{
	char path[400];

	test_file_write(text, "%s/tables/red/%s", test_folder, name);
	made_up_path(path, "/tables");
	made_up_create(path);
}

void
made_up_set_up(void)
{
	test_folder_make();
	for (size_t i = 0; i < ARRAY_SIZE(pci); i++)
		fake_machine_add(&pci[i]);
	memset(&made_up, 0, sizeof(made_up));
	unsetenv("DRMPERF_EVENTS");
	made_up_drmperf = NULL;
	made_up_create("");
}

void
made_up_clean_up(void)
{
	drmperf_destroy(made_up_drmperf);
	test_folder_remove();
}

struct drmperf_device *
made_up_device(unsigned index)
{
	struct drmperf_device *d = drmperf_device_at(made_up_drmperf, index);

	ck_assert_ptr_nonnull(d);
	return d;
}
