// Volumes of bits out of the 27 chunks: where light passes, and where it comes from.

#include "light_impl.h"

#include <string.h>

#include "base/around.h"

// ---- places ------------------------------------------------------------------------------------

LightSpan trn_light_volume_span(int32_t step)
{
    enum { BORDER = (LIGHT_EDGE - TRN_CHUNK_EDGE) / 2 };
    static const LightSpan spans[3] = {
        {TRN_CHUNK_EDGE - BORDER, 1, BORDER},
        {0, 1 + BORDER, TRN_CHUNK_EDGE},
        {0, 1 + BORDER + TRN_CHUNK_EDGE, BORDER},
    };
    return spans[step + 1];
}

uint64_t trn_light_volume_bits(uint32_t row, int32_t step)
{
    const LightSpan span = trn_light_volume_span(step);
    const uint64_t bits = (uint64_t)row >> span.local;
    return (bits & ((UINT64_C(1) << span.count) - 1)) << span.at;
}

/// The rows of a chunk along z that are added to a volume: those in the volume, and one more at its
/// border, so that they are a multiple of LIGHT_LANES_MAX.
static LightSpan volume_span_of_rows(int32_t step)
{
    enum { HALF = TRN_CHUNK_EDGE / 2 };
    static const LightSpan spans[3] = {
        {HALF, 0, HALF}, {0, HALF, TRN_CHUNK_EDGE}, {0, HALF + TRN_CHUNK_EDGE, HALF}};
    return spans[step + 1];
}

/// Adds the rows of a chunk to a volume, and some at the volume's border.
/// @param rows  [TRN_CHUNK_ROWS]; NULL: every voxel
static void volume_add(TrnLightSolver *solver, LightVolume *volume, uint32_t place,
                       const uint32_t *rows)
{
    const TrnCoord step = trn_around_offset(place);
    const LightSpan xs = trn_light_volume_span(step.x), ys = trn_light_volume_span(step.y),
                    zs = volume_span_of_rows(step.z);
    for (uint32_t y = 0; y < ys.count; y++) {
        const uint32_t *from =
            rows ? rows + (size_t)(ys.local + y) * TRN_CHUNK_EDGE + zs.local : NULL;
        solver->kernels->place(from, zs.count, xs.local, xs.count, xs.at,
                               volume->words + (size_t)(ys.at + y) * LIGHT_SLICE + zs.at);
    }
}

/// Empties the border of a volume.
static void volume_clear_border(LightVolume *volume)
{
    for (size_t y = 1; y <= LIGHT_EDGE; y++) {
        volume->words[y * LIGHT_SLICE] = 0;
        volume->words[y * LIGHT_SLICE + LIGHT_SLICE - 1] = 0;
    }
}

/// Replaces a volume by the voxels that are not in it.
static void volume_invert(LightVolume *volume)
{
    for (size_t at = LIGHT_SLICE; at < LIGHT_WORDS - LIGHT_SLICE; at++) {
        volume->words[at] ^= LIGHT_INSIDE;
    }
    volume_clear_border(volume);
}

/// Adds rows to the volume of a level.
static void volumes_add(TrnLightSolver *solver, LightVolumes *volumes, uint32_t level,
                        uint32_t place, const uint32_t *rows)
{
    if (!(volumes->used & 1u << level)) {
        volumes->used |= 1u << level;
        memset(&volumes->of[level], 0, sizeof volumes->of[level]);
    }
    volume_add(solver, &volumes->of[level], place, rows);
}

/// Empties the borders of the volumes in use, but for the first.
static void volumes_clear_borders(LightVolumes *volumes)
{
    for (uint32_t level = 1; level < LIGHT_LEVEL_COUNT; level++) {
        if (volumes->used & 1u << level) {
            volume_clear_border(&volumes->of[level]);
        }
    }
}

// ---- classes of blocks -------------------------------------------------------------------------

static bool volume_is_opaque(const TrnBlockType *type)
{
    return type->kind == TRN_BLOCK_KIND_OPAQUE;
}

/// What a block dims; opaque ones are not sorted by that.
static uint32_t volume_dims(const TrnBlockType *type)
{
    return volume_is_opaque(type) ? 0 : type->dims;
}

static bool volume_is_clear(const TrnBlockType *type)
{
    return !volume_is_opaque(type) && type->dims == 0;
}

static uint32_t volume_class(const LightClassifier *by, TrnBlock block)
{
    if (!by->is_by_dims && by->emission) {
        return by->emission[block] & LIGHT_LEVEL_MAX;
    }
    const TrnBlockType *type = trn_block_types_get(by->types, block);
    return by->is_by_dims ? volume_dims(type) : type->light;
}

