#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Mesa's drivers, unmodified, work on simulated GPUs. radeonsi and radv program
# the counters themselves (GL_AMD_performance_monitor,
# VK_KHR_performance_query): the simulator has to count for their command
# buffers what it counts for ours. radv launches work that drmperf counts.
set -u

build=$(realpath "${BUILD_DIR:-build}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
hang=600 # seconds: as in tests/papi/lib.sh

# says NAME TEXT...: the lines are in the output
says()
{
	local name=$1 text
	shift
	for text in "$@"; do
		if ! grep -qx -- "$text" "$work/out"; then
			echo "not ok $name: no '$text' in:"
			sed 's/^/    /' "$work/out"
			failed=1
			return
		fi
	done
	echo "ok $name"
}

# no cache of shaders is left in the caller's home, nor are settings read there
export HOME=$work XDG_CACHE_HOME=$work MESA_SHADER_CACHE_DISABLE=true

# machine PROGRAM [ARGUMENT]...: on the simulated $gpu
machine()
{
	timeout $hang "$build/bin/drmsim" \
		--gpu "$gpu" "${options[@]}" -- "$@" > "$work/out" 2>&1
	status=$?
	[ $status = 0 ] || echo "exit status $status" >> "$work/out"
}

# can PROGRAM [ARGUMENT]...: whether it finds what it needs, else a skip
can()
{
	local name=${1##*/}
	if [ ! -x "$1" ]; then
		echo "skip $name: not built, its headers are not installed"
		return 1
	fi
	machine "$@"
	if [ "$status" = 2 ]; then
		echo "skip $name: Mesa's driver is not installed"
		return 1
	fi
	if [ "$status" != 0 ]; then
		echo "not ok $name: on $gpu:"
		sed 's/^/    /' "$work/out"
		failed=1
		return 1
	fi
}

# ---------------------------------------------------------------- radeonsi
cat > "$work/scenario" <<'END'
default zero
rate TCC.3 instance=3 2/clock
rate TCC.3 instance=4 0.5/clock
rate TA.15 3/clock
END
gpu=vega10
options=(--strict --time virtual --scenario "$work/scenario")
gl=$build/peers/gl_monitor

# monitored GROUP WAVES: what radeonsi gets for ten dispatches of 1000 waves;
# TCC n is a channel, TA n the sum of four shader engines
monitored()
{
	local cycles
	machine "$gl" 1000 10 "$1.4" GRBM.0 TCC3.3 TCC4.3 TCC5.3 TA5.15
	cycles=$(sed -n 's/^GRBM.0 //p' "$work/out")
	: "${cycles:=0}"
	says "radeonsi counts in $1" "$1.4 $2" "GRBM.0 [1-9][0-9]*" \
		"TCC3.3 $((cycles * 2))" "TCC4.3 $((cycles / 2))" "TCC5.3 0" \
		"TA5.15 $((cycles * 3 * 4))"
}

# On gfx10 Mesa does not throw away the first result of GRBM, and only newer
# ones give selects of the SQ a mask of banks on gfx10.3.
printf '%s\n' 'grbm-read fresh' 'select-masks ignored' > "$work/fresh"
fresh="--scenario $work/fresh"

# waves GPU WAVES DRMSIM_OPTION...: the same dispatches in waves of another size
waves()
{
	gpu=$1 options=(--time virtual "${@:3}")
	machine "$gl" 1000 10 SQ.4 GRBM.0
	says "radeonsi counts on $1" "SQ.4 $2" "GRBM.0 [1-9][0-9]*"
}

if can "$gl" 1 1 GRBM.0; then
	monitored SQ 10000
	monitored SQ_CS 10000
	monitored SQ_PS 0
	waves bonaire 10000 --strict
	waves polaris10 10000 --strict
	waves vega20 10000 --strict
	# It does not stop counters here, since that may leave those of SQ dead.
	waves navi10 20000 $fresh
	waves navi21 20000 $fresh
fi

# The self-test draws by EGL: radeonsi's draws are sent, and change no picture.
if can "$gl" 1 1 GRBM.0; then
	gpu=vega10,doubts=best,default=zero options=(--strict)
	for stage in 3 5; do
		DRMPERF_STATE=$work/state machine "$build/bin/drmperf" \
			selftest --stage $stage --kernel-log /dev/null \
			--log "$work/log"
	done
	sed -i 's/:.* seen /: /' "$work/out"
	says "radeonsi draws for the self-test" \
		"  UNKNOWN     quads.pixels: the picture is not there:.*"
fi

# ---------------------------------------------------------------- radv
options=(--strict)
vk=$build/peers/vulkan_dispatch
gpu=vega10
if can "$vk" 1 1; then
	for gpu in bonaire polaris10 vega10 vega20 navi10 navi21 navi31; do
		machine "$build/bin/drmperf" stat -a --csv -o "$work/csv" \
			-e amdgpu::SQ.WAVES -- "$vk" 1000 10
		cat "$work/csv" >> "$work/out"
		says "waves of radv's dispatches are counted on $gpu" \
			'.*,amdgpu::SQ.WAVES,,10000,waves,.*'
	done
fi

# radv does write the stop that radeonsi leaves out.
gpu=navi21 options=(--time virtual $fresh)
query=$build/peers/vulkan_query
if can "$query" 1 1 Waves; then
	machine "$query" 1000 10 Waves "GPU active cycles"
	says "radv counts on navi21" "Waves: 10000.000" \
		"GPU active cycles: [1-9].*"
fi
exit $failed
