#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make events/i915/*.xml out of tables of facts about Intel's OA units.

usage: gen_i915.py FACTS OUTPUT [PLATFORM...]

FACTS is a folder with platforms.tsv, pci.tsv, mdapi-diff.tsv (where Intel's
Metrics Discovery differs) and, for each platform P, sets-P.tsv, counters-P.tsv
and regs-P.tsv: tab separated, a comment line that names the source, a line
with the names of the columns, "-" for nothing.
Each difference is printed; one without a reason ends the program.
Sets that Metrics Discovery alone has are in events/tools/i915/mdapi-sets.tsv.
Equations come in the reverse Polish of Intel's own tables and leave in the
infix language of events/README.md. Descriptions are ours, from the rules in
events/tools/i915. Needed by developers only; the result is in the tree.
"""

import collections
import os
import re
import sys
import textwrap
from xml.sax.saxutils import quoteattr

import oa_differences
import tsv
from oa_units import unit_of
from xmltext import list_head, list_line

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "i915")


def die(message):
    sys.exit("gen_i915.py: " + message)


def read_tsv(path):
    """The source and the rows, as dicts."""
    with open(path, encoding="utf-8") as lines:
        source = lines.readline().lstrip("#").strip()
        names = lines.readline().rstrip("\n").split("\t")
        rows = []
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if len(fields) != len(names):
                die("%s: %d fields: %s" % (path, len(fields), line))
            rows.append({n: "" if f == "-" else f
                         for n, f in zip(names, fields)})
    return source, rows


# ---------------------------------------------------------------- descriptions

class Rules:
    """Regular expressions over symbols, and the texts they stand for."""

    def __init__(self, path):
        self.words = collections.defaultdict(dict)
        self.rules = []
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                line = line.rstrip("\n")
                if not line or line.startswith("#"):
                    continue
                fields = line.split("\t")
                if line.startswith("@"):
                    self.words[fields[0][1:]][fields[1]] = fields[2]
                else:
                    self.rules.append((re.compile(fields[0]), fields[1]))

    def word(self, kind, key):
        if key not in self.words[kind]:
            die("no word %s for %s" % (kind, key))
        return self.words[kind][key]

    def find(self, symbol):
        for regex, text in self.rules:
            match = regex.fullmatch(symbol)
            if match:
                return match, text
        die("no description of %s" % symbol)

    def fill(self, match, text, groups):
        text = re.sub(r"\[(\w+):\\(\d)\]",
                      lambda m: self.word(m[1], match[int(m[2])] or ""), text)
        text = re.sub(r"\\(\d)", lambda m: groups[int(m[1])], text)
        return text[0].upper() + text[1:]

    def describe(self, symbol):
        match, text = self.find(symbol)
        groups = [symbol] + [g or "" for g in match.groups()]
        return self.fill(match, text, groups)

    def family(self, symbol):
        """The symbol with # for the numbers of its rule, and the text with
        #1, #2 ... where they are said."""
        match, text = self.find(symbol)
        groups, pattern, at, count = [symbol], "", 0, 0
        for i, group in enumerate(match.groups(), 1):
            if group and group.isdigit():
                count += 1
                pattern += symbol[at:match.start(i)] + "#"
                at = match.end(i)
                groups.append("#%d" % count)
            else:
                groups.append(group or "")
        pattern += symbol[at:]
        # The reader takes all digits that stand where # is.
        if re.search(r"#\d|##", pattern):
            return None, None
        return pattern, self.fill(match, text, groups)


# ------------------------------------------------------------------- equations

PRIMARY = 20
RANK = {"&&": 2, "&": 5, "<": 7, "<=": 7, ">": 7, ">=": 7, "<<": 8, ">>": 8,
        "+": 9, "-": 9, "*": 10, "/": 10}

BANKS = {"A": "A%d", "B": "B%d", "C": "C%d", "PEC": "PEC%d", "GPU_TIME": "TIME",
         "GPU_CLOCK": "CLOCK"}


