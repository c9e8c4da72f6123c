#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build PAPI, unchanged but for the component drm linked into it.
#
#   build/papi/tree      PAPI's source tree
#   build/papi/bin       PAPI's utilities
#   build/papi/lib       libpapi, and libdrmperf beside it
#   build/papi/include   papi.h
#
# The source is the distribution's source package, or PAPI_SRC=/path, a tree of
# PAPI 7.0.0 or later. SANITIZERS, compiler flags, go to everything.
#
# With --source it only gets the source, in a few seconds; status 3: there is none
# to be had, as on a machine whose package sources have no sources.
#
# usage: make/papi.sh [--source] [BUILD]    BUILD: folder of libdrmperf
set -eu

only_source=
if [ "${1:-}" = --source ]; then
	only_source=yes
	shift
fi

top=$PWD
build=${1:-build}
papi=$top/$build/papi
tree=$papi/tree
log=$papi/log
mkdir -p "$papi"

say()
{
	printf '  %-7s %s\n' "$1" "$2"
}

fail()
{
	echo "$*" >&2
	exit 1
}

# no_source [LOG]
no_source()
{
	[ -z "$only_source" ] || exit 3
	[ $# = 0 ] || tail -n 20 "$1" >&2
	fail "Could not get PAPI's source package." \
		"PAPI_SRC=/path names a source tree instead."
}

# Run a command; its output is shown only when it fails.
quietly()
{
	if [ -n "${V:-}" ]; then
		"$@"
	elif ! "$@" > "$log" 2>&1; then
		tail -n 40 "$log" >&2
		fail "failed: $* (whole output in $log)"
	fi
}

fetch_debian()
{
	local apt package
	command -v apt-get > /dev/null || no_source
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	# apt fetches as a user of its own
	chmod 755 "$work"
	mkdir "$work/sources" "$work/lists" "$work/cache" "$work/papi"
	"$top/make/apt-sources.sh" /etc/apt "$work/sources"
	apt=(-o "Dir::Etc::SourceList=/dev/null"
		-o "Dir::Etc::SourceParts=$work/sources"
		-o "Dir::State::Lists=$work/lists"
		-o "Dir::Cache=$work/cache"
		-o "APT::Get::List-Cleanup=0")
	say FETCH "PAPI's source package, named by this machine's apt entries"
	# An entry that has no sources is no reason to fail; the next step tells.
	apt-get "${apt[@]}" -q update > "$log" 2>&1 || true
	(cd "$work/papi" && apt-get "${apt[@]}" -q source papi) \
		>> "$log" 2>&1 || no_source "$log"
	package=$(find "$work/papi" -mindepth 1 -maxdepth 1 -type d)
	[ -d "$package/src" ] || fail "Unexpected source package: $package"
	rm -rf "$tree"
	cp -r "$package" "$tree"
}

fetch_given()
{
	[ -f "$PAPI_SRC/src/papi.h" ] || fail \
		"PAPI_SRC=$PAPI_SRC is not a PAPI source tree: it has no src/papi.h"
	say COPY "$PAPI_SRC"
	rm -rf "$tree"
	mkdir -p "$tree"
	# what was built there is of no use here
	(cd "$PAPI_SRC" && tar cf - --exclude=.git --exclude='*.o' \
		--exclude='*.so*' --exclude='*.a' .) | (cd "$tree" && tar xf -)
}

# ---------------------------------------------------------------- the source
# Without PAPI_SRC the tree that is there is kept, wherever it is from.
origin=$(cat "$papi/origin" 2> /dev/null || true)
if [ ! -f "$tree/src/papi.h" ] || [ "${PAPI_SRC:-$origin}" != "$origin" ]; then
	rm -f "$papi/origin" "$papi/configured"
	if [ -n "${PAPI_SRC:-}" ]; then
		fetch_given
	else
		fetch_debian
	fi
	echo "${PAPI_SRC:-debian}" > "$papi/origin"
fi
[ -z "$only_source" ] || exit 0
# Links to each file rather than to the folder: what is built there stays there.
rm -rf "$tree/src/components/drm.new"
cp -rs "$top/components/drm" "$tree/src/components/drm.new"
mkdir -p "$tree/src/components/drm"
cp -rP "$tree/src/components/drm.new/." "$tree/src/components/drm/"
rm -rf "$tree/src/components/drm.new"

# ---------------------------------------------------------------- building
cd "$tree/src"
if [ ! -f "$papi/configured" ]; then
	say CONF "PAPI, in $build/papi/tree"
	options=(--with-components="drm sde" --with-perf-events
		--with-shared-lib=yes --with-static-lib=no
		--with-shlib-tools)
	# libpfm4 of the distribution, where there is one, saves building PAPI's
	for dir in "/usr/lib/$(gcc -print-multiarch)" /usr/lib64 /usr/lib; do
		[ -f /usr/include/perfmon/pfmlib.h ] || break
		[ -f "$dir/libpfm.so" ] || continue
		options+=(--with-pfm-incdir=/usr/include
			--with-pfm-libdir="$dir")
		break
	done
	quietly ./configure --prefix="$papi" "${options[@]}" \
		LDFLAGS="-Wl,-rpath,$papi/lib ${SANITIZERS:-}"
	# without a Fortran compiler there is nothing to clean in ftests, which
	# make calls an error
	make -k clean > "$log" 2>&1 || :
	touch "$papi/configured"
fi
variable()
{
	sed -n "s/^$1[[:space:]]*=[[:space:]]*//p" Makefile
}
version=$(variable PAPIVER).$(variable PAPIREV)
say MAKE "PAPI $version with the component drm"
unset MAKEFLAGS MAKELEVEL MFLAGS
quietly make -j"$(nproc)" ${SANITIZERS:+OPTFLAGS="-O1 $SANITIZERS"} \
	libpapi.so "libpapi.so.$version" libsde utils

# ---------------------------------------------------------------- the result
rm -rf "$papi/bin" "$papi/lib" "$papi/include"
mkdir "$papi/bin" "$papi/lib" "$papi/include"
find utils -maxdepth 1 -name 'papi_*' -type f -perm -100 \
	-exec cp {} "$papi/bin/" \;
cp -P libpapi.so* "$papi/lib/"
cp sde_lib/libsde.so.*.* "$papi/lib/"
for file in "$papi"/lib/libsde.so.*; do
	name=$(readelf -d "$file" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
	ln -sf "$(basename "$file")" "$papi/lib/$name"
	# as later PAPIs call it, and for who links with it
	[ "$name" = libsde.so ] || ln -sf "$name" "$papi/lib/libsde.so"
done
for header in papi.h papiStdEventDefs.h papi_components_config_event_defs.h; do
	[ ! -f $header ] || cp $header "$papi/include/"
done
# where the component and the library look for what they need
ln -s ../../lib/libdrmperf.so.0 "$papi/lib/libdrmperf.so.0"
ln -sfn ../share "$papi/share"
