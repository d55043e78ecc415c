// Streams of coarser levels: what their hooks are told, where their world ends, and what a far view
// learns of a stream.

#include "game_checks.h"

#include "base/around.h"
#include "stream/stream_level.h"

/// A game at a level, and what its watch was told.
typedef struct Level {
    Game game;
    uint32_t level;
    uint32_t wrong; ///< jobs of another level
    uint32_t shown, hidden;
    bool is_on_screen[16][16][16]; ///< by low bits of y, z, x
} Level;

static bool *level_place(Level *of, TrnCoord at)
{
    return &of->is_on_screen[at.y & 15][at.z & 15][at.x & 15];
}

static TrnResult level_generate(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                bool *uniform)
{
    Level *of = user;
    of->wrong += job->level != of->level;
    return game_generate(&of->game, job, blocks, uniform);
}

static TrnResult level_load(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    Level *of = user;
    of->wrong += job->level != of->level;
    return game_load(&of->game, job, blocks, uniform);
}

static TrnResult level_save(void *user, const TrnStreamJob *job, TrnSnapshot voxels)
{
    Level *of = user;
    of->wrong += job->level != of->level;
    return game_save(&of->game, job, voxels);
}

static TrnResult level_mesh(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                            TrnStreamMesh *mesh)
{
    Level *of = user;
    of->wrong += job->level != of->level;
    assert_int_equal(input->present, trn_around_in_level(job->coord, of->level));
    return game_mesh(&of->game, job, input, mesh);
}

static void level_shown(void *user, TrnCoord coord)
{
    Level *of = user;
    assert_false(*level_place(of, coord));
    assert_non_null(trn_store_find(of->game.store, coord));
    *level_place(of, coord) = true;
    of->shown++;
}

static void level_hidden(void *user, TrnCoord coord, TrnChunk *chunk)
{
    Level *of = user;
    assert_true(*level_place(of, coord));
    assert_true(!chunk || trn_coord_equal(chunk->coord, coord));
    *level_place(of, coord) = false;
    of->hidden++;
}

static TrnStreamDef level_def(Level *of, uint32_t level)
{
    memset(of, 0, sizeof *of);
    of->level = level;
    TrnStreamDef def = game_def(&of->game);
    def.hooks.generate = level_generate;
    def.hooks.mesh = level_mesh;
    return def;
}

static void level_create(Level *of, TrnStreamDef *def)
{
    const TrnAllocator allocator = game_allocator(&of->game);
    def->allocator = &allocator;
    assert_int_equal(trn_stream_create_level(def, of->level, NULL, &of->game.stream),
                     TRN_RESULT_OK);
    const TrnStreamWatch watch = {level_shown, level_hidden, of};
    assert_int_equal(trn_stream_watch(of->game.stream, &watch), TRN_RESULT_OK);
}

static void hooks_are_told_the_level(void **state)
{
    (void)state;
    for (uint32_t level = 0; level <= TRN_GENERATOR_LEVEL_MAX; level++) {
        Level *of = malloc(sizeof *of);
        TrnStreamDef def = level_def(of, level);
        def.hooks.load = level_load;
        def.hooks.save = level_save;
        level_create(of, &def);
        const TrnStreamAnchorId id = game_add(&of->game, game_anchor((TrnCoord){0, 0, 0}, 2, 1));
        game_settle(&of->game);
        game_dig(&of->game, (TrnVoxel){3, 4, 5}, 2);
        TrnStreamAnchor away = game_anchor((TrnCoord){40, 0, 0}, 1, 1);
        assert_int_equal(trn_stream_anchor_set(of->game.stream, id, &away), TRN_RESULT_OK);
        game_settle(&of->game);
        assert_int_equal(of->game.save_count, 1);
        assert_int_equal(of->wrong, 0);
        assert_true(of->game.meshed > 10);
        game_end(&of->game);
        free(of);
    }
}

