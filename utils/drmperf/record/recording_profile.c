/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/recording_profile.h"

#include <limits.h>
#include <stdlib.h>

/* Limits on reasons and on GPUs, beyond those of any hardware and machine. */
#define REASONS_MAX 64
#define PROFILES_MAX 256
#define ADDRESS_BITS_MAX 64

static struct recording_profile *
find_profile(const struct recording *recording, int device)
{
	for (size_t i = 0; i < recording->profile_count; i++) {
		if (recording->profiles[i].sampling.device == device)
			return &recording->profiles[i];
	}
	return NULL;
}

static void
read_reasons(struct byte_reader *reader, struct recording_sampling *sampling)
{
	const uint64_t count = bytes_read_varint(reader);
	struct drmperf_sample_reason *reasons;

	if (!count || count > REASONS_MAX) {
		reader->failed = true;
		return;
	}
	reasons = calloc(count, sizeof(*reasons));
	if (!reasons) {
		reader->failed = true;
		return;
	}
	for (uint64_t i = 0; i < count; i++) {
		reasons[i].name = bytes_read_text(reader);
		reasons[i].description = bytes_read_text(reader);
		reasons[i].issued = bytes_read_varint(reader) != 0;
	}
	sampling->reasons = reasons;
	sampling->reason_count = (unsigned)count;
}

static void
read_sampling(struct byte_reader *reader, struct recording_sampling *sampling)
{
	const uint64_t device = bytes_read_varint(reader);
	uint64_t bits;

	sampling->device = (int)(device & INT_MAX);
	sampling->address = bytes_read_text(reader);
	sampling->chip = bytes_read_text(reader);
	sampling->period_cycles = bytes_read_varint(reader);
	bits = bytes_read_varint(reader);
	if (device > INT_MAX || !bits || bits > ADDRESS_BITS_MAX)
		reader->failed = true;
	sampling->address_bits = (unsigned)(bits & 0xff);
	sampling->of_all_programs = bytes_read_varint(reader) != 0;
	read_reasons(reader, sampling);
}

void
recording_profile_begin(struct recording *recording, struct byte_reader *reader)
{
	const size_t count = recording->profile_count + 1;
	struct recording_profile profile = { 0 }, *profiles;

	read_sampling(reader, &profile.sampling);
	profile.table.reason_count = profile.sampling.reason_count;
	if (reader->failed || count > PROFILES_MAX ||
	    find_profile(recording, profile.sampling.device)) {
		free((void *)(uintptr_t)profile.sampling.reasons);
		reader->failed = true;
		return;
	}
	profiles = reallocarray(recording->profiles, count, sizeof(*profiles));
	if (!profiles) {
		free((void *)(uintptr_t)profile.sampling.reasons);
		reader->failed = true;
		return;
	}
	recording->profiles = profiles;
	profiles[count - 1] = profile;
	recording->profile_count = count;
}

/* Add samples. A damaged file may have any numbers: their sums only wrap. */
static void
add_samples(struct recording_profile *profile, struct byte_reader *reader)
{
	const unsigned reasons = profile->sampling.reason_count;
	uint64_t count = bytes_read_varint(reader), address = 0;

	for (; count && !reader->failed; count--) {
		uint64_t *samples;

		address += (uint64_t)bytes_read_signed(reader);
		samples = stall_table_get(&profile->table, address);
		if (!samples) {
			reader->failed = true;
			return;
		}
		for (unsigned i = 0; i < reasons; i++)
			samples[i] += bytes_read_varint(reader);
	}
}

void
recording_profile_add(struct recording *recording, struct byte_reader *reader)
{
	const uint64_t device = bytes_read_varint(reader);
	struct recording_profile *profile =
		device > INT_MAX ? NULL : find_profile(recording, (int)device);

	if (!profile || reader->failed)
		return;
	profile->losses += bytes_read_varint(reader);
	add_samples(profile, reader);
}

void
recording_profiles_finish(struct recording *recording)
{
	for (size_t i = 0; i < recording->profile_count; i++) {
		struct recording_profile *profile = &recording->profiles[i];

		free((void *)(uintptr_t)profile->sampling.reasons);
		stall_table_finish(&profile->table);
	}
	free(recording->profiles);
	recording->profiles = NULL;
	recording->profile_count = 0;
}
