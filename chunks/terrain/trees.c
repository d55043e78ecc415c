// Trees. A grid of square cells holds at most one tree each. A hash of the cell gives its position
// and the ground there decides its kind, so a tree is the same for every chunk that holds a part of
// it, in any order of generation.
//
// Forms are trunks, branches, and crowns that are unions of ragged blobs. Integers only. A voxel is
// written if it lies within TRN_TREE_REACH of the trunk and not above the tree's top, so no form
// can leave what its column knows of it.

#include "terrain/trees.h"

/// The chunk that trees are written into.
typedef struct TreeCanvas {
    TrnBlock *blocks;
    int64_t bottom;
} TreeCanvas;

/// A tree is written twice: its leaves, then its wood, which replaces leaves.
typedef enum TreePart { TREE_LEAVES, TREE_WOOD } TreePart;

/// A voxel relative to the lowest one of the trunk.
typedef struct TreeSpot {
    int32_t x, y, z;
} TreeSpot;

/// Writes one part of one tree.
typedef struct TreePen {
    const TreeCanvas *canvas;
    const TrnTree *tree;
    TreePart part;
    TrnBlock log, leaf;
    TrnBlock room; ///< what it grows in: air, or water
} TreePen;

/// Six directions around a trunk, two voxels away.
static const TreeSpot tree_around[6] = {{2, 0, 0},  {1, 0, 2},   {-1, 0, 2},
                                        {-2, 0, 0}, {-1, 0, -2}, {1, 0, -2}};

/// The spot two voxels from the trunk at a height, in the n-th direction from a random one.
static TreeSpot tree_aside(const TrnTree *tree, uint32_t n, int32_t y)
{
    const TreeSpot to = tree_around[(tree->variation + n) % 6];
    return (TreeSpot){to.x, y, to.z};
}

static uint32_t tree_random(const TrnTree *tree, int32_t x, int32_t y, int32_t z)
{
    uint32_t hash = (uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u ^
                    (uint32_t)tree->variation * 2654435761u;
    hash = (hash ^ hash >> 15) * 2246822519u;
    return hash ^ hash >> 13;
}

// ---- voxels -------------------------------------------------------------------------------------

static bool tree_is_plant(TrnBlock block)
{
    return (block >= TRN_BLOCK_TALL_GRASS && block <= TRN_BLOCK_REEDS) ||
           (block >= TRN_BLOCK_FERN && block <= TRN_BLOCK_WHITE_FLOWER) ||
           (block >= TRN_BLOCK_KELP && block <= TRN_BLOCK_SEA_GRASS);
}

static bool tree_is_leaf(TrnBlock block)
{
    return block == TRN_BLOCK_OAK_LEAVES || block == TRN_BLOCK_PINE_LEAVES ||
           block == TRN_BLOCK_ACACIA_LEAVES ||
           (block >= TRN_BLOCK_ASPEN_LEAVES && block <= TRN_BLOCK_PALM_LEAVES);
}

static void tree_put(const TreePen *pen, TreeSpot at, TreePart part)
{
    const TrnTree *tree = pen->tree;
    const int32_t x = tree->x + at.x, z = tree->z + at.z;
    const int64_t y = tree->y + at.y - pen->canvas->bottom;
    const bool is_outside = at.x * at.x > TRN_TREE_REACH * TRN_TREE_REACH ||
                            at.z * at.z > TRN_TREE_REACH * TRN_TREE_REACH || at.y > tree->top;
    if (part != pen->part || is_outside || ((x | z) & ~(TRN_CHUNK_EDGE - 1)) != 0 || y < 0 ||
        y >= TRN_CHUNK_EDGE) {
        return;
    }
    TrnBlock *voxel = &pen->canvas->blocks[trn_local_index((uint32_t)x, (uint32_t)y, (uint32_t)z)];
    const bool is_wood = part == TREE_WOOD;
    if (*voxel == pen->room || tree_is_plant(*voxel) || (is_wood && tree_is_leaf(*voxel))) {
        *voxel = is_wood ? pen->log : pen->leaf;
    }
}

static void tree_log(const TreePen *pen, TreeSpot at)
{
    tree_put(pen, at, TREE_WOOD);
}

static void tree_leaf(const TreePen *pen, TreeSpot at)
{
    tree_put(pen, at, TREE_LEAVES);
}

/// Writes a straight line of wood.
static void tree_branch(const TreePen *pen, TreeSpot from, TreeSpot to)
{
    const int32_t by[3] = {to.x - from.x, to.y - from.y, to.z - from.z};
    int32_t steps = 1;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t length = by[axis] < 0 ? -by[axis] : by[axis];
        steps = length > steps ? length : steps;
    }
    for (int32_t i = 0; i <= steps && pen->part == TREE_WOOD; i++) {
        tree_log(pen, (TreeSpot){from.x + by[0] * i / steps, from.y + by[1] * i / steps,
                                 from.z + by[2] * i / steps});
    }
}

