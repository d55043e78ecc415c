/// Terrane, bodies: boxes that stand, walk, fall, swim and climb in the world.
///
/// Lengths are voxels, times seconds. Boxes are aligned with the axes; a body's position is the
/// middle of its bottom.
///
/// Sweeps and bodies work on a grid of 2^-40 voxels, to which positions, sizes and motions are
/// rounded as they come in. On the grid all is exact: a box that is stopped by a face lies on it,
/// with nothing between and nothing inside; no tolerance lets it creep. And a move is the same, bit
/// for bit, wherever in the world it is made, across the borders of chunks and at its ends.
///
/// Threads: as trn_store_find: the writer's thread, or any other inside a read section of the
/// store's index. A body is its caller's.
#ifndef TERRANE_BODY_H
#define TERRANE_BODY_H

#include <terrane/store.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- positions ---------------------------------------------------------------------------------

/// A position moved by some voxels, in whatever chunk that is. At the ends of the world it stops,
/// along the axis that left it. NaN moves nowhere.
TRN_API TrnPosition trn_position_add(TrnPosition position, const double by[3]);

/// `to` minus `from` in voxels; exact to 2^-20 voxels over a million chunks, coarser farther apart.
TRN_API void trn_position_difference(TrnPosition to, TrnPosition from, double out[3]);

/// The voxel that a position lies in.
TRN_API TrnVoxel trn_position_voxel(TrnPosition position);

// ---- overlap -----------------------------------------------------------------------------------

/// The greatest extent of a box along an axis.
#define TRN_BODY_SIZE_MAX 64.0

/// What a box or a point touches.
typedef struct TrnOverlap {
    bool solid;           ///< a solid block
    bool liquid;          ///< a liquid
    bool climbable;       ///< a block that bodies climb in
    bool unloaded;        ///< a chunk that is not in the store, or what is outside the world
    TrnVoxel first_solid; ///< where solid: the first such voxel, x fastest, then z, then y
    /// How far the highest liquid that it touches reaches above the bottom of the box, at most its
    /// height.
    double liquid_depth;
} TrnOverlap;

/// What a box touches; sharing a face is not touching.
/// @param bottom  the middle of its bottom
/// @param size    along x, y, z: each 0..TRN_BODY_SIZE_MAX. All 0: a point, which is in one voxel
/// Errors: BAD_ARGUMENT (numbers that are not finite or out of range, an offset below 0 or not
/// below 32); overlap is then untouched.
/// Cost: some ns for each voxel touched; no allocation.
TRN_API TrnResult trn_store_overlap(const TrnStore *store, TrnPosition bottom, const double size[3],
                                    TrnOverlap *overlap);

// ---- sweep -------------------------------------------------------------------------------------

/// The longest way of one sweep along an axis.
#define TRN_SWEEP_MAX 1024.0

typedef struct TrnSweep {
    TrnPosition bottom;       ///< where the box ended
    bool hit[TRN_FACE_COUNT]; ///< sides of the box that were stopped: TRN_FACE_NEG_Y is the ground
    /// Whether one of them was stopped by a chunk that is not in the store, or the world's end, and
    /// by no block at the same place.
    bool unloaded;
    bool stepped;       ///< whether it ended higher for steps that it went up
    double step_height; ///< how far, then
} TrnSweep;

/// Moves a box until something solid stops it, and on along what stopped it (sliding): first
/// vertically, then along the longer of the two horizontal axes (x where they are equal), then the
/// other. Chunks that are not in the store, and the ends of the world, are solid. A box never ends
/// inside what is solid unless it began there; then it may move out of the layers of blocks that it
/// is in, but not into others.
/// @param size         each above 0, at most TRN_BODY_SIZE_MAX
/// @param motion       voxels, each at most TRN_SWEEP_MAX
/// @param step_height  0..size[1]: where it is stopped sideways and something solid is right below
///                     it, it goes up by as little as lets it go on, and no higher than this;
///                     beyond the step it comes down again, by as much at most. A staircase is many
///                     steps. Blocks are whole, so below 1 it never steps, and 1.9 is as good as 1
/// Errors: BAD_ARGUMENT (numbers that are not finite or out of range, an offset below 0 or not
/// below 32); sweep is then untouched.
/// Cost: some 100 ns for a step of a walk, some ns for each layer of voxels on a long way; no
/// allocation.
TRN_API TrnResult trn_store_sweep(const TrnStore *store, TrnPosition bottom, const double size[3],
                                  const double motion[3], double step_height, TrnSweep *sweep);

// ---- bodies ------------------------------------------------------------------------------------

