#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What is in a PNG that a browser has made of a page: its size, and how many
pixels have the colour of plots. Eight bits per channel, not interlaced."""
import struct
import sys
import zlib

PLOT = (0x3B, 0x78, 0xC4)
NEAR = 12  # colours at edges are mixed


def chunks(data):
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        yield kind, data[at + 8 : at + 8 + size]
        at += size + 12


def paeth(a, b, c):
    nearest = min((abs(b - c), 0), (abs(a - c), 1), (abs(a + b - 2 * c), 2))
    return (a, b, c)[nearest[1]]


def unfilter(kind, line, before, step):
    for i in range(len(line)):
        a = line[i - step] if i >= step else 0
        c = before[i - step] if i >= step else 0
        b = before[i]
        line[i] = (
            line[i] + (0, a, b, (a + b) // 2, paeth(a, b, c))[kind]
        ) & 255


def main():
    data = open(sys.argv[1], "rb").read()
    header, packed = None, b""
    for kind, body in chunks(data):
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
    width, height, _, colour = header[:4]
    step = 4 if colour == 6 else 3
    raw, before, plots = zlib.decompress(packed), bytearray(width * step), 0
    for y in range(height):
        at = y * (width * step + 1)
        line = bytearray(raw[at + 1 : at + 1 + width * step])
        unfilter(raw[at], line, before, step)
        before = line
        for x in range(0, len(line), step):
            plots += all(
                abs(line[x + i] - PLOT[i]) < NEAR for i in range(3)
            )
    print(width, "x", height)
    print("colours of plots:", plots)


main()
