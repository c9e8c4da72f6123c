# SPDX-License-Identifier: BSD-3-Clause
"""From a row of blocks-GEN.tsv to a <block> of events/README.md."""

import re

from xmltext import attributes, list_head, list_line

# The rules of the facts, as the tables call them.
INSTANCES = {
    "RB_PER_SE/SA_PER_SE": "rb-per-sa",
    "ceil(RB_PER_SA/2)": "rb-pairs-per-sa",
    "2*ceil(RB_PER_SA/2)": "rb-pairs-per-sa",
    "2*RB_PER_SA": "rb-per-sa",
    "CU_PER_SA": "cu-per-sa",
    "TCP_PER_SA": "cu-per-sa",
    "WGP_PER_SA": "wgp-per-sa",
    "TCC": "channels",
    "TCC (32)": "channels",
    "TCC (16 per XCC)": "channels",
    "GL2C": "channels",
    "GL2A": "l2-arbiters",
    "32 (aqlprofile)": "l2-arbiters",
    "SDP": "memory-interfaces",
    "max(1,SE/2)": "se-pairs",
    "2": "2",
}
SCOPES = {"global": "global", "per_se": "se", "per_sa": "sa"}
UCONFIG = range(0x30000, 0x40000)
# What streams of SQ_WGP have besides: PAL puts the number of a WGP one bit
# higher than those of other units, Mesa does not (facts, spm-layout.tsv).
WGP_STREAM = [
    ("stream-instance-bit", "6"), ("stream-simds", "4"),
    ("stream-hidden", "sources differ on how their instances are named, and "
     "nobody has tried which of them is right"),
]


def listed(cell):
    return [] if cell == "-" else cell.split(",")


def in_ranges(index, ranges):
    for piece in ranges.split(","):
        first, _, last = piece.partition("-")
        if int(first) <= index <= int(last or first):
            return True
    return False


def field_width(layout, index):
    """Bits of the event field of counter index, from a layout text."""
    for part in layout.split(" | "):
        ranges, colon, fields = part.partition(": ")
        if colon and not in_ranges(index, ranges):
            continue
        match = re.match(r"(?:PERF_ENABLE0\[0\],PERF_CLEAR0\[1\],)?"
                         r"\w+\[(\d+):(\d+)\]", fields if colon else part)
        if match:
            return int(match[1]) - int(match[2]) + 1
    raise SystemExit(f"no event field in layout: {layout}")


def window(offset):
    return "uconfig" if int(offset, 0) in UCONFIG else "copy"


