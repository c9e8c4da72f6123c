/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/selection/selection_build.h"

#include <errno.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/driver/amdgpu/table.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* Selections on a Vega 10                                              */

#define FIRST_GROUP 3
#define GRBM_COUNT 0
#define CPF_ALWAYS_COUNT 0
#define SQ_WAVES 4
#define ACCUM_PREV 1
#define ALL DRMPERF_ALL_INSTANCES

TEST_CASE(selection, vega10_open, vega10_close, "amdgpu_selection");

static struct counter_request
request_of(const char *block, uint32_t id, int32_t instance)
{
	return (struct counter_request){
		.group = FIRST_GROUP +
			 (group_index)amdgpu_table_block(&vega10, block),
		.selector = id,
		.slots = SLOTS_ANY,
		.instance = instance,
	};
}

static struct counter_request
follower_of(const char *block, uint32_t id)
{
	struct counter_request made =
		request_of(block, id, DRMPERF_ALL_INSTANCES);

	made.follows = true;
	return made;
}

static int
select_more(const struct counter_request *requests, size_t count,
	    const struct selection *before, struct selection **out,
	    struct drmperf_error *error)
{
	return selection_create(&vega10.core, FIRST_GROUP, requests, count,
				before, out, error);
}

static struct selection *
select_all(const struct counter_request *requests, size_t count,
	   const struct selection *before)
{
	struct drmperf_error error = { 0 };
	struct selection *selection;

	ck_assert_msg(!select_more(requests, count, before, &selection, &error),
		      "%s", error.cause);
	return selection;
}

static struct value_cell *
cell_of(const struct selection *selection, size_t answer)
{
	return &selection->cells[selection->answers[answer].first_cell];
}

static const struct counter *
counter_of(const struct selection *selection, size_t answer)
{
	return &selection->counters[cell_of(selection, answer)->counter];
}

TEST(selection, cells_and_answers)
{
	const struct counter_request requests[] = {
		request_of("TCC", 17, 3),
		request_of("SQ", SQ_WAVES, DRMPERF_ALL_INSTANCES),
		request_of("TCC", 17, 1),
		request_of("TCC", 18, DRMPERF_ALL_INSTANCES),
		request_of("TCC", 18, 7),
		request_of("SQ", SQ_WAVES, 2),
	};
	struct selection *selection =
		select_all(requests, ARRAY_SIZE(requests), NULL);

	/* TCC 17 and 18, SQ, and the core clock's event */
	ck_assert_uint_eq(selection->counter_count, 4);
	ck_assert_uint_eq(selection->cell_count, 2 + 4 + 16 + 1);
	ck_assert_uint_eq(selection->answers[0].cell_count, 1);
	ck_assert_uint_eq(
		selection->cells[selection->answers[0].first_cell].instance, 3);
	ck_assert_uint_eq(
		selection->cells[selection->answers[2].first_cell].instance, 1);
	ck_assert_ptr_eq(counter_of(selection, 0), counter_of(selection, 2));
	ck_assert_uint_eq(selection->answers[1].cell_count, 4);
	ck_assert_uint_eq(selection->answers[3].cell_count, 16);
	ck_assert_uint_eq(selection->answers[4].first_cell,
			  selection->answers[3].first_cell + 7);
	ck_assert_uint_eq(selection->answers[5].first_cell,
			  selection->answers[1].first_cell + 2);
	ck_assert_uint_eq(selection->stages, 0xffff007f);
	selection_destroy(selection);
}

