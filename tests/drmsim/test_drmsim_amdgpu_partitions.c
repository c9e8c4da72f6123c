/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compute partitions of the simulated MI300, as Linux 6.12 has them: modes in
 * sysfs, nodes of platform devices, KFD's topology, and which dies take
 * commands.
 */
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/drmsim/hand.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"


#define DEVICE "/sys/bus/pci/devices/0000:03:00.0/"
#define NODES "/sys/class/kfd/kfd/topology/nodes/"
#define DIES 8

static void
read_text(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "re");
	size_t length;

	ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
	length = fread(text, 1, size - 1, file);
	text[length] = '\0';
	fclose(file);
}

static void
write_mode(const char *text)
{
	FILE *file = fopen(DEVICE "current_compute_partition", "we");

	ck_assert_ptr_nonnull(file);
	fprintf(file, "%s\n", text);
	fclose(file);
}

/* Look for a line of a node's properties, "num_xcc 4". */
static bool
has_property(unsigned node, const char *name, unsigned value)
{
	char path[80], text[2000], line[80];

	snprintf(path, sizeof(path), NODES "%u/properties", node);
	read_text(path, text, sizeof(text));
	snprintf(line, sizeof(line), "%s %u\n", name, value);
	return strstr(text, line) != NULL;
}

/* ------------------------------------------------------------------ */

static const struct mode {
	const char *dies, *written;
	const char *mode; /* that the GPU has then */
	unsigned partitions;
} modes[] = {
	{ "8", "SPX", "SPX\n", 1 }, { "8", "dpx", "DPX\n", 2 },
	{ "8", "QPX", "QPX\n", 4 }, { "8", "CPX", "CPX\n", 8 },
	{ "8", "TPX", "SPX\n", 1 }, { "8", "half", "SPX\n", 1 },
	{ "6", "TPX", "TPX\n", 3 }, { "6", "CPX", "CPX\n", 6 },
	{ "6", "QPX", "SPX\n", 1 },
};

static void
tear_down(void)
{
	scene_assert_clean();
}

TEST_CASE(partitions, NULL, tear_down, "drmsim_amdgpu_partitions");

TEST_LOOP(partitions, each_partition_has_a_node, ARRAY_SIZE(modes))
{
	const struct mode *c = &modes[_i];
	const unsigned parts = c->partitions;
	const unsigned dies = (unsigned)atoi(c->dies) / parts;
	char path[80], text[80];

	scene_set("dies", c->dies);
	write_mode(c->written);
	for (unsigned i = 0; i < DIES; i++) {
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/renderD%u", 128 + i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		ck_assert_msg(i < parts ? fd >= 0 : fd < 0 && errno == ENOENT,
			      "%s of %s: %d", path, c->written, fd);
		close(fd);
	}
	read_text(DEVICE "current_compute_partition", text, sizeof(text));
	ck_assert_str_eq(text, c->mode);
	for (unsigned i = 0; i < parts; i++) {
		ck_assert(has_property(1 + i, "drm_render_minor", 128 + i));
		ck_assert(has_property(1 + i, "location_id", 0x300 | i));
		ck_assert(has_property(1 + i, "num_xcc", dies));
		ck_assert(has_property(1 + i, "simd_count", 4 * 38 * dies));
	}
	snprintf(path, sizeof(path), NODES "%u/properties", 1 + parts);
	ck_assert_int_eq(access(path, F_OK), -1);
}

TEST(partitions, partitions_are_platform_devices)
{
	char path[80], target[80];
	ssize_t length;

	for (unsigned i = 1; i < DIES; i++) {
		snprintf(path, sizeof(path), "/sys/class/drm/renderD%u/device",
			 128 + i);
		length = readlink(path, target, sizeof(target) - 1);
		ck_assert_int_gt(length, 0);
		target[length] = '\0';
		snprintf(path, sizeof(path), "../../../amdgpu_xcp_%u", i - 1);
		ck_assert_str_eq(target, path);
		snprintf(path, sizeof(path),
			 "/sys/devices/platform/amdgpu_xcp_%u/driver", i - 1);
		ck_assert_int_eq(access(path, F_OK), -1);
	}
}

/* ------------------------------------------------------------------ */

