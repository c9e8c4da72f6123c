#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# ROCm's runtime, unmodified, works on simulated GPUs: rocminfo finds them, and
# programs of HSA, OpenMP and HIP copy both ways and launch as many waves as they
# say.
# drmperf counts them as far as the queues allow it, and for each launch.
# MI300 and MI350 need a newer runtime than that of Debian 12: it is the one in the
# folder DRMPERF_ROCR, such as /opt/rocm, or what is installed, as in Debian 13.
# HIP 5.7.1 and 6.4.3 were seen to do it on MI300; neither knows MI350.
set -u

drmsim=$(realpath "${BUILD_DIR:-build}/bin/drmsim")
drmperf=$(realpath "${BUILD_DIR:-build}/bin/drmperf")
tools=$(realpath "${BUILD_DIR:-build}/lib")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
hang=600 # seconds: as in tests/papi/lib.sh

# is NAME COMMAND...: it succeeds; else what was written last is shown
is()
{
	local name=$1
	shift
	if "$@"; then
		echo "ok $name"
	else
		echo "not ok $name: $* in:"
		sed 's/^/    /' "$work/out" "$work/report"
		failed=1
	fi
}

# run OPTION... -- COMMAND: below the simulator, strictly
run()
{
	: > "$work/report"
	"$drmsim" --strict --report "$work/report" "$@" > "$work/out" 2>&1
}

# rocminfo of a GPU has to name the instruction set
agent()
{
	is "$1: rocminfo exits with 0" run --gpu "$1" -- timeout $hang rocminfo
	is "$1: rocminfo shows $2" grep -q "amdgcn-amd-amdhsa--$2" "$work/out"
	is "$1: rocminfo shows $3 compute units" \
		grep -qE "Compute Unit: +$3 " "$work/out"
}

if command -v rocminfo > "$work/which"; then
	agent vega10 gfx900 64
	agent vega20 gfx906 64
	agent mi100 gfx908 120
	agent mi200 gfx90a 104
	agent navi21 gfx1030 80
	is "rocminfo fails without KFD" \
		run --gpu vega10,kfd=off -- sh -c "! timeout $hang rocminfo"
else
	echo "skip rocminfo: not installed"
fi

# of one device: 391 groups of 4 waves a launch, and the two copies of code by
# which the runtime begins, of 4 groups for each compute unit
waves()
{
	echo $((391 * 4 * $1 + 2 * 4 * $2))
}

own=$(waves 5 0)

# counts NAME LEGEND WAVES OPTION... -- COMMAND: stat's table says that
counts()
{
	local name=$1 legend=$2 count=$3
	shift 3
	is "$name: the program exits with 0" run "$@" 5
	sed 's/,//g' "$work/table" > "$work/out"
	is "$name: stat counts $count waves" \
		grep -qE "^ +$count  waves .*SQ.WAVES \*\$" "$work/out"
	is "$name: stat says which queues it counts" \
		grep -qF "(* $legend)" "$work/out"
}
counted="$drmperf stat -o $work/table -e SQ.WAVES -- timeout $hang"

# PAPI's component counts in the program, which no tool of ours has begun
papi=$(realpath "${BUILD_DIR:-build}/papi")
preload=$work/papi.so
if [ ! -e "$tools/libdrmperf-hsa.so" ] || [ ! -e "$papi/lib/libpapi.so" ] ||
	! ${CC:-cc} -shared -fPIC -o "$preload" "$here/kfd_papi.c" \
		-I"$papi/include" -L"$papi/lib" -Wl,-rpath,"$papi/lib" -lpapi \
		> "$work/out" 2>&1; then
	papi=
fi
# papi_counts NAME GPU COMMAND...: all waves of 5 launches
papi_counts()
{
	local name=$1 gpu=$2
	shift 2
	if [ -z "$papi" ]; then
		echo "skip $name: PAPI or libdrmperf-hsa is not built"
		return
	fi
	is "$name: the program exits with 0" run --gpu "$gpu" -- \
		env COUNTED=drm:::amdgpu::SQ.WAVES sh -c "
			export LD_PRELOAD=\"\$LD_PRELOAD $preload\"
			exec timeout $hang $* 5"
	is "$name: PAPI counts $own waves" \
		grep -qx "counted $own" "$work/out"
}

