// The kernels of slabs, in plain C that compilers vectorise. For each instruction set
// slab_kernels.c defines the following and includes this file:
//   SLAB_SUFFIX   suffix of all function names
//   SLAB_TARGET   the instruction set as a function attribute, or nothing
//   SLAB_KERNELS_NAME
//   SLAB_HAS_PACK  if slab_pack_zeros_ of the suffix is defined

#define SLAB_JOIN_(name, suffix) slab_##name##_##suffix
#define SLAB_JOIN(name, suffix) SLAB_JOIN_(name, suffix)
#define SLAB(name) SLAB_JOIN(name, SLAB_SUFFIX)
#define SLAB_INLINE SLAB_TARGET static inline __attribute__((always_inline))

SLAB_TARGET static void SLAB(bound)(TrnSlab *slab)
{
    float least[TRN_CHUNK_EDGE], most[TRN_CHUNK_EDGE];
    for (size_t x = 0; x < TRN_CHUNK_EDGE; x++) {
        least[x] = most[x] = slab->heights[x];
    }
    for (uint32_t z = 1; z < TRN_LAND_STEP; z++) {
        const float *heights = slab->heights + (size_t)z * TRN_CHUNK_EDGE;
        for (size_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            least[x] = heights[x] < least[x] ? heights[x] : least[x];
            most[x] = heights[x] > most[x] ? heights[x] : most[x];
        }
    }
    for (size_t half = TRN_CHUNK_EDGE / 2; half > 0; half /= 2) {
        for (size_t x = 0; x < half; x++) {
            least[x] = least[x + half] < least[x] ? least[x + half] : least[x];
            most[x] = most[x + half] > most[x] ? most[x + half] : most[x];
        }
    }
    slab->least = least[0];
    slab->most = most[0];
}

/// Interpolates a field along y, at both ends of the cells along z.
SLAB_INLINE void SLAB(interpolate)(const float *restrict below, const TrnSlabLayer *layer,
                                   float *restrict ends)
{
    const float *restrict above = below + (size_t)TRN_LAND_POINTS * TRN_CHUNK_EDGE;
    const float weight = layer->weight;
    for (size_t i = 0; i < (size_t)2 * TRN_CHUNK_EDGE; i++) {
        ends[i] = trn_land_lerp(below[i], above[i], weight);
    }
}

/// Marks the samples of a row that are in a cave, if they are rock, with all ones.
/// @param weight  of the far end along z
SLAB_INLINE void SLAB(find_caves)(float (*restrict ends)[2 * TRN_CHUNK_EDGE], float weight,
                                  uint16_t *restrict in_cave)
{
    for (size_t x = 0; x < TRN_CHUNK_EDGE; x++) {
        const float a = trn_land_lerp(ends[0][x], ends[0][x + TRN_CHUNK_EDGE], weight);
        const float b = trn_land_lerp(ends[1][x], ends[1][x + TRN_CHUNK_EDGE], weight);
        const float cavern = trn_land_lerp(ends[2][x], ends[2][x + TRN_CHUNK_EDGE], weight);
        const uint32_t is_cave = (a * a + b * b < 1.0f) | (cavern > 0.0f);
        in_cave[x] = (uint16_t)(0u - is_cave);
    }
}

/// Writes the rock of some samples.
SLAB_INLINE void SLAB(write_rock)(const int16_t *restrict shifts, const TrnBlock *restrict strata,
                                  const TrnSlabRock *rock, size_t count, TrnBlock *restrict out)
{
    if (rock->is_mixed) {
        for (size_t i = 0; i < count; i++) {
            out[i] = strata[(uint8_t)(rock->y + shifts[i])];
        }
        return;
    }
    const TrnBlock lowest = rock->blocks[0];
    for (size_t i = 0; i < count; i++) {
        out[i] = lowest;
    }
    for (uint32_t k = 0; k < rock->count; k++) {
        const int16_t change = rock->changes[k];
        const TrnBlock block = rock->blocks[k + 1];
        for (size_t i = 0; i < count; i++) {
            const TrnBlock before = out[i];
            out[i] = shifts[i] < change ? before : block;
        }
    }
}

/// What is at the samples of a row, each all ones or 0.
#define SlabRow SLAB(Row)
typedef struct SlabRow {
    uint16_t is_ground[TRN_CHUNK_EDGE];
    uint16_t is_deep[TRN_CHUNK_EDGE]; ///< below the reach of covers
    uint16_t in_cave[TRN_CHUNK_EDGE];
} SlabRow;

