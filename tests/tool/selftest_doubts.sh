#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf selftest on simulated AMD GPUs that differ from each other where the
# hardware or the kernel is in doubt: each doubt fails its own checks and no other,
# and counting follows the results. It is run by make check-deep only.
. tests/tool/lib.sh
. tests/tool/selftest/lib.sh

# ---------------------------------------------------------------- checks
# What the kernel has been told changes what is counted.
# settings FILE TEXT: of the device, or of the module
settings()
{
	run 0 $sim --gpu navi31 -- bash -c '
		folder=$(echo "$UMOCKDEV_DIR"/sys/devices/*/*/vendor)
		folder=${folder%/vendor}
		case $1 in
		user_queue) mkdir "$folder"/driver/module \
			"$folder"/driver/module/parameters
			folder+=/driver/module/parameters ;;
		ptl/*) mkdir "$folder/ptl" ;;
		esac
		echo "$2" > "$folder/$1"
		shift 2
		exec "$@"' sh "$1" "$2" "$tool" selftest --through 0 $quiet \
		--log /dev/null
}
settings enforce_isolation "0 0"
has "isolation that is off passes" \
	"$work/out" '^  PASS +isolation: .* seen 0 0$'
settings enforce_isolation "0 1"
denies "isolation of one partition is answered with no" isolation
has "the output says that samples wait under isolation" \
	"$work/out" 'seen 0 1: each sample waits for the work of others'
settings ptl/ptl_enable enabled
denies "PTL that is enabled is answered with no" ptl
settings ptl/ptl_enable disabled
has "PTL that is disabled passes" "$work/out" '^  PASS +ptl: '
settings user_queue 2
has "user queues next to kernel queues pass" "$work/out" \
	'^  PASS +kernel-queues: .* seen user_queue is 2$'
rm -rf "$work/state"
selftest navi31,doubts=best -- --stage 3
denies "the second numbering of CUs is answered with no where the first works" \
	numbering.TA.cu-doubled \
	numbering.TD.cu-doubled numbering.TCP.cu-doubled
selftest navi31,doubts=best,cu-number=doubled -- --stage 3
has "the second numbering of CUs passes where it is the right one" "$work/out" \
	'^  answer: no +numbering.TCP.cu: .* the second keeps nothing' \
	'^  PASS +numbering.TCP.cu-doubled: ' '^  FAIL +compute.selects.TCP: '
selftest mi300,doubts=best -- --stage 3
has "the CUs of the die that counts pass" "$work/out" \
	'^  PASS +die.cus: .* 38 keep their selects, 0 of 38 differ'
printf '%s\n' "die 1" "harvest cu 1 0 0 0x1" > "$work/other"
selftest mi300,doubts=best --scenario "$work/other" -- --stage 3
has "CUs that differ from those of the first die are answered with no" \
	"$work/out" \
	'^  answer: no +die.cus: .* mask 0x2: 37 keep their selects, 1 of 38 '
rm -rf "$work/state"
selftest navi48,doubts=best -- --stage 3
selftest navi48,doubts=best,grbmh-sync=absent -- --stage 4
denies "GRBMH_SYNC that never comes is answered with no" \
	control.grbmh
has "counting passes without GRBMH_SYNC" "$work/out" '^  PASS +gfx.count: ' \
	'^  PASS +kernel-log: '
selftest navi48,doubts=best,grbmh-sync=absent -- --stage 5
lacks "the next run does not stop without GRBMH_SYNC" "$work/out" '^stopped'
run 0 timeout $hang $sim --gpu navi48,doubts=best,grbmh-sync=absent -- "$tool" \
	stat -e CB.DRAWN_PIXEL -- true
has "stat counts without GRBMH_SYNC" "$work/err" 'amdgpu::CB.DRAWN_PIXEL'
rm -rf "$work/state"
selftest navi21,doubts=best -- --stage 3
printf '%s\n' "doubts best" "default zero" > "$work/quiet"
memory navi21 >> "$work/quiet"
selftest navi21 --scenario "$work/quiet" -- --stage 5
has "FETCH_SIZE sees the 8 MiB of a shader" "$work/out" \
	'^  PASS +shader.fetch-size: .* seen 8388608 bytes$' \
	'^  PASS +slots.TCP: .* in 4 slots moved, 0 not like' \
	'^  PASS +sqg.off: ' '^  UNKNOWN +waves.kfd.force-en: .* see --beside'
sed -i 's/^work .*/work l2-read GL2C.102 0.5/' "$work/quiet"
selftest navi21 --scenario "$work/quiet" -- --stage 5
fails "half of the 8 MiB in FETCH_SIZE is a fault" shader.fetch-size
sed -i 's/^work .*/tcp-slots one/' "$work/quiet"
memory navi21 >> "$work/quiet"
selftest navi21 --scenario "$work/quiet" -- --stage 5
denies "slots of TCP that count nothing are answered with no" slots.TCP
sed -i 's/^tcp-slots.*/sqg-events needed/' "$work/quiet"
selftest navi21 --scenario "$work/quiet" -- --stage 5
has "events of SQG that have to be turned on pass" "$work/out" \
	'^  PASS +sqg.on: ' '^  answer: no +sqg.off: .* seen 0$'
