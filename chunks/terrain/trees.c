// Trees. A grid of square cells holds at most one tree each. A hash of the cell gives its position
// and the ground there decides its kind, so a tree is the same for every chunk that holds a part of
// it, in any order of generation.

#include "terrain/trees_impl.h"

/// The cell of a voxel coordinate, rounded down.
static int64_t tree_cell(int64_t voxel)
{
    const int64_t cell = voxel / TRN_TREE_CELL;
    return voxel % TRN_TREE_CELL < 0 ? cell - 1 : cell;
}

/// Height of a trunk.
static uint8_t tree_trunk(TrnTreeKind kind, uint64_t hash)
{
    static const struct {
        uint8_t least, spread;
    } trunks[TRN_TREE_KIND_COUNT] = {
        [TRN_TREE_OAK] = {4, 4},
        [TRN_TREE_PINE] = {7, 7},
        [TRN_TREE_ACACIA] = {4, 3},
        [TRN_TREE_CACTUS] = {2, 3},
    };
    return (uint8_t)(trunks[kind].least + hash % trunks[kind].spread);
}

/// What a cell's hash says of its tree.
typedef struct TreeCell {
    int64_t x, z; ///< voxel of the trunk
    float draw;   ///< 0..255: there is a tree if it is below the chance
    uint64_t hash;
} TreeCell;

static TreeCell tree_look_up(const TrnTerrain *terrain, int64_t cell_x, int64_t cell_z)
{
    const uint64_t hash = trn_land_hash(terrain->seed, cell_x, 2, cell_z);
    // keeps trees of adjacent cells at least two voxels apart
    const int64_t jitter = TRN_TREE_CELL - 1;
    return (TreeCell){.x = cell_x * TRN_TREE_CELL + (int64_t)(hash % (uint64_t)jitter),
                      .z = cell_z * TRN_TREE_CELL + (int64_t)((hash >> 8) % (uint64_t)jitter),
                      .draw = (float)((hash >> 16) & 0xFF),
                      .hash = hash};
}

bool trn_tree_crown_covers(const TrnTerrain *terrain, TrnVoxel voxel, float chance)
{
    const TreeCell cell = tree_look_up(terrain, tree_cell(voxel.x), tree_cell(voxel.z));
    const int64_t by_x = voxel.x - cell.x, by_z = voxel.z - cell.z;
    return cell.draw < chance && by_x * by_x + by_z * by_z <= 8;
}

/// Finds the tree of a cell.
/// @return whether there is one inside `ground`
static bool tree_in_cell(const TrnTerrain *terrain, const TrnTreeGround *ground, TrnVoxel base,
                         int64_t cell_x, int64_t cell_z, TrnTree *tree)
{
    const TreeCell cell = tree_look_up(terrain, cell_x, cell_z);
    const int64_t x = cell.x - base.x, z = cell.z - base.z;
    const int64_t at_x = x - ground->first, at_z = z - ground->first;
    if (at_x < 0 || at_z < 0 || at_x >= ground->edge || at_z >= ground->edge) {
        return false;
    }
    const size_t i = (size_t)at_z * (size_t)ground->edge + (size_t)at_x;
    if (!ground->candidates[i] || cell.draw >= (float)ground->chances[i] * terrain->shape.trees) {
        return false;
    }
    const TrnTreeKind kind = (TrnTreeKind)(ground->candidates[i] - 1);
    *tree = (TrnTree){.x = (int8_t)x,
                      .z = (int8_t)z,
                      .y = (int16_t)(trn_land_floor(ground->heights[i]) + 1),
                      .kind = (uint8_t)kind,
                      .trunk = tree_trunk(kind, cell.hash >> 24 & 0xFF),
                      .variation = (uint8_t)(cell.hash >> 32)};
    return true;
}

void trn_trees_place(const TrnTerrain *terrain, const TrnTreeGround *ground, TrnColumn *column)
{
    const TrnVoxel base = trn_coord_voxel(column->coord);
    const int64_t first_x = tree_cell(base.x + ground->first);
    const int64_t first_z = tree_cell(base.z + ground->first);
    const int64_t last_x = tree_cell(base.x + ground->first + ground->edge - 1);
    const int64_t last_z = tree_cell(base.z + ground->first + ground->edge - 1);
    for (int64_t z = first_z; z <= last_z; z++) {
        for (int64_t x = first_x; x <= last_x && column->tree_count < TRN_TREES_MAX; x++) {
            column->tree_count +=
                tree_in_cell(terrain, ground, base, x, z, &column->trees[column->tree_count]);
        }
    }
}

/// The chunk that trees are written into.
typedef struct TreeCanvas {
    TrnBlock *blocks;
    int64_t bottom;
} TreeCanvas;

static bool tree_can_replace(TrnBlock block)
{
    return block == TRN_BLOCK_AIR || (block >= TRN_BLOCK_TALL_GRASS && block <= TRN_BLOCK_REEDS);
}

