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
$machine "$examples/count_waves" --waves 0 > "$work/out" 2>&1
has "no waves is a mistake" "$work/out" 'not a number of at least 1'
"$examples/count_waves" --help > "$work/out" 2>&1
has "count_waves --help" "$work/out" '^usage: count_waves'
"$examples/count_regions" --help > "$work/out" 2>&1
has "count_regions --help" "$work/out" '^usage: .*count_regions'
$sim -- "$examples/count_waves" > "$work/out" 2>&1
has "no GPU is told" "$work/out" 'no AMD GPU here'

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
regions "high level, by default" 'ten launches +10000 waves' \
	'"drm:::amdgpu::SQ.WAVES": *"1000"' '"drm:::amdgpu::SQ.WAVES": *"10000"'
# an instant value makes the high level hold a second set at the same time
PAPI_EVENTS=drm:::amdgpu::SQ.WAVES,drm:::amdgpu::GRBM.COUNT=instant
export PAPI_EVENTS
regions "high level, two sets at once" \
	'"drm:::amdgpu::SQ.WAVES": *"10000"' '"drm:::amdgpu::GRBM.COUNT":'
unset PAPI_EVENTS

# ---------------------------------------------------------------- component
for name in drm_list drm_count drm_conflict; do
	test=$papi/tree/src/components/drm/tests/$name
	$machine "$test" > "$work/out" 2>&1
	has "$name" "$work/out" '^PASSED'
	"$sim" -- "$test" > "$work/out" 2>&1
	has "$name without GPU" "$work/out" '^SKIPPED'
done
$machine "$papi/tree/src/components/drm/tests/drm_count" \
	drm:::amdgpu::GRBM.COUNT drm:::amdgpu::TCC.HIT > "$work/out" 2>&1
has "drm_count with names" "$work/out" '^PASSED' \
	'^read again +[1-9][0-9]* +[1-9]'

# ---------------------------------------------------------------- the demo
utils/examples/demo.sh --simulated "$BUILD_DIR" > "$work/out" 2>&1
has "the demo" "$work/out" 'drmsim --gpu vega10' 'Native: [1-9]' \
	'drm:::amdgpu::SQ.WAVES' 'All 10000 waves launched were counted' \
	'That was all'
lacks "the demo has no error" "$work/out" '[Ff]ailed|[Ee]rror|not found'
finish
