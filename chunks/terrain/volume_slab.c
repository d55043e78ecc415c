// Kernels of slabs for every machine, and the list of all sets.

#include "terrain/volume_slab.h"

#define SLAB_SUFFIX scalar
#define SLAB_TARGET
#define SLAB_KERNELS trn_slab_kernels_scalar
#define SLAB_KERNELS_NAME "scalar"
#include "terrain/volume_slab_body.h"

static const TrnKernelRow slab_kernel_rows[] = {
#if defined(__x86_64__)
    {TRN_CPU_AVX2, &trn_slab_kernels_avx2},
#endif
    {0, &trn_slab_kernels_scalar},
};
const TrnKernelTable trn_slab_kernels = {slab_kernel_rows,
                                         sizeof slab_kernel_rows / sizeof *slab_kernel_rows};
