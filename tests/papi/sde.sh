#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# libdrmperf-sde: events of GPUs for a PAPI without the component drm. The
# distribution's libpapi and utilities, where they are, and those built here.
. tests/papi/lib.sh
unset DRMPERF_SDE_EVENTS

tool=$BUILD_DIR/bin/drmperf
sde=$BUILD_DIR/lib/libdrmperf-sde.so
gpu="$sim --strict --gpu vega10"
machine="$sim --strict --time virtual --scenario tests/papi/sde.scenario
	--gpu vega10"
waves=amdgpu::SQ.WAVES

# run COMMAND...: below drmsim, with a limit; output and errors in $work/out
run()
{
	timeout $hang $simulated "$@" > "$work/out" 2>&1
	echo "status $?" >> "$work/out"
}
simulated="$gpu --"

events=
names=
while read -r event rate; do
	events="$events sde:::amdgpu::$event=$rate"
	names="$names,amdgpu::$event"
done << 'END_EVENTS'
SQ.WAVES 4
SQ.WAVES_EQ_64 8
SQ.ITEMS 12
SQ.INSTS_VALU 16
SQ.INSTS_VMEM_WR 20
SQ.INSTS_VMEM_RD 24
SQ.INSTS_SALU 28
SQ.INSTS_SMEM 32
GRBM.GUI_ACTIVE 13
END_EVENTS
names="${names#,},amdgpu::TCC.HIT,amdgpu::metric.L2CacheHit,amdgpu::sensor.gpu-temp"

