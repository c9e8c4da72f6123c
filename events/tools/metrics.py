# SPDX-License-Identifier: BSD-3-Clause
"""Metrics: ROCm's expressions and those of ours, in the language of
events/README.md, with units, types and descriptions from our metrics.tsv."""

import re
import sys

from differences import Guards, tell
from xmltext import comment, list_head, list_line

# Whose rows of rocprof-metrics.tsv a generation takes. ROCm has none for gfx7;
# gfx8's are taken where the counters of the same name exist.
ROCM = {"gfx7": "gfx8", "gfx10.1": "gfx10", "gfx10.3": "gfx10"}
# Whose rows of gpa-derived.tsv it takes.
GPA = {"gfx7": "gfx8", "gfx906": "gfx9", "gfx11.5": "gfx11"}
FUNCTIONS = {"sum", "avr", "max", "min", "accumulate", "float", "uint", "div",
             "HIGH_RES", "LOW_RES"}
CONSTANTS = {"SE_NUM", "SA_PER_SE", "CU_NUM", "SIMD_NUM", "MAX_WAVE_SIZE",
             "L2_CHANNELS", "XCC_NUM", "MAX_ENGINE_CLOCK_MHZ",
             "MAX_MEMORY_CLOCK_MHZ"}
OVER_INSTANCES = {
    "sum": ("uint64", "cumulative", "Sum over all instances"),
    "avr": ("double", "average", "Mean over the instances"),
    "max": ("uint64", "average", "Largest of the instances"),
    "min": ("uint64", "average", "Smallest of the instances"),
    "accumulate": ("uint64", "cumulative", "Sum over all clock cycles"),
}
COLUMNS = ["name", "unit", "type", "kind", "expression"]
# What sizes add up to, and counts that are made of differences.
SIZES = ("bytes", "KiB")
WRAPPING = ("WRITE_REQ_32B", "MemWrites32B")


class Missing(Exception):
    """A counter that this generation has not."""


class Resolver:
    def __init__(self, facts, events, rocm, limits):
        """events: {(block, NAME): event}; rocm, limits: ROCm's name of, and
        counters by block"""
        self.events, self.rocm, self.limits = events, rocm, limits
        self.rows = [r for r in facts.rocprof
                     if r["gfx"] == ROCM.get(facts.key, facts.key)]
        self.rows += [{"metric": r["metric"], "kind": "expr",
                       "expression": r["expression"]}
                      for r in facts.listed() + facts.ours("own-metrics.tsv")
                      if r["expression"]]
        self.event_rows = {r["metric"]: r for r in self.rows
                           if r["kind"] == "event"}
        self.metrics = {r["metric"] for r in self.rows if r["kind"] == "expr"}
        self.blocks = {block for block, _ in events}

    def candidates(self, word):
        """(block, name) pairs that ROCm's spelling may mean."""
        for block in sorted(self.blocks, key=len, reverse=True):
            for prefix in (block, self.rocm[block]):
                if word.upper().startswith(prefix + "_"):
                    yield block, word.upper()[len(prefix) + 1:]
        for block in ("SQ_WGP", "SQ"):
            yield block, word.upper()

    def event(self, word):
        """The table's (block, NAME) of an event in ROCm's or our spelling."""
        if "." in word:
            found = tuple(word.upper().split(".", 1))
            if found in self.events:
                return found
            raise Missing(word)
        for block, name in self.candidates(word):
            for spelling in (name, name.replace("EA_", "EA0_"),
                             name.replace("LOAD", "READ")
                             .replace("STORE", "WRITE")):
                if (block, spelling) in self.events:
                    return block, spelling
        return self.event_by_number(word)

    def event_by_number(self, word):
        """For ROCm's second name of an event, which it has under its number."""
        row = self.event_rows.get(word, {"block": None, "event": None})
        for (block, name), event in self.events.items():
            if block == row["block"] and str(event.number) == row["event"]:
                return block, name
        raise Missing(word)

    def fits(self, expression):
        """Has each block counters enough for its events in here?"""
        used = set(re.findall(r"([A-Z]\w*)\.\w+", expression))
        return all(len(set(re.findall(rf"\b{block}\.(\w+)", expression)))
                   <= self.limits[block] for block in used)

    def translate(self, expression, known):
        def word(match):
            text = match[0]
            if text in FUNCTIONS or text in CONSTANTS or text in known:
                return text
            block, name = self.event(text)
            return f"{block}.{self.events[block, name].name}"

        return re.sub(r"[A-Za-z_][\w.]*", word, expression)


