/// Shared by the tests of far views: a game with a far view, which knows what is drawn only from
/// what it is told, and checks that every place is drawn once.
#pragma once

#include <stdatomic.h>

#include "testing.h"

#include <terrane/batch.h>
#include <terrane/far.h>

#include "base/coord_map.h"
#include "far/far_impl.h"

/// A chunk's user bytes.
typedef struct GameChunk {
    uint32_t is_uploaded;
} GameChunk;

typedef struct Game Game;

typedef struct GameLevel {
    Game *game;
    uint32_t level;
    uint32_t uploads;
    TrnCoordMap drawn; ///< as `draw` and `unload` said
} GameLevel;

struct Game {
    TestAllocator memory; ///< of stores, streams and the far view
    TrnAllocator allocator;
    TrnStore *store;
    TrnStream *stream;
    TrnFar *far_view;
    TrnStreamAnchorId id;
    TrnStreamAnchor anchor;
    GameLevel levels[TRN_FAR_LEVEL_MAX + 1];
    uint64_t draws, hash; ///< of the calls of `draw`
    _Atomic(uint32_t) calls, meshes, saved, wrong_levels;
    _Atomic(uint32_t) fail_every; ///< of generate, mesh and upload; 0: none
    TrnStreamSource source;       ///< of all levels
    void (*generating)(void);     ///< called before a chunk is generated; set it while nothing is
    _Atomic(uint32_t) now_us;     ///< of game_clock
    bool mixes_rock;              ///< land is of two blocks: no buried chunk is uniform
    uint32_t tick_us;             ///< that each look at the clock takes; only without workers
    bool light;                   ///< is solved at all levels
    int32_t fails_beyond; ///< generating fails from this chunk of level 0 on, along x; 0: nowhere
};

/// How a game starts.
typedef struct GameStart {
    uint32_t workers;
    TrnCoord chunk;                ///< of the anchor
    const TrnStreamSource *source; ///< of all levels; NULL: none
    bool light;
    size_t bytes_max; ///< of all levels together; 0: none
} GameStart;

/// The stream of a level.
static inline TrnStream *far_stream_of(const Game *game, uint32_t level)
{
    return game->far_view->levels[level].stream;
}

static inline double game_clock(void *user)
{
    Game *game = user;
    return atomic_fetch_add(&game->now_us, game->tick_us) + game->tick_us;
}

static inline bool game_fails(Game *game)
{
    const uint32_t every = atomic_load(&game->fail_every);
    return every && (atomic_fetch_add(&game->calls, 1) + 1) % every == 0;
}

// ---- hooks -------------------------------------------------------------------------------------

/// Hills whose height is a function of the column, at any level.
static inline TrnResult game_generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                      bool *uniform)
{
    Game *game = user;
    const int64_t size = INT64_C(1) << level, bottom = (int64_t)coord.y * TRN_CHUNK_EDGE * size;
    if (game->generating) {
        game->generating();
    }
    if (game_fails(game) || (game->fails_beyond && (int64_t)coord.x * size >= game->fails_beyond)) {
        return TRN_RESULT_IO;
    }
    *uniform = bottom >= 64 || (bottom + TRN_CHUNK_EDGE * size <= 0 && !game->mixes_rock);
    if (*uniform) {
        blocks[0] = bottom < 0 ? 1 : TRN_BLOCK_AIR;
        return TRN_RESULT_OK;
    }
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const int64_t x = ((int64_t)coord.x * TRN_CHUNK_EDGE + (i & 31)) * size,
                      z = ((int64_t)coord.z * TRN_CHUNK_EDGE + (i >> 5 & 31)) * size,
                      y = bottom + (i >> 10) * size;
        const TrnBlock rock = (TrnBlock)(1 + (game->mixes_rock && i % 3 == 0));
        blocks[i] = y < ((x >> 4 ^ z >> 5) & 63) ? rock : TRN_BLOCK_AIR;
    }
    return TRN_RESULT_OK;
}

