/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Around every run of a fuzzer: it takes no more than 64 MiB beyond what it
 * began with, and no more of the processor than a second. FUZZ_SECONDS is
 * another limit, for machines of any speed. The end tells what was the most.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* of the sanitizers' runtime; gcc has no header with them */
size_t
__sanitizer_get_allocated_size(const volatile void *memory);
int
__sanitizer_install_malloc_and_free_hooks(
	void (*allocated)(const volatile void *, size_t),
	void (*freed)(const volatile void *));

#define MIB (1 << 20)
#define MOST_BYTES (64 * MIB)
#define NS_PER_S UINT64_C(1000000000)

/* --wrap: the fuzzer's own, and what is called in its place */
int
__real_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int
__wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
	int64_t bytes, most_bytes; /* since the run began */
	uint64_t limit_ns;
	int64_t peak_bytes; /* of all runs */
	uint64_t peak_ns;
} limits;

static void
note_allocated(const volatile void *memory, size_t size)
{
	(void)memory;
	limits.bytes += (int64_t)size;
	if (limits.bytes > limits.most_bytes)
		limits.most_bytes = limits.bytes;
}

static void
note_freed(const volatile void *memory)
{
	if (memory)
		limits.bytes -= (int64_t)__sanitizer_get_allocated_size(
			memory);
}

static uint64_t
processor_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

static void
print_limits(void)
{
	fprintf(stderr, "most of a run: %" PRId64 " KiB, %" PRIu64 " us\n",
		limits.peak_bytes / 1024, limits.peak_ns / 1000);
}

static void
start_limits(void)
{
	const char *seconds = getenv("FUZZ_SECONDS");

	limits.limit_ns = NS_PER_S * (seconds ? strtoul(seconds, NULL, 10) : 1);
	__sanitizer_install_malloc_and_free_hooks(note_allocated, note_freed);
	atexit(print_limits);
}

static void
refuse_run(const char *what)
{
	print_limits();
	fprintf(stderr, "a run took more %s than it may\n", what);
	abort();
}

int
__wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t begin, ns;
	int result;

	if (!limits.limit_ns)
		start_limits();
	limits.bytes = limits.most_bytes = 0;
	begin = processor_ns();
	result = __real_LLVMFuzzerTestOneInput(data, size);
	ns = processor_ns() - begin;
	if (limits.most_bytes > limits.peak_bytes)
		limits.peak_bytes = limits.most_bytes;
	if (ns > limits.peak_ns)
		limits.peak_ns = ns;
	if (limits.most_bytes > MOST_BYTES)
		refuse_run("memory");
	if (ns > limits.limit_ns)
		refuse_run("time");
	return result;
}
