# SPDX-License-Identifier: BSD-3-Clause
# Completion of drmperf(1) and drmsim(1) for bash: commands, options, events of
# the GPUs that are here, patterns aside, and names of simulated GPUs. What
# there is comes from the programs themselves.

# The options of a --help text that is read.
_drmperf_options()
{
	sed -nE 's/^ +(-[A-Za-z], )?(--[a-z][a-z-]*).*/\1\2/p' | tr -d ' ' |
		tr ',' '\n'
}

# _drmperf_reply TOKEN CANDIDATE...: those that continue the token. Readline
# takes what is behind the last colon or equals sign for the word.
_drmperf_reply()
{
	local token=$1 behind candidate
	shift
	behind=${token##*[$(printf %s "$COMP_WORDBREAKS" | tr -cd ':=')]}
	for candidate; do
		[[ $candidate = "$token"* ]] &&
			COMPREPLY+=("${candidate:$((${#token} - ${#behind}))}")
	done
}

# _drmperf_events PROGRAM TOKEN: the last of a list; groups before events
_drmperf_events()
{
	local program=$1 token=$2 last names
	last=${token##*,}
	compopt -o nospace 2> /dev/null
	names=$("$program" list --all 2> /dev/null | cut -f1)
	[[ $last = *.*:* ]] ||
		names=$(sed 's/:device=.*//' <<< "$names" | sort -u)
	[[ $last = *.* ]] ||
		names=$(sed 's/\..*/./' <<< "$names" | sort -u)
	# shellcheck disable=SC2086
	_drmperf_reply "$token" $(sed "s#^#${token%"$last"}#" <<< "$names")
}

# _drmperf_command INDEX: complete a command that begins at that word
_drmperf_command()
{
	if declare -F _command_offset > /dev/null; then
		_command_offset "$1"
	elif [ "$COMP_CWORD" = "$1" ]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$2")
	else
		compopt -o default 2> /dev/null
	fi
}

# The index of the first word of the command a tool runs: behind the options
# from word $1 on, of which those in $2 take a value, and $3 other words.
# Nothing if there is none yet, or it may as well be an option.
_drmperf_find_command()
{
	local i=$1 values=${2//[[:space:]]/ } skip=$3 skipped=$3
	while [ "$i" -lt "$COMP_CWORD" ]; do
		case ${COMP_WORDS[i]} in
		--)
			echo $((i + 1))
			return
			;;
		-*)
			[[ " $values " = *" ${COMP_WORDS[i]} "* ]] &&
				i=$((i + 1))
			# what readline has split: a list of events, N=V
			while [[ ${COMP_WORDS[i + 1]} = *[:=]* ||
				${COMP_WORDS[i]} = *[:=]* ]] &&
				[ $((i + 1)) -lt "$COMP_CWORD" ]; do
				i=$((i + 1))
			done
			;;
		*)
			[ "$skip" = 0 ] && break
			skip=$((skip - 1))
			;;
		esac
		i=$((i + 1))
	done
	[ "$i" -lt "$COMP_CWORD" ] || [ "$skip" -lt "$skipped" ] && echo "$i"
}