# each_way NAME GPU COMMAND...: to count has all waves of 5 launches
each_way()
{
	local name=$1 gpu=$2
	shift 2
	if [ ! -e "$tools/libdrmperf-hsa.so" ]; then
		echo "skip $name: libdrmperf-hsa is not built"
		return
	fi
	counts "$name" "in the command's queues" "$own" --gpu "$gpu" -- \
		$counted "$@"
	is "$name: record exits with 0" run --gpu "$gpu" -- "$drmperf" record \
		-o "$work/recording" -e SQ.WAVES -- timeout $hang "$@" 5
	"$drmperf" report "$work/recording" | sed 's/,//g' > "$work/out"
	is "$name: report has $own waves" \
		grep -qE "^ +$own  waves " "$work/out"
	is "$name: stat --kernels exits with 0" run --gpu "$gpu" -- \
		"$drmperf" stat --kernels -e SQ.WAVES --csv -o "$work/kernels" \
		-- timeout $hang "$@" 5
	is "$name: each launch has its waves" \
		[ 5 = "$(grep -c ',1564$' "$work/kernels")" ]
	papi_counts "$name, PAPI" "$gpu" "$@"
	counts "$name: no queue is enabled" "in queues that allow it" 0 \
		--gpu "$gpu" -- $counted env -u HSA_TOOLS_LIB "$@"
}

# ---- a program of HSA, on this runtime and on that of a folder
# dispatches NAME GPU COMMAND...
dispatches()
{
	is "$1: a program of HSA exits with 0" \
		run --gpu "$2" -- timeout $hang "${@:3}" 5
	is "$1: all waves were launched" grep -q \
		"^queues gpu=0 dispatches=5 waves=$own " "$work/report"
	each_way "$@"
}

# A C library that is newer than the machine's begins programs by itself. OpenMP
# opens the runtime by a name that only packages for developers have.
newer=
knows_gfx950=
if [ -n "${DRMPERF_ROCR-}" ]; then
	rocr=$(realpath "$DRMPERF_ROCR")
	loader=$rocr/lib/ld-linux-x86-64.so.2
	newer=$work/rocr
	mkdir "$work/lib"
	ln -s "$rocr/lib/libhsa-runtime64.so.1" "$work/lib/libhsa-runtime64.so"
	cat > "$newer" <<-END
		#!/bin/sh
		libraries=$rocr/lib:$work/lib
		[ ! -e $loader ] ||
			exec $loader --library-path \$libraries "\$@"
		LD_LIBRARY_PATH=\$libraries exec "\$@"
	END
	chmod +x "$newer"
	is "mi300: rocminfo of DRMPERF_ROCR exits with 0" run --gpu mi300 -- \
		timeout $hang "$newer" "$rocr/bin/rocminfo"
	is "mi300: rocminfo of DRMPERF_ROCR shows gfx942" \
		grep -q "amdgcn-amd-amdhsa--gfx942" "$work/out"
	is "mi350: rocminfo of DRMPERF_ROCR exits with 0" run --gpu mi350 -- \
		timeout $hang "$newer" "$rocr/bin/rocminfo"
	knows_gfx950=$(grep -o "amdgcn-amd-amdhsa--gfx950" "$work/out")
elif run --gpu mi300 -- timeout $hang rocminfo &&
	grep -q "amdgcn-amd-amdhsa--gfx942" "$work/out"; then
	newer=env # the installed one
	! run --gpu mi350 -- timeout $hang rocminfo ||
		knows_gfx950=$(grep -o "amdgcn-amd-amdhsa--gfx950" "$work/out")
else
	echo "skip mi300: the installed ROCr does not know gfx942, and" \
		"DRMPERF_ROCR names no folder with bin/rocminfo and lib/"
fi
[ -n "$knows_gfx950" ] ||
	echo "skip mi350: no ROCr knows gfx950, as that of ROCm 7 does"
if ${CC:-cc} -I"$here/../.." "$here/kfd_dispatch.c" \
	"$here/../rocprofiler/hsa_calls.c" -o "$work/dispatch" -lhsa-runtime64 \
	> "$work/out" 2>&1; then
	dispatches "mi200" mi200 "$work/dispatch"
	run --gpu mi200,default=waves -- "$drmperf" stat -M compute -- \
		timeout $hang "$work/dispatch" 200
	# of 3328 waves that find room
	is "mi200: waves occupy the share of the GPU that they have" \
		grep -qE "^ +47.0  % .*OccupancyPercent" "$work/out"
	is "mi200: they compute for 70 % of that" \
		grep -qE "^ +32.9  % .*VALUBusy" "$work/out"
	is "mi200: the verdict is that of a program that waits" \
		grep -qE "^ verdict: the GPU (was idle|had work)" "$work/out"
	[ -z "${DRMPERF_ROCR-}" ] ||
		dispatches "mi200, newer" mi200 "$newer" "$work/dispatch"
	[ -z "$newer" ] ||
		dispatches "mi300" mi300 "$newer" "$work/dispatch"
	[ -z "$knows_gfx950" ] ||
		dispatches "mi350" mi350 "$newer" "$work/dispatch"
