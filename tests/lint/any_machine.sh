#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# No test depends on the speed, the processors or the load of a machine, on the
# kernel's settings, on a user or a terminal. Refused is what those had in common
# that did. Where it is right, the line or the one before says why, behind the
# words "any machine:".
. tests/papi/lib.sh

programs=$(find tests -name '*.[ch]' ! -path 'tests/bench/*' | sort)
scripts=$(find tests -name '*.sh' ! -path tests/lint/any_machine.sh | sort)

# found PATTERN ALLOWED FILE...: lines that have the pattern when what is allowed
# is taken away, but those that say why
found()
{
	local pattern=$1 allowed=$2
	shift 2
	pattern=$pattern allowed=$allowed awk '
		FNR == 1 { before = "" }
		{ line = $0 }
		ENVIRON["allowed"] { gsub(ENVIRON["allowed"], "", line) }
		line ~ ENVIRON["pattern"] && (before $0) !~ /any machine: / {
			print FILENAME ":" FNR ": " $0
		}
		{ before = $0 }' "$@"
}

# refuse NAME FILES EXAMPLE PATTERN [ALLOWED]: extended regular expressions for
# awk, and a line that must not be overlooked unless it says why
refuse()
{
	local name=$1 files=$2 example=$3 pattern=$4 allowed=${5:-}
	printf '%s\n' "$example" > "$work/bad"
	printf '%s\n' 'any machine: a reason' "$example" > "$work/good"
	if [ -z "$(found "$pattern" "$allowed" "$work/bad")" ] ||
		[ -n "$(found "$pattern" "$allowed" "$work/good")" ]; then
		not_ok "$name: cannot tell '$example'"
		return
	fi
	# shellcheck disable=SC2086
	found "$pattern" "$allowed" $files > "$work/out"
	if [ -s "$work/out" ]; then
		not_ok "$name" "$work/out"
	else
		ok "$name"
	fi
}

# ---------------------------------------------------------------- programs
w='(^|[^A-Za-z0-9_])' # where a word begins
refuse "no hope that something has happened after some time" "$programs" \
	'	usleep(20000);' "$w(u|nano|clock_nano)?sleep\\("
refuse "no signal that may come before it is waited for" "$programs" \
	'	ualarm(50000, 0);' "${w}u?alarm\\(|\\.it_value"
refuse "no loop that only takes time" "$programs" \
	'	for (volatile unsigned i = 0; i < rounds; i++)' \
	'volatile (unsigned|int|long|size_t|uint[0-9]+_t) [a-z]+( =|;)'
refuse "no number for what may have passed" "$programs" \
	'	ck_assert_uint_le(now_ns() - begin, 5 * MS);' \
	"_[lg][te]\\(.*(now|clock)(_[mun]s)?\\(.*\\) - [a-z]+, [0-9]"
refuse "no limit of time but that of all tests" "$programs" \
	'	tcase_set_timeout(tcase, 60);' 'tcase_set_timeout'
refuse "no processor that must be there" "$programs" \
	'	CPU_SET(0, &first);' '_SC_NPROCESSORS|get_nprocs|CPU_SET\('
refuse "no user who must run it" "$programs" \
	'	if (geteuid() != 0)' "${w}gete?[ug]id\\(\\) [!=]=|getlogin|getpw"
refuse "no setting of the kernel" "$programs" \
	'	fopen("/proc/sys/kernel/perf_event_paranoid", "re");' '/proc/sys/'
refuse "no terminal, and nothing that a user has set" "$programs" \
	'	home = getenv("HOME");' \
	'/dev/tty|isatty|ttyname|getenv\("(HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_[A-Z]+|XDG_[A-Z_]+)"'

# ---------------------------------------------------------------- scripts
refuse "no hope that something has happened after some seconds" "$scripts" \
	"\"\$@\" & sleep 0.5; kill -9 \$!" "${w}sleep [0-9]" \
	"(do |exec |-- |-c ')sleep [0-9.]+"
refuse "no loop of a script that only takes time" "$scripts" \
	'while [ $i -lt 20000 ]; do i=$((i+1)); done' 'while .* -l[te] [0-9][0-9][0-9][0-9]'
refuse "no limit of time but that of all scripts" "$scripts" \
	'timeout 60 "$sim"' "${w}timeout (-[^ ]+ )*[0-9]"
refuse "no clock" "$scripts" \
	'while [ $SECONDS -lt 30 ]; do' '[$][{]?(SECONDS|EPOCH)|date [+]%[sN]'
refuse "no processors that must be there for a script" "$scripts" \
	'jobs=$(nproc)' "${w}(nproc|taskset)|/proc/cpuinfo"
refuse "no user who must run a script" "$scripts" \
	'if [ "$(id -u)" = 0 ]' \
	'id -u|whoami|[$](E?UID|USER|LOGNAME|HOME|TERM|LANG)([^A-Z_]|$)'
refuse "no setting of the kernel for a script" "$scripts" \
	'echo 1 > /proc/sys/kernel/x' '[<>] */proc/sys/|cat .*/proc/sys/|sysctl -w'
refuse "no terminal that must be there" "$scripts" 'exec < /dev/tty' '/dev/tty'
refuse "no folder that could not be made" "$scripts" \
	'work=$(mktemp -d)' 'mktemp -d\)$'
finish