sed -i 's/^sqg-events.*/force-en works/' "$work/quiet"
# a program whose queues nobody of ours has a hand in
others="drmsim ctl set rate 'SQ.4 source=other 100000000'; drmsim ctl set rate \
	'SQ.4 source=other 0'"
PATH=$PATH:$BUILD_DIR/bin selftest navi21 --scenario "$work/quiet" -- \
	--stage 5 --beside "$others"
has "waves of the command of --beside are counted" "$work/out" \
	'^  PASS +waves.kfd.force-en: .* seen [1-9]' \
	'^  answer: no +waves.kfd.neither: .* seen 0$'
selftest navi21 --scenario "$work/quiet" -- --stage 5 --beside false
has "a command of --beside that fails leaves its check unknown" "$work/out" \
	'^  UNKNOWN +waves.kfd.force-en: .* the command of --beside has failed'
# the lock of profilers, and all dies
printf '%s\n' "doubts best" "default zero" > "$work/calm"
selftest mi200,doubts=best -- --stage 3
selftest mi300,doubts=best -- --stage 3
selftest mi200,kfd-profiler=upstream --scenario "$work/calm" -- --stage 5
has "the lock of profilers is taken, where the kernel has it" "$work/out" \
	'^  PASS +kfd.lock: .* seen taken' \
	'^  UNKNOWN +waves.kfd.lock: .* see --beside'
selftest mi200,kfd-profiler=off --scenario "$work/calm" -- --stage 5
has "a kernel without a lock of profilers leaves its check unknown" \
	"$work/out" '^  UNKNOWN +kfd.lock: .*no lock of profilers'
selftest mi300 --scenario "$work/calm" -- --stage 5
has "the waves of another process are counted on all dies" "$work/out" \
	'^  PASS +dies.all: .* seen 10007$'
selftest mi300,kfd=off --scenario "$work/calm" -- --stage 5
has "without KFD the check of all dies is unknown" "$work/out" \
	'^  UNKNOWN +dies.all: .*KFD'
# beside SECONDS-OF-COMMAND TIMEOUT: stage 7 beside a command, where the kernel
# resets a ring after so many ms
beside()
{
	run 0 $sim --gpu navi21,doubts=best -- bash -c '
		folder=$(echo "$UMOCKDEV_DIR"/sys/bus/pci/drivers/amdgpu)/module
		mkdir "$folder" "$folder/parameters"
		echo "10000,$1" > "$folder/parameters/lockup_timeout"
		shift
		exec "$@"' sh "$2" "$tool" selftest --stage 7 --time 1 $quiet \
		--log /dev/null --beside "$1"
}
beside "true" 600000
has "a command shorter than the job timeout leaves load.long unknown" \
	"$work/out" '^  UNKNOWN +load.long: .* timeout, 600000 ms, seen [1-9]'
beside "sleep 1" 1 # any machine: longer than a millisecond
has "a command longer than the job timeout passes load.long" "$work/out" \
	'^  PASS +load.long: .* job timeout, 1 ms, seen [1-9][0-9]* samples'
