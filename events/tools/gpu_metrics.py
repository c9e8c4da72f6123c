#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make events/amdgpu/gpu_metrics.xml from the tables in the folder amdgpu beside
this program: gpu-metrics.tsv, what the kernel's table holds where;
gpu-metrics-sensors.tsv, what is offered of it; throttle-bits.tsv.

    gpu_metrics.py OUTPUT
"""

import os
import sys

from tsv import read_tsv
from xmltext import attributes, comment, list_head, list_line

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "amdgpu")
# Units of the kernel's table: ours, the factor and divisor that lead there,
# and the greatest value that is one.
UNITS = {
    "C": ("mdegC", 1000, 1, None),
    "0.01 C": ("mdegC", 10, 1, None),
    "%": ("percent", 1, 1, 100),
    "0.01 %": ("percent", 1, 100, 10000),
    "W": ("mW", 1000, 1, None),
    "mW": ("mW", 1, 1, None),
    # W of some cores, which the rows of sensors leave out
    "mW or W": ("mW", 1, 1, None),
    "15.259 uJ": ("uJ", 15625, 1024, None),
    "KB": ("bytes", 1024, 1, None),
    "MB/s": ("B/s", 1000000, 1, None),
    "GB/s": ("B/s", 1000000000, 1, None),
    "MHz": ("MHz", 1, 1, None),
    "mV": ("mV", 1, 1, None),
    "RPM": ("rpm", 1, 1, None),
    "PM_TIMER cycles": ("cycles", 1, 1, None),
    "events": ("events", 1, 1, None),
    "lanes": ("lanes", 1, 1, None),
    "0.1 GT/s": ("MT/s", 100, 1, None),
    "bit mask": ("flag", 1, 1, None),
    "samples": ("steps", 1, 1, None),
    "% x samples": ("steps", 1, 1, None),
    "disputed": ("steps", 1, 1, None),
}
CLASSES = {"power": "power or by the limits on it", "current": "current",
           "temperature": "temperature",
           "other": "reasons other than power, current and temperature"}


def read(name):
    return read_tsv(os.path.join(HERE, name))


def throttle_sensors():
    """A sensor for each bit, and for all bits of a class."""
    rows = read("throttle-bits.tsv")[0]
    for row in rows:
        yield {"sensor": "throttle-" + row["reason"], "fields": row["field"],
               "kind": "momentary", "op": "any", "only": row["cores"],
               "mask": hex(1 << int(row["bit"])),
               "description": f"Whether clocks are lowered by "
                              f"{row['description']} at this moment: 1, "
                              "else 0."}
    groups = {}
    for row in rows:
        for core in row["cores"].split():
            key = (row["field"], row["class"], core)
            groups[key] = groups.get(key, 0) | 1 << int(row["bit"])
    cores_of = {}
    for (field, kind, core), mask in groups.items():
        cores_of.setdefault((field, kind, mask), []).append(core)
    for (field, kind, mask), cores in cores_of.items():
        yield {"sensor": "throttle-" + kind, "fields": field,
               "kind": "momentary", "op": "any", "only": " ".join(cores),
               "mask": hex(mask),
               "description": "Whether clocks are lowered at this moment by "
                              f"{CLASSES[kind]}: 1, else 0."}


def unit_of(field):
    if field["unit"] not in UNITS:
        raise SystemExit(f"{field['version']} {field['field']}: what is "
                         f"{field['unit']}?")
    return UNITS[field["unit"]]


def field_of(sensor, layout):
    """The field of this layout that the sensor shows, or None."""
    versions = sensor.get("versions", "").split()
    if versions and layout[0]["version"] not in versions:
        return None
    for field in layout:
        if field["field"] in sensor["fields"].split():
            if sensor["op"] != "any" and field["unit"] == "bit mask":
                raise SystemExit(f"{sensor['sensor']}: bits are no value")
            return field
    return None


def bounds(field):
    """Where its count says that it is an array."""
    count = int(field["count"])
    return [("count", count if count > 1 else None),
            ("stride", field["stride"])]


FIELD_COLUMNS = ["sensor", "at", "type"]
SENSOR_COLUMNS = ["key", "unit", "kind"]


def layout_lines(layout, sensors, units):
    columns = list(FIELD_COLUMNS)
    first = layout[0]
    form, content = first["version"].split(".")
    yield "\t<layout" + attributes([
        ("format", form), ("content", content), ("size", first["size"])]) + ">"
    yield list_head("field", columns, "\t\t")
    for sensor in sensors:
        field = field_of(sensor, layout)
        if not field:
            continue
        unit, factor, divisor, most = unit_of(field)
        if units.setdefault(sensor["key"], unit) != unit:
            raise SystemExit(f"{sensor['key']} has two units")
        yield "\t\t" + list_line(columns, [
            ("sensor", sensor["key"]), ("at", field["place"]),
            ("type", field["type"])] + bounds(field) + [
            ("factor", factor if factor != 1 else None),
            ("divisor", divisor if divisor != 1 else None),
            ("most", most)], "")
    yield "\t\t</list>"
    if "xcp." in " ".join(field["field"] for field in layout):
        count = next(f for f in layout if f["field"] == "num_partition")
        yield "\t\t<partitions" + attributes([
            ("at", count["place"]), ("type", count["type"])]) + "/>"
    yield "\t</layout>"


def sensor_lines(sensors, units):
    yield list_head("sensor", SENSOR_COLUMNS)
    for sensor in sensors:
        if sensor["key"] not in units:
            raise SystemExit(f"{sensor['key']} is of no layout")
        yield "\t" + list_line(SENSOR_COLUMNS, [
            ("key", sensor["key"]), ("unit", units[sensor["key"]]),
            ("kind", sensor["kind"])] +
            [(name, sensor.get(name)) for name in
             ("op", "mask", "bits", "zero", "only", "never")],
            sensor["description"])
    yield "\t</list>"


def table_lines():
    fields, source = read("gpu-metrics.tsv")
    sensors = read("gpu-metrics-sensors.tsv")[0] + list(throttle_sensors())
    seen, layouts, units = {}, {}, {}
    for sensor in sensors:
        name = sensor["sensor"]
        seen[name] = seen.get(name, 0) + 1
        sensor["key"] = name + (f"#{seen[name]}" if seen[name] > 1 else "")
    for field in fields:
        layouts.setdefault((field["version"], field["size"]), []).append(field)
    body = [line for layout in layouts.values()
            for line in layout_lines(layout, sensors, units)]
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield comment("SPDX-License-Identifier: BSD-3-Clause", "")
    yield ("<!--\n  Made by events/tools/gpu_metrics.py; change that or its "
           f"data, not this file.\n  Layouts: {source};\n  bits of throttling: "
           f"{read('throttle-bits.tsv')[1]}.\n-->")
    yield '<gpu-metrics driver="amdgpu">'
    yield from sensor_lines(sensors, units)
    yield from body
    yield "</gpu-metrics>"


def write_gpu_metrics(output):
    with open(os.path.join(output, "gpu_metrics.xml"), "w",
              encoding="utf-8") as file:
        file.write("\n".join(table_lines()) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    write_gpu_metrics(sys.argv[1])
