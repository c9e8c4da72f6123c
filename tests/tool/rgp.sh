#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf report --rgp writes what was streamed as AMD's profiler wants it. What
# counters add up to in the file is what they do in the recording.
. tests/tool/lib.sh

data=$work/data
advance="$sim ctl advance"
checker=tests/tool/rgp_check.py

# add_up FILE CSV [EVENT/FIGURE,...]...: print what each counter adds up to, by
# block, number and instance, and each figure, by name; complain of what is not
# the value that the CSV table has of the event
cat > "$work/add_up" << 'END'
import csv
import struct
import sys


def read_chunks(data):
    chunks = {}
    at = struct.unpack_from("<i", data, 16)[0]
    while at < len(data):
        kind, _, size = struct.unpack_from("<IIi", data, at)
        chunks[kind] = data[at:at + size]
        at += size
    return chunks


def add_counters(spm, sums):
    _, head, count, infos, step, _ = struct.unpack_from("<6I", spm, 16)
    for i in range(infos):
        block, instance, event, begin, size = struct.unpack_from(
            "<5I", spm, head + 8 * count + step * i)
        assert size == 4
        values = struct.unpack_from(f"<{count}I", spm, head + begin)
        name = f"{block}.{event}.{instance}"
        assert name not in sums, f"there are two of {name}"
        sums[name] = sum(values)


def add_figures(derived, sums):
    _, _, count, groups, figures, components = struct.unpack_from(
        "<6I", derived, 16)
    at, names = 44 + 8 * count, []
    for i in range(groups + figures + components):
        size, text, length = struct.unpack_from("<3I", derived, at)
        names.append(derived[at + text:at + text + length].decode())
        at += size
    for name in names[groups:]:
        values = struct.unpack_from(f"<{count}d", derived, at)
        at += 8 * count
        sums[name] = sum(values)
    assert at == len(derived)


sums = {}
chunks = read_chunks(open(sys.argv[1], "rb").read())
add_counters(chunks[8], sums)
add_figures(chunks[128], sums)
for name, value in sums.items():
    print(f"{name} {value:.0f}")
values = {}
for row in csv.DictReader(open(sys.argv[2])):
    instance = f":instance={row['instance']}" if row["instance"] else ""
    values[row["event"] + instance] = row["value"]
for pair in sys.argv[3:]:
    event, figures = pair.split("/")
    value = int(values["amdgpu::" + event])
    for figure in figures.split(","):
        if not value or sums.get(figure) != value:
            print(f"{event} is {value}, {figure} in the file is",
                  sums.get(figure), file=sys.stderr)
END

