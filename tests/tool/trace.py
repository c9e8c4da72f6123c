# SPDX-License-Identifier: BSD-3-Clause
"""Read a trace of Perfetto as its own trace processor would, and print it.

usage: trace.py FILE

One line for each counter, "counter NAME UNIT SUM" with the sum of height times
seconds, for each slice of a process, "slice PROCESS NAME", for each region of a
thread, "region PROCESS THREAD DEPTH NAME", for each range "range PROCESS NAME",
and for each instant "instant PROCESS THREAD NAME". What breaks a rule of
Perfetto's is an error: fields of the wrong wire type, a packet of no sequence,
a time on a clock that no snapshot ties to the trace's, an event on a track that
is not described, a slice that ends before it begins or does not end. Numbers
are those of perfetto/protos/perfetto/trace.
"""
import struct
import sys

VARINT, BITS64, BYTES = 0, 1, 2


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data, wires):
    """The fields of a message, each a list; wires: what they are to be."""
    at, found = 0, {}
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        assert wires.get(number) == wire, f"field {number} has wire {wire}"
        if wire == VARINT:
            value, at = varint(data, at)
        elif wire == BITS64:
            value, at = struct.unpack_from("<d", data, at)[0], at + 8
        else:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size, "a field reaches beyond the end"
        found.setdefault(number, []).append(value)
    return found


PACKET = {6: BYTES, 8: VARINT, 10: VARINT, 11: BYTES, 13: VARINT, 58: VARINT,
          60: BYTES}
TRACK = {1: VARINT, 2: BYTES, 3: BYTES, 4: BYTES, 5: VARINT, 8: BYTES}
EVENT = {9: VARINT, 11: VARINT, 23: BYTES, 44: BITS64}
PROCESS = {1: VARINT, 6: BYTES}
THREAD = {1: VARINT, 2: VARINT}
BOOTTIME = 6
SLICE_BEGIN, SLICE_END, INSTANT, COUNTER = 1, 2, 3, 4


class Trace:
    def __init__(self):
        self.clocks = set()
        self.tracks = {}
        self.events = []

    def packet(self, data):
        packet = fields(data, PACKET)
        assert packet[10] == [1], "a packet of no sequence"
        for snapshot in packet.get(6, []):
            for clock in fields(snapshot, {1: BYTES})[1]:
                self.clocks.add(fields(clock, {1: VARINT, 2: VARINT})[1][0])
        for track in packet.get(60, []):
            track = fields(track, TRACK)
            if 5 in track:
                assert track[5][0] in self.tracks, "a parent comes later"
            self.tracks[track[1][0]] = track
        for event in packet.get(11, []):
            assert packet[58][0] in self.clocks and BOOTTIME in self.clocks
            self.events.append((packet[8][0], fields(event, EVENT)))

    def whose(self, track, depth):
        """The words before a slice's name."""
        if 4 in track:
            thread = fields(track[4][0], THREAD)
            return "region", thread[1][0], thread[2][0], depth
        assert not depth, "slices overlap"
        if 3 in track:
            return "slice", fields(track[3][0], PROCESS)[1][0]
        parent = self.tracks[track[5][0]]
        return "range", fields(parent[3][0], PROCESS)[1][0]

    def check(self):
        counters, open_slices = {}, {}
        # of one time those stay in order, as the trace processor sorts
        for time, event in sorted(self.events, key=lambda pair: pair[0]):
            uuid, kind = event[11][0], event[9][0]
            track = self.tracks[uuid]
            if kind == COUNTER:
                assert 8 in track, "a value on what is no counter"
                counters.setdefault(uuid, []).append((time, event[44][0]))
            elif kind == SLICE_BEGIN:
                slices = open_slices.setdefault(uuid, [])
                print(*self.whose(track, len(slices)), event[23][0].decode())
                slices.append(time)
            elif kind == INSTANT:
                thread = fields(track[4][0], THREAD)
                print("instant", thread[1][0], thread[2][0],
                      event[23][0].decode())
            else:
                assert kind == SLICE_END and open_slices[uuid].pop() <= time
        assert not any(open_slices.values()), "a slice does not end"
        for uuid, values in counters.items():
            track = self.tracks[uuid]
            unit = fields(track[8][0], {6: BYTES})[6][0].decode()
            total = sum(height * (end - begin) / 1e9 for
                        (begin, height), (end, _) in zip(values, values[1:]))
            print("counter", track[2][0].decode(), unit, f"{total:.6g}")


trace = Trace()
with open(sys.argv[1], "rb") as file:
    for packet in fields(file.read(), {1: BYTES})[1]:
        trace.packet(packet)
trace.check()
