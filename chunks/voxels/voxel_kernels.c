// Which kernels there are, and what they need.

#include "voxel_kernels.h"

static const TrnKernelRow voxel_kernel_rows[] = {
#if defined(__x86_64__)
    {TRN_CPU_AVX512F | TRN_CPU_AVX512BW | TRN_CPU_AVX512VL | TRN_CPU_POPCNT | TRN_CPU_BMI,
     &trn_voxel_kernels_avx512},
    {TRN_CPU_AVX2 | TRN_CPU_POPCNT | TRN_CPU_BMI, &trn_voxel_kernels_avx2},
#endif
#if defined(TRN_VECTORS)
    {0, &trn_voxel_kernels_four},
#endif
    {0, &trn_voxel_kernels_scalar},
};
const TrnKernelTable trn_voxel_kernels = {voxel_kernel_rows,
                                          sizeof voxel_kernel_rows / sizeof *voxel_kernel_rows};
