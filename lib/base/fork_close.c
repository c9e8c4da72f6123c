/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions that fork() calls get no argument: so this list, its lock and
 * the note that they are known are the library's only variables that change.
 */
#include "base/fork_close.h"

#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct fork_close *first;
static int refusal; /* of pthread_atfork() */

static void
before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void
in_parent(void)
{
	pthread_mutex_unlock(&lock);
}

static void
in_child(void)
{
	struct fork_close *entry = first;

	first = NULL;
	while (entry) {
		struct fork_close *next = entry->next;

		close(entry->fd);
		*entry = (struct fork_close){ .fd = -1 };
		entry = next;
	}
	pthread_mutex_unlock(&lock);
}

static void
watch_forks(void)
{
	refusal = -pthread_atfork(before_fork, in_parent, in_child);
}

int
fork_close_init(struct fork_close *entry, int fd)
{
	pthread_once(&once, watch_forks);
	if (refusal)
		return refusal;
	pthread_mutex_lock(&lock);
	*entry = (struct fork_close){ .fd = fd, .next = first };
	if (first)
		first->previous = entry;
	first = entry;
	pthread_mutex_unlock(&lock);
	return 0;
}

int
fork_close_adopt(struct fork_close *entry, int fd)
{
	int ret = fd < 0 ? fd : fork_close_init(entry, fd);

	if (!ret)
		return 0;
	if (fd >= 0)
		close(fd);
	entry->fd = -1;
	return ret;
}

void
fork_close_finish(struct fork_close *entry)
{
	int fd;

	pthread_mutex_lock(&lock);
	fd = entry->fd;
	if (fd >= 0) {
		if (entry->next)
			entry->next->previous = entry->previous;
		if (entry->previous)
			entry->previous->next = entry->next;
		else
			first = entry->next;
		entry->fd = -1;
	}
	pthread_mutex_unlock(&lock);
	if (fd >= 0)
		close(fd);
}

void
fork_bar(void)
{
	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&lock);
}

void
fork_unbar(void)
{
	pthread_mutex_unlock(&lock);
}
