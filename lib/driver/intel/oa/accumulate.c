/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/accumulate.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* A word anywhere in memory; reports in a stream are only 8-byte aligned. */
typedef uint32_t report_word __attribute__((may_alias, aligned(1)));

/*
 * The order in which the pairs of a row are compared: alternately from STREAMS
 * parts of it, because several streams of memory arrive much faster than one
 * (bench_oa). The remainder comes last.
 */
#define STREAMS 8

static inline size_t
nth_pair(size_t n, size_t count)
{
	size_t part = count / STREAMS;

	return n < part * STREAMS ? n % STREAMS * part + n / STREAMS : n;
}

/* ------------------------------------------------------------------ */
/* Plain C                                                              */

/* Loops of fixed length over small rows: compilers make vectors of them. */
#define ROW 16

static void
scan_words(uint32_t *restrict wraps, const report_word *restrict a,
	   const report_word *restrict b)
{
	for (size_t i = 0; i < ROW; i++)
		wraps[i] += b[i] < a[i];
}

/*
 * Count the wraps of high bytes. A 40-bit value went down if its high byte,
 * less the borrow, did.
 */
static void
scan_high(uint32_t *restrict wraps, const report_word *restrict a,
	  const report_word *restrict b, const uint8_t *restrict high_a,
	  const uint8_t *restrict high_b)
{
	for (size_t i = 0; i < ROW; i++) {
		int borrow = b[i] < a[i];

		wraps[i] += high_b[i] - borrow < high_a[i];
	}
}

static void
scan_plain(struct oa_wraps *wraps, const uint8_t *a, const uint8_t *b,
	   size_t stride, size_t count, size_t words)
{
	for (size_t n = 0; n < count; n++) {
		const size_t at = nth_pair(n, count) * stride;
		const uint8_t *x = a + at, *y = b + at;

		for (size_t i = 0; i < words; i += ROW)
			scan_words(&wraps->words[i], (const report_word *)x + i,
				   (const report_word *)y + i);
		if (words < OA_WORDS_MAX)
			continue;
		for (size_t i = 0; i < OA_HIGH_COUNT; i += ROW)
			scan_high(&wraps->high[i],
				  (const report_word *)x + OA_HIGH_WORD + i,
				  (const report_word *)y + OA_HIGH_WORD + i,
				  x + OA_HIGH_BYTE + i, y + OA_HIGH_BYTE + i);
	}
}

/* ------------------------------------------------------------------ */
/* AVX2                                                                 */

#if defined(__x86_64__)
#define LANES 8
#define HIGH_VECTORS (OA_HIGH_COUNT / LANES)

/* The four words before the 40-bit values do not fill a vector. */
#define TIME_WORD 1
#define CLOCK_WORD 3

/* Words behind the 40-bit values; the last vector overlaps the one before. */
#define TAIL_WORD (OA_HIGH_WORD + OA_HIGH_COUNT)
#define TAIL_VECTORS 4
#define LAST_WORD (OA_WORDS_MAX - LANES)

#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE static inline __attribute__((target("avx2"), always_inline))

AVX2_INLINE __m256i
load_words(const uint8_t *report, size_t first)
{
	return _mm256_loadu_si256((const void *)(report + 4 * first));
}

AVX2_INLINE __m256i
load_high(const uint8_t *report, size_t first)
{
	return _mm256_cvtepu8_epi32(
		_mm_loadl_epi64((const void *)(report + OA_HIGH_BYTE + first)));
}

/* Return -1 in every lane where the word did not go down from a to b. */
AVX2_INLINE __m256i
held_words(const uint8_t *a, const uint8_t *b, size_t first)
{
	__m256i after = load_words(b, first);

	return _mm256_cmpeq_epi32(_mm256_max_epu32(after, load_words(a, first)),
				  after);
}

/* Add to wraps[i] the number of reports less the times held. */
AVX2_INLINE void
add_fallen(uint32_t *wraps, __m256i held, size_t from, size_t reports)
{
	int32_t lanes[LANES];

	_mm256_storeu_si256((void *)lanes, held);
	for (size_t i = from; i < LANES; i++)
		wraps[i] += (uint32_t)reports + (uint32_t)lanes[i];
}