class Term:
    """A piece of infix text.

    real: the value counts as a double; whole: it is an integer nevertheless,
    which only has to be said (float()) where another operation would see it.
    degree: 1 if it grows with the counters, 0 if it does not, None if mixed.
    """

    def __init__(self, text, rank=PRIMARY, real=False, whole=True, degree=0,
                 number=None):
        self.text, self.rank, self.real = text, rank, real
        self.whole, self.degree, self.number = whole, degree, number

    def within(self, rank, right=False):
        if self.rank < rank or (right and self.rank == rank):
            return "(" + self.text + ")"
        return self.text

    def double(self):
        """The text as an operand of double arithmetic."""
        if self.real and self.whole and self.number is None:
            return Term("float(%s)" % self.text, real=True, whole=False,
                        degree=self.degree)
        return self


def literal(value):
    return Term(str(value) if value < 10000 or value % 1000 == 0
                else hex(value), number=value)


def same_degree(a, b):
    return a.degree if a.degree == b.degree else None


def product_degree(a, b):
    if a.degree is None or b.degree is None:
        return None
    return a.degree + b.degree


def binary(sign, a, b, **kind):
    rank = RANK[sign]
    # Integer sums and products may be written without parentheses.
    chain = sign in "+*" and not kind.get("real") and not b.real
    return Term("%s %s %s" % (a.within(rank), sign,
                              b.within(rank, right=not chain)), rank, **kind)


def fold(sign, a, b):
    if a.number is None or b.number is None:
        return None
    return literal({"+": a.number + b.number, "*": a.number * b.number,
                    "<<": a.number << b.number}[sign])


def difference(a, b, **kind):
    """Unsigned: 0 rather than below zero."""
    if b.number is not None:
        die("number subtracted: " + b.text)
    if a.number is not None:
        return binary("-", a, b, **kind)
    return binary("-", Term("max(%s, %s)" % (a.text, b.text)), b, **kind)


def integer(operator, a, b):
    """UADD, USUB, UMUL: with a double the result is truncated."""
    sign = {"ADD": "+", "SUB": "-", "MUL": "*"}[operator]
    degree = product_degree(a, b) if sign == "*" else same_degree(a, b)
    if a.real or b.real:
        inner = binary(sign, a.double(), b.double(), real=True)
        return Term("uint(%s)" % inner.text, degree=degree)
    if sign == "-":
        return difference(a, b, degree=degree)
    return fold(sign, a, b) or binary(sign, a, b, degree=degree)


def floating(operator, a, b):
    """FADD, FSUB, FMUL: of two integers, the integer operation."""
    sign = {"ADD": "+", "SUB": "-", "MUL": "*"}[operator]
    degree = product_degree(a, b) if sign == "*" else same_degree(a, b)
    if not a.real and not b.real:
        if sign == "-":
            return difference(a, b, real=True, degree=degree)
        return binary(sign, a, b, real=True, degree=degree)
    return binary(sign, a.double(), b.double(), real=True, whole=False,
                  degree=degree)


def quotient_degree(a, b):
    if a.degree is None or b.degree is None:
        return None
    return a.degree - b.degree


COMPARE = {"UGT": ">", "UGTE": ">=", "ULT": "<", "ULTE": "<=", "<<": "<<",
           ">>": ">>", "AND": "&", "&&": "&&"}


def operate(operator, a, b):
    if operator in ("UADD", "USUB", "UMUL"):
        return integer(operator[1:], a, b)
    if operator in ("FADD", "FSUB", "FMUL"):
        return floating(operator[1:], a, b)
    if operator == "UDIV":
        return Term("div(%s, %s)" % (a.text, b.text),
                    degree=quotient_degree(a, b))
    if operator == "FDIV":
        return binary("/", a, b, real=True, whole=False,
                      degree=quotient_degree(a, b))
    if operator in ("UMIN", "FMAX"):
        if b.number is not None:
            die("max or min with a number")
        return Term("%s(%s, %s)" % (operator[1:].lower(), a.text, b.text),
                    real=operator[0] == "F",
                    whole=a.whole and b.whole and not (a.real or b.real),
                    degree=same_degree(a, b))
    if operator in COMPARE:
        return (fold("<<", a, b) if operator == "<<" else None) or \
            binary(COMPARE[operator], a, b)
    die("unknown operator " + operator)


