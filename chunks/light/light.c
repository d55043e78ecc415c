// Light, level by level, from the highest down: a voxel has a level if it emits it, or if light of
// a higher level gets into it from a neighbour, and it has no higher one. After "bit-parallel
// dilation": a step over 64 voxels is six shifts and loads. Only tiles near one that the level
// above got into take a step. The light of the chunk needs level l within l - 1 voxels of it.

#include "light_impl.h"

#include <string.h>

#include "base/around.h"
#include "light_internal.h"
#include "sky_internal.h"

// ---- voxels that are not clear -----------------------------------------------------------------

/// Adds the blocks that are opaque or dim.
static void columns_add_blocks(const TrnBlock *blocks, uint32_t count, const TrnBlockTypes *types,
                               uint32_t *rows)
{
    bool is_clear = true;
    for (uint32_t i = 0; i < count * TRN_CHUNK_EDGE; i++) {
        if (i == 0 || blocks[i] != blocks[i - 1]) {
            is_clear = trn_light_is_clear(trn_block_types_get(types, blocks[i]));
        }
        rows[i / TRN_CHUNK_EDGE] |= (uint32_t)!is_clear << i % TRN_CHUNK_EDGE;
    }
}

/// Finds the voxels that are opaque or dim. @param rows  [TRN_CHUNK_ROWS]
static void columns_find_blockers(TrnSnapshot voxels, const TrnBlockTypes *types, uint32_t *rows)
{
    if (trn_snapshot_is_uniform(voxels)) {
        const TrnBlockType *type = trn_block_types_get(types, trn_snapshot_uniform(voxels));
        memset(rows, trn_light_is_clear(type) ? 0 : 0xFF, sizeof(uint32_t[TRN_CHUNK_ROWS]));
        return;
    }
    trn_snapshot_opaque_rows(voxels, trn_block_types_opaque_bits(types), rows);
    if (trn_snapshot_has_palette(voxels)) {
        trn_light_volume_add_dims(voxels, types, rows);
        return;
    }
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row += TRN_CHUNK_EDGE) {
        TrnBlock blocks[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE];
        trn_snapshot_decode_rows(voxels, row, TRN_CHUNK_EDGE, blocks);
        columns_add_blocks(blocks, TRN_CHUNK_EDGE, types, rows + row);
    }
}

/// Writes the columns without a blocker.
static void columns_open(const uint32_t *rows, uint32_t *open)
{
    memset(open, 0xFF, sizeof(uint32_t[TRN_CHUNK_EDGE]));
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
        open[row % TRN_CHUNK_EDGE] &= ~rows[row];
    }
}

void trn_light_open_blocks(const TrnBlock *blocks, const TrnBlockTypes *types, uint32_t *open)
{
    uint32_t rows[TRN_CHUNK_ROWS] = {0};
    columns_add_blocks(blocks, TRN_CHUNK_ROWS, types, rows);
    columns_open(rows, open);
}

// ---- how far a change reaches ------------------------------------------------------------------

/// Light of level 15 reaches this many voxels.
#define COLUMNS_REACH 14

/// A box of local coordinates, [x, y, z], inclusive.
typedef struct ColumnsBox {
    uint32_t min[3], max[3];
} ColumnsBox;

static bool columns_light_differs(const TrnBlockTypes *types, TrnBlock a, TrnBlock b)
{
    const TrnBlockType *of_a = trn_block_types_get(types, a), *of_b = trn_block_types_get(types, b);
    const bool a_is_opaque = of_a->kind == TRN_BLOCK_KIND_OPAQUE;
    const bool b_is_opaque = of_b->kind == TRN_BLOCK_KIND_OPAQUE;
    return of_a->light != of_b->light || a_is_opaque != b_is_opaque ||
           (!a_is_opaque && of_a->dims != of_b->dims);
}

/// Keeps those voxels of a mask that let light pass or emit it otherwise than before.
static void columns_keep_light(TrnSnapshot before, TrnSnapshot after, const TrnBlockTypes *types,
                               uint32_t *rows)
{
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
        for (uint32_t bits = rows[row]; bits; bits &= bits - 1) {
            const uint32_t x = (uint32_t)__builtin_ctz(bits), at = row * TRN_CHUNK_EDGE + x;
            if (!columns_light_differs(types, trn_snapshot_get(before, at),
                                       trn_snapshot_get(after, at))) {
                rows[row] &= ~(1u << x);
            }
        }
    }
}

