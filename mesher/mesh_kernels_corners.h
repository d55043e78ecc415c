// The kernels for light: the light of corners. Included by mesh_kernels_body.h, once for each
// instruction set.
//
// A corner touches four voxels of the layer in front of a face: two voxels of one row and two of
// another. Its light is the mean of those that are not opaque. In the arrays of corners, row r has
// the corners between row r and the one before it, and bit x of a row those next to voxel x - 1:
//
//     axis   layer in front   width       height      a corner of row r and bit b touches
//     x      y and z          1 row       34 rows     bit b of rows r, r - 1, r - 34, r - 35
//     y      x and z          1 bit       1 row       bits b, b - 1 of rows r, r - 1
//     z      x and y          1 bit       34 rows     bits b, b - 1 of rows r, r - 34

/// A level for each bit of some rows.
#define MeshLevel MESH(Level)
typedef struct MESH(Level) {
    MeshWide bits[TRN_LIGHT_LEVELS]; ///< the lowest first
} MeshLevel;

/// The voxels that corners touch in a row, or for axis x in two rows: those that are not opaque.
#define MeshPair MESH(Pair)
typedef struct MESH(Pair) {
    MeshWide own, before; ///< beside each other
} MeshPair;

/// How many voxels that are not opaque corners touch: a bit in just one of these, or in none.
#define MeshCounts MESH(Counts)
typedef struct MESH(Counts) {
    MeshWide one, two, three, four;
} MeshCounts;

/// The light of corners.
#define MeshCorners MESH(Corners)
typedef struct MESH(Corners) {
    MeshLevel mean[2]; ///< of the sky and of blocks
    /// Corners that two voxels touch only across each other, with the other two opaque. Each of the
    /// two has its own light there.
    MeshWide split;
} MeshCorners;

MESH_INLINE MeshPair MESH(clear_pair)(const TrnMeshWork *work, size_t row, uint32_t axis)
{
    const uint64_t *clear = work->scratch->light.clear + row;
    const MeshWide own = MESH(load_wide)(clear);
    return (MeshPair){own, axis == 0 ? MESH(load_wide)(clear - 1) : own << 1};
}

MESH_INLINE MeshCounts MESH(count_clear)(MeshPair low, MeshPair high)
{
    const MeshWide low_one = low.own ^ low.before, low_two = low.own & low.before;
    const MeshWide high_one = high.own ^ high.before, high_two = high.own & high.before;
    const MeshWide low_none = ~(low.own | low.before), high_none = ~(high.own | high.before);
    return (MeshCounts){(low_one & high_none) | (high_one & low_none),
                        (low_one & high_one) | (low_two & high_none) | (high_two & low_none),
                        (low_one & high_two) | (low_two & high_one), low_two & high_two};
}

/// Adds two numbers. @param sum  [bits + 1]
MESH_INLINE void MESH(add)(const MeshWide *a, const MeshWide *b, uint32_t bits, MeshWide *sum)
{
    MeshWide carry = {0};
#pragma GCC unroll 5
    for (uint32_t i = 0; i < bits; i++) {
        sum[i] = a[i] ^ b[i] ^ carry;
        carry = (a[i] & b[i]) | (carry & (a[i] | b[i]));
    }
    sum[bits] = carry;
}

/// Adds the levels of the two voxels of pairs. @param sum  [TRN_LIGHT_LEVELS + 1]
MESH_INLINE void MESH(add_pair)(const TrnMeshLevels *levels, size_t row, uint32_t axis,
                                MeshPair clear, MeshWide *sum)
{
    MeshLevel own, before;
#pragma GCC unroll 4
    for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
        const uint64_t *plane = levels->planes[bit] + row;
        own.bits[bit] = MESH(load_wide)(plane) & clear.own;
        before.bits[bit] =
            axis == 0 ? MESH(load_wide)(plane - 1) & clear.before : own.bits[bit] << 1;
    }
    MESH(add)(own.bits, before.bits, TRN_LIGHT_LEVELS, sum);
}

