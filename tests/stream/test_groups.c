// The groups of meshes alone, without a stream, against a simple model: one label a cell.

#include "testing.h"

#include "stream/stream_groups.h"
#include "stream_cell.h"

#define CELLS 40u
#define MESHES 65536u

typedef struct ModelGroup {
    bool is_open;
    double since_us;
    uint64_t since_update;
} ModelGroup;

/// What the groups should hold. Its groups have the numbers that the groups gave them.
typedef struct Desk {
    TestAllocator state;
    TrnAllocator allocator;
    TrnStreamCells cells;
    TrnStreamGroups groups;
    TrnStreamCell *cell[CELLS];
    uint32_t group[CELLS]; ///< TRN_STREAM_GROUP_NONE: in none
    bool is_done[CELLS];
    uint32_t mesh[CELLS]; ///< of a finished mesh
    ModelGroup groups_open[CELLS * 2];
    uint8_t given[MESHES]; ///< how often each mesh came back
    uint32_t meshes;       ///< finished so far
} Desk;

static TrnStreamMesh desk_mesh(Desk *desk, uint32_t number)
{
    return (TrnStreamMesh){.mesh = &desk->given[number], .bytes = number};
}

/// Records that a mesh came back: only once, and the finished one.
static void desk_take_back(Desk *desk, TrnStreamMesh mesh, uint32_t number)
{
    assert_ptr_equal(mesh.mesh, &desk->given[number]);
    assert_int_equal(mesh.bytes, number);
    assert_int_equal(desk->given[number]++, 0);
}

static Desk *desk_begin(void)
{
    Desk *desk = calloc(1, sizeof *desk);
    assert_non_null(desk);
    desk->allocator = test_allocator(&desk->state);
    assert_int_equal(trn_stream_cells_create(&desk->cells, 0, 1, &desk->allocator), TRN_RESULT_OK);
    for (uint32_t i = 0; i < CELLS; i++) {
        desk->cell[i] = stream_cell(&desk->cells, (TrnCoord){(int32_t)i, 0, 0});
        assert_non_null(desk->cell[i]);
        trn_stream_cells_set_wanted(&desk->cells, desk->cell[i], true);
        desk->group[i] = TRN_STREAM_GROUP_NONE;
    }
    trn_stream_groups_init(&desk->groups, &desk->cells, &desk->allocator);
    return desk;
}

/// Receives the meshes that the groups still hold.
static void desk_drop(void *user, TrnStreamMesh mesh)
{
    Desk *desk = user;
    assert_non_null(mesh.mesh); // finished ones alone
    desk_take_back(desk, mesh, (uint32_t)mesh.bytes);
}

static void desk_end(Desk *desk)
{
    trn_stream_groups_destroy(&desk->groups, desk_drop, desk);
    for (uint32_t i = 0; i < desk->meshes; i++) {
        assert_int_equal(desk->given[i], 1);
    }
    trn_stream_cells_destroy(&desk->cells);
    assert_int_equal(desk->state.live_blocks, 0);
    free(desk);
}

// ---- the model ---------------------------------------------------------------------------------

static uint32_t model_members(const Desk *desk, uint32_t group)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < CELLS; i++) {
        count += desk->group[i] == group;
    }
    return count;
}

static uint32_t model_pending(const Desk *desk, uint32_t group)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < CELLS; i++) {
        count += desk->group[i] == group && !desk->is_done[i];
    }
    return count;
}

/// Each cell is in exactly the group that it should be in.
static void desk_check(Desk *desk)
{
    const TrnStreamGroups *groups = &desk->groups;
    uint32_t open = 0;
    for (uint32_t i = 0; i < groups->all.count; i++) {
        const TrnStreamGroup *group = &groups->all.items[i];
        assert_true(i < CELLS * 2);
        assert_int_equal(group->is_used, desk->groups_open[i].is_open);
        if (group->is_used) {
            assert_int_equal(group->members.count, model_members(desk, i));
            assert_int_equal(group->pending, model_pending(desk, i));
            assert_int_equal(group->since_update, desk->groups_open[i].since_update);
            assert_true(group->since_us == desk->groups_open[i].since_us);
            open++;
        }
    }
    assert_int_equal(trn_stream_groups_are_open(groups), open > 0);
    for (uint32_t i = 0; i < CELLS; i++) {
        const TrnStreamCell *cell = desk->cell[i];
        assert_int_equal(cell->group, desk->group[i] + 1); // none wraps to 0
        if (cell->group) {
            const TrnStreamGroup *group = &groups->all.items[desk->group[i]];
            assert_true(cell->member_index < group->members.count);
            assert_int_equal(group->members.items[cell->member_index].cell, cell->slot);
            assert_int_equal(trn_stream_groups_is_finished(groups, cell), desk->is_done[i]);
        }
    }
}