/// Adds the voxels that the sky lights in one of two snapshots alone, if it shines on the chunk.
static void columns_add_sky(TrnSnapshot before, TrnSnapshot after, const TrnBlockTypes *types,
                            uint32_t *rows)
{
    uint32_t was_blocked[TRN_CHUNK_ROWS], is_blocked[TRN_CHUNK_ROWS];
    uint32_t was_open[TRN_CHUNK_EDGE], is_open[TRN_CHUNK_EDGE];
    columns_find_blockers(before, types, was_blocked);
    columns_find_blockers(after, types, is_blocked);
    memset(was_open, 0xFF, sizeof was_open);
    memset(is_open, 0xFF, sizeof is_open);
    for (uint32_t row = TRN_CHUNK_ROWS; row-- > 0;) {
        const uint32_t z = row % TRN_CHUNK_EDGE;
        was_open[z] &= ~was_blocked[row];
        is_open[z] &= ~is_blocked[row];
        rows[row] |= was_open[z] ^ is_open[z];
    }
}

/// @return false if the mask is empty
static bool columns_box(const uint32_t *rows, ColumnsBox *box)
{
    uint32_t any = 0;
    *box = (ColumnsBox){.min = {0, TRN_CHUNK_EDGE, TRN_CHUNK_EDGE}};
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
        const uint32_t at[3] = {0, row / TRN_CHUNK_EDGE, row % TRN_CHUNK_EDGE};
        for (int axis = 1; axis < 3 && rows[row]; axis++) {
            box->min[axis] = at[axis] < box->min[axis] ? at[axis] : box->min[axis];
            box->max[axis] = at[axis] > box->max[axis] ? at[axis] : box->max[axis];
        }
        any |= rows[row];
    }
    if (any) {
        box->min[0] = (uint32_t)__builtin_ctz(any);
        box->max[0] = TRN_CHUNK_EDGE - 1 - (uint32_t)__builtin_clz(any);
    }
    return any != 0;
}

/// Which chunks, with their border of one voxel, are within reach of a box.
static uint32_t columns_around(const ColumnsBox *box)
{
    uint32_t around = 0;
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        const TrnCoord offset = trn_around_offset(place);
        const int32_t step[3] = {offset.x, offset.y, offset.z};
        uint32_t distance = 0;
        for (int axis = 0; axis < 3; axis++) {
            distance += step[axis] < 0   ? box->min[axis]
                        : step[axis] > 0 ? TRN_CHUNK_EDGE - 1 - box->max[axis]
                                         : 0;
        }
        around |= (uint32_t)(distance <= COLUMNS_REACH) << place;
    }
    return around;
}

uint32_t trn_light_reach(TrnSnapshot before, TrnSnapshot after, const TrnBlockTypes *types)
{
    uint32_t rows[TRN_CHUNK_ROWS];
    ColumnsBox box;
    if (trn_snapshot_diff(before, after, rows) == 0) {
        return 0;
    }
    columns_keep_light(before, after, types, rows);
    if (!columns_box(rows, &box)) {
        return 0;
    }
    columns_add_sky(before, after, types, rows);
    (void)columns_box(rows, &box);
    return columns_around(&box);
}

uint32_t trn_light_fall(TrnSnapshot voxels, const TrnBlockTypes *types, TrnSkyMask *columns)
{
    uint32_t rows[TRN_CHUNK_ROWS];
    ColumnsBox box;
    columns_find_blockers(voxels, types, rows);
    for (uint32_t row = TRN_CHUNK_ROWS; row-- > 0;) {
        uint32_t *falling = &columns->rows[row % TRN_CHUNK_EDGE];
        *falling &= ~rows[row];
        rows[row] = *falling;
    }
    return columns_box(rows, &box) ? columns_around(&box) : 0;
}

// ---- creation ----------------------------------------------------------------------------------

/// Finds out in which tiles levels are needed: a level within as many voxels of the result, less 1.
static void light_find_needed(TrnLightSolver *solver)
{
    memset(solver->needed, 0, sizeof solver->needed);
    for (uint32_t level = 1; level < LIGHT_LEVEL_COUNT; level++) {
        for (uint32_t y = 1; y <= LIGHT_EDGE; y++) {
            const uint32_t beyond = y < LIGHT_OUT_FIRST  ? LIGHT_OUT_FIRST - y
                                    : y > LIGHT_OUT_LAST ? y - LIGHT_OUT_LAST
                                                         : 0;
            if (beyond < level) { // rows LIGHT_OUT_FIRST - 7 and up are in the tiles of the result
                const uint32_t is_wide = level - 1 - beyond >= LIGHT_TILE;
                trn_light_mark(&solver->needed[level], y, is_wide ? 0xFF : LIGHT_OUT_TILES);
            }
        }
    }
}

