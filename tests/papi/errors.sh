#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Errors have causes and remedies, and leave the GPU as it was.
. tests/papi/lib.sh

count=drm:::amdgpu::GRBM.COUNT
export PAPI_DRM_VERBOSE=1

# ---------------------------------------------------------------- disabled
# at_once NAME PATTERN DRMSIM_OPTION...: before anything is looked up
at_once()
{
	local name=$1 pattern=$2
	shift 2
	"$sim" "$@" -- "$programs/disabled" > "$work/out" 2> "$work/err"
	has "the reason is seen at once: $name" \
		"$work/out" "^before: $pattern"
	"$sim" "$@" -- "$papi/bin/papi_component_avail" \
		> "$work/out" 2>> "$work/err"
	has "papi_component_avail prints the reason: $name" "$work/out" \
		"Disabled: ${pattern#*: }"
	has "the reason is printed once: $name" "$work/err" '^drm: '
	[ "$(grep -c '^drm: ' "$work/err")" = 2 ] || # one of each program
		not_ok "the reason is printed once: $name" "$work/err"
}
at_once "no GPU" 'Not supported, 0 events: no supported GPU'
at_once "no permission, which node, which remedy" \
	'Permission level .*, 0 events: no permission to open /dev/dri/renderD128; .*group' \
	--gpu vega10,node-mode=0000 --unprivileged

# An Intel GPU has more than what OA counts, and PAPI 7.0 no word for a part.
part()
{
	local name=$1 pattern=$2
	shift 2
	"$@" "$programs/disabled" > "$work/out" 2>&1
	has "a missing part is seen at once: $name" \
		"$work/out" "^before: enabled, .*$pattern" \
		'^asked: No error' "^after: enabled, [1-9].*$pattern"
	[ "$(grep -c "^drm: $pattern.*; " "$work/out")" = 1 ] ||
		not_ok "the reason for a missing part is printed once: $name" \
			"$work/out"
	"$@" "$papi/bin/papi_component_avail" > "$work/out" 2>&1
	has "papi_component_avail prints the reason for a missing part: $name" \
		"$work/out" \
		"^Name: +drm .*; $pattern|Partially disabled: $pattern"
}
part "no permission for the node" 'no permission to open /dev/dri/renderD128' \
	"$sim" --gpu tgl,node-mode=0000 --unprivileged --
# root can do without capabilities, others have none
drop="setpriv --inh-caps=-all --bounding-set=-all --"
$drop true 2> "$work/err" || drop=
if $drop grep -q '^CapEff:[[:space:]]*0*$' /proc/self/status; then
	"$sim" --unprivileged -- grep CapEff /proc/self/status > "$work/out"
	effective=$(cut -f 2 "$work/out")
	# CAP_PERFMON and CAP_SYS_ADMIN
	if ((0x$effective & (1 << 38 | 1 << 21))); then
		not_ok "drmsim --unprivileged shows no capabilities" "$work/out"
	else
		ok "drmsim --unprivileged shows no capabilities"
	fi
	part "OA counters are kept from users" 'i915 keeps OA counters from' \
		"$sim" --gpu tgl --unprivileged --
else
	skip "a missing part is seen at once: OA counters are kept from users" \
		"capabilities cannot be dropped here"
fi

# reason NAME PATTERN DRMSIM_OPTION...: when it has been asked for events
reason()
{
	local name=$1 pattern=$2
	shift 2
	"$sim" "$@" -- "$programs/disabled" > "$work/out" 2> "$work/err"
	has "the component is disabled with its reason: $name" \
		"$work/out" '^before: enabled, -1 events: $' \
		"^after: [^e].*, 0 events: .*$pattern"
}

