#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf gl --print and drmperf vk --print count frames of programs that know
# nothing of it, drawn by Mesa.
set -u

build=$(realpath "${BUILD_DIR:-build}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
hang=600 # seconds: as in tests/papi/lib.sh
tool=$build/bin/drmperf
swaps=$build/peers/gl_swaps
submits=$build/peers/vulkan_frames

# no cache of shaders is left in the caller's home, nor are settings read there
export HOME=$work XDG_CACHE_HOME=$work MESA_SHADER_CACHE_DISABLE=true
unset DRMPERF_GPU DRMPERF_GL DRMPERF_FRAMES VK_INSTANCE_LAYERS VK_LAYER_PATH \
	VK_ADD_LAYER_PATH

not_ok()
{
	echo "not ok $1: $2 in:"
	sed 's/^/    /' "$work/out" "$work/err"
	failed=1
}

# says NAME TEXT...: the lines are in what was written
says()
{
	local name=$1 text
	shift
	for text; do
		grep -qE -- "$text" "$work/out" "$work/err" || {
			not_ok "$name" "no '$text'"
			return
		}
	done
	echo "ok $name"
}

# holds NAME FILTER: jq finds it true of what was written
holds()
{
	if [ -s "$work/out" ] && jq -e "$2" "$work/out" > "$work/jq" 2>&1; then
		echo "ok $1"
	else
		not_ok "$1" "not '$2'"
	fi
}

# machine GPU[,GPU]... STATUS PROGRAM [ARGUMENT]...
machine()
{
	local gpu gpus=() expected=$2
	for gpu in ${1//,/ }; do
		gpus+=(--gpu "$gpu")
	done
	shift 2
	timeout $hang "$build/bin/drmsim" --strict "${gpus[@]}" -- "$@" \
		> "$work/out" 2> "$work/err"
	status=$?
	[ $status = "$expected" ] || not_ok "$*" "exit status $status"
}

# ---------------------------------------------------------------- OpenGL
export LIBGL_ALWAYS_SOFTWARE=1
: > "$work/out"
if [ ! -x "$swaps" ]; then
	echo "skip drmperf gl --print: the headers of OpenGL, EGL and GLX are" \
		"not installed"
else
	"$swaps" 1 2> "$work/err"
	drawn=$?
	if [ $drawn = 2 ]; then
		echo "skip drmperf gl --print: Mesa's llvmpipe is not installed"
	fi
fi
if [ "${drawn-2}" = 0 ]; then
	gl=("$tool" gl -d 0 --print)
	machine vega10 0 "${gl[@]}" -e GRBM.COUNT,sensor.gfx-sclk \
		-- "$swaps" 20
	says "frames lie between swaps" '^ 19 frames, each up to a swap' \
		'^ +mean +min +max$' '^ frame time  .* [mun]?s$' \
		'^ amdgpu::GRBM.COUNT:device=0 +[1-9].*  cycles$' \
		'^ amdgpu::sensor.gfx-sclk:device=0 .* GHz'
	machine vega10 0 "${gl[@]}" --json -e GRBM.COUNT -- "$swaps" 8
	holds "JSON has the frames and their events" \
		'.frames == 7 and .command[1] == "8" and
		.frame_time_ns.frames == 7 and
		(.events[0] | .event == "amdgpu::GRBM.COUNT:device=0" and
		.unit == "cycles" and .frames == 7 and .min > 0 and
		.min <= .mean and .mean <= .max)'
	machine vega10 0 "${gl[@]}" --csv -e GRBM.COUNT -- "$swaps" 3
	says "CSV has the frames and their events" \
		'^event,unit,frames,mean,min,max$' \
		'^frame time,ns,2,[0-9.]+,[0-9.]+,[0-9.]+$' \
		'^amdgpu::GRBM.COUNT:device=0,cycles,2,[1-9]'
	machine vega10 0 "${gl[@]}" -o "$work/file" -M default -- "$swaps" 3
	cp "$work/file" "$work/out"
	says "frames of a metric group are written to a file" '^ 2 frames, '
	machine vega10 0 "${gl[@]}" -e GRBM.COUNT -- "$swaps" 3 again
	says "frames of two processes are added up" ' 4 frames, ' \
		'^drmperf gl: 2 processes ended frames'
	machine vega10 125 "${gl[@]}" -e GRBM.COUNT -- "$swaps" 1
	says "a single swap ends no frame" 'ended within its first one' \
		'^try: .* a swap of buffers'
	machine sklgt2 0 "${gl[@]}" -e RenderBasic.GpuTime -- "$swaps" 5
	says "Intel's counters are counted per frame" ' 4 frames, ' \
		'^ i915::RenderBasic.GpuTime:device=0 +[0-9]'
	export DRMPERF_GPU=1
	machine vega10,navi21 0 "$tool" gl --print -e GRBM.COUNT -- "$swaps" 3
	says "DRMPERF_GPU names the GPU if the driver does not report it" ' 2 frames, ' \
		'^ amdgpu::GRBM.COUNT:device=1 '
	unset DRMPERF_GPU
fi
unset LIBGL_ALWAYS_SOFTWARE

# ---------------------------------------------------------------- any program
if [ -e "$build/lib/libdrmperf-gl.so" ]; then
	machine vega10 125 "$tool" gl --print -- true
	says "a program that draws nothing gets a remedy" \
		'never came to a swap of buffers' \
		'^try: run a program that draws'
	machine vega10 7 "$tool" gl --print -- sh -c 'exit 7'
	machine vega10 129 "$tool" gl -e GRBM.COUNT -- true
	says "options of counting need --print" 'are for --print'
	machine vega10 129 "$tool" gl --print --csv --json -- true
	says "two formats at once are refused" 'either --csv or --json'
	machine vega10 125 "$tool" gl --print -e task-clock -- true
	says "events of CPUs are refused" 'is an event of CPUs' \
		'^try: drmperf stat, which'
	machine vega10 125 "$tool" gl --print \
		-e TCC.NONE,TCC.CYCLE,TCC.BUSY,TCC.REQ,TCC.STREAMING_REQ \
		-- true
	says "more than one pass is refused" 'TCC' '^try: '
fi

# ---------------------------------------------------------------- Vulkan
drawn=2
if [ ! -x "$submits" ] || [ ! -e "$build/lib/libVkLayer_drmperf_gpa.so" ]; then
	echo "skip drmperf vk --print: the headers of Vulkan are not installed"
else
	timeout $hang "$build/bin/drmsim" --gpu navi21 -- "$submits" 1 1 \
		> "$work/out" 2> "$work/err"
	drawn=$?
	[ $drawn = 2 ] &&
		echo "skip drmperf vk --print: Mesa's radv is not installed"
fi
if [ $drawn = 0 ]; then
	machine navi21 0 "$tool" vk --print --json -e SQ.WAVES \
		-- "$submits" 6 100
	sed -i '/^{/!d' "$work/out"
	holds "submissions are frames where nothing is presented" \
		'.frames == 5 and (.events[0] |
		.frames == 5 and .min == 100 and .max == 100)'
	export VULKAN_GPU=1
	machine vega10,navi21 0 "$tool" vk --print --json -e SQ.WAVES \
		-- "$submits" 4 100
	sed -i '/^{/!d' "$work/out"
	holds "of two GPUs the one is counted that the program uses" \
		'.frames == 3 and (.events[0] |
		.event == "amdgpu::SQ.WAVES:device=1" and
		.min == 100 and .max == 100)'
	machine vega10,navi21 0 "$tool" vk --print -- "$submits" 4 100
	says "the default group is that of the GPU that the program uses" \
		'^ 3 frames, ' '^ amdgpu::.*:device=1 '
	machine vega10,navi21 125 "$tool" vk --print -e TCC.HIT \
		-- "$submits" 4 100
	says "an event that the program's GPU lacks is named" 'TCC.HIT' \
		'and no event of that GPU was counted'
	machine vega10,navi21 125 "$tool" vk -d 0 --print -e SQ.WAVES \
		-- "$submits" 4 100
	says "-d of a GPU that the program does not use counts no frame" \
		'draws with GPU 0000:[0-9a-f:.]+, and no event of that GPU' \
		'^try: -d 0000:'
