// Cuts grids of a noise, and scattered points, into batches for the kernels.

#include <terrane/noise.h>

#include <assert.h>
#include <string.h>

#include "terrain/noise_impl.h"
#include "terrain/noise_kernels.h"

// ---- grids -------------------------------------------------------------------------------------

static const TrnNoiseKernels *noise_kernels_chosen(const TrnNoise *noise)
{
    const TrnNoiseKernels *kernels =
        trn_kernels_at(&trn_noise_kernels, trn_cpu_features(), noise->kernels);
    return kernels ? kernels : trn_kernels_scalar(&trn_noise_kernels);
}

#define NOISE_LAYER_MAX (TRN_NOISE_OCTAVE_MAX + TRN_NOISE_WARP_OCTAVE_MAX)

/// A cell, in fixed-point numbers.
#define NOISE_FAR ((uint64_t)1 << 32)

/// Tables of hashes of all layers: one by axis, and two more of x for each layer of the warp.
#define NOISE_HASH_TABLES (3 * NOISE_LAYER_MAX + 2 * TRN_NOISE_WARP_OCTAVE_MAX)

/// Offsets of a layer along an axis where batches are of one row or of whole rows, with the end of
/// the last register; the same where they are not; and of all layers together.
#define NOISE_ROW_OFFSETS ((size_t)TRN_NOISE_BATCH_MAX + TRN_NOISE_LANES_MAX)
#define NOISE_FLAT_OFFSETS ((size_t)TRN_NOISE_PATTERN_MAX + TRN_NOISE_PLANE_WIDTH_MAX)
#define NOISE_OFFSETS_MAX ((size_t)16 * 2 * NOISE_FLAT_OFFSETS)
static_assert(NOISE_OFFSETS_MAX >= (size_t)3 * NOISE_LAYER_MAX * 2 * NOISE_ROW_OFFSETS,
              "of all layers");

/// Points of a plane from which on hashes are looked up.
#define NOISE_HASHED_MIN 48

/// How much further than its amplitude a warp may reach by rounding, in fixed-point numbers.
#define NOISE_WARP_MARGIN 8388608.0

/// Steps and positions of one layer in a grid, by lattice axis.
typedef struct NoiseWalk {
    uint64_t step[3][3]; ///< [lattice axis][world axis]: to the next grid point
    uint64_t plane[3];   ///< first point of the current plane
    uint64_t row[3];     ///< first point of the current row
} NoiseWalk;

/// State of one fill. The warp's layers follow the noise's own.
typedef struct NoiseFill {
    const TrnNoise *noise;
    const TrnNoiseKernels *kernels;
    const float *const *warp; ///< from the caller, or NULL
    bool is_scattered;        ///< the caller's warp places all points, for the own warp too
    bool is_flat;             ///< batches go on from row to row, and from plane to plane
    bool is_continued;        ///< what is filled are further layers
    const uint8_t *is_needed; ///< [rows of the grid]: batches without one are left out; NULL: all
    uint32_t walk_count;
    uint32_t batch_x;    ///< points of a row in one batch
    uint32_t batch_rows; ///< whole rows in one batch, if rows are narrow
    TrnNoisePattern pattern;
    NoiseWalk walks[NOISE_LAYER_MAX];
    TrnNoiseBatchLayer layers[NOISE_LAYER_MAX];
    TrnNoiseBounds bounds[NOISE_LAYER_MAX][3]; ///< of `layers`, by lattice axis
    uint32_t hash_tables;                      ///< in use
    TrnNoiseHashes hashes[NOISE_HASH_TABLES];
    size_t offset_count; ///< in use
    alignas(64) uint32_t offsets[NOISE_OFFSETS_MAX];
} NoiseFill;

/// Of scattered points, which are all displaced from the origin.
static const uint32_t noise_no_offsets[TRN_NOISE_BATCH_MAX];

