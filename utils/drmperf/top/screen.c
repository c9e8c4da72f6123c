/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * top on a terminal. Whatever ends it, the terminal is as it was before: the
 * signals that end it are waited for together with keys and time.
 */
#include "top/state.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "process/spawn.h"

#define NS_PER_S 1000000000
#define NS_PER_MS 1000000
#define KEEP_NS (TOP_KEEP_MS * (uint64_t)NS_PER_MS)
#define ESCAPE_MS 25 /* how long keys may take to send all of their bytes */
/* The first line and the last one stay where they are. */
#define FIXED_LINES 2

struct screen {
	struct top *top;
	SCREEN *terminal;
	int signals; /* a file that they are read from */
	sigset_t before;
	uint64_t next_ns; /* when to look again */
	unsigned long frames;
	int status;
	bool over;
};

/* ------------------------------------------------------------------ */
/* Drawing                                                              */

static size_t
body_height(void)
{
	return LINES > FIXED_LINES ? (size_t)(LINES - FIXED_LINES) : 1;
}

static size_t
body_lines(const struct screen *screen)
{
	return screen->top->frame.count ? screen->top->frame.count - 1 : 0;
}

/* Put a line. Only wide lines have characters of more than one byte. */
static void
put_line(int y, const char *text, attr_t attributes)
{
	int length = (int)strlen(text);

	attr_set(attributes, 0, NULL);
	mvaddnstr(y, 0, text,
		  COLS < TOP_BAR_COLUMN && COLS < length ? COLS : -1);
	attr_set(A_NORMAL, 0, NULL);
}

static attr_t
attributes_of(enum top_style style)
{
	switch (style) {
	case TOP_TITLE:
		return A_BOLD;
	case TOP_HEAD:
		return A_UNDERLINE;
	case TOP_NOTE:
		return A_DIM;
	case TOP_PLAIN:
		break;
	}
	return A_NORMAL;
}

#define TITLE_PAIR 1
#define HISTORY_PAIR 5

/* The colours of bars, each from a share of what is possible on. */
static const struct {
	short pair, colour;
	double share;
} bar_colours[] = {
	{ 2, COLOR_GREEN, 0 },
	{ 3, COLOR_YELLOW, 0.6 },
	{ 4, COLOR_RED, 0.9 },
};

static void
prepare_colours(const struct tool *tool)
{
	if (!tool->colour || start_color() == ERR || !has_colors())
		return;
	use_default_colors();
	init_pair(TITLE_PAIR, COLOR_CYAN, -1);
	init_pair(HISTORY_PAIR, COLOR_BLUE, -1);
	for (size_t i = 0; i < sizeof(bar_colours) / sizeof(*bar_colours); i++)
		init_pair(bar_colours[i].pair, bar_colours[i].colour, -1);
}

static short
choose_bar_pair(const struct top_line *line)
{
	const double share = line->is_harmless ? 0
					       : (double)line->bar_full /
							 line->bar_width;
	short pair = 0;

	for (size_t i = 0; i < sizeof(bar_colours) / sizeof(*bar_colours);
	     i++) {
		if (share >= bar_colours[i].share)
			pair = bar_colours[i].pair;
	}
	return pair;
}

/* Colour what has been put on a line of the screen. */
static void
colour_line(const struct screen *screen, int y, const struct top_line *line)
{
	if (!screen->top->tool->colour || !has_colors())
		return;
	if (line->style == TOP_TITLE)
		mvchgat(y, 0, -1, A_BOLD, TITLE_PAIR, NULL);
	if (line->bar_full && (int)(line->bar + line->bar_full) <= COLS)
		mvchgat(y, (int)line->bar, (int)line->bar_full, A_NORMAL,
			choose_bar_pair(line), NULL);
	if (line->history && (int)line->history < COLS)
		mvchgat(y, (int)line->history, -1, A_NORMAL, HISTORY_PAIR,
			NULL);
}

static void
put_body(const struct screen *screen)
{
	const struct top *top = screen->top;

	for (size_t i = 0; i < body_height(); i++) {
		const struct top_line *line =
			top_frame_line(&top->frame, &top->view, i);

		if (!line)
			continue;
		put_line((int)i + 1, line->text, attributes_of(line->style));
		colour_line(screen, (int)i + 1, line);
	}
}

static void
put_bar(const struct screen *screen)
{
	const struct top_view *view = &screen->top->view;
	size_t lines = body_lines(screen), height = body_height();
	char text[160];

	if (LINES <= FIXED_LINES)
		return;
	snprintf(text, sizeof(text),
		 "q quit  ? help  p %s  s sort  c lines  a 0-9 GPU%s",
		 view->paused ? "go on" : "pause",
		 lines > height ? "  arrows scroll" : "");
	put_line(LINES - 1, text, A_REVERSE);
}

static int
screen_draw(struct screen *screen)
{
	struct top *top = screen->top;

	top->frame.width = (unsigned)COLS;
	top->frame.height = body_height();
	if (top_frame_draw(&top->frame, &top->model, &top->view))
		return tool_fail(top->tool, "no memory");
	top_view_clamp(&top->view, body_lines(screen), body_height());
	erase();
	put_body(screen);
	put_line(0, top->frame.lines[0].text, A_BOLD);
	colour_line(screen, 0, &top->frame.lines[0]);
	put_bar(screen);
	refresh();
	return 0;
}

