#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make events/amdgpu/*.xml from tables of hardware facts.

    amdgpu_tables.py FACTS OUTPUT [GENERATION...]

FACTS is a folder with blocks-GEN.tsv, events-GEN.tsv, control-regs.tsv,
generations.tsv, asic-topology.tsv, rocprof-metrics.tsv, gpa-derived.tsv and
trace/spm-muxsel.tsv.
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
from gpu_metrics import write_gpu_metrics
from metrics import Missing, Resolver, make_metrics
from tsv import applies, read_tsv
from xmltext import attributes, comment, escape, list_head, list_line

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "amdgpu")
GENERATIONS = ("gfx7", "gfx8", "gfx9", "gfx906", "gfx908", "gfx90a", "gfx940",
               "gfx950", "gfx10.1", "gfx10.3", "gfx11", "gfx11.5", "gfx12")


class Facts:
    """The facts of one generation, and our data for it."""

    def __init__(self, folder, key):
        def read(name):
            return read_tsv(os.path.join(folder, name))

        self.key, self.read = key, read
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

    def listed(self):
        """AMD's names of metrics; gfx7 has the lists of gfx8."""
        rows = read_tsv(os.path.join(HERE, "rocm-metrics.tsv"))[0]
        key = "gfx8" if self.key == "gfx7" else self.key
        return [row for row in rows if applies(row, key)]

    def agreed_events(self, block, keys):
        """The block's rows of the first of these that all the others have."""
        first, *others = [
            [row for row in self.read(f"events-{key}.tsv")[0]
             if row["block"] == block] for key in keys]
        for rows in others:
            same = {(row["event_id"], row["event_name"]) for row in rows}
            first = [row for row in first
                     if (row["event_id"], row["event_name"]) in same]
        return first

    def derived_formulas(self, key):
        rows = read_tsv(os.path.join(HERE, "gpa-formulas.tsv"))[0]
        return [row for row in rows if row["generations"] == key]


def register_lines(facts):
    columns = ["name", "offset", "value"]
    yield list_head("register", columns)
    for row in facts.ours("registers.tsv"):
        offset = row["offset"] or facts.registers.get(row["register"])
        if offset is None:
            continue
        if row["comment"]:
            yield comment(row["comment"])
        yield "\t" + list_line(columns, [
            ("name", row["register"]), ("offset", offset),
            ("value", row["value"]), ("reset", row["reset"]),
            ("sync", row["sync"])], "")
    yield "\t</list>"


def window_lines(facts):
    for row in facts.ours("windows.tsv"):
        if row["comment"]:
            yield comment(row["comment"])
        yield "\t<window" + attributes(
            (name, row[name])
            for name in ("open", "pfp-firmware", "mec-firmware",
                         "hidden")) + "/>"


def command_lines(facts):
    for row in facts.ours("commands.tsv"):
        if row["comment"]:
            yield comment(row["comment"])
        yield "\t<commands" + attributes(
            (name, row[name])
            for name in ("samples", "graphics", "stop", "source", "stale",
                         "sample-event", "copy-bits")) + "/>"


STREAM = ("form", "control", "ring-low", "ring-high", "ring-size", "ring-position",
          "accumulation", "segment-size", "engine-segments",
          "global-segment", "global-address", "global-data",
          "engine-address", "engine-data", "time-codes", "counter-bit",
          "block-bit", "array-bit", "instance-bit", "lines",
          "position-unit", "hidden")


def stream_lines(facts):
    for row in facts.ours("streams.tsv"):
        yield "\t<stream" + attributes(
            (name, row[name]) for name in STREAM) + "/>"


TRACE = ("unit", "unit-cus", "events", "events-bits", "status", "finished",
         "busy", "failed", "pointer", "pointer-mask", "absolute", "dropped",
         "written", "unfinished", "hidden")
TRACE_WRITE = ("name", "register", "value", "size-bit", "base-bit", "high-bit",
               "unit-bit", "brief", "all-programs", "armed")


