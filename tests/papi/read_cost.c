/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a PAPI_read of a running set costs: one submission and one wait, or none
 * where the end of a sample is seen in memory (DRMPERF_SPIN_US), and no other
 * system call, no allocation, no comparison of strings. And how often
 * PAPI_start and PAPI_stop ask the kernel.
 *
 * The functions below stand before those of the C library and of drmsim for
 * the whole process, and count what passes through them on its way there. The
 * kernel reports each system call of the thread to another thread, which counts
 * those that drmsim does not make to answer an ioctl.
 *
 * usage: read_cost SUBMIT_REQUEST WAIT_REQUEST RINGS EVENT...
 * The requests are numbers of DRM ioctls, to be seen once each per read; the
 * second not at all unless DRMPERF_SPIN_US is 0. To start and to stop, that
 * many rings have to be told; the rest are samples, and PAPI_stop reads before
 * it stops. Of events that do not come from a GPU's command stream, "any any 0"
 * allows all system calls and what it takes to read their answers, but no
 * allocation.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <papi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define READS 100
#define MAX_EVENTS 64

static volatile bool watching;
static volatile bool in_ioctl; /* the calls are drmsim's */
static unsigned ioctls[256];
static unsigned allocations, comparisons;
static volatile unsigned other_calls;
static volatile int last_other_call;

/* Declared where the C library's headers do not: same names, same types. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define VISIBLE __attribute__((visibility("default")))

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *
__libc_realloc(void *, size_t);
extern void
__libc_free(void *);

/*
 * Return whether a call is of what is spent in libpapi, libdrmperf or libdrm,
 * and not of the simulator beneath them.
 */
static bool
is_watched(const void *caller)
{
	Dl_info info;

	if (!watching)
		return false;
	watching = false; /* dladdr() may do what is watched */
	if (!dladdr(caller, &info))
		info.dli_fname = "";
	watching = true;
	return __builtin_strstr(info.dli_fname, "libpapi") ||
	       __builtin_strstr(info.dli_fname, "libdrmperf") ||
	       __builtin_strstr(info.dli_fname, "libdrm_amdgpu") ||
	       __builtin_strstr(info.dli_fname, "libdrm.so");
}
#define CALLER __builtin_return_address(0)

VISIBLE void *
malloc(size_t size)
{
	allocations += is_watched(CALLER);
	return __libc_malloc(size);
}

VISIBLE void *
calloc(size_t count, size_t size)
{
	allocations += is_watched(CALLER);
	return __libc_calloc(count, size);
}

VISIBLE void *
realloc(void *old, size_t size)
{
	allocations += is_watched(CALLER);
	return __libc_realloc(old, size);
}

VISIBLE void
free(void *memory)
{
	allocations += is_watched(CALLER);
	__libc_free(memory);
}

VISIBLE int
strcmp(const char *a, const char *b)
{
	comparisons += is_watched(CALLER);
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

VISIBLE int
strncmp(const char *a, const char *b, size_t size)
{
	comparisons += is_watched(CALLER);
	while (size && *a && *a == *b) {
		a++;
		b++;
		size--;
	}
	return size ? (unsigned char)*a - (unsigned char)*b : 0;
}

VISIBLE int
ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;
	int ret;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (is_watched(CALLER))
		ioctls[_IOC_NR(request)]++;
	in_ioctl = true;
	ret = NEXT(ioctl)(fd, request, argument);
	in_ioctl = false;
	return ret;
}

/* ------------------------------------------------------------------ */
/* System calls                                                         */

static _Atomic int notifications = -1;
/* The C library's: drmsim's own waits for calls that wait to be reported. */
static long (*make_call)(long number, ...);

/* Let each system call go on, and count it. */
static void *
count_calls(void *unused)
{
	/* a call that would wake this thread waits to be reported itself */
	while (notifications < 0)
		usleep(1000);
	for (;;) {
		struct seccomp_notif call = { 0 };
		struct seccomp_notif_resp answer = {
			.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE,
		};

		if (make_call(SYS_ioctl, notifications,
			      SECCOMP_IOCTL_NOTIF_RECV, &call)) {
			if (errno == EINTR || errno == ENOENT)
				continue;
			return unused;
		}
		if (watching && !in_ioctl) {
			last_other_call = call.data.nr;
			other_calls++;
		}
		answer.id = call.id;
		make_call(SYS_ioctl, notifications, SECCOMP_IOCTL_NOTIF_SEND,
			  &answer);
	}
}

/*
 * Have the kernel report, from now on, the calls of this thread, but for those
 * that the C library makes on some machines and not on others. False if the
 * kernel or a container does not let programs do that.
 */
