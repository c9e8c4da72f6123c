#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A file of i915-perf-recorder, of gen9's reports, with more of them.

The last report is repeated, 1024 ticks of 12 MHz apart, with its clock and its
first counter going on.
usage: stretch.py FILE OUTPUT REPORTS
"""
import struct
import sys

SAMPLE, TIME = 1, 0x10003
PERIOD, CLOCKS = 1024, 97000


def records(data):
    at = 0
    while at < len(data):
        kind, _, size = struct.unpack_from("<IHH", data, at)
        yield kind, data[at:at + size]
        at += size


def time_record(tick):
    return struct.pack("<IHHQQ", TIME, 0, 24, tick * 1000 // 12, tick)


with open(sys.argv[1], "rb") as file:
    given = list(records(file.read()))
report = bytearray([whole for kind, whole in given if kind == SAMPLE][-1])
count = int(sys.argv[3])
begin = 1 << 20
with open(sys.argv[2], "wb") as file:
    for kind, whole in given:
        if kind not in (SAMPLE, TIME):
            file.write(whole)
    file.write(time_record(begin - 1))
    for i in range(count):
        struct.pack_into("<I", report, 12, begin + i * PERIOD & 0xffffffff)
        struct.pack_into("<II", report, 20, i * CLOCKS & 0xffffffff,
                         i * CLOCKS & 0xffffffff)
        file.write(report)
    file.write(time_record(begin + count * PERIOD))
