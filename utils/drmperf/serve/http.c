/* SPDX-License-Identifier: BSD-3-Clause */
#include "serve/http.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include "process/spawn.h"

/* ------------------------------------------------------------------ */
/* The library                                                          */

#define LIBRARY "libmicrohttpd.so.12"

#define FUNCTIONS(X)                                                           \
	X(start_daemon)                                                        \
	X(stop_daemon)                                                         \
	X(get_connection_info)                                                 \
	X(get_timeout)                                                         \
	X(get_fdset2)                                                          \
	X(run_from_select)                                                     \
	X(lookup_connection_value)                                             \
	X(create_response_from_buffer)                                         \
	X(add_response_header)                                                 \
	X(queue_response)                                                      \
	X(destroy_response)

struct http_library {
	void *handle;
#define MEMBER(name) __typeof__(MHD_##name) *name;
	FUNCTIONS(MEMBER)
#undef MEMBER
};

#define CLIENTS_MOST 64

/* Within this time something has to come, and all of the first head. */
#define CLIENT_TIMEOUT_S 5

/* For an answer, and from there to the end of the next head. */
#define REQUEST_TIMEOUT_S 10

#define NS_PER_S UINT64_C(1000000000)

struct http_client {
	int fd; /* of a socket; -1: this place is free */
	uint64_t since_ns; /* what it is at now began */
	unsigned limit_s; /* and ends */
	bool is_idle; /* it was answered, and may come again */
};

struct http {
	struct http_library mhd;
	const struct http_page *page;
	struct MHD_Daemon *daemon;
	struct http_client clients[CLIENTS_MOST];
	char host[NI_MAXHOST]; /* of --listen */
	bool is_loopback;
	char url[NI_MAXHOST + NI_MAXSERV + 16];
};

