#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What can be seen of a source without running it.
. tests/papi/lib.sh

sources=$(find lib utils components tests -name '*.[ch]' | sort)
scripts=$(find make tests utils .ci -name '*.sh' -o -path .ci/run | sort)

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
each "licence line" grep -L 'SPDX-License-Identifier: BSD-3-Clause' \
	$sources $scripts Makefile make/*.mk
# shellcheck disable=SC2086
each "no blanks at line ends" grep -nE '[[:blank:]]$' $sources $scripts
# The column a tab leads to counts, so tabs become blanks first.
long_lines()
{
	local file
	for file in $sources; do
		expand "$file" | awk -v f="$file" \
			'length > 80 {print f ":" NR ": " length " columns"}'
	done
}
each "80 columns" long_lines

# A header that moved takes its guard along; that of the public one is shorter.
guards()
{
	local header guard
	for header in $(find lib -name '*.h' ! -path 'lib/include/*'); do
		guard=$(echo "DRMPERF_$header" | tr 'a-z/.-' 'A-Z___')
		[ "$(grep -cxE "#(ifndef|define) $guard" "$header")" = 2 ] ||
			echo "$header: its guard is not $guard"
	done
}
each "guards are named after their headers" guards

# A program with more rights than its caller must not do what that one's
# environment says: secure_getenv() is the way to ask.
plain_getenv()
{
	local word='(^|[^a-z_])getenv *\('

	echo '	path = getenv("PATH");' | grep -qE "$word" ||
		echo "getenv would be overlooked"
	grep -rnE "$word" lib components utils --include='*.[ch]'
}
each "no plain getenv in what is installed" plain_getenv

headers()
{
	local header roots
	for header in $(find lib utils/drmsim utils/examples -name '*.h'); do
		roots="-Ilib/include -Ilib"
		[[ $header != utils/drmsim/* ]] || roots=-Iutils/drmsim
		# shellcheck disable=SC2086
		echo "#include \"$header\"" |
			gcc -x c -std=gnu11 -D_GNU_SOURCE -fsyntax-only -Wall \
			-Wextra -Wno-unused-function -Wno-unused-variable -I. \
			$roots \
			$(pkg-config --cflags libdrm) - 2>&1 | grep -m1 error:
	done
}
each "headers can be included alone" headers

echo '#include "drmperf.h"
int main(void) { return drmperf_version() == 0; }' |
	each "drmperf.h is C++, too" g++ -x c++ -Wall -Wextra -Werror \
	-fsyntax-only -Ilib/include -
finish
