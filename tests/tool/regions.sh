#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf record --regions has the regions that programs mark, by
# drmperf_marker.h, roctx, ITT and PAPI, and report shows them.
. tests/tool/lib.sh

# the library that programs load has no sanitizer: those of the tool are left out
tool=$plain
cc=${CC:-gcc}
data=$work/data

# compiled NAME OPTION...: the program of standard input, in $work/NAME
compiled()
{
	local name=$1
	shift
	cat > "$work/$name.c"
	# CC may be a command with options
	if ! $cc -Wall -Wextra -Werror -pthread -o "$work/$name" "$work/$name.c" \
		-Icomponents/marker/include "$@" > "$work/cc" 2>&1; then
		not_ok "$name compiles" "$work/cc"
		finish
	fi
}

# record EXPECTED COMMAND...: also into $work/trace and $work/page
record()
{
	local expected=$1
	shift
	run "$expected" $vega "$tool" record --regions -e amdgpu::TCC.REQ \
		-o "$data" -- "$@"
	cp "$work/out" "$work/said"
	cat "$work/err" >> "$work/said"
	"$tool" report --perfetto "$work/perfetto" --html "$work/page" "$data" \
		> "$work/out" 2>&1
	python3 tests/tool/trace.py "$work/perfetto" > "$work/trace" 2>&1
}

if ! command -v python3 > /dev/null; then
	skip "record --regions has what programs mark" "there is no python3"
	finish
fi

# ---------------------------------------------------------------- the header
compiled marks << 'END'
#include <drmperf_marker.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long long range;

static void handle(int number)
{
	(void)number;
	drmperf_marker_push("handler");
	drmperf_marker_pop();
}

static void *run(void *data)
{
	(void)data;
	drmperf_marker_push("thread");
	drmperf_marker_stop(range);
	drmperf_marker_pop();
	return NULL;
}

int main(int argc, char **argv)
{
	char name[200];
	pthread_t thread;
	pid_t child;

	(void)argv;
	printf("%d\n", (int)getpid());
	fflush(stdout);
	signal(SIGUSR1, handle);
	drmperf_marker_push("outer");
	drmperf_marker_push("inner <1>");
	raise(SIGUSR1);
	drmperf_marker_pop();
	range = drmperf_marker_start("range");
	drmperf_marker_stop(drmperf_marker_start("second"));
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	drmperf_marker_set("instant");
	child = fork();
	if (!child) {
		for (int fd = 3; fd < 1024; fd++)
			close(fd);
		drmperf_marker_push("child");
		drmperf_marker_pop();
		/* the parent's */
		drmperf_marker_pop();
		_exit(0);
	}
	waitpid(child, NULL, 0);
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	drmperf_marker_push(name);
	drmperf_marker_pop();
	drmperf_marker_pop();
	/* more than there are */
	drmperf_marker_pop();
	drmperf_marker_push("cut off");
	if (argc > 1)
		raise(SIGKILL);
	if (!range)
		puts("no tool");
	return 0;
}
END
run 0 "$work/marks"
has "a program that marks regions runs without a tool" "$work/out" '^no tool$'
empty "a program that marks regions prints no message" "$work/err"
readelf -d "$work/marks" > "$work/needed" 2>&1
lacks "a program that marks regions needs no library of drmperf" \
	"$work/needed" 'drmperf'

record 0 "$work/marks"
pid=$(head -n 1 "$work/said")
has "a trace has the regions of a thread, one in the other" "$work/trace" \
	"^region $pid $pid 0 outer$" "^region $pid $pid 1 inner <1>$" \
	"^region $pid $pid 2 handler$"
has "a trace has the region of a second thread" "$work/trace" \
	"^region $pid [0-9]* 0 thread$"
lacks "the region of a second thread is not the first one's" \
	"$work/trace" "^region $pid $pid .* thread$"
has "a trace has ranges, that another thread ends" "$work/trace" \
	"^range $pid range$" "^range $pid second$"
has "a trace has instants" "$work/trace" "^instant $pid $pid instant$"
has "a trace has regions of a child, which closes all files" "$work/trace" \
	"^region [0-9]+ [0-9]+ 0 child$"
lacks "a region of a child is not its parent's" "$work/trace" \
	"^region $pid .* child$"
has "a long name is cut" "$work/trace" "^region $pid $pid 1 x{95}$"
has "a region that does not end is shown" "$work/trace" \
	"^region $pid $pid 0 cut off$"
has "a trace has counters next to regions" "$work/trace" \
	'^counter amdgpu::TCC.REQ'
has "a page has regions" "$work/page" '<h2>Regions</h2>' \
	'>inner &lt;1&gt;<' '>outer<' '>range<' '>instant<'
lacks "record --regions warns of nothing" "$work/said" 'lost|fail|cannot'

record 137 "$work/marks" kill
pid=$(head -n 1 "$work/said")
has "report shows the marks of a program that was killed" "$work/trace" \
	"^region $pid $pid 0 outer$" "^region $pid $pid 0 cut off$"

