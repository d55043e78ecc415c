// Folding: a chunk of the next level of detail from eight.

#include <terrane/fold.h>

#include <string.h>

#include "voxels/block_types_impl.h"
#include "voxels/voxel_kernels.h"

#define FOLD_HALF (TRN_CHUNK_EDGE / 2) // cells of a part along each axis
#define FOLD_LAYER ((size_t)TRN_CHUNK_EDGE * TRN_CHUNK_EDGE)

/// Bits of the even voxels of a row: one a cell.
#define FOLD_CELLS UINT32_C(0x55555555)

/// What does not change from layer to layer.
typedef struct Fold {
    const TrnVoxelKernels *kernels;
    const uint32_t *opaque_bits;
    const uint32_t *filled_bits; ///< as trn_block_types_filled_bits
    TrnBlock *blocks;            ///< of the next level
    const TrnBlock *land;        ///< if not NULL, cells whose voxels are as there stay as they are
    uint32_t x, y, z;            ///< the part's first cell
} Fold;

/// Two layers of a child, the lower one first, and the opaque voxels of the layer above.
typedef struct FoldLayers {
    const TrnBlock *blocks; ///< [2][32][32]
    uint32_t opaque[3][TRN_CHUNK_EDGE], filled[2][TRN_CHUNK_EDGE];
} FoldLayers;

// ---- cells -------------------------------------------------------------------------------------

/// Returns how many of a cell's 8 voxels have a bit. @param at  of the cell's first voxel
static uint32_t fold_count(uint32_t (*layers)[TRN_CHUNK_EDGE], uint32_t z, uint32_t at)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 4; i++) {
        bits |= (layers[i / 2][z + i % 2] >> at & 3) << 2 * i;
    }
    return (uint32_t)__builtin_popcount(bits);
}

/// Finds the cells of which at least four voxels have a bit.
/// @return one bit a cell: the even ones
static uint32_t fold_at_least_four(uint32_t (*layers)[TRN_CHUNK_EDGE], uint32_t z)
{
    const uint32_t a = layers[0][z], b = layers[0][z + 1];
    const uint32_t c = layers[1][z], d = layers[1][z + 1];
    // Four voxels of each bit's column are counted in binary: ones, twos and fours. A cell's count
    // is that of two adjacent columns.
    const uint32_t ab = a ^ b, cd = c ^ d, carry = ab & cd;
    const uint32_t ones = ab ^ cd;
    const uint32_t twos = (a & b) ^ (c & d) ^ carry;
    const uint32_t fours = a & b & c & d; // with a carry, neither pair is set as a whole
    const uint32_t ones_carry = ones & ones >> 1;
    const uint32_t two = twos, next_two = twos >> 1;
    return ((two & next_two) | (ones_carry & (two ^ next_two)) | fours | fours >> 1) & FOLD_CELLS;
}

/// Returns the most frequent block; the first of several.
static TrnBlock fold_most(const TrnBlock *blocks, uint32_t count)
{
    uint32_t best = 0, most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t same = 0;
        for (uint32_t j = 0; j < count; j++) {
            same += blocks[j] == blocks[i];
        }
        if (same > most) {
            most = same;
            best = i;
        }
    }
    return blocks[best];
}

/// Finds the block of a cell among its voxels of one kind.
/// @param is_opaque  the kind; false: filled but not opaque
/// @param at,z       of the cell's first voxel
static TrnBlock fold_top(const FoldLayers *layers, bool is_opaque, uint32_t at, uint32_t z)
{
    TrnBlock tops[2][4]; // covered ones, and those seen from above
    uint32_t count[2] = {0};
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t row = z + i / 2, x = at + i % 2;
        for (int y = 1; y >= 0; y--) {
            const uint32_t opaque = layers->opaque[y][row] >> x & 1;
            if (is_opaque ? opaque : (layers->filled[y][row] >> x & 1) & !opaque) {
                const uint32_t is_seen = !(layers->opaque[y + 1][row] >> x & 1);
                tops[is_seen][count[is_seen]++] =
                    layers->blocks[(size_t)y * FOLD_LAYER + (size_t)row * TRN_CHUNK_EDGE + x];
                break;
            }
        }
    }
    const uint32_t seen = count[1] > 0;
    return fold_most(tops[seen], count[seen]);
}

/// Returns the block that all four upper voxels of a cell are, or 65536.
static uint32_t fold_same(const TrnBlock *upper)
{
    uint32_t a, b;
    memcpy(&a, upper, sizeof a);
    memcpy(&b, upper + TRN_CHUNK_EDGE, sizeof b);
    return a == b && a >> 16 == (a & UINT16_MAX) ? a >> 16 : UINT32_C(1) << 16;
}

/// Folds a row of cells whose upper voxels are all opaque, if those of each cell are the same
/// block.
/// @return false: some cell needs a closer look
static bool fold_row_same(const TrnBlock *upper, TrnBlock *cells)
{
    uint32_t differs = 0;
    for (uint32_t i = 0; i < FOLD_HALF; i++) {
        uint32_t a, b;
        memcpy(&a, upper + (size_t)2 * i, sizeof a);
        memcpy(&b, upper + TRN_CHUNK_EDGE + (size_t)2 * i, sizeof b);
        differs |= (a ^ b) | (a >> 16 ^ (a & UINT16_MAX));
        cells[i] = (TrnBlock)a;
    }
    return !differs;
}

