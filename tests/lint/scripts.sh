#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Scripts that install, build and describe do what they say. Each part is a
# function that runs in a process of its own.
. tests/papi/lib.sh

# ---------------------------------------------------------------- deps
# make/deps.sh installs what is missing and only that, says so first, and asks
# apt nothing when nothing is missing. The commands it calls are stand-ins.
check_deps()
(
	mkdir "$work/bin"
	# stub NAME BODY
	stub()
	{
		printf '#!/bin/bash\n%s\n' "$2" > "$work/bin/$1"
		chmod +x "$work/bin/$1"
	}
	stub apt-get 'echo "apt-get $*" >> $CALLS; exit ${APT_STATUS:-0}'
	# shellcheck disable=SC2016
	stub sudo 'echo "sudo $*" >> $CALLS; "$@"'
	# shellcheck disable=SC2016
	stub id 'echo $USER_ID'
	# shellcheck disable=SC2016
	stub dpkg-query 'p=${@: -1}
	case " $MISSING " in *" $p "*) exit 1 ;; *) printf "installed " ;; esac'
	export CALLS=$work/calls

	# deps USER_ID MISSING SET...
	deps()
	{
		local user=$1 missing=$2
		shift 2
		: > "$CALLS"
		USER_ID=$user MISSING=$missing PATH=$work/bin:$PATH make/deps.sh "$@" \
			> "$work/out" 2>&1
		echo "status $?" >> "$work/out"
		cat "$CALLS" >> "$work/out"
	}

	deps 1000 "" build papi demo check
	echo "status 0" | cmp -s - "$work/out" && ok \
		"deps.sh does nothing if no package is missing" ||
		not_ok "deps.sh does nothing if no package is missing" \
			"$work/out"
	deps 0 "libexpat1-dev" build
	has "deps.sh names and installs the missing packages" "$work/out" \
		'^These packages are missing.*: libexpat1-dev$' \
		'^apt-get install -y --no-install-recommends libexpat1-dev$' '^status 0'
	lacks "deps.sh uses no sudo as root" "$work/out" 'sudo'
	deps 1000 "check valgrind" build check deep
	has "deps.sh uses sudo as another user" "$work/out" \
		'^sudo apt-get install -y --no-install-recommends check valgrind$'
	deps 1000 "check" build
	lacks "deps.sh installs only requested packages" \
		"$work/out" 'apt-get'
	APT_STATUS=1 deps 0 "check" check
	has "deps.sh refreshes package lists if apt-get fails" "$work/out" \
		'^apt-get update$' '^status 1'
	deps 0 "" nosuchset
	has "deps.sh refuses an unknown set" \
		"$work/out" "unknown set 'nosuchset'" 'status 2'
	exit $failed
)

