// Noise: checks and compiles defs, and cuts grids into batches for the kernels.

#include <terrane/noise.h>

#include <string.h>

#include "base/memory.h"
#include "terrain/noise_impl.h"
#include "terrain/noise_kernels.h"

// ---- defs --------------------------------------------------------------------------------------

static bool noise_is_cellular(uint32_t kind)
{
    return kind == TRN_NOISE_CELL_DISTANCE || kind == TRN_NOISE_CELL_BORDER;
}

TrnNoiseDef trn_noise_def(TrnNoiseKind kind, uint32_t dimensions)
{
    TrnNoiseDef def = {.kind = kind,
                       .dimensions = dimensions,
                       .wavelength = {64.0f, 64.0f, 64.0f},
                       .octaves = noise_is_cellular((uint32_t)kind) ? 1 : 4,
                       .lacunarity = 2.0f,
                       .gain = 0.5f,
                       .warp_wavelength = {128.0f, 128.0f, 128.0f},
                       .warp_octaves = 2};
    return def;
}

/// False for NaN.
static bool noise_in_range(double number, double low, double high)
{
    return number >= low && number <= high;
}

/// The finest layer's wavelength along one axis.
static double noise_finest_wavelength(double coarsest, double lacunarity, uint32_t octaves)
{
    for (uint32_t i = 1; i < octaves; i++) {
        coarsest /= lacunarity;
    }
    return coarsest;
}

/// Whether the wavelengths of all layers are in range along every axis of the noise.
static bool noise_wavelengths_in_range(const TrnNoiseDef *def, const float *wavelength,
                                       double lacunarity, uint32_t octaves)
{
    for (uint32_t axis = 0; axis < 3; axis += 4 - def->dimensions) {
        const double finest =
            noise_finest_wavelength((double)wavelength[axis], lacunarity, octaves);
        if (!noise_in_range((double)wavelength[axis], (double)TRN_NOISE_WAVELENGTH_MIN,
                            (double)TRN_NOISE_WAVELENGTH_MAX) ||
            !noise_in_range(finest, (double)TRN_NOISE_WAVELENGTH_MIN,
                            (double)TRN_NOISE_WAVELENGTH_MAX)) {
            return false;
        }
    }
    return true;
}

static bool noise_def_has_warp(const TrnNoiseDef *def)
{
    return def->warp[0] != 0.0f || (def->dimensions == 3 && def->warp[1] != 0.0f) ||
           def->warp[2] != 0.0f;
}

static const char *noise_warp_fault(const TrnNoiseDef *def)
{
    for (uint32_t axis = 0; axis < 3; axis += 4 - def->dimensions) {
        const double finest = noise_finest_wavelength((double)def->wavelength[axis],
                                                      (double)def->lacunarity, def->octaves);
        if (!noise_in_range((double)def->warp[axis], 0.0, finest * 512.0)) {
            return "warp must lie between 0 and 512 of the finest layer's wavelengths; make it "
                   "smaller.";
        }
    }
    if (!noise_def_has_warp(def)) {
        return NULL;
    }
    if (def->warp_octaves < 1 || def->warp_octaves > TRN_NOISE_WARP_OCTAVE_MAX) {
        return "warp_octaves must lie in 1..4.";
    }
    if (!noise_wavelengths_in_range(def, def->warp_wavelength, 2.0, def->warp_octaves)) {
        return "warp_wavelength must keep every layer of the warp between 1 and 1,048,576 voxels; "
               "each layer's wavelength is half that of the layer before.";
    }
    return NULL;
}

const char *trn_noise_def_fault(const TrnNoiseDef *def)
{
    if (!def) {
        return "The def is NULL; start from trn_noise_def().";
    }
    if ((uint32_t)def->kind >= TRN_NOISE_KIND_COUNT) {
        return "kind must be one of TrnNoiseKind.";
    }
    if (def->dimensions != 2 && def->dimensions != 3) {
        return "dimensions must be 2 or 3.";
    }
    if (def->octaves < 1 || def->octaves > TRN_NOISE_OCTAVE_MAX) {
        return "octaves must lie in 1..8.";
    }
    if (noise_is_cellular((uint32_t)def->kind) && def->octaves != 1) {
        return "octaves must be 1 for cellular noise.";
    }
    if (!noise_in_range((double)def->lacunarity, 1.0, 16.0)) {
        return "lacunarity must lie in 1..16; 2 is usual.";
    }
    if (!(def->gain > 0.0f) || !(def->gain <= 1.0f)) {
        return "gain must be above 0 and at most 1; 0.5 is usual.";
    }
    if (!noise_wavelengths_in_range(def, def->wavelength, (double)def->lacunarity, def->octaves)) {
        return "wavelength must keep every layer between 1 and 1,048,576 voxels; each layer's "
               "wavelength is that of the layer before, divided by lacunarity.";
    }
    return noise_warp_fault(def);
}

