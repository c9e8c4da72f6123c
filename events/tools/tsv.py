# SPDX-License-Identifier: BSD-3-Clause
"""Tables of tab separated columns, as the facts and our own data have them."""


def read_tsv(path):
    """The rows as dictionaries, and the text of the line '# source: ...'."""
    rows, header, source = [], None, ""
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip("\n")
            if line.startswith("# source: "):
                source = line[len("# source: "):]
            elif not line or line.startswith("#"):
                continue
            elif header is None:
                header = line.split("\t")
            else:
                cells = line.split("\t")
                if len(cells) > len(header):
                    raise SystemExit(f"{path}:{number}: too many columns")
                cells += [""] * (len(header) - len(cells))
                rows.append(dict(zip(header, cells)))
    return rows, source


def applies(row, key):
    """Is this row for that generation? A blank list: for all of them."""
    return not row["generations"] or key in row["generations"].split()