/// Of registers whose points hardly ever share a cell.
static const TrnNoiseBounds noise_no_bounds = {
    .most = {NOISE_FAR, NOISE_FAR, NOISE_FAR, NOISE_FAR, NOISE_FAR, NOISE_FAR, NOISE_FAR, NOISE_FAR,
             NOISE_FAR, NOISE_FAR, NOISE_FAR, NOISE_FAR, NOISE_FAR, NOISE_FAR, NOISE_FAR,
             NOISE_FAR}};

/// Writes a register's least and greatest offset. A register that crosses rows is marked as
/// unknown.
static void noise_bound_register(const NoiseFill *fill, uint64_t step, uint32_t index,
                                 TrnNoiseOffsets offsets, TrnNoiseBounds *bounds)
{
    const uint32_t lanes = fill->kernels->lanes, from = index * lanes;
    const bool is_backward = (int64_t)step < 0;
    const uint64_t length = (is_backward ? 0 - step : step);
    if (from % fill->batch_x + lanes > fill->batch_x || length >= NOISE_FAR / lanes) {
        bounds->least[index] = 0;
        bounds->most[index] = NOISE_FAR;
        return;
    }
    const uint64_t first = (uint64_t)offsets.cell[from] << 32 | offsets.fraction[from];
    const uint64_t last = first + step * (lanes - 1);
    bounds->least[index] = is_backward ? last : first;
    bounds->most[index] = is_backward ? first : last;
}

/// Writes a layer's offsets along one lattice axis, and their bounds in each register of a batch.
static void noise_place_layer(NoiseFill *fill, uint32_t index, uint32_t axis)
{
    const uint64_t *step = fill->walks[index].step[axis];
    const size_t count = fill->is_flat ? NOISE_FLAT_OFFSETS : NOISE_ROW_OFFSETS;
    uint32_t *cell = fill->offsets + fill->offset_count, *fraction = cell + count;
    const TrnNoiseOffsets offsets = {cell, fraction};
    TrnNoiseBounds *bounds = &fill->bounds[index][axis];
    TrnNoiseBatchLayer *layer = &fill->layers[index];
    const uint32_t lanes = fill->kernels->lanes;
    fill->offset_count += 2 * count;
    fill->kernels->place(&fill->pattern, step, cell, fraction);
    layer->offsets[axis] = offsets;
    if (fill->is_flat) {
        return;
    }
    layer->bounds[axis] = bounds;
    for (uint32_t i = 0; lanes > 1 && i < (fill->pattern.count + lanes - 1) / lanes; i++) {
        noise_bound_register(fill, step[0], i, offsets, bounds);
    }
}

/// The cells of a grid along one lattice axis, with those that the noise's own warp reaches.
/// @return how many there are; more than TRN_NOISE_HASHES if there are too many
static uint32_t noise_cell_range(const NoiseFill *fill, uint32_t index, uint32_t axis,
                                 const TrnNoiseGrid *grid, uint32_t *first)
{
    const NoiseWalk *walk = &fill->walks[index];
    const double cell = (double)NOISE_FAR;
    const uint32_t sizes[3] = {grid->size_x, grid->size_y, grid->size_z};
    const bool is_warped = index < fill->noise->layer_count && fill->noise->warp_layer_count > 0;
    double low = 0.0, high = 0.0;
    for (uint32_t world = 0; world < 3; world++) {
        const double across = (double)(int64_t)walk->step[axis][world] * (double)(sizes[world] - 1);
        const double slope = (double)fill->layers[index].slope[axis][world] * cell;
        const double reach = is_warped ? slope * (double)fill->noise->warp[world] : 0.0;
        const double margin = (reach < 0.0 ? -reach : reach) + NOISE_WARP_MARGIN;
        low += (across < 0.0 ? across : 0.0) - margin;
        high += (across < 0.0 ? 0.0 : across) + margin;
    }
    if (high - low > cell * TRN_NOISE_HASHES) {
        return TRN_NOISE_HASHES + 1;
    }
    const uint64_t from = walk->plane[axis] + (uint64_t)(int64_t)low;
    const uint64_t to = walk->plane[axis] + (uint64_t)(int64_t)high;
    *first = (uint32_t)(from >> 32);
    return (uint32_t)(to >> 32) - *first + 1;
}