has "load.steered passes while the kernel reads by the same index" "$work/out" \
	'^  PASS +load.steered: .* seen 0 of .* beside [1-9][0-9]* answers'
selftest navi21,doubts=best,mmio-index=shared -- --stage 7 --time 1
has "an index that the kernel leaves elsewhere is answered with no" \
	"$work/out" \
	'^  answer: no +load.steered: .* seen [1-9][0-9]* of '
rm -rf "$work/state"

# ---------------------------------------------------------------- doubts
rm -rf "$work/state"
# Blocks of the graphics pipe, and how they are latched
selftest vega10 -- --stage 3
selftest vega10,doubts=best,start-event=needed -- --stage 4
denies "graphics that needs a start event is answered with no" gfx.unstarted
selftest vega10,doubts=best,sample=by-ring -- --stage 4
denies "graphics that compute cannot latch is answered with no" \
	compute.graphics-event \
	compute.graphics-bit
selftest navi21 -- --stage 3
selftest navi21,doubts=best,sample=by-kind -- --stage 4
denies "latching that works by event or bit only is answered with no" \
	gfx.latch-event \
	gfx.graphics-bit compute.latch-event compute.graphics-event \
	compute.graphics-bit
selftest navi10 -- --stage 3
selftest navi10,doubts=best,gating=most -- --stage 4
denies "a clock that has to be turned on is answered with no" clock-bit.0
selftest vega10,doubts=best,sq-control=owned -- --stage 4
denies "a control register that its writer owns is answered with no" \
	control.shared
selftest vega10,doubts=best,compute-ring=hops -- --stage 4
fails "compute rings that hop are no fault unless a control register is owned"
selftest vega10,doubts=best,sq-control=owned,compute-ring=hops -- --stage 4
denies "an owned control register that hopping rings lose is answered with no" \
	control.kept control.shared
selftest navi10,doubts=best,grbm-read=stale -- --stage 4
denies "a read that returns the sample before is answered with no" \
	compute.first-read
# Clocks of blocks that stop when no clock mode is held
selftest vega10,doubts=best,idle-clock=stops -- --stage 4
denies "clocks of blocks that stop when idle are answered with no" \
	gfx.unheld.SQ gfx.unheld.TCA \
	gfx.unheld.TCC compute.unheld.SQ compute.unheld.TCA compute.unheld.TCC
# Events that are selected while counters run
selftest vega10,doubts=best,running-select=ignored -- --stage 4
denies "a select that needs a reset is answered with no" select.running
run 0 $sim --gpu vega10,running-select=ignored,sq-control=shared -- bash -c \
	"$tool stat -e TCC.HIT -- $tool stat -e TCC.HIT -- true; $tool stat \
	-e TCC.HIT -- $tool stat -e TCC.MISS -- true"
has "stat refuses other events while another process counts" "$work/err" \
	'this GPU does not select other events while they run' \
	'^try: begin to count all events together'
has "stat counts the same events as another process" \
	"$work/err" 'amdgpu::TCC.HIT'
# reads GPU: how often GRBM is read in what is sent
reads()
{
	DRMPERF_DEBUG=ib $sim --gpu "$1" -- "$tool" stat -e GRBM.COUNT -- true \
		2>&1 | grep -o '0000d040 [0-9a-f]\{8\}' | wc -l
}
reads vega10 > "$work/reads"
sed -i 's/^PASS compute.first-read/FAIL compute.first-read/' \
	"$work/state"/amdgpu-687f*
reads vega10 > "$work/again"
if [ "$(cat "$work/again")" -gt "$(cat "$work/reads")" ]; then
	ok "stat reads once more where the first read is stale"
else
	not_ok "stat reads once more where the first read is stale" \
		"$work/again"
fi
# Both halves of a result in one packet
# copies GPU: whether COPY_DATA takes 64 bits from the first counter of GRBM
copies()
{
	DRMPERF_DEBUG=ib $sim --gpu "$1" -- "$tool" stat -e GRBM.COUNT -- true \
		2>&1 | grep -q '0001050[04] 0000d040' && echo 64 || echo 32
}
# the first is untried
copies navi31 > "$work/copies"
selftest navi31 -- --stage 3
selftest navi31,doubts=best,copy-width=low -- --stage 4
denies "copies that give one half twice are answered with no" \
	gfx.copy-64 compute.copy-64
