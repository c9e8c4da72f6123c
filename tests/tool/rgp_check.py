#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check every field of an RGP capture, the file of AMD's Radeon GPU Profiler.

usage: rgp_check.py [--dump] FILE

Each fault is a line on stderr, and the exit status 1 if there is one. --dump
prints the chunks and what the streaming counters (SPM) counted as JSON; a
counter's block has the name that the tables of events give it.

Layouts and values are facts of Mesa's ac_rgp.c and of AMD's PAL
(sqtt_file_format.h), the derived counters those of newer Mesa alone. Chunks
that no writer in reach makes are refused: SPM_DB 1.3, DF_SPM_DB and the table
of instrumentation. Of code objects the ELF headers and the name of the note are
checked, not the note's contents; of SQTT's data the place and the size alone.
"""
import datetime
import json
import math
import struct
import sys

MAGIC = 0x50303042
HEADER_SIZE = 56
CLOCK = range(1_000_000, 10_000_000_001)
KIB, MIB = 1 << 10, 1 << 20

# gfxip level: version of SQTT, blocks that stream with the number of their
# events; g: one instance of a GPU, s: one of a shader engine, of its number
GFX9 = """CB:438 CPC:35 CPF:32 CPG:60 DB:328 GDS:121 IA:32 PA_SC:491 PA_SU:292s
RMI:257 SPI:196s SQ:374s SX:208s TA:119 TCA:35 TCC:320 TCP:88 TD:57 VGT:148s"""
GFX10_1 = """ATCL2:9g CB:453 CHA:45g CHC:35 CHCG:35g CPC:47g CPF:40g CPG:82g
DB:370 EA:89 GCR:94g GDS:121g GE:315g GL1A:36 GL1C:64 GL2A:91 GL2C:235 GUS:176g
MC_VM_L2:91g PA_PH:960g PA_SC:552 PA_SU:266 RMI:258 SDMA:101 SPI:329s SQ:512s
SX:225 TA:226 TCP:77 TD:61"""
GFX10_3 = """CB:453 CHA:40g CHC:40 CHCG:40g CPC:47g CPF:40g CPG:82g DB:391 EA:90
GCR:142g GDS:121g GE:40g GE_DIST:63g GE_SE:139s GL1A:24 GL1C:83 GL2A:91 GL2C:254
GUS:176g MC_VM_L2:91g PA_PH:992g PA_SC:578 PA_SU:276s RMI:258 SDMA:128 SPI:332s
SQ:512s SX:225 TA:236 TCP:61 TD:192"""
GFX11 = """CB:314 CHA:40g CHC:44 CHCG:44g CPC:56g CPF:44g CPG:92g DB:388 EA:98
GCR:155g GDS:148g GE:40g GE_DIST:101g GE_SE:88s GL1A:24 GL1C:84 GL2A:108
GL2C:259 GUS:176g MC_VM_L2:91g PA_PH:1024g PA_SC:667 PA_SU:311s PC:47s RMI:139
SDMA:101 SPI:284s SQ:37s SQ_WGP:512 SX:82 TA:236 TCP:78 TD:197"""
GFX12 = """CB:316 CHA:26g CHC:95 CPC:56g CPF:44g CPG:96g DB:442 EA_CPWD:33g
EA_SE:33 GCR:152g GE:55g GE_DIST:189g GE_SE:104s GL1A:22 GL1C:122 GL1XA:22s
GL1XC:110 GL2A:115 GL2C:250 MC_VM_L2:91g PA_SC:822 PA_SU:829s PC:165s
RLCUSER:1024 SDMA:126 SPI:319s SQ:46s SQ_WGP:512 SX:82 TA:255 TCP:100 TD:272
UTCL1:72 WGS:56s"""
LEVELS = {3: (5, ""), 4: (5, ""), 5: (6, GFX9), 7: (7, GFX10_1),
          9: (7, GFX10_3), 0xC: (0xB, GFX11), 0xD: (0xB, GFX11),
          0x10: (0xC, GFX12)}
BLOCKS = dict(enumerate("""CPF IA VGT PA_SU PA_SC SPI SQ SX TA TD TCP TCC TCA DB
CB GDS SRBM GRBM GRBMSE RLC SDMA MC CPG CPC WD TCS ATC ATCL2 MC_VM_L2 EA RPB RMI
UMCCH GE GL1A GL1C 36 GL2A GL2C CHA CHC CHCG GUS GCR PA_PH UTCL1 GE_DIST GE_SE
DF_MALL SQ_WGP PC GL1XA GL1XC WGS EA_CPWD EA_SE RLCUSER""".split()))
MEMORY_TYPES = {0, 1, 2, 3, 4, 5, 0x10, 0x11, 0x12, 0x13, 0x20, 0x21, 0x22,
                0x30, 0x31}
USAGES = {1: "percent", 2: "cycles", 4: "bytes", 5: "items"}
INTERVALS = range(32, 65536)


class Rule:
    """What a value has to be, with words for it."""
    def __init__(self, words, holds):
        self.words, self.holds = words, holds


def multiple(unit, low, high):
    return Rule(f"a multiple of {unit} from {low} to {high}",
                lambda value: low <= value <= high and value % unit == 0)


def or_zero(rule):
    return Rule(f"0 or {rule.words}",
                lambda value: value == 0 or rule.holds(value))


def is_text(value):
    """Text that ends within its field, with zeros after its end."""
    text = value.rstrip(b"\0")
    try:
        return (0 < len(text) < len(value) and b"\0" not in text and
                text.decode().isprintable())
    except UnicodeDecodeError:
        return False


def is_number(value):
    return math.isfinite(value) and value >= 0


ANY = Rule("anything", lambda value: True)
SOME = Rule("above 0", lambda value: value > 0)
TEXT = Rule("printable text that ends within the field, then zeros", is_text)
NO_TEXT = Rule("empty or text that ends",
               lambda value: not any(value) or is_text(value))
NUMBER = Rule("a finite number from 0", is_number)
ZEROS = Rule("zeros", lambda value: not any(value))
CACHE = or_zero(multiple(KIB, 4 * KIB, 2 * MIB))
# of a chunk that tells where it is and how large; its checks know these
HERE = Rule("where the chunk is", lambda value: True)

CHUNK = [("chunk_id", "I", ANY), ("minor_version", "H", ANY),
         ("major_version", "H", ANY), ("size_in_bytes", "i", ANY),
         ("padding", "i", 0)]
FILE = [("magic", "I", MAGIC), ("version_major", "I", 1),
        ("version_minor", "I", {5, 6}), ("flags", "I", range(4)),
        ("chunk_offset", "i", HEADER_SIZE), ("second", "i", range(61)),
        ("minute", "i", range(60)), ("hour", "i", range(24)),
        ("day_in_month", "i", range(1, 32)), ("month", "i", range(12)),
        ("year", "i", range(100, 300)), ("day_in_week", "i", range(7)),
        ("day_in_year", "i", range(366)), ("is_daylight_savings", "i",
                                           range(-1, 2))]
ASIC = [("flags", "Q", range(4)), ("trace_shader_core_clock", "Q", CLOCK),
        ("trace_memory_clock", "Q", CLOCK),
        ("device_id", "i", range(1, 0x10000)),
        ("device_revision_id", "i", range(0x100)),
        ("vgprs_per_simd", "i", range(128, 4097)),
        ("sgprs_per_simd", "i", range(100, 8193)),
        ("shader_engines", "i", range(1, 33)),
        ("compute_unit_per_shader_engine", "i", range(1, 33)),
        ("simd_per_compute_unit", "i", {2, 4}),
        ("wavefronts_per_simd", "i", range(1, 41)),
        ("minimum_vgpr_alloc", "i", range(1, 257)),
        ("vgpr_alloc_granularity", "i", range(1, 257)),
        ("minimum_sgpr_alloc", "i", range(1, 257)),
        ("sgpr_alloc_granularity", "i", range(1, 257)),
        ("hardware_contexts", "i", 8), ("gpu_type", "i", range(4)),
        ("gfxip_level", "i", set(LEVELS)), ("gpu_index", "i", 0),
        ("gds_size", "i", range(MIB + 1)),
        ("gds_per_shader_engine", "i", range(MIB + 1)),
        ("ce_ram_size", "i", 0), ("ce_ram_size_graphics", "i", 0),
        ("ce_ram_size_compute", "i", 0),
        ("max_number_of_dedicated_cus", "i", 0),
        ("vram_size", "q", or_zero(multiple(4096, MIB, 1 << 40))),
        ("vram_bus_width", "i", multiple(16, 16, 16384)),
        ("l2_cache_size", "i", or_zero(multiple(KIB, 64 * KIB, 128 * MIB))),
        ("l1_cache_size", "i", or_zero(multiple(KIB, 8 * KIB, 512 * KIB))),
        ("lds_size", "i", multiple(KIB, 16 * KIB, 512 * KIB)),
        ("gpu_name", "256s", TEXT), ("alu_per_clock", "f", NUMBER),
        ("texture_per_clock", "f", NUMBER), ("prims_per_clock", "f", NUMBER),
        ("pixels_per_clock", "f", NUMBER),
        ("gpu_timestamp_frequency", "Q", range(1_000_000, 1_000_000_001)),
        ("max_shader_core_clock", "Q", or_zero(Rule("a clock in Hz",
                                                    CLOCK.__contains__))),
        ("max_memory_clock", "Q", or_zero(Rule("a clock in Hz",
                                               CLOCK.__contains__))),
        ("memory_ops_per_clock", "I", range(33)),
        ("memory_chip_type", "I", MEMORY_TYPES),
        ("lds_granularity", "I", multiple(64, 64, 4096)),
        ("cu_mask", "64H", ANY), ("reserved1", "128s", ZEROS),
        ("active_pixel_packer_mask", "4I", ANY), ("reserved2", "16s", ZEROS),
        ("gl1_cache_size", "I", CACHE), ("instruction_cache_size", "I", CACHE),
        ("scalar_cache_size", "I", CACHE),
        ("mall_cache_size", "I", or_zero(multiple(KIB, MIB, 1024 * MIB))),
        ("padding2", "I", 0)]
SQTT_DESC = [("shader_engine_index", "i", range(32)),
             ("sqtt_version", "i", {5, 6, 7, 0xB, 0xC}),
             ("instrumentation_spec_version", "h", 1),
             ("instrumentation_api_version", "h", 0),
             ("compute_unit_index", "i", range(32))]
SQTT_DATA = [("offset", "i", HERE), ("size", "i", HERE)]
API = [("api_type", "I", {0, 1, 2, 3, 5}), ("api_major_version", "H", ANY),
       ("api_minor_version", "H", ANY), ("profiling_mode", "I", range(4)),
       ("reserved", "I", 0), ("profiling_mode_data", "512s", ANY),
       ("instruction_trace_mode", "I", range(3)), ("reserved2", "I", 0),
       ("instruction_trace_data", "Q", ANY)]
QUEUES = [("queue_info_record_count", "I", ANY),
          ("queue_info_table_size", "I", HERE),
          ("queue_event_record_count", "I", ANY),
          ("queue_event_table_size", "I", HERE)]
QUEUE_INFO = [("queue_id", "Q", ANY), ("queue_context", "Q", ANY),
              ("hardware_info", "I", Rule(
                  "a type of queue and one of engine",
                  lambda value: value & 0xFF in {1, 2, 3} and
                  value >> 8 in {1, 2, 3, 4, 7, 8})), ("reserved", "I", 0)]
QUEUE_EVENT = [("event_type", "I", range(4)), ("sqtt_cb_id", "I", ANY),
               ("frame_index", "Q", SOME), ("queue_info_index", "I", ANY),
               ("submit_sub_index", "I", ANY), ("api_id", "Q", ANY),
               ("cpu_timestamp", "Q", SOME), ("gpu_timestamps", "2Q", ANY)]
CALIBRATION = [("cpu_timestamp", "Q", SOME), ("gpu_timestamp", "Q", SOME),
               ("reserved", "Q", 0)]
CPU = [("vendor_id", "16s", TEXT), ("processor_brand", "48s", TEXT),
       ("reserved", "8s", ZEROS), ("cpu_timestamp_freq", "Q", 1_000_000_000),
       ("clock_speed", "I", range(20_001)),
       ("num_logical_cores", "I", range(1, 65537)),
       ("num_physical_cores", "I", range(1, 65537)),
       ("system_ram_size", "I", range(16, 1 << 28))]
SPM = [("flags", "I", 0), ("preamble_size", "I", 40),
       ("num_timestamps", "I", SOME), ("num_spm_counter_info", "I", SOME),
       ("spm_counter_info_size", "I", 20), ("sample_interval", "I", INTERVALS)]
SPM_COUNTER = [("block", "I", ANY), ("instance", "I", range(1024)),
               ("event_index", "I", range(1024)), ("data_offset", "I", HERE),
               ("data_size", "I", {2, 4})]
CODE = [("offset", "I", HERE), ("flags", "I", 0), ("size", "I", HERE),
        ("record_count", "I", ANY)]
LOADER = [("offset", "I", HERE), ("flags", "I", 0), ("record_size", "I", 40),
          ("record_count", "I", ANY)]
LOADER_EVENT = [("loader_event_type", "I", range(2)), ("reserved", "I", 0),
                ("base_address", "Q", range(1, 1 << 48)),
                ("code_object_hash", "2Q", Rule("a hash", any)),
                ("time_stamp", "Q", ANY)]
PSO = [("offset", "I", HERE), ("flags", "I", 0), ("record_size", "I", 88),
       ("record_count", "I", ANY)]
PSO_RECORD = [("api_pso_hash", "Q", SOME),
              ("pipeline_hash", "2Q", Rule("a hash", any)),
              ("api_level_obj_name", "64s", NO_TEXT)]
DERIVED = [("offset", "I", 44), ("flags", "I", 0),
           ("num_timestamps", "I", SOME), ("num_groups", "I", SOME),
           ("num_counters", "I", SOME), ("num_components", "I", ANY),
           ("sampling_interval", "I", INTERVALS)]
LENGTHS = [("size_in_bytes", "I", HERE), ("offset", "I", HERE),
           ("name_length", "I", SOME), ("description_length", "I", ANY)]
GROUP = LENGTHS + [("num_counters", "I", SOME)]
COUNTER = LENGTHS + [("num_components", "I", ANY), ("usage_type", "I",
                                                    set(USAGES))]
COMPONENT = LENGTHS + [("usage_type", "I", set(USAGES))]

# type: name, versions by the file's minor version, bytes of the fixed part,
# fields behind the chunk's header, may there be several
TYPES = {
    0: ("ASIC_INFO", {5: (0, 5), 6: (0, 6)}, 768, ASIC, False),
    1: ("SQTT_DESC", (0, 2), 32, SQTT_DESC, True),
    2: ("SQTT_DATA", (0, 0), 24, SQTT_DATA, True),
    3: ("API_INFO", (0, 2), 560, API, False),
    5: ("QUEUE_EVENT_TIMINGS", (1, 1), 32, QUEUES, False),
    6: ("CLOCK_CALIBRATION", (0, 0), 40, CALIBRATION, True),
    7: ("CPU_INFO", (0, 0), 112, CPU, False),
    8: ("SPM_DB", (2, 0), 40, SPM, False),
    9: ("CODE_OBJECT_DATABASE", (0, 0), 32, CODE, False),
    10: ("CODE_OBJECT_LOADER_EVENTS", {5: (1, 0), 6: (1, 1)}, 32, LOADER,
         False),
    11: ("PSO_CORRELATION", (0, 0), 32, PSO, False),
    128: ("DERIVED_SPM_DB", (0, 0), 44, DERIVED, False),
}
ALONE = {"CPU_INFO", "ASIC_INFO", "API_INFO", "QUEUE_EVENT_TIMINGS",
         "CLOCK_CALIBRATION"}


def layout_size(layout):
    return struct.calcsize("<" + "".join(form for _, form, _ in layout))


for _name, _, _size, _layout, _ in TYPES.values():
    assert layout_size(CHUNK + _layout) == _size, _name


def obeys(rule, value):
    if isinstance(rule, Rule):
        return rule.holds(value)
    return value in rule if isinstance(rule, (set, range)) else value == rule


def words_of(rule):
    if isinstance(rule, Rule):
        return rule.words
    if isinstance(rule, range):
        return f"from {rule[0]} to {rule[-1]}"
    return f"one of {sorted(rule)}" if isinstance(rule, set) else str(rule)


class Chunk:
    """A chunk: where it is, its bytes, its fields."""
    def __init__(self, at, data, kind, index):
        self.at, self.data = at, data
        self.index = index
        self.name, self.versions, self.size, self.layout, self.several = \
            TYPES[kind]
        self.words = f"{self.name} {index}" if self.several else self.name
        self.fields = {}


class Capture:
    """A file, the faults that were found, and what its counters say."""
    def __init__(self, data):
        self.data = data
        self.faults = []
        self.chunks = []
        self.header = {}
        self.counters, self.derived = [], []
        self.times = {}
        self.loaded, self.pipelines = set(), []

    def fault(self, where, text):
        self.faults.append(f"{where}: {text}")

    def expect(self, holds, where, text):
        if not holds:
            self.fault(where, text)
        return holds

    def read(self, data, at, layout, where):
        """The fields at an offset, each checked; None where they do not fit."""
        size = layout_size(layout)
        if not self.expect(0 <= at <= at + size <= len(data), where,
                           f"{size} bytes at {at} reach beyond the end"):
            return None
        fields = {}
        for name, form, rule in layout:
            values = struct.unpack_from("<" + form, data, at)
            value = values[0] if len(values) == 1 else values
            self.expect(obeys(rule, value), where,
                        f"{name} at {at} is {value!r}, not {words_of(rule)}")
            fields[name] = value
            at += struct.calcsize("<" + form)
        return fields

    # the file -------------------------------------------------------------

    def check(self):
        self.header = self.read(self.data, 0, FILE, "header")
        if self.header and self.header["magic"] == MAGIC:
            self.check_date()
            self.walk()
            self.check_set()
            for chunk in self.chunks:
                check = getattr(self, "check_" + chunk.name.lower(), None)
                if check and chunk.fields:
                    check(chunk, chunk.fields)
            self.check_joins()
        return self.faults

    def check_date(self):
        header = self.header
        try:
            day = datetime.date(1900 + header["year"], 1 + header["month"],
                                header["day_in_month"])
        except ValueError:
            self.fault("header", "day_in_month is no day of month and year")
            return
        self.expect(header["day_in_week"] == day.isoweekday() % 7, "header",
                    f"day_in_week is not that of {day}")
        self.expect(header["day_in_year"] == day.timetuple().tm_yday - 1,
                    "header", f"day_in_year is not that of {day}")

    def walk(self):
        at = HEADER_SIZE
        while at < len(self.data):
            head = self.read(self.data, at, CHUNK, f"chunk at {at}")
            if not head:
                return
            size, number = head["size_in_bytes"], head["chunk_id"]
            if not self.expect(16 <= size <= len(self.data) - at,
                               f"chunk at {at}", f"size_in_bytes is {size}, "
                               f"with {len(self.data) - at} left of the file"):
                return
            if self.expect(number >> 16 == 0 and number & 0xFF in TYPES,
                           f"chunk at {at}", f"chunk_id is {number:#x}"):
                self.take_chunk(Chunk(at, self.data[at:at + size],
                                      number & 0xFF, number >> 8), head)
            at += size

    def take_chunk(self, chunk, head):
        versions = chunk.versions
        if isinstance(versions, dict):
            versions = versions.get(self.header["version_minor"])
        if versions:
            for part, want in zip(("major", "minor"), versions):
                version = head[part + "_version"]
                self.expect(version == want, chunk.words,
                            f"{part}_version is {version}, not {want}")
        same = [other for other in self.chunks if other.name == chunk.name]
        self.expect(chunk.index == len(same), chunk.words,
                    f"index in chunk_id is {chunk.index}, not {len(same)}")
        self.expect(chunk.several or not same, chunk.words,
                    "there is a second chunk of this chunk_id")
        if chunk.name in ALONE - {"QUEUE_EVENT_TIMINGS"} | {"SQTT_DESC"}:
            self.expect(len(chunk.data) == chunk.size, chunk.words,
                        f"size_in_bytes is {len(chunk.data)}, "
                        f"not {chunk.size}")
        self.chunks.append(chunk)
        chunk.fields = self.read(chunk.data, 16, chunk.layout, chunk.words)

    def named(self, name):
        return [chunk for chunk in self.chunks if chunk.name == name and
                chunk.fields]

    def check_set(self):
        """What a file has to have."""
        names = {chunk.name for chunk in self.chunks}
        for name in ("CPU_INFO", "ASIC_INFO", "API_INFO",
                     "QUEUE_EVENT_TIMINGS"):
            self.expect(name in names, "file", f"there is no {name}")
        self.expect(names - ALONE, "file", "it holds no trace and no counter")
        self.expect({chunk.index for chunk in self.named("SQTT_DESC")} ==
                    {chunk.index for chunk in self.named("SQTT_DATA")}, "file",
                    "SQTT_DESC and SQTT_DATA are no pairs of one index")

    # descriptions ---------------------------------------------------------

    def asic(self, name):
        found = self.named("ASIC_INFO")
        return found[0].fields[name] if found else None

    def check_asic_info(self, chunk, info):
        def expect(holds, text):
            self.expect(holds, chunk.words, text)

        for clock in ("shader_core_clock", "memory_clock"):
            top = info["max_" + clock]
            expect(not 0 < top < info["trace_" + clock],
                   f"max_{clock} is below trace_{clock}")
        masks = [info["cu_mask"][at:at + 2] for at in range(0, 64, 2)]
        cus = [bin(one).count("1") + bin(two).count("1") for one, two in masks]
        engines = info["shader_engines"]
        expect(not any(cus[max(engines, 0):]),
               "cu_mask has CUs of engines beyond shader_engines")
        expect(max(cus) >= info["compute_unit_per_shader_engine"],
               "cu_mask has fewer CUs than compute_unit_per_shader_engine")
        expect(info["lds_granularity"] == 512 or info["gfxip_level"] == 9,
               "lds_granularity is not that of gfxip_level")
        expect(info["gds_per_shader_engine"] <= info["gds_size"],
               "gds_per_shader_engine is above gds_size")
        expect(info["prims_per_clock"] == engines *
               (2 if info["gfxip_level"] == 7 else 1),
               "prims_per_clock is not what its engines make")
        expect(bool(info["memory_ops_per_clock"]) ==
               bool(info["memory_chip_type"]),
               "memory_ops_per_clock and memory_chip_type: one is 0")
        expect(info["vram_size"] > 0 or info["gpu_type"] != 2,
               "vram_size of a discrete GPU is 0")

    def check_cpu_info(self, chunk, info):
        self.expect(info["num_physical_cores"] <= info["num_logical_cores"],
                    chunk.words, "num_physical_cores is above "
                    "num_logical_cores")

    def check_api_info(self, chunk, info):
        data = info["profiling_mode_data"]
        rules = {0: ZEROS, 1: Rule("two texts that end", lambda both:
                                   is_text(both[:256]) and is_text(both[256:]))}
        rule = rules.get(info["profiling_mode"], ANY)
        self.expect(obeys(rule, data), chunk.words,
                    f"profiling_mode_data is not {words_of(rule)}")
        self.expect(info["instruction_trace_mode"] != 1 or
                    info["instruction_trace_data"] < 1 << 32, chunk.words,
                    "instruction_trace_data is above the mask of engines")

    # traces ---------------------------------------------------------------

    def check_sqtt_desc(self, chunk, info):
        where, engine = chunk.words, info["shader_engine_index"]
        self.expect(engine < (self.asic("shader_engines") or 32), where,
                    f"shader_engine_index is {engine}, which ASIC_INFO lacks")
        self.expect(all(other.fields["shader_engine_index"] != engine
                        for other in self.named("SQTT_DESC")
                        if other is not chunk), where,
                    f"shader_engine_index {engine} has two traces")
        level = self.asic("gfxip_level")
        if level in LEVELS:
            self.expect(info["sqtt_version"] == LEVELS[level][0], where,
                        f"sqtt_version is {info['sqtt_version']}, which is "
                        f"not that of gfxip_level {level:#x}")

    def check_sqtt_data(self, chunk, info):
        where, size = chunk.words, len(chunk.data) - chunk.size
        self.expect(info["offset"] == chunk.at + chunk.size, where,
                    f"offset is {info['offset']}, not {chunk.at + chunk.size}")
        self.expect(info["size"] == size and size % 32 == 0, where,
                    f"size is {info['size']} where {size} bytes follow, "
                    "in units of 32")

    def records(self, chunk, at, count, layout, words):
        """So many records from an offset on; that one is missing is a fault."""
        for number in range(count):
            where = f"{chunk.words} {words} {number}"
            fields = self.read(chunk.data, at, layout, where)
            if not fields:
                return
            yield where, fields
            at += layout_size(layout)

    def check_end(self, chunk, end):
        self.expect(len(chunk.data) == end, chunk.words,
                    f"size_in_bytes is {len(chunk.data)}, but its parts "
                    f"take {end}")

    def check_queue_event_timings(self, chunk, info):
        infos = info["queue_info_record_count"]
        events = info["queue_event_record_count"]
        for name, size in (("queue_info_table_size", 24 * infos),
                           ("queue_event_table_size", 56 * events)):
            self.expect(info[name] == size, chunk.words,
                        f"{name} is {info[name]}, not {size}")
        self.check_end(chunk, 32 + 24 * infos + 56 * events)
        list(self.records(chunk, 32, infos, QUEUE_INFO, "queue"))
        for where, event in self.records(chunk, 32 + 24 * infos, events,
                                         QUEUE_EVENT, "event"):
            self.check_queue_event(where, event, infos)

    def check_queue_event(self, where, event, infos):
        begin, end = event["gpu_timestamps"]
        submits = event["event_type"] == 0
        self.expect(event["queue_info_index"] < infos, where,
                    "queue_info_index is beyond the queues")
        self.expect(submits or not event["sqtt_cb_id"], where,
                    "sqtt_cb_id is that of a submit")
        self.expect(0 < begin <= end if submits else
                    event["event_type"] != 3 or (begin and not end), where,
                    "gpu_timestamps are not begin and end")

    # code objects ---------------------------------------------------------

    def check_place(self, chunk, info):
        self.expect(info["offset"] == chunk.at, chunk.words,
                    f"offset is {info['offset']}, not {chunk.at}")

    def check_code_object_database(self, chunk, info):
        self.check_place(chunk, info)
        self.expect(info["size"] == len(chunk.data), chunk.words,
                    f"size is {info['size']}, not {len(chunk.data)}")
        at = chunk.size
        for where, record in self.code_objects(chunk, info["record_count"]):
            at += 4 + len(record)
            self.check_elf(where, record)
        self.check_end(chunk, at)

    def code_objects(self, chunk, count):
        at = chunk.size
        for number in range(count):
            where = f"{chunk.words} record {number}"
            fields = self.read(chunk.data, at, [("size", "I", multiple(
                4, 64, max(64, len(chunk.data) - at - 4)))], where)
            if not fields:
                return
            yield where, chunk.data[at + 4:at + 4 + fields["size"]]
            at += 4 + fields["size"]

    def check_elf(self, where, elf):
        if not self.expect(elf[:7] == b"\x7fELF\2\1\1" and
                           elf[7] in (64, 65) and
                           struct.unpack_from("<H", elf, 18)[0] == 224, where,
                           "it is no ELF file of AMD's GPUs"):
            return
        table, = struct.unpack_from("<Q", elf, 40)
        size, count, names = struct.unpack_from("<HHH", elf, 58)
        if not self.expect(size == 64 and names < count and
                           table + size * count <= len(elf), where,
                           "its sections reach beyond the end"):
            return
        notes = []
        for at in range(table, table + size * count, size):
            kind, _, _, begin, length = struct.unpack_from("<IQQQQ", elf,
                                                           at + 4)
            self.expect(kind in (0, 8) or begin + length <= len(elf), where,
                        "a section reaches beyond the end")
            if kind == 7:
                notes.append(elf[begin:begin + length])
        note = struct.pack("<III6s", 7, 0, 32, b"AMDGPU")
        self.expect(any(one[:4] + one[8:18] == note[:4] + note[8:]
                        for one in notes), where,
                    "there is no note AMDGPU of type 32")

    def check_code_object_loader_events(self, chunk, info):
        self.check_place(chunk, info)
        self.check_end(chunk, chunk.size + 40 * info["record_count"])
        last = 0
        for where, event in self.records(chunk, chunk.size,
                                         info["record_count"], LOADER_EVENT,
                                         "event"):
            self.expect(event["time_stamp"] >= last, where,
                        "time_stamp is before the last one")
            last = event["time_stamp"]
            self.loaded.add(event["code_object_hash"])

    def check_pso_correlation(self, chunk, info):
        self.check_place(chunk, info)
        self.check_end(chunk, chunk.size + 88 * info["record_count"])
        self.pipelines += self.records(chunk, chunk.size,
                                       info["record_count"], PSO_RECORD,
                                       "record")

    # streaming counters ---------------------------------------------------

    def read_times(self, chunk, at, count):
        """Time stamps, which rise; none if they reach beyond the chunk."""
        if not self.expect(at + 8 * count <= len(chunk.data), chunk.words,
                           f"{count} time stamps reach beyond the end"):
            return False
        times = struct.unpack_from(f"<{count}Q", chunk.data, at)
        for number in range(1, count):
            if not self.expect(times[number - 1] < times[number], chunk.words,
                               f"timestamps[{number}] does not follow "
                               f"timestamps[{number - 1}]"):
                break
        self.expect(times[:1] != (0,), chunk.words, "timestamps[0] is 0")
        self.times[chunk.name] = times
        return True

    def check_spm_db(self, chunk, info):
        samples, count = info["num_timestamps"], info["num_spm_counter_info"]
        if not self.read_times(chunk, 40, samples):
            return
        spans, seen = [], set()
        for where, counter in self.records(chunk, 40 + 8 * samples, count,
                                           SPM_COUNTER, "counter"):
            key = tuple(counter[name] for name in
                        ("block", "instance", "event_index"))
            self.expect(key not in seen, where,
                        "block, instance and event_index are there twice")
            seen.add(key)
            self.check_block(where, *key)
            if counter["data_size"] in (2, 4):
                spans.append(self.take_values(where, chunk, counter, samples))
        self.check_spans(chunk, 40 + 8 * samples + 20 * count, spans)

    def check_block(self, where, block, instance, event):
        level = self.asic("gfxip_level")
        if level not in LEVELS:
            return
        blocks = dict(word.split(":") for word in LEVELS[level][1].split())
        limit = blocks.get(BLOCKS.get(block), "")
        if not self.expect(limit, where, f"block {block} is none that streams "
                           f"on gfxip_level {level:#x}"):
            return
        self.expect(event < int(limit.rstrip("gs")), where,
                    f"event_index {event} is none of {BLOCKS[block]}'s")
        instances = {"g": 1, "s": self.asic("shader_engines")}.get(limit[-1],
                                                                   1024)
        self.expect(instance < instances, where,
                    f"instance {instance} is none of {BLOCKS[block]}'s")

    def take_values(self, where, chunk, counter, samples):
        """A counter's values, and the bytes of the chunk that they take."""
        at, size = 40 + counter["data_offset"], counter["data_size"]
        end = at + size * samples
        if self.expect(end <= len(chunk.data), where,
                       "data_offset leads beyond the end"):
            form = {2: "H", 4: "I"}[size]
            values = struct.unpack_from(f"<{samples}{form}", chunk.data, at)
            self.counters.append({
                "block": BLOCKS.get(counter["block"], counter["block"]),
                "instance": counter["instance"],
                "event": counter["event_index"], "sum": sum(values),
                "samples": samples, "bits": 8 * size})
        return at, end, where

    def check_spans(self, chunk, at, spans):
        """Values follow one another up to the end, but for less than 8 bytes
        that align them."""
        for begin, end, where in sorted(spans):
            self.expect(0 <= begin - at < 8, where,
                        f"data_offset is {begin - 40}, where {at - 40} is the "
                        "first that is free")
            at = end
        self.expect(0 <= len(chunk.data) - at < 8, chunk.words,
                    f"size_in_bytes is {len(chunk.data)}, but its values end "
                    f"at {at}")

    def named_records(self, chunk, at, count, layout, words):
        """Records of derived counters with their names, the numbers behind, and
        where the next one begins."""
        for number in range(count):
            where = f"{chunk.words} {words} {number}"
            record = self.read(chunk.data, at, layout, where)
            if not record:
                return
            start = layout_size(layout)
            numbers = record.get("num_counters",
                                 record.get("num_components", 0))
            text = record["name_length"] + record["description_length"]
            size = start + text + 4 * numbers
            self.expect(record["offset"] == start, where,
                        f"offset is {record['offset']}, not {start}")
            self.expect(record["size_in_bytes"] == size, where,
                        f"size_in_bytes is {record['size_in_bytes']}, "
                        f"not {size}")
            if not self.expect(at + size <= len(chunk.data), where,
                               "the record reaches beyond the end"):
                return
            record["name"] = self.read_text(where, chunk.data[
                at + start:at + start + text], record["name_length"])
            record["ids"] = struct.unpack_from(f"<{numbers}I", chunk.data,
                                               at + start + text)
            at += size
            yield where, record, at

    def read_text(self, where, text, length):
        try:
            name = text[:length].decode()
            whole = name + text[length:].decode()
        except UnicodeDecodeError:
            name, whole = "", "\0"
        self.expect(whole.isprintable(), where,
                    "name and description are no text of their lengths")
        return name

    def check_derived_spm_db(self, chunk, info):
        samples = info["num_timestamps"]
        if not self.read_times(chunk, 44, samples):
            return
        at, found = 44 + 8 * samples, []
        for words, count, layout in (
                ("group", info["num_groups"], GROUP),
                ("counter", info["num_counters"], COUNTER),
                ("component", info["num_components"], COMPONENT)):
            records = list(self.named_records(chunk, at, count, layout, words))
            if len(records) != count:
                return
            at = records[-1][2] if records else at
            found.append(records)
        groups, counters, components = found
        self.check_members(groups, len(counters), "counter")
        self.check_members(counters, len(components), "component")
        self.check_end(chunk, at + 8 * samples * (len(counters) +
                                                  len(components)))
        for where, record, _ in counters + components:
            self.take_derived(where, chunk, record, at, samples)
            at += 8 * samples

    def check_members(self, owners, count, words):
        """Each of the members belongs to one owner."""
        members = [number for _, record, _ in owners
                   for number in record["ids"]]
        for number in sorted(set(members) | set(range(count))):
            self.expect(number < count and members.count(number) == 1,
                        "DERIVED_SPM_DB", f"{words} {number} of {count} is "
                        f"named {members.count(number)} times by its owners")

    def take_derived(self, where, chunk, record, at, samples):
        if at + 8 * samples > len(chunk.data):
            return
        values = struct.unpack_from(f"<{samples}d", chunk.data, at)
        finite = all(map(math.isfinite, values))
        self.expect(finite, where, "a value is no finite number")
        if finite:
            self.derived.append({
                "name": record["name"], "sum": math.fsum(values),
                "usage": USAGES.get(record["usage_type"]), "samples": samples})

    def check_joins(self):
        """What chunks say of each other: pipelines are of code objects that
        were loaded, both chunks of counters of the same samples."""
        for where, record in self.pipelines:
            self.expect(record["pipeline_hash"] in self.loaded, where,
                        "pipeline_hash is of no code object that was loaded")
        raw, derived = self.named("SPM_DB"), self.named("DERIVED_SPM_DB")
        if not raw or not derived:
            return
        self.expect(raw[0].fields["sample_interval"] ==
                    derived[0].fields["sampling_interval"], "DERIVED_SPM_DB",
                    "sampling_interval is not SPM_DB's")
        self.expect(self.times.get("SPM_DB") ==
                    self.times.get("DERIVED_SPM_DB"), "DERIVED_SPM_DB",
                    "time stamps are not SPM_DB's")

    def dump(self):
        times = self.times.get("SPM_DB", ())
        return {
            "version": [self.header[name] for name in
                        ("version_major", "version_minor")],
            "chunks": [{"name": chunk.name, "index": chunk.index,
                        "offset": chunk.at, "size": len(chunk.data)}
                       for chunk in self.chunks],
            "gpu": (self.asic("gpu_name") or b"").rstrip(b"\0").decode(
                errors="replace"),
            "interval": next((chunk.fields["sample_interval"]
                              for chunk in self.named("SPM_DB")), None),
            "timestamps": {"count": len(times), "first": min(times, default=0),
                           "last": max(times, default=0)},
            "counters": self.counters, "derived": self.derived}


def main(args):
    if len(args) not in (1, 2) or args[:-1] not in ([], ["--dump"]):
        sys.exit(__doc__)
    with open(args[-1], "rb") as file:
        capture = Capture(file.read())
    capture.check()
    if len(args) == 2 and capture.header:
        print(json.dumps(capture.dump()))
    for fault in capture.faults:
        print(fault, file=sys.stderr)
    return 1 if capture.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
