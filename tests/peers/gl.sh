#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# GL_AMD_performance_monitor works below Mesa, unmodified: llvmpipe, which has
# no GPU and no such extension, and radeonsi, which has both.
set -u

build=$(realpath "${BUILD_DIR:-build}")
work=$(mktemp -d) || exit 1
screen=
trap 'rm -rf "$work"; [ -z "$screen" ] || kill "$screen"' EXIT
. tests/peers/lib.sh
failed=0
hang=600 # seconds: as in tests/papi/lib.sh

client=$build/peers/gl_client
monitor=$build/peers/gl_monitor
tool=$build/bin/drmperf

# no cache of shaders is left in the caller's home, nor are settings read there
export HOME=$work XDG_CACHE_HOME=$work MESA_SHADER_CACHE_DISABLE=true
unset DRMPERF_GPU DRMPERF_GL DRMPERF_GL_SYNC DRMPERF_VERBOSE

not_ok()
{
	echo "not ok $1: $2 in:"
	sed 's/^/    /' "$work/out"
	failed=1
}

# says NAME TEXT...: the lines are in the output
says()
{
	local name=$1 text
	shift
	for text; do
		grep -qxE -- "$text" "$work/out" || {
			not_ok "$name" "no '$text'"
			return
		}
	done
	echo "ok $name"
}

# lacks NAME TEXT: no line of the output has it
lacks()
{
	if grep -qE -- "$2" "$work/out"; then
		not_ok "$1" "'$2'"
	else
		echo "ok $1"
	fi
}

# machine OPTION... -- PROGRAM [ARGUMENT]...: on simulated GPUs
machine()
{
	timeout $hang "$build/bin/drmsim" "$@" > "$work/out" 2>&1
	status=$?
	[ $status = 0 ] || echo "exit status $status" >> "$work/out"
}

# without a GPU of its own
software()
{
	export LIBGL_ALWAYS_SOFTWARE=1
	machine "$@"
	unset LIBGL_ALWAYS_SOFTWARE
}

if [ ! -x "$client" ] || [ ! -e "$build/lib/libdrmperf-gl.so" ]; then
	echo "skip gl: not built, the headers of OpenGL, EGL and GLX are not" \
		"installed"
	exit 0
fi
software -- "$client" core egl
if [ $status = 2 ]; then
	echo "skip gl: Mesa's llvmpipe is not installed"
	exit 0
fi
says "without drmperf gl the extension is not there" 'string no' 'indexed no'

# ---------------------------------------------------------------- AMD
cat > "$work/scenario" <<'END'
default zero
rate TCC.3 instance=3 2/clock
END
amd=(--strict --scenario "$work/scenario" --gpu vega10 -- "$tool" gl -d 0 --)
counted=(GRBM.COUNT TCC.REQ sensor.gfx-sclk)

# counts NAME: what the rate of the scenario says; a clock may be cut in two
counts()
{
	local cycles twice
	cycles=$(sed -n 's/^GRBM.COUNT //p' "$work/out")
	: "${cycles:=0}"
	twice=$((cycles * 2))
	says "$1" 'GRBM.COUNT [1-9][0-9]*' \
		"TCC.REQ ($((twice - 1))|$twice|$((twice + 1)))" \
		'sensor.gfx-sclk [1-9][0-9]*'
}

for context in core compatibility es2 es3; do
	for lookup in egl glx dlsym; do
		software "${amd[@]}" "$client" $context $lookup "${counted[@]}"
		counts "$context counts, found by $lookup"
		says "$context lists the extension, found by $lookup" \
			'indexed yes' 'number yes'
		# a core profile has no such string
		[ $context = core ] ||
			says "$context has an extension string, by $lookup" \
				'string yes'
		# the driver's, then ours, then the driver's
		says "$context has errors of driver and extension, by $lookup" \
			'error 0x500 0x501 0x501'
	done
done

software "${amd[@]}" "$client" core egl \
	TCC.{NONE,CYCLE,BUSY,REQ,STREAMING_REQ}
says "counters that do not fit are refused, with a message to the callback" \
	'monitor: cannot count these' \
	'message glBeginPerfMonitorAMD: 5 counters of group TCC are selected, which can count 4 at once; .*'
lacks "standard error is left alone" '^libdrmperf-gl'
told='message GL_AMD_performance_monitor counts on GPU 0, Vega 10 at .*'
says "a callback gets the GPU that counts" "$told"
[ "$(grep -cxE "$told" "$work/out")" = 1 ] &&
	echo "ok a callback gets the GPU once" ||
	not_ok "a callback gets the GPU once" "another number"
