// Random ticks: draws voxels of chunks near anchors, and offers them to the game.

#include <terrane/ticks.h>

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/zone.h"
#include "store/store_internal.h"
#include "voxels/voxel_read_internal.h"

#define TICKS_AHEAD 8u ///< chunks ahead whose palettes are prefetched

TRN_ARRAY_DECLARE(TicksChunks, TrnChunk *);

struct TrnTicks {
    TrnStore *store;
    TrnAllocator allocator; ///< the store's, for attached code
    TrnTicksDef def;
    TicksChunks near;    ///< scratch: chunks near the anchors, then those that tick
    uint32_t types_seen; ///< types that are in `bits`, if they tick
    bool is_stepping;
    uint32_t bits[TRN_BLOCK_BITS_WORDS]; ///< types that tick
};

// ---- create and destroy ------------------------------------------------------------------------

TrnTicksDef trn_ticks_def(void)
{
    return (TrnTicksDef){.per_chunk = 3, .radius_chunks = 8, .height_chunks = 4};
}

TrnResult trn_ticks_create(TrnStore *store, const TrnTicksDef *def, TrnTicks **ticks)
{
    if (!store || !def || !ticks || !def->tick || def->per_chunk < 1 ||
        def->per_chunk > TRN_TICKS_PER_CHUNK_MAX || def->radius_chunks > TRN_TICKS_RADIUS_MAX ||
        def->height_chunks > TRN_TICKS_RADIUS_MAX) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    trn_store_refusal_clear(trn_store_refusal(store));
    const TrnAllocator allocator = trn_store_attached_allocator(store);
    TrnTicks *made = trn_take(&allocator, sizeof *made, alignof(TrnTicks));
    if (!made) {
        return trn_store_result(store, TRN_RESULT_NO_MEMORY);
    }
    memset(made, 0, sizeof *made);
    made->store = store;
    made->allocator = allocator;
    made->def = *def;
    *ticks = made;
    return TRN_RESULT_OK;
}

void trn_ticks_destroy(TrnTicks *ticks)
{
    if (ticks) {
        TRN_ASSERT(!ticks->is_stepping);
        const TrnAllocator allocator = ticks->allocator;
        trn_array_free(&ticks->near, &allocator); // NOLINT(bugprone-sizeof-expression): pointers
        trn_give(&allocator, ticks, sizeof *ticks);
    }
}

// ---- chunks that tick --------------------------------------------------------------------------

/// Adds the types that were registered since the last step.
static void ticks_classify(TrnTicks *ticks)
{
    uint32_t count;
    const TrnBlockType *types = trn_block_types_all(trn_store_block_types(ticks->store), &count);
    for (; ticks->types_seen < count; ticks->types_seen++) {
        const uint32_t id = ticks->types_seen;
        ticks->bits[id / 32] |= (uint32_t)types[id].ticks << id % 32;
    }
}

/// Whether a chunk may hold a block that ticks.
static bool ticks_has_chunk(const TrnTicks *ticks, const TrnChunk *chunk)
{
    return trn_snapshot_may_hold(trn_voxels_snapshot(&chunk->voxels), ticks->bits);
}

/// Prefetches the headers and payloads of chunks that come next.
static void ticks_prefetch(const TicksChunks *near, uint32_t at)
{
    if (at + 2 * TICKS_AHEAD < near->count) {
        __builtin_prefetch(near->items[at + 2 * TICKS_AHEAD]);
    }
    if (at + TICKS_AHEAD < near->count) {
        trn_snapshot_prefetch(trn_voxels_snapshot(&near->items[at + TICKS_AHEAD]->voxels));
    }
}

static int ticks_compare(const void *a, const void *b)
{
    const TrnCoord left = (*(const TrnChunk *const *)a)->coord;
    const TrnCoord right = (*(const TrnChunk *const *)b)->coord;
    if (left.y != right.y) {
        return left.y < right.y ? -1 : 1;
    }
    if (left.z != right.z) {
        return left.z < right.z ? -1 : 1;
    }
    return (left.x > right.x) - (left.x < right.x);
}

/// Keeps the chunks of this store's own that tick, in the order of their coordinates.
static void ticks_keep_ticking(TrnTicks *ticks, TrnTicksOutcome *outcome)
{
    TicksChunks *near = &ticks->near;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < near->count; i++) {
        ticks_prefetch(near, i);
        if (ticks_has_chunk(ticks, near->items[i]) &&
            trn_store_owns(ticks->store, near->items[i]->coord)) {
            near->items[kept++] = near->items[i];
        }
    }
    if (kept > 0) {
        // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers
        qsort(near->items, kept, sizeof *near->items, ticks_compare);
    }
    near->count = kept;
    outcome->ticked_chunks = kept;
}

/// Whether a chunk lies near one of some anchors.
static bool ticks_is_near(const TrnTicks *ticks, TrnCoord coord, const TrnCoord *anchors,
                          size_t count)
{
    const int32_t radius = (int32_t)ticks->def.radius_chunks;
    const int32_t height = (int32_t)ticks->def.height_chunks;
    for (size_t i = 0; i < count; i++) {
        if (trn_box_contains(trn_box_around(anchors[i], radius, height, radius), coord)) {
            return true;
        }
    }
    return false;
}

