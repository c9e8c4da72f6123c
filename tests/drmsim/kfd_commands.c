/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/drmsim/kfd_commands.h"

#include "tests/support/check.h"

#define SQ_WAVES 4
#define SQ_ALL_MASKS 0x0f0ff000u

void
kfd_commands_clear(struct kfd_user *user)
{
	user->dwords = 0;
}

void
kfd_emit(struct kfd_user *user, uint32_t dword)
{
	ck_assert_uint_lt(user->dwords, user->commands.size / 4);
	((uint32_t *)user->commands.at)[user->dwords++] = dword;
}

void
kfd_emit64(struct kfd_user *user, uint64_t value)
{
	kfd_emit(user, (uint32_t)value);
	kfd_emit(user, (uint32_t)(value >> 32));
}

void
kfd_emit_register(struct kfd_user *user, uint32_t reg, uint32_t value)
{
	kfd_emit(user, 0xc0017900);
	kfd_emit(user, (reg - 0x30000) / 4);
	kfd_emit(user, value);
}

void
kfd_emit_sh_register(struct kfd_user *user, uint32_t reg, uint32_t value)
{
	kfd_emit(user, 0xc0017600);
	kfd_emit(user, (reg - 0xb000) / 4);
	kfd_emit(user, value);
}

void
kfd_emit_copy(struct kfd_user *user, uint32_t control, uint64_t from,
	      uint64_t to)
{
	const unsigned source = control & 0xf;

	if (source == COPY_FROM_REGISTER || source == COPY_FROM_COUNTER)
		from /= 4;
	kfd_emit(user, 0xc0044000);
	kfd_emit(user, control);
	kfd_emit64(user, from);
	kfd_emit64(user, to);
}

void
kfd_emit_wait(struct kfd_user *user, uint32_t control, uint64_t at,
	      uint32_t value, uint32_t mask)
{
	kfd_emit(user, 0xc0053c00);
	kfd_emit(user, control);
	kfd_emit64(user, at);
	kfd_emit(user, value);
	kfd_emit(user, mask);
	kfd_emit(user, 10);
}

void
kfd_emit_for_die(struct kfd_user *user, unsigned die, uint32_t dwords)
{
	kfd_emit(user, 0xc0002300);
	kfd_emit(user, 1u << (24 + die) | dwords);
}

void
kfd_emit_start(struct kfd_user *user)
{
	kfd_emit_register(user, 0x372fc, 1);
	kfd_emit_register(user, 0x30800, 0xe0000000);
	kfd_emit_register(user, 0x36020, 0);
	kfd_emit_register(user, 0x36780, 0xffff007f);
	kfd_emit_register(user, 0x36784, 0xffffffff);
	kfd_emit_register(user, 0x36700, SQ_WAVES | SQ_ALL_MASKS);
	kfd_emit_register(user, 0x36020, 1);
}

/* Emit reads of the values of all engines of a die, at a dword of the data. */
static void
emit_read_of_die(struct kfd_user *user, unsigned first, unsigned engines)
{
	for (unsigned se = 0; se < engines; se++) {
		kfd_emit_register(user, 0x30800, 0x60000000 | se << 16);
		kfd_emit_copy(user,
			      COPY_FROM_COUNTER | COPY_TO_MEMORY | COPY_CONFIRM,
			      0x34700, user->data.address + 4 * (first + se));
	}
	kfd_emit_register(user, 0x30800, 0xe0000000);
}

void
kfd_emit_read(struct kfd_user *user, unsigned dies, unsigned engines)
{
	const uint32_t dwords =
		engines * (REGISTER_DWORDS + COPY_DWORDS) + REGISTER_DWORDS;

	kfd_emit_register(user, 0x36020, 1 | 1 << 10);
	for (unsigned die = 0; die < dies; die++) {
		if (dies > 1)
			kfd_emit_for_die(user, die, dwords);
		emit_read_of_die(user, engines * die, engines);
	}
	kfd_emit_register(user, 0x36020, 2);
	kfd_emit_register(user, 0x36780, 0);
	kfd_emit_register(user, 0x36020, 0);
	kfd_emit_register(user, 0x372fc, 0);
}