DRMPERF_VERBOSE=1 software "${amd[@]}" "$client" core egl \
	TCC.{NONE,CYCLE,BUSY,REQ,STREAMING_REQ}
says "DRMPERF_VERBOSE prints the refusal and the GPU" \
	'libdrmperf-gl: .* counts on GPU 0, Vega 10 at 0000:03:00.0, .*' \
	'libdrmperf-gl: glBeginPerfMonitorAMD: 5 counters of group TCC .*'

software "${amd[@]}" "$build/peers/gl_threads" 1 60
says "a context at the address of an earlier one counts" '1 threads'
software "${amd[@]}" "$build/peers/gl_threads" 4 8
says "threads and contexts do not disturb each other" '4 threads'

# ---------------------------------------------------------------- later
# With DRMPERF_GL_SYNC=0 nothing waits for the GPU but a thread of the library.
frames=(--strict --gpu vega10 -- "$tool" gl -d 0 -- "$build/peers/gl_frames")
software "${frames[@]}" 5 20 0 0
says "a result is available at the end of a frame by default" 'late 0' \
	'value [1-9][0-9]*'
export DRMPERF_GL_SYNC=0
# all frames would have to be drawn between two calls of the program
software "${frames[@]}" 20 20 0 0
says "results of frames come later with DRMPERF_GL_SYNC=0" \
	'late [1-9][0-9]*' 'value [1-9][0-9]*'
for context in core es2; do
	software "${amd[@]}" "$client" $context egl "${counted[@]}"
	counts "$context counts with DRMPERF_GL_SYNC=0"
done
software "${amd[@]}" "$build/peers/gl_threads" 4 8
says "threads do not disturb each other with DRMPERF_GL_SYNC=0" \
	'4 threads'
unset DRMPERF_GL_SYNC

# ---------------------------------------------------------------- lives
for sync in 1 0; do
	for life in moves destroyed abandoned kept shared terminated left \
		finished many; do
		DRMPERF_GL_SYNC=$sync software "${amd[@]}" \
			"$build/peers/gl_lives" $life
		says "DRMPERF_GL_SYNC=$sync: the context is handled: $life" \
			$life
		lacks "DRMPERF_GL_SYNC=$sync: the program exits with 0: $life" \
			'^exit status'
	done
done

# ---------------------------------------------------------------- Intel
for gpu in sklgt2 tglgt2; do
	software --strict --gpu $gpu -- "$tool" gl -d 0 -- "$client" es3 egl \
		RenderBasic.{GpuTime,GpuCoreClocks}
	says "counters of $gpu are counted" 'RenderBasic.GpuTime [1-9][0-9]*' \
		'RenderBasic.GpuCoreClocks [1-9][0-9]*'
	software --strict --gpu $gpu -- "$tool" gl -d 0 -- "$client" es3 egl \
		RenderBasic.GpuTime ComputeBasic.GpuTime
	says "$gpu has one metric set at a time" \
		'message glBeginPerfMonitorAMD: .*ComputeBasic.GpuTime.* does not fit .*'
done

# ---------------------------------------------------------------- dlsym()
cat > "$work/lookup.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
	void *egl = dlsym(RTLD_DEFAULT, "eglGetProcAddress");
	const char *error = dlerror();
	printf("before %s %s\n", egl ? "yes" : "no", error ? "told" : "-");
	void *library = dlopen("libEGL.so.1", RTLD_LAZY | RTLD_GLOBAL);
	egl = dlsym(RTLD_DEFAULT, "eglGetProcAddress");
	printf("after %s\n", egl && egl == dlsym(library, "eglGetProcAddress") ?
	       "yes" : "no");
	printf("other %s\n", dlsym(RTLD_NEXT, "puts") ? "yes" : "no");
	return 0;
}
END
if ${CC:-gcc} -D_GNU_SOURCE -o "$work/lookup" "$work/lookup.c" -ldl; then
	machine -- "$tool" gl -- "$work/lookup"
	says "a program sees whether EGL is loaded" 'before no told' \
		'after yes' 'other yes'
else
	not_ok "a program that looks EGL up compiles" "no program"
fi

