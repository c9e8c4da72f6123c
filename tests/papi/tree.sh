#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The component's own tests build where its folder was put into PAPI's tree:
# copied, linked, and called from any folder.
#
# DRMPERF_PAPI        the source of another PAPI, such as its master branch: it
#                     is built as README says, and its tests with it
. tests/papi/lib.sh

# PAPI's tree, with a folder for components of our own
src=$work/papi/src
mkdir -p "$src/components"
ln -s "$papi"/tree/src/* "$src/" 2> "$work/err"
ln -s "$papi"/tree/src/components/* "$src/components/"
rm "$src/components/drm"
# what is built must not get into the sources
mkdir "$work/drmperf"
cp -r "$TOP_DIR/components/drm" "$work/drmperf/"
rm -f "$work"/drmperf/drm/tests/*.o

# built NAME COMMAND...: what it has built counts; it is removed then
built()
{
	local name=$1
	shift
	if ! "$@" > "$work/out" 2>&1; then
		not_ok "$name" "$work/out"
		return
	fi
	"$sim" --gpu vega10 -- "$src/components/drm/tests/drm_count" \
		> "$work/out" 2>&1
	has "$name" "$work/out" 'PASSED'
	rm -f "$src"/components/drm/tests/*.o \
		"$src"/components/drm/tests/drm_{list,count,conflict}
}

# sh tells make where it is as the user went there
ln -s "$work/drmperf/drm" "$src/components/drm"
built "the component's tests build linked, from src, and count" \
	sh -c "cd '$src' && make -C components/drm/tests"
built "the component's tests build linked, from their folder, and count" \
	sh -c "cd '$src/components/drm/tests' && make drm_count"
built "the component's tests build linked, from elsewhere, and count" \
	make -C "$src/components/drm/tests" PAPI_SRC="$src" tests
make -C "$src/components/drm/tests" > "$work/out" 2>&1
has "make from elsewhere without PAPI_SRC= says where to call it" "$work/out" \
	'Call this in the src folder of a configured PAPI'
rm "$src/components/drm"
cp -r "$work/drmperf/drm" "$src/components/drm"
built "the component's tests build copied, from elsewhere, and count" \
	make -C "$src/components/drm/tests"

# ---------------------------------------------------------------- another PAPI
if [ -z "${DRMPERF_PAPI:-}" ]; then
	skip "another PAPI builds with the component" \
		"DRMPERF_PAPI names no source of one"
	finish
fi
src=$work/other/src
mkdir -p "$src"
ln -s "$TOP_DIR/lib" "$work/lib" # where the component looks for its header
(cd "$DRMPERF_PAPI/src" && tar cf - --exclude='*.o' --exclude='*.so*' \
	--exclude='*.a' --exclude=components/drm .) | (cd "$src" && tar xf -)
ln -s "$work/drmperf/drm" "$src/components/drm"
if ! (cd "$src" && ./configure --with-components=drm && make) \
	> "$work/out" 2>&1; then
	not_ok "another PAPI builds with the component" "$work/out"
	finish
fi
number='s/^#define PAPI_VERSION[[:blank:]].*NUMBER(\(.*\))$/\1/p'
version=$(sed -n "$number" "$src/papi.h")
export PAPI_DRM_LIB=$BUILD_DIR/lib/libdrmperf.so.0 LD_LIBRARY_PATH=$src
built "the component's tests build with another PAPI, $version, and count" \
	sh -c "cd '$src' && make -C components/drm/tests"
"$sim" --gpu vega10 --gpu bmg -- "$src/utils/papi_component_avail" \
	> "$work/out" 2>&1
has "another PAPI lists the component's PMUs" \
	"$work/out" 'PMUs supported: .*amdgpu' \
	'PMUs supported: .*xe'
finish
