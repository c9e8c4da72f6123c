#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Metric groups let users count without names of events.
. tests/tool/lib.sh

# ---------------------------------------------------------------- stat
status "stat exits with 0 without events" \
	0 $vega "$tool" stat -- $sim ctl advance 1s
has "stat without events counts the default group" "$work/err" \
	'[0-9a]  % +amdgpu::metric.GPUBusy$' \
	'[0-9]  waves +[0-9.]+ k?/s  amdgpu::SQ.WAVES \*$' \
	'[0-9]  KiB +[0-9.]+ [kMGT]?B/s  amdgpu::metric.FetchSize$' \
	'[0-9]  GHz +amdgpu::sensor.gfx-sclk$'
lacks "stat without events leaves nothing out" "$work/err" 'left out'
status "stat -M exits with 0" 0 $vega "$tool" stat --csv -M memory,power -- true
cut -d, -f6 "$work/out" | sed -n '2,$p' > "$work/events"
has "stat -M counts both of two groups" "$work/events" 'metric.FetchSize$' \
	'metric.WriteSize$' 'sensor.gpu-temp$' 'sensor.gfx-mclk$'
has "stat -M counts an event of two groups once" \
	<(grep -c gfx-mclk "$work/events") '^1$'
status "stat takes -M together with -e" \
	0 $vega "$tool" stat --csv -e SQ.WAVES -M power \
	-e TCC.HIT -- true
cut -d, -f6 "$work/out" | sed -n '2p;3p;$p' > "$work/events"
same "groups and events are counted in the order given" \
	"$work/events" 'amdgpu::SQ.WAVES
amdgpu::sensor.gpu-avg-power
amdgpu::TCC.HIT'

vega20="$sim --time virtual --gpu vega20 --"
status "stat -M exits with 0 if an event does not fit" \
	0 $vega20 "$tool" stat -M memory -- true
has "stat -M leaves out an event that does not fit, and says so" "$work/err" \
	'^drmperf stat: amdgpu::metric.WriteSize:device=0 is left out:.*--passes' \
	'KiB .* amdgpu::metric.FetchSize'
lacks "stat -M does not count an event that it leaves out" \
	"$work/err" 'KiB .* amdgpu::metric.WriteSize'
status "stat --passes -M exits with 0" \
	0 $vega20 "$tool" stat --passes -M memory -- true
has "stat --passes -M counts an event that one pass does not hold" \
	"$work/err" 'pass 2 of 2' 'KiB .* amdgpu::metric.WriteSize'
lacks "stat --passes -M leaves nothing out" "$work/err" 'left out'

status "stat -M takes -d" 0 $sim --time virtual --gpu vega10 \
	--gpu sklgt2 -- "$tool" stat -d 1 -M power -- true
has "stat -d -M counts the GPU it names" \
	"$work/err" 'amdgpu::sensor.gfx-sclk:device=1$'
lacks "stat -d -M counts no other GPU" "$work/err" 'i915'

status "stat -M refuses an unknown group" \
	125 $vega "$tool" stat -M memroy -- true
same "the error for an unknown group names the known ones" "$work/err" \
	'drmperf stat: GPU 0, Vega 10 (Radeon RX Vega), has no metric group "memroy"; it has default, memory, compute, cache, graphics, copies, telemetry, power'
# what shows drmperf's own use of the GPU without a command to look at
whole="drmperf (record|serve): amdgpu::fdinfo.engine-dma:device=0 is left out: "
run 0 $vega "$tool" record -M copies -o "$work/data" -- true
has "record -M leaves out what would show drmperf itself" "$work/err" "^$whole"
run 0 $vega "$tool" serve -M copies --once -I 1 --textfile "$work/prom"
has "serve -M leaves out what would show drmperf itself" "$work/err" "^$whole"
run 0 $vega "$tool" top -M copies -b -n 1 -s 1
has "top -M shows the counters of a group" "$work/out" '^  metric.GPUBusy '
lacks "top -M leaves out what would show drmperf itself" "$work/out" fdinfo
run 129 $vega "$tool" stat -M '' -- true
has "stat -M refuses an empty name" \
	"$work/err" '-M takes names of metric groups' \
	'^try: drmperf stat --help'
status "stat exits with 125 without a GPU" 125 $sim -- "$tool" stat -- true
has "the error says that there is no supported GPU" \
	"$work/err" 'this machine has no supported GPU'
status "stat exits with 125 without permission" \
	125 $sim --gpu vega10,node-mode=0000 --unprivileged -- \
	"$tool" stat -- true
has "the error for missing permission has a remedy" "$work/err" \
	'no permission to open' '^try: '