else
	echo "skip a program of HSA: no libhsa-runtime-dev"
fi

# ---- OpenMP, as clang and GCC offload it
export OMP_TARGET_OFFLOAD=MANDATORY # nothing runs on the host instead
# offload NAME GPU EXTRA COMMAND: the runtime launches that many waves more
offload()
{
	local own=$((own + $3))
	is "$1: the program exits with 0" run --gpu "$2" -- \
		timeout $hang "${@:4}" 5
	is "$1: the bytes are right" grep -qx "device 0: right" "$work/out"
	each_way "$1" "$2" "${@:4}"
}

# offload_newer GPU TARGET: the compiler may not know the GPU: the code, which
# is not executed, says so
offload_newer()
{
	if [ -n "$newer" ] && command -v python3 > "$work/which"; then
		python3 "$here/kfd_target.py" "$work/openmp" "$work/$1" "$2"
		offload "$1, OpenMP" "$1" 0 "$newer" "$work/$1"
	fi
}

if clang -O1 -fopenmp -fopenmp-targets=amdgcn-amd-amdhsa \
	-Xopenmp-target=amdgcn-amd-amdhsa -march=gfx90a \
	"$here/kfd_openmp.c" -o "$work/openmp" > "$work/out" 2>&1; then
	offload "mi200, OpenMP" mi200 0 "$work/openmp"
	offload_newer mi300 gfx942
	[ -z "$knows_gfx950" ] || offload_newer mi350 gfx950
else
	echo "skip OpenMP: no clang and libomp-dev that offload to gfx90a"
fi
# libgomp has a kernel of one wave at the beginning, and one at the end. That of
# GCC 14 has only two teams per compute unit unless it has to have more.
export GCN_NUM_TEAMS=391
if gfortran -O1 -fopenmp -foffload=amdgcn-amdhsa \
	-foffload-options=-march=gfx906 \
	"$here/kfd_openmp.f90" -o "$work/fortran" > "$work/out" 2>&1; then
	offload "vega20, OpenMP in Fortran" vega20 2 "$work/fortran"
	[ -z "${DRMPERF_ROCR-}" ] ||
		offload "vega20, OpenMP in Fortran, newer" vega20 2 \
			"$newer" "$work/fortran"
else
	echo "skip OpenMP in Fortran: no gfortran and gcc-offload-amdgcn"
fi

# launched NAME LAUNCHES UNITS: what a HIP program has done; HIP 6 has no copies of
# code
launched()
{
	is "$1: the bytes are right" grep -qx "device 0: right" "$work/out"
	is "$1: all waves were launched" grep -qE \
		"^queues gpu=0 .* waves=($(waves "$2" "$3")|$(waves "$2" 0)) " \
		"$work/report"
}

# hip NAME GPU UNITS LAUNCHES OPTION...: the program on one GPU
hip()
{
	local name=$1 gpu=$2 units=$3 launches=$4
	shift 4
	is "$name: the program exits with 0" run --gpu "$gpu" "$@" -- \
		timeout $hang "$work/program" "$launches"
	launched "$name" "$launches" "$units"
}

# compile_hip PROGRAM OPTION...
compile_hip()
{
	clang++ -O1 -x hip --offload-arch=gfx900 --offload-arch=gfx90a \
		-nogpuinc -nogpulib "$here/kfd_program.hip" -o "$@" \
		> "$work/out" 2>&1
}

if ! compile_hip "$work/program" -lamdhip64; then
	echo "skip HIP: no clang, lld and libamdhip64-dev that make a program"
	exit $failed
fi
# the one of the folder, and its file has another name in each generation
amdhip=$(ls "${rocr-}/lib/libamdhip64.so".[5-9] 2> /dev/null | tail -1)
if [ -z "$newer" ] || ! command -v python3 > "$work/which"; then
	echo "skip HIP on mi300: no newer runtime, or no python3"
elif [ "$newer" != env ] && ! compile_hip "$work/hip" "-Wl,$amdhip" \
	-Wl,--allow-shlib-undefined; then
	echo "skip HIP on mi300: no libamdhip64 in lib/ of DRMPERF_ROCR"
else
	[ -e "$work/hip" ] || cp "$work/program" "$work/hip"
	python3 "$here/kfd_target.py" "$work/hip" "$work/mi300" gfx942
	is "mi300, HIP: the program alone exits with 0" \
		run --gpu mi300 -- timeout $hang $newer "$work/mi300" 5
	launched "mi300, HIP" 5 304
	each_way "mi300, HIP" mi300 $newer "$work/mi300"
fi
# what the runtime leaves in memory that has a name
left()
{
	find /dev/shm -maxdepth 1 -name '*hsakmt*' ! -name '*drmsim.*' | sort
}

