#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Rules for sources that can be checked without running them.
. tests/papi/lib.sh

sources=$(find lib utils components examples tests -name '*.[ch]' | sort)
scripts=$(find make tests utils examples .ci -name '*.sh' -o -path .ci/run | sort)

# each NAME COMMAND...: the command prints complaints
each()
{
	local name=$1
	shift
	"$@" > "$work/out" 2>&1
	if [ -s "$work/out" ]; then
		not_ok "$name" "$work/out"
	else
		ok "$name"
	fi
}

# shellcheck disable=SC2086
each "each source has a licence line" \
	grep -L 'SPDX-License-Identifier: BSD-3-Clause' \
	$sources $scripts Makefile make/*.mk
# shellcheck disable=SC2086
each "lines end without blanks" grep -nE '[[:blank:]]$' $sources $scripts
# The column a tab leads to counts, so tabs become blanks first.
long_lines()
{
	# shellcheck disable=SC2086
	awk '{
		for (width = 0; i = index($0, "\t"); $0 = substr($0, i + 1))
			width += i + 7 - (width + i - 1) % 8
		width += length
	}
	width > 80 { print FILENAME ":" FNR ": " width " columns" }' $sources
}
each "lines have 80 columns at most" long_lines

# A header that moved takes its guard along; that of the public one is shorter.
guards()
{
	find lib -name '*.h' ! -path 'lib/include/*' -exec awk '
		FNR == 1 {
			guard = "DRMPERF_" toupper(FILENAME)
			gsub(/[\/.-]/, "_", guard)
			named = 0
		}
		$0 == "#ifndef " guard || $0 == "#define " guard {
			if (++named == 2)
				good[FILENAME] = 1
		}
		END {
			for (i = 1; i < ARGC; i++)
				if (!(ARGV[i] in good))
					print ARGV[i] ": it is not guarded by" \
						" its name"
		}' {} +
}
each "guards are named after their headers" guards

# A name of one word does not say what the function acts on: text_find(), not
# find(). main() is known to all, and so are names that are exported, or used in
# a test, in place of the C library's.
one_word_functions()
{
	find lib components utils examples tests -name '*.[ch]' -exec awk '
		FNR == 1 { type = "" }
		/^[a-z]+\(/ && type ~ /^[A-Za-z_]/ && type !~ /[;{()]/ &&
		type !~ /^([A-Z_]*EXPORT(ED)?|VISIBLE) / &&
		!/^(main|ioctl|nanosleep|reallocarray)\(/ {
			print FILENAME ":" FNR ": " $0
		}
		{
			type = $0
			gsub(/__attribute__\(\(([^()]|\([^()]*\))*\)\) ?/, "", type)
		}
	' {} +
}
each "functions have more than one word" one_word_functions

# A verb and a particle do not say so either: deliver_batch(), not hand_on().
# Predicates may, and terms such as round_up() and write_back().
particle_functions()
{
	find lib components utils examples -name '*.[ch]' -exec awk '
		/^[a-z]+_(in|out|on|off|over|back|up|go|apart|around|through|beside|anew)\(/ &&
		type ~ /^[A-Za-z_]/ && type !~ /[;{()]/ &&
		!/^([a-z]+s_|(round|align)_up|(write|read)_back)/ {
			print FILENAME ":" FNR ": " $0
		}
		{ type = $0 }
	' {} +
}
each "functions of a verb and a particle name an object" particle_functions

# shellcheck disable=SC2046
plain_comments()
{
	awk -f tests/lint/comments.awk \
		$(find lib components utils examples -name '*.[ch]' | sort)
	awk -f tests/lint/comments.awk $(find tests -name '*.[ch]' | sort)
}
each "comments are plain sentences" plain_comments

# What the map names: a line of a walk is a function and its file, a member of a
# struct of the drivers begins with a dot; elsewhere `x()`, `struct x`, `a/b`.
map_names()
{
	local name file function member

	sed -nE 's/^ {4,}(\.?[a-z_]+) +(\S+\/\S+)$/\1 \2/p' lib/README.md |
		while read -r name file; do
			member='\'$name' = '
			function="^(static inline [a-z ]+)?$name\\("
			[ "$name" = "${name#.}" ] || function=$member
			# shellcheck disable=SC2086
			grep -qsE "$function" lib/$file ||
				echo "lib/$file has no $name"
		done
	grep -oE '`[^`]+`' lib/README.md | tr -d '`' | while read -r name; do
		case $name in
		*'()') grep -rqE "^${name%??}\(|\(\*${name%??}\)\(" lib ;;
		struct\ *) grep -rqE "^$name \{" lib ;;
		*/*) [ -e "lib/$name" ] || [ -e "$name" ] ;;
		esac || echo "there is no $name"
	done
}
each "lib/README.md names what exists" map_names

# A program with more rights than its caller must not do what that one's
# environment says: secure_getenv() is the way to ask.
plain_getenv()
{
	local word='(^|[^a-z_])getenv *\('

	echo '	path = getenv("PATH");' | grep -qE "$word" ||
		echo "getenv would be overlooked"
	grep -rnE "$word" lib components utils examples --include='*.[ch]'
}
each "installed code calls no plain getenv()" plain_getenv

# headers_of FOLDER... : each is compiled by itself, all by one compiler
headers_of()
{
	# shellcheck disable=SC2046
	gcc -x c -std=gnu11 -D_GNU_SOURCE -fsyntax-only -Wall -Wextra \
		-Wno-unused-function -Wno-unused-variable -I. $roots \
		$(pkg-config --cflags libdrm) $(find "$@" -name '*.h') 2>&1 |
		grep error:
}
headers()
{
	roots="-Ilib/include -Ilib" headers_of lib examples
	roots=-Iutils/drmsim headers_of utils/drmsim
}
each "headers can be included alone" headers

echo '#include "drmperf.h"
int main(void) { return drmperf_version() == 0; }' |
	each "drmperf.h compiles as C++" g++ -x c++ -Wall -Wextra -Werror \
	-fsyntax-only -Ilib/include -
finish
