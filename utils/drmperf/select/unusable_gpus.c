/* SPDX-License-Identifier: BSD-3-Clause */
#include "select/unusable_gpus.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/array.h"
#include "util/tool.h"

#define PCI_DEVICES "/sys/bus/pci/devices"
#define ADDRESS_SIZE 16 /* "0000:03:00.0" */

#define CLASS_DISPLAY 0x03
#define VENDOR_AMD 0x1002
#define VENDOR_INTEL 0x8086

/* A driver that has to give way, or "" for none; vendor 0: any. */
static const struct cure {
	unsigned long vendor;
	const char *driver;
	const char *text;
} cures[] = {
	{ VENDOR_AMD, "",
	  "load the driver: \"sudo modprobe amdgpu\"; dmesg shows why it "
	  "stayed away, \"nomodeset\" on the kernel's command line is one "
	  "reason" },
	{ VENDOR_INTEL, "",
	  "load the driver: \"sudo modprobe i915\"; dmesg shows why it stayed "
	  "away, \"nomodeset\" on the kernel's command line is one reason" },
	{ VENDOR_AMD, "radeon",
	  "GPUs from gfx7 on also run with amdgpu: boot with "
	  "radeon.cik_support=0 amdgpu.cik_support=1" },
	{ VENDOR_INTEL, "xe",
	  "where i915 knows the GPU as well, boot with xe.force_probe=!* "
	  "i915.force_probe=*" },
	{ 0, "vfio-pci",
	  "it is reserved for a virtual machine: count there, or unbind it "
	  "from vfio-pci" },
};

/* Read a number in a file of sysfs, "0x1002\n"; 0 if there is none. */
static unsigned long
read_number(const char *address, const char *name)
{
	char text[32];

	tool_read_device_file(address, name, text, sizeof(text));
	return strtoul(text, NULL, 0);
}

/* Read the driver's name in a buffer of PATH_MAX; "" if there is none. */
static const char *
read_driver(const char *address, char target[PATH_MAX])
{
	char path[PATH_MAX];
	const char *last;
	ssize_t length;

	snprintf(path, sizeof(path), PCI_DEVICES "/%s/driver", address);
	length = readlink(path, target, PATH_MAX - 1);
	target[length > 0 ? length : 0] = '\0';
	last = strrchr(target, '/');
	return last ? last + 1 : target;
}

static bool
is_known(struct drmperf *drmperf, const char *address)
{
	const struct drmperf_device *device;

	for (unsigned i = 0; (device = drmperf_device_at(drmperf, i)); i++) {
		if (!strcmp(drmperf_device_address(device), address))
			return true;
	}
	return false;
}

static void
print_other_gpu(const char *address)
{
	unsigned long vendor = read_number(address, "vendor");
	char target[PATH_MAX];
	const char *driver = read_driver(address, target);

	printf("\nnot usable: %04lx:%04lx at %s\n", vendor,
	       read_number(address, "device"), address);
	printf("  %-12s %s\n", "driver", driver[0] ? driver : "none");
	for (size_t i = 0; i < sizeof(cures) / sizeof(cures[0]); i++) {
		if ((!cures[i].vendor || cures[i].vendor == vendor) &&
		    !strcmp(cures[i].driver, driver))
			printf("  %-12s %s\n", "try:", cures[i].text);
	}
}

/* The addresses of the bus in rising order. */
struct addresses {
	char (*texts)[ADDRESS_SIZE];
	size_t count;
};

static void
add_address(struct addresses *addresses, const char *text)
{
	char *added;

	if (text[0] == '.' || strlen(text) >= ADDRESS_SIZE)
		return;
	added = array_add(&addresses->texts, &addresses->count, ADDRESS_SIZE);
	if (added)
		strcpy(added, text);
}

static int
compare_gpus(const void *a, const void *b)
{
	return strcmp(a, b);
}

static struct addresses
list_addresses(void)
{
	struct addresses addresses = { 0 };
	DIR *folder = opendir(PCI_DEVICES);
	const struct dirent *entry;

	if (!folder)
		return addresses;
	while ((entry = readdir(folder)))
		add_address(&addresses, entry->d_name);
	closedir(folder);
	if (addresses.count)
		qsort(addresses.texts, addresses.count,
		      sizeof(*addresses.texts), compare_gpus);
	return addresses;
}

void
unusable_gpus_print(struct drmperf *drmperf)
{
	struct addresses addresses = list_addresses();

	for (size_t i = 0; i < addresses.count; i++) {
		const char *address = addresses.texts[i];

		if (read_number(address, "class") >> 16 == CLASS_DISPLAY &&
		    !is_known(drmperf, address))
			print_other_gpu(address);
	}
	free(addresses.texts);
}