TEST(selection, pairs_share_what_they_follow)
{
	const struct counter_request requests[] = {
		request_of("SQ", 5, DRMPERF_ALL_INSTANCES),
		follower_of("SQ", ACCUM_PREV),
		request_of("SQ", 6, DRMPERF_ALL_INSTANCES),
		follower_of("SQ", ACCUM_PREV),
		request_of("SQ", 5, DRMPERF_ALL_INSTANCES),
		request_of("SQ", ACCUM_PREV, DRMPERF_ALL_INSTANCES),
	};
	struct selection *selection =
		select_all(requests, ARRAY_SIZE(requests), NULL);

	/*
	 * two pairs, one ACCUM_PREV that follows nothing, the core clock's
	 * event
	 */
	ck_assert_uint_eq(selection->counter_count, 6);
	ck_assert_uint_eq(cell_of(selection, 1)->slot,
			  cell_of(selection, 0)->slot + 1);
	ck_assert_uint_eq(cell_of(selection, 3)->slot,
			  cell_of(selection, 2)->slot + 1);
	ck_assert_ptr_eq(counter_of(selection, 4), counter_of(selection, 0));
	ck_assert_ptr_ne(counter_of(selection, 5), counter_of(selection, 1));
	ck_assert_ptr_ne(counter_of(selection, 5), counter_of(selection, 3));
	selection_destroy(selection);
}

/* Return whether no two cells of the selection have the same slot. */
static void
check_slots(const struct selection *selection)
{
	for (size_t i = 0; i < selection->cell_count; i++) {
		const struct value_cell *cell = &selection->cells[i];

		for (size_t k = 0; k < i; k++)
			ck_assert(selection_instance(selection, cell) !=
					  selection_instance(
						  selection,
						  &selection->cells[k]) ||
				  cell->slot != selection->cells[k].slot);
	}
}

/* What is read in one instance takes no slot of others. */
TEST(selection, instances_have_slots_of_their_own)
{
	const struct counter_request requests[] = {
		request_of("TCC", 20, 0),   request_of("TCC", 21, 1),
		request_of("TCC", 22, 2),   request_of("TCC", 23, 3),
		request_of("TCC", 24, 4),   request_of("TCC", 10, ALL),
		request_of("TCC", 11, ALL), request_of("TCC", 12, ALL),
		request_of("TCC", 25, 15),  request_of("TCC", 26, 4),
	};
	struct drmperf_error error = { 0 };
	struct selection *selection = select_all(requests, 9, NULL);

	check_slots(selection);
	/* what all have sits in the same slot of each */
	for (size_t i = 5; i < 8; i++) {
		const struct request_cells *answer = &selection->answers[i];
		const struct value_cell *cells =
			&selection->cells[answer->first_cell];

		ck_assert_uint_eq(answer->cell_count, 16);
		for (size_t k = 1; k < 16; k++)
			ck_assert_uint_eq(cells[k].slot, cells[0].slot);
	}
	selection_destroy(selection);
	ck_assert_int_eq(select_more(requests, 10, NULL, &selection, &error),
			 -ENOSPC);
	ck_assert_ptr_nonnull(strstr(error.cause, "5 counters of TCC"));
}

/* A sum of the slot before has that one beside it, and only there. */
TEST(selection, pairs_of_one_instance)
{
	struct counter_request requests[] = {
		request_of("SQ", 5, 2), follower_of("SQ", ACCUM_PREV),
		request_of("SQ", 5, 3), request_of("SQ", 7, ALL),
		request_of("SQ", 8, 2), follower_of("SQ", ACCUM_PREV),
	};
	struct selection *selection;

	requests[1].instance = 2;
	requests[5].instance = 2;
	selection = select_all(requests, 6, NULL);
	check_slots(selection);
	ck_assert_uint_eq(selection->cell_count, 2 + 1 + 4 + 2 + 1);
	ck_assert_uint_eq(cell_of(selection, 1)->slot,
			  cell_of(selection, 0)->slot + 1);
	ck_assert_uint_eq(cell_of(selection, 5)->slot,
			  cell_of(selection, 4)->slot + 1);
	selection_destroy(selection);
}

