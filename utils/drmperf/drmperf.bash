# SPDX-License-Identifier: BSD-3-Clause
# Completion of drmperf(1) and drmsim(1) for bash: commands, options and their
# arguments as --help of the programs has them, events of the GPUs that are
# here, patterns aside, and names of simulated GPUs.

# What programs and commands have printed for --help, read once in a shell.
declare -gA _drmperf_helps

# _drmperf_read PROGRAM [COMMAND]: set "help" to what it prints for --help
_drmperf_read()
{
	help=${_drmperf_helps[$*]}
	if [ -z "$help" ]; then
		help=$("$@" --help 2> /dev/null)
		_drmperf_helps[$*]=$help
	fi
}

# Set "options" to those of the help, and "arguments" to what each takes.
_drmperf_parse()
{
	local line argument name
	local row='^  ((-[A-Za-z]), |    )(--[a-z][a-z-]*)[^ ]*( ([^ -][^ ]*))?'
	while IFS= read -r line; do
		[[ $line =~ $row ]] || continue
		argument=${BASH_REMATCH[5]}
		for name in ${BASH_REMATCH[2]} "${BASH_REMATCH[3]}"; do
			options+=("$name")
			arguments[$name]=$argument
		done
	done <<< "$help"
}

# _drmperf_reply TOKEN CANDIDATE...: those that continue the token. Readline
# takes what is behind the last colon or equals sign for the word.
_drmperf_reply()
{
	local token=$1 behind=$1 candidate breaks=${COMP_WORDBREAKS//[^:=]/}
	shift
	[ -n "$breaks" ] && behind=${token##*[$breaks]}
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

# _drmperf_argument PROGRAM TOKEN WORD: what the word of --help stands for
_drmperf_argument()
{
	case $3 in
	EVENT | EVENTS) _drmperf_events "$1" "$2" ;;
	GROUP | GROUPS)
		_drmperf_reply "$2" \
			$("$1" list -M 2> /dev/null | cut -f1 | sort -u)
		;;
	DEVICE*)
		_drmperf_reply "$2" $("$1" list --groups 2> /dev/null |
			sed -n 's/.*:device=\([0-9]*\).*/\1/p' | sort -nu)
		;;
	FILE | DIR) compopt -o default 2> /dev/null ;;
	COMMAND) _drmperf_command "$COMP_CWORD" "$2" ;;
	KIND*) _drmperf_reply "$2" $("$1" --list) ;;
	*\|*) _drmperf_reply "$2" ${3//|/ } ;;
	esac
}

# _drmperf_command INDEX TOKEN: complete a command that begins at that word
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

# _drmperf_find_command FIRST SKIP: set "start" to the index of the first word
# of the command a tool runs: behind the options from a word on, and so many
# other words. Nothing if there is none yet, or it may as well be an option.
_drmperf_find_command()
{
	local i=$1 skip=$2
	while [ "$i" -lt "$COMP_CWORD" ]; do
		case ${COMP_WORDS[i]} in
		--)
			start=$((i + 1))
			return
			;;
		-*)
			[ -n "${arguments[${COMP_WORDS[i]}]}" ] && i=$((i + 1))
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
	[ "$i" -lt "$COMP_CWORD" ] || [ "$skip" -lt "$2" ] && start=$i
}

# _drmperf_words FIRST PROGRAM [COMMAND]: complete the words from the first on
_drmperf_words()
{
	local first=$1 program=$2 command=$3 help start operand skip=0
	local -a options
	local -A arguments
	shift
	_drmperf_read "$@"
	_drmperf_parse
	operand=${help%%$'\n'*}
	operand=${operand##* }
	case $command:$previous:$help in
	list:-M:* | list:--metric-groups:*) operand=GROUP ;;
	list:*) operand=EVENTS ;;
	*'MODE is one of '*)
		skip=1
		operand=${help##*MODE is one of }
		operand=${operand%%[^a-z|-]*}
		;;
	*' [--] '*) operand=COMMAND ;;
	esac
	[[ $help = *' [--] '* ]] && _drmperf_find_command "$first" $skip
	if [ -n "$start" ]; then
		_drmperf_command "$start" "$token"
	elif [[ $token = -* ]]; then
		_drmperf_reply "$token" "${options[@]}"
	elif [ -n "${arguments[$previous]}" ]; then
		_drmperf_argument "$program" "$token" "${arguments[$previous]}"
	else
		_drmperf_argument "$program" "$token" "${operand//[].[]/}"
	fi
}

_drmperf()
{
	local token previous help
	local line=${COMP_LINE:0:COMP_POINT}
	token=${line##*[[:blank:]]}
	previous=${line%"$token"}
	previous=${previous%"${previous##*[![:blank:]]}"}
	previous=${previous##*[[:blank:]]}
	COMPREPLY=()

	if [[ $1 = *drmsim ]]; then
		_drmperf_words 1 "$1"
	elif [ "$COMP_CWORD" = 1 ] || [ "${COMP_WORDS[1]}" = help ]; then
		_drmperf_read "$1"
		_drmperf_reply "$token" \
			$(sed -n 's/^  \([a-z-]*\) .*/\1/p' <<< "$help")
	else
		_drmperf_words 2 "$1" "${COMP_WORDS[1]}"
	fi
}

complete -F _drmperf drmperf drmsim
