# SPDX-License-Identifier: BSD-3-Clause
# A program as HIP makes it: a queue of the first GPU of KFD in which a number of
# groups of 256 work-items run, so many times. It allows itself to be counted, as
# drmperf's tool library has it.
import ctypes
import fcntl
import mmap
import os
import struct
import sys
import time

NODES = "/sys/class/kfd/kfd/topology/nodes/"
CREATE_QUEUE = 0xC0584B02
ACQUIRE_VM = 0x40084B15
ALLOC_MEMORY = 0xC0284B16
MAP_MEMORY = 0xC0184B18
GTT = 0xD6000002
BARRIER = 1 << 8
ENABLE = (0xC0017600, 0x20B, 1)


def properties(node):
    with open(NODES + node + "/properties", encoding="ascii") as file:
        return {line.split()[0]: int(line.split()[1]) for line in file}


def save_size(node):
    dies = node["num_xcc"]
    units = node["simd_count"] // node["simd_per_cu"] // dies
    engines = node["array_count"] // node["simd_arrays_per_engine"] // dies
    debug = (32 * min(40 * units, 512 * engines) + 63) // 64 * 64
    return ((node["cwsr_size"] + debug) * dies + 4095) // 4096 * 4096


class Program:
    def __init__(self):
        with open(NODES + "1/gpu_id", encoding="ascii") as file:
            self.gpu = int(file.read())
        self.node = properties("1")
        minor = self.node["drm_render_minor"]
        self.kfd = os.open("/dev/kfd", os.O_RDWR)
        self.render = os.open(f"/dev/dri/renderD{minor}", os.O_RDWR)
        self.next = 1 << 32
        fcntl.ioctl(
            self.kfd, ACQUIRE_VM, struct.pack("II", self.render, self.gpu)
        )
        self.ring, ring = self.alloc(4096)
        self.head, head = self.alloc(4096)
        self.data, self.at = self.alloc(4096)
        _, save = self.alloc(save_size(self.node))
        for slot in range(64):
            self.ring[slot * 64] = 1
        fcntl.ioctl(
            self.kfd,
            CREATE_QUEUE,
            struct.pack("4Q6I3Q2I", ring, head + 56, head + 128, 0, 4096,
                        self.gpu, 2, 100, 7, 0, 0, 0, save,
                        self.node["cwsr_size"], self.node["ctl_stack_size"]),
        )
        self.count = 0

    def alloc(self, size):
        address = self.next
        self.next += size + (1 << 20)
        words = bytearray(struct.pack("4Q2I", address, size, 0, 0, self.gpu, GTT))
        fcntl.ioctl(self.kfd, ALLOC_MEMORY, words)
        _, _, handle, offset, _, _ = struct.unpack("4Q2I", words)
        gpus = ctypes.c_uint32(self.gpu)
        words = struct.pack("QQII", handle, ctypes.addressof(gpus), 1, 0)
        fcntl.ioctl(self.kfd, MAP_MEMORY, bytearray(words))
        return mmap.mmap(self.render, size, offset=offset), address

    def put(self, packet):
        slot = self.count % 64 * 64
        self.ring[slot + 4 : slot + 64] = packet[4:]
        self.ring[slot : slot + 4] = packet[:4]
        self.count += 1
        self.head[56:64] = struct.pack("Q", self.count)

    def enable(self):
        self.data[0:12] = struct.pack("3I", *ENABLE)
        self.put(struct.pack("6I8IQ", BARRIER | 1 << 16, 0xC0023F00,
                             self.at & 0xFFFFFFFF, self.at >> 32,
                             3 | 1 << 23, 10, *(8 * [0]), 0))

    def dispatch(self, groups):
        self.put(struct.pack("2I4I2I4Q", 2 | BARRIER | 1 << 16, 256 | 1 << 16, 1,
                             256 * groups, 1, 1, 0, 0, self.at + 2048, 0, 0, 0))

    def finish(self):
        signal = 1024
        self.data[signal : signal + 16] = struct.pack("qq", 1, 1)
        self.put(struct.pack("I13IQ", 3 | BARRIER, *(13 * [0]), self.at + signal))
        while struct.unpack("q", self.data[signal + 8 : signal + 16])[0]:
            time.sleep(0.001)


program = Program()
program.enable()
for _ in range(int(sys.argv[2])):
    program.dispatch(int(sys.argv[1]))
program.finish()
