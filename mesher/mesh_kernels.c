// The kernels one row at a time, what every machine can run and what the others are held against;
// and the choice of kernels.

#include "mesh_kernels.h"

// Of nine voxels in front of a face, bit 3 v + u, the four corners' light in TrnQuad's order.
#define LIGHT_BIT(i, n) ((i) >> (n)&1)
#define LIGHT_CORNER(i, a, b, c)                                                                   \
    (LIGHT_BIT(i, a) & LIGHT_BIT(i, b) ? 0                                                         \
                                       : 3 - LIGHT_BIT(i, a) - LIGHT_BIT(i, b) - LIGHT_BIT(i, c))
#define LIGHT_1(i)                                                                                 \
    (LIGHT_CORNER(i, 3, 1, 0) | LIGHT_CORNER(i, 5, 1, 2) << 2 | LIGHT_CORNER(i, 3, 7, 6) << 4 |    \
     LIGHT_CORNER(i, 5, 7, 8) << 6)
#define LIGHT_8(i)                                                                                 \
    LIGHT_1(i), LIGHT_1((i) + 1), LIGHT_1((i) + 2), LIGHT_1((i) + 3), LIGHT_1((i) + 4),            \
        LIGHT_1((i) + 5), LIGHT_1((i) + 6), LIGHT_1((i) + 7)
#define LIGHT_64(i)                                                                                \
    LIGHT_8(i), LIGHT_8((i) + 8), LIGHT_8((i) + 16), LIGHT_8((i) + 24), LIGHT_8((i) + 32),         \
        LIGHT_8((i) + 40), LIGHT_8((i) + 48), LIGHT_8((i) + 56)

const uint8_t trn_mesh_light[512] = {LIGHT_64(0),   LIGHT_64(64),  LIGHT_64(128), LIGHT_64(192),
                                     LIGHT_64(256), LIGHT_64(320), LIGHT_64(384), LIGHT_64(448)};

#define PAIR_1(i) (LIGHT_CORNER(i, 3, 1, 0) | LIGHT_CORNER(i, 4, 1, 2) << 2)
#define PAIR_8(i)                                                                                  \
    PAIR_1(i), PAIR_1((i) + 1), PAIR_1((i) + 2), PAIR_1((i) + 3), PAIR_1((i) + 4),                 \
        PAIR_1((i) + 5), PAIR_1((i) + 6), PAIR_1((i) + 7)

const uint32_t trn_mesh_light_pair[32] = {PAIR_8(0), PAIR_8(8), PAIR_8(16), PAIR_8(24)};

#define MESH_LANES 1
#define MESH_SUFFIX scalar
#define MESH_TARGET
#define MESH_KERNELS trn_mesh_kernels_scalar
#define MESH_KERNELS_NAME "scalar"
#include "mesh_kernels_body.h"

static const TrnKernelRow mesh_kernel_rows[] = {
#if defined(__x86_64__)
    {TRN_CPU_AVX512F | TRN_CPU_AVX512BW | TRN_CPU_AVX512VL | TRN_CPU_AVX512DQ | TRN_CPU_AVX512CD |
         TRN_CPU_AVX512VBMI | TRN_CPU_AVX512VBMI2 | TRN_CPU_GFNI | TRN_CPU_BMI | TRN_CPU_BMI2 |
         TRN_CPU_LZCNT | TRN_CPU_POPCNT,
     &trn_mesh_kernels_avx512},
    {TRN_CPU_AVX2 | TRN_CPU_BMI | TRN_CPU_BMI2 | TRN_CPU_LZCNT | TRN_CPU_POPCNT,
     &trn_mesh_kernels_avx2},
#endif
    {0, &trn_mesh_kernels_four},
    {0, &trn_mesh_kernels_scalar},
};
const TrnKernelTable trn_mesh_kernels = {mesh_kernel_rows,
                                         sizeof mesh_kernel_rows / sizeof *mesh_kernel_rows};
