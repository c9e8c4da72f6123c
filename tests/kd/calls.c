/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kd/calls.h"

#include <string.h>
#include <time.h>

#include "drmsim/control.h"
#include "tests/support/check.h"
#include "tests/kd/made_up.h"
#include "tests/support/scene.h"

KDint
index_of(const char *name)
{
	const KDint count = kdGetNumberOfCountersKHR();

	for (KDint i = 0; i < count; i++) {
		if (!strcmp(kdGetCounterInformationKHR(i)->name, name))
			return i;
	}
	return -1;
}

KDint
find_index(const char *name)
{
	KDint index = index_of(name);

	ck_assert_msg(index >= 0, "%s", name);
	return index;
}

const KDCounterInfoKHR *
info_of(const char *name)
{
	return kdGetCounterInformationKHR(find_index(name));
}

bool
has_counter(const char *name)
{
	return index_of(name) >= 0;
}

void
activate_counter(const char *name)
{
	KDint index = find_index(name);

	ck_assert_msg(!kdActivateCountersKHR(&index, 1), "%s", name);
}

void
deactivate_counter(const char *name)
{
	KDint index = find_index(name);

	ck_assert_int_eq(kdDeactivateCountersKHR(&index, 1), 0);
}

KDint64
value_of(const char *name)
{
	KDint index = find_index(name);
	KDint64 value = -77;

	ck_assert_int_eq(kdGetCounterValuesKHR(&index, 1, &value), 0);
	return value;
}

void
start_sampling(void)
{
	ck_assert_int_eq(kdStartSamplingKHR(), 0);
}

void
stop_sampling(void)
{
	ck_assert_int_eq(kdStopSamplingKHR(), 0);
}

void
pass_ms(uint64_t ms)
{
	const struct timespec time = { .tv_nsec = (long)(ms * MS) };

	if (drmsim_is_present() && drmsim_advance(ms * MS))
		/* real time passes, no matter how much */
		nanosleep(&time, NULL);
	made_up_pass(ms * MS);
}

void
expect_error(bool failed, KDint error)
{
	ck_assert(failed);
	ck_assert_int_eq(kdGetError(), error);
	kdSetError(0);
}

void
begin_test(void)
{
	kdSetError(0);
}

void
end_test(void)
{
	KDint count;

	made_up_failure(0);
	made_up_silence(false);
	count = kdGetNumberOfCountersKHR();
	kdStopSamplingKHR();
	for (KDint i = 0; i < count; i++)
		ck_assert_int_eq(kdDeactivateCountersKHR(&i, 1), 0);
}
