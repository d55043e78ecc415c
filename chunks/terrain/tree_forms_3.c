// Forms of the trees of version 3: frozen, since worlds of it exist.

#include "terrain/tree_forms.h"

void trn_tree_3_set_height(TrnTree *tree, uint64_t hash)
{
    static const struct {
        uint8_t least, spread;
    } trunks[TRN_TREE_CACTUS + 1] = {
        [TRN_TREE_OAK] = {4, 4},
        [TRN_TREE_PINE] = {7, 7},
        [TRN_TREE_ACACIA] = {4, 3},
        [TRN_TREE_CACTUS] = {2, 3},
    };
    tree->trunk = (uint8_t)(trunks[tree->kind].least + hash % trunks[tree->kind].spread);
    tree->top = (uint8_t)(tree->trunk + (tree->kind == TRN_TREE_CACTUS ? -1 : 1));
}

static bool tree_3_can_replace(TrnBlock block)
{
    return block == TRN_BLOCK_AIR || (block >= TRN_BLOCK_TALL_GRASS && block <= TRN_BLOCK_REEDS);
}

/// Writes a voxel over air, plants or `over`.
/// @param over  block that may be replaced too: leaves, by a trunk
static void tree_3_put_block(const TrnTreeCanvas *canvas, int32_t x, int64_t y, int32_t z,
                             TrnBlock block, TrnBlock over)
{
    const int64_t local_y = y - canvas->bottom;
    if (((x | z) & ~(TRN_CHUNK_EDGE - 1)) != 0 || local_y < 0 || local_y >= TRN_CHUNK_EDGE) {
        return;
    }
    TrnBlock *at = &canvas->blocks[trn_local_index((uint32_t)x, (uint32_t)local_y, (uint32_t)z)];
    if (tree_3_can_replace(*at) || *at == over) {
        *at = block;
    }
}

/// Writes a round layer of leaves.
static void tree_3_disc(const TrnTreeCanvas *canvas, const TrnTree *tree, int64_t y,
                        int32_t radius2, int32_t reach, TrnBlock block)
{
    for (int32_t z = -reach; z <= reach; z++) {
        for (int32_t x = -reach; x <= reach; x++) {
            if (x * x + z * z <= radius2) {
                tree_3_put_block(canvas, tree->x + x, tree->y + y, tree->z + z, block, block);
            }
        }
    }
}

static void tree_3_oak_leaves(const TrnTreeCanvas *canvas, const TrnTree *tree)
{
    const int64_t top = tree->trunk;
    const int32_t wide = tree->variation & 1 ? 8 : 6;
    tree_3_disc(canvas, tree, top - 2, wide, 2, TRN_BLOCK_OAK_LEAVES);
    tree_3_disc(canvas, tree, top - 1, tree->trunk > 5 ? 10 : wide, 3, TRN_BLOCK_OAK_LEAVES);
    tree_3_disc(canvas, tree, top, tree->variation & 2 ? 5 : 4, 2, TRN_BLOCK_OAK_LEAVES);
    tree_3_disc(canvas, tree, top + 1, 1, 1, TRN_BLOCK_OAK_LEAVES);
}

static void tree_3_pine_leaves(const TrnTreeCanvas *canvas, const TrnTree *tree)
{
    const int64_t top = tree->trunk;
    for (int64_t y = 2 + (tree->variation & 1); y < top; y++) {
        const int64_t below = top - y; // wider towards the ground, every other layer narrower
        const int32_t wide = (int32_t)(below > 8 ? 8 : below);
        const int32_t radius2 = below % 2 ? 1 + wide : wide > 4 ? 2 : 1;
        tree_3_disc(canvas, tree, y, radius2, 3, TRN_BLOCK_PINE_LEAVES);
    }
    tree_3_disc(canvas, tree, top, 1, 1, TRN_BLOCK_PINE_LEAVES);
    tree_3_disc(canvas, tree, top + 1, 0, 0, TRN_BLOCK_PINE_LEAVES);
}

static void tree_3_acacia_leaves(const TrnTreeCanvas *canvas, const TrnTree *tree)
{
    tree_3_disc(canvas, tree, tree->trunk, tree->variation & 1 ? 13 : 10, 3,
                TRN_BLOCK_ACACIA_LEAVES);
    tree_3_disc(canvas, tree, tree->trunk + 1, 4, 2, TRN_BLOCK_ACACIA_LEAVES);
}

static void tree_3_write_leaves(const TrnTreeCanvas *canvas, const TrnTree *tree)
{
    if (tree->kind == TRN_TREE_OAK) {
        tree_3_oak_leaves(canvas, tree);
    } else if (tree->kind == TRN_TREE_PINE) {
        tree_3_pine_leaves(canvas, tree);
    } else if (tree->kind == TRN_TREE_ACACIA) {
        tree_3_acacia_leaves(canvas, tree);
    }
}

static void tree_3_write_trunk(const TrnTreeCanvas *canvas, const TrnTree *tree)
{
    static const TrnBlock logs[TRN_TREE_KIND_COUNT] = {
        [TRN_TREE_OAK] = TRN_BLOCK_OAK_LOG,
        [TRN_TREE_PINE] = TRN_BLOCK_PINE_LOG,
        [TRN_TREE_ACACIA] = TRN_BLOCK_ACACIA_LOG,
        [TRN_TREE_CACTUS] = TRN_BLOCK_CACTUS,
    };
    static const TrnBlock leaves[] = {TRN_BLOCK_OAK_LEAVES, TRN_BLOCK_PINE_LEAVES,
                                      TRN_BLOCK_ACACIA_LEAVES};
    for (int64_t y = 0; y < tree->trunk; y++) {
        for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; i++) {
            tree_3_put_block(canvas, tree->x, tree->y + y, tree->z, logs[tree->kind], leaves[i]);
        }
    }
}

void trn_tree_3_write(const TrnTreeCanvas *canvas, const TrnTree *tree, TrnTreePart part)
{
    if (part == TRN_TREE_LEAVES) {
        tree_3_write_leaves(canvas, tree);
    } else {
        tree_3_write_trunk(canvas, tree);
    }
}
