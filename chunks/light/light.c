// Light, level by level: what has at least level l is what has more, what emits l, and what light
// of the level above gets into from a neighbour. After "bit-parallel dilation": a step over 64
// voxels is six shifts and loads. The light of the chunk needs level l within l - 1 voxels of it.

#include "light_impl.h"

#include <string.h>

#include "light_kernel_choice.h"

// ---- creation ----------------------------------------------------------------------------------

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
    made->allocator = own;
    made->kernels = trn_kernels_at(&trn_light_kernels, trn_cpu_features(), 0);
    made->types = NULL;
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

/// The slices that the sources are in.
typedef struct LightSlices {
    uint32_t first, last; ///< inclusive; first > last: none
} LightSlices;

static const LightRange light_out = {LIGHT_OUT_FIRST, LIGHT_OUT_LAST, LIGHT_OUT_FIRST,
                                     LIGHT_OUT_LAST};

static bool light_slice_is_empty(const LightVolume *volume, uint32_t y)
{
    uint64_t any = 0;
    for (uint32_t z = 0; z < LIGHT_SLICE; z++) {
        any |= volume->words[y * LIGHT_SLICE + z];
    }
    return any == 0;
}

/// Extends a range of slices to those that a volume has voxels in.
static void light_slices_add(LightSlices *slices, const LightVolume *volume)
{
    uint32_t first = 1, last = LIGHT_EDGE;
    while (first < slices->first && light_slice_is_empty(volume, first)) {
        first++;
    }
    while (last > slices->last && light_slice_is_empty(volume, last)) {
        last--;
    }
    slices->first = first;
    slices->last = last;
}

/// The part of the volume in which a level is needed, and can be.
static LightRange light_range(uint32_t level, LightSlices sources)
{
    const uint32_t beyond = level - 1, grown = LIGHT_LEVEL_MAX - level;
    LightRange range = {LIGHT_OUT_FIRST - beyond, LIGHT_OUT_LAST + beyond, LIGHT_OUT_FIRST - beyond,
                        LIGHT_OUT_LAST + beyond};
    const uint32_t first = sources.first > grown ? sources.first - grown : 0;
    range.y_first = range.y_first > first ? range.y_first : first;
    range.y_last = range.y_last < sources.last + grown ? range.y_last : sources.last + grown;
    return range;
}

/// The volumes of a ring by level: those of the last levels, as far back as light is dimmed.
static uint64_t *light_lit(TrnLightSolver *solver, uint32_t level, uint32_t count)
{
    return solver->lit[count > 1 ? level % count : 0].words;
}

static uint32_t light_ring_count(const TrnLightSolver *solver)
{
    uint32_t most = LIGHT_DIMS_ALL - 1; // that a block in reach dims
    while (most > 0 && !(solver->pass.used & 1u << most)) {
        most--;
    }
    return most + 2;
}

/// Begins a plane: copies the slices and rows of the result. Outside its range a level has none.
static void light_copy(const uint64_t *lit, uint64_t *plane)
{
    enum { FIRST = LIGHT_OUT_FIRST / LIGHT_LANES_MAX * LIGHT_LANES_MAX };
    enum { COUNT = (LIGHT_OUT_LAST / LIGHT_LANES_MAX + 1) * LIGHT_LANES_MAX - FIRST };
    for (size_t y = LIGHT_OUT_FIRST; y <= LIGHT_OUT_LAST; y++) {
        const size_t at = y * LIGHT_SLICE + FIRST;
        memcpy(plane + at, lit + at, COUNT * sizeof *plane);
    }
}

/// Adds a level to the planes: bit b of a voxel's level changes at every multiple of 2^b up to it.
static void light_count(TrnLightSolver *solver, uint32_t level, const uint64_t *lit,
                        LightRange range)
{
    LightRange seen = light_out;
    seen.y_first = seen.y_first > range.y_first ? seen.y_first : range.y_first;
    seen.y_last = seen.y_last < range.y_last ? seen.y_last : range.y_last;
    for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS && level % (1u << bit) == 0; bit++) {
        if (level + (1u << bit) > LIGHT_LEVEL_MAX) {
            light_copy(lit, solver->planes[bit].words);
        } else {
            solver->kernels->toggle(lit, solver->planes[bit].words, seen);
        }
    }
}

/// Computes what has at least a level from the levels above.
/// @param has_sources  blocks emit light
static void light_spread(TrnLightSolver *solver, uint32_t level, uint32_t ring, LightRange range,
                         bool has_sources)
{
    uint64_t *lit = light_lit(solver, level, ring);
    const uint64_t *above = light_lit(solver, level + 1, ring);
    solver->kernels->spread(above, solver->pass.of[0].words, above, lit, range);
    for (uint32_t dims = 1; level + 1 + dims <= LIGHT_LEVEL_MAX; dims++) {
        if (solver->pass.used & 1u << dims) {
            solver->kernels->spread(light_lit(solver, level + 1 + dims, ring),
                                    solver->pass.of[dims].words, lit, lit, range);
        }
    }
    if (has_sources && solver->sources.used & 1u << level) {
        solver->kernels->add(solver->sources.of[level].words, lit, range);
    }
}

