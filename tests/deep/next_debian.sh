#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build and run the plain suites on the next Debian, in a chroot that debootstrap
# makes: as root, in some minutes, with 4 GB in TMPDIR (/var/tmp). Packages come
# from where this machine's apt gets its own. One line tells each result:
#
#     ok NAME    not ok NAME    skip NAME: REASON
#
# SUITE=forky       another release of Debian, also an older one
# CHROOT=FOLDER     keep the chroot there, and use what is there
# COMPILERS="..."   to build with besides gcc and clang; those that the release
#                   has of gcc 12 to 15 and clang 14 to 19 if not given
# SUITES="..."      suites and scripts to run, all if not given; "" for none
# PAPI_SRC=FOLDER   a source tree of PAPI in place of the release's package
#
# usage: tests/deep/next_debian.sh
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=/dev/null
. /etc/os-release
this=${VERSION_CODENAME:-}
case $this in
bookworm) next=trixie ;;
trixie) next=forky ;;
*) next=testing ;;
esac
export SUITE=${SUITE:-$next}

skip()
{
	echo "skip Debian $SUITE: $1"
	exit 0
}

# ---------------------------------------------------------------- in the chroot
# result NAME STATUS LOG
result()
{
	if [ "$2" = 0 ]; then
		echo "ok $SUITE: $1"
	else
		echo "not ok $SUITE: $1"
		{ grep -E -m 10 '(error|undefined|warning|Error [0-9]).*' "$3"
			tail -n 10 "$3"; } | sed 's/^/    | /'
	fi
}

# build NAME VARIABLE=VALUE|TARGET...
build()
{
	local log status
	log=$out/build-$(echo "$1" | tr ' /' '__')
	make -k -j"$(nproc)" WERROR=1 "${@:2}" > "$log" 2>&1
	status=$?
	# a warning that is no error, as of the linker
	if [ $status = 0 ] && grep -q 'warning: ' "$log"; then
		grep -B1 -A3 'warning: ' "$log" > "$log.warnings"
		log=$log.warnings
		status=1
	fi
	result "build $1" $status "$log"
}

# Compilers have packages of their names.
compilers()
{
	local name
	for name in gcc-{12,13,14,15} clang-{14,15,16,17,18,19}; do
		[ -z "$(apt-cache madison "$name" 2> /dev/null)" ] ||
			echo "$name"
	done
}

# run_suite NAME|SCRIPT: a program that has failed says so by its status, or by
# what it prints
run_suite()
{
	local command=build/tests/$1 log status
	log=$out/$(echo "$1" | tr / _)
	[[ $1 != *.sh ]] || command="bash $1"
	# shellcheck disable=SC2086
	env -i PATH="$PATH" HOME="$out/home" SHELL=/bin/sh LC_ALL=C \
		BENCH_SHORT=1 BUILD_DIR="$PWD/build" TOP_DIR="$PWD" \
		timeout -k 10 1800 $command > "$log" 2>&1 < /dev/null
	status=$?
	if [ $status = 0 ] && grep -q '^not ok ' "$log"; then
		status=1
	fi
	# the lines that tell, before what the shell of a script may add
	grep -E -A3 '^not ok |:[FES]:' "$log" > "$log.told"
	[ ! -s "$log.told" ] || log=$log.told
	result "$1" $status "$log"
	sed -n "s/^skip /skip $SUITE: $(echo "$1" | tr / .): /p" "${log%.told}"
}
export -f result run_suite

# Those on simulated hardware in real time come last, one at a time.
alone="test_oa_clocks test_oa_sessions test_oa_mishaps test_oa_crew"