/// Writes a voxel over air, plants or `over`.
/// @param over  block that may be replaced too: leaves, by a trunk
static void tree_put_block(const TreeCanvas *canvas, int32_t x, int64_t y, int32_t z,
                           TrnBlock block, TrnBlock over)
{
    const int64_t local_y = y - canvas->bottom;
    if (((x | z) & ~(TRN_CHUNK_EDGE - 1)) != 0 || local_y < 0 || local_y >= TRN_CHUNK_EDGE) {
        return;
    }
    TrnBlock *at = &canvas->blocks[trn_local_index((uint32_t)x, (uint32_t)local_y, (uint32_t)z)];
    if (tree_can_replace(*at) || *at == over) {
        *at = block;
    }
}

/// Writes a round layer of leaves.
static void tree_disc(const TreeCanvas *canvas, const TrnTree *tree, int64_t y, int32_t radius2,
                      int32_t reach, TrnBlock block)
{
    for (int32_t z = -reach; z <= reach; z++) {
        for (int32_t x = -reach; x <= reach; x++) {
            if (x * x + z * z <= radius2) {
                tree_put_block(canvas, tree->x + x, tree->y + y, tree->z + z, block, block);
            }
        }
    }
}

static void tree_oak_leaves(const TreeCanvas *canvas, const TrnTree *tree)
{
    const int64_t top = tree->trunk;
    const int32_t wide = tree->variation & 1 ? 8 : 6;
    tree_disc(canvas, tree, top - 2, wide, 2, TRN_BLOCK_OAK_LEAVES);
    tree_disc(canvas, tree, top - 1, tree->trunk > 5 ? 10 : wide, 3, TRN_BLOCK_OAK_LEAVES);
    tree_disc(canvas, tree, top, tree->variation & 2 ? 5 : 4, 2, TRN_BLOCK_OAK_LEAVES);
    tree_disc(canvas, tree, top + 1, 1, 1, TRN_BLOCK_OAK_LEAVES);
}

static void tree_pine_leaves(const TreeCanvas *canvas, const TrnTree *tree)
{
    const int64_t top = tree->trunk;
    for (int64_t y = 2 + (tree->variation & 1); y < top; y++) {
        const int64_t below = top - y; // wider towards the ground, every other layer narrower
        const int32_t wide = (int32_t)(below > 8 ? 8 : below);
        const int32_t radius2 = below % 2 ? 1 + wide : wide > 4 ? 2 : 1;
        tree_disc(canvas, tree, y, radius2, 3, TRN_BLOCK_PINE_LEAVES);
    }
    tree_disc(canvas, tree, top, 1, 1, TRN_BLOCK_PINE_LEAVES);
    tree_disc(canvas, tree, top + 1, 0, 0, TRN_BLOCK_PINE_LEAVES);
}

static void tree_acacia_leaves(const TreeCanvas *canvas, const TrnTree *tree)
{
    tree_disc(canvas, tree, tree->trunk, tree->variation & 1 ? 13 : 10, 3, TRN_BLOCK_ACACIA_LEAVES);
    tree_disc(canvas, tree, tree->trunk + 1, 4, 2, TRN_BLOCK_ACACIA_LEAVES);
}

static void tree_write_leaves(const TreeCanvas *canvas, const TrnTree *tree)
{
    if (tree->kind == TRN_TREE_OAK) {
        tree_oak_leaves(canvas, tree);
    } else if (tree->kind == TRN_TREE_PINE) {
        tree_pine_leaves(canvas, tree);
    } else if (tree->kind == TRN_TREE_ACACIA) {
        tree_acacia_leaves(canvas, tree);
    }
}

static void tree_write_trunk(const TreeCanvas *canvas, const TrnTree *tree)
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
            tree_put_block(canvas, tree->x, tree->y + y, tree->z, logs[tree->kind], leaves[i]);
        }
    }
}

static bool tree_reaches(const TrnTree *tree, int64_t bottom)
{
    return tree->y < bottom + TRN_CHUNK_EDGE && trn_tree_top(tree) >= bottom;
}

void trn_trees_write(const TrnColumn *column, int64_t chunk_bottom, TrnBlock *blocks)
{
    const TreeCanvas canvas = {blocks, chunk_bottom};
    // Where two crowns meet, the first tree's leaves stay, and trunks replace leaves. Every chunk
    // gives the same result, since all columns order trees alike.
    for (uint32_t i = 0; i < column->tree_count; i++) {
        if (tree_reaches(&column->trees[i], chunk_bottom)) {
            tree_write_leaves(&canvas, &column->trees[i]);
        }
    }
    for (uint32_t i = 0; i < column->tree_count; i++) {
        if (tree_reaches(&column->trees[i], chunk_bottom)) {
            tree_write_trunk(&canvas, &column->trees[i]);
        }
    }
}