# ---------------------------------------------------------------- peaks
# 2048 bits at 945 MHz, twice per clock; half of that read, and as much written
believable="$sim --strict --time virtual --gpu vega10
	--scenario examples/memory-bound-vega10.scenario"
run 0 $believable -- "$tool" stat -M memory -- $sim ctl advance 1s
has "stat -M prints shares of the peak, and their total" "$work/err" \
	' 245 GB/s +amdgpu::metric.FetchSize  \(50.6 % of peak\)$' \
	' 82.0 GB/s +amdgpu::metric.WriteSize  \(16.9 % of peak\)$' \
	'^ memory: 68 % of peak bandwidth, 327 GB/s of 484 GB/s$' \
	'^   \(peak: highest memory clock x transfers'
run 0 $believable -- "$tool" stat --passes --control none -M memory \
	-e SQ.WAVES:instance=0 -- $sim ctl advance 1s
has "stat -M prints a share of the peak next to other events" \
	"$work/err" '^ memory: 68 % of peak bandwidth,'
run 0 $believable -- "$tool" stat --raw -M memory -- $sim ctl advance 1s
lacks "stat --raw prints no share of the peak" "$work/err" 'of peak'
run 0 $believable -- "$tool" stat --csv -M memory -- $sim ctl advance 1s
lacks "stat --csv prints no share of the peak" "$work/out" 'of peak'
run 0 $believable -- "$tool" stat -e amdgpu::metric.FetchSize \
	-- $sim ctl advance 1s
lacks "stat -e prints no share of the peak" "$work/err" 'of peak'
run 0 $believable -- "$tool" stat -M memory -- true
lacks "stat prints no share of the peak if no time passes" "$work/err" 'of peak'
# an integrated GPU: 256 bits at 2400 MT/s, as firmware lists it
skl="$sim --time virtual --gpu sklgt2 --load memory-bound --"
run 0 $skl "$tool" stat -M memory -- $sim ctl advance 1s
has "stat -M says why the peak of an integrated GPU's memory is not known" \
	"$work/err" '^ memory: peak bandwidth is not known$' '^   \(root can read'
printf "\021\050%9s\001\001%19s" | tr ' ' '\0' > "$work/dmi"
{ printf '\140\011'; head -c 8 /dev/zero; } >> "$work/dmi"
run 0 $skl sh -c "cat '$work/dmi' > \$UMOCKDEV_DIR/sys/firmware/dmi/tables/DMI
	'$tool' stat -M memory -- $sim ctl advance 1s"
has "stat -M takes a bound from the modules that firmware lists" "$work/err" \
	'^ memory: bandwidth [0-9.]+ GB/s, of 76.8 GB/s at most$'
run 0 $believable --gpu vega10 -- "$tool" stat -d 1 -M memory \
	-- $sim ctl advance 1s
has "the share of the peak names its GPU if there are several" \
	"$work/err" '^ memory of device 1: 68 % of peak bandwidth,'
printf 'default zero\nrate TCC.41 600000000\n' > "$work/much.scenario"
run 0 $sim --time virtual --gpu vega10 --scenario "$work/much.scenario" -- \
	"$tool" stat -M memory -- $sim ctl advance 1s
has "a value above the peak has no share of it" "$work/err" \
	' 614 GB/s +amdgpu::metric.FetchSize$'
lacks "a value above the peak has no verdict" "$work/err" '^ memory:'
# Transfers per clock of each kind of memory, by the kernel's number and width: of
# a clock of 945 MHz, 30.2 GB/s are two on 128 bits.
cp -r utils/drmsim/gpus "$work/gpus"
printf 'default zero\nrate TCC.41 1000000\n' > "$work/little.scenario"
for memory in '2 128=30.2 GB' '5 128=60.5 GB' '6 2048=484 GB' \
	'6 8192=3.87 TB' '7 128=30.2 GB' '8 128=30.2 GB' '9 128=242 GB' \
	'10 128=30.2 GB' '11 128=30.2 GB' '12 128=121 GB' '13 8192=3.87 TB'; do
	sed "s/^vram .*/vram 0x200000000 ${memory%=*}/" \
		utils/drmsim/gpus/vega10.gpu > "$work/gpus/vega10.gpu"
	DRMSIM_GPUS=$work/gpus run 0 $sim --time virtual --gpu vega10 \
		--scenario "$work/little.scenario" -- "$tool" stat -M memory \
		-- $sim ctl advance 1s
	has "memory of kind ${memory%% *} has a peak by its transfers" \
		"$work/err" "of peak bandwidth, .* of ${memory#*=}/s"
