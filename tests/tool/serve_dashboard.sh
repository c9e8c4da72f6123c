#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The dashboard for Grafana is JSON, and asks for metrics that drmperf serve
# prints by default, with the right types. Each panel shows something of each
# kind of GPU that has it.
. tests/tool/lib.sh

if ! command -v python3 > /dev/null; then
	skip "doc/grafana-dashboard.json shows what is printed" \
		"there is no python3"
	finish
fi
cat > "$work/check.py" << 'END'
import json, re, sys

dashboard = json.load(open(sys.argv[1]))
types, labels, printed = {}, {}, {}
# What a GPU has no sensor for, or the kernel does not show.
absent = json.load(open("tests/tool/serve/absent.json"))
for path in sys.argv[2:]:
    gpu = path.split("/")[-1].split(".")[0]
    printed[gpu] = set()
    for line in open(path):
        if line.startswith("# TYPE "):
            name, kind = line.split()[2:]
            types[name] = kind
            if kind == "summary":
                types[name + "_sum"] = types[name + "_count"] = "counter"
        elif line[0] != "#":
            printed[gpu].add(re.match(r"\w+", line).group())
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
for panel in dashboard["panels"]:
    if panel["title"].startswith("Sources that cannot"):
        continue
    names_of = [re.findall(r"\bdrmperf_\w+", target["expr"])
                for target in panel["targets"]]
    for gpu, has in printed.items():
        shows = any(all(name in has for name in each) for each in names_of)
        if shows == (gpu in absent.get(panel["title"], ())):
            print(panel["title"], "shows" if shows else "shows nothing of", gpu)
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
for gpu in vega10 navi31 mi300 sklgt2 acmgt3 bmg; do
	DRMPERF_DIES=one "$sim" --load memory-bound --gpu $gpu -- "$tool" serve \
		--once -I 1 --textfile "$work/$gpu.prom" 2>> "$work/said"
done
python3 "$work/check.py" doc/grafana-dashboard.json "$work"/*.prom \
	> "$work/out" 2>&1
if [ $? = 0 ] && [ ! -s "$work/out" ]; then
	ok "doc/grafana-dashboard.json shows what is printed"
else
	not_ok "doc/grafana-dashboard.json shows what is printed" "$work/out"
fi
finish
