/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The error indicator. Where the process has an OpenKODE Core of its own, whose
 * functions come first, these are not called: that one's indicator is used.
 */
#include <KD/kd.h>

static __thread KDint indicator;

KDint KD_APIENTRY
kdGetError(void)
{
	return indicator;
}

void KD_APIENTRY
kdSetError(KDint error)
{
	indicator = error;
}
