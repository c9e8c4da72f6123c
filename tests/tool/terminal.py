#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run a program on a terminal of its own and look at its screen.

usage: terminal.py ROWSxCOLUMNS STEP... -- COMMAND [ARGUMENT]...

Steps: "has TEXT", "lacks TEXT" and "first TEXT" wait until the screen, or its
first line, is so; "key TEXT" types, with Python's escapes; "size ROWSxCOLUMNS";
"signal NAME"; "colour N CHAR" waits until CHAR is drawn in
colour N, and "plain" looks whether there was no colour; "print" shows the screen; "ends STATUS" waits for the end and
looks whether the terminal is what it was before. A step that does not come
true is told, with the screen, and ends it with status 1.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

PATIENCE = 120  # seconds: what takes longer hangs, on any machine


class Screen:
    """As much of xterm as curses uses."""

    TOKEN = re.compile(
        r"\x1b\[([?>]?)([0-9;]*)([@-~])|\x1b[()][0-9A-B]|\x1b[=>78cDEHM]|"
        r"[\x00-\x1a\x1c-\x1f]|[^\x00-\x1f]|\x1b\]?$", re.S)
    UNFINISHED = re.compile(r"\x1b(\[[?>]?[0-9;]*|[()])?$")

    def __init__(self, rows, columns):
        self.modes = {}
        self.row = self.column = 0
        self.last = " "
        self.colour = None
        self.drawn = set()  # all that was: colour and character
        self.rest = ""
        self.resize(rows, columns)

    def resize(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.top, self.bottom = 0, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = min(self.row, rows - 1)
        self.column = min(self.column, columns - 1)

    def lines(self):
        return ["".join(line).rstrip() for line in self.cells]

    def put(self, char, times=1):
        for _ in range(times):
            if self.column >= self.columns:
                self.column = 0
                self.row = min(self.row + 1, self.rows - 1)
            self.cells[self.row][self.column] = char
            self.drawn.add((self.colour, char))
            self.column += 1
        self.last = char

    def scroll(self, first, down):
        """Move the lines from one on, within the margins."""
        for _ in range(abs(down)):
            gone, new = ((self.bottom - 1, first) if down > 0 else
                         (first, self.bottom - 1))
            self.cells.pop(gone)
            self.cells.insert(new, [" "] * self.columns)

    def control(self, char):
        if char == "\r":
            self.column = 0
        elif char == "\n":
            if self.row == self.bottom - 1:
                self.scroll(self.top, -1)
            else:
                self.row = min(self.row + 1, self.rows - 1)
        elif char == "\b":
            self.column = max(min(self.column, self.columns - 1) - 1, 0)
        elif char == "\t":
            self.column = min(self.column // 8 * 8 + 8, self.columns - 1)

    def blank(self, first, last):
        """Cells by their number, row by row."""
        for at in range(first, last):
            self.cells[at // self.columns][at % self.columns] = " "

    def sequence(self, private, numbers, final):
        values = [int(n or 0) for n in numbers.split(";")]
        n = max(values[0], 1)
        here = self.row * self.columns + min(self.column, self.columns - 1)
        line = self.row * self.columns
        end = self.rows * self.columns
        if private or final in "hl":
            for value in values:
                self.modes[private + str(value)] = final == "h"
        elif final in "Hf":
            self.row = min(n, self.rows) - 1
            self.column = min(max((values + [1])[1], 1), self.columns) - 1
        elif final == "d":
            self.row = min(n, self.rows) - 1
        elif final == "G":
            self.column = min(n, self.columns) - 1
        elif final == "A":
            self.row = max(self.row - n, 0)
        elif final == "B":
            self.row = min(self.row + n, self.rows - 1)
        elif final == "C":
            self.column = min(self.column + n, self.columns - 1)
        elif final == "D":
            self.column = max(self.column - n, 0)
        elif final == "J":
            self.blank(*((here, end), (0, here + 1), (0, end))[values[0]])
        elif final == "K":
            self.blank(*((here, line + self.columns), (line, here + 1),
                         (line, line + self.columns))[values[0]])
        elif final == "X":
            self.blank(here, min(here + n, line + self.columns))
        elif final == "b":
            self.put(self.last, n)
        elif final == "P":
            cells = self.cells[self.row]
            del cells[self.column:self.column + n]
            cells.extend([" "] * (self.columns - len(cells)))
        elif final == "@":
            cells = self.cells[self.row]
            cells[self.column:self.column] = [" "] * n
            del cells[self.columns:]
        elif final == "r":
            # a program may not know yet that the screen has shrunk
            self.top = min(n, self.rows) - 1
            self.bottom = min((values + [0])[1] or self.rows, self.rows)
            self.row = self.column = 0
        elif final in "LM":
            self.scroll(self.row, n if final == "L" else -n)
        elif final in "ST":
            self.scroll(self.top, n if final == "T" else -n)
        elif final == "m":
            for value in values:
                if 30 <= value <= 37:
                    self.colour = value - 30
                elif value in (0, 39):
                    self.colour = None
        elif final != "t":
            raise ValueError(f"this screen has no sequence {final!r}")

    def feed(self, text):
        text = self.rest + text
        match = self.UNFINISHED.search(text)
        self.rest = match.group() if match else ""
        if match:
            text = text[:match.start()]
        for token in self.TOKEN.finditer(text):
            word = token.group()
            if token.group(3):
                self.sequence(*token.groups())
            elif len(word) == 1 and word >= " ":
                self.put(word)
            elif len(word) == 1:
                self.control(word)
            elif word == "\x1bM":
                if self.row == self.top:
                    self.scroll(self.top, 1)
                else:
                    self.row = max(self.row - 1, 0)


def size_of(text):
    return tuple(int(n) for n in text.split("x"))


class Terminal:
    def __init__(self, size, command):
        self.screen = Screen(*size)
        self.master, self.slave = pty.openpty()
        self.set_size(size)
        self.before = termios.tcgetattr(self.slave)
        self.decoder = __import__("codecs").getincrementaldecoder("utf-8")()
        self.process = subprocess.Popen(
            command, stdin=self.slave, stdout=self.slave, stderr=self.slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def set_size(self, size):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ,
                    struct.pack("HHHH", *size, 0, 0))

    def read(self):
        """What is there, after a moment's wait at most."""
        if select.select([self.master], [], [], 0.05)[0]:
            self.screen.feed(self.decoder.decode(os.read(self.master, 65536)))
            return True
        return False

    def wait(self, is_so):
        end = time.monotonic() + PATIENCE
        while not is_so():
            if not self.read() and (time.monotonic() > end or
                                    self.process.poll() is not None):
                self.read()
                return is_so()
        return True

    def text(self):
        return "\n".join(self.screen.lines())

    def is_restored(self):
        while self.read():
            pass
        modes = self.screen.modes
        return (termios.tcgetattr(self.slave) == self.before and
                not modes.get("?1049") and not modes.get("?1") and
                modes.get("?25", True))

    def ends(self, status):
        if not self.wait(lambda: self.process.poll() is not None):
            return False
        return self.process.wait() == int(status) and self.is_restored()

    def step(self, step):
        word, _, rest = step.partition(" ")
        if word == "has":
            return self.wait(lambda: rest in self.text())
        if word == "lacks":
            return self.wait(lambda: rest not in self.text())
        if word == "first":
            return self.wait(lambda: rest in self.screen.lines()[0])
        if word == "colour":
            number, char = rest.split()
            return self.wait(lambda: (int(number), char) in self.screen.drawn)
        if word == "plain":
            return all(colour is None for colour, _ in self.screen.drawn)
        if word == "ends":
            return self.ends(rest)
        if word == "key":
            os.write(self.master, rest.encode().decode("unicode_escape")
                     .encode())
        elif word == "size":
            self.screen.resize(*size_of(rest))
            self.set_size(size_of(rest))
        elif word == "signal":
            self.process.send_signal(getattr(signal, "SIG" + rest))
        elif word == "print":
            print(self.text())
        else:
            sys.exit(f"no step is called {word!r}")
        return True


def main():
    split = sys.argv.index("--")
    os.environ["TERM"] = "xterm"
    terminal = Terminal(size_of(sys.argv[1]), sys.argv[split + 1:])
    for step in sys.argv[2:split]:
        if not terminal.step(step):
            print(f"it did not come true: {step}, with status "
                  f"{terminal.process.poll()}, on this screen:")
            print(terminal.text())
            terminal.process.kill()
            sys.exit(1)
    if terminal.process.poll() is None:
        terminal.process.kill()


main()
