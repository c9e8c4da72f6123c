/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stream of OA reports: the descriptor that STREAM_OPEN returns.
 *
 *      head          visible        tail
 *       |<- for read ->|<- landing ->|
 *     --+--------------+-------------+----->  reports, counted from 0
 *
 * A timer looks at the unit's tail every 5 ms, and only it makes poll() see
 * data; every read() looks by itself. What the unit flags, a read() tells as
 * EIO, once, and STATUS then says what it was.
 */
#ifndef DRMSIM_XE_OA_STREAM_H
#define DRMSIM_XE_OA_STREAM_H

#include <stdint.h>

struct sim_file;
struct sim_oa_config;
struct sim_oa_statistics;
struct sim_oa_unit;
struct sim_stream;
struct sim_xe;
struct sim_xe_properties;
struct sim_xe_stream;
struct sim_xe_unit;

/* Write the set's registers, which other units may see. */
void
sim_xe_unit_program(struct sim_xe *device, const struct sim_xe_unit *unit,
		    const struct sim_oa_config *config);
/*
 * Create a stream with properties that have passed the checks; file is the node
 * it is opened through. The registers are the caller's matter.
 */
int
sim_xe_stream_create(struct sim_xe *device, const struct sim_file *file,
		     const struct sim_xe_properties *properties,
		     struct sim_xe_stream **out);
struct sim_stream *
sim_xe_stream_base(struct sim_xe_stream *stream);

/* ---- all streams of a device */
uint64_t
sim_xe_streams_next(const struct sim_xe *device);
void
sim_xe_streams_advance(struct sim_xe *device, uint64_t now);
/* Let the units run up to now, before anything they depend on changes. */
void
sim_xe_streams_run(struct sim_xe *device);
/*
 * Count again from here, since registers, rates or the clock have changed; the
 * timeline has.
 */
void
sim_xe_streams_recount(struct sim_xe *device);
void
sim_xe_streams_retime(struct sim_xe *device);
/* Return the unit behind the stream that is open, or NULL. */
struct sim_oa_unit *
sim_xe_unit_hardware(const struct sim_xe_unit *unit);
/* Flag these bits of enum sim_xe_status_bit. */
void
sim_xe_unit_flag(struct sim_xe_unit *unit, unsigned bits);
void
sim_xe_streams_statistics(const struct sim_xe *device,
			  struct sim_oa_statistics *out);

#endif /* DRMSIM_XE_OA_STREAM_H */