/// Joins, and does the same to the model. @return the group
static uint32_t desk_join(Desk *desk, uint32_t i, uint32_t group, double now_us, uint64_t update)
{
    const uint32_t own = desk->group[i];
    TrnStreamMesh outdated = {.bytes = 12345};
    const uint32_t joined =
        trn_stream_groups_join(&desk->groups, desk->cell[i], group, now_us, update, &outdated);
    if (desk->is_done[i]) { // outdated, also if the groups could not be merged
        desk_take_back(desk, outdated, desk->mesh[i]);
        desk->is_done[i] = false;
    } else {
        assert_true(!outdated.mesh && outdated.bytes == 12345);
    }
    if (joined == TRN_STREAM_GROUP_NONE) {
        return joined;
    }
    assert_true(group == TRN_STREAM_GROUP_NONE || joined == group);
    ModelGroup *its = &desk->groups_open[joined];
    if (own == TRN_STREAM_GROUP_NONE && group == TRN_STREAM_GROUP_NONE) {
        assert_false(its->is_open);
        *its = (ModelGroup){true, now_us, update};
    } else if (own != TRN_STREAM_GROUP_NONE && own != joined) {
        ModelGroup *from = &desk->groups_open[own];
        its->since_us = from->since_us < its->since_us ? from->since_us : its->since_us;
        its->since_update =
            from->since_update < its->since_update ? from->since_update : its->since_update;
        from->is_open = false;
        for (uint32_t m = 0; m < CELLS; m++) {
            desk->group[m] = desk->group[m] == own ? joined : desk->group[m];
        }
    }
    desk->group[i] = joined;
    return joined;
}

/// Shows a group if it is complete. @return whether it was
static bool desk_settle(Desk *desk, uint32_t group)
{
    const uint32_t members = model_members(desk, group);
    const bool is_complete = !model_pending(desk, group) && members;
    const TrnStreamGroup *shown = trn_stream_groups_begin_show(&desk->groups, group);
    assert_int_equal(shown != NULL, is_complete);
    if (!shown) {
        desk->groups_open[group].is_open &= members > 0;
        return false;
    }
    assert_int_equal(shown->members.count, members);
    assert_true(shown->since_us == desk->groups_open[group].since_us);
    for (uint32_t m = 0; m < members; m++) {
        const TrnStreamMember *member = &shown->members.items[m];
        const uint32_t i = (uint32_t)trn_stream_cells_at(&desk->cells, member->cell)->coord.x;
        assert_int_equal(desk->group[i], group);
        assert_int_equal(desk->cell[i]->group, 0); // no membership while they are shown
        assert_true(member->is_done);
        desk_take_back(desk, member->made.mesh, desk->mesh[i]);
        desk->group[i] = TRN_STREAM_GROUP_NONE;
        desk->is_done[i] = false;
    }
    trn_stream_groups_end_show(&desk->groups, group);
    desk->groups_open[group].is_open = false;
    return true;
}

/// Finishes a member's mesh. @return whether that showed its group
static bool desk_finish(Desk *desk, uint32_t i)
{
    const uint32_t number = desk->meshes++;
    assert_true(number < MESHES);
    desk->is_done[i] = true;
    desk->mesh[i] = number;
    assert_int_equal(trn_stream_groups_finish(&desk->groups, desk->cell[i],
                                              &(TrnStreamMade){.mesh = desk_mesh(desk, number)}),
                     desk->group[i]);
    return desk_settle(desk, desk->group[i]);
}

