#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The completion for bash offers the right words, also at a real prompt.
. tests/tool/lib.sh

completion=utils/drmperf/drmperf.bash
# The words of a line as readline splits them.
cat > "$work/complete" << 'END'
. "$1"
COMP_LINE=$2
COMP_POINT=${#COMP_LINE}
COMP_WORDS=()
for word in $COMP_LINE; do
	while [[ $word =~ ^([:=]+|[^:=]+)(.*)$ ]]; do
		COMP_WORDS+=("${BASH_REMATCH[1]}")
		word=${BASH_REMATCH[2]}
	done
done
[[ $COMP_LINE = *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_drmperf "$3"
printf '%s\n' "${COMPREPLY[@]}"
END

# offers LINE WORD...: all of them, in this order
offers()
{
	local line=$1
	shift
	$sim --gpu vega10 --gpu sklgt2 -- bash "$work/complete" \
		"$completion" "$line" "$BUILD_DIR/bin/${line%% *}" \
		> "$work/out" 2> "$work/err"
	cat "$work/err" >> "$work/out"
	same "'$line' has right completions" \
		"$work/out" "$(printf '%s\n' "$@")"
}

# some LINE WORD...: at least these
some()
{
	local line=$1 word
	shift
	$sim --gpu vega10 --gpu sklgt2 -- bash "$work/complete" \
		"$completion" "$line" "$BUILD_DIR/bin/${line%% *}" \
		> "$work/out" 2>&1
	for word; do
		grep -Fxq -- "$word" "$work/out" || {
			not_ok "'$line' has right completions (no '$word')" \
				"$work/out"
			return
		}
	done
	ok "'$line' has right completions"
}

offers 'drmperf ' list info split stat record report top serve clock trace papi gl \
	vk selftest --help --version
offers 'drmperf s' split stat serve selftest
offers 'drmperf record --fr' --freq
offers 'drmperf report --ht' --html
offers 'drmperf report --sym' --symbols
offers 'drmperf report --rg' --rgp
offers 'drmperf record --st' --stalls --stream
offers 'drmperf list --' --groups --metric-groups --all --json
offers 'drmperf list -M me' memory
offers 'drmperf info -' -n --no-try
offers 'drmperf split --c' --compose --cut-metrics
offers 'drmperf stat --re' --repeat
offers 'drmperf stat -' -e --event -i --input -M --metric-groups -d --device \
	--per-instance --per-die -p --pid -a --all --timeout -D --delay -I --interval -r --repeat \
	--passes --control --kernels --kernel --skip --limit --pmc --csv -x \
	--field-separator --json --raw -v --verbose -o --output --append
offers 'drmperf stat --metric-groups c' cache compute copies
some 'drmperf stat -M memory -- tou' touch
offers 'drmperf help st' stat
offers 'drmperf clock p' profiling peak
offers 'drmperf clock -d ' 0 1
some 'drmperf stat --csv tou' touch
offers 'drmperf serve --' --event --metric-groups --device --listen --textfile \
	--interval --once --processes --no-yield
offers 'drmperf serve -M me' memory
offers 'drmperf serve -e amdgpu::TCC.RETURN_A' TCC.RETURN_ACK TCC.RETURN_ACK_HOLE
offers 'drmperf clock --d' --device
some 'drmperf split am' amdgpu::TCC. amdgpu::metric.
offers 'drmperf stat -e amdgpu::TCC.RETURN_A' TCC.RETURN_ACK TCC.RETURN_ACK_HOLE
offers 'drmperf stat -e amdgpu::TCC.HIT,amdgpu::TCC.RETURN_D' TCC.RETURN_DATA
offers 'drmperf split --json i915::RenderBasic.GpuTi' RenderBasic.GpuTime
offers 'drmperf split i915::RenderBasic.GpuTime:d' device=0
offers 'drmperf list i915::ComputeBasic.GpuB' ComputeBasic.GpuBusy
some 'drmperf stat -e amdgpu::TCC.HIT -- tou' touch
some 'drmperf stat -e amdgpu::TCC.HIT tou' touch
some 'drmperf stat -d 0 -x ; -D 5 -i file tou' touch
some 'drmperf clock peak tou' touch
offers 'drmperf papi --e' --event
offers 'drmperf papi -e amdgpu::TCC.RETURN_D' TCC.RETURN_DATA
some 'drmperf papi -e amdgpu::TCC.HIT tou' touch
offers 'drmperf gl --o' --override --output
offers 'drmperf gl --print -e amdgpu::TCC.RETURN_D' TCC.RETURN_DATA
offers 'drmperf vk --pr' --print
some 'drmperf vk --print -M mem' memory
some 'drmperf vk --print -e amdgpu::TCC.HIT tou' touch
some 'drmperf gl tou' touch
some 'drmperf gl -d 0 tou' touch
offers 'drmperf vk --d' --device
some 'drmperf vk -d 0 tou' touch
some 'drmsim --gpu vega10 tou' touch
some 'drmsim --gpu vega10 -- tou' touch
offers 'drmsim --gpu vega' vega10 vega12 vega20
some 'drmsim -g ' vega10 sklgt2
offers 'drmsim --time v' virtual
offers 'drmsim --load m' memory-bound
some 'drmsim --load idle tou' touch
offers 'drmsim --s' --scenario --strict
$sim --list > "$work/names"
offers 'drmsim --gpu ' $(cat "$work/names")

# ---------------------------------------------------------------- a prompt
# At a real one the word behind the colons is completed, and the list goes on.
cat > "$work/rc" << END
PS1='> '
PATH=$(dirname "$tool"):\$PATH
. $PWD/$completion
END
# appears PATTERN: or not, for as long as that may take
appears()
{
	local end=$((SECONDS + hang))
	# it hangs if it does not come within that time
	while ! grep -q "$1" "$work/out" && [ $SECONDS -lt $end ]; do
		sleep 0.1 # until it has appeared
	done
}
if has_terminals; then
	: > "$work/out"
	{
		appears '^> '
		printf 'drmperf split --json i915::RenderBasic.GpuTi\t,i915::RenderBasic.GpuB\t\n'
		appears 'lower_bound'
		printf 'drmperf inf\t\n'
		appears 'everything works'
		printf 'exit\n'
	} | HOME=$work INPUTRC=/dev/null TERM=dumb script -qec \
		"$sim --gpu sklgt2 -- bash --rcfile '$work/rc' -i" /dev/null \
		> "$work/out" 2>&1
	has "completion works at a prompt, behind colons as well" "$work/out" \
		'\[\["i915::RenderBasic.GpuTime:device=0", "i915::RenderBasic.GpuBusy:device=0"\]\]' \
		'^everything works'
else
	skip "completion works at a prompt, behind colons as well" \
		"script(1) cannot make a terminal"
fi
finish
