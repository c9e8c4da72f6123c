/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ioctls of a hostile program, on GPUs of both drivers. The first byte chooses
 * the GPU, the second says how many calls follow from byte 8 on, and what is
 * behind them is the memory that their pointers lead to.
 *
 * A call is a byte that chooses the ioctl, seven that are not read, and its
 * argument. A word 0xfeed00000000NNNN, in an argument or in memory, becomes the
 * address of byte NNNN of the memory.
 *
 * Whatever comes: each call is answered or sleeps.
 */
#include <assert.h>
#include <drm.h>
#include <i915_drm.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/array.h"
#include "i915/device.h"
#include "kernel/ioctl.h"
#include "kernel/stream.h"
#include "machine/driver.h"
#include "machine/note.h"
#include "server/time.h"
#include "tests/drmsim/sim_client.h"

#define HEADER 8
#define CALLS_MAX 32
#define CALL_SIZE 80
#define ARGUMENT_SIZE (CALL_SIZE - 8)
#define MEMORY_SIZE 4096
#define TAG (0xfeedull << 48)

static const char *const kinds[] = {
	"bonaire", "vega10", "mi300",  "navi31", "hsw",
	"sklgt2",  "tglgt2", "acmgt1", "mtlgt2", NULL,
};

static const unsigned long of_all[] = {
	DRM_IOCTL_GEM_CLOSE,	    DRM_IOCTL_PRIME_HANDLE_TO_FD,
	DRM_IOCTL_GET_CAP,	    DRM_IOCTL_PRIME_FD_TO_HANDLE,
	DRM_IOCTL_SET_CLIENT_CAP,   DRM_IOCTL_VERSION,
	DRM_IOCTL_SYNCOBJ_DESTROY,  DRM_IOCTL_SYNCOBJ_CREATE,
	DRM_IOCTL_SYNCOBJ_TRANSFER, DRM_IOCTL_SYNCOBJ_WAIT,
	DRM_IOCTL_SYNCOBJ_SIGNAL,   DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT,
	DRM_IOCTL_SYNCOBJ_RESET,    DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL,
	DRM_IOCTL_SYNCOBJ_QUERY,    DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD,
};

static struct sim *machine;
static uint64_t memory[MEMORY_SIZE / 8];

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

static void
tear_down(void)
{
	sim_client_machine_destroy(machine);
}

static void
start_machine(void)
{
	machine = sim_client_machine(kinds);
	atexit(tear_down);
}

/* Make addresses of tagged words. */
static void
put_addresses(uint64_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (words[i] >> 48 == TAG >> 48)
			words[i] =
				(uintptr_t)memory + words[i] % sizeof(memory);
}

static unsigned long
request_of(const struct sim_gpu *gpu, uint8_t number)
{
	size_t own = gpu->driver->ioctl_count;
	size_t chosen = number % (own + ARRAY_SIZE(of_all));

	return chosen < own ? gpu->driver->ioctls[chosen].request
			    : of_all[chosen - own];
}

static void
call_ioctl(struct sim_client *client, const uint8_t *data)
{
	unsigned long request = request_of(client->gpu, data[0]);
	/* as much as the longest argument takes */
	uint64_t argument[(1 << _IOC_SIZEBITS) / 8] = { 0 };
	int result;

	memcpy(argument, data + 8, ARGUMENT_SIZE);
	put_addresses(argument, ARGUMENT_SIZE / 8);
	result = sim_client_ioctl(client, request, argument, memory,
				  sizeof(memory));
	assert(result == SIM_SLEEP || (result > -4096 && result < SIM_SLEEP));
	sim_streams_check(machine);
	sim_time_advance(machine, 1000000);
}

/* Remove what outlives a file. */
static void
tidy_client(struct sim_client *client)
{
	struct sim_i915 *device;

	client->gpu->driver->reset(client->gpu);
	if (strcmp(client->gpu->driver->name, "i915") != 0)
		return;
	device = sim_i915_of(client->gpu);
	while (device->oa.configs.first) {
		uint64_t id = device->oa.configs.first->id;
		int error = sim_client_ioctl(client,
					     DRM_IOCTL_I915_PERF_REMOVE_CONFIG,
					     &id, NULL, 0);

		assert(!error);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sim_client client;
	size_t calls, rest, at = HEADER;

	if (!machine)
		start_machine();
	if (size < HEADER)
		return 0;
	calls = data[1] % CALLS_MAX;
	if (calls > (size - HEADER) / CALL_SIZE)
		calls = (size - HEADER) / CALL_SIZE;
	rest = size - HEADER - calls * CALL_SIZE;
	memset(memory, 0, sizeof(memory));
	memcpy(memory, data + size - rest,
	       rest < sizeof(memory) ? rest : sizeof(memory));
	put_addresses(memory, ARRAY_SIZE(memory));
	sim_client_open(&client, machine->gpus[data[0] % machine->gpu_count]);
	for (; calls; calls--, at += CALL_SIZE)
		call_ioctl(&client, data + at);
	tidy_client(&client);
	sim_client_close(&client);
	sim_notes_clear(machine);
	return 0;
}

/*
 * Mutate: half of what is tried has one more pointer, or a small number,
 * somewhere.
 */
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
	uint64_t word = (uint64_t)rand_r(&seed) % MEMORY_SIZE & ~7ull;
	size_t at;

	size = LLVMFuzzerMutate(data, size, room);
	if (size < HEADER + 8 || rand_r(&seed) % 2)
		return size;
	word = rand_r(&seed) % 2 ? TAG | word : word / 64;
	at = HEADER + 8 * ((size_t)rand_r(&seed) % ((size - HEADER) / 8));
	memcpy(data + at, &word, sizeof(word));
	return size;
}