TrnResult trn_light_solver_create(const TrnAllocator *allocator, TrnLightSolver **solver)
{
    if (!solver) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnAllocator own = trn_allocator_or_default(allocator);
    TrnLightSolver *made = trn_take(&own, sizeof *made, TRN_CACHE_LINE);
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    trn_light_volumes_create(&made->pass);
    trn_light_volumes_create(&made->sources);
    light_find_needed(made);
    made->allocator = own;
    made->types = NULL;
    made->kernels = trn_kernels_named(&trn_light_kernels, NULL);
    *solver = made;
    return TRN_RESULT_OK;
}

void trn_light_solver_destroy(TrnLightSolver *solver)
{
    if (solver) {
        const TrnAllocator allocator = solver->allocator;
        trn_give(&allocator, solver, sizeof *solver);
    }
}

bool trn_light_use_kernels(TrnLightSolver *solver, const char *name)
{
    const LightKernels *kernels = trn_kernels_named(&trn_light_kernels, name);
    solver->kernels = kernels ? kernels : solver->kernels;
    return kernels != NULL;
}

// ---- levels ------------------------------------------------------------------------------------

/// What a solve spreads.
typedef struct LightSpread {
    uint32_t count;                           ///< kinds of voxels
    uint32_t dims[LIGHT_DIMS_COUNT];          ///< [count] what they dim; [0] is 0
    const LightMarks *dark[LIGHT_DIMS_COUNT]; ///< [count] tiles with voxels that light may get into
    uint32_t ring;                            ///< volumes in solver->lit
    uint32_t copied;                          ///< the lowest level that is in all of them at first
    bool has_sources;
} LightSpread;

/// The voxels that are lit by a level.
static uint64_t *light_lit(TrnLightSolver *solver, const LightSpread *spread, uint32_t level)
{
    return solver->lit[level % spread->ring].at;
}

/// The tiles that share a face with tiles, or have a face in them.
static uint64_t light_near(const LightMarks *marks, uint32_t slices)
{
    const uint64_t own = marks->bytes[slices];
    const uint64_t below = slices > 0 ? marks->bytes[slices - 1] : 0;
    const uint64_t above = slices + 1 < LIGHT_SLICE / 8 ? marks->bytes[slices + 1] : 0;
    const uint64_t first = UINT64_MAX / UINT8_MAX; // tile of each slice
    return own | (own & ~(first << 7)) << 1 | (own & ~first) >> 1 | own << 8 | below >> 56 |
           own >> 8 | above << 56;
}

/// The tiles in which what is lit by a level differs from what its volume in the ring has, which is
/// what was lit by a higher level.
static LightMarks light_active(const TrnLightSolver *solver, const LightSpread *spread,
                               uint32_t level)
{
    LightMarks active;
    for (uint32_t i = 0; i < LIGHT_SLICE / 8; i++) {
        uint64_t tiles = spread->has_sources ? solver->sources.of[level].marks.bytes[i] : 0;
        for (uint32_t above = level + 1; above < level + spread->ring; above++) {
            tiles |= above < spread->copied ? solver->grown[above].bytes[i] : 0;
        }
        for (uint32_t kind = 0; kind < spread->count; kind++) {
            const uint32_t from = level + 1 + spread->dims[kind];
            if (from <= LIGHT_LEVEL_MAX) {
                tiles |= light_near(&solver->grown[from], i) & spread->dark[kind]->bytes[i];
            }
        }
        active.bytes[i] = tiles & solver->needed[level].bytes[i];
    }
    return active;
}

/// Finds out what is lit by a level.
static void light_spread(TrnLightSolver *solver, const LightSpread *spread, uint32_t level)
{
    LightStep step = {.level = level,
                      .above = light_lit(solver, spread, level + 1),
                      .lit = light_lit(solver, spread, level),
                      .active = light_active(solver, spread, level),
                      .planes = solver->planes};
    for (uint32_t kind = 0; kind < spread->count; kind++) {
        const uint32_t dims = spread->dims[kind];
        if (level + 1 + dims <= LIGHT_LEVEL_MAX) {
            step.pass[step.count] = solver->pass.of[dims].words;
            step.from[step.count++] = light_lit(solver, spread, level + 1 + dims);
        }
    }
    if (spread->has_sources && trn_light_has_marks(&solver->sources.of[level].marks)) {
        step.sources = solver->sources.of[level].words;
    }
    solver->kernels->spread(&step, &solver->grown[level]);
}

