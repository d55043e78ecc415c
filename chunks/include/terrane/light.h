/// Terrane, light: sky light and block light of a chunk, as a pure function of the 27 chunks around
/// it.
///
///     TrnLightSolver *solver; // one a thread
///     trn_light_solver_create(NULL, &solver);
///     TrnSnapshot around[TRN_AROUND_COUNT];
///     trn_store_snapshot_around(store, coord, around);
///     trn_light_read(solver, around, types);
///     TrnLight sky, blocks;
///     trn_light_sky(solver, NULL, &sky); // nothing above the 27 chunks
///     trn_light_blocks(solver, NULL, &blocks);
///     uint32_t level = trn_light_level(&blocks, x, y, z);
///
/// The rule. Levels are 0 to 15. A voxel's level is the highest of what it emits, and the level of
/// its brightest face neighbour less 1 and less what the voxel's block dims. An opaque voxel has
/// only what it emits. A column is open to the sky down to the first voxel that is opaque or dims;
/// open voxels have sky light 15.
///
/// So light reaches 14 voxels beyond its source, and the 27 chunks decide the light of the middle
/// one with a border of one voxel, which its mesh needs. There is nothing to keep up to date: after
/// a change within 14 voxels, solve again.
///
/// Threads: a solver on one thread at a time, inside the read section of the snapshots.
///
/// Tier: stable.
#ifndef TERRANE_LIGHT_H
#define TERRANE_LIGHT_H

#include <stdbool.h>

#include <terrane/block_types.h>
#include <terrane/voxels.h>

TRN_C_BEGIN

#define TRN_LIGHT_LEVELS 4                  ///< bits of a level
#define TRN_LIGHT_EDGE (TRN_CHUNK_EDGE + 2) ///< voxels an axis: the chunk and its border
#define TRN_LIGHT_ROWS (TRN_LIGHT_EDGE * TRN_LIGHT_EDGE) ///< rows along x
#define TRN_LIGHT_VARIES 255 ///< TrnLight.constant: not all levels are equal

/// The levels of a chunk and of the voxels at its border.
typedef struct TrnLight {
    /// The level of every voxel, or TRN_LIGHT_VARIES.
    uint8_t constant;
    /// Unless it is constant: bit b of the levels of 34 voxels along x. The row of local y and z is
    /// (y + 1) * 34 + z + 1; the voxel of local x is its bit x + 1.
    uint64_t planes[TRN_LIGHT_LEVELS][TRN_LIGHT_ROWS];
} TrnLight;

/// Returns a level.
/// @param x,y,z  local, -1..32
static inline uint32_t trn_light_level(const TrnLight *light, int32_t x, int32_t y, int32_t z)
{
    uint32_t level = 0;
    if (light->constant != TRN_LIGHT_VARIES) {
        return light->constant;
    }
    for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
        level |= (uint32_t)(light->planes[bit][(y + 1) * TRN_LIGHT_EDGE + z + 1] >> (x + 1) & 1)
                 << bit;
    }
    return level;
}

/// Memory to solve with: 1.6 MiB, of which a chunk touches what its surroundings need. Opaque; the
/// caller creates and destroys it.
typedef struct TrnLightSolver TrnLightSolver;

/// Creates a solver.
/// @param allocator  copied; NULL means malloc
/// @param solver     receives the solver; the caller destroys it
/// Errors: BAD_ARGUMENT, NO_MEMORY.
TRN_API TrnResult trn_light_solver_create(const TrnAllocator *allocator, TrnLightSolver **solver);

/// Frees a solver. @param solver  may be NULL
TRN_API void trn_light_solver_destroy(TrnLightSolver *solver);

/// Sets the chunk that the functions below solve for. They read its voxels.
/// @param around  [TRN_AROUND_COUNT] the chunk and its neighbours, as trn_store_snapshot_around()
///                writes them; valid as long as this chunk is solved
/// @param types   borrowed as long
/// Cost: O(1).
TRN_API void trn_light_read(TrnLightSolver *solver, const TrnSnapshot *around,
                            const TrnBlockTypes *types);

/// Solves the light of the sky.
/// @param open_sky  [9] for the columns of chunks, x fastest, then z: which columns of voxels are
///                  open above the upper chunks: [TRN_CHUNK_EDGE] rows by z, bit x. NULL, also for
///                  one of them: all are open
/// Cost: O(voxels that light reaches), at most twice that of a chunk of hills where much is water;
/// O(1) if all chunks are uniform and clear, or all uniform and opaque; O(columns) if none is open.
TRN_API void trn_light_sky(TrnLightSolver *solver, const uint32_t *const *open_sky,
                           TrnLight *light);

/// Solves the light of blocks.
/// @param emission  [TRN_BLOCK_TYPES_MAX] the level that each block emits, such as one colour of
///                  it; more than 15 counts as 15. NULL: TrnBlockType.light
/// Cost: O(voxels that light reaches), half of that where only one block emits; O(types) if no
/// block within reach does. A chunk with more than 256 types is read voxel by voxel: some 2.5 times
/// as much.
TRN_API void trn_light_blocks(TrnLightSolver *solver, const uint8_t *emission, TrnLight *light);

/// Tells how far a change of a chunk's voxels changes light.
/// @return which of the 27 chunks around must be solved again, in the order of `around`; 0 if every
///         voxel lets light pass and emits it as before. What the sky lights below this chunk
///         changes too where trn_light_open_columns() changes
/// Threads: any. Cost: that of trn_snapshot_diff, and O(changed voxels).
TRN_API uint32_t trn_light_reach(TrnSnapshot before, TrnSnapshot after, const TrnBlockTypes *types);

/// Tells which columns of a chunk the sky shines through: those without a voxel that is opaque or
/// dims. The columns that are open above a chunk are those that are open through all chunks above.
/// @param open  [TRN_CHUNK_EDGE] rows by z, bit x
/// Threads: any. Cost: O(types); O(rows) if the chunk has blocks that dim.
TRN_API void trn_light_open_columns(TrnSnapshot voxels, const TrnBlockTypes *types, uint32_t *open);

TRN_C_END
#endif
