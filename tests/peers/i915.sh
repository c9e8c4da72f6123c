#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs of intel-gpu-tools, unmodified, run on simulated Intel GPUs: the
# recorder, the reader and the configuration tool have to find what the scenario
# says, as utils/drmsim/i915/README.md publishes it.
set -u

drmsim=$(realpath "${BUILD_DIR:-build}/bin/drmsim")
lib=$(realpath "$(dirname "$0")/lib.sh")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# check NAME COMMAND...: one line that says whether it held
check()
{
	local name=$1
	shift
	if "$@" > "$work/check" 2>&1; then
		echo "ok $name"
	else
		echo "not ok $name: $*"
		sed 's/^/    /' "$work/check"
		failed=1
	fi
}

for tool in i915-perf-configs i915-perf-recorder i915-perf-reader; do
	if ! command -v $tool > "$work/which"; then
		echo "skip $tool: not installed"
		exit 0
	fi
done

# ---------------------------------------------------------------- configs
# The recorder loads all sets of the platform; they stay in the kernel.
cat > "$work/configs.sh" <<'END'
i915-perf-recorder -m list > listed
i915-perf-configs > loaded
cat /sys/class/drm/card0/metrics/*/id | sort -n > ids
i915-perf-configs -p > purged
i915-perf-configs > left
END
(cd "$work" && "$drmsim" --gpu skl -- bash configs.sh)

count()
{
	echo "$2 in $1: $(grep -c "$2" "$work/$1"), should be $3"
	[ "$(grep -c "$2" "$work/$1")" = "$3" ]
}

check "i915-perf-configs lists the sets of skl" \
	count loaded '^.Config [0-9a-f-]* id=[0-9]* name=[A-Z]' 22
check "ids count from 2" test "$(head -1 "$work/ids")" = 2 -a \
	"$(tail -1 "$work/ids")" = 23
check "i915-perf-configs -p removes the sets of skl" \
	count purged 'Removed config' 22
check "no set is left after i915-perf-configs -p" count left 'Config' 0

check "the recorder names the sysctl that refuses it" bash -c \
	"$drmsim --gpu skl --unprivileged -- i915-perf-recorder \
		-m RenderBasic -f $work/refused.fifo > $work/refused 2>&1
	 grep -q 'perf_stream_paranoid' $work/refused"

# ---------------------------------------------------------------- recording
# below OPTION... -- COMMAND...: the command, which may be a function of lib.sh
below()
{
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	"$drmsim" "${options[@]}" -- bash -c '. "$1"; "${@:2}"' - "$lib" "$@"
}

# recording HOW KIND BYTES OPTION...: what the reader finds in so much of
# RenderBasic, in the file `read`
recording()
{
	local how=$1 kind=$2 bytes=$3
	shift 3
	below --gpu "$kind" "$@" -- "$how" "$work" "$bytes" \
		-m RenderBasic -p 0.0005 &&
		i915-perf-reader -c all "$work/recording" > "$work/read"
}

# The raw timestamps of the first and the last report: the ticks between.
ticks()
{
	sed -n 's/^OA data timestamp range: *\(0x[0-9a-f]*\)-\(0x[0-9a-f]*\)$/\1 \2/p' \
		"$work/read" | { read -r a b; echo $((b - a)); }
}

value()
{
	sed -n "s/^ *$1: //p" "$work/read" | head -1
}

# equal COUNTER NUMBER
equal()
{
	echo "$1 is $(value "$1"), should be $2"
	[ "$(value "$1")" = "$2" ]
}

# near COUNTER NUMBER: a float, to its six decimals
near()
{
	echo "$1 is $(value "$1"), should be $2"
	awk -v a="$(value "$1")" -v b="$2" \
		'BEGIN { d = a - b; exit !(a != "" && d < 1e-4 && d > -1e-4) }'
}

# about COUNTER NUMBER: an integer, to one: both of its reports cut theirs
about()
{
	echo "$1 is $(value "$1"), should be $2"
	awk -v a="$(value "$1")" -v b="$2" \
		'BEGIN { d = a - b; exit !(a != "" && d <= 1 && d >= -1) }'
}

# custom SLOT CLOCKS: events in 256 ticks of RenderBasic on skl, by the published
# formula: of the mux registers and then the boolean ones
custom()
{
	python3 - "$1" "$2" events/i915/sklgt2.registers.xml << 'END'
import struct, sys
import xml.etree.ElementTree as tree

slot, clocks, path = sys.argv[1:]
sets = {s.get("name"): s for s in tree.parse(path).getroot().iter("set")}
data = b""
for kind in "mux", "boolean":
    # one list of each: this GPU is of no early stepping
    for word in sets["RenderBasic"].find(kind).text.split():
        if word.endswith(":"):
            address = int(word[:-1], 16)
        else:
            data += struct.pack("<II", address, int(word, 16))
data += struct.pack("<BBH", int(slot[1:]), ord(slot[0]), 0)
h = 2166136261
for byte in data:
    h = (h ^ byte) * 16777619 & 0xffffffff
print(256 + h % (256 * (int(clocks) - 1)))
END
}

how=record_to_file
if [ -e /tmp/.i915-perf-record ] && [ ! -O /tmp/.i915-perf-record ]; then
	echo "skip recording to a file: another user's recorder has its FIFO"
	how=record
fi
# a report of 256 bytes every 341 us
if recording $how skl 800000; then
	t=$(ticks)
	clocks=$((95 * t))
	check "skl: the recording has a second of reports" \
		test "$t" -gt 12000000
	check "skl: the reader has the right time" \
		equal GpuTime $((t * 1000000000 / 12000000))
	check "skl: the reader has the right number of clocks" \
		equal GpuCoreClocks $clocks
	check "skl: the reader has the right frequency" \
		equal AvgGpuCoreFrequency \
		$((clocks * 1000000000 / (t * 1000000000 / 12000000)))
	check "skl: the reader finds the GPU busy" near GpuBusy 100
	check "skl: the reader has the right value of A1" equal VsThreads "$t"
	check "skl: the reader has the right value of A6" \
		equal PsThreads $((6 * t))
	check "skl: the reader has the right value of A21" \
		equal RasterizedPixels $((21 * t * 4))
	check "skl: the reader has the right value of A30" \
		equal SlmBytesRead $((30 * t * 64))
	# e458=00005004 selects 4 and 5, e558=00010003 3 and 16; 24 EUs
	check "skl: the reader has the right value of A7 of 24 EUs" \
		near EuActive "$(awk -v t="$t" \
		'BEGIN { print int(t * (64 + 4) / 16 / 24) * 100 / (95 * t) }')"
	check "skl: the reader has the right value of A10 of 24 EUs" \
		near VsFpu0Active "$(awk -v t="$t" \
		'BEGIN { print int(t * (64 + 16) / 16 / 24) * 100 / (95 * t) }')"
	check "skl: the reader has the right value of B0" \
		near Sampler0Busy "$(awk -v t="$t" \
		-v r="$(custom B0 95)" \
		'BEGIN { print r * t / 256 * 100 / (95 * t) }')"
	check "skl: the reader has the right value of C4" \
		equal L3Misses $(($(custom C4 95) * t / 256))
	check "skl: the reader has the right value of C6" \
		equal GtiReadThroughput \
		$(($(custom C6 95) * t / 256 * 64))
else
	check "skl: the recording can be read" false
fi

cat > "$work/scenario" <<'END'
gpu-clock 600
oa-rate A6 4800000
oa-rate 07b25942-d9fd-4fce-bd58-e29abd66b7de.C4 2/tick
contexts 0x21:200ms,0x22:100ms*2,idle:100ms
END
if recording record skl 800000 --scenario "$work/scenario"; then
	# the first item that is whole: 200 ms of 0x21, read by its reports
	grep -A60 'hw_id=0x22' "$work/read" > "$work/item"
	check "scenario: the recording has three kinds of items" bash -c \
		"grep -q 'hw_id=0x21' $work/read &&
		 grep -q 'hw_id=0x22' $work/read &&
		 grep -q 'hw_id=0xffffffff' $work/read"
	cp "$work/item" "$work/read"
	n=$(value GpuTime)
	# 50 clocks in each tick of 12 MHz; the reader cuts the time to whole
	# nanoseconds, so that its frequency may be a few hertz higher
	t=$(((3 * n + 249) / 250))
	check "scenario: the reader has the right number of clocks" \
		equal GpuCoreClocks $((50 * t))
	check "scenario: the reader has the right frequency" \
		equal AvgGpuCoreFrequency \
		$((50 * t * 1000000000 / n))
	# twice the rate, for the weight of that context
	check "scenario: a rate per second is kept" about PsThreads \
		"$(awk -v n="$n" 'BEGIN { print int(n * 9.6e-3 + 0.5) }')"
	check "scenario: a rate of one set is kept" about L3Misses \
		"$(awk -v n="$n" 'BEGIN { print int(n * 48e-3 + 0.5) }')"
else
	check "scenario: the recording can be read" false
fi

# kind, Hz of the timestamp, clocks per tick, counter of A6 times what
while read -r kind hz clocks counter factor; do
	if ! recording record "$kind" 200000; then
		check "$kind: the recording can be read" false
		continue
	fi
	t=$(ticks)
	check "$kind: the reader has the right time" \
		equal GpuTime $((t * 1000000000 / hz))
	check "$kind: the reader has the right number of clocks" \
		equal GpuCoreClocks $((clocks * t))
	check "$kind: the reader has the right value of $counter" \
		equal "$counter" $((factor * t))
done <<'END'
hsw 12500000 100 PsThreads 31
tgl 19200000 67 PsThreads 6
adl 19200000 72 CsThreads 4
bdw 12500000 76 HsThreads 2
icl 12000000 91 DsThreads 3
dg1 19200000 80 GsThreads 5
chv 12500000 48 PsThreads 6
END

# ---------------------------------------------------------------- the PMU
if command -v intel_gpu_top > "$work/which"; then
	cat > "$work/load" <<'END'
engine-busy rcs0 62.5
engine-busy vcs0 12
engine-wait rcs0 7
requested-frequency 900
rc6 33
END
	below --gpu skl --scenario "$work/load" -- until_lines "$work/top.json" \
		4 '"period"' intel_gpu_top -J -s 500
	below --gpu skl --scenario "$work/load" -- until_lines "$work/top.txt" \
		6 '^ *[0-9]' intel_gpu_top -l -s 500

	# number SECTION FIELD: of the last period
	number()
	{
		awk -v section="\"$1\"" -v field="\"$2\":" '
			index($0, section ": {") { in_it = 1 }
			in_it && $1 == field { value = $2 + 0; in_it = 0 }
			END { print value }' "$work/top.json"
	}

	# about SECTION FIELD NUMBER: within a percent, the machine is real
	about()
	{
		echo "$1 $2 is $(number "$1" "$2"), should be $3"
		awk -v a="$(number "$1" "$2")" -v b="$3" 'BEGIN {
			exit !(a > b * 0.99 && a < b * 1.01) }'
	}
	check "intel_gpu_top -J shows how busy the render engine is" \
		about Render/3D/0 busy 62.5
	check "intel_gpu_top -J shows how long the render engine waits" \
		about Render/3D/0 wait 7
	check "intel_gpu_top -J shows how busy the video engine is" \
		about Video/0 busy 12
	check "intel_gpu_top -J shows the blitter as busy as by default" \
		about Blitter/0 busy 10
	check "intel_gpu_top -J shows the share of RC6" about rc6 value 33
	check "intel_gpu_top -J shows the requested frequency" \
		about frequency requested 900
	check "intel_gpu_top -J shows the actual frequency" \
		about frequency actual 1140
	check "intel_gpu_top -J shows the rate of interrupts" \
		about interrupts count 500
	# Ours, of the same GPU while intel_gpu_top looked at it: all values
	# come from one read, so the time in which the GPU was awake is theirs.
	pmu=i915::pmu
	"$drmsim" --gpu skl --scenario "$work/load" -- \
		"${BUILD_DIR:-build}/bin/drmperf" stat --csv -o "$work/ours" -e \
		$pmu.rcs0-busy,$pmu.rcs0-wait,$pmu.vcs0-busy,$pmu.bcs0-busy \
		-e $pmu.rc6-residency,$pmu.software-gt-awake-time -- \
		bash -c '. "$1"; until_lines "$2" 4 "\"period\"" \
			intel_gpu_top -J -s 500' - "$lib" "$work/top.json"

	# agrees EVENT SECTION FIELD: percent of the time, as intel_gpu_top has
	agrees()
	{
		awk -F, -v e="$pmu.$1" -v theirs="$(number "$2" "$3")" '
			$6 ~ "software-gt-awake-time" { time = $8 }
			$6 == e { value = $8 }
			END {
				ours = time ? 100 * value / time : 0
				print e " is " ours " %, they have " theirs
				exit !(ours > 0 && ours > theirs * 0.99 &&
					ours < theirs * 1.01)
			}' "$work/ours"
	}
	check "drmperf and intel_gpu_top agree on the render engine" \
		agrees rcs0-busy Render/3D/0 busy
	check "drmperf and intel_gpu_top agree on waits" \
		agrees rcs0-wait Render/3D/0 wait
	check "drmperf and intel_gpu_top agree on the video engine" \
		agrees vcs0-busy Video/0 busy
	check "drmperf and intel_gpu_top agree on the blitter" \
		agrees bcs0-busy Blitter/0 busy
	check "drmperf and intel_gpu_top agree on RC6" \
		agrees rc6-residency rc6 value
	check "intel_gpu_top -l shows how busy render and video are" awk '
		NR > 4 && $5 > 62 && $5 < 63 && $11 > 11.8 && $11 < 12.2 {
			n++
		}
		END { exit n < 2 }' "$work/top.txt"
else
	echo "skip intel_gpu_top: not installed"
fi

exit $failed
