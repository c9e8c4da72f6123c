#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The dashboard for Grafana: JSON, and of metrics that drmperf serve prints,
# with the types that its queries take them for.
. tests/papi/lib.sh

if ! command -v python3 > /dev/null; then
	skip "dashboard" "there is no python3"
	finish
fi
cat > "$work/check.py" << 'END'
import json, re, sys

dashboard = json.load(open(sys.argv[1]))
types, labels = {}, {}
for path in sys.argv[2:]:
    for line in open(path):
        if line.startswith("# TYPE "):
            name, kind = line.split()[2:]
            types[name] = kind
            if kind == "summary":
                types[name + "_sum"] = types[name + "_count"] = "counter"
        for label in re.findall(r'[{,](\w+)="', line):
            labels[label] = True
queries = [target["expr"] for panel in dashboard["panels"]
           for target in panel["targets"]]
queries += [variable["query"]["query"]
            for variable in dashboard["templating"]["list"]
            if variable["type"] == "query"]
names = set()
for query in queries:
    for name in re.findall(r"\bdrmperf_\w+", query):
        names.add(name)
        if name not in types:
            print("not printed:", name)
        elif (types[name] == "counter") != ("rate(" + name in query):
            print("a counter is asked for its rate, others are not:", query)
    for label in re.findall(r"[{,](\w+)=~", query):
        if label not in labels and label != "instance":
            print("no such label:", label)
ids = [panel["id"] for panel in dashboard["panels"]]
if len(ids) != len(set(ids)):
    print("two panels have one id")
taken = set()
for panel in dashboard["panels"]:
    at = panel["gridPos"]
    cells = {(x, y) for x in range(at["x"], at["x"] + at["w"])
             for y in range(at["y"], at["y"] + at["h"])}
    if taken & cells or at["x"] + at["w"] > 24:
        print("no place for:", panel["title"])
    taken |= cells
if len(names) < 10:
    print("it shows nothing")
END
python3 "$work/check.py" doc/grafana-dashboard.json tests/tool/serve/*.text \
	> "$work/out" 2>&1
if [ $? = 0 ] && [ ! -s "$work/out" ]; then
	ok "doc/grafana-dashboard.json shows what is printed"
else
	not_ok "doc/grafana-dashboard.json shows what is printed" "$work/out"
fi
finish
