#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf info reports each problem with its remedy.
. tests/tool/lib.sh

# well NAME GPU PATTERN...: nothing is wrong
well()
{
	local gpu=$1
	shift
	run 0 $sim --strict --gpu "$gpu" -- "$tool" info
	has "$gpu is well" "$work/out" '^drmperf [0-9.]+ on Linux ' \
		'may be opened$' '^  events +[0-9]+ in [0-9]+ groups$' \
		'^everything works$' "$@"
	lacks "$gpu: info exits with 0 and prints no message" "$work/err" .
}
well vega10 '^device 0: amdgpu at 0000:03:00.0$' '^  chip +Vega 10 .Radeon RX Vega.$' \
	'^  table +gfx9$' '^  clocks +default, engine [0-9]+ of 1630 MHz$' \
	'^  gfx +counts$' '^  /proc/sys/kernel/perf_event_paranoid = '
well vega20 '^  chip +Vega 20 .Radeon VII.$' '^  gfx +counts$'
well sklgt2 '^device 0: i915 at ' '^  chip +Skylake GT2 .HD Graphics 530.$' '^  oa +counts$' \
	'^  pmu +counts$' '^  /proc/sys/dev/i915/perf_stream_paranoid = '
well tglgt2 '^  chip +Tiger Lake GT2 .Iris Xe Graphics.$' '^  oa +counts$'
well navi31 '^  profile +with each read newer kernels hold a workload profile'
well navi31,enforce-isolation=1 '^  isolation +on: jobs of processes take turns'
# which i915 drives as well: the same tables, names of products and groups
well acmgt3,driver=xe '^device 0: xe at 0000:03:00.0$' \
	'^  chip +DG2-G10 .Arc A770.$' '^  table +acmgt3$' '^  oa +counts$'
run 0 $sim --gpu sklgt2 --gpu vega10 --gpu mi200 -- "$tool" info
grep -E '^(device|  ROCm)' "$work/out" > "$work/numbers"
same "info has ROCm's numbers of AMD GPUs, which count no other GPUs" \
	"$work/numbers" "$(sed 's/^    //' <<-'END'
	device 0: i915 at 0000:00:02.0
	device 1: amdgpu at 0000:03:00.0
	  ROCm         0 in ROCR_VISIBLE_DEVICES, and in HIP_VISIBLE_DEVICES without that
	device 2: amdgpu at 0000:04:00.0
	  ROCm         1 in ROCR_VISIBLE_DEVICES, and in HIP_VISIBLE_DEVICES without that
	END
	)"
DRMPERF_DIES=one run 0 $sim --gpu mi300,ptl=enabled -- "$tool" info
has "info has a line for a limiter of peak operations that is on" "$work/out" \
	'^  PTL +on: with the limiter of peak' '^everything works$'
# what is off is not worth a line
for gpu in vega10,enforce-isolation=0 mi300,ptl=disabled; do
	DRMPERF_DIES=one run 0 $sim --gpu $gpu -- "$tool" info
	lacks "$gpu: info has no line for what is off" \
		"$work/out" '^  (isolation|PTL|profile) '
done
for state in enabled disabled; do
	DRMPERF_DIES=one run 0 $sim --gpu mi300,ptl=$state -- "$tool" stat \
		-o /dev/null -e SQ.WAVES true
	cp "$work/err" "$work/ptl-$state"
done
has "stat warns of a limiter of peak operations that is on" \
	"$work/ptl-enabled" \
	'limiter of peak operations .PTL. is on'
lacks "stat does not mention a limiter that is off" "$work/ptl-disabled" 'PTL'
DRMPERF_CLOCK=peak well vega10 '^  DRMPERF_CLOCK=peak$'
run 0 $sim --gpu tglgt2 --gpu vega20 --gpu vega10 -- "$tool" info
has "info shows each of three GPUs" \
	"$work/out" '^device 0: i915' '^device 1: amdgpu' \
	'^device 2: amdgpu' '^everything works$'

# default GPU-OPTIONS N: events without :device= are those of device N
default()
{
	run "$1" $sim $2 -- "$tool" info --no-try
	awk '/^device/ {device = $2} /^  default / {print device $0}' \
		"$work/out" > "$work/default"
	has "$2: device $3 is meant" "$work/default" \
		"^$3: +default +events without :device= mean this GPU\$"
	run 0 $sim $2 -- "$tool" stat -o "$work/out" -e GRBM.COUNT true
	has "$2: device $3 counts" "$work/out" "amdgpu::GRBM.COUNT:device=$3\$"
}
closed=vega10,node-mode=0000
default 0 "--gpu vega10 --gpu vega20" 0
default 125 "--gpu $closed --gpu vega20 --gpu vega20" 1
default 125 "--gpu $closed --gpu $closed --gpu vega20" 2

