/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compute partitions of GPUs: which platform devices are parts of which PCI
 * device, in a made-up sysfs of two GPUs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/scan.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

#define PARTITIONS 8

/* ------------------------------------------------------------------ */
/* sysfs                                                                */

static const char *const addresses[] = { "0000:03:00.0", "0000:44:00.0" };

/* Add the nodes of a device, below its folder and in the class. */
static void
make_nodes(const char *folder, const char *name, unsigned number)
{
	char target[200];

	test_file_write("", "%s/sys/devices/%s/%s/drm/card%u/dev", test_folder,
			folder, name, number);
	test_file_write("", "%s/sys/devices/%s/%s/drm/renderD%u/dev",
			test_folder, folder, name, 128 + number);
	snprintf(target, sizeof(target), "../../../%s", name);
	test_link_make(target, "%s/sys/devices/%s/%s/drm/renderD%u/device",
		       test_folder, folder, name, 128 + number);
	snprintf(target, sizeof(target), "../../devices/%s/%s/drm/renderD%u",
		 folder, name, 128 + number);
	test_link_make(target, "%s/sys/class/drm/renderD%u", test_folder,
		       128 + number);
}

static void
make_pci_device(unsigned gpu, const char *mode)
{
	const char *address = addresses[gpu];
	char target[64], text[16];

	test_file_write("0x120000\n", "%s/sys/devices/pci0000:00/%s/class",
			test_folder, address);
	test_file_write("0x1002\n", "%s/sys/devices/pci0000:00/%s/vendor",
			test_folder, address);
	test_file_write("0x74a1\n", "%s/sys/devices/pci0000:00/%s/device",
			test_folder, address);
	test_link_make("../../../bus/pci/drivers/amdgpu",
		       "%s/sys/devices/pci0000:00/%s/driver", test_folder,
		       address);
	snprintf(target, sizeof(target), "../../../devices/pci0000:00/%s",
		 address);
	test_link_make(target, "%s/sys/bus/pci/devices/%s", test_folder,
		       address);
	snprintf(text, sizeof(text), "%s\n", mode);
	if (*mode)
		test_file_write(text,
				"%s/sys/devices/pci0000:00/%s/"
				"current_compute_partition",
				test_folder, address);
	make_nodes("pci0000:00", address, gpu * PARTITIONS);
}

/*
 * Make the partitions as the kernel makes them when it is loaded, whatever the
 * mode is.
 */
static void
make_platform_devices(unsigned gpu, char separator)
{
	char name[32];

	for (unsigned i = 1; i < PARTITIONS; i++) {
		snprintf(name, sizeof(name), "amdgpu_xcp%c%u", separator,
			 gpu * (PARTITIONS - 1) + i - 1);
		make_nodes("platform", name, gpu * PARTITIONS + i);
	}
}

/*
 * Add a node of KFD's topology for the partition that has that number's node.
 */
static void
make_kfd_node(unsigned gpu, unsigned partition, unsigned number, unsigned dies)
{
	char text[300];

	snprintf(text, sizeof(text),
		 "cpu_cores_count 0\nsimd_count %u\nsimd_per_cu 4\n"
		 "location_id %u\ndomain 0\ndrm_render_minor %u\nnum_xcc %u\n",
		 dies * 152, (gpu ? 0x4400u : 0x300u) | partition, 128 + number,
		 dies);
	test_file_write(text,
			"%s/sys/class/kfd/kfd/topology/nodes/%u/properties",
			test_folder, 1 + gpu * PARTITIONS + partition);
}

TEST_CASE(found, NULL, test_folder_remove, "partitions");

/* ------------------------------------------------------------------ */

