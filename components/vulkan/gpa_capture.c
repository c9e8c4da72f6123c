/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpa_session.h"
#include "gpa_tell.h"
#include "gpa_trace.h"

static const char where[] = "DRMPERF_VK_TRACE";

struct gpa_capture {
	const struct gpa_gpu *gpu;
	struct gpa_sample *sample; /* as if it were asked for by one */
	const char *path;
	unsigned long frame;
	pthread_mutex_t lock;
	/* guarded by it */
	unsigned long next; /* the frame that begins next */
	struct gpa_trace *trace; /* while it goes on */
};

static const char *
capture_text(void)
{
	return secure_getenv(where);
}

bool
gpa_capture_is_wanted(void)
{
	return capture_text() != NULL;
}

/* ------------------------------------------------------------------ */
/* The file                                                             */

static int
write_bytes(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t count = write(fd, bytes, size);

		if (count < 0 && errno != EINTR)
			return -errno;
		if (count > 0) {
			bytes += count;
			size -= (size_t)count;
		}
	}
	return 0;
}

static void
write_file(const char *path, const char *bytes, size_t size)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	int fd = open(path, flags, 0600);
	int rc = fd < 0 ? -errno : write_bytes(fd, bytes, size);

	if (fd >= 0 && close(fd) && !rc)
		rc = -errno;
	if (rc)
		gpa_refuse(where, VK_SUCCESS, "cannot write %s: %s", path,
			   strerrordesc_np(-rc));
}

/* Caller holds capture->lock. */
static void
end_trace(struct gpa_capture *capture)
{
	char *bytes = NULL;
	size_t size;

	if (capture->trace &&
	    gpa_trace_finish(capture->trace, &bytes, &size) == VK_SUCCESS)
		write_file(capture->path, bytes, size);
	free(bytes);
	capture->trace = NULL;
}

/* ------------------------------------------------------------------ */
/* Frames                                                               */

void
gpa_capture_next_frame(struct gpa_capture *capture)
{
	pthread_mutex_lock(&capture->lock);
	end_trace(capture);
	if (capture->next++ == capture->frame)
		gpa_trace_start(capture->gpu, capture->sample,
				DRMPERF_CLOCK_AUTO, &capture->trace);
	pthread_mutex_unlock(&capture->lock);
}

/* Read the environment. Returns 0, or -EINVAL. */
static int
read_text(struct gpa_capture *capture, unsigned engines,
	  VkGpaSampleBeginInfoAMD *info)
{
	unsigned long long size;
	unsigned omits;
	int length = 0;

	if (sscanf(capture_text(), "%lu %llu %u %n", &capture->frame, &size,
		   &omits, &length) != 3 ||
	    !length)
		return -EINVAL;
	capture->path = capture_text() + length;
	info->sqThreadTraceDeviceMemoryLimit = size * engines;
	info->sqThreadTraceSuppressInstructionTokens = omits != 0;
	return 0;
}

static int
choose_trace(struct gpa_capture *capture, struct drmperf_error *error)
{
	const struct gpa_tracing *tracing = &capture->gpu->tracing;
	VkGpaSampleBeginInfoAMD info = { .sqThreadTraceEnable = VK_TRUE };

	*error = tracing->why_not;
	if (!tracing->is_possible)
		return -ENOTSUP;
	if (read_text(capture, tracing->engines, &info))
		return fe_fail(error, -EINVAL, "",
			       "\"%s\" is no frame, size, flag and file",
			       capture_text());
	capture->sample->has_waves = true;
	return gpa_tracing_choose(tracing, &info, &capture->sample->trace,
				  error);
}

struct gpa_capture *
gpa_capture_create(struct gpa_device *device, const struct gpa_gpu *gpu)
{
	struct gpa_capture *capture = calloc(1, sizeof(*capture));
	struct gpa_sample *sample = calloc(1, sizeof(*sample));
	struct drmperf_error error = { 0 };
	int rc = -ENOMEM;

	if (capture && sample) {
		atomic_init(&sample->references, 1);
		sample->device = device;
		sample->type = VK_GPA_SAMPLE_TYPE_TRACE_AMD;
		capture->gpu = gpu;
		capture->sample = sample;
		pthread_mutex_init(&capture->lock, NULL);
		rc = gpu ? choose_trace(capture, &error)
			 : fe_fail(&error, -ENODEV, "",
				   "no GPU that libdrmperf knows serves this "
				   "physical device");
	}
	if (rc) {
		gpa_fail(where, rc, &error);
		free(capture);
		free(sample);
		return NULL;
	}
	gpa_capture_next_frame(capture);
	return capture;
}

void
gpa_capture_destroy(struct gpa_capture *capture)
{
	if (!capture)
		return;
	end_trace(capture);
	gpa_sample_release(capture->sample);
	pthread_mutex_destroy(&capture->lock);
	free(capture);
}
