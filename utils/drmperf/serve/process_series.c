/* SPDX-License-Identifier: BSD-3-Clause */
#include "serve/process_series.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/spawn.h"
#include "top/clients.h"
#include "util/array.h"

#define NS_PER_S 1e9
/* Looks come at least that often; see process_series_keep(). */
#define KEEP_NS UINT64_C(10000000000)
/* More than the variables of most jobs take up. */
#define FILE_SIZE 65536
#define DIGITS "0123456789"

/* The time that a process has used engines of one class. */
struct engine_time {
	pid_t pid;
	char address[TOP_ADDRESS_SIZE];
	char engine[TOP_ENGINE_NAME_SIZE];
	double seconds;
	bool is_seen; /* at the last look */
};

struct process_series {
	struct top_clients *clients;
	struct engine_time *times;
	size_t time_count;
	uint64_t looked_ns; /* 0: never */
	char file[FILE_SIZE];
};

static const struct metric_name busy_name = {
	.family = "drmperf_process_engine_busy_seconds",
	.unit = "seconds",
	.type = METRIC_COUNTER
};
static const struct metric_name memory_name = {
	.family = "drmperf_process_memory_bytes",
	.unit = "bytes",
	.type = METRIC_GAUGE
};

struct process_series *
process_series_create(void)
{
	struct process_series *series = calloc(1, sizeof(*series));

	if (!series)
		return NULL;
	series->clients = top_clients_create();
	if (series->clients)
		return series;
	free(series);
	return NULL;
}

void
process_series_destroy(struct process_series *series)
{
	if (!series)
		return;
	top_clients_destroy(series->clients);
	free(series->times);
	free(series);
}

/* ------------------------------------------------------------------ */
/* Jobs                                                                 */

static bool
copy_number(const char *text, const char *end, char job[PROCESS_JOB_SIZE])
{
	const size_t length = strspn(text, DIGITS);

	if (!length || length >= PROCESS_JOB_SIZE || !strchr(end, text[length]))
		return false;
	memcpy(job, text, length);
	job[length] = '\0';
	return true;
}

const char *
process_job_find(const char *cgroup, const char *environment, size_t size,
		 char job[PROCESS_JOB_SIZE])
{
	static const char folder[] = "/job_", variable[] = "SLURM_JOB_ID=";
	const char *at = cgroup;

	while ((at = strstr(at, folder))) {
		at += strlen(folder);
		if (copy_number(at, "/\n", job))
			return job;
	}
	for (size_t i = 0; i < size; i += strlen(&environment[i]) + 1) {
		if (!strncmp(&environment[i], variable, strlen(variable)) &&
		    copy_number(&environment[i] + strlen(variable), "", job))
			return job;
	}
	return strcpy(job, "");
}

/* Return whether it is no program of the user's, but this one. */
static bool
is_own(const struct top_client *client)
{
	return client->pid == getpid();
}

/* Read the begin of a file of a process; 0 ends it. Returns its size. */
static size_t
read_file(pid_t pid, const char *name, char text[FILE_SIZE])
{
	char path[64];
	ssize_t size = 0, got;
	int file;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	file = open(path, O_RDONLY | O_CLOEXEC);
	while (file >= 0 && size < FILE_SIZE - 1 &&
	       (got = read(file, text + size, (size_t)(FILE_SIZE - 1 - size))) >
		       0)
		size += got;
	if (file >= 0)
		close(file);
	text[size] = '\0';
	return (size_t)size;
}

static const char *
find_job(struct process_series *series, pid_t pid, char job[PROCESS_JOB_SIZE])
{
	size_t size;

	read_file(pid, "cgroup", series->file);
	if (*process_job_find(series->file, "", 0, job))
		return job;
	size = read_file(pid, "environ", series->file);
	return process_job_find("", series->file, size, job);
}

/* ------------------------------------------------------------------ */
/* Times                                                                */

/* Return the time of an engine, which begins at 0; NULL without memory. */
static struct engine_time *
find_time(struct process_series *series, const struct top_client *client,
	  const struct top_engine *engine)
{
	struct engine_time *time = series->times;

	for (size_t i = 0; i < series->time_count; i++, time++) {
		if (time->pid == client->pid &&
		    !strcmp(time->address, client->address) &&
		    !strcmp(time->engine, engine->name))
			return time;
	}
	time = array_add(&series->times, &series->time_count, sizeof(*time));
	if (!time)
		return NULL;
	time->pid = client->pid;
	strcpy(time->address, client->address);
	strcpy(time->engine, engine->name);
	return time;
}

