// A flat array of bricks that grows by doubling. A brick is 4 x 4 x 4 chunks. The array stores a
// 64-bit word for each brick. Its 64 pointers are allocated for the first chunk and freed with the
// last.

#include "builtin.h"

#include <stdlib.h>

#include "chunk_list.h"
#include "extent.h"
#include "frustum.h"
#include "refusal.h"

typedef struct Brick {
    uint64_t present; // a chunk's bit number: x in bits 0 and 1, z in 2 and 3, y in 4 and 5
    const ContenderChunk **cells; // [64], NULL while the brick is empty
} Brick;

typedef struct BrickedArray {
    Extent extent; // in bricks
    Brick *bricks;
    Refusal refusal;
} BrickedArray;

enum { BRICK_SHIFT = 2, BRICK_EDGE = 4, BRICK_CELLS = 64 };
static const int brick_shift[3] = {BRICK_SHIFT, BRICK_SHIFT, BRICK_SHIFT};

static inline unsigned brick_cell(TrnCoord coord)
{
    return ((unsigned)coord.x & 3) | ((unsigned)coord.z & 3) << 2 | ((unsigned)coord.y & 3) << 4;
}

static inline Brick *brick_at(const BrickedArray *array, int64_t x, int64_t y, int64_t z)
{
    return extent_has(&array->extent, x, y, z) ? &array->bricks[extent_at(&array->extent, x, y, z)]
                                               : NULL;
}

static inline Brick *brick_of_chunk(const BrickedArray *array, TrnCoord coord)
{
    return brick_at(array, coord.x >> BRICK_SHIFT, coord.y >> BRICK_SHIFT, coord.z >> BRICK_SHIFT);
}

static void brick_array_destroy(void *self)
{
    BrickedArray *array = self;
    const size_t bricks = (size_t)extent_units(&array->extent);
    for (size_t i = 0; i < bricks; i++) {
        free((void *)array->bricks[i].cells);
    }
    free(array->bricks);
    free(array);
}

static bool brick_array_reshape(BrickedArray *array, Extent to)
{
    Brick *bricks = calloc((size_t)extent_units(&to), sizeof *bricks);
    if (!bricks) {
        return false;
    }
    const Extent *from = &array->extent;
    const Brick *brick = array->bricks;
    for (int64_t y = from->origin[1]; y < from->origin[1] + from->size[1]; y++) {
        for (int64_t z = from->origin[2]; z < from->origin[2] + from->size[2]; z++) {
            for (int64_t x = from->origin[0]; x < from->origin[0] + from->size[0]; x++, brick++) {
                if (brick->present) {
                    bricks[extent_at(&to, x, y, z)] = *brick;
                }
            }
        }
    }
    free(array->bricks);
    array->bricks = bricks;
    array->extent = to;
    return true;
}

/// Grows the extent to contain a brick. If that exceeds the limit, first drops the empty bricks
/// that a long walk leaves behind.
static bool brick_array_reach(BrickedArray *array, const int64_t at[3])
{
    Extent wanted = extent_reach(array->extent, at);
    if (extent_units(&wanted) * sizeof(Brick) > (double)ARRAY_BYTES_MAX) {
        wanted = extent_in_use(&array->extent, array->bricks, sizeof(Brick));
        wanted = extent_reach(wanted, at);
    }
    const double bytes = extent_units(&wanted) * sizeof(Brick);
    if (bytes <= (double)ARRAY_BYTES_MAX && brick_array_reshape(array, wanted)) {
        return true;
    }
    array->refusal = refusal_of_bytes(bytes);
    return false;
}

