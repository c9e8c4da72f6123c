#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Count an event of the GPU while a command runs, from Python.

usage: count_python.py EVENT COMMAND [ARGUMENT]...

It needs pypapi, python_papi of PyPI, built on a PAPI that has the component
drm: with a link to components/drm in its papi/src/components,
PAPI_COMPONENTS=drm pip install .
"""

import subprocess
import sys

from pypapi import consts
from pypapi import papi_low as papi
from pypapi.exceptions import PapiError, PapiInvalidValueError

# pypapi asks for PAPI 6, whatever PAPI it was built on.
VERSIONS = [consts.PAPI_VER_CURRENT] + [7 << 24 | minor << 16 for minor in range(10)]


def init():
    for version in VERSIONS:
        try:
            return papi.library_init(version)
        except PapiInvalidValueError:
            pass
    raise SystemExit("PAPI is of a version that this example does not know")


def count(event, command):
    init()
    events = papi.create_eventset()
    papi.add_named_event(events, event)
    papi.start(events)
    try:
        subprocess.run(command, check=False)
    finally:
        values = papi.stop(events)
    papi.cleanup_eventset(events)
    papi.destroy_eventset(events)
    return values[0]


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    try:
        print(sys.argv[1], count(sys.argv[1], sys.argv[2:]))
    except PapiError as error:
        raise SystemExit(f"{sys.argv[1]}: PAPI says {type(error).__name__}")


if __name__ == "__main__":
    main()