/// Removes a member. @return whether that showed the others
static bool desk_remove(Desk *desk, uint32_t i)
{
    const uint32_t group = desk->group[i];
    TrnStreamMesh mesh = {.bytes = 12345};
    assert_int_equal(trn_stream_groups_remove(&desk->groups, desk->cell[i], &mesh), group);
    if (desk->is_done[i]) {
        desk_take_back(desk, mesh, desk->mesh[i]);
    } else {
        assert_true(!mesh.mesh && mesh.bytes == 12345);
    }
    desk->is_done[i] = false;
    desk->group[i] = TRN_STREAM_GROUP_NONE;
    return desk_settle(desk, group);
}

// ---- tests -------------------------------------------------------------------------------------

static void a_group_shows_once_all_are_finished(void **state)
{
    (void)state;
    Desk *desk = desk_begin();
    assert_false(trn_stream_groups_are_open(&desk->groups));
    uint32_t group = TRN_STREAM_GROUP_NONE;
    for (uint32_t i = 0; i < 9; i++) {
        group = desk_join(desk, i, group, 5, 1);
        assert_int_not_equal(group, TRN_STREAM_GROUP_NONE);
        desk_check(desk);
    }
    for (uint32_t i = 0; i < 9; i++) {
        assert_int_equal(desk_finish(desk, i), i == 8);
        desk_check(desk);
    }
    assert_false(trn_stream_groups_are_open(&desk->groups));
    desk_end(desk);
}

static void an_outdated_mesh_is_pending_again(void **state)
{
    (void)state;
    Desk *desk = desk_begin();
    const uint32_t group = desk_join(desk, 0, TRN_STREAM_GROUP_NONE, 5, 1);
    desk_join(desk, 1, group, 5, 1);
    assert_false(desk_finish(desk, 0));
    assert_int_equal(desk_join(desk, 0, TRN_STREAM_GROUP_NONE, 6, 2), group); // its own
    desk_check(desk);
    assert_int_equal(desk_join(desk, 1, TRN_STREAM_GROUP_NONE, 6, 2), group); // not finished yet
    assert_int_equal(desk_join(desk, 1, group, 6, 2), group);
    desk_check(desk);
    assert_false(desk_finish(desk, 1));
    assert_true(desk_finish(desk, 0));
    desk_check(desk);
    desk_end(desk);
}

static void groups_that_share_a_mesh_become_one(void **state)
{
    (void)state;
    Desk *desk = desk_begin();
    uint32_t first = TRN_STREAM_GROUP_NONE, second = TRN_STREAM_GROUP_NONE;
    for (uint32_t i = 0; i < 6; i++) {
        first = desk_join(desk, i, first, 5, 10);
        second = desk_join(desk, i + 6, second, 9, 20);
    }
    desk_finish(desk, 2);
    desk_finish(desk, 8);
    desk_finish(desk, 11);
    assert_int_not_equal(first, second);
    assert_int_equal(trn_stream_groups_age(&desk->groups, 25), 15);
    // The member's group moves to the edit's; as old as the older one.
    assert_int_equal(desk_join(desk, 2, second, 11, 25), second);
    desk_check(desk);
    assert_int_equal(trn_stream_groups_age(&desk->groups, 25), 15);
    const uint32_t rest[] = {0, 1, 3, 4, 5, 6, 7, 9, 10};
    for (uint32_t i = 0; i < 9; i++) {
        assert_false(desk_finish(desk, rest[i]));
    }
    assert_true(desk_finish(desk, 2));
    desk_check(desk);
    assert_int_equal(trn_stream_groups_age(&desk->groups, 40), 0);
    desk_end(desk);
}

static void a_group_continues_without_a_removed_member(void **state)
{
    (void)state;
    Desk *desk = desk_begin();
    uint32_t group = TRN_STREAM_GROUP_NONE;
    for (uint32_t i = 0; i < 5; i++) {
        group = desk_join(desk, i, group, 5, 1);
    }
    desk_finish(desk, 0);
    desk_finish(desk, 3);
    assert_false(desk_remove(desk, 0)); // the first, finished
    desk_check(desk);
    assert_false(desk_remove(desk, 4)); // pending
    desk_check(desk);
    desk_finish(desk, 1);
    assert_true(desk_remove(desk, 2)); // the last one pending: the rest shows
    desk_check(desk);
    desk_join(desk, 7, TRN_STREAM_GROUP_NONE, 6, 2);
    assert_false(desk_remove(desk, 7)); // an empty group closes
    assert_false(trn_stream_groups_are_open(&desk->groups));
    desk_check(desk);
    desk_end(desk);
}

