/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/fake_machine.h"

#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/folder.h"

void
fake_machine_add(const struct fake_pci *pci)
{
	char folder[128], driver[128];

	snprintf(folder, sizeof(folder), "%s/sys/bus/pci/devices/%s",
		 test_folder, pci->address);
	test_file_write(pci->class, "%s/class", folder);
	test_file_write("0x1002\n", "%s/vendor", folder);
	test_file_write("0x687f\n", "%s/device", folder);
	if (pci->driver) {
		snprintf(driver, sizeof(driver), "../../drivers/%s",
			 pci->driver);
		test_link_make(driver, "%s/driver", folder);
	}
	for (size_t i = 0; i < ARRAY_SIZE(pci->nodes) && pci->nodes[i]; i++) {
		test_file_write("", "%s/drm/%s/dev", folder, pci->nodes[i]);
		test_file_write("", "%s/dev/dri/%s", test_folder,
				pci->nodes[i]);
	}
}

const char *
fake_machine_begin(unsigned gpus)
{
	char address[32], node[32];

	test_folder_make();
	for (unsigned i = 0; i < gpus; i++) {
		snprintf(address, sizeof(address), "0000:%02x:00.0", 3 + i);
		snprintf(node, sizeof(node), "card%u", i);
		fake_machine_add(&(struct fake_pci){ .address = address,
						     .driver = "fake",
						     .class = "0x030000",
						     .nodes = { node } });
	}
	return test_folder;
}

void
fake_machine_end(void)
{
	test_folder_remove();
}
