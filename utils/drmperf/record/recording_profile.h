/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of instructions in a recording, added up as they are read.
 */
#ifndef DRMPERF_TOOL_RECORD_RECORDING_PROFILE_H
#define DRMPERF_TOOL_RECORD_RECORDING_PROFILE_H

#include "record/recording.h"

/* Read a device that is sampled. Fails the reader if that makes no sense. */
void
recording_profile_begin(struct recording *recording,
			struct byte_reader *reader);
/*
 * Read samples of a device, behind their time; those of a device without head
 * are left.
 */
void
recording_profile_add(struct recording *recording, struct byte_reader *reader);
/* Forget all of them, as before anything was read. */
void
recording_profiles_finish(struct recording *recording);

#endif /* DRMPERF_TOOL_RECORD_RECORDING_PROFILE_H */
