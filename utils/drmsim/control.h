/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands to the simulator from a program that runs below it. Tests link
 * control.c.
 *
 * All functions return 0 or -errno: -ENODEV if the program does not run below
 * drmsim. They may be called from any thread.
 */
#ifndef DRMSIM_CONTROL_H
#define DRMSIM_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Return true if the program runs below drmsim. */
bool drmsim_is_present(void);

/**
 * Advance virtual time by ns. Returns 0, or -EINVAL in real time.
 */
int drmsim_advance(uint64_t ns);

/** Read the simulated time in ns since the start. */
int drmsim_now(uint64_t *ns);

/**
 * Change a setting, as a line of a scenario does: drmsim_set("rate",
 * "SQ.4 instance=2 1000"); "gpu1.rate" for one GPU only.
 */
int drmsim_set(const char *key, const char *value);

/** Inject a fault, as --fault takes it. Counting begins with this call. */
int drmsim_fault(const char *spec);

/** Read the count of answered calls: "cs", "info", "open", "mmap". */
int drmsim_calls(const char *kind, uint64_t *count);

/** Read how many kinds of violations there were so far. */
int drmsim_violations(uint64_t *count);

/* Reset a GPU: it loses its state, as after a hang of another process. */
int drmsim_reset_gpu(unsigned index);

/**
 * Run any command of "drmsim ctl". Its output, at most size - 1 bytes, is put
 * into text and terminated; text may be NULL.
 */
int drmsim_command(const char *command, char *text, size_t size);

#endif /* DRMSIM_CONTROL_H */