# marks of processes that a shell starts
record 0 sh -c "'$work/marks'; '$work/marks'"
same "regions of all processes of a command are shown" \
	<(grep -c ' outer$' "$work/trace") 2

run 0 $vega "$tool" record -e amdgpu::TCC.REQ -o "$data" -- "$work/marks"
has "programs write no marks without --regions" "$work/out" '^no tool$'
"$tool" report --html "$work/page" "$data" > "$work/out" 2>&1
lacks "a page without regions has no heading for them" "$work/page" \
	'<h2>Regions'
run 129 "$tool" record --regions -a -o "$data"
has "--regions without a command is misuse" "$work/err" \
	'--regions is for a command'

# ---------------------------------------------------------------- a table
# Simulated time passes in one go: on each side of it are samples of its region.
cat > "$work/advance" << 'END'
#!/bin/sh
# wait until the GPU has done what a sample asks for, three times
samples()
{
	first=$("$1" ctl report | sed -n 's/.*submissions=\([0-9]*\).*/\1/p')
	now=$first
	while [ "$now" -lt $((first + 3)) ]; do
		now=$("$1" ctl report |
			sed -n 's/.*submissions=\([0-9]*\).*/\1/p')
	done
}
samples "$1"
"$1" ctl advance "$2"
samples "$1"
END
compiled steps << 'END'
#include <drmperf_marker.h>
#include <stdio.h>
#include <stdlib.h>
static void advance(const char *name, char **argv, const char *time)
{
	char command[8192];

	snprintf(command, sizeof(command), "sh %s %s %s", argv[1], argv[2],
		 time);
	drmperf_marker_push(name);
	if (system(command))
		exit(1);
	drmperf_marker_pop();
}
int main(int argc, char **argv)
{
	drmperf_marker_push("all");
	advance("work", argv, "1s");
	advance("rest", argv, "500ms");
	drmperf_marker_set("instant");
	advance("work", argv, "3s");
	drmperf_marker_pop();
	return argc != 3;
}
END
run 0 $vega "$tool" record --regions -F 1000 \
	-e amdgpu::TCC.REQ,GPUBusy,sensor.gpu-temp -o "$data" -- \
	"$work/steps" "$work/advance" "$sim"
run 0 "$tool" report --regions "$data"
has "report --regions adds up the calls of a region" "$work/out" \
	'^ all: 1 call, [0-9.]+ s$' \
	'^ work: 2 calls, [0-9.]+ s, each [0-9.]+ s to [0-9.]+ s$' \
	'^ rest: 1 call, [0-9.]+ s$'
sed -n '/^ work/,/^ rest/p' "$work/out" > "$work/work"
has "a region has the sums of all its calls" "$work/work" \
	'^ +64,000 +requests +16\.0 k/s +amdgpu::TCC.REQ$'
has "a region has the means of what does not add up" "$work/work" \
	'^ +45\.0 +degC +amdgpu::sensor.gpu-temp$' '^ +0\.[0-9] +%.*GPUBusy$'
lacks "an instant is no region of the table" "$work/out" '^ instant'
same "the region that took longest is first" \
	<(sed -n 's/^ \([a-z]*\): .* calls*, .*/\1/p' "$work/out" | head -n 1) all
run 0 "$tool" report --regions --json "$data"
json "report --regions --json has the same" "$work/out" \
	'[.regions[] | [.name, .calls, .events[0].value]] | sort == [
		["all", 1, 72000], ["rest", 1, 8000], ["work", 2, 64000]]'
json "a region of two calls has the time of both" "$work/out" \
	'.regions[] | select(.name == "work") | .min_seconds > 0 and
	(.seconds - .min_seconds - .max_seconds | fabs < 1e-6) and
	(.events[0] | .event == "amdgpu::TCC.REQ" and .unit == "requests" and
		.device == 0 and .rate > 0)'
run 0 $vega "$tool" record -e amdgpu::TCC.REQ -o "$data" -- $sim ctl advance 1s
run 0 "$tool" report --regions "$data"
has "the error of report --regions says how to record regions" "$work/out" \
	'no regions \(drmperf record --regions\)'
run 129 "$tool" report --regions --csv "$data"
has "--regions with --csv is misuse" "$work/err" '--regions is a table of its own'

# ---------------------------------------------------------------- roctx
compiled libroctx64.so -shared -fPIC << 'END'
#include <stdint.h>
#include <stdio.h>
void roctxMarkA(const char *name);
int roctxRangePushA(const char *name);
int roctxRangePop(void);
uint64_t roctxRangeStartA(const char *name);
void roctxRangeStop(uint64_t range);
void roctxMarkA(const char *name) { printf("mark %s\n", name); }
int roctxRangePushA(const char *name) { printf("push %s\n", name); return 7; }
int roctxRangePop(void) { puts("pop"); return 6; }
uint64_t roctxRangeStartA(const char *name)
{
	printf("start %s\n", name);
	return 1234567890123;
}
void roctxRangeStop(uint64_t range) { printf("stop %llu\n",
	(unsigned long long)range); }
