#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Manual pages are well formed, and true to the programs and the library.
. tests/papi/lib.sh

if command -v mandoc > /dev/null; then
	for page in doc/*.[1-8]; do
		if mandoc -T lint -W warning "$page" > "$work/out" 2>&1; then
			ok "$page is well formed"
		else
			not_ok "$page is well formed" "$work/out"
		fi
	done
else
	skip "manual pages are well formed" "there is no mandoc"
fi

# same NAME FILE FILE: two lists
same()
{
	if diff "$2" "$3" > "$work/diff"; then
		ok "$1"
	else
		not_ok "$1" "$work/diff"
	fi
}

# Options as a page marks them, without the hyphens.
page_options()
{
	grep -E '^\.It Fl ' "$1" | grep -oE 'Fl [^.]*' | tr ' ,|' '\n\n\n' |
		sed -n 's/^-\([a-z].*\)/\1/p' | sort -u
}

# Long options as help texts tell them.
help_options()
{
	grep -oE -- '--[a-z]+(-[a-z]+)*' | sed 's/^--//' | sort -u
}

# help_rows COMMAND: a line "COMMAND LETTER LONG" for each of its options
help_rows()
{
	"$drmperf" "$1" --help | sed -nE "s/^  (-(.), |    )--([a-z-]+).*/$1 \2 \3/p"
}

drmperf=$BUILD_DIR/bin/drmperf
for command in $("$drmperf" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'); do
	help_rows "$command"
done > "$work/rows"
awk '{ print $1, $NF }' "$work/rows" | sort > "$work/told"
awk 'FNR == NR { if (NF == 3) long[$1, $2] = $3; next }
	/^\.S[sh] / { command = $2 }
	/^\.It Fl / {
		sub(/ (Ar|Ns|Op) .*/, "")
		for (i = 3; i <= NF; i++)
			if ($i ~ /^-/)
				print command, substr($i, 2)
			else if ($i != ",")
				print command, long[command, $i]
	}' "$work/rows" doc/drmperf.1 | sort -u > "$work/marked"
same "drmperf(1) has the options of each command's --help" \
	"$work/told" "$work/marked"
# letters stand together there: Fl agj
awk 'FNR == NR { if (NF == 3) long[$1, $2] = $3; next }
	/^\.Sh / { synopsis = $2 == "SYNOPSIS" }
	!synopsis { next }
	$1 == ".Cm" { command = $2 }
	{
		for (i = 1; i <= NF; i++)
			if ($i ~ /^\.?[A-Z][a-z]/)
				flags = $i ~ /Fl$/
			else if (flags && $i ~ /^-./)
				print command, substr($i, 2)
			else if (flags && $i !~ /[|-]/)
				for (j = 1; j <= length($i); j++)
					print command, long[command, substr($i, j, 1)]
	}' "$work/rows" doc/drmperf.1 | sort -u > "$work/marked"
same "the synopsis of drmperf(1) has the options of each command's --help" \
	"$work/told" "$work/marked"
"$drmperf" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' | sort > "$work/told"
sed -n 's/^\.Ss \([a-z]*\)$/\1/p' doc/drmperf.1 | sort > "$work/marked"
same "drmperf(1) has the commands of --help" "$work/told" "$work/marked"

"$sim" --help | help_options > "$work/told"
page_options doc/drmsim.1 > "$work/marked"
same "drmsim(1) has the options of --help" "$work/told" "$work/marked"
# words of the help at the beginning of a line, or behind "ctl takes:"
"$sim" --help | sed -n '/^Options of every/,/^Faults/s/^  \([a-z][a-z0-9-]*\)[ =].*/\1/p' |
	grep -v '^and$' > "$work/words"
"$sim" --help | sed -n '/ctl. takes:/,$p' | tr '\n' ' ' |
	sed 's/.*takes: //; s/ [A-Z]*\([;.]\)/\1/g' | tr -d '.' | tr ';' '\n' |
	awk '{print $1}' >> "$work/words"
while read -r word; do
	grep -qE "^\.(It |Cm ).*(Cm |, )$word( |$|,)|^\.Cm $word" doc/drmsim.1 ||
		echo "$word"
done < "$work/words" > "$work/missing"
if [ -s "$work/missing" ] || [ "$(wc -l < "$work/words")" -lt 20 ]; then
	not_ok "drmsim(1) has the words of --help" "$work/missing"
else
	ok "drmsim(1) has the words of --help"
fi

# ---------------------------------------------------------------- library
sed -n 's/^\.Fn \(drmperf_[a-z0-9_]*\).*/\1/p' doc/drmperf.3 | sort -u \
	> "$work/marked"
same "drmperf(3) has the library's functions" tests/symbols.txt "$work/marked"
grep -rhoE 'getenv\("[A-Z_]+"\)' lib | grep -oE '[A-Z_]{2,}' | sort -u \
	> "$work/told"
sed -n 's/^\.It Ev \([A-Z_]*\).*/\1/p' doc/drmperf.3 | sort -u > "$work/marked"
same "drmperf(3) has the library's environment" "$work/told" "$work/marked"
for variable in $(cat "$work/told"); do
	grep -q "^\.It Ev $variable" doc/drmperf.1 || echo "$variable"
done > "$work/missing"
same "drmperf(1) has the library's environment" /dev/null "$work/missing"
sed -n 's/.*\(Returns\|return\|[;,]\) *.*/&/; s/^ \* .*/&/p' \
	lib/include/drmperf.h | grep -oE -- '-E[A-Z0-9]+' | tr -d '-' |
	grep -vxE 'EINVAL|ENOMEM|ERANGE|EALREADY' | sort -u > "$work/told"
sed -n 's/^\.It Er \(.*\)/\1/p' doc/drmperf.3 | sort -u > "$work/marked"
same "drmperf(3) has the header's errors" "$work/told" "$work/marked"

# ---------------------------------------------------------------- example
sed -n '/^\.\\" example/,/^\.\\" end/p' doc/drmperf.3 | grep -v '^\.' |
	sed 's/\\e/\\/g; s/\\&//g' > "$work/example.c"
if gcc -Wall -Wextra -Werror -std=c11 -o "$work/example" "$work/example.c" \
	-Ilib/include -L"$BUILD_DIR/lib" -ldrmperf \
	-Wl,-rpath,"$BUILD_DIR/lib" > "$work/out" 2>&1; then
	ok "the example of drmperf(3) compiles"
else
	not_ok "the example of drmperf(3) compiles" "$work/out"
fi
"$sim" --strict --gpu vega10 -- "$work/example" > "$work/out" 2>&1
has "the example of drmperf(3) counts" "$work/out" '^[1-9][0-9]* cycles$'
"$sim" --strict --gpu vega10 -- "$work/example" \
	amdgpu::metric.L2CacheHit > "$work/out" 2>&1
has "the example of drmperf(3) counts a metric" "$work/out" '^[0-9.]+ percent$'
"$sim" --gpu vega10 -- "$work/example" SQ.WAVSE > "$work/out" 2>&1
has "the example of drmperf(3) reports an unknown event" "$work/out" 'SQ.WAVES'
finish