left > "$work/before"
hip vega10 vega10 64 3
left > "$work/after"
is "the runtime leaves no memory on the host" \
	cmp -s "$work/before" "$work/after"
hip mi200 mi200 104 5
all=$(sed -n 's/^queues gpu=0 .* waves=\([0-9]*\) .*/\1/p' "$work/report")
hip "virtual time" vega10 64 3 --time virtual
is "two GPUs: the program exits with 0" \
	run --gpu vega10 --gpu mi200 -- timeout $hang "$work/program" 2
is "two GPUs: the bytes of the first are right" \
	grep -qx "device 0: right" "$work/out"
is "two GPUs: the bytes of the second are right" \
	grep -qx "device 1: right" "$work/out"
# kernels GPU LAUNCHES: each on its own has its waves, and no copy is among them
kernels()
{
	is "$1: a HIP program exits with 0 while its kernels are counted" \
		run --gpu "$1" -- "$drmperf" stat --kernels -e SQ_WAVES --csv \
		-o "$work/kernels" -- timeout $hang "$work/program" "$2"
	is "$1: the bytes are right while kernels are counted" \
		grep -qx "device 0: right" "$work/out"
	is "$1: each launch has its waves" [ "$2" = "$(grep -cE \
		'^1,[0-9]+,"kernel\(float\*, int\)",.*,100096,256,0,0,.*,1564$' \
		"$work/kernels")" ]
}
if [ -e "${BUILD_DIR:-build}/lib/libdrmperf-kernels.so" ]; then
	kernels vega10 3
	kernels mi200 5
	run --gpu mi200 -- "$drmperf" stat --kernels --kernel '^kernel\(' \
		-e SQ_WAVES,SQ_INSTS_VALU,FETCH_SIZE -- \
		timeout $hang "$work/program" 4
	is "mi200: the table of kernels has the sum of waves" grep -qE \
		'^   SQ_WAVES +6,256 +1,564 +1,564 +1,564  waves$' "$work/out"
	run --gpu vega10 --gpu mi200 -- "$drmperf" stat --kernels \
		-e SQ_WAVES -- timeout $hang "$work/program" 2
	is "two GPUs: the table of kernels adds both up" grep -qE \
		'^   SQ_WAVES +6,256 +1,564 +1,564 +1,564  waves$' "$work/out"
else
	echo "skip kernels: libdrmperf-kernels is not built"
fi
is "two processes exit with 0" run --gpu vega10 -- sh -c "
	timeout $hang '$work/program' 2 > '$work/first' &
	timeout $hang '$work/program' 3 && wait && cat '$work/first'"
is "two processes: the bytes are right" \
	[ "$(grep -cx "device 0: right" "$work/out")" = 2 ]

# ---- counted by drmperf
if [ -e "$tools/libdrmperf-hsa.so" ]; then
	counts "the command's queues" "in the command's queues" "$own" \
		--gpu mi200 -- $counted "$work/program"
	counts "next to another tool" "in the command's queues" "$own" \
		--gpu mi200 -- env HSA_TOOLS_LIB="$tools/librocprofiler64.so.1" \
		$counted "$work/program"
	is "record of a HIP program exits with 0" \
		run --gpu mi200 -- "$drmperf" record \
		-o "$work/recording" -e SQ.WAVES -- \
		timeout $hang "$work/program" 5
	is "record says which queues it counts" \
		grep -q "GPU 0 see the command's queues; the runtime" "$work/out"
	is "report of a HIP program exits with 0" run --gpu mi200 -- \
		"$drmperf" report "$work/recording"
	sed -i 's/,//g' "$work/out"
	is "report has $own waves of a HIP program" \
		grep -qE "^ +$own  waves " "$work/out"
	# killed while it launches
	counts "next to a killed program" "in the command's queues" "$own" \
		--gpu mi200 -- sh -c "
			export HSA_TOOLS_LIB='$tools/libdrmperf-hsa.so'
			'$work/program' 10000000 &
			until '$drmperf' stat -e SQ.WAVES -- sleep 0.1 2>&1 |
				grep -qE '^ +[1-9][0-9,]*  waves'; do
				:
			done
			kill -9 \$! && ! wait \$! &&
				exec $counted '$work/program' \$0"
else
	echo "skip the command's queues: libdrmperf-hsa is not built"
fi

papi_counts "PAPI in a HIP program" mi200 "$work/program"
counts "all queues" "in all queues" "$all" --gpu mi200,kfd-profiler=upstream \
	-- $counted "$work/program"
counts "no queue is enabled" "in queues that allow it" 0 --gpu mi200 -- \
	$counted env -u HSA_TOOLS_LIB "$work/program"
exit $failed
