#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The examples, the tests of the component and the demo, on a simulated Vega 10.
. tests/papi/lib.sh

examples=$BUILD_DIR/examples
machine="$sim --strict --gpu vega10 --"

$machine "$examples/count_waves" --waves 123 --launches 7 \
	drm:::amdgpu::GRBM.COUNT > "$work/out" 2>&1
has "all waves are counted" "$work/out" '^7 dispatches of 123 waves on /dev' \
	'SQ.WAVES +861 waves' 'GRBM.COUNT +[1-9][0-9]* cycles' \
	'All 861 waves launched were counted'
$machine "$examples/count_waves" --waves 1 --launches 1 > "$work/out" 2>&1
has "one wave is counted" "$work/out" 'SQ.WAVES +1 waves' 'All 1 waves'
$machine "$examples/count_waves" --plain > "$work/out" 2>&1
has "waves of a queue that does not allow it are not counted" "$work/out" \
	'SQ.WAVES +0 waves' '10000 waves were launched, in a queue'
for gpu in navi31 navi48; do
	$sim --strict --gpu $gpu,force-en=works -- "$examples/count_waves" \
		--plain > "$work/out" 2>&1
	has "$gpu: waves of every queue count where FORCE_EN works" "$work/out" \
		'SQ.WAVES +10000 waves' 'All 10000 waves'
done
for gpu in bonaire polaris10 mi200 mi300 navi10; do
	$sim --strict --gpu $gpu -- "$examples/count_waves" > "$work/out" 2>&1
	has "$gpu: waves of a queue that allows it are counted" "$work/out" \
		'SQ.WAVES +10000 waves' 'All 10000 waves'
done
DRMPERF_DIES=one $sim --strict --gpu mi300 -- "$examples/count_waves" \
	> "$work/out" 2>&1
has "count_waves says that some waves ran on another die" "$work/out" \
	'10000 waves were launched: some ran on a die that was not counted'
$sim --gpu mi300,kfd=off -- "$examples/count_command" drm:::amdgpu::SQ.WAVES -- true \
	> "$work/out" 2>&1
has "an error without its cause says how to get it" "$work/out" \
	'^PAPI_start: ' '^PAPI_DRM_VERBOSE=1 makes '
PAPI_DRM_VERBOSE=1 $sim --gpu mi300,kfd=off -- "$examples/count_command" \
	drm:::amdgpu::SQ.WAVES -- true > "$work/out" 2>&1
has "PAPI_DRM_VERBOSE=1 prints the cause of an error" \
	"$work/out" '^drm: up to 8 dies'
lacks "an error with its cause has no advice to get it" \
	"$work/out" '^PAPI_DRM_VERBOSE'
$machine "$examples/count_waves" --waves 0 > "$work/out" 2>&1
has "count_waves refuses 0 waves" "$work/out" 'not a number of at least 1'
"$examples/count_waves" --help > "$work/out" 2>&1
has "count_waves --help prints its usage" "$work/out" '^usage: count_waves'
"$examples/count_regions" --help > "$work/out" 2>&1
has "count_regions --help prints its usage" \
	"$work/out" '^usage: .*count_regions'
$sim -- "$examples/count_waves" > "$work/out" 2>&1
has "count_waves says that there is no AMD GPU" "$work/out" 'no AMD GPU here'

# ---------------------------------------------------------------- Fortran
# its header stands in PAPI's sources until PAPI is installed
if ! command -v gfortran > /dev/null; then
	skip "the Fortran example counts" "there is no gfortran"
elif gfortran -Wall -Wextra -Wno-unused-parameter -Werror \
	-I "$papi/tree/src" -o "$work/count_fortran" \
	examples/count_fortran.f90 -L "$papi/lib" -lpapi \
	-Wl,-rpath,"$papi/lib" > "$work/out" 2>&1; then
	$machine "$work/count_fortran" drm:::amdgpu::GRBM.COUNT \
		"touch $work/ran" > "$work/out" 2>&1
	has "the Fortran example counts" "$work/out" \
		'^drm:::amdgpu::GRBM.COUNT [1-9][0-9]*$'
	[ -e "$work/ran" ] || not_ok \
		"the Fortran example counts while a command runs"
	$machine "$work/count_fortran" drm:::amdgpu::GRBM.COUN true \
		> "$work/out" 2>&1
	has "the Fortran example gets an error for an unknown event" \
		"$work/out" \
		'^PAPI_add_named_event: PAPI says -7$'
else
	not_ok "the Fortran example compiles" "$work/out"
fi

