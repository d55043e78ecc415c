/// A small world with debris: after every step its bits are compared with what readers of the
/// store see.
#pragma once

#include "testing.h"

#include <math.h>

#include "debris/debris.h"
#include "debris/debris_impl.h"

#define EVERYTHING 1000

// ---- scenes -------------------------------------------------------------------------------------

typedef struct Place {
    TrnStore *store;
    Debris *debris;
    TestAllocator memory; ///< of the debris alone
} Place;

static inline void place_begin(Place *place, uint32_t capacity)
{
    memset(place, 0, sizeof *place);
    assert_int_equal(trn_store_create(NULL, &place->store), TRN_RESULT_OK);
    const TrnAllocator allocator = test_allocator(&place->memory);
    DebrisDef def = debris_def(place->store);
    def.capacity = capacity;
    def.allocator = &allocator;
    assert_int_equal(debris_create(&def, &place->debris), TRN_RESULT_OK);
}

static inline void place_end(Place *place)
{
    debris_destroy(place->debris);
    assert_int_equal(place->memory.live_blocks, 0);
    trn_store_destroy(place->store);
}

static inline void put_chunk(const Place *place, TrnCoord coord, TrnBlock block)
{
    assert_int_equal(trn_store_insert_uniform(place->store, coord, block, NULL), TRN_RESULT_OK);
}

static inline TrnVoxel voxel_of(TrnCoord coord, int64_t x, int64_t y, int64_t z)
{
    const TrnVoxel low = trn_coord_voxel(coord);
    const TrnVoxel voxel = {low.x + x, low.y + y, low.z + z};
    return voxel;
}

static const TrnCoord home = {0, 0, 0};

/// Inserts nine chunks of air over nine of stone; home is the middle one of air.
static inline void put_flat(const Place *place)
{
    for (int32_t i = 0; i < 9; i++) {
        put_chunk(place, (TrnCoord){i % 3 - 1, 0, i / 3 - 1}, TRN_BLOCK_AIR);
        put_chunk(place, (TrnCoord){i % 3 - 1, -1, i / 3 - 1}, TRN_BLOCK_STONE);
    }
}

static inline void make_steps(const Place *place, uint32_t steps)
{
    for (uint32_t i = 0; i < steps; i++) {
        // Slightly more than one step, so that rounding never makes it zero steps.
        assert_int_equal(debris_step(place->debris, DEBRIS_STEP_SECONDS * 1.0000001), 1);
    }
}

// ---- invariants ---------------------------------------------------------------------------------

static inline bool is_solid_at(const Place *place, TrnVoxel voxel)
{
    TrnBlock block;
    if (trn_store_get_block(place->store, voxel, &block) != TRN_RESULT_OK) {
        return true; // not loaded
    }
    return trn_block_types_get(trn_store_block_types(place->store), block)->is_solid;
}

/// Returns the voxel of a bit's first or last unit along an axis.
static inline int64_t edge_voxel(const DebrisBit *bit, int axis, bool is_last)
{
    const int64_t low = bit->at[axis] - (axis == 1 ? 0 : bit->half);
    return (low + (is_last ? 2 * bit->half - 1 : 0)) >> DEBRIS_UNIT_SHIFT;
}

static inline void check_outside_solid(const Place *place, const DebrisBit *bit)
{
    for (int64_t y = edge_voxel(bit, 1, false); y <= edge_voxel(bit, 1, true); y++) {
        for (int64_t z = edge_voxel(bit, 2, false); z <= edge_voxel(bit, 2, true); z++) {
            for (int64_t x = edge_voxel(bit, 0, false); x <= edge_voxel(bit, 0, true); x++) {
                assert_false(is_solid_at(place, voxel_of(bit->cell->coord, x, y, z)));
            }
        }
    }
}

/// Returns kinetic and potential energy: half the square of the speed plus gravity times height, in
/// units and steps.
static inline int64_t energy_of(const DebrisBit *bit)
{
    int64_t energy =
        (bit->cell->coord.y * (int64_t)DEBRIS_CHUNK_UNITS + bit->at[1]) * 2 * DEBRIS_GRAVITY;
    for (int axis = 0; axis < 3; axis++) {
        energy += (int64_t)bit->velocity[axis] * bit->velocity[axis];
    }
    return energy;
}

