#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# `make install` puts files in their places, and `make uninstall` removes them
# all.
. tests/papi/lib.sh

root=$work/root
install()
{
	make --no-print-directory "$@" DESTDIR="$root" > "$work/out" 2>&1
}

cp "$BUILD_DIR/flags" "$work/flags"
install install
(cd "$root" && find . -type f -o -type l | sort) > "$work/files"
has "make install puts each file in its place" "$work/files" \
	'^./usr/local/lib/libdrmperf.so.0$' '^./usr/local/lib/libdrmperf.so$' \
	'^./usr/local/lib/libdrmperf-sde.so$' '^./usr/local/include/drmperf.h$' \
	'^./usr/local/lib/libdrmperf-gl.so$' \
	'^./usr/local/lib/libdrmperf-marker.so$' \
	'^./usr/local/include/drmperf_marker.h$' \
	'^./usr/local/lib/libdrmperf-kd.so.0$' '^./usr/local/lib/libdrmperf-kd.so$' \
	'^./usr/local/lib/librocprofiler64.so.1$' \
	'^./usr/local/lib/librocprofiler64.so$' \
	'^./usr/local/lib/libdrmperf-hsa.so$' \
	'^./usr/local/lib/libdrmperf-kernels.so$' \
	'^./usr/local/include/rocprofiler/rocprofiler.h$' \
	'^./usr/local/share/drmperf/rocprofiler/metrics.xml$' \
	'^./usr/local/include/KD/kd.h$' \
	'^./usr/local/include/KD/KHR_perfcounter.h$' \
	'^./usr/local/lib/libVkLayer_drmperf_gpa.so$' \
	'^./usr/local/include/drmperf/vk_amd_gpa_interface.h$' \
	'^./usr/local/share/vulkan/explicit_layer.d/VkLayer_drmperf_gpa.json$' \
	'^./usr/local/lib/pkgconfig/drmperf.pc$' \
	'^./usr/local/lib/pkgconfig/drmperf-kd.pc$' \
	'^./usr/local/share/drmperf/events/amdgpu/gfx9.xml$' \
	'^./usr/local/share/drmperf/events.compiled/amdgpu/gfx9.table$' \
	'^./usr/local/share/drmperf/gpus/vega10.gpu$' \
	'^./usr/local/bin/drmsim$' '^./usr/local/bin/drmperf$' \
	'^./usr/local/libexec/drmperf-selftest$' \
	'^./usr/local/libexec/drmperf-kfd$' \
	'^./usr/local/share/man/man1/drmperf.1$' \
	'^./usr/local/share/man/man1/drmsim.1$' \
	'^./usr/local/share/man/man3/drmperf.3$' \
	'^./usr/local/share/bash-completion/completions/drmperf$' \
	'^./usr/local/share/bash-completion/completions/drmsim$' \
	'^./usr/local/share/drmperf/grafana-dashboard.json$' \
	'^./usr/local/share/drmperf/service/drmperf.service$' \
	'^./usr/local/share/drmperf/service/drmperf.sysusers$' \
	'^./usr/local/share/drmperf/service/drmperf.rules$' \
	'^./usr/local/share/drmperf/service/drmperf.sysctl$' \
	'^./usr/local/lib/drmperf/libdrmsim-preload.so$' \
	'^./usr/local/lib/drmperf/libdrmsim-speed.so$'

cat > "$work/user.c" << 'END'
#include <drmperf.h>
#include <stdio.h>
int main(void)
{
	struct drmperf *drmperf;
	struct drmperf_selection selection;
	struct drmperf_error error = { 0 };
	int rc = drmperf_create(NULL, &drmperf, &error);
	if (!rc)
		rc = drmperf_event_find(drmperf, "amdgpu::SQ.WAVES",
					&selection, &error);
	printf("%d %s\n", rc, rc ? error.cause :
	       drmperf_event_description(selection.event));
	return rc != 0;
}
END
# flags_of PACKAGE: as installed; for make the flags of other packages stay
flags_of()
{
	PKG_CONFIG_PATH=$root/usr/local/lib/pkgconfig \
		PKG_CONFIG_SYSROOT_DIR=$root pkg-config --cflags --libs "$1"
}
# shellcheck disable=SC2046
gcc -o "$work/user" "$work/user.c" $(flags_of drmperf) \
	> "$work/out" 2>&1 && ok "pkg-config leads to the library" ||
	not_ok "pkg-config leads to the library" "$work/out"
