/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Vulkan program for the test of radv: on the first GPU it submits a number
 * of dispatches of an empty compute shader with 64 threads per work group.
 *
 * usage: vulkan_dispatch GROUPS DISPATCHES
 *
 * Ends with 0; 1 if Vulkan failed (told on standard error); 2 if there is no
 * Vulkan device.
 */
#include "tests/peers/vulkan_program.h"

#include <stdio.h>

int
main(int argc, char **argv)
{
	struct vulkan_program program;

	if (argc != 3) {
		fprintf(stderr, "usage: vulkan_dispatch GROUPS DISPATCHES\n");
		return 1;
	}
	vulkan_create(&program, NULL, 0, NULL);
	vulkan_begin(&program);
	vulkan_dispatch(&program, argv[1], argv[2]);
	vulkan_end(&program);
	vulkan_submit(&program, NULL);
	vulkan_destroy(&program);
	return 0;
}
