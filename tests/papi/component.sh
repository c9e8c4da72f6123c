#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The component alone, over a stand-in for the library: PAPI's traps, and the
# reasons that the component gives when it cannot be used.
. tests/papi/lib.sh

fake=$programs/fake/libdrmperf.so.0
machine="umockdev-run -d tests/data/papi/amdgpu.umockdev --"
events="drm:::amdgpu::SQ.E0=4 drm:::amdgpu::SQ.E1=8 drm:::amdgpu::SQ.E2=12
	drm:::amdgpu::SQ.E3=16 drm:::amdgpu::SQ.E4=20 drm:::amdgpu::SQ.E5=24
	drm:::amdgpu::SQ.E6=28 drm:::amdgpu::SQ.E7=32 drm:::amdgpu::SQ.E8=36
	drm:::amdgpu::SQ.E0:instance=2=1 drm:::amdgpu::SQ.E0:device=1=4000"

for program in traps names; do
	PAPI_DRM_LIB=$fake $machine "$programs/$program" $events || failed=1
done

# ---------------------------------------------------------------- drivers
sed -n '/^const struct driver .*= {/{n;s/.*\.name = "\(.*\)".*/\1/p}' \
	lib/driver/*/driver.c | sort -u > "$work/known"
sed -n 's/^\t{ "\(.*\)", .*/\1/p' components/drm/papi_drm_gpus.c | sort -u \
	> "$work/looked"
if [ -s "$work/known" ] && cmp -s "$work/known" "$work/looked"; then
	ok "PAPI_library_init looks for the library's drivers"
else
	diff "$work/known" "$work/looked" > "$work/out"
	not_ok "PAPI_library_init looks for the library's drivers" "$work/out"
fi

# ---------------------------------------------------------------- presets
# a table of one preset, for whatever CPU
"$papi/bin/papi_component_avail" |
	sed -n 's/.*PMUs supported: //p' | tr -d ' ' | tr , '\n' |
	sed 's/^/CPU,/' > "$work/presets.csv"
echo "PRESET,PAPI_TOT_CYC,NOT_DERIVED,NO_SUCH_EVENT" >> "$work/presets.csv"
PAPI_CSV_EVENT_FILE=$work/presets.csv $machine "$programs/disabled" \
	> "$work/out" 2> "$work/err"
has "a CPU's preset that the CPU lacks opens no GPU" "$work/out" \
	'^before: enabled, -1 events: $'

# ---------------------------------------------------------------- reasons
# reason NAME PATTERN [VARIABLE=VALUE]...: once it has been asked for events
reason()
{
	local name=$1 pattern=$2
	shift 2
	env "$@" $machine "$programs/disabled" > "$work/out" 2> "$work/err"
	has "the component gives its reason: $name" \
		"$work/out" '^before: enabled, -1 events: $' \
		"^after: [^e].*, 0 events: .*$pattern"
}

# lacking NAME PATTERN [VARIABLE=VALUE]...: from PAPI_library_init on, with the
# reason for people, too
lacking()
{
	local name=$1 pattern=$2
	shift 2
	env PAPI_DRM_VERBOSE=1 "$@" $machine "$programs/disabled" \
		> "$work/out" 2> "$work/err"
	has "the component gives its reason: $name" "$work/out" \
		"^before: Not supported, 0 events: .*$pattern"
	has "PAPI_DRM_VERBOSE prints the reason: $name" "$work/err" \
		"^drm: .*$pattern"
	env "$@" $machine "$papi/bin/papi_component_avail" > "$work/out" 2>&1
	has "papi_component_avail prints the reason: $name" "$work/out" \
		"Disabled: .*$(echo "$pattern" | cut -c1-20)"
}

lacking "the library is named wrongly" \
	'libdrmperf.so.0 not found; /nowhere/lib.so.*PAPI_DRM_LIB names' \
	PAPI_DRM_LIB=/nowhere/lib.so
lacking "a function is missing" \
	'fake-lacking/libdrmperf.so.0 has no drmperf_session_reset' \
	PAPI_DRM_LIB="$programs/fake-lacking/libdrmperf.so.0"
lacking "the library has another version" \
	'major version 9, this component needs 0' \
	PAPI_DRM_LIB="$programs/fake-other/libdrmperf.so.0"
reason "no device is known to the library" 'no supported GPU: none of the' \
	PAPI_DRM_LIB="$fake" FAKE_DRMPERF=no-devices
reason "the library cannot start" 'fake: create: .*; change FAKE_DRMPERF' \
	PAPI_DRM_LIB="$fake" FAKE_DRMPERF=create:5
reason "no device can be opened" \
	'fake: open:0: Permission denied; change FAKE_DRMPERF' \
	PAPI_DRM_LIB="$fake" FAKE_DRMPERF='open:0:13 open:1:95'

machine="umockdev-run --"
PAPI_DRM_LIB="$fake" $machine "$papi/bin/papi_component_avail" > "$work/out"
has "the component gives its reason: no GPU at all" "$work/out" \
	'Disabled: no supported GPU: there is none in /sys/class/drm'
machine="umockdev-run -d tests/data/papi/amdgpu.umockdev --"