LD_LIBRARY_PATH=$root/usr/local/lib "$root/usr/local/bin/drmsim" \
	--gpu vega10 -- "$work/user" > "$work/out" 2>&1
has "the installed library works where it is" "$work/out" '^0 .*[Ww]aves'

# what the header shows
sed -n '/^ \*\t#include <drmperf/,/^ \*\t}$/s/^ \*\t//p' \
	"$root/usr/local/include/drmperf.h" > "$work/waves.c"
# shellcheck disable=SC2046
gcc -Wall -Wextra -Werror -o "$work/waves" "$work/waves.c" \
	$(flags_of drmperf) > "$work/out" 2>&1 &&
	LD_LIBRARY_PATH=$root/usr/local/lib "$root/usr/local/bin/drmsim" \
		--gpu vega10 --load memory-bound -- "$work/waves" \
		> "$work/out" 2>&1
has "the example in drmperf.h is built and counts waves" "$work/out" \
	'^[1-9][0-9]* waves$'

# what components/kd/README.md shows
sed -n '/^    #include <KD/,/^    }/s/^    //p' components/kd/README.md \
	> "$work/list.c"
# shellcheck disable=SC2046
gcc -Wall -Wextra -Werror -o "$work/list" "$work/list.c" \
	$(flags_of drmperf-kd) > "$work/out" 2>&1 &&
	ok "pkg-config leads to libdrmperf-kd" ||
	not_ok "pkg-config leads to libdrmperf-kd" "$work/out"
LD_LIBRARY_PATH=$root/usr/local/lib "$root/usr/local/bin/drmsim" \
	--gpu vega10 -- "$work/list" > "$work/out" 2>&1
has "the example of components/kd/README.md lists counters" \
	"$work/out" '^0 CPU 0 utilization$' \
	'^1 CPU 0 user mode utilization$' '^[0-9]+ GPU 0 utilization$' \
	'^[0-9]+ amdgpu::SQ.WAVES'

# what components/rocprofiler/README.md shows
sed -n '/^    #include <rocprofiler/,/^    }$/s/^    //p' \
	components/rocprofiler/README.md > "$work/count.c"
sed -n '/^    int main/,/^    }$/s/^    //p' components/rocprofiler/README.md \
	>> "$work/count.c"
gcc -Wall -Wextra -Werror -o "$work/count" "$work/count.c" \
	-I "$root/usr/local/include" -L "$root/usr/local/lib" \
	-Wl,--allow-shlib-undefined -lrocprofiler64 -lhsa-runtime64 \
	> "$work/out" 2>&1 && ok \
		"the example of components/rocprofiler/README.md is linked" ||
	not_ok "the example of components/rocprofiler/README.md is linked" \
		"$work/out"
LD_LIBRARY_PATH=$root/usr/local/lib:$BUILD_DIR/tests/hsa \
	"$root/usr/local/bin/drmsim" --gpu mi200 -- "$work/count" \
	> "$work/out" 2>&1
has "the example of components/rocprofiler/README.md counts" \
	"$work/out" '^[1-9][0-9]* cycles$'

# what components/marker/README.md shows
sed -n '/^    #include <drmperf_marker/,/^    }/s/^    //p' \
	components/marker/README.md > "$work/region.c"
gcc -Wall -Wextra -Werror -o "$work/region" "$work/region.c" \
	-I "$root/usr/local/include" > "$work/out" 2>&1 &&
	"$root/usr/local/bin/drmsim" --gpu vega10 -- \
		"$root/usr/local/bin/drmperf" record --regions -e GRBM.COUNT \
		-o "$work/data" -- "$work/region" > "$work/out" 2>&1
"$root/usr/local/bin/drmperf" report --html "$work/page" "$work/data" \
	>> "$work/out" 2>&1
cat "$work/page" >> "$work/out"
has "the example of components/marker/README.md is recorded" "$work/out" \
	'>solve<'