/// Receives the rows of a class of a chunk's blocks. @param rows  as volume_add
typedef void (*VolumeVisitor)(TrnLightSolver *solver, uint32_t place, uint32_t level,
                              const uint32_t *rows);

/// Rows of a chunk: `count` of each slice.
typedef struct VolumeRows {
    uint32_t y_first, y_last, z_first, count;
} VolumeRows;

/// The rows of a chunk that light is solved from: those in the volume, and in an upper chunk all
/// slices, since they decide what is open to the sky.
static VolumeRows volume_rows(uint32_t place)
{
    const TrnCoord step = trn_around_offset(place);
    const LightSpan ys = trn_light_volume_span(step.y), zs = volume_span_of_rows(step.z);
    return (VolumeRows){ys.local, step.y > 0 ? TRN_CHUNK_EDGE - 1 : ys.local + ys.count - 1,
                        zs.local, zs.count};
}

/// Sets of a palette's entries, by a level from 1 on.
typedef struct VolumeSets {
    uint32_t entries[LIGHT_LEVEL_COUNT][8]; ///< bit by entry; of the levels in use
    uint32_t used;                          ///< bit by level
} VolumeSets;

static void volume_sets_add(VolumeSets *sets, uint32_t level, uint32_t entry)
{
    if (level == 0) {
        return;
    }
    if (!(sets->used & 1u << level)) {
        sets->used |= 1u << level;
        memset(sets->entries[level], 0, sizeof sets->entries[level]);
    }
    sets->entries[level][entry / 32] |= 1u << entry % 32;
}

/// Unpacks the entries of a chunk's rows.
static void volume_unpack(TrnLightSolver *solver, const TrnPayload *payload, VolumeRows rows)
{
    // Whole slices lie side by side.
    const uint32_t slices = rows.count == TRN_CHUNK_EDGE ? rows.y_last - rows.y_first + 1 : 1;
    for (uint32_t y = rows.y_first; y <= rows.y_last; y += slices) {
        const uint32_t at = y * TRN_CHUNK_EDGE + rows.z_first;
        trn_payload_entries(payload, at, slices * rows.count,
                            solver->classes + (size_t)at * TRN_CHUNK_EDGE);
    }
}

/// Visits sets of unpacked entries.
static void volume_visit(TrnLightSolver *solver, uint32_t place, const VolumeSets *sets,
                         VolumeVisitor visit)
{
    const TrnPayload *payload = trn_snapshot_payload(solver->around[place]);
    const VolumeRows rows = volume_rows(place);
    const uint32_t slices = rows.count == TRN_CHUNK_EDGE ? rows.y_last - rows.y_first + 1 : 1;
    for (uint32_t level = 1; level < LIGHT_LEVEL_COUNT; level++) {
        if (!(sets->used & 1u << level)) {
            continue;
        }
        for (uint32_t y = rows.y_first; y <= rows.y_last; y += slices) {
            const uint32_t at = y * TRN_CHUNK_EDGE + rows.z_first;
            trn_payload_match(payload, solver->classes + (size_t)at * TRN_CHUNK_EDGE,
                              slices * rows.count, sets->entries[level], solver->rows + at);
        }
        visit(solver, place, level, solver->rows);
    }
}

/// Visits the classes of a chunk with a palette.
static void volume_sort_palette(TrnLightSolver *solver, uint32_t place, const LightClassifier *by,
                                const TrnPayload *payload, VolumeVisitor visit)
{
    VolumeSets sets = {.used = 0};
    for (uint32_t entry = 0; entry < payload->palette_count; entry++) {
        volume_sets_add(&sets, volume_class(by, trn_payload_palette(payload)[entry]), entry);
    }
    if (sets.used) {
        volume_unpack(solver, payload, volume_rows(place));
        volume_visit(solver, place, &sets, visit);
    }
}

/// Visits the classes of a chunk without a palette.
static void volume_sort_blocks(TrnLightSolver *solver, uint32_t place, const LightClassifier *by,
                               const TrnBlock *blocks, VolumeVisitor visit)
{
    uint32_t used = 0, level = 0;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        if (i == 0 || blocks[i] != blocks[i - 1]) {
            level = volume_class(by, blocks[i]);
            used |= 1u << level;
        }
        solver->classes[i] = (uint8_t)level;
    }
    for (level = 1; level < LIGHT_LEVEL_COUNT; level++) {
        if (used & 1u << level) {
            for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i += TRN_CHUNK_EDGE) {
                uint32_t row = 0;
                for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
                    row |= (uint32_t)(solver->classes[i + x] == level) << x;
                }
                solver->rows[i / TRN_CHUNK_EDGE] = row;
            }
            visit(solver, place, level, solver->rows);
        }
    }
}

