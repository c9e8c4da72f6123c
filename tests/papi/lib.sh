# SPDX-License-Identifier: BSD-3-Clause
# Functions that test scripts share; sourced, with TOP_DIR and BUILD_DIR in the
# environment as make/check.sh sets them (or from the top folder by hand).

TOP_DIR=${TOP_DIR:-$PWD}
BUILD_DIR=${BUILD_DIR:-$PWD/build}
papi=$BUILD_DIR/papi
sim=$BUILD_DIR/bin/drmsim
programs=$BUILD_DIR/tests/papi
# without a folder of its own a script would write into those of the system
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# nothing of the caller's may change what is tested
unset PAPI_DRM_LIB PAPI_DRM_VERBOSE PAPI_EVENTS PAPI_VERBOSE LD_PRELOAD \
	DRMPERF_EVENTS DRMPERF_CLOCK DRMPERF_READ DRMPERF_DEBUG DRMPERF_RING \
	DRMPERF_DIES DRMPERF_SPIN_US ROCP_METRICS DRMSIM_GPUS PAPI_SRC
export LC_ALL=C SHELL=/bin/sh
# nor what was found out about a GPU of this machine
export DRMPERF_STATE=/nonexistent
# what takes longer than this many seconds hangs, on any machine
hang=600

failed=0

ok()
{
	echo "ok $1"
}

# not_ok NAME [FILE]: the file's end is shown
not_ok()
{
	echo "not ok $1"
	failed=1
	[ -z "${2:-}" ] || tail -n 15 "$2" | sed 's/^/    | /'
}

skip()
{
	echo "skip $1: $2"
}

# has NAME FILE PATTERN...: all patterns (extended) are in the file
has()
{
	local name=$1 file=$2 pattern
	shift 2
	for pattern in "$@"; do
		if ! grep -Eq -- "$pattern" "$file"; then
			not_ok "$name (no '$pattern')" "$file"
			return 1
		fi
	done
	ok "$name"
}

# lacks NAME FILE PATTERN
lacks()
{
	if grep -Eq -- "$3" "$2"; then
		not_ok "$1 (has '$3')" "$2"
		return 1
	fi
	ok "$1"
}

# clean NAME COMMAND...: something watches, and has nothing to say
clean()
{
	local name=$1
	shift
	if "$@" > "$work/out" 2>&1 &&
		! grep -Eq '^==[0-9]+==|runtime error' "$work/out"; then
		ok "$name"
	else
		grep -E '^not ok|^==[0-9]+==|runtime error' "$work/out" |
			head -n 15 > "$work/why"
		[ -s "$work/why" ] || cp "$work/out" "$work/why"
		not_ok "$name" "$work/why"
	fi
}

# watched MACHINE PROGRAM [ARGUMENT]...: in make check-deep, the program on a
# machine with valgrind inside, and as it was built with sanitizers
watched()
{
	local machine=$1 program=$2
	[ -n "${CHECK_DEEP:-}" ] || return 0
	shift 2
	# shellcheck disable=SC2086
	clean "$program is clean under valgrind" \
		$machine valgrind -q --error-exitcode=99 \
		--leak-check=full --show-leak-kinds=definite \
		--errors-for-leak-kinds=definite \
		--suppressions=tests/valgrind.supp "$programs/$program" "$@"
	if [ ! -x "$BUILD_DIR/asan/tests/papi/$program" ]; then
		skip "$program is clean under sanitizers" \
			"make SANITIZE=1 papi-tests builds what is needed"
		return
	fi
	# shellcheck disable=SC2086
	ASAN_OPTIONS=${ASAN_OPTIONS:-verify_asan_link_order=0} \
		PAPI_DRM_LIB=${PAPI_DRM_LIB:+$BUILD_DIR/asan/${PAPI_DRM_LIB#"$BUILD_DIR"/}} \
		clean "$program is clean under sanitizers" \
		${machine//"$BUILD_DIR/bin/drmperf"/"$BUILD_DIR/asan/bin/drmperf"} \
		"$BUILD_DIR/asan/tests/papi/$program" "$@"
}

finish()
{
	exit $failed
}