fi

# ---------------------------------------------------------------- other layers
# stacked LAYER LAYER: the device was made below the first, then the second
stacked()
{
	grep -A 99 'vkCreateDevice layer callstack' "$work/err" |
		grep -oE "$1|$2" | tr '\n' ' ' | grep -q "^$1 $2 "
}

# beside PACKAGE LAYER VARIABLE=VALUE...: frames are counted below that layer,
# where the variables enable it, and above it, where the program does
beside()
{
	local package=$1 layer=$2 ours=VK_LAYER_DRMPERF_gpa order
	shift 2
	if ! grep -qs "\"$layer\"" /{etc,usr/share}/vulkan/*plicit_layer.d/*; then
		echo "skip drmperf vk --print beside $layer: $package is not" \
			"installed"
		return
	fi
	for order in "$layer $ours" "$ours $layer"; do
		[ "$order" = "$layer $ours" ] || set -- VULKAN_LAYERS="$layer"
		machine navi21 0 env "$@" VK_LOADER_DEBUG=layer "$tool" vk \
			--print --json -e SQ.WAVES -- "$submits" 6 100
		# shellcheck disable=SC2086
		stacked $order || not_ok "layers $order" "another order"
		sed -i '/^{/!d' "$work/out"
		# RenderDoc submits once more
		holds "frames are counted with the layers $order" \
			'.frames >= 5 and (.events[0] |
			.frames >= 5 and .min == 100 and .max == 100)'
	done
}
if [ $drawn = 0 ]; then
	unset VULKAN_GPU
	export GFXRECON_CAPTURE_FILE=$work/captured.gfxr
	# the loader takes them in the order in which it finds their manifests
	export VK_ADD_LAYER_PATH=/etc/vulkan/explicit_layer.d
	VK_ADD_LAYER_PATH+=:/usr/share/vulkan/explicit_layer.d
	beside vulkan-validationlayers VK_LAYER_KHRONOS_validation \
		VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
	beside mesa-vulkan-drivers VK_LAYER_MESA_overlay \
		VK_INSTANCE_LAYERS=VK_LAYER_MESA_overlay
	beside gfxreconstruct VK_LAYER_LUNARG_gfxreconstruct \
		VK_INSTANCE_LAYERS=VK_LAYER_LUNARG_gfxreconstruct
	beside mangohud VK_LAYER_MANGOHUD_overlay MANGOHUD=1
	beside librenderdoc VK_LAYER_RENDERDOC_Capture \
		ENABLE_VULKAN_RENDERDOC_CAPTURE=1
fi
exit $failed
