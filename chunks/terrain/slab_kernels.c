// The kernels of slabs, and the table of them.

#include "terrain/slab_kernels.h"

#define SLAB_SUFFIX scalar
#define SLAB_TARGET
#define SLAB_KERNELS_NAME "scalar"
#include "terrain/slab_kernels_body.h"

#if defined(__x86_64__)
#define SLAB_SUFFIX avx512
#define SLAB_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define SLAB_KERNELS_NAME "AVX-512"
#include "terrain/slab_kernels_body.h"

#define SLAB_SUFFIX avx2
#define SLAB_TARGET __attribute__((target("avx2")))
#define SLAB_KERNELS_NAME "AVX2"
#include "terrain/slab_kernels_body.h"
#endif

static const TrnKernelRow slab_kernel_rows[] = {
#if defined(__x86_64__)
    {TRN_CPU_AVX512F | TRN_CPU_AVX512BW | TRN_CPU_AVX512VL | TRN_CPU_AVX512DQ,
     &slab_kernels_avx512},
    {TRN_CPU_AVX2, &slab_kernels_avx2},
#endif
    {0, &slab_kernels_scalar},
};
const TrnKernelTable trn_slab_kernels = {slab_kernel_rows,
                                         sizeof slab_kernel_rows / sizeof *slab_kernel_rows};