/// Prepares the hashes of all cells of a layer's grid, if they are few.
static void noise_hash_layer(NoiseFill *fill, uint32_t index, const TrnNoiseGrid *grid)
{
    const TrnNoiseKernels *kernels = fill->kernels;
    TrnNoiseBatchLayer *layer = &fill->layers[index];
    const bool is_warp = index >= fill->noise->layer_count;
    uint32_t first[3] = {0}, cells[3] = {0};
    for (uint32_t axis = 0; axis < 3; axis += 4 - fill->noise->dimensions) {
        cells[axis] = noise_cell_range(fill, index, axis, grid, &first[axis]);
        if (cells[axis] > kernels->hash_count) {
            return;
        }
    }
    TrnNoiseHashes *hashes = &fill->hashes[fill->hash_tables];
    fill->hash_tables += is_warp ? 5 : 3;
    for (uint32_t twist = 0; twist < (is_warp ? 3u : 1u); twist += 4 - fill->noise->dimensions) {
        kernels->hash(first[0], cells[0], 0, layer->seed ^ trn_noise_twists[twist], &hashes[twist]);
    }
    layer->hashes[0] = hashes;
    for (uint32_t axis = 4 - fill->noise->dimensions; axis < 3;
         axis += 4 - fill->noise->dimensions) {
        TrnNoiseHashes *others = &hashes[axis + (is_warp ? 2 : 0)];
        kernels->hash(first[axis], cells[axis], axis, 0, others);
        layer->hashes[axis] = others;
    }
}

/// Positions a layer at the grid's origin.
static void noise_begin_layer(NoiseFill *fill, uint32_t index, const TrnNoiseLayer *layer,
                              const TrnNoiseGrid *grid)
{
    NoiseWalk *walk = &fill->walks[index];
    TrnNoiseBatchLayer *out = &fill->layers[index];
    const int64_t origin[3] = {grid->origin.x, grid->origin.y, grid->origin.z};
    for (uint32_t axis = 0; axis < 3; axis++) {
        uint64_t at = layer->origin[axis];
        for (uint32_t world = 0; world < 3; world++) {
            const int64_t step = layer->step[axis][world];
            at += (uint64_t)origin[world] * (uint64_t)step;
            walk->step[axis][world] = (uint64_t)step << grid->level;
            out->slope[axis][world] = (float)((double)step * (1.0 / 4294967296.0));
        }
        walk->plane[axis] = walk->row[axis] = at;
        out->offsets[axis] = (TrnNoiseOffsets){noise_no_offsets, noise_no_offsets};
        out->bounds[axis] = &noise_no_bounds;
        out->hashes[axis] = NULL;
        if (!fill->is_scattered && (axis != 1 || fill->noise->dimensions == 3)) {
            noise_place_layer(fill, index, axis);
        }
    }
    out->seed = layer->seed;
    out->weight = layer->weight;
}

/// Cuts a grid into batches.
static void noise_cut_grid(NoiseFill *fill, const TrnNoiseGrid *grid)
{
    const uint64_t plane = (uint64_t)grid->size_x * grid->size_z;
    fill->is_flat = grid->size_x <= TRN_NOISE_PLANE_WIDTH_MAX && plane <= TRN_NOISE_PLANE_MAX &&
                    grid->size_x % fill->kernels->lanes != 0 && !fill->is_scattered &&
                    (size_t)fill->walk_count * fill->noise->dimensions * 2 * NOISE_FLAT_OFFSETS <=
                        NOISE_OFFSETS_MAX;
    if (fill->is_flat) {
        // To the end of the last register.
        const uint64_t points = (plane * grid->size_y + TRN_NOISE_LANES_MAX - 1) /
                                TRN_NOISE_LANES_MAX * TRN_NOISE_LANES_MAX;
        const uint64_t needed = plane + TRN_NOISE_BATCH_MAX;
        fill->pattern = (TrnNoisePattern){(uint32_t)(points < needed ? points : needed),
                                          grid->size_x, grid->size_z};
        return;
    }
    const bool is_narrow = grid->size_x <= TRN_NOISE_BATCH_MAX / 2;
    const uint32_t fitting = is_narrow ? TRN_NOISE_BATCH_MAX / grid->size_x : 1;
    fill->batch_x = grid->size_x < TRN_NOISE_BATCH_MAX ? grid->size_x : TRN_NOISE_BATCH_MAX;
    fill->batch_rows = fitting < grid->size_z ? fitting : grid->size_z;
    fill->pattern =
        (TrnNoisePattern){fill->batch_x * fill->batch_rows, fill->batch_x, fill->batch_rows};
}

