/// Private: the kernels, for registers of LIGHT_LANES words. Included once for each set.
///
///     LIGHT_LANES     words in a register, a power of two, at most LIGHT_TILE
///     LIGHT(name)     a function of the set
///     LIGHT_ANY(own)  whether a register has a bit
///     LIGHT_ROWS(at)  rows of a chunk, each widened to a word
///     WIDE            attributes of every function

#if LIGHT_LANES > 1
typedef uint64_t LIGHT(Words) __attribute__((vector_size(8 * LIGHT_LANES), aligned(8), may_alias));
#else
typedef uint64_t LIGHT(Words);
#endif

#define LIGHT_AT(words, at) (*(const LIGHT(Words) *)(const void *)((words) + (at)))
#define LIGHT_TO(words, at) (*(LIGHT(Words) *)(void *)((words) + (at)))

// ---- reading -----------------------------------------------------------------------------------

/// Writes a tile of the voxels that are in none of three masks. @return whether it has any
/// @param masks  of the rows, of chunks side by side along x
/// @param row    the first
WIDE static inline bool LIGHT(join_tile)(const uint32_t *const *masks, size_t row, uint64_t *to)
{
    enum {
        BEFORE = TRN_CHUNK_EDGE - LIGHT_OUT_FIRST,
        BEYOND = LIGHT_OUT_FIRST + 1 + TRN_CHUNK_EDGE
    };
    LIGHT(Words) any = {0};
    for (size_t i = row; i < row + LIGHT_TILE; i += LIGHT_LANES) {
        const LIGHT(Words) taken = LIGHT_ROWS(masks[0] + i) >> BEFORE << 1 |
                                   LIGHT_ROWS(masks[1] + i) << (LIGHT_OUT_FIRST + 1) |
                                   LIGHT_ROWS(masks[2] + i) << BEYOND;
        const LIGHT(Words) own = ~taken & LIGHT_INSIDE;
        LIGHT_TO(to, i - row) = own;
        any |= own;
    }
    return LIGHT_ANY(any);
}

/// Writes the tiles of half-layers side by side along x. Below ground most are full: then no line
/// is read.
/// @param tiles  bit 0, 1: to write  @return bit by tile: has any
WIDE static inline uint32_t LIGHT(join_halves)(const TrnMask *masks, uint32_t half, uint32_t tiles,
                                               uint64_t *to)
{
    if (masks[0].all & masks[1].all & masks[2].all & UINT64_C(1) << half) {
        for (size_t tile = 0; tile < 2; tile++) {
            if (tiles >> tile & 1) {
                memset(to + tile * LIGHT_TILE, 0, sizeof(uint64_t[LIGHT_TILE]));
            }
        }
        return 0;
    }
    const uint32_t *rows[3] = {trn_mask_half(masks[0], half), trn_mask_half(masks[1], half),
                               trn_mask_half(masks[2], half)};
    uint32_t any = 0;
    if (tiles & 1) {
        any = LIGHT(join_tile)(rows, 0, to);
    }
    if (tiles & 2) {
        any |= (uint32_t)LIGHT(join_tile)(rows, LIGHT_TILE, to + LIGHT_TILE) << 1;
    }
    return any;
}

WIDE static void LIGHT(join)(const TrnMask *masks, const LightMarks *tiles, LightVolume *volume)
{
    enum { PAIR = 2 * LIGHT_TILE }; // the rows of a half-layer
    static_assert(PAIR == TRN_HALF_ROWS, "a half-layer is two tiles");
    for (size_t i = 0; i < LIGHT_SLICE / 8; i++) {
        for (uint64_t rest = tiles->bytes[i]; rest;) {
            const uint32_t first = (uint32_t)__builtin_ctzll(rest) & ~1u;
            const uint32_t pair = (uint32_t)(rest >> first) & 3;
            const uint32_t at = (uint32_t)i * 8 * LIGHT_SLICE + first * LIGHT_TILE;
            // Slice and row 16 are the first of the chunk itself.
            const uint32_t y = at / LIGHT_SLICE + TRN_CHUNK_EDGE / 2;
            const uint32_t z = at % LIGHT_SLICE + TRN_CHUNK_EDGE / 2;
            const uint32_t place = 9 * (y / TRN_CHUNK_EDGE) + 3 * (z / TRN_CHUNK_EDGE);
            const uint32_t half = 2 * (y % TRN_CHUNK_EDGE) + z % TRN_CHUNK_EDGE / TRN_HALF_ROWS;
            uint64_t *to = volume->words + at;
            const uint32_t any = LIGHT(join_halves)(masks + place, half, pair, to);
            if (at % LIGHT_SLICE == 0 && pair & 1) { // the border
                to[0] = 0;
            } else if (at % LIGHT_SLICE == LIGHT_SLICE - PAIR && pair & 2) {
                to[PAIR - 1] = 0;
            }
            volume->marks.bytes[i] |= (uint64_t)any << first;
            rest &= ~(UINT64_C(3) << first);
        }
    }
}

