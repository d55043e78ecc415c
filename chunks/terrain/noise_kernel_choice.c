// Forces a noise to one set of kernels, for tests and the bench.

#include "terrain/noise_kernel_choice.h"

#include "terrain/noise_kernels.h"

const char *trn_noise_kernels_name(unsigned i)
{
    const TrnNoiseKernels *kernels = trn_kernels_at(&trn_noise_kernels, trn_cpu_features(), i);
    return kernels ? kernels->name : NULL;
}

bool trn_noise_use_kernels(TrnNoise *noise, const char *name)
{
    const size_t at = trn_kernels_find(&trn_noise_kernels, trn_cpu_features(), name);
    if (at == SIZE_MAX) {
        return false;
    }
    noise->kernels = (uint32_t)at;
    return true;
}
