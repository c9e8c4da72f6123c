#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf list on a terminal shows a screen at a time, as git does.
. tests/tool/lib.sh
unset DRMPERF_PAGER PAGER LESS

if ! command -v python3 > /dev/null; then
	skip "list uses a pager" "there is no python3"
	finish
fi

# on NAME SIZE STEP... -- ARGUMENT... : of drmperf list
on()
{
	local name=$1 steps=()
	shift
	while [ "$1" != -- ]; do
		steps+=("$1")
		shift
	done
	shift
	# shellcheck disable=SC2086
	if $vega python3 tests/tool/terminal.py "${steps[@]}" \
		-- env PATH="${path:-$PATH}" "$tool" list "$@" > "$work/screen" 2>&1; then
		ok "$name"
	else
		not_ok "$name" "$work/screen"
	fi
}

# a pager that says so, and what it was told
mkdir "$work/bin"
cat > "$work/bin/mine" << 'END'
#!/bin/bash
sed 's/^/mine: /'
echo "LESS=$LESS $1"
END
sed 's/mine/less/' "$work/bin/mine" > "$work/bin/less"
chmod +x "$work/bin/mine" "$work/bin/less"

export PATH=$work/bin:$PATH
on "list uses less if no pager is named" \
	24x120 "has LESS=FRX" "ends 0" -- TCC.REQ
LESS=S on "list leaves LESS to the user" 24x120 "has LESS=S" "ends 0" -- TCC.REQ
PAGER="mine a" on "list uses PAGER" \
	24x120 "has mine:" "has LESS=FRX a" "ends 0" \
	-- TCC.REQ
DRMPERF_PAGER=mine PAGER=less on "DRMPERF_PAGER takes precedence over PAGER" \
	24x120 \
	"has mine:" "lacks less:" "ends 0" -- TCC.REQ
PAGER=mine on "the pager shows messages, and the exit status is that of list" \
	24x120 \
	'has mine: drmperf list: no event matches "nosuch"' "ends 125" -- nosuch
PAGER=mine on "the pager shows JSON" \
	24x120 'has mine: [{"index"' "ends 0" -- --json TCC.REQ
PAGER=mine on "the pager shows metric groups" \
	24x120 'has mine:' 'has metric.FetchSize' \
	"ends 0" -- -M memory
for none in cat ''; do
	PAGER=$none on "PAGER='$none' turns the pager off" \
		24x120 "has TCC.REQ" \
		"lacks less:" "ends 0" -- TCC.REQ
done
DRMPERF_PAGER=true on "a pager that reads nothing is no failure" 24x120 \
	"ends 0" -- '*'
DRMPERF_PAGER="head -n 1; exit 3" on "a pager that fails is no failure" \
	24x120 "ends 0" -- '*'
PAGER=$work/nosuch on "a missing pager is an error with a remedy" 24x120 \
	'has cannot be run' 'has try: set PAGER or DRMPERF' "ends 125" \
	-- TCC.REQ
PATH=${PATH#"$work/bin":}

mkdir "$work/empty"
path=$work/empty on "list uses no pager if less is not installed" \
	24x120 "has TCC.REQ" "ends 0" -- TCC.REQ

PAGER="$work/bin/mine" run 0 $vega "$tool" list TCC.REQ
lacks "list uses no pager without a terminal" "$work/out" 'mine:'

# not drmperf's, but on a terminal as well
if python3 tests/tool/terminal.py 70x80 \
	'has sklgt2      Intel Skylake GT2; also skl, skylake' \
	'has mi300       Aqua Vanjaram (Instinct MI300X)' "ends 0" -- \
	"$sim" --list > "$work/screen" 2>&1; then
	ok "drmsim --list prints names and aliases on a terminal"
else
	not_ok "drmsim --list prints names and aliases on a terminal" \
		"$work/screen"
fi
"$sim" --list > "$work/out"
lacks "drmsim --list prints names only in a pipe" "$work/out" ' '

if ! command -v less > /dev/null; then
	skip "less shows a screen, and q ends it" "it is not there"
	finish
fi
on "less shows a screen, and q ends it" 12x80 "has Vega 10" "lacks TCC.REQ" \
	"key q" "ends 0" -- 'T*'
on "a list that fits one screen stays on it" \
	24x120 "has TCC.REQ" "ends 0" -- TCC.REQ
on "Ctrl-C is for less" 12x80 "has Vega 10" "signal INT" "key G" \
	"has (END)" "key q" "ends 0" -- 'T*'
finish
