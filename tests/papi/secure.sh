#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A program that has more rights than its caller loads no code its caller chose.
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
#include "papi_drm_library.h"
int main(void)
{
	struct papi_drm_library library = { 0 };
	char reason[4096] = "";
	int rc = papi_drm_library_open(&library, reason, sizeof(reason));
	printf("secure=%lu rc=%d %s\n", getauxval(AT_SECURE), rc, reason);
	return 0;
}
END
gcc -shared -fPIC -o "$work/bait/libdrmperf.so.0" "$work/bait.c" &&
	gcc -o "$work/opener" -Icomponents/drm -Ilib/include "$work/opener.c" \
		components/drm/papi_drm_library.c -ldl ||
	not_ok "programs of this test"
opener=$work/opener
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
has "PAPI_DRM_LIB is heard" "$work/out" '^bait taken' 'secure=0'
by_name
has "a library beside the program is found" "$work/out" '^bait taken' 'secure=0'

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
	skip "PAPI_DRM_LIB is not heard with more rights" "$reason"
	skip "argv[0] is not heard with more rights" "$reason"
	finish
fi
by_variable
if has "it runs with more rights" "$work/out" 'secure=1'; then
	lacks "PAPI_DRM_LIB is not heard with more rights" "$work/out" 'bait'
	by_name
	lacks "argv[0] is not heard with more rights" "$work/out" 'bait'
fi
finish
