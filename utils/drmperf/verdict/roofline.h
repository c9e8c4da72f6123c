/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The roofline model: floating-point operations and bytes of memory that a GPU
 * did, beside the most that it can do of each, its roofs. Roofs are the peaks
 * of the event tables; as verdicts, they name events by their places in a list.
 */
#ifndef DRMPERF_TOOL_VERDICT_ROOFLINE_H
#define DRMPERF_TOOL_VERDICT_ROOFLINE_H

#include "verdict/verdict.h"

/* The metric group whose events and peaks make a roofline. */
#define ROOFLINE_GROUP "roofline"

struct roof {
	int device; /* index */
	const char *name; /* "vector FP32", or "bandwidth" of the memory */
	bool is_memory; /* of bytes; else of operations */
	bool is_most; /* of operations that are counted it may be fewer */
	bool is_bound; /* the memory has this, what is counted may be more */
	double peak; /* in a second; NaN: not known */
	double factor; /* bytes or operations of one; NaN: unknown */
	unsigned *events; /* places in the list */
	size_t event_count;
	size_t missing; /* events that the list lacks */
};

/* The roofs of all GPUs; those of a GPU stand together. */
struct roofline {
	struct roof *list;
	size_t count;
	/* own: what has the names of memories without a peak */
	struct drmperf_metric_groups **groups;
	size_t group_count;
};

/*
 * Find the roofs of the GPUs of these events, whose names live as long as the
 * peaks. 0, or the exit status after a complaint; roofline_finish() either way.
 */
int
roofline_find(const struct tool *tool, const struct selection_list *choice,
	      const struct peaks *peaks, struct roofline *out);
/* Append a roof, whose events then belong to the roofline. 0, or -ENOMEM. */
int
roofline_add(struct roofline *roofline, const struct roof *roof);
void
roofline_finish(struct roofline *roofline);

/* What a GPU did by values of the list's events. NaN: unknown. */
struct roofline_point {
	double bytes, bytes_per_second;
	double operations, operations_per_second; /* of all types counted */
	double intensity; /* operations per byte */
	bool is_most; /* of operations it may be fewer */
	const struct roof *limit; /* the nearest roof, or NULL */
	double percent; /* of that roof */
	const char *reason; /* why there is no limit, or NULL */
};

/*
 * Compute the point of a GPU. False: its operations were not asked for, so
 * nothing is to be said.
 */
bool
roofline_compute(const struct roofline *roofline, int device,
		 const struct verdict_value *values,
		 struct roofline_point *out);

/* Return what was done in a second; NaN: not counted. */
double
roof_rate(const struct roof *roof, const struct verdict_value *values);

/* "3.66 TFLOP/s" or "27.4 GB/s" */
#define ROOF_FIGURE_SIZE 64
const char *
roof_figure(bool is_memory, double per_second, char text[ROOF_FIGURE_SIZE]);
/* "0.741 FLOP/byte", without an exponent where there are many */
const char *
roof_intensity(double intensity, char text[ROOF_FIGURE_SIZE]);

/*
 * Print a point and all roofs of its GPU in a few lines; passes are the runs
 * that the values are of.
 */
void
roofline_print(FILE *out, const struct roofline *roofline, int device,
	       const struct roofline_point *point,
	       const struct verdict_value *values, size_t passes,
	       bool names_gpu);
/* Write the same as an object. */
void
roofline_write(struct json *json, const struct roofline *roofline, int device,
	       const struct roofline_point *point,
	       const struct verdict_value *values, size_t passes);

/* Write a roof as it is in a recording, see drmperf-recording(5). */
void
roof_encode(struct bytes *bytes, const struct roof *roof);
/* Decode a roof; see verdict_rule_decode(). */
int
roof_decode(struct byte_reader *reader, size_t event_count, struct roof *out);

#endif /* DRMPERF_TOOL_VERDICT_ROOFLINE_H */