WIDE static void LIGHT(place)(const uint32_t *rows, uint64_t halves, LightPart part,
                              LightVolume *volume)
{
    const uint64_t mask = (UINT64_C(1) << part.x.count) - 1;
    for (; halves; halves &= halves - 1) {
        const uint32_t half = (uint32_t)__builtin_ctzll(halves);
        const uint32_t y = part.y.at + half / 2 - part.y.local;
        const uint32_t z = part.z.at + half % 2 * TRN_HALF_ROWS - part.z.local;
        const uint32_t *from = rows + (size_t)half * TRN_HALF_ROWS;
        uint64_t *to = volume->words + (size_t)y * LIGHT_SLICE + z;
        uint32_t tiles = 0;
        for (size_t tile = 0; tile < TRN_HALF_ROWS; tile += LIGHT_TILE) {
            LIGHT(Words) any = {0};
            for (size_t at = tile; at < tile + LIGHT_TILE; at += LIGHT_LANES) {
                const LIGHT(Words) own = (LIGHT_ROWS(from + at) >> part.x.local & mask)
                                         << part.x.at;
                LIGHT_TO(to, at) |= own;
                any |= own;
            }
            tiles |= (uint32_t)LIGHT_ANY(any) << (z + tile) / LIGHT_TILE;
        }
        trn_light_mark(&volume->marks, y, tiles);
    }
}

WIDE static void LIGHT(remove)(const LightVolume *what, const LightMarks *tiles, LightVolume *from)
{
    for (size_t slices = 0; slices < LIGHT_SLICE; slices += 8) {
        for (uint64_t rest = what->marks.bytes[slices / 8] & tiles->bytes[slices / 8]; rest;) {
            const size_t first = slices * LIGHT_SLICE + trn_light_take_tile(&rest);
            for (size_t i = 0; i < LIGHT_TILE; i += LIGHT_LANES) {
                LIGHT_TO(from->words, first + i) &= ~LIGHT_AT(what->words, first + i);
            }
        }
    }
}

// ---- solving -----------------------------------------------------------------------------------

WIDE static void LIGHT(fall)(const LightVolume *clear, uint64_t *open, uint64_t *lit,
                             LightMarks *any, LightMarks *dark)
{
    uint32_t lit_tiles = 1;
    *any = (LightMarks){0};
    *dark = clear->marks;
    memset(lit, 0, sizeof(uint64_t[LIGHT_WORDS]));
    for (uint32_t y = LIGHT_EDGE; y > 0 && lit_tiles; y--) {
        uint32_t dark_tiles = 0;
        lit_tiles = 0;
        for (uint32_t tile = 0; tile < LIGHT_TILES; tile++) {
            LIGHT(Words) any_lit = {0}, any_dark = {0};
            for (uint32_t i = tile * LIGHT_TILE; i < (tile + 1) * LIGHT_TILE; i += LIGHT_LANES) {
                const size_t at = (size_t)y * LIGHT_SLICE + i;
                const LIGHT(Words) passes = LIGHT_AT(clear->words, at);
                const LIGHT(Words) own = LIGHT_AT(open, i) & passes;
                LIGHT_TO(open, i) = own;
                LIGHT_TO(lit, at) = own;
                any_lit |= own;
                any_dark |= passes ^ own;
            }
            lit_tiles |= (uint32_t)LIGHT_ANY(any_lit) << tile;
            dark_tiles |= (uint32_t)LIGHT_ANY(any_dark) << tile;
        }
        trn_light_mark(any, y, lit_tiles);
        dark->bytes[y / 8] &= ~(UINT64_C(0xFF) << y % 8 * 8);
        trn_light_mark(dark, y, dark_tiles);
    }
}