/// A generator that fails where its level has no chunks, and is all air.
static TrnResult generate_inside(void *user, TrnCoord at, uint32_t level, TrnBlock *blocks,
                                 bool *uniform)
{
    (void)user;
    const int32_t first = trn_level_first(level), last = trn_level_last(level);
    if (at.x < first || at.x > last || at.y < first || at.y > last || at.z < first || at.z > last) {
        return TRN_RESULT_OUT_OF_RANGE;
    }
    blocks[0] = 1;
    *uniform = true;
    return TRN_RESULT_OK;
}

static void views_end_where_the_world_of_their_level_ends(void **state)
{
    (void)state;
    for (uint32_t level = 0; level <= 8; level += 2) {
        const int32_t ends[] = {trn_level_first(level), 0, trn_level_last(level)};
        for (uint32_t corner = 0; corner < 27; corner += 1 + corner % 3) {
            Level *of = malloc(sizeof *of);
            TrnStreamDef def = level_def(of, level);
            def.hooks.generate = NULL;
            def.generator = (TrnGenerator){.generate = generate_inside, .level_max = level};
            def.light = corner == 26;
            level_create(of, &def);
            const TrnCoord at = {ends[corner % 3], ends[corner / 9], ends[corner / 3 % 3]};
            const TrnStreamAnchor anchor = game_anchor(at, 3, 2);
            game_add(&of->game, anchor);
            game_settle(&of->game);
            uint32_t wanted = 0;
            for (uint32_t i = 0; i < 16 * 16 * 16; i++) {
                const int64_t x = (int64_t)at.x + i % 16 - 8, y = (int64_t)at.y + i / 256 - 8;
                const int64_t z = (int64_t)at.z + i / 16 % 16 - 8;
                const int64_t low = trn_level_first(level), high = trn_level_last(level);
                if (x >= low && x <= high && y >= low && y <= high && z >= low && z <= high) {
                    const TrnCoord chunk = {(int32_t)x, (int32_t)y, (int32_t)z};
                    const bool shows = model_shows(&anchor, chunk);
                    assert_int_equal(*level_place(of, chunk), shows);
                    wanted += shows;
                }
            }
            assert_int_equal(of->shown, wanted);
            assert_int_equal(of->game.events[TRN_STREAM_EVENT_FAILED], 0);
            const TrnVoxel voxel = trn_coord_voxel(at);
            const TrnStreamReadiness ready = trn_stream_readiness(
                of->game.stream, (TrnVoxel){voxel.x - 32, voxel.y - 32, voxel.z - 32},
                (TrnVoxel){voxel.x + 63, voxel.y + 63, voxel.z + 63});
            assert_true(ready.is_loaded && ready.is_shown);
            assert_int_equal(ready.chunks, __builtin_popcount(trn_around_in_level(at, level)));
            game_end(&of->game);
            free(of);
        }
    }
}

static void a_level_that_the_generator_does_not_make_is_refused(void **state)
{
    (void)state;
    Level *of = malloc(sizeof *of);
    TrnStreamDef def = level_def(of, 0);
    TrnStream *stream = NULL;
    assert_int_equal(trn_stream_create_level(&def, TRN_GENERATOR_LEVEL_MAX + 1, NULL, &stream),
                     TRN_RESULT_BAD_ARGUMENT);
    def.hooks.generate = NULL;
    def.generator = (TrnGenerator){.generate = generate_inside, .level_max = 3};
    assert_int_equal(trn_stream_create_level(&def, 4, NULL, &stream), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_stream_create_level(NULL, 1, NULL, &stream), TRN_RESULT_BAD_ARGUMENT);
    assert_null(stream);
    trn_store_destroy(of->game.store);
    free(of);
}

// ---- anchors -----------------------------------------------------------------------------------

