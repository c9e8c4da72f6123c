/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/thread.h"

#include <dlfcn.h>
#include <gnu/lib-names.h>
#include <signal.h>
#include <sys/prctl.h>

/*
 * A thread begins with the timer slack of the one that makes it: so an odd one
 * marks ours before any code of ours runs in them. It is short because some
 * sleep for a fraction of 100 us, of which the usual 50 us would be too much.
 */
#define OWN_SLACK_NS 1009

typedef int (*create_function)(pthread_t *thread, const pthread_attr_t *attr,
			       void *(*run)(void *data), void *data);

/* Return the function of a library that is loaded already, or NULL. */
static create_function
find_loaded_function(const char *library)
{
	void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
	create_function function = NULL;

	if (handle) {
		*(void **)&function = dlsym(handle, "pthread_create");
		dlclose(handle);
	}
	return function;
}

/*
 * Return the C library's, but for sanitizers, which must know of every thread.
 */
static create_function
find_create(void)
{
	create_function function;

	if (dlsym(RTLD_DEFAULT, "__sanitizer_set_death_callback"))
		return pthread_create;
	function = find_loaded_function(LIBC_SO);
	if (!function) /* before glibc 2.34 */
		function = find_loaded_function(LIBPTHREAD_SO);
	return function ? function : pthread_create;
}

int
thread_create(pthread_t *thread, const char *name, void *(*run)(void *data),
	      void *data)
{
	const int slack = prctl(PR_GET_TIMERSLACK);
	sigset_t all, before;
	int ret;

	/* A thread begins with the mask of the one that makes it. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	prctl(PR_SET_TIMERSLACK, (unsigned long)OWN_SLACK_NS);
	ret = find_create()(thread, NULL, run, data);
	if (slack > 0)
		prctl(PR_SET_TIMERSLACK, (unsigned long)slack);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!ret)
		pthread_setname_np(*thread, name);
	return -ret;
}

bool
thread_is_own(void)
{
	return prctl(PR_GET_TIMERSLACK) == OWN_SLACK_NS;
}
