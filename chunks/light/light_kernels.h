/// Private: the loops of light over a volume of 62 x 62 x 62 voxels, and the choice of them.
///
/// A volume is 64 slices along y of 64 rows along z, a word each. The voxel at x, y, z of 0..61 is
/// bit x + 1 of word (y + 1) * 64 + z + 1. What lies around it is zero, so that the loops need no
/// borders. The chunk is at 15..46.
#ifndef TERRANE_LIGHT_LIGHT_KERNELS_H
#define TERRANE_LIGHT_LIGHT_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

#define LIGHT_SLICE 64                            ///< words
#define LIGHT_WORDS (LIGHT_SLICE * LIGHT_SLICE)   ///< of a volume
#define LIGHT_EDGE 62                             ///< voxels an axis
#define LIGHT_INSIDE (UINT64_MAX >> 2 << 1)       ///< the bits of a row that are voxels
#define LIGHT_REACH 14                            ///< voxels beyond the source
#define LIGHT_OUT_FIRST (1 + LIGHT_REACH)         ///< the first slice, row and bit of the result
#define LIGHT_OUT_LAST (LIGHT_EDGE - LIGHT_REACH) ///< the last
#define LIGHT_LANES_MAX 8                         ///< words of the widest register

/// Slices and rows, both inclusive.
typedef struct LightRange {
    uint32_t y_first, y_last, z_first, z_last;
} LightRange;

typedef struct LightKernels {
    const char *name;

    /// lit = base, and the voxels of `pass` that are in `above` or share a face with a voxel in it.
    /// May also write words of the same slices outside the range, which then mean nothing.
    /// @param lit  may be base
    void (*spread)(const uint64_t *above, const uint64_t *pass, const uint64_t *base, uint64_t *lit,
                   LightRange range);

    /// Adds the words of a range to others: by |, and by ^.
    void (*add)(const uint64_t *words, uint64_t *to, LightRange range);
    void (*toggle)(const uint64_t *words, uint64_t *to, LightRange range);

    /// Adds rows of a chunk to words of a volume: bits `local` and up of 32 become bits `at` and
    /// up.
    /// @param rows   [count] NULL: all ones
    /// @param count  a multiple of LIGHT_LANES_MAX
    /// @param bits   how many of each row
    void (*place)(const uint32_t *rows, size_t count, uint32_t local, uint32_t bits, uint32_t at,
                  uint64_t *words);

    /// lit = the clear voxels with nothing but clear ones above them, down to the lowest slice.
    /// @param open  [LIGHT_SLICE] the rows that are open above; changed
    void (*fall)(const uint64_t *clear, uint64_t *open, uint64_t *lit);
} LightKernels;

extern const LightKernels trn_light_kernels_scalar;

/// All sets of LightKernels.
extern const TrnKernelTable trn_light_kernels;

#endif
