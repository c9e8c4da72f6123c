/* SPDX-License-Identifier: BSD-3-Clause */
#include "gl_worker.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "frontend/call_thread.h"
#include "gl_tell.h"

/*
 * Longest single wait: a driver may hold a lock during it that the program
 * wants, and this thread has to notice when it shall end.
 */
#define SLICE_NS 1000000

struct task {
	struct task *next;
	struct gl_counting *counting;
	struct gl_fence *fence; /* NULL: the GPU has got there */
	bool is_stop;
};

struct gl_worker {
	pid_t process;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct task *first, **last; /* to be done, with the lock */
	atomic_bool ends;
	/* of the thread: why what was to start last did not, or code 0 */
	struct drmperf_error failed;
};

/* ------------------------------------------------------------------ */
/* In the thread                                                        */

static int
wait_for_fence(const struct gl_worker *worker, struct gl_fence *fence,
	       struct drmperf_error *error)
{
	int rc = !fence;

	while (!rc && !atomic_load(&worker->ends))
		rc = fence->wait(fence, SLICE_NS);
	if (rc > 0)
		return 0;
	if (!rc)
		return fe_fail(error, -ECANCELED, "",
			       "the context was destroyed before the GPU got "
			       "there");
	return fe_fail(error, rc, "",
		       "the driver does not report when the GPU has got there");
}

/*
 * Start, then count from zero at the fence. Starting overlaps with the GPU's
 * work before the fence, which is not counted in the end.
 */
static void
task_start(struct gl_worker *worker, const struct task *task)
{
	struct drmperf_error *error = &worker->failed;
	struct drmperf_error unread;
	int rc = gl_counting_start(task->counting, error);

	if (!rc && task->fence) {
		rc = wait_for_fence(worker, task->fence, error);
		if (!rc)
			rc = gl_counting_restart(task->counting, error);
		if (rc)
			gl_counting_stop(task->counting, &unread);
	}
	if (rc)
		fe_report(GL_LIBRARY, "glBeginPerfMonitorAMD", rc, error);
	else
		error->cause[0] = '\0';
	error->code = rc;
}

static void
task_stop(const struct gl_worker *worker, const struct task *task)
{
	struct drmperf_error error = worker->failed, its = { 0 };

	if (!error.code) {
		error.code = wait_for_fence(worker, task->fence, &error);
		its.code = gl_counting_stop(task->counting, &its);
		if (!error.code)
			error = its;
		if (error.code)
			fe_report(GL_LIBRARY, "glEndPerfMonitorAMD", error.code,
				  &error);
	}
	gl_counting_complete(task->counting, &error);
}

static void
free_task(struct task *task)
{
	gl_fence_destroy(task->fence);
	gl_counting_release(task->counting);
	free(task);
}

/* Return the next one; NULL: there will be none. */
static struct task *
worker_take_task(struct gl_worker *worker)
{
	struct task *task;

	pthread_mutex_lock(&worker->lock);
	while (!worker->first && !atomic_load(&worker->ends))
		pthread_cond_wait(&worker->changed, &worker->lock);
	task = worker->first;
	if (task) {
		worker->first = task->next;
		if (!worker->first)
			worker->last = &worker->first;
	}
	pthread_mutex_unlock(&worker->lock);
	return task;
}

/* Do the tasks. At the end none is begun any more, but all are settled. */
static void *
worker_main(void *data)
{
	struct gl_worker *worker = data;
	struct task *task;

	while ((task = worker_take_task(worker))) {
		if (task->is_stop)
			task_stop(worker, task);
		else if (!atomic_load(&worker->ends))
			task_start(worker, task);
		free_task(task);
	}
	return NULL;
}

/* ------------------------------------------------------------------ */

int
gl_worker_create(struct gl_worker **out, struct drmperf_error *error)
{
	struct gl_worker *worker = calloc(1, sizeof(*worker));
	int rc;

	if (!worker)
		return fe_fail_memory(error);
	worker->process = getpid();
	worker->last = &worker->first;
	pthread_mutex_init(&worker->lock, NULL);
	pthread_cond_init(&worker->changed, NULL);
	rc = call_thread_start(&worker->thread, worker_main, worker);
	if (rc) {
		free(worker);
		return fe_fail(error, rc, "",
			       "no thread to wait for the GPU with");
	}
	*out = worker;
	return 0;
}

bool
gl_worker_is_here(const struct gl_worker *worker)
{
	return worker->process == getpid();
}

static void
worker_end(struct gl_worker *worker)
{
	pthread_mutex_lock(&worker->lock);
	atomic_store(&worker->ends, true);
	pthread_cond_broadcast(&worker->changed);
	pthread_mutex_unlock(&worker->lock);
	pthread_join(worker->thread, NULL);
	pthread_cond_destroy(&worker->changed);
	pthread_mutex_destroy(&worker->lock);
}

/*
 * Destroy a worker. A child of the process has no thread, and its locks are as
 * they were.
 */
void
gl_worker_destroy(struct gl_worker *worker)
{
	if (!worker)
		return;
	if (gl_worker_is_here(worker))
		worker_end(worker);
	while (worker->first) {
		struct task *task = worker->first;

		worker->first = task->next;
		gl_counting_release(task->counting);
		free(task);
	}
	free(worker);
}

static int
worker_add_task(struct gl_worker *worker, struct gl_counting *counting,
		struct gl_fence *fence, bool is_stop,
		struct drmperf_error *error)
{
	struct task *task = calloc(1, sizeof(*task));

	if (!task) {
		gl_fence_destroy(fence);
		return fe_fail_memory(error);
	}
	*task = (struct task){ NULL, gl_counting_hold(counting), fence,
			       is_stop };
	if (is_stop)
		gl_counting_expect(counting);
	pthread_mutex_lock(&worker->lock);
	*worker->last = task;
	worker->last = &task->next;
	pthread_cond_signal(&worker->changed);
	pthread_mutex_unlock(&worker->lock);
	return 0;
}

int
gl_worker_start(struct gl_worker *worker, struct gl_counting *counting,
		struct gl_fence *fence, struct drmperf_error *error)
{
	return worker_add_task(worker, counting, fence, false, error);
}

int
gl_worker_stop(struct gl_worker *worker, struct gl_counting *counting,
	       struct gl_fence *fence, struct drmperf_error *error)
{
	return worker_add_task(worker, counting, fence, true, error);
}