class Block:
    def __init__(self, row):
        self.row, self.name = row, row["block"]
        # of some chips only; not offered because of; said of it
        self.targets = self.hidden = self.comment = None
        self.rows, self.events = [], []
        self.clock = None  # the row of clocks.tsv
        self.stream = None  # of the facts about streaming

    def build(self):
        row = self.row
        self.style = {"sdma_old": "sdma"}.get(row["style"], row["style"])
        if "belongs to SE i" in row["notes"]:
            self.style = "per-engine"
        elif self.name == "RLC":
            self.style = "rlc"
        self.parts = 1
        if self.name == "SDMA":  # of each engine
            self.parts = len(listed(row["select_regs"])) // int(
                row["counters"])
        elif "sub-instance" in row["notes"]:
            self.parts = 2
        rule = row["instances"]
        self.instances = ("sdma-engines" if self.name == "SDMA"
                          else rule if rule.isdigit() else INSTANCES[rule])
        self.slots = self.make_slots()
        self.window = self.slots[0]["window"]

    def make_slots(self):
        row = self.row
        selects = listed(row["select_regs"])
        if row["style"] == "sq" and row["counter_bits"] == "32":
            # a 32-bit counter uses every other select register
            selects = selects[::2]
        select1, lows, highs = (listed(row[column]) for column in
                                ("select1_regs", "lo_regs", "hi_regs"))
        count = len(selects)
        if self.style != "per-engine":
            count = min(count, int(row["counters"]) * self.parts)
        slots = []
        for i in range(count):
            own_result = self.style == "cfg" and lows.count(lows[i]) == 1
            slots.append({
                "select": selects[i],
                "select1": select1[i] if i < len(select1)
                and select1[i] != "-" else None,
                "lo": lows[i], "hi": highs[i] if highs else None,
                "id-bits": field_width(row["select_layout"], i),
                "part": i * self.parts // count if self.parts > 1 else None,
                "style": "generic" if own_result else None,
                "bits": 64 if own_result else None,
                "window": window(selects[i]),
            })
        return slots

    def max_active(self):
        return (1 if self.style == "per-engine"
                else len(self.slots) // self.parts)

    def bits(self):
        """Width of a result; the narrow ones where a block has both."""
        return int(self.row["counter_bits"].split("/")[0])

    def select_or(self):
        value = 0
        for name in ("SQC_BANK_MASK", "SQC_CLIENT_MASK", "SIMD_MASK"):
            match = re.search(name + r"\[(\d+):(\d+)\]",
                              self.row["select_layout"])
            if match:
                high, low = int(match[1]), int(match[2])
                value |= ((1 << (high - low + 1)) - 1) << low
        return f"0x{value:08x}" if value else None

    def slots_of(self, number):
        """Mask of the slots that can hold this id, where the width of their
        event fields does not say it; None: all of those."""
        wide = [i for i, slot in enumerate(self.slots) if not slot["part"]
                and number < 1 << slot["id-bits"]]
        if not wide:
            raise SystemExit(f"{self.name}: id {number} fits no slot")
        # gfx11, gfx12: odd counters of SQ_WGP end at id 473 (PAL)
        if self.name != "SQ_WGP" or number <= 473:
            return None
        return f"{sum(1 << i for i in wide if i % 2 == 0):#x}"

    def clock_id(self):
        """Of the event that counts the block's clock, where it is selected in
        a register of its own that command buffers set directly."""
        if self.style not in ("generic", "sq") or self.window != "uconfig":
            return None
        return next((event.number for event in self.events
                     if self.clock and event.name == self.clock["event"]),
                    None)

    def stream_attributes(self):
        """Where its counters go in a stream. Each half of an RMI is an
        instance of its own there, which those of counting do not show."""
        row = self.stream
        if (row is None or self.name == "RMI"
                or self.style not in ("generic", "sq")):
            return []
        # where sources differ, both agree on the fewer
        fewer = re.search(r"\((\d+) wires\)", row["notes"])
        return [("stream", row["segment"]),
                ("stream-code", row["muxsel_block"]),
                ("stream-wires", fewer[1] if fewer else row["wires"]),
                *(WGP_STREAM if self.name == "SQ_WGP" else [])]

    def head(self, unit, ours):
        row = self.row
        clock = self.clock_id()
        return "\t<block" + attributes([
            ("name", self.name), ("targets", self.targets),
            ("hidden", self.hidden), ("style", self.style),
            ("scope", SCOPES[row["scope"]]), ("instances", self.instances),
            ("bits", self.bits()), ("window", self.window),
            ("windowed", "1" if "1" in (row["windowed"],
                                        row["shader_masked"]) else None),
            ("stage-masked", "1" if row["shader_masked"] == "1" else None),
            ("graphics", ours["graphics"]),
            ("saturates", ours["saturates"]), ("apart", ours["apart"]),
            ("copy-bits", ours["copy-bits"]),
            ("select-or", ours["select-or"] or self.select_or()),
            ("result-control", row["rslt_cntl"].replace("-", "")),
            ("event-count", row["selectors"]), ("rocm", ours["rocm"]),
            ("unit", unit if unit != "none" else None), ("clock", clock),
            ("clock-source", self.clock["source"] if clock is not None
             else None), *self.stream_attributes()]) + ">"

    def slot_lines(self):
        columns = ["select", "lo", "id-bits", "hi"]
        yield list_head("slot", columns, "\t\t")
        for slot in self.slots:
            yield "\t\t" + list_line(columns, [
                (name, value) for name, value in slot.items()
                if name != "window" or value != self.window], "")
        yield "\t\t</list>"


def make_blocks(rows):
    return [Block(row) for row in rows]
