/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/fault.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/word.h"
#include "machine/clock.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/log.h"
#include "machine/machine.h"
#include "machine/power.h"
#include "scene/outside.h"
#include "scene/setting.h"

struct call_count {
	struct call_count *next;
	uint64_t calls;
	char name[];
};

struct fault {
	struct fault *next;
	char name[48];
	enum sim_fault_action action; /* SIM_FAULT_NONE: a call fails */
	enum sim_foreign foreign; /* SIM_FAULT_FOREIGN: what it is */
	uint64_t nth; /* the n-th call or submission, or 0 */
	bool from_there; /* and all that follow */
	uint64_t at; /* a moment, or SIM_NEVER */
	int error;
	int gpu; /* index, or -1 for any */
	uint64_t seen;
	int outside;   /* PROTOCOL_OUTSIDE_*, or -1 */
	bool has_struck;
	uint64_t base; /* its calls before it was asked for */
};

/* ---- counting */

static struct call_count *
count_of(struct sim *sim, const char *name)
{
	struct call_count *count;
	size_t size = strlen(name) + 1;

	for (count = sim->counts; count; count = count->next)
		if (strcmp(count->name, name) == 0)
			return count;
	count = calloc(1, sizeof(*count) + size);
	if (!count)
		return NULL;
	memcpy(count->name, name, size);
	count->next = sim->counts;
	sim->counts = count;
	return count;
}

uint64_t
sim_fault_calls(const struct sim *sim, const char *name)
{
	int outside = sim_outside_find(name);

	if (outside >= 0)
		return sim_outside_calls(sim, (unsigned)outside);
	for (const struct call_count *c = sim->counts; c; c = c->next)
		if (strcmp(c->name, name) == 0)
			return c->calls;
	return 0;
}

void
sim_faults_write_calls(const struct sim *sim, FILE *out)
{
	for (const struct call_count *c = sim->counts; c; c = c->next)
		fprintf(out, "calls kind=%s count=%llu\n", c->name,
			(unsigned long long)c->calls);
	sim_outside_write_calls(sim, out);
}

static bool
strikes_at(const struct fault *fault, uint64_t n)
{
	return n == fault->nth || (fault->from_there && n > fault->nth);
}

/* ---- what is not simulated */

/*
 * Return the first call that may fail by a fault of this one's kind, itself
 * too.
 */
static uint64_t
next_outside(const struct sim *sim, const struct fault *like)
{
	uint64_t first = like->has_struck ? SIM_NEVER : like->base + like->nth;

	for (const struct fault *f = sim->faults; f; f = f->next)
		if (f->outside == like->outside && !f->has_struck &&
		    f->base + f->nth < first)
			first = f->base + f->nth;
	return first;
}

int
sim_fault_outside(struct sim *sim, unsigned kind, uint64_t n)
{
	const struct fault *last = NULL;
	int error = 0;

	for (struct fault *f = sim->faults; f; f = f->next) {
		if (f->outside != (int)kind)
			continue;
		last = f;
		if (n <= f->base || !strikes_at(f, n - f->base))
			continue;
		error = -f->error;
		/* calls of other threads may come later: none is passed over */
		f->has_struck = !f->from_there;
	}
	if (last)
		sim_outside_ask_from(sim, kind, next_outside(sim, last));
	if (error)
		sim_log(sim, "fault: %s: %s", sim_outside_name(kind),
			strerror(-error));
	return error;
}

/* ---- reading specifications */

static int
parse_errno(const char *word)
{
	static const struct {
		const char *name;
		int value;
	} names[] = {
		{ "EPERM", EPERM },	    { "ENOENT", ENOENT },
		{ "EINTR", EINTR },	    { "EIO", EIO },
		{ "EAGAIN", EAGAIN },	    { "ENOMEM", ENOMEM },
		{ "EACCES", EACCES },	    { "EFAULT", EFAULT },
		{ "EBUSY", EBUSY },	    { "ENODEV", ENODEV },
		{ "EINVAL", EINVAL },	    { "EMFILE", EMFILE },
		{ "ENOSPC", ENOSPC },	    { "ETIME", ETIME },
		{ "ECANCELED", ECANCELED }, { "EOPNOTSUPP", EOPNOTSUPP },
		{ "ENOSYS", ENOSYS },	    { "E2BIG", E2BIG },
		{ "EHWPOISON", EHWPOISON }, { "ETIMEDOUT", ETIMEDOUT },
		{ "ENXIO", ENXIO },	    { "EADDRINUSE", EADDRINUSE },
		{ "EDEADLK", EDEADLK },	    { "ENOTTY", ENOTTY },
		{ "ENFILE", ENFILE },	    { "EOVERFLOW", EOVERFLOW },
		{ "ENOLCK", ENOLCK },
	};
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(word, names[i].name) == 0)
			return names[i].value;
	if (strcmp(word, "KILL") == 0)
		return SIM_FAULT_KILL;
	if (sim_word_u64(word, &value) || value == 0 || value > 4095)
		return -EINVAL;
	return (int)value;
}