# A copy of libpapi elsewhere, that does not remember where it was built.
mkdir "$work/lib"
cp "$papi"/lib/libpapi.so.* "$papi"/lib/libsde.so* "$work/lib/"
forgotten=$(echo "$papi/lib" | sed 's/./x/g')
LC_ALL=C sed -i "s|$papi/lib|$forgotten|g" "$work"/lib/libpapi.so.*
lacking "the library is not found" \
	"not found; libdrmperf.so.0: .*; $work/lib/libdrmperf.so.0: .*; install" \
	LD_LIBRARY_PATH="$work/lib"
cp "$fake" "$work/lib/"
env LD_LIBRARY_PATH="$work/lib" $machine "$papi/bin/papi_component_avail" \
	> "$work/out" 2>&1
has "a library next to libpapi is found" "$work/out" 'PMUs supported: amdgpu'

# ---------------------------------------------------------------- one of two
export PAPI_DRM_LIB=$fake
FAKE_DRMPERF=open:0:13 PAPI_DRM_VERBOSE=1 $machine \
	"$papi/bin/papi_command_line" drm:::amdgpu::SQ.E1:device=1 \
	drm:::amdgpu::SQ.E1 > "$work/out" 2>&1
has "a GPU can be used if another one cannot be opened" "$work/out" \
	'Successfully added: drm:::amdgpu::SQ.E1:device=1' \
	'Failed adding: drm:::amdgpu::SQ.E1$' \
	'drm: fake: open:0: Permission denied; change FAKE_DRMPERF'

# ---------------------------------------------------------------- for a moment
# again NAME FAKE FIRST: the first look-up says FIRST, the second succeeds
again()
{
	FAKE_DRMPERF=$2 $machine "$programs/again" drm:::amdgpu::SQ.E1 \
		> "$work/out" 2>&1
	has "a second look-up succeeds: $1" "$work/out" "^1: $3" '^2: No error'
}
again "no descriptors for the list of GPUs" create:24! 'A System/C library'
again "no descriptors for a GPU" open:0:24! 'A System/C library'
again "no memory for one GPU of two" open:1:12! 'Insufficient memory'
again "interrupted" open:0:4! 'A System/C library'

# ---------------------------------------------------------------- errors told
# told NAME FAKE PATTERN...: papi_command_line under PAPI_DRM_VERBOSE
told()
{
	local name=$1 demand=$2
	shift 2
	FAKE_DRMPERF=$demand PAPI_DRM_VERBOSE=1 $machine \
		"$papi/bin/papi_command_line" drm:::amdgpu::SQ.E1 \
		> "$work/out" 2>&1
	has "$name" "$work/out" "$@"
}
told "a failed start is reported with its cause" \
	start:16 'drm: fake: start: Device or resource busy'
told "a failed read is reported, and there is no value" read:5 \
	'drm: an event has no value .*: fake: read: Input/output error' \
	'drm:::amdgpu::SQ.E1 :[[:space:]]*-9223372036854775808'
told "a failed stop is reported, and values stay good" \
	stop:5 'drm: fake: stop: Input' \
	'drm:::amdgpu::SQ.E1 :.*0 waves'
FAKE_DRMPERF=read:5 $machine "$papi/bin/papi_command_line" \
	drm:::amdgpu::SQ.E1 > "$work/out" 2>&1
lacks "the component prints no message without PAPI_DRM_VERBOSE" \
	"$work/out" 'fake:'
# what a read in a handler is told that has interrupted a call of the library
FAKE_DRMPERF=read:11! PAPI_DRM_VERBOSE=1 $machine "$programs/hold" \
	drm:::amdgpu::SQ.E1 drm:::amdgpu::SQ.E0 < /dev/null > "$work/out" 2>&1
has "a read that is impossible now differs from a failure" "$work/out" \
	'^read: EventSet is currently counting' '^stop: No error'
lacks "a read that is impossible now is not reported as a failure" \
	"$work/out" 'fake:'

# ---------------------------------------------------------------- lists
$machine "$papi/bin/papi_native_avail" -i drm > "$work/out"
has "units and qualifiers are listed" "$work/out" \
	'drm:::amdgpu::SQ.E0 .*\|' 'Units: waves' '::SQ.E0:device=1 ' \
	'GPU 1, Fake 10 at 0000:04:00.0' '::SQ.E0:instance=0 ' \
	'one instance, 0 to 3' 'Units: percent\*1000' 'Units: ratio\*1000000' \
	'::metric.Busy:double' '8 at once, 4 instances' '4 instances, one d' \
	'drm:::amdgpu::SQ.ONLY1:device=1 ' 'Total events reported: 17'
$machine "$papi/bin/papi_command_line" drm:::amdgpu::metric.Busy \
	drm:::amdgpu::metric.Busy:double drm:::amdgpu::metric.Rate \
	drm:::amdgpu::sensor.temperature > "$work/out" 2>&1
has "doubles are scaled, or doubles with :double" "$work/out" \
	'metric.Busy :.*250 percent\*1000' \
	'metric.Busy:double :.*0.250 percent$' \
	'metric.Rate :.*250000 ratio\*1000000' \
	'sensor.temperature :.*15 mdegC'

# shellcheck disable=SC2086
watched "$machine" traps $events
# shellcheck disable=SC2086
watched "$machine" names $events
finish