static void the_oldest_group_says_the_age(void **state)
{
    (void)state;
    Desk *desk = desk_begin();
    assert_int_equal(trn_stream_groups_age(&desk->groups, 7), 0);
    for (uint32_t i = 0; i < 5; i++) {
        desk_join(desk, i, TRN_STREAM_GROUP_NONE, i, 10 + i);
    }
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(trn_stream_groups_age(&desk->groups, 20), 10 - i);
        assert_true(desk_finish(desk, i));
    }
    assert_int_equal(trn_stream_groups_age(&desk->groups, 20), 0);
    desk_join(desk, 0, TRN_STREAM_GROUP_NONE, 0, 21); // a number is used again, its age is not
    assert_int_equal(trn_stream_groups_age(&desk->groups, 21), 0);
    assert_int_equal(trn_stream_groups_age(&desk->groups, 22), 1);
    desk_end(desk);
}

/// Destroying gives back finished meshes, and only these.
static void destroying_gives_finished_meshes_back(void **state)
{
    (void)state;
    Desk *desk = desk_begin();
    uint32_t group = TRN_STREAM_GROUP_NONE;
    for (uint32_t i = 0; i < 6; i++) {
        group = desk_join(desk, i, group, 5, 1);
    }
    desk_join(desk, 6, TRN_STREAM_GROUP_NONE, 5, 1);
    desk_finish(desk, 6); // shown: not given back again
    desk_finish(desk, 1);
    desk_finish(desk, 4);
    desk_end(desk);

    Desk bare = {0}; // as in a stream that could not be created
    trn_stream_groups_destroy(&bare.groups, desk_drop, &bare);
}

// ---- memory ------------------------------------------------------------------------------------

/// Allocations fail one after the other: a cell is in exactly one group, or in none, as before.
static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t at = 1, failed = 1; failed; at++) {
        Desk *desk = desk_begin();
        test_fail(&desk->state, at, 0);
        uint32_t groups[4];
        failed = 0;
        for (uint32_t g = 0; g < 4; g++) {
            groups[g] = TRN_STREAM_GROUP_NONE;
            for (uint32_t i = 0; i < 10; i++) {
                const uint32_t joined = desk_join(desk, g * 10 + i, groups[g], g, g);
                desk_check(desk);
                failed += joined == TRN_STREAM_GROUP_NONE;
                groups[g] = joined != TRN_STREAM_GROUP_NONE ? joined : groups[g];
            }
        }
        desk_finish(desk, 35);
        for (uint32_t g = 3; g-- > 0;) {
            const uint32_t joined = desk_join(desk, 35, groups[g], 9, 9);
            desk_check(desk); // a failed merge leaves both groups as they were
            failed += joined == TRN_STREAM_GROUP_NONE;
            desk_finish(desk, 35);
            desk_check(desk);
        }
        assert_true(failed <= 1 && at < 1000);
        for (uint32_t i = 0; i < CELLS; i++) {
            if (desk->group[i] != TRN_STREAM_GROUP_NONE && !desk->is_done[i]) {
                desk_finish(desk, i);
                desk_check(desk);
            }
        }
        assert_false(trn_stream_groups_are_open(&desk->groups));
        desk_end(desk);
    }
}

// ---- members that no view holds ----------------------------------------------------------------

static void set_wanted(Desk *desk, uint32_t i, bool is_wanted)
{
    trn_stream_cells_set_wanted(&desk->cells, desk->cell[i], is_wanted);
    if (!is_wanted) {
        trn_stream_groups_note_unwanted(&desk->groups, desk->cell[i]);
    }
}

