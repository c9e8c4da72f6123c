/* SPDX-License-Identifier: BSD-3-Clause */
/* The VMID that a process reserves, as the kernel keeps it. */
#ifndef DRMSIM_AMDGPU_VMID_H
#define DRMSIM_AMDGPU_VMID_H

struct client;
struct sim_call;
struct sim_file;

int
vmid_ioctl(struct sim_call *call, struct sim_file *file, void *arg);
/* Note that mappings of the file have changed. */
void
vmid_note_change(struct client *client);
/*
 * Note that a job of the file goes to its ring: where it has a VMID reserved,
 * the RLC writes samples to its address space from here on.
 */
void
vmid_begin_job(struct client *client);
void
vmid_close(struct client *client);

#endif /* DRMSIM_AMDGPU_VMID_H */
