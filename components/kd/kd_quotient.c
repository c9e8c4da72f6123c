/* SPDX-License-Identifier: BSD-3-Clause */
#include "kd_quotient.h"

#include <KD/KHR_perfcounter.h>
#include <math.h>

void
kd_quotient_begin(struct kd_quotient *quotient, uint64_t amount, uint64_t of)
{
	*quotient = (struct kd_quotient){
		.has_begun = true,
		.amount = amount,
		.of = of,
	};
}

void
kd_quotient_lose(struct kd_quotient *quotient)
{
	*quotient = (struct kd_quotient){
		.value = KD_UNKNOWN_COUNTER_VAL_KHR,
	};
}

/*
 * Return the amount by which a sum has risen: some of the kernel's take a step
 * back now and then.
 */
static uint64_t
amount_risen(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

KDint64
kd_quotient_next(struct kd_quotient *quotient, uint64_t amount, uint64_t of,
		 double factor, uint64_t least)
{
	const uint64_t part = amount_risen(quotient->amount, amount);
	const uint64_t whole = amount_risen(quotient->of, of);

	if (!quotient->has_begun) {
		kd_quotient_begin(quotient, amount, of);
		return quotient->value = KD_UNKNOWN_COUNTER_VAL_KHR;
	}
	if (whole >= least || !quotient->is_full)
		quotient->value =
			whole ? llround((double)part * factor / (double)whole)
			      : 0;
	if (whole >= least) {
		quotient->is_full = true;
		quotient->amount = amount;
		quotient->of = of;
	}
	return quotient->value;
}