# ---------------------------------------------------------------- programs
# on_papi KIND FOLDER: programs with the libpapi of a folder, "": as linked
on_papi()
{
	local kind=$1 folder=$2
	local with="env ${folder:+LD_LIBRARY_PATH=$folder}"

	simulated="$machine --report $work/report --"
	# shellcheck disable=SC2086
	run "$tool" papi -e "$names" -- $with "$programs/sde" $events
	sed -n "s/^\(not \)\?ok /&$kind: /p; /^  /p" "$work/out"
	has "$kind: the program runs to its end" \
		"$work/out" '^status 0$' '^ok other spellings'
	lacks "$kind: counting violates no rule of the driver" \
		"$work/report" 'violation'

	run "$tool" papi -e $waves -- $with "$programs/sde_others" \
		sde:::$waves
	has "$kind: events count next to those of another library" "$work/out" \
		"^listed sde:::$waves\$" '^listed sde:::Mine::SEEN$' \
		'^listed sde:::Mine::MADE$' "^sde:::$waves 12\$" \
		'^sde:::Mine::SEEN 11$' '^sde:::Mine::MADE 13$' \
		'^sde:::Mine::LATER 5$' '^overflows seen$' '^status 0$'

	for how in return thread child; do
		simulated="$gpu --report $work/report --"
		run "$tool" papi -e $waves,amdgpu::GRBM.COUNT -- $with \
			"$programs/leave" $how sde:::amdgpu::GRBM.COUNT
		grep '^violation\|^state' "$work/report" >> "$work/out"
		has "$kind: a program left by $how leaves the GPU as it was" \
			"$work/out" '^status 0$' \
			'grbm_gfx_index=0xe0000000 counters=stopped clock_bit=0'
	done
	# amidst a read it is, whose hardware nobody can stop any more
	simulated="$sim --gpu vega10 --"
	run "$tool" papi -e $waves -- $with "$programs/leave" handler \
		sde:::$waves
	has "$kind: a program that ends in a signal handler exits with 0" \
		"$work/out" '^status 0$'

	rm -rf "$work/hl"
	simulated="$gpu --"
	mkdir "$work/hl"
	run "$tool" papi -e $waves,amdgpu::metric.L2CacheHit -- $with \
		PAPI_OUTPUT_DIRECTORY="$work/hl" "$BUILD_DIR/examples/count_regions"
	cat "$work"/hl/papi_hl_output/*.json >> "$work/out" 2> /dev/null
	has "$kind: PAPI's high level counts events of GPUs" \
		"$work/out" "\"sde:::$waves\": *\"1000\"" \
		"\"sde:::$waves\": *\"10000\"" \
		'"sde:::amdgpu::metric.L2CacheHit": *"[1-9]'
}

# ---------------------------------------------------------------- utilities
# utilities KIND FOLDER
utilities()
{
	local kind=$1 bin=$2

	simulated="$sim --gpu vega10,runtime-suspended --report $work/report --"
	run sh -c "LD_PRELOAD=\$LD_PRELOAD:$sde DRMPERF_SDE_EVENTS=$waves \
		$bin/papi_mem_info"
	has "$kind: PAPI_library_init wakes no GPU" "$work/report" 'resumes=0$'
	simulated="$gpu --"
	run "$tool" papi -e "$waves,amdgpu::TCC.HIT:instance=3" -- \
		"$bin/papi_component_avail"
	sed -n '/^Active/,$p' "$work/out" > "$work/active"
	has "$kind papi_component_avail lists sde as active" \
		"$work/active" '^Name: *sde '
	run "$tool" papi -e "$waves,amdgpu::TCC.HIT:instance=3" -- \
		"$bin/papi_native_avail" -i sde
	# the end of the description; PAPI 7.3 cuts it off after one line
	has "$kind papi_native_avail lists events with units" \
		"$work/out" "^\| sde:::$waves  " \
		'^\| sde:::amdgpu::TCC.HIT:instance=3 ' \
		'units: waves|: work g +\|$'
	run "$tool" papi -e "$waves,amdgpu::TCC.HIT" -- \
		"$bin/papi_command_line" sde:::$waves sde:::amdgpu::TCC.HIT
	has "$kind papi_command_line counts" "$work/out" '^status 0$' \
		"^Successfully added: sde:::$waves" \
		'^sde:::amdgpu::TCC.HIT :[[:space:]]*[1-9][0-9]+ '
	run "$tool" papi -e $waves -- "$bin/papi_command_line" \
		sde:::amdgpu::TCC.HIT
	has "$kind: an event that was not named is refused" "$work/out" \
		'^Failed adding: sde:::amdgpu::TCC.HIT' \
		'^libdrmperf-sde: amdgpu::TCC.HIT is not among the events'
	# its LD_PRELOAD stays in front: the simulator's
	run sh -c "LD_PRELOAD=\$LD_PRELOAD:$sde DRMPERF_SDE_EVENTS=$full \
		$bin/papi_command_line sde:::$waves"
	has "$kind: events that do not fit are refused" "$work/out" \
		'resource limits|conflicts' \
		'^libdrmperf-sde: amdgpu::SQ.* does not fit .* counts 8 at a'
	simulated=
	run env LD_PRELOAD="$sde" DRMPERF_SDE_EVENTS=$waves \
		"$bin/papi_command_line" sde:::$waves
	has "$kind: events are refused without a GPU" \
		"$work/out" 'Not supported|does not exist' \
		'^libdrmperf-sde: no device is driven by amdgpu'
}
full=$waves,amdgpu::SQ.WAVES_EQ_64,amdgpu::SQ.ITEMS,amdgpu::SQ.INSTS_VALU
full=$full,amdgpu::SQ.INSTS_VMEM_WR,amdgpu::SQ.INSTS_VMEM_RD,amdgpu::SQ.QUADS
full=$full,amdgpu::SQ.INSTS_SALU,amdgpu::SQ.INSTS_SMEM

on_papi "PAPI built here" ""
utilities "built here" "$papi/bin"

# The distribution's, unmodified: what it cannot do its libsde does not matter.
theirs=$(PATH=/usr/bin:/bin command -v papi_command_line) || theirs=
library=
[ -z "$theirs" ] || library=$(ldd "$theirs" | awk '/libpapi/ {print $3}')
if [ -z "$theirs" ]; then
	skip "the distribution's PAPI counts events of GPUs" \
		"papi-tools is not installed"
elif ! strings -a "$library" | grep -q sde_ti_read_counter; then
	skip "the distribution's PAPI counts events of GPUs" \
		"$library has no component sde"
else
	utilities "distribution's" "$(dirname "$theirs")"
	if [ -e "$papi/lib/${library##*/}" ]; then
		mkdir "$work/lib"
		ln -s "$library" "$work/lib/"
		on_papi "distribution's PAPI" "$work/lib"
	else
		skip "programs count with the distribution's PAPI" \
			"${library##*/} is of another version than what was built here"
	fi
