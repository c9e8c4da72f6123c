/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small HTTP server over libmicrohttpd, which is loaded when it is asked for:
 * it brings a dozen libraries, and most commands need none of them.
 */
#ifndef DRMPERF_TOOL_SERVE_HTTP_H
#define DRMPERF_TOOL_SERVE_HTTP_H

#include <stddef.h>

#include "util/tool.h"

/* The answer to a request for a page. */
struct http_page {
	const char *path; /* "/metrics" */
	/*
	 * Write the text to *text and return its type, for a client that sends
	 * this header Accept, or NULL. *text is released with free(). Returns
	 * NULL if memory is short.
	 */
	const char *(*write)(void *data, const char *accept, char **text,
			     size_t *size);
	void *data;
};

struct http;

/*
 * Listen at "ADDRESS:PORT", ":PORT" or "ADDRESS"; port 0 is any that is free.
 * The page lives as long as the server. 0, or the exit status after a
 * complaint. *out is released with http_close().
 */
int
http_open(const struct tool *tool, const char *address,
	  const char *default_port, const struct http_page *page,
	  struct http **out);
void
http_close(struct http *http);

/* Return "http://127.0.0.1:19600", which lives as long as the server. */
const char *
http_url(const struct http *http);

/*
 * Answer requests for timeout_ms, less than 1000, or until a descriptor is
 * readable. Returns 0, or a negative errno.
 */
int
http_serve(struct http *http, int until, unsigned timeout_ms);

#endif /* DRMPERF_TOOL_SERVE_HTTP_H */
