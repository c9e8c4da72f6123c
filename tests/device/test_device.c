/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which devices a machine has, also after fork(), and what is logged.
 */
#include "device/device.h"
#include "device/state.h"
#include "tests/support/check.h"
#include "tests/device/made_up.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static struct drmperf_error error;

/* ------------------------------------------------------------------ */
/* Listing                                                              */

static const struct {
	const char *driver, *address, *node, *primary;
} expected[] = {
	{ "red", "0000:03:00.0", "/dev/dri/renderD128", "/dev/dri/card0" },
	{ "blue", "0000:0a:00.0", "/dev/dri/renderD129", "/dev/dri/card1" },
	{ "red", "0001:03:00.0", "/dev/dri/card2", "/dev/dri/card2" },
};

TEST_CASE(all, made_up_set_up, made_up_clean_up, "device");

TEST(all, devices_in_order)
{
	unsigned i;

	ck_assert_uint_eq(drmperf_device_count(made_up_drmperf),
			  ARRAY_SIZE(expected));
	ck_assert_ptr_null(
		drmperf_device_at(made_up_drmperf, ARRAY_SIZE(expected)));
	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct drmperf_device *d = made_up_device(i);

		ck_assert_uint_eq(drmperf_device_index(d), i);
		ck_assert_str_eq(drmperf_device_driver(d), expected[i].driver);
		ck_assert_str_eq(drmperf_device_address(d),
				 expected[i].address);
		ck_assert_str_eq(drmperf_device_node(d) + strlen(test_folder),
				 expected[i].node);
		ck_assert_str_eq(d->target.primary + strlen(test_folder),
				 expected[i].primary);
		ck_assert_uint_eq(d->target.vendor_id, 0x1002);
		ck_assert_uint_eq(d->target.device_id, 0x687f);
		ck_assert_ptr_eq(strstr(d->target.sysfs, "/sys/bus/pci/"),
				 d->target.sysfs + strlen(test_folder));
	}
	/* and no driver has been asked anything */
	ck_assert_int_eq(made_up.described + made_up.bridged, 0);
	ck_assert_str_eq(drmperf_device_chip(made_up_device(0)), "");
	ck_assert_str_eq(drmperf_device_generation(made_up_device(0)), "");
	ck_assert_uint_eq(drmperf_group_count(made_up_device(0)), 0);
	ck_assert_uint_eq(drmperf_event_count(made_up_device(0)), 0);
	ck_assert_ptr_null(drmperf_group_at(made_up_device(0), 0));
	ck_assert_ptr_null(drmperf_event_at(made_up_device(0), 0));
	ck_assert_int_eq(drmperf_device_status(made_up_device(0), NULL), 0);
}

TEST(all, no_pci_bus)
{
	struct drmperf_selection selection;
	struct drmperf *none;

	ck_assert(!state_create(NULL, made_up_drivers, "/nonexistent", &none,
				NULL));
	ck_assert_uint_eq(drmperf_device_count(none), 0);
	ck_assert_int_eq(
		drmperf_event_find(none, "red::SQ.WAVES", &selection, &error),
		-ENODEV);
	ck_assert_ptr_nonnull(strstr(error.remedy, "no GPU here has the driver "
						   "amdgpu, i915 or xe"));
	ck_assert_int_eq(
		drmperf_event_find(none, "SQ.WAVES", &selection, &error),
		-ENODEV);
	drmperf_destroy(none);
	drmperf_destroy(NULL);
}

TEST(all, an_unreadable_sysfs_is_an_error)
{
	char path[400], other[400];
	struct drmperf *none = NULL;

	made_up_path(path, "/sys/bus/pci/devices");
	made_up_path(other, "/sys/bus/pci/moved");
	ck_assert(!rename(path, other));
	test_file_write("not a folder", "%s", path);
	ck_assert_int_eq(
		state_create(NULL, made_up_drivers, test_folder, &none, &error),
		-EIO);
	ck_assert_ptr_null(none);
	ck_assert_ptr_nonnull(strstr(error.cause, "/sys/bus/pci/devices: "));
}

/* That is not a machine without GPUs. */
TEST(all, without_descriptors_creation_fails)
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
		ck_assert_int_eq(state_create(NULL, made_up_drivers,
					      test_folder, &none, &error),
				 -EMFILE);
		ck_assert(!setrlimit(RLIMIT_NOFILE, &before));
		ck_assert_ptr_null(none);
		ck_assert_ptr_nonnull(
			strstr(error.cause, ": Too many open files"));
	}
}

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

