#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# PAPI counts a GPU: a real one if there is one that can be used, else a Vega 10
# simulated by drmsim. `make demo` builds what is needed and runs this.
#
# With --without-papi there is no PAPI with the component drm: the distribution's
# own gets the events by components/sde, if it is there.
#
# usage: examples/demo.sh [--simulated] [--without-papi] [BUILD]
set -u -o pipefail

simulated=
has_papi=yes
while true; do
	case ${1:-} in
	--simulated) simulated=yes ;;
	--without-papi) has_papi= ;;
	*) break ;;
	esac
	shift
done
build=${1:-build}
papi=$build/papi/bin
events="drm:::amdgpu::GRBM.COUNT drm:::amdgpu::GRBM.GUI_ACTIVE
	drm:::amdgpu::SQ.WAVES drm:::amdgpu::TCC.HIT:instance=3
	drm:::amdgpu::metric.L2CacheHit"
simulator=
failed=0

section()
{
	printf '\n== %s\n\n' "$*"
}

# show FILTER COMMAND...: the command as typed, and what FILTER leaves of it
show()
{
	local filter=$1
	shift
	printf '$ %s\n' "${simulator:+$simulator }$*"
	# shellcheck disable=SC2086
	if ! $simulator "$@" 2>&1 | $filter; then
		echo "This has failed." >&2
		failed=1
	fi
	echo
}

# Why there is no real GPU to show, or nothing if there is one.
no_real_gpu()
{
	local reason
	if [ -n "$simulated" ]; then
		echo "A simulated one was asked for."
		return
	fi
	if [ -z "$has_papi" ]; then
		"$build/bin/drmperf" stat -e amdgpu::SQ.WAVES -- true 2>&1 \
			> /dev/null | head -1
		return
	fi
	reason=$("$papi/papi_component_avail" 2> /dev/null |
		sed -n '/^Name: *drm /,/^Name: *sde /s/.*> Disabled: //p')
	if [ -n "$reason" ]; then
		echo "$reason"
	else
		"$build/examples/count_waves" --waves 1 --launches 1 2>&1 \
			> /dev/null | head -1
	fi
}

# component NAME
component()
{
	awk -v name="$1" '/^Active components/ {active = 1}
		/^Name:/ {ours = $2 == name}
		active && (ours || /^Active/) && NF'
}

some_events()
{
	awk '/^\| (drm|sde):::amdgpu::(SQ.WAVES|TCC.HIT|metric.L2CacheHit) / {
			wanted = 1}
		/^(---|===)/ {if (wanted) print; wanted = 0}
		wanted
		/^Total events/ {print "[...]"; print}'
}

counts()
{
	grep -E '(added|adding|because): |(drm|sde):::.* : |[Ee]rror'
}

# ---------------------------------------------------------------- PAPI
show_papi()
{
	section "PAPI has a component drm"
	show "component drm" "$papi/papi_component_avail"

	section "It lists the GPU's counters (three of them here)"
	show some_events "$papi/papi_native_avail" -i drm

	section "PAPI's own utility counts some, while the CPU does something else"
	# shellcheck disable=SC2086
	show counts "$papi/papi_command_line" $events

	section "A program that uses PAPI counts work whose size is known"
	show cat "$build/examples/count_waves" --waves 1000 --launches 10 \
		drm:::amdgpu::GRBM.COUNT
}

# The distribution's PAPI knows nothing of GPUs; drmperf gives it the events.
show_distribution()
{
	local list

	if ! papi_component_avail 2> /dev/null | grep -q '^Name: *sde '; then
		echo "Nor is there a PAPI with a component sde" \
			"(Debian: papi-tools), which could be shown in its place."
		return
	fi
	list=$(echo $events | sed 's/drm::://g; s/ /,/g')

	section "The distribution's PAPI has a component sde"
	show "component sde" "$build/bin/drmperf" papi -e "$list" -- \
		papi_component_avail

	section "It lists the counters that it is given (three of them here)"
	show some_events "$build/bin/drmperf" papi -e "$list" -- \
		papi_native_avail -i sde

	section "PAPI's own utility counts them, while the CPU does something else"
	# shellcheck disable=SC2046
	show counts "$build/bin/drmperf" papi -e "$list" -- \
		papi_command_line $(echo $events | sed 's/drm:::/sde:::/g')
}

# ---------------------------------------------------------------- the machine
[ -n "$has_papi" ] || echo "Left out: what needs PAPI's source package, which" \
	"cannot be had here (PAPI_SRC=/path names a source tree)."
reason=$(no_real_gpu)
if [ -z "$reason" ]; then
	section "This machine has a GPU that can be counted: it is used."
else
	section "A simulated GPU"
	cat <<- E
		No GPU of this machine is used:
		    $reason
		So the commands below run under drmsim, which answers their system
		calls as the kernel of a machine with a Radeon Vega 10 would.
	E
	simulator="$build/bin/drmsim --gpu vega10 --"
fi

if [ -n "$has_papi" ]; then
	show_papi
else
	show_distribution
fi

section "Without PAPI, and without names: what does the GPU wait for?"
if [ -n "$simulator" ]; then
	echo "The simulated one now streams through its memory, of which 2048 bits"
	echo "at 945 MHz, twice per clock, carry 484 GB/s at most."
	echo
	simulator="$build/bin/drmsim --gpu vega10 --load memory-bound --"
fi
show cat "$build/bin/drmperf" stat -M memory -- sleep 1

section "The same over time, as a page and as a trace"
show cat "$build/bin/drmperf" record -M memory -o "$build/demo.data" -- sleep 1
simulator=
show cat "$build/bin/drmperf" report --html "$build/demo.html" \
	--perfetto "$build/demo.perfetto-trace" "$build/demo.data"
echo "Open $build/demo.html in a browser, or the trace at"
echo "https://ui.perfetto.dev."

if [ $failed = 0 ]; then
	section "That was all. README.md tells how to go on."
else
	section "Something failed: see above."
fi
exit $failed
