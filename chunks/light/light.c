// Light, level by level, from the highest down: a voxel has a level if it emits it, or if light of
// a higher level gets into it from a neighbour, and it has no higher one. After "bit-parallel
// dilation": a step over 64 voxels is six shifts and loads. Only tiles near one that the level
// above got into take a step. The light of the chunk needs level l within l - 1 voxels of it.

#include "light_impl.h"

#include <string.h>

#include "light_kernel_choice.h"

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
    made->kernels = trn_kernels_at(&trn_light_kernels, trn_cpu_features(), 0);
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
    const uint32_t features = trn_cpu_features();
    const size_t at = trn_kernels_find(&trn_light_kernels, features, name);
    if (at == SIZE_MAX) {
        return false;
    }
    solver->kernels = trn_kernels_at(&trn_light_kernels, features, at);
    return true;
}

const char *trn_light_kernels_name(const TrnLightSolver *solver)
{
    return solver->kernels->name;
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
