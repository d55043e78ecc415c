/// Finds ways on foot: over steps, down ledges, across gaps, up ladders, through doors, around
/// water, or through it where that is shorter by far.
///
/// A cell is a voxel that feet can be in: two voxels high without anything solid, with ground
/// below, or a ladder in it, or the surface of a liquid. From a cell one goes
///   level     to one of eight neighbours, askew only past two free corners
///   up        onto a neighbour that is one higher; from a liquid onto a shore, up to one above its
///   surface down      onto a neighbour up to WAY_DROP_MAX lower across    a gap of one column,
///   jumping climbing  up and down where blocks are climbable
/// Swimming costs as much as five times the way on land, and less once searches have led around the
/// water in vain.
///
/// In steps of a search that goes on from frame to frame: a way of a hundred voxels takes some
/// thousand cells.
///
/// Where the goal is out of reach, the way ends at the cell that is nearest to it, or at the end of
/// what is there to be known: the border of WAY_RADIUS, or of the chunks that are there.
///
/// The same world gives the same way, on every machine: all is in whole numbers.
///
/// Source: P. E. Hart, N. J. Nilsson, B. Raphael, "A Formal Basis for the Heuristic Determination
/// of Minimum Cost Paths", 1968; weighted as in I. Pohl, "Heuristic search viewed as path finding
/// in a graph", 1970.
#ifndef TERRANE_VIEWER_WAY_H
#define TERRANE_VIEWER_WAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <terrane/store.h>

#define WAY_RADIUS 64    ///< voxels along x and z that a search goes from where it began
#define WAY_HEIGHT 48    ///< voxels up and down
#define WAY_CELLS 32768u ///< cells that a search looks at, at most
#define WAY_STEPS 2048u  ///< cells of a way, at most
#define WAY_DROP_MAX 3   ///< voxels
#define WAY_SCAN                                                                                   \
    192 ///< voxels above and below where it begins in which it looks for the goal's ground
#define WAY_ROOF 6 ///< solid blocks above a cell: with more it is in a cave, with less under a tree
#define WAY_BEEN_MAX 16u

typedef enum WayMove {
    WAY_MOVE_START,
    WAY_MOVE_LEVEL,
    WAY_MOVE_UP,
    WAY_MOVE_DOWN,
    WAY_MOVE_ACROSS,
    WAY_MOVE_CLIMB ///< up or down in the same column
} WayMove;

/// A cell of a way, and how it is come to.
typedef struct WayStep {
    TrnVoxel feet;
    WayMove move;
} WayStep;

typedef struct WayGoal {
    TrnVoxel voxel;  ///< of the feet
    bool has_height; ///< otherwise the ground of that column, or what is above it
    uint32_t vain;   ///< searches for it, before this one, that came no nearer
} WayGoal;

typedef enum WayState {
    WAY_SEARCHING, ///< call way_go again
    WAY_FOUND,     ///< leads to the goal; or next to it, where the goal itself is no cell
    WAY_NEAR,      ///< leads as near as one comes
    /// leads to the border of what is known, on what looks like the way: search again from there
    WAY_EDGE
} WayState;

typedef struct Way Way;

/// A search that has not begun; free it with way_destroy. Some 1.7 MiB; nothing is allocated later.
/// @return NULL where there is no memory
Way *way_create(void);
/// @param way  may be NULL
void way_destroy(Way *way);

/// Whether feet can be in a voxel. Some 10 ns.
bool way_is_cell(const TrnStore *store, TrnVoxel feet);

/// The cell that somebody stands, swims or climbs in whose feet are at a position: of the columns
/// that he touches, that of his middle first.
/// @return false where there is none: in the air, in rock, or in a chunk that is not there
bool way_cell_at(const TrnStore *store, TrnPosition feet, TrnVoxel *cell);

/// Begins a search, and forgets the one before.
/// @param from        a cell
/// @param been        [been_count] where earlier searches for this goal began: the way ends at no
///                    border near them, so that nobody is led to and fro before what is wider than
///                    a search. Of more than WAY_BEEN_MAX the last ones; may be NULL where there
///                    are none
void way_begin(Way *way, const TrnStore *store, TrnVoxel from, const WayGoal *goal,
               const TrnVoxel *been, size_t been_count);

/// Goes on with a search. The world may change between calls: then the way may have to be left.
/// @param cells  how many to look at; some 0.3 to 0.5 us each
WayState way_go(Way *way, const TrnStore *store, uint32_t cells);

/// What way_go returned last.
WayState way_state(const Way *way);

/// The way that was found, first the cell it begins in. None while it searches.
/// @return how many cells, 1..WAY_STEPS; only the first `capacity` are written
size_t way_steps(const Way *way, WayStep *out, size_t capacity);

/// How far the way's end is from the goal, voxels: 0 at the goal. Along x and z alone, where the
/// goal has no height.
double way_rest(const Way *way);

/// Cells that the search has looked at.
uint32_t way_cells(const Way *way);

#endif
