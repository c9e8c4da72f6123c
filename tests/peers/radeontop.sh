#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# radeontop, unmodified, runs on a simulated Vega 10: it has to show the shares
# of busy time, the memory and the clocks of the scenario. Then it runs on all
# other AMD GPUs: those that it knows, and those that are too new for it.
set -u

drmsim=$(realpath "${BUILD_DIR:-build}/bin/drmsim")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
hang=600 # seconds: as in tests/papi/lib.sh

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
	timeout $hang radeontop -d - -l 1 > "$work/line" 2>&1
status=$?
if [ $status = 0 ]; then
	echo "ok radeontop exits with 0"
else
	echo "not ok radeontop exits with 0 (but $status)"
	failed=1
fi
shows "radeontop shows the bus" "bus 03"
shows "radeontop shows how busy the GPU is" "gpu 37.50%"
shows "radeontop shows how busy textures are" "ta 25.00%"
shows "radeontop shows how busy shader input is" "spi 10.00%"
shows "radeontop shows how busy colour is" "cb 100.00%"
shows "radeontop shows an idle block as idle" "pa 0.00%"
shows "radeontop shows the memory clock" "mclk 100.00% 0.945ghz"
shows "radeontop shows the shader clock" "sclk 50.00% 0.815ghz"

# one of each GPU, at the same time
known="bonaire polaris10 vega20 mi100 mi200 navi10 navi21"
unknown="mi300 navi31 navi48"
for gpu in $known $unknown; do
	"$drmsim" --gpu "$gpu,busy=gui 37.5,busy=ta 25,busy=cb 100" --strict \
		-- timeout $hang radeontop -d - -l 1 > "$work/$gpu" 2>&1 ||
		echo "status $?" >> "$work/$gpu" &
done
wait
for gpu in $known $unknown; do
	cp "$work/$gpu" "$work/line"
	for text in "gpu 37.50%" "cb 100.00%" "spi 0.00%"; do
		shows "$gpu: radeontop shows $text" "$text"
	done
	if grep -q "^status" "$work/line"; then
		echo "not ok $gpu: radeontop exits with 0" \
			"($(grep "^status" "$work/line"))"
		failed=1
	fi
	is_known=1
	grep -q "Unknown Radeon card" "$work/line" && is_known=0
	case " $known " in
	*" $gpu "*)
		expected=1
		shows "$gpu: radeontop shows how busy textures are" "ta 25.00%"
		;;
	# it takes bits of one that is too new for those of an old one
	*) expected=0 ;;
	esac
	if [ $is_known = $expected ]; then
		echo "ok $gpu: radeontop knows known GPUs only"
	else
		echo "not ok $gpu: radeontop knows known GPUs only" \
			"(known $is_known)"
		failed=1
	fi
done
exit $failed
