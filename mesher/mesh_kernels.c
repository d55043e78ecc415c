// All sets of the mesher's kernels.

#include "mesh_kernels.h"

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
                                         sizeof mesh_kernel_rows / sizeof mesh_kernel_rows[0]};
