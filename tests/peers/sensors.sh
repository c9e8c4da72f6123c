#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# amdgpu shows sensors in files, for programs that know no ioctl. The first of
# these programs is sensors of lm-sensors, unmodified.
set -u

drmsim=$(realpath "${BUILD_DIR:-build}/bin/drmsim")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# same NAME EXPECTED: that is what the simulated programs wrote
same()
{
	if [ "$(cat "$work/out")" = "$2" ]; then
		echo "ok $1"
	else
		echo "not ok $1:"
		diff <(echo "$2") "$work/out" | sed 's/^/    /'
		failed=1
	fi
}

# machine GPU... -- SHELL COMMANDS: below a machine with them
machine()
{
	local gpus=()
	while [ "$1" != -- ]; do
		gpus+=(--gpu "$1")
		shift
	done
	"$drmsim" "${gpus[@]}" -- \
		bash -c "PATH=${drmsim%/*}:\$PATH; cd /sys/class/drm/card0/device
			$2" 2>&1 | sed 's/ $//' > "$work/out"
}

machine vega10,clock=sclk\ 1138,clock=mclk\ 945 -- '
	cat gpu_busy_percent pp_dpm_sclk pp_dpm_mclk
	drmsim ctl set clock "sclk 852"
	drmsim ctl set sensor "load 42"
	cat gpu_busy_percent pp_dpm_sclk hwmon/hwmon0/freq1_{label,input}
	drmsim ctl set sensor "load none"
	ls gpu_busy_percent'
same "load and clocks follow the scenario" "0
0: 852Mhz
1: 1138Mhz *
2: 1630Mhz
0: 167Mhz
1: 945Mhz *
42
0: 852Mhz *
1: 1630Mhz
sclk
852000000
ls: cannot access 'gpu_busy_percent': No such file or directory"

machine vega10 -- '
	drmsim ctl set memory "vram-used 1024M"
	drmsim ctl set memory "vis-vram-used 64M"
	drmsim ctl set memory "gtt-used 8M"
	cat mem_info_{vram,vis_vram,gtt}_{total,used}
	drmsim ctl set memory "gtt-used 0"
	used="cat mem_info_gtt_used"
	[ $(drmperf stat -e amdgpu::GRBM.COUNT -o /dev/null -- $used) -gt 0 ] &&
		echo allocated
	$used'
same "memory use follows the scenario" "8589934592
1024000000
268435456
64000000
8589934592
8000000
allocated
0"

machine vega10,clock=sclk-stable\ 1000 -- '
	drmperf clock profiling -- \
		cat power_dpm_force_performance_level pp_dpm_sclk
	cat power_dpm_force_performance_level'
same "drmperf clock profiling sets a stable pstate" "profile_standard
0: 852Mhz
1: 1000Mhz *
2: 1630Mhz
auto"

machine vega10 -- 'ls /sys/class/hwmon/*/name
	drmsim ctl set gone on
	ls /sys/class/hwmon/*/name'
same "hwmon goes with the GPU" "/sys/class/hwmon/hwmon0/name
ls: cannot access '/sys/class/hwmon/*/name': No such file or directory"

if ! command -v sensors > "$work/which"; then
	echo "skip sensors: not installed"
	exit $failed
fi
machine tgl vega10,sensor=temp\ 61250,sensor=power\ 120 mi100 -- '
	sensors -u amdgpu-pci-0300
	sensors -u amdgpu-pci-0400
	drmsim ctl set gpu1.sensor "temp none"
	drmsim ctl set gpu1.sensor "input-power 7"
	sensors -u amdgpu-pci-0300'
same "sensors of lm-sensors shows the values of the scenario" "amdgpu-pci-0300
Adapter: PCI adapter
vddgfx:
  in0_input: 0.900
edge:
  temp1_input: 61.250
power1:
  power1_average: 120.000

amdgpu-pci-0400
Adapter: PCI adapter
vddgfx:
  in0_input: 0.800
edge:
  temp1_input: 41.000
power1:
  power1_average: 90.000

amdgpu-pci-0300
Adapter: PCI adapter
vddgfx:
  in0_input: 0.900
power1:
  power1_average: 120.000
  power1_input: 7.000"
exit $failed
