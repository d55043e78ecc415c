// Noise: defs checked and compiled, grids cut into rows for the kernels.

#include <terrane/noise.h>

#include <string.h>

#include "base/memory.h"
#include "terrain/noise_kernel_choice.h"
#include "terrain/noise_kernels.h"

// ---- defs --------------------------------------------------------------------------------------

TrnNoiseDef trn_noise_def(TrnNoiseKind kind, uint32_t dimensions)
{
    const bool is_cells = kind == TRN_NOISE_CELL_DISTANCE || kind == TRN_NOISE_CELL_BORDER;
    TrnNoiseDef def = {.kind = kind,
                       .dimensions = dimensions,
                       .wavelength = {64.0f, 64.0f, 64.0f},
                       .octaves = is_cells ? 1 : 4,
                       .lacunarity = 2.0f,
                       .gain = 0.5f,
                       .warp_wavelength = {128.0f, 128.0f, 128.0f},
                       .warp_octaves = 2};
    return def;
}

static bool noise_is_cellular(uint32_t kind)
{
    return kind == TRN_NOISE_CELL_DISTANCE || kind == TRN_NOISE_CELL_BORDER;
}

/// Whether a number lies in a range; NaN lies in none.
static bool noise_in_range(double number, double low, double high)
{
    return number >= low && number <= high;
}

/// The finest of the layers' wavelengths along an axis.
static double noise_finest_wavelength(double coarsest, double lacunarity, uint32_t octaves)
{
    for (uint32_t i = 1; i < octaves; i++) {
        coarsest /= lacunarity;
    }
    return coarsest;
}

/// Whether the wavelengths of all layers along the axes that are looked at are in range.
static bool noise_wavelengths_in_range(const TrnNoiseDef *def, const float *wavelength,
                                       double lacunarity, uint32_t octaves)
{
    for (uint32_t axis = 0; axis < 3; axis += 4 - def->dimensions) {
        const double finest = noise_finest_wavelength(wavelength[axis], lacunarity, octaves);
        if (!noise_in_range(wavelength[axis], TRN_NOISE_WAVELENGTH_MIN, TRN_NOISE_WAVELENGTH_MAX) ||
            !noise_in_range(finest, TRN_NOISE_WAVELENGTH_MIN, TRN_NOISE_WAVELENGTH_MAX)) {
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
        const double finest =
            noise_finest_wavelength(def->wavelength[axis], def->lacunarity, def->octaves);
        if (!noise_in_range(def->warp[axis], 0.0, finest * 512.0)) {
            return "A noise's warp lies between 0 voxels and 512 of the finest layer's "
                   "wavelengths; make it smaller.";
        }
    }
    if (!noise_def_has_warp(def)) {
        return NULL;
    }
    if (def->warp_octaves < 1 || def->warp_octaves > TRN_NOISE_WARP_OCTAVE_MAX) {
        return "A noise's warp has 1 to 4 octaves.";
    }
    if (!noise_wavelengths_in_range(def, def->warp_wavelength, 2.0, def->warp_octaves)) {
        return "The wavelengths of all layers of a noise's warp lie between 1 and 1,048,576 "
               "voxels; the finest is the coarsest halved once for every further octave.";
    }
    return NULL;
}

const char *trn_noise_def_fault(const TrnNoiseDef *def)
{
    if (!def) {
        return "There is no def of the noise; start from trn_noise_def().";
    }
    if ((uint32_t)def->kind >= TRN_NOISE_KIND_COUNT) {
        return "There is no such kind of noise; take one of TrnNoiseKind.";
    }
    if (def->dimensions != 2 && def->dimensions != 3) {
        return "A noise has 2 or 3 dimensions.";
    }
    if (def->octaves < 1 || def->octaves > TRN_NOISE_OCTAVE_MAX) {
        return "A noise has 1 to 8 octaves.";
    }
    if (noise_is_cellular((uint32_t)def->kind) && def->octaves != 1) {
        return "A noise of cells has 1 octave.";
    }
    if (!noise_in_range(def->lacunarity, 1.0, 16.0)) {
        return "A noise's lacunarity lies between 1 and 16; 2 is usual.";
    }
    if (!(def->gain > 0.0f) || !(def->gain <= 1.0f)) {
        return "A noise's gain is above 0 and at most 1; 0.5 is usual.";
    }
    if (!noise_wavelengths_in_range(def, def->wavelength, def->lacunarity, def->octaves)) {
        return "The wavelengths of all layers of a noise lie between 1 and 1,048,576 voxels; the "
               "finest is the coarsest divided by the lacunarity once for every further octave.";
    }
    return noise_warp_fault(def);
}

// ---- compiling ---------------------------------------------------------------------------------

/// The next of a sequence of random numbers (splitmix64: Steele, Lea, Flood, 2014).
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

static NoiseRotation noise_rotation_multiply(const NoiseRotation *by, const NoiseRotation *turn)
{
    NoiseRotation turned;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            turned.axis[i][j] = by->axis[i][0] * turn->axis[0][j] +
                                by->axis[i][1] * turn->axis[1][j] +
                                by->axis[i][2] * turn->axis[2][j];
        }
    }
    return turned;
}

