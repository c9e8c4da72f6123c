#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# clang --analyze and cppcheck, over all that is installed and the component,
# find what no compiler's warning does. tests/lint/findings has the findings
# that are wrong, and why. gcc 12's -fanalyzer reported nothing that was true.
#
# usage: tests/lint/analyze.sh [TOOL]...   TOOL: clang, cppcheck; JOBS= files at a
# time
. tests/papi/lib.sh

findings=tests/lint/findings
trees="lib components utils examples"
jobs=${JOBS:-1}

# options FILE: what the file is compiled with
options()
{
	local roots models=
	case $1 in
	lib/*) roots="-Ilib -DDRMPERF_EVENTS_DIR=\"events\"
		-DDRMPERF_LIBEXEC_DIR=\"libexec\""
		models="base/error.h table/element.h catalog/record.h" ;;
	utils/drmsim/*) roots=-Iutils/drmsim ;;
	utils/kfd/*) roots=-Ilib models=base/error.h ;;
	utils/compile/*) roots=-Ilib models="base/error.h table/element.h" ;;
	utils/selftest/*) roots="-Ilib -Iutils -Iutils/drmperf -Icomponents"
		models="base/error.h table/element.h catalog/record.h util/tool.h" ;;
	utils/drmperf/*) roots="-Iutils/drmperf -Ilib -Icomponents"
		models="base/error.h table/element.h catalog/record.h util/tool.h" ;;
	examples/*) roots=-I$papi/include ;;
	components/drm/tests/*) roots="-I$papi/tree/src
		-I$papi/tree/src/testlib" ;;
	components/sde/*) roots=-Icomponents/drm ;;
	components/drm/*) roots="-I$papi/tree/src -DOSLOCK=\"linux-lock.h\"
		-DOSCONTEXT=\"linux-context.h\" -DPAPI_NUM_COMP=1" ;;
	components/marker/*) roots=-Icomponents/marker/include ;;
	components/kernels/*) roots=-Icomponents/rocprofiler/include ;;
	components/hsa/* | components/rocprofiler/*) roots="-Icomponents
		-Icomponents/rocprofiler/include -Icomponents/rocprofiler"
		models="frontend/frontend.h roc_error.h" ;;
	*) roots="-Icomponents -Icomponents/kd/include
		-Icomponents/vulkan/include -DGL_GLEXT_PROTOTYPES
		-DGLX_GLXEXT_PROTOTYPES -DEGL_EGLEXT_PROTOTYPES"
		models=frontend/frontend.h ;;
	esac
	case $1 in
	lib/base/error.c | lib/table/element.c | lib/catalog/record.c | \
	components/frontend/frontend.c | components/rocprofiler/roc_error.c | \
	utils/drmperf/util/tool.c) models= ;;
	esac
	[ -z "$models" ] ||
		roots="$roots $(printf -- '-include %s ' $models \
			tests/lint/analyze.h)"
	echo "-std=gnu11 -D_GNU_SOURCE -Ilib/include $roots" \
		"$(pkg-config --cflags libdrm libdrm_amdgpu)"
}
export -f options
export papi

# max-nodes: a third of what clang allows itself in a function, and of the time
# that it takes. Of 26 findings that cost one, and that was wrong.
by_clang()
{
	# shellcheck disable=SC2046
	clang --analyze -Xclang -analyzer-config -Xclang max-nodes=75000 \
		-Xclang -analyzer-output=text -fno-caret-diagnostics \
		-o /dev/null $(options "$1") "$1"
}
export -f by_clang

# ---------------------------------------------------------------- running
# each TOOL: its lines for all files
each()
{
	find $trees -name '*.c' | sort |
		xargs -P "$jobs" -I{} bash -c "by_$1 {} 2>&1"
}
# In one process: only then does it look from file to file.
by_cppcheck()
{
	cppcheck --quiet --std=c11 -D_GNU_SOURCE -D__linux__ \
		--enable=warning,performance,portability \
		--suppress=missingInclude --inline-suppr \
		--template='{file}:{line}: warning: {message} [{id}]' \
		-Ilib/include -Ilib -Iutils -Iutils/drmsim -Iutils/drmperf \
		$trees 2>&1
}
# said TOOL: FILE:LINE: TEXT [CHECK], in the order of files
said()
{
	if [ "$1" = cppcheck ]; then
		by_cppcheck
	else
		each "$1"
	fi | sed -n 's/^\([^ :]*:[0-9]*\)[:0-9]*: \(warning\|error\|fatal error\): /\1: /p' |
		sort -u
}

# judge TOOL VERSION: what was said against what is known
judge()
{
	awk -v tool="$1" '
		NR == FNR {
			if ($1 == tool) {
				file[++n] = $2
				check[n] = $3
				$1 = $2 = $3 = ""
				sub(/^ +/, "")
				words[n] = $0
			}
			next
		}
		{
			known = 0
			for (i = 1; i <= n; i++)
				if (index($0, file[i] ":") == 1 &&
				    index($0, check[i]) &&
				    index($0, words[i]))
					known = used[i] = 1
			if (!known)
				print
		}
		END {
			for (i = 1; i <= n; i++)
				if (!used[i])
					print "not said any more: " file[i],
						check[i], words[i]
		}' "$findings" "$work/$1"
}

# What is left out of the build where a library of others is not installed.
optional='components/(gl|hsa|kd|rocprofiler|vulkan)/|utils/drmperf/(serve/http|top/screen)\.c'

# analyze TOOL: the findings were gone through with one version of it
analyze()
{
	local tool=$1 version known
	version=$("$tool" --version | grep -oE '[0-9]+(\.[0-9]+)+' | head -1)
	known=$(sed -n "s/^version $tool //p" "$findings")
	said "$tool" > "$work/said"
	if grep -E "^($optional).*(file not found|No such file)" "$work/said" \
		> "$work/out"; then
		skip "$tool reads $(wc -l < "$work/out") more files" \
			"they need headers: $(head -1 "$work/out")"
	fi
	grep -vxFf "$work/out" "$work/said" > "$work/$tool"
	judge "$tool" > "$work/out"
	if [ ! -s "$work/out" ]; then
		ok "$tool $version finds nothing new"
	elif [ -n "$known" ] && [[ $version. = "$known".* ]]; then
		not_ok "$tool $version finds nothing new"
		sed 's/^/    | /' "$work/out"
	else
		sed 's/^/    | /' "$work/out"
		skip "$tool $version finds nothing new" \
			"what $version says has not been gone through \
(${known:-no version} has)"
	fi
}
[ $# != 0 ] || set -- cppcheck clang
for tool in "$@"; do
	if ! command -v "$tool" > "$work/which"; then
		skip "$tool finds nothing new" "it is not installed"
	else
		analyze "$tool"
	fi
done
finish
