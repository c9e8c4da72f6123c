#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tables of other projects as a user meets them: counters of rocprofiler-sdk in
# YAML, a file without a section for the GPU, and OA tables of GPUs under xe.
. tests/tool/lib.sh

# with FILE GPU [ARGUMENT]...: the tool with this table on such a GPU
with()
{
	local file=$1 gpu=$2
	shift 2
	DRMPERF_EVENTS=$work/$file run 0 $sim --time virtual --gpu "$gpu" -- \
		"$tool" "$@"
}

# ---------------------------------------------------------------- YAML
cat > "$work/counters.yaml" << 'END'
# schema 1, of ROCm 7
rocprofiler-sdk:
  counters-schema-version: 1
  counters:
    - name: MY_CYCLES
      description: 'cycles of all'
      properties: []
      definitions:
        - architectures:
            - gfx900
            - gfx10
          expression: reduce(GRBM_GUI_ACTIVE,max)*CU_NUM
        - architectures: [gfx90a]
          expression: reduce(GRBM_GUI_ACTIVE,max)*
            2
    - name: MY_OCCUPANCY
      definitions:
        - architectures: [gfx900]
          expression: reduce(accumulate(SQ_LEVEL_WAVES, HIGH_RES),sum)/reduce(GRBM_GUI_ACTIVE,max)
    - name: SQ_MINE
      description: another name of waves
      definitions:
        - architectures: [gfx900, gfx1030]
          block: SQ
          event: 4
    - description: of nothing
END
cat > "$work/older.yaml" << 'END'
MY_CYCLES:
  architectures:
    gfx900/gfx10/gfx1010:
      expression: reduce(GRBM_GUI_ACTIVE,max)*CU_NUM
  description: cycles of all
SQ_MINE:
  architectures:
    gfx900:
      block: SQ
      event: 4
  description: another name of waves
END
printf 'jobs:\n  - pmc: [SQ_WAVES]\n' > "$work/input.yaml"
printf 'rocprofiler-sdk:\n  counters:\n    - [MY_CYCLES\nx' > "$work/broken.yaml"
printf 'default zero\nrate GRBM.2 1000\nrate SQ.4 10\n' > "$work/load"
with counters.yaml vega10 list MY_CYCLES
if grep -q 'built without libyaml' "$work/err"; then
	has "without libyaml the message says that the file is YAML" \
		"$work/err" 'counters.yaml is YAML, as rocprofiler-sdk'
	skip "counters of YAML are counted" "built without libyaml"
else
	for file in counters.yaml older.yaml; do
		DRMPERF_EVENTS=$work/$file run 0 $sim --time virtual \
			--scenario "$work/load" --gpu vega10 -- "$tool" stat \
			--csv -e MY_CYCLES,SQ_MINE $sim ctl advance 1s
		has "$file: counters for gfx900 are counted" "$work/out" \
			'MY_CYCLES,,64000,' 'SQ.MINE,,40,'
		with "$file" navi10 list MY_CYCLES
		has "$file: counters for gfx10 are there on gfx1010" \
			"$work/out" 'MY_CYCLES'
		with "$file" navi10 list SQ_MINE
		has "$file: counters for other chips are not there" \
			"$work/err" 'no event matches "SQ_MINE"'
	done
	with counters.yaml vega10 list MY_OCCUPANCY
	has "the sum of an accumulate() is accepted" "$work/out" \
		'MY_OCCUPANCY'
	has "a counter without a name is reported, with its line" "$work/err" \
		'counters.yaml:[0-9]*: a counter without a name'
	with counters.yaml mi200 list MY_CYCLES
	has "an expression may span two lines" "$work/out" 'MY_CYCLES'
	status "input of rocprofv3 is no table" 125 \
		env DRMPERF_EVENTS="$work/input.yaml" \
		$sim --gpu vega10 -- "$tool" list SQ_WAVES
	has "the message says that the YAML defines no counters" "$work/err" \
		'input.yaml:1: this is YAML, but defines no counters'
	status "malformed YAML is an error" 125 \
		env DRMPERF_EVENTS="$work/broken.yaml" \
		$sim --gpu vega10 -- "$tool" list SQ_WAVES
	has "the error for malformed YAML has file and line" \
		"$work/err" 'broken.yaml:5: '
	with counters.yaml polaris10 list SQ_WAVES
	has "YAML without a section for the GPU is reported" "$work/err" \
		'counters.yaml: there is no section for gfx803 .*, so nothing'
fi

# ---------------------------------------------------------------- no section
cat > "$work/metrics.xml" << 'END'
<gfx906>
  <metric name="MyWaves" descr="Waves." expr=SQ_WAVES></metric>
</gfx906>
<gfx10>
  <metric name="MyWaves" descr="Waves." expr=SQ_WAVES></metric>
</gfx10>
END
with metrics.xml vega10 list SQ_WAVES
has "a file without a section for the GPU is reported" "$work/err" \
	'metrics.xml: there is no section for gfx900 .*, so nothing of the file'
same "a file without a section is reported once" \
	<(grep -c 'no section' "$work/err") 1
for gpu in vega20 navi21; do
	with metrics.xml $gpu list MyWaves
	lacks "a file with a section for the GPU is not reported: $gpu" \
		"$work/err" 'no section'
done

# ---------------------------------------------------------------- OA of xe
# set CHIPSET FORMAT BANK: a table in the form of IGT's
set_of()
{
	cat << END
<?xml version="1.0"?>
<metrics version="1" merge_md5="">
  <set name="Of a test" chipset="$1" symbol_name="TestSet"$2
       hw_config_guid="00000000-1111-2222-3333-44444444444a">
    <counter name="Groups" symbol_name="Groups" description="Groups."
             data_type="uint64" units="events" semantic_type="event"
             equation="$3 0 READ 2 UMUL"/>
    <register_config type="OA">
        <register type="OA" address="0x00013000" value="0x00001801"/>
    </register_config>
  </set>
</metrics>
END
}
for gpu in bmg lnl ptl; do
	set_of ${gpu^^} ' oa_format="576B_PEC64LL"' PEC > "$work/oa-$gpu.xml"
	with oa-$gpu.xml $gpu stat --csv -e TestSet.Groups $sim ctl advance 1s
	has "a set of Xe2 or Xe3 counts: $gpu" "$work/out" \
		'xe::TestSet.Groups,.*,[1-9][0-9]*,events'
	lacks "no part of a set is left out: $gpu" "$work/err" 'left out'
done
set_of PVC '' A > "$work/oa-pvc.xml"
with oa-pvc.xml pvc list 'TestSet*'
has "a set of Ponte Vecchio is listed" "$work/out" 'xe::TestSet.Groups'
with oa-bmg.xml sklgt2 list 'TestSet*'
has "a set for Battlemage is not listed on Skylake" \
	"$work/err" 'no event matches'
finish
