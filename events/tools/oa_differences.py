# SPDX-License-Identifier: BSD-3-Clause
"""Where Intel's Metrics Discovery differs from the tables that IGT and Mesa have,
for gen_i915.py and gen_xe.py: each difference is printed, and one that nobody
has explained ends the program."""

import os
import re
import sys

# What was done about a difference, and whether that needs a reason.
ACTIONS = {"corrected": False, "added": False, "removed": False, "kept": True,
           "not taken": True, "not available": True}

# The same of those of xe, whose actions say their reason themselves; sets that
# only Metrics Discovery has are added by gen_xe.py.
XE_ADDED = "no set of ours has these registers (oam-units.tsv)"
XE_ACTIONS = ("corrected", "not in MD any more: kept",
              "only in MD; not added (its registers are other ones)", XE_ADDED)


def die(message):
    sys.exit("oa_differences.py: " + message)


def say(row, *more):
    print("\t".join([row["platform"], row["set"], *(m or "-" for m in more)]))


def say_known(rows):
    """Print rows of mdapi-diff.tsv."""
    for row in rows:
        action, note = row["action"], row["note"]
        if action not in ACTIONS or ACTIONS[action] and not note:
            die("not explained: %s" % row)
        say(row, row["kind"], row["here"], row["mdapi"], action, note)


def places(registers):
    """What each place of a set's report counts: selector and stage filter."""
    values = {}
    for row in registers:
        for pair in row["pairs"].split():
            address, value = pair.split("=")
            values[int(address, 16)] = int(value, 16)
    found = {}
    for place in range(64):
        start = 0x13000 + 8 * place if place < 32 else \
            0x13300 + 8 * (place - 32)
        flex = (0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c)
        which, high = divmod(place - 7, 2)
        stage = values.get(flex[which], 0) >> 12 * high & 0xfff \
            if 0 <= which < len(flex) else 0
        found[place] = "[%x/%x]" % (values.get(start, 0), stage)
    return found


def equations(read_tsv, folder, name):
    """(set, counter) -> equation, with what is counted in place of where."""
    def table(kind):
        return read_tsv(os.path.join(folder, "%s-%s.tsv" % (kind, name)))[1]

    formats = {row["set"]: row["format"] for row in table("sets")}
    registers = {}
    for row in table("regs"):
        registers.setdefault(row["set"], []).append(row)
    at = {name: places(rows) for name, rows in registers.items()}
    return {(row["set"], row["counter"]): re.sub(
        r"PEC (\d+) READ", lambda m: at[row["set"]][int(m[1])],
        row["equation"]) for row in table("counters")
        if formats[row["set"]].startswith("PEC")}


def say_of_xe(read_tsv, facts, name):
    """Compare a platform's counters with md-whole, wherever they are placed in
    the report: what differs must be a row of xe-corrections.tsv."""
    known = {}
    for row in read_tsv(os.path.join(facts, "xe-corrections.tsv"))[1]:
        if row["platform"] == name:
            if row["action"] not in XE_ACTIONS:
                die("not explained: %s" % row)
            known[row["set"], row["symbol"]] = row
            if row["action"] != XE_ADDED:
                say(row, row["symbol"], row["ours"], row["theirs"],
                    row["action"])
    theirs = equations(read_tsv, os.path.join(facts, "md-whole"), name)
    ours = equations(read_tsv, facts, name)
    for key in sorted(ours.keys() | theirs.keys()):
        row = known.get(key)
        differs = ours.get(key) != theirs.get(key)
        if differs and (not row or row["action"] == "corrected"):
            die("%s: %s.%s: %s, Metrics Discovery: %s" %
                (name, *key, ours.get(key), theirs.get(key)))