# ---------------------------------------------------------------- in part
# A GPU whose counters cannot be had still has sensors and fdinfo.
# partial NAME PATTERN DRMSIM_OPTION...
partial()
{
	local name=$1 pattern=$2
	shift 2
	"$sim" "$@" -- "$papi/bin/papi_command_line" $count \
		drm:::amdgpu::sensor.gpu-temp > "$work/out" 2>&1
	has "sensors count although counters cannot: $name" \
		"$work/out" "^drm: .*$pattern" \
		"Failed adding: $count" 'sensor.gpu-temp :[[:space:]]*45000 mdegC'
}
mkdir "$work/gpus"
cp utils/drmsim/gpus/gfx9.{spm,sqtt,work} "$work/gpus"
sed 's/^family 141/family 999/' utils/drmsim/gpus/vega10.gpu \
	> "$work/gpus/odd.gpu"
export DRMSIM_GPUS=$work/gpus
partial "no table, which GPU" 'unknown AMD GPU: family 999.*; .*chips.xml' \
	--gpu odd
unset DRMSIM_GPUS
printf '<events driver="amdgpu" generation="gfx9">\n<block>\n</events>\n' \
	> "$work/bad.xml"
export DRMPERF_EVENTS=$work/bad.xml
reason "malformed table, file and line" "$work/bad.xml:3: .*; correct it, or " \
	--gpu vega10
"$sim" --gpu vega10 -- "$papi/bin/papi_command_line" $count \
	> "$work/out" 2>&1
has "a malformed table is an error that PAPI has a name for" "$work/out" \
	'Not supported by component'
lacks "a malformed table is no unknown error" "$work/out" 'Unknown error'
unset DRMPERF_EVENTS

# ---------------------------------------------------------------- names
# told NAME "EVENT..." PATTERN...: papi_command_line with drmsim's options $sims
sims="--gpu vega10"
told()
{
	local name=$1 events=$2
	shift 2
	# shellcheck disable=SC2086
	"$sim" $sims -- "$papi/bin/papi_command_line" $events \
		> "$work/out" 2>&1
	has "$name" "$work/out" "$@"
}
told "an unknown event gets the nearest name" drm:::amdgpu::SQ.WAVSE \
	'Failed adding' '^drm: .*SQ.WAVES'
told "a name with a colon too many is refused" \
	drm:::amdgpu:::GRBM.COUNT 'Failed adding' \
	'^drm: "amdgpu:::GRBM.COUNT" is not an event name'
told "an unknown device is refused" $count:device=7 'Failed adding' '^drm: .*7'
told "an unknown instance is refused" \
	drm:::amdgpu::TCC.HIT:instance=16 'Failed adding' \
	'^drm: .*16'
told "an event that a full group has no room for is refused" \
	"$(printf 'drm:::amdgpu::TCC.%s ' HIT MISS REQ READ \
	WRITE)" 'Failed adding: drm:::amdgpu::TCC.WRITE' '^drm: .*TCC.*4'

# libdrm crashes without an answer: it must not get to ask
sims="--gpu vega10 --fault version:1+:EIO"
told "a GPU that does not answer is named, with the cause" \
	$count 'Failed adding' \
	'^drm: .*/dev/dri/renderD128 does not answer: Input/output error; look'

# ---------------------------------------------------------------- mishaps
sims="--gpu vega10,gating=all,gated-clock=on"
told "a gated counter clock is reported with a remedy" \
	$count 'Error! PAPI_start' \
	'^drm: .*clock.*stood still.*; .*DRMPERF_CLOCK'
echo "default zero" > "$work/idle"
sims="--gpu vega10 --scenario $work/idle"
none=-9223372036854775808
told "what would divide by 0 has no value" drm:::amdgpu::metric.L2CacheHit \
	"^drm: an event has no value and reads as $none.*metric.L2CacheHit" \
	"metric.L2CacheHit :[[:space:]]*$none percent\*1000"
told "a metric that would divide by 0 is nan as a double" \
	drm:::amdgpu::metric.L2CacheHit:double \
	'metric.L2CacheHit:double : .*nan percent'
# restored NAME: the simulator's report says that nothing was left behind
restored()
{
	sed -i '/by order of --fault/d' "$work/report"
	if grep -q violation "$work/report"; then
		not_ok "$1: the hardware is restored" "$work/report"
	else
		has "$1: the hardware is restored" "$work/report" \
			'grbm_gfx_index=0xe0000000 counters=stopped .*pstate=0'
	fi
}

