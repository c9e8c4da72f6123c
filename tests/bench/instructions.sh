#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Costs as numbers of instructions, which are the same each time. They are held
# to what they were when they were last improved, as gcc 12 makes them: another
# compiler's may differ by some percent.
. tests/bench/lib.sh

if ! command -v valgrind > "$work/which"; then
	skip instructions "valgrind is not installed"
	finish
fi
slack=1.05
vega="$sim --gpu vega10 --"

# counted FUNCTION COMMAND...: instructions of all that the function calls, but
# for those of the simulator in the process
counted()
{
	local function=$1
	shift
	if ! $machine valgrind --tool=callgrind --toggle-collect="$function" \
		--callgrind-out-file="$work/counted" --compress-strings=no \
		--compress-pos=no "$@" > "$work/out" 2>&1; then
		cat "$work/out" >&2
		return 1
	fi
	# behind a line of a call stands what the callee cost
	awk '/^ob=/ { simulated = /drmsim|umockdev/ }
		/^calls=/ { getline; next }
		/^[0-9]/ && !simulated { sum += $2 }
		END { printf "%.0f\n", sum }' "$work/counted"
}

# compare WHAT LIMIT FUNCTION COMMAND...
compare()
{
	local what=$1 limit=$2 count
	shift 2
	if count=$(counted "$@") && [ "$count" -gt 0 ]; then
		row "$what" "$count" instr. before "$limit" "$slack"
	elif ! grep '^skip ' "$work/out"; then
		echo "$what: not counted"
		failed=1
	fi
}

# shares FILE: of what was counted, that of drmperf (the component, by its files,
# lies within libpapi), of PAPI, and of what lies below: libdrm and the C library
shares()
{
	awk '/^ob=/ { object = $0 }
		/^fl=/ { file = $0 }
		/^fn=/ { ours = object ~ /libdrmperf/ ||
			(object ~ /libpapi/ && file ~ /\/papi_drm[^\/]*$/) }
		/^calls=/ { getline; next }
		!/^[0-9]/ || object ~ /drmsim|umockdev/ { next }
		ours { drmperf += $2; next }
		object ~ /libpapi/ { papi += $2; next }
		object !~ /\/cost$/ { below += $2 }
		END { printf "%.0f %.0f %.0f\n", drmperf, papi, below }' "$1"
}

# reads WHAT COUNTERS LIMIT EVENT...: PAPI_read, and whose instructions it takes
reads()
{
	local what=$1 counters=$2 limit=$3 drmperf papi below
	shift 3
	rm -f "$work/counted"
	compare "PAPI_read of $what" "$limit" \
		read_once "$programs/cost" once "$@"
	[ -e "$work/counted" ] || return
	read -r drmperf papi below < <(shares "$work/counted")
	row "    of these drmperf" "$drmperf" instr. \
		"400, 20 a counter" $((400 + 20 * counters)) 1
	row "    of these PAPI" "$papi" instr.
	row "    of these libdrm and the C library" "$below" instr.
}

# ---------------------------------------------------------------- reading
machine=$vega
one=drm:::amdgpu::GRBM.COUNT
four=("$one" drm:::amdgpu::SQ.{WAVES,ITEMS,INSTS_VALU})
eight=("${four[@]}" drm:::amdgpu::TCC.{REQ,HIT,MISS,READ})
reads "1 event, 1 counter" 1 973 "$one"
reads "4 events, 13 counters" 13 1376 "${four[@]}"
reads "8 events, 77 counters" 77 2440 "${eight[@]}"
compare "PAPI_start of 1 event, 1 counter" 53331 \
	start_once "$programs/cost" once "$one"
compare "PAPI_start of 8 events, 77 counters" 191382 \
	start_once "$programs/cost" once "${eight[@]}"
compare "PAPI_stop of 1 event, 1 counter" 5759 \
	stop_once "$programs/cost" once "$one"
compare "PAPI_stop of 8 events, 77 counters" 8151 \
	stop_once "$programs/cost" once "${eight[@]}"

# what the component does with events that are added one after another
compare "48 events added one by one, without finding them" 458040 \
	papi_drm_set_update "$programs/cost" once \
	drm:::amdgpu::TCC.{REQ,HIT,MISS}:instance={0..15}

