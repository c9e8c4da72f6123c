#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf selftest on simulated AMD GPUs: all passes at best, what it checks and
# prints, and what it does when the GPU hangs, sleeps or is used by others.
. tests/tool/lib.sh
. tests/tool/selftest/lib.sh

selftest vega10,doubts=best -- --through 3
selftest vega10,doubts=best -- --stage 9 --json
json "JSON has no warning of resets" "$work/out" '[.stages[].stage] == [9]'
has "selftest --json prints the warning of resets to standard error" \
	"$work/err" '^stage 9 may reset the GPU or hang it'

# A clock of 1825 MHz that is not what the kernel names is told; the ring counts.
clock()
{
	printf '%s\n' "doubts best" "clock sclk-told $1" > "$work/clock"
	rm -rf "$work/state"
	selftest navi21 -- --stage 3
	selftest navi21 --scenario "$work/clock" -- --stage 4
}
grbm()
{
	DRMPERF_DEBUG=ib $sim --gpu navi21 -- "$tool" stat -e SQ.WAVES -- true \
		2>&1 | grep -oE '0000040[7f]' | sort -u | tr '\n' ' '
	echo
}
clock 1805
denies "a clock 1.1 % off is no fault" gfx.rate compute.rate
has "a ring whose clock is 1.1 % off counts" \
	"$work/out" '^  PASS +compute.count: '
clock 730
fails "a clock that is far off is a fault" gfx.count compute.count
clock 18250
fails "a clock far below the rate that the kernel names is a fault" gfx.count compute.count
echo 'FAIL compute.rate' >> "$(echo "$work/state"/amdgpu-*)"
sed -i '/compute.count/d' "$(echo "$work/state"/amdgpu-*)"
grbm > "$work/rings"
same "samples stay on the ring whose clock is off" "$work/rings" "00000407 "

# Other programs launch waves: what is counted then tells nothing.
printf '%s\n' "doubts best" "default zero" \
	"rate SQ.4 stages=cs 50000" "$(memory vega10)" > "$work/busy"
rm -rf "$work/state"
selftest vega10,doubts=best -- --stage 3
selftest vega10 --scenario "$work/busy" -- --stage 5
fails "a busy GPU is no fault in stage 5"
has "waves of a busy GPU are not judged" "$work/out" \
	'^  UNKNOWN +waves.both: .* but other programs use the GPU' \
	'^  UNKNOWN +waves.other.enable: .* other programs use the GPU'
selftest vega10 --scenario "$work/busy" -- --stage 8 --time 1
fails "a busy GPU is no fault in stage 8"

# What was found on a simulated GPU holds for no other.
# kernel COMMAND...: on a GPU that is not marked as drmsim's
kernel()
{
	$sim --gpu navi21 -- bash -c 'rm "$UMOCKDEV_DIR"/sys/devices/*/*/drmsim
		exec "$@"' sh "$@"
}
real_rings()
{
	DRMPERF_DEBUG=ib kernel "$tool" stat -e SQ.WAVES -- true \
		2> "$work/err" | cat > /dev/null
	grep -oE '0000040[7f]' "$work/err" | sort -u | tr '\n' ' '
	echo
}
rm -rf "$work/state"
selftest navi21 -- --through 3
simulated=$(echo "$work/state"/amdgpu-*-drmsim)
echo 'FAIL compute.nop' >> "$simulated"
grbm > "$work/rings"
same "results from drmsim apply under drmsim" "$work/rings" \
	"00000407 0000040f "
real_rings > "$work/rings"
same "results from drmsim do not apply on a real GPU" "$work/rings" "00000407 "
cp "$simulated" "${simulated%-drmsim}"
real_rings > "$work/rings"
same "results from drmsim do not apply under another file name" \
	"$work/rings" "00000407 "
has "the message says that results of other GPUs are ignored" \
	"$work/err" 'ignored: .* has results of other GPUs'
