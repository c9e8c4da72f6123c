/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/zstd.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "util/full_write.h"

/* ------------------------------------------------------------------ */
/* The library                                                          */

#define LIBRARY "libzstd.so.1"

#define FUNCTIONS(X)                                                           \
	X(createCCtx)                                                          \
	X(freeCCtx)                                                            \
	X(CCtx_setParameter)                                                   \
	X(compressStream2)                                                     \
	X(createDCtx)                                                          \
	X(freeDCtx)                                                            \
	X(decompressStream)                                                    \
	X(isError)

struct zstd_library {
	void *handle;
#define MEMBER(name) __typeof__(ZSTD_##name) *name;
	FUNCTIONS(MEMBER)
#undef MEMBER
};

static bool
find_functions(struct zstd_library *zstd)
{
#define FIND(name)                                                             \
	zstd->name =                                                           \
		(__typeof__(zstd->name))dlsym(zstd->handle, "ZSTD_" #name);    \
	if (!zstd->name)                                                       \
		return false;
	FUNCTIONS(FIND)
#undef FIND
	return true;
}

static void
library_unload(struct zstd_library *zstd)
{
	if (zstd->handle)
		dlclose(zstd->handle);
	zstd->handle = NULL;
}

static bool
library_load(struct zstd_library *zstd)
{
	zstd->handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (zstd->handle && find_functions(zstd))
		return true;
	library_unload(zstd);
	return false;
}

/* ------------------------------------------------------------------ */
/* Compressing                                                          */

/* What is compressed at once; each such piece can be expanded by itself. */
#define PIECE 65536u

struct compressor {
	struct zstd_library zstd;
	ZSTD_CCtx *context;
	int file;
};

/* Write all that is left in the compressor, too. */
static bool
compress_piece(struct compressor *compressor, const char *data, size_t size,
	       ZSTD_EndDirective directive)
{
	ZSTD_inBuffer in = { .src = data, .size = size };
	uint8_t room[PIECE];
	size_t left;

	do {
		ZSTD_outBuffer out = { .dst = room, .size = sizeof(room) };

		left = compressor->zstd.compressStream2(compressor->context,
							&out, &in, directive);
		if (compressor->zstd.isError(left)) {
			errno = EIO;
			return false;
		}
		if (full_write(compressor->file, room, out.pos))
			return false;
	} while (left);
	return true;
}

static ssize_t
stream_write(void *cookie, const char *data, size_t size)
{
	/* 0 is an error there, and -1 is not */
	return compress_piece(cookie, data, size, ZSTD_e_flush) ? (ssize_t)size
								: 0;
}

static void
compressor_destroy(struct compressor *compressor)
{
	if (compressor->context)
		compressor->zstd.freeCCtx(compressor->context);
	library_unload(&compressor->zstd);
	free(compressor);
}

static int
stream_close(void *cookie)
{
	struct compressor *compressor = cookie;
	bool written = compress_piece(compressor, NULL, 0, ZSTD_e_end);
	int error = errno;

	if (close(compressor->file) && written) {
		written = false;
		error = errno;
	}
	compressor_destroy(compressor);
	errno = error;
	return written ? 0 : -1;
}

/* Returns NULL, and errno is set, if there is none. */
static struct compressor *
compressor_create(int file, unsigned level)
{
	struct compressor *compressor = calloc(1, sizeof(*compressor));

	if (!compressor)
		return NULL;
	compressor->file = file;
	errno = ENOTSUP;
	if (library_load(&compressor->zstd)) {
		errno = ENOMEM;
		compressor->context = compressor->zstd.createCCtx();
	}
	if (compressor->context &&
	    !compressor->zstd.isError(compressor->zstd.CCtx_setParameter(
		    compressor->context, ZSTD_c_compressionLevel, (int)level)))
		return compressor;
	compressor_destroy(compressor);
	return NULL;
}

FILE *
zstd_compress(int file, unsigned level)
{
	static const cookie_io_functions_t functions = {
		.write = stream_write,
		.close = stream_close,
	};
	struct compressor *compressor = compressor_create(file, level);
	FILE *out;

	if (!compressor)
		return NULL;
	out = fopencookie(compressor, "w", functions);
	if (!out)
		compressor_destroy(compressor);
	else
		setvbuf(out, NULL, _IOFBF, PIECE);
	return out;
}

/* ------------------------------------------------------------------ */
/* Expanding                                                            */

/* Room for what is expanded begins with that, and is doubled. */
#define FIRST_ROOM (UINT64_C(1) << 20)

struct room {
	uint8_t *data; /* of mmap(), or NULL */
	size_t size, used;
};

static bool
room_grow(struct room *room)
{
	const size_t size = room->data ? 2 * room->size : FIRST_ROOM;
	void *data;

	if (room->data)
		data = mremap(room->data, room->size, size, MREMAP_MAYMOVE);
	else
		data = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (data == MAP_FAILED)
		return false;
	room->data = data;
	room->size = size;
	return true;
}

/* Trim the buffer to the size of the data. */
static void
room_trim(struct room *room)
{
	if (!room->data)
		return;
	if (room->used)
		(void)mremap(room->data, room->size, room->used, 0);
	else
		munmap(room->data, room->size);
	if (!room->used)
		room->data = NULL;
}

/* Expand until the data ends or cannot be understood. Returns 0 or -ENOMEM. */
static int
room_fill(struct room *room, const struct zstd_library *zstd,
	  ZSTD_DCtx *context, ZSTD_inBuffer *in)
{
	ZSTD_outBuffer out = { 0 };
	size_t left = 0;

	do {
		if (room->used == room->size && !room_grow(room))
			return -ENOMEM;
		out = (ZSTD_outBuffer){ room->data, room->size, room->used };
		left = zstd->decompressStream(context, &out, in);
		room->used = out.pos;
	} while (!zstd->isError(left) &&
		 (in->pos < in->size || out.pos == out.size));
	return 0;
}

int
zstd_expand(const void *data, size_t size, void **out, size_t *out_size)
{
	ZSTD_inBuffer in = { .src = data, .size = size };
	struct room room = { 0 };
	struct zstd_library zstd;
	ZSTD_DCtx *context;
	int ret = -ENOMEM;

	if (!library_load(&zstd))
		return -ENOTSUP;
	context = zstd.createDCtx();
	if (context) {
		ret = room_fill(&room, &zstd, context, &in);
		zstd.freeDCtx(context);
	}
	library_unload(&zstd);
	if (ret)
		room.used = 0;
	room_trim(&room);
	*out = room.data;
	*out_size = room.used;
	return ret;
}
