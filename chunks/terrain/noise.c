#include "terrain/noise.h"

#include "base/memory.h"

#define NOISE_ONE ((int64_t)1 << TRN_NOISE_FRACTION_BITS)

/// The square root of two: a gradient noise of unit gradients in the plane reaches 1 / sqrt(2).
#define NOISE_SCALE 1.4142135f

/// Directions a sixteenth of a half turn apart. Perlin's four or eight show as a preference for axes and diagonals in height
/// maps; none of these lies on either.
static const float noise_gradients[32][2] = {
    {0.9951847f, 0.0980171f},   {0.9569403f, 0.2902847f},   {0.8819213f, 0.4713967f},
    {0.7730105f, 0.6343933f},   {0.6343933f, 0.7730105f},   {0.4713967f, 0.8819213f},
    {0.2902847f, 0.9569403f},   {0.0980171f, 0.9951847f},   {-0.0980171f, 0.9951847f},
    {-0.2902847f, 0.9569403f},  {-0.4713967f, 0.8819213f},  {-0.6343933f, 0.7730105f},
    {-0.7730105f, 0.6343933f},  {-0.8819213f, 0.4713967f},  {-0.9569403f, 0.2902847f},
    {-0.9951847f, 0.0980171f},  {-0.9951847f, -0.0980171f}, {-0.9569403f, -0.2902847f},
    {-0.8819213f, -0.4713967f}, {-0.7730105f, -0.6343933f}, {-0.6343933f, -0.7730105f},
    {-0.4713967f, -0.8819213f}, {-0.2902847f, -0.9569403f}, {-0.0980171f, -0.9951847f},
    {0.0980171f, -0.9951847f},  {0.2902847f, -0.9569403f},  {0.4713967f, -0.8819213f},
    {0.6343933f, -0.7730105f},  {0.7730105f, -0.6343933f},  {0.8819213f, -0.4713967f},
    {0.9569403f, -0.2902847f},  {0.9951847f, -0.0980171f},
};

/// What one lattice column gives along a row: the ramp `slope * distance + offset`. All voxels of a row share it within a
/// cell, which leaves a dozen operations a voxel.
typedef struct NoiseRamp {
    float slope, offset;
} NoiseRamp;

/// A row's place across the lattice.
typedef struct NoiseRow {
    int64_t cell;
    float fraction, weight;
} NoiseRow;

/// A bijection in which every input bit changes every output bit (splitmix64's finish: Steele, Lea, Flood, 2014).
static uint64_t noise_mix(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
}

static const float *noise_gradient(uint64_t seed, int64_t cell_u, int64_t cell_v)
{
    // The seed enters between two multiplications: added before the first, another seed would be
    // this one's noise moved.
    uint64_t hash = (uint64_t)cell_u * 0x9E3779B97F4A7C15u + (uint64_t)cell_v * 0xC2B2AE3D27D4EB4Fu;
    hash = ((hash ^ (hash >> 29)) + seed) * 0xD6E8FEB86659FD93u;
    hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93u;
    return noise_gradients[hash >> 59];
}

