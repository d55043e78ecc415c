// Volumes of bits out of the 27 chunks: where light passes, and where it comes from.

#include "light_impl.h"

#include <string.h>

#include "base/around.h"
#include "sky_internal.h"

void trn_light_volumes_create(LightVolumes *volumes)
{
    volumes->ready = volumes->used = 0;
    for (uint32_t level = 0; level < LIGHT_LEVEL_COUNT; level++) {
        volumes->of[level].marks = (LightMarks){0};
    }
}

LightVolume *trn_light_volumes_at(LightVolumes *volumes, uint32_t level)
{
    LightVolume *volume = &volumes->of[level];
    volumes->used |= 1u << level;
    if (!(volumes->ready >> level & 1)) {
        volumes->ready |= 1u << level;
        memset(volume->words, 0, sizeof volume->words);
    }
    return volume;
}

static void volume_clear(LightVolume *volume)
{
    for (size_t slices = 0; slices < LIGHT_SLICE; slices += 8) {
        for (uint64_t tiles = volume->marks.bytes[slices / 8]; tiles;) {
            const size_t first = slices * LIGHT_SLICE + trn_light_take_tile(&tiles);
            memset(volume->words + first, 0, LIGHT_TILE * sizeof *volume->words);
        }
    }
    volume->marks = (LightMarks){0};
}

void trn_light_volumes_clear(LightVolumes *volumes, uint32_t first_level)
{
    const uint32_t kept = (1u << first_level) - 1;
    for (uint32_t used = volumes->used & ~kept; used; used &= used - 1) {
        volume_clear(&volumes->of[__builtin_ctz(used)]);
    }
    volumes->used &= kept;
}

// ---- places ------------------------------------------------------------------------------------

/// @param step  of the chunk along the axis: -1, 0 or 1
static LightSpan volume_span(int32_t step)
{
    enum { BORDER = (LIGHT_EDGE - TRN_CHUNK_EDGE) / 2 };
    static const LightSpan spans[3] = {
        {TRN_CHUNK_EDGE - BORDER, 1, BORDER},
        {0, 1 + BORDER, TRN_CHUNK_EDGE},
        {0, 1 + BORDER + TRN_CHUNK_EDGE, BORDER},
    };
    return spans[step + 1];
}

/// Along z, with a row at the volume's border.
static LightSpan volume_span_of_rows(int32_t step)
{
    enum { HALF = TRN_CHUNK_EDGE / 2 };
    static const LightSpan spans[3] = {
        {HALF, 0, HALF}, {0, HALF, TRN_CHUNK_EDGE}, {0, HALF + TRN_CHUNK_EDGE, HALF}};
    return spans[step + 1];
}

static LightPart volume_part(uint32_t place)
{
    const TrnCoord step = trn_around_offset(place);
    return (LightPart){volume_span(step.x), volume_span(step.y), volume_span_of_rows(step.z)};
}

// ---- levels of blocks --------------------------------------------------------------------------

/// What blocks are sorted by: what they dim, or what they emit.
typedef struct VolumeOrder {
    const TrnBlockTypes *types;
    const TrnBlockType *all; ///< [count]
    uint32_t count;
    bool is_by_dims;         ///< otherwise by what they emit
    const uint8_t *emission; ///< as trn_light_blocks
} VolumeOrder;

static VolumeOrder volume_order(const TrnBlockTypes *types, bool is_by_dims,
                                const uint8_t *emission)
{
    VolumeOrder order = {.types = types, .is_by_dims = is_by_dims, .emission = emission};
    order.all = trn_block_types_all(types, &order.count);
    return order;
}

static uint32_t volume_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static bool volume_is_opaque(const TrnBlockType *type)
{
    return type->kind == TRN_BLOCK_KIND_OPAQUE;
}

/// A block's level; 0 also if it is opaque and the order is by dims.
static uint32_t volume_level(const VolumeOrder *order, TrnBlock block)
{
    const TrnBlockType *type =
        block < order->count ? &order->all[block] : trn_block_types_get(order->types, block);
    if (order->is_by_dims) {
        return volume_is_opaque(type) ? 0 : volume_least(type->dims, LIGHT_DIMS_COUNT);
    }
    return order->emission ? volume_least(order->emission[block], LIGHT_LEVEL_MAX) : type->light;
}