/// Prepares to spread. All that dims takes part, and what is clear.
static LightSpread light_spread_begin(const TrnLightSolver *solver)
{
    LightSpread spread = {.count = 1, .dark = {&solver->pass.of[0].marks}, .ring = 2};
    for (uint32_t dims = 1; dims < LIGHT_DIMS_COUNT; dims++) {
        if (trn_light_has_marks(&solver->pass.of[dims].marks)) {
            spread.dims[spread.count] = dims;
            spread.dark[spread.count++] = &solver->pass.of[dims].marks;
            spread.ring = dims + 2;
        }
    }
    return spread;
}

/// Spreads what is lit by the highest level, and writes the levels.
static void light_solve(TrnLightSolver *solver, const LightSpread *spread, TrnLight *light)
{
    solver->kernels->begin(light_lit(solver, spread, LIGHT_LEVEL_MAX), solver->planes);
    for (uint32_t level = LIGHT_LEVEL_MAX - 1; level > 0; level--) {
        light_spread(solver, spread, level);
    }
    solver->kernels->pack(solver->planes, light);
}

// ---- sky and blocks ----------------------------------------------------------------------------

void trn_light_read(TrnLightSolver *solver, const TrnSnapshot *around, const TrnBlockTypes *types)
{
    memcpy(solver->around, around, sizeof solver->around);
    solver->types = types;
    trn_light_volume_read(solver);
}

/// Solves the light of the sky. @param open  rows of voxels that are open above the volume; changed
static void light_solve_sky(TrnLightSolver *solver, uint64_t *open, TrnLight *light)
{
    trn_light_volume_read_pass(solver);
    LightMarks dark;
    LightSpread spread = light_spread_begin(solver);
    spread.dark[0] = &dark;
    spread.copied = LIGHT_LEVEL_MAX;
    uint64_t *lit = light_lit(solver, &spread, LIGHT_LEVEL_MAX);
    solver->kernels->fall(&solver->pass.of[0], open, lit, &solver->grown[LIGHT_LEVEL_MAX], &dark);
    for (uint32_t i = 1; i < spread.ring; i++) {
        memcpy(light_lit(solver, &spread, LIGHT_LEVEL_MAX + i), lit, sizeof(uint64_t[LIGHT_WORDS]));
    }
    light_solve(solver, &spread, light);
}

/// Solves the light of what is in solver->sources.
static void light_solve_blocks(TrnLightSolver *solver, TrnLight *light)
{
    trn_light_volume_read_pass(solver);
    LightSpread spread = light_spread_begin(solver);
    spread.has_sources = true;
    spread.copied = LIGHT_LEVEL_COUNT;
    const LightVolume *highest = trn_light_volumes_at(&solver->sources, LIGHT_LEVEL_MAX);
    memcpy(light_lit(solver, &spread, LIGHT_LEVEL_MAX), highest->words,
           sizeof(uint64_t[LIGHT_WORDS]));
    for (uint32_t i = 1; i < spread.ring; i++) {
        memset(light_lit(solver, &spread, LIGHT_LEVEL_MAX + i), 0, sizeof(uint64_t[LIGHT_WORDS]));
    }
    solver->grown[LIGHT_LEVEL_MAX] = highest->marks;
    light_solve(solver, &spread, light);
}

void trn_light_sky(TrnLightSolver *solver, const uint32_t *const *open_sky, TrnLight *light)
{
    alignas(TRN_CACHE_LINE) uint64_t open[LIGHT_SLICE];
    bool is_all = true;
    if (solver->is_blocked) {
        light->constant = 0;
        return;
    }
    if (solver->is_clear && !open_sky) {
        light->constant = LIGHT_LEVEL_MAX;
        return;
    }
    if (!trn_light_volume_read_open(solver, open_sky, open, &is_all)) {
        light->constant = 0;
        return;
    }
    if (solver->is_clear && is_all) {
        light->constant = LIGHT_LEVEL_MAX;
        return;
    }
    light_solve_sky(solver, open, light);
}

void trn_light_blocks(TrnLightSolver *solver, const uint8_t *emission, TrnLight *light)
{
    if (!trn_light_volume_read_sources(solver, emission)) {
        light->constant = 0;
        return;
    }
    light_solve_blocks(solver, light);
    trn_light_volumes_clear(&solver->sources, 1);
}