static bool brick_array_insert_one(BrickedArray *array, const ContenderEntry *entry)
{
    const int64_t at[3] = {entry->coord.x >> BRICK_SHIFT, entry->coord.y >> BRICK_SHIFT,
                           entry->coord.z >> BRICK_SHIFT};
    if (!extent_has(&array->extent, at[0], at[1], at[2]) && !brick_array_reach(array, at)) {
        return false;
    }
    Brick *brick = brick_of_chunk(array, entry->coord);
    if (!brick->cells) {
        brick->cells = calloc(BRICK_CELLS, sizeof(const ContenderChunk *));
        if (!brick->cells) {
            array->refusal.reason = REFUSAL_NO_MEMORY;
            return false;
        }
    }
    const unsigned cell = brick_cell(entry->coord);
    brick->cells[cell] = entry->chunk;
    brick->present |= UINT64_C(1) << cell;
    return true;
}

static void brick_array_remove(void *self, const TrnCoord *coords, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Brick *brick = brick_of_chunk(self, coords[i]);
        const unsigned cell = brick_cell(coords[i]);
        brick->cells[cell] = NULL;
        brick->present &= ~(UINT64_C(1) << cell);
        if (brick->present == 0) {
            free((void *)brick->cells);
            brick->cells = NULL;
        }
    }
}

static inline const ContenderChunk *brick_array_find_one(const void *self, TrnCoord coord)
{
    const Brick *brick = brick_of_chunk(self, coord);
    return brick && brick->cells ? brick->cells[brick_cell(coord)] : NULL;
}

/// Returns the cells of a brick whose coordinate on one axis is in [low, high], one bit a cell.
/// @param shift  position of the axis in a cell's number
static inline uint64_t brick_axis_mask(int64_t low, int64_t high, int64_t brick, unsigned shift)
{
    // The cells with local x = 0, z = 0 and y = 0.
    static const uint64_t layers[3] = {0x1111111111111111u, 0x000F000F000F000Fu,
                                       0x000000000000FFFFu};
    const int64_t start = brick * BRICK_EDGE;
    uint64_t mask = 0;
    for (int64_t place = 0; place < BRICK_EDGE; place++) {
        if (start + place >= low && start + place <= high) {
            mask |= layers[shift / 2] << ((uint64_t)place << shift);
        }
    }
    return mask;
}

/// The bits of a brick's chunks that reach into a frustum.
static uint64_t brick_clip_frustum(uint64_t bits, const FrustumTest *frustum, int64_t x, int64_t y,
                                   int64_t z)
{
    const int64_t low[3] = {x * BRICK_EDGE, y * BRICK_EDGE, z * BRICK_EDGE};
    const int64_t high[3] = {low[0] + 3, low[1] + 3, low[2] + 3};
    const FrustumRelation relation = frustum_relation(frustum, low, high);
    if (relation != FRUSTUM_CROSSES) {
        return relation == FRUSTUM_INSIDE ? bits : 0;
    }
    uint64_t kept = bits;
    for (uint64_t left = bits; left; left &= left - 1) {
        const int cell = __builtin_ctzll(left);
        const TrnCoord coord = {(int32_t)(low[0] + (cell & 3)), (int32_t)(low[1] + (cell >> 4)),
                                (int32_t)(low[2] + (cell >> 2 & 3))};
        if (!frustum_reaches(frustum, coord)) {
            kept &= ~(left & -left);
        }
    }
    return kept;
}

static size_t brick_array_gather_box(const BrickedArray *array, TrnBox box,
                                     const FrustumTest *frustum, void *out, size_t capacity)
{
    ChunkList list = chunk_list(out, capacity);
    int64_t low[3], high[3];
    if (!extent_clip(&array->extent, box, brick_shift, low, high)) {
        return 0;
    }
    for (int64_t y = low[1]; y <= high[1]; y++) {
        const uint64_t mask_y = brick_axis_mask(box.min.y, box.max.y, y, 4);
        for (int64_t z = low[2]; z <= high[2]; z++) {
            const uint64_t mask_zy = mask_y & brick_axis_mask(box.min.z, box.max.z, z, 2);
            const Brick *row = &array->bricks[extent_at(&array->extent, low[0], y, z)];
            for (int64_t x = low[0]; x <= high[0]; x++, row++) {
                uint64_t bits = row->present & mask_zy;
                if (bits && (x == low[0] || x == high[0])) {
                    bits &= brick_axis_mask(box.min.x, box.max.x, x, 0);
                }
                if (bits && frustum) {
                    bits = brick_clip_frustum(bits, frustum, x, y, z);
                }
                if (bits) {
                    chunk_list_append_bits(&list, row->cells, bits);
                }
            }
        }
    }
    return list.count;
}

