# SPDX-License-Identifier: BSD-3-Clause
"""Writing chips.xml: which chip has which table, and its shape."""

import os

from tsv import read_tsv
from xmltext import comment, list_head, list_line

# Attributes of a chip, and the column of asic-topology.tsv if there is one.
SHAPE = {"cu-per-sa": "max_cu_per_sa", "rb-per-se": "max_rb_per_se",
         "channels": "tcc_or_gl2c", "l2-arbiters": "gl2a",
         "memory-interfaces": "sdp_interfaces",
         "wgp-above-spi": "wgp_above_spi", "xcc": None,
         "without": None, "gfxoff": None}
COLUMNS = ["name", "family", "revisions", "generation", "target", "cu-per-sa",
           "rb-per-se", "channels"]


def shape_of(chip, asic):
    own = dict(pair.split("=") for pair in chip["shape"].split())
    if not set(own) <= set(SHAPE):
        raise SystemExit(f"{chip['name']}: what is {own}?")
    return [(name, own.get(name, asic.get(column, "").strip("-")))
            for name, column in SHAPE.items()]


def write_chips(facts, ours, path):
    """One line for each chip of ours/chips.tsv."""
    asics, source = read_tsv(os.path.join(facts, "asic-topology.tsv"))
    asics = {row["asic"]: row for row in asics}
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             comment("SPDX-License-Identifier: BSD-3-Clause", ""),
             "<!--\n  Made by events/tools/amdgpu_tables.py; change that or "
             f"its data, not this file.\n  Shapes: {source};\n"
             "  targets: LLVM AMDGPUUsage, Linux 6.12 kfd_device.c;\n"
             "  where a comment says so, another source.\n"
             "-->", '<chips driver="amdgpu">', list_head("chip", COLUMNS)]
    for chip in read_tsv(os.path.join(ours, "chips.tsv"))[0]:
        if chip["comment"]:
            lines.append(comment(chip["comment"]))
        lines.append("\t" + list_line(
            COLUMNS,
            [(name, chip[name]) for name in ("name", "family", "revisions",
                                             "ip", "generation", "target")]
            + shape_of(chip, asics.get(chip["asic"], {})), ""))
    lines += ["\t</list>", "</chips>"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
