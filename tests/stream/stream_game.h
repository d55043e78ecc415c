/// Shared by the tests of streams: a world that is a function of the coordinate, meshes that are
/// hashes of what they were built from, and hooks that count calls, and fail or block on demand.
#pragma once

#include <stdatomic.h>

#include "testing.h"

#include <terrane/batch.h>
#include <terrane/store.h>
#include <terrane/stream.h>

/// A mesh: what it was built from.
typedef struct GameMesh {
    uint64_t hash;
    TrnCoord coord;
    bool is_shown;
} GameMesh;

/// A save of one chunk.
typedef struct GameSave {
    TrnCoord coord;
    uint64_t hash;
    TrnBlock *blocks; ///< [TRN_CHUNK_VOXELS]
} GameSave;

typedef struct Game {
    TrnStore *store;
    TrnStream *stream;
    TestAllocator memory;     ///< of store and stream
    _Atomic(bool) is_starved; ///< every allocation fails
    double now_us;            ///< of game_clock
    double cost_us;           ///< added to now_us by generate on the calling thread
    // Hooks. Counters may be changed on any thread.
    _Atomic(uint32_t) generated, loaded, meshed, saved_on_workers, cancelled_seen;
    _Atomic(int32_t) live_meshes;
    _Atomic(size_t) live_mesh_bytes;
    _Atomic(uint32_t) running;    ///< hooks running now
    _Atomic(bool) is_held;        ///< generate blocks while set, unless cancelled
    _Atomic(uint32_t) fail_every; ///< every n-th generate fails; 0: none
    _Atomic(uint32_t) calls;
    TrnResult mesh_result, upload_result; ///< returned by those hooks
    _Atomic(TrnResult) save_result;       ///< workers save
    bool is_solid;                        ///< no chunk is uniform
    size_t mesh_bytes;                    ///< of every mesh; 0: depends on its content
    uint32_t uploaded, unloaded, uploads_of_update;
    TrnCoord order[4096]; ///< of generate, with at most one worker
    uint32_t order_count;
    _Atomic(uint32_t) saving; ///< lock of the saves; 32 bits: fewer need libatomic on RISC-V
    GameSave saves[256];
    uint32_t save_count;
    uint32_t events[8]; ///< by kind
    TrnStreamEvent last_event;
} Game;