all_suites()
{
	find tests -name 'test_*.c' -printf '%f\n' | sed 's/\.c$//' | sort
	ls tests/peers/*.sh tests/tool/*.sh tests/lint/{hardened,left_out}.sh |
		grep -Ev '/(lib|ranks)\.sh$'
	[ ! -f build/papi/built ] || ls tests/papi/*.sh tests/lint/symbols.sh |
		grep -Ev '/(lib|bench)\.sh$'
}

run_suites()
{
	local suites
	suites=$(printf '%s\n' ${SUITES-$(all_suites)})
	printf '%s\n' $suites | grep -vxF "$(printf '%s\n' $alone)" |
		xargs -r -P "$(nproc)" -I{} bash -c 'run_suite {}'
	printf '%s\n' $suites | grep -xF "$(printf '%s\n' $alone)" |
		xargs -r -I{} bash -c 'run_suite {}'
}

inside()
{
	local name begin=$SECONDS
	export out=$PWD/build/next_debian DEBIAN_FRONTEND=noninteractive
	mkdir -p "$out/home"
	apt-get -q update > "$out/packages" 2>&1 &&
		make/deps.sh build papi check >> "$out/packages" 2>&1
	result "packages" $? "$out/packages"
	build "with gcc" tests benches peers
	echo "    built after $((SECONDS - begin)) s"
	[ -n "${SUITES-all}" ] || return
	# a mirror may have no sources
	make/papi.sh --source build > "$out/papi" 2>&1
	case $? in
	0) build "PAPI" papi examples papi-tests ;;
	3) echo "skip $SUITE: PAPI: its source package cannot be had" ;;
	*) result "PAPI's source" 1 "$out/papi" ;;
	esac
	build "with clang" tests peers CC=clang CFLAGS=-O0 BUILD=build/clang
	for name in ${COMPILERS-$(compilers)}; do
		apt-get -q install -y --no-install-recommends "$name" \
			> "$out/packages" 2>&1
		build "with $name" all CC="$name" BUILD="build/$name"
	done
	begin=$SECONDS
	run_suites
	echo "    suites took $((SECONDS - begin)) s"
}

if [ "${1:-}" = --inside ]; then
	inside
	exit
fi

# ---------------------------------------------------------------- the chroot
# Where this machine gets its own release from.
mirror()
{
	local sources
	sources=$(mktemp -d) || return
	make/apt-sources.sh /etc/apt "$sources"
	cat "$sources"/*.list 2> /dev/null | sed 's/\[[^]]*\]//' |
		awk -v suite="$this" '$3 == suite { print $2 }'
	cat "$sources"/*.sources 2> /dev/null | awk -v suite="$this" '
		tolower($1) == "uris:" { uri = $2 }
		tolower($1) == "suites:" {
			for (i = 2; i <= NF; i++)
				if ($i == suite) { found = 1 }
		}
		!NF { if (found) print uri; found = 0 }
		END { if (found) print uri }'
	rm -rf "$sources"
}

[ "$(id -u)" = 0 ] || skip "only root can make a chroot"
command -v debootstrap > /dev/null || skip "debootstrap is not installed"
command -v unshare > /dev/null || skip "unshare is not installed"
mirror=$(mirror | head -1)
[ -n "$mirror" ] || skip "apt's configuration names no mirror of Debian"
# what is mounted for the chroot goes with this process
if [ -z "${IN_NAMESPACE:-}" ]; then
	unshare -m true 2> /dev/null || skip "mounts are not allowed here"
	root=${CHROOT:-$(mktemp -d "${TMPDIR:-/var/tmp}/next_debian.XXXXXX")}
	mkdir -p "$root" || exit 1
	IN_NAMESPACE=yes CHROOT=$root unshare -m --propagation private "$0"
	status=$?
	[ -n "${CHROOT:-}" ] || rm -rf --one-file-system "$root"
	exit $status
fi

if [ ! -f "$CHROOT/etc/debian_version" ]; then
	debootstrap --variant=minbase --include=ca-certificates "$SUITE" \
		"$CHROOT" "$mirror" > "$CHROOT.log" 2>&1 ||
		skip "debootstrap: $(tail -n 1 "$CHROOT.log")"
	rm -f "$CHROOT.log"
	# how this machine's apt gets there, and no waiting for disks
	apt-config dump | grep -E '^Acquire::(https?|Check|Retries)' \
		> "$CHROOT/etc/apt/apt.conf.d/99machine"
	echo force-unsafe-io > "$CHROOT/etc/dpkg/dpkg.cfg.d/unsafe-io"
fi
cp -L /etc/resolv.conf "$CHROOT/etc/resolv.conf" 2> /dev/null
for folder in proc sys dev; do
	mount --rbind "/$folder" "$CHROOT/$folder" ||
		skip "/$folder cannot be mounted in a chroot"
done
mkdir -p "$CHROOT/src"
tar cf - --exclude=./build --exclude=./.git . | tar xf - -C "$CHROOT/src"
if [ -n "${PAPI_SRC:-}" ]; then
	mkdir -p "$CHROOT/papi"
	tar cf - -C "$PAPI_SRC" --exclude=.git . | tar xf - -C "$CHROOT/papi"
fi
chroot "$CHROOT" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
	SUITE="$SUITE" ${SUITES+SUITES="$SUITES"} \
	${COMPILERS+COMPILERS="$COMPILERS"} ${PAPI_SRC:+PAPI_SRC=/papi} \
	/src/tests/deep/next_debian.sh --inside
