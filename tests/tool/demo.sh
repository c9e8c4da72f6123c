#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Without PAPI's source package make demo asks for it before anything is built,
# and shows the part that needs none. The commands it calls are stand-ins.
. tests/papi/lib.sh

mkdir "$work/bin"
# stub NAME BODY
stub()
{
	printf '#!/bin/bash\n%s\n' "$2" > "$work/bin/$1"
	chmod +x "$work/bin/$1"
}
stub dpkg-query 'printf "installed "'
# shellcheck disable=SC2016
stub apt-get 'echo "apt-get ${@: -1}" >> $CALLS
case " $* " in *" source "*) [ -z "${NO_SOURCE:-}" ] && mkdir -p papi-7.0.0/src &&
	touch papi-7.0.0/src/papi.h ;; esac'
# shellcheck disable=SC2016
stub built 'echo "make ${@: -1}" >> $CALLS'
export CALLS=$work/calls

# demo NAME [VARIABLE=VALUE]...: what make demo calls
demo()
{
	: > "$CALLS"
	PATH=$work/bin:$PATH env "${@:2}" make --no-print-directory demo \
		MAKE="$work/bin/built" \
		BUILD="$(realpath --relative-to=. "$work/$1")" \
		${SOURCE:+PAPI_SRC="$SOURCE"} > "$work/out" 2>&1
	echo "status $?" >> "$work/out"
	cat "$CALLS" >> "$work/out"
}

demo there
has "with PAPI's source all of the demo is built" "$work/out" '^status 0$' \
	'^apt-get papi$' '^make demo-run$'
demo absent NO_SOURCE=1
has "without PAPI's source the rest of the demo is built" "$work/out" \
	'^status 0$' '^apt-get papi$' '^make demo-run-without-papi$'
lacks "a source that cannot be had is no error" "$work/out" 'Could not|rror'
mkdir "$work/empty"
SOURCE=$work/empty
demo wrong
unset SOURCE
has "PAPI_SRC= that names no PAPI is an error" "$work/out" \
	'is not a PAPI source tree' '^status [1-9]'
lacks "nothing is built for a wrong PAPI_SRC=" "$work/out" '^make '

# ---------------------------------------------------------------- what it shows
# in a folder of its own: others run the demo, too, which leaves files there
mkdir "$work/build"
ln -s "$BUILD_DIR"/{bin,lib,share} "$work/build"

# shown NAME [PATH]
shown()
{
	PATH=${2:-$PATH} timeout $hang examples/demo.sh --simulated \
		--without-papi "$work/build" > "$work/out" 2>&1
	echo "status $?" >> "$work/out"
	has "$1: the demo ends well and says what is missing" "$work/out" \
		'^Left out: .*PAPI_SRC=' '^status 0$' 'That was all'
	has "$1: the demo shows drmperf" \
		"$work/out" 'of peak\)' '^Open .*demo.html'
}

if papi_component_avail 2> /dev/null | grep -q '^Name: *sde '; then
	shown "with the distribution's PAPI"
	has "the distribution's PAPI counts the simulated GPU" "$work/out" \
		'^sde:::amdgpu::SQ.WAVES : ' \
		'^sde:::amdgpu::GRBM.COUNT : [[:space:]]*[1-9]'
else
	skip "the distribution's PAPI counts the simulated GPU" \
		"it is not installed, or has no sde"
fi
stub papi_component_avail 'exit 1'
shown "without any PAPI" "$work/bin:$PATH"
has "the demo says that there is no PAPI at all" \
	"$work/out" '^Nor is there a PAPI'
finish