static void noise_begin_fill(NoiseFill *fill, const TrnNoise *noise, const TrnNoiseKernels *kernels,
                             const TrnNoiseGrid *grid, const float *const *warp, bool is_scattered)
{
    fill->noise = noise;
    fill->kernels = kernels;
    fill->warp = warp;
    fill->is_scattered = is_scattered;
    fill->is_continued = false;
    fill->hash_tables = 0;
    fill->offset_count = 0;
    fill->is_needed = NULL;
    fill->walk_count = noise->layer_count + noise->warp_layer_count;
    noise_cut_grid(fill, grid);
    const bool has_hashes = kernels->hash_count > 0 && !warp &&
                            !trn_noise_is_cellular(noise->kind) &&
                            (uint64_t)grid->size_x * grid->size_z >= NOISE_HASHED_MIN;
    for (uint32_t i = 0; i < fill->walk_count; i++) {
        const TrnNoiseLayer *layer = i < noise->layer_count
                                         ? &noise->layers[i]
                                         : &noise->warp_layers[i - noise->layer_count];
        noise_begin_layer(fill, i, layer, grid);
        if (has_hashes) {
            noise_hash_layer(fill, i, grid);
        }
    }
}

static void noise_advance_rows(NoiseFill *fill, uint32_t rows)
{
    for (uint32_t i = 0; i < fill->walk_count; i++) {
        NoiseWalk *walk = &fill->walks[i];
        for (uint32_t axis = 0; axis < 3; axis++) {
            walk->row[axis] += walk->step[axis][2] * rows;
        }
    }
}

static void noise_advance_plane(NoiseFill *fill)
{
    for (uint32_t i = 0; i < fill->walk_count; i++) {
        NoiseWalk *walk = &fill->walks[i];
        for (uint32_t axis = 0; axis < 3; axis++) {
            walk->plane[axis] += walk->step[axis][1];
            walk->row[axis] = walk->plane[axis];
        }
    }
}

/// The caller's displacement of a batch along an axis, or NULL.
/// @param first  index of the batch in the caller's arrays
static const float *noise_given_warp(const NoiseFill *fill, uint32_t axis, size_t first)
{
    return fill->warp && fill->warp[axis] ? fill->warp[axis] + first : NULL;
}

/// Evaluates one component of the noise's own warp. All components share lattices.
/// @param first  index of the batch in the caller's arrays
static void noise_sample_warp(const NoiseFill *fill, uint32_t axis, size_t first,
                              uint32_t pattern_first, uint32_t count, float *out)
{
    TrnNoiseBatch batch;
    batch.layers = &fill->layers[fill->noise->layer_count];
    batch.layer_count = fill->noise->warp_layer_count;
    batch.first = pattern_first;
    batch.count = count;
    batch.dimensions = fill->noise->dimensions;
    batch.is_ridged = batch.is_continued = false;
    batch.is_warped = fill->is_scattered;
    batch.twist = axis;
    for (uint32_t world = 0; fill->is_scattered && world < 3; world++) {
        const float *given = noise_given_warp(fill, world, first);
        memset(batch.warp[world], 0, sizeof batch.warp[world]);
        for (uint32_t i = 0; given && i < count; i++) {
            batch.warp[world][i] = given[i];
        }
    }
    fill->kernels->gradient(&batch, out);
}