/// Half of all neighbours lie in the same brick.
static void brick_array_neighbours(const void *self, const TrnCoord *coords, size_t count,
                                   void *out)
{
    const ContenderChunk **chunks = out;
    for (size_t i = 0; i < count; i++) {
        const Brick *own = brick_of_chunk(self, coords[i]);
        for (int face = 0; face < TRN_FACE_COUNT; face++, chunks++) {
            const TrnCoord coord = trn_coord_neighbour(coords[i], (TrnFace)face);
            const uint32_t crossed = ((uint32_t)coord.x ^ (uint32_t)coords[i].x) |
                                     ((uint32_t)coord.y ^ (uint32_t)coords[i].y) |
                                     ((uint32_t)coord.z ^ (uint32_t)coords[i].z);
            if (own && own->cells && crossed < BRICK_EDGE) {
                *chunks = own->cells[brick_cell(coord)];
            } else {
                *chunks = brick_array_find_one(self, coord);
            }
        }
    }
}

static inline uint64_t brick_array_bits(const BrickedArray *array, int64_t x, int64_t y, int64_t z)
{
    const Brick *brick = brick_at(array, x, y, z);
    return brick ? brick->present : 0;
}

/// The bits of a brick's chunks that have all six neighbours. Shifts the bits by one cell along
/// each axis and shifts in a layer of the adjacent brick. The array never reaches both ends of
/// int32, so no neighbours wrap around.
static uint64_t brick_array_ready_bits(const BrickedArray *array, uint64_t bits, int64_t x,
                                       int64_t y, int64_t z)
{
    const uint64_t first_x = 0x1111111111111111u, last_x = first_x << 3;
    const uint64_t first_z = 0x000F000F000F000Fu, last_z = first_z << 12;
    uint64_t ready = bits;
    ready &= (bits << 1 & ~first_x) | (brick_array_bits(array, x - 1, y, z) >> 3 & first_x);
    ready &= (bits >> 1 & ~last_x) | (brick_array_bits(array, x + 1, y, z) << 3 & last_x);
    ready &= (bits << 4 & ~first_z) | (brick_array_bits(array, x, y, z - 1) >> 12 & first_z);
    ready &= (bits >> 4 & ~last_z) | (brick_array_bits(array, x, y, z + 1) << 12 & last_z);
    ready &= bits << 16 | brick_array_bits(array, x, y - 1, z) >> 48;
    ready &= bits >> 16 | brick_array_bits(array, x, y + 1, z) << 48;
    return ready;
}

static size_t brick_array_gather_ready(void *self, const ContenderChunk *const *chunks,
                                       size_t count, void *out, size_t capacity)
{
    (void)chunks;
    (void)count;
    const BrickedArray *array = self;
    const Extent *extent = &array->extent;
    ChunkList list = chunk_list(out, capacity);
    const Brick *brick = array->bricks;
    for (int64_t y = extent->origin[1]; y < extent->origin[1] + extent->size[1]; y++) {
        for (int64_t z = extent->origin[2]; z < extent->origin[2] + extent->size[2]; z++) {
            for (int64_t x = extent->origin[0]; x < extent->origin[0] + extent->size[0];
                 x++, brick++) {
                if (brick->present) {
                    chunk_list_append_bits(&list, brick->cells,
                                           brick_array_ready_bits(array, brick->present, x, y, z));
                }
            }
        }
    }
    return list.count;
}

#define CONTENDER(function) brick_array_##function
#define CONTENDER_STRUCT BrickedArray
#define CONTENDER_OWN_NEIGHBOURS
#define CONTENDER_OWN_READY
#include "contender_body.h"

const Contender contender_bricked_array = CONTENDER_TABLE("bricked array, 4^3", gather);
