/// Noises for the tests of noise.
#pragma once

#include "testing.h"

#include <math.h>

#include <terrane/noise.h>

#include "terrain/noise_impl.h"
#include "terrain/noise_kernels.h"

static inline TrnNoise compiled(const TrnNoiseDef *def)
{
    TrnNoise noise;
    const char *fault = trn_noise_def_fault(def);
    if (fault) {
        fail_msg("%s", fault);
    }
    assert_int_equal(trn_noise_compile(def, &noise), TRN_RESULT_OK);
    return noise;
}

static inline float random_between(TestRandom *random, double low, double high)
{
    const double unit = (double)(test_random_next(random) >> 11) * (1.0 / 9007199254740992.0);
    return (float)(low + (high - low) * unit);
}

// ---- a slow reference --------------------------------------------------------------------------

typedef struct Spot {
    uint32_t cell[3];
    long double fraction[3];
} Spot;

static inline uint32_t reference_hash(const Spot *spot, const int offset[3], uint32_t seed,
                                      int dimensions)
{
    const uint32_t primes[3] = {0x9E3779B1u, 0x85EBCA77u, 0xC2B2AE3Du};
    uint32_t hash = 0;
    for (int axis = 0; axis < 3; axis += 4 - dimensions) {
        uint32_t part = (spot->cell[axis] + (uint32_t)offset[axis]) * primes[axis];
        part += axis == 0 ? seed : 0;
        part = (part ^ part >> 15) * 0x846CA68Bu;
        hash ^= part ^ part >> 16;
    }
    return hash * 0x27D4EB2Fu;
}
