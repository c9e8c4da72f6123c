/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors that a forked child closes before it does anything else, because
 * the kernel allows but one of a kind and waits until the last holder is gone.
 * What a program is started with by exec is the matter of O_CLOEXEC.
 */
#ifndef DRMPERF_LIB_BASE_FORK_CLOSE_H
#define DRMPERF_LIB_BASE_FORK_CLOSE_H

struct fork_close {
	int fd; /* -1 in a child, where it is closed */
	struct fork_close *next, *previous;
};

/*
 * Have a descriptor closed in forked children. From now on the descriptor
 * belongs to the entry, which must stay where it is. -ENOMEM, then it does not.
 */
int fork_close_init(struct fork_close *entry, int fd);

/*
 * Take over a descriptor, which becomes the entry's or is closed; one that is
 * negative is the error of the call that was to open it. Returns 0, or a
 * negative errno value with entry->fd -1.
 */
int
fork_close_adopt(struct fork_close *entry, int fd);

/* Close the entry's descriptor, unless that has been done. */
void fork_close_finish(struct fork_close *entry);

/*
 * Keep threads from forking between fork_bar() and fork_unbar(): a lock that
 * another library takes during that time would be locked for ever in the
 * child, which has to let go of it. None of the functions above may be called
 * in between.
 */
void fork_bar(void);
void fork_unbar(void);

#endif /* DRMPERF_LIB_BASE_FORK_CLOSE_H */