/// The greatest speed along an axis, voxels/s: that of the longest sweep in the longest step.
/// Faster bodies are cut to it.
#define TRN_BODY_SPEED_MAX 4096.0

/// How bodies of one kind move. Start from trn_body_def(). Speeds are 0..TRN_BODY_SPEED_MAX,
/// accelerations 0..1e6.
typedef struct TrnBodyDef {
    double size[3];        ///< x, y, z: each above 0, at most TRN_BODY_SIZE_MAX
    double step_height;    ///< goes up so much without jumping, as in trn_store_sweep; 0..size[1]
    double gravity;        ///< voxels/s^2, downwards
    double fall_speed_max; ///< voxels/s
    double walk_speed;     ///< voxels/s, at full wish
    double jump_speed;     ///< voxels/s upwards: jumps reach jump_speed^2 / (2 * gravity)
    double ground_acceleration, air_acceleration; ///< towards the wished speed, voxels/s^2
    double swim_speed;                            ///< voxels/s, in all directions, in a liquid
    /// 1/s, 0..1000: how fast a liquid brings a body to the speed at which it swims, or to rest:
    /// each step divides the difference by 1 + drag * seconds. For short steps that is exp(-drag *
    /// seconds), without libm, and so the same on every machine. Bodies swim by it: at 0 they
    /// cannot.
    double liquid_drag;
    /// Voxels/s^2 upwards when wholly under, less by as much of the height as is out. Above gravity
    /// the body floats, and rests where the two balance: with gravity / buoyancy of its height
    /// under.
    double buoyancy;
    double climb_speed; ///< voxels/s up and down a ladder, and sideways on it
} TrnBodyDef;

/// A person of 0.6 x 1.8 x 0.6 voxels, as voxel games have it: walks 4.3 voxels/s, jumps 1.27
/// voxels high, so onto a block but not onto two, under a gravity of 32 voxels/s^2; swims 2.5
/// voxels/s, floats with a fifth of its height out, climbs 3 voxels/s. Goes up no step without
/// jumping: set step_height to 1 for that.
TRN_API TrnBodyDef trn_body_def(void);

/// One body. Fill in position, zero the rest; copy and save it as you like. The next step depends
/// on position, velocity and hit alone.
typedef struct TrnBody {
    TrnPosition position; ///< the middle of its bottom
    double velocity[3];   ///< voxels/s, each within TRN_BODY_SPEED_MAX
    bool on_ground;       ///< stands on a block, touching it exactly
    bool in_liquid;       ///< at least a tenth of its height
    bool under_liquid;    ///< all of it
    bool on_ladder;       ///< in a block that bodies climb in
    /// Stopped by a chunk that is not in the store, or the world's end: without ground it would
    /// fall for ever.
    bool waits;
    bool hit[TRN_FACE_COUNT]; ///< sides that were stopped in the last step
    double step_height; ///< what the last step went up at once: for a camera that follows smoothly
} TrnBody;

/// What a body wants in one step.
typedef struct TrnBodyInput {
    /// Direction, length 0..1 of the full speed, longer is cut: y counts in liquids and on ladders.
    /// Finite.
    double walk[3];
    /// From the ground: a jump. In a liquid: swims up, and at the surface, where the last step was
    /// stopped sideways, leaps as high above it as a jump reaches above the ground: onto a shore.
    /// (A swimming body does not stand on the ground, so that step_height alone brings nobody
    /// ashore.) On a ladder: climbs up.
    bool jump;
    /// On the ground, and on the way down a step: does not go over an edge that is higher than
    /// step_height. On a ladder: stays where it is.
    bool sneak;
} TrnBodyInput;

/// The longest step. Longer ones are refused: take several.
#define TRN_BODY_STEP_MAX 0.25

/// Moves a body for a time: gravity, walking, jumping, swimming, climbing, sweep and slide. On a
/// ladder there is no gravity. A body whose position is in a chunk that is not in the store does
/// not move at all, and waits: its speed waits with it.
/// @param body  changed; untouched on failure
/// @param wish  NULL wants nothing
/// @param seconds  0..TRN_BODY_STEP_MAX. The same steps give the same way on every machine; for
///                 that take equal steps, such as 1/60 s
/// Errors: BAD_ARGUMENT (numbers that are not finite or out of range). Cost: 0.2 to 2 us; no
/// allocation.
TRN_API TrnResult trn_body_step(const TrnStore *store, const TrnBodyDef *def, TrnBody *body,
                                const TrnBodyInput *wish, double seconds);

#ifdef __cplusplus
}
#endif
#endif
