/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/below_drmsim.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const valgrind[] = { "valgrind",
					"-q",
					"--error-exitcode=99",
					"--leak-check=full",
					"--errors-for-leak-kinds=definite",
					"--suppressions=tests/valgrind.supp",
					NULL };

struct arguments {
	const char *words[32];
	unsigned count;
};

static void
append_words(struct arguments *arguments, const char *const *words)
{
	while (*words)
		arguments->words[arguments->count++] = *words++;
}

static _Noreturn void
execute_machine(const struct machine *machine)
{
	const char *build = getenv("BUILD_DIR");
	char drmsim[PATH_MAX], self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	struct arguments arguments = { .count = 0 };

	snprintf(drmsim, sizeof(drmsim), "%s/bin/drmsim",
		 build ? build : "build");
	self[length < 0 ? 0 : length] = '\0';
	append_words(&arguments, (const char *const[]){ drmsim, NULL });
	append_words(&arguments, machine->options);
	append_words(&arguments, (const char *const[]){ "--", NULL });
	if (getenv("VALGRIND"))
		append_words(&arguments, valgrind);
	append_words(&arguments, (const char *const[]){ self, NULL });
	setenv("CK_RUN_SUITE", machine->suite, 1);
	execv(drmsim, (char *const *)arguments.words);
	fprintf(stderr, "%s: %s\n", drmsim, strerror(errno));
	_exit(127);
}

/* Return whether it succeeds; its output is put there. */
static bool
run_machine(const struct machine *machine, FILE *output)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		dup2(fileno(output), STDOUT_FILENO);
		execute_machine(machine);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

static void
show_output(FILE *output)
{
	char line[4096];

	rewind(output);
	while (fgets(line, sizeof(line), output))
		fputs(line, stdout);
}

/* Return whether others want each processor that this process may use. */
static bool
is_busy(void)
{
	cpu_set_t usable;
	double load;

	return !sched_getaffinity(0, sizeof(usable), &usable) &&
	       getloadavg(&load, 1) == 1 && load > 2 * CPU_COUNT(&usable);
}

static bool
print_failure(const struct machine *machine, bool good)
{
	if (!good)
		printf("not ok %s below drmsim\n", machine->suite);
	return good;
}

int
below_drmsim(const struct machine *machines, unsigned count)
{
	int result = EXIT_SUCCESS;

	for (unsigned i = 0; i < count; i++)
		if (!print_failure(&machines[i],
				   run_machine(&machines[i], stdout)))
			result = EXIT_FAILURE;
	return result;
}

static struct machines *added, **added_end = &added;

void
below_drmsim_add(struct machines *machines)
{
	*added_end = machines;
	added_end = &machines->next;
}

bool
below_drmsim_has_machines(void)
{
	return added;
}

/* Shows what the last try wrote. */
static bool
run_in_time(const struct machine *machine)
{
	FILE *output = tmpfile();
	bool good;

	if (!output)
		abort();
	good = run_machine(machine, output);
	for (unsigned tries = 1; !good && tries < 3 && is_busy(); tries++) {
		printf("# %s below drmsim failed on a busy machine: again\n",
		       machine->suite);
		rewind(output);
		if (ftruncate(fileno(output), 0))
			abort();
		good = run_machine(machine, output);
	}
	show_output(output);
	fclose(output);
	return print_failure(machine, good);
}

int
below_drmsim_in_time(const struct machine *machines, unsigned count)
{
	int result = EXIT_SUCCESS;

	for (unsigned i = 0; i < count; i++)
		if (!run_in_time(&machines[i]))
			result = EXIT_FAILURE;
	return result;
}

struct machine_options machine_options;

int
below_drmsim_all(void)
{
	const char *options[] = { "--gpu", NULL, "--time", "virtual", NULL };
	unsigned left = getenv("VALGRIND") ? machine_options.in_valgrind : 0;
	int result = EXIT_SUCCESS;

	for (const struct machines *i = added; i; i = i->next) {
		const struct machine machine = { i->are_gpus ? options
							     : i->words,
						 i->suite };
		const char *const *gpu = i->words;

		do {
			options[1] = *gpu++;
			if (machine_options.in_time
				    ? below_drmsim_in_time(&machine, 1)
				    : below_drmsim(&machine, 1))
				result = EXIT_FAILURE;
			if (--left == 0)
				return result;
		} while (i->are_gpus && *gpu);
	}
	return result;
}

/* Return the driver that drmsim's description of a GPU names. */
static bool
has_driver(const char *gpu, const char *driver)
{
	char path[128], line[256], its[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "utils/drmsim/gpus/%s.gpu", gpu);
	file = fopen(path, "r");
	while (file && !*its && fgets(line, sizeof(line), file))
		sscanf(line, "driver %31s", its);
	if (file)
		fclose(file);
	return !strcmp(its, driver);
}

unsigned
list_below_drmsim(const char *driver, char names[][32], unsigned most)
{
	const char *build = getenv("BUILD_DIR");
	char command[PATH_MAX + 32];
	unsigned count = 0;
	FILE *list;

	snprintf(command, sizeof(command), "%s/bin/drmsim --list",
		 build ? build : "build");
	list = popen(command, "r");
	while (list && count < most && fscanf(list, "%31s", names[count]) == 1)
		count += has_driver(names[count], driver);
	if (list)
		pclose(list);
	return count;
}