/* ------------------------------------------------------------------ */
/* Keys and signals                                                     */

static const struct key {
	int curses, ours;
} keys[] = {
	{ KEY_UP, TOP_KEY_UP },		{ KEY_DOWN, TOP_KEY_DOWN },
	{ KEY_PPAGE, TOP_KEY_PAGE_UP }, { KEY_NPAGE, TOP_KEY_PAGE_DOWN },
	{ KEY_HOME, TOP_KEY_HOME },	{ KEY_END, TOP_KEY_END },
	{ KEY_LEFT, TOP_KEY_LEFT },	{ KEY_RIGHT, TOP_KEY_RIGHT },
	{ KEY_F(1), TOP_KEY_HELP },	{ KEY_F(10), TOP_KEY_QUIT },
};

static int
key_translate(int key)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (keys[i].curses == key)
			return keys[i].ours;
	}
	return key < KEY_MIN ? key : 0;
}

static void
take_keys(struct screen *screen)
{
	struct top_view *view = &screen->top->view;
	int key;

	while ((key = getch()) != ERR)
		top_view_key(view, key_translate(key), body_lines(screen),
			     body_height());
	screen->over |= view->quit;
}

static void
screen_resize(void)
{
	struct winsize size;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row &&
	    size.ws_col)
		resizeterm(size.ws_row, size.ws_col);
	/* what is left of the screen only the terminal knows */
	clearok(curscr, TRUE);
}

static void
take_signals(struct screen *screen)
{
	struct signalfd_siginfo info;

	while (read(screen->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGWINCH) {
			screen_resize();
			continue;
		}
		screen->status = 128 + (int)info.ssi_signo;
		screen->over = true;
	}
}

/* Wait until there is something to do. */
static void
wait_for_more(struct screen *screen)
{
	struct pollfd fds[] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = screen->signals, .events = POLLIN },
	};
	uint64_t now = spawn_now_ns();
	uint64_t left = screen->next_ns > now ? screen->next_ns - now : 0;
	const bool keeps = screen->top->view.paused || left > KEEP_NS;
	struct timespec timeout;

	if (keeps)
		left = KEEP_NS;
	timeout = (struct timespec){ .tv_sec = (time_t)(left / NS_PER_S),
				     .tv_nsec = (long)(left % NS_PER_S) };
	if (!ppoll(fds, 2, &timeout, NULL) && keeps)
		top_clients_keep(screen->top->model.clients);
	take_signals(screen);
	take_keys(screen);
	/* no key will come any more */
	if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		screen->over = true;
}

/* ------------------------------------------------------------------ */
/* Time                                                                 */

/* Sample; messages about the requested events are printed off the screen. */
static int
screen_sample(struct screen *screen)
{
	bool finds = false;
	int status = top_wake(screen->top, &finds);

	if (finds)
		endwin();
	return status ? status : top_sample(screen->top, finds);
}

static int
refresh_if_due(struct screen *screen)
{
	const struct top *top = screen->top;

	if (top->view.paused || spawn_now_ns() < screen->next_ns)
		return 0;
	/* from now on, as after a pause nothing is to be made up for */
	screen->next_ns = spawn_now_ns() + (uint64_t)top->period_ms * NS_PER_MS;
	if (top->frames && screen->frames++ > top->frames)
		screen->over = true;
	return screen->over ? 0 : screen_sample(screen);
}

static void
screen_run(struct screen *screen)
{
	while (!screen->over && !screen->status) {
		screen->status = refresh_if_due(screen);
		if (!screen->status && !screen->over)
			screen->status = screen_draw(screen);
		if (!screen->status && !screen->over)
			wait_for_more(screen);
	}
}

/* ------------------------------------------------------------------ */
/* The terminal                                                         */

static int
open_signals(struct screen *screen)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGWINCH);
	screen->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (screen->signals < 0)
		return tool_fail(screen->top->tool,
				 "cannot wait for signals: %s",
				 strerror(errno));
	sigprocmask(SIG_BLOCK, &set, &screen->before);
	return 0;
}

static void
close_signals(struct screen *screen)
{
	sigprocmask(SIG_SETMASK, &screen->before, NULL);
	close(screen->signals);
}

static int
explain_no_terminal(const struct tool *tool, const char *cause)
{
	struct drmperf_error error = { .remedy = "print frames: -b" };

	snprintf(error.cause, sizeof(error.cause), "%s", cause);
	return tool_complain(tool, &error);
}

static int
open_terminal(struct screen *screen)
{
	const struct tool *tool = screen->top->tool;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return explain_no_terminal(
			tool, "standard input and output are not both "
			      "a terminal");
	screen->terminal = newterm(NULL, stdout, stdin);
	if (!screen->terminal)
		return explain_no_terminal(tool,
					   "nothing is known of a terminal "
					   "of this kind (TERM)");
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	prepare_colours(tool);
	return 0;
}

static void
close_terminal(struct screen *screen)
{
	endwin();
	delscreen(screen->terminal);
}

int
top_screen_run(struct top *top)
{
	struct screen screen = { .top = top };
	int status = open_signals(&screen);

	if (status)
		return status;
	status = open_terminal(&screen);
	if (!status) {
		screen_run(&screen);
		close_terminal(&screen);
		status = screen.status;
	}
	close_signals(&screen);
	return status;
}