/// The turn of a quaternion, which need not be of unit length.
static NoiseRotation noise_rotation_from_quaternion(double a, double b, double c, double d)
{
    const double unit = 1.0 / (a * a + b * b + c * c + d * d);
    const double diagonal[3] = {a * a + b * b - c * c - d * d, a * a - b * b + c * c - d * d,
                                a * a - b * b - c * c + d * d};
    NoiseRotation turn = {{{diagonal[0], 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)},
                           {2.0 * (b * c + a * d), diagonal[1], 2.0 * (c * d - a * b)},
                           {2.0 * (b * d - a * c), 2.0 * (c * d + a * b), diagonal[2]}}};
    for (int i = 0; i < 9; i++) {
        turn.axis[i / 3][i % 3] *= unit;
    }
    return turn;
}

/// How the first layer's lattice is turned against the world, and each further one against the
/// layer before. In the plane: by 36.8 degrees, then by 40.9 (given as the tangents of half the
/// angles). Of all steps of a tenth of a degree these keep the axes of eight layers farthest apart:
/// 12 degrees from the world's, 6 from its diagonals, 8 from each other's. In space: two
/// quaternions found in the same way: 23 degrees from the world's axes, 11 from the diagonals of
/// its faces, 15 from each other's. No simple fractions: turned by those, a lattice looked at every
/// wavelength shows the same few places of its cells.
static void noise_layer_rotations(uint32_t dimensions, NoiseRotation *first, NoiseRotation *further)
{
    if (dimensions == 2) {
        *first = noise_rotation_from_quaternion(1.0, 0.0, 0.332656, 0.0);
        *further = noise_rotation_from_quaternion(1.0, 0.0, 0.372890, 0.0);
    } else {
        *first = noise_rotation_from_quaternion(1.066, -4.858, 2.856, 3.089);
        *further = noise_rotation_from_quaternion(1.971, -3.868, -2.061, 0.907);
    }
}

static int64_t noise_round(double number)
{
    return (int64_t)(number < 0.0 ? number - 0.5 : number + 0.5);
}

/// Makes the lattices of layers, each `lacunarity` times as fine as the one before.
static void noise_compile_layers(const TrnNoiseDef *def, const float *wavelength, double lacunarity,
                                 uint32_t count, uint64_t *random, TrnNoiseLayer *layers)
{
    NoiseRotation turn, further;
    noise_layer_rotations(def->dimensions, &turn, &further);
    double cells = 4294967296.0;
    for (uint32_t i = 0; i < count; i++) {
        TrnNoiseLayer *layer = &layers[i];
        for (uint32_t axis = 0; axis < 3; axis += 4 - def->dimensions) {
            for (uint32_t world = 0; world < 3; world += 4 - def->dimensions) {
                layer->step[axis][world] =
                    noise_round(turn.axis[axis][world] / (double)wavelength[world] * cells);
            }
            // All over the lattice: at the origin there is nothing special, such as a lattice
            // point.
            layer->origin[axis] = noise_next_random(random);
        }
        layer->seed = (uint32_t)noise_next_random(random);
        cells *= lacunarity;
        turn = noise_rotation_multiply(&further, &turn);
    }
}

/// Weights that add up to 1, or a hair less, so that rounding stays below.
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
    memset(&compiled, 0, sizeof compiled); // whole: equal defs give equal bytes
    compiled.kind = (uint32_t)def->kind;
    compiled.dimensions = def->dimensions;
    compiled.layer_count = def->octaves;
    uint64_t state = def->seed;
    uint64_t random = noise_next_random(&state) + def->stream;
    random = noise_next_random(&random);
    noise_compile_layers(def, def->wavelength, def->lacunarity, def->octaves, &random,
                         compiled.layers);
    noise_set_weights(def->gain, def->octaves, compiled.layers);
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

// ---- kernels -----------------------------------------------------------------------------------

const char *trn_noise_kernels_name(unsigned i)
{
    const TrnNoiseKernels *kernels = trn_kernels_at(&trn_noise_kernels, trn_cpu_features(), i);
    return kernels ? kernels->name : NULL;
}

