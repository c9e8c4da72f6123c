/* SPDX-License-Identifier: BSD-3-Clause */
/* An address space: where a file has its buffers. */
#ifndef DRMSIM_AMDGPU_GFX_VM_H
#define DRMSIM_AMDGPU_GFX_VM_H

#include <stddef.h>
#include <stdint.h>

struct sim_bo;

struct mapping {
	uint64_t start, size;
	struct sim_bo *bo;    /* NULL: a hole by intent (PRT) */
	uint64_t offset;
	uint32_t flags; /* AMDGPU_VM_PAGE_... */
};

struct vm {
	struct mapping *mappings; /* by start */
	size_t count, room;
	/* Mappings of the same address space made in another way; or NULL. */
	const struct vm *more;
};

/* Add a mapping. Returns 0, -EINVAL if something is there, or -ENOMEM. */
int vm_map(struct vm *vm, const struct mapping *mapping);
/*
 * Remove the mapping of a buffer at start. Returns 0, or -ENOENT if there is
 * none.
 */
int vm_unmap(struct vm *vm, const struct sim_bo *bo, uint64_t start);
/*
 * Take a range out of all mappings; what sticks out on either side stays. 0 or
 * -ENOMEM.
 */
int vm_clear(struct vm *vm, uint64_t start, uint64_t size);
/* Remove the mappings of a buffer, as the kernel does with its last handle. */
void vm_forget_bo(struct vm *vm, const struct sim_bo *bo);
void vm_free(struct vm *vm);

/*
 * Return the whole address of one of 48 bits, as registers have it: the bits
 * above are those of the highest one.
 */
static inline uint64_t
vm_whole_address(uint64_t address)
{
	return address >> 47 & 1 ? address | 0xffffull << 48 : address;
}

/*
 * Return the memory at an address, and in *size how much is there; NULL if the
 * access is a fault.
 */
uint8_t *vm_at(const struct vm *vm, uint64_t address, uint32_t access,
	       uint64_t *size, struct sim_bo **bo);

#endif /* DRMSIM_AMDGPU_GFX_VM_H */