static inline TrnResult game_mesh(void *user, const TrnStreamJob *job,
                                  const TrnStreamMeshInput *input, TrnStreamMesh *mesh)
{
    (void)user;
    (void)job;
    const bool is_plain = trn_snapshot_is_uniform(input->around[TRN_AROUND_CENTRE]);
    mesh->bytes = is_plain ? 0 : 256;
    mesh->mesh = is_plain ? NULL : malloc(mesh->bytes);
    return is_plain || mesh->mesh ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

static inline void game_drop_mesh(void *user, TrnStreamMesh mesh)
{
    (void)user;
    free(mesh.mesh);
}

/// @param user  the GameLevel, as of the other hooks on the calling thread
static inline TrnResult game_upload(void *user, TrnChunk *chunk, TrnStreamMesh *mesh)
{
    GameLevel *level = user;
    (void)mesh;
    if (game_fails(level->game)) {
        return TRN_RESULT_FULL;
    }
    level->uploads++;
    ((GameChunk *)trn_chunk_user(chunk))->is_uploaded = 1;
    return TRN_RESULT_OK;
}

static inline void game_unload(void *user, TrnChunk *chunk)
{
    GameLevel *level = user;
    TrnCoordEntry *entry = trn_coord_map_find(&level->drawn, chunk->coord);
    if (entry) {
        trn_coord_map_remove(&level->drawn, entry);
    }
}

static inline TrnResult game_save(void *user, const TrnStreamJob *job, TrnSnapshot voxels)
{
    Game *game = user;
    (void)voxels;
    atomic_fetch_add(&game->saved, 1);
    atomic_fetch_add(&game->wrong_levels, job->level == 0 || job->level > TRN_FAR_LEVEL_MAX);
    return TRN_RESULT_OK;
}

static inline void game_draw(void *user, uint32_t level, TrnChunk *chunk, bool is_drawn)
{
    Game *game = user;
    TrnCoordMap *map = &game->levels[level].drawn;
    TrnCoordEntry *entry = trn_coord_map_find(map, chunk->coord);
    assert_int_equal(entry != NULL, !is_drawn); // each change is told once
    if (entry) {
        trn_coord_map_remove(map, entry);
    } else {
        const TrnAllocator allocator = trn_allocator_default();
        assert_int_equal(trn_coord_map_reserve(map, &allocator, 1), TRN_RESULT_OK);
        trn_coord_map_add(map, chunk->coord);
        assert_true(((GameChunk *)trn_chunk_user(chunk))->is_uploaded); // there is a mesh to draw
    }
    const int32_t told[] = {(int32_t)level, chunk->coord.x, chunk->coord.y, chunk->coord.z,
                            is_drawn};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        game->hash = (game->hash ^ (uint32_t)told[i]) * UINT64_C(0x100000001B3);
    }
    game->draws++;
}

// ---- creation ----------------------------------------------------------------------------------

static inline TrnGenerator game_generator(Game *game)
{
    return (TrnGenerator){.generate = game_generate, .user = game, .level_max = 4};
}

static inline TrnStoreDef game_store_def(const Game *game)
{
    TrnStoreDef def = trn_store_def();
    def.user_bytes = sizeof(GameChunk);
    def.allocator = &game->allocator;
    return def;
}

/// All chunks are uploaded, air too, so that the game knows which are ready.
static inline TrnFarDef game_far_def(Game *game)
{
    TrnFarDef def = trn_far_def();
    def.stream = game->stream;
    def.view = (TrnFarView){.levels = 2, .radius_chunks = 3, .height_chunks = 2};
    def.generator = game_generator(game);
    def.hooks = (TrnStreamHooks){.mesh = game_mesh,
                                 .upload = game_upload,
                                 .drop_mesh = game_drop_mesh,
                                 .unload = game_unload};
    for (uint32_t level = 1; level <= TRN_FAR_LEVEL_MAX; level++) {
        def.users[level] = &game->levels[level];
    }
    def.store = game_store_def(game);
    def.store.reader_max = 1; // the far view adds what workers need
    def.source = game->source;
    def.mesh_air = true;
    def.light = game->light;
    def.draw = game_draw;
    def.draw_user = game;
    def.clock_us = game_clock;
    def.clock_user = game;
    def.allocator = &game->allocator;
    return def;
}

