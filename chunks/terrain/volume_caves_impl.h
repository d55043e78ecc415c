/// Private: how wide caves are: tunnels and caverns, by height and depth below the ground. The
/// lattice of a chunk and the height of a column both use it.
#ifndef TERRANE_TERRAIN_VOLUME_CAVES_IMPL_H
#define TERRANE_TERRAIN_VOLUME_CAVES_IMPL_H

#include "terrain/volume_impl.h"

/// Width of tunnels in version 4, in units of noise.
#define TRN_VOLUME_TUNNEL_WIDTH 0.05f

/// Width of caves at a height.
typedef struct TrnVolumeCaves {
    float narrowness; ///< of tunnels: 1 / the noise at their walls
    float threshold;  ///< of caverns
    float fade;       ///< of `shallow`, per voxel
    float deep;       ///< depth where `shallow` ends
    float shallow;    ///< added to the threshold near the surface
} TrnVolumeCaves;

static inline TrnVolumeCaves trn_volume_caves(const TrnTerrain *terrain, float y)
{
    const float caves = terrain->shape.caves;
    const float low = (float)TRN_TERRAIN_LOWEST;
    const float taper = trn_land_ramp(low, low + TRN_VOLUME_CAVE_TAPER, y);
    if (terrain->version == 3) {
        const float width = 0.058f * (0.4f + 0.6f * caves) * taper + 0.001f;
        return (TrnVolumeCaves){1.0f / width, 0.325f - 0.09f * caves + (1.0f - taper) * 0.6f, 0.04f,
                                34.0f, 0.12f};
    }
    const float width = TRN_VOLUME_TUNNEL_WIDTH * (0.4f + 0.6f * caves) * taper + 0.001f;
    return (TrnVolumeCaves){1.0f / width, 0.36f - 0.06f * caves + (1.0f - taper) * 0.6f, 0.0125f,
                            140.0f, 0.32f};
}

/// Threshold of caverns below a ground height: caverns are smaller near the surface, and in version
/// 4 rare there.
static inline float trn_volume_cavern_threshold(TrnVolumeCaves caves, float ground, float y)
{
    const float shallow = trn_land_clamp((caves.deep - (ground - y)) * caves.fade, 0.0f, 1.0f);
    return caves.threshold + shallow * caves.shallow;
}

#endif
