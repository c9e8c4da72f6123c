#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# dlclose() while the library counts takes nothing away: its threads run on, and
# a program that still has the address of a function can call it.
. tests/papi/lib.sh

cat > "$work/unload.c" << 'END'
#include <dlfcn.h>
#include <drmperf.h>
#include <stdio.h>
#include <string.h>
#define FUNCTION(name) __typeof__(drmperf_##name) *name = \
	(__typeof__(drmperf_##name) *)dlsym(library, "drmperf_" #name)
int main(int argc, char **argv)
{
	void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW) : NULL;
	struct drmperf_selection selection;
	struct drmperf_session *session;
	struct drmperf *drmperf;
	union drmperf_value value = { 0 };
	if (!library)
		return puts(dlerror()), 1;
	FUNCTION(create);
	FUNCTION(destroy);
	FUNCTION(event_find);
	FUNCTION(session_create);
	FUNCTION(session_start);
	FUNCTION(session_read);
	FUNCTION(session_stop);
	FUNCTION(session_destroy);
	if (create(NULL, &drmperf, NULL) ||
	    event_find(drmperf, argv[2], &selection, NULL) ||
	    session_create(drmperf, &selection, 1, NULL, &session, NULL) ||
	    session_start(session, NULL))
		return puts("cannot count"), 1;
	printf("dlclose: %d\n", dlclose(library));
	fflush(stdout);
	printf("read: %d\n", session_read(session, &value, NULL, NULL,
		NULL));
	printf("stop: %d\n", session_stop(session, NULL));
	session_destroy(session);
	destroy(drmperf);
	return puts(value.u64 ? "counted" : "zero") < 0;
}
END
if ! gcc -Wall -Ilib/include -o "$work/unload" "$work/unload.c" -ldl \
	> "$work/out" 2>&1; then
	not_ok "the program that unloads the library compiles" "$work/out"
	finish
fi
# unloads GPU EVENT
unloads()
{
	"$sim" --gpu "$1" -- "$work/unload" "$BUILD_DIR/lib/libdrmperf.so.0" \
		"$2" > "$work/out" 2>&1
	has "$1 counts on after dlclose()" "$work/out" '^dlclose: 0' \
		'^read: 0' '^stop: 0' '^counted'
}
unloads vega10 amdgpu::GRBM.COUNT
unloads tgl i915::oa.GpuTime

# ---------------------------------------------------------------- component
# The component's handle keeps a library that was not linked so.
cat > "$work/handle.c" << 'END'
#include <stdio.h>
#include "papi_drm_library.h"
int main(void)
{
	struct papi_drm_library library = { 0 };
	char reason[4096] = "";
	unsigned (*version)(void);
	if (papi_drm_library_open(&library, reason, sizeof(reason)))
		return puts(reason), 1;
	version = library.version;
	papi_drm_library_close(&library);
	return printf("version after the end: %u\n", version()) < 0;
}
END
gcc -o "$work/handle" -Icomponents/drm -Ilib/include "$work/handle.c" \
	components/drm/papi_drm_library.c -ldl > "$work/out" 2>&1 ||
	not_ok "the program that opens the library as PAPI does compiles" \
		"$work/out"
PAPI_DRM_LIB=$programs/fake/libdrmperf.so.0 "$work/handle" > "$work/out" 2>&1
has "the component's handle keeps the library" "$work/out" \
	'^version after the end: [0-9]'
readelf -dW "$programs/fake/libdrmperf.so.0" > "$work/elf"
lacks "the library of the handle is not linked with NODELETE" \
	"$work/elf" 'NODELETE'
finish
