#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A fault in an event table is reported, with file and line, by commands that
# need the part that it spoils, and by no other.
. tests/tool/lib.sh

skylake="$sim --gpu sklgt2 --"
folder=$work/events

# by the name alone; the self-test reads tables in the program, not the library
status "selftest runs as a program that PATH finds" 0 \
	env PATH="$(dirname "$tool"):$PATH" DRMPERF_STATE="$work" \
	$sim --gpu vega10 -- drmperf selftest --through 0
has "tables next to a program that PATH finds are read" \
	"$work/out" 'PASS +clock-mode'

# tables: an untouched copy, which goes before the installed ones
tables()
{
	rm -rf "$folder"
	cp -r events "$folder"
}
export DRMPERF_EVENTS=$folder

# spoil FILE PATTERN: the first line that matches lacks its colon; its number is
# in $line
spoil()
{
	local file=$folder/$1

	line=$(grep -n -m 1 -e "$2" "$file" | cut -d: -f1)
	if [ -z "$line" ]; then
		not_ok "$1 has a line \"$2\"" "$file"
		return 1
	fi
	sed -i "${line}s/:.*//" "$file"
}

tables
status "list exits with 0 with an untouched copy of the tables" \
	0 $skylake "$tool" list
lines=$(wc -l < "$work/out")

# ------------------------------------------------------- nobody needs them
spoil i915/tglgt2.xml '^GpuBusy '
spoil amdgpu/chips.xml 'Bonaire'
spoil amdgpu/gfx9.xml ' WAVES'
echo '<registers' > "$folder/i915/sklgt2.registers.xml"
status "list exits with 0 in spite of faults in other tables" \
	0 $skylake "$tool" list
empty "list prints no message on faults in other tables" "$work/err"
if [ "$(wc -l < "$work/out")" = "$lines" ]; then
	ok "list prints all events in spite of faults in other tables"
else
	not_ok "list prints all events in spite of faults in other tables" \
		"$work/out"
fi

# -------------------------------------------------------- somebody does
run 0 $skylake "$tool" stat -e i915::RenderBasic.GpuBusy -- true
has "register lists are read when a set is used" "$work/err" \
	"$folder/i915/sklgt2.registers.xml:[0-9]*: "

# complains FILE PATTERN SIMULATOR: such a line of the file is pointed out
complains()
{
	tables
	spoil "$1" "$2" || return
	run 0 $3 "$tool" list
	has "a line of $1 without its colon is reported: $2" "$work/err" \
		"$folder/$1:$line: a line of a list lacks its colon"
}
complains i915/platforms.xml '^hsw ' "$skylake"
complains i915/sklgt2.xml '^GpuBusy ' "$skylake"
complains i915/sklgt2.xml '^RenderBasic ' "$skylake"
complains amdgpu/chips.xml 'Bonaire' "$vega"
complains amdgpu/gfx9.xml 'GRBM_GFX_INDEX' "$vega"
complains amdgpu/gfx9.xml '0x37004' "$vega"
complains amdgpu/gfx9.xml ' WAVES' "$vega"
complains amdgpu/gfx9.xml 'VALUBusy ' "$vega"

# ------------------------------------------------- one block of many is spoilt
tables
spoil amdgpu/gfx9.xml ' WAVES'
status "a block counts in spite of a fault in another block" 0 \
	$vega "$tool" stat -e amdgpu::GRBM.GUI_ACTIVE -- true
lacks "stat prints no message on a fault in another block" \
	"$work/err" "gfx9.xml"
status "events of a block with a fault are refused" 125 \
	$vega "$tool" stat -e amdgpu::SQ.BUSY_CYCLES -- true
has "the error has the line of the fault" "$work/err" \
	"$folder/amdgpu/gfx9.xml:$line: a line of a list lacks its colon"
status "list exits with 0 if a block has a fault" 0 $vega "$tool" list
has "list shows the blocks without a fault" "$work/out" 'GRBM.GUI_ACTIVE'
lacks "list does not show a block with a fault" "$work/out" "SQ.BUSY_CYCLES"
has "list warns of the block with a fault" "$work/err" \
	"gfx9.xml:$line: .*; the events of SQ are left out"

# -------------------------------------------- what no unit of the GPU can count
tables
sed -i 's/^\(<set name="\)RenderBasic"/\1Other"/' \
	"$folder/i915/sklgt2.registers.xml"
status "stat exits with 125 for a metric set without registers" 125 \
	$skylake "$tool" stat -e i915::RenderBasic.GpuBusy -- true
has "the error names the file that lacks registers" "$work/err" \
	"$folder/i915/sklgt2.registers.xml: no registers of metric set RenderBasic"
status "other metric sets count if one has no registers" 0 \
	$skylake "$tool" stat -e i915::ComputeBasic.GpuBusy -- true

line=$(grep -n -m 1 ' GRBM_DWORDS_SENT ' "$folder/amdgpu/gfx9.xml" | cut -d: -f1)
sed -i "${line}s/12 /4000000000 /" "$folder/amdgpu/gfx9.xml"
run 0 $vega "$tool" list
has "an event that no counter can select is reported with its line" \
	"$work/err" \
	"$folder/amdgpu/gfx9.xml:$line: .*4000000000 fits no slot of "

# ------------------------------------------------ XeCores beyond the 64th
wide="$sim --time virtual --gpu cri,subslices=0xff:0:0:0:0:0:0:0:0:0xff:0:0x81 --"
tables
events=xe::TestOa.TEST_EVENT1_CYCLES,xe::TestOa.TEST_EVENT1_CYCLES_XECORE0
run 0 $wide "$tool" stat --csv -e $events -- true
has "XeCores beyond the 64th are counted" "$work/out" \
	',xe::TestOa.TEST_EVENT1_CYCLES,,4792320,' \
	',xe::TestOa.TEST_EVENT1_CYCLES_XECORE0,,266240,'
sed -i '/^TEST_EVENT1_CYCLES_AVERAGE /s/XeCoreTotalCount/SubsliceMask/' \
	"$folder/xe/cri.xml"
line=$(grep -n -m 1 '^TEST_EVENT1_CYCLES_AVERAGE ' "$folder/xe/cri.xml" |
	cut -d: -f1)
status "a formula that names a mask counts where the mask is a number" 0 \
	$sim --time virtual --gpu cri -- "$tool" stat \
	-e xe::TestOa.TEST_EVENT1_CYCLES_AVERAGE -- true
status "a formula that names a mask of more than 64 bits is refused" 125 \
	$wide "$tool" stat -e xe::TestOa.TEST_EVENT1_CYCLES_AVERAGE -- true
has "the error says why the mask has no value" "$work/err" \
	"$folder/xe/cri.xml:$line: .*SubsliceMask has no value here: the GPU has XeCores beyond the 64 "
status "the set's other events count without that mask" 0 \
	$wide "$tool" stat -e xe::TestOa.TEST_EVENT1 -- true
finish