// ---- compile -----------------------------------------------------------------------------------

/// Advances a sequence of random numbers (splitmix64: Steele, Lea, Flood, 2014).
static uint64_t noise_next_random(uint64_t *state)
{
    uint64_t bits = (*state += 0x9E3779B97F4A7C15u);
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
}

typedef struct NoiseRotation {
    double axis[3][3];
} NoiseRotation;

static NoiseRotation noise_rotation_multiply(const NoiseRotation *left, const NoiseRotation *right)
{
    NoiseRotation product;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            product.axis[i][j] = left->axis[i][0] * right->axis[0][j] +
                                 left->axis[i][1] * right->axis[1][j] +
                                 left->axis[i][2] * right->axis[2][j];
        }
    }
    return product;
}

/// The rotation of a quaternion of any length.
static NoiseRotation noise_rotation_from_quaternion(double a, double b, double c, double d)
{
    const double unit = 1.0 / (a * a + b * b + c * c + d * d);
    const double diagonal[3] = {a * a + b * b - c * c - d * d, a * a - b * b + c * c - d * d,
                                a * a - b * b - c * c + d * d};
    NoiseRotation rotation = {{{diagonal[0], 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)},
                               {2.0 * (b * c + a * d), diagonal[1], 2.0 * (c * d - a * b)},
                               {2.0 * (b * d - a * c), 2.0 * (c * d + a * b), diagonal[2]}}};
    for (int i = 0; i < 9; i++) {
        rotation.axis[i / 3][i % 3] *= unit;
    }
    return rotation;
}

/// Rotations of the first layer's lattice against the world, and of each further lattice against
/// the one before.
/// In the plane: 36.8 degrees, then 40.9 each, given as tangents of half the angles. Of all pairs
/// in steps of 0.1 degree, these keep the axes of eight layers farthest apart: 12 degrees from the
/// world's axes, 6 from its diagonals, 8 from each other. In space: two quaternions found the same
/// way: 23 degrees from the world's axes, 11 from the diagonals of its faces, 15 from each other.
/// Simple fractions do not work: a lattice rotated by one and sampled once a wavelength hits the
/// same few positions in its cells.
static void noise_layer_rotations(uint32_t dimensions, NoiseRotation *first, NoiseRotation *next)
{
    if (dimensions == 2) {
        *first = noise_rotation_from_quaternion(1.0, 0.0, 0.332656, 0.0);
        *next = noise_rotation_from_quaternion(1.0, 0.0, 0.372890, 0.0);
    } else {
        *first = noise_rotation_from_quaternion(1.066, -4.858, 2.856, 3.089);
        *next = noise_rotation_from_quaternion(1.971, -3.868, -2.061, 0.907);
    }
}

static int64_t noise_round(double number)
{
    return (int64_t)(number < 0.0 ? number - 0.5 : number + 0.5);
}

/// Compiles layers, each `lacunarity` times as fine as the one before.
static void noise_compile_layers(const TrnNoiseDef *def, const float *wavelength, double lacunarity,
                                 uint32_t count, uint64_t *random, TrnNoiseLayer *layers)
{
    NoiseRotation rotation, next;
    noise_layer_rotations(def->dimensions, &rotation, &next);
    double cells = 4294967296.0;
    for (uint32_t i = 0; i < count; i++) {
        TrnNoiseLayer *layer = &layers[i];
        for (uint32_t axis = 0; axis < 3; axis += 4 - def->dimensions) {
            for (uint32_t world = 0; world < 3; world += 4 - def->dimensions) {
                layer->step[axis][world] =
                    noise_round(rotation.axis[axis][world] / (double)wavelength[world] * cells);
            }
            // A random origin, so that no lattice point lies on the world's origin.
            layer->origin[axis] = noise_next_random(random);
        }
        layer->seed = (uint32_t)noise_next_random(random);
        cells *= lacunarity;
        rotation = noise_rotation_multiply(&next, &rotation);
    }
}

/// Sets weights whose sum is 1 minus a margin, so that rounding stays below 1.
static void noise_set_weights(double gain, uint32_t count, TrnNoiseLayer *layers)
{
    double weight = 1.0, sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        sum += weight;
        weight *= gain;
    }
    weight = 1.0;
    for (uint32_t i = 0; i < count; i++) {
        layers[i].weight = (float)(weight / (sum * 1.000001));
        weight *= gain;
    }
}

