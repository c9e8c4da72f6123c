#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make utils/drmsim/gpus/KIND.load: what each GPU does under ready loads; and
GENERATION.work beside them, what waves do that programs launch.

    utils/drmsim/tools/loads.py [KIND]...

A load says what a program does: how busy the parts of the GPU are, what of its
memory's bandwidth it takes, how often caches have what it wants. What counters
make of that is told below, once, and made into rates by the numbers that
events have on this GPU (events/) and by its size (gpus/KIND.gpu). So what
metrics say of it fits together: shares are of one whole, requests are hits
and misses, sensors agree with counters.
"""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..", "..")
GPUS = os.path.join(HERE, "..", "gpus")
sys.path.insert(0, os.path.join(TOP, "events", "tools"))

from xmltext import read_table  # noqa: E402


class Load:
    """Shares are of 1; rates are per second, and clock cycle where said."""

    busy = 0.0         # of the GPU's time
    memory_busy = 0.0  # the units that access memory, of the busy time
    stalled = 0.0      # these waiting for data
    valu = 0.0         # vector units at work
    lanes = 1.0        # of them that are not masked out
    salu = 0.0
    stall = 0.0        # execution units with threads that all wait
    occupancy = 0.0
    issue_wait = 0.0   # of waves' time
    dependency_wait = 0.0
    read = 0.0         # of the bandwidth of memory
    written = 0.0
    l2_hit = 0.5
    l1_hit = 0.5
    lds = 0.0          # the memory of work groups at work
    bank_conflicts = 0.0
    matrix = 0.0
    waves = 0.0        # per clock and engine
    pixels = 0.0       # per clock and engine
    clock = 0.0        # of the highest
    power = 0.0        # of the highest
    held = 0.0         # of the memory of the GPU's own


class Idle(Load):
    held = 0.02
    clock = 0.0
    power = 0.05


class MemoryBound(Load):
    busy, memory_busy, stalled = 0.99, 0.97, 0.72
    valu, salu, stall, occupancy = 0.09, 0.025, 0.68, 0.92
    issue_wait, dependency_wait = 0.06, 0.82
    read, written, l2_hit, l1_hit = 0.6, 0.2, 0.12, 0.25
    waves = 0.00085
    held = 0.6
    clock, power = 0.86, 0.7


class ComputeBound(Load):
    busy, memory_busy, stalled = 0.98, 0.21, 0.03
    valu, lanes, salu, stall, occupancy = 0.88, 0.97, 0.14, 0.08, 0.75
    issue_wait, dependency_wait = 0.31, 0.22
    read, written, l2_hit, l1_hit = 0.06, 0.02, 0.91, 0.84
    lds, bank_conflicts, matrix = 0.2, 0.01, 0.35
    waves = 0.0004
    held = 0.15
    clock, power = 0.97, 0.95


class Graphics(Load):
    busy, memory_busy, stalled = 0.86, 0.58, 0.17
    valu, lanes, salu, stall, occupancy = 0.46, 0.83, 0.11, 0.29, 0.48
    issue_wait, dependency_wait = 0.18, 0.51
    read, written, l2_hit, l1_hit = 0.31, 0.14, 0.78, 0.71
    lds, bank_conflicts = 0.06, 0.002
    waves = 0.0012
    held = 0.35
    pixels = 0.9
    clock, power = 0.93, 0.82


LOADS = {"idle": Idle, "memory-bound": MemoryBound,
         "compute-bound": ComputeBound, "graphics": Graphics}

HEAD = "# SPDX-License-Identifier: BSD-3-Clause\n" \
       "# Made by ../tools/loads.py; change that, not this file.\n"


def amount(value):
    """A number as scenarios take it, without an exponent."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return text or "0"


def whole(value):
    return str(int(round(value)))


def same_rate(a, b):
    return a == b or float(a.split("/")[0]) == float(b.split("/")[0]) == 0


def mib(value):
    return int(value) >> 20 << 20


def per_ms(value):
    """An even number each millisecond: sums do not depend on rounding."""
    return int(round(value / 2000)) * 2000


def description(kind):
    """{key: words} of KIND.gpu and what it includes; the first one counts."""
    found = {}
    names = [f"{kind}.gpu"]
    for name in names:
        with open(os.path.join(GPUS, name), encoding="utf-8") as file:
            for line in file:
                words = line.split("#")[0].split()
                if words and words[0] == "include":
                    if not words[1].endswith(".work"):
                        names.append(words[1])
                elif words:
                    found.setdefault(words[0], words[1:])
    return found


# ---------------------------------------------------------------- AMD

# generation; GB/s of memory; watts
AMD = {
    "bonaire": ("gfx7", 102, 115), "polaris10": ("gfx8", 256, 185),
    "vega10": ("gfx9", 483, 295), "vega12": ("gfx9", 189, 85),
    "vega20": ("gfx906", 1024, 300), "mi100": ("gfx908", 1228, 290),
    "mi200": ("gfx90a", 1638, 300), "mi300": ("gfx940", 665, 750),
    "mi350": ("gfx950", 1000, 1000), "navi10": ("gfx10.1", 448, 225),
    "navi21": ("gfx10.3", 512, 300), "navi31": ("gfx11", 960, 355),
    "phoenix": ("gfx11", 120, 54), "strix": ("gfx11.5", 120, 54),
    "krackan": ("gfx11.5", 120, 54), "strixhalo": ("gfx11.5", 256, 120),
    "navi48": ("gfx12", 640, 304),
}