/* All counters that a block has, and one more. */
TEST_LOOP(selection, a_block_takes_as_many_as_it_has_slots, 11)
{
	static const char *const blocks[] = { "SQ",   "TCC",	"TA",  "TD",
					      "TCP",  "GRBM",	"SPI", "EA",
					      "SDMA", "GRBMSE", "RLC" };
	const char *name = blocks[_i];
	unsigned slots = core_block(&vega10.core, name)->max_active;
	struct counter_request requests[BLOCK_MAX_SLOTS + 1];
	struct drmperf_error error = { 0 };
	struct selection *selection;
	uint64_t used = 0;

	for (unsigned i = 0; i <= slots; i++)
		requests[i] = request_of(name, i + 1, DRMPERF_ALL_INSTANCES);
	selection = select_all(requests, slots, NULL);
	for (unsigned i = 0; i < slots; i++)
		used |= UINT64_C(1) << cell_of(selection, i)->slot;
	ck_assert_uint_eq(used, (UINT64_C(1) << slots) - 1);
	selection_destroy(selection);

	selection = NULL;
	ck_assert_int_eq(
		select_more(requests, slots + 1, NULL, &selection, &error),
		-ENOSPC);
	ck_assert_ptr_null(selection);
	ck_assert_msg(strstr(error.cause, name) != NULL, "%s", error.cause);
}

TEST(selection, the_first_core_clock_with_room_is_taken)
{
	const struct counter_request count[] = {
		request_of("CPF", CPF_ALWAYS_COUNT, DRMPERF_ALL_INSTANCES),
		request_of("CPF", 2, DRMPERF_ALL_INSTANCES),
	};
	const struct counter_request full[] = {
		request_of("CPF", 2, DRMPERF_ALL_INSTANCES),
		request_of("CPF", 3, DRMPERF_ALL_INSTANCES),
		request_of("CPC", 2, DRMPERF_ALL_INSTANCES),
		request_of("CPC", 3, DRMPERF_ALL_INSTANCES),
		request_of("CPG", 2, DRMPERF_ALL_INSTANCES),
		request_of("CPG", 3, DRMPERF_ALL_INSTANCES),
		request_of("GRBM", GRBM_COUNT, DRMPERF_ALL_INSTANCES),
	};
	struct selection *selection;

	/* selected anyway */
	selection = select_all(count, 2, NULL);
	ck_assert_str_eq(selection->core_clock->name, "CPF.ALWAYS_COUNT");
	ck_assert_uint_eq(selection->counter_count, 2);
	ck_assert_uint_eq(selection->core_clock_cell,
			  selection->answers[0].first_cell);
	selection_destroy(selection);
	/* a slot is free */
	selection = select_all(&full[0], 1, NULL);
	ck_assert_str_eq(selection->core_clock->name, "CPF.ALWAYS_COUNT");
	ck_assert_uint_eq(selection->counter_count, 2);
	selection_destroy(selection);
	/* no slot is free: the next one in the table */
	selection = select_all(full, 2, NULL);
	ck_assert_str_eq(selection->core_clock->name, "CPC.ALWAYS_COUNT");
	ck_assert_uint_eq(selection->counter_count, 3);
	selection_destroy(selection);
	/* GRBM's, which may go on where all others stand still, at last */
	selection = select_all(full, 7, NULL);
	ck_assert_str_eq(selection->core_clock->name, "GRBM.COUNT");
	ck_assert_uint_eq(selection->counter_count, 7);
	selection_destroy(selection);
}

TEST(selection, bad_requests_are_refused)
{
	const struct {
		struct counter_request requests[2];
		size_t count;
		int ret;
	} cases[] = {
		{ { { .group = FIRST_GROUP - 1, .slots = SLOTS_ANY } },
		  1,
		  -EINVAL },
		{ { { .group = FIRST_GROUP + 99, .slots = SLOTS_ANY } },
		  1,
		  -EINVAL },
		{ { request_of("TCC", 1, 16) }, 1, -EINVAL },
		{ { request_of("TCC", 1, -2) }, 1, -EINVAL },
		{ { follower_of("SQ", 1) }, 1, -EINVAL },
		{ { request_of("TCC", 1, 0), follower_of("SQ", 1) },
		  2,
		  -EINVAL },
		{ { { .group = request_of("SQ", 4, 0).group,
		      .setting = 0x40,
		      .slots = SLOTS_ANY },
		    { .group = request_of("SQ", 5, 0).group,
		      .setting = 0x7f,
		      .slots = SLOTS_ANY } },
		  2,
		  -ENOSPC },
		{ { { .group = request_of("IA", 4, 0).group, .slots = 0 } },
		  1,
		  -ENOSPC },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct drmperf_error error = { 0 };
		struct selection *selection = NULL;

		ck_assert_int_eq(select_more(cases[i].requests, cases[i].count,
					     NULL, &selection, &error),
				 cases[i].ret);
		ck_assert_ptr_null(selection);
		ck_assert_str_ne(error.cause, "");
	}
}

