/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables that were read beforehand, each in a file that is mapped and needs no
 * parsing. utils/compile writes them; the XML stays the source.
 *
 * A file is COMPILED_HEADER_WORDS words, the words of the tree, and texts.
 * Words have 32 bits, the lowest byte first. A text is named by its offset
 * among the texts and is terminated; the last TABLE_LIST_SLACK bytes of a file
 * are zero. An element is
 *
 *     name text line, count of attributes, { name value }...,
 *     count of children, children...
 *
 * and a <list> has, in place of children,
 *
 *     COMPILED_LIST, text length line, count of lines
 */
#ifndef DRMPERF_LIB_TABLE_COMPILED_H
#define DRMPERF_LIB_TABLE_COMPILED_H

#include <stdbool.h>
#include <stdint.h>

#include "drmperf.h"
#include "table/element.h"

/* Changes with what is above, and with what table/xml.c makes of a text. */
#define COMPILED_FORMAT 1u

#define COMPILED_MAGIC 0x54706d64u /* "dmpT" */
#define COMPILED_VERSION                                                       \
	((uint32_t)DRMPERF_VERSION_MAJOR << 24 |                               \
	 (uint32_t)DRMPERF_VERSION_MINOR << 16 | COMPILED_FORMAT)
#define COMPILED_LIST UINT32_MAX

enum {
	COMPILED_WORD_MAGIC,
	COMPILED_WORD_VERSION,
	COMPILED_WORD_SOURCE, /* size of the XML file in bytes */
	COMPILED_WORD_TREE, /* number of words of the tree */
	COMPILED_HEADER_WORDS,
};

/*
 * Map what was compiled of EVENTS/DRIVER/NAME.xml, which is
 * EVENTS.compiled/DRIVER/NAME.table. True with *out; false where there is none,
 * where it is older than the XML file, of another size of that or of another
 * version, where neither root nor the owner of the XML file owns it, where it
 * is damaged, or without memory: then the XML file has to be read.
 */
bool
compiled_map(const char *path, struct table **out);

#endif /* DRMPERF_LIB_TABLE_COMPILED_H */