static void tree_trunk(const TreePen *pen)
{
    tree_branch(pen, (TreeSpot){0, 0, 0}, (TreeSpot){0, pen->tree->trunk - 1, 0});
}

/// Writes an ellipsoid of leaves with a ragged rim.
/// @param wide,high  radii in quarters of a voxel, at most 16
static void tree_blob(const TreePen *pen, TreeSpot centre, int32_t wide, int32_t high)
{
    const int32_t reach = wide / 4, rise = high / 4, limit = wide * wide * high * high;
    for (int32_t y = -rise; y <= rise && pen->part == TREE_LEAVES; y++) {
        for (int32_t z = -reach; z <= reach; z++) {
            for (int32_t x = -reach; x <= reach; x++) {
                const int32_t out = 16 * ((x * x + z * z) * high * high + y * y * wide * wide);
                const TreeSpot at = {centre.x + x, centre.y + y, centre.z + z};
                const bool is_rim = out * 3 > limit * 2 && (x | z) != 0;
                if (out <= limit &&
                    !(is_rim && tree_random(pen->tree, at.x, at.y, at.z) % 4 == 0)) {
                    tree_leaf(pen, at);
                }
            }
        }
    }
}

/// Writes a blob and the branch that holds it, which its leaves hide.
static void tree_bough(const TreePen *pen, TreeSpot to, int32_t wide, int32_t high)
{
    tree_blob(pen, to, wide, high);
    tree_branch(pen, (TreeSpot){0, to.y - 1, 0}, to);
}

// ---- kinds --------------------------------------------------------------------------------------

static void tree_oak(const TreePen *pen)
{
    const int32_t top = pen->tree->trunk, size = pen->tree->size;
    tree_trunk(pen);
    tree_blob(pen, (TreeSpot){0, top, 0}, 9 + size, 7);
    for (int32_t n = 0; n < (size == 2 ? 3 : size); n++) {
        const TreeSpot end = tree_aside(pen->tree, (uint32_t)(2 * n), top - 1 - n % 2);
        tree_bough(pen, end, 8 + size / 2, 6);
    }
}

/// A bare trunk below flat, uneven clusters.
static void tree_pine(const TreePen *pen)
{
    const int32_t top = pen->tree->trunk, size = pen->tree->size;
    tree_trunk(pen);
    tree_blob(pen, (TreeSpot){0, top, 0}, 7 + size, 5);
    for (int32_t n = 0; n <= size; n++) {
        const TreeSpot end = tree_aside(pen->tree, (uint32_t)(2 * n + n / 2), top - 2 - n);
        tree_bough(pen, end, 7, 5);
    }
}

/// A cone of whorls, wide ones and narrow ones in turn.
static void tree_spruce(const TreePen *pen)
{
    const int32_t top = pen->tree->trunk, first = 1 + pen->tree->variation % 2;
    tree_trunk(pen);
    for (int32_t y = first; y <= top + 1; y++) {
        const int32_t below = top + 1 - y;
        const int32_t narrow = below % 2 == 0 ? 4 : 0;
        const int32_t wide = 4 + below * 10 / (top + 1) - (below > 1 ? narrow : 2);
        tree_blob(pen, (TreeSpot){0, y, 0}, wide < 1 ? 1 : wide, 3);
    }
}

