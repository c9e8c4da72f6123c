/* SPDX-License-Identifier: BSD-3-Clause */
#include "top/view.h"

static const char *const help[] = {
	"q, F10       quit",
	"?, h, F1     this page, and back",
	"p, space     pause, and go on",
	"s            sort processes by the next of these:",
	"B M P C G    by busy, memory, pid, command, GPU",
	"r            reverse the order",
	"i            show processes that use no engine, too, or not",
	"c            each GPU as a line, as all its rows, or as it fits",
	"0 to 9       the GPU with this number only",
	"left, right  the GPU before, the next one",
	"a            all GPUs",
	"up, down     scroll, as k and j do; by screens: page up, page down",
	"home, end    the first line, the last one",
};

#define HELP_COUNT (sizeof(help) / sizeof(help[0]))

const char *
top_view_help(size_t line)
{
	return line < HELP_COUNT ? help[line] : NULL;
}

const char *
top_sort_name(enum top_sort sort)
{
	static const char *const names[TOP_SORTS] = {
		[TOP_SORT_BUSY] = "busy", [TOP_SORT_MEMORY] = "memory",
		[TOP_SORT_PID] = "pid",	  [TOP_SORT_COMMAND] = "command",
		[TOP_SORT_GPU] = "GPU",
	};

	return names[sort];
}

void
top_view_clamp(struct top_view *view, size_t lines, size_t height)
{
	size_t last = lines > height ? lines - height : 0;

	if (view->scroll > last)
		view->scroll = last;
}

static bool
view_scroll(struct top_view *view, int key, size_t lines, size_t height)
{
	size_t up = 0, down = 0;

	switch (key) {
	case 'k':
	case TOP_KEY_UP:
		up = 1;
		break;
	case 'j':
	case TOP_KEY_DOWN:
		down = 1;
		break;
	case TOP_KEY_PAGE_UP:
		up = height;
		break;
	case TOP_KEY_PAGE_DOWN:
		down = height;
		break;
	case TOP_KEY_HOME:
		up = view->scroll;
		break;
	case TOP_KEY_END:
		down = lines;
		break;
	default:
		return false;
	}
	view->scroll = view->scroll > up ? view->scroll - up : 0;
	view->scroll += down;
	top_view_clamp(view, lines, height);
	return true;
}

static void
show_device(struct top_view *view, int device)
{
	view->device = device;
	view->scroll = 0;
}

/* Round all of them and, between the last and the first, all at once. */
static void
view_turn(struct top_view *view, int step)
{
	int places = (int)view->device_count + 1;

	show_device(view, (view->device + 1 + step + places) % places - 1);
}

static bool
choose_device_by_key(struct top_view *view, int key)
{
	if (key >= '0' && key <= '9' &&
	    (unsigned)(key - '0') < view->device_count)
		show_device(view, key - '0');
	else if (key == 'a')
		show_device(view, TOP_ALL_DEVICES);
	else if (key == TOP_KEY_LEFT)
		view_turn(view, -1);
	else if (key == TOP_KEY_RIGHT)
		view_turn(view, 1);
	else
		return false;
	return true;
}

/* Sort by what a key names, in its usual order. */
static bool
choose_sort_by_key(struct top_view *view, int key)
{
	static const struct {
		int key;
		enum top_sort sort;
	} sorts[] = {
		{ 'B', TOP_SORT_BUSY }, { 'M', TOP_SORT_MEMORY },
		{ 'P', TOP_SORT_PID },	{ 'C', TOP_SORT_COMMAND },
		{ 'G', TOP_SORT_GPU },
	};

	for (size_t i = 0; i < sizeof(sorts) / sizeof(*sorts); i++) {
		if (sorts[i].key != key)
			continue;
		view->sort = sorts[i].sort;
		view->reversed = false;
		return true;
	}
	return false;
}

bool
top_view_key(struct top_view *view, int key, size_t lines, size_t height)
{
	switch (key) {
	case 'q':
	case TOP_KEY_QUIT:
		view->quit = true;
		return true;
	case 'h':
	case '?':
	case TOP_KEY_HELP:
		view->help = !view->help;
		view->scroll = 0;
		return true;
	case 'p':
	case ' ':
		view->paused = !view->paused;
		return true;
	case 's':
		view->sort = (view->sort + 1) % TOP_SORTS;
		view->reversed = false;
		return true;
	case 'r':
		view->reversed = !view->reversed;
		return true;
	case 'c':
		view->detail = (view->detail + 1) % TOP_DETAILS;
		view->scroll = 0;
		return true;
	case 'i':
		view->idle = !view->idle;
		return true;
	default:
		return choose_sort_by_key(view, key) ||
		       choose_device_by_key(view, key) ||
		       view_scroll(view, key, lines, height);
	}
}
