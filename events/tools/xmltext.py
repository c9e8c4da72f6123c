# SPDX-License-Identifier: BSD-3-Clause
"""Writing XML by hand, so that a table has one event per line, and reading
what is written like that."""

import re
import xml.etree.ElementTree as ElementTree


def escape(text):
    return (text.replace("&", "&amp;").replace("<", "&lt;")
            .replace(">", "&gt;").replace('"', "&quot;"))


def attributes(pairs):
    """' name="value"' of all that have a value."""
    return "".join(f' {name}="{escape(str(value))}"'
                   for name, value in pairs if value not in (None, ""))


def comment(text, indent="\t"):
    """A comment; two hyphens may not stand inside one."""
    return f"{indent}<!-- {text.replace('--', '- -')} -->"


def in_list(text):
    """Lists have no other references to characters."""
    return (text.replace("&", "&amp;").replace("<", "&lt;")
            .replace(">", "&gt;"))


def list_word(value):
    if '"' in value:
        raise SystemExit(f"no word of a list: {value}")
    return f'"{value}"' if re.search(r"[\s:=]|^$", value) else value


def list_line(columns, cells, text):
    """A line of a <list>: the values of the columns, as long as there are any;
    then name=value."""
    cells = {name: str(value) for name, value in cells
             if value not in (None, "")}
    words = []
    for name in columns:
        if name not in cells:
            break
        words.append(list_word(cells.pop(name)))
    words += [f"{name}={list_word(value)}" for name, value in cells.items()]
    return in_list(f"{' '.join(words)}: {text}".rstrip())


def list_head(of, columns, indent="\t"):
    return f'{indent}<list of="{of}" columns="{" ".join(columns)}">'


def element_of(of, columns, line):
    """What a line of a list stands for."""
    head = re.match(r'\s*((?:[^\s:="]+=|)(?:"[^"]*"|[^\s:="]+)\s*)+:', line)
    element = ElementTree.Element(of)
    words = re.findall(r'([^\s:="]+=|)(?:"([^"]*)"|([^\s:="]+))', head[0])
    for i, (name, quoted, plain) in enumerate(words):
        element.set(name[:-1] or columns[i], quoted or plain)
    element.text = line[head.end():].strip()
    return element


def read_table(path):
    """The root of a table, with elements instead of lists."""
    root = ElementTree.parse(path).getroot()
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag != "list":
                continue
            columns = child.get("columns").split()
            place = list(parent).index(child)
            parent.remove(child)
            for line in reversed((child.text or "").split("\n")):
                if line.strip():
                    parent.insert(place, element_of(child.get("of"), columns,
                                                    line))
    return root
