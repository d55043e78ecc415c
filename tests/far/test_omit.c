// Voxels that levels do not keep: they are those that can be generated again, and whoever needs
// them gets them.

#include "far_game.h"

#include "voxels/voxels_internal.h"

/// Hooks of levels that compare what they get with the land.
typedef struct Witness {
    _Atomic(uint32_t) meshes, wrong;
} Witness;

/// Generates a chunk without failures.
static void land(TrnCoord coord, uint32_t level, TrnBlock *blocks)
{
    Game calm = {0};
    bool is_uniform = false;
    assert_int_equal(game_generate(&calm, coord, level, blocks, &is_uniform), TRN_RESULT_OK);
    for (uint32_t i = 1; is_uniform && i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = blocks[0];
    }
}

/// Counts chunks around that differ from the land, of some places of each mesh. Game.source.user is
/// the witness.
static TrnResult witness_mesh(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                              TrnStreamMesh *mesh)
{
    const GameLevel *level = user;
    Witness *witness = level->game->source.user;
    const size_t bytes = sizeof(TrnBlock[TRN_CHUNK_VOXELS]);
    const uint32_t meshes = witness->meshes++, stride = test_rounds(3, 27);
    TrnBlock *expected = malloc(bytes), *has = malloc(bytes);
    for (uint32_t place = 0; expected && has && place < TRN_AROUND_COUNT; place++) {
        if ((place + meshes) % stride) {
            continue;
        }
        land(trn_coord_around(job->coord, place), job->level, expected);
        trn_snapshot_decode(input->around[place], has);
        witness->wrong += input->present >> place & 1 && memcmp(has, expected, bytes) != 0;
    }
    free(has);
    free(expected);
    return game_mesh(user, job, input, mesh);
}

static TrnResult omit_generate_hook(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                    bool *uniform)
{
    const GameLevel *level = user;
    return game_generate(level->game, job->coord, job->level, blocks, uniform);
}

static Game *omit_create(Witness *witness, uint32_t workers, bool keeps_voxels)
{
    Game *game = game_create(workers, (TrnCoord){0, 0, 0});
    game->source.user = witness;
    TrnFarDef def = game_far_def(game);
    def.source = (TrnStreamSource){0};
    def.hooks.mesh = witness_mesh;
    def.keeps_voxels = keeps_voxels;
    assert_int_equal(trn_far_create(&def, &game->far_view), TRN_RESULT_OK);
    return game;
}

/// How many chunks of a level are omitted.
/// @param first  receives one of them; may be NULL
static uint32_t omit_count(const Game *game, uint32_t level, TrnChunk **first)
{
    const TrnBox all = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}};
    TrnChunk *chunks[4096];
    const size_t count = trn_store_gather(trn_far_store(game->far_view, level), all, chunks, 4096);
    uint32_t omitted = 0;
    assert_true(count > 0 && count <= 4096);
    for (size_t i = 0; i < count; i++) {
        if (trn_snapshot_is_omitted(trn_voxels_snapshot(&chunks[i]->voxels))) {
            omitted++;
            if (first) {
                *first = chunks[i];
            }
        }
    }
    return omitted;
}

// ---- tests -------------------------------------------------------------------------------------

static void levels_omit_what_can_be_generated_again(void **state)
{
    (void)state;
    test_skip_without_threads();
    Witness witness = {0};
    uint32_t payloads[2], omitted = 0;
    for (int keeps = 0; keeps < 2; keeps++) {
        Game *game = omit_create(&witness, 0, keeps);
        game_settle(game);
        assert_int_equal(omit_count(game, 0, NULL), 0);
        for (uint32_t level = 1; level <= 2; level++) {
            assert_int_equal(omit_count(game, level, NULL) > 0, !keeps);
        }
        const TrnVoxelHeap *heap = trn_store_voxel_heap(trn_far_store(game->far_view, 1));
        omitted += omit_count(game, 1, NULL);
        payloads[keeps] = trn_voxel_heap_stats(heap).payloads;
        game_check_rest(game);
        game_destroy(game);
    }
    assert_int_equal(payloads[0] + omitted, payloads[1]);
    assert_int_equal(witness.wrong, 0);
}

static void omits_nothing_that_a_hook_generates(void **state)
{
    (void)state;
    test_skip_without_threads();
    Game *game = game_create(0, (TrnCoord){0, 0, 0});
    TrnFarDef def = game_far_def(game);
    def.hooks.generate = omit_generate_hook;
    assert_int_equal(trn_far_create(&def, &game->far_view), TRN_RESULT_OK);
    game_settle(game);
    assert_int_equal(omit_count(game, 1, NULL) + omit_count(game, 2, NULL), 0);
    game_destroy(game);
}

