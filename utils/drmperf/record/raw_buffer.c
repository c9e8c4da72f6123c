/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/raw_buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
raw_buffer_init(struct raw_buffer *keeper, struct drmperf *drmperf)
{
	unsigned count = drmperf_device_count(drmperf);

	pthread_mutex_init(&keeper->lock, NULL);
	keeper->devices = calloc(count + 1, sizeof(*keeper->devices));
	if (!keeper->devices)
		return -ENOMEM;
	keeper->count = count;
	for (unsigned i = 0; i < count; i++)
		keeper->devices[i] = (struct raw_device){
			.device = drmperf_device_at(drmperf, i),
			.wanted = true, /* until it is known */
		};
	return 0;
}

void
raw_buffer_finish(struct raw_buffer *keeper)
{
	if (!keeper->devices)
		return;
	for (unsigned i = 0; i < keeper->count; i++)
		bytes_finish(&keeper->devices[i].bytes);
	free(keeper->devices);
	bytes_finish(&keeper->spare);
	pthread_mutex_destroy(&keeper->lock);
}

void
raw_buffer_take(void *data, struct drmperf_device *device, const void *record,
		size_t size)
{
	struct raw_buffer *keeper = data;
	struct raw_device *of = &keeper->devices[drmperf_device_index(device)];

	pthread_mutex_lock(&keeper->lock);
	if (of->wanted) {
		bytes_add(&of->bytes, record, size);
		keeper->records++;
	}
	pthread_mutex_unlock(&keeper->lock);
}

/* 0: there is none. -ENOMEM. */
static int
write_head(const struct raw_device *device, struct drmperf_session *session,
	   struct recorder *recorder, bool *has_head)
{
	size_t size, again;
	void *head;
	int ret;

	*has_head = !drmperf_session_stream_header(session, device->device,
						   NULL, 0, &size, NULL);
	if (!*has_head)
		return 0;
	head = malloc(size);
	ret = head ? drmperf_session_stream_header(session, device->device,
						   head, size, &again, NULL)
		   : -ENOMEM;
	if (!ret)
		recorder_add_head(recorder,
				  (int)drmperf_device_index(device->device),
				  head, size);
	free(head);
	return ret;
}

int
raw_buffer_begin(struct raw_buffer *keeper, struct drmperf_session *session,
		 struct recorder *recorder)
{
	int ret = 0;

	for (unsigned i = 0; !ret && i < keeper->count; i++) {
		struct raw_device *device = &keeper->devices[i];
		bool has_head;

		has_head = false;
		if (session)
			ret = write_head(device, session, recorder, &has_head);
		pthread_mutex_lock(&keeper->lock);
		device->wanted = !ret && has_head;
		if (!device->wanted)
			bytes_finish(&device->bytes);
		pthread_mutex_unlock(&keeper->lock);
	}
	return ret;
}

bool
raw_buffer_has(const struct raw_buffer *keeper,
	       const struct drmperf_event *event)
{
	const char *domain = drmperf_group_domain(drmperf_event_group(event));
	unsigned device = drmperf_device_index(drmperf_event_device(event));

	return device < keeper->count && keeper->devices[device].wanted &&
	       !strncmp(domain, "oa", strlen("oa")) &&
	       drmperf_event_kind(event) != DRMPERF_KIND_MOMENTARY;
}

/* Write the records. Others arrive while this takes its time. */
void
raw_buffer_write(struct raw_buffer *keeper, struct recorder *recorder)
{
	for (unsigned i = 0; i < keeper->count; i++) {
		struct raw_device *device = &keeper->devices[i];
		struct bytes full;

		pthread_mutex_lock(&keeper->lock);
		full = device->bytes;
		device->bytes = keeper->spare;
		pthread_mutex_unlock(&keeper->lock);
		if (full.size)
			recorder_add_reports(recorder, (int)i, &full);
		full.size = 0;
		keeper->spare = full;
	}
}
