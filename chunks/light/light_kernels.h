/// Private: the loops of light over a volume of 62 x 62 x 62 voxels, and the choice of them.
///
/// A volume is 64 slices along y of 64 rows along z, a word each. The voxel at x, y, z of 0..61 is
/// bit x + 1 of word (y + 1) * 64 + z + 1. The words around them are there so that the loops need
/// no borders: light never passes there. The chunk is at 15..46. A tile is 8 words of a slice.
#ifndef TERRANE_LIGHT_LIGHT_KERNELS_H
#define TERRANE_LIGHT_LIGHT_KERNELS_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <terrane/light.h>

#include "base/cpu.h"
#include "base/memory.h"
#include "voxels/voxel_read_internal.h"

#define LIGHT_SLICE 64                            ///< words
#define LIGHT_WORDS (LIGHT_SLICE * LIGHT_SLICE)   ///< of a volume
#define LIGHT_TILE 8                              ///< words
#define LIGHT_TILES (LIGHT_SLICE / LIGHT_TILE)    ///< of a slice
#define LIGHT_EDGE 62                             ///< voxels an axis
#define LIGHT_INSIDE (UINT64_MAX >> 2 << 1)       ///< the bits of a row that are voxels
#define LIGHT_REACH 14                            ///< voxels beyond the source
#define LIGHT_OUT_FIRST (1 + LIGHT_REACH)         ///< the first slice, row and bit of the result
#define LIGHT_OUT_LAST (LIGHT_EDGE - LIGHT_REACH) ///< the last
#define LIGHT_OUT_TILES 0x7Eu                     ///< of a slice: those with rows of the result
#define LIGHT_STAGGER 72 ///< words between volumes, so that slices do not share sets of a cache
#define LIGHT_LEVEL_COUNT 16
#define LIGHT_LEVEL_MAX 15
#define LIGHT_DIMS_COUNT 14 ///< what dims by more, light does not get through

/// Tiles of a volume: bit by tile of a slice, a byte for each slice.
typedef struct LightMarks {
    uint64_t bytes[LIGHT_SLICE / 8];
} LightMarks;

/// A volume without marks.
typedef struct LightWords {
    alignas(TRN_CACHE_LINE) uint64_t at[LIGHT_WORDS + LIGHT_STAGGER];
} LightWords;

/// A volume. The tiles that are not marked are zero.
typedef struct LightVolume {
    alignas(TRN_CACHE_LINE) uint64_t words[LIGHT_WORDS];
    LightMarks marks;
} LightVolume;

/// What light of one level gets into. A volume that is lit has the voxels with at least a level.
typedef struct LightStep {
    uint32_t level;
    uint32_t count;                         ///< of `pass` and `from`
    const uint64_t *pass[LIGHT_DIMS_COUNT]; ///< voxels that dim alike; [0] by nothing
    const uint64_t *from[LIGHT_DIMS_COUNT]; ///< what is lit so that light gets into those
    const uint64_t *sources;                ///< what emits this level; NULL: nothing
    const uint64_t *above;                  ///< what is lit by the level above
    LightMarks active;                      ///< the tiles to look at
    LightWords *planes;                     ///< [TRN_LIGHT_LEVELS] the bits of levels, to add to
    uint64_t *lit;                          ///< receives what is lit
} LightStep;

/// The voxels of a chunk along an axis that are in a volume.
typedef struct LightSpan {
    uint32_t local; ///< the first of the chunk
    uint32_t at;    ///< the first bit, slice or row
    uint32_t count; ///< voxels
} LightSpan;

/// The part of a chunk that is in a volume. Along z whole half-layers, so that it may include a row
/// at the volume's border.
typedef struct LightPart {
    LightSpan x, y, z;
} LightPart;

/// Adds tiles of a slice.
static inline void trn_light_mark(LightMarks *marks, uint32_t y, uint32_t tiles)
{
    marks->bytes[y / 8] |= (uint64_t)tiles << y % 8 * 8;
}

static inline bool trn_light_has_marks(const LightMarks *marks)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < LIGHT_SLICE / 8; i++) {
        any |= marks->bytes[i];
    }
    return any != 0;
}

/// Returns the tiles of a slice. @param y  the slice
static inline uint32_t trn_light_marks_of(const LightMarks *marks, size_t y)
{
    return (uint32_t)(marks->bytes[y / 8] >> y % 8 * 8) & UINT8_MAX;
}

/// Takes the lowest tile. @return where its words begin, those of byte 0 at 0
static inline size_t trn_light_take_tile(uint64_t *bytes)
{
    const size_t tile = (size_t)__builtin_ctzll(*bytes);
    *bytes &= *bytes - 1;
    return tile * LIGHT_TILE;
}

typedef struct LightKernels {
    const char *name;

    /// Writes the voxels of some tiles that are in none of the masks of their chunks, and marks the
    /// tiles that have any.
    /// @param masks  [TRN_AROUND_COUNT] of the chunks
    void (*join)(const TrnMask *masks, const LightMarks *tiles, LightVolume *volume);

    /// Adds voxels of a chunk to a volume.
    /// @param rows    [TRN_CHUNK_ROWS]
    /// @param halves  bit by half-layer of the part: to add
    void (*place)(const uint32_t *rows, uint64_t halves, LightPart part, LightVolume *volume);

    /// from &= ~what, in some tiles
    void (*remove)(const LightVolume *what, const LightMarks *tiles, LightVolume *from);

    /// Finds the clear voxels with nothing but clear ones above them.
    /// @param open  [LIGHT_SLICE] the rows that are open above; changed
    /// @param lit   [LIGHT_WORDS] receives them
    /// @param any   receives the tiles that have some
    /// @param dark  receives the tiles with clear voxels that are not lit
    void (*fall)(const LightVolume *clear, uint64_t *open, uint64_t *lit, LightMarks *any,
                 LightMarks *dark);

    /// Computes what is lit by a level from the levels above, in the active tiles.
    /// @param grown  receives the tiles that have voxels of just this level
    /// @return whether any tile has
    bool (*spread)(const LightStep *step, LightMarks *grown);

    /// Begins slices of the planes of a result: every bit is set of what is lit by the highest
    /// level.
    /// @param slices  bit by slice
    /// @param tiles   those in which anything is lit by it
    void (*begin)(const uint64_t *lit, uint64_t slices, const LightMarks *tiles,
                  LightWords *planes);

    /// Writes the planes of a chunk as its rows.
    /// @param slices  bit by slice: it was begun; the others are dark
    void (*pack)(const LightWords *planes, uint64_t slices, TrnLight *light);
} LightKernels;

/// All sets of LightKernels.
extern const TrnKernelTable trn_light_kernels;

#endif