/* Return bit n: what is for the die of that number was run. */
static unsigned
ask_dies(struct hand_gpu *gpu)
{
	unsigned mask = 0;

	for (unsigned die = 0; die < DIES; die++) {
		const uint64_t to = gpu->result_address + 4 * die;

		gpu->results[die] = 0;
		hand_packet(gpu, 0x23, 1);
		hand_emit(gpu, 1u << (24 + die) | 5);
		hand_packet(gpu, 0x37, 4);
		hand_emit(gpu, 5 << 8 | 1 << 20);
		hand_emit(gpu, (uint32_t)to);
		hand_emit(gpu, (uint32_t)(to >> 32));
		hand_emit(gpu, 1);
	}
	hand_run(gpu);
	for (unsigned die = 0; die < DIES; die++)
		mask |= gpu->results[die] << die;
	return mask;
}

/* Dies have numbers in their partition, and jobs do not leave it. */
TEST(partitions, jobs_stay_in_their_partition)
{
	static const struct {
		const char *mode;
		unsigned partition;
		const char *die; /* that gets jobs, where it may */
		unsigned mask;
	} cases[] = {
		{ "spx", 0, "6", 1 << 6 }, { "dpx", 0, "6", 1 << 0 },
		{ "dpx", 1, "6", 1 << 2 }, { "qpx", 3, "7", 1 << 1 },
		{ "cpx", 0, "7", 1 << 0 }, { "cpx", 7, "7", 1 << 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct hand_gpu gpu;

		scene_set("dies", "8");
		scene_set("partition", cases[i].mode);
		scene_set("die", cases[i].die);
		hand_open_node(&gpu, 128 + cases[i].partition, COMPUTE);
		ck_assert_msg(ask_dies(&gpu) == cases[i].mask,
			      "partition %u of %s", cases[i].partition,
			      cases[i].mode);
		hand_close(&gpu);
	}
	scene_set("die", "any");
}

/* A file that was opened in another mode has no dies any more. */
TEST(partitions, a_file_of_another_mode_has_no_dies)
{
	struct hand_gpu gpu;
	uint64_t sequence;

	scene_set("dies", "8");
	scene_set("partition", "cpx");
	hand_open_node(&gpu, 135, COMPUTE);
	scene_set("partition", "spx");
	ck_assert_int_eq(hand_submit(&gpu, &sequence), -ENODEV);
	hand_close(&gpu);
}

/* ------------------------------------------------------------------ */

#define TA_SELECT 0x36b00

/*
 * Return how many compute units keep what is written to a register that each
 * has.
 */
static unsigned
count_units(struct hand_gpu *gpu)
{
	unsigned count = 0;

	for (unsigned i = 0; i < 40; i++) {
		hand_set_uconfig(gpu, GRBM_GFX_INDEX, i / 10 << 16 | i % 10);
		hand_set_uconfig(gpu, TA_SELECT, 1 + i);
		hand_copy_to_result(gpu, TA_SELECT, i);
		hand_set_uconfig(gpu, TA_SELECT, 0);
	}
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_run(gpu);
	for (unsigned i = 0; i < 40; i++)
		count += gpu->results[i] == 1 + i;
	return count;
}

/* The kernel tells of the units of the first die, whichever process asks. */
TEST(partitions, units_are_those_of_the_first_die)
{
	static const unsigned units[] = { 37, 38, 38, 36, 38, 38, 38, 38 };
	struct drm_amdgpu_info_device dev;
	struct hand_gpu gpu;

	scene_set("dies", "8");
	scene_set("partition", "cpx");
	scene_set("copy-source", "works");
	scene_set("harvest", "cu 0 0 0 0x1");
	scene_set("harvest", "cu 3 2 0 0x30");
	for (unsigned i = 0; i < DIES; i++) {
		hand_open_node(&gpu, 128 + i, COMPUTE);
		memset(&dev, 0, sizeof(dev));
		ck_assert_int_eq(amdgpu_query_info(gpu.device,
						   AMDGPU_INFO_DEV_INFO,
						   sizeof(dev), &dev),
				 0);
		ck_assert_uint_eq(dev.cu_bitmap[0][0], 0x3fe);
		ck_assert_uint_eq(dev.cu_bitmap[2][0], 0x3ff);
		ck_assert_uint_eq(dev.cu_active_number, 8 * 38 - 3);
		ck_assert_uint_eq(count_units(&gpu), units[i]);
		ck_assert(has_property(1 + i, "simd_count", 4 * units[i]));
		hand_close(&gpu);
	}
}

/* ------------------------------------------------------------------ */

TEST_GPUS("drmsim_amdgpu_partitions", "mi300");
