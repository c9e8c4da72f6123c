/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a DRM file tells of its client, as rubbish: two texts, with a byte of 0
 * between them, of the same driver. Keys are learnt from the first, values are
 * read from both.
 */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_syntax.h"
#include "driver/fdinfo/text.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_keys(const struct fdinfo_keys *keys)
{
	struct arena *arena = arena_create();

	assert(keys->count <= FDINFO_MOST_KEYS);
	for (size_t i = 0; i < keys->count; i++) {
		const struct fdinfo_key *key = &keys->list[i];

		assert(key->length == strlen(key->name));
		assert(name_syntax_is_legal(key->name));
		assert(key->kind && key->kind == fdinfo_kind_find(key->name));
		assert(fdinfo_key_describe(key, arena));
		for (size_t k = 0; k < i; k++)
			assert(strcmp(key->name, keys->list[k].name));
	}
	arena_destroy(arena);
}

static void
read_values(const char *text, const struct fdinfo_keys *keys)
{
	struct fdinfo_client first, second;
	int err;

	memset(&first, 0x11, sizeof(first));
	memset(&second, 0x22, sizeof(second));
	err = fdinfo_read(text, keys, &first);
	assert(!err || err == -EBADMSG);
	assert(fdinfo_read(text, keys, &second) == err);
	if (err)
		return;
	assert(first.is_client == second.is_client);
	if (!first.is_client)
		return;
	assert(first.id == second.id);
	for (size_t i = 0; i < keys->count; i++) {
		assert(first.values[i] == second.values[i]);
		/* what is not told is nothing */
		assert(!first.values[i] || strstr(text, keys->list[i].name));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fdinfo_keys keys = { .count = 0 };
	char *text = malloc(size + 2);
	const char *other;
	int err;

	if (size)
		memcpy(text, data, size);
	text[size] = text[size + 1] = '\0';
	other = text + strlen(text) + 1;
	err = fdinfo_keys_add_all(&keys, text);
	assert(!err || err == -ENOSPC);
	check_keys(&keys);
	read_values(text, &keys);
	read_values(other, &keys);
	free(text);
	return 0;
}