/// What shares a face with a voxel of some words.
WIDE static inline LIGHT(Words) LIGHT(near)(const uint64_t *words)
{
    const LIGHT(Words) own = LIGHT_AT(words, 0);
    return own << 1 | own >> 1 | LIGHT_AT(words, -1) | LIGHT_AT(words, 1) |
           LIGHT_AT(words, -LIGHT_SLICE) | LIGHT_AT(words, LIGHT_SLICE);
}

/// Lights tiles of 8 slices where nothing emits the level, and nothing dims.
/// @param planes  [TRN_LIGHT_LEVELS] where to add what has just this level
/// @param level   bit by plane: add to it
/// @return the tiles with voxels of just this level
WIDE static inline __attribute__((always_inline)) uint64_t
LIGHT(spread_clear)(const uint64_t *above, const uint64_t *pass, uint64_t *lit, uint64_t tiles,
                    LightWords *planes, size_t at, uint32_t level)
{
    uint64_t grown = 0;
    while (tiles) {
        const uint64_t tile = tiles & (0 - tiles);
        const size_t first = at + trn_light_take_tile(&tiles);
        LIGHT(Words) any = {0};
        for (size_t i = 0; i < LIGHT_TILE; i += LIGHT_LANES) {
            const LIGHT(Words) old = LIGHT_AT(above, first + i);
            const LIGHT(Words) own =
                LIGHT(near)(above + first + i) & LIGHT_AT(pass, first + i) & ~old;
            LIGHT_TO(lit, first + i) = old | own;
            any |= own;
            for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
                if (level >> bit & 1) {
                    LIGHT_TO(planes[bit].at, first + i) |= own;
                }
            }
        }
        grown |= tile & (0 - (uint64_t)LIGHT_ANY(any)); // a branch would be guessed wrong
    }
    return grown;
}

/// Lights any tiles of 8 slices. @param at  where their words begin. Otherwise as spread_clear
WIDE static inline uint64_t LIGHT(spread_any)(const LightStep *step, size_t at, uint64_t tiles)
{
    uint64_t grown = 0;
    while (tiles) {
        const uint64_t tile = tiles & (0 - tiles);
        const size_t first = at + trn_light_take_tile(&tiles);
        LIGHT(Words) any = {0};
        for (size_t i = first; i < first + LIGHT_TILE; i += LIGHT_LANES) {
            const LIGHT(Words) old = LIGHT_AT(step->above, i);
            LIGHT(Words) own = {0};
            for (uint32_t kind = 0; kind < step->count; kind++) {
                own |= LIGHT(near)(step->from[kind] + i) & LIGHT_AT(step->pass[kind], i);
            }
            if (step->sources) {
                own |= LIGHT_AT(step->sources, i);
            }
            own &= ~old;
            LIGHT_TO(step->lit, i) = old | own;
            any |= own;
        }
        grown |= tile & (0 - (uint64_t)LIGHT_ANY(any)); // a branch would be guessed wrong
    }
    return grown;
}

/// Adds what a level has lit to the planes.
WIDE static void LIGHT(add)(const LightStep *step, const LightMarks *grown)
{
    LightWords *planes = step->planes;
    const uint64_t *lit = step->lit, *above = step->above;
    const uint32_t level = step->level;
    for (size_t i = 0; i < LIGHT_SLICE / 8; i++) {
        for (uint64_t tiles = grown->bytes[i] & light_out.bytes[i]; tiles;) {
            const size_t first = i * 8 * LIGHT_SLICE + trn_light_take_tile(&tiles);
            for (size_t at = first; at < first + LIGHT_TILE; at += LIGHT_LANES) {
                const LIGHT(Words) own = LIGHT_AT(lit, at) ^ LIGHT_AT(above, at);
                for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
                    if (level >> bit & 1) {
                        LIGHT_TO(planes[bit].at, at) |= own;
                    }
                }
            }
        }
    }
}