/// Removes all members that no view holds. @return how many
static uint32_t remove_unwanted(Desk *desk)
{
    uint64_t cursor = 0;
    uint32_t count = 0;
    for (TrnStreamCell *cell; (cell = trn_stream_groups_next_unwanted(&desk->groups, &cursor));) {
        assert_true(cell->is_unloading && cell->group);
        desk_remove(desk, (uint32_t)cell->coord.x);
        assert_true(++count <= CELLS);
    }
    desk_check(desk);
    for (uint32_t i = 0; i < CELLS; i++) {
        assert_true(!desk->cell[i]->is_unloading || !desk->cell[i]->group);
    }
    return count;
}

static void unwanted_members_are_found_once(void **state)
{
    (void)state;
    for (uint32_t unwanted = 0; unwanted < 1u << 6; unwanted++) {
        Desk *desk = desk_begin();
        const uint32_t first = desk_join(desk, 0, TRN_STREAM_GROUP_NONE, 5, 1);
        const uint32_t second = desk_join(desk, 3, TRN_STREAM_GROUP_NONE, 5, 1);
        desk_join(desk, 1, first, 5, 1);
        desk_join(desk, 2, first, 5, 1);
        desk_join(desk, 4, second, 5, 1);
        desk_join(desk, 5, second, 5, 1);
        desk_finish(desk, 1);
        set_wanted(desk, 20, false); // in no group
        assert_int_equal(remove_unwanted(desk), 0);
        for (uint32_t i = 0; i < 6; i++) {
            set_wanted(desk, i, !(unwanted >> i & 1));
        }
        assert_int_equal(remove_unwanted(desk), __builtin_popcount(unwanted));
        assert_int_equal(remove_unwanted(desk), 0);
        desk_end(desk);
    }
}

// ---- random actions ----------------------------------------------------------------------------

static uint32_t random_open_group(const Desk *desk, TestRandom *random)
{
    const uint32_t i = (uint32_t)test_random_range(random, 0, CELLS - 1);
    return test_random_range(random, 0, 2) ? desk->group[i] : TRN_STREAM_GROUP_NONE;
}

static void random_step(Desk *desk, TestRandom *random, uint64_t step)
{
    const uint32_t i = (uint32_t)test_random_range(random, 0, CELLS - 1);
    const bool is_member = desk->group[i] != TRN_STREAM_GROUP_NONE;
    const int64_t kind = test_random_range(random, 0, 9);
    if (kind < 4 && !desk->cell[i]->is_unloading) {
        if (test_random_range(random, 0, 2) == 0) {
            test_fail(&desk->state, 1, 0);
        }
        desk_join(desk, i, random_open_group(desk, random), (double)step, step);
        test_fail(&desk->state, 0, 0);
    } else if (kind < 8 && is_member && !desk->is_done[i]) {
        desk_finish(desk, i);
    } else if (kind == 8 && is_member) {
        desk_remove(desk, i);
    } else if (kind == 9) {
        set_wanted(desk, i, desk->cell[i]->is_unloading);
        if (test_random_range(random, 0, 1)) {
            remove_unwanted(desk);
        }
    }
}

static void anything_matches_the_model(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(21);
    for (uint32_t round = 0; round < 20; round++) {
        Desk *desk = desk_begin();
        for (uint64_t step = 1; step <= 2000; step++) {
            random_step(desk, &random, step);
            desk_check(desk);
            uint64_t oldest = step;
            for (uint32_t i = 0; i < CELLS; i++) {
                if (desk->group[i] != TRN_STREAM_GROUP_NONE) {
                    const uint64_t since = desk->groups_open[desk->group[i]].since_update;
                    oldest = since < oldest ? since : oldest;
                }
            }
            assert_int_equal(trn_stream_groups_age(&desk->groups, step), step - oldest);
        }
        desk_end(desk);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_shows_once_all_are_finished),
        cmocka_unit_test(an_outdated_mesh_is_pending_again),
        cmocka_unit_test(groups_that_share_a_mesh_become_one),
        cmocka_unit_test(a_group_continues_without_a_removed_member),
        cmocka_unit_test(the_oldest_group_says_the_age),
        cmocka_unit_test(destroying_gives_finished_meshes_back),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(unwanted_members_are_found_once),
        cmocka_unit_test(anything_matches_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
