#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Event tables agree with what is not in the tree: the facts they are made from,
# and descriptions of the same events by others.
#
# DRMPERF_FACTS       a folder with amdgpu/, i915/ and xe/: the generators' input
# DRMPERF_PUBLISHED   files or folders with other people's descriptions
. tests/papi/lib.sh

facts=${DRMPERF_FACTS:-}
published=${DRMPERF_PUBLISHED:-}
if ! command -v python3 > "$work/which"; then
	skip "the generators make the tables" "no python3"
	finish
fi

# makes DRIVER GENERATOR: it makes exactly what is in events/DRIVER, but for the
# metric groups and verdicts, which are written by hand, and what GPUs are sold as
makes()
{
	mkdir "$work/$1"
	if PYTHONDONTWRITEBYTECODE=1 \
		python3 "events/tools/$2" "$facts/$1" "$work/$1" \
		> "$work/errors" 2>&1 &&
		diff -r -x groups.xml -x verdicts.xml -x products.xml \
			"events/$1" "$work/$1" \
			> "$work/errors"; then
		ok "$2 makes events/$1"
	else
		not_ok "$2 makes events/$1" "$work/errors"
	fi
}

# What is made from data in the tree alone.
mkdir "$work/own"
if PYTHONDONTWRITEBYTECODE=1 python3 events/tools/gpu_metrics.py "$work/own" \
	> "$work/errors" 2>&1 &&
	diff events/amdgpu/gpu_metrics.xml "$work/own" > "$work/errors"; then
	ok "gpu_metrics.py makes events/amdgpu/gpu_metrics.xml"
else
	not_ok "gpu_metrics.py makes events/amdgpu/gpu_metrics.xml" \
		"$work/errors"
fi

if [ -n "$facts" ]; then
	makes amdgpu amdgpu_tables.py
	makes i915 gen_i915.py
	makes xe gen_xe.py
else
	skip "the generators make the tables" \
		"DRMPERF_FACTS names no folder of facts"
fi

# What the generator refuses or guards, with no facts at hand.
checks()
{
	PYTHONPATH=events/tools PYTHONDONTWRITEBYTECODE=1 python3 - <<'END'
from differences import Guards
from metrics import Ours


def row(metric, generations):
    return {"metric": metric, "generations": generations}


def refused(rows, names):
    ours = Ours(rows)
    for name in names:
        ours.find(name)
    try:
        ours.refuse_hidden("gfx0")
    except SystemExit as error:
        return str(error)
    return ""


def expect(what, is_so):
    if not is_so:
        print(what)


general, special = row("SIZE", ""), row("SIZE", "gfx0")
expect("a row of a generation behind a general one is refused",
       "hidden" in refused([general, special], ["SIZE"]))
expect("a pattern that hides it is found",
       "hidden" in refused([row("SI.*", ""), special], ["SIZE"]))
expect("a general row may stand behind that of a generation",
       not refused([special, general], ["SIZE"]))
expect("a row that counts for another name is not hidden",
       not refused([general, row("SIZE|WIDTH", "gfx0")], ["SIZE", "WIDTH"]))

guards = Guards()
for name, expression, sizes in (
        ("SUM", "A.X*32+A.Y*64", True),
        ("SIZE", "A.L*128+(A.ALL-A.L-A.S)*64+A.S*32", True),
        ("RATIO", "(float(A.READ)-A.FLAT)/A.WAVES", False),
        ("CAPPED", "(max(A.ALL,A.L)-A.L)*32", False),
        ("CAPPED_SIZE", "(max(A.ALL,A.L)-A.L)*32", True),
        ("SHARE", "A.ALL?(1-A.MISS/A.ALL)*100:0", False),
        ("BOTH", "(SIZE+SUM)/A.CYCLES", False)):
    guards.add(name, expression, sizes)
for name, conditions in (
        ("SUM", []),
        ("SIZE", ["A.ALL>=A.L+A.S"]),
        ("RATIO", ["A.READ>=A.FLAT"]),
        ("CAPPED", []),
        ("CAPPED_SIZE", ["A.ALL>=A.L"]),
        ("SHARE", ["1>=A.MISS/A.ALL"]),
        ("BOTH", ["A.ALL>=A.L+A.S"])):
    expect(f"the conditions of {name}: {guards.of(name)}",
           guards.of(name) == conditions)
END
}

if checks > "$work/checks" 2>&1 && [ ! -s "$work/checks" ]; then
	ok "the generator refuses hidden rows and finds what may be negative"
else
	not_ok "the generator refuses hidden rows and finds what may be negative" \
		"$work/checks"
fi

# Sentences of five words and more that somebody else wrote before.
copied()
{
	# shellcheck disable=SC2086
	PYTHONPATH=events/tools PYTHONDONTWRITEBYTECODE=1 \
		python3 - $published <<'END'
import glob
import os
import re
import sys

from xmltext import read_table


def words(text):
    return " ".join(re.findall(r"[a-z0-9]+", (text or "").lower()))


def files(paths):
    for path in paths:
        for folder, _, names in os.walk(path):
            yield from (os.path.join(folder, name) for name in names)
        if os.path.isfile(path):
            yield path


def sentences(table):
    for element in read_table(table).iter():
        if element.tag in ("event", "metric", "counter", "description"):
            yield element.text or ""
        yield element.get("description", "")


theirs = " | ".join(words(line) for path in files(sys.argv[1:])
                    for line in re.split(r'[\n"<>]',
                                         open(path, errors="ignore").read()))
for table in sorted(glob.glob("events/*/*.xml")):
    for sentence in sentences(table):
        ours = words(sentence)
        if ours.count(" ") >= 4 and f" {ours} " in f" {theirs} ":
            print(f"{table}: {sentence.strip()}")
END
}

if [ -n "$published" ]; then
	if copied > "$work/copied" 2>&1 && [ ! -s "$work/copied" ]; then
		ok "no description is copied"
	else
		not_ok "no description is copied" "$work/copied"
	fi
else
	skip "no description is copied" \
		"DRMPERF_PUBLISHED names nobody's descriptions"
fi
finish
