#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf selftest on simulated Intel GPUs: all passes at best, each mishap
# fails its own checks and no other, and sets are composed once that has passed.
# make check tries two GPUs, make check-deep four.
. tests/tool/lib.sh

export DRMPERF_STATE=$work/state
# an EGL that knows no GPU, unless told so
LD_LIBRARY_PATH=$(realpath "$BUILD_DIR")/tests/egl:${LD_LIBRARY_PATH:-}
export LD_LIBRARY_PATH
: > "$work/kmsg"
log=$work/log

# selftest GPU [OPTION OF DRMSIM]... -- [OPTION]...: output in $work/out
selftest()
{
	local gpu=$1 options=()
	shift
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	run 0 $sim --strict --gpu "$gpu" "${options[@]}" -- "$tool" selftest \
		--kernel-log "$work/kmsg" --log "$log" "$@"
}

# fails NAME CHECK...: exactly these
fails()
{
	local name=$1
	shift
	sed -n "s/^  FAIL *\([^:]*\):.*/\1/p" "$work/out" | tr '\n' ' ' |
		sed 's/ $//' > "$work/failed"
	printf '\n' >> "$work/failed"
	same "$name" "$work/failed" "$*"
}

# scenario LINE...: in $work/scenario
scenario()
{
	printf '%s\n' "$@" > "$work/scenario"
}

# ---------------------------------------------------------------- all
gpus="tglgt2 bmg"
[ -z "${CHECK_DEEP:-}" ] || gpus="sklgt2 tglgt2 lnl bmg"
every="chip status sets clock.reports clock.cores set.RenderBasic set.TestOa
	fence.sample fence.time idle.time idle.awake
	taken.busy taken.behind taken.refused taken.unharmed kernel-log"
for gpu in $gpus; do
	DRMPERF_STATE=$work/state.$gpu timeout $hang $sim --strict \
		--gpu "$gpu" -- "$tool" selftest --time 1 \
		--kernel-log "$work/kmsg" --log /dev/null \
		> "$work/out.$gpu" 2>&1 &
done
wait
for gpu in $gpus; do
	others=inputs
	case $gpu in lnl | bmg) others="composed.RenderBasic composed" ;; esac
	for check in $every $others; do
		grep -qE "^  PASS *$check:|^  UNKNOWN *$check:.* (known to|counts were lost)" \
			"$work/out.$gpu" || echo "no $check" >> "$work/out.$gpu"
	done
	# A GPU that is not put to sleep, or that nobody draws on; what only the
	# other kind has; a machine that is too slow to look at clocks
	if grep -vE '^  PASS|^  UNKNOWN +((asleep|suspended|quads.pixels|groups.started|composed|inputs):|.* (known to|counts were lost))' \
		"$work/out.$gpu" | grep -vE \
		'^(device|log:|stage [0-9]:) |^[0-9]+ PASS, 0 FAIL' \
		> "$work/odd"; then
		not_ok "$gpu: all checks with a known answer pass" "$work/odd"
	else
		ok "$gpu: all checks with a known answer pass"
	fi
done
for gpu in lnl bmg; do
	case " $gpus " in *" $gpu "*) ;; *) continue ;; esac
	sed -n 's/^  PASS *composed\.\([^:]*\):.*/\1/p' "$work/out.$gpu" |
		wc -l > "$work/sets"
	same "$gpu: all sets are composed" "$work/sets" 12
done

# ---------------------------------------------------------------- composed
# compositions [NAME=VALUE]...: how many events the composed set has
compositions()
{
	env "$@" $sim --gpu bmg -- "$tool" list 2> /dev/null |
		grep -c Composed > "$work/list"
}
compositions A=b
same "no set is composed before the self-test" "$work/list" 0
compositions DRMPERF_STATE="$work/state.bmg"
lacks "sets are composed once the self-test has passed" "$work/list" '^0$'
compositions DRMPERF_STATE="$work/state.bmg" DRMPERF_COMPOSE=0
same "DRMPERF_COMPOSE=0 turns composed sets off" "$work/list" 0
lnl=$(DRMPERF_STATE=$work/state.bmg $sim --gpu lnl -- "$tool" list \
	2> /dev/null | grep -c Composed)
echo "$lnl" > "$work/list"
same "results of one GPU compose no sets on another" "$work/list" 0
cp -r "$work/state.bmg" "$work/state"
scenario "oa-default zero"
selftest bmg --scenario "$work/scenario" -- --stage 6
fails "an idle GPU is no fault"
has "an idle GPU leaves its sets unknown" "$work/out" \
	'^  UNKNOWN +composed.RenderBasic: .* seen 0 of ' \
	'^  PASS +composed: .* seen 12 of 12'