static inline uint64_t game_mix(uint64_t a, uint64_t b)
{
    uint64_t z = a + 0x9E3779B97F4A7C15u + b;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint64_t game_coord_hash(TrnCoord coord)
{
    return game_mix(game_mix((uint32_t)coord.x, (uint32_t)coord.y), (uint32_t)coord.z);
}

/// Air above, stone below, and between them a floor with something on it.
static inline void game_blocks(const Game *game, TrnCoord coord, TrnBlock *blocks, bool *uniform)
{
    if (!game->is_solid && coord.y != 0) {
        blocks[0] = coord.y > 0 ? TRN_BLOCK_AIR : 1;
        *uniform = true;
        return;
    }
    memset(blocks, 0, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    for (uint32_t i = 0; i < 8192; i++) {
        blocks[i] = 1;
    }
    TestRandom random = {game_coord_hash(coord)};
    for (uint32_t i = 0; i < 40; i++) {
        blocks[8192 + test_random_next(&random) % 2048] =
            (TrnBlock)(1 + test_random_next(&random) % 6);
    }
    *uniform = false;
}

static inline TrnResult game_generate(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                      bool *uniform)
{
    Game *game = user;
    const uint32_t call = atomic_fetch_add(&game->calls, 1) + 1;
    atomic_fetch_add(&game->running, 1);
    while (atomic_load(&game->is_held)) {
        if (trn_stream_job_is_cancelled(job)) {
            atomic_fetch_add(&game->cancelled_seen, 1);
            break;
        }
    }
    const uint32_t number = atomic_fetch_add(&game->generated, 1);
    if (job->worker == 0 && number < 4096) {
        game->order[number] = job->coord;
        game->order_count = number + 1;
    }
    if (game->cost_us > 0) {
        game->now_us += game->cost_us;
    }
    atomic_fetch_sub(&game->running, 1);
    const uint32_t fails = atomic_load(&game->fail_every);
    if (fails && call % fails == 0) {
        return TRN_RESULT_CORRUPT;
    }
    game_blocks(game, job->coord, blocks, uniform);
    return TRN_RESULT_OK;
}

static inline void game_lock_saves(Game *game)
{
    while (atomic_exchange(&game->saving, 1)) {
    }
}

static inline void game_unlock_saves(Game *game)
{
    atomic_store(&game->saving, 0);
}

static inline TrnResult game_load(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                  bool *uniform)
{
    Game *game = user;
    (void)uniform;
    TrnResult result = TRN_RESULT_NOT_FOUND;
    game_lock_saves(game);
    for (uint32_t i = 0; i < game->save_count; i++) {
        if (trn_coord_equal(game->saves[i].coord, job->coord)) {
            memcpy(blocks, game->saves[i].blocks, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
            atomic_fetch_add(&game->loaded, 1);
            result = TRN_RESULT_OK;
        }
    }
    game_unlock_saves(game);
    return result;
}

static inline TrnResult game_save(void *user, const TrnStreamJob *job, TrnSnapshot voxels)
{
    Game *game = user;
    atomic_fetch_add(&game->cancelled_seen, trn_stream_job_is_cancelled(job));
    const TrnResult result = atomic_load(&game->save_result);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    atomic_fetch_add(&game->saved_on_workers, job->worker != 0);
    game_lock_saves(game);
    uint32_t place = 0;
    while (place < game->save_count && !trn_coord_equal(game->saves[place].coord, job->coord)) {
        place++;
    }
    if (place < 256) {
        GameSave *save = &game->saves[place];
        if (place == game->save_count) {
            save->blocks = malloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
            save->coord = job->coord;
            game->save_count++;
        }
        trn_snapshot_decode(voxels, save->blocks);
        save->hash = trn_snapshot_hash(voxels);
    }
    game_unlock_saves(game);
    return place < 256 ? TRN_RESULT_OK : TRN_RESULT_FULL;
}

/// Hashes a neighbour's voxels at a chunk's border.
static inline uint64_t game_border_hash(TrnSnapshot neighbour, uint32_t place)
{
    const uint32_t step[3] = {place % 3, place / 9, place / 3 % 3}; // 0: before, 2: after
    uint32_t min[3], size[3];
    for (int axis = 0; axis < 3; axis++) {
        min[axis] = step[axis] == 0 ? 31 : 0;
        size[axis] = step[axis] == 1 ? 32 : 1;
    }
    uint64_t hash = place;
    for (uint32_t y = 0; y < size[1]; y++) {
        for (uint32_t z = 0; z < size[2]; z++) {
            for (uint32_t x = 0; x < size[0]; x++) {
                const uint32_t at = trn_local_index(min[0] + x, min[1] + y, min[2] + z);
                hash = hash * 31 + trn_snapshot_get(neighbour, at);
            }
        }
    }
    return hash;
}

/// Hashes the chunk and its 26 neighbours' voxels at its border: an outdated mesh has another hash.
static inline uint64_t game_mesh_hash(const TrnSnapshot around[27], uint32_t present)
{
    uint64_t hash = game_mix(present, trn_snapshot_hash(around[13]));
    for (uint32_t i = 0; i < 27; i++) {
        if (i != 13 && (present >> i & 1)) {
            hash = game_mix(hash, game_border_hash(around[i], i));
        }
    }
    return hash;
}

static inline TrnResult game_mesh(void *user, const TrnStreamJob *job,
                                  const TrnStreamMeshInput *input, TrnStreamMesh *mesh)
{
    Game *game = user;
    atomic_fetch_add(&game->meshed, 1);
    if (game->mesh_result != TRN_RESULT_OK) {
        return game->mesh_result;
    }
    GameMesh *made = malloc(sizeof *made);
    *made = (GameMesh){game_mesh_hash(input->around, input->present), job->coord, false};
    mesh->mesh = made;
    mesh->bytes = game->mesh_bytes ? game->mesh_bytes : 64 + made->hash % 4096;
    atomic_fetch_add(&game->live_meshes, 1);
    atomic_fetch_add(&game->live_mesh_bytes, mesh->bytes);
    return TRN_RESULT_OK;
}

static inline TrnResult game_upload(void *user, TrnChunk *chunk, TrnStreamMesh *mesh)
{
    Game *game = user;
    if (game->upload_result != TRN_RESULT_OK) {
        return game->upload_result;
    }
    GameMesh *made = mesh->mesh;
    assert_true(!made || trn_coord_equal(made->coord, chunk->coord));
    *(GameMesh **)trn_chunk_user(chunk) = made;
    game->uploaded++;
    game->uploads_of_update++;
    return TRN_RESULT_OK;
}

static inline void game_drop_mesh(void *user, TrnStreamMesh mesh)
{
    Game *game = user;
    assert_non_null(mesh.mesh);
    atomic_fetch_sub(&game->live_meshes, 1);
    atomic_fetch_sub(&game->live_mesh_bytes, mesh.bytes);
    free(mesh.mesh);
}

static inline void game_unload(void *user, TrnChunk *chunk)
{
    Game *game = user;
    assert_null(trn_store_find(game->store, chunk->coord)); // it is being removed
    game->unloaded++;
}

static inline double game_clock(void *user)
{
    Game *game = user;
    return game->now_us;
}

static inline void game_hear(void *user, const TrnStreamEvent *event)
{
    Game *game = user;
    game->events[event->kind]++;
    game->last_event = *event;
}

static inline void *game_alloc(size_t bytes, size_t alignment, void *user)
{
    Game *game = user;
    return game->is_starved ? NULL : counting_alloc(bytes, alignment, &game->memory);
}

static inline void game_free(void *memory, size_t bytes, void *user)
{
    Game *game = user;
    counting_free(memory, bytes, &game->memory);
}

static inline TrnAllocator game_allocator(Game *game)
{
    return (TrnAllocator){game_alloc, game_free, game};
}

/// Returns a def for a game, with a store and without save and load hooks.
static inline TrnStreamDef game_def(Game *game)
{
    *game = (Game){0};
    const TrnAllocator allocator = game_allocator(game);
    TrnStoreDef store = trn_store_def();
    store.user_bytes = sizeof(void *);
    store.hash_key = 1; // equal memory in equal games
    store.allocator = &allocator;
    assert_int_equal(trn_store_create(&store, &game->store), TRN_RESULT_OK);
    TrnStreamDef def = trn_stream_def();
    def.store = game->store;
    def.hooks = (TrnStreamHooks){.generate = game_generate,
                                 .mesh = game_mesh,
                                 .upload = game_upload,
                                 .drop_mesh = game_drop_mesh,
                                 .unload = game_unload,
                                 .user = game};
    def.workers = 0;
    def.worker_nice = 0; // tests run without pauses next to others: nice workers would starve
    def.budget = (TrnStreamBudget){.units = 64};
    def.listener = game_hear;
    def.listener_user = game;
    return def;
}

/// The allocator is a member of the game; the def's pointer is valid during the call alone.
static inline TrnResult game_try_create(Game *game, TrnStreamDef *def)
{
    const TrnAllocator allocator = game_allocator(game);
    def->allocator = &allocator;
    const TrnResult result = trn_stream_create(def, &game->stream);
    def->allocator = NULL;
    return result;
}

static inline void game_create(Game *game, TrnStreamDef *def)
{
    assert_int_equal(game_try_create(game, def), TRN_RESULT_OK);
}

static inline void game_end(Game *game)
{
    trn_stream_destroy(game->stream);
    assert_int_equal(atomic_load(&game->live_meshes), 0);
    assert_int_equal(atomic_load(&game->live_mesh_bytes), 0);
    trn_store_destroy(game->store);
    assert_int_equal(game->memory.live_bytes, 0);
    for (uint32_t i = 0; i < game->save_count; i++) {
        free(game->saves[i].blocks);
    }
}

static inline TrnStreamAnchor game_anchor(TrnCoord chunk, uint32_t radius, uint32_t height)
{
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.position.chunk = chunk;
    for (int axis = 0; axis < 3; axis++) {
        anchor.position.offset[axis] = 16;
    }
    anchor.radius_chunks = radius;
    anchor.height_chunks = height;
    return anchor;
}

static inline TrnStreamAnchorId game_add(Game *game, TrnStreamAnchor anchor)
{
    TrnStreamAnchorId id = {0, 0};
    assert_int_equal(trn_stream_anchor_add(game->stream, &anchor, &id), TRN_RESULT_OK);
    return id;
}

static inline TrnStreamReport game_update(Game *game)
{
    TrnStreamReport report = {0};
    game->uploads_of_update = 0;
    (void)trn_stream_update(game->stream, NULL, &report);
    return report;
}

/// Updates until the stream is idle, and checks that it has cells only for chunks in views. @return
/// the number of updates
static inline uint32_t game_settle(Game *game)
{
    for (uint32_t i = 1; i < 200000; i++) {
        if (i % 1024 == 0) {
            trn_stream_wait(game->stream); // for workers that the system has suspended
        }
        if (game_update(game).is_idle) {
            assert_int_equal(trn_chunk_index_stats(trn_stream_index(game->stream)).chunks,
                             trn_stream_stats(game->stream).wanted);
            return i;
        }
    }
    const TrnStreamStats stats = trn_stream_stats(game->stream);
    fail_msg(
        "the stream does not come to rest: %u queued, %u under way, %u unloading, %u failed, %u "
        "dissolving, %u shrunk, loaded "
        "%u of %u; memory failed at %zu",
        (unsigned)stats.queued, (unsigned)stats.under_way, (unsigned)stats.unloading,
        (unsigned)stats.failed, (unsigned)stats.dissolving, (unsigned)stats.shrunk_views,
        (unsigned)stats.loaded, (unsigned)stats.wanted, game->memory.fail_at);
    return 0;
}

/// Whether a chunk's mesh matches what it and its neighbours hold now.
static inline bool game_mesh_is_right(const Game *game, TrnChunk *chunk)
{
    const GameMesh *mesh = *(GameMesh **)trn_chunk_user(chunk);
    if (!mesh) {
        const TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
        return trn_snapshot_is_uniform(now) && trn_snapshot_uniform(now) == TRN_BLOCK_AIR;
    }
    TrnSnapshot around[27];
    const uint32_t present = trn_store_snapshot_around(game->store, chunk->coord, around);
    return mesh->hash == game_mesh_hash(around, present);
}

/// Hashes all voxels and meshes, independent of order.
static inline uint64_t game_hash(const Game *game)
{
    uint64_t hash = 0;
    const size_t count = trn_store_gather(game->store, trn_box_everything(), NULL, 0);
    TrnChunk **chunks = malloc((count + 1) * sizeof(void *));
    trn_store_gather(game->store, trn_box_everything(), chunks, count);
    for (size_t i = 0; i < count; i++) {
        const GameMesh *mesh = *(GameMesh **)trn_chunk_user(chunks[i]);
        const uint64_t voxels = trn_snapshot_hash(trn_voxels_snapshot(&chunks[i]->voxels));
        hash +=
            game_mix(game_coord_hash(chunks[i]->coord), game_mix(voxels, mesh ? mesh->hash : 0));
    }
    free(chunks);
    return hash;
}

/// Places a block at the corner of each chunk within some chunks of the origin, in one batch.
/// @return how many chunks changed
static inline uint32_t game_touch_corners(const Game *game, int32_t chunks, TrnBlock block)
{
    TrnBatch *batch;
    TrnBatchOutcome outcome;
    assert_int_equal(trn_batch_begin(game->store, NULL, &batch), TRN_RESULT_OK);
    for (int64_t z = -chunks; z <= chunks; z++) {
        for (int64_t x = -chunks; x <= chunks; x++) {
            const TrnVoxel corner = {32 * x, 3, 32 * z};
            trn_batch_fill_box(batch, (TrnVoxel){corner.x - 1, 3, corner.z - 1}, corner, block);
        }
    }
    assert_int_equal(trn_batch_commit(batch, &outcome), TRN_RESULT_OK);
    return outcome.changed_chunks;
}

/// Digs one block.
static inline void game_dig(const Game *game, TrnVoxel at, TrnBlock block)
{
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(game->store, NULL, &batch), TRN_RESULT_OK);
    trn_batch_set(batch, at, block);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
}
