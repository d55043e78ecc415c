#include <terrane/visibility.h>

#include <string.h>

// Rows as in a chunk's masks, surrounded by rows without open voxels, so that a fill needs no
// bounds checks. The row after each layer also serves as the one before z = 0 of the next.
#define FLOOD_STRIDE (TRN_CHUNK_EDGE + 1)
#define FLOOD_ROWS (FLOOD_STRIDE * (TRN_CHUNK_EDGE + 2))

#define FLOOD_FIRST 1u
#define FLOOD_LAST (UINT32_C(1) << (TRN_CHUNK_EDGE - 1))

/// Layers along the three axes, one bit each. The first and the last are the faces.
typedef struct FloodLayers {
    uint32_t x, y, z;
} FloodLayers;

typedef struct Flood {
    uint32_t open[FLOOD_ROWS];      ///< not opaque and not yet filled
    uint32_t seeds[FLOOD_ROWS];     ///< where the fill continues
    uint16_t stack[TRN_CHUNK_ROWS]; ///< rows with seeds, each once
    FloodLayers wanted;             ///< first and last layers that have open voxels
    TrnVisibility wanted_pairs, joined;
} Flood;

/// Returns the index of row y * 32 + z.
static inline uint32_t flood_index(uint32_t row)
{
    return row + (row >> TRN_CHUNK_SHIFT) + FLOOD_STRIDE;
}

/// Returns the faces that some layers include: one bit each, in the order of TrnFace.
static uint32_t flood_faces(const FloodLayers *layers)
{
    const uint32_t x = layers->x, y = layers->y, z = layers->z;
    return (x & 1) | x >> 31 << 1 | (y & 1) << 2 | y >> 31 << 3 | (z & 1) << 4 | z >> 31 << 5;
}

/// Returns all pairs of a set of faces.
static TrnVisibility flood_pairs_among(uint32_t faces)
{
    uint32_t pairs = 0;
    for (uint32_t low = 0; low + 1 < TRN_FACE_COUNT; low++) {
        const uint32_t others = faces >> (low + 1);
        pairs |= (faces >> low & 1 ? others : 0)
                 << trn_visibility_bit((TrnFace)low, (TrnFace)(low + 1));
    }
    return (TrnVisibility)pairs;
}

/// Returns all pairs that contain a face.
static TrnVisibility flood_pairs_of(TrnFace face)
{
    uint32_t pairs = 0;
    for (uint32_t other = 0; other < TRN_FACE_COUNT; other++) {
        pairs |= other == face ? 0 : 1u << trn_visibility_bit(face, (TrnFace)other);
    }
    return (TrnVisibility)pairs;
}

/// Returns the runs of open voxels that contain a seed.
/// @param seeds  a subset of `open`
static inline uint32_t flood_fill_runs(uint32_t open, uint32_t seeds)
{
    // Upwards: the addition carries from each seed to the end of its run.
    uint32_t fill = (open & ~(open + seeds)) | seeds;
    if ((fill >> 1 & open & ~fill) == 0) {
        return fill;
    }
    // Downwards: doubles the distance in each step.
    uint32_t through = open;
    for (uint32_t step = 1; step < TRN_CHUNK_EDGE; step *= 2) {
        fill |= through & fill >> step;
        through &= through >> step;
    }
    return fill;
}

/// Continues a fill into an adjacent row. Branchless: with land as rough as a sponge a branch is
/// mispredicted half the time, and one made the fill take half as long again.
/// @param row    may be one of those around the chunk, where no voxel is open
/// @param count  rows on the stack
/// @return the new count
static inline uint32_t flood_spread(Flood *flood, uint32_t fill, uint32_t row, uint32_t index,
                                    uint32_t count)
{
    const uint32_t seeds = fill & flood->open[index], before = flood->seeds[index];
    flood->stack[count] = (uint16_t)row;
    flood->seeds[index] = before | seeds;
    count += (uint32_t)(before == 0) & (uint32_t)(seeds != 0);
    return count;
}