TEST_LOOP(all, options_of_other_sizes_are_read, ARRAY_SIZE(sizes))
{
	union {
		struct drmperf_options options;
		unsigned char bytes[sizeof(struct drmperf_options) + 64];
	} caller = { .options.size = sizes[_i].size };
	struct drmperf *other;
	int err;

	caller.bytes[sizeof(caller) - 1] = sizes[_i].tail;
	err = state_create(&caller.options, made_up_drivers, test_folder,
			   &other, NULL);
	ck_assert_int_eq(err, sizes[_i].err);
	if (!err)
		drmperf_destroy(other);
}

TEST(all, the_version_is_the_headers)
{
	ck_assert_uint_eq(drmperf_version(),
			  DRMPERF_VERSION_MAJOR << 16 | DRMPERF_VERSION_MINOR);
}

/* ------------------------------------------------------------------ */
/* fork                                                                 */

/* Return, in the child, 0 or the number of what was wrong. */
static int
be_child(const struct drmperf_event *metric)
{
	struct drmperf_selection selection;
	struct drmperf *own;

	if (drmperf_event_find(made_up_drmperf, "red::SQ.WAVES", &selection,
			       &error) != -ECHILD ||
	    error.code != -ECHILD)
		return 1;
	if (drmperf_device_open(made_up_device(1), NULL) != -ECHILD)
		return 2;
	if (drmperf_event_instances(metric) != 0)
		return 3;
	if (drmperf_event_count(made_up_device(0)) != 4)
		return 4;
	if (state_create(NULL, made_up_drivers, test_folder, &own, NULL))
		return 5;
	if (drmperf_event_find(own, "red::SQ.WAVES", &selection, NULL))
		return 6;
	drmperf_destroy(own);
	if (made_up.released != 2 || made_up.abandoned != 0)
		return 7;
	drmperf_destroy(made_up_drmperf);
	return made_up.abandoned == 2 && made_up.released == 2 ? 0 : 8;
}

TEST(all, a_child_cannot_use_its_parents_state)
{
	struct drmperf_selection selection;
	pid_t pid;

	ck_assert(!drmperf_event_find(made_up_drmperf, "red::Both", &selection,
				      NULL));
	ck_assert(!fork_guard_is_child(&made_up_drmperf->guard));
	pid = fork();
	if (!pid)
		_exit(be_child(selection.event));
	child_join(pid);
	ck_assert_int_eq(drmperf_device_open(made_up_device(1), NULL), 0);
}

/* A thread of the parent may be reading the tables. */
TEST(all, forked_child_without_list)
{
	struct drmperf_selection selection;
	pid_t pid;

	ck_assert(!drmperf_event_find(made_up_drmperf, "red::SQ.WAVES",
				      &selection, NULL));
	pid = fork();
	if (!pid)
		_exit(drmperf_event_count(made_up_device(0)) ||
		      drmperf_event_at(made_up_device(0), 0));
	child_join(pid);
	ck_assert_uint_eq(drmperf_event_count(made_up_device(0)), 4);
}

/* Where the kernel cannot wipe pages, the process number tells. */
TEST(all, forked_child_of_old_kernel)
{
	struct fork_guard guard;
	pid_t pid;

	ck_assert(!fork_guard_init(&guard));
	fork_guard_finish(&guard);
	ck_assert(!fork_guard_is_child(&guard));
	pid = fork();
	if (!pid)
		_exit(fork_guard_is_child(&guard) ? 0 : 1);
	child_join(pid);
}

/* ------------------------------------------------------------------ */
/* The log                                                              */

static char log_line[600];

static void
keep_line(void *data, enum drmperf_log_level level, const char *message)
{
	ck_assert_ptr_eq(data, &made_up);
	ck_assert_int_eq(level, DRMPERF_LOG_WARNING);
	snprintf(log_line, sizeof(log_line), "%s", message);
	errno = 1;
}

TEST(all, failing_part_is_logged)
{
	const struct drmperf_options options = { .size = sizeof(options),
						 .log = keep_line,
						 .log_data = &made_up };

	drmperf_destroy(made_up_drmperf);
	ck_assert(!state_create(&options, made_up_drivers, test_folder,
				&made_up_drmperf, NULL));
	made_up.bridge_error = -EIO;
	errno = 77;
	log_write(&made_up_drmperf->log, DRMPERF_LOG_WARNING, "%d lines", 1);
	ck_assert_int_eq(errno, 77);
	ck_assert_str_eq(log_line, "1 lines");
	ck_assert(!drmperf_device_open(made_up_device(0), NULL));
	ck_assert_str_eq(log_line, "bridge is down");
}