static void anchors_are_walked_in_the_order_in_which_they_came(void **state)
{
    (void)state;
    Game *game = malloc(sizeof *game);
    TrnStreamDef def = game_def(game);
    game_create(game, &def);
    TrnStreamAnchorId ids[4];
    for (int32_t i = 0; i < 4; i++) {
        ids[i] = game_add(game, game_anchor((TrnCoord){100 * i, 0, 0}, 1, 1));
    }
    game_settle(game);
    assert_int_equal(trn_stream_anchor_remove(game->stream, ids[1]), TRN_RESULT_OK);
    TrnStreamAnchor moved = game_anchor((TrnCoord){-5000, 3, 2}, 2, 1); // its old view dissolves
    assert_int_equal(trn_stream_anchor_set(game->stream, ids[0], &moved), TRN_RESULT_OK);
    (void)game_update(game);
    const int32_t expected[] = {-5000, 200, 300}, which[] = {0, 2, 3};
    uint32_t cursor = 0, count = 0;
    TrnStreamAnchorId id;
    TrnStreamAnchor anchor;
    for (; trn_stream_next_anchor(game->stream, &cursor, &id, &anchor); count++) {
        assert_true(count < 3);
        assert_int_equal(anchor.position.chunk.x, expected[count]);
        assert_memory_equal(&id, &ids[which[count]], sizeof id);
    }
    assert_int_equal(count, 3);
    game_end(game);
    free(game);
}

static void an_anchor_keeps_its_place_at_every_level(void **state)
{
    (void)state;
    TestRandom random = {9};
    const double last = 32 - 0x1p-48;
    for (uint32_t i = 0; i < 20000; i++) {
        TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 7, 3);
        int32_t *const chunk[3] = {&anchor.position.chunk.x, &anchor.position.chunk.y,
                                   &anchor.position.chunk.z};
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t shift = (uint32_t)test_random_range(&random, 0, 31);
            *chunk[axis] = (int32_t)(uint32_t)test_random_next(&random) >> shift;
            *chunk[axis] = i % 50 == 0 ? INT32_MAX : i % 50 == 1 ? INT32_MIN : *chunk[axis];
            anchor.position.offset[axis] =
                i % 7 ? (double)test_random_range(&random, 0, 31) + 0.25 : last;
            anchor.velocity[axis] = 64;
        }
        const uint32_t level = i % (TRN_GENERATOR_LEVEL_MAX + 1);
        const TrnStreamAnchor at = trn_stream_anchor_at_level(&anchor, level);
        const int32_t found[3] = {at.position.chunk.x, at.position.chunk.y, at.position.chunk.z};
        for (int axis = 0; axis < 3; axis++) {
            assert_in_range((int64_t)found[axis] - trn_level_first(level), 0,
                            (int64_t)trn_level_last(level) - trn_level_first(level));
            assert_true(at.position.offset[axis] >= 0 && at.position.offset[axis] < 32);
            const double place = (found[axis] * 32.0 + at.position.offset[axis]) * (1u << level);
            const double expected = *chunk[axis] * 32.0 + anchor.position.offset[axis];
            assert_true(place - expected < 1e-4 && expected - place < 1e-4);
            assert_true(at.velocity[axis] == 64.0 / (1u << level));
        }
        assert_int_equal(at.radius_chunks, 7);
        assert_int_equal(at.height_chunks, 3);
    }
}

// ---- what is on screen -------------------------------------------------------------------------

/// Checks the watch's chunks against the store and the meshes: what it holds is loaded and has a
/// mesh or needs none. @return how many it holds
static uint32_t level_check(const Level *of)
{
    uint32_t count = 0;
    for (int32_t y = -8; y < 8; y++) {
        for (int32_t z = -8; z < 8; z++) {
            for (int32_t x = -8; x < 8; x++) {
                const TrnCoord at = {x, y, z};
                if (of->is_on_screen[y & 15][z & 15][x & 15]) {
                    TrnChunk *chunk = trn_store_find(of->game.store, at);
                    assert_non_null(chunk);
                    assert_true(y > 0 || *(GameMesh **)trn_chunk_user(chunk) != NULL);
                    count++;
                }
            }
        }
    }
    assert_int_equal(of->shown - of->hidden, count);
    return count;
}