# A share of all EUs' clocks. In the tables of IGT and Mesa, and so in the facts,
# it loses the fraction of events per EU; Metrics Discovery, whose name for it is
# EuAggrDuration, computes it in floating point (md_metrics_calculator.h).
EU_SHARE = " $EuCoresTotalCount UDIV 100 UMUL $GpuCoreClocks FDIV"
WHOLE_EU_SHARE = " 100 FMUL $EuCoresTotalCount $GpuCoreClocks UMUL FDIV"


def translate(text, symbols):
    """RPN to a Term; symbols: symbol -> (is double, degree), of one set."""
    if text.endswith(EU_SHARE):
        text = text[:-len(EU_SHARE)] + WHOLE_EU_SHARE
    stack, words = [], text.split()
    i = 0
    while i < len(words):
        word = words[i]
        if i + 2 < len(words) and words[i + 2] == "READ":
            bank = BANKS[word]
            stack.append(Term(bank % int(words[i + 1]) if "%" in bank else
                              bank, degree=1))
            i += 3
            continue
        i += 1
        if word[0] == "$":
            real, degree = symbols.get(word[1:], (False, 0))
            stack.append(Term(word[1:], real=real, whole=not real,
                              degree=degree))
        elif word[0].isdigit():
            stack.append(literal(int(word, 0)))
        elif word == "true":
            stack.append(literal(1))
        else:
            b, a = stack.pop(), stack.pop()
            stack.append(operate(word, a, b))
    if len(stack) != 1:
        die("not an equation: " + text)
    return stack[0]


# -------------------------------------------------------------------- disputes

# What sources disagree about without a row in mdapi-diff.tsv, set by set.
DISPUTED = {
    "cnl": {"ComputeExtended": "only one source has its condition"},
    "mtlgt2": {"Ext156": "only one source has it"},
    "mtlgt3": {name: "Intel changed its registers on Meteor Lake GT2"
               for name in ("Ext85", "Ext118", "Ext181", "Ext182")},
}
# No FLEX register, and so pipe 0 where the counters say pipe 1.
for chip in ("sklgt3", "sklgt4", "kblgt3", "cflgt3"):
    DISPUTED[chip] = {"ComputeExtra": "it has no register that selects what "
                                      "Fpu1Active counts"}


def read_disputes(facts, platform):
    """Sets of the platform, and what is disputed about each."""
    disputes = dict(DISPUTED.get(platform, {}))
    for row in read_tsv(os.path.join(facts, "mdapi-diff.tsv"))[1]:
        if row["platform"] == platform and row["kind"] == "counter" and \
                row["action"] == "not available":
            disputes[row["set"]] = "Metrics Discovery has other counters"
    return disputes


# -------------------------------------------------------------------- counters

Counter = collections.namedtuple(
    "Counter", "name unit type kind expression condition")


def flat_xecores(text):
    """XeCores by the number that symbols have: four make up a slice."""
    return re.sub(r"\bGtSlice(\d+)XeCore(\d+)\b",
                  lambda m: "XeCore%d" % (4 * int(m[1]) + int(m[2])), text)


