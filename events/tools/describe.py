# SPDX-License-Identifier: BSD-3-Clause
"""Units and descriptions of events, from patterns over their names.

A pattern file has the columns event, unit, description, generations. `event`
is a regular expression for the whole name, of either case; the first row that
matches counts. In the description `{1}` is the first group spelled out with
the dictionary, `{1!}` the group as it stands, and what stands in brackets is
left out where the groups in it are empty. Where the unit is `events`, but the
description begins with one, it is that. `words.tsv` is the dictionary: word (one
or more parts of a name), text, blocks (blank: all).
"""

import os
import re

from tsv import applies, read_tsv

NUMBERS = ((r"(\d+)B", r"\1-byte"), (r"(\d+)BIT", r"\1-bit"),
           (r"(\d+)TO(\d+)", r"\1 to \2"), (r"GE(\d+)", r"at least \1"),
           (r"GT(\d+)", r"more than \1"), (r"LT(\d+)", r"fewer than \1"),
           (r"(\d+)(CYCLES|PIX|PLANE|BLOCKS?|FRAG|MAXFRAGS|PPC)",
            r"\1 \2"), (r"LT(\d+)K", r"less than \1K"),
           (r"GT(\d+)K", r"more than \1K"))
LONGEST = 6  # parts of a name that one entry of the dictionary may cover


class Dictionary:
    def __init__(self, path):
        self.common, self.special = {}, {}
        for row in read_tsv(path)[0]:
            for block in row["blocks"].split() or [None]:
                words = (self.common if block is None
                         else self.special.setdefault(block, {}))
                words[row["word"]] = row["text"]
        self.unknown = {}

    def look_up(self, block, word):
        special = self.special.get(block, {})
        return special.get(word, self.common.get(word))

    def spell_part(self, block, part):
        """One part of a name, where the dictionary has nothing for it."""
        for pattern, text in NUMBERS:
            match = re.fullmatch(pattern, part)
            if match:
                return match.expand(text).lower()
        match = re.fullmatch(r"([A-Z]+)(\d+)", part)
        if match:
            text = self.look_up(block, match[1] + "#")
            if text:
                return text.replace("#", match[2])
            text = self.look_up(block, match[1])
            return f"{text or self.guess(match[1])} {match[2]}"
        return self.guess(part)

    def guess(self, part):
        """A word stays in capitals if it cannot be one: no vowel in it."""
        if not re.fullmatch(r"\d+", part):
            self.unknown[part] = self.unknown.get(part, 0) + 1
        if re.fullmatch(r"[B-DF-HJ-NP-TV-XZ]{2,}\d*", part):
            return part
        return part.lower()

    def expand(self, block, name):
        parts = [p for p in name.upper().split("_") if p]
        texts, i = [], 0
        while i < len(parts):
            for size in range(min(LONGEST, len(parts) - i), 0, -1):
                text = self.look_up(block, "_".join(parts[i:i + size]))
                if text is not None:
                    break
            else:
                size, text = 1, self.spell_part(block, parts[i])
            if text:
                texts.append(text)
            i += size
        return " ".join(texts)


COUNTED = ("waves", "threads", "instructions", "requests", "pixels", "texels",
           "primitives", "vertices", "messages", "quads", "tiles", "fragments",
           "samples", "exports", "packets", "entries", "sectors", "tags", "rays")


def counted(unit, text):
    first = text.split(maxsplit=1)[0].lower()
    return first if unit == "events" and first in COUNTED else unit


class Describer:
    def __init__(self, folder, key):
        self.folder, self.key = folder, key
        self.words = Dictionary(os.path.join(folder, "words.tsv"))
        self.files = {}
        self.doubles = []  # told apart by their names only

    def patterns(self, name):
        if name not in self.files:
            path = os.path.join(self.folder, "patterns", name + ".tsv")
            rows = [r for r in read_tsv(path)[0] if applies(r, self.key)]
            self.files[name] = [
                (re.compile(r["event"], re.IGNORECASE), r["unit"],
                 r["description"]) for r in rows]
        return self.files[name]

    def describe(self, block, files, name):
        """Unit and text for an event of a block."""
        for file in files:
            for pattern, unit, text in self.patterns(file):
                match = pattern.fullmatch(name)
                if match:
                    text = self.fill(block, text, match)
                    return counted(unit, text), text
        raise SystemExit(f"{block}.{name}: no pattern matches")

    def fill(self, block, text, match):
        def group(found):
            raw = match[int(found[1])] or ""
            return raw if found[2] else self.words.expand(block, raw)

        def optional(found):
            """What stands in brackets goes where its groups are empty."""
            return found[1] if any(match[int(number)] for number in
                                   re.findall(r"\{(\d)", found[1])) else ""

        text = re.sub(r"\[([^\]]*)\]", optional, text)
        text = re.sub(r"\{(\d)(!?)\}", group, text)
        text = re.sub(r" +", " ", text).strip()
        text = text[0].upper() + text[1:]
        return text if text.endswith(".") else text + "."
