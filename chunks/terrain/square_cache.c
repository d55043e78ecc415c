// The cache of squares: each column has one slot, by the lowest bits of its coordinates, so that
// neighbours never share one if there are several. A slot counts its readers. A writer takes a slot
// only if it has no reader. No thread waits: a slot that another thread uses is a miss.

#include "terrain/square_cache.h"

#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"

/// Columns in the cache of columns for each square.
#define SQUARE_COLUMNS 8

/// Squares along an edge of the cache, at most.
#define SQUARE_EDGE_MAX 64

/// `users` of a slot that is being written.
#define SQUARE_WRITER (-1)

/// Points that a chunk's edge spans, and those that adjacent lattices share along an edge.
#define SQUARE_STEP (TRN_CHUNK_EDGE / TRN_LAND_STEP)
#define SQUARE_SHARED (TRN_LAND_SQUARE_POINTS - SQUARE_STEP)

#define SQUARE_POINTS ((size_t)TRN_LAND_SQUARE_POINTS * TRN_LAND_SQUARE_POINTS)

typedef struct SquareSlot {
    _Atomic int32_t users; ///< readers, or SQUARE_WRITER
    bool is_filled;
    TrnCoord coord;
    float noises[TRN_LAND_LATTICE_COUNT][SQUARE_POINTS];
} SquareSlot;

typedef struct TrnSquareCache {
    uint32_t edge; ///< slots along an edge: a power of two
    _Atomic uint64_t hits;
    SquareSlot slots[]; ///< [edge][edge]
} TrnSquareCache;

static size_t square_bytes(uint32_t edge)
{
    return sizeof(TrnSquareCache) + (size_t)edge * edge * sizeof(SquareSlot);
}

static SquareSlot *square_slot(TrnSquareCache *cache, TrnCoord coord)
{
    const uint32_t mask = cache->edge - 1;
    return &cache->slots[(size_t)((uint32_t)coord.z & mask) * cache->edge +
                         ((uint32_t)coord.x & mask)];
}

/// Becomes a reader of a slot, if it has a column.
static bool square_acquire(SquareSlot *slot, TrnCoord coord)
{
    int32_t users = atomic_load_explicit(&slot->users, memory_order_relaxed);
    while (users != SQUARE_WRITER) {
        if (!atomic_compare_exchange_weak_explicit(&slot->users, &users, users + 1,
                                                   memory_order_acquire, memory_order_relaxed)) {
            continue;
        }
        if (slot->is_filled && trn_coord_equal(slot->coord, coord)) {
            return true;
        }
        atomic_fetch_sub_explicit(&slot->users, 1, memory_order_release);
        return false;
    }
    return false;
}

/// Copies the points of a patch from the square of an adjacent column.
/// @param by  columns to it, by axis
static void square_copy(const SquareSlot *slot, const TrnLandPatch *patch, const int32_t by[2],
                        const TrnLandLattice *lattice)
{
    const int32_t moved = -(by[1] * TRN_LAND_SQUARE_POINTS + by[0]) * SQUARE_STEP;
    const size_t wide = patch->end[0] - patch->first[0];
    for (int noise = 0; noise < TRN_LAND_LATTICE_COUNT; noise++) {
        for (uint32_t z = patch->first[1]; z < patch->end[1]; z++) {
            const int32_t to = (int32_t)(z * TRN_LAND_SQUARE_POINTS + patch->first[0]);
            memcpy(lattice->noises[noise] + to, slot->noises[noise] + to + moved,
                   wide * sizeof(float));
        }
    }
}

/// Copies what the square of an adjacent column has.
/// @return whether it is kept
static bool square_read(TrnSquareCache *cache, TrnCoord coord, const int32_t by[2],
                        const TrnLandPatch *patch, const TrnLandLattice *lattice)
{
    const TrnCoord near = trn_coord_add(coord, by[0], 0, by[1]);
    const bool is_adjacent = (int64_t)near.x - coord.x == by[0] && // not across the world's end
                             (int64_t)near.z - coord.z == by[1];
    SquareSlot *slot = square_slot(cache, near);
    if (!is_adjacent || !square_acquire(slot, near)) {
        return false;
    }
    square_copy(slot, patch, by, lattice);
    atomic_fetch_sub_explicit(&slot->users, 1, memory_order_release);
    atomic_fetch_add_explicit(&cache->hits, 1, memory_order_relaxed);
    return true;
}

TrnLandPatch trn_squares_read(const TrnTerrain *terrain, TrnCoord coord,
                              const TrnLandLattice *lattice)
{
    const uint32_t points = TRN_LAND_SQUARE_POINTS;
    TrnLandPatch missing = {{0, 0}, {points, points}};
    for (int axis = 0; axis < 2; axis++) {
        for (int32_t side = -1; side <= 1; side += 2) {
            const int32_t by[2] = {axis == 0 ? side : 0, axis == 1 ? side : 0};
            TrnLandPatch patch = {{0, 0}, {points, points}};
            patch.first[axis] = side < 0 ? 0 : points - SQUARE_SHARED;
            patch.end[axis] = side < 0 ? SQUARE_SHARED : points;
            if (square_read(terrain->squares, coord, by, &patch, lattice)) {
                missing.first[axis] = side < 0 ? SQUARE_SHARED : missing.first[axis];
                missing.end[axis] = side < 0 ? missing.end[axis] : points - SQUARE_SHARED;
            }
        }
    }
    return missing;
}

void trn_squares_write(const TrnTerrain *terrain, TrnCoord coord, const TrnLandLattice *lattice)
{
    SquareSlot *slot = square_slot(terrain->squares, coord);
    int32_t none = 0;
    if (!atomic_compare_exchange_strong_explicit(&slot->users, &none, SQUARE_WRITER,
                                                 memory_order_acquire, memory_order_relaxed)) {
        return;
    }
    slot->coord = coord;
    slot->is_filled = true;
    for (int noise = 0; noise < TRN_LAND_LATTICE_COUNT; noise++) {
        memcpy(slot->noises[noise], lattice->noises[noise], SQUARE_POINTS * sizeof(float));
    }
    atomic_store_explicit(&slot->users, 0, memory_order_release);
}

uint64_t trn_squares_hits(const TrnTerrain *terrain)
{
    return atomic_load_explicit(&terrain->squares->hits, memory_order_relaxed);
}

TrnResult trn_square_cache_create(TrnTerrain *terrain, uint32_t column_max)
{
    uint32_t edge = 1;
    while (edge < SQUARE_EDGE_MAX && edge * edge * SQUARE_COLUMNS < column_max) {
        edge *= 2;
    }
    TrnSquareCache *cache = trn_take(&terrain->allocator, square_bytes(edge), TRN_CACHE_LINE);
    if (!cache) {
        return TRN_RESULT_NO_MEMORY;
    }
    cache->edge = edge;
    atomic_init(&cache->hits, 0);
    for (size_t i = 0; i < (size_t)edge * edge; i++) {
        atomic_init(&cache->slots[i].users, 0);
        cache->slots[i].is_filled = false;
    }
    terrain->squares = cache;
    return TRN_RESULT_OK;
}

void trn_square_cache_destroy(TrnTerrain *terrain)
{
    if (terrain->squares) {
        trn_give(&terrain->allocator, terrain->squares, square_bytes(terrain->squares->edge));
    }
}