compositions A=b
lacks "an idle GPU leaves sets composed that passed before" "$work/list" '^0$'
# a counter of which selectors tell nothing: sets that use it cannot be composed
scenario "oa-rate P7 3/tick"
selftest bmg --scenario "$work/scenario" -- --stage 6
has "a composed set that differs from the published one is a fault" \
	"$work/out" \
	'^  FAIL +composed.RenderBasic: .* published, .* composed$' \
	'^  PASS +composed.DepthProfile' '^  FAIL +composed: '
compositions A=b
same "no set is composed after a fault" "$work/list" 0
rm -rf "$work/state"
selftest bmg --scenario <(echo "oa-default zero") -- --stage 6
has "counters that never move leave composing unknown" "$work/out" \
	'^  UNKNOWN +composed: .* seen 0 of 12'

# ---------------------------------------------------------------- known work
# quads GPU COUNTER COLOUR COUNT: what the picture shows, and what is counted
quads()
{
	# for a millisecond of the GPU's time, whoever else lets time pass
	local finish="drmsim ctl set contexts 0x20:1ms,idle
		drmsim ctl advance 2ms; echo >> $work/finished"
	: > "$work/finished"
	scenario "oa-default zero" "oa-rate $2 ${4}000" "contexts idle"
	PATH=$PATH:$BUILD_DIR/bin STANDIN_NODE=/dev/dri/renderD128 \
		STANDIN_COLOUR=$3 STANDIN_FINISH=$finish \
		selftest "$1" --scenario "$work/scenario" --time virtual -- \
		--stage 7
}
# groups GPU COUNTER STORED COUNT: the same of a compute shader
groups()
{
	STANDIN_GROUPS=$3 quads "$1" "$2" 0 "$4"
}
if [ -e "$BUILD_DIR/tests/egl/libEGL.so.1" ]; then
	quads tglgt2 A26 255 1835008
	has "pixels of quads are counted, four at a time" "$work/out" \
		'^  PASS +quads.pixels: .*SamplesWritten at .*, seen 7340032$'
	wc -l < "$work/finished" > "$work/times"
	same "quads and groups run once more before they are counted" \
		"$work/times" 4
	quads tglgt2 A26 255 1835007
	fails "a missing block of pixels is a fault" quads.pixels
	has "the output has the number of pixels seen" \
		"$work/out" 'quads.pixels: .*, seen 7340028$'
	quads hsw A40 255 7340032
	has "pixels are counted one by one before gen8" "$work/out" \
		'^  PASS +quads.pixels: .*SamplesWritten at .*, seen 7340032$'
	quads bmg P36 255 7340032
	has "pixels are counted one by one on Xe2" "$work/out" \
		'^  PASS +quads.pixels: .*PIXEL_WRITE at .*, seen 7340032$'
	quads bmg P36 255 7340028
	fails "a missing block of pixels is a fault on Xe2" quads.pixels
	quads bmg P36 0 7340032
	has "a missing picture leaves its pixels unknown" "$work/out" \
		'^  UNKNOWN +quads.pixels: .* the picture is not there'
	groups tglgt2 A4 10007 10007
	has "threads of groups are counted" "$work/out" \
		'^  PASS +groups.started: .*CsThreads at 10007, .*, seen 10007$'
	groups tglgt2 A4 10007 10006
	fails "a missing group is a fault" groups.started
	has "the output has the number of groups seen" \
		"$work/out" 'groups.started: .*, seen 10006$'
	groups hsw A20 10007 10007
	has "threads of groups are counted before gen8" \
		"$work/out" '^  PASS +groups.started: '
	groups bmg P0 10007 10007
	has "groups are counted on Xe2" "$work/out" \
		'^  PASS +groups.started: .*GPGPU_THREADGROUP_COUNT at 10007'
	groups bmg P0 10006 10007
	has "missing results leave groups unknown" "$work/out" \
		'^  UNKNOWN +groups.started: .* the results are not there'
	STANDIN_VERSION=2 quads bmg P36 255 7340032
	has "OpenGL ES that only draws leaves groups unknown" "$work/out" \
		'^  PASS +quads.pixels: ' \
		'^  UNKNOWN +groups.started: .* OpenGL ES 3.1 does not'
	selftest bmg -- --stage 7
	has "a GPU that EGL lacks leaves its pixels unknown" "$work/out" \
		'^  UNKNOWN +quads.pixels: .* seen EGL does not offer this GPU'
	selftest pvc -- --stage 7
	has "a GPU that does not draw leaves pixels unknown" "$work/out" \
		'^  UNKNOWN +quads.pixels: .* seen its sets have none'
	mkdir "$work/broken"
	: > "$work/broken/libEGL.so.1"
	LD_LIBRARY_PATH=$work/broken:$LD_LIBRARY_PATH selftest tglgt2 -- \
		--stage 7
	has "a missing EGL leaves pixels unknown" "$work/out" \
		'^  UNKNOWN +quads.pixels: .* is not installed'
	has "a missing EGL leaves groups unknown" "$work/out" \
		'^  UNKNOWN +groups.started: .* is not installed'
	scenario "oa-rate P36 1/tick"
	PATH=$PATH:$BUILD_DIR/bin STANDIN_NODE=/dev/dri/renderD128 \
		STANDIN_COLOUR=255 STANDIN_GROUPS=10007 selftest bmg \
		--scenario "$work/scenario" -- \
		--stage 7
	has "work of other programs leaves pixels and groups unknown" \
		"$work/out" \
		'^  UNKNOWN +quads.pixels: .* another process draws on the GPU' \
		'^  UNKNOWN +groups.started: .* another process computes on the'
