/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/note.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "machine/gpu.h"
#include "machine/log.h"
#include "machine/machine.h"

/* Number of violations of a kind whose text is kept. */
#define TEXTS_MAX 4

struct note {
	struct note *next;
	bool is_violation;
	unsigned gpu;
	pid_t pid;
	uint64_t count;
	char kind[32];
	char text[TEXTS_MAX][160];
};

static struct note *
note_of(struct sim_gpu *gpu, bool is_violation, pid_t pid, const char *kind)
{
	struct note **p = &gpu->sim->notes;

	for (; *p; p = &(*p)->next)
		if ((*p)->is_violation == is_violation &&
		    (*p)->gpu == gpu->index && (*p)->pid == pid &&
		    strcmp((*p)->kind, kind) == 0)
			return *p;
	*p = calloc(1, sizeof(**p));
	if (!*p)
		return NULL;
	(*p)->is_violation = is_violation;
	(*p)->gpu = gpu->index;
	(*p)->pid = pid;
	snprintf((*p)->kind, sizeof((*p)->kind), "%s", kind);
	return *p;
}

SIM_PRINTF(5, 0)
static void
note_add(struct sim_gpu *gpu, bool is_violation, pid_t pid, const char *kind,
	 const char *format, va_list list)
{
	struct note *note = note_of(gpu, is_violation, pid, kind);
	char text[sizeof(note->text[0])];

	vsnprintf(text, sizeof(text), format, list);
	for (char *p = text; *p; p++)
		if (*p == '"' || *p == '\n')
			*p = '\'';
	if (note && note->count < TEXTS_MAX)
		memcpy(note->text[note->count], text, sizeof(text));
	if (note)
		note->count++;
	sim_log(gpu->sim, "gpu%u: process %d: %s %s: %s", gpu->index, (int)pid,
		is_violation ? "violation" : "cleanup", kind, text);
}

void
sim_note_violation(struct sim_gpu *gpu, pid_t pid, const char *kind,
		   const char *format, ...)
{
	va_list list;

	va_start(list, format);
	note_add(gpu, true, pid, kind, format, list);
	va_end(list);
}

void
sim_note_cleanup(struct sim_gpu *gpu, pid_t pid, const char *kind,
		 const char *format, ...)
{
	va_list list;

	va_start(list, format);
	note_add(gpu, false, pid, kind, format, list);
	va_end(list);
}

unsigned
sim_notes_violations(const struct sim *sim)
{
	unsigned count = 0;

	for (const struct note *note = sim->notes; note; note = note->next)
		count += note->is_violation;
	return count;
}

void
sim_notes_clear(struct sim *sim)
{
	while (sim->notes) {
		struct note *note = sim->notes;
		sim->notes = note->next;
		free(note);
	}
}

static void
write_note(const struct note *note, FILE *out)
{
	for (uint64_t i = 0; i < note->count && i < TEXTS_MAX; i++)
		fprintf(out,
			"%s gpu=%u pid=%d kind=%s count=%llu text=\"%s\"\n",
			note->is_violation ? "violation" : "cleanup", note->gpu,
			(int)note->pid, note->kind,
			(unsigned long long)note->count, note->text[i]);
}

void
sim_notes_write(const struct sim *sim, FILE *out)
{
	for (const struct note *note = sim->notes; note; note = note->next)
		write_note(note, out);
}
