#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Ranks of a job count on one GPU, or on several, all at once, and each has the
# whole GPU's counts. Events that do not fit are refused in words of MPI. Ranks
# are processes with a rank in their environment, and those of mpirun where it
# is.
. tests/tool/lib.sh
. tests/tool/ranks.sh

gpu=vega10
# every event counts a whole number in a nanosecond
cat > "$work/scenario" << 'END'
rate TCC.3 3000000000
rate TCC.4 4000000000
rate TCC.5 5000000000
rate TCC.6 6000000000
rate TCC.7 7000000000
END
two=amdgpu::TCC.REQ@:instance=0,amdgpu::TCC.STREAMING_REQ@:instance=0
other=amdgpu::TCC.COMPRESSED_REQ@:instance=0
other=$other,amdgpu::TCC.COMPRESSED_0_REQ@:instance=0
too_much=amdgpu::TCC.COMPRESSED_32_REQ@:instance=0

# all of the time that the first tells
exact='
	/TCC.REQ/ { per = 3 }
	/STREAMING_REQ/ { per = 4 }
	/COMPRESSED_REQ/ { per = 5 }
	/COMPRESSED_0_REQ/ { per = 6 }
	/COMPRESSED_32_REQ/ { per = 7 }
	/TCC/ {
		time = $8 / per
		if (time < 1000000 || first && time != first)
			exit wrong = 1
		first = time
	}
	END { exit wrong || !first }'

all_kinds()
{
	local kind=$1 refused
	job "$kind" 1 $two
	exact "$kind: all ranks count the same events on one GPU" $ranks
	left_as_found "$kind: the same events"
	job "$kind" 1 $two $other
	exact "$kind: all ranks count different events that fit" $ranks
	left_as_found "$kind: other events"
	job "$kind" 4 $two $other
	exact "$kind: all ranks count on four GPUs" $ranks
	left_as_found "$kind: four GPUs"

	# whoever comes first counts
	job "$kind" 1 $two,$other $too_much
	refused=$(grep -lx 125 "$work"/status.* | wc -l)
	exact "$kind: ranks whose events fit count exactly" $((ranks - refused))
	cat "$work"/said.* > "$work/all"
	has "$kind: the refusal is in words of MPI" "$work/all" \
		'rank [0-9]+ of your job \(pid [0-9]+\) counts on /dev/dri/' \
		'TCC has no room' 'give each rank a GPU of its own by :device='
	left_as_found "$kind: what does not fit"

	# two of the four counters are spare: a rank that is killed while it
	# programs one costs the others that one
	killed "$kind: ranks that die" "$kind" ${two%,*} ${two#*,}
	# A rank that ends beside one that is killed before it is gone itself has
	# left to that one what is on; and nobody knows what the clock bit was
	# before a rank that was killed while it counted alone.
	has "$kind: ranks that die: the GPU is put back" "$work/report" \
		' grbm_gfx_index=0xe0000000 counters=stopped '
	if ! grep -qE '^(cleanup|violation) .* kind=clock-bit ' "$work/report"; then
		has "$kind: ranks that die: the clock bit is put back" \
			"$work/report" \
			' counters=stopped clock_bit=0 '
	fi
}

run_kinds
finish