static inline Game *game_create_as(const GameStart *start)
{
    Game *game = calloc(1, sizeof *game);
    assert_non_null(game);
    game->allocator = test_allocator(&game->memory);
    for (uint32_t level = 0; level <= TRN_FAR_LEVEL_MAX; level++) {
        game->levels[level] = (GameLevel){.game = game, .level = level};
    }
    const TrnStoreDef store = game_store_def(game);
    assert_int_equal(trn_store_create(&store, &game->store), TRN_RESULT_OK);
    TrnStreamDef def = trn_stream_def();
    def.store = game->store;
    def.generator = game_generator(game);
    def.hooks = (TrnStreamHooks){.mesh = game_mesh,
                                 .upload = game_upload,
                                 .drop_mesh = game_drop_mesh,
                                 .unload = game_unload,
                                 .user = &game->levels[0]};
    game->source = start->source ? *start->source : game->source;
    game->light = start->light;
    def.source = game->source;
    def.workers = start->workers;
    def.light = start->light;
    def.bytes_max = start->bytes_max;
    def.worker_nice = 0;
    def.mesh_air = true;
    def.clock_us = game_clock;
    def.clock_user = game;
    def.allocator = &game->allocator;
    assert_int_equal(trn_stream_create(&def, &game->stream), TRN_RESULT_OK);
    game->anchor = trn_stream_anchor();
    game->anchor.position.chunk = start->chunk;
    game->anchor.radius_chunks = 3;
    game->anchor.height_chunks = 2;
    assert_int_equal(trn_stream_anchor_add(game->stream, &game->anchor, &game->id), TRN_RESULT_OK);
    return game;
}

/// @param source  of all levels; NULL: none
static inline Game *game_create_from(uint32_t workers, TrnCoord chunk,
                                     const TrnStreamSource *source)
{
    const GameStart start = {.workers = workers, .chunk = chunk, .source = source};
    return game_create_as(&start);
}

static inline Game *game_create(uint32_t workers, TrnCoord chunk)
{
    return game_create_from(workers, chunk, NULL);
}

static inline void game_open_far(Game *game)
{
    const TrnFarDef def = game_far_def(game);
    assert_int_equal(trn_far_create(&def, &game->far_view), TRN_RESULT_OK);
}

/// Ends the far view; a new one tells again what is drawn of level 0.
static inline void game_close_far(Game *game)
{
    trn_far_destroy(game->far_view);
    game->far_view = NULL;
    const TrnAllocator allocator = trn_allocator_default();
    for (uint32_t level = 0; level <= TRN_FAR_LEVEL_MAX; level++) {
        assert_true(level == 0 || game->levels[level].drawn.count == 0); // all was taken back
        trn_coord_map_free(&game->levels[level].drawn, &allocator);
    }
    game->draws = 0;
}

static inline void game_destroy(Game *game)
{
    game_close_far(game);
    trn_stream_destroy(game->stream);
    trn_store_destroy(game->store);
    assert_int_equal(game->memory.live_blocks, 0);
    free(game);
}

// ---- updates -----------------------------------------------------------------------------------

/// @return whether all is at rest
static inline bool game_update(Game *game, uint32_t units)
{
    const TrnStreamBudget budget = {.units = units};
    TrnStreamReport near, far_report;
    atomic_fetch_add(&game->now_us, 16000);
    trn_stream_anchor_set(game->stream, game->id, &game->anchor);
    trn_stream_update(game->stream, &budget, &near);
    trn_far_update(game->far_view, &budget, &far_report);
    return near.is_idle && far_report.is_idle;
}

static inline void game_settle(Game *game)
{
    uint32_t updates = 0;
    while (!game_update(game, 64)) {
        if (++updates < 20000) {
            continue;
        }
        for (uint32_t level = 0; level <= trn_far_view(game->far_view).levels; level++) {
            const TrnStreamStats stats = trn_stream_stats(far_stream_of(game, level));
            print_message("  level %u: loaded %u of %u, %u queued, %u under way, %u failed, %u "
                          "shrunk, %zu of %zu bytes, store %zu meshes %zu stream %zu far %zu\n",
                          level, stats.loaded, stats.wanted, stats.queued, stats.under_way,
                          stats.failed, stats.shrunk_views, stats.total_bytes, stats.bytes_max,
                          stats.store_bytes, stats.mesh_bytes, stats.stream_bytes, stats.far_bytes);
        }
        fail_msg("the far view does not come to rest");
    }
}

// ---- checks ------------------------------------------------------------------------------------

static inline bool game_is_drawn(const Game *game, uint32_t level, TrnCoord coord)
{
    return trn_coord_map_find(&game->levels[level].drawn, coord) != NULL;
}

