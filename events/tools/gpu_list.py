#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print the table of GPUs of doc/gpus.md, as Markdown.

    gpu_list.py [EVENTS]

EVENTS is the folder of the tables. What they do not hold is beside this program:
sold_as.tsv has the names of products, and verified.tsv says of each table what
was verified on simulated GPUs, by programs of others, and on hardware, and of
Intel's where the registers come from. A table without a row there was held
against the rules of events/README.md and nothing else.
tests/lint/scripts.sh compares doc/gpus.md with what this prints.
"""

import os
import sys

from tsv import read_tsv
from xmltext import read_table

HERE = os.path.dirname(os.path.abspath(__file__))


def read(*path):
    return read_table(os.path.join(*path))


def plural(number, word):
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def between(numbers):
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"


def grouped(elements, attribute):
    """{value of the attribute: elements}, in the order of the file."""
    groups = {}
    for element in elements:
        groups.setdefault(element.get(attribute), []).append(element)
    return groups


def names(elements, attribute):
    return ", ".join(dict.fromkeys(e.get(attribute) for e in elements))


class Verified:
    NOTHING = {"simulator": "-", "others": "-", "hardware": "none"}

    def __init__(self, tables):
        rows = read_tsv(os.path.join(HERE, "verified.tsv"))[0]
        self.rows = {row["table"]: row for row in rows}
        unknown = set(self.rows) - set(tables)
        if unknown:
            raise SystemExit(f"verified.tsv: no table {sorted(unknown)}")

    def text(self, table, column):
        return self.rows.get(table, {}).get(column) or \
            self.NOTHING.get(column, "-")

    def cell(self, tables, column):
        """What is said of these tables, each text once."""
        texts = dict.fromkeys(self.text(t, column) for t in tables)
        if len(texts) == 1:
            return next(iter(texts))
        return "; ".join(
            f"{', '.join(t for t in tables if self.text(t, column) == text)}:"
            f" {text}" for text in texts)

    def of(self, tables):
        return tuple(self.cell(tables, column) for column in self.NOTHING)


def sold_as(driver, generation):
    rows = read_tsv(os.path.join(HERE, "sold_as.tsv"))[0]
    return next(row["products"] for row in rows
                if (row["driver"], row["generation"]) == (driver, generation))


def amdgpu_rows(events, verified):
    """The rows, and the names of the chips that have no table."""
    folder, rows, without = os.path.join(events, "amdgpu"), [], []
    chips = grouped(read(folder, "chips.xml").iter("chip"), "generation")
    for generation, those in chips.items():
        if not os.path.exists(os.path.join(folder, generation + ".xml")):
            without.append(names(those, "name"))
            continue
        table = read(folder, generation + ".xml")
        # what some chips have otherwise than the others counts once
        blocks = {block.get("name"): {event.get("name")
                                      for event in block.iter("event")}
                  for block in table.iter("block")
                  if not block.get("hidden")}
        number = {"event": sum(map(len, blocks.values())),
                  "block": len(blocks),
                  "metric": len(list(table.iter("metric")))}
        rows.append((f"AMD {generation}: {names(those, 'name')}",
                     sold_as("amdgpu", generation),
                     f"{plural(number['event'], 'event')} of "
                     f"{plural(number['block'], 'block')}, "
                     f"{plural(number['metric'], 'metric')}",
                     *verified.of([generation])))
    return rows, without


def intel_rows(events, verified, driver="i915"):
    folder, rows = os.path.join(events, driver), []
    root = read(folder, "platforms.xml")
    for generation, those in grouped(root.iter("platform"),
                                     "generation").items():
        platforms = list(dict.fromkeys(p.get("name") for p in those))
        sets = [len(list(read(folder, name + ".xml").iter("set")))
                for name in platforms]
        each = " each" if len(platforms) > 1 else ""
        rows.append((f"Intel {generation}: {names(those, 'chip')}",
                     sold_as(driver, generation),
                     f"{between(sets)} metric sets{each}; registers: "
                     f"{verified.cell(platforms, 'registers')}",
                     *verified.of(platforms)))
    unsupported = list(root.iter("unsupported"))
    return rows, [names(unsupported, "chip")] if unsupported else []


def xe_rows(events, verified):
    return intel_rows(events, verified, "xe")


def main():
    events = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(HERE)
    tables = [name[:-4] for driver in ("amdgpu", "i915", "xe")
              for name in os.listdir(os.path.join(events, driver))]
    verified, without = Verified(tables), []
    print("| GPUs | sold as | tables | simulated | by others' programs | "
          "hardware |\n|---|---|---|---|---|---|")
    for make_rows in (amdgpu_rows, intel_rows, xe_rows):
        rows, others = make_rows(events, verified)
        without += others
        for row in rows:
            print("| " + " | ".join(row) + " |")
    print(f"\nKnown, but without a table: {', '.join(without)}.")


if __name__ == "__main__":
    main()