def trace_lines(facts):
    for row in facts.ours("traces.tsv"):
        yield "\t<trace" + attributes((name, row[name]) for name in TRACE) + "/>"
    for row in facts.ours("trace-writes.tsv"):
        yield "\t<trace_write" + attributes(
            (name, row[name]) for name in TRACE_WRITE) + "/>"


def stream_blocks(facts):
    """How blocks stream, by name, where two sources agree on it, or all of
    the generation is off until it has been tested."""
    ours = facts.ours("streams.tsv")
    if not ours:
        return {}
    key = ours[0]["blocks-of"] or facts.key
    return {row["block"]: row
            for row in facts.read("trace/spm-muxsel.tsv")[0]
            if row["gen"] == key and int(row["wires"])
            and ("+" in row["confirmed_by"] or ours[0]["hidden"])
            and "[one source]" not in row["notes"]}


class Event:
    def __init__(self, row, unit, text):
        self.name, self.number = row["event_name"], int(row["event_id"])
        self.unit, self.text = unit, text


def describe_events(describer, block, ours):
    """The block's events, no two with the same text unless unassigned."""
    files = ours["patterns"].split() + ["common"]
    seen, events = set(), []
    for row in block.rows:
        name = row["event_name"]
        unit, text = describer.describe(block.name, files, name)
        if text in seen:
            text = f"{text[:-1]} (hardware name {name})."
            describer.doubles.append(f"{block.name}.{name}")
        seen.add(text)
        events.append(Event(row, unit, text))
    return events


def rocm_aliases(resolver, rocm):
    """ROCm's names of events that do not follow from block and event."""
    aliases = {}
    for word in resolver.event_rows:
        try:
            block, name = resolver.event(word)
        except Missing:
            continue
        if word.upper() != f"{rocm[block]}_{name}":
            aliases[block, name] = word
    for block, name in resolver.events:
        if block in ("SQ", "SQ_WGP") and name.startswith("SQC_"):
            aliases[block, name] = name
    return aliases


def block_lines(block, ours, marks, aliases):
    units = [event.unit for event in block.events]
    common = max(sorted(set(units)), key=units.count)
    if ours["comment"]:
        yield comment(ours["comment"])
    yield block.head(common, ours)
    yield f"\t\t<description>{escape(ours['description'])}</description>"
    yield from block.slot_lines()
    columns = ["id", "name", "unit"]
    yield list_head("event", columns, "\t\t")
    for event in block.events:
        mark = marks.get((block.name, event.name), {})
        if mark.get("comment"):
            yield comment(mark["comment"], "\t\t")
        yield "\t\t" + list_line(
            columns,
            [("id", event.number), ("name", event.name),
             ("unit", event.unit if event.unit != common else None),
             ("slots", block.slots_of(event.number)),
             ("follows", mark.get("follows")),
             ("alias", aliases.get((block.name, event.name.upper())))],
            event.text)
    yield "\t\t</list>"
    yield "\t</block>"


def header_lines(facts):
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield comment("SPDX-License-Identifier: BSD-3-Clause", "")
    yield (f"<!--\n"
           f"  Made by events/tools/amdgpu_tables.py; change that or its\n"
           f"  data. {facts.key}: {facts.generation['asics']}.\n"
           f"  Blocks: {facts.block_source}.\n"
           f"  Events: {facts.event_source.split('; kernel_id')[0]}.\n"
           f"  Registers: {facts.register_source}.\n"
           f"  Units and descriptions are ours.\n-->")
    yield (f'<events driver="amdgpu" generation="{facts.key}"'
           f' level="{facts.level}" version="1">')


def variants(facts, name):
    """The block as some chips have it, before that of all others."""
    for row in facts.ours("variants.tsv"):
        if row["block"] != name:
            continue
        keys = row["source"].split("+")
        block = next(block for block in make_blocks(
            facts.read(f"blocks-{keys[0]}.tsv")[0]) if block.name == name)
        block.targets, block.comment = row["targets"], row["comment"]
        block.rows = facts.agreed_events(name, keys)
        yield block