TrnResult trn_noise_compile(const TrnNoiseDef *def, TrnNoise *noise)
{
    if (!noise || trn_noise_def_fault(def)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnNoise compiled;
    memset(&compiled, 0, sizeof compiled); // all bytes: equal defs give equal bytes
    compiled.kind = (uint32_t)def->kind;
    compiled.dimensions = def->dimensions;
    compiled.layer_count = def->octaves;
    uint64_t state = def->seed;
    uint64_t random = noise_next_random(&state) + def->stream;
    random = noise_next_random(&random);
    noise_compile_layers(def, def->wavelength, (double)def->lacunarity, def->octaves, &random,
                         compiled.layers);
    noise_set_weights((double)def->gain, def->octaves, compiled.layers);
    if (noise_def_has_warp(def)) {
        memcpy(compiled.warp, def->warp, sizeof compiled.warp);
        compiled.warp_layer_count = def->warp_octaves;
        noise_compile_layers(def, def->warp_wavelength, 2.0, def->warp_octaves, &random,
                             compiled.warp_layers);
        noise_set_weights(0.5, def->warp_octaves, compiled.warp_layers);
    }
    *noise = compiled;
    return TRN_RESULT_OK;
}

bool trn_noise_use_kernels(TrnNoise *noise, const char *name)
{
    const size_t at = trn_kernels_find(&trn_noise_kernels, trn_cpu_features(), name);
    noise->kernels = at == SIZE_MAX ? noise->kernels : (uint32_t)at;
    return at != SIZE_MAX;
}

// ---- grids -------------------------------------------------------------------------------------

static const TrnNoiseKernels *noise_kernels_chosen(const TrnNoise *noise)
{
    const TrnNoiseKernels *kernels =
        trn_kernels_at(&trn_noise_kernels, trn_cpu_features(), noise->kernels);
    return kernels ? kernels : trn_kernels_scalar(&trn_noise_kernels);
}

#define NOISE_LAYER_MAX (TRN_NOISE_OCTAVE_MAX + TRN_NOISE_WARP_OCTAVE_MAX)

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
    uint32_t walk_count;
    uint32_t batch_x;    ///< points of a row in one batch
    uint32_t batch_rows; ///< whole rows in one batch, if rows are narrow
    NoiseWalk walks[NOISE_LAYER_MAX];
    TrnNoiseBatchLayer layers[NOISE_LAYER_MAX];
    TrnNoiseOffsets offsets[NOISE_LAYER_MAX][3]; ///< of `layers`, by lattice axis
} NoiseFill;

/// Of scattered points, which are all displaced from the origin.
static const TrnNoiseOffsets noise_no_offsets;

/// Writes a register's least and greatest offset. A register that crosses rows is marked as
/// unknown: its points hardly ever share a cell.
static void noise_bound_register(const NoiseFill *fill, uint64_t step, uint32_t index,
                                 TrnNoiseOffsets *offsets)
{
    const uint32_t lanes = fill->kernels->lanes, from = index * lanes;
    const uint64_t far = (uint64_t)1 << 32;
    const bool is_backward = (int64_t)step < 0;
    const uint64_t length = (is_backward ? 0 - step : step);
    if (from % fill->batch_x + lanes > fill->batch_x || length >= far / lanes) {
        offsets->least[index] = 0;
        offsets->most[index] = far;
        return;
    }
    const uint64_t first = (uint64_t)offsets->cell[from] << 32 | offsets->fraction[from];
    const uint64_t last = first + step * (lanes - 1);
    offsets->least[index] = is_backward ? last : first;
    offsets->most[index] = is_backward ? first : last;
}

/// Writes the offsets of a batch's points from its first point, for all lanes of its registers.
static void noise_fill_offsets(const NoiseFill *fill, const uint64_t step[3],
                               TrnNoiseOffsets *offsets)
{
    const uint32_t lanes = fill->kernels->lanes;
    const uint32_t points = (fill->batch_x * fill->batch_rows + lanes - 1) & ~(lanes - 1);
    uint64_t row = 0, offset = 0;
    for (uint32_t i = 0, x = 0; i < points; i++) {
        offsets->cell[i] = (uint32_t)(offset >> 32);
        offsets->fraction[i] = (uint32_t)offset;
        offset += step[0];
        if (++x == fill->batch_x) {
            x = 0;
            row += step[2];
            offset = row;
        }
    }
    for (uint32_t i = 0; lanes > 1 && i < points / lanes; i++) {
        noise_bound_register(fill, step[0], i, offsets);
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
        out->offsets[axis] = &noise_no_offsets;
        if (!fill->is_scattered && (axis != 1 || fill->noise->dimensions == 3)) {
            noise_fill_offsets(fill, walk->step[axis], &fill->offsets[index][axis]);
            out->offsets[axis] = &fill->offsets[index][axis];
        }
    }
    out->seed = layer->seed;
    out->weight = layer->weight;
}

