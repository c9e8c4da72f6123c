#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A key or value that drmsim does not know in the description of a GPU is an
# error that names file and line.
. tests/papi/lib.sh

# A copy of all descriptions, with a line added to one in place of those with
# the same key if they are not lists, and what is said of it.
refused()
{
	local gpu=$1 file=$2 line=$3 said=$4 gpus="$work/gpus" number

	rm -rf "$gpus"
	cp -r utils/drmsim/gpus "$gpus"
	case $line in
	register*|sensor*) ;;
	*) sed -i "/^${line%% *} /d" "$gpus/$file" ;;
	esac
	echo "$line" >> "$gpus/$file"
	number=$(wc -l < "$gpus/$file")
	DRMSIM_GPUS=$gpus "$sim" --gpu "$gpu" -- true 2> "$work/errors"
	if [ $? = 125 ] &&
		grep -Fq "$gpus/$file:$number: $said" "$work/errors"; then
		ok "'$line' in $file is refused"
	else
		not_ok "'$line' in $file is refused" "$work/errors"
	fi
}

refused vega10 vega10.gpu "colour red" "unknown key 'colour'"
refused mi300 gfx940.gen "colour red" "unknown key 'colour'"
refused tglgt2 tglgt2.gpu "colour red" "unknown key 'colour'"
refused vega10 vega10.gpu "register grbm-status 0x400000" "bad 'register'"
refused vega10 vega10.gpu "sensor 3" "bad 'sensor'"
refused tglgt2 tglgt2.gpu "eus 99" "bad 'eus'"
# numbers, of which each word may be missing but none be something else
refused vega10 vega10.gpu "family 14l" "bad 'family'"
refused vega10 vega10.gpu "shader-engines 0x100000001" "bad 'shader-engines'"
refused vega10 vega10.gpu "sclk 300 -1" "bad 'sclk'"
refused vega10 vega10.gpu "vram 8G" "bad 'vram'"
refused vega10 vega10.gpu "id 0x1002 0x1687f" "bad 'id'"
refused vega10 vega10.gpu "pci 0000:03:00" "bad 'pci'"
refused vega10 vega10.gpu "driver amdgpus" "bad 'driver'"
refused tglgt2 tglgt2.gpu "revision 0x100" "bad 'revision'"
refused tglgt2 tglgt2.gpu "class vga" "bad 'class'"
finish