# hold with a fault; its standard input ends at once
# mishap NAME FAULT PATTERN...
mishap()
{
	local name=$1 fault=$2
	shift 2
	"$sim" --gpu vega10 --fault "$fault" --report "$work/report" -- \
		"$programs/hold" $count drm:::amdgpu::SQ.WAVES \
		< /dev/null > "$work/out" 2>&1
	has "$name" "$work/out" "$@"
	restored "$name"
}
mishap "a reset while counting leaves no value" reset:3 '^start: No error' \
	'^read: No error' "^value: $none" '^drm: an event has no value.*reset' \
	'^stop: No error' '^cleanup: No error' '^destroy: No error' \
	'^stop again: No error'
mishap "a hang while counting leaves no value" \
	hang:5 '^start: No error' "^value: $none" \
	'^stop: No error' '^destroy: No error' '^stop again: No error'
mishap "a reset at the start is an error" \
	reset:1 '^start: Access to the counters was lost'
mishap "a GPU that is unplugged leaves no value" \
	gone:4 '^read: No error' "^value: $none" \
	'^stop: No error' '^destroy: No error'

# missing NAME NA GOOD MISHAP ARGUMENT...: of the simulator; what mends it is in
# $mend
missing()
{
	local name=$1 na=$2 good=$3 mishap=$4
	shift 4
	"$sim" "$@" -- "$programs/missing" "$mishap" "$na" "$good" \
		${mend:+"$mend"} > "$work/out" 2>&1
	lacks "$name" "$work/out" '^not ok'
	has "$name: the test runs to its end" \
		"$work/out" '^ok the set can be destroyed'
}
missing "a quotient by 0 costs no counter its value" \
	drm:::amdgpu::metric.L2CacheHit $count true \
	--gpu vega10 --scenario <(printf 'default zero\nrate GRBM.0 1000000\n')
missing "a silent sensor costs no counter its value" \
	drm:::amdgpu::sensor.gpu-temp $count "$sim ctl fault info:1+:EBUSY" \
	--gpu vega10
missing "a GPU that was reset costs another one nothing" $count:device=1 \
	$count:device=0 "$sim ctl reset-gpu 1" \
	--gpu vega10 --gpu navi31

mend="$sim ctl set gpu1.gone off"
missing "an AMD GPU that comes back is counted again" $count \
	drm:::i915::sensor.cur-freq "$sim ctl set gpu1.gone on" \
	--gpu vega10 --gpu sklgt2
mend=

# ---------------------------------------------------------------- others count
cat > "$work/others" << 'END'
# usage: others HOLD COMMAND_LINE FOLDER
event=drm:::amdgpu::GRBM.COUNT
mkfifo "$3/end" "$3/begun"
"$1" drm:::amdgpu::SQ.WAVES < "$3/end" > "$3/begun" &
first=$!
exec 7> "$3/end"
read -r line < "$3/begun"
echo "first: $line"
DRMPERF_SHARE=0 "$2" $event 2>&1 | sed 's/^/second: /'
"$2" $event 2>&1 | sed 's/^/beside: /'
kill -9 $first
wait $first 2> "$3/killed"
echo "pid $first killed"
"$2" $event 2>&1 | sed 's/^/third: /'
END
"$sim" --gpu vega10 --report "$work/report" -- bash "$work/others" \
	"$programs/hold" "$papi/bin/papi_command_line" "$work" \
	> "$work/out" 2>&1
pid=$(sed -n 's/^pid \([0-9]*\) killed/\1/p' "$work/out")
has "the error names the pid of another process that counts" \
	"$work/out" '^first: start: No error' \
	'^second: Error! PAPI_start' "^second: drm: .*in use by pid $pid \\([^)]*\\); "
has "a process that shares counts next to another" "$work/out" \
	'^beside: drm:::amdgpu::GRBM.COUNT :.*[1-9]'
has "counting goes on after SIGKILL" "$work/out" \
	'^third: drm:::amdgpu::GRBM.COUNT :.*[1-9]'
restored "after SIGKILL"
finish
