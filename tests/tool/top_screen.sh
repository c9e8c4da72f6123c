#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf top on a real terminal: the screen, the keys and the sizes are right,
# and the terminal is restored whatever ends top.
. tests/tool/lib.sh

gpus="--gpu vega10 --gpu sklgt2"

# screen NAME SIZE STEP... : steps of terminal.py; $options are top's
screen()
{
	local name=$1
	shift
	# shellcheck disable=SC2086
	if $sim $gpus -- python3 tests/tool/terminal.py "$@" -- "$tool" top \
		-s 200 ${options:-} > "$work/screen" 2>&1; then
		ok "$name"
	else
		not_ok "$name" "$work/screen"
	fi
}

if ! command -v python3 > /dev/null; then
	skip "top shows a screen" "there is no python3"
	exit 0
fi

run 125 $sim --gpu vega10 -- "$tool" top < /dev/null
if grep -q 'built without ncursesw' "$work/err"; then
	has "no ncursesw has a remedy" "$work/err" '^try: print frames'
	skip "top shows a screen" "drmperf was built without ncursesw"
	exit $failed
fi

screen "top shows a screen, and q ends it" 40x100 "has GPU 0: Skylake GT2" \
	"has GPU 1: Vega 10" "has Render 0" "has Not seen" "has ? help" \
	"has Processes, by busy" "key q" "ends 0"
screen "F10 ends top" 24x80 "has Vega" 'key \x1b[21~' "ends 0"
screen "Ctrl-C ends top" 24x80 "has Vega" 'key \x03' "ends 130"
screen "SIGTERM ends top" 24x80 "has Vega" "signal TERM" "ends 143"
screen "SIGHUP ends top" 24x80 "has Vega" "signal HUP" "ends 129"
screen "h and ? show the help" \
	24x80 "has Vega" "key h" "has sort processes" "lacks Vega" \
	"key h" "has Vega" "key ?" "has this page" "key q" "ends 0"
screen "p pauses and goes on" \
	24x80 "has Vega" "key p" "first paused" "has p go on" "key p" \
	"lacks paused" "key q" "ends 0"
screen "digits and arrows choose one GPU" \
	40x80 "has Vega" "key 0" "lacks Vega" \
	"has Skylake" 'key \x1bOC' "has Vega" "lacks Skylake" "key a" \
	"has Skylake" "has Vega" "key q" "ends 0"
screen "s changes the order of processes" \
	40x80 "has by busy" "key s" "has by memory" "key s" \
	"has by pid" "key s" "has by command" "key s" "has by GPU" "key s" \
	"has by busy" "key q" "ends 0"
screen "keys of their own change the order of processes" \
	40x80 "has by busy" "key M" "has by memory" "key r" \
	"has by memory, reversed" "key P" "has by pid" "lacks reversed" \
	"key C" "has by command" "key G" "has by GPU" "key B" "has by busy" \
	"key q" "ends 0"
screen "top does not list its own process" 40x80 "has frame 2" "key iM" \
	"has by memory" "has none that uses" "lacks   drmperf" "key q" "ends 0"
screen "processes stay visible below GPUs that do not fit" 16x80 "key c" \
	"key c" "has Render 0" "has Processes" "has none that uses" \
	"lacks Not seen" 'key \x1b[6~' "lacks GPU 0:" "has Processes" \
	'key \x1bOF' "has Not seen" "key q" "ends 0"
screen "GPUs that do not fit are a line each" 22x80 "has GPU  NAME" \
	"has 0  HD Graphics 530" "has 1  Radeon RX Vega" "has Processes" "lacks Render 0" \
	"key 0" "has Render 0" "lacks GPU  NAME" "key q" "ends 0"
screen "GPUs that fit have all rows" 40x80 "has Render 0" "lacks GPU  NAME" \
	"key c" "has GPU  NAME" "lacks Render 0" "key c" "has Render 0" \
	"size 10x80" "has Render 0" "key c" "has GPU  NAME" "key q" "ends 0"
screen "keys scroll the screen" \
	10x80 "has Vega" "key c" "key c" "has Render 0" \
	"first drmperf top" "lacks Not seen" 'key \x1bOF' \
	"has -M memory counts them" "first drmperf top" 'key \x1bOH' "has GPU 0:" \
	'key \x1b[6~' "lacks GPU 0:" 'key \x1b[5~' "has GPU 0:" "key j" \
	"lacks GPU 0:" "key k" "has GPU 0:" "key q" "ends 0"
screen "a screen that grows shows more" \
	6x80 "has Vega" "lacks Render 0" "size 50x120" \
	"has Render 0" \
	"has Not seen" "key q" "ends 0"
screen "a screen that shrinks shows less" \
	50x120 "has Not seen" "size 8x60" "lacks Not seen" \
	"has GPU  NAME" "key q" "ends 0"
for size in 1x1 2x10 3x20 5x40; do
	screen "top survives a screen of $size" \
		$size "has d" "key jjkk" "size 40x80" \
		"has Render 0" "size $size" "lacks Render 0" "key q" "ends 0"
done
gpus="$gpus --load compute-bound"
screen "titles and bars have colours" 40x100 "colour 6 G" "colour 1 |" \
	"colour 2 |" "key q" "ends 0"
screen "histories have a colour of their own" 40x100 "colour 4 #" "key q" \
	"ends 0"
bar="||||||||||||"
screen "bars are as wide as the terminal lets them" 40x80 "has [$bar]" \
	"size 40x200" "has [$bar$bar$bar$bar$bar$bar" "size 40x80" \
	"has [$bar]" "lacks $bar|" "key q" "ends 0"
screen "bars in lines of GPUs are as wide as the terminal lets them" \
	22x80 "has ${bar%|||}]" \
	"lacks ${bar%||}" "has MEMORY" "size 22x200" \
	"has [$bar$bar$bar$bar$bar$bar$bar$bar$bar$bar" "key q" "ends 0"
NO_COLOR=1 screen "NO_COLOR leaves the screen without colours" 40x100 \
	"has Render 0" "has |||" "plain" "key q" "ends 0"
gpus="--gpu bmg --gpu vega10 --load memory-bound"
screen "the line of a GPU has the clock of its main GT, not of the media's" \
	14x80 "has GPU  NAME" "has 2.45 GHz" "lacks 1.38 GHz" "key q" "ends 0"
gpus="--gpu vega10 --gpu sklgt2"
options="-n 3" screen "top -n ends by itself" 24x80 "ends 0"
options="-M memory" screen "top -M shows counters" \
	60x100 "has oa.GtiReadThroughput" \
	"has metric.FetchSize" "key q" "ends 0"
options="-M memroy" screen "an error is printed after the screen is left" \
	24x80 \
	'has no GPU has a metric group "memroy"' "ends 125"

status "top exits with 125 without a terminal" \
	125 $sim $gpus -- "$tool" top < /dev/null
has "no terminal has a remedy" "$work/err" 'not both a terminal' \
	'^try: print frames: -b$'

finish
