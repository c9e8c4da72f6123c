/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names that KD_KHR_perfcounter recommends for graphic systems, and the
 * events that count such a thing, by driver.
 */
#ifndef KD_ROLES_H
#define KD_ROLES_H

#include "kd_list.h"

struct kd_role {
	const char *name; /* of a GPU: what follows "GPU X " */
	bool of_each_gpu; /* else of the first that has it */
	const char *most; /* the event whose value is the greatest possible */
	/* Whichever comes first and is there; ends with NULL. */
	struct kd_candidate {
		const char *event; /* without ":device=" */
		enum kd_quantity quantity;
	} candidates[8];
};

/* Ends with a role that has no name. */
extern const struct kd_role kd_roles[];

#endif /* KD_ROLES_H */
