/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PAPI's codes of events: ours are the first, the same for the life of the
 * process; those of other libraries, which grow in number, follow. What is not
 * ours goes to the next library that defines these functions, if there is one.
 */
#include "sde_ti.h"

#include <dlfcn.h>

#include "sde_error.h"
#include "sde_events.h"

/*
 * The function of that name that would be called without us, or NULL. It may be
 * of a library that is opened later, so it is asked for until it is there.
 */
#define NEXT(function)                                                         \
	({                                                                     \
		static void *_Atomic known;                                    \
		(__typeof__(&(function)))find_next_symbol(&known, #function);  \
	})

static void *
find_next_symbol(void *_Atomic *known, const char *name)
{
	if (!*known)
		*known = dlsym(RTLD_NEXT, name);
	return *known;
}

/*
 * Return whether the event is of another library, with its code there in
 * *theirs.
 */
static int
is_of_others(uint32_t code, uint32_t *theirs)
{
	const unsigned ours = sde_events_count();

	if (code < ours)
		return 0;
	*theirs = code - ours;
	return 1;
}

int
sde_ti_reset_counter(uint32_t code)
{
	__typeof__(&sde_ti_reset_counter) next;

	if (!is_of_others(code, &code))
		return sde_events_reset(code);
	next = NEXT(sde_ti_reset_counter);
	return next ? next(code) : SDE_EINVAL;
}

int
sde_ti_read_counter(uint32_t code, long long *value)
{
	__typeof__(&sde_ti_read_counter) next;

	if (!is_of_others(code, &code))
		return sde_events_read(code, value);
	next = NEXT(sde_ti_read_counter);
	return next ? next(code, value) : SDE_EINVAL;
}

int
sde_ti_write_counter(uint32_t code, long long value)
{
	__typeof__(&sde_ti_write_counter) next;

	if (!is_of_others(code, &code))
		return SDE_ENOSUPP;
	next = NEXT(sde_ti_write_counter);
	return next ? next(code, value) : SDE_EINVAL;
}

int
sde_ti_name_to_code(const char *name, uint32_t *code)
{
	__typeof__(&sde_ti_name_to_code) next;
	uint32_t theirs;
	int rc;

	if (sde_events_owns(name))
		return sde_events_find(name, code);
	next = NEXT(sde_ti_name_to_code);
	if (!next)
		return SDE_ENOEVNT;
	rc = next(name, &theirs);
	if (rc == SDE_OK)
		*code = sde_events_count() + theirs;
	return rc;
}

/*
 * Return whether changes of the counter are not announced: PAPI has to look at
 * it for overflow.
 */
int
sde_ti_is_simple_counter(uint32_t code)
{
	__typeof__(&sde_ti_is_simple_counter) next;

	if (!is_of_others(code, &code))
		return 0;
	next = NEXT(sde_ti_is_simple_counter);
	return next ? next(code) : 0;
}

int
sde_ti_is_counter_set_to_overflow(uint32_t code)
{
	__typeof__(&sde_ti_is_counter_set_to_overflow) next;

	if (!is_of_others(code, &code))
		return 0;
	next = NEXT(sde_ti_is_counter_set_to_overflow);
	return next ? next(code) : 0;
}

/*
 * Set a threshold. PAPI reads such events in a signal's handler, waiting for a
 * lock that the thread it has interrupted may hold. 0 puts an end to what never
 * began.
 */
int
sde_ti_set_counter_overflow(uint32_t code, int threshold)
{
	__typeof__(&sde_ti_set_counter_overflow) next;

	if (!is_of_others(code, &code))
		return threshold ? SDE_ENOSUPP : SDE_OK;
	next = NEXT(sde_ti_set_counter_overflow);
	return next ? next(code, threshold) : SDE_EINVAL;
}

char *
sde_ti_get_event_name(int code)
{
	__typeof__(&sde_ti_get_event_name) next;
	uint32_t theirs;

	if (!is_of_others((uint32_t)code, &theirs))
		return sde_events_name((unsigned)code);
	next = NEXT(sde_ti_get_event_name);
	return next ? next((int)theirs) : (char *)0;
}

char *
sde_ti_get_event_description(int code)
{
	__typeof__(&sde_ti_get_event_description) next;
	uint32_t theirs;

	if (!is_of_others((uint32_t)code, &theirs))
		return sde_events_description((unsigned)code);
	next = NEXT(sde_ti_get_event_description);
	return next ? next((int)theirs) : (char *)0;
}

int
sde_ti_get_num_reg_events(void)
{
	__typeof__(&sde_ti_get_num_reg_events) next =
		NEXT(sde_ti_get_num_reg_events);

	return (int)sde_events_count() + (next ? next() : 0);
}

int
sde_ti_shutdown(void)
{
	__typeof__(&sde_ti_shutdown) next = NEXT(sde_ti_shutdown);

	sde_events_stop();
	return next ? next() : SDE_OK;
}

void
papi_sde_check_overflow_status(uint32_t code, long long value)
{
	__typeof__(&papi_sde_check_overflow_status) next =
		NEXT(papi_sde_check_overflow_status);

	if (next)
		next(sde_events_count() + code, value);
}
