/* SPDX-License-Identifier: BSD-3-Clause */
#include "bus/device_files.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/node.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"
#include "machine/log.h"
#include "machine/root.h"

static void
put_config(struct sim_gpu *gpu)
{
	uint8_t config[64] = { 0 };
	uint16_t words[] = { gpu->pci.vendor, gpu->pci.device_id };
	uint16_t sub[] = { gpu->pci.subvendor, gpu->pci.subdevice };

	memcpy(config, words, sizeof(words));
	config[8] = gpu->pci.revision;
	config[9] = (uint8_t)gpu->pci.class;
	config[10] = (uint8_t)(gpu->pci.class >> 8);
	config[11] = (uint8_t)(gpu->pci.class >> 16);
	memcpy(config + 0x2c, sub, sizeof(sub));
	sim_gpu_bytes(gpu, "config", config, sizeof(config));
}

static void
put_pci_device(struct sim_gpu *gpu)
{
	char path[PATH_MAX], alias[64];

	snprintf(alias, sizeof(alias),
		 "pci:v%08Xd%08Xsv%08Xsd%08Xbc%02Xsc%02Xi%02X", gpu->pci.vendor,
		 gpu->pci.device_id, gpu->pci.subvendor, gpu->pci.subdevice,
		 gpu->pci.class >> 16, gpu->pci.class >> 8 & 0xff,
		 gpu->pci.class & 0xff);
	/* No kernel has this: what is found out here holds for no real GPU. */
	sim_gpu_file(gpu, "drmsim", "%s", "");
	sim_gpu_file(gpu, "vendor", "0x%04x\n", gpu->pci.vendor);
	sim_gpu_file(gpu, "device", "0x%04x\n", gpu->pci.device_id);
	sim_gpu_file(gpu, "subsystem_vendor", "0x%04x\n", gpu->pci.subvendor);
	sim_gpu_file(gpu, "subsystem_device", "0x%04x\n", gpu->pci.subdevice);
	sim_gpu_file(gpu, "revision", "0x%02x\n", gpu->pci.revision);
	sim_gpu_file(gpu, "class", "0x%06x\n", gpu->pci.class);
	sim_gpu_file(gpu, "enable", "1\n");
	sim_gpu_file(gpu, "boot_vga", "%d\n", gpu->index == 0);
	sim_gpu_file(gpu, "numa_node", "-1\n");
	sim_gpu_file(gpu, "irq", "%u\n", 32 + gpu->index);
	sim_gpu_file(gpu, "modalias", "%s\n", alias);
	sim_gpu_file(gpu, "uevent",
		     "DRIVER=%s\nPCI_CLASS=%X\nPCI_ID=%04X:%04X\n"
		     "PCI_SUBSYS_ID=%04X:%04X\nPCI_SLOT_NAME=%s\n"
		     "MODALIAS=%s\n",
		     gpu->driver->name, gpu->pci.class, gpu->pci.vendor,
		     gpu->pci.device_id, gpu->pci.subvendor, gpu->pci.subdevice,
		     gpu->address, alias);
	sim_gpu_file(gpu, "power/control", "auto\n");
	sim_gpu_file(gpu, "power/runtime_status", "%s\n",
		     gpu->suspended ? "suspended" : "active");
	put_config(gpu);

	sim_gpu_link(gpu, "subsystem", "../../../bus/pci");
	sim_gpu_link(gpu, "driver", "../../../bus/pci/drivers/%s",
		     gpu->driver->name);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s", gpu->address);
	sim_gpu_link(gpu, path, "../../../devices/pci%04x:00/%s",
		     gpu->pci.domain, gpu->address);
	snprintf(path, sizeof(path), "/sys/bus/pci/drivers/%s/%s",
		 gpu->driver->name, gpu->address);
	sim_gpu_link(gpu, path, "../../../../devices/pci%04x:00/%s",
		     gpu->pci.domain, gpu->address);
}

/* A device with nodes: the PCI device, or one for a partition of the GPU. */
struct owner {
	struct sim_gpu *gpu;
	unsigned partition;
	char folder[64]; /* "/sys/devices/platform/amdgpu_xcp_0" */
	char name[32];	 /* "amdgpu_xcp_0" */
};

/*
 * Find the owner of a partition's nodes. Linux amdgpu_xcp.c: the first
 * partition has the PCI device's nodes.
 */
static void
find_owner(struct sim_gpu *gpu, unsigned partition, struct owner *out)
{
	const unsigned number = gpu->platform + partition - 1;

	*out = (struct owner){ .gpu = gpu, .partition = partition };
	if (partition) {
		snprintf(out->name, sizeof(out->name), "amdgpu_xcp_%u", number);
		snprintf(out->folder, sizeof(out->folder),
			 "/sys/devices/platform/%s", out->name);
		return;
	}
	snprintf(out->name, sizeof(out->name), "%s", gpu->address);
	snprintf(out->folder, sizeof(out->folder), "/sys/devices/pci%04x:00/%s",
		 gpu->pci.domain, out->name);
}

