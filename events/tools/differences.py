# SPDX-License-Identifier: BSD-3-Clause
"""Differences in the expressions of metrics, which must not be negative: counters
that contradict each other make no value that can be told from a right one."""

import re

TOKEN = re.compile(r"\s*([A-Za-z_][\w.]*|[\d.]+|[<>=!]=|&&|\|\||.)")
RANKS = {"||": 1, "&&": 2, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7,
         "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}


class Reader:
    """Reads an expression; differences: (from, [what is taken away])."""

    def __init__(self, expression):
        self.tokens = TOKEN.findall(expression) + [""]
        self.at, self.differences = 0, []

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def primary(self):
        text = self.take()
        if text == "-":
            return f"-{self.primary()}"
        if text == "(":
            return f"({self.rest(')')}"
        if self.tokens[self.at] == "(":
            return f"{text}{self.take()}{self.rest(')')}"
        return text

    def rest(self, end):
        text = self.expression()
        while self.tokens[self.at] == ",":
            text += self.take() + self.expression()
        if self.take() != end:
            raise SystemExit(f"{''.join(self.tokens)}: {end} is missing")
        return text + end

    def binary(self, rank):
        """The text of operators of at least this rank."""
        left, taken = self.primary(), []
        while RANKS.get(self.tokens[self.at], 0) >= rank:
            sign = self.take()
            right = self.binary(RANKS[sign] + 1)
            if sign == "-":
                taken.append((left, right))
            left = f"{left}{sign}{right}"
        self.differences += merge(taken)
        return left

    def expression(self):
        text = self.binary(1)
        if self.tokens[self.at] == "?":
            text += self.take() + self.expression()
            text += self.take() + self.expression()
        return text


def merge(taken):
    """a-b-c is one difference, of a and b+c."""
    merged = []
    for left, right in taken:
        if merged and left == "-".join([merged[-1][0], *merged[-1][1]]):
            merged[-1][1].append(right)
        else:
            merged.append((left, [right]))
    return merged


def condition(left, taken, sizes):
    """What has to hold; None where the expression looks after it itself:
    max(a,b)-b is 0 where a is less, which a size must not be."""
    capped = re.fullmatch(r"max\((.+),(.+)\)", left)
    if capped and [capped[2]] == taken:
        if not sizes:
            return None
        left = capped[1]
    left = re.sub(r"^float\(([\w.]+)\)$", r"\1", left)
    return f"{left}>={'+'.join(taken)}"


class Guards:
    """What has to hold for each metric to have a value."""

    def __init__(self):
        self.metrics, self.conditions = {}, {}

    def add(self, name, expression, sizes):
        self.metrics[name] = expression, sizes

    def of(self, name):
        """The conditions under which no difference in it is negative, those
        of the metrics it uses among them."""
        if name not in self.metrics:
            return []
        if name not in self.conditions:
            expression, sizes = self.metrics[name]
            reader = Reader(expression)
            reader.expression()
            found = [condition(left, taken, sizes)
                     for left, taken in reader.differences]
            for word in re.findall(r"[A-Za-z_][\w.]*", expression):
                found += self.of(word)
            self.conditions[name] = list(dict.fromkeys(c for c in found if c))
        return self.conditions[name]


def tell(conditions):
    """A sentence for people."""
    parts = [c.replace(">=", " is less than ").replace("+", " and ")
             for c in conditions]
    return (f"N/a where {', or '.join(parts)}: these counters then contradict "
            "each other.")
