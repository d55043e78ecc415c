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

/// The distance of a slice, row or bit from those of the result.
static uint32_t light_beyond(uint32_t at)
{
    return at < LIGHT_OUT_FIRST  ? LIGHT_OUT_FIRST - at
           : at > LIGHT_OUT_LAST ? at - LIGHT_OUT_LAST
                                 : 0;
}

/// Finds out in which tiles levels are needed: a level within as many voxels of the result, less 1.
static void light_find_needed(TrnLightSolver *solver)
{
    memset(solver->needed, 0, sizeof solver->needed);
    memset(solver->needed_slices, 0, sizeof solver->needed_slices);
    for (uint32_t level = 1; level < LIGHT_LEVEL_COUNT; level++) {
        for (uint32_t y = 1; y <= LIGHT_EDGE; y++) {
            const uint32_t beyond = light_beyond(y);
            if (beyond < level) { // rows LIGHT_OUT_FIRST - 7 and up are in the tiles of the result
                const uint32_t is_wide = level - 1 - beyond >= LIGHT_TILE;
                trn_light_mark(&solver->needed[level], y, is_wide ? 0xFF : LIGHT_OUT_TILES);
                trn_light_mark(&solver->needed_slices[level], y, 0xFF);
            }
        }
    }
    memset(solver->needed_rows, 0, sizeof solver->needed_rows);
    for (uint32_t left = 0; left <= LIGHT_REACH; left++) {
        for (uint32_t z = 1; z <= LIGHT_EDGE; z++) {
            for (uint32_t x = 1; x <= LIGHT_EDGE; x++) {
                const bool is_needed = light_beyond(z) + light_beyond(x) <= left;
                solver->needed_rows[left][z] |= (uint64_t)is_needed << x;
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
    uint32_t ring;                            ///< volumes in solver->lit, a power of two
    uint32_t copied;                          ///< the lowest level that is in all of them at first
    LightMarks reach;    ///< no light gets beyond these tiles that the result needs
    uint32_t first, end; ///< the words of marks that have those
    bool has_sources;
} LightSpread;

/// The voxels that are lit by a level.
static uint64_t *light_lit(TrnLightSolver *solver, const LightSpread *spread, uint32_t level)
{
    return solver->lit[level & (spread->ring - 1)].at;
}

/// The neighbours along z of the tiles of 8 slices.
static uint64_t light_beside(uint64_t tiles)
{
    const uint64_t first = UINT64_MAX / UINT8_MAX; // tile of each slice
    return (tiles & ~(first << 7)) << 1 | (tiles & ~first) >> 1;
}

/// The tiles above and below tiles.
static uint64_t light_near_along_y(const LightMarks *marks, uint32_t slices)
{
    const uint64_t own = marks->bytes[slices];
    const uint64_t below = slices > 0 ? marks->bytes[slices - 1] : 0;
    const uint64_t above = slices + 1 < LIGHT_SLICE / 8 ? marks->bytes[slices + 1] : 0;
    return own << 8 | below >> 56 | own >> 8 | above << 56;
}

/// The tiles that share a face with tiles, or have a face in them.
static uint64_t light_near(const LightMarks *marks, uint32_t slices)
{
    const uint64_t own = marks->bytes[slices];
    return own | light_beside(own) | light_near_along_y(marks, slices);
}

/// The tiles in which what is lit by a level differs from what its volume in the ring has, which is
/// what was lit by a higher level.
/// @return the tiles of all slices ORed: 0 if there are none. The caller need not read `active`,
/// which
///         was just written in parts.
static uint64_t light_active(const TrnLightSolver *solver, const LightSpread *spread,
                             uint32_t level, LightMarks *active)
{
    uint64_t any = 0;
    *active = (LightMarks){0};
    for (uint32_t i = spread->first; i < spread->end; i++) {
        uint64_t tiles = spread->has_sources ? solver->sources.of[level].marks.bytes[i] : 0;
        for (uint32_t above = level + 1; above < level + spread->ring; above++) {
            tiles |= above < spread->copied ? solver->grown[above].bytes[i] : 0;
        }
        for (uint32_t kind = 0; kind < spread->count; kind++) {
            const uint32_t from = level + 1 + spread->dims[kind];
            if (from <= LIGHT_LEVEL_MAX) {
                const uint64_t dark = spread->dark[kind]->bytes[i] | ~solver->has_clear.bytes[i];
                tiles |= light_near(&solver->grown[from], i) & dark;
            }
        }
        tiles &= solver->needed[level].bytes[i] & spread->reach.bytes[i];
        active->bytes[i] = tiles;
        any |= tiles;
    }
    return any;
}

/// The slices of 8 that have any tiles, as a bit for each.
static uint64_t light_slices(uint64_t tiles)
{
    tiles |= tiles >> 4;
    tiles |= tiles >> 2;
    tiles |= tiles >> 1;
    // The multiplication gathers the lowest bits of the eight slices.
    return (tiles & UINT64_MAX / UINT8_MAX) * UINT64_C(0x0102040810204080) >> 56;
}

/// Begins the planes of the slices of some tiles, unless they are begun.
/// @param lit     what is lit by the highest level
/// @param bright  the tiles in which anything is
static void light_begin_planes(TrnLightSolver *solver, const LightMarks *tiles, const uint64_t *lit,
                               const LightMarks *bright)
{
    uint64_t slices = 0;
    for (uint32_t i = 0; i < LIGHT_SLICE / 8; i++) {
        slices |= light_slices(tiles->bytes[i]) << i * 8;
    }
    slices &= ~solver->has_planes;
    if (slices) {
        solver->has_planes |= slices;
        solver->kernels->begin(lit, slices, bright, solver->planes);
    }
}

/// Clears tiles and their neighbours in solver->lit, which still has the last solve.
static void light_empty(TrnLightSolver *solver, const LightSpread *spread, const LightMarks *marks)
{
    const uint32_t first = spread->first > 0 ? spread->first - 1 : 0;
    for (uint32_t i = first; i <= spread->end && i < LIGHT_SLICE / 8; i++) {
        uint64_t tiles = light_near(marks, i) & ~solver->has_lit.bytes[i];
        solver->has_lit.bytes[i] |= tiles;
        while (tiles) {
            const size_t at = (size_t)i * 8 * LIGHT_SLICE + trn_light_take_tile(&tiles);
            for (uint32_t level = 0; level < spread->ring; level++) {
                memset(solver->lit[level].at + at, 0, sizeof(uint64_t[LIGHT_TILE]));
            }
        }
    }
}

/// Prepares to light tiles, unless they are prepared.
static void light_prepare(TrnLightSolver *solver, const LightSpread *spread,
                          const LightMarks *tiles)
{
    LightMarks missing = {0};
    uint64_t any = 0;
    for (uint32_t i = spread->first; i < spread->end; i++) {
        const uint64_t own = tiles->bytes[i] & ~solver->prepared.bytes[i];
        solver->prepared.bytes[i] |= own;
        missing.bytes[i] = own;
        any |= own;
    }
    if (any) {
        trn_light_volume_read_clear(solver, &missing);
        light_empty(solver, spread, &missing);
        light_begin_planes(solver, &missing, solver->lit[0].at, &(LightMarks){0});
    }
}

/// Finds out what is lit by a level. @return whether anything is that was not by the level above
static bool light_spread(TrnLightSolver *solver, const LightSpread *spread, uint32_t level)
{
    LightStep step; // its arrays are not emptied
    if (!light_active(solver, spread, level, &step.active)) {
        solver->grown[level] = (LightMarks){0};
        return false;
    }
    step.level = level;
    step.count = 0;
    step.sources = NULL;
    step.above = light_lit(solver, spread, level + 1);
    step.lit = light_lit(solver, spread, level);
    step.planes = solver->planes;
    light_prepare(solver, spread, &step.active);
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
    return solver->kernels->spread(&step, &solver->grown[level]);
}

/// Prepares to spread in some tiles. All that dims takes part, and what is clear.
static LightSpread light_spread_begin(const TrnLightSolver *solver, const LightMarks *reach)
{
    LightSpread spread = {.count = 1, .dark = {&solver->pass.of[0].marks}, .ring = 2};
    spread.reach = *reach;
    spread.end = LIGHT_SLICE / 8;
    while (spread.end > 0 && !reach->bytes[spread.end - 1]) {
        spread.end--;
    }
    while (spread.first < spread.end && !reach->bytes[spread.first]) {
        spread.first++;
    }
    for (uint32_t dims = 1; dims < LIGHT_DIMS_COUNT; dims++) {
        if (solver->pass.used >> dims & 1) {
            spread.dims[spread.count] = dims;
            spread.dark[spread.count++] = &solver->pass.of[dims].marks;
            while (spread.ring < dims + 2) {
                spread.ring *= 2;
            }
        }
    }
    return spread;
}

/// Spreads what is lit by the highest level, and writes the levels.
static void light_solve(TrnLightSolver *solver, const LightSpread *spread, TrnLight *light)
{
    uint32_t grown = LIGHT_LEVEL_MAX; // the lowest level that lights more than the one above
    for (uint32_t level = LIGHT_LEVEL_MAX - 1; level > 0; level--) {
        const uint32_t sources = solver->sources.used & ((2u << level) - 2);
        if (level + spread->ring <= grown && !sources) {
            break; // nothing gets light from levels above those in the ring
        }
        grown = light_spread(solver, spread, level) ? level : grown;
    }
    solver->kernels->pack(solver->planes, solver->has_planes, light);
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
    const LightMarks *all = &solver->needed_slices[LIGHT_LEVEL_MAX];
    trn_light_volume_read_dims(solver, all);
    trn_light_volume_read_clear(solver, all);
    LightMarks dark;
    LightSpread spread = light_spread_begin(solver, all);
    spread.dark[0] = &dark;
    spread.copied = LIGHT_LEVEL_MAX;
    uint64_t *lit = light_lit(solver, &spread, LIGHT_LEVEL_MAX);
    solver->kernels->fall(&solver->pass.of[0], open, lit, &solver->grown[LIGHT_LEVEL_MAX], &dark);
    for (uint32_t i = 1; i < spread.ring; i++) {
        memcpy(light_lit(solver, &spread, LIGHT_LEVEL_MAX + i), lit, sizeof(uint64_t[LIGHT_WORDS]));
    }
    memset(&solver->prepared, 0xFF, sizeof solver->prepared);
    solver->has_planes = 0;
    light_begin_planes(solver, all, lit, &solver->grown[LIGHT_LEVEL_MAX]);
    light_solve(solver, &spread, light);
}

/// Removes the voxels of a tile from which light does not get into the result.
/// @param at  where its words begin
/// @return whether any are left
static bool light_keep_needed(const TrnLightSolver *solver, uint32_t level, size_t at,
                              uint64_t *words)
{
    const uint32_t beyond = light_beyond((uint32_t)(at / LIGHT_SLICE));
    uint64_t any = 0;
    if (beyond >= level) {
        memset(words + at, 0, sizeof(uint64_t[LIGHT_TILE]));
        return false;
    }
    const uint64_t *needed = solver->needed_rows[level - 1 - beyond] + at % LIGHT_SLICE;
    for (size_t i = 0; i < LIGHT_TILE; i++) {
        words[at + i] &= needed[i];
        any |= words[at + i];
    }
    return any != 0;
}

/// Removes what is too far from the result from solver->sources.
static void light_drop_far(TrnLightSolver *solver)
{
    for (uint32_t used = solver->sources.used; used; used &= used - 1) {
        const uint32_t level = (uint32_t)__builtin_ctz(used);
        LightVolume *volume = &solver->sources.of[level];
        for (uint32_t i = 0; i < LIGHT_SLICE / 8; i++) {
            for (uint64_t rest = volume->marks.bytes[i]; rest;) {
                const uint64_t tile = rest & (0 - rest);
                const size_t at = (size_t)i * 8 * LIGHT_SLICE + trn_light_take_tile(&rest);
                if (!light_keep_needed(solver, level, at, volume->words)) {
                    volume->marks.bytes[i] &= ~tile;
                }
            }
        }
        if (!trn_light_has_marks(&volume->marks)) {
            solver->sources.used &= ~(1u << level);
        }
    }
}

/// Finds the tiles that light of what is in solver->sources can get into, and the result needs.
static LightMarks light_find_reach(const TrnLightSolver *solver)
{
    // The lowest levels that get into the next tile along z, and into the one after it.
    enum { INTO_NEXT = 2, INTO_SECOND = INTO_NEXT + LIGHT_TILE };
    LightMarks own = {0}, next = {0}, second = {0};
    const uint32_t highest = 31 - (uint32_t)__builtin_clz(solver->sources.used | 1);
    for (uint32_t level = highest; level > 0; level--) {
        const LightMarks above = own;
        for (uint32_t i = 0; i < LIGHT_SLICE / 8; i++) {
            own.bytes[i] |=
                (light_near_along_y(&above, i) | solver->sources.of[level].marks.bytes[i]) &
                solver->needed_slices[level].bytes[i];
        }
        next = level == INTO_NEXT ? own : next;
        second = level == INTO_SECOND ? own : second;
    }
    for (uint32_t i = 0; i < LIGHT_SLICE / 8; i++) {
        own.bytes[i] |= light_beside(next.bytes[i]) | light_beside(light_beside(second.bytes[i]));
    }
    return own;
}

/// Lights what emits the highest level.
static void light_begin_sources(TrnLightSolver *solver, const LightSpread *spread)
{
    const LightVolume *sources = &solver->sources.of[LIGHT_LEVEL_MAX];
    LightMarks *grown = &solver->grown[LIGHT_LEVEL_MAX];
    uint64_t *lit = light_lit(solver, spread, LIGHT_LEVEL_MAX);
    for (uint32_t i = 0; i < LIGHT_SLICE / 8; i++) {
        grown->bytes[i] = sources->marks.bytes[i] & spread->reach.bytes[i];
    }
    if (!trn_light_has_marks(grown)) {
        return;
    }
    light_begin_planes(solver, grown, sources->words, grown);
    light_prepare(solver, spread, grown);
    for (uint32_t i = spread->first; i < spread->end; i++) {
        for (uint64_t tiles = grown->bytes[i]; tiles;) {
            const size_t at = (size_t)i * 8 * LIGHT_SLICE + trn_light_take_tile(&tiles);
            memcpy(lit + at, sources->words + at, sizeof(uint64_t[LIGHT_TILE]));
        }
    }
}

/// Solves the light of what is in solver->sources.
static void light_solve_blocks(TrnLightSolver *solver, TrnLight *light)
{
    light_drop_far(solver);
    const LightMarks reach = light_find_reach(solver);
    if (!trn_light_has_marks(&reach)) {
        light->constant = 0;
        return;
    }
    trn_light_volume_read_dims(solver, &reach);
    LightSpread spread = light_spread_begin(solver, &reach);
    spread.has_sources = true;
    spread.copied = LIGHT_LEVEL_COUNT;
    solver->has_lit = solver->prepared = (LightMarks){0};
    solver->has_planes = 0;
    light_begin_sources(solver, &spread);
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