/// Adds the chunks near one anchor that are not near those before it. Errors: NO_MEMORY.
/// @param anchors  [at + 1]
static TrnResult ticks_gather_near(TrnTicks *ticks, const TrnCoord *anchors, size_t at)
{
    const int32_t radius = (int32_t)ticks->def.radius_chunks;
    const int32_t height = (int32_t)ticks->def.height_chunks;
    const TrnBox box = trn_box_around(anchors[at], radius, height, radius);
    TicksChunks *near = &ticks->near;
    TrnChunk **first = near->items ? near->items + near->count : NULL;
    const size_t room = near->capacity - near->count;
    const size_t wanted = near->count + trn_store_gather(ticks->store, box, first, room);
    if (wanted > near->capacity) {
        // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers
        if (trn_array_reserve(near, &ticks->allocator, wanted) != TRN_RESULT_OK) {
            return TRN_RESULT_NO_MEMORY;
        }
        (void)trn_store_gather(ticks->store, box, near->items + near->count, wanted - near->count);
    }
    for (size_t i = near->count; i < wanted; i++) {
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): an array with capacity has items
        if (!ticks_is_near(ticks, near->items[i]->coord, anchors, at)) {
            near->items[near->count++] = near->items[i];
        }
    }
    return TRN_RESULT_OK;
}

/// Collects the chunks near the anchors. Errors: NO_MEMORY.
static TrnResult ticks_gather(TrnTicks *ticks, const TrnCoord *anchors, size_t count,
                              TrnTicksOutcome *outcome)
{
    TrnResult result = TRN_RESULT_OK;
    ticks->near.count = 0;
    for (size_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        result = ticks_gather_near(ticks, anchors, i);
    }
    outcome->chunks = ticks->near.count;
    return result;
}

// ---- draw --------------------------------------------------------------------------------------

/// A random number for one draw of one chunk in one step.
static uint64_t ticks_draw(const TrnTicks *ticks, uint64_t step, TrnCoord coord, uint32_t draw)
{
    const uint64_t chunk = trn_coord_hash64(coord, ticks->def.seed ^ TRN_HASH_B);
    const uint64_t mixed = trn_hash_fold(chunk + draw * TRN_HASH_A, step * TRN_HASH_B ^ chunk);
    return trn_hash_fold(mixed ^ TRN_HASH_B, TRN_HASH_A); // once left neighbouring steps alike
}

/// Offers one voxel, if its type ticks.
static TrnResult ticks_offer(const TrnTicks *ticks, TrnBatch *batch, TrnVoxel voxel,
                             uint64_t random, TrnTicksOutcome *outcome)
{
    TrnTick tick = {.voxel = voxel, .random = random};
    const TrnResult result = trn_batch_get(batch, voxel, &tick.block);
    if (result != TRN_RESULT_OK || !(ticks->bits[tick.block / 32] >> tick.block % 32 & 1)) {
        return result;
    }
    outcome->offered++;
    return ticks->def.tick(ticks->def.user, batch, &tick);
}

static TrnResult ticks_offer_chunk(const TrnTicks *ticks, TrnBatch *batch, uint64_t step,
                                   TrnCoord coord, TrnTicksOutcome *outcome)
{
    const TrnVoxel base = trn_coord_voxel(coord);
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < ticks->def.per_chunk && result == TRN_RESULT_OK; i++) {
        const uint64_t random = ticks_draw(ticks, step, coord, i);
        const uint32_t index = (uint32_t)(random >> 32) % TRN_CHUNK_VOXELS;
        const uint32_t mask = TRN_CHUNK_EDGE - 1;
        const TrnVoxel voxel = {base.x + (index & mask), base.y + (index >> (2 * TRN_CHUNK_SHIFT)),
                                base.z + (index >> TRN_CHUNK_SHIFT & mask)};
        result = ticks_offer(ticks, batch, voxel, trn_hash_fold(random ^ TRN_HASH_A, TRN_HASH_B),
                             outcome);
    }
    return result;
}

/// Offers the voxels of all chunks that tick.
static TrnResult ticks_offer_all(TrnTicks *ticks, uint64_t step, TrnTicksOutcome *outcome)
{
    TrnBatch *batch;
    TrnResult result =
        ticks->near.count > 0 ? trn_batch_begin(ticks->store, NULL, &batch) : TRN_RESULT_OK;
    if (ticks->near.count == 0 || result != TRN_RESULT_OK) {
        return result;
    }
    ticks->is_stepping = true;
    for (uint32_t i = 0; i < ticks->near.count && result == TRN_RESULT_OK; i++) {
        result = ticks_offer_chunk(ticks, batch, step, ticks->near.items[i]->coord, outcome);
    }
    ticks->is_stepping = false;
    if (result != TRN_RESULT_OK) {
        trn_batch_cancel(batch);
        return result;
    }
    trn_store_set_self_moved(ticks->store, true);
    result = trn_batch_commit(batch, &outcome->batch);
    trn_store_set_self_moved(ticks->store, false);
    return result;
}

TrnResult trn_ticks_step(TrnTicks *ticks, uint64_t step, const TrnCoord *anchors, size_t count,
                         TrnTicksOutcome *outcome)
{
    TRN_ZONE("random ticks");
    TrnTicksOutcome own = {0};
    if (ticks->is_stepping || (count > 0 && !anchors)) {
        return ticks->is_stepping ? TRN_RESULT_BUSY : TRN_RESULT_BAD_ARGUMENT;
    }
    trn_store_refusal_clear(trn_store_refusal(ticks->store));
    ticks_classify(ticks);
    TrnResult result = ticks_gather(ticks, anchors, count, &own);
    if (result != TRN_RESULT_OK) {
        return trn_store_result(ticks->store, result);
    }
    ticks_keep_ticking(ticks, &own);
    result = ticks_offer_all(ticks, step, &own);
    if (outcome && result == TRN_RESULT_OK) {
        *outcome = own;
    }
    return result;
}