bool trn_noise_use_kernels(TrnNoise *noise, const char *name)
{
    const size_t at = trn_kernels_find(&trn_noise_kernels, trn_cpu_features(), name);
    if (at == SIZE_MAX) {
        return false;
    }
    noise->kernels = (uint32_t)at;
    return true;
}

static const TrnNoiseKernels *noise_kernels_chosen(const TrnNoise *noise)
{
    const TrnNoiseKernels *kernels =
        trn_kernels_at(&trn_noise_kernels, trn_cpu_features(), noise->kernels);
    return kernels ? kernels : &trn_noise_kernels_scalar;
}

// ---- grids -------------------------------------------------------------------------------------

#define NOISE_LAYER_MAX (TRN_NOISE_OCTAVE_MAX + TRN_NOISE_WARP_OCTAVE_MAX)

/// A layer's way through a grid, by lattice axis.
typedef struct NoiseWalk {
    uint64_t step[3][3]; ///< [lattice axis][world axis]: from a point of the grid to the next
    uint64_t plane[3];   ///< the first point of the plane
    uint64_t row[3];     ///< the first point of the row
} NoiseWalk;

/// All that filling a grid needs. Layers come first, then those of the warp.
typedef struct NoiseFill {
    const TrnNoise *noise;
    const TrnNoiseKernels *kernels;
    const float *const *warp; ///< the caller's, or NULL
    bool wants_second;
    uint32_t walk_count;
    uint32_t batch_x;    ///< how much of a row a batch takes
    uint32_t batch_rows; ///< or how many whole rows
    NoiseWalk walks[NOISE_LAYER_MAX];
    TrnNoiseBatchLayer layers[NOISE_LAYER_MAX];
} NoiseFill;

/// Writes the least and the greatest offset of a register. Only of one within a row: others hardly
/// ever lie in one cell.
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

/// Writes how far the points of a batch are from its first, for all lanes of its registers.
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

/// Puts a layer at a grid's origin.
static void noise_begin_layer(const NoiseFill *fill, const TrnNoiseLayer *layer,
                              const TrnNoiseGrid *grid, NoiseWalk *walk, TrnNoiseBatchLayer *out)
{
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
        if (axis != 1 || fill->noise->dimensions == 3) {
            noise_fill_offsets(fill, walk->step[axis], &out->offsets[axis]);
        }
    }
    out->seed = layer->seed;
    out->weight = layer->weight;
}

static void noise_begin_fill(NoiseFill *fill, const TrnNoise *noise, const TrnNoiseKernels *kernels,
                             const TrnNoiseGrid *grid, const float *const *warp)
{
    fill->noise = noise;
    fill->kernels = kernels;
    fill->warp = warp;
    fill->wants_second = noise->kind == TRN_NOISE_CELL_BORDER;
    fill->walk_count = noise->layer_count + noise->warp_layer_count;
    const bool is_narrow = grid->size_x <= TRN_NOISE_BATCH_MAX / 2;
    const uint32_t fitting = is_narrow ? TRN_NOISE_BATCH_MAX / grid->size_x : 1;
    fill->batch_x = grid->size_x < TRN_NOISE_BATCH_MAX ? grid->size_x : TRN_NOISE_BATCH_MAX;
    fill->batch_rows = fitting < grid->size_z ? fitting : grid->size_z;
    for (uint32_t i = 0; i < fill->walk_count; i++) {
        const TrnNoiseLayer *layer = i < noise->layer_count
                                         ? &noise->layers[i]
                                         : &noise->warp_layers[i - noise->layer_count];
        noise_begin_layer(fill, layer, grid, &fill->walks[i], &fill->layers[i]);
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

/// A warp has a part for each axis, all on the same lattices.
static void noise_sample_warp(const NoiseFill *fill, uint32_t axis, uint32_t count, float *out)
{
    static const uint32_t twists[3] = {0, 0x68E31DA4u, 0xB5297A4Du};
    TrnNoiseBatch batch;
    batch.layers = &fill->layers[fill->noise->layer_count];
    batch.layer_count = fill->noise->warp_layer_count;
    batch.count = count;
    batch.dimensions = fill->noise->dimensions;
    batch.is_ridged = batch.is_warped = false;
    batch.seed_twist = twists[axis];
    fill->kernels->gradient(&batch, out);
}

/// Displaces the points of a batch by the noise's own warp and by the caller's.
/// @param first  of the batch in the caller's arrays
static void noise_warp_batch(const NoiseFill *fill, size_t first, TrnNoiseBatch *batch)
{
    const TrnNoise *noise = fill->noise;
    for (uint32_t axis = 0; axis < 3; axis += 4 - noise->dimensions) {
        float *warp = batch->warp[axis];
        memset(warp, 0, sizeof batch->warp[axis]);
        if (noise->warp_layer_count > 0 && noise->warp[axis] > 0.0f) {
            noise_sample_warp(fill, axis, batch->count, warp);
        }
        const float *given = fill->warp ? fill->warp[axis] : NULL;
        for (uint32_t i = 0; i < batch->count; i++) {
            warp[i] = warp[i] * noise->warp[axis] + (given ? given[first + i] : 0.0f);
        }
    }
}

/// Makes a batch ready for the kernels.
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
    batch->wants_second = fill->wants_second;
    batch->seed_twist = 0;
    if (batch->is_warped) {
        noise_warp_batch(fill, first, batch);
    }
}

/// The values of a batch, to the end of a register.
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
    noise_begin_fill(&fill, noise, &trn_noise_kernels_scalar, &grid, NULL);
    noise_begin_batch(&fill, 0, 1, 0, &batch);
    noise_sample_batch(&fill, &batch, out);
    return out[0];
}