def counters_of_set(rows):
    """The Counters of one set, those that only a query can read left out."""
    by_name = {r["counter"]: r for r in rows}
    terms = {}

    def resolve(name, above=()):
        if name in above:
            die("%s needs itself" % name)
        if name not in terms:
            used = re.findall(r"\$(\w+)", by_name[name]["equation"])
            known = {u: (by_name[u]["dtype"] == "float",
                         resolve(u, above + (name,)).degree)
                     for u in used if u in by_name}
            terms[name] = translate(by_name[name]["equation"], known)
        return terms[name]

    result = []
    for row in rows:
        if "QueryMode" in row["availability"] or "PERFCNT" in row["equation"]:
            if "QueryMode" not in row["availability"]:
                die("%s reads PERFCNT from a stream" % row["counter"])
            continue
        term = resolve(row["counter"])
        unit, text = unit_of(row), flat_xecores(term.text)
        if row["units"] == "gbps":
            text = "1000000000 * " + term.within(RANK["*"] + 1)
        condition = flat_xecores(translate(row["availability"], {}).text) \
            if row["availability"] else ""
        result.append(Counter(
            row["counter"], unit,
            "double" if row["dtype"] == "float" else "uint64",
            "cumulative" if term.degree == 1 else "average", text, condition))
    return result


def kinds(counter):
    return counter.unit, counter.type, counter.kind


def usual_row(rows, symbol):
    """The row of a counter that most sets have."""
    found = [row for of_set in rows.values() for row in of_set
             if row["counter"] == symbol]
    equation = collections.Counter(
        row["equation"] for row in found).most_common(1)[0][0]
    return next(row for row in found if row["equation"] == equation)