# ---------------------------------------------------------------- apt_sources
# make/apt-sources.sh reads both forms of package sources, and leaves them alone.
check_apt_sources()
(
	apt=$work/apt
	mkdir -p "$apt/sources.list.d" "$work/out"
	cat > "$apt/sources.list" << 'END'
# deb http://commented.example/debian stable main
deb http://plain.example/debian stable main contrib
	deb [signed-by=/usr/share/keyrings/x.gpg] https://options.example s main
deb-src http://already.example/debian stable main
deb cdrom:[Debian]/ stable main
END
	cat > "$apt/sources.list.d/debian.sources" << 'END'
Types: deb
URIs: http://fields.example/debian
Suites: stable stable-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

types: deb deb-src
URIs: http://both.example/debian
Suites: stable
Components: main
Enabled: no
END
	echo 'deb http://another.example/debian stable main' \
		> "$apt/sources.list.d/another.list"
	before=$(cat "$apt/sources.list" "$apt"/sources.list.d/* | cksum)
	make/apt-sources.sh "$apt" "$work/out"

	cat "$work"/out/*.list > "$work/lines"
	has "apt-sources.sh writes one-line sources" "$work/lines" \
		'^deb-src http://plain.example/debian stable main contrib$' \
		'^deb-src \[signed-by=/usr/share/keyrings/x.gpg\] https://options' \
		'^deb-src http://another.example/debian stable main$'
	lacks "apt-sources.sh leaves out sources that are not in use" \
		"$work/lines" 'commented|cdrom|^deb '
	cat "$work"/out/*.sources > "$work/fields"
	has "apt-sources.sh writes sources in fields" \
		"$work/fields" '^URIs: http://fields.example/debian$' \
		'^Signed-By: /usr/share/keyrings/debian-archive' '^Enabled: no$'
	if [ "$(grep -ci '^types: deb-src$' "$work/fields")" = 2 ]; then
		ok "apt-sources.sh writes source packages only"
	else
		not_ok "apt-sources.sh writes source packages only" \
			"$work/fields"
	fi
	if [ "$before" = "$(cat "$apt/sources.list" "$apt"/sources.list.d/* |
		cksum)" ]; then
		ok "apt-sources.sh leaves the system's files as before"
	else
		not_ok "apt-sources.sh leaves the system's files as before"
	fi
	exit $failed
)

# ---------------------------------------------------------------- left_out
# Where there are no headers of OpenGL or Vulkan, the rest is built and
# installed, and it is said what was left out. Nothing is built here: make tells
# what it would do.
check_left_out()
(
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
		skip "make builds everything if all headers are installed" \
			"not all headers are installed here"
		finish
	fi
	has "make builds everything if all headers are installed" "$work/out" \
		'components/gl/gl_hooks' 'components/vulkan/gpa_layer' \
		'tests/vulkan/world' 'libVkLayer_drmperf_gpa.so'

	plan 'gl egl x11'
	has "without headers of OpenGL make says what it leaves out" \
		"$work/out" \
		'libdrmperf-gl is left out: .* OpenGL' 'components/vulkan/gpa_layer' \
		'lib/catalog/find'
	lacks "without headers of OpenGL no part of libdrmperf-gl is built" \
		"$work/out" \
		'components/gl/|libdrmperf-gl\.so|tests/gl/|^exit status'

	plan 'vulkan'
	has "without headers of Vulkan make says what it leaves out" \
		"$work/out" \
		'the Vulkan layer is left out: .*' 'components/gl/gl_hooks' \
		'lib/catalog/find'
	lacks "without headers of Vulkan no part of the layer is built" \
		"$work/out" \
		'components/vulkan/|libVkLayer|tests/vulkan/|explicit_layer|^exit status'
	exit $failed
)

# ---------------------------------------------------------------- gpu_list
# The list of GPUs in doc/gpus.md is what the tables, and what was verified, make of it.
check_gpu_list()
(
	if ! command -v python3 > "$work/which"; then
		skip "doc/gpus.md has the list that gpu_list.py prints" \
			"no python3"
		finish
	fi
	if ! PYTHONDONTWRITEBYTECODE=1 python3 events/tools/gpu_list.py \
		> "$work/list" 2> "$work/errors"; then
		not_ok "gpu_list.py exits with 0" "$work/errors"
	fi
	[ -s "$work/list" ] || not_ok "gpu_list.py prints a list"
	sed -n '/^| GPUs |/,/^Known, but without a table:/p' doc/gpus.md > "$work/readme"
	if diff "$work/readme" "$work/list" > "$work/diff"; then
		ok "doc/gpus.md has the list that gpu_list.py prints"
	else
		not_ok "doc/gpus.md has the list that gpu_list.py prints" \
			"$work/diff"
	fi
	exit $failed
)

# ---------------------------------------------------------------- descriptions
# A key or value that drmsim does not know in the description of a GPU is an
# error that names file and line.
check_descriptions()
(
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
	exit $failed
)

for part in deps apt_sources left_out gpu_list descriptions; do
	mkdir "$work/$part"
	work=$work/$part "check_$part" || failed=1
done
finish