/// Writes the displacements of a batch: the noise's own warp plus the caller's.
/// @param first  index of the batch in the caller's arrays
static void noise_warp_batch(const NoiseFill *fill, size_t first, TrnNoiseBatch *batch)
{
    const TrnNoise *noise = fill->noise;
    for (uint32_t axis = 0; axis < 3; axis += 4 - noise->dimensions) {
        float *warp = batch->warp[axis];
        memset(warp, 0, sizeof batch->warp[axis]);
        if (noise->warp_layer_count > 0 && noise->warp[axis] > 0.0f) {
            noise_sample_warp(fill, axis, first, batch->first, batch->count, warp);
        }
        const float *given = noise_given_warp(fill, axis, first);
        for (uint32_t i = 0; i < batch->count; i++) {
            warp[i] = warp[i] * noise->warp[axis] + (given ? given[i] : 0.0f);
        }
    }
}

/// Prepares a batch for the kernels.
/// @param x              from the walks' rows to the place that offsets are from
/// @param pattern_first  its first point in the offsets
static void noise_begin_batch(NoiseFill *fill, uint32_t x, uint32_t pattern_first, uint32_t count,
                              size_t first, TrnNoiseBatch *batch)
{
    const TrnNoise *noise = fill->noise;
    for (uint32_t i = 0; i < fill->walk_count; i++) {
        const NoiseWalk *walk = &fill->walks[i];
        for (uint32_t axis = 0; axis < 3; axis++) {
            fill->layers[i].at[axis] = walk->row[axis] + walk->step[axis][0] * x;
        }
    }
    batch->layers = fill->layers;
    batch->layer_count = noise->layer_count;
    batch->first = pattern_first;
    batch->count = count;
    batch->dimensions = noise->dimensions;
    batch->is_ridged = noise->kind == TRN_NOISE_RIDGED;
    batch->is_continued = fill->is_continued;
    batch->is_warped = noise->warp_layer_count > 0 || fill->warp;
    batch->wants_second = noise->kind == TRN_NOISE_CELL_BORDER;
    batch->twist = 0;
    if (batch->is_warped) {
        noise_warp_batch(fill, first, batch);
    }
}

/// Evaluates a batch, to the end of its last register.
static void noise_sample_batch(const NoiseFill *fill, const TrnNoiseBatch *batch, float *out)
{
    if (!trn_noise_is_cellular(fill->noise->kind)) {
        fill->kernels->gradient(batch, out);
        return;
    }
    TrnNoiseBatchCells cells;
    fill->kernels->cells(batch, &cells);
    for (uint32_t i = 0; i < batch->count; i++) {
        out[i] = batch->wants_second ? cells.second[i] - cells.first[i] : cells.first[i];
    }
}

float trn_noise_at(const TrnNoise *noise, TrnVoxel voxel)
{
    if (noise->layer_count == 0) {
        return 0.0f;
    }
    const TrnNoiseGrid grid = {.origin = voxel, .size_x = 1, .size_y = 1, .size_z = 1};
    NoiseFill fill;
    TrnNoiseBatch batch;
    alignas(64) float out[TRN_NOISE_BATCH_MAX];
    out[0] = 0.0f;
    noise_begin_fill(&fill, noise, trn_kernels_scalar(&trn_noise_kernels), &grid, NULL, false);
    noise_begin_batch(&fill, 0, 0, 1, 0, &batch);
    noise_sample_batch(&fill, &batch, out);
    return out[0];
}

static bool noise_in_world_margin(int64_t voxel)
{
    return voxel >= TRN_VOXEL_MIN - TRN_NOISE_MARGIN && voxel <= TRN_VOXEL_MAX + TRN_NOISE_MARGIN;
}