def plain_function(expression):
    """Function and event of what is nothing else; blocks that ROCm reads as
    one sum stand there without a function."""
    match = re.fullmatch(r"(sum|avr|max|min)\(([\w.]+),\d+\)", expression)
    if match:
        return match.groups()
    match = re.fullmatch(r"(accumulate)\(([\w.]+),HIGH_RES\)", expression)
    if match:
        return match.groups()
    return ("sum", expression) if re.fullmatch(r"[A-Z]\w*", expression) \
        else None


def summed(unit):
    """The unit of the sum over all cycles of what is there."""
    if unit.endswith("-cycles"):
        return unit
    return {"waves": "wave-cycles", "instructions": "instruction-cycles",
            "requests": "request-cycles"}.get(unit, "entry-cycles")


def over_instances(resolver, expression):
    """Unit, type, kind and text of func(EVENT,N)."""
    function, word = plain_function(expression)
    block, name = resolver.event(word)
    event = resolver.events[block, name]
    type_, kind, what = OVER_INSTANCES[function]
    unit = summed(event.unit) if function == "accumulate" else event.unit
    return unit, type_, kind, \
        f"{what}: {block}.{event.name}. {event.text}"


class Ours:
    """Our rows about metrics, by pattern."""

    def __init__(self, rows):
        self.rows = [(re.compile(r["metric"]), r) for r in rows]
        self.used, self.hidden = [], []

    def find(self, name):
        fitting = [row for pattern, row in self.rows
                   if pattern.fullmatch(name)]
        self.used += fitting[:1]
        self.hidden += fitting[1:]
        return fitting[0] if fitting else None

    def refuse_hidden(self, key):
        """A row that is for this very generation must not stand behind one
        that counts in its place."""
        for row in self.hidden:
            if row["generations"] and row not in self.used:
                raise SystemExit(
                    f"metrics.tsv: the row of {row['metric']} for "
                    f"{row['generations']} is hidden by one before it in {key}")


def metric_line(name, unit, type_, kind, expression, text):
    return "\t" + list_line(COLUMNS, zip(COLUMNS, (name, unit, type_, kind,
                                                  expression)), text)


class Lines:
    """Lines of metrics, in the order of their names' first occurrence. The
    value of a double, and of whatever is made of sizes, is n/a where a
    difference in it is negative."""

    def __init__(self):
        self.lines, self.guards = {}, Guards()

    def put(self, name, cells, expression, remark=""):
        unit, type_ = cells[:2]
        if type_ == "double" or unit in SIZES or name in WRAPPING:
            self.guards.add(name, expression, unit in SIZES)
        self.lines[name] = cells, expression, remark

    def leave_out(self, name, why):
        self.lines[name] = None, None, f"{name} is left out: {why}"

    def expressions(self):
        """Of those with a value: (name, unit, expression)."""
        return [(name, cells[0], expression)
                for name, (cells, expression, _) in self.lines.items()
                if cells]

    def line(self, name):
        cells, expression, remark = self.lines[name]
        if remark:
            yield comment(remark)
        if not cells:
            return
        unit, type_, kind, text = cells
        guards = self.guards.of(name)
        if guards:
            type_, text = "double", f"{text} {tell(guards)}"
            if expression not in self.lines:
                expression = f"{'&&'.join(guards)}?{expression}:0/0"
        yield metric_line(name, unit, type_, kind, expression, text)

    def all(self):
        for name in self.lines:
            yield from self.line(name)


