#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf trace runs a command that writes the files of Mesa's radv once it has
# what radv waits for.
. tests/tool/lib.sh

# what a file begins with: its head, and that of a chunk of 25 bytes
RGP_BEGIN='\102\60\60\120\1\0\0\0\5\0\0\0\0\0\0\0\24\0\0\0'
RGP_BEGIN=$RGP_BEGIN'\3\0\0\0\0\0\0\0\31\0\0\0\0\0\0\0'
export RGP_BEGIN
# radv NAME [COUNT]: wait for the trigger, and write so many traces of /tmp/NAME
name=drmperf-test-$$
trap 'rm -rf "$work" /tmp/$name*' EXIT
cat > "$work/radv" << 'END'
case $MESA_VK_TRACE$MESA_VK_TRACE_PER_SUBMIT$MESA_VK_TRACE_FRAME in
rgp)
	[ "$MESA_VK_TRACE_TRIGGER" = "$RADV_THREAD_TRACE_TRIGGER" ] || exit 9
	while [ ! -e "$MESA_VK_TRACE_TRIGGER" ]; do sleep 0.02; done
	rm "$MESA_VK_TRACE_TRIGGER"
	;;
rgp7) [ "$RADV_THREAD_TRACE" = 7 ] || exit 9 ;;
rgptrue) ;;
*) exit 9 ;;
esac
for ((i = 1; i <= ${2:-1}; i++)); do
	printf "$RGP_BEGIN trace %d\n" $i > "/tmp/$1_2026.01.01_00.00.0$i.rgp"
done
exit ${3:-0}
END
radv="bash $work/radv $name"
is_trace()
{
	tail -c 8 "$2" > "$work/end"
	same "$1" "$work/end" "trace $3"
}
# of folders those that no drmperf has locked, as one in another test may
left()
{
	ls -d /tmp/"$name"* 2> /dev/null > "$work/left"
	find /tmp -maxdepth 1 -user "$(id -u)" -name 'drmperf-trace.*' \
		-exec flock -n {} echo {} \; >> "$work/left" 2> "$work/gone"
	empty "$1: nothing is left in /tmp" "$work/left"
}

status "the first frame is traced" 0 "$tool" trace --rgp "$work/a.rgp" -- $radv
is_trace "the trace of the first frame is where it was asked for" \
	"$work/a.rgp" 1
has "trace names the file with its size and format" "$work/err" \
	"a.rgp: 45 bytes, version 1.5 of the format"
left "the first frame"
status "a frame after a while is traced" 0 "$tool" trace --rgp "$work/b" -D 50 \
	$radv
is_trace "the trace after a while is there" "$work/b" 1
status "a frame is traced by its number" 0 "$tool" trace --rgp "$work/c.rgp" \
	--frame 7 $radv
is_trace "the trace of a frame by its number is there" "$work/c.rgp" 1
status "submissions are traced" 0 "$tool" trace --rgp "$work/d.rgp" \
	--per-submit -- $radv 3
is_trace "the first of several traces has the name" "$work/d.rgp" 1
is_trace "the third of several traces has a number" "$work/d-3.rgp" 3
left "several traces"
cat > "$work/kill" << END
"$tool" trace --rgp "$work/killed.rgp" -- sh -c 'kill -KILL \$PPID'
exit \$?
END
status "a command kills its trace" 137 sh "$work/kill"
run 0 "$tool" trace --rgp "$work/after.rgp" -- $radv
left "a trace after one that was killed"

# another file system gets a copy
if [ "$(stat -c %d /dev/shm)" != "$(stat -c %d /tmp)" ]; then
	run 0 "$tool" trace --rgp "/dev/shm/$name.rgp" -- $radv
	is_trace "a trace goes to another file system" "/dev/shm/$name.rgp" 1
	rm -f "/dev/shm/$name.rgp"
	left "another file system"
else
	skip "a trace goes to another file system" "/dev/shm is that of /tmp"
fi

# ---------------------------------------------------------------- the clocks
navi="$sim --strict --gpu navi21 --gpu navi31 --"
cat > "$work/clocks" << END
"$tool" clock
$radv
END
run 0 $navi "$tool" trace --rgp "$work/h.rgp" -- bash "$work/clocks"
has "the clocks of all AMD GPUs are held in the peak mode" "$work/out" \
	'^device 0: .*, mode peak$' '^device 1: .*, mode peak$'
run 0 $navi "$tool" trace --rgp "$work/h.rgp" -d 1 -- bash "$work/clocks"
has "trace -d holds the clocks of one GPU" "$work/out" \
	'^device 0: .*, mode default$' '^device 1: .*, mode peak$'
run 0 $navi "$tool" clock profiling -- \
	"$tool" trace --rgp "$work/h.rgp" -- bash "$work/clocks"
has "a mode that is held already stays" "$work/out" \
	'^device 0: .*, mode profiling$' '^device 1: .*, mode peak$'
run 0 $navi sh -c "'$tool' trace --rgp '$work/h.rgp' -- $radv; '$tool' clock"
has "the clocks are given back with the end of the command" "$work/out" \
	'^device 0: .*, mode default$' '^device 1: .*, mode default$'
status "trace -d refuses a GPU that is not there" 125 $navi "$tool" trace \
	--rgp "$work/h.rgp" -d 2 -- $radv

# ---------------------------------------------------------------- not a trace
touch -d 2020-01-01 "/tmp/${name}_old.rgp"
ln -s /etc/passwd "/tmp/${name}_link.rgp"
mkfifo "/tmp/${name}_fifo.rgp"
status "a command that traces nothing is an error" 125 "$tool" trace \
	--rgp "$work/none.rgp" -- true
