/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a session comes about.
 */
#ifndef DRMPERF_LIB_SESSION_BUILD_H
#define DRMPERF_LIB_SESSION_BUILD_H

#include "session/session.h"

/*
 * Find out what a session, whose size is set, needs of which domains, and how
 * its values are made of that. Of each selection that event counts which is
 * in events; selections says the instances. -EBADMSG; -ENOMEM.
 */
int session_build(struct drmperf_session *session,
		  const struct drmperf_selection *selections,
		  const struct drmperf_event *const *events,
		  const struct run_options *options,
		  struct drmperf_error *error);

#endif /* DRMPERF_LIB_SESSION_BUILD_H */
