#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What PAPI and the component cost, over a library that does next to nothing.
. tests/papi/lib.sh

events=
for device in 0 1; do
	for instance in 0 1 2 3; do
		for event in 0 1 2 3 4 5 6 7; do
			events="$events drm:::amdgpu::SQ.E$event"
			events="$events:device=$device:instance=$instance"
		done
	done
done
echo "== PAPI and the component, without the library's share"
# shellcheck disable=SC2086
PAPI_DRM_LIB=$programs/fake/libdrmperf.so.0 umockdev-run \
	-d tests/data/papi/amdgpu.umockdev -- "$programs/cost" $events