static void
parse_action(struct fault *fault)
{
	static const struct {
		const char *name;
		enum sim_fault_action action;
		enum sim_foreign foreign;
	} actions[] = {
		{ "hang", SIM_FAULT_HANG, 0 },
		{ "reset", SIM_FAULT_RESET, 0 },
		{ "engine-reset", SIM_FAULT_ENGINE_RESET, 0 },
		{ "gone", SIM_FAULT_GONE, 0 },
		{ "foreign-selects", SIM_FAULT_FOREIGN, SIM_FOREIGN_SELECTS },
		{ "foreign-masks", SIM_FAULT_FOREIGN, SIM_FOREIGN_MASKS },
		{ "foreign-reset", SIM_FAULT_FOREIGN, SIM_FOREIGN_RESET },
		{ "foreign-stop", SIM_FAULT_FOREIGN, SIM_FOREIGN_STOP },
		{ "kernel-steering", SIM_FAULT_FOREIGN, SIM_KERNEL_STEERING },
	};

	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		if (strcmp(fault->name, actions[i].name) != 0)
			continue;
		fault->action = actions[i].action;
		fault->foreign = actions[i].foreign;
	}
}

static int
parse_nth(char *word, struct fault *fault)
{
	size_t length = strlen(word);

	if (length && word[length - 1] == '+') {
		word[length - 1] = '\0';
		fault->from_there = true;
	}
	if (sim_word_u64(word, &fault->nth) || fault->nth == 0)
		return -EINVAL;
	return 0;
}

/* Parse NAME:N[+]:ERRNO[:gpu=I], ACTION:N[:gpu=I] or ACTION@TIME[:gpu=I]. */
static int
fault_parse(char *text, struct fault *fault)
{
	char *save = NULL, *at;
	char *name = strtok_r(text, ":", &save);
	char *word = strtok_r(NULL, ":", &save);
	uint64_t index;

	if (!name)
		return -EINVAL;
	at = strchr(name, '@');
	if (at)
		*at++ = '\0';
	if (strlen(name) >= sizeof(fault->name))
		return -EINVAL;
	strcpy(fault->name, name);
	parse_action(fault);
	if (at) {
		if (fault->action == SIM_FAULT_NONE ||
		    fault->action == SIM_FAULT_HANG ||
		    sim_word_time(at, &fault->at))
			return -EINVAL;
	} else {
		if (!word || parse_nth(word, fault))
			return -EINVAL;
		word = strtok_r(NULL, ":", &save);
		if (fault->action == SIM_FAULT_NONE) {
			fault->error = word ? parse_errno(word) : -EINVAL;
			word = strtok_r(NULL, ":", &save);
		}
	}
	if (fault->error < 0)
		return -EINVAL;
	if (word) {
		if (strncmp(word, "gpu=", 4) != 0 ||
		    sim_word_u64(word + 4, &index) || index >= SIM_GPUS_MAX)
			return -EINVAL;
		fault->gpu = (int)index;
		word = strtok_r(NULL, ":", &save);
	}
	return word ? -EINVAL : 0;
}

/*
 * Check a fault of a call that is not simulated: it is of no GPU, with an errno
 * that it can have. Processes count such calls from the first fault of their
 * kind on.
 */
static int
begin_outside(struct sim *sim, struct fault *fault)
{
	if (fault->outside < 0)
		return 0;
	if (fault->gpu >= 0 || fault->error == SIM_FAULT_KILL ||
	    !sim_outside_can_fail((unsigned)fault->outside, fault->error))
		return -EINVAL;
	fault->base = sim_outside_calls(sim, (unsigned)fault->outside);
	return sim_outside_ask_from(sim, (unsigned)fault->outside,
				    next_outside(sim, fault));
}

/* Gate the clock: "gated-clock[:gpu=I]" is a state, not an event. */
static int
gate_clock(struct sim *sim, const char *rest)
{
	char key[32] = "gated-clock";
	uint64_t index;

	if (*rest) {
		if (strncmp(rest, ":gpu=", 5) != 0 ||
		    sim_word_u64(rest + 5, &index))
			return -EINVAL;
		snprintf(key, sizeof(key), "gpu%u.gated-clock",
			 (unsigned)index);
	}
	return sim_set(sim, key, "on");
}

static bool
fault_concerns(const struct fault *fault, const struct sim_gpu *gpu)
{
	return fault->gpu < 0 || (gpu && (unsigned)fault->gpu == gpu->index);
}