def offered(facts):
    """The blocks to offer, and comments about the others."""
    left_out = {row["block"]: row["reason"]
                for row in facts.ours("left-out.tsv")}
    hidden = {row["block"]: row["reason"]
              for row in facts.ours("hidden.tsv")}
    blocks, comments = [], []
    for block in make_blocks(facts.blocks):
        block.rows = [e for e in facts.events if e["block"] == block.name]
        if block.name in left_out:
            why = left_out[block.name]
        elif not block.rows:
            why = "no event of it has a public name"
        else:
            for each in [*variants(facts, block.name), block]:
                each.hidden = hidden.get(block.name)
                each.build()
                blocks.append(each)
            continue
        comments.append(comment(f"{block.name} is left out: {why}."))
    return blocks, comments


def disagreement(facts, block):
    """A comment if the kernel's header has other numbers for events."""
    count = sum(row["kernel_id"] not in ("", "-") for row in block.rows)
    header = re.search(r"kernel_id from (\S.*) where", facts.event_source)
    if count and header:
        yield comment(f"Event ids are AMD PAL's. {header[1]}, which is of an "
                      f"early draft, has others for {count} of the events.")


def common_events(blocks):
    """The events that metrics may use, by block and name in capitals: those
    that the block has on every chip."""
    common = {}
    for block in blocks:
        own = {event.name.upper(): event for event in block.events}
        before = common.get(block.name, own)
        common[block.name] = {name: own[name] for name in own
                              if name in before}
    return {(block, name): event for block, events in common.items()
            for name, event in events.items()}


def table_lines(facts, describer):
    ours = {row["block"]: row for row in facts.ours("blocks.tsv")}
    marks = {(m["block"], m["event"]): m for m in facts.ours("marks.tsv")}
    clocks = {row["block"]: row for row in facts.ours("clocks.tsv")}
    blocks, comments = offered(facts)
    streams = stream_blocks(facts)
    for block in blocks:
        block.clock = clocks.get(block.name)
        block.stream = streams.get(block.name)
        block.events = describe_events(describer, block, ours[block.name])
    rocm = {block.name: ours[block.name]["rocm"] or block.name
            for block in blocks}
    resolver = Resolver(facts, common_events(blocks), rocm,
                        {block.name: block.max_active() for block in blocks})
    aliases = rocm_aliases(resolver, rocm)
    yield from header_lines(facts)
    yield from register_lines(facts)
    yield from window_lines(facts)
    yield from command_lines(facts)
    yield from stream_lines(facts)
    yield from trace_lines(facts)
    yield from comments
    for block in blocks:
        if block.comment:
            yield comment(block.comment)
        yield from disagreement(facts, block)
        yield from block_lines(block, ours[block.name], marks, aliases)
    for row in facts.ours("hidden-events.tsv"):
        yield "\t<hidden" + attributes([
            ("event", f"{row['block']}.{row['event']}"),
            ("reason", row["reason"])]) + "/>"
    for row in facts.ours("witnesses.tsv"):
        if (row["block"], row["event"]) in resolver.events:
            yield "\t<core_clock" + attributes([
                ("block", row["block"]), ("event", row["event"])]) + "/>"
    yield from make_metrics(facts, resolver, marks)
    yield "</events>"


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    facts_folder, output = sys.argv[1:3]
    for key in sys.argv[3:] or GENERATIONS:
        describer = Describer(HERE, key)
        lines = list(table_lines(Facts(facts_folder, key), describer))
        with open(os.path.join(output, key + ".xml"), "w",
                  encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        for name in describer.doubles:
            print(f"{key}: told apart by its name only: {name}",
                  file=sys.stderr)
    write_chips(facts_folder, HERE, os.path.join(output, "chips.xml"))
    write_gpu_metrics(output)


if __name__ == "__main__":
    main()
