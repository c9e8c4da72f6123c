#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Signals may come in pairs, as those of timeout(1) and of supervisors do: the
# results are written, and the command ends by its own handler.
. tests/tool/lib.sh

# pair FIRST SECOND COMMAND...: in a script of its own, run a command that shows
# by a file "started" that it runs, and have two signals wait for it at once when
# it goes on
cat > "$work/pair" << 'END'
first=$1 second=$2
shift 2
"$@" &
while [ ! -e started ]; do
	kill -0 $! 2> /dev/null || exit
	sleep 0.02
done
kill -STOP $!
while ! grep -q '^State:.T' /proc/$!/status; do sleep 0.02; done
kill "-$first" $!
kill "-$second" $!
kill -CONT $!
wait $!
END

# What tidies up, and takes its time for that, ends with 7.
tidy='trap "sleep 0.2; exit 7" TERM HUP; touch started; while :; do sleep 0.05; done'

# pair STATUS MACHINE ARGUMENT...: signal drmperf so, while it runs a command
pair()
{
	local status=$1 machine=$2
	shift 2
	rm -f "$work/started"
	(
		cd "$work" || exit
		run "$status" $machine timeout $hang bash pair TERM HUP \
			"$tool" "$@" -- sh -c "$tidy"
	)
}

events=amdgpu::GRBM.COUNT
pair 7 "$sim --gpu vega10 --" stat -e $events
lacks "stat leaves a command that is signalled twice its handler" "$work/err" \
	'^exit status'
has "stat prints what was counted up to two signals" "$work/err" \
	'amdgpu::GRBM.COUNT'
pair 7 "$sim --gpu vega10 --" stat --json -e $events
lacks "stat --json leaves a command its handler" "$work/err" '^exit status'
json "stat --json is whole after two signals" "$work/out" \
	'.events | length == 1'
pair 7 "$sim --gpu vega10 --" stat --csv -e $events
lacks "stat --csv leaves a command its handler" "$work/err" '^exit status'
has "stat --csv writes its last line after two signals" "$work/out" \
	'amdgpu::GRBM.COUNT'
pair 7 "$sim --gpu sklgt2 --" stat -e i915::pmu.rcs0-busy
has "stat of a PMU prints what was counted up to two signals" "$work/err" \
	'rcs0-busy'
lacks "stat of a PMU leaves a command its handler" "$work/err" '^exit status'

pair 7 "$sim --gpu vega10 --" record -e $events -o "$work/data"
lacks "record leaves a command that is signalled twice its handler" \
	"$work/err" '^exit status'
run 0 "$tool" report "$work/data"
has "record's file is complete after two signals" "$work/out" 'GRBM.COUNT'
empty "report has no message on a recording after two signals" "$work/err"

# command ARGUMENT...: those that only run one
for command in "clock peak" "papi -e $events" gl vk; do
	case $command in
	gl | vk) tool=$plain pair 7 "$sim --gpu vega10 --" $command ;;
	*) pair 7 "$sim --gpu vega10 --" $command ;;
	esac
	lacks "drmperf ${command%% *} leaves a command its handler" \
		"$work/err" '^exit status'
done

# Where there is no command, the second signal does not end the tool either.
cat > "$work/all" << END
"$tool" stat -a -e $events &
while [ "\$($sim ctl report | grep -c 'submissions=[1-9]')" = 0 ]; do
	sleep 0.02 # until it counts
done
kill -STOP \$!
while ! grep -q '^State:.T' "/proc/\$!/status"; do
	sleep 0.02 # until it has stopped: before, the first signal is taken
done
kill -TERM \$!
kill -HUP \$!
kill -CONT \$!
wait \$!
END
status "stat -a exits by the first of two signals" 129 $sim --gpu vega10 -- \
	timeout $hang bash "$work/all"
has "stat -a prints its counts after two signals" "$work/err" 'GRBM.COUNT'

finish
