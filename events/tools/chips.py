# SPDX-License-Identifier: BSD-3-Clause
"""Writing chips.xml: which chip has which table, and its shape."""

import os

from tsv import read_tsv
from xmltext import attributes, comment

COLUMNS = (("cu-per-sa", "max_cu_per_sa"), ("rb-per-se", "max_rb_per_se"),
           ("channels", "tcc_or_gl2c"), ("l2-arbiters", "gl2a"),
           ("memory-interfaces", "sdp_interfaces"),
           ("wgp-above-spi", "wgp_above_spi"))


def write_chips(facts, ours, path, generations):
    """One line per chip of ours/chips.tsv, its shape from the facts if the
    row names an ASIC there, else from the row itself."""
    shapes, source = read_tsv(os.path.join(facts, "asic-topology.tsv"))
    shapes = {row["asic"]: row for row in shapes}
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             comment("SPDX-License-Identifier: BSD-3-Clause", ""),
             "<!--\n  Made by events/tools/amdgpu_tables.py; change that or "
             f"its data, not this file.\n  Shapes: {source};\n"
             "  where a chip has a comment, from the source named there.\n"
             "-->", '<chips driver="amdgpu">']
    for chip in read_tsv(os.path.join(ours, "chips.tsv"))[0]:
        if chip["comment"]:
            lines.append(comment(chip["comment"]))
        shape = shapes.get(chip["asic"], {})
        pairs = [(name, chip[name])
                 for name in ("name", "family", "revisions", "ip",
                              "generation")]
        pairs += [(name, chip[name] or shape.get(column, "").strip("-"))
                  for name, column in COLUMNS]
        pairs.append(("gfxoff", chip["gfxoff"]))
        lines.append("  <chip" + attributes(pairs) + "/>")
    lines.append("</chips>")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
