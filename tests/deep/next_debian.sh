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
# FULL=1            PAPI too, the scripts, and a build with each of gcc 12 to 15
#                   and clang 14 to 19 that the release has
# SUITES="..."      suites to run, all if not given
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
# Compilers have packages of their names.
compilers()
{
	local name
	for name in gcc-{12,13,14,15} clang-{14,15,16,17,18,19}; do
		[ -z "$(apt-cache madison "$name" 2> /dev/null)" ] ||
			echo "$name"
	done
}

# PAPI, the scripts over it and the tool, and each compiler that the release has
run_more()
{
	local name
	queue_papi
	run_queue "build papi" 1
	queue_scripts "$scripts"
	run_queue "scripts"
	for name in $(compilers); do
		apt-get -q install -y --no-install-recommends "$name" \
			> "$out/packages" 2>&1
		build "with $name" all CC="$name" BUILD="build/$name"
	done
}

inside()
{
	export DEBIAN_FRONTEND=noninteractive WERROR=1
	apt-get -q update > packages.log 2>&1 &&
		make/deps.sh build papi check >> packages.log 2>&1 || {
		echo "not ok $SUITE: packages"
		tail -n 10 packages.log | sed 's/^/    | /'
		return
	}
	. make/runner.sh
	. make/suites.sh
	start_run next-debian
	build "with gcc" all tests benches
	queue_each "${SUITES-$broad $(other_suites)}" plain
	run_queue "suites"
	queue_each "${SUITES-$real_time}" plain
	run_queue "suites in real time" 1
	[ -z "${FULL:-}" ] || run_more
	sed -n 's/^    skip /skip /p' "$out"/*.text
	awk -v release="$SUITE" '{
		word = $2 ? "not ok" : $1 ? "ok" : "skip"
		$1 = $2 = $3 = ""
		sub(/^ +/, "")
		print word, release ": " $0 (word == "skip" ? ": see its log" : "")
	}' "$out/results"
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
	# this release's debootstrap may not know the name of a later one
	scripts=/usr/share/debootstrap/scripts
	[ -e "$scripts/$SUITE" ] || script=$scripts/sid
	debootstrap --variant=minbase --include=ca-certificates "$SUITE" \
		"$CHROOT" "$mirror" ${script:+"$script"} > "$CHROOT.log" 2>&1 ||
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
# times of files tell make nothing about what was built from other sources
rm -rf "$CHROOT/src"
mkdir -p "$CHROOT/src"
tar cf - --exclude=./build --exclude=./.git . | tar xf - -C "$CHROOT/src"
if [ -n "${PAPI_SRC:-}" ]; then
	mkdir -p "$CHROOT/papi"
	tar cf - -C "$PAPI_SRC" --exclude=.git . | tar xf - -C "$CHROOT/papi"
fi
chroot "$CHROOT" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
	SUITE="$SUITE" ${SUITES+SUITES="$SUITES"} ${FULL:+FULL="$FULL"} \
	${PAPI_SRC:+PAPI_SRC=/papi} \
	/src/tests/deep/next_debian.sh --inside