class Platform:
    """What one platform's tables say, arranged for writing."""

    driver = "i915"

    def __init__(self, facts, name, rules, set_rules):
        self.name, self.rules, self.set_rules = name, rules, set_rules
        self.source, self.sets = read_tsv(
            os.path.join(facts, "sets-%s.tsv" % name))
        self.disputes = self.find_disputes(facts)
        rows = collections.defaultdict(list)
        for row in read_tsv(os.path.join(facts,
                                         "counters-%s.tsv" % name))[1]:
            row["counter"] = self.name_of(row["counter"])
            rows[row["set"]].append(row)
        self.registers = collections.defaultdict(list)
        for row in read_tsv(os.path.join(facts, "regs-%s.tsv" % name))[1]:
            self.registers[row["set"]].append(row)
        self.extrapolating = set()
        self.add_mdapi_sets(rows)
        self.counters = {s["set"]: counters_of_set(rows[s["set"]])
                         for s in self.sets}
        self.agree_on_kinds()
        self.find_shared()
        self.find_families()
        self.find_basics()

    def add_mdapi_sets(self, rows):
        """Sets of mdapi-sets.tsv, behind those of the facts."""
        added, source = tsv.read_tsv(os.path.join(HERE, "mdapi-sets.tsv"))
        for row in added if self.driver == "i915" else []:
            name = row["set"]
            if self.name not in row["platforms"].split(","):
                continue
            if row["kind"] == "guid":
                self.sets.append({"set": name, "guid": row["text"],
                                  "i915_format": ""})
                self.source += "; added %s from %s %s" % (
                    name, source.split(",")[0], row["about"])
            elif row["kind"] == "extrapolates":
                self.extrapolating.add(name)
            elif row["kind"] == "counters":
                rows[name] = [dict(usual_row(rows, symbol), set=name)
                              for symbol in row["text"].split()]
            elif row["kind"] == "equation":
                next(r for r in rows[name] if r["counter"] == row["about"])[
                    "equation"] = row["text"]
            else:
                self.registers[name].append({
                    "kind": row["kind"], "pairs": row["text"],
                    "availability": row["about"].strip("-"),
                    "config_id": row["id"], "priority": row["priority"]})

    def name_of(self, symbol):
        return symbol

    def find_disputes(self, facts):
        return read_disputes(facts, self.name)

    def agree_on_kinds(self):
        """A symbol is the same kind of value in all its sets."""
        seen = {}
        for counters in self.counters.values():
            for counter in counters:
                known = seen.setdefault(counter.name, counter)
                if kinds(known) != kinds(counter):
                    if known.type != counter.type or \
                            "average" not in (known.kind, counter.kind):
                        die("%s: %s: %s or %s" % (self.name, counter.name,
                                                  known, counter))
                    seen[counter.name] = known._replace(kind="average")
        for name, counters in self.counters.items():
            self.counters[name] = [
                c._replace(unit=seen[c.name].unit, kind=seen[c.name].kind)
                for c in counters]

    def find_shared(self):
        """Symbols of several sets, each with its most frequent variant."""
        variants = collections.defaultdict(collections.Counter)
        for counters in self.counters.values():
            for counter in counters:
                variants[counter.name][counter] += 1
        self.shared = {name: found.most_common(1)[0][0]
                       for name, found in variants.items()
                       if sum(found.values()) > 1}

    def find_families(self):
        """Counters that differ by the numbers in their symbols only."""
        members = collections.defaultdict(list)
        for counters in self.counters.values():
            for counter in counters:
                if counter.name in self.shared:
                    continue
                pattern, text = self.rules.family(counter.name)
                if pattern and "#" in pattern:
                    members[pattern].append((counter, text))
        self.families, self.family_of = {}, {}
        for pattern, found in members.items():
            alike = set((kinds(c), text) for c, text in found)
            if len(found) < 3 or len(alike) > 1:
                continue
            counter, text = found[0]
            condition = family_condition(pattern, [c for c, _ in found])
            self.families[pattern] = counter._replace(
                expression="", condition=condition or ""), text
            for counter, _ in found:
                self.family_of[counter.name] = self.families[pattern][0]

    def find_basics(self):
        """The counters that begin most sets."""
        starts = collections.Counter(
            tuple(c.name for c in counters[:3])
            for counters in self.counters.values())
        self.basics = [self.shared[n] for n in starts.most_common(1)[0][0]
                       if n in self.shared]

    def describe_set(self, name):
        text = self.sum_up(name)
        if name in self.disputes:
            text += " Disputed: %s." % self.disputes[name]
        return text

    def sum_up(self, name):
        text = self.set_rules.describe(name)
        if not text.endswith(":"):
            return text
        symbols = [c.name for c in self.counters[name]]
        basics = [c.name for c in self.basics]
        own = [n for n in symbols if n not in basics]
        topics = [self.topic(n) for n in own or symbols]
        return "%s %s." % (text, ", ".join(dict.fromkeys(topics)))

    def topic(self, symbol):
        known = self.set_rules.words["topic"]
        starts = [k for k in known if symbol.startswith(k)]
        if not starts:
            die("no topic for %s" % symbol)
        return known[max(starts, key=len)]

    # ---- output

    def write(self, folder):
        with open(os.path.join(folder, self.name + ".xml"), "w",
                  encoding="utf-8") as out:
            self.write_head(out, "events", "")
            self.write_counters(out)
            self.write_sets(out)
            self.write_hidden(out)
            out.write("</events>\n")
        with open(os.path.join(folder, self.name + ".registers.xml"), "w",
                  encoding="utf-8") as out:
            self.write_head(out, "registers", "Register lists. ")
            for row in self.sets:
                self.write_registers(out, row)
            out.write("</registers>\n")

    def write_head(self, out, root, what):
        out.write("<!-- %sGenerated by events/tools/gen_%s.py.\n%s"
                  "     Descriptions: events/tools/i915. -->\n" %
                  (what, self.driver, sources(self.source)))
        out.write("<%s driver=\"%s\" generation=\"%s\" version=\"1\"" %
                  (root, self.driver, self.name))
        if root == "events":
            out.write("\n\tbasics=%s" %
                      quoteattr(" ".join(c.name for c in self.basics)))
        out.write(">\n")

    def write_counters(self, out):
        known = {}
        for counters in self.counters.values():
            for counter in counters:
                if counter.name not in self.family_of:
                    known.setdefault(counter.name, counter)
        out.write(list_head("counter", COUNTER_COLUMNS, "") + "\n")
        for name, counter in known.items():
            out.write(counter_line(name, self.shared.get(name, counter),
                                   self.rules.describe(name)))
        for pattern, (counter, text) in self.families.items():
            out.write(counter_line(pattern, counter, text))
        out.write("</list>\n")

    def write_sets(self, out):
        out.write(list_head("set", SET_COLUMNS, "") + "\n")
        for row in self.sets:
            attributes, texts = self.set_attributes(row)
            out.write(list_line(SET_COLUMNS, attributes.items(), " ".join(
                text + ";" for text in texts)) + "\n")
        out.write("</list>\n")

    def write_hidden(self, out):
        """Sets that are known and cannot be counted, and why."""
        rows = [row for row in
                read_tsv(os.path.join(HERE, "left-out.tsv"))[1]
                if self.driver == "i915" and
                self.name in row["platforms"].split(",")]
        if rows:
            out.write(list_head("hidden", HIDDEN_COLUMNS, "") + "\n")
        for row in rows:
            for name in row["sets"].split():
                out.write(list_line(HIDDEN_COLUMNS, [
                    ("set", name), ("reason", row["reason"]),
                    ("remedy", row["remedy"])], "") + "\n")
        if rows:
            out.write("</list>\n")

    def set_attributes(self, row):
        """And the counters beside the basics; those of which the set says
        nothing come first."""
        name = row["set"]
        counters = self.counters[name]
        attributes = {"name": name, "description": self.describe_set(name)}
        if row["i915_format"] == "14":
            attributes.update({"engine": "video", "format": "14"})
        if name in self.extrapolating:
            attributes["extrapolates"] = "1"
        condition = self.set_condition(name)
        if condition:
            attributes["if"] = condition
        if counters[:len(self.basics)] == self.basics:
            counters = counters[len(self.basics):]
        else:
            attributes["basics"] = "0"
        return attributes, sorted(
            (self.definition(c) for c in counters),
            key=lambda text: " " in text)

    def definition(self, counter):
        """A line of a set: only what the counter element does not say."""
        known = self.shared.get(counter.name) or \
            self.family_of.get(counter.name, counter)
        condition = known.condition
        if counter.name in self.family_of:
            numbers = family_numbers(self.family_pattern(counter.name),
                                     counter.name)
            condition = fill_numbers(condition, numbers)
        text = counter.name
        if counter.expression != known.expression:
            text += " = " + counter.expression
        if counter.condition != condition:
            if not counter.condition:
                die("%s is not conditional everywhere" % counter.name)
            text += " if " + counter.condition
        return text

    def family_pattern(self, symbol):
        return self.rules.family(symbol)[0]

    def set_condition(self, name):
        """A set whose signals come from absent hardware is not offered."""
        lists = [r for r in self.registers[name] if r["kind"] == "NOA"]
        if not lists or not all(r["availability"] for r in lists):
            return ""
        terms = [translate(r["availability"], {}) for r in lists]
        if len(terms) == 1:
            return terms[0].text
        return " || ".join(t.within(RANK["&&"]) for t in terms)

    def write_registers(self, out, row):
        out.write("<set name=%s guid=%s>\n" % (quoteattr(row["set"]),
                                               quoteattr(row["guid"])))
        for entry in self.registers[row["set"]]:
            condition = translate(entry["availability"], {}).text \
                if entry["availability"] else ""
            kind = {"NOA": "mux", "OA": "boolean",
                    "FLEX": "flex"}[entry["kind"]]
            attributes = "".join(
                " %s=%s" % (name, quoteattr(value)) for name, value in (
                    ("id", entry.get("config_id", "")), ("priority", entry["priority"]),
                    ("if", condition)) if value and value != "0")
            out.write("<%s%s>\n" % (kind, attributes))
            out.write(wrap_registers(entry["pairs"].split()))
            out.write("</%s>\n" % kind)
        out.write("</set>\n")