/// Writes the planes as rows. Finds out whether all levels are equal.
static void light_write(const TrnLightSolver *solver, TrnLight *light)
{
    const uint64_t mask = (UINT64_C(1) << TRN_LIGHT_EDGE) - 1;
    uint32_t constant = 0;
    bool varies = false;
    for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
        uint64_t all = mask, any = 0, *out = light->planes[bit];
        for (size_t y = LIGHT_OUT_FIRST; y <= LIGHT_OUT_LAST; y++) {
            const uint64_t *rows = solver->planes[bit].words + y * LIGHT_SLICE + LIGHT_OUT_FIRST;
            for (size_t z = 0; z < TRN_LIGHT_EDGE; z++) {
                const uint64_t row = rows[z] >> LIGHT_OUT_FIRST & mask;
                all &= row;
                any |= row;
                *out++ = row;
            }
        }
        varies |= all != mask && any != 0;
        constant |= (uint32_t)(all == mask) << bit;
    }
    light->constant = varies ? TRN_LIGHT_VARIES : (uint8_t)constant;
}

/// Spreads what is in the ring at the highest level.
/// @param has_sources  and what blocks emit at the others
static void light_solve(TrnLightSolver *solver, LightSlices sources, bool has_sources,
                        TrnLight *light)
{
    const uint32_t ring = light_ring_count(solver);
    for (uint32_t level = 0; level < ring; level++) {
        if (level != LIGHT_LEVEL_MAX % ring) {
            memset(&solver->lit[level], 0, sizeof solver->lit[level]);
        }
    }
    for (uint32_t level = LIGHT_LEVEL_MAX; level > 0; level--) {
        const LightRange range = light_range(level, sources);
        if (level < LIGHT_LEVEL_MAX) {
            light_spread(solver, level, ring, range, has_sources);
        }
        light_count(solver, level, light_lit(solver, level, ring), range);
    }
    light_write(solver, light);
}

// ---- sky and blocks ----------------------------------------------------------------------------

void trn_light_read(TrnLightSolver *solver, const TrnSnapshot *around, const TrnBlockTypes *types)
{
    memcpy(solver->around, around, sizeof solver->around);
    solver->types = types;
    trn_light_volume_read(solver);
}

/// Writes the rows of the volume that are open above its highest slice.
/// @return whether all are
static bool light_open_above(const TrnLightSolver *solver, const uint32_t *const *open_sky,
                             uint64_t *open)
{
    bool is_all = true;
    memset(open, 0, sizeof(uint64_t[LIGHT_SLICE]));
    for (uint32_t column = 0; column < 9; column++) {
        const LightSpan zs = trn_light_volume_span((int32_t)(column / 3) - 1);
        const uint32_t *sky = open_sky ? open_sky[column] : NULL;
        for (uint32_t z = 0; z < zs.count; z++) {
            uint32_t row = sky ? sky[zs.local + z] : UINT32_MAX;
            row &= solver->is_clear ? UINT32_MAX : ~solver->cover[column][zs.local + z];
            is_all &= row == UINT32_MAX;
            open[zs.at + z] |= trn_light_volume_bits(row, (int32_t)(column % 3) - 1);
        }
    }
    return is_all;
}

void trn_light_sky(TrnLightSolver *solver, const uint32_t *const *open_sky, TrnLight *light)
{
    alignas(TRN_CACHE_LINE) uint64_t open[LIGHT_SLICE];
    if (solver->is_blocked) {
        light->constant = 0;
        return;
    }
    if ((solver->is_clear && !open_sky) ||
        (light_open_above(solver, open_sky, open) && solver->is_clear)) {
        light->constant = LIGHT_LEVEL_MAX;
        return;
    }
    if (solver->is_clear) {
        trn_light_volume_fill(solver);
    }
    LightVolume *lit = &solver->lit[LIGHT_LEVEL_MAX % light_ring_count(solver)];
    memset(lit, 0, sizeof *lit);
    solver->kernels->fall(solver->pass.of[0].words, open, lit->words);
    LightSlices slices = {LIGHT_EDGE + 1, 0};
    light_slices_add(&slices, lit);
    if (slices.first > slices.last) {
        light->constant = 0;
        return;
    }
    light_solve(solver, slices, false, light);
}

void trn_light_blocks(TrnLightSolver *solver, const uint8_t *emission, TrnLight *light)
{
    trn_light_volume_read_sources(solver, emission);
    LightSlices slices = {LIGHT_EDGE + 1, 0};
    for (uint32_t level = 1; level < LIGHT_LEVEL_COUNT; level++) {
        if (solver->sources.used & 1u << level) {
            light_slices_add(&slices, &solver->sources.of[level]);
        }
    }
    if (slices.first > slices.last) {
        light->constant = 0;
        return;
    }
    if (solver->is_clear || solver->is_blocked) {
        trn_light_volume_fill(solver);
    }
    const uint32_t ring = light_ring_count(solver);
    LightVolume *lit = &solver->lit[LIGHT_LEVEL_MAX % ring];
    if (solver->sources.used & 1u << LIGHT_LEVEL_MAX) {
        memcpy(lit, &solver->sources.of[LIGHT_LEVEL_MAX], sizeof *lit);
    } else {
        memset(lit, 0, sizeof *lit);
    }
    light_solve(solver, slices, true, light);
}