/* Write the files of sysfs of a node. */
static void
put_node(const struct owner *owner, const char *name, unsigned minor)
{
	/* from a folder that is two levels below /sys */
	const char *below_sys = owner->folder + strlen("/sys/");
	struct sim_gpu *gpu = owner->gpu;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/drm/%s/dev", owner->folder, name);
	sim_gpu_file(gpu, path, "%d:%u\n", SIM_DRM_MAJOR, minor);
	snprintf(path, sizeof(path), "%s/drm/%s/uevent", owner->folder, name);
	sim_gpu_file(gpu, path,
		     "MAJOR=%d\nMINOR=%u\nDEVNAME=dri/%s\n"
		     "DEVTYPE=drm_minor\n",
		     SIM_DRM_MAJOR, minor, name);
	snprintf(path, sizeof(path), "%s/drm/%s/device", owner->folder, name);
	sim_gpu_link(gpu, path, "../../../%s", owner->name);
	snprintf(path, sizeof(path), "%s/drm/%s/subsystem", owner->folder,
		 name);
	sim_gpu_link(gpu, path, "../../../../../class/drm");
	snprintf(path, sizeof(path), "/sys/class/drm/%s", name);
	sim_gpu_link(gpu, path, "../../%s/drm/%s", below_sys, name);
	snprintf(path, sizeof(path), "/sys/dev/char/%d:%u", SIM_DRM_MAJOR,
		 minor);
	sim_gpu_link(gpu, path, "../../%s/drm/%s", below_sys, name);
	/* umockdev learns the device number from here */
	snprintf(path, sizeof(path), "/dev/.node/dri_%s", name);
	sim_gpu_link(gpu, path, "%d:%u", SIM_DRM_MAJOR, minor);
}

/*
 * Return the group of a node. A small machine may lack the group that udev
 * gives render nodes.
 */
static const struct group *
group_of(unsigned minor)
{
	const struct group *group = minor >= 128 ? getgrnam("render") : NULL;

	return group ? group : getgrnam("video");
}

/* Make a node; kind is "card" or "render", the word of by-path. */
static int
make_node(const struct owner *owner, const char *name, const char *kind,
	  unsigned minor, unsigned mode)
{
	const struct group *group = group_of(minor);
	struct sim_gpu *gpu = owner->gpu;
	char path[PATH_MAX], file[PATH_MAX];
	int error;

	put_node(owner, name, minor);
	snprintf(path, sizeof(path), "/dev/dri/%s", name);
	error = sim_root_write(gpu->sim, path, "", 0);
	if (!error)
		error = sim_root_path(gpu->sim, path, file, sizeof(file));
	if (error)
		return error;
	/* only root may give files away */
	if (group && chown(file, (uid_t)-1, group->gr_gid))
		sim_log(gpu->sim, "%s keeps its group", path);
	error = sim_node_add(gpu, owner->partition, file, minor, mode);
	if (error)
		return error;
	snprintf(path, sizeof(path), "/dev/dri/by-path/%s-%s-%s",
		 owner->partition ? "platform" : "pci", owner->name, kind);
	sim_gpu_link(gpu, path, "../%s", name);
	return chmod(file, mode) ? -errno : 0;
}

static int
make_nodes(const struct owner *owner, unsigned mode)
{
	const unsigned card = owner->gpu->card + owner->partition;
	const unsigned render = owner->gpu->render + owner->partition;
	char name[32];
	int error;

	snprintf(name, sizeof(name), "card%u", card);
	error = make_node(owner, name, "card", card, mode);
	if (error)
		return error;
	snprintf(name, sizeof(name), "renderD%u", render);
	return make_node(owner, name, "render", render, mode);
}

/* Put a platform device, which has no driver, no class and no identity. */
static int
put_platform_device(const struct owner *owner)
{
	struct sim_gpu *gpu = owner->gpu;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/modalias", owner->folder);
	sim_gpu_file(gpu, path, "platform:%s\n", owner->name);
	snprintf(path, sizeof(path), "%s/uevent", owner->folder);
	sim_gpu_file(gpu, path, "MODALIAS=platform:%s\n", owner->name);
	snprintf(path, sizeof(path), "%s/subsystem", owner->folder);
	sim_gpu_link(gpu, path, "../../../bus/platform");
	snprintf(path, sizeof(path), "/sys/bus/platform/devices/%s",
		 owner->name);
	sim_gpu_link(gpu, path, "../../../devices/platform/%s", owner->name);
	return sim_gpu_add_folder(gpu, "/sys/devices/platform", owner->name);
}

int
sim_device_files_create(struct sim_gpu *gpu, unsigned mode)
{
	struct owner owner;
	int error;

	put_pci_device(gpu);
	error = sim_gpu_add_folder(gpu, ".", "drm");
	for (unsigned i = 0; i < gpu->partitions && !error; i++) {
		find_owner(gpu, i, &owner);
		if (i)
			error = put_platform_device(&owner);
		if (!error)
			error = make_nodes(&owner, mode);
	}
	return error;
}
