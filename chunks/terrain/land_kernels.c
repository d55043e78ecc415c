// The kernels of the land's shape, and the table of them.

#include <string.h>

#include "terrain/land_kernels.h"

#define LAND_SUFFIX scalar
#define LAND_TARGET
#define LAND_KERNELS_NAME "scalar"
#include "terrain/land_kernels_body.h"

#if defined(__x86_64__)
#define LAND_SUFFIX avx2
#define LAND_TARGET __attribute__((target("avx2")))
#define LAND_KERNELS_NAME "AVX2"
#include "terrain/land_kernels_body.h"
#endif

static const TrnKernelRow land_kernel_rows[] = {
#if defined(__x86_64__)
    {TRN_CPU_AVX2, &land_kernels_avx2},
#endif
    {0, &land_kernels_scalar},
};
const TrnKernelTable trn_land_kernels = {land_kernel_rows,
                                         sizeof land_kernel_rows / sizeof *land_kernel_rows};
