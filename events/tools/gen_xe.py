#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make events/xe/*.xml out of tables of facts about Intel's OA units.

usage: gen_xe.py FACTS OUTPUT

FACTS is a folder with platforms.tsv and, for each platform P, sets-P.tsv,
counters-P.tsv and regs-P.tsv, of the form that gen_i915.py takes, and beside it
one named i915 with pci.tsv. Equations are Metrics Discovery's (80cc1155,
2026-07), which has corrected two since IGT's files were made: the second
arithmetic pipe's utilization, and the color pipe's second latency. They are
compared with its tables in md-whole: xe-corrections.tsv has to explain each
difference. Descriptions are ours, from the rules in events/tools/i915. Needed by developers only; the
result is in the tree.
"""

import copy
import os
import re
import sys
import uuid

import gen_i915
import oa_differences
from gen_i915 import die, read_tsv
from xmltext import list_head, list_line

CHIPS = {"pvc": "Ponte Vecchio", "lnl": "Lunar Lake", "bmg": "Battlemage",
         "ptl": "Panther Lake", "nvl": "Nova Lake S",
         "nvlp": "Nova Lake P", "cri": "Crescent Island"}

# Intel's Metrics Discovery (md_gfx_device_info.h): XeCores in a slice, and what
# else parts have otherwise than others: ids of those with half of the memory
# fabric, but two interfaces to it all the same; geometry pipes of a slice.
PARTS = {
    "pvc": [({"xecores-per-slice": "8"}, None)],
    "lnl": [({"xecores-per-slice": "4"}, None)],
    "bmg": [({"xecores-per-slice": "4"}, None)],
    "ptl": [({"xecores-per-slice": "6"}, None),
            ({"xecores-per-slice": "6", "fabric-interfaces": "2"},
             ("b090", "b0a0", "fd80", "fd81"))],
    "nvl": [({"xecores-per-slice": "4", "fabric-interfaces": "2"}, None),
            ({"xecores-per-slice": "2", "fabric-interfaces": "2"},
             ("d740", "d743"))],
    "nvlp": [({"xecores-per-slice": "6", "geometry-pipes": "2"}, None)],
    "cri": [({"xecores-per-slice": "8"}, None)],
}

# Ids that the kernel has and Metrics Discovery does not: how many XeCores a
# slice has is not known.
UNKNOWN = ("d74a", "d74b")

# What the kernel is told (Linux include/uapi/drm/xe_drm.h).
FORMATS = {"PEC64u64": 0x10105, "OAM_MPEC8u64_B8_C8": 0x104,
           "OAM_MPEC8u32_B8_C8": 0x204, "A24u40_A14u32_B8_C8": 0x500}

# Of the sets that are not of media units.
RENDER = {"xehp": "A24u40_A14u32_B8_C8", "xe2": "PEC64u64"}


# Descriptions that hold on one platform only.
OWN_RULES = {
    "pvc": {"GpuBusy": "Share of clocks in which the GPU had work."},
    "cri": {"GpuBusy": "Share of clocks in which the GPU had work.",
            "GPU_MEMORY_ACTIVE": "Clocks in which an L3 cache bank had "
                                 "requests to GPU memory, per core clock."},
}


def rules_of(name, rules):
    own = copy.copy(rules)
    own.rules = [(re.compile(symbol), text)
                 for symbol, text in OWN_RULES.get(name, {}).items()]
    own.rules += rules.rules
    return own


def generation_of(row):
    return "xehp" if row["ip_version"].startswith("12.") else "xe2"


# The unit whose registers a set writes that is not the render unit's.
UNITS = {"3942": "video", "394a": "video2", "3932": "media", "1453": "mert"}


def unit_of(pairs):
    starts = set(pair[:4] for pair in pairs)
    if len(starts) != 1 or not starts <= set(UNITS):
        die("no unit has these registers: " + " ".join(pairs))
    return UNITS[starts.pop()]


# What a set of Metrics Discovery's is called here that has the name of another
# unit's set in IGT's files.
NAMED_AFTER = {"video": "SCMI0", "video2": "SCMI1", "media": "SAG"}

# The equations of media sets in oam-units.tsv, and a counter of the same kind.
MEDIA_EQUATIONS = (
    (re.compile(r"A(\d)$"), r"A \1 READ", "VIDEO_ENHANCEMENT_BOX0_READ_REQUEST"),
    (re.compile(r"A(\d)\*100/clocks$"),
     r"A \1 READ 100 UMUL $GpuCoreClocks FDIV",
     "COMMAND_PARSER_VIDEO_ENHANCEMENT_ENGINE0_BUSY"),
)


def media_counter(text, like):
    """The row of "SYMBOL=EQUATION", by rows of the same kind."""
    symbol, equation = text.split("=")
    for pattern, ours, kind in MEDIA_EQUATIONS:
        if pattern.match(equation):
            return dict(like[kind], counter=symbol,
                        equation=pattern.sub(ours, equation))
    return die("an equation of a media set: " + text)


class Platform(gen_i915.Platform):
    driver = "xe"

    def __init__(self, facts, name, rules, set_rules):
        self.media_units = read_tsv(os.path.join(facts, "oam-units.tsv"))
        super().__init__(facts, name, rules, set_rules)

    def name_of(self, symbol):
        """What i915's tables call the same."""
        return {"GPU_BUSY": "GpuBusy"}.get(symbol, symbol)

    def add_mdapi_sets(self, rows):
        """Media sets that IGT's files lack, since they have one of a name."""
        source, found = self.media_units
        missing = [row for row in found if row["platform"] == self.name and
                   not row["in_tables"]]
        for row in missing:
            self.add_media_set(row, rows)
        if missing:
            self.source += "; added %s from %s" % (
                ", ".join(s["set"] for s in self.sets[-len(missing):]),
                source[len("source: "):].split(" (")[0])

    def add_media_set(self, row, rows):
        pairs = row["pairs"]
        name = "%s_%s" % (row["set"], NAMED_AFTER[unit_of(pairs.split())])
        usual = rows["MediaSet2"]
        like = {r["counter"]: r for r in usual}
        self.sets.append(dict(
            next(s for s in self.sets if s["set"] == "MediaSet2"), set=name,
            guid=str(uuid.uuid5(uuid.NAMESPACE_URL, "drmperf:xe:%s:%s:%s" % (
                self.name, name, pairs)))))
        rows[name] = [dict(r, set=name) for r in usual[:3] + [
            media_counter(text, like) for text in row["counters"].split()]]
        self.registers[name].append({
            "kind": "OA", "pairs": pairs, "availability": "",
            "config_id": "", "priority": ""})

    def unit_of_set(self, name):
        row = next(s for s in self.sets if s["set"] == name)
        if row["format"] in RENDER.values():
            return None
        return unit_of(self.registers[name][0]["pairs"].split())

    def sum_up(self, name):
        unit = self.unit_of_set(name)
        if unit == "media":
            return "The graphics security controller of the media GT."
        halves = "video2" in map(self.unit_of_set, self.registers)
        if not halves or unit not in ("video", "video2"):
            return super().sum_up(name)
        return "Memory requests of the %s half of the media engines, " \
            "part %s." % ("first" if unit == "video" else "second",
                          re.match(r"MediaSet(\d)", name).group(1))

    def find_disputes(self, facts):
        """None: where Metrics Discovery has other registers it has the same
        counters by them, in other places of the report."""
        return {}

    def set_attributes(self, row):
        attributes, texts = super().set_attributes(row)
        unit = self.unit_of_set(row["set"])
        if unit:
            attributes["engine"] = unit
            attributes["format"] = str(FORMATS[row["format"]])
        return attributes, texts


