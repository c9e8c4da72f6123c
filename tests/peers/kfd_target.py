#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: kfd_target.py FROM TO

Copy a HIP program whose code for gfx90a is said to be for gfx942 in the copy.
"""

import os
import struct
import sys

EM_AMDGPU = 224
MACH = 0xff  # of e_flags
GFX90A, GFX942 = 0x3f, 0x4c  # LLVM, EF_AMDGPU_MACH_AMDGCN_*

with open(sys.argv[1], "rb") as program:
    data = bytearray(program.read())
place = data.find(b"\x7fELF")
while place >= 0:
    machine, = struct.unpack_from("<H", data, place + 18)
    flags, = struct.unpack_from("<I", data, place + 48)
    if machine == EM_AMDGPU and flags & MACH == GFX90A:
        struct.pack_into("<I", data, place + 48, flags & ~MACH | GFX942)
    place = data.find(b"\x7fELF", place + 4)
with open(sys.argv[2], "wb") as program:
    program.write(data.replace(b"gfx90a", b"gfx942"))
os.chmod(sys.argv[2], 0o755)
