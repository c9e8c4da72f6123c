# SPDX-License-Identifier: BSD-3-Clause
# Ranks of a job below drmsim: sourced, after lib.sh. Ranks are processes with a
# rank in their environment, or those of mpirun.
ranks=16
# how often one counts that is killed now and then: a minute with CHECK_ALL
rounds=${CHECK_ALL:+100}
rounds=${rounds:-5}

# What a rank does while it counts: wait until all others have begun, or failed
cat > "$work/measured" << 'END'
echo > "$WORK/begun"
read -r line < "$WORK/go"
"$SIM" ctl advance 1ms
END

# A rank: EVENTS are lists of events, the Nth rank takes the Nth of them; @ in
# them is where the device is told
cat > "$work/rank" << 'END'
rank=$OMPI_COMM_WORLD_RANK
lists=($EVENTS)
events=${lists[rank % ${#lists[@]}]}
device=
[ -z "$DEVICES" ] || device=:device=$((rank % DEVICES))
events=${events//@/$device}
"$TOOL" stat --csv -o "$WORK/counts.$rank" -e "$events" -- \
	bash "$WORK/measured" 2> "$WORK/said.$rank"
status=$?
echo "$status" > "$WORK/status.$rank"
[ $status = 0 ] || echo > "$WORK/begun"
exit 0
END

# A rank that counts again and again, is killed now and then at whatever it does,
# but not at the end; and what became of each time. Where a machine has much to
# do, the kernel has the stream of one that was killed for a while.
cat > "$work/restless" << 'END'
rank=$OMPI_COMM_WORLD_RANK
lists=($EVENTS)
events=${lists[rank % ${#lists[@]}]//@/}
count="$TOOL stat --csv -o $WORK/counts.$rank -e $events --"
RANDOM=$rank
for ((n = 1, busy = 0; n <= ROUNDS; n++)); do
	if ((n < ROUNDS && RANDOM % 2)); then
		# it is killed in any case, if not at the same place
		timeout -s KILL 0.$((RANDOM % 50 + 10)) $count sleep 600
	else
		$count "$SIM" ctl advance 1ms
	fi 2> "$WORK/said.$rank"
	status=$?
	if grep -q 'OA unit is in use' "$WORK/said.$rank" &&
		((busy++ < 100)); then
		((n--))
		continue
	fi
	case $status in
	0) awk -F, "$EXACT" "$WORK/counts.$rank" && echo exact || echo wrong ;;
	137) echo killed ;;
	*) tail -n 2 "$WORK/said.$rank" ;;
	esac >> "$WORK/outcomes.$rank"
done
END

# by_hand: the ranks without mpirun
cat > "$work/by_hand" << 'END'
export PMIX_NAMESPACE=by-hand OMPI_COMM_WORLD_RANK
for ((OMPI_COMM_WORLD_RANK = 0; OMPI_COMM_WORLD_RANK < $1;
	OMPI_COMM_WORLD_RANK++)); do
	bash "$2" &
done
wait
END

# Once all have begun or failed, all go on
cat > "$work/job" << 'END'
ranks=$1
shift
exec 3<> "$WORK/begun" 4<> "$WORK/go"
"$@" > "$WORK/launched" 2>&1 &
for ((i = 0; i < ranks; i++)); do
	read -r line <&3
done
for ((i = 0; i < ranks; i++)); do
	echo >&4
done
wait
END

# simulate RANK DRIVER KIND GPUS EVENTS...: the script of a rank, and what comes
# before the ranks' launcher, on so many GPUs as $gpu is one
simulate()
{
	local rank=$work/$1 driver=$2 kind=$3 gpus=$4 i options= devices=
	shift 4
	rm -f "$work"/{counts,said,status,outcomes}.* "$work"/{begun,go}
	mkfifo "$work/begun" "$work/go"
	for ((i = 0; i < gpus; i++)); do
		options="$options --gpu $gpu"
	done
	[ "$gpus" = 1 ] || devices=$gpus
	launch="bash $work/by_hand $ranks $rank"
	# on this machine alone, for which it would else want ssh all the same
	[ "$kind" = hand ] || launch="mpirun --allow-run-as-root --oversubscribe
		--mca plm isolated -np $ranks bash $rank"
	WORK=$work SIM=$sim TOOL=$tool EVENTS="$*" DEVICES=$devices \
		EXACT=$exact ROUNDS=$rounds \
		$sim --strict --report "$work/report" --time virtual \
		--scenario "$work/scenario" $options -- $driver $launch \
		> "$work/strict" 2>&1
	echo "drmsim: $?" >> "$work/strict"
}

# job KIND GPUS EVENTS...
job()
{
	simulate rank "bash $work/job $ranks" "$@"
}

# exact NAME COUNT: so many ranks have counted, and awk's program $exact finds
# their values right, each by itself
exact()
{
	local name=$1 rank status counted=0
	for ((rank = 0; rank < ranks; rank++)); do
		status=$(cat "$work/status.$rank")
		[ "$status" = 0 ] || continue
		counted=$((counted + 1))
		if ! awk -F, "$exact" "$work/counts.$rank"; then
			not_ok "$name (not rank $rank)" "$work/counts.$rank"
			return
		fi
	done
	if [ $counted = "$2" ]; then
		ok "$name"
	else
		cat "$work"/said.* "$work/launched" > "$work/all"
		not_ok "$name ($counted of $ranks ranks counted)" "$work/all"
	fi
}

# killed NAME KIND EVENTS...: who is not counts exactly, whoever else dies, and
# nobody's death matters to who comes next
killed()
{
	local name=$1 kind=$2
	shift 2
	simulate restless "" "$kind" 1 "$@"
	sort "$work"/outcomes.* | uniq -c > "$work/all"
	has "$name: some ranks are killed" "$work/all" ' killed$'
	lacks "$name: ranks that are not killed count exactly" "$work/all" \
		'^ *[0-9]+ (exact.+|killed.+|[^ek].*)$'
	tail -qn 1 "$work"/outcomes.* | sort | uniq -c > "$work/all"
	has "$name: all ranks count in the end" "$work/all" "^ *$ranks exact\$"
}

left_as_found()
{
	has "$1: the GPU is left as it was found" "$work/strict" '^drmsim: 0$'
}

# Both ways of all_kinds KIND
run_kinds()
{
	all_kinds hand
	if command -v mpirun > /dev/null; then
		all_kinds mpirun
	else
		skip "ranks of mpirun count" "there is none (openmpi-bin)"
	fi
}
