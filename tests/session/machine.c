/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/session/machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/support/check.h"
#include "tests/support/folder.h"

static char root[64];

static void
put_file(unsigned gpu, const char *name, const char *text)
{
	test_file_write(text, "%s/sys/bus/pci/devices/0000:%02x:00.0/%s", root,
			3 + gpu, name);
}

static void
add_gpu(unsigned gpu)
{
	char command[512];

	snprintf(command, sizeof(command),
		 "cd %s && mkdir -p sys/bus/pci/drivers/fake "
		 "sys/bus/pci/devices/0000:%02x:00.0/drm/card%u && "
		 "ln -s ../../drivers/fake "
		 "sys/bus/pci/devices/0000:%02x:00.0/driver",
		 root, 3 + gpu, gpu, 3 + gpu);
	ck_assert_int_eq(system(command), 0);
	put_file(gpu, "class", "0x030000\n");
	put_file(gpu, "vendor", "0x1002\n");
	put_file(gpu, "device", "0x1234\n");
}

const char *
machine_begin(unsigned gpus)
{
	snprintf(root, sizeof(root), "/tmp/drmperf-session-XXXXXX");
	test_folder_make(root);
	for (unsigned i = 0; i < gpus; i++)
		add_gpu(i);
	return root;
}

void
machine_end(void)
{
	test_folder_remove(root);
}