def sources(text):
    """What the facts say about their source, as lines of our comment."""
    text = text.split(": ", 1)[-1].replace("--", "-").replace(",", ", ")
    text = re.sub(r" \([^()]*notes\.md[^()]*\)", "", text.replace(",  ", ", "))
    parts = [p for p in text.split("; ") if not p.startswith("chipset")]
    rest = "; ".join(parts[1:])
    rest = re.sub(r"^corrected [-\d]+ from", "Corrected from", rest)
    rest = re.sub(r"^guids", "GUIDs", re.sub("^added", "Added", rest))
    return "".join(
        textwrap.fill(part + ".", 90, initial_indent="     ",
                      subsequent_indent="     ", break_on_hyphens=False,
                      break_long_words=False) + "\n"
        for part in ["Source: " + parts[0], rest] if part)


COUNTER_COLUMNS = ["name", "unit", "expression", "type", "kind"]
SET_COLUMNS = ["name", "description"]
HIDDEN_COLUMNS = ["set", "reason", "remedy"]


def counter_line(name, counter, text):
    cells = {"name": name, "unit": counter.unit,
             "expression": counter.expression}
    if counter.type != "uint64":
        cells["type"] = counter.type
    if counter.kind != "cumulative":
        cells["kind"] = counter.kind
    if counter.condition:
        cells["if"] = counter.condition
    return list_line(COUNTER_COLUMNS, cells.items(), text) + "\n"


