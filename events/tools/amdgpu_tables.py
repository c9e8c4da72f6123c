#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make events/amdgpu/*.xml from tables of hardware facts.

    amdgpu_tables.py FACTS OUTPUT [GENERATION...]

FACTS is a folder with blocks-GEN.tsv, events-GEN.tsv, control-regs.tsv,
generations.tsv, asic-topology.tsv, rocprof-metrics.tsv and gpa-derived.tsv.
What is ours (units, descriptions, metrics, chips without a row, blocks that
are left out) stands in the folder amdgpu beside this program. Needed only by
who changes the tables: neither the build nor the library runs it.
"""

import os
import re
import sys

from blocks import make_blocks
from chips import write_chips
from describe import Describer
from metrics import make_metrics
from tsv import applies, read_tsv
from xmltext import attributes, comment, escape

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "amdgpu")
GENERATIONS = ("gfx7", "gfx8", "gfx9", "gfx906", "gfx908", "gfx90a", "gfx940",
               "gfx10.1", "gfx10.3", "gfx11", "gfx12")


class Facts:
    """The facts of one generation, and our data for it."""

    def __init__(self, folder, key):
        def read(name):
            return read_tsv(os.path.join(folder, name))

        self.key = key
        self.blocks, self.block_source = read(f"blocks-{key}.tsv")
        self.events, self.event_source = read(f"events-{key}.tsv")
        self.generation = next(row for row in read("generations.tsv")[0]
                               if row["key"] == key)
        self.level = re.match(r"\d+", self.generation["gfx_level"])[0]
        registers, self.register_source = read("control-regs.tsv")
        # the compute parts use the rows of gfx9
        rows_of = key if any(r["gen"] == key for r in registers) else "gfx9"
        self.registers = {r["register"]: r["offset"] for r in registers
                          if r["gen"] == rows_of}
        self.rocprof, self.rocprof_source = read("rocprof-metrics.tsv")
        self.derived, self.derived_source = read("gpa-derived.tsv")

    def ours(self, name):
        rows = read_tsv(os.path.join(HERE, name))[0]
        return [row for row in rows if applies(row, self.key)]


def register_lines(facts):
    for row in facts.ours("registers.tsv"):
        offset = row["offset"] or facts.registers.get(row["register"])
        if offset is None:
            continue
        if row["comment"]:
            yield comment(row["comment"])
        yield "  <register" + attributes([
            ("name", row["register"]), ("offset", offset),
            ("value", row["value"])]) + "/>"


def describe_events(facts, describer, block, row):
    """The block's events: (id, name, unit, text, attributes, comment)."""
    files = row["patterns"].split() + ["common"]
    seen = {}
    for event in facts.events:
        if event["block"] != block.name:
            continue
        name, number = event["event_name"], int(event["event_id"])
        unit, text = describer.describe(block.name, files, name)
        if text in seen and not text.startswith("Unassigned"):
            text = f"{text[:-1]} (hardware name {name})."
            describer.derived += 1
        seen[text] = name
        yield number, name, unit, text, event


def block_lines(facts, describer, block, row, marks, names):
    events = list(describe_events(facts, describer, block, row))
    for _, name, unit, text, _ in events:
        names[block.name, name.upper()] = name, unit, text
    units = [unit for _, _, unit, _, _ in events]
    common = max(sorted(set(units)), key=units.count) if units else "none"
    yield block.head(common)
    yield f"    <description>{escape(row['description'])}</description>"
    yield from block.slot_lines()
    for number, name, unit, text, _ in events:
        mark = marks.get((block.name, name), {})
        if mark.get("comment"):
            yield comment(mark["comment"], "    ")
        yield "    <event" + attributes([
            ("id", number), ("name", name),
            ("unit", unit if unit != common else None),
            ("slots", block.slots_of(number)),
            ("follows", mark.get("follows")),
            ("alias", mark.get("alias"))]) + f">{escape(text)}</event>"
    yield "  </block>"


def table_lines(facts):
    describer = Describer(HERE, facts.key)
    rows = {row["block"]: row for row in facts.ours("blocks.tsv")}
    marks = {(m["block"], m["event"]): m for m in facts.ours("marks.tsv")}
    left_out = {row["block"]: row["reason"]
                for row in facts.ours("left-out.tsv")}
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield comment("SPDX-License-Identifier: BSD-3-Clause", "")
    yield (f"<!--\n"
           f"  Made by events/tools/amdgpu_tables.py; change that or its data,\n"
           f"  not this file. {facts.key}: {facts.generation['asics']}.\n"
           f"  Blocks: {facts.block_source}.\n"
           f"  Events: {facts.event_source}.\n"
           f"  Registers: {facts.register_source}.\n"
           f"  Units and descriptions are ours.\n-->")
    yield (f'<events driver="amdgpu" generation="{facts.key}"'
           f' level="{facts.level}" version="1">')
    yield from register_lines(facts)
    blocks = []
    for block in make_blocks(facts.blocks):
        if block.name in left_out:
            yield comment(f"{block.name} is left out: {left_out[block.name]}")
        elif not any(e["block"] == block.name for e in facts.events):
            yield comment(f"{block.name} is left out: no event of it has a "
                          "public name.")
        else:
            blocks.append(block)
    names = {}
    for block in blocks:
        block.build()
        yield from block_lines(facts, describer, block, rows[block.name],
                               marks, names)
    for row in facts.ours("witnesses.tsv"):
        if any(e["block"] == row["block"] and e["event_name"] == row["event"]
               for e in facts.events):
            yield "  <witness" + attributes([
                ("block", row["block"]), ("event", row["event"])]) + "/>"
    yield from make_metrics(facts, names)
    yield "</events>"
    if describer.derived:
        print(f"{facts.key}: {describer.derived} descriptions needed their "
              "event's name to be told apart", file=sys.stderr)
    if os.environ.get("UNKNOWN_WORDS"):
        for word, count in sorted(describer.words.unknown.items()):
            print(f"{facts.key}\t{word}\t{count}")


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    facts_folder, output = sys.argv[1:3]
    for key in sys.argv[3:] or GENERATIONS:
        lines = list(table_lines(Facts(facts_folder, key)))
        with open(os.path.join(output, key + ".xml"), "w",
                  encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    write_chips(facts_folder, HERE, os.path.join(output, "chips.xml"))


if __name__ == "__main__":
    main()
