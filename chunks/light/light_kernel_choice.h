/// Private: makes a solver use other kernels than the fastest, for tests and the bench. Valid C++.
#ifndef TERRANE_LIGHT_LIGHT_KERNEL_CHOICE_H
#define TERRANE_LIGHT_LIGHT_KERNEL_CHOICE_H

#include <stdbool.h>

#include <terrane/light.h>

#ifdef __cplusplus
extern "C" {
#endif

/// @param name  "AVX-512", "AVX2", "NEON", "SIMD128" or "scalar"
/// @return false if this machine cannot run them; the solver is unchanged then
bool trn_light_use_kernels(TrnLightSolver *solver, const char *name);

/// Returns the name of the kernels in use.
const char *trn_light_kernels_name(const TrnLightSolver *solver);

#ifdef __cplusplus
}
#endif
#endif
