# SPDX-License-Identifier: BSD-3-Clause
"""Units of Intel's OA counters, for gen_i915.py: what the sources say, mended
and made finer."""

import re

UNITS = {
    "bytes": "bytes", "hz": "Hz", "ns": "ns", "us": "us", "pixels": "pixels",
    "texels": "texels", "threads": "threads", "percent": "percent",
    "messages": "messages", "number": "ratio", "cycles": "cycles",
    "events": "events", "utilization": "ratio", "gbps": "B/s",
    "eu sends to l3 cache lines": "ratio",
    "eu requests to l3 cache lines": "ratio",
    "eu atomic requests to l3 cache lines": "ratio",
    "eu bytes per l3 cache line": "ratio",
}

# The sources are wrong about these: percentages that are not multiplied by
# 100, samples counted in "bytes" and "events".
UNIT_REPAIRS = [
    (r"NonPSThread.*", r"1 C", "ratio"),
    (r"COMMAND_PARSER_\w+_BUSY|GPU_MEMORY_(ACTIVE|REQUEST_QUEUE_FULL)",
     r"(?!.*\b100 UMUL).*", "ratio"),
    (r"(HIZ_DEPTH|EARLY_DEPTH_STENCIL)_TEST_.*_ZPIPE\d+", r"", "samples"),
]

# What is counted where the sources say "events" of nearly everything: by the
# first of these that is the whole symbol, without the number of a part.
EVENT_UNITS = [
    (r"TLB_(INV|PAGE_SIZE)_.*", "events"),
    (r"XVE_(OP|INST_LANE)_.*|RT_THREAD_DISPATCH_LANE", "events"),
    (r"RT_THREAD_DISPATCH|THREAD_DISPATCH_.*", "threads"),
    (r"RT_RAY_QUAD_TEST_COUNT_MBLUR", "rays"),
    (r"RT_RAY_TRAVERSAL_STEP_COUNT_MBLUR", "events"),
    (r"XVE_INST_.*", "instructions"),
    (r"XVE_.*_CYCLES.*", "cycles"),
    (r"RT_TRAVERSAL_STEP_.*", "events"),
    (r"RT_.*_RAY_(COUNT|DISPATCH)", "rays"),
    (r".*_MESSAGE_COUNT|RT_INPUT_MESSAGE_SPAWN_COUNT|Slm(Read|Write)s",
     "messages"),
    (r".*_REGISTER_(REQUEST|RESPONSE)_COUNT", "events"),
    (r".*THREADGROUP_COUNT", "groups"),
    (r".*_THREAD_EXIT_COUNT|GPGPU_DISPATCH|[A-Z]sThreads", "threads"),
    (r".*_VERTEX(_COUNT)?", "vertices"),
    (r".*PRIMITIVE.*|STRIPSFAN_OBJECT.*", "primitives"),
    (r"PIXEL_2[xX]2_LIT_.*|SAMPLER_2X2_READ", "quads"),
    (r"PIXEL_(BLEND|WRITE)|SHADER_PIX_KILL|POSTPS_.*_FAIL|"
     r"RASTERIZER_SAMPLE_OUTPUT|EarlyDepthTestFails", "pixels"),
    (r".*_BYTE_(READ|WRITE)", "bytes"),
    (r"RENDER_CACHE_ALLOC", "cache-lines"),
    (r".*(ACCESS|ATOMIC|HIT|MISS|READ|WRITE|REQUEST)", "requests"),
    (r".*_BANK_(CONFLICT|ACCESS)_COUNT|SLM_ACCESS_COUNT|"
     r".*_PARTIAL_WRITE_COUNT|RT_REQUEST_COLLISION|TypedAtomics", "requests"),
]

PART = re.compile(r"(_(L3BANK|L3NODE|BANK|SLICE|SQIDI|THREAD|XECORE|XVE)"
                  r"\d+)+")


def unit_of(row):
    for symbol, equation, unit in UNIT_REPAIRS:
        if re.fullmatch(symbol, row["counter"]) and \
                re.match(equation, row["equation"]):
            return unit
    if row["units"] == "events":
        whole = PART.sub("", row["counter"])
        for symbol, unit in EVENT_UNITS:
            if re.fullmatch(symbol, whole):
                return unit
    return UNITS[row["units"]]