# ---------------------------------------------------------------- dlclose()
mkdir "$work/egl"
cat > "$work/egl.c" <<'END'
void *eglGetProcAddress(const char *name) { return 0; }
END
cat > "$work/reopen.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <sys/mman.h>
int main(void)
{
	for (int i = 0; i < 3; i++) {
		void *egl = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
		void *(*get)(const char *) = dlsym(egl, "eglGetProcAddress");
		get("glNothing");
		dlclose(egl);
		/* nothing new lies where it was */
		for (int k = 0; k < 64; k++)
			mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			     -1, 0);
	}
	puts("opened again");
	return 0;
}
END
if ${CC:-gcc} -shared -fPIC -Wl,-soname,libEGL.so.1 \
	-o "$work/egl/libEGL.so.1" "$work/egl.c" &&
	${CC:-gcc} -o "$work/reopen" "$work/reopen.c" -ldl; then
	LD_LIBRARY_PATH=$work/egl machine -- "$tool" gl -- "$work/reopen"
	says "a program may close EGL and open it again" 'opened again'
else
	not_ok "a program that opens EGL again compiles" "no program"
fi

# ---------------------------------------------------------------- little there
# Mesa's functions end a program whose driver has nothing behind them.
for context in core es2; do
	software --gpu vega10 -- "$tool" gl -- "$client" $context egl blindly
	says "commands of a $context context that is not served do nothing" \
		'called blindly'
	lacks "a program without service for $context exits with 0" \
		'^exit status'
done
cat > "$work/little.c" <<'END'
void *eglGetCurrentContext(void) { return (void *)1; }
void *eglGetCurrentDisplay(void) { return (void *)2; }
void *eglGetProcAddress(const char *name) { return 0; }
END
cat > "$work/blind.c" <<'END'
#include <stdio.h>
void *eglGetProcAddress(const char *name);
int main(void)
{
	void (*begin)(unsigned) = eglGetProcAddress("glBeginPerfMonitorAMD");
	if (begin)
		begin(1);
	puts("called blindly");
	return 0;
}
END
if ${CC:-gcc} -shared -fPIC -Wl,-soname,libEGL.so.1 -o "$work/libEGL.so.1" \
	"$work/little.c" && ${CC:-gcc} -o "$work/blind" "$work/blind.c" \
	"$work/libEGL.so.1"; then
	LD_LIBRARY_PATH=$work DRMPERF_VERBOSE=1 machine --gpu vega10 -- \
		"$tool" gl -d 0 -- "$work/blind"
	says "a driver without functions of OpenGL is left alone" \
		'called blindly' '.*: the driver lacks functions of OpenGL'
else
	not_ok "the driver without functions of OpenGL compiles" "no program"
fi

# ---------------------------------------------------------------- which GPU
export DRMPERF_VERBOSE=1
software --gpu vega10 --gpu sklgt2 -- "$tool" gl -d 0000:03:00.0 -- \
	"$client" core egl GRBM.COUNT
says "gl -d takes the address of a GPU" \
	'.* counts on GPU [01], Vega 10 at 0000:03:00.0, .*'
software --gpu vega10 --gpu sklgt2 -- "$tool" gl -d 00:02.0 -- \
	"$client" core egl RenderBasic.GpuTime
says "gl -d takes the address of the other GPU" \
	'.* counts on GPU [01], Skylake GT2 at 0000:00:02.0, .*'
software --gpu vega10 -- "$tool" gl -- "$client" core egl
says "a driver that does not name its GPU is not served" 'indexed no' \
	'.*does not report which GPU it draws with; set DRMPERF_GPU to .*'
software -- env DRMPERF_GPU=0 "$tool" gl -- "$client" core egl
says "a driver without a GPU is not served" \
	'indexed no' '.*none of the 0 GPUs .*'
machine --gpu vega10 -- "$tool" gl -d 1 -- "$client" core egl
says "gl exits with 125 for an unknown GPU" \
	'drmperf gl: there is no device "1"' \
	'exit status 125'
machine -- "$tool" gl --override
says "gl is misuse without a program" \
	'drmperf gl: no program given' 'exit status 129'

# ---------------------------------------------------------------- radeonsi
# The counter's number: as the events are listed.
waves=$(machine --gpu vega10 -- "$tool" list amdgpu::SQ. && cut -f1 "$work/out" |
	grep -n '^amdgpu::SQ\.WAVES[: ]\|^amdgpu::SQ\.WAVES$' | cut -d: -f1)