/// Perlin's quintic: flat in its first and second derivative at both ends.
static float noise_fade(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

static float noise_lerp(float from, float to, float weight)
{
    return from + (to - from) * weight;
}

static float noise_fraction(int64_t place)
{
    return (float)(int32_t)(place & (NOISE_ONE - 1)) * (1.0f / (float)NOISE_ONE);
}

static NoiseRow noise_row_at(int64_t v)
{
    float fraction = noise_fraction(v);
    NoiseRow row = {v >> TRN_NOISE_FRACTION_BITS, fraction, noise_fade(fraction)};
    return row;
}

static NoiseRamp noise_ramp(uint64_t seed, int64_t cell_u, const NoiseRow *row)
{
    const float *near = noise_gradient(seed, cell_u, row->cell);
    const float *far = noise_gradient(seed, cell_u, row->cell + 1);
    NoiseRamp ramp = {
        noise_lerp(near[0], far[0], row->weight),
        noise_lerp(near[1] * row->fraction, far[1] * (row->fraction - 1.0f), row->weight),
    };
    return ramp;
}

static float noise_between(NoiseRamp left, NoiseRamp right, float fraction)
{
    float from = left.slope * fraction + left.offset;
    float to = right.slope * (fraction - 1.0f) + right.offset;
    return noise_lerp(from, to, noise_fade(fraction)) * NOISE_SCALE;
}

TrnNoise trn_noise(uint64_t seed, uint32_t stream, int32_t wavelength)
{
    TRN_ASSERT(wavelength >= 2 && wavelength <= 65536);
    uint64_t own = noise_mix(seed + noise_mix((uint64_t)stream + 0x9E3779B97F4A7C15u));
    TrnNoise noise = {
        .seed = own,
        .along = NOISE_ONE / wavelength,
        .across = 0,
        // Without an offset all layers would have a lattice point, and so a zero, at the origin.
        .u = (int64_t)(own & (uint64_t)(NOISE_ONE - 1)),
        .v = (int64_t)(own >> 32 & (uint64_t)(NOISE_ONE - 1)),
    };
    return noise;
}

TrnNoiseFractal trn_noise_fractal(uint64_t seed, uint32_t stream, int32_t wavelength, int octaves)
{
    TRN_ASSERT(octaves >= 1 && octaves <= TRN_NOISE_OCTAVE_MAX);
    TrnNoiseFractal fractal = {.count = octaves};
    int64_t cosine = NOISE_ONE * 12 / 13, sine = NOISE_ONE * 5 / 13; // 22.6 degrees
    for (int i = 0; i < octaves; i++) {
        TrnNoise *octave = &fractal.octaves[i];
        *octave = trn_noise(seed, stream + (uint32_t)i, wavelength);
        int64_t step = octave->along;
        octave->along = step * cosine / NOISE_ONE;
        octave->across = step * sine / NOISE_ONE;
        // Another 36.9 degrees each time (4/5, 3/5): six octaves stay clear of the axes and of each
        // other.
        int64_t turned = (cosine * 4 - sine * 3) / 5;
        sine = (cosine * 3 + sine * 4) / 5;
        cosine = turned;
        wavelength = wavelength * 32 / 63; // not quite a half, so that the lattices do not meet
    }
    return fractal;
}

float trn_noise_at(const TrnNoise *noise, TrnNoisePlace place)
{
    // |x| <= 2^36 + a little and |along| <= 2^23, so the products stay below 2^60.
    int64_t u = place.x * noise->along - place.z * noise->across + noise->u;
    int64_t v = place.x * noise->across + place.z * noise->along + noise->v;
    float along = (float)noise->along, across = (float)noise->across;
    u += (int64_t)(place.warp_x * along - place.warp_z * across);
    v += (int64_t)(place.warp_x * across + place.warp_z * along);
    NoiseRow row = noise_row_at(v);
    int64_t cell = u >> TRN_NOISE_FRACTION_BITS;
    return noise_between(noise_ramp(noise->seed, cell, &row),
                         noise_ramp(noise->seed, cell + 1, &row), noise_fraction(u));
}

/// The part of a row inside one cell; `first` and all that follow stay below one.
static void noise_row_run(NoiseRamp left, NoiseRamp right, int32_t first, int32_t step, int count,
                          float *out)
{
    for (int i = 0; i < count; i++) {
        out[i] = noise_between(left, right, (float)(first + i * step) * (1.0f / (float)NOISE_ONE));
    }
}

void trn_noise_row(const TrnNoise *noise, int64_t x, int64_t z, int count, float *out)
{
    TRN_ASSERT(noise->across == 0);
    const int64_t step = noise->along;
    int64_t u = x * step + noise->u;
    NoiseRow row = noise_row_at(z * step + noise->v);
    NoiseRamp right = noise_ramp(noise->seed, u >> TRN_NOISE_FRACTION_BITS, &row);
    while (count > 0) {
        int64_t cell = u >> TRN_NOISE_FRACTION_BITS;
        int64_t first = u & (NOISE_ONE - 1);
        int run = (int)((NOISE_ONE - 1 - first) / step + 1);
        run = run < count ? run : count;
        NoiseRamp left = right;
        right = noise_ramp(noise->seed, cell + 1, &row);
        noise_row_run(left, right, (int32_t)first, (int32_t)step, run, out);
        u += run * step; // a step is at most half a cell, so the next cell is the next one
        out += run;
        count -= run;
    }
}

float trn_noise_fractal_sum(const TrnNoiseFractal *fractal, TrnNoisePlace place)
{
    float sum = 0.0f, weight = 1.0f, total = 0.0f;
    for (int i = 0; i < fractal->count; i++) {
        sum += trn_noise_at(&fractal->octaves[i], place) * weight;
        total += weight;
        weight *= 0.5f;
    }
    return sum / total;
}

float trn_noise_fractal_ridged(const TrnNoiseFractal *fractal, TrnNoisePlace place)
{
    float sum = 0.0f, weight = 1.0f, total = 0.0f, strength = 1.0f;
    for (int i = 0; i < fractal->count; i++) {
        float value = trn_noise_at(&fractal->octaves[i], place);
        float ridge = 1.0f - (value < 0.0f ? -value : value);
        ridge *= ridge;
        sum += ridge * strength * weight;
        total += weight;
        strength *= ridge;
        weight *= 0.5f;
    }
    return sum / total;
}
