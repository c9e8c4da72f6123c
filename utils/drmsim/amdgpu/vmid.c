/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 7.1.8, amdgpu_vm.c, amdgpu_ids.c. */
#include "amdgpu/vmid.h"

#include <amdgpu_drm.h>
#include <errno.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/spm.h"

/*
 * Reserve a VMID. One file of the GPU has one at a time; asking again changes
 * nothing.
 */
static int
reserve_vmid(struct client *client)
{
	struct amdgpu *amdgpu = client->amdgpu;

	if (amdgpu->vmid_owner == client)
		return 0;
	if (amdgpu->vmid_owner)
		return -ENOENT;
	amdgpu->vmid_owner = client;
	client->flush_is_due = true;
	return 0;
}

/*
 * Release a VMID. The register keeps it, and any process may get it from here
 * on.
 */
void
vmid_close(struct client *client)
{
	struct amdgpu *amdgpu = client->amdgpu;

	if (amdgpu->vmid_owner != client)
		return;
	amdgpu->vmid_owner = NULL;
	spm_forget_vm(amdgpu, &client->vm);
}

int
vmid_ioctl(struct sim_call *call, struct sim_file *file, void *arg)
{
	union drm_amdgpu_vm *args = arg;
	struct client *client = client_of(file);

	(void)call;
	/* Linux 6.1 on: no flag is known */
	if (args->in.flags)
		return -EINVAL;
	switch (args->in.op) {
	case AMDGPU_VM_OP_RESERVE_VMID:
		return reserve_vmid(client);
	case AMDGPU_VM_OP_UNRESERVE_VMID:
		vmid_close(client);
		return 0;
	}
	return -EINVAL;
}

void
vmid_note_change(struct client *client)
{
	client->flush_is_due = true;
}

/*
 * Begin a job. The kernel writes RLC_SPM_VMID only with a job that needs a
 * flush: the first one, or after mappings have changed, or after a reset.
 */
void
vmid_begin_job(struct client *client)
{
	struct amdgpu *amdgpu = client->amdgpu;
	bool is_due = client->flush_is_due ||
		      client->flushed_at_reset != amdgpu->reset_count;

	client->flush_is_due = false;
	client->flushed_at_reset = amdgpu->reset_count;
	if (is_due && amdgpu->vmid_owner == client)
		spm_set_vm(amdgpu, &client->vm);
}
