# SPDX-License-Identifier: BSD-3-Clause
# Functions that the suites with programs of other projects share. Nothing here
# takes a fixed time: a program runs until it has done what is wanted.

# wait_for PID COMMAND...: until the command succeeds, while that process lives
wait_for()
{
	local pid=$1
	shift
	until "$@"; do
		kill -0 "$pid" || return 1
		sleep 0.05 # until the command succeeds
	done
}

# at_least FILE BYTES
at_least()
{
	[ -f "$1" ] && [ "$(stat -c %s "$1")" -ge "$2" ]
}

# until_lines OUTPUT LINES PATTERN COMMAND...: run it until it has written so
# many lines of that pattern
until_lines()
{
	local output=$1 lines=$2 pattern=$3 pid
	shift 3
	# what an earlier one wrote is no sign that this one listens: a signal
	# that comes too early is ignored, and then nothing ends it
	: > "$output"
	stdbuf -oL "$@" > "$output" 2>&1 &
	pid=$!
	wait_for $pid has_lines "$output" "$lines" "$pattern" && kill -INT $pid
	wait $pid
}

has_lines()
{
	[ -f "$1" ] && [ "$(grep -c "$3" "$1")" -ge "$2" ]
}

dumped()
{
	at_least "$2" "$3" || {
		i915-perf-control -f "$1" -d "$2"
		return 1
	}
}

# record FOLDER BYTES OPTION...: let i915-perf-recorder run until
# FOLDER/recording holds so many bytes. It keeps them in memory, so that its
# FIFO can lie there, too: recorders that write to a file share one name for it
# on a machine, and do not start while another one has it.
record()
{
	local recording=$1/recording fifo=$1/fifo log=$1/recorder.log
	local bytes=$2 pid
	shift 2

	rm -f "$recording" "$fifo"
	i915-perf-recorder "$@" -s 16384 -f "$fifo" > "$log" 2>&1 &
	pid=$!
	wait_for $pid [ -p "$fifo" ] &&
		wait_for $pid dumped "$fifo" "$recording" "$bytes" || return 1
	# the command to quit, which is carried out behind the last dump
	printf '\2\0\0\0\10\0\0\0' > "$fifo"
	wait $pid
}

# record_to_file FOLDER BYTES OPTION...: the same straight to the file, after
# those who do so at this moment
record_to_file()
{
	local recording=$1/recording log=$1/recorder.log bytes=$2 pid
	shift 2

	(
		flock 9
		rm -f "$recording" /tmp/.i915-perf-record
		i915-perf-recorder "$@" -o "$recording" > "$log" 2>&1 9<&- &
		pid=$!
		wait_for $pid at_least "$recording" "$bytes" &&
			kill -INT $pid
		wait $pid
	) 9< /tmp
}
