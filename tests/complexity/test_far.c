// Work of far views that reach far, have many levels, teleport, or follow many edits.

#include "work.h"

#include "far/far_game.h"

static Game *far_of(TrnFarView view)
{
    Game *game = game_create(0, (TrnCoord){0, 0, 0});
    TrnFarDef def = game_far_def(game);
    def.view = view;
    def.generator.level_max = TRN_FAR_LEVEL_MAX;
    assert_int_equal(trn_far_create(&def, &game->far_view), TRN_RESULT_OK);
    return game;
}

static TrnFarView view_of(uint32_t levels, uint32_t radius)
{
    return (TrnFarView){.levels = levels, .radius_chunks = radius, .height_chunks = radius};
}

/// The first updates of a view.
static uint64_t work_of_view(TrnFarView view)
{
    Game *game = far_of(view);
    const uint64_t start = work_start();
    for (int i = 0; i < 20; i++) {
        (void)game_update(game, 64);
    }
    const uint64_t work = work_since(start);
    game_destroy(game);
    return work;
}

static uint64_t work_of_radius(uint32_t radius)
{
    return work_of_view(view_of(2, radius));
}

static uint64_t work_of_levels(uint32_t levels)
{
    return work_of_view(view_of(levels, 16));
}

static void updates_take_the_work_of_their_budget_whatever_the_radius(void **state)
{
    (void)state;
    assert_work_grows(work_of_radius, 16, 6, WORK_CONSTANT);
    assert_work_grows(work_of_levels, 1, 3, WORK_LINEAR);
}

/// A player who is far from the last place in each update.
static uint64_t work_of_teleports(uint32_t count)
{
    Game *game = far_of(view_of(3, 8));
    const uint64_t start = work_start();
    for (uint32_t i = 0; i < count; i++) {
        game->anchor.position.chunk.x = (int32_t)((i + 1) * UINT32_C(0x9E3779B1));
        (void)game_update(game, 64);
    }
    const uint64_t work = work_since(start);
    game_destroy(game);
    return work;
}

static void teleports_take_constant_work_each(void **state)
{
    (void)state;
    assert_work_grows(work_of_teleports, 10, test_rounds(3, 2), WORK_LINEAR);
}

/// Edits of so many chunks, each far from the others, until all levels have them.
static uint64_t work_of_edits(uint32_t count)
{
    Game *game = far_of(view_of(3, 2));
    TrnBatch *batch;
    game_settle(game);
    const uint64_t start = work_start();
    for (uint32_t i = 0; i < count; i++) {
        const TrnVoxel voxel = {((int64_t)i + 100) * 4096, 3, 0};
        assert_int_equal(trn_batch_begin(game->store, NULL, &batch), TRN_RESULT_OK);
        trn_batch_fill_box(batch, voxel, voxel, 1);
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    }
    game_settle(game);
    const uint64_t work = work_since(start);
    game_destroy(game);
    return work;
}

static void edits_take_constant_work_each(void **state)
{
    (void)state;
    assert_work_grows(work_of_edits, 25, test_rounds(3, 2), WORK_LINEAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(updates_take_the_work_of_their_budget_whatever_the_radius),
        cmocka_unit_test(teleports_take_constant_work_each),
        cmocka_unit_test(edits_take_constant_work_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
