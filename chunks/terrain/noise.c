// Noise: checks and compiles defs. noise_fill.c fills grids.

#include <terrane/noise.h>

#include <string.h>

#include "base/memory.h"
#include "terrain/noise_impl.h"
#include "terrain/noise_kernels.h"

// ---- defs --------------------------------------------------------------------------------------

TrnNoiseDef trn_noise_def(TrnNoiseKind kind, uint32_t dimensions)
{
    TrnNoiseDef def = {.kind = kind,
                       .dimensions = dimensions,
                       .wavelength = {64.0f, 64.0f, 64.0f},
                       .octaves = trn_noise_is_cellular((uint32_t)kind) ? 1 : 4,
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
    if (trn_noise_is_cellular((uint32_t)def->kind) && def->octaves != 1) {
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