sed -i 's/^GPU \(.*\)-drmsim$/GPU \1/' "${simulated%-drmsim}"
real_rings > "$work/rings"
same "results from a real GPU apply there" "$work/rings" \
	"00000407 0000040f "
run 0 kernel "$tool" selftest --through 1 $quiet --log /dev/null
has "a self-test on a real GPU writes its results" "${simulated%-drmsim}" \
	'^PASS compute.nop$' "^GPU ${simulated##*/*-}"'|^GPU amdgpu-73bf-.*[0-9]$'

# What hangs, or others may have written, is not read.
rm -f "$simulated"
mkfifo "$simulated"
status "a pipe in place of results does not hang stat" 0 timeout $hang $sim \
	--gpu navi21 -- "$tool" stat -e SQ.WAVES -- true
has "a pipe in place of results is ignored" \
	"$work/err" 'are ignored: .* is not a file'
run 0 timeout $hang $sim --gpu navi21 -- "$tool" selftest --through 1 $quiet \
	--log /dev/null
has "a pipe in place of results does not hang the self-test" \
	"$work/err" 'is not a file'
rm "$simulated"

# Logs and results are for their owner, and follow no link.
rm -rf "$work/state"
: > "$work/victim"
mkdir -m 700 "$work/state"
ln -s "$work/victim" "$work/state/selftest-0000:03:00.0.log"
run 125 $sim --gpu navi21 -- "$tool" selftest --through 0 $quiet
has "the default log does not follow a link" \
	"$work/err" '^drmperf selftest: cannot write .*link' \
	'^try: use --log'
run 125 $sim --gpu navi21 -- "$tool" selftest --through 0 $quiet \
	--log "$work/state/selftest-0000:03:00.0.log"
has "a log that is named does not follow a link" "$work/err" 'it is a link'
empty "the file behind a link stays as it was" "$work/victim"
rm "$work/state/selftest-0000:03:00.0.log"
(umask 0; run 0 $sim --gpu navi21 -- "$tool" selftest --through 0 $quiet)
stat -c '%a %n' "$work/state"/* | sed "s|$work/state/||" > "$work/modes"
has "the log and the results are for their owner alone" "$work/modes" \
	'^600 selftest-0000:03:00.0.log$' '^600 amdgpu-73bf-'
has "no file of the self-test is for others" \
	<(grep -vc ^600 "$work/modes") '^0$'
chmod 777 "$work/state"
run 125 $sim --gpu navi21 -- "$tool" selftest --through 0 $quiet
has "selftest keeps no log where others may write" \
	"$work/err" 'other users may write to'
rm -rf "$work/state"

# ---------------------------------------------------------------- frame
selftest vega10 -- --through 1 --json
json "selftest --json has stages, checks and verdicts" \
	"$work/out" '.device == 0 and .address == "0000:03:00.0" and
	[.stages[].stage] == [0, 1] and (.stopped | not) and
	all(.stages[].checks[]; .verdict == "PASS" and .expected and .seen) and
	any(.stages[1].checks[]; .check == "gfx.clock")'
log=$work/log
selftest vega10 -- --stage 3
lacks "--stage runs one stage alone" "$work/out" 'stage [012]:|at the end'
has "--stage prints the checks of its stage" \
	"$work/out" '^  PASS +gfx.selects.TCC: '
has "the log has the dwords of commands" "$work/log" \
	'^submit 1 to compute for compute.selects.CB: .*dwords$' \
	'^  c0017900 00000200 e0000000'
# what the library submits to count is there as well
selftest vega10,doubts=best --report "$work/report" -- --stage 8
sed -n 's/^calls kind=cs //p' "$work/report" > "$work/submitted"
echo "count=$(grep -cE '^submit .*( [1-9][0-9]* dwords|again)$' "$log")" \
	> "$work/logged"
same "the log has all that is submitted" \
	"$work/logged" "$(cat "$work/submitted")"
has "the log has the dwords of a repeated submission once" "$log" \
	'^submit [0-9]+ to compute for idle: counting by the library, [1-9]' \
	'^submit [0-9]+ to compute for idle: submit [0-9]+ again$'
selftest navi48 -- --through 3
lacks "nothing waits for registers before their addresses are sure" "$log" \
	' c0053c0[02] '
selftest navi48,doubts=best -- --stage 4
has "counting waits for registers once their addresses are sure" \
	"$log" ' c0053c0[02] '
log=/dev/null
run 0 $sim --gpu vega10 -- "$tool" selftest --through 0 \
	--kernel-log "$work/absent"
has "the log lies next to the results" "$work/out" \
	"^log: $work/state/selftest-0000:03:00.0.log"
has "a kernel log that cannot be read leaves its check unknown" \
	"$work/out" '^  UNKNOWN +kernel-log:'
# displayed STATUS [OPTION]: of a GPU with a display, in the simulated sysfs
displayed()
{
	local expected=$1
	shift
	run "$expected" $sim --gpu vega10 -- bash -c '
		card=$(echo "$UMOCKDEV_DIR"/sys/bus/pci/devices/*/drm/card*)
		mkdir "$card/card0-DP-1"
		echo enabled > "$card/card0-DP-1/enabled"
		exec "$@"' sh "$tool" selftest --through 0 $quiet --log "$log" \
		"$@"
}
displayed 125
has "selftest refuses a GPU that drives a display" \
	"$work/err" 'device 0 drives a display \(card0-DP-1\)' \
	'^try: .* use --yes'