done
for memory in '1 128' '3 128' '4 128' '14 8192'; do
	sed "s/^vram .*/vram 0x200000000 $memory/" \
		utils/drmsim/gpus/vega10.gpu > "$work/gpus/vega10.gpu"
	DRMSIM_GPUS=$work/gpus run 0 $sim --time virtual --gpu vega10 \
		--scenario "$work/little.scenario" -- "$tool" stat -M memory \
		-- $sim ctl advance 1s
	lacks "memory of the unknown kind ${memory%% *} has no peak" \
		"$work/err" 'of peak'
done
for gpu in mi200 mi350; do
	for group in instructions:8 lds:8 l2:6; do
		$sim --gpu $gpu -- "$tool" stat --csv -M ${group%:*} -- true \
			2>&1 | sed 1d > "$work/out"
		has "$gpu counts all of the group ${group%:*} in one pass" \
			<(grep -c ',amdgpu::' "$work/out") "^${group#*:}\$"
	done
done

# What fits beside the others in two passes only: no sum of two runs.
printf 'default zero\nrate TCC.41 200000000\n' > "$work/some.scenario"
run 0 $sim --time virtual --gpu vega20 --scenario "$work/some.scenario" -- \
	"$tool" stat --passes --control none -M memory -- $sim ctl advance 1s
has "a share from one of several passes is printed as at least" "$work/err" \
	'^ memory: at least [0-9]+ % of peak bandwidth, .* of 1.0[0-9] TB/s$'
run 0 $sim --strict --time virtual --gpu sklgt2 \
	--scenario examples/memory-bound-sklgt2.scenario -- \
	"$tool" stat -M memory -- $sim ctl advance 1s
has "read and write bandwidth of Intel have an upper bound" "$work/err" \
	' 22.0 GB/s +i915::oa.GtiReadThroughput$' \
	'^ memory: read bandwidth 22.0 GB/s, of 73.6 GB/s at most$' \
	'^ memory: write bandwidth 6.00 GB/s, of 73.6 GB/s at most$' \
	'^   \(at most: highest clock x 64 bytes of the GPU.s port; memory may'
lacks "the bound of Intel is not called a peak" "$work/err" '% of peak'

# the demo's GPU, in which one number does not deny the other
status "stat counts all groups of a believable GPU" \
	0 $sim --strict --time virtual \
	--scenario examples/memory-bound-vega10.scenario --gpu vega10 -- \
	"$tool" stat --passes --control none \
	-M default,memory,compute,cache,power -- $sim ctl advance 1s
has "values of a believable GPU are those of its scenario" \
	"$work/err" ' 245 GB/s  amdgpu::metric.FetchSize ' \
	' 82.0 GB/s  amdgpu::metric.WriteSize ' \
	' 71.7  % +amdgpu::metric.MemUnitStalled ' \
	' 9.3  % +amdgpu::metric.VALUBusy ' ' 12.0  % +amdgpu::metric.L2CacheHit '
awk '$2 == "%" && !($1 >= 0 && $1 <= 100)' "$work/err" > "$work/wrong"
run 0 $sim --strict --time virtual --gpu sklgt2 \
	--scenario examples/memory-bound-sklgt2.scenario -- \
	"$tool" stat --passes --control none \
	-M default,memory,compute,power -- $sim ctl advance 1s
awk '$2 == "%" && !($1 >= 0 && $1 <= 100)' "$work/err" >> "$work/wrong"
empty "no percentage is above 100" "$work/wrong"

