#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make events/amdgpu/products.xml: what AMD GPUs are sold as.

    products.py AMDGPU_IDS > events/amdgpu/products.xml

AMDGPU_IDS is libdrm's data/amdgpu.ids. Where all revisions of a device have
one name, the device's number stands for all of them. GPUs of gfx6, which have
no tables, are left out.
"""

import re
import sys

GFX6 = ((0x6600, 0x663f), (0x6660, 0x667f), (0x6780, 0x679f),
        (0x6800, 0x684f))

HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!--
  Made by events/tools/products.py; change that, not this file.
  Source: libdrm data/amdgpu.ids (2026-07).
-->
<products driver="amdgpu">
<list of="product" columns="name ids">"""


def read_ids(path):
    """(device, revision, name), numbers as in the file, lower case."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = re.match(r"([0-9A-Fa-f]{4}),\s*([0-9A-Fa-f]+),\s*(.*\S)",
                             line)
            if match:
                device, revision, name = match.groups()
                yield device.lower(), f"{int(revision, 16):02x}", name


def short(name):
    return re.sub(r"^(AMD|ATI) |( Graphics)$", "", name).replace('"', "")


def has_table(device):
    return not any(first <= int(device, 16) <= last for first, last in GFX6)


def products(ids):
    """{name: ids}, in the order of the file."""
    names = {}
    for device, _, name in ids:
        names.setdefault(device, set()).add(short(name))
    found = {}
    for device, revision, name in ids:
        one = device if len(names[device]) == 1 else f"{device}:{revision}"
        found.setdefault(short(name), {})[one] = True
    return found


def main():
    ids = [row for row in read_ids(sys.argv[1]) if has_table(row[0])]
    print(HEAD)
    for name, numbers in products(ids).items():
        print(f'"{name}" "{" ".join(numbers)}":')
    print("</list>\n</products>")


main()
