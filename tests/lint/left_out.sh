#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Where there are no headers of OpenGL or Vulkan, the rest is built and
# installed, and it is said what was left out. Nothing is built here: make tells
# what it would do.
. tests/papi/lib.sh

# a pkg-config to which the packages in $hidden are not installed
cat > "$work/pkg-config" << 'END'
#!/bin/sh
for package; do
	case " $hidden " in
	*" ${package%% *} "*) exit 1 ;;
	esac
done
exec pkg-config "$@"
END
chmod +x "$work/pkg-config"

# plan HIDDEN: what would be done
plan()
{
	hidden=$1 make -n --no-print-directory PKG_CONFIG="$work/pkg-config" \
		BUILD="$work/build" DESTDIR="$work/root" all tests peers install \
		> "$work/out" 2>&1 || echo "exit status $?" >> "$work/out"
}

plan ''
if grep -q 'is left out' "$work/out"; then
	skip "left out" "not all headers are installed here"
	finish
fi
has "all is built where all headers are" "$work/out" \
	'components/gl/gl_hooks' 'components/vulkan/gpa_layer' \
	'tests/vulkan/world' 'libVkLayer_drmperf_gpa.so'

plan 'gl egl x11'
has "without headers of OpenGL that is said" "$work/out" \
	'libdrmperf-gl is left out: .* OpenGL' 'components/vulkan/gpa_layer' \
	'lib/catalog/find'
lacks "and nothing of it is built or installed" "$work/out" \
	'components/gl/|libdrmperf-gl\.so|tests/gl/|^exit status'

plan 'vulkan'
has "without headers of Vulkan that is said" "$work/out" \
	'the Vulkan layer is left out: .*' 'components/gl/gl_hooks' \
	'lib/catalog/find'
lacks "and nothing of it is built or installed" "$work/out" \
	'components/vulkan/|libVkLayer|tests/vulkan/|explicit_layer|^exit status'
finish
