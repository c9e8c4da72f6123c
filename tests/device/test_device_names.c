/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finding events of all devices by their names.
 */
#include "device/device.h"
#include "tests/support/check.h"
#include "tests/device/made_up.h"
#include "tests/support/suite.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct drmperf_error error;

static const struct {
	const char *name;
	const char *full;
} found[] = {
	{ "red::SQ.WAVES", "red::SQ.WAVES:device=0" },
	{ "red::SQ_WAVES", "red::SQ.WAVES:device=0" },
	{ "red::Both", "red::metric.Both:device=0" },
	{ "blue::SQ.WAVES", "blue::SQ.WAVES:device=1" },
	{ "red::SQ.WAVES:device=2", "red::SQ.WAVES:device=2" },
	{ "SQ.WAVES:device=2", "red::SQ.WAVES:device=2" },
	{ "red::SQ.WAVES:instance=1", "red::SQ.WAVES:device=0:instance=1" },
	{ "red::SQ.WAVES:device2:instance1",
	  "red::SQ.WAVES:device=2:instance=1" },
	{ "red::SQ.WAVES:instance1:device=2",
	  "red::SQ.WAVES:device=2:instance=1" },
	{ "red::SQ_WAVES[2]", "red::SQ.WAVES:device=0:instance=2" },
	{ "red::SQ_WAVES[2]:device=2", "red::SQ.WAVES:device=2:instance=2" },
	{ "red::SQ.WAVES:instance=0:device=2",
	  "red::SQ.WAVES:device=2:instance=0" },
	{ "red::SQ.WAVES:device=2:instance=0",
	  "red::SQ.WAVES:device=2:instance=0" },
	{ "red::metric.Both:instance=2",
	  "red::metric.Both:device=0:instance=2" },
};

TEST_CASE(all, made_up_set_up, made_up_clean_up, "device_names");

TEST_LOOP(all, names_are_found_and_written, ARRAY_SIZE(found))
{
	struct drmperf_selection selection, again;
	char text[100];
	int n;

	ck_assert_msg(!drmperf_event_find(made_up_drmperf, found[_i].name,
					  &selection, &error),
		      "%s: %s", found[_i].name, error.cause);
	n = drmperf_selection_name(&selection, text, sizeof(text));
	ck_assert_str_eq(text, found[_i].full);
	ck_assert_int_eq(n, (int)strlen(found[_i].full));
	ck_assert_int_eq(drmperf_selection_name(&selection, text, 5), n);
	ck_assert_uint_eq(strlen(text), 4);
	/* only that device has been opened */
	ck_assert_int_eq(made_up.described, 1);
	ck_assert(!drmperf_event_find(made_up_drmperf, found[_i].full, &again,
				      NULL));
	ck_assert_ptr_eq(selection.event, again.event);
	ck_assert_int_eq(selection.instance, again.instance);
}

static const struct {
	const char *name;
	const char *full;
} found_in_any_case[] = {
	{ "red::sq.waves", "red::SQ.WAVES:device=0" },
	{ "RED::Sq_Waves[1]", "red::SQ.WAVES:device=0:instance=1" },
	{ "red::both", "red::metric.Both:device=0" },
	{ "METRIC.BOTH:device=2", "red::metric.Both:device=2" },
};

TEST_LOOP(all, names_in_any_case, ARRAY_SIZE(found_in_any_case))
{
	struct drmperf_selection selection;
	char text[100];

	ck_assert_msg(!drmperf_event_find(made_up_drmperf,
					  found_in_any_case[_i].name,
					  &selection, &error),
		      "%s: %s", found_in_any_case[_i].name, error.cause);
	drmperf_selection_name(&selection, text, sizeof(text));
	ck_assert_str_eq(text, found_in_any_case[_i].full);
}

