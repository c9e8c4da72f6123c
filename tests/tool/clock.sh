#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf clock, and the options and exit codes that all commands share.
. tests/tool/lib.sh

three="$sim --strict --gpu tglgt2 --gpu vega10 --gpu vega20 --"

status "clock without a mode exits with 0" 0 $three "$tool" clock
has "clock shows the clocks of all GPUs" \
	"$work/out" '^device 0: i915 has no clock modes$' \
	'^device 1: Vega 10, mode default$' '^  engine [0-9]+ MHz of 1630 MHz$' \
	'^  memory [0-9]+ MHz of 945 MHz$' '^device 2: Vega 20, mode default$'
run 0 $three "$tool" clock -d 2
has "clock -d shows the GPU it names" "$work/out" '^device 2: Vega 20'
lacks "clock -d shows no other GPU" "$work/out" 'Vega 10'
status "clock fails if no GPU has clock modes" \
	125 $sim --gpu tglgt2 -- "$tool" clock
for mode in default profiling min-memory min-engine peak; do
	status "clock $mode runs a command" \
		0 $three "$tool" clock $mode -- "$tool" clock
	has "clock $mode sets the first GPU that has clock modes" "$work/out" \
		"^device 1: Vega 10, mode $mode$" \
		'^device 2: Vega 20, mode default$'
done
run 0 $three "$tool" clock --device 2 peak "$tool" clock
has "clock --device sets another GPU, without --" "$work/out" \
	'^device 1: Vega 10, mode default$' '^device 2: Vega 20, mode peak$' \
	'^  engine 1801 MHz of 1801 MHz$'
run 0 $three sh -c "'$tool' clock peak -- true && '$tool' clock"
has "clock restores the default mode when it ends" \
	"$work/out" '^device 1: Vega 10, mode default$'
run 0 $three sh -c "'$tool' clock peak -- kill -9 \$\$; '$tool' clock"

# ---------------------------------------------------------------- exit codes
status "clock exits with the status of its command" \
	3 $three "$tool" clock peak -- sh -c 'exit 3'
status "clock exits with 128 plus the signal that ended its command" \
	143 $three "$tool" clock peak -- sh -c 'kill $$'
status "a command that does not exist exits with 127" \
	127 $three "$tool" clock peak -- nosuchcommand
has "the error names the command that does not exist" \
	"$work/err" 'cannot run nosuchcommand'
status "a file that is no program exits with 126" \
	126 $three "$tool" clock peak -- /etc/passwd
status "an unknown clock mode is misuse" 129 $three "$tool" clock turbo -- true
has "the error names the unknown clock mode" "$work/err" 'no clock mode "turbo"'
status "clock auto is misuse" 129 $three "$tool" clock auto -- true
status "clock without a command behind -- is misuse" \
	129 $three "$tool" clock peak --
status "clock -d refuses a number that no GPU has" 125 $three "$tool" clock -d 3
status "clock -d refuses a word that is no GPU" 125 $three "$tool" clock -d x
status "clock fails on a GPU without clock modes" \
	125 $three "$tool" clock -d 0 peak -- true
has "the error says that the driver has no clock modes" \
	"$work/err" 'i915 of device 0 has no clock modes'
status "clock fails while another process holds a clock mode" \
	125 $three "$tool" clock peak -- \
	"$tool" clock min-engine -- true
status "clock refuses an unknown option" 129 $three "$tool" clock --bogus
status "clock --help exits with 0" 0 "$tool" clock --help
has "clock --help lists the modes" "$work/out" 'min-memory'

# SIGTERM goes to the command, and the clocks are given back
cat > "$work/terminate" << END
"$tool" clock peak -- sh -c 'touch "$work/started"; exec sleep 900' &
while [ ! -e "$work/started" ]; do sleep 0.02; done
kill \$!
wait \$!
echo "status \$?"
"$tool" clock
END
run 0 $three timeout $hang bash "$work/terminate"
has "SIGTERM ends the command" "$work/out" '^status 143$' \
	'^device 1: Vega 10, mode default$'

# ---------------------------------------------------------------- drmperf
status "drmperf alone exits with 0" 0 $three "$tool"
has "drmperf alone lists the GPUs and what to try first" "$work/out" \
	'^GPU 1: Vega 10 \(Radeon RX Vega\), amdgpu at 0000:' \
	'^  drmperf stat -- ./program ' '^  drmperf top ' '^  drmperf list ' \
	'^drmperf --help has all commands'
lacks "drmperf alone has no remedy for a GPU that works" \
	"$work/out" 'drmperf info'
status "drmperf alone exits with 0 without a GPU" 0 $sim -- "$tool"
has "drmperf alone says that there is no GPU" "$work/out" \
	'^This machine has no supported GPU.$' '^  drmperf info '
status "drmperf alone exits with 0 without permission" 0 $sim --unprivileged \
	--gpu vega10,node-mode=0000 -- "$tool"
has "drmperf alone says why a GPU cannot be opened" "$work/out" \
	'^GPU 0: amdgpu at 0000:.*: .*no permission' \
	'^  drmperf info .* how to fix it$'
status "an unknown command is misuse" 129 "$tool" bogus
has "the error names the unknown command" \
	"$work/err" 'there is no command "bogus"'
status "drmperf --help exits with 0" 0 "$tool" --help
has "drmperf --help lists the commands" \
	"$work/out" '^  list ' '^  info ' '^  split ' '^  stat ' \
	'^  clock '
for option in --version -V; do
	status "drmperf $option exits with 0" 0 "$tool" $option
	has "drmperf $option prints the version" "$work/out" \
		'^drmperf [0-9]+\.[0-9]+$'
done
while read -r name meant; do
	run 129 "$tool" "$name"
	has "a command $name is taken for a misspelt $meant" "$work/err" \
		"there is no command \"$name\"; did you mean \"$meant\"\?"
done << 'END'
stats stat
records record
repot report
list-events list
END
finish