# How long an instruction of the LDS takes.
LDS_CYCLES = 64


class Amd:
    def __init__(self, kind):
        self.generation, self.bandwidth, self.watts = AMD[kind]
        gpu = description(kind)
        self.sclk = [int(n) for n in gpu["sclk"]]
        self.mclk = [int(n) for n in gpu["mclk"]]
        self.vram = int(gpu["vram"][0], 0)
        self.engines = int(gpu["shader-engines"][0])
        off = sum(bin(int(line[3], 16)).count("1")
                  for line in self.lines(kind, "harvest") if line[0] == "cu")
        # of an engine, on average
        self.cus = int(gpu["shader-arrays"][0]) * \
            int(gpu["compute-units"][0]) - off / self.engines
        self.channels = int(gpu["l2-channels"][0])
        self.sensors = {line[1]: int(line[2]) for line in
                        self.lines(kind, "sensor")}
        table = read_table(os.path.join(TOP, "events", "amdgpu",
                                        f"{self.generation}.xml"))
        self.ids = {f"{b.get('name')}.{e.get('name')}": e.get("id")
                    for b in table.iter("block") for e in b.iter("event")}

    @staticmethod
    def lines(kind, key):
        with open(os.path.join(GPUS, f"{kind}.gpu"), encoding="utf-8") as file:
            for line in file:
                words = line.split()
                if words and words[0] == key:
                    yield words[1:]

    def per_clock(self, load):
        """What each instance counts in a clock cycle, as a share of it."""
        busy, cus = load.busy, self.cus
        vector = load.valu * busy * cus
        waves = load.occupancy * busy
        # a WGP's counters have 32 bits: less than that in a second
        wgp = min(waves * 64, 5.0)
        memory = load.memory_busy * busy
        counts = {
            "GRBM.GUI_ACTIVE": busy, "CPF.CPF_STAT_BUSY": busy,
            "CPF.ALWAYS_COUNT": 1, "SQ.BUSY_CYCLES": busy,
            "SQ.ACTIVE_INST_VALU": vector,
            "SQ.THREAD_CYCLES_VALU": vector * 64 * load.lanes,
            "SQ.INST_CYCLES_SALU": load.salu * busy * cus,
            "SQ.WAVE_CYCLES": waves * cus * 8,
            "SQ.WAIT_INST_ANY": waves * cus * 8 * load.issue_wait,
            "SQ.WAIT_ANY": waves * cus * 8 * load.dependency_wait,
            "SQ_WGP.WAVE_CYCLES": wgp,
            "SQ_WGP.WAIT_INST_ANY": wgp * load.issue_wait,
            "SQ_WGP.WAIT_ANY": wgp * load.dependency_wait,
            "SQ_WGP.INST_CYCLES_VALU": load.valu * busy,
            "SQ.LDS_IDX_ACTIVE": load.lds * busy * cus,
            "SQ.LDS_BANK_CONFLICT": load.bank_conflicts * busy * cus,
            "SQ.VALU_MFMA_BUSY_CYCLES": load.matrix * busy * cus * 4,
            "TA.ta_busy": memory, "TA.TA_BUSY": memory,
            "TCP.TCP_TA_DATA_STALL_CYCLES": load.stalled * busy,
            "TCP.TCP_TA_REQ_STALL": load.stalled * busy,
            "DB.Op_Pipe_Busy": 0.34 * busy if load.pixels else 0,
            "PA_SU.PAPC_SU_STALLED_SC": 0.12 * busy if load.pixels else 0,
        }
        for block in ("SQ", "SQ_WGP"):
            counts[f"{block}.SQC_LDS_IDX_ACTIVE"] = 0.2 * busy
            counts[f"{block}.SQC_LDS_BANK_CONFLICT"] = \
                0.2 * busy * load.bank_conflicts
        return counts

    def memory(self, load):
        """A second's requests of each channel, whole ones."""
        read = load.read * self.bandwidth * 1e9 / self.channels
        written = load.written * self.bandwidth * 1e9 / self.channels
        reads, writes = per_ms(read / 64), per_ms(written / 64)
        miss = reads + writes
        hit = per_ms(miss * load.l2_hit / (1 - load.l2_hit))
        request_reads = per_ms((miss + hit) * 0.75)
        counts = {}
        for block in ("TCC", "GL2C"):
            counts.update({
                f"{block}.MISS": miss, f"{block}.HIT": hit,
                f"{block}.REQ": miss + hit, f"{block}.READ": request_reads,
                f"{block}.WRITE": miss + hit - request_reads,
                f"{block}.EA_RDREQ": reads, f"{block}.EA_WRREQ": writes,
                f"{block}.EA_WRREQ_64B": writes,
                f"{block}.MC_RDREQ": reads * 2, f"{block}.MC_WRREQ": writes,
            })
        counts["TCC.MC_WRREQ"] = writes * 2
        counts["TCC.EA0_RDREQ"] = reads // 2
        counts["TCC.EA0_WRREQ"] = counts["TCC.EA0_WRREQ_64B"] = writes
        if self.generation == "gfx906":
            counts["TCC.EA1_RDREQ"] = reads - reads // 2
            counts["TCC.EA0_WRREQ"] = counts["TCC.EA0_WRREQ_64B"] = \
                counts["TCC.EA1_WRREQ"] = counts["TCC.EA1_WRREQ_64B"] = \
                writes // 2
        elif self.generation in ("gfx940", "gfx950"):
            counts["TCC.EA0_RDREQ"] = counts["TCC.EA0_RDREQ_64B"] = reads
        counts["GL2C.EA_RDREQ_128B"] = reads // 2
        counts["GL2C.EA_RDREQ"] = reads // 2
        return counts

    def caches(self, load, hz):
        """Of the first levels: per instance and second."""
        requests = round(0.4 * load.busy * hz)
        counts = {}
        for block in ("TCP", "GL1C"):
            counts[f"{block}.REQ"] = requests
            counts[f"{block}.REQ_MISS"] = round(requests * (1 - load.l1_hit))
        for block in ("SQ", "SQ_WGP"):
            for cache in ("SQC_DCACHE", "SQC_ICACHE"):
                looked = round(0.01 * load.busy * hz)
                counts[f"{block}.{cache}_HITS"] = round(looked * 0.96)
                counts[f"{block}.{cache}_MISSES"] = \
                    looked - round(looked * 0.96)
        return counts

    def instructions(self, load, hz, waves):
        """Of vector and scalar units, of each engine in a second."""
        if self.generation.startswith("gfx1"):
            computes = load.valu > 0.5
            return waves * (70 if computes else 7), \
                waves * (20 if computes else 5)
        # one takes a SIMD four clocks, the unit in which busy SIMDs count
        units = load.busy * self.cus * hz
        return round(load.valu * units), round(load.salu * units)

    def operations(self, load, hz, vector):
        """Of types, where they are counted: of each engine in a second."""
        # a clock of a compute unit, in 512 operations of matrices
        matrix = {"gfx90a": 2, "gfx940": 4, "gfx950": 8}
        counts = {f"SQ.INSTS_VALU_{kind}_F32": round(share * vector)
                  for kind, share in (("FMA", 0.45), ("ADD", 0.1),
                                      ("MUL", 0.1), ("TRANS", 0.02))}
        operations = round(load.matrix * load.busy * self.cus * hz *
                           matrix.get(self.generation, 0))
        counts["SQ.INSTS_VALU_MFMA_MOPS_F16"] = operations
        # of 32 x 32 x 8 numbers
        counts["SQ.INSTS_MFMA"] = operations // 32
        return counts

    def lds_instructions(self, load):
        """Of each engine in a clock."""
        return load.lds * load.busy * self.cus / 4

    def work(self, load, hz):
        """Waves and what they execute; primitives and pixels."""
        waves = round(load.waves * hz)
        vector, scalar = self.instructions(load, hz, waves)
        pixels = round(load.pixels * hz)
        primitives = pixels // 90
        counts = {
            "SQ.WAVES": waves, "SQ.ITEMS": waves * 64,
            "SQ.INSTS_VALU": vector, "SQ.INSTS_SALU": scalar,
            # of each WGP
            "SQ_WGP.INSTS_VALU": round(load.valu * load.busy * hz / 2),
            "SQ_WGP.INSTS_SALU": round(load.salu * load.busy * hz / 2),
            "SQ.INSTS_VMEM": round(vector * load.memory_busy / 8),
            "SQ.INSTS_SMEM": scalar // 4, "SQ.INSTS_BRANCH": scalar // 8,
            "SQ.INSTS_LDS": round(self.lds_instructions(load) * hz),
            **self.operations(load, hz, vector),
            "PA_SU.PAPC_PA_INPUT_PRIM": primitives,
            "PA_SU.CLPR_INPUT_PRIM": primitives,
            "PA_SU.PAPC_CLPR_VVUCP_CLIP_PRIM": primitives // 50,
            "PA_SU.PAB_PAPC_CLPR_VVUCP_CLIP_PRIM": primitives // 50,
            "GE_SE.spi_esvert_valid": primitives * 2,
            "VGT.vgt_spi_vsvert_valid": primitives * 2,
            "VGT.VGT_SPI_VSVERT_SEND": primitives * 2,
        }
        for i in range(4):
            counts[f"SX.DB{i}_PIXELS"] = pixels // 4
        return counts

    def settings(self, load):
        low, _, high, _ = self.sclk
        sclk = max(low, round(load.clock * high))
        mclk = self.mclk[2] if load.busy else self.mclk[0]
        yield "default zero"
        yield f"clock sclk {sclk}"
        yield f"clock mclk {mclk}"
        yield f"busy gui {amount(load.busy * 100)}"
        values = {"load": load.busy * 100, "power": self.watts * load.power,
                  "temp": 38000 + 40000 * load.power,
                  "vddgfx": 700 + 400 * load.clock}
        for name in sorted(set(values) & set(self.sensors)):
            yield f"sensor {name} {whole(values[name])}"
        # programs that can be seen, as drmperf, do none of the work
        yield "client-busy gfx 0"
        yield "client-busy compute 0"
        yield f"memory vram-used {mib(load.held * self.vram)}"
        yield f"memory gtt-used {mib(load.held * self.vram / 32 + (64 << 20))}"
        hz = sclk * 1000000
        rates = {name: f"{amount(value)}/clock"
                 for name, value in self.per_clock(load).items()}
        for counts in (self.memory(load), self.caches(load, hz),
                       self.work(load, hz)):
            rates.update({name: whole(value)
                          for name, value in counts.items()})
        level = "SQ_WGP.LEVEL_WAVES"
        if load.busy and level in self.ids:
            yield f"level SQ_WGP.{self.ids[level]} 5  # {level}"
        level = "SQ.INST_LEVEL_LDS"
        if load.lds and level in self.ids:
            under_way = amount(self.lds_instructions(load) * LDS_CYCLES)
            yield f"level SQ.{self.ids[level]} {under_way}  # {level}"
        for name, rate in rates.items():
            if name in self.ids and not re.fullmatch(r"0(/clock)?", rate):
                block = name.split(".")[0]
                yield f"rate {block}.{self.ids[name]} {rate}  # {name}"


