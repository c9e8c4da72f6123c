#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The OA reports of a recording as a file of i915-perf-recorder.

Reads the format as drmperf-recording(5) tells it. Times are only told of the
first and the last report, as the recorder does. Prints how many reports there
are, and the ticks from the first to the last.
usage: unwrap.py RECORDING OUTPUT
"""
import struct
import sys

HEAD, REPORTS = 7, 8
SAMPLE, TIME = 1, 0x10003
VERSION = struct.pack("<IHHII", 1 << 16, 0, 16, 1, 0)


def records(data, form, at):
    """The type and the place of each record with such a header."""
    while at < len(data):
        kind, size, body = form(data, at)
        yield kind, data[at:body + size], data[body:body + size]
        at = body + size


def own(data, at):
    kind, size = struct.unpack_from("<II", data, at)
    return kind, size, at + 8


def kernels(data, at):
    kind, _, size = struct.unpack_from("<IHH", data, at)
    return kind, size - 8, at + 8


with open(sys.argv[1], "rb") as file:
    recording = file.read()
assert recording.startswith(b"drmperf\n")
ticks = []


def time_record(tick):
    """As if the GPU, of 12 MHz, had begun with the machine."""
    return struct.pack("<IHHQQ", TIME, 0, 24, tick * 1000 // 12, tick)


with open(sys.argv[2], "wb") as file:
    file.write(VERSION)
    for kind, _, body in records(recording, own, 8):
        if kind not in (HEAD, REPORTS):
            continue
        assert body[0] == 0, "of the first GPU"
        for inner, whole, report in records(body[1:], kernels, 0):
            if inner == SAMPLE:
                ticks.append(struct.unpack_from("<I", report, 4)[0])
                if len(ticks) == 1:
                    file.write(time_record(ticks[0] - 1))
            if inner != TIME:
                file.write(whole)
    file.write(time_record(ticks[-1] + 1))
print("reports", len(ticks))
print("ticks", ticks[-1] - ticks[0])
