/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Jobs one after the other on each ring, the time that they take, and what
 * happens when one hangs.
 */
#ifndef DRMSIM_AMDGPU_SCHEDULER_H
#define DRMSIM_AMDGPU_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

struct amdgpu;
struct client;
struct context;
struct entity;
struct job;
struct ring;

/*
 * Return the ring that a submission to a partition goes to, or NULL if the
 * partition has none.
 */
struct ring *
scheduler_choose(struct amdgpu *amdgpu, bool gfx, unsigned partition,
		 const struct entity *entity);
/* Queue a job; runs it as far as it goes. The ring owns it. */
void scheduler_submit(struct amdgpu *amdgpu, struct job *job);
/* Free a job that was not queued. */
void job_free(struct job *job);

void scheduler_advance(struct amdgpu *amdgpu, uint64_t now);
uint64_t scheduler_next(const struct amdgpu *amdgpu);
/* Return whether a ring waits for memory or a register. */
bool scheduler_polls(const struct amdgpu *amdgpu);
/* Note whose job is being executed; NULL: none is. */
void
scheduler_set_running(struct amdgpu *amdgpu, const struct job *job);
/* Inspect how a ring has left the registers when commands are through. */
void
scheduler_inspect(struct amdgpu *amdgpu, const struct ring *ring);
/* Handle that power may have gone since the last work: see chip.gfxoff_ns. */
void scheduler_wake(struct amdgpu *amdgpu);

/* End the jobs of a file that is closed. */
void scheduler_forget(struct amdgpu *amdgpu, const struct client *client);
/* Reset the whole GPU; guilty may be NULL. */
void scheduler_reset(struct amdgpu *amdgpu, struct context *guilty);

#endif /* DRMSIM_AMDGPU_SCHEDULER_H */
