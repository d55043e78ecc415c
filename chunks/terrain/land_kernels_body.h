// The kernels of the land's shape, in plain C that compilers vectorise: loops without branches over
// LAND_LANES points. For each instruction set land_kernels.c
// defines the following and includes this file:
//   LAND_SUFFIX   suffix of all function names
//   LAND_TARGET   the instruction set as a function attribute, or nothing
//   LAND_KERNELS_NAME
//   LAND_VECTOR   lanes of a register: 4, 8 or 16
//   LAND_EXPAND   defined if it brings its own expand_edge

#define LAND_JOIN_(name, suffix) land_##name##_##suffix
#define LAND_JOIN(name, suffix) LAND_JOIN_(name, suffix)
#define LAND(name) LAND_JOIN(name, LAND_SUFFIX)
#define LAND_INLINE LAND_TARGET static inline __attribute__((always_inline))

/// Points that are computed together.
#define LAND_LANES ((size_t)16)

/// Copies the values of `some` points, of LAND_LANES in most cases.
LAND_INLINE void LAND(move)(float *restrict to, const float *restrict from, size_t some)
{
    if (some == LAND_LANES) {
        memcpy(to, from, LAND_LANES * sizeof(float)); // inline
    } else {
        memcpy(to, from, some * sizeof(float));
    }
}

/// Temperature below which the sea freezes, before noise.
#define LAND_FREEZING (-0.24f)

/// A part of the spline of continents' heights, between two knots.
#define LandPart LAND(Part)
typedef struct LandPart {
    float at, width, height, rise, bend_low, bend_high;
} LandPart;

/// Chooses the part that a point lies on.
LAND_INLINE LandPart LAND(later_part)(LandPart part, float continent, float at, float height,
                                      float slope, float next_at, float next_height,
                                      float next_slope)
{
    const float width = next_at - at, rise = next_height - height;
    const float bend_low = slope * width - rise, bend_high = rise - next_slope * width;
    const bool is_later = continent > at;
    return (LandPart){is_later ? at : part.at,
                      is_later ? width : part.width,
                      is_later ? height : part.height,
                      is_later ? rise : part.rise,
                      is_later ? bend_low : part.bend_low,
                      is_later ? bend_high : part.bend_high};
}

/// Height of the ground before hills and mountains: a cubic Hermite spline, flat around sea level
/// for beaches and shallows.
LAND_INLINE float LAND(continent_height)(float continent)
{
    const float at = trn_land_clamp(continent, -0.60f, 0.60f);
    LandPart part = {0};
    part = LAND(later_part)(part, 1.0f, -0.60f, -62.0f, 0.0f, -0.28f, -36.0f, 90.0f);
    part = LAND(later_part)(part, at, -0.28f, -36.0f, 90.0f, -0.06f, -7.0f, 90.0f);
    part = LAND(later_part)(part, at, -0.06f, -7.0f, 90.0f, 0.00f, 0.5f, 50.0f);
    part = LAND(later_part)(part, at, 0.00f, 0.5f, 50.0f, 0.05f, 4.0f, 80.0f);
    part = LAND(later_part)(part, at, 0.05f, 4.0f, 80.0f, 0.22f, 17.0f, 60.0f);
    part = LAND(later_part)(part, at, 0.22f, 17.0f, 60.0f, 0.60f, 32.0f, 0.0f);
    const float t = (at - part.at) / part.width;
    return part.height + t * part.rise +
           t * (1.0f - t) * (part.bend_low * (1.0f - t) + part.bend_high * t);
}

/// Cuts valleys, and river beds into their floors. Mountain valleys are higher, wider and dry.
/// @param river   distance from the river's centre line, in noise units; 0 on it
/// @param valley  receives 0 on the valley floor .. 1 outside the valley
LAND_INLINE float LAND(carve_valley)(float height, float river, float mountain, float hilly,
                                     float width, float *valley)
{
    const bool has_valley = width > 0.0f;
    river = river / (has_valley ? width : 1.0f);
    const float side = trn_land_ramp(0.03f, 0.22f + 0.22f * mountain, river);
    const float ground = 3.2f + 64.0f * trn_land_ramp(0.25f, 0.9f, mountain);
    const float lowered = trn_land_lerp(ground, height, side);
    const float carved = height > ground ? lowered : height;
    const float bed = -4.0f;
    const float wet = trn_land_ramp(14.0f, 5.0f, ground); // rivers end where their valley rises
    // wider in hills, narrow in plains
    const float bank = (0.024f + 0.03f * hilly) * (0.2f + 0.8f * wet);
    const float channel = trn_land_ramp(bank, bank * 0.33f, river) * wet;
    const float flooded = trn_land_lerp(carved, bed, channel);
    const float result = carved > bed ? flooded : carved;
    *valley = has_valley ? side : 1.0f;
    return has_valley ? result : height;
}

