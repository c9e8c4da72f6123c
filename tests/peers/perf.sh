#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf stat counts the same of a command on the CPU as perf stat. One runs
# inside the other, so that both count the same run of the same work. The outer
# one counts the inner one as well, and thus more, but not much.
. tests/papi/lib.sh

drmperf=$BUILD_DIR/bin/drmperf

# Threads, a process, page faults and sleep, of which all has to be counted.
cat > "$work/work.c" <<'END'
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGES 20000

static void *touch(void *data)
{
	const struct timespec moment = { 0, 1000 };
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *memory = mmap(NULL, PAGES * size, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct timespec busy;

	madvise((void *)memory, PAGES * size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		memory[i * size] = 1;
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &busy);
	while (busy.tv_nsec < 400000000 && !busy.tv_sec);
	for (unsigned i = 0; i < 1000; i++)
		nanosleep(&moment, NULL);
	return data;
}

int main(void)
{
	pthread_t thread;
	pid_t child;

	pthread_create(&thread, NULL, touch, NULL);
	child = fork();
	touch(NULL);
	if (!child)
		_exit(0);
	pthread_join(thread, NULL);
	waitpid(child, NULL, 0);
	return 0;
}
END
if ! command -v perf > "$work/which"; then
	skip "drmperf stat agrees with perf stat" \
		"perf is not installed (linux-perf)"
	exit 0
fi
if ! gcc -O1 -D_GNU_SOURCE -pthread -o "$work/work" "$work/work.c" \
	> "$work/out" 2>&1; then
	not_ok "the work can be compiled" "$work/out"
	finish
fi

pairs='task-clock perf::TASK-CLOCK
page-faults perf::PAGE-FAULTS
minor-faults perf::MINOR-FAULTS
context-switches perf::CONTEXT-SWITCHES'
# what this machine's files offer and perf can count of a process
if [ -e /sys/bus/event_source/devices/msr/events/tsc ]; then
	pairs="$pairs
msr/tsc/ msr::tsc"
else
	skip "drmperf agrees with perf: msr::tsc" "this machine has no such PMU"
fi
for event in cycles instructions; do
	if perf stat -x, -e $event true 2>&1 | grep -q '^[0-9]'; then
		pairs="$pairs
$event perf::${event^^}"
	else
		skip "drmperf agrees with perf: perf::${event^^}" \
			"this machine shows no such counter"
	fi
done
theirs=$(echo "$pairs" | cut -d' ' -f1 | paste -sd,)
ours=$(echo "$pairs" | cut -d' ' -f2 | paste -sd,)

perf=(perf stat -x, -o "$work/theirs" -e "$theirs" --)
drmperf=("$drmperf" stat --csv -o "$work/ours" -e "$ours" --)
if ! "${perf[@]}" true > "$work/out" 2>&1 || grep -q '^<not' "$work/theirs"
then
	skip "drmperf stat agrees with perf stat" "perf cannot count here"
	exit 0
fi

# value_theirs EVENT, value_ours EVENT: perf has milliseconds for time
value_theirs()
{
	awk -F, -v e="$1" '$3 == e || $3 == e ":u" {
		printf "%.0f\n", $2 == "msec" ? $1 * 1e6 : $1}' "$work/theirs"
}
value_ours()
{
	awk -F, -v e="$1" '$6 == e {print $8}' "$work/ours"
}

# compare WHICH: outer has at least what inner has, and a quarter more at most.
# Whenever a thread gets its processor or gives it back, the kernel begins or
# ends one event after the other: what passes with time passes in between.
compare()
{
	local their our outer inner least
	while read -r their our; do
		case $our in
		*TASK-CLOCK | *CYCLES | *tsc) least=0.95 ;;
		*) least=1 ;;
		esac
		inner=$(value_theirs "$their") outer=$(value_ours "$our")
		[ "$1" = inside ] || { local t=$inner; inner=$outer; outer=$t; }
		if awk -v i="$inner" -v o="$outer" -v least=$least 'BEGIN {
			exit !(i > 0 && o >= least * i && o <= 1.25 * i) }'; then
			ok "drmperf agrees with perf that runs $1: $our"
		else
			not_ok "drmperf agrees with perf that runs $1: $our \
($(value_ours "$our"), perf has $(value_theirs "$their"))"
		fi
	done <<< "$pairs"
}

"${drmperf[@]}" "${perf[@]}" "$work/work" > "$work/out" 2>&1
compare inside
"${perf[@]}" "${drmperf[@]}" "$work/work" > "$work/out" 2>&1
compare outside

# three times the pages, and hardly more
faults=$(value_ours perf::PAGE-FAULTS)
[ "$faults" -ge 60000 ] && [ "$faults" -lt 61000 ] &&
	ok "threads and children are counted" ||
	not_ok "threads and children are counted ($faults faults)"
finish