# ill NAME GPU-OPTIONS PATTERN...: one problem, with cause and remedy
ill()
{
	local name=$1 options=$2
	shift 2
	run 125 $sim $options -- ${before:-} "$tool" info
	has "info reports: $name" "$work/out" "$@"
	has "info has a remedy for: $name" \
		"$work/out" '^ +try: .+' '^[1-9] problems?$'
	lacks "info exits with 125 for: $name" "$work/err" '^exit status'
}
ill "no permission" "--gpu vega10,node-mode=0000" \
	'node +/dev/dri/renderD128, Permission denied' \
	'no: no permission to open /dev/dri/renderD128'
ill "no permission for the OA unit" "--gpu tglgt2 --unprivileged" \
	'oa +no: ' 'try: .*dev.i915.perf_stream_paranoid=0'
ill "no permission for the PMU" "--gpu tglgt2 --unprivileged" \
	'pmu +no: .*kernel.perf_event_paranoid is' \
	'try: .*kernel.perf_event_paranoid=0'
# capabilities count in the first user namespace only, in containers or not
for gpu in bmg sklgt2; do
	driver=xe
	[ $gpu = bmg ] || driver=i915
	run 125 $sim --unprivileged --gpu $gpu -- "$tool" stat \
		-e $driver::RenderBasic.GpuBusy -- true
	has "an unprivileged process on $gpu may get the capability" \
		"$work/err" '^try: .*CAP_PERFMON .*--cap-add PERFMON'
	if ! unshare -Ur true 2> /dev/null; then
		skip "root of a user namespace on $gpu needs the sysctl" \
			"unshare -Ur is not allowed here"
		continue
	fi
	run 125 $sim --unprivileged --gpu $gpu -- unshare -Ur "$tool" stat \
		-e $driver::RenderBasic.GpuBusy -- true
	has "root of a user namespace on $gpu needs the sysctl" "$work/err" \
		"^try: .*dev.$driver.*=0 as root of the machine"
done
ill "a gated clock" "--gpu vega10,gating=all --fault gated-clock" \
	'gfx +no: .*clock of the counters stood still' \
	'try: .*DRMPERF_CLOCK=profiling'
ill "a GPU that hangs" "--gpu vega10 --fault hang:1" \
	'gfx +no: .*was reset' 'try: .*dmesg'
ill "a GPU that has gone" "--gpu vega10 --fault gone:1" 'gfx +no: .*has gone'
ill "too many open files" "--gpu vega10 --fault open:1+:EMFILE" \
	'usable +no: .*Too many open files' 'try: .*ulimit -n'
ill "a kernel without rings" "--gpu navi31,user-queues-only=on" \
	'complete +no: .*no ring of the kernel' \
	'try: .*boot with amdgpu.user_queue=1, or 0'
ill "an error of the driver" "--gpu vega10 --fault open:1+:EIO" \
	'usable +no: .*Input/output error' 'try: .*dmesg'
before="env DRMPERF_SHARE=0 $tool stat -o /dev/null -e SQ.WAVES --" \
	ill "a GPU in use" "--gpu vega10" 'gfx +no: .*in use by pid [0-9]+' \
	'try: end it'
before="env DRMPERF_SHARE=0 $tool stat -o /dev/null -e oa.GpuTime --" \
	ill "an OA unit in use" "--gpu sklgt2" 'oa +no: .*in use'

# tables
copy=$work/copy
mkdir -p "$copy/bin" "$copy/lib" "$copy/share/drmperf/events"
cp "$tool" "$copy/bin/drmperf"
cp "$(dirname "$tool")/../lib/libdrmperf.so.0" "$copy/lib"
(
	tool=$copy/bin/drmperf
	ill "no table" "--gpu vega10" ' +no: no event table amdgpu/' \
		'try: install drmperf.s event tables'
	exit $failed
) || failed=1
echo '<events driver="amdgpu" format="1">' > "$work/bad.xml"
DRMPERF_EVENTS=$work/bad.xml ill "a malformed table" "--gpu vega10" \
	"usable +no: $work/bad.xml:[0-9]+: " 'try: correct it, or .*DRMPERF_EVENTS'