static void noise_begin_fill(NoiseFill *fill, const TrnNoise *noise, const TrnNoiseKernels *kernels,
                             const TrnNoiseGrid *grid, const float *const *warp, bool is_scattered)
{
    fill->noise = noise;
    fill->kernels = kernels;
    fill->warp = warp;
    fill->is_scattered = is_scattered;
    fill->walk_count = noise->layer_count + noise->warp_layer_count;
    const bool is_narrow = grid->size_x <= TRN_NOISE_BATCH_MAX / 2;
    const uint32_t fitting = is_narrow ? TRN_NOISE_BATCH_MAX / grid->size_x : 1;
    fill->batch_x = grid->size_x < TRN_NOISE_BATCH_MAX ? grid->size_x : TRN_NOISE_BATCH_MAX;
    fill->batch_rows = fitting < grid->size_z ? fitting : grid->size_z;
    for (uint32_t i = 0; i < fill->walk_count; i++) {
        const TrnNoiseLayer *layer = i < noise->layer_count
                                         ? &noise->layers[i]
                                         : &noise->warp_layers[i - noise->layer_count];
        noise_begin_layer(fill, i, layer, grid);
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
static void noise_sample_warp(const NoiseFill *fill, uint32_t axis, size_t first, uint32_t count,
                              float *out)
{
    static const uint32_t twists[3] = {0, 0x68E31DA4u, 0xB5297A4Du};
    TrnNoiseBatch batch;
    batch.layers = &fill->layers[fill->noise->layer_count];
    batch.layer_count = fill->noise->warp_layer_count;
    batch.count = count;
    batch.dimensions = fill->noise->dimensions;
    batch.is_ridged = false;
    batch.is_warped = fill->is_scattered;
    batch.seed_twist = twists[axis];
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
            noise_sample_warp(fill, axis, first, batch->count, warp);
        }
        const float *given = noise_given_warp(fill, axis, first);
        for (uint32_t i = 0; i < batch->count; i++) {
            warp[i] = warp[i] * noise->warp[axis] + (given ? given[i] : 0.0f);
        }
    }
}

/// Prepares a batch for the kernels.
static void noise_begin_batch(NoiseFill *fill, uint32_t x, uint32_t count, size_t first,
                              TrnNoiseBatch *batch)
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
    batch->count = count;
    batch->dimensions = noise->dimensions;
    batch->is_ridged = noise->kind == TRN_NOISE_RIDGED;
    batch->is_warped = noise->warp_layer_count > 0 || fill->warp;
    batch->wants_second = noise->kind == TRN_NOISE_CELL_BORDER;
    batch->seed_twist = 0;
    if (batch->is_warped) {
        noise_warp_batch(fill, first, batch);
    }
}

/// Evaluates a batch, to the end of its last register.
static void noise_sample_batch(const NoiseFill *fill, const TrnNoiseBatch *batch, float *out)
{
    if (!noise_is_cellular(fill->noise->kind)) {
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
    noise_begin_batch(&fill, 0, 1, 0, &batch);
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

/// @param first  index of the batch in `out`
static void noise_fill_batch(NoiseFill *fill, uint32_t x, uint32_t count, size_t first, float *out)
{
    TrnNoiseBatch batch;
    noise_begin_batch(fill, x, count, first, &batch);
    alignas(64) float values[TRN_NOISE_BATCH_MAX];
    noise_sample_batch(fill, &batch, values);
    memcpy(out + first, values, count * sizeof *values);
}

/// Fills `rows` rows: as one batch, or one row in several batches.
/// @param first  index of the rows in `out`
static void noise_fill_rows(NoiseFill *fill, uint32_t size_x, uint32_t rows, size_t first,
                            float *out)
{
    for (uint32_t x = 0; x < size_x; x += fill->batch_x) {
        const uint32_t left = size_x - x;
        const uint32_t wide = left < fill->batch_x ? left : fill->batch_x;
        noise_fill_batch(fill, x, wide * rows, first + x, out);
    }
}

static void noise_fill_grid(NoiseFill *fill, const TrnNoiseGrid *grid, float *out)
{
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

void trn_noise_fill_points(const TrnNoise *noise, TrnVoxel origin, const float *const points[3],
                           uint32_t count, float *out)
{
    const TrnNoiseGrid grid = {.origin = origin, .size_x = 1, .size_y = 1, .size_z = 1};
    NoiseFill fill;
    noise_begin_fill(&fill, noise, noise_kernels_chosen(noise), &grid, points, true);
    for (uint32_t first = 0; first < count; first += TRN_NOISE_BATCH_MAX) {
        const uint32_t left = count - first;
        noise_fill_batch(&fill, 0, left < TRN_NOISE_BATCH_MAX ? left : TRN_NOISE_BATCH_MAX, first,
                         out);
    }
}