def rocm_metrics(resolver, ours):
    """The lines of ROCm's metrics, and their names; those that use a metric we
    had to leave out are left out too."""
    known, lines = set(resolver.metrics), Lines()
    wanted = [r for r in resolver.rows if r["kind"] == "expr"]
    changed = True
    while changed:
        changed = False
        for row in wanted:
            name = row["metric"]
            if name not in known:
                continue
            own = ours.find(name)
            if own and own["unit"] == "-":
                lines.leave_out(name, own["text"])
                known.discard(name)
                changed = True
                continue
            source = own["expression"] if own and own["expression"] \
                else row["expression"]
            try:
                expression = resolver.translate(source, known)
            except Missing as missing:
                lines.leave_out(name, f"there is no {missing} here.")
                known.discard(name)
                changed = True
                continue
            if own:
                cells = own["unit"], own["type"], own["kind"], own["text"]
            elif plain_function(row["expression"]):
                cells = over_instances(resolver, row["expression"])
            else:
                raise SystemExit(f"metrics.tsv has no row for {name}")
            lines.put(name, cells, expression, own and own["comment"])
    return lines, known


class Derived:
    """The metrics of AMD's GPU Performance API in this generation."""

    def __init__(self, facts):
        key = GPA.get(facts.key, facts.key)
        rows = facts.derived_formulas(key)
        self.formulas = {row["metric"]: row["expression"] for row in rows}
        self.reasons = {row["metric"]: row["reason"] for row in rows}
        self.needs = {}
        for row in facts.derived:
            if row["gen"] == key:
                self.needs.setdefault(row["derived_counter"], set()).add(
                    (row["block"], row["event_name"].upper()))

    def expression(self, row):
        """The API's formula, or ours if it counts what the API counts."""
        name = row["metric"]
        if self.formulas.get(name) or not row["expression"]:
            return self.formulas.get(name)
        used = {tuple(word.upper().split("."))
                for word in re.findall(r"[A-Z]\w*\.\w+", row["expression"])}
        return row["expression"] if used <= self.needs.get(name, set()) \
            else None


def nature(expression):
    """Type and kind of what an expression computes from sums."""
    if "/" in expression:
        return "double", "average"
    if re.search(r"\?|max\([\w.]+\)", expression):
        return "uint64", "average"  # parts of a time do not add up to all of it
    return "uint64", "cumulative"


def share_of_rest(expression):
    """1-a/b, which is 1 where both are 0, as (b-a)/b, which then is n/a."""
    return re.sub(r"\(1-([\w.]+)/([\w.]+)\)", r"((\2-\1)/\2)", expression)


def quotient(expression):
    """min(a/b*100,100) and b?a/b*100:0, which are 0 where b is, as
    min(a,b)/b*100 and a/b*100, which then are n/a."""
    expression = re.sub(r"min\((.+)/([\w.]+)\*100,100\)",
                        r"min(\1,\2)/\2*100", expression)
    return re.sub(r"([\w.]+|\([\w.+]+\))\?(.+)/\1(\)?\*100):0", r"\2/\1\3",
                  expression)


def derived_metrics(facts, resolver, known, derived):
    """The lines of those that ROCm has not."""
    lines = Lines()
    for row in facts.ours("derived.tsv"):
        name = row["metric"]
        source = derived.expression(row)
        if name in known or not source:
            continue
        try:
            expression = quotient(share_of_rest(
                resolver.translate(source, known)))
        except Missing as missing:
            derived.reasons[name] = f"there is no {missing} here"
            continue
        if not resolver.fits(expression):
            derived.reasons[name] = "a block has not counters enough"
            continue
        known.add(name)
        lines.put(name, (row["unit"], *nature(expression), row["text"]),
                  expression)
    return lines


