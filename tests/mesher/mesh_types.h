/// The types of mesh tests: blocks of every kind, a family of liquids, models.
#pragma once

#include <terrane/block_types.h>

/// The blocks of most tests. UNKNOWN has no type and counts as opaque.
enum {
    AIR,
    STONE,
    DIRT,
    GRASS,
    SAND,
    WATER,
    LAVA,
    VOID,
    GLASS,
    ICE,
    FERN,
    REED,
    LEAVES,
    NEEDLES,
    FLOW,
    TRICKLE,
    FALL,
    SLAB,
    STAIR,
    FENCE,
    PANE,
    CUBE,
    KELP, ///< a plant in water
    WEED, ///< likewise
    TYPE_COUNT,
    UNKNOWN = TYPE_COUNT
};

#define MESH_SIDE(face) (1 << (face))
#define MESH_SIDES                                                                                 \
    (MESH_SIDE(TRN_FACE_NEG_X) | MESH_SIDE(TRN_FACE_POS_X) | MESH_SIDE(TRN_FACE_NEG_Z) |           \
     MESH_SIDE(TRN_FACE_POS_Z))

static const TrnBlockModel mesh_slab = {.box_count = 1, .boxes = {{.max = {16, 8, 16}}}};

static const TrnBlockModel mesh_stair = {
    .box_count = 2, .boxes = {{.max = {16, 8, 16}}, {.min = {0, 8, 8}, .max = {16, 16, 16}}}};

/// A post, and an arm to each side that connects.
static const TrnBlockModel mesh_fence = {
    .box_count = 5,
    .connects = 1,
    .boxes = {{.min = {6, 0, 6}, .max = {10, 16, 10}},
              {.min = {0, 6, 7}, .max = {6, 9, 9}, .connected = MESH_SIDE(TRN_FACE_NEG_X)},
              {.min = {10, 6, 7}, .max = {16, 9, 9}, .connected = MESH_SIDE(TRN_FACE_POS_X)},
              {.min = {7, 6, 0}, .max = {9, 9, 6}, .connected = MESH_SIDE(TRN_FACE_NEG_Z)},
              {.min = {7, 6, 10}, .max = {9, 9, 16}, .connected = MESH_SIDE(TRN_FACE_POS_Z)}}};

/// One plane from side to side along x if both connect, otherwise a post alone; a cap without a
/// neighbour above.
static const TrnBlockModel mesh_pane = {
    .box_count = 3,
    .connects = 2,
    .boxes = {{.min = {0, 0, 7},
               .max = {16, 15, 9},
               .connected = MESH_SIDE(TRN_FACE_NEG_X) | MESH_SIDE(TRN_FACE_POS_X)},
              {.min = {7, 0, 7}, .max = {9, 15, 9}, .unconnected = MESH_SIDES},
              {.min = {0, 15, 7},
               .max = {16, 16, 9},
               .connected = MESH_SIDE(TRN_FACE_NEG_X) | MESH_SIDE(TRN_FACE_POS_X),
               .unconnected = MESH_SIDE(TRN_FACE_POS_Y)}}};

/// As large as its voxel.
static const TrnBlockModel mesh_cube = {
    .box_count = 1, .connects = 1, .boxes = {{.max = {16, 16, 16}}}};

/// One more than TYPE_COUNT says: a mesher that reads past the end finds air there.
static const TrnBlockType mesh_test_types[TYPE_COUNT + 1] = {
    {.name = "test:air", .kind = TRN_BLOCK_KIND_AIR},
    {.name = "test:stone", .kind = TRN_BLOCK_KIND_OPAQUE},
    {.name = "test:dirt", .kind = TRN_BLOCK_KIND_OPAQUE},
    {.name = "test:grass", .kind = TRN_BLOCK_KIND_OPAQUE},
    {.name = "test:sand", .kind = TRN_BLOCK_KIND_OPAQUE},
    {.name = "test:water", .kind = TRN_BLOCK_KIND_LIQUID, .surface = 14, .family = WATER},
    {.name = "test:lava", .kind = TRN_BLOCK_KIND_LIQUID, .family = LAVA},
    {.name = "test:void", .kind = TRN_BLOCK_KIND_AIR}, // air under another id
    {.name = "test:glass", .kind = TRN_BLOCK_KIND_TRANSPARENT},
    {.name = "test:ice", .kind = TRN_BLOCK_KIND_TRANSPARENT},
    {.name = "test:fern", .kind = TRN_BLOCK_KIND_PLANT},
    {.name = "test:reed", .kind = TRN_BLOCK_KIND_PLANT},
    {.name = "test:leaves", .kind = TRN_BLOCK_KIND_CUTOUT},
    {.name = "test:needles", .kind = TRN_BLOCK_KIND_CUTOUT},
    {.name = "test:flow",
     .kind = TRN_BLOCK_KIND_LIQUID,
     .surface = 8,
     .family = WATER,
     .variant = 3},
    {.name = "test:trickle",
     .kind = TRN_BLOCK_KIND_LIQUID,
     .surface = 1,
     .family = WATER,
     .variant = 7},
    {.name = "test:fall",
     .kind = TRN_BLOCK_KIND_LIQUID,
     .surface = 16,
     .family = WATER,
     .variant = 8},
    {.name = "test:slab", .kind = TRN_BLOCK_KIND_MODEL, .model = &mesh_slab},
    {.name = "test:stair", .kind = TRN_BLOCK_KIND_MODEL, .model = &mesh_stair},
    {.name = "test:fence", .kind = TRN_BLOCK_KIND_MODEL, .model = &mesh_fence},
    {.name = "test:pane", .kind = TRN_BLOCK_KIND_MODEL, .model = &mesh_pane},
    {.name = "test:cube", .kind = TRN_BLOCK_KIND_MODEL, .model = &mesh_cube},
    {.name = "test:kelp", .kind = TRN_BLOCK_KIND_PLANT, .liquid = WATER},
    {.name = "test:weed", .kind = TRN_BLOCK_KIND_PLANT, .liquid = WATER},
    {.name = "test:beyond", .kind = TRN_BLOCK_KIND_AIR},
};
