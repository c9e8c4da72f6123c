#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Milliseconds of the processor that a command takes, the middle of some runs.

The kernel tells them of the command alone, without the shell that starts it.
usage: spent.py TIMES COMMAND...
"""
import resource
import statistics
import subprocess
import sys


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run():
    before = used()
    subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, check=True)
    return 1000 * (used() - before)


print(f"{statistics.median(run() for _ in range(int(sys.argv[1]))):.3f}")
