#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The OA reports of a recording as a file of i915-perf-recorder.

Reads the format as drmperf-recording(5) tells it. Times are only told of the
first and the last report, as the recorder does. Prints how many reports there
are, and the ticks and the GPU's clocks from the first to the last.
usage: unwrap.py RECORDING OUTPUT
"""
import struct
import sys

HEAD, REPORTS = 7, 8
SAMPLE, GPU, TIME = 1, 0x10001, 0x10003
# Where time and clock are, by the size of a report. Xe2's are wide; the media
# engines' are the short ones.
WIDE = ("<8xQ8xQ", 64)
PLACES = {256: ("<4xI4xI", 32), 576: WIDE, 128: WIDE}
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
clocks = []
hz = 0


def time_record(tick):
    """As if the GPU had begun with the machine."""
    return struct.pack("<IHHQQ", TIME, 0, 24, tick * 10**9 // hz, tick)


def passed(values):
    return (values[-1] - values[0]) % 2**bits


with open(sys.argv[2], "wb") as file:
    file.write(VERSION)
    for kind, _, body in records(recording, own, 8):
        if kind not in (HEAD, REPORTS):
            continue
        assert body[0] == 0, "of the first GPU"
        for inner, whole, report in records(body[1:], kernels, 0):
            if inner == GPU:
                hz, = struct.unpack_from("<Q", report)
            if inner == SAMPLE:
                form, bits = PLACES[len(report)]
                tick, clock = struct.unpack_from(form, report)
                ticks.append(tick)
                clocks.append(clock)
                if len(ticks) == 1:
                    file.write(time_record(ticks[0] - 1))
            if inner != TIME:
                file.write(whole)
    file.write(time_record(ticks[-1] + 1))
print("reports", len(ticks))
print("ticks", passed(ticks))
print("clocks", passed(clocks))
