/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernel/process.h"

#include <limits.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "machine/machine.h"

void
sim_process_announce_end(struct sim *sim, pid_t pid)
{
	sim->ended[sim->ended_next++ % ARRAY_SIZE(sim->ended)] = pid;
}

void
sim_process_note_life(struct sim *sim, pid_t pid)
{
	for (size_t i = 0; i < ARRAY_SIZE(sim->ended); i++)
		if (sim->ended[i] == pid)
			sim->ended[i] = 0;
}

static bool
has_announced_end(const struct sim *sim, pid_t pid)
{
	for (size_t i = 0; i < ARRAY_SIZE(sim->ended); i++)
		if (sim->ended[i] == pid)
			return true;
	return false;
}

/*
 * Read whether it is exiting, and with which code, as waitpid() gives it. The
 * kernel may have looked at the code before a signal came and at the flags
 * after it: one of 0 is to be trusted only once the process waits to be reaped.
 */
static enum sim_fate
read_fate(FILE *info)
{
	enum {
		PF_EXITING = 4
	};
	char text[1024], *end_of_name, *code, state;
	size_t size = fread(text, 1, sizeof(text) - 1, info);
	unsigned long flags;

	text[size] = '\0';
	/* the name in parentheses may hold anything; the code comes last */
	end_of_name = strrchr(text, ')');
	code = strrchr(text, ' ');
	if (!end_of_name || !code ||
	    sscanf(end_of_name + 1, " %c %*d %*d %*d %*d %*d %lu", &state,
		   &flags) != 2)
		return SIM_FATE_KILLED; /* it went while being asked */
	if (!(flags & PF_EXITING))
		return SIM_FATE_LIVES;
	if (atoi(code + 1) & 0x7f)
		return SIM_FATE_KILLED;
	return state == 'Z' ? SIM_FATE_ENDED : SIM_FATE_ENDING;
}

/*
 * Return what has become of a process. One that is gone altogether without
 * having announced its end counts as killed, unless it has been seen to end.
 */
enum sim_fate
sim_process_fate(const struct sim *sim, pid_t pid, enum sim_fate before)
{
	enum sim_fate fate;
	char path[64];
	FILE *info;

	if (before == SIM_FATE_ENDED || before == SIM_FATE_KILLED)
		return before;
	if (has_announced_end(sim, pid))
		return SIM_FATE_ENDED;
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	info = fopen(path, "re");
	if (!info)
		return before == SIM_FATE_ENDING ? SIM_FATE_ENDED
						 : SIM_FATE_KILLED;
	fate = read_fate(info);
	fclose(info);
	/* another one has its number now */
	if (before == SIM_FATE_ENDING && fate == SIM_FATE_LIVES)
		return SIM_FATE_ENDED;
	return fate;
}

/* Capabilities that drivers ask for. */
static const unsigned asked[] = { CAP_SYS_ADMIN, CAP_PERFMON };

struct standing {
	unsigned user;
	uint64_t capabilities; /* of those */
};

static uint64_t
all_asked(void)
{
	uint64_t all = 0;

	for (size_t i = 0; i < ARRAY_SIZE(asked); i++)
		all |= 1ull << asked[i];
	return all;
}

static struct standing
standing_of(pid_t pid)
{
	struct standing standing = { .user = UINT_MAX };
	char path[64], line[256];
	unsigned long long effective;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return standing;
	while (fgets(line, sizeof(line), file)) {
		sscanf(line, "Uid: %*u %u", &standing.user);
		if (sscanf(line, "CapEff: %llx", &effective) == 1)
			standing.capabilities = effective & all_asked();
	}
	fclose(file);
	return standing;
}

/*
 * Return whether a process is privileged. The user of the simulator is root of
 * the simulated machine. A process that has given up what it had from there, a
 * user id or capabilities, is not.
 */
bool
sim_process_is_privileged(const struct sim *sim, pid_t pid)
{
	const struct standing root = standing_of(getpid());
	const struct standing caller = standing_of(pid);

	return !sim->unprivileged && caller.user == root.user &&
	       (caller.capabilities & root.capabilities) == root.capabilities;
}

void
sim_process_drop_privileges(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	/* what root's programs would get again */
	for (size_t i = 0; i < ARRAY_SIZE(asked); i++)
		prctl(PR_CAPBSET_DROP, asked[i], 0, 0, 0);
	if (syscall(SYS_capget, &header, data))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(asked); i++) {
		struct __user_cap_data_struct *word =
			&data[CAP_TO_INDEX(asked[i])];

		word->effective &= ~CAP_TO_MASK(asked[i]);
		word->permitted &= ~CAP_TO_MASK(asked[i]);
		word->inheritable &= ~CAP_TO_MASK(asked[i]);
	}
	syscall(SYS_capset, &header, data);
}