static bool
find_functions(struct http_library *mhd)
{
#define FIND(name)                                                             \
	mhd->name = (__typeof__(mhd->name))dlsym(mhd->handle, "MHD_" #name);   \
	if (!mhd->name)                                                        \
		return false;
	FUNCTIONS(FIND)
#undef FIND
	return true;
}

static int
library_load(const struct tool *tool, struct http_library *mhd)
{
	mhd->handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (mhd->handle && find_functions(mhd))
		return 0;
	tool_fail(tool, "cannot load the HTTP server: %s", dlerror());
	fputs("try: install libmicrohttpd (Debian: libmicrohttpd12), or "
	      "use --textfile\n",
	      stderr);
	return TOOL_FAILED;
}

/* ------------------------------------------------------------------ */
/* Clients                                                              */

static void
set_phase(struct http_client *client, unsigned limit_s, bool is_idle)
{
	client->since_ns = spawn_now_ns();
	client->limit_s = limit_s;
	client->is_idle = is_idle;
}

static struct http_client *
client_of(struct http *http, struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = http->mhd.get_connection_info(
		connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

static void
begin_client(struct http *http, struct MHD_Connection *connection,
	     struct http_client **out)
{
	const union MHD_ConnectionInfo *info = http->mhd.get_connection_info(
		connection, MHD_CONNECTION_INFO_CONNECTION_FD);

	for (size_t i = 0; info && i < CLIENTS_MOST; i++) {
		if (http->clients[i].fd >= 0)
			continue;
		http->clients[i].fd = info->connect_fd;
		set_phase(&http->clients[i], CLIENT_TIMEOUT_S, false);
		*out = &http->clients[i];
		return;
	}
}

static void
notify_connection(void *data, struct MHD_Connection *connection,
		  void **socket_context,
		  enum MHD_ConnectionNotificationCode what)
{
	struct http_client *client = *socket_context;

	if (what == MHD_CONNECTION_NOTIFY_CLOSED && client)
		client->fd = -1;
	else if (what == MHD_CONNECTION_NOTIFY_STARTED)
		begin_client(data, connection,
			     (struct http_client **)socket_context);
}

static void
notify_completed(void *data, struct MHD_Connection *connection, void **context,
		 enum MHD_RequestTerminationCode code)
{
	struct http_client *client = client_of(data, connection);

	(void)context;
	(void)code;
	if (client)
		set_phase(client, REQUEST_TIMEOUT_S, true);
}

static bool
is_full(const struct http *http)
{
	for (size_t i = 0; i < CLIENTS_MOST; i++) {
		if (http->clients[i].fd < 0)
			return false;
	}
	return true;
}

/*
 * End clients that are late. The library's own limit is one of silence: clients
 * that send a byte now and then would keep others out. Where there is no room,
 * nor may clients stay that want nothing at the moment.
 */
static void
end_late_clients(struct http *http)
{
	const uint64_t now = spawn_now_ns();
	const bool full = is_full(http);

	for (size_t i = 0; i < CLIENTS_MOST; i++) {
		const struct http_client *client = &http->clients[i];

		if (client->fd >= 0 &&
		    ((full && client->is_idle) ||
		     now - client->since_ns > client->limit_s * NS_PER_S))
			shutdown(client->fd, SHUT_RDWR);
	}
}

/* ------------------------------------------------------------------ */
/* Web pages                                                            */

static bool
is_loopback_name(const struct http *http, const char *host, size_t length)
{
	char name[NI_MAXHOST];
	struct in_addr four;
	struct in6_addr six;

	if (length >= sizeof(name))
		return false;
	memcpy(name, host, length);
	name[length] = '\0';
	return !strcasecmp(name, "localhost") ||
	       (*http->host && !strcasecmp(name, http->host)) ||
	       (inet_pton(AF_INET, name, &four) == 1 &&
		ntohl(four.s_addr) >> 24 == IN_LOOPBACKNET) ||
	       (inet_pton(AF_INET6, name, &six) == 1 &&
		IN6_IS_ADDR_LOOPBACK(&six));
}

/*
 * Return whether a request is for a web page of others. A name server of a web
 * page may say that its name is this machine: the page could then read what is
 * served, but its browser tells the name. Addresses that others reach have
 * names that are not known here.
 */
static bool
is_for_web_page(struct http *http, struct MHD_Connection *connection)
{
	const char *host = http->mhd.lookup_connection_value(
		connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
	size_t length;

	if (!http->is_loopback)
		return false;
	if (http->mhd.lookup_connection_value(connection, MHD_HEADER_KIND,
					      MHD_HTTP_HEADER_ORIGIN))
		return true;
	if (!host)
		return false;
	if (*host == '[') {
		length = strcspn(++host, "]");
		if (!host[length])
			return true;
	} else {
		length = strcspn(host, ":");
	}
	return !is_loopback_name(http, host, length);
}

/* ------------------------------------------------------------------ */
/* Answers                                                              */

static enum MHD_Result
http_answer(struct http *http, struct MHD_Connection *connection,
	    unsigned status, const char *type, char *text, size_t size)
{
	struct MHD_Response *response = http->mhd.create_response_from_buffer(
		size, text, MHD_RESPMEM_MUST_FREE);
	enum MHD_Result ret;

	if (!response) {
		free(text);
		return MHD_NO;
	}
	http->mhd.add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
				      type);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		http->mhd.add_response_header(
			response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	ret = http->mhd.queue_response(connection, status, response);
	http->mhd.destroy_response(response);
	return ret;
}

static enum MHD_Result
answer_line(struct http *http, struct MHD_Connection *connection,
	    unsigned status, const char *type, const char *line)
{
	char *text = strdup(line);

	if (!text)
		return MHD_NO;
	return http_answer(http, connection, status, type, text, strlen(text));
}

static enum MHD_Result
answer_index(struct http *http, struct MHD_Connection *connection)
{
	char text[200];

	snprintf(text, sizeof(text),
		 "<!DOCTYPE html>\n<title>drmperf</title>\n"
		 "<p>GPU hardware counters: <a href=\"%s\">%s</a></p>\n",
		 http->page->path, http->page->path);
	return answer_line(http, connection, MHD_HTTP_OK,
			   "text/html; charset=utf-8", text);
}

static enum MHD_Result
answer_page(struct http *http, struct MHD_Connection *connection)
{
	const char *accept = http->mhd.lookup_connection_value(
		connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);
	const char *type;
	size_t size = 0;
	char *text = NULL;

	type = http->page->write(http->page->data, accept, &text, &size);
	if (!text)
		return answer_line(http, connection,
				   MHD_HTTP_INTERNAL_SERVER_ERROR,
				   "text/plain", "no memory\n");
	return http_answer(http, connection, MHD_HTTP_OK, type, text, size);
}

/*
 * Answer a request. Called for its head, for each part of its body, and when it
 * is whole: an earlier answer loses the connection.
 */
static enum MHD_Result
handle_request(void *data, struct MHD_Connection *connection, const char *path,
	       const char *method, const char *version, const char *upload,
	       size_t *upload_size, void **context)
{
	struct http *http = data;
	struct http_client *client = client_of(http, connection);

	(void)version;
	(void)upload;
	if (!*context && client)
		set_phase(client, REQUEST_TIMEOUT_S, false);
	if (!*context || *upload_size) {
		*context = http;
		*upload_size = 0;
		return MHD_YES;
	}
	if (is_for_web_page(http, connection))
		return answer_line(http, connection, MHD_HTTP_FORBIDDEN,
				   "text/plain",
				   "this is not for web pages; use the address "
				   "that drmperf serve listens at\n");
	if (strcmp(method, MHD_HTTP_METHOD_GET) &&
	    strcmp(method, MHD_HTTP_METHOD_HEAD))
		return answer_line(http, connection,
				   MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain",
				   "this can only be read: GET or HEAD\n");
	if (!strcmp(path, http->page->path))
		return answer_page(http, connection);
	if (!strcmp(path, "/"))
		return answer_index(http, connection);
	return answer_line(http, connection, MHD_HTTP_NOT_FOUND, "text/plain",
			   "there is no such page\n");
}

/* ------------------------------------------------------------------ */
/* Listening                                                            */

struct address {
	char host[NI_MAXHOST];
	char port[NI_MAXSERV];
};

static bool
copy_text(char *to, size_t size, const char *from, size_t length)
{
	if (length >= size)
		return false;
	memcpy(to, from, length);
	to[length] = '\0';
	return true;
}

/* Parse "[::1]:19600", "localhost:19600", ":19600" and "localhost". */
static bool
split_address(const char *text, const char *default_port, struct address *out)
{
	const char *host = text, *end, *port;

	if (*text == '[') {
		host = text + 1;
		end = strchr(host, ']');
		if (!end || (end[1] && end[1] != ':'))
			return false;
		port = end[1] ? end + 2 : default_port;
	} else {
		end = host + strcspn(host, ":");
		port = *end ? end + 1 : default_port;
	}
	return *port && strspn(port, "0123456789") == strlen(port) &&
	       strtoul(port, NULL, 10) <= 65535 &&
	       copy_text(out->host, sizeof(out->host), host,
			 (size_t)(end - host)) &&
	       copy_text(out->port, sizeof(out->port), port, strlen(port));
}

/* Return a socket that listens, or a negative errno. */
static int
listen_at(const struct addrinfo *info)
{
	int one = 1, ret;
	int fd = socket(info->ai_family,
			info->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
			info->ai_protocol);

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (!bind(fd, info->ai_addr, info->ai_addrlen) && !listen(fd, 16))
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

static int
complain_of_listening(const struct tool *tool, const char *text, int code)
{
	tool_fail(tool, "cannot listen at %s: %s", text, strerror(-code));
	if (code == -EADDRINUSE)
		fputs("try: stop the program that listens there, or choose "
		      "another port with --listen ADDRESS:PORT\n",
		      stderr);
	else if (code == -EACCES)
		fputs("try: choose a port above 1023\n", stderr);
	return TOOL_FAILED;
}

/* Open the first address of the host that there is here. */
static int
open_socket(const struct tool *tool, const char *text,
	    const struct address *address, int *out)
{
	const struct addrinfo hints = { .ai_family = AF_UNSPEC,
					.ai_socktype = SOCK_STREAM,
					.ai_flags = AI_PASSIVE |
						    AI_NUMERICSERV };
	struct addrinfo *list, *info;
	int ret, fd = -EADDRNOTAVAIL;

	ret = getaddrinfo(address->host[0] ? address->host : NULL,
			  address->port, &hints, &list);
	if (ret)
		return tool_fail(tool, "cannot listen at %s: %s", text,
				 gai_strerror(ret));
	for (info = list; info && fd < 0 && fd != -EADDRINUSE;
	     info = info->ai_next)
		fd = listen_at(info);
	freeaddrinfo(list);
	if (fd < 0)
		return complain_of_listening(tool, text, fd);
	*out = fd;
	return 0;
}

static bool
is_loopback(const struct sockaddr_storage *bound)
{
	const struct sockaddr_in *four = (const void *)bound;
	const struct sockaddr_in6 *six = (const void *)bound;

	if (bound->ss_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
	return bound->ss_family == AF_INET &&
	       ntohl(four->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

/* Print the address, with the port that it got. */
static void
put_url(struct http *http, int fd)
{
	struct sockaddr_storage bound = { .ss_family = AF_UNSPEC };
	char host[NI_MAXHOST] = "", port[NI_MAXSERV] = "";
	socklen_t size = sizeof(bound);
	bool is_six;

	if (getsockname(fd, (struct sockaddr *)&bound, &size) ||
	    getnameinfo((struct sockaddr *)&bound, size, host, sizeof(host),
			port, sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV))
		return;
	is_six = bound.ss_family == AF_INET6;
	http->is_loopback = is_loopback(&bound);
	snprintf(http->url, sizeof(http->url), "http://%s%s%s:%s",
		 is_six ? "[" : "", host, is_six ? "]" : "", port);
}

/* ------------------------------------------------------------------ */

/* Start the daemon, which closes the socket when it is stopped. */
static int
http_start_daemon(const struct tool *tool, struct http *http, int fd)
{
	http->daemon = http->mhd.start_daemon(
		MHD_NO_FLAG, 0, NULL, NULL, handle_request, http,
		MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
		(unsigned)CLIENTS_MOST, MHD_OPTION_CONNECTION_TIMEOUT,
		(unsigned)CLIENT_TIMEOUT_S, MHD_OPTION_NOTIFY_CONNECTION,
		notify_connection, http, MHD_OPTION_NOTIFY_COMPLETED,
		notify_completed, http, MHD_OPTION_END);
	if (http->daemon)
		return 0;
	close(fd);
	return tool_fail(tool, "the HTTP server does not start");
}

int
http_open(const struct tool *tool, const char *address,
	  const char *default_port, const struct http_page *page,
	  struct http **out)
{
	struct address parts;
	struct http *http;
	int fd = -1, status;

	/* which getaddrinfo() would take for the address 0.0.0.80 */
	if (*address && strspn(address, "0123456789") == strlen(address))
		return tool_usage_error(tool,
					"--listen takes ADDRESS:PORT; for a "
					"port alone write \":%s\", or "
					"\"localhost:%s\"",
					address, address);
	if (!split_address(address, default_port, &parts))
		return tool_usage_error(tool,
					"--listen takes ADDRESS:PORT, not "
					"\"%s\"",
					address);
	http = calloc(1, sizeof(*http));
	if (!http)
		return tool_fail(tool, "no memory");
	http->page = page;
	memcpy(http->host, parts.host, sizeof(http->host));
	for (size_t i = 0; i < CLIENTS_MOST; i++)
		http->clients[i].fd = -1;
	status = library_load(tool, &http->mhd);
	if (!status)
		status = open_socket(tool, address, &parts, &fd);
	if (!status) {
		put_url(http, fd);
		status = http_start_daemon(tool, http, fd);
	}
	if (status)
		http_close(http);
	else
		*out = http;
	return status;
}

/*
 * Close the server. GnuTLS, which comes along, does not bear to be unloaded and
 * loaded again.
 */
void
http_close(struct http *http)
{
	if (!http)
		return;
	if (http->daemon)
		http->mhd.stop_daemon(http->daemon);
	free(http);
}

const char *
http_url(const struct http *http)
{
	return http->url;
}

/* Wait for what the library waits for, and for the descriptor. */
static int
wait_for_requests(struct http *http, int until, unsigned timeout_ms,
		  fd_set sets[3])
{
	struct timeval time = { .tv_usec = (suseconds_t)timeout_ms * 1000 };
	MHD_UNSIGNED_LONG_LONG ms;
	int most = until;

	for (int i = 0; i < 3; i++)
		FD_ZERO(&sets[i]);
	if (until >= FD_SETSIZE ||
	    http->mhd.get_fdset2(http->daemon, &sets[0], &sets[1], &sets[2],
				 &most, FD_SETSIZE) != MHD_YES)
		return -EMFILE;
	FD_SET(until, &sets[0]);
	if (http->mhd.get_timeout(http->daemon, &ms) == MHD_YES &&
	    ms < timeout_ms)
		time = (struct timeval){ .tv_usec = (suseconds_t)ms * 1000 };
	if (select(most + 1, &sets[0], &sets[1], &sets[2], &time) >= 0)
		return 1;
	return errno == EINTR ? 0 : -errno;
}

int
http_serve(struct http *http, int until, unsigned timeout_ms)
{
	fd_set sets[3];
	int ret = wait_for_requests(http, until, timeout_ms, sets);

	if (ret <= 0)
		return ret;
	http->mhd.run_from_select(http->daemon, &sets[0], &sets[1], &sets[2]);
	end_late_clients(http);
	return 0;
}