/* ------------------------------------------------------------------ */
/* One selection after another                                          */

TEST(selection, slots_are_kept)
{
	const struct counter_request first[] = {
		request_of("SQ", 10, DRMPERF_ALL_INSTANCES),
		request_of("SQ", 11, DRMPERF_ALL_INSTANCES),
		request_of("SQ", 12, 1),
	};
	const struct counter_request second[] = {
		request_of("SQ", 20, DRMPERF_ALL_INSTANCES),
		request_of("SQ", 12, DRMPERF_ALL_INSTANCES),
		request_of("SQ", 21, DRMPERF_ALL_INSTANCES),
		request_of("SQ", 11, DRMPERF_ALL_INSTANCES),
	};
	struct selection *before = select_all(first, 3, NULL);
	struct selection *after = select_all(second, 4, before);

	ck_assert_uint_eq(cell_of(after, 0)->slot, 0);
	ck_assert_uint_eq(cell_of(after, 1)->slot, 2);
	ck_assert_uint_eq(cell_of(after, 2)->slot, 3);
	ck_assert_uint_eq(cell_of(after, 3)->slot, 1);
	ck_assert_ptr_eq(after->core_clock, before->core_clock);
	selection_destroy(after);
	selection_destroy(before);
}

TEST(selection, a_changed_selection_keeps_its_parts)
{
	const struct counter_request first[] = {
		request_of("SQ", 10, DRMPERF_ALL_INSTANCES),
		request_of("SQ", 11, 1),
		request_of("SQ", 12, DRMPERF_ALL_INSTANCES),
		request_of("SQ", 13, DRMPERF_ALL_INSTANCES),
		follower_of("SQ", ACCUM_PREV),
	};
	const struct counter_request second[] = {
		request_of("SQ", 11, 1),
		request_of("SQ", 13, DRMPERF_ALL_INSTANCES),
		follower_of("SQ", ACCUM_PREV),
	};
	struct selection *before = select_all(first, 5, NULL);
	struct selection *after = select_all(second, 3, before);
	struct selection *kept, *moved;
	const struct counter *pair;

	before->numbers.totals[before->answers[1].first_cell] = 4711;
	ck_assert_int_eq(selection_part(before, after, SELECTION_KEPT, &kept),
			 0);
	ck_assert_uint_eq(kept->counter_count, 4);
	ck_assert_uint_eq(kept->cell_count, 1 + 4 + 4 + 1);
	ck_assert_uint_eq(kept->answer_count, 0);
	ck_assert_ptr_eq(kept->core_clock, before->core_clock);
	ck_assert_uint_eq(kept->numbers.totals[0], 4711);
	pair = selection_find(kept, after, counter_of(after, 2));
	ck_assert_ptr_nonnull(pair);
	ck_assert_uint_eq(kept->counters[pair->after].id, 13);

	ck_assert_int_eq(selection_part(before, after, SELECTION_MOVED, &moved),
			 0);
	ck_assert_uint_eq(moved->counter_count, 0);
	selection_destroy(moved);

	cell_of(after, 0)->slot = 7;
	ck_assert_int_eq(selection_part(before, after, SELECTION_MOVED, &moved),
			 0);
	ck_assert_uint_eq(moved->counter_count, 1);
	ck_assert_uint_eq(moved->counters[0].id, 11);
	ck_assert_uint_eq(moved->cell_count, 1);
	ck_assert_uint_ne(moved->cells[0].slot, 7);
	ck_assert_ptr_null(moved->core_clock);
	selection_destroy(moved);
	selection_destroy(kept);
	selection_destroy(after);
	selection_destroy(before);
}