/// How many chunks a ball of radius 2 and height 2 has.
#define BALL_CHUNKS 33u

static void air_and_rock_are_shown_and_stay_so_while_meshes_are_renewed(void **state)
{
    (void)state;
    Level *of = malloc(sizeof *of);
    TrnStreamDef def = level_def(of, 3);
    level_create(of, &def);
    const TrnStreamAnchorId id = game_add(&of->game, game_anchor((TrnCoord){0, 0, 0}, 2, 2));
    game_settle(&of->game);
    assert_int_equal(level_check(of), BALL_CHUNKS);
    trn_stream_remesh(of->game.stream);
    for (int32_t i = 0; i < 40; i++) { // edits of rock, ground and air, some of which fail
        of->game.upload_result = i % 3 == 1 ? TRN_RESULT_NO_MEMORY : TRN_RESULT_OK;
        game_dig(&of->game, (TrnVoxel){3 + i % 5, INT64_C(32) * (i % 5 - 2), 5}, (TrnBlock)(i % 3));
        (void)game_update(&of->game);
        assert_int_equal(level_check(of), BALL_CHUNKS);
    }
    of->game.upload_result = TRN_RESULT_OK;
    game_settle(&of->game);
    assert_int_equal(of->shown, BALL_CHUNKS);

    Level *late = malloc(sizeof *late); // another watch learns what is shown already
    memset(late, 0, sizeof *late);
    late->game.store = of->game.store;
    const TrnStreamWatch watch = {level_shown, level_hidden, late};
    assert_int_equal(trn_stream_watch(of->game.stream, &watch), TRN_RESULT_EXISTS);
    assert_int_equal(trn_stream_watch(of->game.stream, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_stream_watch(of->game.stream, &watch), TRN_RESULT_OK);
    assert_int_equal(level_check(late), BALL_CHUNKS);
    assert_int_equal(trn_store_remove(of->game.store, (TrnCoord){0, 1, 0}), TRN_RESULT_OK);
    assert_int_equal(late->hidden, 1);
    game_settle(&of->game); // it comes back
    assert_int_equal(level_check(late), BALL_CHUNKS);
    assert_int_equal(trn_stream_anchor_remove(of->game.stream, id), TRN_RESULT_OK);
    game_settle(&of->game);
    assert_int_equal(level_check(late), 0);
    assert_int_equal(of->hidden, 0);
    free(late);
    game_end(&of->game);
    free(of);
}

static void what_leaves_a_view_is_on_screen_until_it_unloads(void **state)
{
    (void)state;
    Level *of = malloc(sizeof *of);
    TrnStreamDef def = level_def(of, 1);
    level_create(of, &def);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 2, 2);
    const TrnStreamAnchorId id = game_add(&of->game, anchor);
    game_settle(&of->game);
    for (uint32_t step = 0; step < 24; step++) {
        anchor.position.chunk.x += step < 2 || step % 4 > 1 ? 1 : -1; // -2..2
        assert_int_equal(trn_stream_anchor_set(of->game.stream, id, &anchor), TRN_RESULT_OK);
        for (uint32_t i = 0; i < 3; i++) {
            (void)game_update(&of->game);
            (void)level_check(of);
        }
        game_settle(&of->game);
        assert_true(level_check(of) >= BALL_CHUNKS);
        check_view(&of->game, &anchor);
    }
    game_end(&of->game);
    free(of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooks_are_told_the_level),
        cmocka_unit_test(views_end_where_the_world_of_their_level_ends),
        cmocka_unit_test(a_level_that_the_generator_does_not_make_is_refused),
        cmocka_unit_test(anchors_are_walked_in_the_order_in_which_they_came),
        cmocka_unit_test(an_anchor_keeps_its_place_at_every_level),
        cmocka_unit_test(air_and_rock_are_shown_and_stay_so_while_meshes_are_renewed),
        cmocka_unit_test(what_leaves_a_view_is_on_screen_until_it_unloads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