WIDE static bool LIGHT(spread)(const LightStep *step, LightMarks *grown)
{
    uint64_t any = 0;
    const uint64_t *above = step->above, *pass = step->pass[0];
    uint64_t *lit = step->lit;
    LightWords *planes = step->planes;
    const uint32_t level = step->level;
    const bool is_clear = step->count == 1 && !step->sources;
    for (size_t i = 0; i < LIGHT_SLICE / 8; i++) {
        const size_t at = i * 8 * LIGHT_SLICE;
        const uint64_t tiles = step->active.bytes[i], out = tiles & light_out.bytes[i];
        if (is_clear) {
            grown->bytes[i] = LIGHT(spread_clear)(above, pass, lit, out, planes, at, level) |
                              LIGHT(spread_clear)(above, pass, lit, tiles ^ out, planes, at, 0);
        } else {
            grown->bytes[i] = LIGHT(spread_any)(step, at, tiles);
        }
        any |= grown->bytes[i];
    }
    if (!is_clear) {
        LIGHT(add)(step, grown);
    }
    return any != 0;
}

WIDE static void LIGHT(begin)(const uint64_t *lit, uint64_t slices, const LightMarks *tiles,
                              LightWords *planes)
{
    for (size_t y = LIGHT_OUT_FIRST; y <= LIGHT_OUT_LAST; y++) {
        const uint32_t own = trn_light_marks_of(tiles, y);
        for (uint32_t out = slices >> y & 1 ? LIGHT_OUT_TILES : 0; out; out &= out - 1) {
            const uint32_t tile = (uint32_t)__builtin_ctz(out);
            const size_t first = y * LIGHT_SLICE + (size_t)tile * LIGHT_TILE;
            const uint64_t mask = 0 - (uint64_t)(own >> tile & 1);
            for (size_t at = first; at < first + LIGHT_TILE; at += LIGHT_LANES) {
                const LIGHT(Words) words = LIGHT_AT(lit, at) & mask;
                for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
                    LIGHT_TO(planes[bit].at, at) = words;
                }
            }
        }
    }
}

// ---- packing -----------------------------------------------------------------------------------

/// Writes the rows of a plane. @return 0 or 1 if they have no bit or every bit, otherwise 2
WIDE static uint32_t LIGHT(pack_plane)(const uint64_t *plane, uint64_t slices, uint64_t *out)
{
    enum { REST = TRN_LIGHT_EDGE % LIGHT_TILE, MOST = TRN_LIGHT_EDGE - REST };
    const uint64_t mask = (UINT64_C(1) << TRN_LIGHT_EDGE) - 1;
    LIGHT(Words) has = {0}, lacks = {0};
    uint64_t rest_has = 0, rest_lacks = 0;
    for (size_t y = 0; y < TRN_LIGHT_EDGE; y++) {
        const uint64_t *rows = plane + (LIGHT_OUT_FIRST + y) * LIGHT_SLICE + LIGHT_OUT_FIRST;
        uint64_t *to = out + y * TRN_LIGHT_EDGE;
        if (!(slices >> (LIGHT_OUT_FIRST + y) & 1)) {
            memset(to, 0, sizeof(uint64_t[TRN_LIGHT_EDGE]));
            rest_lacks = mask;
            continue;
        }
        for (size_t z = 0; z < MOST; z += LIGHT_LANES) {
            const LIGHT(Words) row = LIGHT_AT(rows, z) >> LIGHT_OUT_FIRST & mask;
            LIGHT_TO(to, z) = row;
            has |= row;
            lacks |= row ^ mask;
        }
        for (size_t z = MOST; z < TRN_LIGHT_EDGE; z++) {
            to[z] = rows[z] >> LIGHT_OUT_FIRST & mask;
            rest_has |= to[z];
            rest_lacks |= to[z] ^ mask;
        }
    }
    const bool has_some = LIGHT_ANY(has) || rest_has != 0;
    return !has_some ? 0 : LIGHT_ANY(lacks) || rest_lacks != 0 ? 2 : 1;
}

WIDE static void LIGHT(pack)(const LightWords *planes, uint64_t slices, TrnLight *light)
{
    uint32_t level = 0;
    bool varies = false;
    for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
        const uint32_t own = LIGHT(pack_plane)(planes[bit].at, slices, light->planes[bit]);
        varies |= own > 1;
        level |= own << bit;
    }
    light->constant = varies ? TRN_LIGHT_VARIES : (uint8_t)level;
}

#undef LIGHT_AT
#undef LIGHT_TO

// Undefined for the next instruction set.
#undef WIDE
#undef LIGHT_LANES
#undef LIGHT
#undef LIGHT_ANY
#undef LIGHT_ROWS
