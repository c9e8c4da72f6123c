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
struct sim_stream;
struct sim_xe;
struct sim_xe_properties;
struct sim_xe_unit;

/* Write the set's registers, which other units may see. */
void
sim_xe_unit_program(struct sim_xe *device, const struct sim_xe_unit *unit,
		    const struct sim_oa_config *config);
/*
 * Create a stream with properties that have passed the checks; file is the node
 * it is opened through. The registers are the caller's matter. Returns 0 and
 * its file in *out, or -errno.
 */
int
sim_xe_stream_create(struct sim_xe *device, const struct sim_file *file,
		     const struct sim_xe_properties *properties,
		     struct sim_stream **out);
/*
 * Flag these bits of enum sim_xe_status_bit in all units that have a stream.
 * Returns 0, or -EINVAL if there is none.
 */
int
sim_xe_streams_flag(struct sim_xe *device, unsigned bits);

#endif /* DRMSIM_XE_OA_STREAM_H */