/// Umbrellas on a trunk that leans and, if it is large, forks.
static void tree_acacia(const TreePen *pen)
{
    const int32_t top = pen->tree->trunk, size = pen->tree->size;
    const TreeSpot side = tree_aside(pen->tree, 0, top);
    const TreeSpot end = {side.x / 2, top, side.z / 2}, fork = {-side.x, top - 1, -side.z};
    tree_branch(pen, (TreeSpot){0, 0, 0}, (TreeSpot){0, top - 3, 0});
    tree_branch(pen, (TreeSpot){0, top - 3, 0}, (TreeSpot){end.x, top - 1, end.z});
    tree_blob(pen, end, 11 + size, 3);
    tree_blob(pen, (TreeSpot){end.x, top + 1, end.z}, 6 + size, 3);
    if (size == 2) {
        tree_bough(pen, fork, 8, 3);
    }
}

static void tree_cactus(const TreePen *pen)
{
    tree_trunk(pen);
    for (int32_t n = 0; n < pen->tree->size; n++) {
        const int32_t x = n == 0 ? 1 : -1, y = 1 + n;
        const bool is_turned = pen->tree->variation & 1;
        const TreeSpot arm = {is_turned ? 0 : x, y, is_turned ? x : 0};
        tree_branch(pen, arm, (TreeSpot){arm.x, y + 1, arm.z});
    }
}

/// A slender crown on a pale trunk.
static void tree_aspen(const TreePen *pen)
{
    const int32_t top = pen->tree->trunk, size = pen->tree->size;
    tree_trunk(pen);
    tree_blob(pen, (TreeSpot){0, top - 1, 0}, 7 + size, 11 + size);
    if (size > 0) {
        const TreeSpot end = tree_aside(pen->tree, 0, top - 3);
        tree_bough(pen, (TreeSpot){end.x / 2, end.y, end.z / 2}, 7, 6);
    }
}

/// Leaves hang from the rim of a wide crown.
static void tree_willow(const TreePen *pen)
{
    const TrnTree *tree = pen->tree;
    const int32_t top = tree->trunk, wide = 11 + 2 * tree->size;
    tree_trunk(pen);
    tree_blob(pen, (TreeSpot){0, top, 0}, wide, 6);
    for (uint32_t n = 0; n <= tree->size; n++) {
        tree_branch(pen, (TreeSpot){0, top - 2, 0}, tree_aside(tree, 2 * n, top - 1));
    }
    for (int32_t i = 0; i < 81 && pen->part == TREE_LEAVES; i++) {
        const int32_t x = i % 9 - 4, z = i / 9 - 4, out = 16 * (x * x + z * z);
        const uint32_t random = tree_random(tree, x, 99, z);
        if (out > wide * wide || out < (wide - 5) * (wide - 5) || random % 8 < 3) {
            continue;
        }
        const int32_t length = (int32_t)(random / 8 % (uint32_t)top);
        for (int32_t y = top; y >= top - length && y > 0; y--) {
            tree_leaf(pen, (TreeSpot){x, y, z});
        }
    }
}