# headers need nothing before them, in C and C++
for header in drmperf.h drmperf_marker.h KD/kd.h KD/KHR_perfcounter.h \
	rocprofiler/rocprofiler.h drmperf/vk_amd_gpa_interface.h; do
	for language in c c++; do
		echo "#include <$header>" > "$work/alone"
		if gcc -x $language -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
			-I "$root/usr/local/include" "$work/alone" \
			> "$work/out" 2>&1; then
			ok "$header compiles alone, as $language"
		else
			not_ok "$header compiles alone, as $language" \
				"$work/out"
		fi
	done
done

# nothing says where they are but where they are
"$root/usr/local/bin/drmsim" --gpu vega10 -- "$root/usr/local/bin/drmperf" \
	papi -e amdgpu::SQ.WAVES -- "$papi/bin/papi_native_avail" -i sde \
	> "$work/out" 2>&1
has "drmperf papi works where it is" "$work/out" '^\| sde:::amdgpu::SQ.WAVES '

# the loader finds the layer by its manifest, and that its library
"$root/usr/local/bin/drmsim" --gpu vega10 -- "$root/usr/local/bin/drmperf" \
	vk -- sh -c 'ls "$VK_ADD_LAYER_PATH/VkLayer_drmperf_gpa.json" &&
	cd "$VK_ADD_LAYER_PATH" && ls "$(jq -r .layer.library_path *.json)"' \
	> "$work/out" 2>&1
has "drmperf vk works where it is" "$work/out" \
	'explicit_layer.d/VkLayer_drmperf_gpa.json$' \
	'^\.\./.*libVkLayer_drmperf_gpa.so$'

cat > "$work/layer.c" << 'END'
#include <stdio.h>
#include <vulkan/vulkan.h>
int main(void)
{
	const VkApplicationInfo application = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.apiVersion = VK_API_VERSION_1_1,
	};
	const VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &application,
	};
	static VkExtensionProperties list[1024];
	VkPhysicalDevice gpus[16];
	VkInstance instance;
	uint32_t count = 16;
	if (vkCreateInstance(&info, NULL, &instance))
		return 1;
	if (vkEnumeratePhysicalDevices(instance, &count, gpus) || !count) {
		puts("no driver");
		return 0;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t extensions = 1024;
		vkEnumerateDeviceExtensionProperties(gpus[i], NULL, &extensions,
						     list);
		for (uint32_t k = 0; k < extensions; k++)
			puts(list[k].extensionName);
	}
	vkDestroyInstance(instance, NULL);
	return 0;
}
END
if gcc -o "$work/layer" "$work/layer.c" -lvulkan > "$work/out" 2>&1; then
	"$root/usr/local/bin/drmsim" --gpu vega10 -- \
		"$root/usr/local/bin/drmperf" vk -d 0 -- "$work/layer" \
		> "$work/out" 2>&1
	if grep -qx 'no driver' "$work/out"; then
		skip "drmperf vk adds its extension to a device" \
			"there is no driver of Vulkan"
	else
		has "drmperf vk adds its extension to a device" "$work/out" \
			'^VK_AMD_gpa_interface$'
	fi
else
	not_ok "a program of Vulkan compiles" "$work/out"
fi

# the library of OpenGL, by its name alone
if [ -x "$BUILD_DIR/peers/gl_client" ]; then
	LIBGL_ALWAYS_SOFTWARE=1 "$root/usr/local/bin/drmsim" --gpu vega10 -- \
		"$root/usr/local/bin/drmperf" gl -d 0 -- \
		"$BUILD_DIR/peers/gl_client" es3 egl GRBM.COUNT \
		> "$work/out" 2>&1
	if [ $? = 2 ]; then
		skip "drmperf gl works where it is" \
			"there is no driver of OpenGL"
	else
		has "drmperf gl works where it is" "$work/out" '^indexed yes$' \
			'^GRBM.COUNT [1-9]'
	fi
else
	skip "drmperf gl works where it is" "gl_client is not built"
fi

install uninstall
find "$root" -type f -o -type l > "$work/left"
if [ -s "$work/left" ]; then
	not_ok "make uninstall leaves no file behind" "$work/left"
else
	ok "make uninstall leaves no file behind"
fi
# else the next make builds all of it anew, below the tests that run
clean "make install leaves the flags of the build alone" \
	cmp "$BUILD_DIR/flags" "$work/flags"
finish
