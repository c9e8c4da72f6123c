/* SPDX-License-Identifier: BSD-3-Clause */
/* Replacement of http.c for builds without libmicrohttpd. */
#include "serve/http.h"

#include <errno.h>

int
http_open(const struct tool *tool, const char *address,
	  const char *default_port, const struct http_page *page,
	  struct http **out)
{
	(void)address;
	(void)default_port;
	(void)page;
	(void)out;
	tool_fail(tool, "HTTP is left out: this drmperf was built without "
			"libmicrohttpd");
	fputs("try: use --textfile, or install libmicrohttpd (Debian: "
	      "libmicrohttpd-dev) and build again\n",
	      stderr);
	return TOOL_FAILED;
}

void
http_close(struct http *http)
{
	(void)http;
}

const char *
http_url(const struct http *http)
{
	(void)http;
	return "";
}

int
http_serve(struct http *http, int until, unsigned timeout_ms)
{
	(void)http;
	(void)until;
	(void)timeout_ms;
	return -ENOTSUP;
}