has "the error says what a trace needs" "$work/err" 'has written no trace' \
	'^try: .*radv' 'per-submit'
absent "files that are older, no files or elsewhere are no traces" \
	"$work/none.rgp"
rm -f "/tmp/$name"*
status "a file that is no trace is an error" 125 \
	"$tool" trace --rgp "$work/text.rgp" \
	--per-submit -- sh -c "echo text > /tmp/${name}_text.rgp"
has "the error names a file that is no trace" "$work/err" 'text.rgp is no trace'

status "a trace that a killed program has begun is an error" 125 \
	"$tool" trace --rgp "$work/half.rgp" \
	--per-submit -- sh -c "printf '$RGP_BEGIN trace' > /tmp/${name}_half.rgp"
has "the error names an incomplete trace" "$work/err" \
	'half.rgp is incomplete: its writer was killed'

status "a trace that cannot be moved is an error" 125 "$tool" trace \
	--rgp "$work/nowhere/e.rgp" -- $radv
has "a trace that cannot be moved is named" "$work/err" \
	"/tmp/${name}_.*rgp stays where it is: .*No such file"
is_trace "a trace that cannot be moved stays" \
	"/tmp/${name}_2026.01.01_00.00.01.rgp" 1
rm -f "/tmp/$name"*

# -------------------------------------------------------------------- waves
navi="$sim --strict --gpu navi31"
DRMPERF_UNTESTED=TRACE.ALL status "waves are traced" 3 $navi "$tool" trace \
	--rgp "$work/waves.rgp" --sqtt --buffer 1 -- sh -c 'exit 3'
lacks "a trace of waves is clean" "$work/err" 'violation|misused|full'
has "a trace of waves has all shader engines" "$work/err" \
	'waves.rgp: [0-9]+ bytes of 6 shader engines'
if command -v python3 > "$work/which"; then
	status "a trace of waves is as the format wants it" 0 \
		python3 tests/tool/rgp_check.py "$work/waves.rgp"
else
	skip "a trace of waves is as the format wants it" "no python3"
fi
status "waves of all programs are off" 125 $navi "$tool" trace \
	--rgp "$work/off.rgp" --sqtt -- true
has "the error says how to enable waves of all programs" "$work/err" \
	'DRMPERF_UNTESTED=TRACE.ALL'
absent "no file is left without a trace of waves" "$work"/off*
# layer: writes what the layer in a program of Vulkan's writes for it
cat > "$work/layer" << 'END'
case $VK_INSTANCE_LAYERS in *VK_LAYER_DRMPERF_gpa*) ;; *) exit 9 ;; esac
read -r frame size omits file <<< "$DRMPERF_VK_TRACE"
[ "$frame $size $omits $DRMPERF_VERBOSE" = "1 4194304 1 1" ] || exit 8
[ -e "${file%/*}/trigger" ] && exit 7
printf "$RGP_BEGIN trace 1\n" > "$file"
END
layer="--frame 2 --sqtt --buffer 4 --no-instructions"
if [ -e "$BUILD_DIR/lib/libVkLayer_drmperf_gpa.so" ]; then
	status "a frame is traced by the layer" 0 "$tool" trace \
		--rgp "$work/l.rgp" $layer -- bash "$work/layer"
	is_trace "the layer's trace is where it was asked for" "$work/l.rgp" 1
	status "a command without Vulkan is an error with --frame" 125 \
		"$tool" trace --rgp "$work/m.rgp" $layer -- true
	has "the error says what the layer needs" "$work/err" \
		'present or submit that frame by Vulkan'
	left "the layer's trace"
else
	skip "a frame is traced by the layer" "it is not built"
fi
# What a killed process holds is held until its trace has ended.
cat > "$work/killed" << END
"$tool" trace --rgp "$work/k.rgp" --sqtt --buffer 1 -- true 2> /dev/null
ended=\$?
$sim ctl mend
until "$tool" stat -e GL2C.REQ -- true 2> "$work/counted"; do
	grep -q 'in use\|keeps the lock' "$work/counted" || exit 99
done
exit \$ended
END
for at in cs:1 cs:3 wait_cs:5; do
	DRMPERF_UNTESTED=TRACE.ALL status "a process killed at $at is gone" \
		137 $navi --fault "$at:KILL" -- sh "$work/killed"
	lacks "a process killed at $at leaves no trace armed" "$work/err" \
		'violation|misused'
done

# ---------------------------------------------------------------- exit codes
status "the command's own exit code is passed on" 3 "$tool" trace \
	--rgp "$work/f.rgp" -- $radv 1 3
is_trace "a command that fails has a trace all the same" "$work/f.rgp" 1
status "trace exits with 127 if the command does not exist" \
	127 "$tool" trace --rgp "$work/g" -- nosuchcommand
status "trace without a file is a usage error" 129 "$tool" trace -- true
status "trace without a command is a usage error" 129 "$tool" trace \
	--rgp "$work/g"
status "frames and submissions exclude each other" 129 "$tool" trace \
	--rgp "$work/g" --frame 2 --per-submit -- true
status "radv's traces and drmperf's exclude each other" 129 "$tool" trace \
	--rgp "$work/g" --per-submit --sqtt -- true
status "--buffer is for --sqtt" 129 "$tool" trace --rgp "$work/g" --buffer 1 true
status "--frame takes numbers only" \
	129 "$tool" trace --rgp "$work/g" --frame x -- true
status "trace --help exits with 0" 0 "$tool" trace --help
left "after errors"
finish
