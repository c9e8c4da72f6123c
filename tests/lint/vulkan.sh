#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The Vulkan layer knows of each command of the installed headers whether it acts
# (components/vulkan/gpa_acting.h) or sets state that has to be set again where a
# command buffer is cut (gpa_state.h); but those of other vendors' hardware, and
# a few that are listed here.
. tests/papi/lib.sh

layer=components/vulkan
title="the Vulkan layer knows which commands of Vulkan act or set state"

# Where a device has one of these nothing is read between command buffers.
cat > "$work/left_out" << 'END'
vkCmdBeginVideoCodingKHR
vkCmdControlVideoCodingKHR
vkCmdDecodeVideoKHR
vkCmdEncodeVideoKHR
vkCmdEndVideoCodingKHR
END

# Names that came with Vulkan 1.4.
later='vkCmd(PushDescriptorSet(WithTemplate)?|SetLineStipple(KHR)?)'

echo '#include <vulkan/vulkan_core.h>' | ${CC:-cc} -E - 2> /dev/null |
	grep -oE '\bvkCmd[A-Za-z0-9]+' | sort -u > "$work/header"
for list in acting state; do
	grep -oE '\(Cmd[A-Za-z0-9]+(, Cmd[A-Za-z0-9]+)?' \
		$layer/gpa_${list}_list.h | grep -oE 'Cmd[A-Za-z0-9]+' |
		sed 's/^/vk/' > "$work/$list"
done
sed -n '/ seen_functions/,/^}/s/.*(\(Cmd[A-Za-z0-9]*\).*/vk\1/p' \
	$layer/gpa_layer.c > "$work/seen"
sed -n '/ GPA_DEVICE_ALIASES/,/^$/s/.*(\(Cmd[A-Za-z0-9]*\),.*/vk\1/p' \
	$layer/gpa_device.h >> "$work/seen"
if [ ! -s "$work/header" ]; then
	skip "$title" "the headers of Vulkan are not installed"
	finish
fi
if [ ! -s "$work/acting" ] || [ ! -s "$work/seen" ] ||
	[ ! -s "$work/state" ]; then
	echo "a list is not found in $layer" > "$work/unknown"
else
	grep -vxFf "$work/acting" "$work/header" | grep -vxFf "$work/seen" |
		grep -vxFf "$work/state" | grep -vxFf "$work/left_out" |
		grep -E '([^A-Z]|AMD|EXT|KHR)$' > "$work/unknown"
fi
if [ -s "$work/unknown" ]; then
	echo "try: add them to gpa_acting_list.h or gpa_state_list.h" >> "$work/unknown"
	not_ok "$title" "$work/unknown"
else
	ok "$title"
fi

# The compiler checks the commands themselves, and not the names of aliases.
# Headers of Vulkan 1.3 lack what lists have for those of 1.4.
sed -n '/^#ifdef VK_KHR_/,/^#endif/d; /^#if\(def\)\{0,1\} VK_EXT_/,/^#endif/d; p' \
	$layer/gpa_acting_list.h $layer/gpa_state_list.h > "$work/always"
title="each command that acts or sets state is one of Vulkan's"
grep -oE '\(Cmd[A-Za-z0-9]+(, Cmd[A-Za-z0-9]+)?' "$work/always" |
	grep -oE 'Cmd[A-Za-z0-9]+' | sed 's/^/vk/' |
	grep -vxFf "$work/header" | grep -vxE "$later" > "$work/unknown"
if [ -s "$work/unknown" ]; then
	not_ok "$title" "$work/unknown"
else
	ok "$title"
fi
finish
