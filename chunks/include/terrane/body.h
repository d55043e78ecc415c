/// Terrane, bodies: boxes that stand, walk, fall, swim and climb in the world.
///
/// Lengths are voxels, times seconds. All boxes are axis-aligned (AABBs). A body's position is the
/// middle of its bottom face.
///
/// A solid block fills its voxel, a solid model only its boxes (TrnBlockModel). A liquid is as high
/// as it is drawn: as its type says (TrnBlockType.surface), or its whole voxel if the block above
/// is opaque, transparent or a liquid. Climbable blocks count by voxels.
///
/// Overlap tests, sweeps and bodies compute in fixed point, in units of 2^-40 voxels. Positions,
/// sizes and motions are rounded to that grid on entry; after that nothing is rounded. A box that a
/// face stops lies exactly on the face: no gap, no penetration, no tolerance and no drift. The same
/// move gives the same result, bit for bit, everywhere in the world, also across chunk borders and
/// at the ends of the world.
///
/// Threads: as trn_store_find: the writer thread, or any other thread inside a read section of the
/// store's index. The caller owns bodies.
///
/// Tier: stable.
#ifndef TERRANE_BODY_H
#define TERRANE_BODY_H

#include <terrane/store.h>

TRN_C_BEGIN

// ---- overlap test -------------------------------------------------------------------------------

/// The largest extent of a box along an axis, in voxels.
#define TRN_BODY_SIZE_MAX 64.0

/// What a box or a point overlaps.
typedef struct TrnOverlap {
    bool solid;           ///< a solid block
    bool liquid;          ///< a liquid
    bool climbable;       ///< a block that bodies climb in
    bool unloaded;        ///< a chunk that is not loaded, or space outside the world
    TrnVoxel first_solid; ///< if solid: the first such voxel, x fastest, then z, then y
    /// Height of the highest overlapped liquid above the bottom of the box, at most the box's
    /// height, in voxels.
    double liquid_depth;
} TrnOverlap;

/// Tests which kinds of blocks a box overlaps. Sharing only a face is no overlap.
/// @param bottom  the middle of the bottom face
/// @param size    extent along x, y, z, each 0..TRN_BODY_SIZE_MAX; all 0 is a point, which lies in
///                one voxel
/// @param overlap  receives the answer; untouched on failure
/// Errors: BAD_ARGUMENT (a number that is not finite or out of range, an offset below 0 or not
/// below 32).
/// Cost: O(overlapped voxels); no allocation.
TRN_API TrnResult trn_store_overlap(const TrnStore *store, TrnPosition bottom, const double size[3],
                                    TrnOverlap *overlap);

// ---- sweep --------------------------------------------------------------------------------------

/// The longest motion of one sweep along an axis, in voxels.
#define TRN_SWEEP_MAX 1024.0

/// How a sweep ended.
typedef struct TrnSweep {
    TrnPosition bottom;       ///< final position of the middle of the bottom face
    bool hit[TRN_FACE_COUNT]; ///< sides of the box that were stopped; TRN_FACE_NEG_Y: it landed
    /// Whether a chunk that is not loaded, or the end of the world, stopped one of the sides, with
    /// no solid block at the same place.
    bool unloaded;
    bool stepped;       ///< whether it ended higher because it climbed steps
    double step_height; ///< how much higher, in voxels; 0 if not stepped
} TrnSweep;

/// Moves a box until something solid stops it, then slides it along the obstacle: first vertically,
/// then along the longer of the two horizontal axes (x if they are equal), then along the other.
/// Chunks that are not loaded and space outside the world are solid. A box never ends inside
/// something solid unless it started there; then it can leave what it overlaps but cannot enter
/// anything else.
/// @param bottom       the middle of the bottom face
/// @param size         extent along x, y, z, each above 0, at most TRN_BODY_SIZE_MAX
/// @param motion       voxels along x, y, z, each at most TRN_SWEEP_MAX
/// @param step_height  0..size[1]. A box that stands on something solid and is stopped sideways
///                     climbs by as little as lets it move on, at most this high: a block needs
///                     1, a slab or stair 0.5. Beyond the step it comes down again, at most as
///                     far as it climbed. One sweep can climb several steps (a staircase)
/// @param sweep        receives how it ended; untouched on failure
/// Errors: BAD_ARGUMENT (a number that is not finite or out of range, an offset below 0 or not
/// below 32).
/// Cost: O(layers of voxels that the motion crosses, times the body's face); no allocation.
TRN_API TrnResult trn_store_sweep(const TrnStore *store, TrnPosition bottom, const double size[3],
                                  const double motion[3], double step_height, TrnSweep *sweep);

// ---- bodies -------------------------------------------------------------------------------------

/// The highest speed along an axis, voxels/s: the longest sweep divided by the longest step. Higher
/// speeds are clamped.
#define TRN_BODY_SPEED_MAX 4096.0