static bool
report_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
	};
	const struct sock_fprog program = {
		.len = sizeof(filter) / sizeof(filter[0]),
		.filter = filter,
	};
	void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
	pthread_t thread;

	if (libc)
		make_call = (__typeof__(make_call))dlsym(libc, "syscall");
	if (!make_call)
		return false;
	if (pthread_create(&thread, NULL, count_calls, NULL) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return false;
	notifications =
		(int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			     SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
	return notifications >= 0;
}

/* Return whether a call that is made is counted: the check can fail. */
static bool
sees_calls(void)
{
	bool seen;

	if (!report_calls())
		return false;
	watching = true;
	syscall(SYS_getppid);
	watching = false;
	seen = other_calls == 1 && last_other_call == SYS_getppid;
	other_calls = 0;
	return seen;
}

static int failed;

static void
print_result(const char *name, bool holds, const char *what, unsigned found)
{
	if (holds) {
		printf("ok %s\n", name);
		return;
	}
	printf("not ok %s\n    | %s: %u\n", name, what, found);
	failed = 1;
}

static void
tell_allocations(void)
{
	print_result("a read allocates nothing", allocations == 0, "calls",
		     allocations);
}

static unsigned
other_ioctls(unsigned submit, unsigned wait)
{
	unsigned others = 0, i;

	for (i = 0; i < 256; i++) {
		if (i != submit && i != wait)
			others += ioctls[i];
	}
	return others;
}

static void
tell_calls(bool can_count, unsigned others)
{
	char what[64];

	if (!can_count) {
		printf("skip a read makes no other system call: the kernel "
		       "does not report calls (seccomp)\n");
		return;
	}
	snprintf(what, sizeof(what), "others, the last one number %d",
		 last_other_call);
	print_result("a read makes no other system call", others == 0, what,
		     others);
}

/* Return how many of the samples ask the kernel whether they have ended. */
static unsigned
expected_waits(unsigned samples)
{
	const char *spin = getenv("DRMPERF_SPIN_US");

	return spin && !strcmp(spin, "0") ? samples : 0;
}

static void
tell_all(unsigned submit, unsigned wait, bool can_count)
{
	unsigned others = other_calls + other_ioctls(submit, wait);

	print_result("a read is one submission", ioctls[submit] == READS,
		     "submissions", ioctls[submit]);
	print_result(expected_waits(1) ? "a read waits once"
				       : "a read sees its end in memory",
		     ioctls[wait] == expected_waits(READS), "waits",
		     ioctls[wait]);
	tell_calls(can_count, others);
	tell_allocations();
	print_result("a read compares no strings", comparisons == 0,
		     "comparisons", comparisons);
}

/*
 * Print the submissions, of which some are samples, and others at most, the
 * second time.
 */
static void
tell_switch(const char *name, unsigned submit, unsigned wait, unsigned most,
	    unsigned samples, unsigned others_most)
{
	char text[128];

	snprintf(text, sizeof(text), "%s submits no more than it has to", name);
	print_result(text, ioctls[submit] == most, "submissions",
		     ioctls[submit]);
	snprintf(text, sizeof(text), "%s waits once for each%s", name,
		 expected_waits(1) ? "" : " that is no sample");
	print_result(text,
		     ioctls[wait] == most - samples + expected_waits(samples),
		     "waits", ioctls[wait]);
	snprintf(text, sizeof(text), "%s asks for nothing else", name);
	print_result(text, other_ioctls(submit, wait) <= others_most,
		     "other ioctls", other_ioctls(submit, wait));
	memset(ioctls, 0, sizeof(ioctls));
}

/* Watch switches the second time, when all that is done once has been done. */
static void
watch_switches(int set, unsigned submit, unsigned wait, unsigned rings)
{
	int ret;

	memset(ioctls, 0, sizeof(ioctls));
	watching = true;
	ret = PAPI_stop(set, NULL);
	watching = false;
	print_result("PAPI_stop succeeds", ret == PAPI_OK, "failures", 1);
	tell_switch("PAPI_stop", submit, wait, rings + 2, 2, 0);
	watching = true;
	ret = PAPI_start(set);
	watching = false;
	print_result("PAPI_start succeeds", ret == PAPI_OK, "failures", 1);
	/* whether the GPU has been reset since */
	tell_switch("PAPI_start", submit, wait, rings + 1, 1, 1);
}

int
main(int argc, char **argv)
{
	long long values[MAX_EVENTS];
	const bool any = argc > 1 && !strcmp(argv[1], "any");
	unsigned submit, wait;
	int set = PAPI_NULL;
	bool can_count;
	int i;

	if (argc < 5 || argc > MAX_EVENTS ||
	    PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT ||
	    PAPI_create_eventset(&set) != PAPI_OK)
		return 2;
	for (i = 4; i < argc; i++) {
		if (PAPI_add_named_event(set, argv[i]) != PAPI_OK) {
			fprintf(stderr, "%s cannot be added\n", argv[i]);
			return 2;
		}
	}
	if (PAPI_start(set) != PAPI_OK || PAPI_read(set, values) != PAPI_OK)
		return 2;
	can_count = !any && sees_calls();
	watching = true;
	for (i = 0; i < READS; i++) {
		if (PAPI_read(set, values) != PAPI_OK)
			break;
	}
	watching = false;
	print_result("all reads succeed", i == READS, "successes", (unsigned)i);
	submit = (unsigned)strtoul(argv[1], NULL, 0);
	wait = (unsigned)strtoul(argv[2], NULL, 0);
	if (any) {
		tell_allocations();
	} else {
		tell_all(submit, wait, can_count);
		watch_switches(set, submit, wait,
			       (unsigned)strtoul(argv[3], NULL, 0));
	}
	PAPI_stop(set, NULL);
	PAPI_shutdown();
	return failed;
}