/// Compresses heights above 150 so that the highest peaks end near 250.
LAND_INLINE float LAND(compress_peaks)(float height)
{
    const float above = height - 150.0f;
    const float peak = 150.0f + above / (1.0f + above * (1.0f / 240.0f));
    return above > 0.0f ? peak : height;
}

/// Weight of the terraces: mesas in dry land, plus the shape's setting.
LAND_INLINE float LAND(terracing)(const TrnTerrainShape *shape, const TrnLandTraits *traits,
                                  float terrace)
{
    const float mesa = (terrace * 1.4f - 0.28f) * 2.0f * shape->relief;
    float terraced = shape->terraces * 1.15f + trn_land_clamp(mesa, 0.0f, 1.0f);
    terraced =
        trn_land_clamp(terraced, 0.0f, 1.0f) * (0.25f + 0.75f * traits->dry + shape->terraces);
    return trn_land_clamp(terraced, 0.0f, 1.0f) * traits->inland;
}

/// Noises and fields of some points.
#define LandBlock LAND(Block)
typedef struct LandBlock {
    float noises[TRN_LAND_LATTICE_COUNT * LAND_LANES];
    float fields[TRN_LAND_FIELD_COUNT][LAND_LANES];
} LandBlock;

/// Writes the climate fields and those that depend on a single noise.
LAND_INLINE void LAND(shape_climate)(const TrnLandSettings *settings, const TrnLandTraits *traits,
                                     LandBlock *block, size_t i)
{
    block->fields[TRN_LAND_FIELD_TEMPERATURE][i] = traits->temperature;
    block->fields[TRN_LAND_FIELD_MOISTURE][i] = traits->moisture;
    // Noise of some hundred voxels gives coasts of ice with floes before them. The noise that makes
    // borders on land irregular would crumble them to dots.
    block->fields[TRN_LAND_FIELD_FROST][i] =
        LAND_FREEZING - traits->temperature +
        block->noises[TRN_LAND_HILL * LAND_LANES + i] * 0.1f * settings->border_noise;
    block->fields[TRN_LAND_FIELD_ENTRANCE][i] =
        trn_land_ramp(0.05f, 0.13f, block->noises[TRN_LAND_ENTRANCE * LAND_LANES + i]);
    block->fields[TRN_LAND_FIELD_STRATA_SHIFT][i] =
        block->noises[TRN_LAND_STRATA * LAND_LANES + i] * 60.0f;
}