lacks "selftest runs no stage on a GPU that drives a display" \
	"$work/out" 'stage'
displayed 0 --yes
has "selftest --yes runs on a GPU that drives a display" \
	"$work/out" '^  PASS +chip:'
run 125 env -u DRMPERF_STATE -u XDG_STATE_HOME -u HOME $sim --gpu vega10 -- \
	"$tool" selftest
has "selftest refuses to run without a folder for the log" \
	"$work/err" 'there is no folder for the log'
run 125 "$tool" selftest -d 7
has "selftest refuses an unknown GPU" "$work/err" 'there is no device "7"'
for words in '--stage 10' '--through x' '--time 0' '--time 1s' 'me'; do
	# shellcheck disable=SC2086
	status "selftest refuses wrong arguments: $words" \
		129 $vega "$tool" selftest $words
done
# shellcheck disable=SC2086
run 125 $sim --gpu vega10 -- "$tool" selftest $quiet --log /dev/full --through 1
has "selftest stops if the log cannot be written" "$work/out" \
	'^stopped: the log cannot be written' '^11 PASS, 0 FAIL'

# ---------------------------------------------------------------- mishaps
rm -rf "$work/state"
log=$work/log
selftest navi21 --fault hang:2 --
fails "a hang is a fault of its check" compute.store
has "a hang ends the run" "$work/out" '^stopped: the GPU was reset' \
	'seen command buffer 2: the GPU was reset'
lacks "a hang ends the run at once" "$work/out" '^stage 2|at the end'
echo "$(last_submitted) $(grep -c '^submit' "$work/log")" > "$work/last"
same "the log ends with the commands that hung" "$work/last" "compute.store 2"
has "selftest exits with 2 after a reset" "$work/err" \
	'^exit status 2$'
log=/dev/null
selftest navi21,doubts=best -- --time 1
fails "the next run reports the check that hung as failed" compute.store
has "the next run goes on without the check that hung" \
	"$work/out" '^  PASS +gfx.store' \
	'compute.store: .* it hung the GPU in an earlier run' \
	'^  PASS +registers.restored'
selftest navi21 -- --again --through 1
fails "selftest --again runs the check that hung"

# The ring that hangs is not counted on any more.
rm -rf "$work/state"
rings()
{
	DRMPERF_DEBUG=ib $sim --gpu navi21 -- $count 2>&1 |
		grep -oE '0000040[7f]' | sort -u | tr '\n' ' '
}
rings > "$work/rings"
echo >> "$work/rings"
same "stat counts on the compute ring" "$work/rings" "00000407 "
selftest navi21 --fault hang:1 --
fails "a hang of the compute ring is a fault of its check" compute.nop
rings > "$work/rings"
echo >> "$work/rings"
same "stat stays on the compute ring while graphics is not tested" \
	"$work/rings" "00000407 "
