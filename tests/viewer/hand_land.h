/// A small land of 3 x 3 x 3 chunks and the same in a plain array, for the tests of the hand.
#pragma once

#include "position.h"

#include <math.h>

#include <hand/hand.h>

// ---- a world of 3 x 3 x 3 chunks, and the same in an array --------------------------------------

#define EDGE 96
#define LOW (-32) ///< the least coordinate of a voxel
#define VOXELS ((size_t)EDGE * EDGE * EDGE)
#define EXTRA_TYPES 300 ///< so that a chunk may have 16 bits a voxel

typedef struct Land {
    TestAllocator memory;
    TrnStore *store;
    Hand *hand;
    TrnBlock *blocks; ///< [VOXELS] what should be there: x fastest, then z, then y
    HandDef def;
    uint32_t admitted; ///< the most chunks that admit lets pass
    uint32_t dug_calls;
    HandAct dug_act;
    BrushTaken dug;
} Land;

static inline size_t place_of(int64_t x, int64_t y, int64_t z)
{
    return ((size_t)(y - LOW) * EDGE + (size_t)(z - LOW)) * EDGE + (size_t)(x - LOW);
}

static inline bool in_land(int64_t x, int64_t y, int64_t z)
{
    const int64_t last = LOW + EDGE - 1;
    return x >= LOW && y >= LOW && z >= LOW && x <= last && y <= last && z <= last;
}

static inline TrnBlock *model_at(Land *land, int64_t x, int64_t y, int64_t z)
{
    assert_true(in_land(x, y, z));
    return &land->blocks[place_of(x, y, z)];
}

static inline bool admit(void *user, uint32_t chunks)
{
    return chunks <= ((Land *)user)->admitted;
}

static inline void hear_dug(void *user, const HandDug *dug)
{
    Land *land = user;
    land->dug_calls++;
    land->dug_act = dug->act;
    land->dug = *dug->taken;
}

static inline void add_types(TrnStore *store)
{
    for (int i = 0; i < EXTRA_TYPES; i++) {
        char name[32];
        snprintf(name, sizeof name, "test:type_%d", i);
        const TrnBlockType type = trn_block_type_def(name, TRN_BLOCK_KIND_OPAQUE);
        assert_int_equal(trn_block_types_add(trn_store_block_types(store), &type, NULL),
                         TRN_RESULT_OK);
    }
}

/// Air over a floor of stone whose top is at y = 0.
static inline TrnBlock flat_block(int64_t x, int64_t y, int64_t z)
{
    (void)x;
    (void)z;
    return y <= 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
}

static inline void fill_land(Land *land, TrnBlock (*block)(int64_t, int64_t, int64_t))
{
    static _Alignas(64) TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (int32_t i = 0; i < 27; i++) {
        const TrnCoord coord = {i % 3 - 1, i / 9 - 1, i / 3 % 3 - 1};
        const TrnVoxel from = trn_coord_voxel(coord);
        for (uint32_t v = 0; v < TRN_CHUNK_VOXELS; v++) {
            const int64_t x = from.x + v % 32, z = from.z + v / 32 % 32, y = from.y + v / 1024;
            blocks[v] = block(x, y, z);
            *model_at(land, x, y, z) = blocks[v];
        }
        assert_int_equal(trn_store_insert_voxels(land->store, coord, blocks, NULL), TRN_RESULT_OK);
    }
}

static inline void make_land(Land *land, TrnBlock (*block)(int64_t, int64_t, int64_t))
{
    *land = (Land){.blocks = malloc(VOXELS * sizeof(TrnBlock)), .admitted = UINT32_MAX};
    assert_non_null(land->blocks);
    const TrnAllocator allocator = test_allocator(&land->memory);
    TrnStoreDef store = trn_store_def();
    store.allocator = &allocator;
    assert_int_equal(trn_store_create(&store, &land->store), TRN_RESULT_OK);
    add_types(land->store);
    fill_land(land, block);
    land->def = hand_def(land->store);
    land->def.admit = admit;
    land->def.dug = hear_dug;
    land->def.user = land;
    assert_true(hand_create(&land->hand, &land->def));
}

static inline void free_land(Land *land)
{
    hand_destroy(land->hand);
    trn_store_destroy(land->store);
    assert_int_equal(land->memory.live_bytes, 0);
    free(land->blocks);
}

/// Checks that every voxel matches the array.
static inline void check_land(const Land *land)
{
    TrnBlock row[32];
    for (int32_t i = 0; i < 27; i++) {
        const TrnCoord coord = {i % 3 - 1, i / 9 - 1, i / 3 % 3 - 1};
        const TrnVoxel from = trn_coord_voxel(coord);
        TrnSnapshot voxels;
        assert_int_equal(trn_store_snapshot(land->store, coord, &voxels), TRN_RESULT_OK);
        for (uint32_t r = 0; r < TRN_CHUNK_ROWS; r++) {
            trn_snapshot_decode_row(voxels, r / 32, r % 32, row);
            const size_t at = place_of(from.x, from.y + r / 32, from.z + r % 32);
            if (memcmp(row, land->blocks + at, sizeof row) != 0) {
                fail_msg("row %u of chunk %d %d %d is another", (unsigned)r, coord.x, coord.y,
                         coord.z);
            }
        }
    }
}

static inline TrnBlock get_voxel(const Land *land, int64_t x, int64_t y, int64_t z)
{
    TrnBlock block;
    assert_int_equal(trn_store_get_block(land->store, (TrnVoxel){x, y, z}, &block), TRN_RESULT_OK);
    return block;
}

static inline void choose(const Land *land, TrnBlock block)
{
    assert_true(palette_choose(hand_palette(land->hand), block));
}

static inline HandAim aim(const Land *land, TrnPosition eye, double x, double y, double z,
                          double reach)
{
    const HandLook look = {.eye = eye, .direction = {x, y, z}, .reach = reach};
    hand_aim(land->hand, &look);
    return hand_aimed(land->hand);
}

/// Looks as a player whose body is there.
static inline HandAim aim_with_body(const Land *land, const HandBody *body, TrnPosition eye,
                                    double x, double y, double z)
{
    const HandLook look = {
        .eye = eye, .direction = {x, y, z}, .reach = 20, .bodies = body, .body_count = 1};
    hand_aim(land->hand, &look);
    return hand_aimed(land->hand);
}

/// Looks straight down from some voxels above a column's floor.
static inline HandAim aim_down(const Land *land, int64_t x, int64_t z)
{
    return aim(land, position_at((double)x + 0.5, 10.5, (double)z + 0.5), 0, -1, 0, 64);
}

static inline HandOutcome click(const Land *land, HandAct act)
{
    const HandOutcome outcome = hand_press(land->hand, act);
    hand_release(land->hand);
    return outcome;
}

// ---- random presses -----------------------------------------------------------------------------

static inline const TrnBlockType *type_of(const Land *land, TrnBlock block)
{
    return trn_block_types_get(trn_store_block_types(land->store), block);
}