/// Computes the fields of one point from its noises.
LAND_INLINE void LAND(shape_point)(const TrnLandSettings *settings, LandBlock *block, size_t i)
{
    const TrnTerrainShape *shape = &settings->shape;
    const TrnLandTraits traits = trn_land_traits(settings, block->noises, LAND_LANES, i);
    const float inland = traits.inland, hilly = traits.hilly;

    float height = LAND(continent_height)(traits.continent);
    const float hill = block->noises[TRN_LAND_HILL * LAND_LANES + i] * 1.4f;
    const float relief = shape->relief * (1.0f - 0.7f * traits.wet);
    height += (hill + 0.25f) * inland * (8.0f + 46.0f * hilly) * relief;
    height += traits.dry * inland * (1.0f - traits.mountain) *
              block->noises[TRN_LAND_DUNE * LAND_LANES + i] * 9.0f * shape->relief;
    const float mountain = traits.mountain * settings->peaks;
    height += mountain * (20.0f + block->noises[TRN_LAND_RIDGE * LAND_LANES + i] * 200.0f);
    const float marsh = traits.wet * (1.0f - trn_land_clamp(mountain * 4.0f, 0.0f, 1.0f)) *
                        trn_land_ramp(44.0f, 12.0f, height);
    // swamps are flat and close to sea level
    const float flat = trn_land_lerp(height, 0.7f + hill * 3.0f, marsh);
    height = height > 0.0f ? flat : height;
    const float terraced =
        LAND(terracing)(shape, &traits, block->noises[TRN_LAND_TERRACE * LAND_LANES + i]);
    float valley;
    const float river = trn_land_abs(block->noises[TRN_LAND_RIVER * LAND_LANES + i] * 1.25f);
    // narrow gorges between terraces
    const float width = shape->rivers * (1.0f - 0.45f * terraced);
    height =
        LAND(compress_peaks)(LAND(carve_valley)(height, river, mountain, hilly, width, &valley));

    // greatest half way up a valley's sides: crags
    const float wall = valley * (1.0f - valley) * 4.0f;
    const float cliff = trn_land_ramp(-0.06f, 0.1f, block->noises[TRN_LAND_CLIFF * LAND_LANES + i]);
    const float reach =
        cliff * trn_land_ramp(8.0f, 36.0f, height) *
        (0.25f + 0.75f * trn_land_clamp(mountain * 1.6f + terraced + wall, 0.0f, 1.0f));
    block->fields[TRN_LAND_FIELD_HEIGHT][i] = height;
    block->fields[TRN_LAND_FIELD_DETAIL_AMPLITUDE][i] =
        (1.2f + inland * (1.6f + 2.4f * hilly) * valley) * (1.0f - 0.8f * marsh) *
        (0.3f + 0.7f * relief);
    block->fields[TRN_LAND_FIELD_CRAG_AMPLITUDE][i] =
        trn_land_ramp(35.0f, 110.0f, height) * 22.0f + mountain * wall * 9.0f;
    block->fields[TRN_LAND_FIELD_OVERHANG_REACH][i] = reach * 120.0f * shape->overhangs;
    block->fields[TRN_LAND_FIELD_TERRACED][i] = terraced * valley;
    LAND(shape_climate)(settings, &traits, block, i);
}

LAND_TARGET static void LAND(shape)(const TrnTerrainShape *shape, const TrnLandLattice *lattice)
{
    const TrnLandSettings settings = trn_land_settings(shape);
    const size_t count = lattice->count;
    LandBlock block = {0};
    for (size_t first = 0; first < count; first += LAND_LANES) {
        const size_t left = count - first, some = left < LAND_LANES ? left : LAND_LANES;
        for (size_t noise = 0; noise < TRN_LAND_LATTICE_COUNT; noise++) {
            LAND(move)(block.noises + noise * LAND_LANES, lattice->noises[noise] + first, some);
        }
        for (size_t i = 0; i < LAND_LANES; i++) {
            LAND(shape_point)(&settings, &block, i);
        }
        for (int field = 0; field < TRN_LAND_FIELD_COUNT; field++) {
            LAND(move)(lattice->fields[field] + first, block.fields[field], some);
        }
    }
}

// ---- samples ------------------------------------------------------------------------------------

/// Interpolates between two rows of points, to TRN_LAND_STEP samples for each cell.
/// @param weight  of the far row
LAND_INLINE void LAND(expand_cells)(const float *restrict near, const float *restrict far,
                                    float weight, uint32_t cells, float *restrict out)
{
    const LandStep weights = {0.0f, 0.25f, 0.5f, 0.75f};
    float left = trn_land_lerp(near[0], far[0], weight);
    for (uint32_t cell = 0; cell < cells; cell++) {
        const float right = trn_land_lerp(near[cell + 1], far[cell + 1], weight);
        const LandStep samples = left + (right - left) * weights;
        memcpy(out + (size_t)cell * TRN_LAND_STEP, &samples, sizeof samples);
        left = right;
    }
}

/// The same of a chunk's edge.
LAND_INLINE void LAND(expand_edge)(const float *restrict near, const float *restrict far,
                                   float weight, float *restrict out)
{
#if defined(LAND_EXPAND)
    LAND_EXPAND(near, far, weight, out);
#else
    LAND(expand_cells)(near, far, weight, TRN_LAND_POINTS - 1, out);
#endif
}

LAND_TARGET static void LAND(expand)(const float *points, size_t rows, const uint8_t *is_needed,
                                     float *out)
{
    for (size_t row = 0; row < rows; row++) {
        if (!is_needed || is_needed[row]) {
            const float *from = points + row * TRN_LAND_POINTS;
            LAND(expand_edge)(from, from, 0.0f, out + row * TRN_CHUNK_EDGE);
        }
    }
}