/// Checks the bits of a cell. @return how many
static inline uint32_t check_cell(const Debris *debris, const DebrisCell *cell)
{
    uint32_t count = 0;
    const DebrisBit *previous = NULL;
    assert_non_null(cell->first);
    assert_ptr_equal(trn_pool_get(debris->bits.cell_pool, cell->id), cell);
    for (const DebrisBit *bit = cell->first; bit; bit = bit->next) {
        assert_ptr_equal(bit->cell, cell);
        assert_ptr_equal(bit->previous, previous);
        assert_true(trn_registry_contains(debris->bits.alive, bit));
        previous = bit;
        count++;
    }
    return count;
}

/// Checks that pool, registries, lists of cells, buckets and ages all contain the same bits.
static inline void check_books(const Debris *debris)
{
    const uint32_t alive = debris->bits.alive->count;
    uint32_t in_cells = 0, in_buckets = 0, by_age = 0, resting = 0;
    assert_true(alive <= debris->bits.capacity);
    assert_int_equal(trn_pool_stats(debris->bits.bit_pool).taken, alive);
    assert_int_equal(trn_pool_stats(debris->bits.cell_pool).taken, debris->bits.cells->count);
    for (uint32_t i = 0; i < debris->bits.cells->count; i++) {
        in_cells += check_cell(debris, debris->bits.cells->items[i]);
    }
    for (uint32_t i = 0; i < DEBRIS_BUCKETS; i++) {
        for (const DebrisCell *cell = debris->bits.buckets[i]; cell; cell = cell->next) {
            in_buckets++;
        }
    }
    const DebrisBit *older = NULL;
    for (const DebrisBit *bit = debris->bits.oldest; bit; older = bit, bit = bit->younger) {
        assert_ptr_equal(bit->older, older);
        assert_true(!older || older->number < bit->number);
        assert_ptr_equal(trn_pool_get(debris->bits.bit_pool, bit->id), bit);
        resting += bit->rests;
        by_age++;
    }
    assert_ptr_equal(debris->bits.youngest, older);
    assert_int_equal(in_cells, alive);
    assert_int_equal(by_age, alive);
    assert_int_equal(in_buckets, debris->bits.cells->count);
    assert_int_equal(debris_stats(debris).resting, resting);
    assert_int_equal(debris_stats(debris).alive, alive);
}

static inline void check_sums(const Debris *debris)
{
    const DebrisStats stats = debris_stats(debris);
    assert_int_equal(stats.thrown, stats.alive + stats.faded + stats.lost + stats.dropped_unseen +
                                       stats.dropped_oldest);
}

/// Makes one step, and checks that each bit is in free space and has not gained energy.
static inline void checked_step(const Place *place)
{
    static int64_t energy[DEBRIS_CAPACITY];
    static uint64_t number[DEBRIS_CAPACITY];
    uint32_t count = 0;
    for (const DebrisBit *bit = place->debris->bits.oldest; bit; bit = bit->younger) {
        energy[count] = energy_of(bit);
        number[count++] = bit->number;
    }
    make_steps(place, 1);
    uint32_t i = 0;
    for (const DebrisBit *bit = place->debris->bits.oldest; bit; bit = bit->younger) {
        while (number[i] != bit->number) { // bits before it were removed
            i++;
        }
        assert_true(energy_of(bit) <= energy[i]);
        for (int axis = 0; axis < 3; axis++) {
            assert_in_range(bit->at[axis], 0, DEBRIS_CHUNK_UNITS - 1);
        }
        check_outside_solid(place, bit);
    }
}

// ---- which bits are removed first ---------------------------------------------------------------

/// Looks at everything right of x = `from`, in voxels from the look's chunk.
static inline void look_right_of(Debris *debris, TrnCoord chunk, float from)
{
    const float planes[6][4] = {{1, 0, 0, -from},      {-1, 0, 0, EVERYTHING},
                                {0, 1, 0, EVERYTHING}, {0, -1, 0, EVERYTHING},
                                {0, 0, 1, EVERYTHING}, {0, 0, -1, EVERYTHING}};
    debris_look(debris, chunk, planes);
}