machine --gpu vega10 -- "$monitor" 1 1 GRBM.0
if [ "$status" = 2 ] || [ "$status" = 127 ]; then
	echo "skip radeonsi: Mesa's driver, or gl_monitor, is not there"
else
	machine --gpu vega10 -- "$tool" gl -- "$client" core egl
	says "a driver's own extension is left alone" 'indexed yes' \
		'.*DRMPERF_GL=override takes its place'
	machine --gpu sklgt2 --gpu vega10 -- "$tool" gl --override -- \
		"$monitor" 1000 10 "SQ.$((waves - 1))"
	says "gl --override counts waves that radeonsi launches" \
		"SQ.$((waves - 1)) 10000" \
		'.* counts on GPU [01], Vega 10 at 0000:03:00.0, .*'
fi

# ---------------------------------------------------------------- by others
# There are programs that want a screen.
unset DRMPERF_VERBOSE
has_number()
{
	[ -s "$work/display" ]
}
if ! command -v Xvfb > /dev/null; then
	echo "skip GLX, apitrace: Xvfb is not installed"
	exit $failed
fi
Xvfb -displayfd 3 -screen 0 640x480x24 3> "$work/display" 2> "$work/out" &
screen=$!
if ! wait_for $screen has_number; then
	screen=
	not_ok "Xvfb has a display" "no display"
	exit 1
fi
DISPLAY=:$(cat "$work/display")
export DISPLAY

# plain: the output with blanks for what is between words
plain()
{
	tr '\t\0' '  ' < "$work/out" > "$work/plain"
	mv "$work/plain" "$work/out"
}

# Mesa's own tests of the extension, which Debian has in piglit. It takes 2 GB,
# so that make/deps.sh does not install it.
piglit=$(echo /usr/lib/*/piglit/bin)
if [ -x "$piglit/amd_performance_monitor_measure" ]; then
	for gpu in vega10 sklgt2; do
		for sync in 1 0; do
			for test in api measure; do
				DRMPERF_GL_SYNC=$sync software --strict \
					--gpu $gpu -- "$tool" gl -d 0 -- \
					"$piglit/amd_performance_monitor_$test" \
					-auto -fbo
				says "$gpu, sync $sync: piglit $test passes" \
					'PIGLIT: .*"pass".*'
				lacks "$gpu, sync $sync: piglit $test is clean" \
					'"fail"|"crash"|exit status'
			done
		done
	done
else
	echo "skip piglit: it is not installed"
fi

if command -v glxinfo > /dev/null; then
	software "${amd[@]}" glxinfo
	says "contexts of GLX have the extension" \
		'.*GL_AMD_performance_monitor.*'
	# core, compatibility, ES
	[ "$(grep -c GL_AMD_performance_monitor "$work/out")" = 3 ] &&
		echo "ok three contexts of GLX list the extension once each" ||
		not_ok "three contexts of GLX list the extension once each" \
			"another number"
	DRMPERF_GL_SYNC=0 DRMPERF_VERBOSE=1 software "${amd[@]}" glxinfo -B
	says "contexts of GLX count exactly in spite of DRMPERF_GL_SYNC=0" \
		'libdrmperf-gl: context: .* exactly, in spite of DRMPERF_GL_SYNC=0: .*'
else
	echo "skip GLX: glxinfo is not installed"
fi

if ! command -v apitrace > /dev/null; then
	echo "skip apitrace: it is not installed"
	exit $failed
fi
LIBGL_ALWAYS_SOFTWARE=1 apitrace trace -a egl -o "$work/trace" \
	"$client" compatibility egl > "$work/out" 2>&1
[ -s "$work/trace" ] || not_ok "apitrace records a trace" "no trace"
software "${amd[@]}" eglretrace --list-metrics "$work/trace"
# it leaves no room for the end of names: the last letter is missing, for a NUL
plain
says "apitrace lists counters" 'Backend GL_AMD_performance_monitor:' \
	' *Group #[0-9]*: GRB.*' ' *Metric #[0-9]*: COUN.* \(.*CNT_NUM_UINT64\).'
group=$(sed -n 's/^ *Group #\([0-9]*\): GRB [.]$/\1/p' "$work/out")
software "${amd[@]}" eglretrace \
	--pdrawcalls="GL_AMD_performance_monitor: [${group:-none},0]" \
	"$work/trace"
plain
says "apitrace counts a draw call" 'call [0-9]+ 0 glClear [1-9][0-9]*'
exit $failed
