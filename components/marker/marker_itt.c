/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the static part of Intel's ITT finds in the library that
 * INTEL_LIBITTNOTIFY64 names: one that has __itt_api_version and lacks
 * __itt_api_init is asked for each function by its name. Layouts and names are
 * facts of ittnotify.h and ittnotify_config.h.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mark_buffer.h"

#define EXPORTED __attribute__((visibility("default")))

/* A program asks whether flags is 0 before each call about the domain. */
struct itt_domain {
	volatile int flags;
	const char *name;
	void *wide_name;
	int unused;
	void *unused_pointer;
	struct itt_domain *next;
};

struct itt_string {
	const char *text;
	void *wide_text;
	int unused;
	void *unused_pointer;
	struct itt_string *next;
};

struct itt_id {
	unsigned long long object, number, unused;
};

/* What was created lives as long as the program. */
static struct {
	pthread_mutex_t lock;
	struct itt_domain *domains;
	struct itt_string *strings;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

EXPORTED const char *
__itt_api_version(void);
EXPORTED struct itt_domain *
__itt_domain_create(const char *name);
EXPORTED struct itt_string *
__itt_string_handle_create(const char *text);
EXPORTED void
__itt_task_begin(const struct itt_domain *domain, struct itt_id task,
		 struct itt_id parent, struct itt_string *name);
EXPORTED void
__itt_task_end(const struct itt_domain *domain);
EXPORTED void
__itt_task_begin_overlapped(const struct itt_domain *domain,
			    struct itt_id task, struct itt_id parent,
			    struct itt_string *name);
EXPORTED void
__itt_task_end_overlapped(const struct itt_domain *domain, struct itt_id task);
EXPORTED void
__itt_region_begin(const struct itt_domain *domain, struct itt_id region,
		   struct itt_id parent, struct itt_string *name);
EXPORTED void
__itt_region_end(const struct itt_domain *domain, struct itt_id region);
EXPORTED void
__itt_marker(const struct itt_domain *domain, struct itt_id marker,
	     struct itt_string *name, int scope);

const char *
__itt_api_version(void)
{
	return "drmperf";
}

/* Caller holds all.lock. */
static struct itt_domain *
add_domain(const char *name)
{
	struct itt_domain *domain = calloc(1, sizeof(*domain));

	if (!domain)
		return NULL;
	domain->name = strdup(name);
	if (!domain->name) {
		free(domain);
		return NULL;
	}
	domain->flags = 1;
	domain->next = all.domains;
	all.domains = domain;
	return domain;
}

struct itt_domain *
__itt_domain_create(const char *name)
{
	struct itt_domain *domain;

	if (!name)
		return NULL;
	pthread_mutex_lock(&all.lock);
	domain = all.domains;
	while (domain && strcmp(domain->name, name) != 0)
		domain = domain->next;
	if (!domain)
		domain = add_domain(name);
	pthread_mutex_unlock(&all.lock);
	return domain;
}

/* Caller holds all.lock. */
static struct itt_string *
add_string(const char *text)
{
	struct itt_string *string = calloc(1, sizeof(*string));

	if (!string)
		return NULL;
	string->text = strdup(text);
	if (!string->text) {
		free(string);
		return NULL;
	}
	string->next = all.strings;
	all.strings = string;
	return string;
}

struct itt_string *
__itt_string_handle_create(const char *text)
{
	struct itt_string *string;

	if (!text)
		return NULL;
	pthread_mutex_lock(&all.lock);
	string = all.strings;
	while (string && strcmp(string->text, text) != 0)
		string = string->next;
	if (!string)
		string = add_string(text);
	pthread_mutex_unlock(&all.lock);
	return string;
}

static const char *
string_text(const struct itt_string *string)
{
	return string ? string->text : NULL;
}

/* Return the number of a range, which programs tell apart by two numbers. */
static uint64_t
range_of(struct itt_id id)
{
	return id.object ^ (id.number << 32 | id.number >> 32);
}

void
__itt_task_begin(const struct itt_domain *domain, struct itt_id task,
		 struct itt_id parent, struct itt_string *name)
{
	(void)domain;
	(void)task;
	(void)parent;
	mark_write(MARK_PUSH, 0, string_text(name));
}

void
__itt_task_end(const struct itt_domain *domain)
{
	(void)domain;
	mark_write(MARK_POP, 0, NULL);
}

void
__itt_task_begin_overlapped(const struct itt_domain *domain,
			    struct itt_id task, struct itt_id parent,
			    struct itt_string *name)
{
	(void)domain;
	(void)parent;
	mark_write(MARK_START, range_of(task), string_text(name));
}

void
__itt_task_end_overlapped(const struct itt_domain *domain, struct itt_id task)
{
	(void)domain;
	mark_write(MARK_STOP, range_of(task), NULL);
}

void
__itt_region_begin(const struct itt_domain *domain, struct itt_id region,
		   struct itt_id parent, struct itt_string *name)
{
	(void)domain;
	(void)parent;
	mark_write(MARK_START, range_of(region), string_text(name));
}

void
__itt_region_end(const struct itt_domain *domain, struct itt_id region)
{
	(void)domain;
	mark_write(MARK_STOP, range_of(region), NULL);
}

void
__itt_marker(const struct itt_domain *domain, struct itt_id marker,
	     struct itt_string *name, int scope)
{
	(void)domain;
	(void)marker;
	(void)scope;
	mark_write(MARK_INSTANT, 0, string_text(name));
}