# ---------------------------------------------------------------- waves

class Waves:
    """What a wave does in each clock cycle that it is there. Shares are those of
    a compute unit that has as many waves as there is room for."""

    valu, salu, lds, memory_busy, stalled = 0.7, 0.15, 0.2, 0.5, 0.12
    vector_memory, read, written = 0.05, 0.75, 0.25  # instructions; bytes
    issue_wait, dependency_wait, conflicts = 0.2, 0.45, 0.02
    # a WGP's counters have 32 bits: less than that in a second
    counted_by_wgp = 5 / 64

    def __init__(self, kind):
        self.gpu = Amd(kind)
        self.generation = self.gpu.generation
        self.is_old = not self.generation.startswith("gfx1")
        self.unit = 1 / int(description(kind).get("waves-per-cu", ["40"])[0])

    def units(self):
        """Of what compute units do, over all of them."""
        # of waves: of most GPUs in units of four
        unit = 0.25 if self.is_old else 1
        counts = {
            "SQ.ACTIVE_INST_VALU": self.valu,
            "SQ.THREAD_CYCLES_VALU": self.valu * 64,
            "SQ.INST_CYCLES_SALU": self.salu,
            "SQ_WGP.INST_CYCLES_VALU": self.valu / 2,
            "SQ.LDS_IDX_ACTIVE": self.lds,
            "SQ.LDS_BANK_CONFLICT": self.lds * self.conflicts,
            "SQ.INST_LEVEL_LDS": self.lds / 4 * LDS_CYCLES,
            "SQ.VALU_MFMA_BUSY_CYCLES": 0,
            "TA.TA_BUSY": self.memory_busy, "TA.ta_busy": self.memory_busy,
            "TCP.TCP_TA_DATA_STALL_CYCLES": self.stalled,
            "TCP.TCP_TA_REQ_STALL": self.stalled,
        }
        for block, cycles in (("SQ", unit), ("SQ_WGP", self.counted_by_wgp)):
            level = 1 if block == "SQ" else cycles
            for name, value in (
                    ("LEVEL_WAVES", level), ("WAVE_CYCLES", cycles),
                    ("WAIT_INST_ANY", cycles * self.issue_wait),
                    ("WAIT_ANY", cycles * self.dependency_wait)):
                counts[f"{block}.{name}"] = value / self.unit
            counts[f"{block}.SQC_LDS_IDX_ACTIVE"] = self.lds / 2
            counts[f"{block}.SQC_LDS_BANK_CONFLICT"] = \
                self.lds / 2 * self.conflicts
        return counts

    def instructions(self):
        reads = self.vector_memory * 0.8
        kinds = {
            "VALU": self.valu, "SALU": self.salu, "VMEM": self.vector_memory,
            "VMEM_RD": reads, "VMEM_WR": self.vector_memory - reads,
            "TEX_LOAD": reads, "TEX_STORE": self.vector_memory - reads,
            "LDS": self.lds / 4, "SMEM": 0.02, "BRANCH": 0.02, "MFMA": 0,
        }
        for width in ("F16", "F32", "F64"):
            share = self.valu if width == "F32" else 0
            kinds.update({f"VALU_FMA_{width}": share * 0.45,
                          f"VALU_ADD_{width}": share * 0.1,
                          f"VALU_MUL_{width}": share * 0.1,
                          f"VALU_TRANS_{width}": share * 0.02})
        for width in ("I8", "F8", "F16", "BF16", "F32", "F64", "F6F4"):
            kinds[f"VALU_MFMA_MOPS_{width}"] = 0
        return {f"{block}.INSTS_{kind}": value for block in ("SQ", "SQ_WGP")
                for kind, value in kinds.items()}

    def requests(self):
        """Of memory, and of caches: of L2 half of them hit."""
        reads, writes = self.read / 64, self.written / 64
        miss = reads + writes
        counts = {"TCP.REQ": 0.25, "TCP.REQ_MISS": 0.1,
                  "GL1C.REQ": 0.1, "GL1C.REQ_MISS": 0.05}
        for block in ("TCC", "GL2C"):
            counts.update({
                f"{block}.MISS": miss, f"{block}.HIT": miss,
                f"{block}.REQ": miss * 2, f"{block}.READ": miss * 1.5,
                f"{block}.WRITE": miss * 0.5,
                f"{block}.EA_RDREQ": reads, f"{block}.EA_WRREQ": writes,
                f"{block}.EA_WRREQ_64B": writes,
                f"{block}.MC_RDREQ": reads * 2, f"{block}.MC_WRREQ": writes})
            for size in ("32B", "64B", "96B", "128B", "256B"):
                counts[f"{block}.EA_RDREQ_{size}"] = 0
            for size in ("32B", "128B", "256B"):
                counts[f"{block}.EA_WRREQ_{size}"] = 0
        counts["TCC.MC_WRREQ"] = writes * 2
        counts["GL2C.EA_RDREQ"] = counts["GL2C.EA_RDREQ_128B"] = reads / 2
        two = 2 if self.generation == "gfx906" else 1
        for i in range(two):
            counts.update({
                f"TCC.EA{i}_RDREQ": reads / two,
                f"TCC.EA{i}_RDREQ_64B": reads / two,
                f"TCC.EA{i}_RDREQ_32B": 0, f"TCC.EA{i}_RDREQ_128B": 0,
                f"TCC.EA{i}_WRREQ": writes / two,
                f"TCC.EA{i}_WRREQ_64B": writes / two})
        counts["TCC.BUBBLE"] = 0
        for block in ("SQ", "SQ_WGP"):
            for cache in ("SQC_DCACHE", "SQC_ICACHE"):
                counts.update({f"{block}.{cache}_HITS": 0.048,
                               f"{block}.{cache}_MISSES": 0.002,
                               f"{block}.{cache}_MISSES_DUPLICATE": 0})
        return counts

    def lines(self):
        ids = self.gpu.ids
        for counts in (self.units(), self.instructions(), self.requests()):
            for name, value in counts.items():
                if name in ids:
                    yield f"work wave-clock {name.split('.')[0]}." \
                          f"{ids[name]} {amount(value * self.unit)}  # {name}"