DRMPERF_EVENTS=$work/none ill "a table that is not there" "--gpu vega10" \
	"usable +no: cannot read $work/none" 'try: correct it, or .*DRMPERF_EVENTS'

# some work, some do not
run 125 $sim --gpu vega10,node-mode=0000 --gpu vega20 -- "$tool" info
has "info reports one problem of two GPUs" \
	"$work/out" '^1 problem$' 'gfx +counts' \
	'no permission to open'

# ---------------------------------------------------------------- others
# pci ADDRESS VENDOR DEVICE CLASS [DRIVER]
pci()
{
	printf '%s\n' "P: /devices/pci0000:00/$1" 'E: SUBSYSTEM=pci' \
		"A: vendor=0x$2" "A: device=0x$3" "A: class=0x$4" \
		${5:+"L: driver=../../../bus/pci/drivers/$5"} ''
}
{
	pci 0000:00:02.0 8086 56a0 030000 xe
	pci 0000:01:00.0 1002 73bf 030000
	pci 0000:02:00.0 10de 2204 030200 nvidia
	pci 0000:03:00.0 1002 6658 030000 radeon
	pci 0000:04:00.0 8086 1533 020000 igb
} > "$work/machine"
run 125 umockdev-run -d "$work/machine" -- "$tool" info
has "info lists GPUs of other drivers, or of none, with remedies" "$work/out" \
	'^not usable: 8086:56a0 at 0000:00:02.0$' '^  driver +xe$' \
	'^not usable: 1002:73bf at 0000:01:00.0$' '^  driver +none$' \
	'try: .*modprobe amdgpu' '^not usable: 10de:2204' \
	'try: .*radeon.cik_support=0 amdgpu.cik_support=1' \
	'^no GPU with the driver amdgpu, i915 or xe is here$'
lacks "info does not list a device that is no GPU" "$work/out" '8086:1533'
lacks "info exits with 125 without a usable GPU" "$work/err" '^exit status'

# ------------------------------------------------- a chip larger than its table
cp -r utils/drmsim/gpus "$work/gpus"
sed -i 's/^compute-units .*/compute-units 10/' "$work/gpus/navi48.gpu"
printf 'default zero\nrate TA.15 1000000\n' > "$work/units.scenario"
DRMSIM_GPUS=$work/gpus run 0 $sim --strict --time virtual --gpu navi48 \
	--scenario "$work/units.scenario" -- "$tool" stat --csv --control none \
	-e TA.ta_busy $sim ctl advance 1s
has "compute units that the table of chips lacks are reported" "$work/err" \
	'the kernel reports 16 compute units more than the table' 'report it'
has "compute units that the table of chips lacks are counted" \
	"$work/out" ',80000000,'

# ------------------------------------------------- what cannot be true
run 125 $sim --time virtual --gpu mi200 -- sh -c "$sim ctl advance 10s
	'$tool' stat -e SQ.WAVES -- sh -c '$sim ctl advance 1s
		$sim ctl set clock-behind 5s'"
has "stat reports a GPU clock that goes backwards, with a remedy" "$work/err" \
	"the GPU's clock went backwards while it counted, from 1000000000 to 6" \
	'^ *try: '
run 125 $sim --gpu navi10 -- sh -c "$sim ctl set sensor load 655
	'$tool' stat -e sensor.gpu-load -- true"
has "a load above 100 % is no value" "$work/err" \
	'sensor gpu-load of .* says 655, and more than 100 is no value'
run 0 $sim --gpu navi10 -- sh -c "$sim ctl set sensor load 100
	'$tool' stat -e sensor.gpu-load -- true"
has "a load of 100 % is a value" \
	"$work/err" '100.0  %  *amdgpu::sensor.gpu-load'

# ---------------------------------------------------------------- looking
run 0 $sim --gpu vega10 --fault gated-clock --report "$work/report" -- \
	"$tool" info -n
has "info --no-try finds nothing missing" "$work/out" '^nothing is missing$'
has "info --no-try submits nothing" "$work/report" 'submissions=0'
status "info refuses an argument" 129 "$tool" info x
status "info --help exits with 0" 0 "$tool" info --help
has "info --help lists --no-try" "$work/out" '--no-try'
finish
