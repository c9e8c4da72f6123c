#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: kfd_target.py FROM TO gfx942|gfx950

Copy a program whose code for gfx90a is said to be for another GPU in the copy.
"""

import os
import struct
import sys

EM_AMDGPU = 224
MACH = 0xff  # of e_flags
GFX90A = 0x3f  # LLVM, EF_AMDGPU_MACH_AMDGCN_*
OTHERS = {"gfx942": 0x4c, "gfx950": 0x4f}

target = sys.argv[3]
with open(sys.argv[1], "rb") as program:
    data = bytearray(program.read())
place = data.find(b"\x7fELF")
while place >= 0:
    machine, = struct.unpack_from("<H", data, place + 18)
    flags, = struct.unpack_from("<I", data, place + 48)
    if machine == EM_AMDGPU and flags & MACH == GFX90A:
        struct.pack_into("<I", data, place + 48,
                         flags & ~MACH | OTHERS[target])
    place = data.find(b"\x7fELF", place + 4)
with open(sys.argv[2], "wb") as program:
    program.write(data.replace(b"gfx90a", target.encode()))
os.chmod(sys.argv[2], 0o755)
