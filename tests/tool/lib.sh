# SPDX-License-Identifier: BSD-3-Clause
# Functions that the tests of the command line tool share; sourced. With
# CHECK_DEEP in the environment a script tests the tool as it was built with
# sanitizers.
. tests/papi/lib.sh

# `gl` and `vk` are tested plain: a library with sanitizers cannot be loaded into
# a program without.
plain=$BUILD_DIR/bin/drmperf
tool=$plain
sanitized=
if [ -n "${CHECK_DEEP:-}" ]; then
	sanitized=yes
	tool=$BUILD_DIR/asan/bin/drmperf
	export ASAN_OPTIONS=${ASAN_OPTIONS:-verify_asan_link_order=0}
fi
vega="$sim --strict --time virtual --scenario tests/tool/vega10.scenario
	--gpu vega10 --"
unset NO_COLOR TMPDIR
export DRMPERF_PAGER=cat

# run STATUS COMMAND...: output in $work/out and $work/err; the exit status is
# appended to the latter unless it is this one
run()
{
	local expected=$1 rc
	shift
	"$@" > "$work/out" 2> "$work/err"
	rc=$?
	[ $rc = "$expected" ] || echo "exit status $rc" >> "$work/err"
	return $rc
}

# status NAME STATUS COMMAND...
status()
{
	local name=$1 expected=$2
	shift 2
	run "$expected" "$@"
	if grep -q '^exit status' "$work/err"; then
		not_ok "$name" "$work/err"
		return 1
	fi
	ok "$name"
}

# json NAME FILE FILTER: the filter of jq gives true on every value
json()
{
	local name=$1 file=$2 filter=$3
	if [ -s "$file" ] && jq -es "all(.[]; $filter)" "$file" \
		> "$work/jq" 2>&1; then
		ok "$name"
	else
		cat "$file" >> "$work/jq"
		not_ok "$name" "$work/jq"
	fi
}

# same NAME FILE TEXT: that is all there is in the file
same()
{
	if printf '%s\n' "$3" | diff - "$2" > "$work/diff"; then
		ok "$1"
	else
		not_ok "$1" "$work/diff"
	fi
}

# parse_xml FILE: an error unless it is well formed
parse_xml()
{
	python3 -c 'import sys; from xml.etree import ElementTree
ElementTree.parse(sys.argv[1])' "$1"
}

# empty NAME FILE
empty()
{
	if [ -s "$2" ]; then
		not_ok "$1" "$2"
	else
		ok "$1"
	fi
}

# absent NAME FILE
absent()
{
	if [ -e "$2" ]; then
		not_ok "$1"
	else
		ok "$1"
	fi
}

# whether script(1) can make terminals here; a bare chroot has none
has_terminals()
{
	script -qec true /dev/null < /dev/null > /dev/null 2>&1
}