/// Whether a grid is within the limits and its size in bytes fits size_t.
static bool noise_grid_is_valid(const TrnNoise *noise, const TrnNoiseGrid *grid)
{
    if (!noise || !grid || noise->layer_count == 0 || grid->level > TRN_NOISE_LEVEL_MAX) {
        return false;
    }
    if (!noise_in_world_margin(grid->origin.x) || !noise_in_world_margin(grid->origin.y) ||
        !noise_in_world_margin(grid->origin.z)) {
        return false;
    }
    if (grid->size_x == 0 || grid->size_y == 0 || grid->size_z == 0 ||
        (noise->dimensions == 2 && grid->size_y != 1)) {
        return false;
    }
    const uint64_t plane = (uint64_t)grid->size_x * grid->size_z;
    return plane <= SIZE_MAX / sizeof(float) / grid->size_y;
}

/// @param x,pattern_first  as in noise_begin_batch
/// @param first            index of the batch in `out`
static void noise_fill_batch(NoiseFill *fill, uint32_t x, uint32_t pattern_first, uint32_t count,
                             size_t first, float *out)
{
    TrnNoiseBatch batch;
    noise_begin_batch(fill, x, pattern_first, count, first, &batch);
    alignas(64) float values[TRN_NOISE_BATCH_MAX];
    if (fill->is_continued) {
        memset(values, 0, sizeof values);
        memcpy(values, out + first, count * sizeof *values);
    }
    noise_sample_batch(fill, &batch, values);
    memcpy(out + first, values, count * sizeof *values);
}

/// Fills `rows` rows in one batch, or a single row in several batches.
/// @param first  index of the rows in `out`
static void noise_fill_rows(NoiseFill *fill, uint32_t size_x, uint32_t rows, size_t first,
                            float *out)
{
    for (uint32_t x = 0; x < size_x; x += fill->batch_x) {
        const uint32_t left = size_x - x;
        const uint32_t wide = left < fill->batch_x ? left : fill->batch_x;
        noise_fill_batch(fill, x, 0, wide * rows, first + x, out);
    }
}

/// Whether some row of a flat batch is needed.
static bool noise_is_needed(const NoiseFill *fill, const TrnNoiseGrid *grid, size_t first,
                            size_t count)
{
    bool is_needed = !fill->is_needed;
    const size_t last = (first + count - 1) / grid->size_x;
    for (size_t row = first / grid->size_x; !is_needed && row <= last; row++) {
        is_needed = fill->is_needed[row];
    }
    return is_needed;
}

/// Fills a grid in full batches, regardless of rows and planes.
static void noise_fill_flat(NoiseFill *fill, const TrnNoiseGrid *grid, float *out)
{
    const size_t plane = (size_t)grid->size_x * grid->size_z, points = plane * grid->size_y;
    size_t in_plane = 0;
    for (size_t first = 0; first < points; first += TRN_NOISE_BATCH_MAX) {
        const size_t left = points - first;
        const size_t count = left < TRN_NOISE_BATCH_MAX ? left : TRN_NOISE_BATCH_MAX;
        if (noise_is_needed(fill, grid, first, count)) {
            noise_fill_batch(fill, 0, (uint32_t)in_plane, (uint32_t)count, first, out);
        }
        for (in_plane += count; in_plane >= plane; in_plane -= plane) {
            noise_advance_plane(fill);
        }
    }
}

static void noise_fill_grid(NoiseFill *fill, const TrnNoiseGrid *grid, float *out)
{
    if (fill->is_flat) {
        noise_fill_flat(fill, grid, out);
        return;
    }
    size_t first = 0;
    for (uint32_t y = 0; y < grid->size_y; y++) {
        for (uint32_t z = 0; z < grid->size_z; z += fill->batch_rows) {
            const uint32_t left = grid->size_z - z;
            const uint32_t rows = left < fill->batch_rows ? left : fill->batch_rows;
            noise_fill_rows(fill, grid->size_x, rows, first, out);
            first += (size_t)grid->size_x * rows;
            noise_advance_rows(fill, rows);
        }
        noise_advance_plane(fill);
    }
}

TrnResult trn_noise_fill(const TrnNoise *noise, const TrnNoiseGrid *grid, float *out)
{
    return trn_noise_fill_warped(noise, grid, NULL, out);
}

