#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run the commands that README.md, doc/*.md and the manual pages tell.

usage: doc_examples.py DRMSIM TOOL WORK BUILD

A command is a line of an indented block that begins with "$ ", or, in a block
without such lines, one that begins with a program of ours. What stands below
it up to the next one is what it prints: "[...]" is anything, numbers may
differ by three in a hundred (time goes on while a GPU is stopped), blanks must
be as they are but where a number is shorter or longer. What cannot be run is
in LEFT, with the reason. Each command is told with ok, not ok or skip.
"""
import os
import re
import subprocess
import sys

DRMSIM, TOOL, WORK = sys.argv[1:4]
PAPI = os.path.abspath(sys.argv[4])

PAGES = ["README.md", "components/drm/README.md", "doc/guide.md", "doc/mpi.md",
         "doc/drmperf.1", "doc/drmsim.1"]
OURS = ("drmperf ", "drmsim ", "papi_", "count_waves ", "export ")

# the machine of a page, where the command does not bring its own
VEGA = ["--gpu", "vega10", "--time", "virtual"]
MACHINES = {
    "README.md": VEGA + ["--load", "memory-bound"],
    "components/drm/README.md": VEGA + ["--load", "memory-bound"],
    "doc/guide.md": VEGA + [
        "--scenario", "examples/memory-bound-vega10.scenario"],
}
INTEL = ["--gpu", "sklgt2", "--time", "virtual", "--scenario",
         "examples/memory-bound-sklgt2.scenario"]

# where operations are counted by type
ROOFLINE = ["--gpu", "mi200", "--time", "virtual", "--load", "memory-bound"]

# (page, what the command begins with, why it is not run)
LEFT = [
    ("components/drm/README.md", "drmsim",
     "tests/papi/tree.sh runs it"),
    ("README.md", "drmperf top", "is a screen; tests/tool/top.sh has it"),
    ("README.md", "drmperf serve", "goes on; tests/tool/serve.sh runs it"),
    ("README.md", "drmperf trace", "needs radv and a GPU"),
    ("README.md", "drmperf selftest",
     "writes what it finds; tests/tool/selftest.sh runs it"),
    ("doc/guide.md", "drmperf record --stalls",
     "needs rows of its own; tests/tool/stalls.sh runs it"),
    ("doc/guide.md", "drmperf report --stalls",
     "needs that recording; tests/tool/stalls.sh has what it prints"),
    ("doc/drmperf.1", "drmperf top -M", "is a screen; tests/tool/top.sh"),
    ("doc/drmsim.1", "drmsim --gpu vega10 -- radeontop",
     "tests/peers runs it"),
    ("doc/drmsim.1", "drmsim --gpu vega10 --gpu tgl",
     "papi_native_avail is another's"),
]


class Command:
    def __init__(self, page, line, text):
        self.page, self.line, self.text = page, line, text
        self.printed = []

    def __str__(self):
        return f"{self.page}:{self.line}: {self.text}"


def blocks(path):
    """Lists of (number, line) that are indented, or literal on a page."""
    block, inside = [], not path.endswith(".1")
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    if not inside:
        examples = lines.index(".Sh EXAMPLES")
        lines = [""] * examples + [f"    {line}" for line in
                                   lines[examples + 2:lines.index(
                                       ".Ed", examples)]]
    for number, line in enumerate(lines, 1):
        if line.startswith("    $ ") and block and not block[-1][1] and \
                not any(told.startswith("$ ") for _, told in block):
            yield block
            block = []
        if line.startswith("    "):
            block.append((number, line[4:]))
        elif line.strip() or not block:
            if block:
                yield block
            block = []
        else:
            block.append((number, ""))
    if block:
        yield block


def commands(path):
    for block in blocks(path):
        shell = any(line.startswith("$ ") for _, line in block)
        current, goes_on = None, False
        for number, line in block:
            if goes_on:
                current.text += " " + line.strip().rstrip("\\").rstrip()
            elif shell and line.startswith("$ "):
                current = Command(path, number, line[2:].rstrip("\\").rstrip())
                yield current
            elif not shell and line.startswith(OURS):
                # what it is for stands behind it
                text = re.split(r"\s{2,}|\s+#", line.rstrip("\\").rstrip())[0]
                current = Command(path, number, text)
                yield current
            elif shell and current:
                current.printed.append(line)
            goes_on = bool(current) and line.endswith("\\")


# ---------------------------------------------------------------- compared

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def same_number(told, printed):
    a, b = (float(n.replace(",", "")) for n in (told, printed))
    return abs(a - b) <= 0.03 * max(abs(a), abs(b))


def same_line(told, printed):
    if told.endswith("[...]"):
        told = told[:-5].rstrip()
        printed = printed[:len(told)]
    # a number at the right of its column: blanks before it are its own
    spell = [re.sub(r"^ +| +(?=#)", "", NUMBER.sub("#", text)).rstrip()
             for text in (told, printed)]
    numbers = [NUMBER.findall(text) for text in (told, printed)]
    return spell[0] == spell[1] and all(map(same_number, *numbers))


def trimmed(lines):
    lines = [line.rstrip() for line in lines]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return lines


def how_many(told, printed):
    """Lines that tell this printed one, which is broken there; 0: none."""
    for count in range(1, min(len(told), 6) + 1):
        words = [told[0]] + [line.lstrip() for line in told[1:count]
                             if line != "[...]"]
        if same_line(" ".join(words), printed):
            return count
    return 0


def without_end(told, printed):
    """The program's time is its own, and may be left out."""
    ends = [line for line in printed if line.endswith("seconds elapsed")]
    printed = [line for line in printed if line not in ends]
    told = [line for line in told if not line.endswith("seconds elapsed")]
    return trimmed(told), trimmed(printed)


