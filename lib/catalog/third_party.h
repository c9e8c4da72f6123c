/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of other people's tables, which may be made for other GPUs or by
 * other rules: each is resolved before anybody sees it.
 */
#ifndef DRMPERF_LIB_CATALOG_THIRD_PARTY_H
#define DRMPERF_LIB_CATALOG_THIRD_PARTY_H

#include <stdbool.h>
#include <stddef.h>

#include "catalog/record.h"

/* Return true if there is any such event. */
bool
third_party_any(const struct description *description);

/*
 * Resolve all foreign events that are not known to be of no use, and note
 * which ones are of none, with a warning. Returns how many; those that only
 * expressions can use count as well.
 */
size_t
third_party_check(struct catalog *catalog, const struct log_sink *log);

/*
 * Take out of the list what is of no use, and hide what counts nothing; with
 * replaced, what was replaced by another event goes, too.
 */
void
third_party_drop(struct description *description, bool replaced);

#endif /* DRMPERF_LIB_CATALOG_THIRD_PARTY_H */
