/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/protocol.h"
#include "base/word.h"
#include "machine/clock.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/log.h"
#include "machine/machine.h"
#include "machine/power.h"
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
	uint64_t nth;	 /* the n-th call or submission, or 0 */
	bool from_there; /* and all that follow */
	uint64_t at;	 /* a moment, or SIM_NEVER */
	int error;
	int gpu; /* index, or -1 for any */
	uint64_t seen;
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
}

/* ---- files that are not simulated */

bool
sim_fault_is_of_file(const char *kind)
{
	static const char *const kinds[] = { "file_open", "stat", "fstat",
					     "getdents" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(kind, kinds[i]) == 0)
			return true;
	return false;
}

/* Have processes ask about them, which others need not. */
static int
ask_for_files(const struct sim *sim)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", sim->directory, PROTOCOL_FAULTS);
	fd = open(path, O_RDONLY | O_CREAT | O_CLOEXEC, 0444);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* ---- reading specifications */

static int
parse_errno(const char *word)
{
	static const struct {
		const char *name;
		int value;
	} names[] = {
		{ "EPERM", EPERM },	  { "ENOENT", ENOENT },
		{ "EINTR", EINTR },	  { "EIO", EIO },
		{ "EAGAIN", EAGAIN },	  { "ENOMEM", ENOMEM },
		{ "EACCES", EACCES },	  { "EFAULT", EFAULT },
		{ "EBUSY", EBUSY },	  { "ENODEV", ENODEV },
		{ "EINVAL", EINVAL },	  { "EMFILE", EMFILE },
		{ "ENOSPC", ENOSPC },	  { "ETIME", ETIME },
		{ "ECANCELED", ECANCELED }, { "EOPNOTSUPP", EOPNOTSUPP },
		{ "ENOSYS", ENOSYS },	  { "E2BIG", E2BIG },
		{ "EHWPOISON", EHWPOISON }, { "ETIMEDOUT", ETIMEDOUT },
		{ "ENXIO", ENXIO },	  { "EADDRINUSE", EADDRINUSE },
		{ "EDEADLK", EDEADLK },	  { "ENOTTY", ENOTTY },
		{ "ENFILE", ENFILE },	  { "EOVERFLOW", EOVERFLOW },
	};
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(word, names[i].name) == 0)
			return names[i].value;
	if (sim_word_u64(word, &value) || value == 0 || value > 4095)
		return -EINVAL;
	return (int)value;
}

static enum sim_fault_action
parse_action(const char *name)
{
	if (strcmp(name, "hang") == 0)
		return SIM_FAULT_HANG;
	if (strcmp(name, "reset") == 0)
		return SIM_FAULT_RESET;
	if (strcmp(name, "gone") == 0)
		return SIM_FAULT_GONE;
	return SIM_FAULT_NONE;
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

/* NAME:N[+]:ERRNO[:gpu=I], ACTION:N[:gpu=I], ACTION@TIME[:gpu=I] */
static int
parse(char *text, struct fault *fault)
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
	fault->action = parse_action(name);
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

/* "gated-clock[:gpu=I]" is a state, not an event. */
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
		error = parse(text, fault);
	}
	if (!error && sim_fault_is_of_file(fault->name))
		error = ask_for_files(sim);
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
sim_faults_free(struct sim *sim)
{
	while (sim->faults) {
		struct fault *fault = sim->faults;
		sim->faults = fault->next;
		free(fault);
	}
	while (sim->counts) {
		struct call_count *count = sim->counts;
		sim->counts = count->next;
		free(count);
	}
}

/* ---- happening */

static bool
concerns(const struct fault *fault, const struct sim_gpu *gpu)
{
	return fault->gpu < 0 || (gpu && (unsigned)fault->gpu == gpu->index);
}

/* One more of what the fault counts; true if it strikes. */
static bool
strikes(struct fault *fault)
{
	fault->seen++;
	return fault->seen == fault->nth ||
	       (fault->from_there && fault->seen > fault->nth);
}

int
sim_fault_call(struct sim *sim, struct sim_gpu *gpu, const char *name)
{
	struct call_count *count = count_of(sim, name);
	int error = 0;

	if (count)
		count->calls++;
	for (struct fault *f = sim->faults; f; f = f->next) {
		if (f->action != SIM_FAULT_NONE || !concerns(f, gpu) ||
		    strcmp(f->name, name) != 0)
			continue;
		if (strikes(f))
			error = -f->error;
	}
	if (error)
		sim_log(sim, "fault: %s: %s", name, strerror(-error));
	return error;
}

static void
make_gone(struct sim_gpu *gpu)
{
	sim_gpu_set_gone(gpu, true);
	gpu->driver->reset(gpu);
	sim_log(gpu->sim, "gpu%u: gone", gpu->index);
	sim_wake(gpu->sim);
}

enum sim_fault_action
sim_fault_submission(struct sim_gpu *gpu)
{
	enum sim_fault_action action = SIM_FAULT_NONE;

	gpu->submissions++;
	for (struct fault *f = gpu->sim->faults; f; f = f->next) {
		if (f->action == SIM_FAULT_NONE || f->nth == 0 ||
		    !concerns(f, gpu))
			continue;
		if (strikes(f))
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
			if (!concerns(f, gpu))
				continue;
			if (f->action == SIM_FAULT_GONE)
				make_gone(gpu);
			else
				gpu->driver->reset(gpu);
		}
		sim_wake(sim);
	}
}