/// Visits the classes above 0 of a chunk's blocks.
static void volume_sort(TrnLightSolver *solver, uint32_t place, const LightClassifier *by,
                        VolumeVisitor visit)
{
    const TrnSnapshot voxels = solver->around[place];
    if (trn_snapshot_is_uniform(voxels)) {
        const uint32_t level = volume_class(by, trn_snapshot_uniform(voxels));
        if (level) {
            visit(solver, place, level, NULL);
        }
        return;
    }
    const TrnPayload *payload = trn_snapshot_payload(voxels);
    if (payload->bits < 16) {
        volume_sort_palette(solver, place, by, payload, visit);
    } else {
        volume_sort_blocks(solver, place, by, (const TrnBlock *)trn_payload_words(payload), visit);
    }
}

// ---- where light passes ------------------------------------------------------------------------

/// Adds voxels to those that are not clear. The volume of clear voxels has the others until all 27
/// chunks are read.
static void volume_block(TrnLightSolver *solver, uint32_t place, const uint32_t *rows)
{
    const TrnCoord step = trn_around_offset(place);
    const LightSpan in_volume = trn_light_volume_span(1);
    volume_add(solver, &solver->pass.of[0], place, rows);
    if (step.y < 1) {
        return;
    }
    uint32_t *cover = solver->cover[(step.x + 1) + 3 * (step.z + 1)];
    if (!rows) {
        memset(cover, 0xFF, sizeof solver->cover[0]);
        return;
    }
    for (uint32_t y = in_volume.count; y < TRN_CHUNK_EDGE; y++) {
        for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
            cover[z] |= rows[y * TRN_CHUNK_EDGE + z];
        }
    }
}

static void volume_add_dims(TrnLightSolver *solver, uint32_t place, uint32_t level,
                            const uint32_t *rows)
{
    volume_block(solver, place, rows);
    if (level < LIGHT_DIMS_ALL) {
        volumes_add(solver, &solver->pass, level, place, rows);
    }
}

static void volume_add_source(TrnLightSolver *solver, uint32_t place, uint32_t level,
                              const uint32_t *rows)
{
    volumes_add(solver, &solver->sources, level, place, rows);
}

static const TrnBlockType *volume_uniform_type(TrnSnapshot voxels, const TrnBlockTypes *types)
{
    return trn_block_types_get(types, trn_snapshot_uniform(voxels));
}

/// Reads what the blocks of a palette dim and emit; their entries are unpacked once.
static void volume_read_palette(TrnLightSolver *solver, uint32_t place, const TrnPayload *payload)
{
    VolumeSets dims = {.used = 0}, light = {.used = 0};
    const TrnBlock *palette = trn_payload_palette(payload);
    for (uint32_t entry = 0; entry < payload->palette_count; entry++) {
        const TrnBlockType *type = trn_block_types_get(solver->types, palette[entry]);
        volume_sets_add(&dims, volume_dims(type), entry);
        volume_sets_add(&light, type->light, entry);
    }
    if (dims.used | light.used) {
        volume_unpack(solver, payload, volume_rows(place));
        volume_visit(solver, place, &dims, volume_add_dims);
        volume_visit(solver, place, &light, volume_add_source);
    }
}

static void volume_read_chunk(TrnLightSolver *solver, uint32_t place)
{
    const TrnSnapshot voxels = solver->around[place];
    const LightClassifier by_dims = {.types = solver->types, .is_by_dims = true};
    const LightClassifier by_light = {.types = solver->types};
    if (!trn_snapshot_is_uniform(voxels)) {
        const TrnPayload *payload = trn_snapshot_payload(voxels);
        volume_block(solver, place, trn_payload_opaque(payload));
        if (payload->bits < 16) {
            volume_read_palette(solver, place, payload);
            return;
        }
    } else if (volume_is_opaque(volume_uniform_type(voxels, solver->types))) {
        volume_block(solver, place, NULL);
    }
    volume_sort(solver, place, &by_dims, volume_add_dims);
    volume_sort(solver, place, &by_light, volume_add_source);
}

