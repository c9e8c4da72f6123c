# SPDX-License-Identifier: BSD-3-Clause
# Another profiler: takes the kernel's lock of the first GPU of KFD, runs the
# command that its arguments are, and returns what that returns. With --die it
# kills itself by SIGKILL before the command, which then is left to the caller.
import fcntl
import glob
import os
import signal
import struct
import subprocess
import sys

GET_VERSION = 0x80084B01
ACQUIRE_VM = 0x40084B15
PROFILER = 0xC0104B28

kfd = os.open("/dev/kfd", os.O_RDWR)
render = os.open("/dev/dri/renderD128", os.O_RDWR)
ids = []
for path in sorted(glob.glob("/sys/class/kfd/kfd/topology/nodes/*/gpu_id")):
    with open(path, encoding="ascii") as file:
        ids.append(int(file.read()))
gpu = [number for number in ids if number][0]
fcntl.ioctl(kfd, ACQUIRE_VM, struct.pack("II", render, gpu))
fcntl.ioctl(kfd, PROFILER, struct.pack("IIII", 0, gpu, 1, 1))
if sys.argv[1:] == ["--die"]:
    os.kill(os.getpid(), signal.SIGKILL)
sys.exit(subprocess.run(sys.argv[1:], check=False).returncode)
