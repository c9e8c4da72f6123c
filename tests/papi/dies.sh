#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs of PAPI's count all dies of a GPU of which other processes launch work
# as HIP does: two ranks, and serve, on one GPU at once.
. tests/papi/lib.sh

export work waves=drm:::amdgpu::SQ.WAVES count=$BUILD_DIR/examples/count_command
# what drmperf-kfd was started with, of a program into which a tool is preloaded
export look='for pid in $(pgrep -x drmperf-kfd); do
	tr "\0" "\n" < /proc/$pid/environ > "$work/one"
	! grep -qx "work=$work" "$work/one" || mv "$work/one" "$work/variables"
done'
"$sim" --gpu mi300 -- bash -c '
	LD_PRELOAD="$LD_PRELOAD libm.so.6" exec "$count" $waves -- sh -c "$look"' \
	> "$work/out" 2>&1
has "the process that counts all dies is in the simulation" \
	"$work/variables" '^LD_PRELOAD=.*libdrmsim-preload'
lacks "the process that counts all dies has no tool of the program's" \
	"$work/variables" 'libm[.]so'

if ! command -v python3 > /dev/null; then
	skip "two ranks count all dies next to serve" "there is no python3"
	finish
fi
export tool=$BUILD_DIR/bin/drmperf
# a rank launches 391 groups of 4 waves, thrice
cat > "$work/ranks" << 'END'
#!/bin/bash
rank="$count $waves -- python3 tests/tool/program_of_queue.py 391 3"
"$tool" serve --textfile "$work/served" -I 50 -e SQ.WAVES &
server=$!
until [ -e "$work/served" ]; do sleep 0.02; done
"$count" $waves $waves:die=7 -- \
	sh -c "$rank > '$work/rank0' & $rank > '$work/rank1'; wait" \
	> "$work/both" 2> "$work/err"
until grep -q ' 9384$' "$work/served"; do sleep 0.02; done
kill $server
wait $server
END
"$sim" --strict --report "$work/report" --gpu mi300 -- bash "$work/ranks" \
	> "$work/out" 2>&1
has "the work of both ranks is counted on all dies, and on each, next to serve" \
	"$work/both" 'SQ.WAVES +9384 waves' 'SQ.WAVES:die=7 +1[0-9]{3} waves'
for rank in 0 1; do
	awk '$1 ~ /SQ.WAVES$/ && $2 >= 4692 && $2 <= 9384 {print "whole"}' \
		"$work/rank$rank" > "$work/values"
	has "rank $rank counts its own work on all dies" "$work/values" whole
done
has "the GPU is left as it was by two ranks and serve" "$work/report" \
	'grbm_gfx_index=0xe0000000 counters=stopped clock_bit=0'
lacks "two ranks and serve break no rule of the kernel's" "$work/report" \
	'^violation'
finish
