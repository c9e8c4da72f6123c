# SPDX-License-Identifier: BSD-3-Clause
# Ranks of a job below drmsim: sourced, after lib.sh. Ranks are processes with a
# rank in their environment, or those of mpirun.
ranks=16

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

# by_hand: the ranks without mpirun
cat > "$work/by_hand" << 'END'
export PMIX_NAMESPACE=by-hand OMPI_COMM_WORLD_RANK
for ((OMPI_COMM_WORLD_RANK = 0; OMPI_COMM_WORLD_RANK < $1;
	OMPI_COMM_WORLD_RANK++)); do
	bash "$WORK/rank" &
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

# job KIND GPUS EVENTS...: on so many GPUs as $gpu is one
job()
{
	local kind=$1 gpus=$2 i options= devices=
	shift 2
	rm -f "$work"/{counts,said,status}.* "$work"/{begun,go}
	mkfifo "$work/begun" "$work/go"
	for ((i = 0; i < gpus; i++)); do
		options="$options --gpu $gpu"
	done
	[ "$gpus" = 1 ] || devices=$gpus
	launch="bash $work/by_hand $ranks"
	[ "$kind" = hand ] || launch="mpirun --allow-run-as-root --oversubscribe
		-np $ranks bash $work/rank"
	WORK=$work SIM=$sim TOOL=$tool EVENTS="$*" DEVICES=$devices \
		$sim --strict --time virtual --scenario "$work/scenario" \
		$options -- bash "$work/job" $ranks $launch \
		> "$work/strict" 2>&1
	echo "drmsim: $?" >> "$work/strict"
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
			not_ok "$name: rank $rank" "$work/counts.$rank"
			return
		fi
	done
	if [ $counted = "$2" ]; then
		ok "$name"
	else
		cat "$work"/said.* "$work/launched" > "$work/all"
		not_ok "$name: $counted of $ranks ranks counted" "$work/all"
	fi
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
		skip "ranks of mpirun" "there is none (openmpi-bin)"
	fi
}