# ---------------------------------------------------------------- Intel

GB = 1e9
# GB/s of memory; of nvl to cri a guess
DDR = {"hsw": 25, "bdw": 25, "chv": 25, "bxt": 29, "glk": 38, "cnl": 38,
       "icl": 59, "ehl": 51, "tglgt1": 51, "tglgt2": 68, "rkl": 51,
       "dg1": 68, "adl": 76, "adls": 76, "adln": 38, "acmgt1": 186,
       "acmgt2": 224, "acmgt3": 560, "mtlgt2": 119, "mtlgt3": 119,
       "arlgt1": 119, "arlgt2": 134, "lnl": 136, "bmg": 456, "ptl": 153,
       "nvl": 102, "nvl2": 102, "nvlp": 153, "cri": 684,
       "pvc": 1229, "pvc2": 1638}  # of a tile


# Watts of cards, which have sensors of power and temperature.
WATTS = {"dg1": 25, "acmgt1": 75, "acmgt2": 130, "acmgt3": 225, "bmg": 190,
         "pvc": 300, "pvc2": 600}

# of an execution unit, where the GPU's file does not tell and it is not 7
THREADS = {"bxt": 6, "glk": 6}


def selectors(kept):
    """{slot: selector} of a set's registers, where it has PEC counters."""
    words = " ".join(part.text or "" for part in kept.iter()).split()
    found, address = {}, 0
    for word in words:
        if word.endswith(":"):
            address = int(word[:-1], 16)
        else:
            slot, upper = divmod(address - 0x13000, 8)
            if slot >= 96:  # of the second group, which begins at 13300
                slot -= 64
            elif slot >= 32:
                continue
            if 0 <= slot < 64 and not upper and int(word, 16):
                found[f"PEC{slot}"] = int(word, 16)
    return found


