#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The library exports the symbols of a reviewed list, and has no data that is
# written to after the start.
. tests/papi/lib.sh

library=$BUILD_DIR/lib/libdrmperf.so.0
nm -D --defined-only "$library" | awk '$2 != "A" {print $3}' |
	sed 's/@.*//' | sort > "$work/exported"
if diff -u tests/symbols.txt "$work/exported" > "$work/diff"; then
	ok "exported symbols are those of tests/symbols.txt"
else
	not_ok "exported symbols are those of tests/symbols.txt" "$work/diff"
fi

grep -oE '\bdrmperf_[a-z0-9_]+\(' lib/include/drmperf.h | tr -d '(' | sort -u \
	> "$work/declared"
if diff -u "$work/declared" tests/symbols.txt > "$work/diff"; then
	ok "every function of drmperf.h is exported, and nothing else"
else
	not_ok "every function of drmperf.h is exported, and nothing else" \
		"$work/diff"
fi

# Preloaded into any program: nothing there may stand in for what that has. What
# PAPI's component looks for, from its source, and what libsde tells PAPI.
{
	grep -o 'dlsym( *handle, *"sde_ti_[a-z_]*"' \
		"$papi/tree/src/components/sde/sde.c" | grep -o 'sde_ti_[a-z_]*'
	echo papi_sde_check_overflow_status
} | sort > "$work/wanted"
nm -D --defined-only "$BUILD_DIR/lib/libdrmperf-sde.so" | awk '{print $3}' |
	sort > "$work/exported"
if diff -u "$work/wanted" "$work/exported" > "$work/diff"; then
	ok "libdrmperf-sde exports exactly what PAPI looks for"
else
	not_ok "libdrmperf-sde exports exactly what PAPI looks for" \
		"$work/diff"
fi
readelf -dW "$BUILD_DIR/lib/libdrmperf-sde.so" | grep NEEDED > "$work/needed"
lacks "libdrmperf-sde needs no libdrm, libexpat or libpfm" \
	"$work/needed" 'drm|expat|pfm'