/* Scan reports of 256 bytes, which may have 40-bit values. */
AVX2 static void
scan_large(struct oa_wraps *wraps, const uint8_t *a, const uint8_t *b,
	   size_t stride, size_t count)
{
	__m256i low[HIGH_VECTORS], high[HIGH_VECTORS], tail[TAIL_VECTORS], held;
	uint32_t time = 0, clock = 0;

	memset(low, 0, sizeof(low));
	memset(high, 0, sizeof(high));
	memset(tail, 0, sizeof(tail));
	for (size_t n = 0; n < count; n++) {
		const size_t at = nth_pair(n, count) * stride;
		const uint8_t *x = a + at, *y = b + at;
		const report_word *before = (const report_word *)x;
		const report_word *after = (const report_word *)y;

		time += after[TIME_WORD] < before[TIME_WORD];
		clock += after[CLOCK_WORD] < before[CLOCK_WORD];
#pragma GCC unroll 4
		for (size_t i = 0; i < HIGH_VECTORS; i++) {
			held = held_words(x, y, OA_HIGH_WORD + LANES * i);
			low[i] = _mm256_add_epi32(low[i], held);
			/* held unless after <= before - 1 + no borrow */
			held = _mm256_cmpgt_epi32(
				load_high(y, LANES * i),
				_mm256_add_epi32(load_high(x, LANES * i),
						 held));
			high[i] = _mm256_add_epi32(high[i], held);
		}
#pragma GCC unroll 3
		for (size_t i = 0; i + 1 < TAIL_VECTORS; i++) {
			held = held_words(x, y, TAIL_WORD + LANES * i);
			tail[i] = _mm256_add_epi32(tail[i], held);
		}
		held = held_words(x, y, LAST_WORD);
		tail[TAIL_VECTORS - 1] =
			_mm256_add_epi32(tail[TAIL_VECTORS - 1], held);
	}
	wraps->words[TIME_WORD] += time;
	wraps->words[CLOCK_WORD] += clock;
	for (size_t i = 0; i < HIGH_VECTORS; i++) {
		add_fallen(&wraps->words[OA_HIGH_WORD + LANES * i], low[i], 0,
			   count);
		add_fallen(&wraps->high[LANES * i], high[i], 0, count);
	}
	for (size_t i = 0; i + 1 < TAIL_VECTORS; i++)
		add_fallen(&wraps->words[TAIL_WORD + LANES * i], tail[i], 0,
			   count);
	add_fallen(&wraps->words[LAST_WORD], tail[TAIL_VECTORS - 1], LANES / 2,
		   count);
}

static void
scan_avx2(struct oa_wraps *wraps, const uint8_t *a, const uint8_t *b,
	  size_t stride, size_t count, size_t words)
{
	if (words == OA_WORDS_MAX)
		scan_large(wraps, a, b, stride, count);
	else
		scan_plain(wraps, a, b, stride, count, words);
}
#endif

oa_scan_fn
oa_scan_function(enum oa_scan scan)
{
#if defined(__x86_64__)
	if (scan != OA_SCAN_PLAIN && __builtin_cpu_supports("avx2"))
		return scan_avx2;
#endif
	return scan == OA_SCAN_AVX2 ? NULL : scan_plain;
}

/* ------------------------------------------------------------------ */
/* Sums                                                                 */

void
oa_accumulator_init(struct oa_accumulator *accumulator,
		    const struct oa_format *format, enum oa_scan scan)
{
	memset(accumulator, 0, sizeof(*accumulator));
	accumulator->format = format;
	accumulator->scan = oa_scan_function(scan);
}

static uint64_t
run_wraps(const struct oa_run *run, unsigned index,
	  const struct oa_wraps *wraps)
{
	unsigned word = run->offset / 4u + index;

	if (run->bits == 40)
		return (uint64_t)wraps->high[word - OA_HIGH_WORD] << 40;
	return (uint64_t)wraps->words[word] << 32;
}

static void
add_row(struct oa_accumulator *accumulator, const struct oa_wraps *wraps,
	const uint8_t *end)
{
	const struct oa_run *run = accumulator->format->runs;

	for (; run < accumulator->format->runs + OA_RUNS_MAX && run->count;
	     run++) {
		uint64_t *sums = &accumulator->sums[run->slot];

		for (unsigned i = 0; i < run->count; i++) {
			uint64_t delta =
				oa_run_value(run, i, end) -
				oa_run_value(run, i, accumulator->last);

			/* The wide ones wrap once in years, if at all. */
			if (run->bits > 40)
				sums[i] += delta & oa_run_mask(run);
			else
				sums[i] += delta + run_wraps(run, i, wraps);
		}
	}
}

void
oa_accumulator_add(struct oa_accumulator *accumulator, const uint8_t *reports,
		   size_t stride, size_t count)
{
	const size_t size = accumulator->format->size;
	const size_t words = size / sizeof(uint32_t);
	/* Longer reports have words of 64 bits alone. */
	const bool wraps_at_all = words <= OA_WORDS_MAX;
	struct oa_wraps wraps = { 0 };
	const uint8_t *end;

	if (!count)
		return;
	end = reports + (count - 1) * stride;
	if (!accumulator->started) {
		memcpy(accumulator->last, reports, size);
		accumulator->started = true;
	}
	if (wraps_at_all) {
		accumulator->scan(&wraps, accumulator->last, reports, stride, 1,
				  words);
		accumulator->scan(&wraps, reports, reports + stride, stride,
				  count - 1, words);
	}
	add_row(accumulator, &wraps, end);
	memcpy(accumulator->last, end, size);
}
