/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text that others chose: names of processes, commands and events of
 * recordings, descriptions of tables. A terminal must not take it for commands.
 */
#ifndef DRMPERF_TOOL_UTIL_PRINTABLE_H
#define DRMPERF_TOOL_UTIL_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Return the bytes of the first character of text, or 0 if it is not UTF-8. */
size_t
printable_character(const char *text);

/* Return whether a character of that many bytes is a control character. */
bool
printable_is_control(const char *text, size_t size);

/*
 * Write at most length bytes of text, with '?' in place of each control
 * character (C0, DEL and C1) but line feeds and tabs, and of each byte that is
 * not UTF-8.
 */
void
printable_write(FILE *out, const char *text, size_t length);

/* Replace those in place, and line feeds and tabs as well. */
void
printable_clean(char *text);

#endif /* DRMPERF_TOOL_UTIL_PRINTABLE_H */
