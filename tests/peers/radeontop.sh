#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# radeontop, unmodified, on a simulated Vega 10: it has to show the shares of
# busy time, the memory and the clocks that the scenario says.
set -u

drmsim=$(realpath "${BUILD_DIR:-build}/bin/drmsim")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

if ! command -v radeontop > "$work/which"; then
	echo "skip radeontop: not installed"
	exit 0
fi

# shows NAME TEXT: the line that radeontop wrote has it
shows()
{
	if grep -qF "$2" "$work/line"; then
		echo "ok $1"
	else
		echo "not ok $1: no '$2' in:"
		sed 's/^/    /' "$work/line"
		failed=1
	fi
}

cat > "$work/scenario" <<'END'
busy gui 37.5
busy ta 25
busy spi 10
busy cb 100
memory vram-used 1024M
clock sclk 815
clock mclk 945
END

# 120 readings a second, one second: every share above is a whole number
"$drmsim" --gpu vega10 --scenario "$work/scenario" --strict -- \
	timeout 20 radeontop -d - -l 1 > "$work/line" 2>&1
status=$?
if [ $status = 0 ]; then
	echo "ok ends well and misuses nothing"
else
	echo "not ok status $status"
	failed=1
fi
shows "the bus" "bus 03"
shows "the whole" "gpu 37.50%"
shows "textures" "ta 25.00%"
shows "shader input" "spi 10.00%"
shows "colour" "cb 100.00%"
shows "what is idle" "pa 0.00%"
shows "the memory clock" "mclk 100.00% 0.945ghz"
shows "the shader clock" "sclk 50.00% 0.815ghz"
exit $failed