def platform_lines(row, devices):
    name = row["platform"]
    columns = gen_i915.PLATFORM_COLUMNS
    generation = generation_of(row)
    ids = [d["device"] for d in devices
           if d["key"] == name and d["dir"] == "xe"]
    special = [i for _, those in PARTS[name] for i in those or ()]
    for more, those in PARTS[name]:
        wanted = [i for i in ids if i not in UNKNOWN and
                  (i in those if those else i not in special)]
        attributes = [
            ("name", name), ("chip", CHIPS[name]), ("generation", generation),
            ("format", str(FORMATS[RENDER[generation]])),
            ("timestamp-hz", "19200000"),
            ("eu-threads", row["eu_threads"]), ("subslice-bits", "8"),
            *more.items(),
            ("ids", " ".join(wanted))]
        if wanted:
            yield list_line(columns, attributes, "") + "\n"


def read_both(folder, first, second):
    """The rows of two tables of one form: what the second has replaces."""
    rows = read_tsv(os.path.join(folder, second))[1]
    later = {row["device"] for row in rows if "device" in row}
    return [row for row in read_tsv(os.path.join(folder, first))[1]
            if row.get("device") not in later] + rows


def write_platforms(facts, folder, rows):
    devices = read_both(facts, "../i915/pci.tsv", "pci-nvl.tsv")
    with open(os.path.join(folder, "platforms.xml"), "w",
              encoding="utf-8") as out:
        out.write("<!-- Generated by events/tools/gen_xe.py. Sources: Linux "
                  "7.3 drivers/gpu/drm/xe\n     (formats), IGT 2025-10 (device "
                  "ids), intel/metrics-discovery\n     "
                  "80cc115575f1cd2e101a20aaa03b13eda26dc781 (XeCores, EU "
                  "threads). -->\n<platforms driver=\"xe\">\n")
        out.write(list_head("platform", gen_i915.PLATFORM_COLUMNS, "") + "\n")
        for row in rows:
            for line in platform_lines(row, devices):
                out.write(line)
        out.write("</list>\n</platforms>\n")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    facts, folder = sys.argv[1:]
    rules = gen_i915.Rules(os.path.join(gen_i915.HERE, "counters.txt"))
    set_rules = gen_i915.Rules(os.path.join(gen_i915.HERE, "sets.txt"))
    rows = [row for row in read_both(facts, "platforms.tsv",
                                     "platforms-nvl.tsv")
            if row["platform"] in CHIPS]
    for row in rows:
        name = row["platform"]
        if os.path.exists(os.path.join(facts, "md-whole",
                                       "sets-%s.tsv" % name)):
            oa_differences.say_of_xe(read_tsv, facts, name)
        Platform(facts, name, rules_of(name, rules), set_rules).write(folder)
    write_platforms(facts, folder, rows)


if __name__ == "__main__":
    main()
