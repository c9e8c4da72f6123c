#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The whole of drmperf selftest runs on each simulated AMD GPU: all passes at
# best, and nothing fails at the worst that is allowed. make check tries three
# GPUs, make check-deep all of them.
. tests/tool/lib.sh

# an EGL that knows no GPU
LD_LIBRARY_PATH=$(realpath "$BUILD_DIR")/tests/egl:${LD_LIBRARY_PATH:-}
export LD_LIBRARY_PATH
: > "$work/kmsg"

# ---------------------------------------------------------------- at best
gpus="mi300 navi31 vega10"
[ -z "${CHECK_DEEP:-}" ] || gpus=$(grep -l '^driver amdgpu' \
	utils/drmsim/gpus/*.gpu | sed 's|.*/||; s/\.gpu$//')
all="compute.nop compute.store compute.clock compute.source-0
	compute.selects.GRBM compute.selects.TCP
	addresses compute.count compute.moves.SQ registers.restored kernel-log
	chip rings shape full.wraps idle stolen.selects stolen.masks stolen.stop
	waves.force-en waves.neither waves.other.force-en waves.other.neither
	shader.valu shader.loads shader.stores shader.lines-read shader.lines-written
	shader.l2-read shader.l2-written shader.streamed
	control.kept compute.first-read select.running dma.data"
# these keep a processor busy
loaded=navi31
[ -z "${CHECK_DEEP:-}" ] ||
	loaded="bonaire polaris10 vega10 mi300 navi10 navi31 navi48"

pairs="$(printf '%s.best ' $gpus)"

# try_pair GPU.DOUBTS: in the background, for most of it is waiting
try_pair()
{
	local pair=$1 check stages stage
	# once more where nothing runs but what is launched
	stages="through=6 stage=5,default=zero stage=8 stage=9"
	case " $loaded " in *" ${pair%.*} "*) stages+=" stage=7" ;; esac
	for stage in $stages; do
		DRMPERF_STATE=$work/state.$pair timeout $hang $sim --strict \
			--gpu "${pair%.*},doubts=${pair#*.}${stage#*[0-9]}" -- \
			"$tool" selftest "--${stage%,*}" --time 1 \
			--kernel-log "$work/kmsg" --log /dev/null \
			>> "$work/out.$pair" 2>&1 ||
			echo "status $?" >> "$work/out.$pair"
	done
	for check in $all; do
		grep -q "^  PASS *$check:" "$work/out.$pair" ||
			echo "no $check" >> "$work/out.$pair"
	done
}
for pair in $pairs; do
	try_pair "$pair" &
done
wait
for pair in $pairs; do
	# Blocks that nobody reads back, what power-up leaves in registers, a
	# GPU that others use, or that is not put to sleep, and a machine that
	# takes its time; the memory of a GPU where nothing runs by itself is
	# not simulated
	if grep -vE '^  PASS|^  answer: no +numbering\.T[A-Z]*\.cu-doubled: |^  UNKNOWN +(kfd\.lock: .* (no lock of profilers|no compute driver)|(waves\.kfd\..*|load\.long): .* no command was given|shader\.fetch-size: .* (other programs|several dies|contradict each other)|default\.|selects\.EA|asleep|suspended|stolen\.reset|quads\.pixels|load\.pictures|(shader|dma)\..* (other programs use the GPU|what is counted here)$|hidden\.EA: .* this GPU has none$)' \
		"$work/out.$pair" | grep -vE \
		'^  FAIL +shader\.fetch-size: .* seen 0 bytes$|^status 1$|^(device|log:|stage [0-9]( may reset the GPU|:)|at the end:) |^[0-9]+ PASS, [01] FAIL' \
		> "$work/odd"; then
		not_ok "$pair: all checks with a known answer pass" "$work/odd"
	else
		ok "$pair: all checks with a known answer pass"
	fi
done
for gpu in $loaded; do
	has "$gpu: counting passes next to other work" "$work/out.$gpu.best" \
		'^  PASS +load.samples: .* beside other work, seen [1-9]' \
		'^  PASS +load.sums: .* seen 0 of [1-9][0-9]* sums wrong; 2 of 2'
done

# ---------------------------------------------------------------- newcomers
# As it is run by somebody who has read no page of it, on GPUs that do the worst
# that is allowed: questions are answered, nothing fails, nothing is reset.
try_default()
{
	local gpu=$1 rc
	DRMPERF_STATE=$work/state.$gpu timeout $hang $sim --strict --gpu \
		"$gpu" -- "$tool" selftest --time 1 --kernel-log "$work/kmsg" \
		--log /dev/null > "$work/out.$gpu" 2>&1
	rc=$?
	sed -n '/^ *FAIL/p; /^stopped/p; s/^\(stage 9\):.*/\1/p' \
		"$work/out.$gpu" > "$work/odd.$gpu"
	[ $rc = 0 ] || echo "exit status $rc" >> "$work/odd.$gpu"
	sed -n 's/^\(stage [0-9]\)\( may reset the GPU.*\|:.*\)/\1\2/p' \
		"$work/out.$gpu" | sed 's/\( may reset the GPU\).*/\1/; s/:.*//' |
		tr '\n' ' ' > "$work/stages.$gpu"
	echo >> "$work/stages.$gpu"
}
for gpu in $gpus; do
	try_default "$gpu" &
done
wait
for gpu in $gpus; do
	empty "$gpu: a healthy GPU has no fault" "$work/odd.$gpu"
	same "$gpu: stages that may reset the GPU are announced" \
		"$work/stages.$gpu" "stage 0 stage 1 stage 2 stage 3 stage 4 may\
 reset the GPU stage 4 stage 5 stage 6 stage 7 stage 8 "
done
has "questions about the worst GPU are answered" "$work/out.navi31" \
	'^  answer: no +control.kept: ' ' 0 FAIL, [1-9][0-9]* answer: no, '
has "answers to questions are stored with the results" "$(echo "$work"/state.navi31/amdgpu-*)" \
	'^NO control.kept$' '^NO full.wraps$'
finish
