/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What GPUs are sold as: a driver's table of products.
 */
#include <errno.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/device/made_up.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

static struct drmperf_error error;
static char text[40];

#define TABLE(rows)                                                            \
	"<products>\n<list of='product' columns='name ids'>\n" rows            \
	"</list></products>\n"

/* The device is 687f; device 0 has revision c1, 2 has no file of it. */
static const struct {
	const char *table;
	int zero, two; /* what is returned for them */
	const char *name;
} cases[] = {
	{ TABLE("Vega 687f:\n"), 0, 0, "Vega" },
	{ TABLE("Old \"687f:c0 687f:c\":\nVega \"1234 687F:C1\":\n"), 0,
	  -ENOENT, "Vega" },
	{ TABLE("Other \"6860 687:f 87f 687f0\":\n"), -ENOENT, -ENOENT, "" },
	{ TABLE("First \"687f:c1\":\nSecond 687f:\n"), 0, 0, "First" },
	{ "<products/>", -ENOENT, -ENOENT, "" },
	{ "<events/>", -EBADMSG, -EBADMSG, "" },
	{ "<products><product ids='687f'/></products>", -EBADMSG, -EBADMSG,
	  "" },
	{ TABLE("A-name-of-as-many-as-forty-characters... 687f:\n"), -ENOSPC,
	  -ENOSPC, "" },
};

TEST_CASE(all, made_up_set_up, made_up_clean_up, "product");

TEST_LOOP(all, a_product_is_found_by_its_ids, ARRAY_SIZE(cases))
{
	test_file_write("0xc1\n", "%s/sys/bus/pci/devices/%s/revision",
			test_folder, drmperf_device_address(made_up_device(0)));
	made_up_use_table("products.xml", cases[_i].table);
	ck_assert_int_eq(drmperf_device_product(made_up_device(0), text,
						sizeof(text), &error),
			 cases[_i].zero);
	ck_assert_str_eq(text, cases[_i].name);
	ck_assert_int_eq(drmperf_device_product(made_up_device(2), text,
						sizeof(text), &error),
			 cases[_i].two);
	ck_assert_int_eq(*text == '\0', cases[_i].two != 0);
}

/* No driver is asked, nothing opened. */
TEST(all, without_a_table_there_is_no_product)
{
	ck_assert_int_eq(drmperf_device_product(made_up_device(1), text,
						sizeof(text), NULL),
			 -ENOENT);
	ck_assert_int_eq(made_up.described, 0);
	ck_assert_int_eq(
		drmperf_device_product(made_up_device(1), NULL, 0, NULL),
		-ENOENT);
}
