/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "papi_drm_overflow.h"

#include "extras.h"
#include "threads.h"

/* PAPI reports the events that overflowed by the bits of a long long. */
#define MOST_POSITIONS 63

/*
 * In static thread-local storage, which exists from the start of the thread.
 * That of a library opened at run time, as libpapi may be, is allocated on
 * first access, and a signal handler must not allocate.
 */
static __thread struct {
	bool known; /* to PAPI */
	bool timed; /* has a timer of its own, for a component */
	int component;
	bool handling;
} here __attribute__((tls_model("initial-exec")));

void
papi_drm_overflow_know_thread(void)
{
	here.known = true;
}

bool
papi_drm_overflow_is_handling(void)
{
	return here.handling;
}

static bool
overflows_in_software(const EventSetInfo_t *set)
{
	return set && (set->state & PAPI_OVERFLOWING) &&
	       !(set->overflow.flags & PAPI_OVERFLOW_HARDWARE);
}

static int
check_event(const struct papi_drm_set *set, int position,
	    struct drmperf_error *error)
{
	if (position >= MOST_POSITIONS)
		snprintf(error->cause, sizeof(error->cause),
			 "PAPI reports overflow for the first %d events of an "
			 "EventSet only",
			 MOST_POSITIONS);
	else if (!papi_drm_set_accumulates(set, position))
		snprintf(error->cause, sizeof(error->cause),
			 "an event with a threshold is an average or "
			 "momentary: it does not add up to one");
	else
		return 0;
	snprintf(error->remedy, sizeof(error->remedy),
		 "give thresholds to other events");
	error->code = -ENOTSUP;
	return -ENOTSUP;
}

/* Return the thread's EventSet, if it is of this state and has thresholds. */
static EventSetInfo_t *
find_overflowing(int component, const hwd_control_state_t *state)
{
	ThreadInfo_t *thread = _papi_hwi_lookup_thread(0);
	EventSetInfo_t *set =
		thread ? thread->running_eventset[component] : NULL;

	return overflows_in_software(set) && set->ctl_state == state ? set
								      : NULL;
}

int
papi_drm_overflow_check(int component, const hwd_control_state_t *state,
			const struct papi_drm_set *set,
			struct drmperf_error *error)
{
	const EventSetInfo_t *running = find_overflowing(component, state);
	int i, rc = 0;

	for (i = 0; running && !rc && i < running->overflow.event_counter;
	     i++) {
		int event = running->overflow.EventIndex[i];

		rc = check_event(set, running->EventInfoArray[event].pos[0],
				 error);
	}
	return rc;
}

/* ------------------------------------------------------------------ */
/* The timer                                                            */

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/*
 * Set a timer for the thread, with the clock and period of PAPI's. PAPI has one
 * timer per process, which the first thread that stops switches off for all.
 */
static void
set_timer(struct papi_drm_timer *timer, int component)
{
	const long ns = _papi_os_info.itimer_ns;
	const struct timespec period = { ns / 1000000000, ns % 1000000000 };
	const struct itimerspec times = { period, period };
	const clockid_t clock = _papi_os_info.itimer_num == ITIMER_REAL
					? CLOCK_MONOTONIC
					: CLOCK_THREAD_CPUTIME_ID;
	struct sigevent event;

	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = _papi_os_info.itimer_sig;
	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	here.timed = !timer_create(clock, &event, &timer->id);
	if (!here.timed)
		return; /* PAPI's is better than none */
	here.component = component;
	timer->pid = getpid();
	timer_settime(timer->id, 0, &times, NULL);
}

void
papi_drm_overflow_end(struct papi_drm_timer *timer)
{
	/* a forked child has no timers */
	if (timer->pid && timer->pid == getpid())
		timer_delete(timer->id);
	timer->pid = 0;
}

/*
 * Set our handler of the signal. PAPI has only one, that of the first component
 * that requested it; ours serves all components.
 */
static void
set_handler(void)
{
	struct sigaction action;
	int i;

	if (sigaction(_papi_os_info.itimer_sig, NULL, &action) ||
	    action.sa_sigaction == papi_drm_overflow_handle)
		return;
	for (i = 0; i < papi_num_components; i++) {
		if (action.sa_sigaction != _papi_hwd[i]->dispatch_timer)
			continue;
		action.sa_sigaction = papi_drm_overflow_handle;
		sigaction(_papi_os_info.itimer_sig, &action, NULL);
		return;
	}
}

/*
 * Begin to watch for overflows, from zero: PAPI would continue its thresholds
 * from the last count.
 */
void
papi_drm_overflow_begin(int component, const hwd_control_state_t *state,
			struct papi_drm_timer *timer)
{
	EventSetInfo_t *running = find_overflowing(component, state);
	int i;

	if (!running)
		return;
	for (i = 0; i < running->overflow.event_counter; i++)
		running->overflow.deadline[i] = running->overflow.threshold[i];
	set_handler();
	if (!timer->pid)
		set_timer(timer, component);
}

/* ------------------------------------------------------------------ */
/* The handler                                                          */

/*
 * Return whether the signal is wanted: PAPI's timer comes in addition to the
 * thread's own.
 */
static bool
is_wanted(const hwd_siginfo_t *info, int component)
{
	return !here.timed || component != here.component ||
	       info->si_code != SI_KERNEL;
}

static void
overflow_dispatch(_papi_hwi_context_t *context, ThreadInfo_t *thread,
		  int component)
{
	EventSetInfo_t *set = thread->running_eventset[component];
	/*
	 * reads in a handler do not overwrite the values that PAPI_stop copies
	 */
	long long values[_papi_hwd[component]->cmp_info.num_mpx_cntrs];
	long long *before = set->sw_stop;

	set->sw_stop = values;
	_papi_hwi_dispatch_overflow_signal(context,
					   GET_OVERFLOW_ADDRESS((*context)),
					   NULL, 0, 0, &thread, component);
	set->sw_stop = before;
}

void
papi_drm_overflow_handle(int signal, hwd_siginfo_t *info, void *ucontext)
{
	_papi_hwi_context_t context = { .si = info, .ucontext = ucontext };
	const bool was_handling = here.handling; /* interrupted handler */
	const int before = errno;
	ThreadInfo_t *thread;
	int i;

	(void)signal;
	thread = here.known ? _papi_hwi_lookup_thread(0) : NULL;
	if (!thread)
		return;
	here.handling = true;
	for (i = 0; i < papi_num_components; i++) {
		if (overflows_in_software(thread->running_eventset[i]) &&
		    is_wanted(info, i))
			overflow_dispatch(&context, thread, i);
	}
	here.handling = was_handling;
	errno = before;
}
