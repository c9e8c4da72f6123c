#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make gpus/GENERATION.blocks of drmsim from tables of hardware facts.

    amdgpu_blocks.py FACTS GENERATION > utils/drmsim/gpus/GENERATION.blocks

FACTS is a folder with blocks-GENERATION.tsv, events-GENERATION.tsv,
control-regs.tsv and mmr-whitelist.tsv. What is made are the lines "register",
"busy", "mmr", "event", "never", "accumulate", "clock-event", "ungated", "work",
"block" and "slot" of a description, as utils/drmsim/ADDING.md explains them; what a
table cannot tell stands in GENERATION.gen. Only who changes the facts needs
this program: neither the build nor drmsim runs it.
"""

import re
import sys

# A generation whose control registers are those of another one.
CONTROL = {"gfx906": "gfx9", "gfx908": "gfx9", "gfx90a": "gfx9",
           "gfx940": "gfx9", "gfx950": "gfx9"}
# The same for what AMDGPU_INFO_READ_MMR_REG gives away. Of gfx12 the list in
# Linux (soc24.c) has the same registers as that of gfx11 (soc21.c), which
# gfx11.5 shares.
MMR = {**CONTROL, "gfx11.5": "gfx11", "gfx1151": "gfx11", "gfx12": "gfx11"}

# Registers with a meaning, by the names they have in the facts.
REGISTERS = (
    "GRBM_GFX_INDEX", "CP_PERFMON_CNTL", "SQ_PERFCOUNTER_CTRL",
    "SQ_PERFCOUNTER_MASK", "SQ_PERFCOUNTER_CTRL2", "SQG_PERFCOUNTER_CTRL",
    "SQG_PERFCOUNTER_CTRL2", "RLC_PERFMON_CLK_CNTL", "RLC_PERFMON_CNTL",
    "COMPUTE_PERFCOUNT_ENABLE", "GRBM_STATUS", "GRBM_STATUS2", "GRBMH_SYNC",
)
# The same on all generations (Mesa, Linux), and not in the facts.
OTHER_REGISTERS = (
    ("compute-num-thread-x", 0xb81c), ("compute-num-thread-y", 0xb820),
    ("compute-num-thread-z", 0xb824), ("compute-pgm-lo", 0xb830),
    ("compute-pgm-hi", 0xb834), ("gb-addr-config", 0x98f8),
)

# Blocks of the graphics pipe, which events of its ring go through.
GRAPHICS = ("CB", "DB", "GE", "GE_DIST", "GE_SE", "IA", "PA_PH", "PA_SC",
            "PA_SU", "PC", "SX", "VGT", "WD")

# Bits of GRBM_STATUS whose event has another name: bit, ours, event.
BUSY_NAMES = {
    "GUI_ACTIVE": ("gui", "GUI_ACTIVE"),
    "CP_COHERENCY_BUSY": ("cp-coherency", "CP_COHER_BUSY"),
    "IA_BUSY_NO_DMA": ("ia-no-dma", "IA_NO_DMA_BUSY"),
    "WD_BUSY_NO_DMA": ("wd-no-dma", "WD_NO_DMA_BUSY"),
    "GE_BUSY_NO_DMA": ("ge-no-dma", "GE_NO_DMA_BUSY"),
}

# Events that work adds to: what of it, block, names (the first one there is),
# how much.
WORK = (
    ("wave", "SQ", ("WAVES",)), ("thread", "SQ", ("ITEMS",)),
    ("wave", "SQ_WGP", ("WAVES",)), ("thread", "SQ_WGP", ("ITEMS",)),
    ("wave", "SPI", ("CSN_WAVE",)),
    ("group", "SPI", ("CSN_NUM_THREADGROUPS",)),
    ("clock", "GRBM", ("GUI_ACTIVE",)), ("clock", "SQ", ("BUSY_CYCLES",)),
    ("clock", "SQ_WGP", ("BUSY_CYCLES",)), ("clock", "SPI", ("CSN_BUSY",)),
    ("clock", "CPF", ("CPF_STAT_BUSY",)), ("valu", "SQ", ("ACTIVE_INST_VALU",)),
    ("valu", "SQ", ("INSTS_VALU",)), ("valu", "SQ_WGP", ("INSTS_VALU",)),
    ("salu", "SQ", ("INSTS_SALU",)), ("salu", "SQ_WGP", ("INSTS_SALU",)),
    ("load", "SQ", ("INSTS_VMEM_RD", "INSTS_TEX_LOAD")),
    ("store", "SQ", ("INSTS_VMEM_WR", "INSTS_TEX_STORE")),
    ("load", "SQ", ("INSTS_VMEM",)), ("store", "SQ", ("INSTS_VMEM",)),
    ("load", "SQ_WGP", ("INSTS_TEX_LOAD",)),
    ("store", "SQ_WGP", ("INSTS_TEX_STORE",)),
    ("flat", "SQ", ("INSTS_FLAT",)), ("flat", "SQ_WGP", ("INSTS_FLAT",)),
    ("line-read", "TCP", ("TOTAL_ACCESSES", "REQ")),
    ("line-written", "TCP", ("TOTAL_ACCESSES", "REQ")),
    ("line-read", "TCP", ("TOTAL_CACHE_ACCESSES",)),
    ("line-written", "TCP", ("TOTAL_CACHE_ACCESSES",)),
    ("line-read", "TCP", ("TOTAL_READ", "REQ_READ")),
    ("line-written", "TCP", ("TOTAL_WRITE", "REQ_WRITE")),
    ("l2-read", "TCP", ("TCC_READ_REQ", "GL1_REQ_READ")),
    ("l2-write", "TCP", ("TCC_WRITE_REQ", "GL1_REQ_WRITE")),
    ("l2-read", "TCC", ("REQ",)), ("l2-write", "TCC", ("REQ",)),
    ("l2-read", "TCC", ("READ",)), ("l2-write", "TCC", ("WRITE",)),
    ("l2-read", "GL2C", ("REQ",)), ("l2-write", "GL2C", ("REQ",)),
    ("l2-read", "GL2C", ("READ",)), ("l2-write", "GL2C", ("WRITE",)),
)
# Events that count every clock, by name (AMD PAL), in what is not graphics.
CLOCKS = ("ALWAYS_COUNT", "CYCLE", "CYCLES")
NAMED = {
    "GRBM": ("COUNT", "GUI_ACTIVE"),
    "SQ": ("NONE", "ACCUM_PREV", "ACCUM_PREV_HIRES", "BUSY_CYCLES", "WAVES",
           "LEVEL_WAVES",
           "ITEMS", "INSTS_VALU", "INSTS_SALU", "INSTS_VMEM", "INSTS_VMEM_RD",
           "INSTS_VMEM_WR", "INSTS_TEX_LOAD", "INSTS_TEX_STORE", "INSTS_FLAT",
           "ACTIVE_INST_VALU"),
    "SQ_WGP": ("NONE", "ACCUM_PREV", "BUSY_CYCLES", "WAVES", "LEVEL_WAVES",
               "ITEMS", "INSTS_VALU", "INSTS_SALU", "INSTS_TEX_LOAD",
               "INSTS_TEX_STORE", "INSTS_FLAT"),
    "SPI": ("CSN_BUSY", "CSN_NUM_THREADGROUPS", "CSN_WAVE"),
    "CPF": ("CPF_STAT_BUSY",),
    "TCP": ("TOTAL_ACCESSES", "TOTAL_CACHE_ACCESSES", "TOTAL_READ",
            "TOTAL_WRITE", "REQ", "REQ_READ", "REQ_WRITE", "TCC_READ_REQ",
            "TCC_WRITE_REQ", "GL1_REQ_READ", "GL1_REQ_WRITE"),
    "TCC": ("REQ", "READ", "WRITE"),
    "GL2C": ("REQ", "READ", "WRITE"),
}

# Instances within their scope: what the facts say, and our word for it.
COUNTS = {
    "1": "1", "2": "2", "4": "4", "5": "5", "8": "8", "16": "16", "32": "32",
    "32 (aqlprofile)": "32",
    "CU_PER_SA": "cu", "TCP_PER_SA": "cu", "WGP_PER_SA": "wgp",
    "RB_PER_SE/SA_PER_SE": "rb", "2*RB_PER_SA": "2*rb",
    "ceil(RB_PER_SA/2)": "rb/2", "2*ceil(RB_PER_SA/2)": "2*rb/2",
    "TCC": "l2", "TCC (32)": "l2", "TCC (16 per XCC)": "l2", "GL2C": "l2",
    "GL2A": "gl2a", "SDP": "sdp", "max(1,SE/2)": "se/2",
    "min(SDMA,2)": "sdma",
}
# What sources disagree about: the reading with which a driver that took the
# other one is found out. TCA: aqlprofile counts 32, its delay tables 2.
PESSIMISTIC = {("gfx950", "TCA"): "2"}
SCOPES = {"global": "global", "per_se": "se", "per_sa": "sa"}


def rows(path):
    """The rows of a table as dictionaries, and its first line."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    source = lines[0].lstrip("# ")
    names = lines[1].split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines[2:]], source