def family_numbers(pattern, symbol):
    regex = "(\\d+)".join(re.escape(part) for part in pattern.split("#"))
    return re.fullmatch(regex, symbol).groups()


def fill_numbers(text, numbers):
    return re.sub(r"#(\d)", lambda m: numbers[int(m[1]) - 1], text)


def family_condition(pattern, counters):
    """The condition of all members, with #1 for the first number of a name."""
    for index in range(1, pattern.count("#") + 1):
        for text in ("XeCore#%d" % index, "GtSlice#%d" % index):
            if all(c.condition == fill_numbers(
                    text, family_numbers(pattern, c.name)) for c in counters):
                return text
    conditions = set(c.condition for c in counters)
    return conditions.pop() if len(conditions) == 1 else None


def wrap_registers(pairs):
    """"9888: 166c01e0 12170280": an address holds until the next one."""
    words, last = [], None
    for pair in pairs:
        address, value = pair.split("=")
        if address != last:
            words.append(address + ":")
            last = address
        words.append("%x" % int(value, 16))
    lines, line = [], ""
    for word in words:
        if line and len(line) + 1 + len(word) > 79:
            lines.append(line)
            line = ""
        line += (" " if line else "") + word
    return "\n".join(lines + [line]) + "\n"


# ------------------------------------------------------------------- platforms

CHIPS = {
    "hsw": "Haswell", "bdw": "Broadwell", "chv": "Cherry View",
    "sklgt2": "Skylake GT2", "sklgt3": "Skylake GT3", "sklgt4": "Skylake GT4",
    "bxt": "Broxton", "kblgt2": "Kaby Lake GT2", "kblgt3": "Kaby Lake GT3",
    "glk": "Gemini Lake", "cflgt2": "Coffee Lake GT2",
    "cflgt3": "Coffee Lake GT3", "cnl": "Cannon Lake", "icl": "Ice Lake",
    "ehl": "Elkhart Lake", "tglgt1": "Tiger Lake GT1",
    "tglgt2": "Tiger Lake GT2", "rkl": "Rocket Lake", "dg1": "DG1",
    "adl": "Alder Lake P", "adls": "Alder Lake S", "adln": "Alder Lake N",
    "acmgt1": "DG2-G11", "acmgt2": "DG2-G12",
    "acmgt3": "DG2-G10", "mtlgt2": "Meteor Lake", "mtlgt3": "Meteor Lake",
    "arlgt1": "Arrow Lake", "arlgt2": "Arrow Lake",
}

CODENAMES = {
    "ivybridge": "Ivy Bridge", "valleyview": "Valley View",
    "skylake": "Skylake", "kabylake": "Kaby Lake", "coffeelake": "Coffee Lake",
    "cometlake": "Comet Lake",
}

