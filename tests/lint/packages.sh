#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Debian's packages agree with the tree: every file of `make install` is in one
# of them, and what they say of versions, symbols and licences is true. Then
# they are built, examined and tried.
. tests/papi/lib.sh

# ---------------------------------------------------------------- files
# As the packages install: libraries in a folder named by the architecture. The
# prefix is that of the build, since another one means to build anew.
prefix=${PREFIX:-/usr/local}
make --no-print-directory install DESTDIR="$work/staged" PREFIX="$prefix" \
	LIBDIR="$prefix/lib/arch" > "$work/out" 2>&1 ||
	not_ok "make install exits with 0" "$work/out"
root=$work/root
mkdir "$root"
mv "$work/staged$prefix" "$root/usr"
(cd "$root" && find . -type f -o -type l | sed 's|^\./||' | sort) \
	> "$work/installed"

# packaged FILE...: what the lists name of it, one line for each list
packaged()
{
	local list pattern place found
	for list in debian/*.install; do
		while read -r pattern place; do
			[ -z "$place" ] || continue
			# shellcheck disable=SC2254 # a pattern is meant
			while read -r found; do
				case $found in
				$pattern | $pattern/*) echo "$found" ;;
				esac
			done < "$work/installed"
		done < "$list"
	done
}
packaged | sort > "$work/packaged"
if diff "$work/installed" "$work/packaged" > "$work/diff"; then
	ok "each installed file is in one package"
else
	not_ok "each installed file is in one package" "$work/diff"
fi
for list in debian/*.install; do
	package=$(basename "$list" .install)
	grep -q "^Package: $package\$" debian/control ||
		not_ok "$package is in debian/control"
	while read -r pattern place; do
		if [ -n "$place" ]; then
			[ -e "$pattern" ] || not_ok "$pattern is in the tree"
		else
			# shellcheck disable=SC2086 # a pattern is meant
			(cd "$root" && ls -d $pattern) > "$work/out" 2>&1 ||
				not_ok "$package: $pattern is installed" \
					"$work/out"
		fi
	done < "$list"
done

# ---------------------------------------------------------------- words
version=$(sed -n 's/^Version: //p' "$root/usr/lib/arch/pkgconfig/drmperf.pc")
sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog > "$work/version"
has "the version is that of drmperf.h" "$work/version" "^$version(\.|\$)"
soname=$(cd "$root/usr/lib/arch" && ls libdrmperf.so.*)
has "the package has the name of the library" debian/control \
	"^Package: libdrmperf${soname#libdrmperf.so.}\$"
# symbols_are NAME SONAME VERSION [DEV]: standard input has the names
symbols_are()
{
	local name=$1 package
	package=$(echo "$2" | sed 's/\([0-9]\)\.so\./\1-/; s/\.so\.//')
	{
		echo "$2 $package #MINVER#"
		echo "* Build-Depends-Package: ${4:-libdrmperf-dev}"
		sed "s/.*/ &@$3/"
	} > "$work/symbols"
	sed "s/\(@$3\) [0-9.~+-]*\$/\1/" "debian/$package.symbols" \
		> "$work/told"
	clean "$name" diff "$work/symbols" "$work/told"
}
{
	echo DRMPERF_0
	cat tests/symbols.txt
} | symbols_are "the symbols are those of tests/symbols.txt" "$soname" DRMPERF_0
grep -ohE '\bkd[A-Z][A-Za-z]+\(' components/kd/include/KD/*.h | tr -d '(' |
	sort -u |
	symbols_are "the symbols are those of KD's headers" libdrmperf-kd.so.0 Base
{
	grep -ohE '\brocprofiler_[a-z_]+\(' \
		components/rocprofiler/include/rocprofiler/*.h | tr -d '('
	printf '%s\n' OnLoad OnUnload HSA_AMD_TOOL_PRIORITY
} | sort -u | symbols_are "the symbols are those of rocprofiler.h" \
	librocprofiler64.so.1 Base librocprofiler64-dev
# every licence that a file names is told
git grep -hoE 'SPDX-License-Identifier: [A-Za-z0-9.+-]+' 2> /dev/null |
	sed 's/.*: //' | sort -u > "$work/licences"
[ -s "$work/licences" ] || echo BSD-3-Clause > "$work/licences"
while read -r licence; do
	has "debian/copyright has $licence" debian/copyright \
		"^License: $licence\$"
done < "$work/licences"
sed -n '/^Redistribution/,$p' LICENSE | tr -s '[:space:]' '\n' > "$work/words"
sed -n '/^License: BSD-3-Clause$/,$p' debian/copyright |
	sed -n '/^ Redistribution/,$p' | sed 's/^ \.$//' |
	tr -s '[:space:]' '\n' | sed '/^$/d' > "$work/told"
if diff <(sed '/^$/d' "$work/words") "$work/told" > "$work/diff"; then
	ok "debian/copyright has the words of LICENSE"
else
	not_ok "debian/copyright has the words of LICENSE" "$work/diff"
fi
if command -v python3 > "$work/which"; then
	clean "the recipe for Spack is Python" python3 -c \
		'import ast; ast.parse(open("doc/packaging/package.py").read())'
else
	skip "the recipe for Spack is Python" "there is no python3"
fi
sh -n debian/tests/smoke && ok "the smoke test is a script" ||
	not_ok "the smoke test is a script"

# ---------------------------------------------------------------- builds
# Some minutes: all is compiled for them.
for tool in dpkg-buildpackage dh; do
	if ! command -v $tool > "$work/which"; then
		skip "the packages are built" "there is no $tool"
		finish
	fi
done
if ! git ls-files > "$work/files" 2> "$work/out"; then
	skip "the packages are built" "this is no git clone"
	finish
fi
mkdir -p "$work/deb/drmperf"
tar -cf - -T "$work/files" | tar -xf - -C "$work/deb/drmperf"
if (cd "$work/deb/drmperf" && unset MAKEFLAGS CFLAGS LDFLAGS PREFIX LIBDIR &&
	dpkg-buildpackage -us -uc -b) > "$work/out" 2>&1; then
	ok "the packages are built"
else
	not_ok "the packages are built" "$work/out"
	finish
fi
if command -v lintian > "$work/which"; then
	# as root it wants to be told that this is meant
	lintian --allow-root --fail-on error "$work"/deb/*.changes \
		> "$work/out" 2>&1 && ok "lintian finds no error" ||
		not_ok "lintian finds no error" "$work/out"
else
	skip "lintian finds no error" "there is no lintian"
fi
mkdir "$work/unpacked"
for package in "$work"/deb/*.deb; do
	case $package in
	*-dbgsym_*) ;;
	*) dpkg-deb -x "$package" "$work/unpacked" ;;
	esac
done
# Programs and library look for what they need beside themselves, in
# ../share/drmperf: the folder of the architecture is in the way.
unpacked=$work/unpacked
ln -s ../share "$unpacked/usr/lib/share"
libraries=$(dirname "$unpacked"/usr/lib/*/libdrmperf.so.0)
if (cd "$work" && export PATH="$unpacked/usr/bin:$PATH" \
	SMOKE_ROOT="$unpacked" LD_LIBRARY_PATH="$libraries" \
	PKG_CONFIG_PATH="$libraries/pkgconfig" \
	PKG_CONFIG_SYSROOT_DIR="$unpacked" PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
	PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 &&
	sh "$work/deb/drmperf/debian/tests/smoke") > "$work/out" 2>&1; then
	ok "the unpacked packages pass the smoke test"
else
	not_ok "the unpacked packages pass the smoke test" "$work/out"
fi
finish