/// Fills from one voxel, and notes the faces that the fill reaches. Takes the last row found first:
/// with a queue, a fill spreads evenly and reaches all faces later (hills take 1.3 times as long,
/// half-open noise 4 times). Closing dead ends beforehand, by bits, took 14 us and saved no more
/// than that for noise, which alone would gain.
/// @param seed  one open voxel of the row
/// @return whether the result is complete
static bool flood_from(Flood *flood, uint32_t row, uint32_t seed)
{
    const FloodLayers wanted = flood->wanted;
    FloodLayers met = {0};
    uint32_t count = 1;
    flood->stack[0] = (uint16_t)row;
    flood->seeds[flood_index(row)] = seed;
    while (count > 0) {
        row = flood->stack[--count];
        const uint32_t index = flood_index(row);
        const uint32_t fill = flood_fill_runs(flood->open[index], flood->seeds[index]);
        flood->seeds[index] = 0;
        flood->open[index] &= ~fill;
        met.x |= fill;
        met.y |= 1u << (row >> TRN_CHUNK_SHIFT & (TRN_CHUNK_EDGE - 1));
        met.z |= 1u << (row & (TRN_CHUNK_EDGE - 1));
        if (((wanted.x & ~met.x) | (wanted.y & ~met.y) | (wanted.z & ~met.z)) == 0) {
            flood->joined = flood->wanted_pairs;
            return true;
        }
        count = flood_spread(flood, fill, row + TRN_CHUNK_EDGE, index + FLOOD_STRIDE, count);
        count = flood_spread(flood, fill, row - TRN_CHUNK_EDGE, index - FLOOD_STRIDE, count);
        count = flood_spread(flood, fill, row - 1, index - 1, count);
        count = flood_spread(flood, fill, row + 1, index + 1, count);
    }
    flood->joined |= flood_pairs_among(flood_faces(&met));
    return flood->joined == flood->wanted_pairs;
}

/// Fills from every open voxel at one face.
/// @param first,step,count  the rows at the face
/// @param layer             the voxels of each row that are at the face
/// @return whether the result is complete
static bool flood_from_face(Flood *flood, TrnFace face, uint32_t first, uint32_t step,
                            uint32_t count, uint32_t layer)
{
    const TrnVisibility pairs = flood->wanted_pairs & flood_pairs_of(face);
    for (uint32_t i = 0; i < count; i++) {
        if ((pairs & ~flood->joined) == 0) {
            return false;
        }
        const uint32_t row = first + i * step;
        const uint32_t *open = &flood->open[flood_index(row)];
        while (*open & layer) {
            if (flood_from(flood, row, *open & layer & (~(*open & layer) + 1))) {
                return true;
            }
        }
    }
    return false;
}

static void flood_open(Flood *flood, const uint32_t opaque[TRN_CHUNK_ROWS])
{
    memset(flood->open, 0, sizeof flood->open);
    memset(flood->seeds, 0, sizeof flood->seeds);
    flood->wanted = (FloodLayers){0};
    uint32_t z_first = 0, z_last = 0;
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        uint32_t any = 0;
        uint32_t *const open = &flood->open[flood_index(y * TRN_CHUNK_EDGE)];
        for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
            open[z] = ~opaque[y * TRN_CHUNK_EDGE + z];
            any |= open[z];
        }
        flood->wanted.x |= any;
        flood->wanted.y |= (uint32_t)(any != 0) << y;
        z_first |= open[0];
        z_last |= open[TRN_CHUNK_EDGE - 1];
    }
    flood->wanted.x &= FLOOD_FIRST | FLOOD_LAST;
    flood->wanted.y &= FLOOD_FIRST | FLOOD_LAST;
    flood->wanted.z = (z_first ? FLOOD_FIRST : 0) | (z_last ? FLOOD_LAST : 0);
    flood->wanted_pairs = flood_pairs_among(flood_faces(&flood->wanted));
    flood->joined = TRN_VISIBILITY_NONE;
}

TrnVisibility trn_visibility_of(const uint32_t opaque[TRN_CHUNK_ROWS])
{
    const uint32_t edge = TRN_CHUNK_EDGE, last = edge - 1, whole = UINT32_MAX;
    Flood flood;
    flood_open(&flood, opaque);
    if (flood.wanted_pairs == TRN_VISIBILITY_NONE) {
        return TRN_VISIBILITY_NONE;
    }
    // The last face needs no fill: the other faces have found its pairs. The faces of x come last,
    // since their rows hold only one voxel at the face.
    (void)(flood_from_face(&flood, TRN_FACE_POS_Y, last * edge, 1, edge, whole) ||
           flood_from_face(&flood, TRN_FACE_NEG_Y, 0, 1, edge, whole) ||
           flood_from_face(&flood, TRN_FACE_NEG_Z, 0, edge, edge, whole) ||
           flood_from_face(&flood, TRN_FACE_POS_Z, last, edge, edge, whole) ||
           flood_from_face(&flood, TRN_FACE_NEG_X, 0, 1, TRN_CHUNK_ROWS, FLOOD_FIRST));
    return flood.joined;
}

TrnVisibility trn_visibility_of_snapshot(TrnSnapshot snapshot, const uint32_t *opaque_bits)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        const TrnBlock block = trn_snapshot_uniform(snapshot);
        return opaque_bits[block >> 5] >> (block & 31) & 1 ? TRN_VISIBILITY_NONE
                                                           : TRN_VISIBILITY_ALL;
    }
    uint32_t opaque[TRN_CHUNK_ROWS];
    trn_snapshot_opaque_rows(snapshot, opaque_bits, opaque);
    return trn_visibility_of(opaque);
}
