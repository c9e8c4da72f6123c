/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/heir.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/amdgpu/count/keeper.h"

#define PERIOD_MS 10

struct heir {
	struct keeper *keeper;
	struct share *share;
	struct channel *channel;
	struct clock clock;
	const struct log_sink *log;
	bool has_baton; /* the keeper's while it runs, as all below */
	bool is_settled;
};

/*
 * The context of who has died is there for a moment after its locks are gone:
 * then there is a next time.
 */
static void
look(void *data)
{
	struct heir *heir = data;
	struct drmperf_error error = { 0 };
	int ret;

	if (heir->is_settled)
		return;
	if (!heir->has_baton)
		heir->has_baton = share_try_baton(heir->share, 0);
	if (!heir->has_baton)
		return;
	ret = clock_hold(&heir->clock, heir->channel, heir->log, &error);
	heir->is_settled = ret != -EBUSY;
	if (ret && heir->is_settled)
		log_write(heir->log, DRMPERF_LOG_WARNING, "%s", error.cause);
}

int
heir_create(struct queue *queue, struct share *share,
	    enum drmperf_clock_mode mode, const struct log_sink *log,
	    struct heir **out, struct drmperf_error *error)
{
	struct heir *heir = calloc(1, sizeof(*heir));
	int ret;

	if (!heir)
		return error_set(error, -ENOMEM, "no memory");
	heir->share = share;
	heir->log = log;
	heir->clock.mode = mode;
	ret = channel_create(queue, &heir->channel, error);
	if (ret)
		goto free_heir;
	ret = keeper_create(PERIOD_MS, look, heir, &heir->keeper);
	if (!ret) {
		*out = heir;
		return 0;
	}
	error_set(error, ret, "cannot start a thread: %s", strerror(-ret));
	channel_destroy(heir->channel);
free_heir:
	free(heir);
	return ret;
}

void
heir_destroy(struct heir *heir)
{
	if (!heir)
		return;
	keeper_destroy(heir->keeper);
	clock_release(&heir->clock, heir->channel, NULL);
	channel_destroy(heir->channel);
	if (heir->has_baton)
		share_pass_baton(heir->share, 0);
	free(heir);
}

void
heir_abandon(struct heir *heir)
{
	if (!heir)
		return;
	keeper_abandon(heir->keeper);
	channel_abandon(heir->channel);
	free(heir);
}
