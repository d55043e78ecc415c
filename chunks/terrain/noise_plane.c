#include "terrain/noise_plane.h"

#include "base/memory.h"

#define PLANE_ONE ((int64_t)1 << TRN_PLANE_NOISE_FRACTION_BITS)

/// The square root of two: a gradient noise of unit gradients in the plane reaches 1 / sqrt(2).
#define PLANE_SCALE 1.4142135f

/// Directions a sixteenth of a half turn apart. Perlin's four or eight show as a preference for axes and diagonals in height
/// maps; none of these lies on either.
static const float plane_gradients[32][2] = {
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
typedef struct PlaneRamp {
    float slope, offset;
} PlaneRamp;

/// A row's place across the lattice.
typedef struct PlaneRow {
    int64_t cell;
    float fraction, weight;
} PlaneRow;

/// A bijection in which every input bit changes every output bit (splitmix64's finish: Steele, Lea, Flood, 2014).
static uint64_t plane_mix(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
}

static const float *plane_gradient(uint64_t seed, int64_t cell_u, int64_t cell_v)
{
    // The seed enters between two multiplications: added before the first, another seed would be
    // this one's noise moved.
    uint64_t hash = (uint64_t)cell_u * 0x9E3779B97F4A7C15u + (uint64_t)cell_v * 0xC2B2AE3D27D4EB4Fu;
    hash = ((hash ^ (hash >> 29)) + seed) * 0xD6E8FEB86659FD93u;
    hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93u;
    return plane_gradients[hash >> 59];
}

/// Perlin's quintic: flat in its first and second derivative at both ends.
static float plane_fade(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

static float plane_lerp(float from, float to, float weight)
{
    return from + (to - from) * weight;
}

static float plane_fraction(int64_t place)
{
    return (float)(int32_t)(place & (PLANE_ONE - 1)) * (1.0f / (float)PLANE_ONE);
}

static PlaneRow plane_row_at(int64_t v)
{
    float fraction = plane_fraction(v);
    PlaneRow row = {v >> TRN_PLANE_NOISE_FRACTION_BITS, fraction, plane_fade(fraction)};
    return row;
}

static PlaneRamp plane_ramp(uint64_t seed, int64_t cell_u, const PlaneRow *row)
{
    const float *near = plane_gradient(seed, cell_u, row->cell);
    const float *far = plane_gradient(seed, cell_u, row->cell + 1);
    PlaneRamp ramp = {
        plane_lerp(near[0], far[0], row->weight),
        plane_lerp(near[1] * row->fraction, far[1] * (row->fraction - 1.0f), row->weight),
    };
    return ramp;
}

static float plane_between(PlaneRamp left, PlaneRamp right, float fraction)
{
    float from = left.slope * fraction + left.offset;
    float to = right.slope * (fraction - 1.0f) + right.offset;
    return plane_lerp(from, to, plane_fade(fraction)) * PLANE_SCALE;
}

TrnPlaneNoise trn_plane_noise(uint64_t seed, uint32_t stream, int32_t wavelength)
{
    TRN_ASSERT(wavelength >= 2 && wavelength <= 65536);
    uint64_t own = plane_mix(seed + plane_mix((uint64_t)stream + 0x9E3779B97F4A7C15u));
    TrnPlaneNoise noise = {
        .seed = own,
        .along = PLANE_ONE / wavelength,
        .across = 0,
        // Without an offset all layers would have a lattice point, and so a zero, at the origin.
        .u = (int64_t)(own & (uint64_t)(PLANE_ONE - 1)),
        .v = (int64_t)(own >> 32 & (uint64_t)(PLANE_ONE - 1)),
    };
    return noise;
}

TrnPlaneNoiseFractal trn_plane_noise_fractal(uint64_t seed, uint32_t stream, int32_t wavelength,
                                             int octaves)
{
    TRN_ASSERT(octaves >= 1 && octaves <= TRN_PLANE_NOISE_OCTAVE_MAX);
    TrnPlaneNoiseFractal fractal = {.count = octaves};
    int64_t cosine = PLANE_ONE * 12 / 13, sine = PLANE_ONE * 5 / 13; // 22.6 degrees
    for (int i = 0; i < octaves; i++) {
        TrnPlaneNoise *octave = &fractal.octaves[i];
        *octave = trn_plane_noise(seed, stream + (uint32_t)i, wavelength);
        int64_t step = octave->along;
        octave->along = step * cosine / PLANE_ONE;
        octave->across = step * sine / PLANE_ONE;
        // Another 36.9 degrees each time (4/5, 3/5): six octaves stay clear of the axes and of each
        // other.
        int64_t turned = (cosine * 4 - sine * 3) / 5;
        sine = (cosine * 3 + sine * 4) / 5;
        cosine = turned;
        wavelength = wavelength * 32 / 63; // not quite a half, so that the lattices do not meet
    }
    return fractal;
}

float trn_plane_noise_at(const TrnPlaneNoise *noise, TrnPlaneNoisePlace place)
{
    // |x| <= 2^36 + a little and |along| <= 2^23, so the products stay below 2^60.
    int64_t u = place.x * noise->along - place.z * noise->across + noise->u;
    int64_t v = place.x * noise->across + place.z * noise->along + noise->v;
    float along = (float)noise->along, across = (float)noise->across;
    u += (int64_t)(place.warp_x * along - place.warp_z * across);
    v += (int64_t)(place.warp_x * across + place.warp_z * along);
    PlaneRow row = plane_row_at(v);
    int64_t cell = u >> TRN_PLANE_NOISE_FRACTION_BITS;
    return plane_between(plane_ramp(noise->seed, cell, &row),
                         plane_ramp(noise->seed, cell + 1, &row), plane_fraction(u));
}

/// The part of a row inside one cell; `first` and all that follow stay below one.
static void plane_row_run(PlaneRamp left, PlaneRamp right, int32_t first, int32_t step, int count,
                          float *out)
{
    for (int i = 0; i < count; i++) {
        out[i] = plane_between(left, right, (float)(first + i * step) * (1.0f / (float)PLANE_ONE));
    }
}

void trn_plane_noise_row(const TrnPlaneNoise *noise, int64_t x, int64_t z, int count, float *out)
{
    TRN_ASSERT(noise->across == 0);
    const int64_t step = noise->along;
    int64_t u = x * step + noise->u;
    PlaneRow row = plane_row_at(z * step + noise->v);
    PlaneRamp right = plane_ramp(noise->seed, u >> TRN_PLANE_NOISE_FRACTION_BITS, &row);
    while (count > 0) {
        int64_t cell = u >> TRN_PLANE_NOISE_FRACTION_BITS;
        int64_t first = u & (PLANE_ONE - 1);
        int run = (int)((PLANE_ONE - 1 - first) / step + 1);
        run = run < count ? run : count;
        PlaneRamp left = right;
        right = plane_ramp(noise->seed, cell + 1, &row);
        plane_row_run(left, right, (int32_t)first, (int32_t)step, run, out);
        u += run * step; // a step is at most half a cell, so the next cell is the next one
        out += run;
        count -= run;
    }
}

float trn_plane_noise_fractal_sum(const TrnPlaneNoiseFractal *fractal, TrnPlaneNoisePlace place)
{
    float sum = 0.0f, weight = 1.0f, total = 0.0f;
    for (int i = 0; i < fractal->count; i++) {
        sum += trn_plane_noise_at(&fractal->octaves[i], place) * weight;
        total += weight;
        weight *= 0.5f;
    }
    return sum / total;
}

float trn_plane_noise_fractal_ridged(const TrnPlaneNoiseFractal *fractal, TrnPlaneNoisePlace place)
{
    float sum = 0.0f, weight = 1.0f, total = 0.0f, strength = 1.0f;
    for (int i = 0; i < fractal->count; i++) {
        float value = trn_plane_noise_at(&fractal->octaves[i], place);
        float ridge = 1.0f - (value < 0.0f ? -value : value);
        ridge *= ridge;
        sum += ridge * strength * weight;
        total += weight;
        strength *= ridge;
        weight *= 0.5f;
    }
    return sum / total;
}