# What only the xe driver drives: no GPU of i915's, known or not.
XE_ONLY = ("novalake_s", "crescentisland")


def generation_of(row):
    version = float(row["ip_version"])
    for limit, name in ((8, "gen7"), (9, "gen8"), (12, "gen9"),
                        (12.5, "gen12"), (12.6, "xehp"), (13, "xelpg")):
        if version < limit:
            return name
    die("no generation for %s" % row["platform"])


def write_platforms(facts, folder, wanted):
    source, rows = read_tsv(os.path.join(facts, "platforms.tsv"))
    _, devices = read_tsv(os.path.join(facts, "pci.tsv"))
    with open(os.path.join(folder, "platforms.xml"), "w",
              encoding="utf-8") as out:
        out.write("<!-- Generated by events/tools/gen_i915.py. Sources: Linux "
                  "6.12 drivers/gpu/drm/i915\n     (formats, clocks), IGT "
                  "2025-10 and Mesa 25.0.7 (device ids, EU threads). -->\n"
                  "<platforms driver=\"i915\">\n")
        out.write(list_head("platform", PLATFORM_COLUMNS, "") + "\n")
        for row in rows:
            if row["platform"] in wanted:
                out.write(platform_line(row, rows))
        out.write("</list>\n")
        unsupported = collections.defaultdict(list)
        for device in devices:
            if not device["key"] and device["codename"] not in XE_ONLY:
                unsupported[device["codename"], device["gt"]].append(
                    device["device"])
        columns = ["chip", "ids"]
        out.write(list_head("unsupported", columns, "") + "\n")
        for (codename, gt), ids in unsupported.items():
            chip = CODENAMES[codename] + (" GT" + gt if gt != "0" else "")
            out.write(list_line(columns, [("chip", chip),
                                          ("ids", " ".join(ids))], "") + "\n")
        out.write("</list>\n</platforms>\n")


PLATFORM_COLUMNS = ["name", "chip", "generation", "format", "timestamp-hz",
                    "eu-threads", "subslice-bits", "ids"]


def platform_line(row, rows):
    name = row["platform"]
    ids = row["pci_ids"].split(",")
    twin = {"mtlgt2": "mtlgt3", "arlgt1": "arlgt2"}
    attributes = [("name", name), ("chip", CHIPS[name]),
                  ("generation", generation_of(row)),
                  ("format", row["default_format"]),
                  ("timestamp-hz", row["oa_timestamp_hz_typical"]),
                  ("eu-threads", row["eu_threads"]),
                  ("subslice-bits", row["subslice_mask_bits_per_slice"])]
    if float(row["ip_version"]) >= 12.5:
        attributes.append(("xecores-per-slice", "4"))
    if row["platform"] in ("icl", "ehl"):
        attributes.append(("full-sseu", "1"))
    # Which of two tables serves a GPU is told by its number of EUs.
    for small, large in twin.items():
        if name in (small, large):
            both = next(r for r in rows if r["platform"] in (small, large) and
                        r["platform"] != name)
            ids = sorted(ids + both["pci_ids"].split(","))
            if name == small:
                attributes.append(("max-eus", "64"))
    attributes.append(("ids", " ".join(ids)))
    return list_line(PLATFORM_COLUMNS, attributes, "") + "\n"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    facts, folder, wanted = sys.argv[1], sys.argv[2], sys.argv[3:]
    _, rows = read_tsv(os.path.join(facts, "platforms.tsv"))
    known = [r["platform"] for r in rows]
    rules = Rules(os.path.join(HERE, "counters.txt"))
    set_rules = Rules(os.path.join(HERE, "sets.txt"))
    oa_differences.say_known(
        read_tsv(os.path.join(facts, "mdapi-diff.tsv"))[1])
    for name in wanted or known:
        Platform(facts, name, rules, set_rules).write(folder)
    write_platforms(facts, folder, known)


if __name__ == "__main__":
    main()