static const struct {
	int line;
	const char *modes[2]; /* of the GPUs; "": the kernel has no such file */
	char separator;	      /* Linux up to 6.10 has a dot */
	/* nodes of KFD for each GPU, and dies of each; 0: no KFD */
	unsigned kfd, dies;
	bool swapped; /* by KFD nodes 1 and 2 belong to partitions 2 and 1 */
	unsigned nodes; /* of each GPU that can be opened */
	/* by device: node, GPU, partition, at most that many, dies, units */
	const char *expected;
} cases[] = {
	{ __LINE__, { "SPX", "SPX" }, '_', 1, 8, false, 8,
	  "128 0 0/1 8 304, 136 1 0/1 8 304" },
	{ __LINE__, { "DPX", "SPX" }, '_', 2, 4, false, 8,
	  "128 0 0/2 4 152, 129 0 1/2 4 152, "
	  "136 1 0/1 4 152, 137 1 1/1 4 152" },
	{ __LINE__, { "TPX", "TPX" }, '_', 3, 2, false, 8,
	  "128 0 0/3 2 76, 129 0 1/3 2 76, 130 0 2/3 2 76, "
	  "136 1 0/3 2 76, 137 1 1/3 2 76, 138 1 2/3 2 76" },
	{ __LINE__, { "QPX", "QPX" }, '.', 4, 2, true, 8,
	  "128 0 0/4 2 76, 130 0 1/4 2 76, 129 0 2/4 2 76, 131 0 3/4 2 76, "
	  "136 1 0/4 2 76, 138 1 1/4 2 76, 137 1 2/4 2 76, 139 1 3/4 2 76" },
	/* what KFD has not is not there, whatever can be opened */
	{ __LINE__, { "CPX", "CPX" }, '.', 2, 1, false, 8,
	  "128 0 0/8 1 38, 129 0 1/8 1 38, "
	  "136 1 0/8 1 38, 137 1 1/8 1 38" },
	/* without KFD by the nodes' order, the mode, and what can be opened */
	{ __LINE__, { "SPX", "SPX" }, '_', 0, 0, false, 8,
	  "128 0 0/1 0 0, 136 1 0/1 0 0" },
	{ __LINE__, { "", "" }, '_', 0, 0, false, 8,
	  "128 0 0/1 0 0, 136 1 0/1 0 0" },
	{ __LINE__, { "SPX", "TPX" }, '.', 0, 0, false, 8,
	  "128 0 0/1 0 0, 136 1 0/3 0 0, 137 1 1/3 0 0, 138 1 2/3 0 0" },
	{ __LINE__, { "CPX", "DPX" }, '_', 0, 0, false, 3,
	  "128 0 0/8 0 0, 129 0 1/8 0 0, 130 0 2/8 0 0, "
	  "136 1 0/2 0 0, 137 1 1/2 0 0" },
};

static void
make_machine(int i)
{
	for (unsigned gpu = 0; gpu < ARRAY_SIZE(addresses); gpu++) {
		make_pci_device(gpu, cases[i].modes[gpu]);
		make_platform_devices(gpu, cases[i].separator);
		for (unsigned p = 0; p < cases[i].nodes; p++)
			test_file_write("", "%s/dev/dri/renderD%u", test_folder,
					128 + gpu * PARTITIONS + p);
		for (unsigned p = 0; p < cases[i].kfd; p++)
			make_kfd_node(gpu, p,
				      gpu * PARTITIONS +
					      (cases[i].swapped &&
							       (p == 1 ||
								p == 2)
						       ? 3 - p
						       : p),
				      cases[i].dies);
	}
	if (cases[i].kfd)
		test_file_write(
			"cpu_cores_count 8\nsimd_count 0\n",
			"%s/sys/class/kfd/kfd/topology/nodes/0/properties",
			test_folder);
}

TEST_LOOP(found, partitions_are_found_with_their_gpu, ARRAY_SIZE(cases))
{
	static const struct driver amdgpu = { .name = "amdgpu" };
	static const struct driver *const drivers[] = { &amdgpu, NULL };
	struct arena *arena = arena_create();
	struct driver_target *targets;
	struct drmperf_error error;
	char text[1000] = "";
	size_t length = 0;
	unsigned count;
	int ret;

	test_folder_make();
	make_machine(_i);
	ret = scan_devices(test_folder, drivers, arena, &targets, &count,
			   &error);
	ck_assert_msg(!ret, "line %d: %s", cases[_i].line, error.cause);
	for (unsigned i = 0; i < count; i++) {
		const struct driver_target *t = &targets[i];
		const char *node = strrchr(t->render, 'D');
		const char *card = strrchr(t->primary, 'd');

		ck_assert_uint_eq(t->index, i);
		ck_assert_uint_eq(t->device_id, 0x74a1);
		ck_assert_ptr_nonnull(strstr(t->sysfs, t->address));
		ck_assert_int_eq(atoi(node + 1), 128 + atoi(card + 1));
		length += (size_t)snprintf(
			text + length, sizeof(text) - length,
			"%s%s %d %u/%u %u %u", length ? ", " : "", node + 1,
			strcmp(t->address, addresses[0]) ? 1 : 0, t->partition,
			t->partitions, t->dies, t->cus);
	}
	ck_assert_msg(!strcmp(text, cases[_i].expected),
		      "line %d: found %s, expected %s", cases[_i].line, text,
		      cases[_i].expected);
	arena_destroy(arena);
}
