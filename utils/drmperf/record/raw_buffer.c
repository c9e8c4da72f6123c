/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/raw_buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
raw_buffer_init(struct raw_buffer *buffer, struct drmperf *drmperf)
{
	unsigned count = drmperf_device_count(drmperf);

	pthread_mutex_init(&buffer->lock, NULL);
	buffer->devices = calloc(count + 1, sizeof(*buffer->devices));
	if (!buffer->devices)
		return -ENOMEM;
	buffer->count = count;
	for (unsigned i = 0; i < count; i++)
		buffer->devices[i] = (struct raw_device){
			.device = drmperf_device_at(drmperf, i),
			.wanted = true, /* until it is known */
		};
	return 0;
}

void
raw_buffer_finish(struct raw_buffer *buffer)
{
	if (!buffer->devices)
		return;
	for (unsigned i = 0; i < buffer->count; i++)
		bytes_finish(&buffer->devices[i].bytes);
	free(buffer->devices);
	bytes_finish(&buffer->spare);
	pthread_mutex_destroy(&buffer->lock);
}

void
raw_buffer_take(void *data, struct drmperf_device *device, const void *record,
		size_t size)
{
	struct raw_buffer *buffer = data;
	struct raw_device *of = &buffer->devices[drmperf_device_index(device)];

	pthread_mutex_lock(&buffer->lock);
	if (of->wanted && !buffer->has_ended) {
		bytes_add(&of->bytes, record, size);
		buffer->records++;
	}
	pthread_mutex_unlock(&buffer->lock);
}

/* Write the head; 0: there is none. -ENOMEM. */
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
raw_buffer_begin(struct raw_buffer *buffer, struct drmperf_session *session,
		 struct recorder *recorder)
{
	int ret = 0;

	for (unsigned i = 0; !ret && i < buffer->count; i++) {
		struct raw_device *device = &buffer->devices[i];
		bool has_head;

		has_head = false;
		if (session)
			ret = write_head(device, session, recorder, &has_head);
		pthread_mutex_lock(&buffer->lock);
		device->wanted = !ret && has_head;
		if (!device->wanted)
			bytes_finish(&device->bytes);
		pthread_mutex_unlock(&buffer->lock);
	}
	return ret;
}

bool
raw_buffer_has(const struct raw_buffer *buffer,
	       const struct drmperf_event *event)
{
	const char *domain = drmperf_group_domain(drmperf_event_group(event));
	unsigned device = drmperf_device_index(drmperf_event_device(event));

	return device < buffer->count && buffer->devices[device].wanted &&
	       !strncmp(domain, "oa", strlen("oa")) &&
	       drmperf_event_kind(event) != DRMPERF_KIND_MOMENTARY;
}

void
raw_buffer_end(struct raw_buffer *buffer)
{
	pthread_mutex_lock(&buffer->lock);
	buffer->has_ended = true;
	pthread_mutex_unlock(&buffer->lock);
}

/* Write the records. Others arrive while this takes its time. */
void
raw_buffer_write(struct raw_buffer *buffer, struct recorder *recorder)
{
	for (unsigned i = 0; i < buffer->count; i++) {
		struct raw_device *device = &buffer->devices[i];
		struct bytes full;

		pthread_mutex_lock(&buffer->lock);
		full = device->bytes;
		device->bytes = buffer->spare;
		pthread_mutex_unlock(&buffer->lock);
		if (full.size)
			recorder_add_reports(recorder, (int)i, &full);
		full.size = 0;
		buffer->spare = full;
	}
}
