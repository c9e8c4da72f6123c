/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/kind.h"

#include <limits.h>
#include <string.h>

#include "selftest/amdgpu/selftest.h"
#include "selftest/intel/oa.h"

/* Stages from this one on write registers. */
#define AMD_FIRST_WRITING 3u

static const struct selftest_kind kinds[] = {
	{ "amdgpu", SELFTEST_STAGES, selftest_title, selftest_amd_run,
	  SELFTEST_LOAD, SELFTEST_HIDDEN - 1,
	  1u << SELFTEST_COUNT | 1u << SELFTEST_HIDDEN, AMD_FIRST_WRITING },
	{ "i915", SELFTEST_OA_STAGES, selftest_oa_title, selftest_oa_run,
	  UINT_MAX, SELFTEST_OA_STAGES - 1, 0, UINT_MAX },
	{ "xe", SELFTEST_OA_STAGES, selftest_oa_title, selftest_oa_run,
	  UINT_MAX, SELFTEST_OA_STAGES - 1, 0, UINT_MAX },
};

const struct selftest_kind *
selftest_kind_find(const char *driver)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].driver, driver))
			return &kinds[i];
	return NULL;
}
