/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * EVENTS on the command line: names and shell patterns, separated by commas or
 * blanks.
 */
#ifndef DRMPERF_TOOL_SELECT_SELECTION_LIST_H
#define DRMPERF_TOOL_SELECT_SELECTION_LIST_H

#include "util/tool.h"

struct selection_list {
	struct drmperf_selection *selections;
	size_t count;
};

/* No name holds one of these. */
#define SELECTION_SEPARATORS ", \t\n"

/*
 * Append the events that a list names: of the tool's device, if it has one,
 * where a name has no device. A name that is no event of a GPU may be one of
 * CPUs without "perf::", as perf's users write it. Complains and returns
 * TOOL_FAILED if a part of it names nothing; 0 otherwise.
 */
int
choose_events(const struct tool *tool, const char *list,
	      struct selection_list *choice);

/* Choose events. An event without a device means each GPU that has it. */
int
choose_events_everywhere(const struct tool *tool, const char *list,
			 struct selection_list *choice);

/* Append one selection unless it is there already. 0, or -ENOMEM. */
int
selection_list_add(struct selection_list *choice,
		   const struct drmperf_selection *selection);

/* Return the index of a selection, or count if it is not there. */
size_t
selection_list_index(const struct selection_list *choice,
		     const struct drmperf_selection *selection);

/* Return whether a list has events of a device. */
bool
selection_list_has_device(const struct selection_list *choice,
			  const struct drmperf_device *device);

/*
 * Find a GPU by its number, its PCI address, with or without "0000:", or a
 * device node: "card0", "renderD128", "/dev/dri/card0". NULL if there is none.
 */
struct drmperf_device *
choose_device(const struct tool *tool, const char *text);

/*
 * Find the GPU of an option into a struct drmperf_device *, as a
 * command_reader. Returns 0, or TOOL_FAILED after a complaint.
 */
int
choose_option_device(struct tool *tool, const char *text, void *device);

/*
 * Add an argument of -d to the devices that are meant where a name has no
 * device: one as choose_device() finds it, several between commas, or "all".
 * A command_reader. Returns 0, or TOOL_FAILED after a complaint.
 */
int
choose_own_device(struct tool *tool, const char *text, void *unused);

/*
 * Select all GPUs that may be counted, where -d was not given and there are
 * several. Names that none of them may count are refused as those of one GPU.
 * What is meant of several GPUs is appended to the list, which the tool uses
 * from then on.
 */
void
choose_automatically(struct tool *tool, struct selection_list *several);

/* Append what was chosen from first on to that list, if it is of several. */
int
choose_note_several(const struct tool *tool,
		    const struct selection_list *choice, size_t first);

/*
 * Leave out GPUs whose clocks counting lowers, where choose_automatically()
 * chose them, unless that leaves less than two.
 */
void
choose_leave_clocks(struct tool *tool);

/* Return the tool for one GPU, which is chosen as without that. */
struct tool
choose_one(const struct tool *tool);

/* Mean one GPU again if all names turned out to. */
void
choose_settle(struct tool *tool);

/*
 * Choose the GPU of a program that is run, by DRMPERF_GPU in its environment,
 * and as choose_own_device() does.
 */
int
choose_device_of_program(struct tool *tool, const char *text, void *unused);

/* Check that -d, if it was given, means this GPU. */
bool
choose_means(const struct tool *tool, const struct drmperf_device *device);

/* Check that -d means several GPUs. */
bool
choose_means_several(const struct tool *tool);

/*
 * Refuse the first selection that is wrong: its name goes before the complaint;
 * cure is what to try, or NULL. Returns 0 or TOOL_FAILED.
 */
int
selection_list_refuse(const struct tool *tool,
		      const struct selection_list *choice,
		      bool (*is_wrong)(const struct drmperf_selection *),
		      const char *complaint, const char *cure);

void
selection_list_finish(struct selection_list *choice);

/*
 * The full name with the prefix "drm:::" or another one, in a buffer of the
 * caller's that is large enough for any name.
 */
#define NAME_SIZE 256
const char *
selection_name(const struct drmperf_selection *selection, const char *prefix,
	       char text[NAME_SIZE]);

/* Write the name of all instances of an event, without a prefix, to text. */
void
selection_event_name(const struct drmperf_event *event, char text[NAME_SIZE]);

bool
selection_is_of_cpus(const struct drmperf_selection *selection);

/*
 * Return whether it is the use of a GPU by this process, as the kernel tells it
 * by files: without a command to look at that is drmperf's own.
 */
bool
selection_is_of_own_files(const struct drmperf_selection *selection);

/* Return PAPI's prefix of the names; CPUs have a component of their own. */
const char *
selection_papi_prefix(const struct drmperf_selection *selection);

/*
 * Return the name for PAPI in a spelling that CubePL reads: letters, digits,
 * '_', ':' and '='. Where no such spelling means the event, the name as it is.
 */
const char *
selection_cube_name(const struct tool *tool,
		    const struct drmperf_selection *selection,
		    char text[NAME_SIZE]);

/* Leave out '=' for those that take the first '=' for the end of a name. */
void
selection_list_drop_equal_signs(char *name);

/*
 * Print a name as PAPI's high-level API wants it. That takes differences but of
 * what has "=instant" behind it, at the first '=' of the name; what has none
 * there is taken as the one before, which was_instant tells of, at first false.
 */
void
selection_list_print_high_level(FILE *out, char *name, bool adds_up,
				bool *was_instant);

#endif /* DRMPERF_TOOL_SELECT_SELECTION_LIST_H */