def hash_registers(kept):
    """What drmsim knows a set by, whatever UUID it has: FNV-1a of registers
    that route events, in their order, then those of execution units."""
    flex = dict.fromkeys((0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c,
                          0xe65c), 0)
    words, address = [], 0
    for kind in ("mux", "boolean", "flex"):
        for word in " ".join(part.text for part in kept.iter(kind)).split():
            if word.endswith(":"):
                address = int(word[:-1], 16)
            elif address in flex:
                flex[address] = int(word, 16)
            else:
                words += [address, int(word, 16)]
    value = 2166136261
    for word in words + list(flex.values()):
        for byte in word.to_bytes(4, "little"):
            value = (value ^ byte) * 16777619 & 0xffffffff
    return value


class Intel:
    def __init__(self, kind):
        self.kind = kind
        gpu = description(kind)
        self.drivers = gpu["driver"]
        self.driver = self.drivers[0]
        self.platform = gpu["platform"][0]
        self.low, self.high = (int(n) for n in gpu["frequency"][:2])
        self.engines = gpu["engines"]
        self.threads = int(gpu.get("threads", [THREADS.get(kind, 7)])[0])
        self.bandwidth = DDR.get(kind, 34) * GB
        table = read_table(os.path.join(TOP, "events", self.driver,
                                        f"{self.platform}.xml"))
        self.expressions = {}
        for counter in table.iter("counter"):
            self.expressions.setdefault(counter.get("name"), []).append(
                counter.get("expression"))
        self.own_expressions = {name: list(texts) for name, texts in
                                self.expressions.items()}
        self.sets = [self.members(kept) for kept in table.iter("set")]
        registers = read_table(os.path.join(
            TOP, "events", self.driver, f"{self.platform}.registers.xml"))
        self.guids = {kept.get("name"): kept.get("guid")
                      for kept in registers.iter("set")}
        self.hashes = {kept.get("guid"): hash_registers(kept)
                       for kept in registers.iter("set")}
        self.selectors = {kept.get("name"): selectors(kept)
                          for kept in registers.iter("set")
                          if self.driver == "xe"}
        groups = read_table(os.path.join(TOP, "events", self.driver,
                                         "groups.xml"))
        self.grouped = {name[3:] for event in groups.iter("event")
                        for name in event.get("any").split()
                        if name.startswith("oa.")}

        # sets of Xe2 have events in slots of their own
        for _, members in self.sets if self.driver == "xe" else ():
            for name, expression in members.items():
                if expression:
                    self.expressions.setdefault(name, []).append(expression)

        # some count each thread slot, others eight at a time
        occupied = self.expressions.get("XVE_THREADS_OCCUPANCY_ALL", ["* 8"])
        self.slots_counted = \
            1 if re.search(r"\b8 \*|\* 8\b", occupied[0]) else 8

    @staticmethod
    def members(kept):
        """Name of a set, and {event: its expression if that is the set's}."""
        parts = (part.partition("=") for part in (kept.text or "").split(";"))
        return kept.get("name"), {name.strip(): expression.strip()
                                  for name, _, expression in parts
                                  if name.strip()}

    def expressions_of(self, members):
        own = {event: [text] for event, text in members.items() if text}
        return {**self.own_expressions, **own}

    def leaves(self, name, depth=4):
        """The slots that an event's expressions are made of."""
        found = []
        for expression in self.expressions.get(name, []):
            for word in re.findall(r"[A-Za-z_][A-Za-z_0-9]*", expression):
                if re.fullmatch(r"([ABC]|PEC)[0-9]+", word):
                    found.append(word)
                elif word in self.expressions and depth:
                    found += self.leaves(word, depth - 1)
        return list(dict.fromkeys(found))

    def amounts(self, load):
        """(event, of each slot that it is made of, or of the first one).

        In "eu-clock" and "clock" a share, else per second; of the size that
        the event's expression asks for.
        """
        hz = load.clock * self.high * 1e6
        read = load.read * self.bandwidth
        written = load.written * self.bandwidth
        occupancy = load.occupancy * load.busy * self.threads / 8
        pixels = load.pixels * hz
        accesses = (read + written) / 64 / (1 - load.l2_hit)
        rendering = load.busy if self.renders(load) else 0
        computing = load.busy - rendering
        pipes = (
            ("XVE_INST_EXECUTED_ALU0_ALL_UTILIZATION",
             load.valu * load.busy * 0.6, "eu-clock", 1),
            ("XVE_INST_EXECUTED_ALU1_ALL_UTILIZATION",
             load.valu * load.busy * 0.3, "eu-clock", 1))
        return (
            ("GpuBusy", load.busy, "clock", 1),
            ("GPGPU_THREADGROUP_COUNT",
             0 if load.pixels else load.waves * hz / 8, "", 1),
            ("EuActive", load.valu * load.busy, "eu-clock", 1),
            ("XveActive", load.valu * load.busy, "eu-clock", 1),
            ("XVE_ACTIVE", load.valu * load.busy, "eu-clock", 1),
            ("EuStall", load.stall * load.busy, "eu-clock", 1),
            ("XveStall", load.stall * load.busy, "eu-clock", 1),
            ("XVE_STALL", load.stall * load.busy, "eu-clock", 1),
            # before thread slots, which are more than there are clocks
            *(pipes if self.driver == "xe" else ()),
            ("EU_THREADS_OCCUPANCY_ALL", occupancy, "eu-clock", 1),
            ("EU_INST_EXECUTED_ALU0_ALL",
             load.valu * load.busy * 0.6, "eu-clock", 1),
            ("EU_INST_EXECUTED_ALU1_ALL",
             load.valu * load.busy * 0.3, "eu-clock", 1),
            ("EuThreadOccupancy", occupancy, "eu-clock", 1),
            ("XveThreadOccupancy", occupancy, "eu-clock", 1),
            ("XVE_THREADS_OCCUPANCY_ALL",
             occupancy * self.slots_counted, "eu-clock", 1),
            ("Fpu0Active", load.valu * load.busy * 0.7, "eu-clock", 1),
            ("XveFpuEmActive", load.valu * load.busy * 0.7, "eu-clock", 1),
            ("Fpu1Active", load.valu * load.busy * 0.3, "eu-clock", 1),
            *pipes,
            ("GtiReadThroughput", read, "", self.unit("GtiReadThroughput")),
            ("GtiWriteThroughput", written, "",
             self.unit("GtiWriteThroughput")),
            ("GPU_MEMORY_BYTE_READ", read, "",
             self.unit("GPU_MEMORY_BYTE_READ")),
            ("GPU_MEMORY_BYTE_WRITE", written, "",
             self.unit("GPU_MEMORY_BYTE_WRITE")),
            ("GPU_MEMORY_REQUEST_QUEUE_FULL", load.stalled * 0.3, "clock", 1),
            ("ShaderMemoryAccesses", accesses, "", 1),
            ("L3Misses", (read + written) / 64, "", self.unit("L3Misses")),
            ("L3_MISS", (read + written) / 64, "", 1),
            ("L3_HIT", (read + written) / 64 * load.l2_hit /
             (1 - load.l2_hit), "", 1),
            ("LOAD_STORE_CACHE_ACCESS", 0.3 * load.busy * hz, "", 1),
            ("LOAD_STORE_CACHE_HIT", 0.3 * load.busy * hz * load.l1_hit,
             "", 1),
            ("ICACHE_HIT", 0.05 * load.busy * hz, "", 1),
            ("ICACHE_MISS", 0.0005 * load.busy * hz, "", 1),
            ("TLB_MISS", (read + written) / 65536, "", 1),
            ("L3_GPU_MEMORY_BYTE_READ", read, "",
             self.unit("L3_GPU_MEMORY_BYTE_READ")),
            ("L3_GPU_MEMORY_BYTE_WRITE", written, "",
             self.unit("L3_GPU_MEMORY_BYTE_WRITE")),
            ("CsThreads", 0 if load.pixels else load.waves * hz, "", 1),
            ("VsThreads", pixels / 1500, "", 1),
            ("PsThreads", pixels / 16, "", 1),
            ("IA_VERTEX", pixels / 45, "", 1),
            ("CLIPPER_PRIMITIVE_OUTPUT", pixels / 90, "", 1),
            ("RASTERIZER_SAMPLE_OUTPUT", pixels, "", 1),
            ("PIXEL_WRITE", pixels * 0.8, "", 1),
            ("SAMPLER_TEXTURE_CACHE_ACCESS", pixels * 0.5, "", 1),
            ("SAMPLER_TEXTURE_CACHE_MISS", pixels * 0.05, "", 1),
            ("RasterizedPixels", pixels / 4, "", 1),
            ("EarlyDepthTestFails", pixels / 4 * 0.2, "", 1),
            ("SamplesWritten", pixels / 4 * 0.8, "", 1),
            ("SamplerTexels", pixels / 4 * 2, "", 1),
            ("SamplerTexelMisses", pixels / 4 * 0.1, "", 1),
            ("SamplersBusy", 0.42 * load.busy if load.pixels else 0,
             "clock", 0),
            ("SamplerBottleneck", 0.11 * load.busy if load.pixels else 0,
             "clock", 0),
            ("RenderBusy", rendering, "clock", 1),
            ("AnyComputeEngineBusy", computing, "clock", 1),
            ("COMMAND_PARSER_RENDER_ENGINE_BUSY", rendering, "clock", 1),
            ("COMMAND_PARSER_COMPUTE_ENGINE_BUSY", computing, "clock", 1),
            # a matrix instruction takes two clocks
            ("XVE_INST_EXECUTED_ALU2_ALL_UTILIZATION",
             load.matrix * load.busy / 2, "eu-clock", 1),
            ("XVE_INST_EXECUTED_XMX_FP16",
             load.matrix * load.busy / 2, "eu-clock", 1),
            ("XVE_INST_EXECUTED_FP16",
             load.valu * load.busy * 0.6, "eu-clock", 1),
            ("XVE_INST_EXECUTED_FP32",
             load.valu * load.busy * 0.3, "eu-clock", 1),
        )

    def renders(self, load):
        """Whether the render engine has the work, and not one of compute."""
        return bool(load.pixels) or "ccs" not in self.engines

    def unit(self, name):
        """Bytes that the slot counts at a time."""
        for expression in self.expressions.get(name, []):
            numbers = [int(n) for n in re.findall(r"(?<![A-Z\d])\d+",
                                                  expression)]
            return max(numbers + [1])
        return 1

    def parts(self, name, members):
        """Of how many units the set counts one, and takes it for all."""
        texts = ((members or {}).get(name),
                 self.own_expressions.get(name, [""])[0])
        factor = re.compile(r"(\d+) \* (?:\(float\()?A\d")
        numbers = [int((factor.match(text) or [0, 1])[1])
                   for text in texts if text]
        return numbers[0] / numbers[1] if len(numbers) == 2 else 1

    def rates(self, load, members=None):
        """What slots count, in all sets, or in one with these members."""
        rates = {}
        for name, value, per, unit in self.amounts(load):
            slots = [s for s in self.leaves(name) if s not in rates] \
                if members is None or name in members else []
            few = slots[:1] if unit and self.driver != "xe" else slots
            for slot in few:
                size = (unit or 1) * self.parts(name, members)
                rates[slot] = f"{amount(value / size)}/{per}" if per \
                    else whole(value / size)
            if members is not None:  # the other parts of this sum
                rates.update({slot: "0" for slot in slots if slot not in few})
        return rates

    def rates_of_sets(self, load, common):
        """(GUID, slot, rate) where a set's slots count what others' do not:
        an event of a load, or one of a metric group that it does not have."""
        everywhere = self.expressions
        for name, members in self.sets:
            if name == "TestOa":
                continue
            self.expressions = self.expressions_of(members)
            rates = self.rates(load, members)
            for event in sorted(self.grouped & members.keys()):
                for slot in self.leaves(event):
                    rates.setdefault(slot, "0")
            for slot in sorted(rates):
                if not same_rate(rates[slot], common.get(slot, "0")):
                    yield self.guids[name], slot, rates[slot]
        self.expressions = everywhere

    def settings(self, load):
        mhz = max(self.low, round(load.clock * self.high))
        yield "oa-default zero"
        yield f"gpu-clock {mhz}"
        yield f"requested-frequency {mhz}"
        if self.kind in WATTS:
            yield f"power {round(load.power * WATTS[self.kind])}"
            yield f"temperature {round(38 + 40 * load.power)}"
        yield f"rc6 {amount(0 if load.busy else 96)}"
        yield "client-busy rcs 0"
        yield "client-busy bcs 0"
        for name, count in zip(self.engines[::2], self.engines[1::2]):
            works = name == ("rcs" if self.renders(load) else "ccs")
            for i in range(int(count)):
                share = load.busy * 100 if works and not i else 0
                yield f"engine-busy {name}{i} {amount(share)}"
                yield f"engine-wait {name}{i} 0"
                yield f"engine-sema {name}{i} 0"
        if any(self.selectors.values()):
            for selector, rate in self.rates_of_events(load):
                if not same_rate(rate, "0"):
                    yield f"oa-rate {selector:#x} {rate}"
            return
        rates = self.rates(load)
        for slot in sorted(rates, key=lambda s: (s.rstrip("0123456789"),
                                                 int(re.sub(r"\D", "", s)))):
            if not re.fullmatch(r"0(/.*)?", rates[slot]) or \
                    slot == self.leaves("GpuBusy")[0]:
                yield f"oa-rate {slot} {rates[slot]}"
        of_sets = self.rates_of_sets(load, rates) \
            if self.driver == "i915" else ()
        known = set()
        for guid, slot, rate in of_sets:
            if guid not in known and "xe" in self.drivers:
                yield f"oa-set {guid} {self.hashes[guid]:#010x}"
            known.add(guid)
            yield f"oa-rate {guid}.{slot} {rate}"

    def rates_of_events(self, load):
        """(selector, rate) of Xe2's events, which any slot may count."""
        everywhere = self.expressions
        found = {}
        for name, members in self.sets:
            self.expressions = self.expressions_of(members)
            for slot, rate in self.rates(load, members).items():
                selector = self.selectors[name].get(slot)
                if found.setdefault(selector, rate) != rate:
                    raise SystemExit(f"{self.kind}: {selector:#x} has two "
                                     f"rates, {rate} and {found[selector]}")
        self.expressions = everywhere
        yield from sorted(found.items())


# ---------------------------------------------------------------- files

def main():
    kinds = sys.argv[1:] or sorted(
        name[:-4] for name in os.listdir(GPUS) if name.endswith(".gpu"))
    for kind in kinds:
        gpu = Amd(kind) if kind in AMD else Intel(kind)
        with open(os.path.join(GPUS, f"{kind}.load"), "w",
                  encoding="utf-8") as file:
            file.write(HEAD)
            for name, load in LOADS.items():
                file.write(f"\nload {name}\n")
                for line in gpu.settings(load):
                    file.write(line + "\n")
        if kind in AMD:
            with open(os.path.join(GPUS, f"{gpu.generation}.work"), "w",
                      encoding="utf-8") as file:
                file.write(HEAD + "\n")
                file.writelines(line + "\n" for line in Waves(kind).lines())


main()