copies navi31 >> "$work/copies"
copies mi300 >> "$work/copies"
selftest mi300 -- --stage 3
selftest mi300,doubts=best -- --stage 4
copies mi300 >> "$work/copies"
tr '\n' ' ' < "$work/copies" > "$work/widths"
has "stat copies as the table says unless the self-test has found otherwise" \
	"$work/widths" '^64 32 32 64 $'
echo "gated-block TCC" > "$work/gated"
gated="$sim --gpu vega10,sq-control=shared --scenario $work/gated -- $tool stat -e TCC.HIT -- true"
# shellcheck disable=SC2086
run 125 $gated
has "stat fails if a clock that has passed stands still" "$work/err" \
	'the clock of TCC stood still: TCC.CYCLE did not advance'
sed -i 's/^PASS compute.unheld.TCC/FAIL compute.unheld.TCC/' \
	"$work/state"/amdgpu-687f*
# shellcheck disable=SC2086
run 0 $gated
lacks "stat is silent about a clock that stops without a clock mode" \
	"$work/err" 'clock'
sed -i '/compute.unheld.TCC/d' "$work/state"/amdgpu-687f*
# shellcheck disable=SC2086
run 0 $gated
has "stat warns of a clock that may stop without a clock mode" \
	"$work/err" 'the clock of TCC may have stood still'
echo 'PASS compute.unheld.TCC' >> "$(echo "$work/state"/amdgpu-687f*)"
sed -i 's/^PASS compute.moves.TCC/FAIL compute.moves.TCC/' \
	"$work/state"/amdgpu-687f*
# shellcheck disable=SC2086
run 0 $gated
lacks "stat is silent about a clock that does not move" "$work/err" 'clock'
sed -i '/compute.moves.TCC/d' "$work/state"/amdgpu-687f*
# shellcheck disable=SC2086
run 0 $gated
has "stat warns of a clock that has not been tested" "$work/err" \
	'the clock of TCC may have stood still.*drmperf selftest finds out'
selftest vega10,doubts=best --fault gated-clock -- --stage 4
has "a gated clock is a fault" \
	"$work/out" '^  FAIL +compute.count: .* 0.0 MHz' \
	'^  answer: no +gfx.moves.TCC' '^  UNKNOWN +gfx.graphics-event'
rm -rf "$work/state"
selftest vega10 -- --stage 4
has "nothing is counted before addresses are sure" "$work/out" \
	'^  UNKNOWN +count: expected that stage 3 has passed'
# scope EVENT: what list says of it
scope()
{
	$sim --gpu vega10 -- "$tool" list --json amdgpu::SQ.WAVES |
		grep -oE '"scope": *"[a-z]*"' | sort -u
}
scope > "$work/scope"
same "SQ has the scope of queues before the self-test" \
	"$work/scope" '"scope": "queue"'
selftest vega10 -- --stage 3
selftest vega10,doubts=best -- --stage 5
fails "stage 5 has no fault at best"
has "a FETCH_SIZE that is n/a leaves its check unknown" "$work/out" \
	'^  UNKNOWN +shader.fetch-size: .* its counters contradict each other'
has "waves count by the enable switch, and not without either switch" \
	"$work/out" \
	'^  PASS +waves.enable: expected 10007, seen 10007' \
	'^  PASS +waves.neither: expected 0, seen 0'
scope > "$work/scope"
same "SQ has the scope of the device once stage 5 has passed" \
	"$work/scope" '"scope": "device"'
selftest vega10,doubts=best,force-en=ignored -- --stage 5
denies "FORCE_EN that is ignored is answered with no" \
	waves.force-en waves.other.force-en
scope > "$work/scope"
same "SQ has the scope of queues if FORCE_EN is ignored" \
	"$work/scope" '"scope": "queue"'
selftest vega10,doubts=best -- --stage 5
sed -i 's/^PASS waves.other.force-en/FAIL waves.other.force-en/' \
	"$work/state"/amdgpu-*
scope > "$work/scope"
same "SQ has the scope of queues if queues of others are not seen" \
	"$work/scope" '"scope": "queue"'