/// Counts the ground, bounded just above the deepest cover. Ground below the reach of covers counts
/// as deeper than any.
SLAB_INLINE void SLAB(count)(const SlabRow *restrict row, uint16_t *restrict runs)
{
    const uint16_t most = TRN_COVER_DEPTH_MAX + 1;
    for (size_t x = 0; x < TRN_CHUNK_EDGE; x++) {
        const uint16_t next = (uint16_t)(runs[x] + 1);
        uint16_t run = next < most ? next : most;
        run = (uint16_t)(run | (row->is_deep[x] & most));
        run = run < most ? run : most;
        runs[x] = run & row->is_ground[x];
    }
}

/// Reads all inputs before it chooses; otherwise compilers do not vectorise the loop.
SLAB_INLINE void SLAB(choose)(const TrnSlab *restrict slab, size_t at, const SlabRow *restrict row,
                              const TrnBlock *restrict rock, TrnBlock open, TrnBlock *restrict out)
{
    for (size_t x = 0; x < TRN_CHUNK_EDGE; x++) {
        const uint16_t run = slab->runs[at + x], thick = slab->thick[at + x];
        const TrnBlock top = slab->tops[at + x], filler = slab->fillers[at + x], stone = rock[x];
        const uint16_t in_cave = row->in_cave[x];
        TrnBlock block = run <= thick ? filler : stone;
        block = ((run == 1) & (thick != 0)) ? top : block;
        const TrnBlock empty = open & (TrnBlock)~in_cave; // air is 0
        out[x] = run == 0 ? empty : block;
    }
}

SLAB_INLINE void SLAB(write_surface)(TrnSlab *slab, const TrnSlabLayer *layer, bool has_overhang,
                                     bool has_caves, TrnBlock *blocks)
{
    float ends[4][2 * TRN_CHUNK_EDGE];
    const float part = 1.0f / (float)TRN_LAND_STEP, y = layer->y;
    for (int i = 0; has_caves && i < 3; i++) {
        SLAB(interpolate)(layer->caves[i], layer, ends[i]);
    }
    if (has_overhang) {
        SLAB(interpolate)(layer->overhang, layer, ends[3]);
    }
    for (uint32_t z = 0; z < TRN_LAND_STEP; z++) {
        const size_t at = (size_t)z * TRN_CHUNK_EDGE;
        const float *heights = slab->heights + at;
        const int8_t *roofs = slab->roofs + at;
        const float weight = (float)z * part;
        SlabRow row;
        if (has_caves) {
            SLAB(find_caves)(ends, weight, row.in_cave);
        }
        for (size_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            float depth = heights[x] - y;
            if (has_overhang) {
                depth += trn_land_lerp(ends[3][x], ends[3][x + TRN_CHUNK_EDGE], weight);
            }
            const uint32_t is_roofed = has_caves && depth > (float)roofs[x];
            const uint16_t in_cave = has_caves ? row.in_cave[x] & (uint16_t)(0u - is_roofed) : 0;
            row.in_cave[x] = in_cave;
            row.is_ground[x] = (uint16_t)(0u - (uint32_t)(depth >= 0.0f)) & (uint16_t)~in_cave;
            row.is_deep[x] = (uint16_t)(0u - (uint32_t)(depth >= TRN_COVER_REACH));
        }
        SLAB(count)(&row, slab->runs + at);
        if (blocks) {
            TrnBlock rock[TRN_CHUNK_EDGE];
            SLAB(write_rock)
            (slab->shifts + at, slab->strata, layer->rock, TRN_CHUNK_EDGE, rock);
            SLAB(choose)(slab, at, &row, rock, layer->open, blocks + at);
        }
    }
}

SLAB_TARGET static void SLAB(surface)(TrnSlab *slab, const TrnSlabLayer *layer, TrnBlock *blocks)
{
    if (layer->overhang && layer->caves[0]) {
        SLAB(write_surface)(slab, layer, true, true, blocks);
    } else if (layer->overhang) {
        SLAB(write_surface)(slab, layer, true, false, blocks);
    } else if (layer->caves[0]) {
        SLAB(write_surface)(slab, layer, false, true, blocks);
    } else {
        SLAB(write_surface)(slab, layer, false, false, blocks);
    }
}

SLAB_TARGET static void SLAB(rock)(const TrnSlab *slab, const TrnSlabLayer *layer, TrnBlock *blocks)
{
    SLAB(write_rock)(slab->shifts, slab->strata, layer->rock, TRN_SLAB_SAMPLES, blocks);
    if (!layer->caves[0]) {
        return;
    }
    float ends[3][2 * TRN_CHUNK_EDGE];
    const float part = 1.0f / (float)TRN_LAND_STEP;
    for (int i = 0; i < 3; i++) {
        SLAB(interpolate)(layer->caves[i], layer, ends[i]);
    }
    for (uint32_t z = 0; z < TRN_LAND_STEP; z++) {
        uint16_t in_cave[TRN_CHUNK_EDGE];
        TrnBlock *row = blocks + (size_t)z * TRN_CHUNK_EDGE;
        SLAB(find_caves)(ends, (float)z * part, in_cave);
        for (size_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            row[x] = row[x] & (TrnBlock)~in_cave[x]; // air is 0
        }
    }
}

