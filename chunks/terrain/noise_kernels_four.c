// The kernels four points at a time, by the compiler's own vectors: SSE2 on every x86-64, NEON on
// every 64-bit ARM.

#include "terrain/noise_kernels.h"

#define NOISE_LANES 4
#define NOISE_SUFFIX four
#define NOISE_TARGET
#define NOISE_KERNELS trn_noise_kernels_four
#if defined(__SSE2__)
#define NOISE_KERNELS_NAME "SSE2"
#elif defined(__ARM_NEON)
#define NOISE_KERNELS_NAME "NEON"
#else
#define NOISE_KERNELS_NAME "vectors of four"
#endif
#include "terrain/noise_kernels_body.h"
