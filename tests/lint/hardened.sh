#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The files of `make install` are hardened as far as the compiler can, and give
# nobody new rights.
. tests/papi/lib.sh

root=$work/root
cc=${CC:-gcc}
make --no-print-directory install DESTDIR="$root" > "$work/out" 2>&1 ||
	not_ok "make install exits with 0" "$work/out"
library=$root/usr/local/lib/libdrmperf.so.0
sde=$root/usr/local/lib/libdrmperf-sde.so
kd=$root/usr/local/lib/libdrmperf-kd.so.0
rocprofiler=$root/usr/local/lib/librocprofiler64.so.1
hsa=$root/usr/local/lib/libdrmperf-hsa.so
kernels=$root/usr/local/lib/libdrmperf-kernels.so
gl=$root/usr/local/lib/libdrmperf-gl.so
marker=$root/usr/local/lib/libdrmperf-marker.so
layer=$root/usr/local/lib/libVkLayer_drmperf_gpa.so
binaries="$library $sde $kd $rocprofiler $hsa $kernels $gl $marker $layer
	$root/usr/local/lib/drmperf/libdrmsim-preload.so
	$root/usr/local/lib/drmperf/libdrmsim-speed.so
	$root/usr/local/bin/drmperf $root/usr/local/bin/drmsim
	$root/usr/local/libexec/drmperf-selftest
	$root/usr/local/libexec/drmperf-kfd"

# ---------------------------------------------------------------- the linker
for binary in $binaries; do
	name=${binary##*/}
	readelf -dlW "$binary" > "$work/elf" 2>&1
	has "$name: addresses are read only after the start" "$work/elf" \
		'GNU_RELRO' '(FLAGS_1|FLAGS).*\bNOW\b'
	has "$name: the stack is not executable" \
		"$work/elf" 'GNU_STACK .* RW +0x'
	has "$name: the binary is position independent" \
		"$work/elf" 'type is DYN'
done
readelf -dW "$library" > "$work/elf" 2>&1
has "libdrmperf.so.0: dlclose() leaves it where it is" "$work/elf" \
	'FLAGS_1.*NODELETE'

# ---------------------------------------------------------------- the compiler
# The flags and what they leave in a binary, in a program where they matter: a
# compiler without them leaves nothing there either.
cat > "$work/model.c" << 'END'
#include <stdio.h>
int fill(const char *text, char *out);
int fill(const char *text, char *out)
{
	char buffer[64];
	int n = sprintf(buffer, "%s", text);
	return n + sprintf(out, "%s %s", buffer, text);
}
END
# leaves NAME PATTERN BINARIES FLAG...: what is seen of the flags
leaves()
{
	local name=$1 pattern=$2 compiled=$3 binary
	shift 3
	if ! "$cc" "$@" -Werror -shared -fPIC -o "$work/model.so" \
		"$work/model.c" 2> "$work/err" ||
		! seen "$work/model.so" | grep -Eq "$pattern"; then
		skip "$name" "$cc $* leaves nothing to see"
		return
	fi
	for binary in $compiled; do
		seen "$binary" > "$work/seen"
		has "${binary##*/}: $name" "$work/seen" "$pattern"
	done
}
# symbols asked for, notes, and how each function that is called from outside
# begins
seen()
{
	nm -D --undefined-only "$1"
	readelf -nW "$1"
	objdump -d "$1" | awk '/^[0-9a-f]+ <_?[A-Za-z]/ {
		name = $2; getline; print name, $0}' |
		grep -E '^<(drmperf_version|sde_ti_shutdown|kdGetError|rocprofiler_errno|OnLoad|OnLoadToolProp|glGetError|roctxRangePop|vkNegotiateLoaderLayerInterfaceVersion|main|ioctl|nanosleep|fill)>'
}
leaves "functions have a stack protector" '__stack_chk_fail' "$binaries" \
	-O2 -fstack-protector-strong
leaves "functions begin with a landing pad" '>:.*(endbr64|endbr32)' \
	"$binaries" -O2 -fcf-protection
leaves "the notes name IBT and SHSTK" 'IBT, SHSTK' "$binaries" \
	-O2 -fcf-protection
# the simulator's preloads define such functions and use none
fortified="$library $sde $kd $rocprofiler $gl $root/usr/local/bin/drmperf
	$root/usr/local/bin/drmsim"
case " ${CFLAGS:--O2} " in
*" -O0 "*) skip "calls of the C library are checked" "CFLAGS has -O0" ;;
*" -O"*) leaves "calls of the C library are checked" \
	'__[a-z]+_chk(@|$)' "$fortified" \
		-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 ;;
*) skip "calls of the C library are checked" "CFLAGS has no -O" ;;
esac

# ---------------------------------------------------------------- rights
find "$root/usr/local" ! -type l -perm /7022 > "$work/out"
if [ -s "$work/out" ]; then
	not_ok "no file is writable for others or gives rights" "$work/out"
else
	ok "no file is writable for others or gives rights"
fi
finish
