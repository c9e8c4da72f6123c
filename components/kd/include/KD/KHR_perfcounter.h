/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * KD_KHR_perfcounter, version 5 of 2008-06-20.
 *
 * A function that fails leaves one of KD_EACCES and KD_EINVAL, as told below,
 * in the error indicator of its thread, kdGetError(); one that succeeds leaves
 * the indicator alone. Any function may be called from any thread; counters and
 * their values are the process's.
 */
#ifndef __kd_KHR_perfcounter_h_
#define __kd_KHR_perfcounter_h_

#include <KD/kd.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KD_INFINITE_COUNTER_VAL_KHR (KDINT64_MAX)
#define KD_UNKNOWN_COUNTER_VAL_KHR (-1)

/* All of it lives, and stays the same, as long as the process. */
typedef struct KDCounterInfoKHR {
	const KDchar *vendorName;
	const KDchar *name;
	const KDchar *description;
	KDint64 minValue;
	KDint64 maxValue;	/* or KD_INFINITE_COUNTER_VAL_KHR */
	KDfloat32 defaultScale; /* or KD_UNKNOWN_COUNTER_VAL_KHR */
} KDCounterInfoKHR;

/* Return the number of counters, or -1: KD_EACCES. */
KD_API KDint KD_APIENTRY kdGetNumberOfCountersKHR(void);

/*
 * Return what is known of a counter; KD_NULL: KD_EINVAL for an index that is
 * not there; KD_EACCES.
 */
KD_API const KDCounterInfoKHR *KD_APIENTRY
kdGetCounterInformationKHR(KDint index);

/*
 * Activate counters, which count from the next kdStartSamplingKHR() on. Returns
 * 0, or -1, and none of the counters has become active: KD_EINVAL for an index
 * that is not there; KD_EACCES where a counter may not be used, or does not fit
 * next to the others.
 */
KD_API KDint KD_APIENTRY
kdActivateCountersKHR(const KDint *indexes, KDint numindexes);

/*
 * Deactivate counters. One that samples keeps the value it has. 0; -1:
 * KD_EINVAL, and nothing has changed; KD_EACCES if the last values could not be
 * had.
 */
KD_API KDint KD_APIENTRY
kdDeactivateCountersKHR(const KDint *indexes, KDint numindexes);

/*
 * Set all values to 0, and sample what is active. Returns 0, or -1: KD_EACCES.
 */
KD_API KDint KD_APIENTRY kdStartSamplingKHR(void);

/*
 * Stop sampling. Values stay. 0; -1: KD_EACCES if the last values could not be
 * had.
 */
KD_API KDint KD_APIENTRY kdStopSamplingKHR(void);

/*
 * Get values. Returns 0; -1: KD_EINVAL for an index that is not there;
 * KD_EACCES.
 */
KD_API KDint KD_APIENTRY
kdGetCounterValuesKHR(const KDint *indexes, KDint numindexes, KDint64 *values);

#ifdef __cplusplus
}
#endif

#endif /* __kd_KHR_perfcounter_h_ */
