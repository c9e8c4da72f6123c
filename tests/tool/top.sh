#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf top prints the right frames of GPUs whose work is known, while time
# goes on when the test says so.
. tests/tool/lib.sh

clock=$BUILD_DIR/tests/libtestclock.so
golden=tests/tool/top

# Advance both clocks, the GPUs' and the machine's, and print the next frame,
# for each time given. Two more clients are there, unless the GPU sleeps, which
# then one wakes before the second frame.
cat > "$work/step" << END
#!/bin/bash
# step TIMES TOP-OPTION...
times=\$1 now=1000000000
shift
echo \$now > "$work/clock"
[ -n "\$asleep" ] || exec 9<> /dev/dri/renderD128 6<> /dev/dri/renderD128
coproc TOP {
	exec 9<&- 6<&- env LD_PRELOAD="$clock:\$LD_PRELOAD" \
		TEST_CLOCK="$work/clock" "$tool" top --step "\$@"
}
exec 8<&"\${TOP[0]}" 7>&"\${TOP[1]}"
frame() {
	while IFS= read -r -u 8 line && [ -n "\$line" ]; do
		echo "\$line"
	done
	echo
}
frame > /dev/null
for ((i = 1; i <= times; i++)); do
	[ -z "\$asleep" ] || [ \$i != 2 ] || exec 9<> /dev/dri/renderD128
	"$sim" ctl advance 1s
	echo \$((now += 1000000000)) > "$work/clock"
	echo >&7
	frame
done
exec 7>&-
eval "exec \${TOP[1]}>&-"
cat <&8
wait \$TOP_PID
END
chmod +x "$work/step"

# step GPU SCENARIO TIMES TOP-OPTION...: frames in $work/out
step()
{
	local gpu=$1 scenario=$2
	shift 2
	run 0 $sim --strict --time virtual --scenario "$scenario" \
		--gpu "$gpu" -- bash "$work/step" "$@"
	sed -i -E 's/^ *[0-9]+( +[0-9]+ +[-0-9.]+ +[0-9.]+ [kMG]?B )/     PID\1/' \
		"$work/out"
	# how many there are is the machine's matter
	sed -i -e '/^  clients: [0-9]* process/{N;d}' "$work/out"
	sed -i -e '/^Not seen$/{N;s/^Not seen\n$//}' "$work/out"
}

# frames GPU SCENARIO TIMES TOP-OPTION...: as they are kept in a file
frames()
{
	local gpu=$1
	step "$@"
	if diff "$golden/$gpu.txt" "$work/out" > "$work/diff"; then
		ok "$gpu: frames are as kept in a file"
	else
		not_ok "$gpu: frames are as kept in a file" "$work/diff"
	fi
	empty "$gpu: top prints no message" "$work/err"
}
frames vega10 examples/memory-bound-vega10.scenario 3 -M memory
frames sklgt2 $golden/sklgt2.scenario 2
frames bmg $golden/bmg.scenario 2

# What else is asked and refused, in frames of real time.
top()
{
	local gpus=$1 expected=$2
	shift 2
	run "$expected" $sim $gpus -- "$tool" top -b -n 1 -s 20 "$@"
}

asleep=vega10,runtime-suspended=on
run 0 $sim --gpu $asleep --gpu sklgt2 -- sh -c '"$0" top -b -n 2 -s 20 \
	-M power -e amdgpu::SQ.WAVES
	cat /sys/bus/pci/devices/0000:03:00.0/power/runtime_status' "$tool"
has "top does not wake a GPU that sleeps" "$work/out" '^suspended$' \
	'^GPU 1: amdgpu, 0000:03:00.0, asleep$' \
	'^  GPU 1, everything: it sleeps' '^  the events of -e: looking them up' \
	'^GPU 0: Skylake GT2, i915' '^  sensor.act-freq +1.14 GHz'
run 0 env asleep=yes $sim --time virtual --gpu $asleep -- bash "$work/step" 11 \
	-e amdgpu::SQ.WAVES
has "top shows a GPU that wakes up" \
	"$work/out" ', asleep$' '^GPU 0: Vega 10, amdgpu' \
	'^  SQ.WAVES \* +-$' '^  SQ.WAVES \* +[0-9.]+ [kMG]?/s'
has "top shows the process that has woken a GPU" \
	"$work/out" '^ +[0-9]+ +0 .* bash +Graphics 10'

# 8 dies of 16 channels
printf 'default zero\nrate TCC.3 2000\n' > "$work/dies.scenario"
step mi300 "$work/dies.scenario" 2 -e TCC.REQ,TCC.REQ:die=1
has "top shows sums over all dies, and what one die has" "$work/out" \
	'^  TCC.REQ +256 k/s' '^  TCC.REQ:die=1 +32.0 k/s'
empty "top prints no message about a GPU of several dies" "$work/err"

top "--gpu sklgt2 --unprivileged" 0
has "top shows engines by clients if there is no PMU" "$work/out" \
	'^  by clients  Render +[0-9.]+ %' '^              Render 0 +-$' \
	'^  GPU 0, busy, of several: the kernel refuses bcs0-busy'
same "top has one note for all events that the kernel refuses" \
	<(grep -c 'kernel refuses' "$work/out") 1
