#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The Vulkan layer knows of each command of the installed headers whether it acts
# (components/vulkan/gpa_acting.h); but those of other vendors' hardware, and a
# few that are listed here.
. tests/papi/lib.sh

layer=components/vulkan
title="the Vulkan layer knows which commands of Vulkan act"

# Where a device has one of these nothing is read between command buffers.
cat > "$work/left_out" << 'END'
vkCmdBeginVideoCodingKHR
vkCmdControlVideoCodingKHR
vkCmdDecodeVideoKHR
vkCmdEncodeVideoKHR
vkCmdEndVideoCodingKHR
END

echo '#include <vulkan/vulkan_core.h>' | ${CC:-cc} -E - 2> /dev/null |
	grep -oE '\bvkCmd[A-Za-z0-9]+' | sort -u > "$work/header"
grep -oE '\(Cmd[A-Za-z0-9]+(, Cmd[A-Za-z0-9]+)?' $layer/gpa_acting_list.h |
	grep -oE 'Cmd[A-Za-z0-9]+' | sed 's/^/vk/' > "$work/acting"
sed -n '/ seen_functions/,/^}/s/.*(\(Cmd[A-Za-z0-9]*\).*/vk\1/p' \
	$layer/gpa_layer.c > "$work/seen"
sed -n '/ state_prefixes/,/^}/s/.*"\(vkCmd[A-Za-z]*\)".*/^\1/p' \
	$layer/gpa_acting.c > "$work/state"

if [ ! -s "$work/header" ]; then
	skip "$title" "the headers of Vulkan are not installed"
	finish
fi
if [ ! -s "$work/acting" ] || [ ! -s "$work/seen" ] ||
	[ ! -s "$work/state" ]; then
	echo "a list is not found in $layer" > "$work/unknown"
else
	grep -vxFf "$work/acting" "$work/header" | grep -vxFf "$work/seen" |
		grep -vf "$work/state" | grep -vxFf "$work/left_out" |
		grep -E '([^A-Z]|AMD|EXT|KHR)$' > "$work/unknown"
fi
if [ -s "$work/unknown" ]; then
	echo "try: add them to gpa_acting_list.h" >> "$work/unknown"
	not_ok "$title" "$work/unknown"
else
	ok "$title"
fi

# The compiler checks the commands themselves, and not the names of aliases.
grep -vxFf "$work/header" "$work/acting" > "$work/unknown"
title="each command that acts is one of Vulkan's"
if [ -s "$work/unknown" ]; then
	not_ok "$title" "$work/unknown"
else
	ok "$title"
fi
finish
