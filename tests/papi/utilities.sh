#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# PAPI's utilities on a simulated Vega 10: those built here, and those of the
# distribution's papi-tools run on our libpapi.
. tests/papi/lib.sh

# utility NAME [ARGUMENT]...: output in $work/out, status checked
run()
{
	$sim --gpu vega10 -- "$@" > "$work/out" 2> "$work/err"
	local rc=$?
	[ $rc = 0 ] || echo "exit status $rc" >> "$work/out"
	cat "$work/err" >> "$work/out"
	return $rc
}

waves=drm:::amdgpu::SQ.WAVES

# try KIND FOLDER
try()
{
	local kind=$1 bin=$2 plain flat

	run "$bin/papi_component_avail"
	has "$kind papi_component_avail lists the component" "$work/out" \
		'^Name: *drm .*libdrmperf' 'Native: -1, .*Counters: 512' \
		'PMUs supported: amdgpu'

	run "$bin/papi_native_avail"
	has "$kind papi_native_avail lists events, qualifiers and units" \
		"$work/out" \
		'Native Events in Component: drm' "^\| $waves " \
		'::SQ.WAVES:device=0 ' '::SQ.WAVES:instance=0 ' \
		'GPU 0, .* at 0000:03:00.0' 'Units: waves' 'Units: percent\*1000'
	plain=$(sed -n 's/^Total events reported: //p' "$work/out")

	run "$bin/papi_native_avail" -i TCC.HIT
	has "$kind papi_native_avail -i lists events of a pattern" "$work/out" \
		'drm:::amdgpu::TCC.HIT ' 'one instance, 0 to 15'
	lacks "$kind papi_native_avail -i leaves others out" "$work/out" \
		'SQ.WAVES'

	run "$bin/papi_native_avail" -e $waves
	has "$kind papi_native_avail -e describes an event" "$work/out" \
		"Event name: *$waves" 'Description: *.*[Ww]aves.*\[group SQ, 8 at'
	run "$bin/papi_native_avail" -e $waves:instance=2
	has "$kind papi_native_avail -e describes an event with a qualifier" \
		"$work/out" \
		"Event name: *$waves:instance=2"

	run "$bin/papi_native_avail" --noqual
	flat=$(sed -n 's/^Total events reported: //p' "$work/out")
	lacks "$kind papi_native_avail --noqual lists no qualifiers" \
		"$work/out" '::SQ.WAVES:'
	if [ -n "$plain" ] && [ "$plain" = "$flat" ]; then
		ok "$kind papi_native_avail counts the same events"
	else
		not_ok "$kind papi_native_avail counts the same events \
('$plain', '$flat')"
	fi

	run "$bin/papi_native_avail" -c -i drm:::amdgpu
	has "$kind papi_native_avail -c lists events" "$work/out" "^\| $waves "
	lacks "$kind papi_native_avail -c finds that all events can be added" \
		"$work/out" \
		'^\| drm.*<NA>'

	run "$bin/papi_command_line" $waves drm:::amdgpu::GRBM.COUNT \
		drm:::amdgpu::TCC.HIT:instance=3 \
		drm:::amdgpu::metric.L2CacheHit:double
	has "$kind papi_command_line counts" "$work/out" \
		"Successfully added: $waves" "^$waves :.*[0-9] waves" \
		'^drm:::amdgpu::GRBM.COUNT :.*[1-9][0-9]* cycles' \
		'TCC.HIT:instance=3 :.*[1-9][0-9]* requests' \
		'L2CacheHit:double :.*[0-9]\.[0-9]{3} percent$'

	run "$bin/papi_command_line" drm:::amdgpu::TCC.HIT \
		drm:::amdgpu::TCC.MISS drm:::amdgpu::TCC.REQ \
		drm:::amdgpu::TCC.READ drm:::amdgpu::TCC.WRITE
	has "$kind papi_command_line refuses a fifth counter of TCC" \
		"$work/out" \
		'Failed adding: drm:::amdgpu::TCC.WRITE' \
		'because: .*hardware resource limit'
	PAPI_DRM_VERBOSE=1 run "$bin/papi_command_line" drm:::amdgpu::TCC.HIT \
		drm:::amdgpu::TCC.MISS drm:::amdgpu::TCC.REQ \
		drm:::amdgpu::TCC.READ drm:::amdgpu::TCC.WRITE
	has "$kind papi_command_line names the group that is full" "$work/out" \
		'^drm: .*TCC.*4'
	PAPI_DRM_VERBOSE=1 run "$bin/papi_command_line" drm:::amdgpu::SQ.WAVSE
	has "$kind papi_command_line names the nearest event" "$work/out" \
		'^drm: .*SQ.WAVES'

	run "$bin/papi_event_chooser" NATIVE drm:::amdgpu::GRBM.COUNT
	has "$kind papi_event_chooser lists what fits" "$work/out" "$waves" \
		'Total events reported: [1-9]'
	run "$bin/papi_event_chooser" NATIVE $waves \
		$(printf 'drm:::amdgpu::SQ.%s ' WAVES_EQ_64 ITEMS INSTS_VALU \
		INSTS_VMEM_WR INSTS_VMEM_RD INSTS_SALU INSTS_SMEM)
	has "$kind papi_event_chooser lists events next to a full SQ" \
		"$work/out" \
		'drm:::amdgpu::TCC.HIT' 'Total events reported: [1-9]'
	lacks "$kind papi_event_chooser leaves out events of a full SQ" \
		"$work/out" '^drm:::amdgpu::SQ.QUADS'

	run "$bin/papi_xml_event_info"
	has "$kind papi_xml_event_info describes events" "$work/out" \
		'<component .*id="drm"' 'name="drm:::amdgpu::SQ.WAVES"' \
		'modifier.*SQ.WAVES:device=0'
	if ! command -v xmllint > /dev/null; then
		skip "$kind papi_xml_event_info is XML" "there is no xmllint"
	elif sed -n '/^<?xml/,$p' "$work/out" | grep -v '^PAPI Error' |
		xmllint --noout - > "$work/xml" 2>&1; then
		ok "$kind papi_xml_event_info is XML"
	else
		not_ok "$kind papi_xml_event_info is XML" "$work/xml"
	fi
}

try our "$papi/bin"
if [ ! -x /usr/bin/papi_native_avail ]; then
	skip "the distribution's utilities count" "papi-tools is not installed"
elif ! LD_LIBRARY_PATH=$papi/lib ldd /usr/bin/papi_native_avail |
	grep -q "=> $papi/lib/libpapi"; then
	skip "the distribution's utilities count" \
		"they need another libpapi than the one built here"
else
	export LD_LIBRARY_PATH=$papi/lib
	try distribution /usr/bin
fi
finish