/// Sets of a palette's entries, by a level from 1 on.
typedef struct VolumeSets {
    uint32_t entries[LIGHT_LEVEL_COUNT][8]; ///< bit by entry; of the levels in use
    uint32_t used;                          ///< bit by level
} VolumeSets;

static void volume_sets_add(VolumeSets *sets, uint32_t level, uint32_t entry)
{
    if (!(sets->used & 1u << level)) {
        sets->used |= 1u << level;
        memset(sets->entries[level], 0, sizeof sets->entries[level]);
    }
    sets->entries[level][entry / 32] |= 1u << entry % 32;
}

/// Sorts the palette of a chunk that is not uniform. @param sets  uninitialized
static void volume_sets_fill(VolumeSets *sets, const VolumeOrder *order, TrnSnapshot voxels)
{
    TrnPalette palette;
    trn_snapshot_palette(voxels, &palette);
    sets->used = 0;
    for (uint32_t entry = 0; entry < palette.count; entry++) {
        const uint32_t level = volume_level(order, palette.blocks[entry]);
        if (level) {
            volume_sets_add(sets, level, entry);
        }
    }
}

// ---- voxels of a set of entries ----------------------------------------------------------------

/// The half-layers of a chunk that a part has rows of, as a bit for each.
static uint64_t volume_halves(LightPart part)
{
    const uint64_t slice = (part.z.local < TRN_HALF_ROWS) |
                           (uint64_t)(part.z.local + part.z.count > TRN_HALF_ROWS) << 1;
    const uint64_t all = UINT64_MAX >> (TRN_CHUNK_HALVES - 2 * part.y.count);
    return (UINT64_MAX / 3 * slice & all) << 2 * part.y.local;
}

/// Adds the blocks of a chunk with a palette to the volumes of their levels.
static void volume_add_palette(TrnLightSolver *solver, TrnSnapshot voxels, const VolumeOrder *order,
                               LightPart part, LightVolumes *volumes)
{
    VolumeSets sets;
    volume_sets_fill(&sets, order, voxels);
    for (uint32_t used = sets.used; used; used &= used - 1) {
        const uint32_t level = (uint32_t)__builtin_ctz(used);
        const uint64_t halves = trn_snapshot_match_halves(voxels, volume_halves(part),
                                                          sets.entries[level], solver->rows);
        if (halves) {
            solver->kernels->place(solver->rows, halves, part,
                                   trn_light_volumes_at(volumes, level));
        }
    }
}

void trn_light_volume_add_dims(TrnSnapshot voxels, const TrnBlockTypes *types, uint32_t *rows)
{
    const VolumeOrder by_dims = volume_order(types, true, NULL);
    uint32_t found[TRN_CHUNK_ROWS];
    VolumeSets sets;
    volume_sets_fill(&sets, &by_dims, voxels);
    for (uint32_t used = sets.used; used; used &= used - 1) {
        const uint32_t *set = sets.entries[__builtin_ctz(used)];
        uint64_t halves = trn_snapshot_match_halves(voxels, UINT64_MAX, set, found);
        for (; halves; halves &= halves - 1) {
            const uint32_t first = (uint32_t)__builtin_ctzll(halves) * TRN_HALF_ROWS;
            for (uint32_t row = first; row < first + TRN_HALF_ROWS; row++) {
                rows[row] |= found[row];
            }
        }
    }
}

/// Finds the levels of the blocks of a slice. @return bit by level: it occurs
static uint32_t volume_levels(const VolumeOrder *order, const TrnBlock *blocks, uint32_t count,
                              uint8_t *levels)
{
    uint32_t used = 0, level = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || blocks[i] != blocks[i - 1]) {
            level = volume_level(order, blocks[i]);
            used |= 1u << level;
        }
        levels[i] = (uint8_t)level;
    }
    return used;
}

