// A world with one chunk a column, as many games have it: columns in a two-dimensional array, which
// follows a player who walks far.

#include <stdio.h>
#include <stdlib.h>
#include <terrane/spatial_array.h>

enum { RADIUS = 12, EDGE = 2 * RADIUS + 1, IN_VIEW = EDGE * EDGE, WALK = 300, SHRINK_AFTER = 256 };

/// What a game keeps for one column.
typedef struct Column {
    TrnCoord coord; ///< y is 0, as for every coordinate of a two-dimensional array
    bool is_meshed;
} Column;

static TrnBox columns_around(TrnCoord player, int32_t radius)
{
    return trn_box_around(player, radius, 0, radius);
}

/// Adds the columns that are missing around the player.
static bool load(TrnSpatialArray *columns, TrnBox view)
{
    for (int32_t z = view.min.z; z <= view.max.z; z++) {
        for (int32_t x = view.min.x; x <= view.max.x; x++) {
            const TrnCoord coord = {x, 0, z};
            if (trn_spatial_array_pointer(columns, coord)) {
                continue;
            }
            Column *column = calloc(1, sizeof *column);
            if (!column) {
                return false;
            }
            column->coord = coord;
            if (trn_spatial_array_insert(columns, coord, &column) != TRN_RESULT_OK) {
                free(column);
                return false;
            }
        }
    }
    return true;
}

/// Frees the columns outside the view. @return how many
static uint32_t unload(TrnSpatialArray *columns, TrnBox view)
{
    uint32_t unloaded = 0;
    size_t cursor = 0;
    for (Column *const *cell; (cell = trn_spatial_array_next(columns, &cursor, NULL));) {
        Column *column = *cell;
        if (!trn_box_contains(view, column->coord)) {
            trn_spatial_array_remove(columns, column->coord);
            free(column);
            unloaded++;
        }
    }
    return unloaded;
}

/// Meshes the columns whose eight neighbours are there. @return how many
static uint32_t mesh(TrnSpatialArray *columns, TrnBox view)
{
    static Column *seen[IN_VIEW];
    Column *around[9];
    uint32_t meshed = 0;
    const size_t count = trn_spatial_array_gather(columns, view, seen, IN_VIEW);
    for (size_t i = 0; i < count; i++) {
        const TrnBox box = columns_around(seen[i]->coord, 1);
        if (!seen[i]->is_meshed && trn_spatial_array_gather(columns, box, around, 9) == 9) {
            seen[i]->is_meshed = true; // a game builds its triangles from `around` here
            meshed++;
        }
    }
    return meshed;
}

int main(void)
{
    TrnSpatialArrayDef def = trn_spatial_array_def(sizeof(Column *));
    def.dimensions = 2;
    TrnSpatialArray *columns;
    if (trn_spatial_array_create(&def, &columns) != TRN_RESULT_OK) {
        return 1;
    }
    TrnCoord player = {0, 0, 0};
    uint32_t meshed = 0, unloaded = 0;
    size_t cells_max = 0;
    bool is_ok = true;
    for (int step = 0; step < WALK && is_ok; step++, player.x--) { // into negative coordinates
        const TrnBox view = columns_around(player, RADIUS);
        is_ok = load(columns, view);
        meshed += mesh(columns, view);
        unloaded += unload(columns, view);
        // The extent only grows. Shrinking reads all cells, so do it now and then.
        if (unloaded >= SHRINK_AFTER) {
            is_ok = is_ok && trn_spatial_array_shrink(columns) == TRN_RESULT_OK;
            unloaded = 0;
        }
        const size_t cells = trn_spatial_array_stats(columns).cells;
        cells_max = cells > cells_max ? cells : cells_max;
    }
    printf("%zu columns around the player, %u meshed on the way, at most %zu cells\n",
           columns->count, (unsigned)meshed, cells_max);
    unload(columns, (TrnBox){{1, 0, 1}, {0, 0, 0}}); // an empty box: all of them
    trn_spatial_array_destroy(columns);
    return is_ok ? 0 : 1;
}
