/// Private: holds a compiled noise to other kernels than the fastest, for tests and the bench. C++
/// can read it.
#ifndef TERRANE_TERRAIN_NOISE_KERNEL_CHOICE_H
#define TERRANE_TERRAIN_NOISE_KERNEL_CHOICE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct TrnNoise;

/// @param name  "AVX-512", "AVX2", "SSE2" ("NEON", "vectors of four" elsewhere) or "scalar"
/// @return whether this machine can run them; otherwise the noise stays as it was
bool trn_noise_use_kernels(struct TrnNoise *noise, const char *name);

/// The name of the i-th fastest kernels of this machine, or NULL behind the last.
const char *trn_noise_kernels_name(unsigned i);

#ifdef __cplusplus
}
#endif
#endif
