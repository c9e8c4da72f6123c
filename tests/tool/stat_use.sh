#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf stat with events of fdinfo counts the GPU use of the command and its
# descendants. A simulated client uses a tenth of the engine gfx and has 16 MiB,
# and time goes on when the test says so: the counts are known, however late
# fdinfo is read.
. tests/tool/lib.sh

advance="$sim ctl advance"
events=fdinfo.engine-gfx,fdinfo.memory-vram
node=/dev/dri/renderD128
second=/dev/dri/renderD129

# What commands have at hand: looked waits until a look has begun and ended. The
# lines of an interval are written behind its look.
cat > "$work/lib" << END
looked() {
	local lines=\$(wc -l < "$work/file")
	until [ \$(wc -l < "$work/file") -gt \$((lines + 10)) ]
	do sleep 0.02; done
}
use() { $advance "\$1"; looked; }
END

# counted NAME EVENT VALUES: sum, least, most and last of the intervals' values
counted()
{
	same "$1" <(awk -F, -v event="amdgpu::fdinfo.$2" '$6 == event {
			sum += $8; last = $8
			if (!n++ || $8 + 0 < least) least = $8
			if ($8 + 0 > most) most = $8
		} END {print sum, least, most, last}' "$work/file" |
		cut -d' ' -f"$3") "$4"
}

# intervals STATUS GPUS COMMAND...: of drmperf, in $work/file
intervals()
{
	local expected=$1 gpus=$2
	shift 2
	: > "$work/file"
	# shellcheck disable=SC2086
	run "$expected" timeout $hang $sim --strict --time virtual $gpus -- "$@"
}

# stat_use SCRIPT OPTION...: with intervals
stat_use()
{
	local script=$1
	shift
	{ cat "$work/lib"; echo "$script"; } > "$work/script"
	intervals 0 "--gpu vega10" "$tool" stat --csv -I 20 -o "$work/file" \
		-e $events "$@" -- bash "$work/script"
}

# ---------------------------------------------------------------- whose
stat_use "exec 8<> $node 6<> $node 7<&8
	(exec 9<> $node; use 2s)" -e TCC.REQ,GRBM.COUNT
counted "each client of the command and its child counts once" \
	engine-gfx 1 600000000
counted "memory is that of all clients" memory-vram 3 50331648
# a look may find some of the clients before the time goes on, and some after
has "CSV marks values of fdinfo as of processes" \
	"$work/file" ',amdgpu::fdinfo.engine-gfx,,[1-6]00000000,'\
'ns,[0-9]+,[0-9]+,[0-9.]+,process,no,,,,$' \
	',amdgpu::fdinfo.memory-vram,,50331648,bytes,[0-9]+,0,,process,no,,,,$'
stat_use "(bash -c '. \"$work/lib\"; exec 9<> $node; use 2s
		use 1s; touch \"$work/done\"' &)
	until [ -e '$work/done' ]; do sleep 0.02; done"
counted "an orphan counts as a part of the command" engine-gfx 1 300000000
stat_use "(exec 9<> $node; use 2s); looked; (exec 9<> $node; use 1s); looked"
counted "the use of a process that has ended stays" engine-gfx 1 300000000
counted "memory ends with its last value" memory-vram 2,3,4 \
	'0 16777216 16777216'
same "stat says once that the last 0.1 s of processes is not seen" "$work/err" \
'drmperf stat: fdinfo: what processes did in their last 0.1 s is not seen'
stat_use "exec 9<> $node; use 1s" -r 2
same "each run has its own use" <(awk -F, '
	$6 == "amdgpu::fdinfo.engine-gfx" {sum[$2] += $8}
	END {print sum[1], sum[2]}' "$work/file") '100000000 100000000'
cat "$work/lib" - > "$work/script" << END
exec 9<> $second
use 2s
END
intervals 0 "--gpu vega10 --gpu vega10" "$tool" stat --csv -I 20 \
	-o "$work/file" -e fdinfo.engine-gfx:device=0 -e fdinfo.engine-gfx:device=1 \
	-- bash "$work/script"
same "each GPU has its own use" <(awk -F, '{sum[$4] += $8}
	END {print sum[0], sum[1]}' "$work/file") '0 200000000'

# ---------------------------------------------------------------- without -I
# Whoever looks sleeps in between: after so many times it has looked.
cat > "$work/script" << END
slept() { awk '/^voluntary/ {print \$2}' /proc/\$PPID/status; }
exec 9<> $node
$advance 2s
before=\$(slept)
until [ \$((\$(slept) - before)) -gt 100 ]; do sleep 0.02; done
END
status "stat without intervals reads fdinfo" 0 timeout $hang $vega \
	"$tool" stat -e $events -- bash "$work/script"
has "stat prints a table of use" "$work/err" \
	'^ +200,000,000  ns +[0-9.]+ %  amdgpu::fdinfo.engine-gfx$' \
	'^ +16.8  MB +amdgpu::fdinfo.memory-vram$' \
	'^drmperf stat: fdinfo: what processes did in their last 0.1 s'
run 0 $vega "$tool" stat --json --passes --control none \
	-e TCC.REQ,TCC.READ,TCC.WRITE,TCC.HIT,TCC.MISS,fdinfo.engine-gfx -- true
json "use is counted together with several passes" "$work/out" '.passes == 2 and
	[.events[] | select(.scope == "process") | .value] == [0]'
has "stat says that no process had a GPU open" "$work/err" \
	'fdinfo: no process was seen with a GPU open; .* less than 0.1 s'
run 0 $vega "$tool" stat -e TCC.REQ -- true
lacks "stat does not mention fdinfo unless requested" "$work/err" fdinfo

# ---------------------------------------------------------------- -p and -a
# What was used before is not counted; nor, with -p, what others use.
cat "$work/lib" - > "$work/script" << END
set -m
# they are killed
(exec 9<> $node; sleep 900 & wait) &
process=\$!
(exec 9<> $node; exec sleep 900) &
stranger=\$!
until [ -e /proc/\$process/fd/9 ] && [ -e /proc/\$stranger/fd/9 ]
do sleep 0.02; done
$advance 1s
"$tool" stat --csv -I 20 -o "$work/file" -e $events \${*/PID/\$process} &
until [ -s "$work/file" ]; do sleep 0.02; done
use 2s
kill -INT \$!
wait \$!
exec 2> "$work/kills" # the shell tells of them
kill -- -\$process -\$stranger
END
intervals 0 "--gpu vega10" bash "$work/script" -p PID
counted "stat -p counts the use since it began" engine-gfx 1 200000000
counted "stat -p has the memory of the process" memory-vram 2,3,4 \
	'16777216 16777216 16777216'
empty "stat -p prints no message about use that was missed" "$work/err"
intervals 0 "--gpu vega10" bash "$work/script" -a -p PID
counted "stat -a counts the use of all processes" engine-gfx 1 400000000
counted "stat -a has the memory of all processes" \
	memory-vram 2,3,4 '33554432 33554432 33554432'

finish