/// Flights back and forth, failures, and new meshes of everything: mesh hooks always see the land.
static void meshes_see_all_voxels_with(uint32_t workers)
{
    Witness witness = {0};
    Game *game = omit_create(&witness, workers, false);
    game_settle(game);
    for (int32_t step = 0; step < (int32_t)test_rounds(24, 8); step++) {
        game->anchor.position.chunk.x += step % 8 < 4 ? 1 : -1;
        game->anchor.position.chunk.z += step % 5 - 2;
        atomic_store(&game->fail_every, step % 3 == 1 ? 7 : 0);
        for (uint32_t update = 0; update < 6; update++) {
            game_update(game, 64);
        }
    }
    atomic_store(&game->fail_every, 0);
    game_settle(game);
    const uint32_t omitted = omit_count(game, 1, NULL), meshes = witness.meshes;
    assert_true(omitted > 0);
    trn_far_remesh(game->far_view);
    game_settle(game);
    assert_true(witness.meshes >= meshes + omitted);
    assert_int_equal(omit_count(game, 1, NULL), omitted);
    assert_int_equal(witness.wrong, 0);
    game_check_rest(game);
    game_destroy(game);
}

static void meshes_see_all_voxels(void **state)
{
    (void)state;
    test_skip_without_threads();
    meshes_see_all_voxels_with(0);
}

static void meshes_see_all_voxels_on_workers(void **state)
{
    (void)state;
    meshes_see_all_voxels_with(2);
}

// ---- meshes beside edits -----------------------------------------------------------------------

/// What each mesh was made of, of two games that differ in what they keep alone.
static struct {
    TrnCoordMap inputs[2][3]; ///< by game and level: a hash
    int game;
} beside;

static TrnResult beside_mesh(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                             TrnStreamMesh *mesh)
{
    TrnCoordMap *map = &beside.inputs[beside.game][job->level];
    const TrnAllocator allocator = trn_allocator_default();
    assert_int_equal(trn_coord_map_reserve(map, &allocator, 1), TRN_RESULT_OK);
    TrnCoordEntry *entry = trn_coord_map_find(map, job->coord);
    entry = entry ? entry : trn_coord_map_add(map, job->coord);
    entry->number = input->present;
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        entry->number = entry->number * 31 + trn_snapshot_hash(input->around[place]);
    }
    return game_mesh(user, job, input, mesh);
}

/// Plays a game with edits of both levels. @return how many chunks were ever omitted at a look
static uint32_t beside_play(bool keeps_voxels)
{
    TestRandom random = test_random_seeded(9);
    Game *game = game_create(0, (TrnCoord){0, 0, 0});
    TrnFarDef def = game_far_def(game);
    uint32_t omitted = 0;
    beside.game = keeps_voxels;
    def.hooks.mesh = beside_mesh;
    def.keeps_voxels = keeps_voxels;
    assert_int_equal(trn_far_create(&def, &game->far_view), TRN_RESULT_OK);
    for (uint32_t step = 0; step < test_rounds(24, 8); step++) {
        game_settle(game);
        omitted += omit_count(game, 1, NULL) + omit_count(game, 2, NULL);
        for (uint32_t edit = 0; edit < 3; edit++) {
            const uint64_t dice = test_random_next(&random);
            const TrnVoxel voxel = {(int64_t)(dice & 127) - 64, (int64_t)(dice >> 8 & 31),
                                    (int64_t)(dice >> 16 & 127) - 64};
            const TrnResult set =
                trn_store_set_block(trn_far_store(game->far_view, (uint32_t)(dice >> 24 & 3) % 3),
                                    voxel, (TrnBlock)(dice >> 32 & 1), NULL);
            assert_true(set == TRN_RESULT_OK || set == TRN_RESULT_NOT_FOUND);
        }
        game->anchor.position.chunk.x += step % 6 < 3 ? 1 : -1;
    }
    game_settle(game);
    game_destroy(game);
    return omitted;
}