/// Fronds that droop from the top of a bent trunk.
static void tree_palm(const TreePen *pen)
{
    const int32_t top = pen->tree->trunk;
    const TreeSpot side = tree_aside(pen->tree, 0, top), crown = {side.x / 2, top, side.z / 2};
    const int32_t bend = top * 2 / 3;
    tree_branch(pen, (TreeSpot){0, 0, 0}, (TreeSpot){0, bend, 0});
    tree_branch(pen, (TreeSpot){crown.x, bend, crown.z}, (TreeSpot){crown.x, top - 1, crown.z});
    tree_leaf(pen, crown);
    for (int32_t i = 0; i < 8; i++) {
        static const int8_t steps[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                           {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
        const int32_t length = i % 2 ? 2 : 3;
        for (int32_t far = 1; far <= length; far++) {
            const TreeSpot at = {crown.x + steps[i][0] * far, top + (far == 1) - (far == length),
                                 crown.z + steps[i][1] * far};
            tree_leaf(pen, at);
            if (far == length && pen->tree->size == 2) {
                tree_leaf(pen, (TreeSpot){at.x, at.y - 1, at.z});
            }
        }
    }
}

/// A tall trunk with buttresses below layered, wide crowns.
static void tree_kapok(const TreePen *pen)
{
    const int32_t top = pen->tree->trunk, size = pen->tree->size;
    tree_trunk(pen);
    for (int32_t i = 0; i < 4 && size > 0; i++) {
        const TreeSpot foot = {i < 2 ? 2 * i - 1 : 0, 0, i < 2 ? 0 : 2 * i - 5};
        const int32_t rise = (int32_t)(tree_random(pen->tree, i, 0, 7) % 3);
        tree_branch(pen, foot, (TreeSpot){foot.x, rise, foot.z});
    }
    tree_blob(pen, (TreeSpot){0, top, 0}, 13 + size, 7);
    for (int32_t n = 0; n <= size; n++) {
        const TreeSpot end = tree_aside(pen->tree, (uint32_t)(2 * n), top - 2 - 2 * n);
        tree_bough(pen, end, 8, 6);
    }
}

static void tree_bush(const TreePen *pen)
{
    const int32_t size = pen->tree->size;
    tree_blob(pen, (TreeSpot){0, 0, 0}, 5 + 2 * size, 4 + 2 * size);
    tree_log(pen, (TreeSpot){0, 0, 0});
}

static void tree_fallen(const TreePen *pen)
{
    const int32_t length = 2 + pen->tree->size / 2, width = pen->tree->variation & 1;
    const TreeSpot end = {width ? length : 0, 0, width ? 0 : length};
    tree_branch(pen, (TreeSpot){-end.x, 0, -end.z}, end);
}

static void tree_snag(const TreePen *pen)
{
    const TreeSpot side = tree_aside(pen->tree, 0, pen->tree->trunk - 1);
    tree_trunk(pen);
    tree_branch(pen, (TreeSpot){0, side.y - 1, 0}, (TreeSpot){side.x / 2, side.y - 1, side.z / 2});
}

/// A trunk with arms that bend upwards.
static void tree_coral(const TreePen *pen)
{
    const TrnTree *tree = pen->tree;
    tree_trunk(pen);
    for (uint32_t n = 0; n <= tree->size; n++) {
        const TreeSpot side = tree_aside(tree, 2 * n, tree->trunk / 2);
        const TreeSpot near = {side.x / 2, side.y, side.z / 2};
        const TreeSpot elbow = near.x | near.z ? near : side;
        tree_branch(pen, (TreeSpot){0, side.y, 0}, elbow);
        tree_branch(pen, elbow, (TreeSpot){elbow.x, tree->trunk - 1, elbow.z});
    }
}

/// Logs across and upon each other, half of them gone.
static void tree_wreck(const TreePen *pen)
{
    const bool is_turned = pen->tree->variation & 1;
    for (int32_t n = 0; n < 4; n++) {
        const uint32_t random = tree_random(pen->tree, n, 3, 5);
        const int32_t length = 1 + (int32_t)(random % 3), aside = n < 3 ? n - 1 : 0;
        const int32_t y = n < 3 ? 0 : 1;
        const bool is_along = is_turned == (n < 3);
        const TreeSpot from = {is_along ? -length : aside, y, is_along ? aside : -length};
        const TreeSpot to = {is_along ? length : aside, y, is_along ? aside : length};
        tree_branch(pen, from, to);
    }
    tree_branch(pen, (TreeSpot){0, 0, 0}, (TreeSpot){0, pen->tree->trunk - 1, 0});
}

/// What a kind is made of. A size adds `step` to the trunk.
typedef struct TreeForm {
    uint8_t least, step, spread; ///< of the trunk's height
    uint8_t crown;               ///< its voxels above the trunk
    TrnBlock log, leaf;
    void (*write)(const TreePen *pen);
    TrnBlock room; ///< what it grows in
    uint8_t logs;  ///< colours of the log, with consecutive ids; 0 is one
} TreeForm;

static const TreeForm tree_forms[TRN_TREE_ALL_COUNT] = {
    [TRN_TREE_OAK] = {4, 2, 2, 2, TRN_BLOCK_OAK_LOG, TRN_BLOCK_OAK_LEAVES, tree_oak, TRN_BLOCK_AIR,
                      0},
    [TRN_TREE_PINE] = {7, 2, 3, 2, TRN_BLOCK_PINE_LOG, TRN_BLOCK_PINE_LEAVES, tree_pine,
                       TRN_BLOCK_AIR, 0},
    [TRN_TREE_ACACIA] = {4, 1, 2, 2, TRN_BLOCK_ACACIA_LOG, TRN_BLOCK_ACACIA_LEAVES, tree_acacia,
                         TRN_BLOCK_AIR, 0},
    [TRN_TREE_CACTUS] = {2, 1, 2, 0, TRN_BLOCK_CACTUS, TRN_BLOCK_CACTUS, tree_cactus, TRN_BLOCK_AIR,
                         0},
    [TRN_TREE_ASPEN] = {6, 2, 2, 3, TRN_BLOCK_ASPEN_LOG, TRN_BLOCK_ASPEN_LEAVES, tree_aspen,
                        TRN_BLOCK_AIR, 0},
    [TRN_TREE_SPRUCE] = {5, 3, 3, 2, TRN_BLOCK_PINE_LOG, TRN_BLOCK_PINE_LEAVES, tree_spruce,
                         TRN_BLOCK_AIR, 0},
    [TRN_TREE_WILLOW] = {4, 1, 2, 2, TRN_BLOCK_OAK_LOG, TRN_BLOCK_WILLOW_LEAVES, tree_willow,
                         TRN_BLOCK_AIR, 0},
    [TRN_TREE_PALM] = {5, 2, 2, 2, TRN_BLOCK_ACACIA_LOG, TRN_BLOCK_PALM_LEAVES, tree_palm,
                       TRN_BLOCK_AIR, 0},
    [TRN_TREE_KAPOK] = {8, 2, 2, 2, TRN_BLOCK_OAK_LOG, TRN_BLOCK_PALM_LEAVES, tree_kapok,
                        TRN_BLOCK_AIR, 0},
    [TRN_TREE_BUSH] = {1, 0, 1, 2, TRN_BLOCK_OAK_LOG, TRN_BLOCK_OAK_LEAVES, tree_bush,
                       TRN_BLOCK_AIR, 0},
    [TRN_TREE_FALLEN] = {1, 0, 1, 0, TRN_BLOCK_DEAD_WOOD, TRN_BLOCK_AIR, tree_fallen, TRN_BLOCK_AIR,
                         0},
    [TRN_TREE_STUMP] = {1, 0, 1, 0, TRN_BLOCK_OAK_LOG, TRN_BLOCK_AIR, tree_trunk, TRN_BLOCK_AIR, 0},
    [TRN_TREE_SNAG] = {3, 1, 3, 0, TRN_BLOCK_DEAD_WOOD, TRN_BLOCK_AIR, tree_snag, TRN_BLOCK_AIR, 0},
    [TRN_TREE_CORAL] = {1, 1, 2, 0, TRN_BLOCK_RED_CORAL, TRN_BLOCK_AIR, tree_coral, TRN_BLOCK_WATER,
                        3},
    [TRN_TREE_WRECK] = {2, 0, 3, 0, TRN_BLOCK_DEAD_WOOD, TRN_BLOCK_AIR, tree_wreck, TRN_BLOCK_WATER,
                        0},
};

/// Sets a tree's trunk and top, which follow from its kind, size and variation.
static void tree_set_height(TrnTree *tree)
{
    const TreeForm *form = &tree_forms[tree->kind];
    tree->trunk =
        (uint8_t)(form->least + form->step * tree->size + (tree->variation >> 4) % form->spread);
    tree->top = (uint8_t)(tree->trunk - 1 + form->crown);
}

/// Writes one part of a tree over air and plants.
static void tree_write(const TreeCanvas *canvas, const TrnTree *tree, TreePart part)
{
    const TreeForm *form = &tree_forms[tree->kind];
    const TrnBlock log =
        form->logs ? (TrnBlock)(form->log + (tree->variation >> 2) % form->logs) : form->log;
    const TreePen pen = {canvas, tree, part, log, form->leaf, form->room};
    form->write(&pen);
}

// ---- cells --------------------------------------------------------------------------------------

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
static void tree_set_form(TrnTreeKind kind, uint64_t hash, TrnTree *tree)
{
    static const uint8_t sizes[] = {0, 0, 1, 1, 1, 1, 2, 2};
    tree->variation = (uint8_t)(hash >> 32);
    tree->kind = (uint8_t)tree_undergrowth(kind, hash);
    tree->size = sizes[hash >> 40 & 7];
    tree_set_height(tree);
}

/// Whether a draw lets a tree stand.
static bool tree_stands(const TrnTerrain *terrain, float draw, uint8_t chance)
{
    return draw < (float)chance * terrain->shape.trees;
}

uint32_t trn_trees_find(const TrnTerrain *terrain, TrnCoord column, int64_t stream, uint8_t chance,
                        TrnTreeSpot *spots)
{
    const int64_t last = TRN_CHUNK_EDGE + TRN_TREE_REACH - 1;
    const TrnVoxel base = trn_coord_voxel(column);
    const int64_t first_x = tree_cell(base.x - TRN_TREE_REACH), last_x = tree_cell(base.x + last);
    const int64_t first_z = tree_cell(base.z - TRN_TREE_REACH), last_z = tree_cell(base.z + last);
    uint32_t count = 0;
    for (int64_t z = first_z; z <= last_z; z++) {
        for (int64_t x = first_x; x <= last_x; x++) {
            const TreeCell cell = tree_look_up(terrain, stream, x, z);
            const int64_t at_x = cell.x - base.x, at_z = cell.z - base.z;
            if (at_x >= -TRN_TREE_REACH && at_x <= last && at_z >= -TRN_TREE_REACH &&
                at_z <= last && tree_stands(terrain, cell.draw, chance)) {
                spots[count++] =
                    (TrnTreeSpot){(int8_t)at_x, (int8_t)at_z, (uint8_t)cell.draw, cell.hash};
            }
        }
    }
    return count;
}

void trn_trees_add(const TrnTerrain *terrain, const TrnTreeSpot *spot, TrnTreeKind kind,
                   uint8_t chance, float height, TrnColumn *column)
{
    if (!tree_stands(terrain, (float)spot->draw, chance)) {
        return;
    }
    TrnTree *tree = &column->trees[column->tree_count++];
    *tree = (TrnTree){.x = spot->x, .z = spot->z, .y = (int16_t)(trn_land_floor(height) + 1)};
    tree_set_form(kind, spot->hash, tree);
}

void trn_trees_write(const TrnColumn *column, int64_t chunk_bottom, TrnBlock *blocks)
{
    const TreeCanvas canvas = {blocks, chunk_bottom};
    // Where two crowns meet, the first tree's leaves stay, and wood replaces leaves. Every chunk
    // gives the same result, since all columns order trees alike.
    for (int part = TREE_LEAVES; part <= TREE_WOOD; part++) {
        for (uint32_t i = 0; i < column->tree_count; i++) {
            const TrnTree *tree = &column->trees[i];
            if (tree->y >= chunk_bottom + TRN_CHUNK_EDGE || tree->y + tree->top < chunk_bottom) {
                continue;
            }
            tree_write(&canvas, tree, (TreePart)part);
        }
    }
}