/// Divides sums of up to four levels by their count, to the nearest, halves up.
/// @param sum  [TRN_LIGHT_LEVELS + 2]
MESH_INLINE MeshLevel MESH(divide)(const MeshWide *sum, const MeshCounts *counts)
{
    enum { BITS = TRN_LIGHT_LEVELS + 2 };
    MeshWide more[BITS], half_more[BITS]; // sum + 1, (sum >> 1) + 1
    MeshWide carry = ~(MeshWide){0}, half_carry = carry;
#pragma GCC unroll 6
    for (uint32_t i = 0; i < BITS; i++) {
        more[i] = sum[i] ^ carry;
        carry &= sum[i];
    }
#pragma GCC unroll 5
    for (uint32_t i = 1; i < BITS; i++) {
        half_more[i - 1] = sum[i] ^ half_carry;
        half_carry &= sum[i];
    }
    // A third of (sum + 1): long division, with a rest of 0 to 2 in two bits.
    MeshWide two = more[5], one = more[4];
    MeshLevel mean;
#pragma GCC unroll 4
    for (uint32_t i = TRN_LIGHT_LEVELS; i-- > 0;) {
        const MeshWide next = more[i];
        const MeshWide third = two | (one & next);
        const MeshWide rest_one = (~two & ~one & next) | (two & ~next);
        two = (~two & one & ~next) | (two & next);
        one = rest_one;
        mean.bits[i] = (counts->one & sum[i]) | (counts->two & more[i + 1]) |
                       (counts->three & third) | (counts->four & half_more[i + 1]);
    }
    return mean;
}

/// Computes the light of corners of one channel.
/// @param low  of the voxels in the rows before, high in the rows themselves
MESH_INLINE MeshLevel MESH(light_channel)(const TrnMeshLevels *levels, size_t row, uint32_t axis,
                                          MeshPair low, MeshPair high, const MeshCounts *counts)
{
    MeshWide of_low[TRN_LIGHT_LEVELS + 1], of_high[TRN_LIGHT_LEVELS + 1], sum[TRN_LIGHT_LEVELS + 2];
    if (!levels->planes) {
        MeshLevel level;
#pragma GCC unroll 4
        for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
            level.bits[bit] = (MeshWide){0} - (levels->constant >> bit & 1);
        }
        return level;
    }
    MESH(add_pair)(levels, row - trn_mesh_height_rows(axis), axis, low, of_low);
    MESH(add_pair)(levels, row, axis, high, of_high);
    MESH(add)(of_low, of_high, TRN_LIGHT_LEVELS + 1, sum);
    return MESH(divide)(sum, counts);
}

/// Computes the light of the corners of some rows. @param row  the first
MESH_INLINE MeshCorners MESH(light_corners)(const TrnMeshWork *work, size_t row, uint32_t axis)
{
    MeshCorners corners;
    const MeshPair low = MESH(clear_pair)(work, row - trn_mesh_height_rows(axis), axis);
    const MeshPair high = MESH(clear_pair)(work, row, axis);
    const MeshCounts counts = MESH(count_clear)(low, high);
    corners.split = (low.own ^ low.before) & (high.own ^ high.before) & (low.own ^ high.own) &
                    ((UINT64_C(1) << TRN_LIGHT_EDGE) - 1);
#pragma GCC unroll 2
    for (uint32_t channel = 0; channel < 2; channel++) {
        corners.mean[channel] =
            MESH(light_channel)(&work->levels[channel], row, axis, low, high, &counts);
    }
    return corners;
}

/// Where to begin so that all rows that are handled at once are of one line.
/// @param offset  of a row in its line, 0..33
MESH_INLINE uint32_t MESH(first_at_once)(uint32_t offset)
{
    const uint32_t last = TRN_LIGHT_EDGE - MESH_ROWS_AT_ONCE;
    return offset < last ? offset : last;
}