def left_out(derived, known):
    """Comments on the metrics that are not there, one for each reason."""
    reasons = {}
    for name, reason in derived.reasons.items():
        if name not in known:
            reasons.setdefault(reason, []).append(name)
    for reason, names in reasons.items():
        yield comment(f"Left out, since {reason}: "
                      f"{', '.join(names)}.")


def level_sums(resolver, marks, known):
    """BLOCK_LEVEL_ACCUM of every level, as ROCm calls it: what ":accumulate"
    behind the name of the level means."""
    blocks = {block for block, event in marks
              if marks[block, event]["follows"]
              and (block, event) in resolver.events}
    for (block, name), event in resolver.events.items():
        metric = f"{block}_{event.name}_ACCUM"
        if (block not in blocks or metric in known
                or not re.search(r"(?:^|_)LEVEL(?:_|$)", name)):
            continue
        known.add(metric)
        type_, kind, what = OVER_INSTANCES["accumulate"]
        yield metric_line(metric, summed(event.unit), type_, kind,
                          f"accumulate({block}.{event.name})",
                          f"{what}: {block}.{event.name}. {event.text}")


def make_metrics(facts, resolver, marks):
    ours = Ours(facts.ours("metrics.tsv"))
    lines, known = rocm_metrics(resolver, ours)
    ours.refuse_hidden(facts.key)
    yield list_head("metric", COLUMNS)
    if lines.lines:
        yield comment(f"Metrics of ROCm: {facts.rocprof_source}.")
        if facts.key in ROCM:
            yield comment(f"Those of {ROCM[facts.key]}, with the event numbers "
                          "of this generation.")
    yield from lines.all()
    derived = Derived(facts)
    added = derived_metrics(facts, resolver, known, derived)
    if added.lines:
        yield comment("Metrics named as in AMD's GPU Performance API, with "
                      "its formulas for Vulkan: "
                      f"{facts.derived_source.split(';')[0]}.")
    yield from added.all()
    yield from level_sums(resolver, marks, known)
    yield from left_out(derived, known)
    yield from check_sizes(facts, resolver,
                           lines.expressions() + added.expressions())
    yield "\t</list>"
    tell_missing(facts, known)


def check_sizes(facts, resolver, metrics):
    """Comments on the sizes that no metric adds up, one for each reason. Each
    of the events that count requests of one size is in a metric of bytes, or
    in sizes.tsv."""
    used = " ".join(expression for _, unit, expression in metrics
                    if unit in SIZES)
    named = dict((name, expression) for name, _, expression in metrics)
    words = re.findall(r"[A-Za-z_][\w.]*", used)
    for word in words:
        words += re.findall(r"[A-Za-z_][\w.]*", named.pop(word, ""))
    rows = [(re.compile(row["event"]), row)
            for row in facts.ours("sizes.tsv")]
    reasons = {}
    for (block, name), event in resolver.events.items():
        text = f"{block}.{event.name}"
        if text in words or not re.search(r"_\d+B$", name):
            continue
        row = next((row for pattern, row in rows
                    if pattern.fullmatch(text)), None)
        if not row:
            raise SystemExit(f"{facts.key}: {text} is in no metric of bytes, "
                             "and sizes.tsv does not say why")
        reasons.setdefault(row["reason"], []).append(text)
    for reason, names in reasons.items():
        yield comment(f"Sizes that no metric adds up, since {reason}: "
                      f"{', '.join(names)}.")


def tell_missing(facts, known):
    """Print which of AMD's names the table has not."""
    missing = [row["metric"] for row in facts.listed()
               if row["metric"] not in known]
    print(f"{facts.key}: {len(missing)} of AMD's {len(facts.listed())} metrics "
          f"are not here{':' if missing else ''} {' '.join(missing)}",
          file=sys.stderr)
