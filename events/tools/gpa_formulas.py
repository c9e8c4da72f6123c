#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make amdgpu/gpa-formulas.tsv from the GPU Performance API.

    gpa_formulas.py DERIVED GENERATION=DEFINITIONS,GROUPS... > OUTPUT

DERIVED is the facts' gpa-derived.tsv; DEFINITIONS and GROUPS are the API's
public_counter_definitions_vk_*.cc and gpa_hw_counter_vk_*.cc. The API counts
every instance of a block by a counter of its own and combines them in reverse
Polish notation; here, a sum or maximum over all instances of an event becomes
one of the event, also where the API forgets instances of larger chips. What our
language cannot say gets the reason instead.
"""

import re
import sys

from tsv import read_tsv

DEFINITION = re.compile(
    r'((?:internal_counters\.push_back\(\d+\);\s*)+|kHardwareCounters = \{[^}]*\};\s*)'
    r'c\.DefineDerivedCounter\(\s*"(\w+)",\s*"[^"]*",\s*"(?:[^"\\]|\\.)*",'
    r'\s*\w+,\s*kGpaUsageType(\w+),[^"]*"([^"]*)"')
GROUP = re.compile(r'\{(\d+), "(\w+)", (\d+), (\d+), \d+, \d+\}')
CONSTANTS = {"NUM_SIMDS": "SIMD_NUM", "NUM_CUS": "CU_NUM"}
UNKNOWN = {"SU_CLOCKS_PRIM": "the API knows a number of the chip "
                             "(clocks per primitive) that is not public",
           "TS_FREQ": "it is a time between commands of one queue"}


class Beyond(Exception):
    """Why our language cannot say it."""


class Hardware:
    """What a number of the API's hardware counters stands for."""

    def __init__(self, path, facts, key):
        with open(path, encoding="utf-8") as file:
            groups = [(m[2], int(m[3]), int(m[4]))
                      for m in GROUP.finditer(file.read())]
        self.leaves = []
        # without the instance, which is at the end of the name if there are
        # several; the block may end in a digit, too
        several = {name[:-1] for name, instance, _ in groups
                   if instance and name.endswith(str(instance))}
        for name, instance, count in groups:
            tail = str(instance)
            base = name[:-len(tail)] if name.endswith(tail) and (
                instance or name[:-1] in several) else name
            self.leaves += [(base, event, instance)
                            for event in range(count)]
        self.facts = {}
        for row in facts:
            if row["gen"] == key:
                self.facts.setdefault(row["derived_counter"], []).append(row)

    def name(self, metric, base, event):
        """BLOCK.EVENT of the tables."""
        rows = [row for row in self.facts.get(metric, [])
                if row["event_id"] == str(event)]
        blocks = {row["block"] for row in rows}
        if len(blocks) > 1:
            rows = [row for row in rows
                    if base.split("_")[0] == row["block"].split("_")[0]]
            rows = [row for row in rows if base == row["block"]] or rows
        if not rows:
            raise Beyond("it is a time between commands of one queue")
        if any(row["stage"] != "-" for row in rows):
            raise Beyond("it counts single shader stages")
        return f"{rows[0]['block']}.{rows[0]['event_name']}"


def flatten(tree, operator):
    """The operands of nested sums or maxima."""
    if tree[0] != operator:
        return [tree]
    return [leaf for operand in tree[1] for leaf in flatten(operand, operator)]


class Formula:
    def __init__(self, metric, counters, hardware):
        self.metric, self.counters = metric, counters
        self.hardware = hardware

    def parse(self, text):
        stack = []
        for word in text.split(","):
            number = re.fullmatch(r"([a-z]+?)(\d+)", word)
            if word.isdigit():
                stack.append(
                    ("leaf", self.hardware.leaves[self.counters[int(word)]]))
            elif word.startswith("("):
                stack.append(("number", word[1:-1]))
            elif word in CONSTANTS:
                stack.append(("number", CONSTANTS[word]))
            elif word in UNKNOWN:
                raise Beyond(UNKNOWN[word])
            elif word in ("+", "max"):
                stack[-2:] = [("sum" if word == "+" else "max", stack[-2:])]
            elif word in ("-", "*", "/", "min"):
                stack[-2:] = [(word, stack[-2:])]
            elif word == "ifnotzero":
                stack[-3:] = [(word, stack[-3:])]
            elif number and number[1] in ("sum", "max"):
                count = int(number[2])
                stack[-count:] = [(number[1], stack[-count:])]
            else:
                raise Beyond("it combines counters instance by instance")
        (tree,) = stack
        return tree

    def over_instances(self, operator, tree):
        """Texts of the operands, all instances of an event made one."""
        events, texts = {}, []
        for operand in flatten(tree, operator):
            if operand[0] == "leaf":
                base, event, instance = operand[1]
                events.setdefault((base, event), set()).add(instance)
            elif operator == "max" and operand[0] != "number":
                raise Beyond("it combines counters instance by instance")
            else:
                texts.append(self.text(operand))
        for (base, event), instances in events.items():
            name = self.hardware.name(self.metric, base, event)
            texts.append(f"max({name})" if operator == "max"
                         and len(instances) > 1 else name)
        return texts

    def text(self, tree):
        kind, operands = tree
        if kind == "number":
            return operands
        if kind == "leaf":
            return self.over_instances("sum", ("sum", [tree]))[0]
        if kind == "sum":
            texts = self.over_instances(kind, tree)
            return texts[0] if len(texts) == 1 else f"({'+'.join(texts)})"
        if kind == "max":
            if len(operands) == 2 and operands[1] == ("number", "0"):
                # what is below 0 is caught where it is subtracted
                return self.text(operands[0])
            texts = self.over_instances(kind, tree)
            while len(texts) > 1:
                texts[:2] = [f"max({texts[0]},{texts[1]})"]
            return texts[0]
        parts = [self.text(operand) for operand in operands]
        if kind == "-":
            if operands[0] == ("number", "1"):
                return f"(1-{parts[1]})"
            return f"(max({parts[0]},{parts[1]})-{parts[1]})"
        if kind == "min":
            return f"min({parts[0]},{parts[1]})"
        if kind == "ifnotzero":
            return f"({parts[2]}?{parts[1]}:{parts[0]})"
        return f"{parts[0]}{kind}{self.bracket(operands[1], parts[1])}"

    @staticmethod
    def bracket(operand, text):
        return f"({text})" if operand[0] in ("*", "/") else text


def outer(text):
    """Without brackets around all of it."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth and at < len(text) - 1:
            return text
    return text[1:-1] if text.startswith("(") else text


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    facts, _ = read_tsv(sys.argv[1])
    print("# The formulas of AMD's GPU Performance API, made by "
          "gpa_formulas.py from its\n# definitions for Vulkan: gfx8 and gfx9 "
          "of version 3.17, the others of 4.3.")
    print("\t".join(("generations", "metric", "usage", "expression",
                     "reason")))
    for argument in sys.argv[2:]:
        key, paths = argument.split("=", 1)
        definitions, groups = paths.split(",")
        hardware = Hardware(groups, facts, key)
        with open(definitions, encoding="utf-8") as file:
            text = file.read()
        for match in DEFINITION.finditer(text):
            counters = [int(n) for n in re.findall(
                r"\d+", match[1].split("{")[-1])]
            formula = Formula(match[2], counters, hardware)
            try:
                cells = (outer(formula.text(formula.parse(match[4]))), "")
            except Beyond as beyond:
                cells = ("", str(beyond))
            print("\t".join((key, match[2], match[3]) + cells))


if __name__ == "__main__":
    main()