else
	skip quads "the headers of EGL and OpenGL ES are not installed"
fi

# ---------------------------------------------------------------- mishaps
rm -rf "$work/state"
selftest tglgt2 --fault perf_open:3:EINVAL -- --stage 2
fails "a set that the kernel refuses is a fault" \
	"$(sed -n 's/^  FAIL *\(set\.[^:]*\):.*/\1/p' "$work/out")"
grep -c '^  FAIL *set\.' "$work/out" > "$work/sets"
same "a single set that the kernel refuses is a fault" "$work/sets" 1
scenario "oa-rate B3 1/clock"
selftest tglgt2 --scenario "$work/scenario" -- --stage 2
fails "an input that counts wrong is a fault" inputs
has "the output says which counter differs" \
	"$work/out" 'TestOa.Counter3 counted .* not 3/6 of them'
selftest tglgt2 --unprivileged -- --stage 2
fails "missing permission is no fault"
has "missing permission leaves sets unknown, with the reason" \
	"$work/out" '^  UNKNOWN +set.RenderBasic: .* refuses to load metric set RenderBasic'
selftest bmg --fault observation:1:EBUSY -- --stage 5
has "a stream that cannot be opened leaves taken.busy unknown" "$work/out" \
	'^  UNKNOWN +taken.busy: .* no stream was to be had'
# reset: the GPU while the self-test lets it idle
reset()
{
	"$tool" selftest --kernel-log "$work/kmsg" --log "$log" --stage 4 &
	until grep -q 'for idle.time' "$log"; do sleep 0.05; done
	drmsim ctl reset-gpu 0
	wait
}
: > "$log"
export -f reset
export tool work log
PATH=$PATH:$BUILD_DIR/bin run 0 $sim --strict --gpu tglgt2 -- bash -c reset
fails "a reset is a fault" idle.time
has "a reset ends the run" "$work/out" '^stopped: .*reset'
has "the log names what ran at a reset" "$log" \
	'^submit 1 to the OA unit for idle.time'
selftest tglgt2 -- --stage 4 --time 1
fails "the check that was reset is not tried again" idle.time
selftest tglgt2 -- --stage 4 --time 1 --again
fails "selftest --again tries the check that was reset"
asleep()
{
	"$tool" selftest --kernel-log "$work/kmsg" --log "$log" --stage 4 \
		--time 60 &
	# both end when it has been seen, however long that takes
	until grep -q 'left alone to sleep' "$log"; do sleep 0.1; done
	until grep -qE '^[A-Z]+ asleep:' "$log"; do
		drmsim ctl set runtime-suspended on
		sleep 0.1 # see above
	done
	wait
}
: > "$log"
export -f asleep
PATH=$PATH:$BUILD_DIR/bin run 0 $sim --gpu tglgt2 -- bash -c asleep
has "a GPU that sleeps is woken" "$work/out" \
	'^  (PASS +asleep: |UNKNOWN +asleep: .* known to)'

# suspended COMMAND: that suspends the machine
suspended()
{
	echo 0 > "$work/slept"
	TEST_SLEPT=$work/slept LD_PRELOAD=$BUILD_DIR/tests/libtestclock.so \
		selftest tglgt2 -- --stage 4 --time 1 --suspend "$1"
}
rm -rf "$work/state"
suspended "echo 20000000000 > $work/slept"
fails "a machine that sleeps is no fault"
has "suspended passes if the machine has slept" \
	"$work/out" '^  PASS +suspended: .* seen .*has slept' \
	'^  (PASS +suspended.behind: |UNKNOWN +suspended.behind: .* known to)'
suspended true
has "suspended is unknown if the machine has not slept" "$work/out" \
	'^  UNKNOWN +suspended: .* the machine has not slept'

# ---------------------------------------------------------------- frame
selftest sklgt2 -- --through 0 --json
json "selftest --json has stages, checks and verdicts" \
	"$work/out" '.driver == "i915" and [.stages[].stage] == [0] and
	all(.stages[].checks[]; .verdict == "PASS")'
status "selftest refuses stage 8 on Intel" \
	129 $sim --gpu sklgt2 -- "$tool" selftest --stage 8
has "the error names the stages of Intel" "$work/err" \
	'the stages of a GPU under i915 are 0 to 7'
finish