static bool noise_in_world_margin(int64_t voxel)
{
    return voxel >= TRN_VOXEL_MIN - TRN_NOISE_MARGIN && voxel <= TRN_VOXEL_MAX + TRN_NOISE_MARGIN;
}

/// Whether a grid can be filled, and its points counted in bytes.
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

/// Where values go.
typedef struct NoiseTarget {
    float *values;              ///< or, where it is NULL:
    const TrnNoiseCells *cells; ///< each array or NULL
} NoiseTarget;

static void noise_store_cells(const TrnNoiseBatchCells *batch, uint32_t count, size_t first,
                              const TrnNoiseCells *out)
{
    for (uint32_t i = 0; out->distance && i < count; i++) {
        out->distance[first + i] = batch->first[i];
    }
    for (uint32_t i = 0; out->border && i < count; i++) {
        out->border[first + i] = batch->second[i] - batch->first[i];
    }
    for (uint32_t i = 0; out->id && i < count; i++) {
        out->id[first + i] = batch->id[i];
    }
}

/// @param first  of the batch in the target
static void noise_fill_batch(NoiseFill *fill, uint32_t x, uint32_t count, size_t first,
                             const NoiseTarget *target)
{
    TrnNoiseBatch batch;
    noise_begin_batch(fill, x, count, first, &batch);
    if (target->values) {
        alignas(64) float values[TRN_NOISE_BATCH_MAX];
        noise_sample_batch(fill, &batch, values);
        memcpy(target->values + first, values, count * sizeof *values);
    } else {
        TrnNoiseBatchCells cells;
        fill->kernels->cells(&batch, &cells);
        noise_store_cells(&cells, count, first, target->cells);
    }
}

/// Rows that are batched together, or one that is cut. @param first  of the rows in the target
static void noise_fill_rows(NoiseFill *fill, uint32_t size_x, uint32_t rows, size_t first,
                            const NoiseTarget *target)
{
    for (uint32_t x = 0; x < size_x; x += fill->batch_x) {
        const uint32_t left = size_x - x;
        const uint32_t wide = left < fill->batch_x ? left : fill->batch_x;
        noise_fill_batch(fill, x, wide * rows, first + x, target);
    }
}

static void noise_fill_grid(NoiseFill *fill, const TrnNoiseGrid *grid, const NoiseTarget *target)
{
    size_t first = 0;
    for (uint32_t y = 0; y < grid->size_y; y++) {
        for (uint32_t z = 0; z < grid->size_z; z += fill->batch_rows) {
            const uint32_t left = grid->size_z - z;
            const uint32_t rows = left < fill->batch_rows ? left : fill->batch_rows;
            noise_fill_rows(fill, grid->size_x, rows, first, target);
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
    noise_begin_fill(&fill, noise, noise_kernels_chosen(noise), grid, warp);
    noise_fill_grid(&fill, grid, &(NoiseTarget){.values = out});
    return TRN_RESULT_OK;
}

TrnResult trn_noise_fill_cells(const TrnNoise *noise, const TrnNoiseGrid *grid, TrnNoiseCells out)
{
    if (!noise_grid_is_valid(noise, grid) || !noise_is_cellular(noise->kind)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    NoiseFill fill;
    noise_begin_fill(&fill, noise, noise_kernels_chosen(noise), grid, NULL);
    fill.wants_second = out.border != NULL;
    noise_fill_grid(&fill, grid, &(NoiseTarget){.cells = &out});
    return TRN_RESULT_OK;
}