# Masks that some drivers write and others do not
selftest vega10,doubts=best -- --stage 5
has "no mask is needed at best" "$work/out" \
	'^  PASS +waves.no-vmid-mask: expected 10007, seen 10007' \
	'^  PASS +waves.no-select-masks: expected 10007, seen 10007'
selftest vega10,doubts=best,select-masks=needed -- --stage 5
denies "selects that need masks are answered with no" waves.no-select-masks
selftest navi21 -- --stage 3
selftest navi21,doubts=best,select-masks=needed -- --stage 5
denies "selects of gfx10.3 that need masks are answered with no" \
	waves.no-select-masks
selftest mi300 -- --stage 3
selftest mi300,doubts=best,vmid-mask=needed -- --stage 5
denies "VMIDs that have to be named are answered with no" waves.no-vmid-mask
# masks: what is written to SQ_PERFCOUNTER_CTRL, and to a select, on mi100
masks()
{
	DRMPERF_DEBUG=ib DRMPERF_DIES=one $sim --gpu mi100 -- $count 2>&1 |
		tr '\n' ' ' | grep -oE '000019e0 [0-9a-f]{4}007f|000019c0 [0-9a-f]{8}' |
		grep -v '000019c0 00000000' | sort -u | tr '\n' ' '
}
selftest mi100,doubts=best -- --through 5
masks > "$work/masks"
echo >> "$work/masks"
same "stat writes the masks" \
	"$work/masks" "000019c0 0f0ff004 000019e0 ffff007f "
sed -i 's/^PASS waves.enable/FAIL waves.enable/' "$work/state"/amdgpu-7*
masks > "$work/masks"
echo >> "$work/masks"
same "stat writes no masks if counting fails with them" "$work/masks" \
	"000019c0 00000004 000019e0 0000007f "
# counts GPU EVENT FACTOR CHECK...: what is counted wrongly, and where it shows
counts()
{
	local gpu=$1 event=$2 factor=$3
	shift 3
	printf '%s\n' "doubts best" "default zero" "work $event $factor" \
		"$(memory "$gpu")" > "$work/counts"
	selftest "$gpu" --scenario "$work/counts" -- --stage 5
	fails "$event by $factor fails in the right checks" "$@"
}
selftest navi31 -- --stage 3
counts vega10 "valu SQ.INSTS_VALU" 2 shader.valu
counts vega10 "load SQ.INSTS_VMEM_RD" 1.01 shader.loads
counts vega10 "line-read TCP.TOTAL_READ" 1.03 shader.lines-read
counts vega10 "l2-read TCC.READ" 0.97 shader.l2-read shader.streamed
has "reads of copies that are counted wrong in the L2 are answered with no" \
	"$work/out" \
	'^  answer: no +dma.l2-read: '
counts navi31 "store SQ_WGP.INSTS_TEX_STORE" 0.5 shader.stores
counts navi31 "line-written TCP.REQ_WRITE" 0.97 shader.lines-written
counts navi31 "l2-write GL2C.WRITE" 1.03 shader.l2-written
has "writes of copies that are counted wrong in the L2 are answered with no" \
	"$work/out" '^  answer: no +dma.l2-written: '
memory vega10 > "$work/memory"
selftest vega10,doubts=best,copies=past-l2,default=zero \
	--scenario "$work/memory" -- --stage 5