/* Forget engines of processes that have ended, whose numbers come again. */
static void
forget_unseen(struct process_series *series)
{
	size_t left = 0;

	for (size_t i = 0; i < series->time_count; i++) {
		if (series->times[i].is_seen)
			series->times[left++] = series->times[i];
	}
	series->time_count = left;
}

static void
read_clients(struct process_series *series, uint64_t now_ns)
{
	const double seconds =
		series->looked_ns
			? (double)(now_ns - series->looked_ns) / NS_PER_S
			: 0;
	const struct top_client *clients;
	size_t count;

	series->looked_ns = now_ns;
	top_clients_scan(series->clients);
	clients = top_clients_list(series->clients, &count);
	for (size_t i = 0; i < series->time_count; i++)
		series->times[i].is_seen = false;
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < clients[i].engine_count; k++) {
			const struct top_engine *engine =
				&clients[i].engines[k];
			struct engine_time *time =
				find_time(series, &clients[i], engine);

			if (!time)
				continue;
			time->is_seen = true;
			if (clients[i].known)
				time->seconds += engine->share * seconds;
		}
	}
	forget_unseen(series);
}

bool
process_series_keep(struct process_series *series, uint64_t now_ns)
{
	if (series->looked_ns && now_ns - series->looked_ns < KEEP_NS)
		return false;
	read_clients(series, now_ns);
	return true;
}

/* ------------------------------------------------------------------ */
/* Writing                                                              */

/* pci, pid, command, slurm_job, engine */
#define LABELS 5

static size_t
label_client(struct process_series *series, const struct top_client *client,
	     char pid[16], char job[PROCESS_JOB_SIZE],
	     struct openmetrics_label labels[LABELS])
{
	size_t count = 0;

	snprintf(pid, 16, "%d", (int)client->pid);
	labels[count++] = (struct openmetrics_label){ "pci", client->address };
	labels[count++] = (struct openmetrics_label){ "pid", pid };
	labels[count++] =
		(struct openmetrics_label){ "command", client->command };
	if (*find_job(series, client->pid, job))
		labels[count++] =
			(struct openmetrics_label){ "slurm_job", job };
	return count;
}

static void
write_times(struct process_series *series, const struct top_client *client,
	    const struct openmetrics *openmetrics)
{
	char pid[16], job[PROCESS_JOB_SIZE], value[METRIC_VALUE_SIZE];
	struct openmetrics_label labels[LABELS];
	const size_t count = label_client(series, client, pid, job, labels);

	for (size_t i = 0; i < client->engine_count; i++) {
		const struct engine_time *time =
			find_time(series, client, &client->engines[i]);

		if (!time)
			continue;
		labels[count] =
			(struct openmetrics_label){ "engine",
						    client->engines[i].name };
		snprintf(value, sizeof(value), "%.9g", time->seconds);
		openmetrics_sample(openmetrics, &busy_name, labels, count + 1,
				   value);
	}
}

static void
write_memory(struct process_series *series, const struct top_client *client,
	     const struct openmetrics *openmetrics)
{
	char pid[16], job[PROCESS_JOB_SIZE], value[METRIC_VALUE_SIZE];
	struct openmetrics_label labels[LABELS];
	const size_t count = label_client(series, client, pid, job, labels);

	snprintf(value, sizeof(value), "%.0f", client->memory);
	openmetrics_sample(openmetrics, &memory_name, labels, count, value);
}

void
process_series_write(struct process_series *series,
		     const struct openmetrics *openmetrics)
{
	const struct top_client *clients;
	size_t count;

	read_clients(series, spawn_now_ns());
	clients = top_clients_list(series->clients, &count);
	openmetrics_family(openmetrics, &busy_name,
			   "Time that a process used engines of a class, since "
			   "the exporter first saw it.");
	for (size_t i = 0; i < count; i++) {
		if (!is_own(&clients[i]))
			write_times(series, &clients[i], openmetrics);
	}
	openmetrics_family(openmetrics, &memory_name,
			   "GPU memory that a process has.");
	for (size_t i = 0; i < count; i++) {
		if (!is_own(&clients[i]))
			write_memory(series, &clients[i], openmetrics);
	}
}