/// Least and greatest values of rows of points. In halves, which compilers vectorise.
LAND_TARGET static void LAND(bound)(const float *points, size_t rows, float *restrict least,
                                    float *restrict most)
{
    for (size_t row = 0; row < rows; row++, points += TRN_LAND_POINTS) {
        float low[4], high[4];
        for (int i = 0; i < 4; i++) {
            low[i] = points[i] < points[i + 4] ? points[i] : points[i + 4];
            high[i] = points[i] < points[i + 4] ? points[i + 4] : points[i];
        }
        for (int half = 2; half > 0; half /= 2) {
            for (int i = 0; i < half; i++) {
                low[i] = low[i] < low[i + half] ? low[i] : low[i + half];
                high[i] = high[i] > high[i + half] ? high[i] : high[i + half];
            }
        }
        const float last = points[TRN_LAND_POINTS - 1];
        least[row] = low[0] < last ? low[0] : last;
        most[row] = high[0] > last ? high[0] : last;
    }
}

/// Interpolates between lattice points that are 2^shift samples apart.
LAND_INLINE void LAND(interpolate_square)(const float *restrict points, uint32_t wide,
                                          const TrnLandSquare *square, uint32_t shift,
                                          float *restrict out)
{
    const uint32_t step = 1u << shift, cells = square->edge >> shift;
    const float part = 1.0f / (float)step;
    for (uint32_t z = 0; z < square->edge; z++, out += square->edge) {
        const uint32_t at = square->first + z;
        const float *near = points + (size_t)(at >> shift) * wide + (square->first >> shift);
        const float weight = (float)(at & (step - 1)) * part;
        const float *far = near + wide;
        if (shift == TRN_LAND_SHIFT && cells == TRN_LAND_POINTS - 1) {
            LAND(expand_edge)(near, far, weight, out);
            continue;
        }
        if (shift == TRN_LAND_SHIFT) {
            LAND(expand_cells)(near, far, weight, cells, out);
            continue;
        }
        for (uint32_t cell = 0; cell < cells; cell++) {
            const float left = trn_land_lerp(near[cell], far[cell], weight);
            const float right = trn_land_lerp(near[cell + 1], far[cell + 1], weight);
            for (uint32_t i = 0; i < step; i++) {
                out[cell * step + i] = trn_land_lerp(left, right, (float)i * part);
            }
        }
    }
}

/// The same of scattered samples.
LAND_INLINE void LAND(interpolate_scattered)(const float *restrict points, uint32_t wide,
                                             const TrnLandSquare *square, float *restrict out)
{
    const uint32_t mask = (1u << square->shift) - 1;
    const float part = 1.0f / (float)(1u << square->shift);
    for (uint32_t i = 0; i < square->count; i++) {
        const uint32_t x = (uint32_t)square->places[0][i], z = (uint32_t)square->places[1][i];
        const float *near = points + (size_t)(z >> square->shift) * wide + (x >> square->shift);
        const float weight = (float)(z & mask) * part;
        const float left = trn_land_lerp(near[0], near[wide], weight);
        const float right = trn_land_lerp(near[1], near[wide + 1], weight);
        out[i] = trn_land_lerp(left, right, (float)(x & mask) * part);
    }
}

LAND_TARGET static void LAND(interpolate)(const float *points, uint32_t wide,
                                          const TrnLandSquare *square, float *out)
{
    if (square->places[0]) {
        LAND(interpolate_scattered)(points, wide, square, out);
    } else if (square->shift == TRN_LAND_SHIFT) {
        LAND(interpolate_square)(points, wide, square, TRN_LAND_SHIFT, out);
    } else {
        LAND(interpolate_square)(points, wide, square, square->shift, out);
    }
}

/// Height of the roughness of slopes, in voxels.
#define LAND_ROUGHNESS 1.5f

/// Fields and noises of some samples.
#define LandSamples LAND(Samples)
typedef struct LandSamples {
    float height[LAND_LANES], slope[LAND_LANES], temperature[LAND_LANES], moisture[LAND_LANES];
    float detail_amplitude[LAND_LANES], crag_amplitude[LAND_LANES], terraced[LAND_LANES];
    float detail[LAND_LANES], crag[LAND_LANES], patch[LAND_LANES];
} LandSamples;

