#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Ask every rule of events/*/verdicts.xml, in a case where it is right and in
one where too little is known: there the verdict has to be "cannot tell".

usage: verdict_rules.py DRMSIM TOOL WORK

Each kind of GPU is simulated once, with as many GPUs as it has cases. Each
rule is told with ok or not ok.
"""
import json
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree

DRMSIM, TOOL, WORK = sys.argv[1:4]

XE_CORES, COLOR_PIPES = 20, 10

# What each quantity of a case is to the simulator, as shares of a hundred:
# AMD's counters of shares are of the time in which the GPU is busy.
GPUS = {
    "vega10": ("amdgpu", ["default zero", "rate CPF.0 1/clock",
                          "rate GRBM.2 {busy}/clock",
                          "rate CPF.23 {busy}/clock",
                          "rate SQ.4 {waves}",
                          "rate SQ.71 {compute_of_busy:.4f}/clock",
                          "rate TCP.6 {stall_of_busy:.4f}/clock",
                          "rate TCC.41 {fetch:.0f}",
                          "rate SX.12 {pixels}",
                          "rate PA_SU.109 {raster_of_busy:.4f}/clock",
                          "rate TA.15 {texture_of_busy:.4f}/clock"]),
    "navi31": ("amdgpu", ["default zero", "rate CPF.0 1/clock",
                          "rate GRBM.2 {busy}/clock",
                          "rate CPF.24 {busy}/clock",
                          "rate SQ.20 {waves}",
                          "rate SQ_WGP.24 {waves_cycles:.4f}/clock",
                          "rate SQ_WGP.35 {wait_of_waves:.4f}/clock",
                          "rate TCP.39 {stall_of_busy:.4f}/clock",
                          "client-busy dma {dma:.0f}"]),
    # 104 compute units in 8 shader engines
    "mi200": ("amdgpu", ["default zero", "rate GRBM.2 {busy}/clock",
                         "rate SQ.4 {waves}",
                         "rate SQ.74 {occupied_of_busy:.4f}/clock",
                         "rate SQ.99 {compute_of_4_simds:.4f}/clock",
                         "rate TCP.6 {stall_of_busy:.4f}/clock"]),
    "sklgt2": ("i915", ["oa-default zero", "oa-rate A0 {busy}/clock",
                        "oa-rate A7 {compute}/eu-clock",
                        "oa-rate A8 {stall}/eu-clock",
                        "oa-rate A13 {threads_of_7:.4f}/eu-clock",
                        "oa-rate A21 {pixels}",
                        "oa-rate B2 {sampler}/clock",
                        "oa-rate C0 {vertex}/clock",
                        "oa-rate B6 {raster}/clock",
                        "oa-rate C4 {copy}/clock",
                        "oa-rate C7 {busy}/clock"]),
    # ComputeBasic has slots of its own for what RenderBasic counts
    "bmg": ("xe", ["oa-default zero", "oa-rate P32 {busy}/clock",
                   "oa-rate P24 {compute}/eu-clock",
                   "oa-rate P20 {stall}/eu-clock",
                   "oa-rate P4 {compute}/eu-clock",
                   "oa-rate P23 {stall}/eu-clock",
                   "oa-rate P8 {occupied}/eu-clock",
                   "oa-rate P34 {pixels}",
                   "oa-rate P5 {sampler_of_cores:.4f}/clock",
                   "oa-rate P43 {raster_of_pipes:.4f}/clock",
                   "oa-rate P41 {copy}/clock",
                   "oa-rate P51 {copy}/clock",
                   "oa-rate P40 {busy}/clock",
                   "oa-rate P53 {busy}/clock",
                   # 2 bytes each, of 456 GB/s
                   "oa-rate P57 {read:.0f}"]),
    # 128 bytes each, of 186 GB/s and of 1638.4
    "acmgt1": ("i915", ["oa-default zero", "oa-rate A0 {busy}/clock",
                        "oa-rate A7 {compute}/eu-clock",
                        "oa-rate A8 {stall}/eu-clock",
                        "oa-rate A36 {read_a380:.0f}"]),
    "pvc2": ("xe", ["oa-default zero", "oa-rate A0 {busy}/clock",
                    "oa-rate A7 {compute}/eu-clock",
                    "oa-rate A8 {stall}/eu-clock",
                    "oa-rate A36 {read_max:.0f}"]),
}

# Rule, by its name and its number among those of that name; GPU; what is right
# for it, and where it must not be said, None for rules that tell nothing.
AMD = [
    ("contradiction", "vega10", dict(busy=30, fetch=70), None),
    ("uncounted", "vega10", dict(busy=90, waves=0), None),
    ("idle", "vega10", dict(busy=3), dict(busy=3, fetch=70)),
    ("not-kept-busy", "vega10", dict(busy=50), dict(busy=50, waves=0)),
    ("memory-bandwidth", "vega10", dict(busy=95, fetch=65, stall=40),
     dict(busy=95, fetch=55, stall=25)),
    ("compute", "vega10", dict(busy=95, compute=70, stall=5),
     dict(busy=95, compute=55, stall=5)),
    ("memory", "vega10", dict(busy=95, compute=20, stall=40),
     dict(busy=95, compute=55, stall=40)),
    ("memory 2", "navi31", dict(busy=95, wait=70, stall=40),
     dict(busy=95, wait=55, stall=40)),
    ("memory 3", "vega10", dict(busy=95, compute=55, stall=65),
     dict(busy=95, compute=55, stall=55)),
    ("compute 2", "navi31", dict(busy=95, wait=40, stall=5),
     dict(busy=95, wait=40, stall=20)),
    ("cannot-tell", "vega10", dict(busy=95, compute=30, stall=10), None),
]
MEMORY = [
    ("memory-cannot-tell", "vega10", dict(busy=95, fetch=40, stall=50), None),
]
# Rules about what these groups count besides.
COMPUTE = [
    ("occupancy", "mi200", dict(busy=95, compute=20, occupied=20, stall=20),
     dict(busy=95, compute=20, occupied=40, stall=20)),
    ("occupancy 2", "navi31", dict(busy=95, wait=70, occupied=20),
     dict(busy=95, wait=55, occupied=20, stall=20)),
    ("latency", "mi200", dict(busy=95, compute=20, occupied=70, stall=40),
     dict(busy=95, compute=20, occupied=70, stall=20)),
    ("latency 2", "navi31", dict(busy=95, wait=70, occupied=70),
     dict(busy=95, wait=55, occupied=70, stall=20)),
]
FEW_WAVES = [
    ("compute-cannot-tell", "mi200", dict(busy=95, compute=55), None),
]
COPIES = [
    ("copies", "navi31", dict(busy=20, dma=100), dict(busy=90, dma=100)),
    ("copies-cannot-tell", "navi31", dict(busy=90, dma=100), None),
]
GRAPHICS = [
    ("nothing-drawn", "vega10", dict(busy=95, texture=90), None),
    ("pixels", "vega10", dict(busy=95, pixels=10**6, raster=50, texture=20),
     dict(busy=95, pixels=10**6, raster=20, texture=20)),
    ("textures", "vega10", dict(busy=95, pixels=10**6, raster=10, texture=70),
     dict(busy=95, pixels=10**6, raster=10, texture=50)),
    ("graphics-cannot-tell", "vega10", dict(busy=95, pixels=10**6), None),
]
INTEL = [
    ("contradiction", dict(busy=30, compute=70), None),
    ("idle", dict(busy=3, compute=2), dict(busy=3, compute=70)),
    ("not-kept-busy", dict(busy=50, compute=30),
     dict(busy=35, compute=65)),
    ("compute", dict(busy=95, compute=70, stall=10),
     dict(busy=95, compute=50, stall=40)),
    ("memory", dict(busy=95, compute=10, stall=70),
     dict(busy=95, compute=40, stall=55)),
    ("memory 2", dict(busy=95, compute=35, stall=65),
     dict(busy=95, compute=35, stall=55)),
    ("not-filled", dict(busy=95, compute=10, stall=10),
     dict(busy=95, compute=20, stall=30)),
    ("cannot-tell", dict(busy=95, compute=40, stall=40), None),
]
INTEL_MEMORY = [
    ("memory-cannot-tell", dict(busy=95, stall=40), None),
]
INTEL_COMPUTE = [
    ("occupancy", dict(busy=95, compute=30, stall=50, occupied=20),
     dict(busy=95, compute=30, stall=50, occupied=40)),
    ("latency", dict(busy=95, compute=10, stall=70, occupied=80),
     dict(busy=95, compute=40, stall=55, occupied=80)),
]
INTEL_COPIES = [
    ("copies", dict(busy=10, copy=80), dict(busy=90, copy=80)),
    ("copies-cannot-tell", dict(busy=90, copy=40), None),
]
I915_GRAPHICS = [
    ("nothing-drawn", dict(busy=95, sampler=90), None),
    ("textures", dict(busy=95, pixels=10**6, sampler=70),
     dict(busy=95, pixels=10**6, sampler=50)),
    ("graphics-cannot-tell", dict(busy=95, pixels=10**6), None),
]
I915_PIPELINE = [
    ("vertices", dict(busy=95, vertex=40), dict(busy=95, vertex=20)),
    ("pixels", dict(busy=95, raster=40), dict(busy=95, raster=20)),
    ("pipeline-cannot-tell", dict(busy=95), None),
]
BANDWIDTH = [
    ("memory-bandwidth", dict(busy=95, read=70, stall=50, compute=40),
     dict(busy=95, read=50, stall=50, compute=40)),
]
PVC = [("memory-bandwidth 2",) + BANDWIDTH[0][1:]]
XE_GRAPHICS = [
    ("nothing-drawn", dict(busy=95), None),
    ("graphics-cannot-tell", dict(busy=95, pixels=10**6), None),
]
XE_PIPELINE = [
    ("textures", dict(busy=95, pixels=10**6, sampler=40),
     dict(busy=95, pixels=10**6, sampler=20)),
    ("pixels", dict(busy=95, pixels=10**6, raster=40),
     dict(busy=95, pixels=10**6, raster=20)),
    ("pipeline-cannot-tell", dict(busy=95, pixels=10**6), None),
]


def of_gpu(driver, gpu, groups, cases):
    return [(driver, case[0], gpu, groups) + case[1:] for case in cases]


CASES = ([("amdgpu",) + case[:2] + (groups,) + case[2:]
          for groups, cases in (("default", AMD), ("memory", MEMORY),
                                ("graphics", GRAPHICS),
                                ("default,compute", COMPUTE),
                                ("compute", FEW_WAVES), ("copies", COPIES))
          for case in cases] +
         [case for driver, gpu in (("i915", "sklgt2"), ("xe", "bmg"))
          for groups, cases in (("default", INTEL), ("memory", INTEL_MEMORY),
                                ("compute", INTEL_COMPUTE),
                                ("copies", INTEL_COPIES))
          for case in of_gpu(driver, gpu, groups, cases)] +
         of_gpu("i915", "sklgt2", "graphics", I915_GRAPHICS) +
         of_gpu("i915", "sklgt2", "pipeline", I915_PIPELINE) +
         of_gpu("i915", "acmgt1", "default", BANDWIDTH) +
         of_gpu("xe", "bmg", "default", BANDWIDTH) +
         of_gpu("xe", "pvc2", "default", PVC) +
         of_gpu("xe", "bmg", "graphics", XE_GRAPHICS) +
         of_gpu("xe", "bmg", "pipeline", XE_PIPELINE))


class Rule:
    """A rule of a table: its name is made one of a kind by a number."""
    def __init__(self, element, names):
        name = element.get("name")
        names.append(name)
        count = names.count(name)
        self.name = name
        self.key = name if count == 1 else f"{name} {count}"
        self.text = element.get("text")
        self.is_open = element.get("open") is not None
        self.events = [(when.get("any") or when.get("sum")).split()
                       for when in element.findall("when")]

    def is_of(self, verdict):
        """True if a verdict in JSON follows from this rule."""
        return (verdict["name"] == self.name and
                verdict["text"] == self.text and
                len(verdict["from"]) == len(self.events) and
                all(event.split("::")[1] in events
                    for events, value in zip(self.events, verdict["from"])
                    for event in value["events"]))


def read_rules(driver):
    root = xml.etree.ElementTree.parse(f"events/{driver}/verdicts.xml")
    names = []
    rules = [Rule(element, names) for element in root.findall("verdict")]
    return {rule.key: rule for rule in rules}


def settings(gpu, values):
    """The lines of a scenario that make these shares on a GPU."""
    share = {name: values.get(name, 0) / 100
             for name in ("busy", "compute", "stall", "wait", "raster",
                          "texture", "occupied", "sampler", "vertex", "copy")}
    numbers = dict(share, waves=values.get("waves", 1000000),
                   compute_of_busy=16 * share["compute"] * share["busy"],
                   stall_of_busy=share["stall"] * share["busy"],
                   compute_of_4_simds=13 * share["compute"] * share["busy"],
                   # by default a few of the slots for waves
                   waves_cycles=64 * share["busy"] *
                   (share["occupied"] or 0.1),
                   wait_of_waves=64 * share["busy"] *
                   (share["occupied"] or 0.1) * share["wait"],
                   occupied_of_busy=104 * share["occupied"] * share["busy"],
                   threads_of_7=7 / 8 * share["occupied"],
                   sampler_of_cores=XE_CORES * share["sampler"],
                   raster_of_pipes=COLOR_PIPES * share["raster"],
                   dma=values.get("dma", 0),
                   read=values.get("read", 0) / 100 * 456e9 / 2,
                   read_a380=values.get("read", 0) / 100 * 186e9 / 128,
                   read_max=values.get("read", 0) / 100 * 1638.4e9 / 128,
                   pixels=values.get("pixels", 0),
                   raster_of_busy=share["raster"] * share["busy"],
                   texture_of_busy=share["texture"] * share["busy"],
                   # 64 bytes in each of 16 channels, of 484 GB/s
                   fetch=values.get("fetch", 0) / 100 * 483.84e9 / 1024)
    return [line.format(**numbers) for line in GPUS[gpu][1]]


def script_of(count):
    """A command that opens the GPUs and lets time pass. A child has them open
    when the last look at fdinfo comes. Of virtual time so much passes that the
    time of engines is no small share of the real time, which fdinfo has."""
    opened = "".join(f"exec {{fd}}<> /dev/dri/renderD{128 + index}; "
                     for index in range(count))
    return (f"{opened} sleep 60 > /dev/null 2>&1 & echo $! > {WORK}/holder; "
            f"{DRMSIM} ctl advance 60s")


def count(gpu, groups, cases):
    """The verdict of each of these cases, in JSON; None where there is none."""
    scenario = os.path.join(WORK, gpu + ".scenario")
    with open(scenario, "w", encoding="utf-8") as file:
        for index, values in enumerate(cases):
            for line in settings(gpu, values):
                file.write(f"gpu{index}.{line}\n")
    command = [DRMSIM, "--strict", "--time", "virtual", "--scenario", scenario]
    command += ["--gpu", gpu] * len(cases)
    command += ["--", TOOL, "stat", "-M", groups, "-d", "all", "--json", "--"]
    is_held = groups == "copies" and GPUS[gpu][0] == "amdgpu"
    command += (["bash", "-c", script_of(len(cases))] if is_held else
                # counters of navi31 have 32 bits
                [DRMSIM, "ctl", "advance", "50ms"])
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    if is_held:
        with open(os.path.join(WORK, "holder"), encoding="utf-8") as file:
            os.kill(int(file.read()), signal.SIGKILL)
    try:
        verdicts = json.loads(said.stdout)["verdicts"]
    except (ValueError, KeyError):
        sys.exit(f"not ok {gpu} is counted\n{said.stdout}{said.stderr}")
    by_device = {verdict["device"]: verdict for verdict in verdicts}
    return [by_device.get(index) for index in range(len(cases))]


def tell(is_right, label, verdict):
    print(("ok " if is_right else "not ok ") + label)
    if not is_right:
        print("    | " + json.dumps(verdict))


def check_case(driver, rules, key, verdicts):
    rule = rules[key]
    right, unknown = verdicts
    tell(right is not None and rule.is_of(right),
         f"{driver}: the rule '{key}' holds where it should", right)
    if not rule.is_open:
        tell(unknown is not None and unknown["sure"] == "no" and
             unknown["text"].startswith("cannot tell: "),
             f"{driver}: near the rule '{key}' the verdict is 'cannot tell'",
             unknown)


def main():
    found = {}
    for gpu, groups in sorted({case[2:4] for case in CASES}):
        cases = [(case[1], values) for case in CASES
                 if case[2:4] == (gpu, groups)
                 for values in case[4:] if values is not None]
        for (key, values), verdict in zip(
                cases, count(gpu, groups, [case[1] for case in cases])):
            found.setdefault((GPUS[gpu][0], key), []).append(verdict)
    for driver in ("amdgpu", "i915", "xe"):
        rules = read_rules(driver)
        tell(all(rule.is_open or
                 any(case[:2] == (driver, key) and case[5] is not None
                     for case in CASES)
                 for key, rule in rules.items()) and
             all((driver, key) in found for key in rules),
             f"{driver}: every rule is asked where it is right and, if it "
             "concludes something, where it must not",
             sorted(set(rules) - {key for of, key in found if of == driver}))
        for (of, key), verdicts in found.items():
            if of == driver and key in rules:
                check_case(driver, rules, key, (verdicts + [None])[:2])
            elif of == driver:
                tell(False, f"{driver}: '{key}' is a rule", None)


main()
