/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects by handle, a number from 1 on that is the file's own. */
#ifndef DRMSIM_KERNEL_SLOTS_H
#define DRMSIM_KERNEL_SLOTS_H

#include <stdint.h>

struct sim_slots {
	void **at; /* by handle - 1; NULL: free */
	uint32_t room;
};

/* Add an object and return its handle in *handle. Returns 0 or -ENOMEM. */
int sim_slots_add(struct sim_slots *slots, void *object, uint32_t *handle);
/* Return the object of a handle, or NULL if there is none. */
void *sim_slots_get(const struct sim_slots *slots, uint32_t handle);
/* Free the handle, and return the object that it named, or NULL. */
void *sim_slots_remove(struct sim_slots *slots, uint32_t handle);
/* Free the slots, in which no object is left. */
void sim_slots_free(struct sim_slots *slots);

#endif /* DRMSIM_KERNEL_SLOTS_H */
