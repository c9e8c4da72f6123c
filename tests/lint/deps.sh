#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# make/deps.sh installs what is missing and only that, says so first, and asks
# apt nothing when nothing is missing. The commands it calls are stand-ins.
. tests/papi/lib.sh

mkdir "$work/bin"
# stub NAME BODY
stub()
{
	printf '#!/bin/bash\n%s\n' "$2" > "$work/bin/$1"
	chmod +x "$work/bin/$1"
}
stub apt-get 'echo "apt-get $*" >> $CALLS; exit ${APT_STATUS:-0}'
# shellcheck disable=SC2016
stub sudo 'echo "sudo $*" >> $CALLS; "$@"'
# shellcheck disable=SC2016
stub id 'echo $USER_ID'
# shellcheck disable=SC2016
stub dpkg-query 'p=${@: -1}
case " $MISSING " in *" $p "*) exit 1 ;; *) printf "installed " ;; esac'
export CALLS=$work/calls

# deps USER_ID MISSING SET...
deps()
{
	local user=$1 missing=$2
	shift 2
	: > "$CALLS"
	USER_ID=$user MISSING=$missing PATH=$work/bin:$PATH make/deps.sh "$@" \
		> "$work/out" 2>&1
	echo "status $?" >> "$work/out"
	cat "$CALLS" >> "$work/out"
}

deps 1000 "" build papi demo check
echo "status 0" | cmp -s - "$work/out" && ok "nothing missing, nothing done" ||
	not_ok "nothing missing, nothing done" "$work/out"
deps 0 "libexpat1-dev" build
has "what is missing is told and installed" "$work/out" \
	'^These packages are missing.*: libexpat1-dev$' \
	'^apt-get install -y --no-install-recommends libexpat1-dev$' '^status 0'
lacks "root needs no sudo" "$work/out" 'sudo'
deps 1000 "check valgrind" build check
has "others use sudo" "$work/out" \
	'^sudo apt-get install -y --no-install-recommends check valgrind$'
deps 1000 "check" build
lacks "what is not needed is not installed" "$work/out" 'apt-get'
APT_STATUS=1 deps 0 "check" check
has "package lists are refreshed when that fails" "$work/out" \
	'^apt-get update$' '^status 1'
deps 0 "" nosuchset
has "unknown sets are refused" "$work/out" "unknown set 'nosuchset'" 'status 2'
finish