# ---------------------------------------------------------------- Python
python="python3 examples/count_python.py"
if ! command -v python3 > "$work/which"; then
	skip "the Python example counts" "there is no python3"
elif ! $machine python3 -c 'from pypapi import papi_low' > "$work/out" 2>&1; then
	skip "the Python example counts" "there is no pypapi"
elif ! $machine $python drm:::amdgpu::GRBM.COUNT touch "$work/ran.py" \
	> "$work/out" 2>&1 && grep -q PapiNoEventError "$work/out"; then
	skip "the Python example counts" \
		"the PAPI of pypapi has no component drm"
else
	has "the Python example counts" "$work/out" \
		'^drm:::amdgpu::GRBM.COUNT [1-9][0-9]*$'
	[ -e "$work/ran.py" ] ||
		not_ok "the Python example counts while a command runs" \
			"$work/out"
	$machine $python drm:::amdgpu::GRBM.COUN true > "$work/out" 2>&1
	has "the Python example gets an error for an unknown event" \
		"$work/out" \
		'^drm:::amdgpu::GRBM.COUN: PAPI says PapiNoEventError$'
fi

# ---------------------------------------------------------------- high level
# regions PATTERN...: in what PAPI's high level wrote
regions()
{
	local name=$1
	shift
	rm -rf "$work/hl"
	mkdir "$work/hl"
	PAPI_OUTPUT_DIRECTORY=$work/hl $machine "$examples/count_regions" \
		> "$work/out" 2>&1
	cat "$work"/hl/papi_hl_output/*.json >> "$work/out" 2> /dev/null
	has "$name" "$work/out" "$@"
}
regions "PAPI's high level counts by default" 'ten launches +10000 waves' \
	'"drm:::amdgpu::SQ.WAVES": *"1000"' '"drm:::amdgpu::SQ.WAVES": *"10000"'
# an instant value makes the high level hold a second set at the same time
PAPI_EVENTS=drm:::amdgpu::SQ.WAVES,drm:::amdgpu::GRBM.COUNT=instant
export PAPI_EVENTS
regions "PAPI's high level counts two sets at once" \
	'"drm:::amdgpu::SQ.WAVES": *"10000"' '"drm:::amdgpu::GRBM.COUNT":'
# as "drmperf split --papi" prints it: an average is the same at the end of a
# region in which nothing else happens than before, and its difference is 0
PAPI_EVENTS=$("$sim" --gpu vega10 -- "$BUILD_DIR/bin/drmperf" split --papi \
	amdgpu::metric.L2CacheHit,amdgpu::SQ.WAVES,amdgpu::TCC.HIT:instance=2)
PAPI_EVENTS=${PAPI_EVENTS#PAPI_EVENTS=}
regions "PAPI's high level takes names as split --papi prints them" \
	'"drm:::amdgpu::metric.L2CacheHit:device0": *"[1-9][0-9]*"' \
	'"drm:::amdgpu::SQ.WAVES:device=0": *"10000"' \
	'"drm:::amdgpu::TCC.HIT:device=0:instance=2": *"[1-9]'
unset PAPI_EVENTS

# ---------------------------------------------------------------- component
for name in drm_list drm_count drm_conflict; do
	test=$papi/tree/src/components/drm/tests/$name
	$machine "$test" > "$work/out" 2>&1
	has "$name passes" "$work/out" '^PASSED'
	"$sim" -- "$test" > "$work/out" 2>&1
	has "$name is skipped without a GPU" "$work/out" '^SKIPPED'
done
$machine "$papi/tree/src/components/drm/tests/drm_count" \
	drm:::amdgpu::GRBM.COUNT drm:::amdgpu::TCC.HIT > "$work/out" 2>&1
has "drm_count passes with names of events" "$work/out" '^PASSED' \
	'^read again +[1-9][0-9]* +[1-9]'

# ---------------------------------------------------------------- the demo
examples/demo.sh --simulated "$BUILD_DIR" > "$work/out" 2>&1
has "the demo shows each of its steps" \
	"$work/out" 'drmsim --gpu vega10' 'Native: -1' \
	'drm:::amdgpu::SQ.WAVES' 'All 10000 waves launched were counted' \
	' GB/s  amdgpu::metric.FetchSize  \([0-9.]+ % of peak\)$' \
	' [1-9][0-9]?\.[0-9]  % +amdgpu::metric.MemUnitStalled \*$' 'That was all'
has "the demo writes its page" \
	"$BUILD_DIR/demo.html" '<h2>amdgpu::metric.FetchSize</h2>'
lacks "the demo has no error" "$work/out" '[Ff]ailed|[Ee]rror|not found'
finish
