// Kernels of slabs for AVX2.

#include "terrain/volume_slab.h"

#if defined(__x86_64__)
#define SLAB_SUFFIX avx2
#define SLAB_TARGET __attribute__((target("avx2")))
#define SLAB_KERNELS trn_slab_kernels_avx2
#define SLAB_KERNELS_NAME "AVX2"
#include "terrain/volume_slab_body.h"
#endif