/// Notes whether all chunks are clear, or all are opaque, without a look at their voxels.
static void volume_read_uniform(TrnLightSolver *solver)
{
    uint32_t clear = 0, opaque = 0;
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        if (!trn_snapshot_is_uniform(solver->around[place])) {
            break;
        }
        const TrnBlockType *type = volume_uniform_type(solver->around[place], solver->types);
        opaque += volume_is_opaque(type);
        clear += volume_is_clear(type);
    }
    solver->is_clear = clear == TRN_AROUND_COUNT;
    solver->is_blocked = opaque == TRN_AROUND_COUNT;
}

void trn_light_volume_read(TrnLightSolver *solver)
{
    volume_read_uniform(solver);
    solver->has_sources = false;
    if (solver->is_clear || solver->is_blocked) {
        return;
    }
    LightVolume *clear = &solver->pass.of[0];
    memset(clear, 0, sizeof *clear);
    memset(solver->cover, 0, sizeof solver->cover);
    solver->pass.used = 1;
    solver->sources.used = 0;
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        volume_read_chunk(solver, place);
    }
    volume_invert(clear);
    volumes_clear_borders(&solver->pass);
    volumes_clear_borders(&solver->sources);
    solver->has_sources = true;
}

void trn_light_volume_fill(TrnLightSolver *solver)
{
    solver->pass.used = 1;
    memset(&solver->pass.of[0], 0, sizeof solver->pass.of[0]);
    if (solver->is_clear) {
        volume_invert(&solver->pass.of[0]);
    }
}

// ---- where light comes from --------------------------------------------------------------------

void trn_light_volume_read_sources(TrnLightSolver *solver, const uint8_t *emission)
{
    const LightClassifier by = {.types = solver->types, .emission = emission};
    if (solver->has_sources && !emission) {
        return;
    }
    solver->sources.used = 0;
    solver->has_sources = !emission;
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        volume_sort(solver, place, &by, volume_add_source);
    }
    volumes_clear_borders(&solver->sources);
}

// ---- columns -----------------------------------------------------------------------------------

/// Closes the columns that have an entry of a set.
static void volume_close_entries(const TrnPayload *payload, const uint32_t entry_bits[8],
                                 uint32_t *open)
{
    uint8_t entries[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE]; // of a slice
    uint32_t rows[TRN_CHUNK_EDGE];
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row += TRN_CHUNK_EDGE) {
        trn_payload_entries(payload, row, TRN_CHUNK_EDGE, entries);
        trn_payload_match(payload, entries, TRN_CHUNK_EDGE, entry_bits, rows);
        for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
            open[z] &= ~rows[z];
        }
    }
}

/// Closes the columns that have a block that dims.
static void volume_close_palette(const TrnPayload *payload, const TrnBlockTypes *types,
                                 uint32_t *open)
{
    uint32_t entry_bits[8] = {0};
    bool has_any = false;
    for (uint32_t entry = 0; entry < payload->palette_count; entry++) {
        const TrnBlock block = trn_payload_palette(payload)[entry];
        if (volume_dims(trn_block_types_get(types, block))) {
            entry_bits[entry / 32] |= 1u << entry % 32;
            has_any = true;
        }
    }
    if (has_any) {
        volume_close_entries(payload, entry_bits, open);
    }
}

/// The same of a chunk without a palette.
static void volume_close_blocks(const TrnBlock *blocks, const TrnBlockTypes *types, uint32_t *open)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        if (volume_dims(trn_block_types_get(types, blocks[i]))) {
            open[i / TRN_CHUNK_EDGE % TRN_CHUNK_EDGE] &= ~(1u << i % TRN_CHUNK_EDGE);
        }
    }
}

void trn_light_open_columns(TrnSnapshot voxels, const TrnBlockTypes *types, uint32_t *open)
{
    if (trn_snapshot_is_uniform(voxels)) {
        const bool is_clear = volume_is_clear(volume_uniform_type(voxels, types));
        memset(open, is_clear ? 0xFF : 0, sizeof(uint32_t[TRN_CHUNK_EDGE]));
        return;
    }
    const TrnPayload *payload = trn_snapshot_payload(voxels);
    const uint32_t *opaque = trn_payload_opaque(payload);
    memset(open, 0xFF, sizeof(uint32_t[TRN_CHUNK_EDGE]));
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
        open[row % TRN_CHUNK_EDGE] &= ~opaque[row];
    }
    if (payload->bits < 16) {
        volume_close_palette(payload, types, open);
    } else {
        volume_close_blocks((const TrnBlock *)trn_payload_words(payload), types, open);
    }
}