printf 'power 35.5\ntemperature 61\n' > "$work/warm.scenario"
step dg1 "$work/warm.scenario" 2
has "top shows power computed from energy on Intel" "$work/out" \
	'^  power +card +35.5 W ' '^  temperature +gpu +61.0 degC ' \
	'^  memory +vram +75.5 MB of 4.29 GB '
lacks "top has no note on memory if it can be read" "$work/out" 'GPU 0, memory:'
top "--gpu dg1 --unprivileged" 0
has "top explains why memory cannot be read, with a remedy" "$work/out" \
	'^  memory +vram +-$' 'GPU 0, memory: the kernel shows .*vram-usage' \
	'give the program CAP_PERFMON'
run 0 $sim --time virtual --gpu sklgt2 --scenario "$work/warm.scenario" -- \
	"$tool" stat -e sensor.energy,sensor.temp -- $sim ctl advance 2s
has "stat computes power from energy on Intel" "$work/err" \
	' 71,000,000  uJ +[0-9.]+ k?W  i915::sensor.energy$' \
	' 61.0  degC +i915::sensor.temp$'
top "--gpu vega10,node-mode=0000 --unprivileged" 0
has "top has a note on a GPU without permission" \
	"$work/out" '^GPU 0: amdgpu, 0000:03:00.0$' \
	'GPU 0, events: no permission to open .*try:'
empty "top prints no message on a GPU without permission" "$work/err"
top "--gpu vega10 --gpu sklgt2" 0 -d 03:00.0
has "top -d shows the GPU it names" "$work/out" '^GPU 1: Vega 10'
lacks "top -d shows no other GPU" "$work/out" 'GPU 0'
for gpus in "-d 0,2" "-d card0 -d card2"; do
	top "--gpu vega10 --gpu sklgt2 --gpu navi31" 0 $gpus
	has "top shows both GPUs of $gpus" "$work/out" '^GPU 0: ' '^GPU 2: '
	lacks "GPU 1, which $gpus leaves out, is not shown" "$work/out" '^GPU 1'
done
top "--gpu vega20" 0 -M memory
has "top has a note on an event that is left out" "$work/out" \
	'metric.WriteSize: it does not fit together with the other counters'

# refused NAME STATUS PATTERN TOP-OPTION...
refused()
{
	local name=$1 expected=$2 pattern=$3
	shift 3
	top "--gpu vega10" "$expected" "$@"
	has "$name is refused" "$work/err" "$pattern"
	lacks "$name: top exits with $expected" "$work/err" '^exit status'
}
refused "an unknown group" 125 'no GPU has a metric group "memroy"' -M memroy
refused "an unknown event" 125 'did you mean amdgpu::SQ.WAVES' -e SQ.WAVS
refused "an event of CPUs" 125 'is of the CPUs: drmperf stat' -e task-clock
refused "the use of the GPU by drmperf itself" 125 \
	'fdinfo.engine-gfx:device=0 would be the GPU use of drmperf itself' \
	-e fdinfo.engine-gfx
refused "events that take two passes" 125 'the events take 2 passes' \
	-e TCC.HIT,TCC.MISS,TCC.REQ,TCC.READ,TCC.WRITE
refused "an unknown device" 125 'there is no device "7"' -d 7
refused "an empty list" 129 'the list is empty' -e ,
refused "no time" 129 '-s takes a number from 1' -s 0
refused "a command" 129 'drmperf stat runs commands' true
run 125 $sim -- "$tool" top -b
has "top says that there is no supported GPU" \
	"$work/err" 'this machine has no supported GPU'
$sim --gpu vega10 -- "$tool" top -b -n 1 -s 20 > /dev/full 2> "$work/err"
same "top exits with 125 if its output cannot be written" \
	<(echo $?; cat "$work/err") \
	$'125\ndrmperf top: cannot write the output'
cat > "$work/ended" << END
"$tool" top -b -s 20 > "$work/frames" &
until grep -q 'frame 2' "$work/frames"; do sleep 0.02; done
kill \$!
wait \$!
END
status "top exits with 143 after SIGTERM" \
	143 $sim --gpu vega10 -- bash "$work/ended"
LC_ALL=C.UTF-8 top "--gpu vega10" 0
has "top draws blocks in a locale that has them" "$work/out" '▁|▇'
lacks "top draws no blocks in a locale without them" \
	<(LC_ALL=C $sim --gpu vega10 -- "$tool" top -b -n 1 \
	-s 20) '▁|▇'

finish

# ---------------------------------------------------------------- notes
run 0 $sim --gpu sklgt2 --gpu sklgt2 --gpu bmg -- "$tool" top -b -n 1
sed -n '/^Not seen/,$p' "$work/out" | tr -s '\n ' ' ' > "$work/notes"
has "a note that is alike for several GPUs is one" "$work/notes" \
	' GPU 0, 1, power, temperature: the kernel.s driver i915 ' \
	' GPU 0, 1, 2, memory traffic: ' ' GPU 2, power, temperature: '
grep -o 'memory traffic' "$work/notes" | wc -l > "$work/count"
same "a note of several GPUs is not repeated" "$work/count" 1
run 0 $sim --gpu sklgt2 --gpu sklgt2 --gpu bmg -- "$tool" top -b -n 1 -d 1,2
has "a note names no GPU that is not shown" <(tr -s '\n ' ' ' < "$work/out") \
	' GPU 1, 2, memory traffic: '