_drmperf()
{
	local program=$1 token previous command start
	local line=${COMP_LINE:0:COMP_POINT}
	token=${line##*[[:blank:]]}
	previous=${line%"$token"}
	previous=${previous%"${previous##*[![:blank:]]}"}
	previous=${previous##*[[:blank:]]}
	command=${COMP_WORDS[1]}
	COMPREPLY=()

	if [ "$COMP_CWORD" = 1 ]; then
		_drmperf_reply "$token" $("$program" --help |
			sed -n 's/^  \([a-z-]*\) .*/\1/p')
		return
	fi
	case $command in
	stat)
		start=$(_drmperf_find_command 2 "-e --event -I --interval \
			-M --metric-groups -r --repeat -o --output --control -i --input \
			-d --device -p --pid --timeout -D --delay -x \
			--field-separator --kernel --skip --limit --pmc" 0)
		;;
	record)
		start=$(_drmperf_find_command 2 "-e --event -M --metric-groups \
			-i --input -d --device -F --freq -c --count -p --pid --timeout \
			--every -o --output -z --compression-level" 0)
		;;
	clock) start=$(_drmperf_find_command 2 "-d --device" 1) ;;
	trace) start=$(_drmperf_find_command 2 "--rgp -d --device -D --delay \
		--frame --buffer" 0) ;;
	papi) start=$(_drmperf_find_command 2 "-e --event" 0) ;;
	gl | vk)
		start=$(_drmperf_find_command 2 "-d --device -e --event \
			-M --metric-groups -o --output" 0)
		;;
	esac
	if [ -n "$start" ]; then
		_drmperf_command "$start" "$token"
		return
	fi
	case $command:$previous in
	stat:-e | stat:--event | stat:--pmc | stat:--control | papi:-e | papi:--event | \
		gl:-e | gl:--event | vk:-e | vk:--event | \
		record:-e | record:--event | serve:-e | serve:--event | \
		top:-e | top:--event | split:*)
		[[ $token = -* ]] ||
			_drmperf_events "$program" "$token"
		;;
	gl:-o | gl:--output | vk:-o | vk:--output | \
		stat:-o | stat:--output | stat:-i | stat:--input | serve:--textfile | \
		record:-o | record:--output | record:-i | record:--input | \
		trace:--rgp)
		compopt -o default 2> /dev/null
		;;
	report:*) [[ $token = -* ]] || compopt -o default 2> /dev/null ;;
	gl:-M | gl:--metric-groups | vk:-M | vk:--metric-groups | \
		stat:-M | stat:--metric-groups | record:-M | record:--metric-groups | \
		serve:-M | serve:--metric-groups | \
		top:-M | top:--metric-groups | list:-M | list:--metric-groups)
		_drmperf_reply "$token" \
			$("$program" list -M 2> /dev/null | cut -f1 | sort -u)
		;;
	list:*) [[ $token = -* ]] || _drmperf_events "$program" "$token" ;;
	help:*)
		_drmperf_reply "$token" $("$program" --help |
			sed -n 's/^  \([a-z-]*\) .*/\1/p')
		;;
	clock:*)
		_drmperf_reply "$token" default profiling min-memory \
			min-engine peak
		;;
	esac
	if [[ $token = -* ]]; then
		_drmperf_reply "$token" \
			$("$program" "$command" --help | _drmperf_options)
	elif [[ " stat record trace papi gl vk " = *" $command "* ]] &&
		[ ${#COMPREPLY[@]} = 0 ] &&
		[[ $previous != -* ]]; then
		_drmperf_command "$COMP_CWORD" "$token"
	fi
}

_drmsim()
{
	local program=$1 token previous start
	local line=${COMP_LINE:0:COMP_POINT}
	token=${line##*[[:blank:]]}
	previous=${line%"$token"}
	previous=${previous%"${previous##*[![:blank:]]}"}
	previous=${previous##*[[:blank:]]}
	COMPREPLY=()

	start=$(_drmperf_find_command 1 "-g --gpu -L --load -s --scenario -t --time \
		-f --fault -r --report -l --log" 0)
	if [ -n "$start" ]; then
		_drmperf_command "$start" "$token"
		return
	fi
	case $previous in
	-g | --gpu) _drmperf_reply "$token" $("$program" --list) ;;
	-t | --time) _drmperf_reply "$token" real virtual 60x ;;
	-L | --load)
		_drmperf_reply "$token" idle memory-bound compute-bound graphics
		;;
	-s | --scenario | -r | --report | -l | --log)
		compopt -o default 2> /dev/null
		;;
	-f | --fault) ;;
	*)
		if [[ $token = -* ]]; then
			_drmperf_reply "$token" \
				$("$program" --help | _drmperf_options)
		else
			_drmperf_command "$COMP_CWORD" "$token"
		fi
		;;
	esac
}

complete -F _drmperf drmperf
complete -F _drmsim drmsim