fi

# ---------------------------------------------------------------- Intel
# averages and counts of the same metric set, which only one session can choose
simulated="$sim --strict --gpu sklgt2 --"
run "$tool" papi -e i915::ComputeBasic.GpuTime,i915::oa.EuActive -- \
	"$papi/bin/papi_command_line" sde:::i915::oa.EuActive \
	sde:::i915::ComputeBasic.GpuTime
has "averages and counts of Intel's metric sets count together" \
	"$work/out" '^status 0$' \
	'^sde:::i915::ComputeBasic.GpuTime :[[:space:]]*[1-9]' \
	'^sde:::i915::oa.EuActive :[[:space:]]*[0-9]'

# ---------------------------------------------------------------- the tool
simulated="$gpu --"
# shellcheck disable=SC2016
run "$tool" papi -e amdgpu::TCC.HI\*,$waves -- sh -c 'env; exit 3'
has "drmperf papi sets its variables and passes the status on" \
	"$work/out" '^status 3$' \
	"^DRMPERF_SDE_EVENTS=amdgpu::TCC.HI.*,$waves\$" \
	"^PAPI_EVENTS=sde:::amdgpu::TCC.HI.*,sde:::$waves\$" \
	"^LD_PRELOAD=.+:$sde\$"
run env PAPI_EVENTS=mine "$tool" papi -e $waves -- "$tool" papi -e $waves env
has "drmperf papi leaves PAPI_EVENTS of the user alone" \
	"$work/out" '^PAPI_EVENTS=mine$'
if [ "$(grep -o libdrmperf-sde.so "$work/out" | wc -l)" = 1 ]; then
	ok "drmperf papi preloads its library once"
else
	not_ok "drmperf papi preloads its library once" "$work/out"
fi
run "$tool" papi -e "$full" -- touch "$work/ran"
has "drmperf papi refuses events that do not fit" "$work/out" '^status 125$' \
	'^drmperf papi: amdgpu::SQ.* does not fit' '^try: '
[ ! -e "$work/ran" ] || not_ok \
	"drmperf papi does not run a program if events do not fit"
run "$tool" papi -e perf::TASK-CLOCK -- true
has "drmperf papi refuses events of CPUs" "$work/out" '^status 125$' \
	'event of CPUs'
run "$tool" papi -- true
has "drmperf papi refuses to run without events" \
	"$work/out" '^status 129$' 'no events given'
run "$tool" papi -e $waves
has "drmperf papi refuses to run without a program" "$work/out" '^status 129$' \
	'no program given'
run "$tool" papi -e $waves -- /nowhere/program
has "drmperf papi names a program that does not exist" \
	"$work/out" '^status 127$' \
	'cannot run /nowhere/program'

# ---------------------------------------------------------------- watched
# shellcheck disable=SC2086
watched "$machine $tool papi -e $names --" hold sde:::$waves \
	sde:::amdgpu::sensor.gpu-temp < /dev/null
if [ -n "${CHECK_DEEP:-}" ]; then
	# shellcheck disable=SC2086
	ASAN_OPTIONS=${ASAN_OPTIONS:-verify_asan_link_order=0} \
		clean "libdrmperf-sde is clean under sanitizers" $machine \
		"$BUILD_DIR/asan/bin/drmperf" papi -e "$names" -- \
		"$BUILD_DIR/asan/tests/papi/sde" $events
fi
finish
