/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/fake_machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/support/check.h"
#include "tests/support/folder.h"

static void
put_file(unsigned gpu, const char *name, const char *text)
{
	test_file_write(text, "%s/sys/bus/pci/devices/0000:%02x:00.0/%s",
			test_folder, 3 + gpu, name);
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
		 test_folder, 3 + gpu, gpu, 3 + gpu);
	ck_assert_int_eq(system(command), 0);
	put_file(gpu, "class", "0x030000\n");
	put_file(gpu, "vendor", "0x1002\n");
	put_file(gpu, "device", "0x1234\n");
}

const char *
fake_machine_begin(unsigned gpus)
{
	test_folder_make();
	for (unsigned i = 0; i < gpus; i++)
		add_gpu(i);
	return test_folder;
}

void
fake_machine_end(void)
{
	test_folder_remove();
}

domain_index
fake_add_domain(struct description *description, const char *name,
		const struct domain_ops *ops, void *device)
{
	domain_index index;

	ck_assert_int_eq(
		description_add_domain(
			description,
			&(struct description_domain){
				.name = name, .ops = ops, .device = device },
			&index),
		0);
	return index;
}

group_index
fake_add_group(struct description *description, const char *name,
	       domain_index domain, unsigned max_active, unsigned instances)
{
	group_index index;

	ck_assert_int_eq(
		description_add_group(
			description,
			&(struct description_group){
				.name = name,
				.description = "group of the test",
				.domain = domain,
				.max_active = max_active,
				.instances = instances,
				.instances_per_engine = instances,
				.slot_pool =
					(group_index)description->group_count,
			},
			&index),
		0);
	return index;
}

void
fake_add_event(struct description *description, group_index group,
	       const char *name, uint32_t selector, enum drmperf_kind kind,
	       enum drmperf_type type, const char *expression)
{
	ck_assert_int_eq(
		description_add_event(description,
				      &(struct description_event){
					      .name = name,
					      .description = "of the test",
					      .expression = expression,
					      .file = "test",
					      .group = group,
					      .type = type,
					      .kind = kind,
					      .slots = SLOTS_ANY,
					      .selector = selector,
				      }),
		0);
}