static void meshes_are_those_of_kept_voxels(void **state)
{
    (void)state;
    test_skip_without_threads();
    memset(&beside, 0, sizeof beside);
    assert_true(beside_play(false) > 0);
    assert_int_equal(beside_play(true), 0);
    const TrnAllocator allocator = trn_allocator_default();
    for (uint32_t level = 1; level <= 2; level++) {
        TrnCoordMap *omits = &beside.inputs[0][level], *keeps = &beside.inputs[1][level];
        assert_true(keeps->count > 0);
        assert_int_equal(omits->count, keeps->count);
        uint64_t at = 0;
        for (const TrnCoordEntry *kept; (kept = trn_coord_map_next(keeps, &at));) {
            const TrnCoordEntry *entry = trn_coord_map_find(omits, kept->coord);
            assert_non_null(entry);
            assert_true(entry->number == kept->number);
        }
        trn_coord_map_free(omits, &allocator);
        trn_coord_map_free(keeps, &allocator);
    }
}

// ---- edits -------------------------------------------------------------------------------------

/// Edits an omitted chunk in one of the ways that there are.
static TrnResult edit_chunk(TrnStore *store, TrnChunk *chunk, uint32_t way, TrnVoxel at)
{
    TrnBatch *batch;
    TrnVoxelEdit edit;
    switch (way) {
    case 0:
        return trn_store_set_block(store, at, 7, NULL);
    case 1: {
        const TrnResult begun = trn_store_edit_begin(store, chunk, &edit);
        if (begun != TRN_RESULT_OK) {
            return begun;
        }
        assert_int_equal(trn_voxel_edit_set(&edit, trn_voxel_local_index(at), 7), TRN_RESULT_OK);
        assert_true(trn_store_edit_commit(store, &edit));
        return TRN_RESULT_OK;
    }
    default:
        assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
        const TrnResult set = trn_batch_set(batch, at, 7);
        if (set != TRN_RESULT_OK) {
            trn_batch_cancel(batch);
            return set;
        }
        return trn_batch_commit(batch, NULL);
    }
}

static void edits_begin_with_the_land(void **state)
{
    (void)state;
    test_skip_without_threads();
    static TrnBlock expected[TRN_CHUNK_VOXELS], has[TRN_CHUNK_VOXELS];
    for (uint32_t way = 0; way < 3; way++) {
        Witness witness = {0};
        Game *game = omit_create(&witness, 0, false);
        TrnStore *store = trn_far_store(game->far_view, 1);
        TrnChunk *chunk = NULL;
        game_settle(game);
        assert_true(omit_count(game, 1, &chunk) > 0);
        const TrnVoxel corner = trn_coord_voxel(chunk->coord);
        const TrnVoxel at = {corner.x + 5, corner.y + 6, corner.z + 7};
        const uint64_t revision = trn_chunk_revision(chunk);
        atomic_store(&game->fail_every, 1); // without the land there is no edit
        assert_int_equal(edit_chunk(store, chunk, way, at), TRN_RESULT_IO);
        assert_int_equal(trn_chunk_revision(chunk), revision);
        atomic_store(&game->fail_every, 0);
        assert_int_equal(edit_chunk(store, chunk, way, at), TRN_RESULT_OK);
        land(chunk->coord, 1, expected);
        expected[trn_voxel_local_index(at)] = 7;
        trn_snapshot_decode(trn_voxels_snapshot(&chunk->voxels), has);
        assert_memory_equal(has, expected, sizeof has);
        game_settle(game);
        trn_far_remesh(game->far_view);
        game_settle(game); // an edited chunk is kept
        trn_snapshot_decode(trn_voxels_snapshot(&chunk->voxels), has);
        assert_memory_equal(has, expected, sizeof has);
        assert_true(trn_chunk_revision(chunk) > revision);
        game_destroy(game);
    }
}

static void fills_outdate_all_around(void **state)
{
    (void)state;
    test_skip_without_threads();
    Witness witness = {0};
    Game *game = omit_create(&witness, 0, false);
    TrnChunk *chunk = NULL;
    game_settle(game);
    assert_true(omit_count(game, 1, &chunk) > 0);
    const uint32_t meshes = witness.meshes;
    assert_int_equal(trn_store_fill(trn_far_store(game->far_view, 1), chunk, 1), TRN_RESULT_OK);
    game_settle(game);
    assert_true(witness.meshes > meshes + 8);
    game_destroy(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_omit_what_can_be_generated_again),
        cmocka_unit_test(omits_nothing_that_a_hook_generates),
        cmocka_unit_test(meshes_see_all_voxels),
        cmocka_unit_test(meshes_see_all_voxels_on_workers),
        cmocka_unit_test(meshes_are_those_of_kept_voxels),
        cmocka_unit_test(edits_begin_with_the_land),
        cmocka_unit_test(fills_outdate_all_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