/// Writes the voxels with a level as rows. @param count  rows
static void volume_level_rows(const uint8_t *levels, uint32_t level, uint32_t count, uint32_t *rows)
{
    for (uint32_t row = 0; row < count; row++) {
        rows[row] = 0;
        for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            rows[row] |= (uint32_t)(levels[row * TRN_CHUNK_EDGE + x] == level) << x;
        }
    }
}

/// Adds the blocks of a chunk without a palette to the volumes of their levels.
static void volume_add_blocks(TrnLightSolver *solver, TrnSnapshot voxels, const VolumeOrder *order,
                              LightPart part, LightVolumes *volumes)
{
    TrnBlock blocks[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE]; // of a slice
    uint8_t levels[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE];
    for (uint32_t y = part.y.local; y < part.y.local + part.y.count; y++) {
        const uint32_t row = y * TRN_CHUNK_EDGE + part.z.local;
        trn_snapshot_decode_rows(voxels, row, part.z.count, blocks);
        uint32_t used = volume_levels(order, blocks, part.z.count * TRN_CHUNK_EDGE, levels);
        for (used &= ~1u; used; used &= used - 1) {
            const uint32_t level = (uint32_t)__builtin_ctz(used);
            volume_level_rows(levels, level, part.z.count, solver->rows + row);
            solver->kernels->place(solver->rows, volume_halves(part) & UINT64_C(3) << 2 * y, part,
                                   trn_light_volumes_at(volumes, level));
        }
    }
}

/// Adds a chunk's blocks to the volumes of their levels, from 1 on.
static void volume_add(TrnLightSolver *solver, uint32_t place, const VolumeOrder *order,
                       LightVolumes *volumes)
{
    const TrnSnapshot voxels = solver->around[place];
    const LightPart part = volume_part(place);
    if (trn_snapshot_is_uniform(voxels)) {
        const uint32_t level = volume_level(order, trn_snapshot_uniform(voxels));
        if (level) {
            memset(solver->rows, 0xFF, sizeof solver->rows);
            solver->kernels->place(solver->rows, volume_halves(part), part,
                                   trn_light_volumes_at(volumes, level));
        }
        return;
    }
    if (trn_snapshot_has_palette(voxels)) {
        volume_add_palette(solver, voxels, order, part, volumes);
    } else {
        volume_add_blocks(solver, voxels, order, part, volumes);
    }
}

// ---- where light passes, and where it comes from -----------------------------------------------

void trn_light_volume_read(TrnLightSolver *solver)
{
    uint32_t clear = 0, opaque = 0;
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        const TrnSnapshot voxels = solver->around[place];
        if (!trn_snapshot_is_uniform(voxels)) {
            break;
        }
        const TrnBlockType *type = trn_block_types_get(solver->types, trn_snapshot_uniform(voxels));
        opaque += volume_is_opaque(type);
        clear += trn_light_is_clear(type);
    }
    solver->is_clear = clear == TRN_AROUND_COUNT;
    solver->is_blocked = opaque == TRN_AROUND_COUNT;
    solver->has_opaque = false;
    solver->has_dims = 0;
    solver->has_clear = (LightMarks){0};
    solver->pass.of[0].marks = (LightMarks){0};
    trn_light_volumes_clear(&solver->pass, 1);
}

/// Finds the chunks that some tiles have voxels of, and those beside them along x.
/// @return bit by place
static uint32_t volume_places(const LightMarks *tiles)
{
    enum { WORDS = LIGHT_SLICE / 8 }; // of which each layer of chunks has whole ones
    static const uint32_t first[4] = {0, WORDS / 4, WORDS - WORDS / 4, WORDS};
    static const uint32_t rows[3] = {0x03, 0x3C, 0xC0}; // tiles by z
    uint32_t places = 0;
    for (uint32_t y = 0; y < 3; y++) {
        uint64_t any = 0;
        for (uint32_t i = first[y]; i < first[y + 1]; i++) {
            any |= tiles->bytes[i];
        }
        any |= any >> 32;
        any |= any >> 16;
        any |= any >> 8;
        for (uint32_t z = 0; z < 3; z++) {
            places |= (any & rows[z] ? 7u : 0u) << (9 * y + 3 * z);
        }
    }
    return places;
}

