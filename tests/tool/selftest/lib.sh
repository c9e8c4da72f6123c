# SPDX-License-Identifier: BSD-3-Clause
# What the scripts over drmperf selftest on simulated AMD GPUs share: sourced
# after tests/tool/lib.sh.

export DRMPERF_STATE=$work/state
# an EGL that knows no GPU, unless told so
LD_LIBRARY_PATH=$(realpath "$BUILD_DIR")/tests/egl:${LD_LIBRARY_PATH:-}
export LD_LIBRARY_PATH
: > "$work/kmsg"
# not the machine's
quiet="--kernel-log $work/kmsg"
# where the log goes: to a disk, which takes time, only if somebody reads it
log=/dev/null
count="$tool stat -e SQ.WAVES -- true"

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
	# shellcheck disable=SC2086
	run 0 $sim --strict --gpu "$gpu,lockup-timeout=20ms" \
		"${options[@]}" -- \
		"$tool" selftest $quiet --log "$log" "$@"
}

# verdicts WORD: checks of that verdict in $work/out, in order
verdicts()
{
	sed -n "s/^  $1 *\([^:]*\):.*/\1/p" "$work/out" | tr '\n' ' ' |
		sed 's/ $//'
}

# memory GPU: lines that make reads of the L2 reads of memory, as FETCH_SIZE has
# them, so that a shader's 8 MiB are 8 MiB
memory()
{
	case $1 in
	vega10) echo "work l2-read TCC.41 1" ;;
	navi*) echo "work l2-read GL2C.102 1" ;;
	esac
}

# fails NAME CHECK...: exactly these
fails()
{
	local name=$1
	shift
	verdicts FAIL > "$work/failed"
	printf '\n' >> "$work/failed"
	same "$name" "$work/failed" "$*"
}

# denies NAME CHECK...: the same of questions, and nothing fails
denies()
{
	local name=$1
	shift
	{
		verdicts "answer: no"
		verdicts FAIL | sed 's/^\(..*\)/ and FAIL \1/'
	} | tr -d '\n' > "$work/denied"
	printf '\n' >> "$work/denied"
	same "$name" "$work/denied" "$*"
}

# last_submitted: the check of the last command buffer in the log
last_submitted()
{
	sed -n 's/^submit [0-9]* to [a-z]* for \([^:]*\):.*/\1/p' \
		"$work/log" | tail -n 1
}
