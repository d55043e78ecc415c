// Chooses the kernels that this machine can run.

#include "mesh_kernels.h"

#if defined(__clang__) // has no name for it; there is no machine with BMI2 and without
#define CPU_HAS_LZCNT true
#else
#define CPU_HAS_LZCNT __builtin_cpu_supports("lzcnt")
#endif

size_t trn_mesh_kernels(const TrnMeshKernels *kernels[TRN_MESH_KERNELS_MAX])
{
    size_t count = 0;
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
