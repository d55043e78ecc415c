// Kernels of the land's shape for every machine, and the list of all sets.

#include <string.h>

#include "terrain/land_shape.h"

#define LAND_SUFFIX scalar
#define LAND_TARGET
#define LAND_KERNELS trn_land_kernels_scalar
#define LAND_KERNELS_NAME "scalar"
#include "terrain/land_shape_body.h"

static const TrnKernelRow land_kernel_rows[] = {
#if defined(__x86_64__)
    {TRN_CPU_AVX2, &trn_land_kernels_avx2},
#endif
    {0, &trn_land_kernels_scalar},
};
const TrnKernelTable trn_land_kernels = {land_kernel_rows,
                                         sizeof land_kernel_rows / sizeof *land_kernel_rows};