void trn_light_volume_read_dims(TrnLightSolver *solver, const LightMarks *tiles)
{
    const VolumeOrder by_dims = volume_order(solver->types, true, NULL);
    const uint32_t places = volume_places(tiles) & ~solver->has_dims;
    for (uint32_t rest = places; rest; rest &= rest - 1) {
        volume_add(solver, (uint32_t)__builtin_ctz(rest), &by_dims, &solver->pass);
    }
    solver->has_dims |= places;
}

void trn_light_volume_read_clear(TrnLightSolver *solver, const LightMarks *tiles)
{
    LightMarks missing;
    for (uint32_t i = 0; i < LIGHT_SLICE / 8; i++) {
        missing.bytes[i] = tiles->bytes[i] & ~solver->has_clear.bytes[i];
        solver->has_clear.bytes[i] |= tiles->bytes[i];
    }
    if (!trn_light_has_marks(&missing)) {
        return;
    }
    const uint32_t *opaque_bits = trn_block_types_opaque_bits(solver->types);
    for (uint32_t place = 0; place < TRN_AROUND_COUNT && !solver->has_opaque; place++) {
        solver->opaque[place] = trn_snapshot_opaque_mask(solver->around[place], opaque_bits);
    }
    solver->has_opaque = true;
    LightVolume *clear = trn_light_volumes_at(&solver->pass, 0);
    solver->kernels->join(solver->opaque, &missing, clear);
    for (uint32_t used = solver->pass.used & ~1u; used; used &= used - 1) {
        solver->kernels->remove(&solver->pass.of[__builtin_ctz(used)], &missing, clear);
    }
}

bool trn_light_volume_read_sources(TrnLightSolver *solver, const uint8_t *emission)
{
    const VolumeOrder by_light = volume_order(solver->types, false, emission);
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        volume_add(solver, place, &by_light, &solver->sources);
    }
    return solver->sources.used & ~1u;
}

// ---- columns -----------------------------------------------------------------------------------

/// Closes the columns with a voxel of some half-layers in them.
static void volume_close(const uint32_t *rows, uint64_t halves, uint32_t *open)
{
    for (; halves; halves &= halves - 1) {
        const uint32_t half = (uint32_t)__builtin_ctzll(halves);
        for (uint32_t z = 0; z < TRN_HALF_ROWS; z++) {
            open[half % 2 * TRN_HALF_ROWS + z] &= ~rows[half * TRN_HALF_ROWS + z];
        }
    }
}

/// Closes the columns with an opaque voxel, from a slice upwards.
static void volume_close_opaque(TrnMask opaque, uint32_t y_first, uint32_t *open)
{
    for (uint64_t halves = opaque.any >> 2 * y_first << 2 * y_first; halves; halves &= halves - 1) {
        const uint32_t half = (uint32_t)__builtin_ctzll(halves);
        const uint32_t *rows = trn_mask_half(opaque, half);
        for (uint32_t z = 0; z < TRN_HALF_ROWS; z++) {
            open[half % 2 * TRN_HALF_ROWS + z] &= ~rows[z];
        }
    }
}

/// Closes the columns that have a block that dims.
static void volume_close_palette(TrnSnapshot voxels, const VolumeOrder *by_dims, LightPart part,
                                 uint32_t *open)
{
    uint32_t rows[TRN_CHUNK_ROWS];
    VolumeSets sets;
    volume_sets_fill(&sets, by_dims, voxels);
    for (uint32_t used = sets.used; used; used &= used - 1) {
        const uint32_t *set = sets.entries[__builtin_ctz(used)];
        const uint64_t halves = trn_snapshot_match_halves(voxels, volume_halves(part), set, rows);
        volume_close(rows, halves, open);
    }
}