denies "copies past the L2 are answered with no" dma.l2-read dma.l2-written
# quads COLOUR COUNT: what the picture shows, and what 16 backends count each
quads()
{
	local finish="drmsim ctl set rate 'CB.6 ${2}000'
		drmsim ctl advance 1ms; drmsim ctl set rate 'CB.6 0'"
	PATH=$PATH:$BUILD_DIR/bin STANDIN_NODE=/dev/dri/renderD128 \
		STANDIN_COLOUR=$1 STANDIN_FINISH=$finish \
		selftest vega10,doubts=best,default=zero --time virtual \
		--scenario "$work/memory" -- \
		--stage 5
}
if [ -e "$BUILD_DIR/tests/egl/libEGL.so.1" ]; then
	quads 255 458752
	has "pixels of quads are counted" "$work/out" \
		'^  PASS +quads.pixels: .* 7 x 2\^20, seen 7340032$'
	quads 255 458751
	fails "a missing block of pixels in each backend is a fault" \
		quads.pixels
	quads 0 458752
	has "a missing picture leaves its pixels unknown" "$work/out" \
		'^  UNKNOWN +quads.pixels: .* the picture is not there'
	selftest vega10,doubts=best -- --stage 5
	has "a GPU that EGL lacks leaves its pixels unknown" "$work/out" \
		'^  UNKNOWN +quads.pixels: .* seen EGL does not offer this GPU'
	selftest mi300,doubts=best -- --stage 5
	lacks "a GPU without a graphics pipe has no check of pixels" \
		"$work/out" 'quads.pixels'
	# pictures COLOUR [TIMES]: what shows, and how often it does
	pictures()
	{
		STANDIN_NODE=/dev/dri/renderD128 STANDIN_COLOUR=$1 \
			STANDIN_FINISHES=${2:-} \
			selftest vega10,doubts=best -- --stage 7 --time 1
	}
	pictures 255
	has "pictures drawn while counting pass" "$work/out" \
		'^  PASS +load.pictures: .* seen 0 of [1-9][0-9]* pictures'
	pictures 255 2
	fails "pictures that are wrong from the third on are a fault" \
		load.pictures
	pictures 0
	has "pictures that never show leave their check unknown" "$work/out" \
		'^  UNKNOWN +load.pictures: .* the picture is not there'
else
	skip quads "the headers of EGL and OpenGL ES are not installed"
fi
selftest vega10,doubts=best -- --stage 5
has "work of other programs leaves shader checks unknown" "$work/out" \
	'^  UNKNOWN +shader.valu: .* seen other programs use the GPU'
rm -rf "$work/state"
selftest mi300,die=next -- --through 1
denies "dies that take turns are answered with no" dies.same
# what the table says, read from what is sent
sources()
{
	DRMPERF_DEBUG=ib DRMPERF_DIES=one $sim --gpu mi100 -- $count 2>&1 |
		grep -oE '0010050[04]' | sort -u | tr '\n' ' '
}
sources > "$work/sources"
echo >> "$work/sources"
same "stat reads MI100 by source 0" "$work/sources" "00100500 "
log=$work/log
selftest mi100,copy-source=hangs -- --stage 2
lacks "stage 2 does not try source 4" \
	"$work/out" 'source-4|stopped'
log=/dev/null
selftest mi100,doubts=best,copy-source=hangs -- --through 3
log=$work/log
selftest mi100,doubts=best,copy-source=hangs -- --stage 9
log=/dev/null
fails "source 4 that hangs is a fault of stage 9" compute.source-4
echo "$(last_submitted)" > "$work/last"
same "the log names the source that hung" "$work/last" "compute.source-4"
selftest mi100,doubts=best,copy-source=hangs -- --stage 9
fails "source 4 that hung stays failed in the next run" compute.source-4
# as if it had been the other one
sed -i 's/^HANG compute.source-4/PASS compute.source-4/
	s/^PASS compute.source-0/FAIL compute.source-0/' "$work/state"/amdgpu-*
sources > "$work/sources"
echo >> "$work/sources"
same "stat reads by source 4 if that has passed and source 0 failed" \
	"$work/sources" "00100504 "
sed -i 's/^PASS compute.source-4/UNKNOWN compute.source-4/' \
	"$work/state"/amdgpu-*
sources > "$work/sources"
echo >> "$work/sources"
same "stat reads by source 0 if source 4 is unknown" "$work/sources" "00100500 "

# ---------------------------------------------------------------- full
rm -rf "$work/state"
cleared()
{
	DRMPERF_DEBUG=ib $sim --gpu navi31 -- "$tool" stat -e SQ_WGP.WAVES -- \
		true 2>&1 | grep -c '000011c0 00000000'
}
selftest navi31 -- --stage 3
selftest navi31,doubts=best,full-counter=sticks -- --stage 6
denies "a full counter that sticks is answered with no" full.wraps
has "a full counter counts again once cleared" \
	"$work/out" '^  PASS +full.cleared: .* became 0x0, '