# conclusions DRIVER FILE: verdicts and peaks below the events of a driver
conclusions()
{
	awk -v driver=" $1::" '/::/ { ours = index($0, driver) }
		/^ *verdict/ { lines = ours ? 3 : 0 }
		ours && (lines-- > 0 || /% of peak [a-z]|\((peak|at most): / ||
			/ at most$/) { sub(/^ */, ""); print }' "$2"
}

# guide GPU DRIVER GROUPS: the guide's table after that command is what is printed, but
# for values, which grow with the time that the last report came late
guide()
{
	local gpu=$1 driver=$2 groups=$3
	sed -n "/\$ drmperf stat ${groups:+-M $groups }-- /,/^[^ ]/p" doc/guide.md \
		> "$work/guide"
	grep " $driver::" "$work/guide" | cut -c 25- > "$work/told"
	# shellcheck disable=SC2086
	run 0 $sim --time virtual --gpu $gpu \
		--scenario examples/memory-bound-$gpu.scenario -- \
		"$tool" stat ${groups:+-M $groups} -- $sim ctl advance 1s
	grep " $driver::" "$work/err" | cut -c 21- > "$work/printed"
	conclusions $driver "$work/guide" >> "$work/told"
	conclusions $driver "$work/err" >> "$work/printed"
	if [ -s "$work/told" ] && diff "$work/told" "$work/printed" \
		> "$work/diff"; then
		ok "doc/guide.md is true of $gpu, ${groups:-default}"
	else
		not_ok "doc/guide.md is true of $gpu, ${groups:-default}" \
			"$work/diff"
	fi
}
guide vega10 amdgpu ''
guide vega10 amdgpu memory
guide vega10 amdgpu compute,cache
guide sklgt2 i915 ''
guide sklgt2 i915 compute

# ---------------------------------------------------------------- list
run 0 $vega "$tool" list -M
has "list -M prints group, name, unit and description" "$work/out" \
	$'^default\tamdgpu::SQ.WAVES:device=0\twaves\tWaves' \
	$'^memory\tamdgpu::metric.FetchSize:device=0\tKiB\tData'
lacks "a line of list -M has four fields" "$work/out" \
	$'^([^\t]*|[^\t]*\t[^\t]*|[^\t]*\t[^\t]*\t[^\t]*|.*\t.*\t.*\t.*\t.*)$'
run 0 $vega "$tool" list -M power
lacks "list -M GROUP prints that group only" \
	"$work/out" $'^(default|memory|compute)\t'
status "list -M --json exits with 0" \
	0 $sim --gpu vega20 --gpu sklgt2 -- "$tool" list -M -j
json "list -M --json has groups with their events" "$work/out" \
	'length == 2 and .[0].index == 0 and .[1].chip == "Vega 20" and
	all(.[].metric_groups[]; .description != "" and (.events | length) > 0)
	and any(.[0].metric_groups[]; .name == "memory" and any(.events[];
	. == "i915::oa.GtiReadThroughput:device=0"))'
run 125 $vega "$tool" list -M nothing
has "list -M refuses an unknown group" "$work/err" 'no GPU has .*"nothing"'
run 129 $vega "$tool" list -M -g
has "list -M -g is misuse" "$work/err" 'either -g or -M'

# ---------------------------------------------------------------- every GPU
# What the tables name is there, and "default" fits one pass wherever it is.
if [ -z "${sanitized:-}" ]; then
	for gpu in $("$sim" --list); do
		# xe's reports come in real time alone
		time="--time virtual"
		[ ! -e "events/xe/$gpu.xml" ] || time=
		# shellcheck disable=SC2086
		DRMPERF_DIES=one "$sim" --gpu "$gpu" $time -- \
			"$tool" stat -- true > "$work/out" 2> "$work/err"
		echo "status $?" >> "$work/err"
		if grep -q '^status 0$' "$work/err" &&
			! grep -q 'left out' "$work/err" &&
			[ "$(grep -c :: "$work/err")" -ge 5 ]; then
			ok "the default group fits one pass on $gpu"
		else
			not_ok "the default group fits one pass on $gpu" \
				"$work/err"
		fi
		"$sim" --gpu "$gpu" -- "$tool" list |
			sed 's/:device.*//' >> "$work/names"
	done
	# discrete GPUs of Intel tell what they draw, and how hot they are
	printf '%s\n' "power 35.5" "temperature 60" "temperature-vram 70" \
		"fan 900" > "$work/card.scenario"
	for gpu in dg2 bmg; do
		"$sim" --gpu "$gpu" --scenario "$work/card.scenario" -- \
			"$tool" list -M telemetry > "$work/out"
		has "the group telemetry of $gpu has the energy it takes" \
			"$work/out" '::sensor\.energy'
		grep -oE '(i915|xe)::sensor\.[a-z0-9-]+' "$work/out" \
			>> "$work/names"
	done
	sort -u "$work/names" > "$work/sorted"
	for table in events/*/groups.xml; do
		driver=${table#events/}
		sed -n 's/.* any="\(.*\)".*/\1/p' "$table" | tr ' ' '\n' |
			sed "s/^/${driver%/*}::/" | sort -u > "$work/named"
		comm -23 "$work/named" "$work/sorted" > "$work/unknown"
		empty "each event of $table is some GPU's" "$work/unknown"
	done
fi
# tables of i915 have groups and verdicts for both of its drivers
for driver in i915 xe; do
	run 0 $sim --time virtual --load compute-bound \
		--gpu acmgt3,driver=$driver -- \
		"$tool" stat -M default -- $sim ctl advance 1s
	has "an Arc under $driver has the groups of its tables" "$work/err" \
		"98.0  % +$driver::oa.GpuBusy" "86.2  % +$driver::oa.XveActive" \
		' 931 k/s  '$driver::oa.CsThreads '^ verdict: the execution units'
done

finish
