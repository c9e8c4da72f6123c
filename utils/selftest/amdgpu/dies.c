/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/dies.h"

static void
write_question(struct pm4 *pm4, const struct core *core, uint64_t results,
	       const void *data)
{
	(void)data;
	for (unsigned die = 0; die < core->xccs; die++) {
		pm4->xccs = UINT32_C(1) << die;
		pm4_store(pm4, 1, results + die * sizeof(uint32_t));
	}
	pm4->xccs = 0;
}

int
dies_ask(struct harness *harness, const char *check, enum pm4_engine engine,
	 uint32_t *answers)
{
	const struct experiment experiment = {
		.check = check,
		.expected = "a die takes them",
		.what = "a store for each die",
		.engine = engine,
		.write = write_question,
		.results = harness->gpu->core.xccs,
	};
	uint32_t results[DIES_MAX];
	int ret = harness_run(harness, &experiment, results);

	*answers = 0;
	for (unsigned die = 0; !ret && die < experiment.results; die++)
		*answers |= (uint32_t)(results[die] == 1) << die;
	return ret;
}

int
dies_choose(struct harness *harness)
{
	uint32_t die = 0;
	int ret;

	if (harness->gpu->core.xccs < 2)
		return 0;
	ret = dies_ask(harness, "dies.answer",
		       harness->gpu->core.commands.samples, &die);
	/* If several answer, the first one is meant. */
	harness->die = die & -die;
	return ret;
}