# what the dynamic linker does for each program that counts
compare "libdrmperf loaded" 571655 \
	papi_drm_library_open "$programs/cost" once "$one"

# of several GPUs, whose samples are submitted before any is waited for
machine="$sim --gpu vega10 --gpu vega10 --gpu vega10 --gpu vega10 --"
compare "PAPI_read of 4 events, of a GPU each" 3781 \
	read_once "$programs/cost" once "$one":device={0,1,2,3}

# of Intel GPUs
machine="$sim --gpu sklgt2 --"
compare "PAPI_read of 1 event, sklgt2" 1120 \
	read_once "$programs/cost" once drm:::i915::RenderBasic.GpuBusy
compare "PAPI_start of 1 event, sklgt2" 61164 \
	start_once "$programs/cost" once drm:::i915::RenderBasic.GpuBusy
machine="$sim --gpu bmg --"
compare "PAPI_read of 1 event, bmg" 1120 \
	read_once "$programs/cost" once drm:::xe::RenderBasic.GpuBusy
compare "PAPI_start of 1 event, bmg" 37620 \
	start_once "$programs/cost" once drm:::xe::RenderBasic.GpuBusy

# without a GPU
machine="$sim --"
compare "PAPI_library_init without a GPU, the component" 16866 \
	drm_init_component "$programs/cost" init

# ---------------------------------------------------------------- values
machine=
compare "1000 reports of a stream taken in" 208395 \
	drain_all "$BUILD_DIR/bench/bench_oa" drained
theirs=$(counted evaluate_theirs "$BUILD_DIR/bench/bench_oa" theirs) ||
	failed=1
if [ "${theirs:-0}" -gt 0 ]; then
	ours=$(counted evaluate_ours "$BUILD_DIR/bench/bench_oa" ours) ||
		failed=1
	row "RenderBasic evaluated once" "$ours" instr. libi915_perf "$theirs" 1
else
	grep '^skip ' "$work/out" || failed=1
fi

# ---------------------------------------------------------------- catalogs
# catalog GPU EVENT OPEN LIST
catalog()
{
	local gpu=$1 event=$2 open=$3 list=$4

	machine="$sim --gpu $gpu -- env BENCH_SHORT=1 BENCH_CATALOG_EVENT=$event"
	compare "$gpu opened" "$open" find_first "$BUILD_DIR/bench/bench_catalog"
	compare "$gpu, all events listed" "$list" \
		list_all "$BUILD_DIR/bench/bench_catalog"
}
catalog sklgt2 i915::RenderBasic.GpuTime 828825 1789295
catalog vega10 amdgpu::SQ.WAVES 1760631 7605241
catalog acmgt3 i915::RenderBasic.GpuTime 3823401 23987094
if is_short; then
	finish
fi
catalog navi21 amdgpu::SQ.WAVES 2709237 11012859

machine="$sim --gpu acmgt3 --gpu vega10 --"
compare "papi_native_avail of 18252 events" 585335479 \
	main "$papi/bin/papi_native_avail" -i drm

# commands, of GPUs of one kind as well: they have their tables in common
tool=$BUILD_DIR/bin/drmperf
machine=$vega
compare "drmperf serve --once, vega10" 11271456 \
	main "$tool" serve --once -I 1 --textfile "$work/prom"
machine="$sim $(printf -- '--gpu vega10 %.0s' {1..8}) --"
compare "drmperf serve --once, 8 vega10" 93295959 \
	main "$tool" serve --once -I 1 --textfile "$work/prom"
machine="$sim --gpu acmgt3 --"
compare "drmperf list, acmgt3" 118417283 main "$tool" list
compare "drmperf stat of true, acmgt3" 62422135 main "$tool" stat -- true
compare "drmperf serve --once, acmgt3" 74777383 \
	main "$tool" serve --once -I 1 --textfile "$work/prom"
compare "drmperf split of all events, acmgt3" 1989511000 \
	main "$tool" split 'i915::*'

machine=
compare "plan of acmgt3, explained" 500585548 plan_once "$BUILD_DIR/bench/bench_plan" acmgt3
finish
