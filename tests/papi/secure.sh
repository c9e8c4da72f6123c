#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A program with more rights than its caller loads no code that its caller
# chose, and no program loads what lies in the current folder.
. tests/papi/lib.sh

# ---------------------------------------------------------------- programs
mkdir "$work/bait"
cat > "$work/bait.c" << 'END'
#include <unistd.h>
static void __attribute__((constructor))
loaded(void)
{
	write(1, "bait taken\n", 11);
}
END
# the part of the component that opens the library, which knows no PAPI
cat > "$work/opener.c" << 'END'
#include <stdio.h>
#include <sys/auxv.h>
#include <unistd.h>
#include "papi_drm_library.h"
int main(int argc, char **argv)
{
	struct papi_drm_library library = { 0 };
	char reason[4096] = "";
	int rc = argc > 1 ? chdir(argv[1]) : 0;
	rc = rc ? rc : papi_drm_library_open(&library, reason, sizeof(reason));
	printf("secure=%lu rc=%d %s\n", getauxval(AT_SECURE), rc, reason);
	return 0;
}
END
gcc -shared -fPIC -o "$work/bait/libdrmperf.so.0" "$work/bait.c" &&
	gcc -o "$work/opener" -Icomponents/drm -Ilib/include "$work/opener.c" \
		components/drm/papi_drm_library.c -ldl ||
	not_ok "the programs of this test compile"
opener=$work/opener
# the same with that part in a library, as libpapi.so has it
cat > "$work/caller.c" << 'END'
int opener_main(int argc, char **argv);
int main(int argc, char **argv)
{
	return opener_main(argc, argv);
}
END
mkdir "$work/lib" && gcc -shared -fPIC -Dmain=opener_main -Wl,-soname,libopener.so \
	-o "$work/lib/libopener.so" \
	-Icomponents/drm -Ilib/include "$work/opener.c" \
	components/drm/papi_drm_library.c -ldl &&
	gcc -o "$work/caller" "$work/caller.c" -L"$work/lib" -lopener \
		-Wl,-rpath,lib ||
	not_ok "the programs of this test compile"
# what the caller says: a file, or a folder as that of the program
by_variable()
{
	PAPI_DRM_LIB=$work/bait/libdrmperf.so.0 "$opener" > "$work/out" 2>&1
}
by_name()
{
	(exec -a "$work/bait/opener" "$opener") > "$work/out" 2>&1
}

# ---------------------------------------------------------------- as anybody
by_variable
has "PAPI_DRM_LIB names the library" "$work/out" '^bait taken' 'secure=0'
by_name
lacks "a library in the folder of argv[0] is not loaded" "$work/out" 'bait'
has "a library is looked for next to the program" "$work/out" \
	"secure=0 .*$work/libdrmperf"
# Started by a relative path, and gone elsewhere since: what lies there is no
# library of the program's, be libpapi inside it or found by a relative path.
(cd "$work" && ./opener "$work/bait") > "$work/out" 2>&1
lacks "a library of the current folder is not loaded" "$work/out" 'bait taken'
cp "$work/bait/libdrmperf.so.0" "$work/"
(cd "$work" && ./opener /) > "$work/out" 2>&1
has "a library next to the program is found from another folder" "$work/out" \
	'^bait taken' 'secure=0'
rm "$work/libdrmperf.so.0"
mkdir "$work/bait/lib" && cp "$work/bait/libdrmperf.so.0" "$work/bait/lib/"
(cd "$work" && ./caller "$work/bait") > "$work/out" 2>&1
lacks "a library of a relative folder is not loaded after chdir()" \
	"$work/out" 'bait taken'
has "the program says that it found no library" "$work/out" 'not found'
cp "$work/bait/libdrmperf.so.0" "$work/lib/"
(cd "$work/bait" && LD_PRELOAD=$work/lib/libopener.so "$work/caller" /) \
	> "$work/out" 2>&1
has "a library next to libpapi is found" "$work/out" '^bait taken'
rm "$work/lib/libdrmperf.so.0"

# ---------------------------------------------------------------- with more
# Set-group-id: who has a second group can make such a file, and root can.
# arm: gives the program another group's rights
arm()
{
	local group

	for group in $(id -G) 65534; do
		chgrp "$group" "$opener" 2> "$work/err" &&
			chmod g+s "$opener" && "$opener" |
			grep -q 'secure=1' && return
	done
	return 1
}
if ! arm; then
	reason="no set-group-id program can be made here (no second group, or \
nosuid)"
	skip "PAPI_DRM_LIB is ignored in a program with more rights" "$reason"
	skip "argv[0] is ignored in a program with more rights" "$reason"
	finish
fi
by_variable
if has "the set-group-id program runs with more rights" \
	"$work/out" 'secure=1'; then
	lacks "PAPI_DRM_LIB is ignored in a program with more rights" \
		"$work/out" 'bait'
	by_name
	lacks "argv[0] is ignored in a program with more rights" \
		"$work/out" 'bait'
fi
finish