/// How bodies of one kind move. Start from trn_body_def(). Speeds are 0..TRN_BODY_SPEED_MAX,
/// accelerations 0..1e6.
typedef struct TrnBodyDef {
    double size[3];        ///< x, y, z: each above 0, at most TRN_BODY_SIZE_MAX
    double step_height;    ///< climbs this high without jumping, as in trn_store_sweep; 0..size[1]
    double gravity;        ///< voxels/s^2, downwards
    double fall_speed_max; ///< terminal velocity, voxels/s
    double walk_speed;     ///< voxels/s, at full input
    double jump_speed;     ///< voxels/s upwards: jumps reach jump_speed^2 / (2 * gravity)
    double ground_acceleration; ///< towards the input's speed, on the ground, voxels/s^2
    double air_acceleration;    ///< the same in the air
    double swim_speed;          ///< voxels/s, in all directions, in a liquid
    /// 1/s, 0..1000: how fast a liquid brings a body to its swimming speed, or to rest. Each step
    /// divides the difference by 1 + drag * seconds (implicit Euler). For short steps that is
    /// exp(-drag * seconds), but without libm and so identical on every machine. At 0 bodies cannot
    /// swim.
    double liquid_drag;
    /// Voxels/s^2 upwards when fully submerged, proportional to the submerged part of the height.
    /// Above gravity the body floats, at rest with gravity / buoyancy of its height submerged.
    double buoyancy;
    double climb_speed; ///< voxels/s up and down a ladder, and sideways on it
} TrnBodyDef;

// How the person of trn_body_def moves.
#define TRN_BODY_WALK_SPEED 4.3  ///< voxels/s
#define TRN_BODY_SWIM_SPEED 2.5  ///< voxels/s
#define TRN_BODY_CLIMB_SPEED 3.0 ///< voxels/s
#define TRN_BODY_JUMP_SPEED 9.0  ///< voxels/s: a jump of 1.27 voxels, onto one block but not two
#define TRN_BODY_GRAVITY 32.0    ///< voxels/s^2

/// A person of 0.6 x 1.8 x 0.6 voxels, as usual in voxel games, with the speeds above; floats with
/// a fifth of its height above the surface. Walks up slabs and stairs without jumping, and whole
/// blocks if you set step_height to 1.
TRN_API TrnBodyDef trn_body_def(void);

/// One body. Set position, zero the rest; copy and save it freely. The next step depends only on
/// position, velocity and hit.
typedef struct TrnBody {
    TrnPosition position; ///< the middle of the bottom face
    double velocity[3];   ///< voxels/s, each within TRN_BODY_SPEED_MAX
    bool on_ground;       ///< stands on a block, touching it exactly
    bool in_liquid;       ///< at least a tenth of its height is submerged
    bool under_liquid;    ///< fully submerged
    bool on_ladder;       ///< overlaps a block that bodies climb in
    /// Stopped by a chunk that is not loaded, or by the end of the world, and it keeps its
    /// velocity. Without this a body would fall forever where the ground is not loaded yet.
    bool waits;
    bool hit[TRN_FACE_COUNT]; ///< sides that were stopped in the last step
    double step_height;       ///< how far the last step climbed at once: for smoothing a camera
} TrnBody;

/// What a player or an AI asks of a body in one step.
typedef struct TrnBodyInput {
    /// Direction times the part of full speed, 0..1; longer vectors are cut to length 1. y counts
    /// in liquids and on ladders. Finite.
    double walk[3];
    /// On the ground: jumps (no coyote time: off the ground it does not). In a liquid: swims up.
    /// At the surface, if the last step was stopped sideways: leaps onto the shore, as high above
    /// the surface as a jump above the ground. (A swimming body does not stand on the ground, so
    /// step_height does not bring it ashore.) On a ladder: climbs up.
    bool jump;
    /// On the ground, and on the way down a step: does not walk over an edge higher than
    /// step_height. On a ladder: stays in place.
    bool sneak;
} TrnBodyInput;

/// The longest step, in seconds. Longer ones are refused: make several.
#define TRN_BODY_STEP_MAX 0.25

/// Advances a body by one time step: gravity, walking, jumping, swimming, climbing, then a sweep
/// with sliding. On a ladder there is no gravity.
///
/// Chunks that are not loaded stop a body, which sets `waits`. Its velocity[] stays as it was, and
/// the body goes on with it once they are loaded. Where the chunk of the position is not loaded, or
/// such a chunk ends a fall, the body does not move at all until then, unless it climbs or swims
/// up. Where one stops it sideways or from above, the other axes go on, so that it can turn back.
/// @param body     changed; untouched on failure
/// @param input    NULL: no input
/// @param seconds  0..TRN_BODY_STEP_MAX. Equal sequences of steps give equal results on every
///                 machine; use a fixed time step, such as 1/60 s, for that
/// Errors: BAD_ARGUMENT (a number that is not finite or out of range).
/// Cost: a few sweeps (trn_store_sweep), most where the body climbs or slides; no allocation.
TRN_API TrnResult trn_body_step(const TrnStore *store, const TrnBodyDef *def, TrnBody *body,
                                const TrnBodyInput *input, double seconds);

TRN_C_END
#endif