kd=$BUILD_DIR/lib/libdrmperf-kd.so.0
if [ -e "$kd" ]; then
	grep -ohE '\bkd[A-Z][A-Za-z]+\(' components/kd/include/KD/*.h |
		tr -d '(' | sort -u > "$work/declared"
	nm -D --defined-only "$kd" | awk '{print $3}' | sort > "$work/exported"
	if diff -u "$work/declared" "$work/exported" > "$work/diff"; then
		ok "libdrmperf-kd exports exactly what its headers declare"
	else
		not_ok "libdrmperf-kd exports exactly what its headers declare" \
			"$work/diff"
	fi
else
	skip "libdrmperf-kd exports exactly what its headers declare" \
		"it is not built without libproc2"
fi

rocprofiler=$BUILD_DIR/lib/librocprofiler64.so.1
if [ -e "$rocprofiler" ]; then
	{
		grep -ohE '\brocprofiler_[a-z_]+\(' \
			components/rocprofiler/include/rocprofiler/*.h |
			tr -d '('
		# what HSA looks for in the tools it loads
		echo OnLoad
		echo OnUnload
		echo HSA_AMD_TOOL_PRIORITY
	} | sort -u > "$work/declared"
	nm -D --defined-only "$rocprofiler" | awk '{print $3}' | sort \
		> "$work/exported"
	if diff -u "$work/declared" "$work/exported" > "$work/diff"; then
		ok "librocprofiler64 exports exactly what its header declares"
	else
		not_ok "librocprofiler64 exports exactly what its header declares" \
			"$work/diff"
	fi
	# what AMD's library had, which gave its symbols no versions
	nm -D --defined-only --with-symbol-versions "$rocprofiler" |
		awk '{print $3}' > "$work/versions"
	grep -vxFf "$work/versions" tests/rocprofiler/symbols.txt \
		> "$work/missing"
	if [ -s "$work/missing" ]; then
		not_ok "librocprofiler64 has all symbols of AMD's library" \
			"$work/missing"
	else
		ok "librocprofiler64 has all symbols of AMD's library"
	fi
	# what PAPI's component rocm looks for, from its source
	grep -oh 'dlsym(rocp_dlp, "rocprofiler_[a-z_]*"' \
		"$papi"/tree/src/components/rocm/*.c |
		grep -o 'rocprofiler_[a-z_]*' | sort -u > "$work/wanted"
	comm -23 "$work/wanted" "$work/exported" > "$work/missing"
	if [ -s "$work/wanted" ] && [ ! -s "$work/missing" ]; then
		ok "librocprofiler64 has what PAPI's component looks for"
	else
		not_ok "librocprofiler64 has what PAPI's component looks for" \
			"$work/missing"
	fi
else
	skip "librocprofiler64 exports exactly what its header declares" \
		"it is not built without HSA"
fi

# HSA loads it into programs.
hsa=$BUILD_DIR/lib/libdrmperf-hsa.so
if [ -e "$hsa" ]; then
	nm -D --defined-only "$hsa" | awk '{print $3}' | sort | tr '\n' ' ' \
		> "$work/exported"
	has "libdrmperf-hsa exports exactly what HSA looks for" \
		"$work/exported" '^HSA_AMD_TOOL_PRIORITY OnLoad OnUnload $'
else
	skip "libdrmperf-hsa exports exactly what HSA looks for" \
		"it is not built without HSA"
fi

# Preloaded into any program, too: what stands in front of others, and no more.
gl=$BUILD_DIR/lib/libdrmperf-gl.so
if [ -e "$gl" ]; then
	sed -n 's/^	\([A-Za-z0-9]*\);$/\1/p' components/gl/libdrmperf-gl.map | sort \
		> "$work/declared"
	nm -D --defined-only "$gl" | awk '{print $3}' | sort > "$work/exported"
	if diff -u "$work/declared" "$work/exported" > "$work/diff"; then
		ok "libdrmperf-gl exports exactly what its map lists"
	else
		not_ok "libdrmperf-gl exports exactly what its map lists" \
			"$work/diff"
	fi
	readelf -dW "$gl" | grep NEEDED > "$work/needed"
	lacks "libdrmperf-gl needs no library of OpenGL" "$work/needed" 'GL|X11'
else
	skip "libdrmperf-gl exports exactly what its map lists" \
		"it is not built without headers of OpenGL"
fi

marker=$BUILD_DIR/lib/libdrmperf-marker.so
sed -n 's/^	\([A-Za-z0-9_]*\);$/\1/p' components/marker/libdrmperf-marker.map |
	sort > "$work/declared"
nm -D --defined-only "$marker" | awk '{print $3}' | sort > "$work/exported"
if diff -u "$work/declared" "$work/exported" > "$work/diff"; then
	ok "libdrmperf-marker exports exactly what its map lists"
else
	not_ok "libdrmperf-marker exports exactly what its map lists" \
		"$work/diff"
fi
readelf -dW "$marker" | grep NEEDED > "$work/needed"
lacks "libdrmperf-marker needs no library but libc" "$work/needed" \
	'\[lib[^c]'

kernels=$BUILD_DIR/lib/libdrmperf-kernels.so
if [ -e "$kernels" ]; then
	nm -D --defined-only "$kernels" | awk '{print $3}' > "$work/exported"
	printf 'OnLoadToolProp\nOnUnloadTool\n' > "$work/declared"
	clean "libdrmperf-kernels exports what librocprofiler64 looks for" \
		diff "$work/declared" "$work/exported"
else
	skip "libdrmperf-kernels exports what librocprofiler64 looks for" \
		"it is not built without HSA"
fi

layer=$BUILD_DIR/lib/libVkLayer_drmperf_gpa.so
if [ -e "$layer" ]; then
	nm -D --defined-only "$layer" | awk '{print $3}' > "$work/exported"
	if echo vkNegotiateLoaderLayerInterfaceVersion |
		diff -u - "$work/exported" > "$work/diff"; then
		ok "the Vulkan layer exports exactly what the loader looks for"
	else
		not_ok "the Vulkan layer exports exactly what the loader looks for" \
			"$work/diff"
	fi
else
	skip "the Vulkan layer exports exactly what the loader looks for" \
		"it is not built without Vulkan's headers"
fi

nm -D --defined-only "$BUILD_DIR"/papi/lib/libpapi.so.*.* |
	awk 'NF > 1 && $NF ~ /[Dd][Rr][Mm]/ {print $NF}' > "$work/out"
if [ -s "$work/out" ]; then
	not_ok "libpapi exports no symbol of the component" "$work/out"
else
	ok "libpapi exports no symbol of the component"
fi

# Objects that can be written to; what only the loader writes, to put addresses
# into tables, lies in .data.rel.ro and is protected after that. The lock of
# libpfm4, whose state is the process's, has to be the process's, too; what
# fork() calls gets no argument, so it can only find variables; and a signal's
# handler has to know what its thread was doing.
objdump -t "$BUILD_DIR/libdrmperf.a" > "$work/objects" ||
	not_ok "the library's objects can be read"
awk '/file format/ {file = $1}
		$0 ~ / O / || /\*COM\*/ {
			for (i = 2; i < NF; i++)
				if ($i ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM)/ &&
				    $i !~ /^\.data\.rel\.ro/ &&
				    $NF != "pfm_lock" &&
				    file !~ /^(fork_close|inside)\.o/)
					print file, $NF
		}' "$work/objects" > "$work/written"
if [ -s "$work/written" ]; then
	not_ok "the library has no writable data" "$work/written"
else
	ok "the library has no writable data"
fi
finish