def event_bits(layout, number, style):
    """Width of the event's number in the select register of a counter."""
    if style == "sdma_old":
        return int(re.search(r"PERF_SEL0\[(\d+):", layout).group(1)) - 1
    for part in layout.split(" | "):
        match = re.match(r"([\d,-]+): (.*)", part)
        if match:
            numbers = set()
            for piece in match.group(1).split(","):
                first, _, last = piece.partition("-")
                numbers |= set(range(int(first), int(last or first) + 1))
            if number not in numbers:
                continue
            part = match.group(2)
        return int(re.search(r"\[(\d+):0\]", part).group(1)) + 1
    raise ValueError(f"no layout for counter {number}: {layout}")


def wrap(text):
    """Comment lines of at most 79 characters."""
    lines, line = [], "#"
    for word in text.split():
        if len(line) + 1 + len(word) > 79:
            lines.append(line)
            line = "#"
        line += " " + word
    return lines + [line]


class Generation:
    def __init__(self, folder, key):
        self.key = key
        self.blocks, source = rows(f"{folder}/blocks-{key}.tsv")
        self.sources = [source]
        events, source = rows(f"{folder}/events-{key}.tsv")
        self.sources.append(source)
        control, source = rows(f"{folder}/control-regs.tsv")
        self.sources.append(source)
        mmr, source = rows(f"{folder}/mmr-whitelist.tsv")
        self.sources.append(source)
        self.events = {}
        for row in events:
            name = (row["block"], row["event_name"])
            self.events[name] = int(row["event_id"])
        self.control = {row["register"]: row for row in control
                        if row["gen"] == CONTROL.get(key, key)}
        for name in ("GRBM_STATUS", "GRBM_STATUS2"):
            # of gfx12 only the address is known, which all have in common
            self.control.setdefault(name, next(
                row for row in control
                if row["gen"] == "gfx11" and row["register"] == name))
        self.mmr = [row["offset"] for row in mmr
                    if row["gen"] == MMR.get(key, key)]

    # ---- lines

    def registers(self):
        for name in REGISTERS:
            if name in self.control:
                ours = name.lower().replace("_", "-")
                yield f"register {ours} {self.control[name]['offset']}"
        for name, offset in OTHER_REGISTERS:
            yield f"register {name} {offset:#x}"

    def busy(self):
        fields = self.control["GRBM_STATUS"]["fields"].split(",")
        bits = []
        for field in fields:
            match = re.match(r"(\w+_BUSY\w*|GUI_ACTIVE)\[(\d+)\]", field)
            if not match:
                continue
            name, bit = match.group(1), int(match.group(2))
            ours, event = BUSY_NAMES.get(
                name, (name.removesuffix("_BUSY").lower(), name))
            number = self.events.get(("GRBM", event))
            if number is not None:
                bits.append((bit, ours, number))
        for bit, ours, number in sorted(bits, reverse=True):
            yield f"busy {ours} {bit} {number}"

    def mmr_lines(self):
        for i in range(0, len(self.mmr), 10):
            yield "mmr " + " ".join(self.mmr[i:i + 10])

    def named_events(self):
        for block, names in NAMED.items():
            for name in names:
                number = self.events.get((block, name))
                if number is not None:
                    yield f"event {block}.{name} {number}"
        for block, name in self.clocks():
            yield f"event {block}.{name} {self.events[block, name]}"

    def clocks(self):
        for block in sorted(row["block"] for row in self.blocks):
            for name in CLOCKS:
                if block not in GRAPHICS and self.has(block, name):
                    yield block, name

    def has(self, block, name):
        return (block, name) in self.events

    def meanings(self):
        for block in ("SQ", "SQ_WGP"):
            if self.has(block, "NONE"):
                yield f"never {block}.NONE"
            for name in ("ACCUM_PREV", "ACCUM_PREV_HIRES"):
                if self.has(block, name):
                    yield f"accumulate {block}.{name}"
        yield "clock-event GRBM.COUNT"
        for block, name in self.clocks():
            yield f"clock-event {block}.{name}"

    def ungated(self):
        """What cards count while the counters' clock is off, and GRBM, TA,
        GL2C and the instructions of SQ not: ROCm/rocm-systems #5953, gfx1100
        and gfx1201."""
        for block in ("SQ", "SQ_WGP"):
            for name in ("WAVES", "BUSY_CYCLES"):
                if self.key.startswith(("gfx11", "gfx12")):
                    yield f"ungated {block}.{name}"

    def work(self):
        for what, block, names in WORK:
            for name in names:
                if self.has(block, name):
                    yield f"work {what} {block}.{name} 1"
                    break

    # ---- blocks

    def options(self, row, count):
        block, key = row["block"], self.key
        new = key.startswith(("gfx10", "gfx11", "gfx12"))
        old = not new
        yield f"bits={row['counter_bits'].split('/')[0]}"
        if row["selectors"] != "-":
            yield f"events={row['selectors']}"
        if row["style"] == "sq":
            yield "windowed staged"
            if old:
                yield "masked require=0xf000 require=0xf0000 " \
                      "require=0xf000000"
            elif key.startswith("gfx10"):
                yield "require=0xf000"
            if "SQG_PERFCOUNTER_CTRL" in self.control and block == "SQ":
                yield "sqg"
        elif row["windowed"] == "1":
            yield "windowed staged"
        if count == "cu":
            yield "per=cu" + (" steer=cu" if new else "")
        if count == "wgp":
            yield "per=wgp steer=wgp"
        if "rb" in count:
            yield "per=rb"
        if "sub-instance" in row["notes"]:
            yield "steer=pair"
        if row["rslt_cntl"] != "-":
            yield f"control={row['rslt_cntl']}"
        if "per AID" in row["notes"]:
            yield "aid"
        if block in GRAPHICS:
            yield "graphics"

    def slots(self, row):
        block, style = row["block"], row["style"]
        select, select1, low, high = (
            row[name].split(",") for name in
            ("select_regs", "select1_regs", "lo_regs", "hi_regs"))
        shared = low[0]
        for n, lo in enumerate(low):
            # a plain counter of SQ_WGP takes every other select
            at = 2 * n if block == "SQ_WGP" else n
            hi = high[n] if n < len(high) else "-"
            first = select1[n] if n < len(select1) else "-"
            bits = event_bits(row["select_layout"], n, style)
            options = []
            if block == "RMI" and "sub-instance" in row["notes"]:
                options.append(f"parity={n // 2}")
            if block == "SQ_WGP" and n % 2:
                options.append("below=474")
            if style == "cfg" and lo != shared:
                if self.is_stream_only(row):
                    continue
                options.append("plain")
            if block == "SDMA" and style == "generic":
                options.append(f"engine={n // 2}")
            words = ["\tslot", select[at], lo, hi, str(bits)]
            if first != "-":
                words.append(first)
            yield " ".join(words + options)

    @staticmethod
    def is_stream_only(row):
        return "usable only by SPM" in row["notes"]

    def sdma_old(self, row):
        """Both counters of an engine are in one register."""
        select = [int(word, 16) for word in row["select_regs"].split(",")]
        low = [int(word, 16) for word in row["lo_regs"].split(",")]
        bits = event_bits(row["select_layout"], 0, "sdma_old")
        yield f"block SDMA {row['gpa_block']} sdma global 2 bits=32 " \
              f"events={row['selectors']} stride={select[2] - select[0]:#x}"
        for n in range(2):
            yield f"\tslot {select[n]:#x} {low[n]:#x} - {bits}"

    def block(self, row):
        if row["style"] == "sdma_old":
            yield from self.sdma_old(row)
            return
        count = PESSIMISTIC.get((self.key, row["block"]),
                                COUNTS[row["instances"]])
        style, scope = row["style"], SCOPES[row["scope"]]
        name = row["block"]
        if style == "sq":
            style = "generic"
        if name == "RLC":
            style = "rlc"
        if "counter/select i belongs to SE i" in row["notes"]:
            style, scope = "per-engine", "global"
        if "per AID" in row["notes"] and count != "1":
            count = "1"
        yield " ".join([f"block {name} {row['gpa_block']} {style} {scope} "
                        f"{count}"] + list(self.options(row, count)))
        yield from self.slots(row)

    def print(self):
        print("# SPDX-License-Identifier: BSD-3-Clause\n#")
        print(f"# Counters and registers of {self.key}: made by "
              "utils/drmsim/tools/amdgpu_blocks.py.")
        for source in self.sources:
            print("\n".join(wrap(source)))
        left_out = [row for row in self.blocks if row["lo_regs"] == "-" or
                    row["style"] in ("df", "mc", "umc", "rlcuser") or
                    "APUs only" in row["notes"]]
        if left_out:
            print("\n".join(wrap("Not simulated: " + ", ".join(
                row["block"] for row in left_out) + ".")))
        for title, lines in (
                ("registers with a meaning of their own", self.registers()),
                ("bits of GRBM_STATUS by name, with the GRBM event that "
                 "counts them", self.busy()),
                ("what AMDGPU_INFO_READ_MMR_REG gives away",
                 self.mmr_lines()),
                ("events with names, for scenarios", self.named_events()),
                ("events with a meaning: never counts; sums the counter "
                 "before it; the clock", self.meanings()),
                ("events that cards count while the clock of counters is off "
                 "(#5953)", self.ungated()),
                ("what work adds", self.work())):
            lines = list(lines)
            if lines:
                print(f"\n# {title}")
                print("\n".join(lines))
        print("\n# counters")
        for row in self.blocks:
            if row not in left_out:
                print("\n".join(self.block(row)))


if len(sys.argv) != 3:
    sys.exit(__doc__)
Generation(sys.argv[1], sys.argv[2]).print()
