/// Private: rivers and lakes above the sea. Drainage is solved once for a region of 2,048 x 2,048
/// voxels, from its own heights alone: rivers and lakes keep away from the region's border, so
/// neighbouring regions never disagree. rivers.c solves, draws curves and keeps regions,
/// rivers_shape.c carves columns.
#ifndef TERRANE_TERRAIN_RIVERS_IMPL_H
#define TERRANE_TERRAIN_RIVERS_IMPL_H

#include "terrain/land_impl.h"

/// Cells of a region along an edge, and voxels of a cell along an edge.
#define TRN_RIVER_CELLS 64
#define TRN_RIVER_CELL 32
#define TRN_RIVER_CELL_COUNT ((size_t)TRN_RIVER_CELLS * TRN_RIVER_CELLS)

/// A region's edge in chunks of level 0: 2^this.
#define TRN_RIVER_REGION_SHIFT 6

/// The coarsest level with rivers and lakes. Samples of coarser levels are wider than rivers, and
/// so few of their columns share a region that solving it would cost as much as the column.
#define TRN_RIVER_LEVEL_MAX 4

/// Cells along a region's border where no river and no lake is. What flows there leaves the region
/// unseen.
#define TRN_RIVER_BORDER 2

/// Voxels from a river's bank that its valley reaches. Less than TRN_RIVER_BORDER cells.
#define TRN_RIVER_REACH 28.0f

/// Half the width of the widest river.
#define TRN_RIVER_WIDTH_MAX 6.0f

/// Cells around one that a river leaves which it may change: it lies in that cell and the next one,
/// or RIVER_JITTER beside them, and its valley reaches further. Lattices reach beyond their
/// columns.
#define TRN_RIVER_REACH_CELLS 3

/// Rivers of a region, in cells that one leaves, at most. If there are more, the smallest dry up.
#define TRN_RIVER_EDGES_MAX 704

/// Straight pieces of a river between two cells.
#define TRN_RIVER_PIECES 4

/// A river between two cells.
typedef struct TrnRiverEdge {
    float x[TRN_RIVER_PIECES + 1], z[TRN_RIVER_PIECES + 1]; ///< voxels from the region's corner
    /// Voxel y of the topmost water, by piece: it falls where a piece begins.
    int16_t levels[TRN_RIVER_PIECES];
    float widths[2]; ///< half the width at both ends, in voxels
    bool is_spring;  ///< no river flows into it
} TrnRiverEdge;

/// The rivers and lakes of a region. Rows of bits have one word for each row of cells along z.
typedef struct TrnRivers {
    int32_t region_x, region_z;                ///< in chunks of level 0 >> TRN_RIVER_REGION_SHIFT
    uint64_t river_rows[TRN_RIVER_CELLS];      ///< cells that a river leaves
    uint64_t lake_rows[TRN_RIVER_CELLS];       ///< cells of lakes
    uint64_t near_rows[TRN_RIVER_CELLS];       ///< cells that a river or a lake may change
    uint16_t edge_of[TRN_RIVER_CELL_COUNT];    ///< by cell that a river leaves: in `edges`
    int16_t lake_levels[TRN_RIVER_CELL_COUNT]; ///< voxel y of the topmost water
    uint32_t edge_count;
    TrnRiverEdge edges[TRN_RIVER_EDGES_MAX];
} TrnRivers;

/// What drainage finds in each cell of a region.
typedef struct TrnDrainage {
    // In.
    float heights[TRN_RIVER_CELL_COUNT]; ///< of the ground
    float rain[TRN_RIVER_CELL_COUNT];    ///< water that falls on a cell; 1 in a mild land
    // Out.
    float fills[TRN_RIVER_CELL_COUNT];    ///< height to which water rises before it flows on
    float flows[TRN_RIVER_CELL_COUNT];    ///< rain of all cells upstream
    uint16_t nexts[TRN_RIVER_CELL_COUNT]; ///< the cell downstream; itself where water leaves
    int16_t levels[TRN_RIVER_CELL_COUNT]; ///< voxel y of the topmost water of rivers and lakes
    uint8_t is_river[TRN_RIVER_CELL_COUNT];
    uint8_t is_lake[TRN_RIVER_CELL_COUNT];
    // Scratch.
    uint16_t order[TRN_RIVER_CELL_COUNT]; ///< cells from the outlets upstream
    uint64_t heap[TRN_RIVER_CELL_COUNT];
    uint8_t marks[TRN_RIVER_CELL_COUNT];
    float waters[TRN_RIVER_CELL_COUNT];
} TrnDrainage;

/// Solves a region's drainage from heights and rain.
/// @param least  flow from which on a river is seen; raised if there are too many
void trn_river_drain(TrnDrainage *drainage, float least);

/// Creates terrain->rivers; NULL for lands without rivers.
/// Errors: NO_MEMORY.
TrnResult trn_river_cache_create(TrnTerrain *terrain, uint32_t column_max);

void trn_river_cache_destroy(TrnTerrain *terrain);

/// Finds the rivers around a chunk column, and solves their region first if it is not kept. Waits
/// while another thread solves it. Return them with trn_rivers_release.
/// @param coord  of the level
/// @param level  0..TRN_RIVER_REGION_SHIFT
/// @return NULL if there are none
const TrnRivers *trn_rivers_acquire(const TrnTerrain *terrain, TrnCoord coord, uint32_t level);

/// How many regions were solved so far, for tests.
size_t trn_rivers_solved(const TrnTerrain *terrain);

/// @param rivers  may be NULL
void trn_rivers_release(const TrnTerrain *terrain, const TrnRivers *rivers);

/// Cuts valleys and raises banks in the fields of a lattice, before its slopes are computed.
void trn_rivers_shape_lattice(const TrnRivers *rivers, const TrnLandLattice *lattice);

/// Carves beds into a square's heights, and writes its waters.
/// @param corner  voxel of the square's first sample
void trn_rivers_shape_square(const TrnRivers *rivers, TrnVoxel corner, const TrnLandSquare *square);

/// Keeps caves away from water above the sea: under and beside it roofs are thick, and beside falls
/// the rock is sealed.
/// @param skip  samples of the square before the column's first one
void trn_rivers_close_caves(const TrnLandSquare *square, uint32_t skip, TrnColumn *column);

#endif
