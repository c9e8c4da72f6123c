#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Show that rgp_check.py takes a valid capture, and refuses it with each field
made wrong, by that field's name.

usage: rgp_check_selftest.py FILE      FILE is written over

Fields lie at offsets that are written here as numbers, and not taken from
rgp_check.py. Each case is told with ok or not ok.
"""
import json
import struct
import subprocess
import sys

from rgp_check import Capture

TIMES = (1000, 1041, 1082, 1123)
# block, instance, event, bytes of a value, values
COUNTERS = ((38, 3, 0x2B, 2, (1, 2, 3, 65535)), (49, 7, 0x126, 2, (4, 0, 0, 4)),
            (0, 0, 0x18, 4, (100000, 1, 1, 1)))
FILE_SIZE = 56


def put(data, at, form, *values):
    struct.pack_into("<" + form, data, at, *values)


def chunk(kind, version, size, *fields, index=0, tail=b""):
    """A chunk of so many fixed bytes, with fields at offsets, and its tail."""
    data = bytearray(size)
    put(data, 0, "IHHii", kind | index << 8, version[1], version[0],
        size + len(tail), 0)
    for at, form, *values in fields:
        put(data, at, form, *values)
    return bytes(data + tail)


def cpu_info():
    return chunk(7, (0, 0), 112, (16, "12s", b"GenuineIntel"),
                 (32, "9s", b"Processor"), (88, "Q", 10**9), (96, "I", 3000),
                 (100, "III", 8, 4, 32768))


def asic_info():
    clocks = (16, "QQQ", 2, 2_000_000_000, 1_000_000_000)
    units = (40, "22i", 0x744C, 0xC8, 1536, 2560, 6, 16, 2, 16, 24, 24, 128,
             128, 8, 2, 0xC, 0, 4096, 682, 0, 0, 0, 0)
    memory = (128, "qiiii", 24 << 30, 384, 6 << 20, 32 << 10, 64 << 10)
    rates = (408, "ffffQQQIII", 0, 0, 6, 0, 100_000_000, 2_000_000_000,
             1_250_000_000, 16, 0x13, 512)
    masks = (460, "12H", *[0xFF] * 12)
    caches = (748, "IIII", 256 << 10, 32 << 10, 16 << 10, 96 << 20)
    return chunk(0, (0, 5), 768, clocks, units, memory,
                 (152, "6s", b"Navi31"), rates, masks, (716, "I", 0xFFFF),
                 caches)


def api_info():
    return chunk(3, (0, 2), 560, (16, "I", 1))


def elf():
    note = struct.pack("<III8s", 7, 4, 32, b"AMDGPU") + bytes(4)
    head = struct.pack("<8s8xHHIQQQIHHHHHH", b"\x7fELF\2\1\1\x41", 1, 224, 1, 0,
                       0, 64 + len(note), 0x41, 64, 0, 0, 64, 2, 1)
    section = struct.pack("<IIQQQQIIQQ", 0, 7, 0, 0, 64, len(note), 0, 0, 4, 0)
    return head + note + bytes(64) + section


def record_chunk(kind, version, at, *words, tail):
    return chunk(kind, version, 32, (16, "IIII", at, 0, *words), tail=tail)


def code_objects(at):
    tail = struct.pack("<I", len(elf())) + elf()
    return record_chunk(9, (0, 0), at, 32 + len(tail), 1, tail=tail)


def loader_events(at):
    tail = b"".join(struct.pack("<IIQQQQ", kind, 0, 0x800000, 5, 5, time)
                    for kind, time in ((0, 500), (1, 900)))
    return record_chunk(10, (1, 0), at, 40, 2, tail=tail)


def pipelines(at):
    return record_chunk(11, (0, 0), at, 88, 1, tail=struct.pack(
        "<QQQ64s", 77, 5, 5, b"pipeline"))


def queue_events():
    tail = struct.pack("<QQII", 1, 2, 0x201, 0)
    for kind, command_buffer, begin, end in ((0, 9, 100, 200), (3, 0, 300, 0)):
        tail += struct.pack("<IIQIIQQQQ", kind, command_buffer, 1, 0, 0, 4, 50,
                            begin, end)
    return chunk(5, (1, 1), 32, (16, "IIII", 1, 24, 2, 112), tail=tail)


def calibration():
    return chunk(6, (0, 0), 40, (16, "QQQ", 60, 120, 0))


def sqtt_desc(index):
    return chunk(1, (0, 2), 32, (16, "iihhi", index + 2, 0xB, 1, 0, 5),
                 index=index)


def sqtt_data(at, index):
    return chunk(2, (0, 0), 24, (16, "ii", at + 24, 64), index=index,
                 tail=bytes(64))


def spm_db():
    at = 8 * len(TIMES) + 20 * len(COUNTERS)
    infos, values = b"", b""
    for block, instance, event, size, counts in COUNTERS:
        infos += struct.pack("<IIIII", block, instance, event,
                             at + len(values), size)
        values += struct.pack("<4" + {2: "H", 4: "I"}[size], *counts)
    return chunk(8, (2, 0), 40, (16, "IIIIII", 0, 40, len(TIMES), len(COUNTERS),
                                 20, 4096),
                 tail=struct.pack("<4Q", *TIMES) + infos + values)


def derived_record(words, name, description, ids=()):
    form = f"<{4 + len(words)}I"
    start = struct.calcsize(form)
    text = name + description
    return struct.pack(form, start + len(text) + 4 * len(ids), start, len(name),
                       len(description), *words) + text + struct.pack(
                           f"<{len(ids)}I", *ids)


def derived_spm_db():
    tail = struct.pack("<4Q", *TIMES)
    tail += derived_record((2,), b"Cache", b"", (0, 1))
    tail += derived_record((1, 1), b"L2 cache hit", b"Share of hits", (0,))
    tail += derived_record((0, 4), b"Fetch size", b"Bytes that were read")
    tail += derived_record((5,), b"Hits", b"")
    tail += struct.pack("<12d", *range(12))
    return chunk(128, (0, 0), 44, (16, "IIIIIII", 44, 0, 4, 1, 2, 1, 4096),
                 tail=tail)


def capture():
    """A valid file, and where its chunks begin."""
    data = struct.pack("<IIIIi9i", 0x50303042, 1, 5, 0, FILE_SIZE, 30, 20, 10,
                       29, 10, 126, 0, 332, 0)
    places = {"file": 0}
    for name, make in (
            ("cpu", cpu_info), ("asic", asic_info), ("api", api_info),
            ("code", lambda: code_objects(len(data))),
            ("loader", lambda: loader_events(len(data))),
            ("pso", lambda: pipelines(len(data))),
            ("queue", queue_events), ("calibration", calibration),
            ("desc 0", lambda: sqtt_desc(0)),
            ("data 0", lambda: sqtt_data(len(data), 0)),
            ("desc 1", lambda: sqtt_desc(1)),
            ("data 1", lambda: sqtt_data(len(data), 1)),
            ("spm", spm_db), ("derived", derived_spm_db)):
        places[name] = len(data)
        data += make()
    places["end"] = len(data)
    return data, places


# chunk, offset, form, wrong value, what the fault has to name
WRONG = [
    ("file", 0, "I", 0x30303042, "magic"),
    ("file", 4, "I", 2, "version_major"), ("file", 8, "I", 4, "version_minor"),
    ("file", 8, "I", 6, "minor_version"), ("file", 12, "I", 4, "flags"),
    ("file", 16, "i", 60, "chunk_offset"), ("file", 20, "i", 61, "second"),
    ("file", 24, "i", 60, "minute"), ("file", 28, "i", 24, "hour"),
    ("file", 32, "i", 0, "day_in_month"), ("file", 32, "i", 31, "day_in_month"),
    ("file", 36, "i", 12, "month"), ("file", 40, "i", 2026, "year"),
    ("file", 44, "i", 7, "day_in_week"), ("file", 44, "i", 1, "day_in_week"),
    ("file", 48, "i", 366, "day_in_year"),
    ("file", 48, "i", 333, "day_in_year"),
    ("file", 52, "i", 2, "is_daylight_savings"),

    ("cpu", 0, "I", 4, "chunk_id"), ("cpu", 0, "I", 0x10007, "chunk_id"),
    ("cpu", 0, "I", 0x107, "index in chunk_id"),
    ("cpu", 0, "I", 12, "chunk_id"), ("cpu", 4, "H", 1, "minor_version"),
    ("cpu", 6, "H", 1, "major_version"), ("cpu", 8, "i", 15, "size_in_bytes"),
    ("cpu", 8, "i", -112, "size_in_bytes"),
    ("cpu", 8, "i", 1 << 30, "size_in_bytes"), ("cpu", 8, "i", 64, "chunk at"),
    ("cpu", 12, "i", 1, "padding"), ("cpu", 16, "16s", b"", "vendor_id"),
    ("cpu", 16, "16s", b"x" * 16, "vendor_id"),
    ("cpu", 28, "4s", b"\0\0\0x", "vendor_id"),
    ("cpu", 32, "48s", b"", "processor_brand"),
    ("cpu", 32, "48s", b"\xff", "processor_brand"),
    ("cpu", 80, "I", 1, "reserved"), ("cpu", 84, "I", 1, "reserved"),
    ("cpu", 88, "Q", 10**6, "cpu_timestamp_freq"),
    ("cpu", 96, "I", 3000000, "clock_speed"),
    ("cpu", 100, "I", 0, "num_logical_cores"),
    ("cpu", 100, "I", 3, "num_physical_cores"),
    ("cpu", 104, "I", 0, "num_physical_cores"),
    ("cpu", 108, "I", 0, "system_ram_size"),

    ("asic", 4, "H", 6, "minor_version"), ("asic", 8, "i", 764, "ASIC_INFO"),
    ("asic", 16, "Q", 4, "flags"),
    ("asic", 24, "Q", 0, "trace_shader_core_clock"),
    ("asic", 24, "Q", 2000, "trace_shader_core_clock"),
    ("asic", 32, "Q", 0, "trace_memory_clock"),
    ("asic", 40, "i", 0, "device_id"), ("asic", 44, "i", -1,
                                        "device_revision_id"),
    ("asic", 48, "i", 0, "vgprs_per_simd"),
    ("asic", 52, "i", 0, "sgprs_per_simd"),
    ("asic", 56, "i", 0, "shader_engines"),
    ("asic", 56, "i", 5, "beyond shader_engines"),
    ("asic", 60, "i", 0, "compute_unit_per_shader_engine"),
    ("asic", 60, "i", 17, "compute_unit_per_shader_engine"),
    ("asic", 64, "i", 3, "simd_per_compute_unit"),
    ("asic", 68, "i", 0, "wavefronts_per_simd"),
    ("asic", 72, "i", 0, "minimum_vgpr_alloc"),
    ("asic", 76, "i", 0, "vgpr_alloc_granularity"),
    ("asic", 80, "i", 0, "minimum_sgpr_alloc"),
    ("asic", 84, "i", 0, "sgpr_alloc_granularity"),
    ("asic", 88, "i", 7, "hardware_contexts"), ("asic", 92, "i", 4, "gpu_type"),
    ("asic", 96, "i", 6, "gfxip_level"), ("asic", 96, "i", 9, "sqtt_version"),
    ("asic", 96, "i", 9, "block 49"), ("asic", 96, "i", 7, "prims_per_clock"),
    ("asic", 100, "i", 1, "gpu_index"), ("asic", 104, "i", -1, "gds_size"),
    ("asic", 108, "i", 4097, "gds_per_shader_engine"),
    ("asic", 112, "i", 1, "ce_ram_size"),
    ("asic", 116, "i", 1, "ce_ram_size_graphics"),
    ("asic", 120, "i", 1, "ce_ram_size_compute"),
    ("asic", 124, "i", 1, "max_number_of_dedicated_cus"),
    ("asic", 128, "q", 24 << 8, "vram_size"),
    ("asic", 128, "q", 0, "vram_size"),
    ("asic", 136, "i", 0, "vram_bus_width"),
    ("asic", 140, "i", 6144, "l2_cache_size"),
    ("asic", 144, "i", 32, "l1_cache_size"), ("asic", 148, "i", 64, "lds_size"),
    ("asic", 152, "256s", b"", "gpu_name"),
    ("asic", 152, "256s", b"n" * 256, "gpu_name"),
    ("asic", 300, "s", b"x", "gpu_name"),
    ("asic", 408, "f", float("nan"), "alu_per_clock"),
    ("asic", 412, "f", -1, "texture_per_clock"),
    ("asic", 416, "f", 4, "prims_per_clock"),
    ("asic", 420, "f", float("inf"), "pixels_per_clock"),
    ("asic", 424, "Q", 100_000, "gpu_timestamp_frequency"),
    ("asic", 432, "Q", 1_000_000_000, "max_shader_core_clock"),
    ("asic", 432, "Q", 2000, "max_shader_core_clock"),
    ("asic", 440, "Q", 1000, "max_memory_clock"),
    ("asic", 448, "I", 0, "memory_ops_per_clock"),
    ("asic", 448, "I", 33, "memory_ops_per_clock"),
    ("asic", 452, "I", 0x14, "memory_chip_type"),
    ("asic", 452, "I", 0, "memory_chip_type"),
    ("asic", 456, "I", 0, "lds_granularity"),
    ("asic", 456, "I", 1024, "lds_granularity"),
    ("asic", 460, "24s", bytes(24), "cu_mask"),
    ("asic", 484, "H", 1, "cu_mask"), ("asic", 588, "B", 1, "reserved1"),
    ("asic", 715, "B", 1, "reserved1"), ("asic", 732, "B", 1, "reserved2"),
    ("asic", 747, "B", 1, "reserved2"),
    ("asic", 748, "I", 256, "gl1_cache_size"),
    ("asic", 752, "I", 32, "instruction_cache_size"),
    ("asic", 756, "I", 16, "scalar_cache_size"),
    ("asic", 760, "I", 96, "mall_cache_size"),
    ("asic", 764, "I", 1, "padding2"),

    ("api", 8, "i", 552, "API_INFO"), ("api", 16, "I", 4, "api_type"),
    ("api", 24, "I", 4, "profiling_mode"),
    ("api", 24, "I", 1, "profiling_mode_data"),
    ("api", 24, "I4x256s", (1, b"begin"), "profiling_mode_data"),
    ("api", 24, "I4x256s256s", (1, b"", b"end"), "profiling_mode_data"),
    ("api", 28, "I", 1, "reserved"), ("api", 40, "B", 1, "profiling_mode_data"),
    ("api", 544, "I", 3, "instruction_trace_mode"),
    ("api", 548, "I", 1, "reserved2"),
    ("api", 544, "IIQ", (1, 0, 1 << 32), "instruction_trace_data"),

    ("code", 16, "I", 0, "offset"), ("code", 20, "I", 1, "flags"),
    ("code", 24, "I", 0, "size"), ("code", 28, "I", 0, "size_in_bytes"),
    ("code", 28, "I", 2, "record 1"), ("code", 32, "I", 6, "record 0: size"),
    ("code", 36, "B", 0, "ELF"), ("code", 43, "B", 0, "ELF"),
    ("code", 54, "H", 62, "ELF"), ("code", 76, "Q", 4096, "sections"),
    ("code", 96, "H", 9, "sections"), ("code", 98, "H", 2, "sections"),
    ("code", 108, "I", 31, "note"), ("code", 112, "s", b"B", "note"),
    ("code", 94, "H", 40, "sections"), ("code", 192, "I", 1, "note"),
    ("code", 212, "Q", 4096, "section reaches"),

    ("loader", 4, "H", 1, "minor_version"), ("loader", 16, "I", 0, "offset"),
    ("loader", 20, "I", 1, "flags"), ("loader", 24, "I", 44, "record_size"),
    ("loader", 28, "I", 1, "size_in_bytes"),
    ("loader", 32, "I", 2, "loader_event_type"),
    ("loader", 36, "I", 1, "reserved"),
    ("loader", 40, "Q", 1 << 48, "base_address"),
    ("loader", 48, "QQ", (0, 0), "code_object_hash"),
    ("loader", 104, "Q", 499, "time_stamp"),
    ("pso", 16, "I", 0, "offset"), ("pso", 20, "I", 1, "flags"),
    ("pso", 24, "I", 80, "record_size"), ("pso", 28, "I", 2, "size_in_bytes"),
    ("pso", 32, "Q", 0, "api_pso_hash"),
    ("pso", 40, "QQ", (0, 0), "pipeline_hash"),
    ("pso", 48, "Q", 6, "pipeline_hash"),
    ("pso", 56, "64s", b"p" * 64, "api_level_obj_name"),

    ("queue", 16, "I", 2, "queue_info_table_size"),
    ("queue", 20, "I", 48, "queue_info_table_size"),
    ("queue", 24, "I", 1, "queue_event_table_size"),
    ("queue", 28, "I", 56, "queue_event_table_size"),
    ("queue", 48, "I", 0x200, "hardware_info"),
    ("queue", 48, "I", 0x501, "hardware_info"),
    ("queue", 52, "I", 1, "reserved"), ("queue", 56, "I", 4, "event_type"),
    ("queue", 116, "I", 9, "sqtt_cb_id"), ("queue", 64, "Q", 0, "frame_index"),
    ("queue", 72, "I", 1, "queue_info_index"),
    ("queue", 88, "Q", 0, "cpu_timestamp"),
    ("queue", 96, "QQ", (200, 100), "gpu_timestamps"),
    ("queue", 152, "QQ", (300, 400), "gpu_timestamps"),
    ("calibration", 16, "Q", 0, "cpu_timestamp"),
    ("calibration", 24, "Q", 0, "gpu_timestamp"),
    ("calibration", 32, "Q", 1, "reserved"),

    ("desc 1", 0, "I", 0x201, "index in chunk_id"),
    ("desc 1", 16, "i", 6, "shader_engine_index"),
    ("desc 1", 16, "i", 2, "shader_engine_index"),
    ("desc 1", 20, "i", 7, "sqtt_version"),
    ("desc 1", 24, "h", 2, "instrumentation_spec_version"),
    ("desc 1", 26, "h", 1, "instrumentation_api_version"),
    ("desc 1", 28, "i", 32, "compute_unit_index"),
    ("data 1", 0, "I", 0x202, "no pairs"), ("data 1", 16, "i", 24, "offset"),
    ("data 1", 20, "i", 32, "size"),

    ("spm", 4, "H", 3, "minor_version"), ("spm", 6, "H", 1, "major_version"),
    ("spm", 16, "I", 1, "flags"), ("spm", 20, "I", 32, "preamble_size"),
    ("spm", 24, "I", 0, "num_timestamps"),
    ("spm", 24, "I", 1 << 31, "time stamps"), ("spm", 24, "I", 3, "data_size"),
    ("spm", 28, "I", 0, "num_spm_counter_info"),
    ("spm", 28, "I", 2, "data_offset"),
    ("spm", 28, "I", 1 << 31, "reach beyond the end"),
    ("spm", 32, "I", 16, "spm_counter_info_size"),
    ("spm", 36, "I", 31, "sample_interval"),
    ("spm", 36, "I", 65536, "sample_interval"),
    ("spm", 36, "I", 2048, "sampling_interval"),
    ("spm", 40, "Q", 0, "timestamps"),
    ("spm", 48, "Q", 1000, "timestamps[1]"),
    ("spm", 64, "Q", 1000, "timestamps[3]"), ("spm", 64, "Q", 1124, "SPM_DB's"),
    ("spm", 72, "I", 36, "block 36"), ("spm", 72, "I", 11, "block 11"),
    ("spm", 76, "I", 1024, "instance"), ("spm", 116, "I", 1, "instance 1"),
    ("spm", 80, "I", 259, "event_index 259"),
    ("spm", 80, "I", 0x400, "event_index"),
    ("spm", 84, "I", 84, "data_offset"), ("spm", 104, "I", 92, "data_offset"),
    ("spm", 84, "I", 1 << 31, "data_offset"),
    ("spm", 88, "I", 4, "data_offset"), ("spm", 88, "I", 8, "data_size"),
    ("spm", 92, "III", (38, 3, 0x2B), "twice"),
    ("spm", 128, "I", 2, "values end"),

    ("derived", 16, "I", 40, "offset"), ("derived", 20, "I", 1, "flags"),
    ("derived", 24, "I", 3, "DERIVED_SPM_DB group 0"),
    ("derived", 28, "I", 0, "num_groups"),
    ("derived", 32, "I", 1, "DERIVED_SPM_DB"),
    ("derived", 36, "I", 2, "DERIVED_SPM_DB component 1"),
    ("derived", 40, "I", 16, "sampling_interval"),
    ("derived", 40, "I", 2048, "sampling_interval"),
    ("derived", 44, "Q", 999, "time stamps"),
    ("derived", 52, "Q", 1000, "timestamps[1]"),
    ("derived", 76, "I", 32, "group 0: size_in_bytes"),
    ("derived", 80, "I", 24, "group 0: offset"),
    ("derived", 84, "I", 0, "group 0: name_length"),
    ("derived", 88, "I", 1, "group 0: size_in_bytes"),
    ("derived", 92, "I", 0, "group 0: num_counters"),
    ("derived", 96, "s", b"\n", "group 0: name and description"),
    ("derived", 97, "s", b"\xff", "group 0: name and description"),
    ("derived", 101, "I", 1, "counter 0 of 2"),
    ("derived", 105, "I", 2, "counter 2 of 2"),
    ("derived", 109, "I", 52, "counter 0: size_in_bytes"),
    ("derived", 113, "I", 20, "counter 0: offset"),
    ("derived", 117, "I", 13, "counter 0: size_in_bytes"),
    ("derived", 121, "I", 1 << 31, "counter 0"),
    ("derived", 125, "I", 0, "counter 0: size_in_bytes"),
    ("derived", 129, "I", 3, "counter 0: usage_type"),
    ("derived", 158, "I", 1, "component 1 of 1"),
    ("derived", 216, "I", 23, "component 0: size_in_bytes"),
    ("derived", 220, "I", 24, "component 0: offset"),
    ("derived", 224, "I", 0, "component 0: name_length"),
    ("derived", 228, "I", 1, "component 0: size_in_bytes"),
    ("derived", 232, "I", 0, "component 0: usage_type"),
    ("derived", 240, "d", float("inf"), "finite"),
    ("derived", 328, "d", float("nan"), "finite"),
]

# what else is right: by what it is, and in chunk, offset, form, values
RIGHT = {
    "of version 1.6": [("file", 8, "I", 6), ("asic", 4, "H", 6),
                       ("loader", 4, "H", 1)],
    "of a GPU without memory of its own": [("asic", 92, "i", 1),
                                           ("asic", 128, "q", 0)],
    "of memory of an unknown type": [("asic", 448, "II", 0, 0)],
    "between two markers": [("api", 24, "I4x256s256s", 1, b"begin", b"end")],
    "of one pipeline": [("api", 544, "IIQ", 2, 0, 1 << 40)],
    "with a signal of a semaphore": [("queue", 112, "I", 1),
                                     ("queue", 152, "QQ", 0, 0)],
}

failed = 0


def tell(holds, words, faults=()):
    global failed
    failed += not holds
    print("ok" if holds else "not ok", words)
    if not holds:
        print(*(f"    | {fault}" for fault in faults), sep="\n")


def test_fields(data, places):
    for name, at, form, value, named in WRONG:
        wrong = bytearray(data)
        put(wrong, places[name] + at, form,
            *(value if isinstance(value, tuple) else (value,)))
        faults = Capture(bytes(wrong)).check()
        tell(any(named in fault for fault in faults),
             f"a capture with {value!r:.40} at byte {at} of {name} is refused "
             f"by '{named}'", faults)


def test_right(data, places):
    for words, edits in RIGHT.items():
        right = bytearray(data)
        for name, at, *edit in edits:
            put(right, places[name] + at, *edit)
        faults = Capture(bytes(right)).check()
        tell(not faults, f"a capture {words} has no fault", faults)


def test_chunks(data, places):
    """Chunks that are missing, that are there twice, and cut files."""
    spans = dict(zip(places, zip(places.values(), list(places.values())[1:])))
    for name, named in (("cpu", "there is no CPU_INFO"),
                        ("asic", "there is no ASIC_INFO"),
                        ("api", "there is no API_INFO"),
                        ("queue", "there is no QUEUE_EVENT_TIMINGS"),
                        ("desc 1", "no pairs"), ("data 1", "no pairs"),
                        ("loader", "no code object that was loaded")):
        begin, end = spans[name]
        faults = Capture(data[:begin] + data[end:]).check()
        tell(any(named in fault for fault in faults),
             f"a file without chunk {name} is refused", faults)
    for name in ("cpu", "asic", "api", "calibration", "desc 1", "queue", "spm"):
        begin, end = spans[name]
        longer = bytearray(data[:end] + bytes(8) + data[end:])
        put(longer, begin + 8, "i", end - begin + 8)
        faults = Capture(bytes(longer)).check()
        tell(any("size_in_bytes" in fault for fault in faults),
             f"a file whose chunk {name} has bytes of no field is refused",
             faults)
    begin, end = spans["data 1"]
    shorter = bytearray(data[:end - 16] + data[end:])
    put(shorter, begin + 8, "i", end - begin - 16)
    put(shorter, begin + 20, "i", end - begin - 24 - 16)
    faults = Capture(bytes(shorter)).check()
    tell(any("units of 32" in fault for fault in faults),
         "a trace whose size is no multiple of 32 bytes is refused", faults)
    begin, end = spans["spm"]
    faults = Capture(data + data[begin:end]).check()
    tell(any("second chunk" in fault for fault in faults),
         "a file with two chunks SPM_DB is refused", faults)
    faults = Capture(data[:places["code"]]).check()
    tell(any("no trace and no counter" in fault for fault in faults),
         "a file of descriptions alone is refused", faults)
    ends = set(places.values())
    uncut = [size for size in range(0, len(data), 23) if size not in ends and
             not Capture(data[:size]).check()]
    tell(not uncut, "a file cut anywhere in a chunk is refused", uncut)


def test_program(path, data):
    """The program's own words, and its exit status."""
    def ask(*args):
        return subprocess.run([sys.executable, *args], capture_output=True,
                              text=True)
    program = sys.argv[0].replace("_selftest", "")

    with open(path, "wb") as file:
        file.write(data)
    asked = ask(program, path)
    tell((asked.returncode, asked.stdout, asked.stderr) == (0, "", ""),
         "the program takes a valid file in silence", [asked.stderr])
    counters = json.loads(ask(program, "--dump", path).stdout)["counters"]
    tell([(one["block"], one["instance"], one["event"], one["sum"])
          for one in counters] ==
         [("GL2C", 3, 0x2B, 65541), ("SQ_WGP", 7, 0x126, 8),
          ("CPF", 0, 0x18, 100003)], "--dump has the sums of the counters",
         counters)
    with open(path, "wb") as file:
        file.write(data[:12] + b"\4" + data[13:16] + b"\5" + data[17:])
    asked = ask(program, path)
    tell(asked.returncode == 1 and len(asked.stderr.splitlines()) == 2,
         "the program tells each fault in a line, with status 1",
         [asked.stderr])


def main(path):
    data, places = capture()
    faults = Capture(data).check()
    tell(not faults, "a valid capture has no fault", faults)
    spm = (data[:places["code"]] + data[places["queue"]:places["desc 0"]] +
           data[places["spm"]:])
    faults = Capture(spm).check()
    tell(not faults, "a valid capture of counters alone has no fault", faults)
    test_fields(data, places)
    test_right(data, places)
    test_chunks(data, places)
    test_program(path, data)
    return 1 if failed else 0


sys.exit(main(sys.argv[1]))