cleared > "$work/cleared"
lacks "stat clears counters that stick when full" "$work/cleared" '^0$'
selftest navi31,doubts=best -- --stage 6
fails "a full counter that wraps is no fault"
cleared > "$work/cleared"
same "stat does not clear counters that wrap" "$work/cleared" 0

# ---------------------------------------------------------------- samples
rm -rf "$work/state"
selftest navi48,doubts=best,sync-bit=absent -- --stage 3
denies "a synchronization bit that is not kept is answered with no" \
	control.sync numbering.TA.cu-doubled \
	numbering.TD.cu-doubled numbering.TCP.cu-doubled
# toggled: what shows on gfx12 that a sample is there
toggled()
{
	DRMPERF_DEBUG=ib $sim --gpu navi48,sync-bit=works -- $count 2>&1 |
		grep -oE '000019d8 000[0-9a-f]8?[0-9a-f]*' | sort -u |
		tr '\n' ' '
	echo
}
toggled > "$work/toggled"
same "stat flips no synchronization bit that has not passed" "$work/toggled" \
	"000019d8 00000055 "
selftest navi48,doubts=best,sync-bit=absent -- --stage 4
fails "stage 4 has no fault without the synchronization bit"
rm -rf "$work/state"
selftest navi48,doubts=best -- --stage 3
has "selects of all instances are found to work at best" "$work/out" \
	'^  PASS +select.together.GL2C: '
selftest navi48,doubts=best -- --stage 4
has "GRBMH_SYNC is found to work at best" "$work/out" \
	'^  PASS +control.grbmh: '
# does the library program the instances of GL2C one by one?
programmed_apart()
{
	DRMPERF_DEBUG=ib $sim --gpu navi48,doubts=best -- "$tool" stat \
		-e amdgpu::GL2C.REQ -- true 2>&1 | tr '\n' ' ' |
		grep -oE '00001b80 [0-9a-f]*' | sort | uniq -c |
		awk '$3 == "00000003" { print ($1 > 1 ? "apart" : "together") }'
}
programmed_apart > "$work/apart"
same "stat programs all instances of GL2C at once where that works" \
	"$work/apart" together
rm -rf "$work/state"
selftest navi48,doubts=best,gl2c-index=apart -- --stage 3
denies "a select that misses instances is answered with no" \
	select.together.GL2C \
	numbering.TA.cu-doubled numbering.TD.cu-doubled \
	numbering.TCP.cu-doubled
programmed_apart > "$work/apart"
same "stat programs each instance of GL2C where it has to" "$work/apart" apart

# ---------------------------------------------------------------- hidden
# hidden GPU EVENT: can it be counted?
hidden()
{
	$sim --gpu "$1" -- "$tool" stat -e "$2" -- true > "$work/hidden" 2>&1
	echo $? > "$work/status"
}
rm -rf "$work/state"
hidden vega10 amdgpu::EA.SARB_IO_SIZED_REQUESTS
same "hidden events cannot be counted" "$work/status" 125
selftest vega10 -- --stage 3
selftest vega10,doubts=best,copied-registers=fault -- --stage 9
fails "registers that must not be copied are a fault" hidden.EA
has "registers that must not be copied end the run" \
	"$work/out" '^stopped: the GPU was reset'
hidden vega10 amdgpu::EA.SARB_IO_SIZED_REQUESTS
same "hidden events that failed stay hidden" "$work/status" 125
selftest vega10,doubts=best -- --stage 9
fails "hidden events that failed are not tried again" hidden.EA
has "the next run tries other hidden events" \
	"$work/out" '^  PASS +hidden.SDMA: .* counted [1-9]'
hidden vega10,copied-registers=work amdgpu::SDMA.CYCLE
same "hidden events that have passed can be counted" "$work/status" 0
selftest vega10,doubts=best -- --stage 9 --again
fails "selftest --again tries hidden events that failed"
hidden vega10,copied-registers=work amdgpu::EA.SARB_IO_SIZED_REQUESTS
same "hidden events that passed a second try can be counted" "$work/status" 0
has "traces that have every wave pass, of one program and of all" "$work/out" \
	'^  PASS +hidden.TRACE: .* 10007 begin and 10007 end, of 10007$' \
	'^  PASS +hidden.TRACE.ALL: .* 10007 begin and 10007 end, of 10007$'
