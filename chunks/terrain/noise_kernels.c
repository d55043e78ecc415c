// The kernels one point at a time, what every machine can run and what the others are held against;
// and the choice of kernels.

#include "terrain/noise_kernels.h"

#define NOISE_LANES 1
#define NOISE_SUFFIX scalar
#define NOISE_TARGET
#define NOISE_KERNELS trn_noise_kernels_scalar
#define NOISE_KERNELS_NAME "scalar"
#include "terrain/noise_kernels_body.h"

size_t trn_noise_kernels(const TrnNoiseKernels *kernels[TRN_NOISE_KERNELS_MAX])
{
    size_t count = 0;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq")) {
        kernels[count++] = &trn_noise_kernels_avx512;
    }
    if (__builtin_cpu_supports("avx2")) {
        kernels[count++] = &trn_noise_kernels_avx2;
    }
#endif
    kernels[count++] = &trn_noise_kernels_four;
    kernels[count++] = &trn_noise_kernels_scalar;
    return count;
}