/// Slopes are rough by less than two voxels, or the steps of voxels would look like contour lines.
/// Plains and what is near a river stay smooth.
LAND_INLINE void LAND(detail_sample)(float fray, LandSamples *samples, size_t i)
{
    const float amplitude = samples->detail_amplitude[i], patch = samples->patch[i];
    const bool is_terraced = samples->terraced[i] > 0.0f;
    float steep = samples->slope[i];
    const float stepped = trn_land_terrace(samples->height[i], samples->terraced[i], &steep);
    const float slope = is_terraced ? steep : samples->slope[i];
    float height = is_terraced ? stepped : samples->height[i];
    height += samples->detail[i] * 1.5f * amplitude +
              (samples->crag[i] - 0.35f) * samples->crag_amplitude[i];
    height += patch * LAND_ROUGHNESS * trn_land_clamp(2.0f * amplitude, 0.0f, 1.0f) *
              trn_land_ramp(0.04f, 0.16f, slope);
    // Leaves space for overhangs and trees within the world's limits.
    height = trn_land_clamp(height, -100.0f, 255.0f);
    const float above = height - 30.0f;
    const float high = above > 0.0f ? above : 0.0f;
    samples->height[i] = height;
    samples->slope[i] = slope;
    samples->temperature[i] += patch * fray - high * 0.0035f;
    samples->moisture[i] += patch * fray;
}

LAND_TARGET static void LAND(detail)(const TrnTerrainShape *shape, const TrnLandSquare *square)
{
    const float fray = 0.12f * trn_land_border_noise(shape);
    float *const *fields = square->fields;
    LandSamples samples = {.height = {0}};
    const float *detail = square->details[TRN_LAND_DETAIL - TRN_LAND_LATTICE_COUNT];
    const float *crag = square->details[TRN_LAND_CRAG - TRN_LAND_LATTICE_COUNT];
    const float *patch = square->details[TRN_LAND_PATCH - TRN_LAND_LATTICE_COUNT];
    for (size_t first = 0; first < square->count; first += LAND_LANES) {
        const size_t left = square->count - first, some = left < LAND_LANES ? left : LAND_LANES;
        LAND(move)(samples.height, fields[TRN_LAND_FIELD_HEIGHT] + first, some);
        LAND(move)(samples.slope, fields[TRN_LAND_FIELD_SLOPE] + first, some);
        LAND(move)(samples.temperature, fields[TRN_LAND_FIELD_TEMPERATURE] + first, some);
        LAND(move)(samples.moisture, fields[TRN_LAND_FIELD_MOISTURE] + first, some);
        LAND(move)(samples.detail_amplitude, fields[TRN_LAND_FIELD_DETAIL_AMPLITUDE] + first, some);
        LAND(move)(samples.crag_amplitude, fields[TRN_LAND_FIELD_CRAG_AMPLITUDE] + first, some);
        LAND(move)(samples.terraced, fields[TRN_LAND_FIELD_TERRACED] + first, some);
        LAND(move)(samples.detail, detail + first, some);
        LAND(move)(samples.crag, crag + first, some);
        LAND(move)(samples.patch, patch + first, some);
        for (size_t i = 0; i < LAND_LANES; i++) {
            LAND(detail_sample)(fray, &samples, i);
        }
        LAND(move)(fields[TRN_LAND_FIELD_HEIGHT] + first, samples.height, some);
        LAND(move)(fields[TRN_LAND_FIELD_SLOPE] + first, samples.slope, some);
        LAND(move)(fields[TRN_LAND_FIELD_TEMPERATURE] + first, samples.temperature, some);
        LAND(move)(fields[TRN_LAND_FIELD_MOISTURE] + first, samples.moisture, some);
    }
}

#include "terrain/land_cover_body.h"

static const TrnLandKernels LAND(kernels) = {.name = LAND_KERNELS_NAME,
                                             .shape = LAND(shape),
                                             .interpolate = LAND(interpolate),
                                             .expand = LAND(expand),
                                             .bound = LAND(bound),
                                             .detail = LAND(detail),
                                             .cover = LAND(cover)};

// Undefined for the next instruction set, if all sources are built as one file.
#undef LandPart
#undef LandBlock
#undef LandSamples
#undef LandCovers
#undef LandCoverBlock
#undef LandFloats
#undef LandInts
#undef LAND_VECTOR
#undef LAND_SUFFIX
#undef LAND_TARGET
#undef LAND_KERNELS_NAME
#undef LAND_EXPAND
