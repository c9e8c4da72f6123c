/* SPDX-License-Identifier: BSD-3-Clause */
/* Clients that top sees, of a kernel that counts when it is asked. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "drmperf/top/clients.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

TEST_CASE(xe, NULL, NULL, "tool_clients_xe");

static double
share_of(const struct top_client *client, const char *engine)
{
	for (size_t i = 0; i < client->engine_count; i++) {
		if (!strcmp(client->engines[i].name, engine))
			return client->engines[i].share;
	}
	return 0;
}

/* The clock of an engine wraps after 223 s at 19.2 MHz. */
TEST(xe, an_engine_is_busy_all_the_time_of_a_long_period)
{
	const int file = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	struct top_clients *clients = top_clients_create();
	const struct top_client *client;
	double busy = 0;
	size_t count;

	ck_assert_int_ge(file, 0);
	scene_set("client-busy", "rcs 100");
	ck_assert_int_eq(top_clients_scan(clients), 0);
	for (unsigned i = 0; i < 6; i++) {
		scene_pass(100000 * MS);
		top_clients_keep(clients);
	}
	ck_assert_int_eq(top_clients_scan(clients), 0);
	client = top_clients_list(clients, &count);
	for (; count; count--, client++) {
		if (client->pid == getpid())
			busy = share_of(client, "rcs");
	}
	ck_assert_double_eq_tol(busy, 1, 0.01);
	top_clients_destroy(clients);
	close(file);
}

TEST_GPUS("tool_clients_xe", "bmg");
