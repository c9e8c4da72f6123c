/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Vulkan program that presents nothing: it submits the same dispatches of an
 * empty compute shader again and again, and waits for each.
 *
 * usage: vulkan_frames SUBMISSIONS GROUPS
 *
 * Ends with 0; 1 if Vulkan failed (told on standard error); 2 if there is no
 * Vulkan device.
 */
#include "tests/peers/vulkan_program.h"

#include <stdio.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
	struct vulkan_program program;

	if (argc != 3) {
		fprintf(stderr, "usage: vulkan_frames SUBMISSIONS GROUPS\n");
		return 1;
	}
	vulkan_create(&program, NULL, 0, NULL);
	vulkan_begin(&program);
	vulkan_dispatch(&program, argv[2], "1");
	vulkan_end(&program);
	for (int i = atoi(argv[1]); i > 0; i--)
		vulkan_submit(&program, NULL);
	vulkan_destroy(&program);
	return 0;
}