/// Bits of half a row: as many as a block has.
#define SLAB_HALF (TRN_CHUNK_EDGE / 2)

#ifndef SLAB_HAS_PACK
/// Bit x: whether a value of a row is 0.
SLAB_INLINE uint32_t SLAB(pack_zeros)(const uint16_t *row)
{
    uint32_t zeros = 0;
    for (size_t x = 0; x < TRN_CHUNK_EDGE; x++) {
        zeros |= (uint32_t)(row[x] == 0) << x;
    }
    return zeros;
}
#endif

SLAB_TARGET static void SLAB(paint)(TrnBlock *row, uint32_t mask, TrnBlock stone, TrnBlock strata)
{
    static const uint16_t bits[SLAB_HALF] = {0x1,    0x2,    0x4,    0x8,   0x10,  0x20,
                                             0x40,   0x80,   0x100,  0x200, 0x400, 0x800,
                                             0x1000, 0x2000, 0x4000, 0x8000};
    for (uint32_t half = 0; half < 2; half++, row += SLAB_HALF) {
        const uint16_t own = (uint16_t)(mask >> half * SLAB_HALF);
        for (size_t x = 0; x < SLAB_HALF; x++) {
            const TrnBlock before = row[x];
            const uint16_t is_in = (uint16_t)(0u - ((own & bits[x]) != 0));
            const uint16_t is_stone = (uint16_t)(0u - (before == TRN_BLOCK_STONE));
            const uint16_t is_strata =
                (uint16_t)(0u - ((before >= TRN_BLOCK_SLATE) & (before <= TRN_BLOCK_GRANITE)));
            const uint16_t changes = is_in & (is_stone | is_strata);
            const TrnBlock after = (stone & is_stone) | (strata & is_strata);
            row[x] = (before & (TrnBlock)~changes) | (after & changes);
        }
    }
}

SLAB_TARGET static void SLAB(open)(const TrnBlock *blocks, uint32_t *rows)
{
    for (size_t z = 0; z < TRN_LAND_STEP; z++) {
        rows[z] = SLAB(pack_zeros)(blocks + z * TRN_CHUNK_EDGE); // air is 0
    }
}

SLAB_TARGET static void SLAB(caves)(const TrnSlabLayer *layer, uint32_t *rows)
{
    float ends[3][2 * TRN_CHUNK_EDGE];
    const float part = 1.0f / (float)TRN_LAND_STEP;
    for (int i = 0; i < 3; i++) {
        SLAB(interpolate)(layer->caves[i], layer, ends[i]);
    }
    for (uint32_t z = 0; z < TRN_LAND_STEP; z++) {
        uint16_t in_cave[TRN_CHUNK_EDGE];
        SLAB(find_caves)(ends, (float)z * part, in_cave);
        rows[z] = ~SLAB(pack_zeros)(in_cave);
    }
}

/// Reads all inputs before it chooses, as SLAB(choose) does.
SLAB_TARGET static void SLAB(coarse)(const TrnCoarseRows *restrict rows, const TrnSlabRock *rock,
                                     int16_t y, TrnBlock *restrict blocks)
{
    TrnBlock stones[TRN_LAYER_VOXELS];
    SLAB(write_rock)(rows->shifts, rows->strata, rock, TRN_LAYER_VOXELS, stones);
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const int16_t ground = rows->grounds[i], crown = rows->crowns[i], deep = rows->rocks[i];
        const int16_t water = rows->waters[i];
        const TrnBlock top = rows->tops[i], filler = rows->fillers[i], leaf = rows->leaves[i];
        const TrnBlock sea = rows->seas[i], stone = stones[i];
        TrnBlock block = y < water ? (TrnBlock)TRN_BLOCK_WATER : (TrnBlock)TRN_BLOCK_AIR;
        block = y == water ? sea : block;
        block = y <= crown ? leaf : block;
        block = y <= ground ? top : block;
        block = y < ground ? filler : block;
        blocks[i] = y <= deep ? stone : block;
    }
}

static const TrnSlabKernels SLAB(kernels) = {.name = SLAB_KERNELS_NAME,
                                             .bound = SLAB(bound),
                                             .surface = SLAB(surface),
                                             .rock = SLAB(rock),
                                             .open = SLAB(open),
                                             .caves = SLAB(caves),
                                             .paint = SLAB(paint),
                                             .coarse = SLAB(coarse)};

// Undefined for the next instruction set, if all sources are built as one file.
#undef SlabRow
#undef SLAB_HALF
#undef SLAB_HAS_PACK
#undef SLAB_SUFFIX
#undef SLAB_TARGET
#undef SLAB_KERNELS_NAME
