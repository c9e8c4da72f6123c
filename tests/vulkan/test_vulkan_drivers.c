/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which drivers are given VK_AMD_gpa_interface: the layer from inside, in front
 * of made-up drivers, with a simulated GPU that DRMPERF_GPU lends them.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "drmsim/control.h"
#include "gpa_gpu.h"
#include "gpa_instance.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Numbers of drivers in the Vulkan registry. */
enum { RADV = 3, LAVAPIPE = 13, DZN = 23 };

static const struct made_up {
	int id;
	uint32_t version;
	bool has_extension; /* by which older ones tell their number */
	bool is_served;
} drivers[] = {
	{ RADV, VK_API_VERSION_1_3, true, true },
	{ LAVAPIPE, VK_API_VERSION_1_2, false, true },
	{ DZN, VK_API_VERSION_1_2, true, false },
	{ DZN, VK_API_VERSION_1_2, false, false },
	{ DZN, VK_API_VERSION_1_1, true, false },
	/* not to be known */
	{ DZN, VK_API_VERSION_1_1, false, true },
};

static const struct made_up *driver;

static VKAPI_ATTR VkResult VKAPI_CALL
list_extensions(VkPhysicalDevice physical, const char *layer, uint32_t *count,
		VkExtensionProperties *out)
{
	(void)physical;
	(void)layer;
	if (out && driver->has_extension)
		out[0] = (VkExtensionProperties){
			VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME, 1
		};
	*count = driver->has_extension;
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
get_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties *out)
{
	(void)physical;
	memset(out, 0, sizeof(*out));
	out->apiVersion = driver->version;
}

/* Refuse, since a driver is not asked for what it does not know. */
static VKAPI_ATTR void VKAPI_CALL
get_properties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *out)
{
	VkPhysicalDeviceDriverProperties *identity = out->pNext;

	(void)physical;
	ck_assert(driver->has_extension ||
		  driver->version >= VK_API_VERSION_1_2);
	ck_assert_int_eq(
		identity->sType,
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
	ck_assert_ptr_null(identity->pNext);
	identity->driverID = (VkDriverId)driver->id;
}

START_TEST(drivers_that_do_not_wait_for_the_host_are_refused)
{
	struct gpa_instance instance = {
		.next = {
			.EnumerateDeviceExtensionProperties = list_extensions,
			.GetPhysicalDeviceProperties = get_properties,
			.GetPhysicalDeviceProperties2 = get_properties2,
		},
		.has_properties2 = true,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	const struct gpa_gpu *gpu;

	driver = &drivers[_i];
	setenv("DRMPERF_GPU", "0", 1);
	gpa_map_init(&instance.gpus);
	gpu = gpa_gpu_of(&instance, VK_NULL_HANDLE);
	ck_assert_int_eq(gpu != NULL, driver->is_served);
	ck_assert_ptr_nonnull(instance.drmperf);
	gpa_map_finish(&instance.gpus, free);
	drmperf_destroy(instance.drmperf);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Suites                                                               */

static Suite *
suite(void)
{
	Suite *suite = suite_create("vulkan_drivers");
	TCase *tcase = tcase_create("drivers");

	tcase_set_timeout(tcase, 0); /* any machine: check.sh has its own */
	suite_add_tcase(suite, tcase);
	tcase_add_loop_test(tcase,
			    drivers_that_do_not_wait_for_the_host_are_refused,
			    0, ARRAY_SIZE(drivers));
	return suite;
}

static const struct machine machines[] = {
	{ (const char *const[]){ "--time", "virtual", "--strict", "--gpu",
				 "vega10", NULL },
	  "vulkan_drivers" },
};

int
main(void)
{
	if (!drmsim_is_present())
		return below_drmsim(machines, ARRAY_SIZE(machines));
	return suite_run(suite());
}
