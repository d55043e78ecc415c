// The noises and strata of a terrain.

#include "terrain/terrain_impl.h"

/// How a noise's wavelength follows the world's scale.
typedef enum LandScaling {
    LAND_SCALE_FIXED,
    LAND_SCALE_WITH_WORLD,
    /// Half as much as a small world shrinks, and never larger than at scale 1: ridges wider than a
    /// small island's mountains would turn them into smooth bells.
    LAND_SCALE_DOWN_HALF
} LandScaling;

/// Settings of one noise.
typedef struct LandNoiseDef {
    TrnNoiseKind kind;
    float wavelength, wavelength_y; ///< voxels at scale 1
    uint32_t octaves;
    float gain;
    float warp; ///< voxels
    LandScaling scaling;
} LandNoiseDef;

static const LandNoiseDef land_noise_defs[TRN_LAND_NOISE_COUNT] = {
    [TRN_LAND_CONTINENT] = {TRN_NOISE_FRACTAL, 1700, 0, 6, 0.5f, 170, LAND_SCALE_WITH_WORLD},
    [TRN_LAND_RANGE] = {TRN_NOISE_FRACTAL, 1500, 0, 3, 0.4f, 200, LAND_SCALE_WITH_WORLD},
    [TRN_LAND_RIDGE] = {TRN_NOISE_RIDGED, 460, 0, 5, 0.5f, 60, LAND_SCALE_DOWN_HALF},
    [TRN_LAND_HILLINESS] = {TRN_NOISE_FRACTAL, 800, 0, 1, 0.5f, 0, LAND_SCALE_WITH_WORLD},
    [TRN_LAND_HILL] = {TRN_NOISE_FRACTAL, 220, 0, 3, 0.5f, 30, LAND_SCALE_FIXED},
    [TRN_LAND_RIVER] = {TRN_NOISE_FRACTAL, 1000, 0, 3, 0.4f, 120, LAND_SCALE_WITH_WORLD},
    [TRN_LAND_TEMPERATURE] = {TRN_NOISE_FRACTAL, 4200, 0, 3, 0.4f, 200, LAND_SCALE_WITH_WORLD},
    [TRN_LAND_MOISTURE] = {TRN_NOISE_FRACTAL, 2600, 0, 3, 0.4f, 200, LAND_SCALE_WITH_WORLD},
    [TRN_LAND_CLIFF] = {TRN_NOISE_FRACTAL, 420, 0, 2, 0.5f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_ENTRANCE] = {TRN_NOISE_FRACTAL, 130, 0, 2, 0.5f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_DUNE] = {TRN_NOISE_RIDGED, 70, 0, 2, 0.4f, 30, LAND_SCALE_FIXED},
    [TRN_LAND_TERRACE] = {TRN_NOISE_FRACTAL, 900, 0, 2, 0.5f, 0, LAND_SCALE_WITH_WORLD},
    [TRN_LAND_STRATA] = {TRN_NOISE_FRACTAL, 340, 0, 3, 0.5f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_DETAIL] = {TRN_NOISE_FRACTAL, 60, 0, 3, 0.5f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_CRAG] = {TRN_NOISE_RIDGED, 72, 0, 4, 0.55f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_PATCH] = {TRN_NOISE_FRACTAL, 40, 0, 3, 0.6f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_OVERHANG] = {TRN_NOISE_FRACTAL, 72, 36, 2, 0.4f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_TUNNEL_A] = {TRN_NOISE_FRACTAL, 96, 64, 2, 0.35f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_TUNNEL_B] = {TRN_NOISE_FRACTAL, 96, 64, 2, 0.35f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_CAVERN] = {TRN_NOISE_FRACTAL, 120, 64, 3, 0.45f, 0, LAND_SCALE_FIXED},
};

static float land_wavelength_scale(LandScaling scaling, float scale)
{
    const float down = scale < 1.0f ? 0.5f + 0.5f * scale : 1.0f;
    return scaling == LAND_SCALE_WITH_WORLD ? scale : scaling == LAND_SCALE_DOWN_HALF ? down : 1.0f;
}

/// Tunnels of version 4 are longer and flatter, so that one can walk in them.
static const LandNoiseDef land_flat_tunnel = {TRN_NOISE_FRACTAL, 120, 50, 2, 0.35f, 0,
                                              LAND_SCALE_FIXED};

static const LandNoiseDef *land_noise_settings(const TrnTerrain *terrain, uint32_t number)
{
    const bool is_tunnel = number == TRN_LAND_TUNNEL_A || number == TRN_LAND_TUNNEL_B;
    return is_tunnel && terrain->version > 3 ? &land_flat_tunnel : &land_noise_defs[number];
}

static TrnNoiseDef land_noise_def(const TrnTerrain *terrain, uint32_t number)
{
    const LandNoiseDef *from = land_noise_settings(terrain, number);
    const bool in_space = number >= TRN_LAND_PLANE_COUNT;
    const float scale = land_wavelength_scale(from->scaling, terrain->shape.scale);
    TrnNoiseDef def = trn_noise_def(from->kind, in_space ? 3 : 2);
    def.seed = terrain->seed;
    def.stream = number;
    def.octaves = from->octaves;
    def.gain = from->gain;
    for (int axis = 0; axis < 3; axis++) {
        def.wavelength[axis] = from->wavelength * scale;
        def.warp[axis] = from->warp * scale;
        def.warp_wavelength[axis] = from->wavelength * scale * 0.4f;
    }
    def.wavelength[1] = in_space ? from->wavelength_y : def.wavelength[1];
    def.warp_octaves = 2;
    return def;
}

/// Strata: every second one is stone, between them other rocks; 5 to 24 voxels thick.
static void land_fill_strata(TrnTerrain *terrain)
{
    static const TrnBlock rocks[] = {TRN_BLOCK_STONE, TRN_BLOCK_LIMESTONE, TRN_BLOCK_STONE,
                                     TRN_BLOCK_SLATE, TRN_BLOCK_STONE,     TRN_BLOCK_GRANITE};
    uint32_t y = 0;
    for (uint32_t layer = 0; y < TRN_STRATA_PERIOD; layer++) {
        const uint64_t hash = trn_land_hash(terrain->seed, layer, 77, 0);
        const uint32_t thickness = 5 + (uint32_t)(hash % 10) + (layer % 2 ? 0 : 10);
        for (uint32_t i = 0; i < thickness && y < TRN_STRATA_PERIOD; i++) {
            terrain->strata[y++] = rocks[layer % (sizeof rocks / sizeof rocks[0])];
        }
    }
}

TrnResult trn_land_compile(TrnTerrain *terrain)
{
    for (uint32_t i = 0; i < TRN_LAND_NOISE_COUNT; i++) {
        const TrnNoiseDef def = land_noise_def(terrain, i);
        const TrnResult result = trn_noise_compile(&def, &terrain->noises[i]);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    land_fill_strata(terrain);
    return trn_land_cover_compile(terrain);
}