END
compiled roctx -L"$work" -lroctx64 -Wl,-rpath,"$work" << 'END'
#include <stdint.h>
#include <stdio.h>
void roctxMarkA(const char *name);
int roctxRangePushA(const char *name);
int roctxRangePop(void);
uint64_t roctxRangeStartA(const char *name);
void roctxRangeStop(uint64_t range);
int main(void)
{
	uint64_t range = roctxRangeStartA("copies");
	printf("level %d\n", roctxRangePushA("kernel"));
	printf("level %d\n", roctxRangePop());
	roctxMarkA("step");
	roctxRangeStop(range);
	return 0;
}
END
mkdir "$work/empty"
echo 'typedef int nothing;' | compiled empty/libroctx64.so -shared -fPIC
record 0 "$work/roctx"
has "a trace has what a program marks by roctx" "$work/trace" \
	'^region ([0-9]+) \1 0 kernel$' '^range [0-9]+ copies$' \
	'^instant [0-9]+ [0-9]+ step$'
has "the program's own roctx is called" "$work/said" '^start copies$' \
	'^push kernel$' '^level 7$' '^pop$' '^level 6$' '^mark step$' \
	'^stop 1234567890123$'
record 0 env LD_LIBRARY_PATH="$work/empty" "$work/roctx"
has "a trace has marks by roctx without its functions" "$work/trace" \
	'^region ([0-9]+) \1 0 kernel$' '^range [0-9]+ copies$'
same "regions by roctx without its functions have levels" \
	<(grep level "$work/said") 'level 0
level 0'

# ---------------------------------------------------------------- ITT
# what the static part in a program does with the library that it is given
compiled itt -ldl << 'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct domain { volatile int flags; const char *name; };
struct string { const char *text; };
struct id { unsigned long long d1, d2, d3; };
#define GET(type, name, args) type (*name) args = \
	(type (*) args)dlsym(library, "__itt_" #name)
int main(void)
{
	const char *path = getenv("INTEL_LIBITTNOTIFY64");
	const char *groups = getenv("INTEL_ITTNOTIFY_GROUPS");
	void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
	struct id none = { 0 }, one = { 1, 2, 0 };
	struct domain *domain;
	struct string *name;
	if (!library || !groups || strcmp(groups, "all") ||
	    dlsym(library, "__itt_api_init") ||
	    !dlsym(library, "__itt_api_version"))
		return 1;
	GET(struct domain *, domain_create, (const char *));
	GET(struct string *, string_handle_create, (const char *));
	GET(void, task_begin, (const struct domain *, struct id, struct id,
			       struct string *));
	GET(void, task_end, (const struct domain *));
	GET(void, task_begin_overlapped, (const struct domain *, struct id,
					  struct id, struct string *));
	GET(void, task_end_overlapped, (const struct domain *, struct id));
	GET(void, region_begin, (const struct domain *, struct id, struct id,
				 struct string *));
	GET(void, region_end, (const struct domain *, struct id));
	GET(void, marker, (const struct domain *, struct id, struct string *,
			   int));
	domain = domain_create("domain");
	name = string_handle_create("task");
	if (!domain->flags || strcmp(domain->name, "domain") ||
	    domain != domain_create("domain") ||
	    domain == domain_create("other") ||
	    name != string_handle_create("task"))
		return 2;
	task_begin(domain, none, none, name);
	region_begin(domain, one, none, string_handle_create("region"));
	marker(domain, none, string_handle_create("marker"), 1);
	region_end(domain, one);
	task_end(domain);
	task_begin_overlapped(domain, one, none,
			      string_handle_create("overlapped"));
	task_end_overlapped(domain, one);
	return 0;
}
END
record 0 "$work/itt"
has "a trace has what a program marks by ITT" "$work/trace" \
	'^region ([0-9]+) \1 0 task$' '^range [0-9]+ region$' \
	'^range [0-9]+ overlapped$' '^instant [0-9]+ [0-9]+ marker$'
lacks "ITT finds all that it looks for" "$work/said" 'exit status'

# ---------------------------------------------------------------- PAPI
compiled libpapi.so -shared -fPIC << 'END'
#include <stdio.h>
int PAPI_hl_region_begin(const char *region);
int PAPI_hl_region_end(const char *region);
int PAPI_hl_region_begin(const char *region)
{
	printf("begin %s\n", region);
	return -3;
}
int PAPI_hl_region_end(const char *region)
{
	printf("end %s\n", region);
	return -4;
}
END
compiled papi -L"$work" -lpapi -Wl,-rpath,"$work" << 'END'
#include <stdio.h>
int PAPI_hl_region_begin(const char *region);
int PAPI_hl_region_end(const char *region);
int main(void)
{
	printf("result %d\n", PAPI_hl_region_begin("main"));
	printf("result %d\n", PAPI_hl_region_end("main"));
	return 0;
}
END
record 0 "$work/papi"
has "a trace has the regions of PAPI" "$work/trace" \
	'^region ([0-9]+) \1 0 main$'
has "PAPI is called, and its results are the program's" "$work/said" \
	'^begin main$' '^result -3$' '^end main$' '^result -4$'
finish