run 0 $sim --gpu vega10 -- "$tool" trace --rgp "$work/traced.rgp" --sqtt \
	--buffer 1 -- true
has "traces that have passed are on" "$work/err" ' bytes of 4 shader engines'
selftest navi10 -- --stage 3
selftest navi10,doubts=best,cfg-read=stopped,all-vmid=ignored -- --stage 9
denies "junk while counting and waves that are missing are answered with no" \
	running.EA running.MC_VM_L2 hidden.TRACE.ALL
has "hidden.EA passes, since the library stops counters that show junk" \
	"$work/out" \
	'^  PASS +hidden.EA: .* counted [1-9]'
lacks "stage 9 leaves no clock on" "$work/out" 'clock-bit'
run 125 $sim --gpu navi10 -- "$tool" trace --rgp "$work/no.rgp" --sqtt true
has "the error says that the self-test has tried a trace of all programs" \
	"$work/err" 'not traced on .*: drmperf selftest has found that it does'
hidden navi48 amdgpu::SQ_WGP.WAVE_CYCLES
same "an event that counts 0 on cards is not offered" "$work/status" 125
has "the error says why an event is not offered, with a remedy" "$work/hidden" \
	'SQ_WGP.WAVE_CYCLES is not offered on Navi 48: it counts 0' \
	'^try: .*selftest --stage 9.*DRMPERF_UNTESTED=SQ_WGP.WAVE_CYCLES'
DRMPERF_UNTESTED=SQ_WGP.WAVE_CYCLES hidden navi48 amdgpu::SQ_WGP.WAVE_CYCLES
same "DRMPERF_UNTESTED offers an event" "$work/status" 0
hidden navi31 amdgpu::SQ_WGP.WAVE_CYCLES
same "an event is offered where cards count it" "$work/status" 0
hidden navi48 amdgpu::metric.OccupancyPercent
same "no metric needs the event that is not offered" "$work/status" 0
printf 'rate SQ_WGP.24 0\n' > "$work/dead.scenario"
selftest navi48 -- --stage 3
selftest navi48,doubts=best --scenario "$work/dead.scenario" -- --stage 9
has "an event that does not move leaves its check unknown" "$work/out" \
	'^  UNKNOWN +hidden.SQ_WGP.WAVE_CYCLES: .* it has not moved'
hidden navi48 amdgpu::SQ_WGP.WAVE_CYCLES
same "an event that has not moved stays hidden" "$work/status" 125
selftest navi48,doubts=best -- --stage 9 --again
has "an event that moves passes" "$work/out" \
	'^  PASS +hidden.SQ_WGP.WAVE_CYCLES: .* counted [1-9]'
hidden navi48 amdgpu::SQ_WGP.WAVE_CYCLES
same "an event that has moved is offered" "$work/status" 0
has "streams that add up to what is counted pass" "$work/out" \
	'^  PASS +hidden.STREAM: .* 10007 in [1-9][0-9]* intervals, 10007 counted'
run 0 $sim --gpu navi48 -- "$tool" record --stream -e SQ.WAVES \
	-o "$work/streamed" -- true
has "streams that have passed are on" "$work/err" 'intervals'
rm -rf "$work/state"
export DRMPERF_UNTESTED=EA
selftest strix -- --stage 3
selftest strix,doubts=best,cfg-read=stopped -- --stage 4
denies "junk while counting is found where events are not hidden" running.EA
unset DRMPERF_UNTESTED
window()
{
	DRMPERF_DEBUG=ib $sim --gpu navi48 -- $count 2>&1 |
		grep -c 'c0003d0'
}
window > "$work/window"
same "stat opens no window on gfx12 before it has passed" "$work/window" 0
selftest navi48 -- --stage 3
selftest navi48,doubts=best -- --stage 9
has "the window passes in stage 9" "$work/out" \
	'^  PASS +hidden.PERF_COUNTER_WINDOW: '
window > "$work/window"
lacks "stat opens a window on gfx12 once it has passed" "$work/window" '^0$'
finish
