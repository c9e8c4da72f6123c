#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build PAPI once more, with its own component rocm, unchanged, beside drm; for
# tests of librocprofiler64. The source is that of make/papi.sh, copied.
#
#   PAPI-rocm/rocm  what the component takes for ROCm: HSA's headers and
#                   runtime, and the headers of librocprofiler64
#   PAPI-rocm/tree, bin, lib, include  as make/papi.sh has them
#
# usage: make/papi_rocm.sh PAPI
#   PAPI  the folder that make/papi.sh made, as build/papi
set -eu

top=$PWD
plain=$top/$1
papi=$plain-rocm
log=$papi/log
rm -rf "$papi"
mkdir -p "$papi/rocm/include" "$papi/rocm/rocprofiler" "$papi/rocm/lib"

say()
{
	printf '  %-7s %s\n' "$1" "$2"
}

quietly()
{
	if ! "$@" > "$log" 2>&1; then
		tail -n 40 "$log" >&2
		echo "failed: $* (whole output in $log)" >&2
		exit 1
	fi
}

# Headers and the runtime where the compiler finds them.
hsa=$(printf '#include <hsa/hsa.h>\n' | ${CC:-gcc} -E -x c - |
	sed -n 's,^# .*"\(.*\)/hsa\.h".*,\1,p' | head -n 1)
ln -s "$hsa" "$papi/rocm/include/hsa"
ln -s "$top/components/rocprofiler/include/rocprofiler" \
	"$papi/rocm/rocprofiler/include"
ln -s "$(realpath "$(${CC:-gcc} -print-file-name=libhsa-runtime64.so)")" \
	"$papi/rocm/lib/libhsa-runtime64.so"

say CONF "PAPI with its component rocm, in ${papi#"$top/"}/tree"
cp -rP "$plain/tree" "$papi/tree"
cd "$papi/tree/src"
export PAPI_ROCM_ROOT=$papi/rocm
unset MAKEFLAGS MAKELEVEL MFLAGS
options=$(sed -n 's/^  \$ \.\/configure//p' config.log |
	grep -o -e '--with-pfm-[a-z]*=[^ ]*' || :)
make -k clean > "$log" 2>&1 || :
# shellcheck disable=SC2086
quietly ./configure --prefix="$papi" --with-components="drm rocm" \
	--with-perf-events --with-shared-lib=yes --with-static-lib=no \
	--with-shlib-tools $options LDFLAGS="-Wl,-rpath,$papi/lib"
variable()
{
	sed -n "s/^$1[[:space:]]*=[[:space:]]*//p" Makefile
}
version=$(variable PAPIVER).$(variable PAPIREV)
say MAKE "PAPI $version with its component rocm"
quietly make -j"$(nproc)" libpapi.so "libpapi.so.$version" utils

mkdir "$papi/bin" "$papi/lib" "$papi/include"
find utils -maxdepth 1 -name 'papi_*' -type f -perm -100 \
	-exec cp {} "$papi/bin/" \;
cp -P libpapi.so* "$papi/lib/"
for header in papi.h papiStdEventDefs.h papi_components_config_event_defs.h; do
	[ ! -f $header ] || cp $header "$papi/include/"
done
ln -s ../../lib/libdrmperf.so.0 "$papi/lib/libdrmperf.so.0"
ln -s ../share "$papi/share"
