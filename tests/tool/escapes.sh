#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Text from outside reaches the terminal without its control characters:
# commands, processes and events of recordings, descriptions of tables, and
# words that messages quote. A recording is for its owner alone.
. tests/tool/lib.sh

data=$work/data
red=$'\033[31mRED\007\033c\302\23331m'

# clean NAME FILE...: no control character but line feeds and tabs
clean()
{
	local name=$1
	shift
	if LC_ALL=C grep -aP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$@" \
		> "$work/dirt"; then
		cat -v "$work/dirt" > "$work/shown"
		not_ok "$name" "$work/shown"
	else
		ok "$name"
	fi
}

# ---------------------------------------------------------------- recordings
status "a command with escapes is recorded" 0 $vega "$tool" record -z 0 \
	-F 1000 -e SQ.WAVES -o "$data" -- sh -c "$sim ctl advance 1s" "$red"
has "a recording keeps the escapes of its command" <(cat -v "$data") 'RED'
# as many bytes, so that the file stays whole
LC_ALL=C sed 's/SQ\.WAVES/\x1b[31mWAV/g' "$data" > "$work/forged"
for form in "" --csv --json --html --processes; do
	for file in "$data" "$work/forged"; do
		"$tool" report $form "$file" > "$work/out" 2> "$work/err"
		clean "report $form of ${file##*/} has no escape" \
			"$work/out" "$work/err"
		[ "$form" ] || has \
			"report of ${file##*/} shows the text next to escapes" \
			"$work/out" 'RED'
	done
done

# ---------------------------------------------------------------- tables
cat > "$work/c1.xml" << 'END'
<?xml version="1.0" encoding="UTF-8"?>
<events driver="amdgpu" format="1">
	<metric name="Odd" unit="requests" type="double" kind="average" expression="TCC.REQ+1">Begin&#x9b;31mEnd.</metric>
</events>
END
printf '<events driver="amdgpu" format="1"><\302\23331m/></events>' \
	> "$work/broken.xml"
for form in "" --json; do
	DRMPERF_EVENTS=$work/c1.xml run 0 $vega "$tool" list $form metric.Odd
	has "list $form prints a description that has escapes" \
		"$work/out" 'Begin.*31mEnd'
	clean "list $form prints a description without its escapes" \
		"$work/out" "$work/err"
done
DRMPERF_EVENTS=$work/broken.xml run 125 $vega "$tool" stat -e SQ.WAVES true
clean "a message about a table has no escapes" "$work/err"

# ---------------------------------------------------------------- messages
for word in "$red" $'\033]0;title\007' $'\2331m'; do
	run 125 $vega "$tool" stat -e "amdgpu::$word" true
	clean "a message about an event has no escapes" "$work/err"
	run 125 "$tool" report "$work/$word"
	clean "a message about a file has no escapes" "$work/err"
done

# ---------------------------------------------------------------- the owner
mode()
{
	stat -c %a "$1"
}
rm -f "$data"
touch "$work/there"
chmod 666 "$work/there"
for file in "$data" "$work/there"; do
	(umask 0 && run 0 $vega "$tool" record -e SQ.WAVES -o "$file" true)
	same "a recording is for its owner: ${file##*/}" <(mode "$file") 600
done
status "record writes to a device" 0 $vega "$tool" record -e SQ.WAVES \
	-o /dev/null true
same "record leaves the mode of a device" <(mode /dev/null) 666

# ---------------------------------------------------------------- LD_PRELOAD
# preloads: whether a list that has the path only as a part of another word gets
# the path
gl=$(realpath "$BUILD_DIR/lib/libdrmperf-gl.so")
run 0 $sim --gpu vega10 -- sh -c "LD_PRELOAD=\$LD_PRELOAD:$gl.old '$plain' gl -d 0 -- \
	printenv LD_PRELOAD"
has "gl adds its library although another has its path" "$work/out" \
	"$gl.old:$gl\$"
run 0 $sim --gpu vega10 -- sh -c "LD_PRELOAD=\$LD_PRELOAD:$gl '$plain' gl -d 0 -- \
	printenv LD_PRELOAD"
lacks "gl does not add a library that is there already" "$work/out" "$gl.*$gl"

# A program with rights of its own loads nothing from its environment.
cp "$(type -P true)" "$work/privileged"
if [ "$(id -u)" = 0 ] && chown 65534 "$work/privileged" 2> /dev/null &&
	chmod u+s "$work/privileged"; then
	for command in gl vk "papi -e GRBM.COUNT"; do
		run 125 $sim --gpu vega10 -- "$plain" $command -- \
			"$work/privileged"
		has "drmperf ${command%% *} refuses a set-user-ID program" \
			"$work/err" 'privileged has capabilities or a user' \
			'^try: '
	done
else
	skip "drmperf refuses a set-user-ID program" \
		"only root can make one of another user"
fi
finish