def difference(told, printed):
    """What was not printed, or None."""
    told, printed = without_end(trimmed(told), trimmed(printed))
    at = 0
    skips = False
    while told:
        if told[0].strip() == "[...]":
            skips = True
            told.pop(0)
            continue
        while skips and at < len(printed) and \
                not how_many(told, printed[at]):
            at += 1
        count = at < len(printed) and how_many(told, printed[at])
        if not count:
            return told[0]
        del told[:count]
        at += 1
        skips = False
    return None if skips or at == len(printed) else f"(no more) {printed[at]}"


# ---------------------------------------------------------------- run

def is_of_papi(command):
    return command.text.startswith(("papi_", "count_waves"))


def run(command, exported):
    """Exit status and what is printed."""
    text = command.text.replace("build/bin/", "")
    if text.startswith("export "):
        exported.append(text)
        return 0, []
    machine = MACHINES.get(command.page, VEGA)
    if "i915::" in text or any(" i915::" in line for line in command.printed):
        machine = INTEL
    if "-M roofline" in text:
        machine = ROOFLINE
    if "-p PID" in text:
        # the process ends when its first values have been printed
        text = "set -o pipefail; sleep 100 & process=$!; " + \
            text.replace("PID", "$process") + \
            ' | { read -r line; kill $process; echo "$line"; cat; }'
        machine = ["--gpu", "sklgt2"]
    if is_of_papi(command):
        # it counts real time, so its numbers are any
        machine = ["--gpu", "vega10"]
    words = ["bash", "-c", "; ".join(exported + [text])]
    if not text.startswith("drmsim"):
        words = [DRMSIM, *machine, "--", *words]
    path = f"{WORK}/bin:{PAPI}/papi/bin:{PAPI}/examples"
    environment = dict(os.environ, PATH=f"{path}:{os.environ['PATH']}")
    done = subprocess.run(words, env=environment, cwd=WORK + "/top",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=100, check=False)
    return done.returncode, done.stdout.decode().split("\n")


def reason_to_leave(command, used):
    for entry in LEFT:
        if command.page == entry[0] and command.text.startswith(entry[1]):
            used.add(entry)
            return entry[2]
    return None


def look_at(command, used, exported):
    reason = reason_to_leave(command, used)
    if is_of_papi(command) and not os.path.exists(f"{PAPI}/papi/bin"):
        reason = reason or "PAPI is not built"
    if reason:
        print(f"skip {command} ({reason})")
        return True
    status, printed = run(command, exported)
    if is_of_papi(command):
        command.printed, printed = (
            [NUMBER.sub("1", " ".join(line.split())) for line in lines]
            for lines in (command.printed, printed))
        # PAPI's own words stand between
        command.printed = [word for line in command.printed if line
                           for word in ("[...]", line)] + ["[...]"]
        # it tells in its own words that an event was refused
        status = 0
    wrong = difference(command.printed, printed) if command.printed else None
    if status == 0 and wrong is None:
        print(f"ok {command}")
        return True
    print(f"not ok {command}")
    print(f"    | exit status {status}; not printed as told: {wrong}")
    for line in printed[:40]:
        print(f"    | {line}")
    return False


def prepare():
    """The programs that commands name, and a folder like the sources'."""
    os.makedirs(f"{WORK}/bin")
    os.makedirs(f"{WORK}/top")
    os.symlink(os.path.abspath(TOOL), f"{WORK}/bin/drmperf")
    os.symlink(os.path.abspath(DRMSIM), f"{WORK}/bin/drmsim")
    os.symlink(os.path.abspath("examples"), f"{WORK}/top/examples")
    for name in ("program", "my_test"):
        with open(f"{WORK}/top/{name}", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\ndrmsim ctl advance 1s\n")
        os.chmod(f"{WORK}/top/{name}", 0o755)


def main():
    used = set()
    prepare()
    good = True
    for page in PAGES:
        exported = []
        for command in list(commands(page)):
            good &= look_at(command, used, exported)
    for entry in set(LEFT) - used:
        print(f"not ok {entry[0]}: no command begins with '{entry[1]}'")
        good = False
    return 0 if good else 1


sys.exit(main())
