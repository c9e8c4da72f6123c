/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/session/fake.h"

#include <sys/mman.h>

#include "device/state.h"
#include "tests/support/check.h"
#include "tests/support/fake_machine.h"

enum {
	CORE,
	BOARD,
	PLAIN,
	SPLIT
};

static const struct fake_model model = {
	.domains = {
		[FAKE_CORE] = { .name = "core", .ops = &fake_shared_ops },
		[FAKE_PLAIN] = { .name = "plain", .ops = &fake_own_ops },
		[FAKE_SPLIT] = { .name = "split", .ops = &fake_split_ops },
	},
	.groups = {
		[CORE] = { FAKE_GROUP(FAKE_CORE, "CORE", 4, FAKE_CORES) },
		[BOARD] = { FAKE_GROUP(FAKE_CORE, "BOARD", 8, 1) },
		[PLAIN] = { FAKE_GROUP(FAKE_PLAIN, "PLAIN", 8, 1) },
		[SPLIT] = { FAKE_GROUP(FAKE_SPLIT, "SPLIT", 8, 1) },
	},
	.events = {
		{ FAKE_EVENT(CORE, "A", 0) },
		{ FAKE_EVENT(CORE, "B", 1) },
		{ FAKE_EVENT(CORE, "C", 2) },
		{ FAKE_EVENT(CORE, "D", 3) },
		{ FAKE_EVENT(CORE, "E", 4) },
		{ FAKE_METRIC(CORE, "HALF", "A / B + max(A)") },
		{ FAKE_EVENT(BOARD, "TEMPERATURE", FAKE_MOMENTARY),
		  .kind = DRMPERF_KIND_MOMENTARY },
		{ .group = BOARD,
		  .name = "KELVIN",
		  .expression = "TEMPERATURE + 273.15",
		  .type = DRMPERF_TYPE_DOUBLE,
		  .kind = DRMPERF_KIND_MOMENTARY },
		{ FAKE_EVENT(PLAIN, "X", FAKE_SELECT_PLAIN) },
		{ FAKE_EVENT(PLAIN, "Y", FAKE_SELECT_OTHER) },
		{ FAKE_METRIC(PLAIN, "MEAN", "(X + Y) / 2") },
		{ FAKE_EVENT(SPLIT, "COUNT", FAKE_SELECT_SPLIT) },
	},
};

struct fake_gpu *fake_gpus;

static int
describe_gpu(const struct driver_target *target,
	     struct description *description, void **out,
	     struct drmperf_error *error)
{
	(void)error;
	*out = &fake_gpus[target->index];
	fake_describe(&model, *out, description);
	return 0;
}

static const struct driver *const drivers[] = {
	&(const struct driver){ .name = "fake",
				.describe = describe_gpu,
				.release = fake_release,
				.abandon = fake_abandon },
	NULL,
};

void
fake_open_gpus(unsigned count)
{
	fake_gpus =
		mmap(NULL, FAKE_GPUS * sizeof(*fake_gpus),
		     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(fake_gpus, MAP_FAILED);
	ck_assert_int_eq(state_create(NULL, drivers, fake_machine_begin(count),
				      &counting.drmperf, &counting.error),
			 0);
}

void
fake_open(void)
{
	fake_open_gpus(1);
}

void
fake_close(void)
{
	counting_end();
	munmap(fake_gpus, FAKE_GPUS * sizeof(*fake_gpus));
	fake_machine_end();
}

void
fake_work(uint64_t n)
{
	for (size_t i = 0; i < FAKE_DOMAINS; i++)
		fake_domain_work(&fake_gpus[0].domains[i], n);
}

unsigned
fake_called(enum fake_call call)
{
	unsigned sum = 0;

	for (size_t i = 0; i < FAKE_DOMAINS; i++)
		sum += fake_gpus[0].domains[i].called[call];
	return sum;
}
