/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a simulated AMD GPU counts, and what the event tables say it can count,
 * read by means of its own: nothing of the library is used here, so that the
 * library can be held against it.
 *
 * A simulated GPU is what utils/drmsim/README.md says: in a second, an event
 * counts 1000 * (1 + instance + 256 * event + 262144 * block).
 */
#ifndef DRMPERF_TESTS_DRIVER_AMDGPU_MODEL_H
#define DRMPERF_TESTS_DRIVER_AMDGPU_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#define MODEL_INSTANCES 1024

struct model_block {
	char name[32];
	unsigned number; /* in the formula */
	char scope[8]; /* "global", "se", "sa" */
	char per[8]; /* "cu", "rb" ...; or "" */
};

struct model_event {
	char block[32];
	char name[96];
	unsigned id;
	bool follows;
};

struct model_metric {
	char name[96];
	bool is_double;
	char expression[1024];
};

struct amdgpu_model {
	struct model_block *blocks;
	size_t block_count;
	struct model_event *events;
	size_t event_count;
	struct model_metric *metrics;
	size_t metric_count;
	unsigned engines, arrays, units, channels, wave_size;
	bool has_shape; /* the table knows how many there are of what */
	unsigned clock_mhz; /* of the shaders, in stable modes and at first */
	/* events that do not follow the formula unless told to */
	struct {
		char block[32];
		unsigned id;
		bool is_clock, is_never; /* nor then */
	} special[128];
	size_t special_count;
	/* compute units that are fused off */
	struct {
		unsigned engine, array;
		unsigned long mask;
	} harvested[64];
	size_t harvested_count;
	unsigned dies; /* 0: one */
};

/*
 * Read it from utils/drmsim/gpus/GPU.gpu and events/amdgpu/GENERATION.xml. Ends
 * the program if that fails.
 */
void amdgpu_model_read(struct amdgpu_model *model, const char *gpu,
		       const char *generation);
void amdgpu_model_free(struct amdgpu_model *model);

const struct model_block *amdgpu_model_block(const struct amdgpu_model *model,
					     const char *name);
/* Return whether it is simulated, and the table tells how many there are. */
bool amdgpu_model_knows(const struct amdgpu_model *model, const char *name);
const struct model_event *amdgpu_model_event(const struct amdgpu_model *model,
					     const char *block,
					     const char *name);

/*
 * Return the rate of an event. Special events have a rate of their own: 1000 *
 * (256 * event + 262144 * block), in all instances.
 */
unsigned long long amdgpu_model_rate(const struct amdgpu_model *model,
				     const char *block, unsigned id);

/*
 * Return what the event counts in a millisecond in the instance-th that is
 * there.
 */
unsigned long long amdgpu_model_count(const struct amdgpu_model *model,
				      const struct model_event *event,
				      unsigned instance);

/* Return how many compute units there are. */
unsigned amdgpu_model_units(const struct amdgpu_model *model);

#endif /* DRMPERF_TESTS_DRIVER_AMDGPU_MODEL_H */
