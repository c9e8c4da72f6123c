/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much there is of one thing for another, lately: bytes a second, clock
 * ticks spent of those there were. Both add up, and are of the same sample.
 */
#ifndef KD_QUOTIENT_H
#define KD_QUOTIENT_H

#include <stdbool.h>

#include <KD/kd.h>

struct kd_quotient {
	bool has_begun;
	bool is_full;	     /* value is of a whole interval */
	uint64_t amount, of; /* where the present interval began */
	KDint64 value;
};

/* Begin the first interval. */
void kd_quotient_begin(struct kd_quotient *quotient, uint64_t amount,
		       uint64_t of);

/*
 * Forget where the interval began: the value is KD_UNKNOWN_COUNTER_VAL_KHR
 * until there are two samples.
 */
void kd_quotient_lose(struct kd_quotient *quotient);

/*
 * Return the value, times factor, of the interval that ends now, if it has the
 * least length. If not, the interval goes on, and the value is that of the last
 * one, or, while there is none, that of the part of the first interval that has
 * passed.
 */
KDint64 kd_quotient_next(struct kd_quotient *quotient, uint64_t amount,
			 uint64_t of, double factor, uint64_t least);

#endif /* KD_QUOTIENT_H */