TrnResult trn_noise_fill_warped(const TrnNoise *noise, const TrnNoiseGrid *grid,
                                const float *const warp[3], float *out)
{
    if (!out || !noise_grid_is_valid(noise, grid)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    NoiseFill fill;
    noise_begin_fill(&fill, noise, noise_kernels_chosen(noise), grid, warp, false);
    noise_fill_grid(&fill, grid, out);
    return TRN_RESULT_OK;
}

void trn_noise_add_part(const TrnNoise *noise, const TrnNoiseGrid *grid, const TrnNoisePart *part,
                        float *out)
{
    TrnNoise layers = *noise;
    layers.layer_count = part->end - part->first;
    memcpy(layers.layers, noise->layers + part->first, layers.layer_count * sizeof *layers.layers);
    NoiseFill fill;
    noise_begin_fill(&fill, &layers, noise_kernels_chosen(noise), grid, NULL, false);
    fill.is_continued = part->first > 0;
    fill.is_needed = part->is_needed;
    noise_fill_grid(&fill, grid, out);
}

void trn_noise_fill_points(const TrnNoise *noise, TrnVoxel origin, const float *const points[3],
                           uint32_t count, float *out)
{
    const TrnNoiseGrid grid = {.origin = origin, .size_x = 1, .size_y = 1, .size_z = 1};
    NoiseFill fill;
    noise_begin_fill(&fill, noise, noise_kernels_chosen(noise), &grid, points, true);
    for (uint32_t first = 0; first < count; first += TRN_NOISE_BATCH_MAX) {
        const uint32_t left = count - first;
        noise_fill_batch(&fill, 0, 0, left < TRN_NOISE_BATCH_MAX ? left : TRN_NOISE_BATCH_MAX,
                         first, out);
    }
}

/// Writes the offsets of scattered voxels from the grid's origin.
static void noise_place_voxels(NoiseFill *fill, const int32_t *x, const int32_t *z, uint32_t count)
{
    const uint32_t lanes = fill->kernels->lanes;
    const uint32_t points = (count + lanes - 1) / lanes * lanes;
    for (uint32_t layer = 0; layer < fill->walk_count; layer++) {
        for (uint32_t axis = 0; axis < 3; axis += 2) {
            const uint64_t *step = fill->walks[layer].step[axis];
            uint32_t *cell = fill->offsets + (size_t)(layer * 3 + axis) * 2 * NOISE_ROW_OFFSETS;
            uint32_t *fraction = cell + NOISE_ROW_OFFSETS;
            fill->layers[layer].offsets[axis] = (TrnNoiseOffsets){cell, fraction};
            fill->layers[layer].bounds[axis] = &noise_no_bounds;
            for (uint32_t i = 0; i < points; i++) {
                const uint32_t point = i < count ? i : 0;
                const uint64_t offset =
                    step[0] * (uint64_t)(int64_t)x[point] + step[2] * (uint64_t)(int64_t)z[point];
                cell[i] = (uint32_t)(offset >> 32);
                fraction[i] = (uint32_t)offset;
            }
        }
    }
}

void trn_noise_fill_voxels(const TrnNoise *noise, TrnVoxel origin, const int32_t *x,
                           const int32_t *z, uint32_t count, float *out)
{
    const TrnNoiseGrid grid = {.origin = origin, .size_x = 1, .size_y = 1, .size_z = 1};
    NoiseFill fill;
    noise_begin_fill(&fill, noise, noise_kernels_chosen(noise), &grid, NULL, false);
    for (uint32_t first = 0; first < count; first += TRN_NOISE_BATCH_MAX) {
        const uint32_t left = count - first;
        const uint32_t some = left < TRN_NOISE_BATCH_MAX ? left : TRN_NOISE_BATCH_MAX;
        noise_place_voxels(&fill, x + first, z + first, some);
        noise_fill_batch(&fill, 0, 0, some, first, out);
    }
}
