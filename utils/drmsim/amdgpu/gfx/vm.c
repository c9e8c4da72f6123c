/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/vm.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/bo.h"

static int
vm_insert(struct vm *vm, const struct mapping *mapping)
{
	size_t at = vm->count;

	if (vm->count == vm->room) {
		size_t room = vm->room * 2 + 16;
		struct mapping *grown =
			reallocarray(vm->mappings, room, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		vm->mappings = grown;
		vm->room = room;
	}
	while (at && vm->mappings[at - 1].start > mapping->start) {
		vm->mappings[at] = vm->mappings[at - 1];
		at--;
	}
	vm->mappings[at] = *mapping;
	vm->count++;
	return 0;
}

static void
vm_erase(struct vm *vm, size_t at)
{
	vm->count--;
	memmove(&vm->mappings[at], &vm->mappings[at + 1],
		(vm->count - at) * sizeof(vm->mappings[0]));
}

static bool
mapping_overlaps(const struct mapping *mapping, uint64_t start, uint64_t size)
{
	return start < mapping->start + mapping->size &&
	       mapping->start < start + size;
}

static bool
is_free(const struct vm *vm, uint64_t start, uint64_t size)
{
	for (size_t i = 0; i < vm->count; i++)
		if (mapping_overlaps(&vm->mappings[i], start, size))
			return false;
	return true;
}

int
vm_clear(struct vm *vm, uint64_t start, uint64_t size)
{
	uint64_t end = start + size;

	for (size_t i = 0; i < vm->count;) {
		struct mapping old = vm->mappings[i];
		struct mapping left = old, right = old;
		int error = 0;

		if (!mapping_overlaps(&old, start, size)) {
			i++;
			continue;
		}
		vm_erase(vm, i);
		left.size = start > old.start ? start - old.start : 0;
		right.start = end;
		right.offset = old.offset + (end - old.start);
		right.size = old.start + old.size > end
				     ? old.start + old.size - end
				     : 0;
		if (left.size)
			error = vm_insert(vm, &left);
		if (!error && right.size)
			error = vm_insert(vm, &right);
		if (error)
			return error;
		i = 0;
	}
	return 0;
}

int
vm_unmap(struct vm *vm, const struct sim_bo *bo, uint64_t start)
{
	for (size_t i = 0; i < vm->count; i++) {
		if (vm->mappings[i].start == start &&
		    vm->mappings[i].bo == bo) {
			vm_erase(vm, i);
			return 0;
		}
	}
	return -ENOENT;
}

int
vm_map(struct vm *vm, const struct mapping *mapping)
{
	if (!is_free(vm, mapping->start, mapping->size))
		return -EINVAL;
	return vm_insert(vm, mapping);
}

void
vm_forget_bo(struct vm *vm, const struct sim_bo *bo)
{
	for (size_t i = 0; i < vm->count;) {
		if (vm->mappings[i].bo == bo)
			vm_erase(vm, i);
		else
			i++;
	}
}

void
vm_free(struct vm *vm)
{
	free(vm->mappings);
	*vm = (struct vm){ .count = 0 };
}

uint8_t *
vm_at(const struct vm *vm, uint64_t address, uint32_t access, uint64_t *size,
      struct sim_bo **bo)
{
	for (size_t i = 0; i < vm->count; i++) {
		const struct mapping *mapping = &vm->mappings[i];
		uint64_t within = address - mapping->start;

		if (address < mapping->start || within >= mapping->size)
			continue;
		if (!mapping->bo || (mapping->flags & access) != access)
			return NULL;
		*size = mapping->size - within;
		*bo = mapping->bo;
		return mapping->bo->memory + mapping->offset + within;
	}
	return vm->more ? vm_at(vm->more, address, access, size, bo) : NULL;
}