/// Folds one row of cells.
/// @param z      of its first row of voxels
/// @param cells  [16] receives their blocks
static void fold_row(FoldLayers *layers, uint32_t z, TrnBlock *cells)
{
    const TrnBlock *upper = layers->blocks + FOLD_LAYER + (size_t)z * TRN_CHUNK_EDGE;
    const uint32_t opaque = fold_at_least_four(layers->opaque, z);
    uint32_t filled = fold_at_least_four(layers->filled, z) | opaque;
    const uint32_t above = layers->opaque[1][z] & layers->opaque[1][z + 1];
    if (above == UINT32_MAX && fold_row_same(upper, cells)) {
        return;
    }
    memset(cells, 0, FOLD_HALF * sizeof *cells);
    for (; filled; filled &= filled - 1) {
        const uint32_t at = (uint32_t)__builtin_ctz(filled);
        bool is_opaque = opaque >> at & 1;
        if ((above >> at & 3) == 3) { // most cells: all four columns have their top there
            const uint32_t same = fold_same(upper + at);
            if (same <= UINT16_MAX) {
                cells[at / 2] = (TrnBlock)same;
                continue;
            }
        }
        if (!is_opaque) {
            is_opaque = 2 * fold_count(layers->opaque, z, at) >= fold_count(layers->filled, z, at);
        }
        cells[at / 2] = fold_top(layers, is_opaque, at, z);
    }
}

// ---- parts -------------------------------------------------------------------------------------

/// Reads two layers from y on.
/// @param is_first  false: the masks of the layer above those read before are still valid
static void fold_read_layers(const Fold *fold, const TrnBlock *child, const TrnBlock *above,
                             uint32_t y, FoldLayers *layers)
{
    layers->blocks = child + y * FOLD_LAYER;
    const size_t rows = (size_t)2 * TRN_CHUNK_EDGE;
    fold->kernels->mask_blocks(layers->blocks, rows, fold->opaque_bits, layers->opaque[0]);
    fold->kernels->mask_blocks(layers->blocks, rows, fold->filled_bits, layers->filled[0]);
    const TrnBlock *next = y + 2 == TRN_CHUNK_EDGE ? above : layers->blocks + 2 * FOLD_LAYER;
    if (next) {
        fold->kernels->mask_blocks(next, TRN_CHUNK_EDGE, fold->opaque_bits, layers->opaque[2]);
    } else {
        memset(layers->opaque[2], 0, sizeof layers->opaque[2]);
    }
}

static TrnBlock *fold_cells(const Fold *fold, uint32_t y, uint32_t z)
{
    return fold->blocks + trn_local_index(fold->x, fold->y + y, fold->z + z);
}

/// Tells whether a cell has a voxel that is not as in the land.
/// @param layers  of the child
/// @param land    the same two layers
static bool fold_is_edited(const TrnBlock *layers, const TrnBlock *land, uint32_t x, uint32_t z)
{
    for (size_t i = 0; i < 4; i++) {
        const size_t at =
            i / 2 * FOLD_LAYER + (2 * (size_t)z + i % 2) * TRN_CHUNK_EDGE + (size_t)2 * x;
        if (layers[at] != land[at] || layers[at + 1] != land[at + 1]) {
            return true;
        }
    }
    return false;
}

/// Folds one row of cells, except those that are as in the land.
static void fold_edited_row(const Fold *fold, FoldLayers *layers, uint32_t y, uint32_t z)
{
    const TrnBlock *land = fold->land + 2 * (size_t)y * FOLD_LAYER;
    TrnBlock folded[FOLD_HALF], *cells = fold_cells(fold, y, z);
    fold_row(layers, 2 * z, folded);
    for (uint32_t x = 0; x < FOLD_HALF; x++) {
        if (fold_is_edited(layers->blocks, land, x, z)) {
            cells[x] = folded[x];
        }
    }
}

static void fold_part(const Fold *fold, const TrnBlock *child, const TrnBlock *above)
{
    FoldLayers layers;
    for (uint32_t y = 0; y < FOLD_HALF; y++) {
        fold_read_layers(fold, child, above, 2 * y, &layers);
        for (uint32_t z = 0; z < FOLD_HALF; z++) {
            if (fold->land) {
                fold_edited_row(fold, &layers, y, z);
            } else {
                fold_row(&layers, 2 * z, fold_cells(fold, y, z));
            }
        }
    }
}

static void fold_init(Fold *fold, const TrnBlockTypes *types, uint32_t octant, TrnBlock *blocks)
{
    fold->kernels = trn_kernels_named(&trn_voxel_kernels, NULL);
    fold->opaque_bits = trn_block_types_opaque_bits(types);
    fold->filled_bits = trn_block_types_filled_bits(types);
    fold->blocks = blocks;
    fold->land = NULL;
    fold->x = octant & 1 ? FOLD_HALF : 0;
    fold->z = octant & 2 ? FOLD_HALF : 0;
    fold->y = octant & 4 ? FOLD_HALF : 0;
}

void trn_fold_blocks(const TrnBlockTypes *types, const TrnBlock *child, const TrnBlock *above,
                     uint32_t octant, TrnBlock *blocks)
{
    Fold fold;
    fold_init(&fold, types, octant, blocks);
    fold_part(&fold, child, above);
}

void trn_fold_edited(const TrnBlockTypes *types, const TrnBlock *child, const TrnBlock *above,
                     const TrnBlock *land, uint32_t octant, TrnBlock *blocks)
{
    Fold fold;
    fold_init(&fold, types, octant, blocks);
    fold.land = land;
    fold_part(&fold, child, above);
}
