#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each metric that AMD's tools list for a generation is listed for a GPU of it by
# the same name, or the table of the generation says why not. AMD's names stand in
# events/tools/amdgpu/rocm-metrics.tsv.
. tests/papi/lib.sh

# missing GENERATION LISTED TABLE: names that are neither listed nor explained
missing()
{
	awk -F'\t' -v key="$1" '
		FILENAME == ARGV[1] {
			sub(/.*::metric\./, "", $1)
			sub(/:.*/, "", $1)
			listed[$1] = 1
			next
		}
		FILENAME == ARGV[2] {
			if (match($0, /[A-Za-z0-9_]+ is left out: /))
				listed[substr($0, RSTART, RLENGTH - 14)] = 1
			next
		}
		index(" " $2 " ", " " key " ") && !($1 in listed) { print $1 }
	' "$2" "$3" events/tools/amdgpu/rocm-metrics.tsv
}

for gpu in polaris10=gfx8 vega10=gfx9 vega20=gfx906 mi100=gfx908 mi200=gfx90a \
	mi300=gfx940 mi350=gfx950 navi10=gfx10.1 navi21=gfx10.3 navi31=gfx11 \
	strix=gfx11.5 navi48=gfx12; do
	key=${gpu#*=}
	"$sim" --gpu "${gpu%=*}" -- "$BUILD_DIR/bin/drmperf" list -a \
		> "$work/listed" 2> "$work/err"
	missing "$key" "$work/listed" "events/amdgpu/$key.xml" > "$work/names"
	if [ -s "$work/listed" ] && [ ! -s "$work/names" ]; then
		ok "$key: each of AMD's metrics is listed or explained"
	else
		not_ok "$key: each of AMD's metrics is listed or explained" \
			"$work/names"
	fi
done

# the check can fail
grep -v '::metric\.Wavefronts' "$work/listed" > "$work/fewer"
missing gfx12 "$work/fewer" events/amdgpu/gfx12.xml > "$work/names"
has "a name that is missing is found" "$work/names" '^Wavefronts$'
finish
