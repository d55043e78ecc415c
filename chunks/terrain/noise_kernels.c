// Noise kernels that take one point at a time: every machine can run them, and tests hold the
// others against them. Also lists the kernels of this machine.

#include "terrain/noise_kernels.h"

#define NOISE_LANES 1
#define NOISE_SUFFIX scalar
#define NOISE_TARGET
#define NOISE_KERNELS trn_noise_kernels_scalar
#define NOISE_KERNELS_NAME "scalar"
#include "terrain/noise_kernels_body.h"

static const TrnKernelRow noise_kernel_rows[] = {
#if defined(__x86_64__)
    {TRN_CPU_AVX512F | TRN_CPU_AVX512VL | TRN_CPU_AVX512DQ, &trn_noise_kernels_avx512},
    {TRN_CPU_AVX2, &trn_noise_kernels_avx2},
#endif
    {0, &trn_noise_kernels_four},
    {0, &trn_noise_kernels_scalar},
};
const TrnKernelTable trn_noise_kernels = {noise_kernel_rows,
                                          sizeof noise_kernel_rows / sizeof *noise_kernel_rows};