/* ROCm's spelling of events of a block and of metrics leads back to them. */
TEST(all, spellings_of_rocm_lead_to_events)
{
	static const char *const names[][2] = {
		{ "red::SQ.WAVES", "SQ_WAVES" },
		{ "red::metric.Both", "Both" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct drmperf_selection selection, again;
		char text[100] = "red::";

		ck_assert(!drmperf_event_find(made_up_drmperf, names[i][0],
					      &selection, &error));
		ck_assert_int_eq(drmperf_event_rocm_name(selection.event,
							 text + 5, 90),
				 (int)strlen(names[i][1]));
		ck_assert_str_eq(text + 5, names[i][1]);
		ck_assert(!drmperf_event_find(made_up_drmperf, text, &again,
					      &error));
		ck_assert_ptr_eq(selection.event, again.event);
		/* cut, and measured without room */
		ck_assert_int_eq(drmperf_event_rocm_name(selection.event, text,
							 3),
				 (int)strlen(names[i][1]));
		ck_assert_uint_eq(strlen(text), 2);
		ck_assert_int_eq(drmperf_event_rocm_name(selection.event, NULL,
							 0),
				 (int)strlen(names[i][1]));
	}
}

static const struct {
	const char *name;
	int err;
	const char *cause, *remedy;
} lost[] = {
	{ "", -EINVAL, "it has no GROUP.COUNTER", "DRIVER::GROUP.COUNTER" },
	{ "red::", -EINVAL, "it has no GROUP.COUNTER", "" },
	{ "::SQ.WAVES", -EINVAL, "there is no driver before", "" },
	{ "r d::SQ.WAVES", -EINVAL, "there is no driver before", "" },
	{ "red::SQ WAVES", -EINVAL, "a name is made of letters", "" },
	{ "red::SQ.WAVES,TA.BUSY", -EINVAL, "a name is made of letters", "" },
	{ "red::SQ.WAVES:", -EINVAL, "only :device=, :die=, :instance=", "" },
	{ "red::SQ.WAVES:dev=1", -EINVAL,
	  "only :device=, :die=, :instance=", "" },
	{ "red::SQ.WAVES:die=1:die=1", -EINVAL, "occurs twice", "" },
	{ "red::SQ.WAVES:die=x", -EINVAL, "is not a decimal number", "" },
	{ "red::SQ.WAVES:die=0", -ERANGE, "has no die 0", "leave :die= out" },
	{ "red::SQ.WAVES:device=", -EINVAL, "not a decimal number", "" },
	{ "red::SQ.WAVES:device", -EINVAL, "not a decimal number", "" },
	{ "red::SQ.WAVES:device==1", -EINVAL, "not a decimal number", "" },
	{ "red::SQ.WAVES:device0:device=0", -EINVAL, "occurs twice", "" },
	{ "red::SQ.WAVES:device=0x1", -EINVAL, "only :device=", "" },
	{ "red::SQ.WAVES:device=-1", -EINVAL, "not a decimal number", "" },
	{ "red::SQ.WAVES:device=+1", -EINVAL, "not a decimal number", "" },
	{ "red::SQ.WAVES:device= 1", -EINVAL, "not a decimal number", "" },
	{ "red::SQ.WAVES:device=1 ", -EINVAL, "only :device=", "" },
	{ "red::SQ.WAVES:device=4294967296", -EINVAL, "not a decimal", "" },
	{ "red::SQ.WAVES:device=0:device=0", -EINVAL, "occurs twice", "" },
	{ "red::SQ_WAVES[1]:instance=1", -EINVAL, "occurs twice", "" },
	{ "red::SQ_WAVES[", -EINVAL, "not a number in brackets", "" },
	{ "red::SQ_WAVES[1", -EINVAL, "not a number in brackets", "" },
	{ "red::SQ_WAVES[x]", -EINVAL, "not a number in brackets", "" },
	{ "red::SQ_WAVES[1]x", -EINVAL, "only :device=", "" },
	{ "SQ.WAVES", -EINVAL, "does not tell which driver",
	  "\"red::SQ.WAVES\" or \"blue::SQ.WAVES\"" },
	{ "sq.waves", -EINVAL, "does not tell which driver",
	  "\"red::SQ.WAVES\" or \"blue::SQ.WAVES\"" },
	{ "SQ.WAVS", -ENOENT, "Red One has no event \"SQ.WAVS\"",
	  "did you mean red::SQ.WAVES?" },
	{ "green::SQ.WAVES", -ENODEV, "no device is driven by green",
	  "device 0 is driven by red, device 1 is driven by blue" },
	{ "re::SQ.WAVES", -ENODEV, "no device is driven by re", "" },
	{ "red::SQ.WAVES:device=3", -ENODEV, "there is no device 3",
	  "device 2 is driven by red" },
	{ "red::SQ.WAVES:device=1", -ENODEV,
	  "device 1 is driven by blue, not red", "" },
	{ "red::SQ.WAVS", -ENOENT, "Red One has no event \"SQ.WAVS\"",
	  "did you mean red::SQ.WAVES?" },
	{ "red::SQ.WAVES:instance=3", -ERANGE,
	  "red::SQ.WAVES has no instance 3", "instances are 0 to 2" },
	{ "red::SQ_WAVES[999999999]", -ERANGE, "has no instance 999999999",
	  "" },
	{ "red::metric.Broken", -EBADMSG, "drv.xml:1: at character 10", "" },
};

TEST_LOOP(all, names_not_found, ARRAY_SIZE(lost))
{
	struct drmperf_selection selection = { NULL, 77 };

	memset(&error, 0, sizeof(error));
	ck_assert_int_eq(drmperf_event_find(made_up_drmperf, lost[_i].name,
					    &selection, &error),
			 lost[_i].err);
	ck_assert_int_eq(error.code, lost[_i].err);
	ck_assert_msg(strstr(error.cause, lost[_i].cause) &&
			      strstr(error.remedy, lost[_i].remedy),
		      "%s: %s; %s", lost[_i].name, error.cause, error.remedy);
	ck_assert_ptr_null(selection.event);
	ck_assert_int_eq(selection.instance, 77);
	ck_assert_int_eq(drmperf_event_find(made_up_drmperf, lost[_i].name,
					    &selection, NULL),
			 lost[_i].err);
}

/* What one device alone has, or may count, is clear without a driver. */
static const struct {
	const char *name;
	const char *only[2]; /* events that red and blue alone have */
	bool red_is_kept; /* from this process, by a sysctl */
	const char *full; /* NULL: ambiguous */
} bare[] = {
	{ "SQ.HIT", { "HIT", "MISS" }, false, "red::SQ.HIT:device=0" },
	{ "SQ.MISS", { "HIT", "MISS" }, false, "blue::SQ.MISS:device=1" },
	{ "SQ_MISS[2]", { "HIT", "MISS" }, false,
	  "blue::SQ.MISS:device=1:instance=2" },
	{ "sq.miss", { "HIT", "MISS" }, false, "blue::SQ.MISS:device=1" },
	/* the exact name of one goes before another spelling of the other's */
	{ "SQ.Hit", { "HIT", "Hit" }, false, "blue::SQ.Hit:device=1" },
	{ "SQ.HIT", { "HIT", "HIT" }, false, NULL },
	{ "SQ.HIT", { "HIT", "HIT" }, true, "blue::SQ.HIT:device=1" },
	{ "SQ.WAVES", { "HIT", "MISS" }, true, "blue::SQ.WAVES:device=1" },
	{ "SQ.HIT", { "HIT", "MISS" }, true, "red::SQ.HIT:device=0" },
	{ "SQ.HIT", { "HIT", "Hit" }, true, "blue::SQ.Hit:device=1" },
	{ "red::SQ.HIT", { "HIT", "HIT" }, true, "red::SQ.HIT:device=0" },
};

TEST_LOOP(all, names_without_driver, ARRAY_SIZE(bare))
{
	struct drmperf_selection selection;
	char path[400], sysctl[406], text[100];
	int err;

	made_up.only = bare[_i].only;
	if (bare[_i].red_is_kept) {
		ck_assert(child_drop_capabilities());
		made_up_write(path, "/sysctl", "1\n");
		/* as seen from /proc/sys */
		snprintf(sysctl, sizeof(sysctl), "../..%s", path);
		made_up.red_paranoid = sysctl;
	}
	err = drmperf_event_find(made_up_drmperf, bare[_i].name, &selection,
				 &error);
	if (!bare[_i].full) {
		ck_assert_int_eq(err, -EINVAL);
		return;
	}
	ck_assert_msg(!err, "%s: %s", bare[_i].name, error.cause);
	drmperf_selection_name(&selection, text, sizeof(text));
	ck_assert_str_eq(text, bare[_i].full);
	ck_assert_int_eq(drmperf_event_may_count(selection.event),
			 !bare[_i].red_is_kept || strncmp(text, "red", 3));
}

TEST(all, instance_of_what_has_none)
{
	struct drmperf_selection selection;

	made_up.bridge_adds = true;
	ck_assert_int_eq(drmperf_event_find(made_up_drmperf,
					    "red::pmu.rcs0-busy:instance=0",
					    &selection, &error),
			 -ERANGE);
	ck_assert_ptr_nonnull(strstr(error.remedy, "has no instances"));
}

TEST(all, a_name_that_is_too_long_is_refused)
{
	struct drmperf_selection selection;
	char name[5000] = "red::";

	memset(name + 5, 'A', sizeof(name) - 6);
	ck_assert_int_eq(
		drmperf_event_find(made_up_drmperf, name, &selection, &error),
		-EINVAL);
	name[1000] = '\0';
	ck_assert_int_eq(
		drmperf_event_find(made_up_drmperf, name, &selection, &error),
		-ENOENT);
}
