#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf vk sets the environment of a program. tests/vulkan covers what the
# layer does with it.
. tests/tool/lib.sh

unset VK_INSTANCE_LAYERS VK_ADD_LAYER_PATH VK_LAYER_PATH DRMPERF_GPU
if [ ! -e "$BUILD_DIR/lib/libVkLayer_drmperf_gpa.so" ]; then
	skip "vk enables the layer" \
		"the layer is not built without Vulkan's headers"
	exit 0
fi
# shellcheck disable=SC2016 # the program's shell is to expand it
show='echo "layers $VK_INSTANCE_LAYERS"; echo "add $VK_ADD_LAYER_PATH"
	echo "only $VK_LAYER_PATH"; echo "gpu $DRMPERF_GPU"'

# vk [OPTION]... : what its program finds
vk()
{
	# shellcheck disable=SC2086 # several words
	run 0 $vega "$tool" vk "$@" -- sh -c "$show"
}

vk
has "vk enables the layer" "$work/out" '^layers VK_LAYER_DRMPERF_gpa$' \
	'^add /.*/share/vulkan/explicit_layer.d$' '^only $' '^gpu $'
path=$(sed -n 's/^add //p' "$work/out")
clean "the manifest of the layer is there" \
	jq -e '.layer.name == "VK_LAYER_DRMPERF_gpa"' \
	"$path/VkLayer_drmperf_gpa.json"
clean "the manifest names the library of the layer" \
	ls "$path/$(jq -r .layer.library_path "$path/VkLayer_drmperf_gpa.json")"

VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation VK_ADD_LAYER_PATH=/mine vk
has "vk keeps layers and paths that are set" \
	"$work/out" '^add /mine:/.*explicit_layer.d$' \
	'^layers VK_LAYER_KHRONOS_validation:VK_LAYER_DRMPERF_gpa$'
VK_LAYER_PATH=/mine vk
has "vk adds its path to VK_LAYER_PATH if that is set" "$work/out" \
	'^only /mine:/.*explicit_layer.d$' '^add $'
VK_INSTANCE_LAYERS=VK_LAYER_DRMPERF_gpa VK_ADD_LAYER_PATH=$path vk
has "vk adds no layer or path twice" \
	"$work/out" '^layers VK_LAYER_DRMPERF_gpa$' \
	"^add $path\$"
vk -d 0
has "vk passes the address of a GPU to the program" \
	"$work/out" '^gpu 0000:03:00.0$'
vk --device 03:00.0
has "vk takes the address of a GPU" "$work/out" '^gpu 0000:03:00.0$'

# shellcheck disable=SC2086
{
	status "vk exits with the status of the program" \
		7 $vega "$tool" vk sh -c 'exit 7'
	status "vk exits with 125 for an unknown GPU" \
		125 $vega "$tool" vk -d 7 -- true
	has "the error names the unknown GPU" \
		"$work/err" 'there is no device "7"'
	status "vk is misuse without a program" 129 $vega "$tool" vk
}
finish
