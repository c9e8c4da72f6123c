/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses of registers, in dwords. */
#ifndef DRMSIM_AMDGPU_GFX_ADDRESS_H
#define DRMSIM_AMDGPU_GFX_ADDRESS_H

#define BYTE_TO_DWORD(byte) ((byte) / 4)
/* Registers of shaders, which are the queue's. */
#define SHADER_START BYTE_TO_DWORD(0xb000u)
#define SHADER_END BYTE_TO_DWORD(0xc000u)
/* First dwords of context registers and of those that processes may set. */
#define CONTEXT_START BYTE_TO_DWORD(0x28000u)
#define UCONFIG_START BYTE_TO_DWORD(0x30000u)
#define UCONFIG_END BYTE_TO_DWORD(0x40000u)
/* UCONFIG registers of counters and of their controls. */
#define COUNTERS_START BYTE_TO_DWORD(0x34000u)
#define COUNTERS_END BYTE_TO_DWORD(0x38000u)
/* COPY_DATA reaches this many registers. */
#define REGISTERS_MAX 0x40000u
/* Registers below this may have to do with counters. */
#define PERF_REGISTERS_MAX 0x10000u

#endif /* DRMSIM_AMDGPU_GFX_ADDRESS_H */