# adds_up NAME GPU EVENT/FIGURE,...: counters of $rates do so over 100 us
adds_up()
{
	local name=$1 gpu=$2 rate pair events=
	shift 2
	printf 'default zero\n' > "$work/scenario"
	{
		for rate in $rates; do
			echo "$sim ctl set rate '${rate/=/ }'"
		done
		echo "$advance 100us"
	} > "$work/script"
	for pair; do
		events=$events,amdgpu::${pair%/*}
	done
	run 0 $sim --strict --time virtual --scenario "$work/scenario" \
		--gpu $gpu -- "$tool" record --stream -o "$data" \
		-e "${events#,}" -- sh "$work/script" &&
		run 0 "$tool" report --rgp "$work/file.rgp" --csv \
			-o "$work/csv" "$data" &&
		run 0 python3 "$work/add_up" "$work/file.rgp" "$work/csv" "$@"
	if [ -s "$work/err" ]; then
		not_ok "$name" "$work/err"
	else
		ok "$name"
	fi
	check_fields "$gpu"
}

# check_fields GPU: every field of the file, by a program that has them from
# elsewhere
check_fields()
{
	local name="all fields of a file of $1 are as its format has them"
	if [ ! -e $checker ]; then
		skip "$name" "there is no $checker"
	elif python3 $checker "$work/file.rgp" > "$work/fields" 2>&1; then
		ok "$name"
	else
		not_ok "$name" "$work/fields"
	fi
}

rates='GL2C.3=700000000 SQ.26=3000000 TA.15=800000000 GL2C.99=10000000
	CPF.24=1000000000'
adds_up "counters of navi21 add up in the file" navi21 \
	GL2C.REQ/38.3.0,REQ SQ.WAVE_CYCLES/6.26.0,WAVE_CYCLES \
	TA.ta_busy:instance=3/8.15.3,ta_busy:instance=3 \
	CPF.CPF_STAT_BUSY/0.24.0,CPF_STAT_BUSY metric.FetchSize/FetchSize
tr '\0' '\n' < "$work/file.rgp" > "$work/texts"
has "the file names the GPU, groups and what is in them" "$work/texts" \
	'^Navi 21 \(Radeon RX 6900 XT\)$' 'Memory \(bytes\)' \
	'FetchSizeData that the second-level cache read'
DRMPERF_UNTESTED="STREAM STREAM.SQ_WGP"
export DRMPERF_UNTESTED
rates='GL2C.3=700000000 SQ_WGP.4=2000000 GE_SE.4=5000000'
adds_up "counters of gfx12 add up in the file" navi48 \
	GL2C.REQ/38.3.0,REQ SQ_WGP.WAVES/49.4.0,WAVES \
	GE_SE.hs_thread_groups/47.4.0,hs_thread_groups
rates='TCC.3=700000000 SQ.4=3000000'
adds_up "counters of gfx9 add up in the file" vega10 \
	TCC.REQ/11.3.0,REQ SQ.WAVES/6.4.0,WAVES
unset DRMPERF_UNTESTED

# ------------------------------------------------------------ the other events
run 0 $sim --strict --gpu navi21 --time virtual -- "$tool" record --stream \
	-o "$data" -e TA.ta_busy,metric.MemUnitBusy -- $advance 50us
run 0 "$tool" report --rgp "$work/file.rgp" --csv -o "$work/csv" "$data"
run 0 python3 "$work/add_up" "$work/file.rgp" "$work/csv"
if [ "$(grep -c '^8\.15\.' "$work/out")" = 80 ] &&
	grep -q '^CPF.CPF_STAT_BUSY ' "$work/out"; then
	ok "a sum is not plotted together with its instances"
else
	cat "$work/out" >> "$work/err"
	not_ok "a sum is not plotted together with its instances" "$work/err"
fi
sed -n 's/.*<block name="\([^"]*\)".* stream=".*/\1/p' events/amdgpu/*.xml |
	sort -u > "$work/streaming"
grep -o '{ "[A-Z0-9_]*", [0-9]* }' utils/drmperf/report/rgp_samples.c |
	cut -d'"' -f2 | sort -u | comm -23 "$work/streaming" - > "$work/unknown"
[ -s "$work/streaming" ] || echo "no block streams" > "$work/unknown"
empty "every block that streams has a number in the file" "$work/unknown"

# ------------------------------------------------------------------ refusals
run 0 $sim --gpu vega10 --time virtual -- "$tool" record -o "$data" \
	-e SQ.WAVES -- $advance 50ms
status "--rgp refuses a recording that is no stream" 125 \
	"$tool" report --rgp "$work/none.rgp" "$data"
absent "--rgp leaves no file if it refuses a recording" "$work"/none*
has "the error of --rgp without a stream says how to record one" "$work/err" \
	'data is no stream of an AMD GPU.*record --stream'
# a counter, a thousand figures and a quarter of a million intervals
python3 - "$data" << 'END'
import struct
import sys


def record(kind, contents):
    return struct.pack("<II", kind, len(contents)) + contents


def event(name, steps):
    texts = [name, "cycles", "integer", "cumulative", "device"]
    return record(2, b"".join(text.encode() + b"\0" for text in texts) +
                  b"\0\1\0\0\0\1" + steps)


constant = b"\1constant\0" + bytes(8)
with open(sys.argv[1], "wb") as out:
    out.write(b"drmperf\n" + record(1, b"\1" + bytes(24)))
    out.write(event("amdgpu::SQ.WAVES", b"\0"))
    out.write(event("amdgpu::metric.X", constant) * 1000)
    out.write(record(16, b"\0\1\1"))
    out.write(record(3, b"\2\1\2\1\2") * 270000)
END
status "--rgp refuses a recording of too many intervals" 125 \
	"$tool" report --rgp "$work/none.rgp" "$data"
has "the error of --rgp says that the file has no room for the counters" "$work/err" \
	'has more intervals than a file for RGP has room for'
status "--rgp and --diff exclude each other" 129 "$tool" report --diff \
	--rgp "$work/none.rgp" "$data" "$data"
finish
