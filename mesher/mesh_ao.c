// The tables of ambient occlusion: the corners of a face, by the opaque voxels around it.

#include "mesh_kernels.h"

// Table entry i describes nine voxels in the layer in front of a face: voxel (u, v), each 0..2, is
// bit 3 v + u. It holds the ambient occlusion of the four corners, in TrnQuad's order.
#define MESH_AO_BIT(i, n) ((i) >> (n)&1)
#define MESH_AO_CORNER(i, a, b, c)                                                                 \
    (MESH_AO_BIT(i, a) & MESH_AO_BIT(i, b)                                                         \
         ? 0                                                                                       \
         : 3 - MESH_AO_BIT(i, a) - MESH_AO_BIT(i, b) - MESH_AO_BIT(i, c))
#define MESH_AO(i)                                                                                 \
    (MESH_AO_CORNER(i, 3, 1, 0) | MESH_AO_CORNER(i, 5, 1, 2) << 2 |                                \
     MESH_AO_CORNER(i, 3, 7, 6) << 4 | MESH_AO_CORNER(i, 5, 7, 8) << 6)
#define MESH_AO_8(i)                                                                               \
    MESH_AO(i), MESH_AO((i) + 1), MESH_AO((i) + 2), MESH_AO((i) + 3), MESH_AO((i) + 4),            \
        MESH_AO((i) + 5), MESH_AO((i) + 6), MESH_AO((i) + 7)
#define MESH_AO_64(i)                                                                              \
    MESH_AO_8(i), MESH_AO_8((i) + 8), MESH_AO_8((i) + 16), MESH_AO_8((i) + 24),                    \
        MESH_AO_8((i) + 32), MESH_AO_8((i) + 40), MESH_AO_8((i) + 48), MESH_AO_8((i) + 56)

const uint8_t trn_mesh_ao[512] = {MESH_AO_64(0),   MESH_AO_64(64),  MESH_AO_64(128),
                                  MESH_AO_64(192), MESH_AO_64(256), MESH_AO_64(320),
                                  MESH_AO_64(384), MESH_AO_64(448)};

#define MESH_LAYER_ACROSS(i, n)                                                                    \
    (UINT64_C(1) *                                                                                 \
     (MESH_AO_BIT(i, n) | MESH_AO_BIT(i, (n) + 3) << 1 | MESH_AO_BIT(i, (n) + 6) << 2))
#define MESH_LAYERS(i)                                                                             \
    (MESH_LAYER_ACROSS(i, 0) | MESH_LAYER_ACROSS(i, 1) << 9 | MESH_LAYER_ACROSS(i, 2) << 18 |      \
     (UINT64_C(1) * ((i)&7)) << 27 | (UINT64_C(1) * ((i) >> 3 & 7)) << 36 |                        \
     (UINT64_C(1) * ((i) >> 6)) << 45)
#define MESH_LAYERS_8(i)                                                                           \
    MESH_LAYERS(i), MESH_LAYERS((i) + 1), MESH_LAYERS((i) + 2), MESH_LAYERS((i) + 3),              \
        MESH_LAYERS((i) + 4), MESH_LAYERS((i) + 5), MESH_LAYERS((i) + 6), MESH_LAYERS((i) + 7)
#define MESH_LAYERS_64(i)                                                                          \
    MESH_LAYERS_8(i), MESH_LAYERS_8((i) + 8), MESH_LAYERS_8((i) + 16), MESH_LAYERS_8((i) + 24),    \
        MESH_LAYERS_8((i) + 32), MESH_LAYERS_8((i) + 40), MESH_LAYERS_8((i) + 48),                 \
        MESH_LAYERS_8((i) + 56)

const uint64_t trn_mesh_layers[512] = {
    MESH_LAYERS_64(0),   MESH_LAYERS_64(64),  MESH_LAYERS_64(128), MESH_LAYERS_64(192),
    MESH_LAYERS_64(256), MESH_LAYERS_64(320), MESH_LAYERS_64(384), MESH_LAYERS_64(448)};

#define MESH_AO_PAIR(i) (MESH_AO_CORNER(i, 3, 1, 0) | MESH_AO_CORNER(i, 4, 1, 2) << 2)
#define MESH_AO_PAIR_8(i)                                                                          \
    MESH_AO_PAIR(i), MESH_AO_PAIR((i) + 1), MESH_AO_PAIR((i) + 2), MESH_AO_PAIR((i) + 3),          \
        MESH_AO_PAIR((i) + 4), MESH_AO_PAIR((i) + 5), MESH_AO_PAIR((i) + 6), MESH_AO_PAIR((i) + 7)

const uint32_t trn_mesh_ao_pair[32] = {MESH_AO_PAIR_8(0), MESH_AO_PAIR_8(8), MESH_AO_PAIR_8(16),
                                       MESH_AO_PAIR_8(24)};