selftest navi21 -- --through 1
rings > "$work/rings"
echo >> "$work/rings"
# START and SAMPLE wait on graphics for vertices and pixels as well
same "stat moves to the graphics ring once it has passed" \
	"$work/rings" "00000407 0000040f "
selftest navi21 -- --again --through 1
rings > "$work/rings"
echo >> "$work/rings"
same "stat returns to the compute ring once it has passed" \
	"$work/rings" "00000407 "
echo 'FAIL compute.count' >> "$(echo "$work/state"/amdgpu-*)"
rings > "$work/rings"
echo >> "$work/rings"
same "stat leaves a compute ring that counts wrong" \
	"$work/rings" "00000407 0000040f "

# ---------------------------------------------------------------- disturbed
rm -rf "$work/state"
selftest navi31 -- --stage 3
DRMPERF_CLOCK=default selftest navi31,doubts=best,gfxoff=50ms -- --stage 8 \
	--time 1
fails "power that is lost while idle is no fault"
has "idle passes if the graphics core lost power" \
	"$work/out" '^  PASS +idle: .* or the graphics core lost power'
# asleep: put the GPU to sleep as soon as the self-test waits for it
asleep()
{
	"$tool" selftest $quiet --log "$work/log" --stage 8 --time 60 &
	# both end when it has been seen, however long that takes
	until grep -q 'left alone to sleep' "$work/log"; do sleep 0.1; done
	until grep -qE '^[A-Z]+ asleep:' "$work/log"; do
		drmsim ctl set runtime-suspended on
		sleep 0.1 # see above
	done
	wait
}
: > "$work/log"
export -f asleep
export tool quiet work
rm -rf "$work/state"
selftest vega10,doubts=best -- --stage 3
PATH=$PATH:$BUILD_DIR/bin run 0 $sim --gpu vega10,doubts=best -- \
	bash -c asleep
has "asleep passes if counters were lost" "$work/out" \
	'^  PASS +asleep: .* seen /dev/dri/renderD128: .* lost power'

# suspended COMMAND: that suspends the machine
suspended()
{
	echo 0 > "$work/slept"
	PATH=$PATH:$BUILD_DIR/bin TEST_SLEPT=$work/slept \
		LD_PRELOAD=$BUILD_DIR/tests/libtestclock.so \
		selftest vega10,doubts=best,default=zero -- --stage 8 --time 1 \
		--suspend "$1"
}
# by the clock that counts sleep
sleeps="echo 20000000000 > $work/slept"
suspended "$sleeps; drmsim ctl set runtime-suspended on"
fails "a machine that sleeps is no fault"
has "suspended passes if a machine that sleeps has lost its counters" \
	"$work/out" \
	'^  PASS +suspended: .* seen /dev/dri/renderD128: .* lost power'
suspended "$sleeps"
has "suspended passes if a machine that sleeps keeps its counters" \
	"$work/out" '^  PASS +suspended: .* seen 20014$'
suspended "$sleeps; drmsim ctl set rate 'SQ.4 1000000'
	drmsim ctl set rate 'SQ.4 0'"
fails "counts that changed while the machine slept are a fault" suspended
suspended true
has "suspended is unknown if the machine has not slept" "$work/out" \
	'^  UNKNOWN +suspended: .* the machine has not slept'
suspended false
has "suspended is unknown if the command of --suspend failed" "$work/out" \
	'^  UNKNOWN +suspended: .* the command of --suspend has failed'

suspended "echo '3,1,1,-;amdgpu: ring gfx timeout' >> $work/kmsg"
fails "an error of the kernel is a fault" kernel-log
has "an error of the kernel ends the run" "$work/out" \
	'^stopped: the kernel reports an error: amdgpu: ring gfx timeout'

finish
