/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/process_tree.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum kinship {
	UNKNOWN, /* an ancestor has ended since: decided by the next look */
	STRANGER, /* never to be one of them: parents change up the tree only */
	MEMBER,
};

struct process {
	pid_t pid, parent;
	char state; /* 'Z': it has ended */
	unsigned long long started; /* in ticks since boot */
	enum kinship kinship;
};

/* Processes of /proc, sorted by number. */
struct processes {
	struct process *list;
	size_t count, capacity;
};

struct process_tree {
	pid_t root, self;
	bool adopts;
	unsigned long long started; /* when root was */
	struct processes before, now;
};

/* ------------------------------------------------------------------ */
/* Processes                                                            */

static struct process *
processes_find(const struct processes *processes, pid_t pid)
{
	size_t low = 0, high = processes->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct process *process = &processes->list[middle];

		if (process->pid == pid)
			return process;
		if (process->pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static bool
processes_add(struct processes *processes, const struct process *process)
{
	size_t more = processes->capacity * 2 + 64;
	struct process *grown;

	if (processes->count == processes->capacity) {
		grown = reallocarray(processes->list, more, sizeof(*grown));
		if (!grown)
			return false;
		processes->list = grown;
		processes->capacity = more;
	}
	processes->list[processes->count++] = *process;
	return true;
}

/* Return false if it is gone. */
static bool
read_process(struct process *process)
{
	char path[64], text[1024];
	const char *behind_name;
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)process->pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	length = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[length] = '\0';
	behind_name = strrchr(text, ')');
	return behind_name &&
	       sscanf(behind_name,
		      ") %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
		      "%*s %*s %*s %*s %*s %llu",
		      &process->state, &process->parent,
		      &process->started) == 3;
}

static int
process_tree_take(struct process_tree *tree, pid_t pid)
{
	const struct process *before = processes_find(&tree->before, pid);
	struct process process = { .pid = pid };

	/* most are strangers: to read them each time would take long */
	if (before && before->kinship == STRANGER)
		process.kinship = STRANGER;
	else if (tree->root && !read_process(&process))
		return 0;
	return processes_add(&tree->now, &process) ? 0 : -ENOMEM;
}

/* ------------------------------------------------------------------ */
/* Membership                                                           */

static bool
is_orphan(const struct process_tree *tree, const struct process *process)
{
	return tree->adopts && process->parent == tree->self &&
	       process->started >= tree->started;
}

static enum kinship
kinship_of(const struct process_tree *tree, const struct process *process)
{
	for (size_t i = 0; process && i < tree->now.count; i++) {
		if (process->kinship != UNKNOWN)
			return process->kinship;
		if (process->pid == tree->root || is_orphan(tree, process))
			return MEMBER;
		if (process->pid == tree->self || !process->parent)
			return STRANGER;
		process = processes_find(&tree->now, process->parent);
	}
	return UNKNOWN;
}

static void
process_tree_judge(struct process_tree *tree, struct process *process)
{
	if (process->pid == tree->self)
		process->kinship = STRANGER;
	else if (!tree->root)
		process->kinship = MEMBER;
	else
		process->kinship = kinship_of(tree, process);
	if (process->kinship == MEMBER && process->state == 'Z' &&
	    process->pid != tree->root && is_orphan(tree, process))
		waitpid(process->pid, NULL, WNOHANG);
}

/* ------------------------------------------------------------------ */

int
process_tree_scan(struct process_tree *tree)
{
	const struct processes before = tree->before;
	const struct dirent *entry;
	DIR *folder = opendir("/proc");
	int ret = 0;

	if (!folder)
		return -errno;
	tree->before = tree->now;
	tree->now = before;
	tree->now.count = 0;
	while (!ret && (entry = readdir(folder))) {
		if (isdigit((unsigned char)entry->d_name[0]))
			ret = process_tree_take(tree,
						(pid_t)atol(entry->d_name));
	}
	closedir(folder);
	for (size_t i = 0; i < tree->now.count; i++)
		process_tree_judge(tree, &tree->now.list[i]);
	return ret;
}

pid_t
process_tree_next(const struct process_tree *tree, size_t *at)
{
	while (*at < tree->now.count) {
		const struct process *process = &tree->now.list[(*at)++];

		if (process->kinship == MEMBER)
			return process->pid;
	}
	return 0;
}

void
process_tree_destroy(struct process_tree *tree)
{
	if (!tree)
		return;
	free(tree->before.list);
	free(tree->now.list);
	free(tree);
}

struct process_tree *
process_tree_create(pid_t pid, bool adopts)
{
	struct process_tree *tree = calloc(1, sizeof(*tree));
	struct process root = { .pid = pid };

	if (!tree)
		return NULL;
	tree->root = pid;
	tree->self = getpid();
	tree->adopts = adopts && read_process(&root);
	tree->started = root.started;
	return tree;
}
