#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Mesa's drivers, unmodified, on a simulated Vega 10. radeonsi programs the
# counters itself (GL_AMD_performance_monitor): the simulator has to count for
# its command buffers what it counts for ours. radv launches work that we count.
set -u

build=$(realpath "${BUILD_DIR:-build}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

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

# machine PROGRAM [ARGUMENT]...: on the simulated GPU; no cache of shaders is
# left in the caller's home
machine()
{
	MESA_SHADER_CACHE_DISABLE=true timeout 120 "$build/bin/drmsim" \
		--gpu vega10 --strict "${options[@]}" -- "$@" \
		> "$work/out" 2>&1
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
}

# ---------------------------------------------------------------- radeonsi
cat > "$work/scenario" <<'END'
default zero
rate TCC.3 instance=3 2/clock
rate TCC.3 instance=4 0.5/clock
rate TA.15 3/clock
END
options=(--time virtual --scenario "$work/scenario")
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

if can "$gl" 1 1 GRBM.0; then
	monitored SQ 10000
	monitored SQ_CS 10000
	monitored SQ_PS 0
fi

# ---------------------------------------------------------------- radv
options=()
vk=$build/peers/vulkan_dispatch
if can "$vk" 1 1; then
	machine "$build/bin/drmperf" stat -a --csv -o "$work/csv" \
		-e amdgpu::SQ.WAVES,amdgpu::SQ.ITEMS -- "$vk" 1000 10
	cat "$work/csv" >> "$work/out"
	says "waves of radv's dispatches are counted" \
		'10000,waves,amdgpu::SQ.WAVES:.*' \
		'640000,threads,amdgpu::SQ.ITEMS:.*'
fi
exit $failed
