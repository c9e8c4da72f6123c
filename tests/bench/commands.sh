#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The processor's time that whole commands take, of which the simulator's part
# within the process is some, and the kernel's.
. tests/bench/lib.sh

tool=$BUILD_DIR/bin/drmperf
times=20
is_short && times=1
# of a command, what people notice; of a core, what they do not
most_ms=30
most_percent=1

# spent GPU COMMAND...: milliseconds of the processor
spent()
{
	local gpu=$1
	shift
	$sim --gpu "$gpu" -- python3 tests/bench/spent.py $times "$@" \
		2> "$work/err" || cat "$work/err" >&2
}

# starts GPU WHAT ARGUMENT...: a command that has little to do
starts()
{
	local gpu=$1 what=$2
	shift 2
	row "drmperf $what, $gpu, processor's time" \
		"$(spent "$gpu" "$tool" "$@")" ms limit $most_ms 1
}
for gpu in vega10 sklgt2 acmgt3; do
	starts $gpu info info
	starts $gpu list list
	starts $gpu "stat of true" stat -- true
	starts $gpu "record of true" record -o "$work/data" -- true
	starts $gpu report report "$work/data"
	starts $gpu "serve --once" serve --once -I 1 --textfile "$work/prom"
	starts $gpu "top, a frame" top -b -n 1 -s 1
done

row "drmperf split of all events, acmgt3, processor's time" \
	"$(spent acmgt3 "$tool" split 'i915::*')" ms limit 300 1

# plans GPU EVENTS: how few passes, beside how few are sure to be needed
plans()
{
	local gpu=$1 events=$2 passes bound
	$sim --gpu "$gpu" -- "$tool" split --cut-metrics --json "$events" \
		> "$work/plan" 2> "$work/err" || cat "$work/err" >&2
	read -r passes bound < <(python3 -c 'import json, sys
plan = json.load(sys.stdin)
print(len(plan["passes"]), plan["lower_bound"])' < "$work/plan")
	row "plan of $events, $gpu" "$passes" passes bound "$bound" 1
}
for gpu in polaris10 vega10 navi10 navi21 navi31 navi48; do
	plans $gpu 'amdgpu::metric.*'
done
for gpu in sklgt2 tglgt2 mtlgt3; do
	plans $gpu 'i915::*'
done

# Beyond its start, for each frame; at one a second ten milliseconds are 1 %.
frames=10
is_short && frames=2
for gpu in vega10 sklgt2; do
	one=$(spent $gpu "$tool" top -b -n 1 -s 20)
	more=$(spent $gpu "$tool" top -b -n $frames -s 20)
	row "drmperf top, a frame a second, of a core, $gpu" \
		"$(awk -v one="$one" -v more="$more" -v frames=$frames 'BEGIN {
			share = (more - one) / (frames - 1) / 10
			print (share > 0 ? share : 0) }')" % limit $most_percent 1
done

# ask PID URL COUNT: what the server spends on a scrape
cat > "$work/ask" << 'END'
tool=$0 work=$1 times=$2
"$tool" serve --listen 127.0.0.1:0 2> "$work/said" &
server=$!
until port=$(sed -n 's|.*127.0.0.1:\([0-9]*\)/.*|\1|p' "$work/said") &&
	[ -n "$port" ]; do
	sleep 0.05 # until it listens
done
ask()
{
	exec 3<> "/dev/tcp/127.0.0.1/$port"
	printf 'GET /metrics HTTP/1.0\r\n\r\n' >&3
	cat <&3 > "$work/answer"
	exec 3>&-
}
ticks()
{
	awk '{ print $14 + $15 }' "/proc/$server/stat"
}
ask
before=$(ticks)
for ((i = 0; i < times; i++)); do
	ask
done
after=$(ticks)
kill $server
wait $server
grep -q '^drmperf_up' "$work/answer" || exit
echo $((after - before)) > "$work/ticks"
END
scrapes=200
is_short && scrapes=2
$sim --gpu vega10 -- bash -c ". '$work/ask'" "$tool" "$work" $scrapes 2> "$work/err"
if [ -s "$work/ticks" ]; then
	row "drmperf serve, a scrape, processor's time" \
		"$(awk -v n=$scrapes -v hz="$(getconf CLK_TCK)" \
			'{ print 1000 * $1 / hz / n }' "$work/ticks")" ms \
		limit 1 1
else
	not_ok "serve" "$work/err"
fi

# Beyond its start. The simulator answers within the process; this is in it.
ms=4000
is_short && ms=20
# of_a_core WHAT PERCENT GPU ARGUMENT...: what a command takes while it runs
of_a_core()
{
	local what=$1 percent=$2 gpu=$3 one more
	shift 3
	one=$(times=1 spent "$gpu" "$tool" "$@" --timeout 1)
	more=$(times=1 spent "$gpu" "$tool" "$@" --timeout $ms)
	row "$what, of a core, $gpu" \
		"$(awk -v one="$one" -v more="$more" -v ms=$ms 'BEGIN {
			share = 100 * (more - one) / ms
			print (share > 0 ? share : 0) }')" % limit "$percent" 1
}
for gpu in sklgt2 bmg; do for hz in 100 10000; do
	# 11 MB/s are written there
	percent=$most_percent
	[ $gpu.$hz = bmg.10000 ] && percent=2
	of_a_core "drmperf record, $hz reports a second" $percent $gpu \
		record -a -e oa.GpuBusy -o "$work/data" -F $hz
done; done
for gpu in sklgt2 bmg; do
	of_a_core "a stream that nobody reads" $most_percent $gpu \
		stat -a -e oa.GpuBusy
done

# A million reports, by two programs in turn, as whole processes.
if command -v i915-perf-reader > "$work/which"; then
	reports=1000000
	is_short && reports=2000
	# how long to record, not to wait
	$sim --gpu sklgt2 -- "$tool" record -a --timeout 1 -F 10000 \
		-e oa.GpuBusy -o "$work/data" 2> "$work/err"
	python3 tests/tool/unwrap.py "$work/data" "$work/i915" > "$work/out"
	python3 tests/bench/stretch.py "$work/i915" "$work/long" $reports
	# milliseconds FILE: the middle one of what is in it
	milliseconds()
	{
		awk '{ print 1000 * ($1 + $2) }' "$1" | sort -n |
			awk '{ at[NR] = $1 } END { print at[int((NR + 1) / 2)] }'
	}
	TIMEFORMAT='%U %S'
	for ((i = 0; i < 9; i++)); do
		{ time "$tool" report "$work/long" > "$work/out"; } 2>> "$work/ours"
		{ time i915-perf-reader "$work/long" > "$work/out"; } \
			2>> "$work/theirs"
	done
	row "drmperf report, $reports OA reports, processor's time" \
		"$(milliseconds "$work/ours")" ms i915-perf-reader \
		"$(milliseconds "$work/theirs")" 3
fi
finish
