# SPDX-License-Identifier: BSD-3-Clause
"""Writing XML by hand, so that a table has one event per line."""


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


def list_line(columns, others, text):
    """A line of a <list>: the columns that have a value, then name=value."""
    if escape(text).replace("&quot;", '"') != text:
        raise SystemExit(f"markup has no place in a list: {text}")
    words = [str(value) for value in columns if value not in (None, "")]
    words += [f"{name}={value}" for name, value in others
              if value not in (None, "")]
    return f"{' '.join(words)}: {text}"