/// The same of a chunk without a palette.
static void volume_close_blocks(TrnSnapshot voxels, const VolumeOrder *by_dims, uint32_t y_first,
                                uint32_t *open)
{
    for (uint32_t row = y_first * TRN_CHUNK_EDGE; row < TRN_CHUNK_ROWS; row++) {
        TrnBlock blocks[TRN_CHUNK_EDGE];
        trn_snapshot_decode_rows(voxels, row, 1, blocks);
        for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            open[row % TRN_CHUNK_EDGE] &= ~((uint32_t)(volume_level(by_dims, blocks[x]) != 0) << x);
        }
    }
}

/// Tells which columns have only clear voxels from a slice upwards. @param open  as
/// trn_light_open_columns
static void volume_open_columns(TrnSnapshot voxels, const TrnBlockTypes *types, uint32_t y_first,
                                uint32_t *open)
{
    const LightSpan all = {0, 0, TRN_CHUNK_EDGE};
    const LightPart part = {all, {y_first, 0, TRN_CHUNK_EDGE - y_first}, all};
    const VolumeOrder by_dims = volume_order(types, true, NULL);
    if (trn_snapshot_is_uniform(voxels)) {
        const TrnBlockType *type = trn_block_types_get(types, trn_snapshot_uniform(voxels));
        memset(open, trn_light_is_clear(type) ? 0xFF : 0, sizeof(uint32_t[TRN_CHUNK_EDGE]));
        return;
    }
    memset(open, 0xFF, sizeof(uint32_t[TRN_CHUNK_EDGE]));
    volume_close_opaque(trn_snapshot_opaque_mask(voxels, trn_block_types_opaque_bits(types)),
                        y_first, open);
    if (trn_snapshot_has_palette(voxels)) {
        volume_close_palette(voxels, &by_dims, part, open);
    } else {
        volume_close_blocks(voxels, &by_dims, y_first, open);
    }
}

void trn_light_open_columns(TrnSnapshot voxels, const TrnBlockTypes *types, uint32_t *open)
{
    volume_open_columns(voxels, types, 0, open);
}

void trn_light_open_beyond(TrnSnapshot upper, const TrnBlockTypes *types, uint32_t *open)
{
    volume_open_columns(upper, types, volume_part(TRN_AROUND_COUNT - 1).y.count, open);
}

/// Adds the columns of one of the nine upper chunks that are open above the volume.
/// @param sky  the columns that are open above the chunk; NULL: all
/// @return whether all are open
static bool volume_add_open(const TrnLightSolver *solver, uint32_t column, const uint32_t *sky,
                            uint64_t *open)
{
    const LightPart part = volume_part(18 + column); // x fastest, then z, then y
    const uint64_t mask = (UINT64_C(1) << part.x.count) - 1;
    uint32_t own[TRN_CHUNK_EDGE], all = UINT32_MAX;
    volume_open_columns(solver->around[18 + column], solver->types, part.y.count, own);
    for (uint32_t z = 0; z < part.z.count; z++) {
        const uint32_t row = own[part.z.local + z] & (sky ? sky[part.z.local + z] : UINT32_MAX);
        all &= row;
        open[part.z.at + z] |= (row >> part.x.local & mask) << part.x.at;
    }
    return all == UINT32_MAX;
}

static bool volume_is_closed(const uint32_t *sky)
{
    uint32_t any = 0;
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        any |= sky[z];
    }
    return any == 0;
}

bool trn_light_volume_read_open(const TrnLightSolver *solver, const uint32_t *const *open_sky,
                                uint64_t *open, bool *is_all)
{
    uint64_t any = 0;
    *is_all = true;
    memset(open, 0, sizeof(uint64_t[LIGHT_SLICE]));
    for (uint32_t column = 0; column < 9; column++) {
        const uint32_t *sky = open_sky ? open_sky[column] : NULL;
        if (sky && volume_is_closed(sky)) {
            *is_all = false;
        } else {
            *is_all &= volume_add_open(solver, column, sky, open);
        }
    }
    for (uint32_t z = 0; z < LIGHT_SLICE; z++) {
        any |= open[z];
    }
    return any != 0;
}
