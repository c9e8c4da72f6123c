/* SPDX-License-Identifier: BSD-3-Clause */
/* Another user may not connect to the simulator, so be connected before. */
#include <unistd.h>

#include "preload/channel.h"
#include "preload/next.h"

EXPORT int
setuid(uid_t user)
{
	next_need();
	channel_connect();
	return next.setuid(user);
}

EXPORT int
seteuid(uid_t user)
{
	next_need();
	channel_connect();
	return next.seteuid(user);
}

EXPORT int
setreuid(uid_t real, uid_t effective)
{
	next_need();
	channel_connect();
	return next.setreuid(real, effective);
}

EXPORT int
setresuid(uid_t real, uid_t effective, uid_t saved)
{
	next_need();
	channel_connect();
	return next.setresuid(real, effective, saved);
}
