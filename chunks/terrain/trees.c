// Trees. A grid of square cells holds at most one tree each. A hash of the cell gives its position
// and the ground there decides its kind, so a tree is the same for every chunk that holds a part of
// it, in any order of generation.

#include "terrain/trees_impl.h"

#include "terrain/tree_forms.h"

/// The cell of a voxel coordinate, rounded down.
static int64_t tree_cell(int64_t voxel)
{
    const int64_t cell = voxel / TRN_TREE_CELL;
    return voxel % TRN_TREE_CELL < 0 ? cell - 1 : cell;
}

/// What a cell's hash says of its tree.
typedef struct TreeCell {
    int64_t x, z; ///< voxel of the trunk
    float draw;   ///< 0..255: there is a tree if it is below the chance
    uint64_t hash;
} TreeCell;

static TreeCell tree_look_up(const TrnTerrain *terrain, int64_t stream, int64_t cell_x,
                             int64_t cell_z)
{
    const uint64_t hash = trn_land_hash(terrain->seed, cell_x, stream, cell_z);
    // keeps trees of adjacent cells at least two voxels apart
    const int64_t jitter = TRN_TREE_CELL - 1;
    return (TreeCell){.x = cell_x * TRN_TREE_CELL + (int64_t)(hash % (uint64_t)jitter),
                      .z = cell_z * TRN_TREE_CELL + (int64_t)((hash >> 8) % (uint64_t)jitter),
                      .draw = (float)((hash >> 16) & 0xFF),
                      .hash = hash};
}

bool trn_tree_crown_covers(const TrnTerrain *terrain, TrnVoxel voxel, float chance)
{
    const TreeCell cell =
        tree_look_up(terrain, TRN_TREE_STREAM, tree_cell(voxel.x), tree_cell(voxel.z));
    const int64_t by_x = voxel.x - cell.x, by_z = voxel.z - cell.z;
    return cell.draw < chance && by_x * by_x + by_z * by_z <= 8;
}

/// Dead wood lies among bushes where the ground is flat.
static TrnTreeKind tree_undergrowth(TrnTreeKind kind, uint64_t hash)
{
    if (kind != TRN_TREE_FALLEN) {
        return kind;
    }
    const uint64_t draw = hash >> 48 & 15;
    return draw < 11 ? TRN_TREE_BUSH : draw < 14 ? TRN_TREE_FALLEN : TRN_TREE_STUMP;
}

/// Sets a tree's kind and form by its cell's hash.
static void tree_set_form(const TrnTerrain *terrain, TrnTreeKind kind, uint64_t hash, TrnTree *tree)
{
    tree->kind = (uint8_t)kind;
    tree->variation = (uint8_t)(hash >> 32);
    if (terrain->version == 3) {
        trn_tree_3_set_height(tree, hash >> 24 & 0xFF);
        return;
    }
    static const uint8_t sizes[] = {0, 0, 1, 1, 1, 1, 2, 2};
    tree->kind = (uint8_t)tree_undergrowth(kind, hash);
    tree->size = sizes[hash >> 40 & 7];
    trn_tree_set_height(tree);
}

/// Finds the tree of a cell.
/// @return whether there is one inside `ground`
static bool tree_in_cell(const TrnTerrain *terrain, const TrnTreeGround *ground, TrnVoxel base,
                         TreeCell cell, TrnTree *tree)
{
    const int64_t x = cell.x - base.x, z = cell.z - base.z;
    const int64_t at_x = x - ground->first, at_z = z - ground->first;
    if (at_x < 0 || at_z < 0 || at_x >= ground->edge || at_z >= ground->edge) {
        return false;
    }
    const size_t i = (size_t)at_z * (size_t)ground->edge + (size_t)at_x;
    if (!ground->candidates[i] || cell.draw >= (float)ground->chances[i] * terrain->shape.trees) {
        return false;
    }
    *tree = (TrnTree){
        .x = (int8_t)x, .z = (int8_t)z, .y = (int16_t)(trn_land_floor(ground->heights[i]) + 1)};
    tree_set_form(terrain, (TrnTreeKind)(ground->candidates[i] - 1), cell.hash, tree);
    return true;
}

void trn_trees_place(const TrnTerrain *terrain, const TrnTreeGround *ground, int64_t stream,
                     TrnColumn *column)
{
    const TrnVoxel base = trn_coord_voxel(column->coord);
    const int64_t first_x = tree_cell(base.x + ground->first);
    const int64_t first_z = tree_cell(base.z + ground->first);
    const int64_t last_x = tree_cell(base.x + ground->first + ground->edge - 1);
    const int64_t last_z = tree_cell(base.z + ground->first + ground->edge - 1);
    const uint32_t most = column->tree_count + TRN_TREES_MAX;
    for (int64_t z = first_z; z <= last_z; z++) {
        for (int64_t x = first_x; x <= last_x && column->tree_count < most; x++) {
            const TreeCell cell = tree_look_up(terrain, stream, x, z);
            column->tree_count +=
                tree_in_cell(terrain, ground, base, cell, &column->trees[column->tree_count]);
        }
    }
}

void trn_trees_write(const TrnTerrain *terrain, const TrnColumn *column, int64_t chunk_bottom,
                     TrnBlock *blocks)
{
    const TrnTreeCanvas canvas = {blocks, chunk_bottom};
    // Where two crowns meet, the first tree's leaves stay, and wood replaces leaves. Every chunk
    // gives the same result, since all columns order trees alike.
    for (int part = TRN_TREE_LEAVES; part <= TRN_TREE_WOOD; part++) {
        for (uint32_t i = 0; i < column->tree_count; i++) {
            const TrnTree *tree = &column->trees[i];
            if (tree->y >= chunk_bottom + TRN_CHUNK_EDGE || tree->y + tree->top < chunk_bottom) {
                continue;
            }
            if (terrain->version == 3) {
                trn_tree_3_write(&canvas, tree, (TrnTreePart)part);
            } else {
                trn_tree_write(&canvas, tree, (TrnTreePart)part);
            }
        }
    }
}