static inline bool game_is_ready(const Game *game, uint32_t level, TrnCoord coord)
{
    TrnChunk *chunk = trn_store_find(trn_far_store(game->far_view, level), coord);
    return chunk && ((GameChunk *)trn_chunk_user(chunk))->is_uploaded;
}

/// Checks that no part of a chunk's place is drawn twice, and that all of it is drawn if the chunk
/// is ready. @param is_hidden  a coarser chunk is drawn there @return whether all of it is drawn
static inline bool game_check_place(const Game *game, uint32_t level, TrnCoord coord,
                                    bool is_hidden)
{
    const bool is_drawn = game_is_drawn(game, level, coord);
    assert_false(is_drawn && is_hidden);
    assert_int_equal(is_drawn, trn_far_is_drawn(game->far_view, level, coord));
    bool is_whole = level > 0;
    for (int32_t i = 0; level && i < 8; i++) {
        const TrnCoord child = {coord.x * 2 + (i & 1), coord.y * 2 + (i >> 2),
                                coord.z * 2 + (i >> 1 & 1)};
        is_whole &= game_check_place(game, level - 1, child, is_hidden || is_drawn);
    }
    is_whole |= is_hidden || is_drawn;
    assert_true(is_whole || !game_is_ready(game, level, coord));
    return is_whole;
}

/// The same for all places where any chunk is loaded.
static inline void game_check(const Game *game)
{
    const uint32_t top = trn_far_view(game->far_view).levels;
    const TrnAllocator allocator = trn_allocator_default();
    const TrnBox all = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}};
    TrnCoordMap seen = {0};
    for (uint32_t level = 0; level <= top; level++) {
        TrnChunk *chunks[4096];
        const size_t count =
            trn_store_gather(trn_far_store(game->far_view, level), all, chunks, 4096);
        assert_true(count <= 4096);
        for (size_t i = 0; i < count; i++) {
            const uint32_t up = top - level;
            const TrnCoord coord = {chunks[i]->coord.x >> up, chunks[i]->coord.y >> up,
                                    chunks[i]->coord.z >> up};
            if (!trn_coord_map_find(&seen, coord)) {
                assert_int_equal(trn_coord_map_reserve(&seen, &allocator, 1), TRN_RESULT_OK);
                trn_coord_map_add(&seen, coord);
                (void)game_check_place(game, top, coord, false);
            }
        }
    }
    trn_coord_map_free(&seen, &allocator);
    const TrnFarStats stats = trn_far_stats(game->far_view);
    for (uint32_t level = 0; level <= top; level++) {
        assert_int_equal(stats.level[level].drawn, game->levels[level].drawn.count);
    }
    assert_true(stats.draws >= game->draws); // chunks that were unloaded are not told
}

/// Checks a far view at rest: every place in the coarsest level's ball is drawn once.
static inline void game_check_rest(const Game *game)
{
    game_check(game);
    const TrnFarView view = trn_far_view(game->far_view);
    const uint32_t top = view.levels;
    const int32_t radius = (int32_t)(view.last_radius_chunks ? view.last_radius_chunks
                                     : view.radius_chunks    ? view.radius_chunks
                                                             : game->anchor.radius_chunks),
                  height = (int32_t)(view.height_chunks ? view.height_chunks
                                                        : game->anchor.height_chunks);
    const TrnCoord at = game->anchor.position.chunk;
    for (int32_t i = 0; i < (2 * radius + 1) * (2 * radius + 1) * (2 * height + 1); i++) {
        const int32_t x = i % (2 * radius + 1) - radius,
                      z = i / (2 * radius + 1) % (2 * radius + 1) - radius,
                      y = i / (2 * radius + 1) / (2 * radius + 1) - height;
        const int64_t coord[3] = {((int64_t)at.x >> top) + x, ((int64_t)at.y >> top) + y,
                                  ((int64_t)at.z >> top) + z};
        bool is_inside = (x * x + z * z) * height * height + y * y * radius * radius <=
                         radius * radius * height * height;
        for (int axis = 0; axis < 3; axis++) {
            is_inside &= coord[axis] >= INT32_MIN >> top && coord[axis] <= INT32_MAX >> top;
        }
        const TrnCoord place = {(int32_t)coord[0], (int32_t)coord[1], (int32_t)coord[2]};
        assert_true(!is_inside || game_check_place(game, top, place, false));
    }
}