/* Return whether there is a GPU whose counters another profiler can take. */
static bool
is_possible(const struct sim *sim, const struct fault *fault)
{
	for (unsigned i = 0; i < sim->gpu_count; i++)
		if (fault_concerns(fault, sim->gpus[i]) &&
		    sim->gpus[i]->driver->foreign)
			return true;
	return false;
}

int
sim_fault_add(struct sim *sim, const char *spec)
{
	static const char gated[] = "gated-clock";
	struct fault *fault;
	char *text;
	int error = -ENOMEM;

	if (strncmp(spec, gated, strlen(gated)) == 0)
		return gate_clock(sim, spec + strlen(gated));
	fault = calloc(1, sizeof(*fault));
	text = strdup(spec);
	if (fault && text) {
		fault->at = SIM_NEVER;
		fault->gpu = -1;
		error = fault_parse(text, fault);
	}
	if (!error && fault->action == SIM_FAULT_FOREIGN &&
	    !is_possible(sim, fault))
		error = -EINVAL;
	if (!error) {
		fault->outside = sim_outside_find(fault->name);
		error = begin_outside(sim, fault);
	}
	free(text);
	if (error) {
		free(fault);
		return error;
	}
	fault->next = sim->faults;
	sim->faults = fault;
	return 0;
}

void
sim_faults_mend(struct sim *sim)
{
	while (sim->faults) {
		struct fault *fault = sim->faults;
		if (fault->outside >= 0)
			sim_outside_ask_from(sim, (unsigned)fault->outside,
					     SIM_NEVER);
		sim->faults = fault->next;
		free(fault);
	}
}

void
sim_faults_free(struct sim *sim)
{
	sim_faults_mend(sim);
	while (sim->counts) {
		struct call_count *count = sim->counts;
		sim->counts = count->next;
		free(count);
	}
}

/* ---- happening */

/* Count one more of what the fault counts. Returns true if it strikes. */
static bool
fault_strikes_now(struct fault *fault)
{
	fault->seen++;
	return strikes_at(fault, fault->seen);
}

int
sim_fault_call(struct sim *sim, struct sim_gpu *gpu, const char *name)
{
	struct call_count *count = count_of(sim, name);
	int error = 0;

	if (count)
		count->calls++;
	for (struct fault *f = sim->faults; f; f = f->next) {
		if (f->action != SIM_FAULT_NONE || !fault_concerns(f, gpu) ||
		    strcmp(f->name, name) != 0)
			continue;
		if (fault_strikes_now(f))
			error = -f->error;
	}
	if (error)
		sim_log(sim, "fault: %s: %s", name,
			error == -SIM_FAULT_KILL ? "killed" : strerror(-error));
	return error;
}

static void
make_gone(struct sim_gpu *gpu)
{
	sim_gpu_set_gone(gpu, true);
	sim_log(gpu->sim, "gpu%u: gone", gpu->index);
	sim_wake(gpu->sim);
}

static void
fault_interfere(struct sim_gpu *gpu, const struct fault *fault)
{
	if (!gpu->driver->foreign)
		return;
	sim_log(gpu->sim, "gpu%u: %s", gpu->index, fault->name);
	gpu->driver->foreign(gpu, fault->foreign);
}

enum sim_fault_action
sim_fault_submission(struct sim_gpu *gpu)
{
	enum sim_fault_action action = SIM_FAULT_NONE;

	gpu->submissions++;
	for (struct fault *f = gpu->sim->faults; f; f = f->next) {
		if (f->action == SIM_FAULT_NONE || f->nth == 0 ||
		    !fault_concerns(f, gpu))
			continue;
		if (!fault_strikes_now(f))
			continue;
		if (f->action == SIM_FAULT_FOREIGN)
			fault_interfere(gpu, f);
		else
			action = f->action;
	}
	if (action == SIM_FAULT_GONE)
		make_gone(gpu);
	return action;
}

uint64_t
sim_faults_next(const struct sim *sim)
{
	uint64_t next = SIM_NEVER;

	for (const struct fault *f = sim->faults; f; f = f->next)
		if (f->at < next)
			next = f->at;
	return next;
}

void
sim_faults_advance(struct sim *sim, uint64_t now)
{
	for (struct fault *f = sim->faults; f; f = f->next) {
		if (f->at > now)
			continue;
		f->at = SIM_NEVER;
		for (unsigned i = 0; i < sim->gpu_count; i++) {
			struct sim_gpu *gpu = sim->gpus[i];
			if (!fault_concerns(f, gpu))
				continue;
			if (f->action == SIM_FAULT_GONE)
				make_gone(gpu);
			else if (f->action == SIM_FAULT_FOREIGN)
				fault_interfere(gpu, f);
			else
				sim_gpu_reset(gpu,
					      f->action ==
						      SIM_FAULT_ENGINE_RESET);
		}
		sim_wake(sim);
	}
}
